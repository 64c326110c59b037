/** The Learn page: a tree of one's own, and what can be done with it. The page keeps all; the server only answers. */

import { Connection } from "./connection.js";
import { isTyping, setUpHeader } from "./header.js";
import { showEditor } from "./learn_edit.js";
import { make } from "./learn_picture.js";
import { showPractice } from "./learn_practice.js";
import { showSteps } from "./steps.js";

const MODES = ["step", "practice", "compare", "edit"];
const PREFERRED = ["alpha-beta", "expectiminimax", "max-n"];
const byId = (name) => document.getElementById(name);
const stage = byId("stage");

/** What a link holds: the tree, how it is searched, and what is being done with it. */
const state = {
  tree: null, algorithm: "alpha-beta", equal: true, mode: "step", step: 0,
  first: ["minimax", true], second: ["alpha-beta", true],
};
let known = { examples: [], algorithms: {}, equality: [] };
let shown = null;
let editing = { path: [], then: "" };
let answers = { values: new Map(), cuts: new Set() };
/** Trees as they were before changes, and before these were undone. */
const done = [];
const undone = [];
let turn = 0;
let writing = 0;
let listening = new AbortController();

const connection = new Connection((link) => {
  byId("link").dataset.state = link;
  byId("link").textContent = link === "open" ? "" : "no connection; trying again …";
});

/** Ask the server; what it refuses is shown. Null where it refused, or where something else was asked since. */
async function ask(message) {
  const mine = ++turn;
  try {
    const answer = (await connection.ask({ do: "learn", ...message })).learn;
    if (mine !== turn) return null;
    problem("");
    return answer;
  } catch (error) {
    if (mine === turn) problem(error.message);
    return null;
  }
}

function problem(sentence) {
  const text = sentence && sentence[0].toUpperCase() + sentence.slice(1) + (/[.!?]$/.test(sentence) ? "" : ".");
  byId("problem").textContent = text;
  byId("problem").hidden = !text;
  if (text) byId("problem").scrollIntoView({ block: "nearest" });
}

/** Bring the tree into sight where it is far up, as on a phone. */
function lookUp() {
  if (stage.getBoundingClientRect().top < 0) document.querySelector(".modes").scrollIntoView();
}

// -- The tree.

/** Use another tree, if the server takes it; with an algorithm, if that is what it is about. */
async function useTree(tree, algorithm = null) {
  const answer = await ask({ ask: "show", tree });
  if (!answer) return false;
  keepLast();
  await accept(answer, algorithm);
  return true;
}

/** Keep the tree that is shown, so that one can come back to it. */
function keepLast() {
  if (state.tree) done.push(state.tree);
  if (done.length > 100) done.shift();
  undone.length = 0;
}

/** Show a tree. One of another kind, which other algorithms suit, is searched by the one that suits it best. */
function accept(answer, algorithm = null, step = 0) {
  const sameKind = String(shown?.suited) === String(answer.suited);
  const wanted = algorithm ?? (sameKind ? state.algorithm : null);
  if (JSON.stringify(state.tree) !== JSON.stringify(answer.tree)) answers = { values: new Map(), cuts: new Set() };
  shown = answer;
  state.tree = answer.tree;
  state.step = step;
  state.algorithm = answer.suited.includes(wanted) ? wanted : PREFERRED.find((name) => answer.suited.includes(name));
  const suits = ([name]) => answer.suited.includes(name);
  if (!suits(state.first)) state.first = [answer.suited[0], true];
  if (!suits(state.second)) state.second = [answer.suited.at(-1), true];
  byId("json").value = JSON.stringify(answer.tree);
  return render();
}

async function grow() {
  const number = (name) => Number(byId(name).value);
  const levels = byId("levels").value.split(",").map((word) => (/^\d+$/.test(word) ? Number(word) : word));
  const answer = await ask({ ask: "grow", seed: number("seed"), branching: number("branching"), depth: number("depth"), levels });
  if (!answer) return;
  byId("example").value = "";
  editing = { path: [], then: "" };
  keepLast();
  await accept(answer);
  lookUp();
}

function another() {
  byId("seed").value = (Number(byId("seed").value) + 1) % 2_000_000_000;
  return grow();
}

// -- What is shown.

const cuts = (name) => known.equality.includes(name);

async function render() {
  for (const mode of MODES) {
    const tab = byId(`tab-${mode}`);
    tab.setAttribute("aria-selected", String(mode === state.mode));
    tab.tabIndex = mode === state.mode ? 0 : -1;
  }
  stage.setAttribute("aria-labelledby", `tab-${state.mode}`);
  fillChoices();
  remember();
  listening.abort();
  listening = new AbortController();
  if (state.mode === "step") await renderSteps();
  else if (state.mode === "practice") renderPractice();
  else if (state.mode === "compare") await renderComparison();
  else renderEditor();
}

