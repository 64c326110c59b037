/** The Learn page: a game tree, and what can be done with it. The page keeps everything; the server only answers. */

import { cutOffs, showComparison } from "./compare_panel.js";
import { Connection } from "./connection.js";
import { $, isTyping, listen, make, onSubmit } from "./dom.js";
import { answersIn, assignmentPanel } from "./learn_assignment.js";
import { MOST_OPENED, stateIn } from "./learn_link.js";
import { openable } from "./learn_more.js";
import { copyLink, setUpHeader, showConnection, showProblem } from "./page.js";
import { PositionPanel } from "./position_panel.js";
import { PracticePanel } from "./practice_panel.js";
import { setUpPresenter, showPresentation } from "./presenter.js";
import { setUpPrinting, showPrinting } from "./printing.js";
import { optionsFor, SearchControls, searchName } from "./search_controls.js";
import { showSteps } from "./steps.js";
import { TreeEditor } from "./tree_editor.js";

const MODES = ["step", "practice", "compare", "edit"];
/** The algorithms to begin with, the first that suits the tree. */
const PREFERRED = ["alpha-beta", "expectiminimax", "max-n"];
const MOST_UNDONE = 100;
const stage = $("stage");
const connection = new Connection(showConnection);

/** What a link holds: what is searched, how, and what is being done with it. */
const state = {
  /** In the fields of a message: {tree}, or a position {game, parameters, position, depth}. */
  subject: null,
  algorithm: "alpha-beta", options: {}, mode: "step", step: 0, present: false,
  first: ["minimax", {}], second: ["alpha-beta", {}],
  /** The nodes of a large tree below which more is shown. */
  opened: [],
  /** What is asked, or was answered, by a link; null if nothing is. */
  assignment: null,
};
/** What the server knows: examples, algorithms with their arguments, games. */
let known = { examples: [], algorithms: {}, games: [] };
/** The tree as the server drew it. */
let drawn = null;
/** The node to select in the editor, and what to do there. */
let editing = { path: [], then: "" };
/** What was answered in practice, and the names of the nodes that it is about. */
let answers = { values: new Map(), cuts: new Set(), of: "" };
/** The steps that are shown, if any. */
let steps = null;
/** The choice of the search, and of the two that are compared. */
let controls = {};
let positions = null;
/** Trees before changes, and before these were undone. */
const undoStack = [];
const redoStack = [];
let lastRequest = 0;
let writing = 0;
let shownUntil = new AbortController();

/** Send a message and show an error; null after an error, or if something else was asked meanwhile. */
async function ask(type, fields) {
  const request = ++lastRequest;
  try {
    const result = await connection.ask(type, fields);
    if (request !== lastRequest) return null;
    showProblem("");
    return result;
  } catch (error) {
    if (request === lastRequest) showProblem(error.message);
    return null;
  }
}

// -- The tree.

const draw = (subject) => ask("draw_tree", subject);

/** Search something else, if the server takes it; with an algorithm, if it is about that. */
async function use(subject, algorithm = null) {
  const result = await draw(subject);
  if (!result) return false;
  rememberTree();
  await show(subject, result, algorithm);
  return true;
}

/** Remember the tree that is shown, for undo. */
function rememberTree() {
  if (state.subject?.tree) undoStack.push(state.subject);
  if (undoStack.length > MOST_UNDONE) undoStack.shift();
  redoStack.length = 0;
  state.opened = [];
}

/** Show a subject as drawn. If other algorithms suit it than the last one, the preferred one of them searches it. */
function show(subject, result, algorithm = null, step = 0) {
  const { tree, suited } = result;
  const wanted = algorithm ?? (String(drawn?.suited) === String(suited) ? state.algorithm : null);
  drawn = result;
  Object.assign(state, { subject: tree ? { tree } : subject, step });
  const preferred = PREFERRED.find((name) => suited.includes(name)) ?? suited[0];
  state.algorithm = suited.includes(wanted) ? wanted : preferred;
  if (!suited.includes(state.first[0])) state.first = [suited[0], {}];
  if (!suited.includes(state.second[0])) state.second = [suited[1] ?? suited[0], {}];
  if (!tree && state.mode === "edit") state.mode = "step";
  $("json").value = tree ? JSON.stringify(tree) : "";
  $("position-panel").open ||= !tree;
  positions.fill(state.subject);
  return render();
}

async function useRandomTree() {
  const number = (id) => Number($(id).value);
  const levels = $("levels").value.split(",").map((word) => (/^\d+$/.test(word) ? Number(word) : word));
  const result = await ask("random_tree", {
    seed: number("seed"), branching: number("branching"), depth: number("depth"), levels,
  });
  if (!result) return;
  $("example").value = "";
  editing = { path: [], then: "" };
  rememberTree();
  await show(null, result);
  scrollToTree();
}

