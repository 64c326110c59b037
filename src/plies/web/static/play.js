/** The Play page: play, analyse and watch. It connects the parts; each does one thing. */

import { hashOf } from "./address.js";
import { AnalysisPanel } from "./analysis_panel.js";
import { Annotations } from "./annotations.js";
import { Board } from "./board.js";
import { Dragging } from "./dragging.js";
import { showEnding, statusOf } from "./ending.js";
import { Connection } from "./connection.js";
import { ClocksPanel } from "./clocks_panel.js";
import { offerChoices } from "./choices.js";
import { connectControls } from "./controls.js";
import { $, listen, onSubmit } from "./dom.js";
import { CHANCE, Game } from "./game.js";
import { GameController } from "./game_controller.js";
import { Hints } from "./hints.js";
import { keep, keptGame } from "./kept_games.js";
import { showMoves } from "./moves_panel.js";
import { Opening } from "./opening.js";
import { setUpHeader, showConnection, showProblem } from "./page.js";
import { peeking } from "./peeking.js";
import { PlayersPanel } from "./players_panel.js";
import { PositionEditor } from "./position_editor.js";
import { Preview } from "./preview.js";
import { Pondering } from "./pondering.js";
import { ProofWalk } from "./proof_walk.js";
import { RacePanel } from "./race_panel.js";
import { RecordPanel } from "./record_panel.js";
import { ReviewPanel } from "./review_panel.js";
import { SharedGame } from "./shared_game.js";
import { SharePanel } from "./share_panel.js";
import { sound, takes } from "./sounds.js";
import { Steering } from "./steering.js";
import { load, remember, store } from "./storage.js";
import { Threats } from "./threats.js";

/** What is chosen here is remembered from visit to visit. */
const SETTINGS = ["show-legal", "show-numbers", "hints", "speed", "limit", "lines", "show-bar", "show-scores", "side-of", "sounds", "clock"];

const connection = new Connection(showConnection);
/** All games by name: title, rules and parameters. */
let games = new Map();

const board = new Board($("board"), {
  move: (move) => controller.play(move),
  choose: showChoices,
  announce: (words) => { $("announcement").textContent = words; },
});
new Dragging(board);
new Preview(board, (move) => controller.viewAfter([move]));
const steering = new Steering(board, () => controller.details?.steered === true && !opening.home.shown);
const players = new PlayersPanel($("seats"), () => {
  proof.end();
  controller.reseat();
  showMode();
});
const controller = new GameController(connection, players, {
  opened: configure,
  changed: render,
  idle: () => {
    showRunning();
    analysis.begin();
    pondering.begin();
    setTimeout(() => { // once the position is there
      steering.go();
      proof.step();
    }, 0);
  },
  halted: () => {
    review.end();
    race.end();
    hints.reset();
  },
  moving: () => { $("go").hidden = true; },
  thinking: (words) => {
    showThinking(words);
    if (words) analysis.pause();
    if (words) $("go").textContent = "Move now";
    if (words) $("go").hidden = false;
  },
  problem: showProblem,
  busy: (busy) => {
    if (busy) $("board").setAttribute("aria-busy", "true");
    else $("board").removeAttribute("aria-busy");
  },
  clock: (seat) => clocks.clocks.fields(seat),
  delay: () => 1000 * Number($("speed").value),
});
const clocks = new ClocksPanel(controller, () => !opening.home.shown && currentMode() !== "analyse");
const currentNode = () => controller.game.at;
const analyse = (fields, onProgress) => {
  pondering.end(); // there is one search at a time
  return controller.analyse(currentNode(), fields, onProgress);
};
const analysis = new AnalysisPanel({
  view: () => controller.view,
  position: currentNode,
  moving: () => controller.moving !== null,
  analyse,
  stop: () => connection.stop(),
  setScores: (scores) => board.setScores(scores),
  play: (move) => controller.play(move),
  found: (info) => proof.offer(info),
  playLine: (moves) => controller.playLine(moves),
  peek: peeking(board, (moves) => controller.viewAfter(moves)),
  toggled: showMode,
});
const pondering = new Pondering({
  ask: (fields) => connection.ask("ponder", { ...controller.game.fields(), ...fields }),
  node: currentNode,
  wanted: () => controller.personToMove && !analysis.enabled && !controller.remote,
  machine: (seat) => ({ ...players.machine(seat), ...clocks.clocks.fields(seat) }),
});
const hints = new Hints(board, {
  analyse,
  known: () => analysis.info,
  position: currentNode,
  say: (words) => { $("status").textContent = words; },
  thinking: showThinking,
  problem: showProblem,
});
const threats = new Threats(board, controller, analyse);
const review = new ReviewPanel({
  line: () => controller.game.line,
  view: async (node) => {
    const view = await controller.fetchView(node);
    controller.game.keep(node, view);
    return view;
  },
  analyse: (node, fields, onProgress) => controller.analyse(node, fields, onProgress),
  halt: () => {
    controller.halt();
    controller.running = false;
    if (analysis.enabled) analysis.toggle();
  },
  go: (node) => controller.go(node),
  done: render,
});
const proof = new ProofWalk({
  view: () => controller.view,
  position: currentNode,
  players: () => controller.details.players,
  analyse,
  play: (move) => controller.play(move),
  begin: () => {
    analysis.enabled = false;
    players.preset("analyse");
    controller.reseat();
  },
});
const race = new RacePanel({
  position: currentNode,
  view: () => controller.view,
  analyse: (fields, onProgress, own) => controller.analyse(currentNode(), fields, onProgress, own),
});
const record = new RecordPanel({
  ask: (type, fields) => connection.ask(type, fields),
  game: () => controller.game,
  problem: showProblem,
  open: (game, autoplay) => opening.open(game, autoplay),
});
const editor = new PositionEditor(board, {
  edit: (edits) => connection.ask("edit", { ...controller.game.fields(), edits }),
  setUp: (position) => opening.open(new Game(controller.game.name, controller.game.parameters, position)),
  changed: render,
  problem: showProblem,
});
const annotations = new Annotations(() => controller.game, render);
const shared = new SharedGame(connection, controller, {
  open: (game) => opening.open(game, false),
  seated: (seat) => {
    analysis.enabled = false;
    players.share(seat);
  },
  changed: render,
  ended: () => {
    players.share(undefined);
    sharePanel.show();
  },
  problem: (words) => opening.fail(words),
});
const sharePanel = new SharePanel(shared, () => controller.details.players);
const opening = new Opening(controller, {
  games: () => games, setMode, showMode, showAddress, join: (id) => shared.follow(id), leave: () => shared.leave(),
});