async function renderSteps() {
  const answer = await ask({ ask: "steps", tree: state.tree, algorithm: state.algorithm, equal: state.equal });
  if (!answer || state.mode !== "step") return;
  const place = make("div");
  const cutOffs = Object.values(answer.cuts).reduce((sum, count) => sum + count, 0);
  const facts = `In all: ${answer.nodes} nodes, ${answer.leaves} leaves, ${cutOffs} cut-off${cutOffs === 1 ? "" : "s"}.`;
  stage.replaceChildren(place, make("p", { class: "note" }, facts));
  showSteps(place, answer, { keys: document, signal: listening.signal, step: state.step });
  place.addEventListener("step", (event) => {
    state.step = event.detail;
    remember();
  });
}

function renderPractice() {
  const algorithm = { name: known.algorithms[state.algorithm], cuts: cuts(state.algorithm) };
  const check = (values, guessed) =>
    ask({ ask: "check", tree: state.tree, algorithm: state.algorithm, equal: state.equal, values, cuts: guessed });
  showPractice(stage, shown, algorithm, check, another, answers);
}

async function renderComparison() {
  const answer = await ask({ ask: "compare", tree: state.tree, first: state.first, second: state.second });
  if (!answer || state.mode !== "compare") return;
  const names = [state.first, state.second].map(nameOf);
  const sums = answer.both.map((side) => Object.values(side.cuts).reduce((sum, count) => sum + count, 0));
  const rows = [
    ["value", ...answer.both.map((side) => side.value)],
    ["line", ...answer.both.map((side) => side.line.join(" ") || "–")],
    ["nodes", ...answer.both.map((side) => side.nodes)],
    ["leaves", ...answer.both.map((side) => side.leaves)],
    ["cut-offs", ...sums],
  ];
  const head = make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map(([what, ...cells]) =>
    make("tr", {}, make("th", { scope: "row" }, what), ...cells.map((cell) => make("td", {}, String(cell)))));
  const table = make("table", { class: "facts" }, make("thead", {}, head), make("tbody", {}, ...body));
  const verdict = make("p", { class: "score", role: "status" }, verdictOn(answer, names));
  const sides = answer.both.map((side, i) => {
    const place = make("div");
    const section = make("section", { "aria-label": names[i] }, make("h2", {}, names[i]), place);
    showSteps(place, side, { signal: listening.signal, step: side.steps.length });
    return section;
  });
  stage.replaceChildren(verdict, table, make("div", { class: "versus" }, ...sides));
}

function verdictOn(answer, names) {
  const [a, b] = answer.both;
  const same = answer.same ? `Both find ${a.value}` : `They differ: ${a.value} and ${b.value}`;
  if (a.nodes === b.nodes) return `${same}, and visit as many nodes: ${a.nodes}.`;
  const [fewer, more] = a.nodes < b.nodes ? [0, 1] : [1, 0];
  return `${same}; ${names[fewer]} visits ${answer.both[fewer].nodes} nodes in place of ${answer.both[more].nodes}.`;
}

function renderEditor() {
  const change = async (tree, path, then) => {
    editing = { path, then };
    if (!(await useTree(tree))) renderEditor();
  };
  const undo = done.length > 0 ? () => swap(done, undone) : null;
  const redo = undone.length > 0 ? () => swap(undone, done) : null;
  showEditor(stage, shown, { change, refuse: problem, undo, redo }, editing);
  editing = { ...editing, then: "" };
}

/** Take the last tree from one pile, and put the one that is shown on the other. */
async function swap(from, to) {
  const answer = await ask({ ask: "show", tree: from.at(-1) });
  if (!answer) return;
  editing = { path: [], then: "stay" };
  from.pop();
  to.push(state.tree);
  await accept(answer);
}

// -- Choices.

const nameOf = ([name, equal]) =>
  known.algorithms[name] + (cuts(name) && !equal ? ", equality does not cut" : "");

function fillChoices() {
  const suited = Object.entries(known.algorithms).map(([value, name]) =>
    make("option", { value, disabled: !shown.suited.includes(value), selected: value === state.algorithm }, name));
  byId("algorithm").replaceChildren(...suited);
  byId("equal").checked = state.equal;
  byId("equal-box").hidden = !cuts(state.algorithm);
  byId("choice").hidden = state.mode === "compare" || state.mode === "edit";
  byId("pair").hidden = state.mode !== "compare";
  for (const side of ["first", "second"]) {
    const options = shown.suited.flatMap((name) => (cuts(name) ? [[name, true], [name, false]] : [[name, true]]));
    byId(side).replaceChildren(...options.map((pair) =>
      make("option", { value: JSON.stringify(pair), selected: String(pair) === String(state[side]) }, nameOf(pair))));
  }
}

