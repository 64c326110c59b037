/** The Learn page: a game tree, and what can be done with it. The page keeps everything; the server only answers. */

import { cutOffs, showComparison } from "./compare_panel.js";
import { Connection } from "./connection.js";
import { $, isTyping, listen, make, onSubmit } from "./dom.js";
import { copyLink, setUpHeader, showConnection, showProblem } from "./page.js";
import { PracticePanel } from "./practice_panel.js";
import { showSteps } from "./steps.js";
import { TreeEditor } from "./tree_editor.js";

const MODES = ["step", "practice", "compare", "edit"];
/** The algorithms to begin with, the first that suits the tree. */
const PREFERRED = ["alpha-beta", "expectiminimax", "max-n"];
const MOST_UNDONE = 100;
const stage = $("stage");
const connection = new Connection(showConnection);

/** What a link holds: the tree, how it is searched, and what is being done with it. */
const state = {
  tree: null, algorithm: "alpha-beta", equal: true, mode: "step", step: 0,
  first: ["minimax", true], second: ["alpha-beta", true],
};
/** What the server knows: examples, labels of algorithms, and which of them prune. */
let known = { examples: [], algorithms: {}, pruning: [] };
/** The tree as the server drew it. */
let drawn = null;
/** The node to select in the editor, and what to do there. */
let editing = { path: [], then: "" };
/** What was answered in practice. */
let answers = { values: new Map(), cuts: new Set() };
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

const draw = (tree) => ask("draw_tree", { tree });

/** Use another tree, if the server takes it; with an algorithm, if it is about that. */
async function useTree(tree, algorithm = null) {
  const result = await draw(tree);
  if (!result) return false;
  rememberTree();
  await showTree(result, algorithm);
  return true;
}

/** Remember the tree that is shown, for undo. */
function rememberTree() {
  if (state.tree) undoStack.push(state.tree);
  if (undoStack.length > MOST_UNDONE) undoStack.shift();
  redoStack.length = 0;
}