// -- Showing a game.

/** Show what belongs to a game, whatever the position. */
function configure(game, details) {
  if (!shared.shows(game)) shared.leave();
  if (editor.edits) editor.close();
  const { seats, mode } = game.setting;
  const { title, rules, parameters } = games.get(game.name);
  $("game").value = game.name;
  $("rules-title").textContent = title;
  $("rules-text").textContent = rules;
  document.title = `${title} · Plies`;
  if (seats) players.take(seats);
  if (seats && mode) analysis.enabled = mode === "analyse";
  players.configure(details);
  $("turn").hidden = !details.turns;
  board.root.classList.toggle("steered", details.steered);
  if (shared.shows(game)) board.setTurned(details.turns && players.mine === 1); // each sees their own side
  else turn(details.turns && load(`turned.${game.name}`) === true);
  $("share").hidden = details.players.length !== 2;
  clocks.configure(game, details, shared.shows(game));
  pondering.configure(details);
  analysis.configure(details);
  record.configure(parameters, details);
  review.configure(details);
  race.configure(details);
  proof.end();
  opening.enter();
}

// -- Showing a position.

/** The position that was shown last. */
let shown = null;

/** See the board from the other side; remembered for each game. */
function turn(turned) {
  board.setTurned(turned);
  $("turn").setAttribute("aria-pressed", String(turned));
  store(`turned.${controller.game.name}`, turned);
}

function render() {
  const { game, view, canMove, chooser } = controller;
  const forward = shown === game.at.parent && shown !== null;
  if (forward && shown !== game.at && $("sounds").checked) sound(controller.over ? "end" : takes(shown.view, view) ? "take" : "move");
  if (editor.edits && shown !== game.at) editor.close();
  board.show(view, canMove && !editor.edits, chooser === null ? view.legal : view.choices[chooser], forward);
  shown = game.at;
  $("board").setAttribute("aria-label", `${games.get(game.name).title} board. ${view.status}`);
  $("status").textContent = statusOf(controller);
  showEnding(controller);
  clocks.show();
  sharePanel.show();
  players.showTurn(chooser ?? view.mover);
  pondering.moved();
  showMoves($("moves"), game, (node) => controller.go(node), controller.details.pairs);
  for (const id of ["first", "back"]) $(id).disabled = !game.at.parent;
  showUndo();
  for (const id of ["forward", "last", "redo"]) $(id).disabled = !game.at.next;
  $("go").hidden = controller.over || canMove || controller.watching || controller.remote !== null;
  $("go").textContent = view.mover === CHANCE ? "Roll" : "Move now";
  $("hint").hidden = !$("hints").checked || !controller.personToMove;
  threats.offer();
  showRunning();
  record.show(view);
  annotations.show();
  if (game.at.parent) $("left").hidden = true;
  showMode();
}

