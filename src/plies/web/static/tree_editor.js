/** The tree editor: change leaves in place, add and remove branches, change who moves. */

import { make, makeButton } from "./dom.js";
import * as model from "./tree_model.js";
import { TreePicture } from "./tree_picture.js";

export class TreeEditor {
  /**
   * Show a tree to be edited.
   * @param {HTMLElement} stage where to show it
   * @param {object} drawn the tree as the server drew it: {tree, svg, paths, players}
   * @param {object} on callbacks: change(tree, path, then) with the new tree, the node to select in it, and what to do
   *   there ("stay", "type" or "panel"); refuse(words); undo() and redo(), null if there is nothing to undo or redo
   * @param {{path: number[], then: string}} start the node to select first, and what to do there
   */
  constructor(stage, drawn, on, start) {
    this.drawn = drawn;
    this.on = on;
    this.picture = new TreePicture(drawn.svg, "Tree to edit", "editing");
    this.panel = make("div", { class: "card edit-panel", role: "group", "aria-label": "Selected node" });
    /** The node under the pointer, while a button is pressed. */
    this.pressed = null;
    stage.replaceChildren(this.picture.room, this.panel);
    this.picture.nodes.forEach((element, number) => this.connect(element, number));
    this.select(Math.max(0, this.numberAt(start.path)), Boolean(start.then));
    if (start.then === "type" && !model.isInner(this.node)) this.type();
    if (start.then === "panel") this.panel.querySelector("select, input")?.focus();
  }

  connect(element, number) {
    element.setAttribute("role", "button");
    element.setAttribute("aria-label", this.describe(number));
    element.addEventListener("pointerdown", () => { this.pressed = number; });
    element.addEventListener("click", () => {
      this.pressed = null;
      this.select(number);
      if (!model.isInner(this.node)) this.type();
    });
    element.addEventListener("keydown", (event) => this.key(event));
  }

  // -- Nodes.

  get path() {
    return this.drawn.paths[this.selected];
  }

  /** The selected node. */
  get node() {
    return this.nodeAt(this.selected);
  }

  nodeAt(number) {
    return model.at(this.drawn.tree.tree, this.drawn.paths[number]);
  }

  /** The number of the node at a path; -1 if there is none. */
  numberAt(path) {
    return this.drawn.paths.findIndex((other) => other.join() === path.join());
  }

  describe(number) {
    const path = this.drawn.paths[number];
    const node = this.nodeAt(number);
    const place = path.length ? `Branch ${path.map((i) => i + 1).join(", ")}` : "Root";
    return model.isInner(node)
      ? `${place}: ${model.moverName(node.player)} node, ${node.children.length} branches`
      : `${place}: leaf ${model.leafText(node)}`;
  }

  select(number, focus = true) {
    this.selected = number;
    this.picture.nodes.forEach((element, i) => {
      element.classList.toggle("selected", i === number);
      element.setAttribute("tabindex", i === number ? "0" : "-1");
    });
    if (focus) this.picture.nodes[number].focus({ preventScroll: false });
    this.fillPanel();
  }