/** A random tree with the next seed. */
function anotherTree() {
  $("seed").value = (Number($("seed").value) + 1) % 2_000_000_000;
  return useRandomTree();
}

/** Scroll to the tree where it is far above, as on a phone. */
function scrollToTree() {
  if (stage.getBoundingClientRect().top < 0) document.querySelector(".modes").scrollIntoView();
}

// -- Modes.

async function render() {
  if (state.mode === "practice" && !known.algorithms[state.algorithm].practice) state.mode = "step";
  for (const mode of MODES) {
    const tab = $(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(mode === state.mode));
    tab.tabIndex = mode === state.mode ? 0 : -1;
  }
  $("tab-edit").disabled = !state.subject.tree;
  $("tab-practice").disabled = !known.algorithms[state.algorithm].practice;
  stage.setAttribute("aria-labelledby", `tab-${state.mode}`);
  document.body.classList.toggle("assigned", state.assignment !== null);
  showChoices();
  updateLink();
  shownUntil.abort();
  shownUntil = new AbortController();
  steps = null;
  await { step: renderSteps, practice: renderPractice, compare: renderComparison, edit: renderEditor }[state.mode]();
  showPrinting(steps);
  showPresentation(state.present);
}

/** An algorithm and its options, in the fields of a message. */
const searchOf = (algorithm, options) => [algorithm, optionsFor(known.algorithms[algorithm], options)];

function searchFields() {
  const [algorithm, options] = searchOf(state.algorithm, state.options);
  return { ...state.subject, algorithm, options };
}

const nameOf = ([algorithm, options]) => searchName(known.algorithms[algorithm], options);

async function renderSteps() {
  const search = await ask("search_steps", { ...searchFields(), opened: state.opened });
  if (!search || state.mode !== "step") return;
  const room = make("div");
  const cuts = cutOffs(search);
  const total = `Total: ${search.nodes} nodes, ${search.leaves} leaves, ${cuts} cut-off${cuts === 1 ? "" : "s"}.`;
  const title = make("p", { class: "printed" }, nameOf(searchOf(state.algorithm, state.options)));
  const deep = search.depth && !state.subject.depth ? ` Searched ${search.depth} plies deep.` : "";
  stage.replaceChildren(title, room, make("p", { class: "note" }, total + deep));
  steps = showSteps(room, search, { keys: document, signal: shownUntil.signal, step: state.step });
  room.addEventListener("step", (event) => {
    state.step = event.detail;
    updateLink();
  });
  openable(room, (node) => {
    state.opened = [...state.opened.filter((one) => one !== node), node].slice(-MOST_OPENED);
    state.step = 0;
    render();
  });
}

async function renderPractice() {
  const task = await ask("practice_tree", searchFields());
  if (!task || state.mode !== "practice") return;
  const about = String([JSON.stringify(state.subject), ...task.names]);
  const { assignment } = state;
  if (assignment?.stage === "marked") answers = answersIn(assignment, about);
  if (answers.of !== about) answers = { values: new Map(), cuts: new Set(), of: about };
  const check = (values, cuts) => ask("check_practice", { ...searchFields(), values, cuts });
  const name = nameOf(searchOf(state.algorithm, state.options));
  const offered = () => assignmentPanel(assignment, answers, (made) => linkTo({ ...state, assignment: made }));
  new PracticePanel(stage, task, name, { check, another: anotherTree, assignment: offered }, answers, assignment);
}

async function renderComparison() {
  const [first, second] = [state.first, state.second].map((one) => searchOf(...one));
  const comparison = await ask("compare_searches", { ...state.subject, first, second });
  if (!comparison || state.mode !== "compare") return;
  showComparison(stage, comparison, [first, second].map(nameOf), shownUntil.signal);
}

function renderEditor() {
  const change = async (tree, path, then) => {
    editing = { path, then };
    if (!(await use({ tree }))) renderEditor();
  };
  const undo = undoStack.length > 0 ? () => restore(undoStack, redoStack) : null;
  const redo = redoStack.length > 0 ? () => restore(redoStack, undoStack) : null;
  new TreeEditor(stage, drawn, { change, refuse: showProblem, undo, redo }, editing);
  editing = { ...editing, then: "" };
}

/** Take the last tree from one stack, and put the one that is shown on the other. */
async function restore(from, to) {
  const result = await draw(from.at(-1));
  if (!result) return;
  editing = { path: [], then: "stay" };
  from.pop();
  to.push(state.subject);
  await show(null, result);
}

// -- Choices.