/** Show a tree. If other algorithms suit it than the last one, the preferred one of them searches it. */
function showTree(result, algorithm = null, step = 0) {
  const { tree, suited } = result;
  const wanted = algorithm ?? (String(drawn?.suited) === String(suited) ? state.algorithm : null);
  if (JSON.stringify(state.tree) !== JSON.stringify(tree)) answers = { values: new Map(), cuts: new Set() };
  drawn = result;
  Object.assign(state, { tree, step });
  state.algorithm = suited.includes(wanted) ? wanted : PREFERRED.find((name) => suited.includes(name));
  if (!suited.includes(state.first[0])) state.first = [suited[0], true];
  if (!suited.includes(state.second[0])) state.second = [suited.at(-1), true];
  $("json").value = JSON.stringify(tree);
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
  await showTree(result);
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

const prunes = (algorithm) => known.pruning.includes(algorithm);

async function render() {
  for (const mode of MODES) {
    const tab = $(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(mode === state.mode));
    tab.tabIndex = mode === state.mode ? 0 : -1;
  }
  stage.setAttribute("aria-labelledby", `tab-${state.mode}`);
  showChoices();
  updateLink();
  shownUntil.abort();
  shownUntil = new AbortController();
  await { step: renderSteps, practice: renderPractice, compare: renderComparison, edit: renderEditor }[state.mode]();
}

const searchFields = () => ({ tree: state.tree, algorithm: state.algorithm, cut_on_equal: state.equal });

async function renderSteps() {
  const search = await ask("search_steps", searchFields());
  if (!search || state.mode !== "step") return;
  const room = make("div");
  const cuts = cutOffs(search);
  const total = `Total: ${search.nodes} nodes, ${search.leaves} leaves, ${cuts} cut-off${cuts === 1 ? "" : "s"}.`;
  stage.replaceChildren(room, make("p", { class: "note" }, total));
  showSteps(room, search, { keys: document, signal: shownUntil.signal, step: state.step });
  room.addEventListener("step", (event) => {
    state.step = event.detail;
    updateLink();
  });
}

function renderPractice() {
  const algorithm = { name: known.algorithms[state.algorithm], cuts: prunes(state.algorithm) };
  const check = (values, cuts) => ask("check_practice", { ...searchFields(), values, cuts });
  new PracticePanel(stage, drawn, algorithm, { check, another: anotherTree }, answers);
}

async function renderComparison() {
  const { tree, first, second } = state;
  const comparison = await ask("compare_searches", { tree, first, second });
  if (!comparison || state.mode !== "compare") return;
  showComparison(stage, comparison, [first, second].map(searchName), shownUntil.signal);
}

function renderEditor() {
  const change = async (tree, path, then) => {
    editing = { path, then };
    if (!(await useTree(tree))) renderEditor();
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
  to.push(state.tree);
  await showTree(result);
}

// -- Choices.

const searchName = ([algorithm, equal]) =>
  known.algorithms[algorithm] + (prunes(algorithm) && !equal ? " (no cut on equality)" : "");

function showChoices() {
  $("algorithm").replaceChildren(...Object.entries(known.algorithms).map(([value, name]) =>
    make("option", { value, disabled: !drawn.suited.includes(value), selected: value === state.algorithm }, name)));
  $("equal").checked = state.equal;
  $("equal-box").hidden = !prunes(state.algorithm);
  $("choice").hidden = state.mode === "compare" || state.mode === "edit";
  $("pair").hidden = state.mode !== "compare";
  for (const side of ["first", "second"]) {
    const searches = drawn.suited.flatMap((name) => (prunes(name) ? [[name, true], [name, false]] : [[name, true]]));
    $(side).replaceChildren(...searches.map((one) =>
      make("option", { value: JSON.stringify(one), selected: String(one) === String(state[side]) }, searchName(one))));
  }
}

function setMode(mode, focus = false) {
  state.mode = mode;
  render();
  if (focus) $(`tab-${mode}`).focus();
}

/** Search in another way, from the first step. */
function setSearch(change) {
  Object.assign(state, change, { step: 0 });
  render();
}

function setUpChoices() {
  listen("algorithm", "change", () => setSearch({ algorithm: $("algorithm").value }));
  listen("equal", "change", () => setSearch({ equal: $("equal").checked }));
  for (const side of ["first", "second"]) {
    listen(side, "change", () => {
      state[side] = JSON.parse($(side).value);
      render();
    });
  }
  for (const mode of MODES) listen(`tab-${mode}`, "click", () => setMode(mode));
  document.querySelector(".modes").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    setMode(MODES[(MODES.indexOf(state.mode) + by + MODES.length) % MODES.length], true);
  });
  listen("example", "change", () => {
    const example = known.examples[$("example").value];
    if (!example) return;
    editing = { path: [], then: "" };
    useTree(example.tree, example.algorithm).then(scrollToTree);
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
  if (!await useTree(tree)) return;
  $("example").value = "";
  $("record-note").textContent = "Tree loaded.";
  scrollToTree();
}

function setUpKeys() {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.shiftKey) return;
    const mode = MODES[Number(event.key) - 1];
    if (mode) setMode(mode, true);
    else if (event.key === "n") anotherTree();
    else if (event.key === "e" && prunes(state.algorithm) && ["step", "practice"].includes(state.mode)) {
      $("announcement").textContent = `Cut on equality: ${state.equal ? "off" : "on"}.`;
      setSearch({ equal: !state.equal });
    }
  });
}

// -- The link.

/** Keep the state in the address; not too often, or browsers refuse. */
function updateLink() {
  const link = new URL(`#${encodeURIComponent(JSON.stringify(state))}`, location.href).href;
  $("permalink").value = link;
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", link), 200);
}

/** The state in the address; null if there is none. */
function stateFromLink() {
  if (location.hash.length < 2) return null;
  try {
    const found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    const search = (value, other) =>
      Array.isArray(value) && value.length === 2 && value[0] in known.algorithms ? [value[0], Boolean(value[1])] : other;
    return {
      tree: found.tree,
      algorithm: found.algorithm in known.algorithms ? found.algorithm : "alpha-beta",
      equal: found.equal !== false,
      mode: MODES.includes(found.mode) ? found.mode : "step",
      step: Number.isInteger(found.step) ? found.step : 0,
      first: search(found.first, state.first),
      second: search(found.second, state.second),
    };
  } catch {
    return null;
  }
}

/** Show what the address says, or the first example. */
async function openAddress() {
  const found = stateFromLink();
  if (found?.tree === undefined) {
    $("example").value = "0";
    await useTree(known.examples[0].tree);
    return;
  }
  const { tree, ...rest } = found;
  Object.assign(state, rest);
  const result = await draw(tree);
  if (result) {
    await showTree(result, found.algorithm, found.step);
    return;
  }
  const words = $("problem").textContent;
  await useTree(known.examples[0].tree);
  showProblem(`This link cannot be opened: ${words}`);
}

async function start() {
  setUpHeader();
  known = await ask("tree_examples");
  const options = known.examples.map((example, i) => make("option", { value: i }, example.title));
  $("example").replaceChildren(make("option", { value: "" }, "–"), ...options);
  setUpChoices();
  setUpKeys();
  addEventListener("hashchange", openAddress);
  await openAddress();
}

start();