  key(event) {
    const { on, path } = this;
    const parent = path.slice(0, -1);
    const beside = (by) => (path.length ? this.numberAt([...parent, path.at(-1) + by]) : -1);
    const moves = {
      ArrowUp: () => (path.length ? this.numberAt(parent) : -1),
      ArrowDown: () => this.numberAt([...path, 0]),
      ArrowLeft: () => beside(-1),
      ArrowRight: () => beside(1),
    };
    if (event.key in moves) {
      const next = moves[event.key]();
      if (next >= 0) this.select(next);
    } else if (event.key === "Enter" || event.key === " ") {
      if (model.isInner(this.node)) this.panel.querySelector("select")?.focus();
      else this.type();
    } else if (event.key === "+") this.addBranch();
    else if (event.key === "Delete" || event.key === "Backspace") this.removeNode();
    else if (event.key === "u" && on.undo) on.undo();
    else if (event.key === "r" && on.redo) on.redo();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  // -- Changes.

  /** Put a node at a path, the selected one unless given. */
  replace(by, path = this.path, select = path, then = "stay") {
    const { tree } = this.drawn;
    this.on.change({ ...tree, tree: model.replaced(tree.tree, path, by) }, select, then);
  }

  addBranch() {
    const { node, path, drawn: { players, tree: { tree, levels } } } = this;
    if (model.isInner(node)) this.replace(model.withBranch(node, players));
    else {
      const above = path.length ? model.at(tree, path.slice(0, -1)).player : levels.at(-1);
      this.replace(model.branchedOut(node, above, levels, players));
    }
  }

  removeNode() {
    const { path } = this;
    if (path.length === 0) {
      this.on.refuse("The root cannot be removed.");
      return;
    }
    const parent = path.slice(0, -1);
    const above = model.at(this.drawn.tree.tree, parent);
    if (above.children.length === 1) this.replace(model.leafFor(this.drawn.players), parent);
    else this.replace(model.withoutBranch(above, path.at(-1)), parent);
  }

  /** Show an input field over the selected leaf; Enter and Tab keep what is typed, Escape does not. */
  type() {
    const number = this.selected;
    const field = make("input", {
      type: "text", "aria-label": this.describe(number), maxlength: 60, value: model.leafText(this.node),
    });
    this.picture.cover(this.picture.nodes[number], field, this.drawn.players > 2 ? 1.1 : 1.15);
    field.focus();
    field.select();
    let done = false;
    const end = (act) => {
      if (done) return;
      done = true;
      field.remove();
      act();
    };
    field.addEventListener("keydown", (event) => {
      const beside = this.leafBeside(number, event.shiftKey ? -1 : 1);
      if (event.key === "Enter") end(() => this.keepTyped(field.value, number, number));
      else if (event.key === "Escape") end(() => this.select(number));
      else if (event.key === "Tab" && beside !== number) end(() => this.keepTyped(field.value, number, beside));
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
    field.addEventListener("blur", () => end(() => this.keepTyped(field.value, number, this.pressed ?? number)));
  }

  /** Make a text the value of a leaf, and select another node, to type there if it is a leaf. */
  keepTyped(text, number, next) {
    const { paths, players } = this.drawn;
    const value = model.parseValue(text, players);
    const then = next !== number && !model.isInner(this.nodeAt(next)) ? "type" : "stay";
    if (value === null) {
      this.on.refuse(`A leaf must be a number${players > 2 ? `, or ${players} of them` : ""}, not “${text}”.`);
      this.select(number);
    } else if (model.leafText(value) !== model.leafText(this.nodeAt(number))) {
      this.replace(value, paths[number], paths[next], then);
    } else {
      this.select(next);
      if (then === "type") this.type();
    }
  }

  leafBeside(number, by) {
    for (let i = number + by; i >= 0 && i < this.drawn.paths.length; i += by) {
      if (!model.isInner(this.nodeAt(i))) return i;
    }
    return number;
  }

  // -- The panel for the selected node.

  fillPanel() {
    const { node, on, panel } = this;
    const add = (label, act) => panel.append(makeButton(label, act));
    panel.replaceChildren(make("p", { class: "what" }, this.describe(this.selected)));
    if (model.isInner(node)) {
      panel.append(this.playerField(node));
      if (node.player === "chance") panel.append(this.probabilityField(node));
      add("Add branch", () => this.addBranch());
      add("Turn into a leaf", () => this.replace(model.leafFor(this.drawn.players)));
    } else {
      panel.append(this.valueField(node));
      add("Add branches", () => this.addBranch());
    }
    if (this.path.length) add("Remove", () => this.removeNode());
    if (on.undo) add("Undo", on.undo);
    if (on.redo) add("Redo", on.redo);
  }

  /** Put a node in place of the selected one from the panel, and stay there. */
  replaceFromPanel(by) {
    this.replace(by, this.path, this.path, "panel");
  }

  playerField(node) {
    const { players } = this.drawn;
    const choices = players > 2 ? Array.from({ length: players }, (_, i) => i) : ["max", "min"];
    const control = make("select", {}, ...[...choices, "chance"].map((player) =>
      make("option", { value: player, selected: player === node.player }, model.moverName(player))));
    control.addEventListener("change", () => {
      const player = players > 2 && control.value !== "chance" ? Number(control.value) : control.value;
      this.replaceFromPanel(model.movedBy(node, player));
    });
    return labelled("Player", control);
  }

  probabilityField(node) {
    const rounded = node.probabilities.map((chance) => Number(chance.toFixed(4))).join(", ");
    const control = make("input", { type: "text", value: rounded, maxlength: 100 });
    control.addEventListener("change", () => {
      const chances = model.parseNumbers(control.value);
      const sum = (chances ?? []).reduce((a, b) => a + b, 0);
      if (chances?.length !== node.children.length || Math.min(...chances) < 0 || !(sum > 0)) {
        this.on.refuse(`Enter ${node.children.length} probabilities, such as ${rounded}.`);
      } else this.replaceFromPanel({ ...node, probabilities: chances.map((chance) => chance / sum) });
    });
    return labelled("Probabilities", control);
  }

  valueField(node) {
    const control = make("input", { type: "text", value: model.leafText(node), maxlength: 60 });
    control.addEventListener("change", () => {
      const value = model.parseValue(control.value, this.drawn.players);
      if (value === null) this.on.refuse(`A leaf must be a number, not “${control.value}”.`);
      else this.replaceFromPanel(value);
    });
    return labelled("Value", control);
  }
}

function labelled(label, control) {
  control.id = `edit-${label.toLowerCase()}`;
  return make("div", { class: "field" }, make("label", { for: control.id }, label), control);
}