/** Name the game, its players and the mode in the address, and keep it. */
function showAddress() {
  const { game, view } = controller;
  if (!view || opening.home.shown) return;
  const mode = currentMode();
  const { seats } = players;
  const hash = shared.shows(game) ? `shared=${shared.id}` : hashOf(game, { seats: players.isUsual(mode) ? null : seats, mode: mode === "play" ? null : mode });
  keep(game, { seats, mode, status: statusOf(controller, false), clock: clocks.clocks.kept });
  opening.address.show(game, hash);
  record.showLink(hash);
}

/** Undo takes back a cell that is selected, a resignation, or a move. */
function showUndo() {
  const { game } = controller;
  $("undo").disabled = !board.picked.length && !game.at.parent && game.outcome === null;
}

function showThinking(words) {
  $("thinking").textContent = words;
}

function showRunning() {
  const { running } = controller;
  $("watch").hidden = !controller.watching;
  $("run").textContent = running ? "Pause" : "Start";
  $("run").disabled = controller.over;
  $("step").disabled = running || controller.over;
}

/** Offer moves that cannot be made by pointing alone. */
function showChoices(moves, last) {
  offerChoices(board, moves, (move) => controller.play(move), last);
  showUndo();
}

/** Clear the selection on the board. */
function cancel() {
  const choosing = $("choices").contains(document.activeElement);
  if (board.clearSelection() && choosing) $("board").focus({ preventScroll: true });
}

// -- Modes: who sits where, and whether there is analysis.

function setMode(name) {
  if (currentMode() !== name) players.preset(name);
  analysis.enabled = name === "analyse";
  controller.reseat();
  showMode();
}

function currentMode() {
  const allPeople = players.people === players.seats.length;
  return controller.watching ? "watch" : allPeople && analysis.enabled ? "analyse" : "play";
}

function showMode() {
  const mode = opening.home.shown ? null : currentMode();
  for (const link of document.querySelectorAll("[data-mode]")) {
    if (link.dataset.mode === mode) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  if (mode) showAddress();
}

// -- Setting up.

function setUpForms() {
  listen("game", "change", () => {
    controller.running = false;
    opening.open(new Game($("game").value));
  });
  for (const id of SETTINGS) remember($(id));
  for (const [id, name] of [["show-legal", "showLegal"], ["show-numbers", "numbered"]]) {
    const show = () => { board[name] = $(id).checked; };
    show();
    listen(id, "change", () => { show(); board.draw(); });
  }
  listen("hints", "change", render);
  showDelay();
  listen("speed", "input", showDelay);
  onSubmit("move-form", () => {
    const text = $("move").value.trim();
    if (text) controller.play(text);
    $("move").value = "";
  });
  for (const link of document.querySelectorAll("[data-mode]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      opening.enterMode(link.dataset.mode);
    });
  }
}

function showDelay() {
  $("delay").textContent = `${Number($("speed").value).toFixed(1)} s`;
}

addEventListener("pagehide", () => keptGame(controller.game?.id)?.clock && showAddress()); // clocks go on from there

connectControls({
  newGame: () => opening.newGame(),
  first: () => controller.go(controller.game.root),
  back: () => controller.back(),
  forward: () => controller.forward(),
  last: () => controller.go(controller.game.end),
  undo: () => board.takeBack() || controller.undo(),
  takeBack: () => board.takeBack(),
  turn: () => turn(!board.turned),
  redo: () => controller.redo(),
  hint: () => hints.next(),
  threat: () => threats.show(),
  moveNow: () => (controller.moving === controller.game.at ? controller.hurry() : controller.moveNow()),
  run: () => controller.run(),
  step: () => controller.moveNow(),
  analyse: () => analysis.toggle(),
  continueAnalysis: () => analysis.resume(),
  review: () => review.toggle(),
  reviewEnd: () => review.toggle(),
  resign: () => controller.resign(),
  again: () => opening.newGame(),
  swapSides: () => {
    players.swap();
    if (controller.details.turns && board.view.legal.some(({ squares }) => squares.length > 1)) turn(!board.turned);
    opening.newGame();
  },
  rules: () => $("rules-dialog").showModal(),
  focusBoard: () => $("board").focus(),
  focusMoveField: () => $("move").focus(),
  cancel,
}, () => controller.game !== null && !opening.home.shown);

async function start() {
  setUpHeader();
  setUpForms();
  const all = await connection.ask("games");
  games = new Map(all.map((entry) => [entry.name, entry]));
  $("game").replaceChildren(...all.map(({ name, title }) => new Option(title, name)));
  await opening.openAddress();
}

start().catch((error) => showProblem(error.message));
