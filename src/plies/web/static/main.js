/** The Play page: play, analyse and watch. This module connects the parts; each does one thing. */

import { Panel, showBar } from "./analysis.js";
import { Board } from "./board.js";
import { Connection, Superseded } from "./connection.js";
import { CHANCE, Game } from "./game.js";
import { isTyping, remember, remembered, setUpHeader } from "./header.js";
import { Hints } from "./hints.js";
import { showMoves } from "./moves.js";
import { Paper } from "./paper.js";
import { Players, kindOptions } from "./players.js";

const $ = (id) => document.getElementById(id);
const FIRST_GAME = "tic-tac-toe";

class Page {
  constructor() {
    this.connection = new Connection((state) => this.linked(state));
    this.board = new Board($("board"), {
      move: (move) => this.play(move),
      choose: (moves) => this.choose(moves),
      say: (words) => { $("say").textContent = words; },
    });
    this.players = new Players($("seats"), () => this.seated());
    this.panel = new Panel((move) => this.play(move));
    this.paper = new Paper(this);
    this.hints = new Hints(this);
    /** @type {Game} */
    this.game = null;
    this.details = null;
    this.running = false;
    this.analysing = false;
    this.busy = false;
    this.timer = 0;
    this.listen();
  }

  // -- Beginning.

  async begin() {
    const { games } = await this.connection.ask({ do: "games" });
    this.games = new Map(games.map((entry) => [entry.name, entry]));
    $("game").replaceChildren(...games.map((entry) => new Option(entry.title, entry.name)));
    await this.fromAddress();
  }

