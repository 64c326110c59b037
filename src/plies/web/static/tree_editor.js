/** The tree editor: change leaves in place, add and remove branches, change who moves. */

import { make, makeButton } from "./dom.js";
import * as model from "./tree_model.js";
import { TreePicture } from "./tree_picture.js";

/**
 * Show a tree to be edited.
 * @param {HTMLElement} stage where to show it
 * @param {object} drawn the tree as the server drew it: {tree, svg, paths, players}
 * @param {object} on callbacks: change(tree, path, then) with the new tree, the node to select in it, and what to do
 *   there ("stay", "type" or "panel"); refuse(words); undo() and redo(), null if there is nothing to undo or redo
 * @param {{path: number[], then: string}} start the node to select first, and what to do there
 */
export function showEditor(stage, drawn, { change, refuse, undo, redo }, start) {
  const { tree, levels } = drawn.tree;
  const picture = new TreePicture(drawn.svg, "Tree to edit", "editing");
  const panel = make("div", { class: "card edit-panel", role: "group", "aria-label": "Selected node" });
  stage.replaceChildren(picture.room, panel);
  const numberAt = (path) => drawn.paths.findIndex((other) => other.join() === path.join());
  let selected = Math.max(0, numberAt(start.path));
  let pointedAt = null;

  const path = () => drawn.paths[selected];
  const node = () => model.at(tree, path());
  const set = (by, where = path(), select = where, then = "stay") =>
    change({ ...drawn.tree, tree: model.replaced(tree, where, by) }, select, then);

  picture.nodes.forEach((element, number) => {
    const here = model.at(tree, drawn.paths[number]);
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", describe(here, drawn.paths[number]));
    element.addEventListener("pointerdown", () => {
      pointedAt = number;
    });
    element.addEventListener("click", () => {
      pointedAt = null;
      select(number);
      if (!model.isInner(here)) type();
    });
    element.addEventListener("keydown", (event) => onKey(event));
  });

  function describe(here, where) {
    const place = where.length ? `branch ${where.map((i) => i + 1).join(", ")}` : "root";
    return model.isInner(here)
      ? `${place}: ${model.moverName(here.player)} moves, ${here.children.length} branches`
      : `${place}: leaf ${model.leafText(here)}`;
  }

  function select(number, focus = true) {
    selected = number;
    picture.nodes.forEach((element, i) => {
      element.classList.toggle("selected", i === number);
      element.setAttribute("tabindex", i === number ? "0" : "-1");
    });
    if (focus) picture.nodes[number].focus({ preventScroll: false });
    fillPanel();
  }

  function onKey(event) {
    const where = path();
    const parent = where.slice(0, -1);
    const branch = where.at(-1);
    const moves = {
      ArrowUp: () => (where.length ? numberAt(parent) : -1),
      ArrowDown: () => numberAt([...where, 0]),
      ArrowLeft: () => (where.length ? numberAt([...parent, branch - 1]) : -1),
      ArrowRight: () => (where.length ? numberAt([...parent, branch + 1]) : -1),
    };
    if (event.key in moves) {
      const next = moves[event.key]();
      if (next >= 0) select(next);
    } else if (event.key === "Enter" || event.key === " ") {
      if (model.isInner(node())) panel.querySelector("select")?.focus();
      else type();
    } else if (event.key === "+") addBranch();
    else if (event.key === "Delete" || event.key === "Backspace") removeNode();
    else if (event.key === "u" && undo) undo();
    else if (event.key === "r" && redo) redo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Show an input field over the selected leaf; Enter and Tab keep what is typed, Escape does not. */
  function type() {
    const number = selected;
    const here = node();
    const field = make("input", { type: "text", "aria-label": describe(here, path()), maxlength: 60, value: model.leafText(here) });
    picture.cover(picture.nodes[number], field, drawn.players > 2 ? 1.1 : 1.15);
    field.focus();
    field.select();
    let left = false;
    /** Keep what was typed, and select another node, perhaps to type there. */
    const keep = (next) => {
      if (left) return;
      left = true;
      const value = model.parseValue(field.value, drawn.players);
      const then = next !== number && !model.isInner(model.at(tree, drawn.paths[next])) ? "type" : "stay";
      field.remove();
      if (value === null) {
        refuse(`A leaf must be a number${drawn.players > 2 ? `, or ${drawn.players} of them` : ""}, not “${field.value}”.`);
        select(number);
      } else if (model.leafText(value) !== model.leafText(here)) {
        set(value, drawn.paths[number], drawn.paths[next], then);
      } else {
        select(next);
        if (then === "type") type();
      }
    };
    const giveUp = () => {
      left = true;
      field.remove();
      select(number);
    };
    field.addEventListener("keydown", (event) => {
      const beside = leafBeside(number, event.shiftKey ? -1 : 1);
      if (event.key === "Enter") keep(number);
      else if (event.key === "Escape") giveUp();
      else if (event.key === "Tab" && beside !== number) keep(beside);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    field.addEventListener("blur", () => keep(pointedAt ?? number));
  }

  function leafBeside(number, by) {
    for (let i = number + by; i >= 0 && i < drawn.paths.length; i += by) {
      if (!model.isInner(model.at(tree, drawn.paths[i]))) return i;
    }
    return number;
  }

  // -- The panel for the selected node.

  function addBranch() {
    const here = node();
    if (!model.isInner(here)) {
      const above = path().length ? model.at(tree, path().slice(0, -1)).player : levels.at(-1);
      set(model.branchedOut(here, above, levels, drawn.players));
    } else set(model.withBranch(here, drawn.players));
  }

  function removeNode() {
    const where = path();
    if (where.length === 0) return refuse("The root cannot be removed.");
    const parent = where.slice(0, -1);
    const above = model.at(tree, parent);
    if (above.children.length === 1) set(model.leafFor(drawn.players), parent);
    else set(model.withoutBranch(above, where.at(-1)), parent);
  }

  function fillPanel() {
    const here = node();
    panel.replaceChildren(make("p", { class: "what" }, describe(here, path())));
    if (model.isInner(here)) {
      panel.append(moverField(here));
      if (here.player === "chance") panel.append(chanceField(here));
      panel.append(makeButton("Add branch", addBranch), makeButton("Turn into a leaf", () => set(model.leafFor(drawn.players))));
    } else panel.append(valueField(here), makeButton("Add branches", addBranch));
    if (path().length) panel.append(makeButton("Remove", removeNode));
    if (undo) panel.append(makeButton("Undo", undo));
    if (redo) panel.append(makeButton("Redo", redo));
  }

  function field(label, control) {
    control.id = `edit-${label.split(" ")[0].toLowerCase()}`;
    return make("div", { class: "field" }, make("label", { for: control.id }, label), control);
  }

  function moverField(here) {
    const choices = drawn.players > 2 ? Array.from({ length: drawn.players }, (_, i) => i) : ["max", "min"];
    const control = make("select");
    for (const player of [...choices, "chance"]) {
      control.append(make("option", { value: player, selected: player === here.player }, model.moverName(player)));
    }
    control.addEventListener("change", () => {
      const player = drawn.players > 2 && control.value !== "chance" ? Number(control.value) : control.value;
      set(model.movedBy(here, player), path(), path(), "panel");
    });
    return field("Player", control);
  }

  function chanceField(here) {
    const rounded = here.probabilities.map((chance) => Number(chance.toFixed(4))).join(", ");
    const control = make("input", { type: "text", value: rounded, maxlength: 100 });
    control.addEventListener("change", () => {
      const chances = model.parseNumbers(control.value);
      const sum = (chances ?? []).reduce((a, b) => a + b, 0);
      if (chances?.length !== here.children.length || Math.min(...chances) < 0 || !(sum > 0)) {
        refuse(`Give ${here.children.length} probabilities, such as ${rounded}.`);
      } else set({ ...here, probabilities: chances.map((chance) => chance / sum) }, path(), path(), "panel");
    });
    return field("Probabilities", control);
  }

  function valueField(here) {
    const control = make("input", { type: "text", value: model.leafText(here), maxlength: 60 });
    control.addEventListener("change", () => {
      const value = model.parseValue(control.value, drawn.players);
      if (value === null) refuse(`A leaf must be a number, not “${control.value}”.`);
      else set(value, path(), path(), "panel");
    });
    return field("Value", control);
  }

  select(selected, Boolean(start.then));
  if (start.then === "type" && !model.isInner(node())) type();
  if (start.then === "panel") panel.querySelector("select, input")?.focus();
}