function setMode(mode, focus = false) {
  state.mode = mode;
  render();
  if (focus) byId(`tab-${mode}`).focus();
}

function setUpChoices() {
  byId("algorithm").addEventListener("change", (event) => {
    state.algorithm = event.target.value;
    state.step = 0;
    render();
  });
  byId("equal").addEventListener("change", (event) => {
    state.equal = event.target.checked;
    state.step = 0;
    render();
  });
  for (const side of ["first", "second"]) {
    byId(side).addEventListener("change", (event) => {
      state[side] = JSON.parse(event.target.value);
      render();
    });
  }
  MODES.forEach((mode) => byId(`tab-${mode}`).addEventListener("click", () => setMode(mode)));
  document.querySelector(".modes").addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    event.stopPropagation();
    setMode(MODES[(MODES.indexOf(state.mode) + by + MODES.length) % MODES.length], true);
  });
  byId("example").addEventListener("change", (event) => {
    const example = known.examples[Number(event.target.value)];
    if (!example || event.target.value === "") return;
    editing = { path: [], then: "" };
    useTree(example.tree, example.algorithm).then(lookUp);
  });
  byId("grow").addEventListener("submit", (event) => {
    event.preventDefault();
    grow();
  });
  byId("another").addEventListener("click", another);
  byId("paste").addEventListener("submit", (event) => {
    event.preventDefault();
    paste(byId("json").value);
  });
  byId("copy").addEventListener("click", copyLink);
}

async function paste(text) {
  let tree;
  try {
    tree = JSON.parse(text);
  } catch (error) {
    problem(`This is not JSON: ${error.message}`);
    return;
  }
  editing = { path: [], then: "" };
  if (await useTree(tree)) {
    byId("example").value = "";
    byId("record-note").textContent = "This tree is shown now.";
    lookUp();
  }
}

async function copyLink() {
  byId("permalink").select();
  try {
    await navigator.clipboard.writeText(byId("permalink").value);
    byId("record-note").textContent = "The link is copied.";
  } catch {
    byId("record-note").textContent = "The link is selected: copy it with your keyboard.";
  }
}

function setUpKeys() {
  document.addEventListener("keydown", (event) => {
    if (isTyping(event) || event.shiftKey) return;
    const mode = MODES[Number(event.key) - 1];
    if (mode) setMode(mode, true);
    else if (event.key === "n") another();
    else if (event.key === "e" && cuts(state.algorithm) && ["step", "practice"].includes(state.mode)) {
      state.equal = !state.equal;
      state.step = 0;
      byId("say").textContent = state.equal ? "Equality cuts." : "Equality does not cut.";
      render();
    }
  });
}

// -- The link.

/** Keep everything in the address, so that a link leads back here; not too often, or browsers refuse. */
function remember() {
  const link = new URL(`#${encodeURIComponent(JSON.stringify(state))}`, location.href).href;
  byId("permalink").value = link;
  clearTimeout(writing);
  writing = setTimeout(() => history.replaceState(null, "", link), 200);
}

/** What the address says; null where it says nothing that is understood. */
function recalled() {
  if (location.hash.length < 2) return null;
  try {
    const found = JSON.parse(decodeURIComponent(location.hash.slice(1)));
    const pair = (value, other) =>
      Array.isArray(value) && value.length === 2 && value[0] in known.algorithms ? [value[0], Boolean(value[1])] : other;
    return {
      tree: found.tree,
      algorithm: found.algorithm in known.algorithms ? found.algorithm : "alpha-beta",
      equal: found.equal !== false,
      mode: MODES.includes(found.mode) ? found.mode : "step",
      step: Number.isInteger(found.step) ? found.step : 0,
      first: pair(found.first, state.first),
      second: pair(found.second, state.second),
    };
  } catch {
    return null;
  }
}

async function begin() {
  const found = recalled();
  if (found?.tree !== undefined) {
    const { tree, ...rest } = found;
    Object.assign(state, rest);
    const answer = await ask({ ask: "show", tree });
    if (answer) {
      await accept(answer, found.algorithm, found.step);
      return;
    }
    const words = byId("problem").textContent;
    await useTree(known.examples[0].tree);
    problem(`The link leads to no tree: ${words}`);
    return;
  }
  byId("example").value = "0";
  await useTree(known.examples[0].tree);
}

async function start() {
  setUpHeader();
  known = await ask({ ask: "examples" });
  const options = known.examples.map((example, i) => make("option", { value: i }, example.title));
  byId("example").replaceChildren(make("option", { value: "" }, "–"), ...options);
  setUpChoices();
  setUpKeys();
  window.addEventListener("hashchange", begin);
  await begin();
}

start();
