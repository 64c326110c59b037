/** The Play page: play, analyse and watch. This module connects the parts; each does one thing. */

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Connection, Superseded } from "./connection.js";
import { CHANCE, Game } from "./game.js";
import { setUpControls } from "./controls.js";
import { setUpHeader } from "./header.js";
import { Hints } from "./hints.js";
import { showMoves } from "./moves.js";
import { RecordPanel } from "./record_panel.js";
import { Players, kindOptions } from "./players.js";
import { Review } from "./review.js";

const $ = (id) => document.getElementById(id);
const FIRST_GAME = "tic-tac-toe";

class Page {
  constructor() {
    this.connection = new Connection((state) => this.linked(state));
    this.board = new Board($("board"), {
      move: (move) => this.play(move),
      choose: (moves, last) => this.choose(moves, last),
      say: (words) => { $("say").textContent = words; },
    });
    this.players = new Players($("seats"), () => this.seated());
    this.analysis = new Analysis(this);
    this.record = new RecordPanel(this);
    this.hints = new Hints(this);
    this.review = new Review(this);
    /** @type {Game} */
    this.game = null;
    this.details = null;
    this.running = false;
    /** The position in which a machine, or chance, is about to move. */
    this.moving = null;
    this.busy = false;
    this.timer = 0;
    setUpControls(this);
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
      this.configure();
      this.problem("");
      this.render();
      document.querySelector("main").inert = false;
      if (live) this.advance();
      else this.analysis.begin();
      return true;
    } catch (error) {
      this.problem(error.message);
      if (!this.game && game.hash !== new Game(FIRST_GAME).hash) {
        await this.open(new Game(FIRST_GAME));
        this.problem(error.message);
      } else if (this.game) $("game").value = this.game.name;
      return false;
    }
  }

  /** Take the moves as the server writes them. */
  adopt(node, view) {
    let at = node;
    for (let i = view.moves.length - 1; i >= 0 && at.parent; i -= 1, at = at.parent) {
      at.move = view.moves[i];
      at.mover = view.movers[i];
    }
  }

  /** Show what belongs to a game, whatever the position. */
  configure() {
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
    this.record.configure(entry, this.details);
    this.review.configure();
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
          else this.analysis.begin();
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
      this.analysis.begin();
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
      this.analysis.begin();
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
    if (view.over || this.moving === node) return;
    $("go").hidden = true;
    this.moving = node;
    try {
      let answer;
      if (view.mover === CHANCE) answer = await this.connection.ask({ do: "chance", ...game.place() });
      else {
        const seat = this.players.seats[view.mover];
        const player = seat.kind === "human" ? { kind: "engine", level: "" } : seat;
        this.thinking(`${this.details.players[view.mover]} is thinking …`);
        if (this.analysis.on) this.analysis.note("Paused while a machine thinks.");
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
      if (this.moving === node) {
        this.moving = null;
        this.thinking("");
      }
    }
  }

  /** End whatever goes on by itself. */
  halt() {
    this.moving = null;
    clearTimeout(this.timer);
    this.review.end();
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
    $("go").textContent = view.mover === CHANCE ? "Let chance decide" : "Let the machine move";
    $("hint").hidden = !$("hints").checked || !this.personToMove;
    this.showRunning();
    this.record.show();
    history.replaceState(null, "", `#${game.hash}`);
  }

  /** What a person hears and reads of the position: the last move, and whose turn it is. */
  sentence() {
    const { view } = this;
    const last = view.moves.at(-1);
    if (!last) return view.status;
    if (view.full) return `${view.status} The page stops at ${view.moves.length} moves.`;
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
    if (sentence) $("problem").scrollIntoView({ block: "nearest" }); // on a phone, forms are far below
  }

  /**
   * Offer moves that cannot be told by pointing: passes, and what a pawn becomes.
   * @param {boolean} last whether there is nothing left to point to, so that one of these must be chosen
   */
  choose(moves, last = false) {
    const offered = moves.length ? moves : this.board.active && !this.board.picked.length
      ? this.board.view.legal.filter(({ squares }) => !squares.length).map(({ move }) => move) : [];
    $("choices").replaceChildren(...offered.map((move) => {
      const button = Object.assign(document.createElement("button"), { type: "button", textContent: move });
      button.addEventListener("click", () => {
        $("board").focus({ preventScroll: true }); // the button is no more, once the move is made
        this.play(move);
      });
      return button;
    }));
    $("choices").hidden = !offered.length;
    if (last && moves.length && document.activeElement === $("board")) $("choices").firstChild.focus();
  }

  linked(state) {
    $("link").dataset.state = state;
    $("link").textContent = state === "open" ? "" : "No connection; trying again …";
  }

  // -- Modes.

  /** Play, analyse or watch: who sits where, and whether there is analysis. */
  mode(name) {
    if (!["play", "analyse", "watch"].includes(name)) return;
    this.halt();
    this.running = false;
    this.players.preset(name);
    this.analysis.on = name === "analyse";
    this.render();
    this.showMode();
    this.advance();
  }

  showMode() {
    const all = this.players.people === this.players.seats.length;
    const mode = this.watching ? "watch" : all && this.analysis.on ? "analyse" : "play";
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
    let { at } = this.game;
    if (!at.parent) return;
    while (at.parent.parent && !this.watching && !this.players.isPerson(at.mover)) at = at.parent;
    this.go(at.parent);
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

  step(by) {
    const node = by < 0 ? this.game.at.parent : this.game.at.next;
    if (node) this.go(node);
  }
}

setUpHeader();
const page = new Page();
page.begin().catch((error) => page.problem(error.message));