  /** Open the game that the address names, or the first one. */
  async fromAddress() {
    const words = new URLSearchParams(location.hash.replace(/^#/, ""));
    const game = Game.fromHash(location.hash);
    if (game && game.hash === this.game?.hash) return;
    // Whoever opens a link wants to see the position, not what a machine makes of it.
    if (game || !this.game) await this.open(game ?? new Game(FIRST_GAME), { live: !game?.at.parent });
    if (words.get("mode")) this.mode(words.get("mode"));
  }

  /** Show another game, if the server can make it. */
  async open(game, { live = true } = {}) {
    this.halt();
    try {
      const { game: details } = await this.connection.ask({ do: "game", ...game.place(game.root) });
      const { view } = await this.connection.ask({ do: "view", ...game.place() });
      this.game = game;
      this.details = details;
      this.adopt(game.at, view);
      game.keep(game.at, view);
      this.dress();
      this.problem("");
      this.render();
      if (live) this.advance();
      else this.analyse();
      return true;
    } catch (error) {
      this.problem(error.message);
      if (!this.game && game.hash !== new Game(FIRST_GAME).hash) await this.open(new Game(FIRST_GAME));
      else if (this.game) $("game").value = this.game.name;
      return false;
    }
  }

  /** Take the moves as the server writes them. */
  adopt(node, view) {
    let at = node;
    for (let i = view.moves.length - 1; i >= 0 && at.parent; i -= 1, at = at.parent) at.move = view.moves[i];
  }

  /** Show what belongs to a game, whatever the position. */
  dress() {
    const entry = this.games.get(this.game.name);
    $("game").value = this.game.name;
    $("rules-title").textContent = entry.title;
    $("rules-text").textContent = entry.rules;
    document.title = `${entry.title} · Plies`;
    this.players.arrange(this.details);
    const chosen = $("algorithm").value;
    const kinds = this.details.kinds.filter((kind) => kind.analyses);
    $("algorithm").replaceChildren(...kindOptions(kinds, "algorithm"));
    $("algorithm").value = kinds.some((kind) => kind.name === chosen) ? chosen : kinds[0].name;
    this.paper.dress(entry, this.details);
    this.showMode();
  }

  // -- Going on.

  get view() {
    return this.game.at.view;
  }

  /** Whether nobody but machines play. */
  get watching() {
    return this.players.people === 0;
  }

  /** Whether it is for a person to move here. */
  get personToMove() {
    return !this.view.over && this.view.mover !== CHANCE && this.players.isPerson(this.view.mover);
  }

  /**
   * Go to a position. The last one that was asked for counts, if there are several.
   * @param {boolean} live whether machines go on from there
   */
  async go(node, live = false) {
    this.halt();
    this.wanted = { node, live };
    if (this.busy) return;
    this.busy = true;
    $("board").setAttribute("aria-busy", "true");
    try {
      while (this.wanted) {
        const { node: at, live: on } = this.wanted;
        this.wanted = null;
        if (await this.look(at) && !this.wanted) {
          this.problem("");
          this.render();
          if (on || !at.children.length) this.advance();
          else this.analyse();
        }
      }
    } finally {
      this.busy = false;
      $("board").removeAttribute("aria-busy");
    }
  }

  /** Make a position the present one, once the server has told of it. */
  async look(node) {
    const game = this.game;
    try {
      if (!node.view) {
        const { view } = await this.connection.ask({ do: "view", ...game.place(node) });
        if (game !== this.game) return false;
        const same = node.parent?.children.find((other) => other !== node && other.move === view.moves.at(-1));
        if (same) { // typed otherwise, but the same move
          node.remove();
          node = same;
        } else this.adopt(node, view);
        game.keep(node, view);
      }
      game.visit(node);
      return true;
    } catch (error) {
      if (node.parent && !node.children.length) node.remove();
      this.problem(error.message);
      this.render();
      this.analyse();
      return false;
    }
  }

  /** Make a move in the present position, as it is written or as somebody typed it. */
  play(move) {
    if (this.busy || !this.view) return;
    if (this.view.over) {
      this.problem("The game is over: undo, or begin a new one.");
      return;
    }
    this.go(this.game.at.child(move), true);
  }

  /** Let chance and machines do what is for them to do here. */
  advance() {
    const { view } = this;
    if (view.over || view.full || this.personToMove || (this.watching && !this.running)) {
      if (view.over) this.running = false;
      this.showRunning();
      this.analyse();
      return;
    }
    $("go").hidden = true;
    const pause = this.watching ? 1000 * Number($("speed").value) : view.mover === CHANCE ? 250 : 0;
    this.timer = setTimeout(() => this.moveMachine(), pause);
  }

  /** One move of a machine, or of chance. */
  async moveMachine() {
    const { game, view } = this;
    const node = game.at;
    if (view.over) return;
    $("go").hidden = true;
    try {
      let answer;
      if (view.mover === CHANCE) answer = await this.connection.ask({ do: "chance", ...game.place() });
      else {
        const seat = this.players.seats[view.mover];
        const player = seat.kind === "human" ? { kind: "engine", level: "" } : seat;
        this.thinking(`${this.details.players[view.mover]} is thinking …`);
        this.panel.note(this.analysing ? "Paused while a machine thinks." : "");
        answer = await this.connection.search(
          { do: "move", ...game.place(), player: player.kind, level: player.level },
          ({ note }) => this.thinking(`${note} …`),
        );
      }
      if (this.game !== game || game.at !== node) return;
      this.go(node.child(answer.move), true);
    } catch (error) {
      if (error instanceof Superseded) return;
      this.running = false;
      this.render();
      this.problem(error.message);
    } finally {
      this.thinking("");
    }
  }

  /** End whatever goes on by itself. */
  halt() {
    clearTimeout(this.timer);
    this.connection.stop();
    this.thinking("");
    this.hints.forget();
  }

  // -- Showing.

  render() {
    const { view, game } = this;
    const person = this.personToMove || (this.watching && !this.running && !view.over && view.mover !== CHANCE);
    this.board.show(view, person);
    $("board").setAttribute("aria-label", `Board of ${this.games.get(game.name).title}. ${view.status}`);
    $("status").textContent = this.sentence();
    this.players.showTurn(view.mover);
    showMoves($("moves"), game, (node) => this.go(node));
    const { at } = game;
    for (const id of ["first", "back"]) $(id).disabled = !at.parent;
    for (const id of ["forward", "last"]) $(id).disabled = !at.next;
    $("undo").disabled = !at.parent;
    $("redo").disabled = !at.next;
    $("go").hidden = view.over || person || this.watching;
    $("hint").hidden = !$("hints").checked || !this.personToMove;
    this.showRunning();
    this.paper.show();
    history.replaceState(null, "", `#${game.hash}`);
  }

  /** What a person hears and reads of the position: the last move, and whose turn it is. */
  sentence() {
    const { view } = this;
    const last = view.moves.at(-1);
    if (!last) return view.status;
    const mover = view.movers.at(-1);
    const who = mover === CHANCE ? "chance" : this.details.players[mover];
    return `${who[0].toUpperCase()}${who.slice(1)}: ${last}. ${view.status}`;
  }

  thinking(words) {
    $("thinking").textContent = words;
  }

  problem(sentence) {
    $("problem").textContent = sentence;
    $("problem").hidden = !sentence;
  }

  /** Offer moves that cannot be told by pointing: passes, and what a pawn becomes. */
  choose(moves) {
    const offered = moves.length ? moves : this.board.active && !this.board.picked.length
      ? this.board.view.legal.filter(({ touches }) => !touches.length).map(({ move }) => move) : [];
    $("choices").replaceChildren(...offered.map((move) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: move });
      button.addEventListener("click", () => this.play(move));
      return button;
    }));
    $("choices").hidden = !offered.length;
  }

  linked(state) {
    $("link").dataset.state = state;
    $("link").textContent = state === "open" ? "" : "No connection; trying again …";
  }

  // -- Analysis.

  /** Analyse the present position, if that is wanted and there is anything to analyse. */
  async analyse() {
    const { view, game } = this;
    const waits = !view.over && view.mover !== CHANCE;
    $("analyse").setAttribute("aria-pressed", String(this.analysing));
    $("analyse").textContent = this.analysing ? "Stop" : "Analyse";
    $("bar").hidden = !(this.analysing && $("show-bar").checked && this.details.versus);
    if (!this.analysing || !waits) {
      this.panel.clear(this.analysing ? "There is nothing to search here." : "Off: nobody whispers while you play.");
      this.board.setScores([]);
      return;
    }
    const node = game.at;
    const mine = () => this.game === game && game.at === node && this.analysing;
    const show = (info) => {
      this.panel.show(info, this.details.players, view.mover);
      if ($("show-scores").checked) this.board.setScores(info.scores);
      if (this.details.versus) showBar(info.value, this.details.players, view.mover);
    };
    this.panel.note("Searching …");
    try {
      const answer = await this.connection.search(
        { do: "analyse", ...game.place(), algorithm: $("algorithm").value, lines: this.lines() },
        (news) => {
          if (!mine()) return;
          if (news.info) {
            show(news.info);
            this.panel.note("Searching …");
          } else this.panel.note(`${news.note} …`);
        },
      );
      if (!mine()) return;
      show(answer.done);
      this.panel.note(answer.done.value.proved ? "Done: this is proved." : "Done: the limit is reached.");
    } catch (error) {
      if (!(error instanceof Superseded) && mine()) this.panel.clear(error.message);
    }
  }

  /** How many moves get an exact score: in small positions, all. */
  lines() {
    return this.view.legal.length <= 9 ? this.view.legal.length : Number($("lines").value);
  }

  setAnalysing(on) {
    this.analysing = on;
    if (!on) this.connection.stop();
    this.analyse();
    this.showMode();
    if (!on && !this.personToMove && !this.game.at.children.length) this.advance();
  }

  // -- Modes.

  /** Play, analyse or watch: who sits where, and whether there is analysis. */
  mode(name) {
    if (!["play", "analyse", "watch"].includes(name)) return;
    this.halt();
    this.running = false;
    this.players.preset(name);
    this.analysing = name === "analyse";
    this.render();
    this.showMode();
    this.advance();
  }

  showMode() {
    const all = this.players.people === this.players.seats.length;
    const mode = this.watching ? "watch" : all && this.analysing ? "analyse" : "play";
    for (const link of document.querySelectorAll("[data-mode]")) {
      if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  }

  /** Somebody else sits somewhere. */
  seated() {
    this.halt();
    this.running = false;
    this.render();
    this.showMode();
    this.advance();
  }

  showRunning() {
    $("watch").hidden = !this.watching;
    $("run").textContent = this.running ? "Pause" : "Start";
    $("run").disabled = $("step").disabled = this.view.over;
    $("step").disabled = this.running || this.view.over;
  }

  run() {
    this.running = !this.running;
    this.halt();
    this.render();
    if (this.running) this.moveMachine();
    else this.advance();
  }

  // -- What people do.

  undo() {
    const seen = (node) => node.view && node.view.mover !== CHANCE && this.players.isPerson(node.view.mover);
    let node = this.game.at.parent;
    if (!node) return;
    while (node.parent && !this.watching && node.view && !seen(node)) node = node.parent;
    this.go(node);
  }

  redo() {
    let node = this.game.at.next;
    if (!node) return;
    const seen = (one) => !one.view || one.view.over || this.players.isPerson(one.view.mover);
    while (node.next && !this.watching && !seen(node)) node = node.next;
    this.go(node);
  }

  async newGame() {
    this.running = false;
    if (await this.open(new Game(this.game.name, this.game.parameters, this.game.position))) $("board").focus();
  }

  listen() {
    const on = (id, what) => $(id).addEventListener("click", what);
    on("new", () => this.newGame());
    on("first", () => this.go(this.game.root));
    on("back", () => this.step(-1));
    on("forward", () => this.step(1));
    on("last", () => this.go(this.game.end));
    on("undo", () => this.undo());
    on("redo", () => this.redo());
    on("go", () => this.moveMachine());
    on("run", () => this.run());
    on("step", () => this.moveMachine());
    on("hint", () => this.hints.more());
    on("analyse", () => this.setAnalysing(!this.analysing));
    on("rules", () => $("rules-dialog").showModal());
    $("game").addEventListener("change", () => {
      this.running = false;
      this.open(new Game($("game").value));
    });
    for (const id of ["algorithm", "lines"]) $(id).addEventListener("change", () => this.analysing && this.analyse());
    $("show-bar").addEventListener("change", () => {
      $("bar").hidden = !(this.analysing && $("show-bar").checked && this.details.versus);
    });
    $("show-scores").addEventListener("change", () => {
      this.board.setScores($("show-scores").checked ? this.panel.info?.scores ?? [] : []);
    });
    $("show-legal").checked = remembered("legal") !== "no";
    this.board.showLegal = $("show-legal").checked;
    $("show-legal").addEventListener("change", () => {
      this.board.showLegal = $("show-legal").checked;
      remember("legal", this.board.showLegal ? "yes" : "no");
      this.board.draw();
    });
    $("hints").addEventListener("change", () => this.render());
    $("speed").addEventListener("input", () => { $("pause").textContent = `${Number($("speed").value).toFixed(1)} s`; });
    $("typed").addEventListener("submit", (event) => {
      event.preventDefault();
      const text = $("move").value.trim();
      if (text) this.play(text);
      $("move").value = "";
    });
    for (const link of document.querySelectorAll("[data-mode]")) {
      link.addEventListener("click", (event) => {
        event.preventDefault();
        this.mode(link.dataset.mode);
      });
    }
    addEventListener("hashchange", () => this.fromAddress());
    document.addEventListener("keydown", (event) => this.key(event));
  }

  step(by) {
    const node = by < 0 ? this.game.at.parent : this.game.at.next;
    if (node) this.go(node);
  }

  key(event) {
    if (!this.game || isTyping(event) || event.defaultPrevented) return;
    const keys = {
      ArrowLeft: () => this.step(-1),
      ArrowRight: () => this.step(1),
      Home: () => this.go(this.game.root),
      End: () => this.go(this.game.end),
      u: () => this.undo(),
      r: () => this.redo(),
      n: () => this.newGame(),
      a: () => this.setAnalysing(!this.analysing),
      b: () => $("board").focus(),
      m: () => $("move").focus(),
      h: () => !$("hint").hidden && this.hints.more(),
      p: () => this.watching && !this.view.over && this.run(),
      s: () => this.watching && !this.running && this.moveMachine(),
      Escape: () => this.board.letGo(),
    };
    if (event.key in keys) {
      event.preventDefault();
      keys[event.key]();
    }
  }
}

setUpHeader();
const page = new Page();
page.begin().catch((error) => page.problem(error.message));