function showChoices() {
  controls.search.show(known.algorithms, drawn, state.algorithm, state.options);
  for (const side of ["first", "second"]) controls[side].show(known.algorithms, drawn, ...state[side]);
  $("choice").hidden = state.mode === "compare" || state.mode === "edit";
  $("present").hidden = state.mode !== "step";
  $("pair").hidden = state.mode !== "compare";
}

function setMode(mode, focus = false) {
  if ($(`tab-${mode}`).disabled) return;
  state.mode = mode;
  render();
  if (focus) $(`tab-${mode}`).focus();
}

/** Search in another way, from the first step. */
function setSearch(change) {
  Object.assign(state, change, { step: 0, opened: [] });
  render();
}

function setUpChoices() {
  const compared = (side) => (...search) => {
    state[side] = search;
    render();
  };
  controls = {
    search: new SearchControls($("choice"), "algorithm", "Algorithm", (algorithm, options) => setSearch({ algorithm, options })),
    first: new SearchControls($("left"), "first", "First", compared("first")),
    second: new SearchControls($("right"), "second", "Second", compared("second")),
  };
  positions = new PositionPanel(known.games, (subject) => {
    $("example").value = "";
    use(subject).then(scrollToTree);
  });
  for (const mode of MODES) listen(`tab-${mode}`, "click", () => setMode(mode));
  document.querySelector(".modes").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    const possible = MODES.filter((mode) => !$(`tab-${mode}`).disabled);
    setMode(possible.at((possible.indexOf(state.mode) + by) % possible.length), true);
  });
  listen("example", "change", () => {
    const example = known.examples[$("example").value];
    if (!example) return;
    editing = { path: [], then: "" };
    use(example.subject, example.algorithm).then(scrollToTree);
  });
  onSubmit("grow", useRandomTree);
  listen("another", "click", anotherTree);
  onSubmit("paste", () => paste($("json").value));
  listen("copy", "click", async () => { $("record-note").textContent = await copyLink(); });
}

async function paste(text) {
  let tree;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    showProblem(`Invalid JSON: ${error.message}`);
    return;
  }
  editing = { path: [], then: "" };
  if (!await use({ tree })) return;
  $("example").value = "";
  $("record-note").textContent = "Tree loaded.";
  scrollToTree();
}

/** Arguments that a key turns on and off. */
const SWITCHES = { e: "cut_on_equal", f: "fail_hard" };

function setUpKeys() {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.shiftKey || state.present || state.assignment) return;
    const mode = MODES[Number(event.key) - 1];
    if (mode) setMode(mode, true);
    else if (event.key === "n") anotherTree();
    else if (event.key in SWITCHES && ["step", "practice"].includes(state.mode)) {
      $("announcement").textContent = controls.search.toggle(SWITCHES[event.key]) ?? "";
    }
  });
  const present = (on) => {
    state.present = on;
    if (on) state.mode = "step";
    render().then(() => on || $("present").focus());
  };
  setUpPresenter(() => state.present, present, () => steps);
  setUpPrinting(() => steps);
}

// -- The link.

/** The link to this page in a state. */
function linkTo({ subject, ...rest }) {
  return new URL(`#${encodeURIComponent(JSON.stringify({ ...subject, ...rest }))}`, location.href).href;
}

/** Keep the state in the address; not too often, or browsers refuse. */
function updateLink() {
  const link = linkTo(state);
  $("permalink").value = link;
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", link), 200);
}

/** Show what the address says, or the first example. */
async function openAddress() {
  const found = stateIn(location.hash, known.algorithms, MODES, state);
  const [{ subject: first, algorithm: about }] = known.examples;
  if (!found || (found.subject.game ?? found.subject.tree) === undefined) {
    $("example").value = "0";
    await use(first, about);
    return;
  }
  const { subject, algorithm, step, ...rest } = found;
  Object.assign(state, rest);
  const result = await draw(subject);
  if (result) {
    await show(subject, result, algorithm, step);
    return;
  }
  const words = $("problem").textContent;
  await use(first, about);
  showProblem(`This link cannot be opened: ${words}`);
}

/** The menu of examples, those of a lecture together. */
function showExamples() {
  const groups = [];
  for (const [i, { lecture, title }] of known.examples.entries()) {
    groups[lecture] ??= make("optgroup", { label: `Lecture ${lecture}` });
    groups[lecture].append(make("option", { value: i }, title));
  }
  $("example").replaceChildren(make("option", { value: "" }, "–"), ...groups.filter(Boolean));
}

async function start() {
  setUpHeader();
  known = await ask("lessons");
  showExamples();
  setUpChoices();
  setUpKeys();
  addEventListener("hashchange", openAddress);
  await openAddress();
}

start();
