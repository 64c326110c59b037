/** Practice: enter the values of nodes, mark the branches that will be cut, and have it checked. */

import { make, makeButton, makeSvg } from "./dom.js";
import { TreePicture } from "./tree_picture.js";

export class PracticePanel {
  /**
   * Practise: predict a search.
   * @param {HTMLElement} stage where to show it
   * @param {{svg: string, names: string[], cuts: boolean, hint: string}} exercise the tree, the names of its nodes,
   *   whether cuts are to be predicted, and what an answer is
   * @param {string} search the name of the algorithm, with its options
   * @param {{check: (values: object, cuts: number[]) => Promise<object>, another: () => void, assignment: () => HTMLElement}}
   *   on asks for marks, for another tree, and for what makes it an assignment
   * @param {{values: Map<number, string>, cuts: Set<number>}} answers the answers so far, which are updated
   * @param {{stage: string, name: string} | null} assignment if it is one: to be answered, or answered and marked
   */
  constructor(stage, exercise, search, on, answers, assignment = null) {
    this.assignment = assignment?.stage ?? "";
    this.stage = stage;
    this.cuts = exercise.cuts;
    this.names = exercise.names;
    this.on = on;
    this.answers = answers;
    this.picture = new TreePicture(exercise.svg, "Tree to predict", "practising");
    /** The input fields, by the number of the node. */
    this.fields = new Map();
    this.score = make("p", { class: "score", role: "status" });
    this.marks = make("ul", { class: "marks", "aria-label": "Marks" });
    const task = make("p", {}, `Enter the value that ${search} finds at each node.`
      + (this.cuts ? " Click the branches that it cuts, and leave nodes empty that it never visits." : "")
      + (exercise.hint && ` ${exercise.hint}`));
    const reset = makeButton("Reset", () => this.reset());
    const buttons = make("div", { class: "row" }, ...(this.assignment ? [reset] : [
      makeButton("Check", () => this.check(), { class: "main" }),
      makeButton("Show answers", () => this.check(true)),
      reset,
      makeButton("Another tree", () => on.another()),
    ]));
    buttons.hidden = this.assignment === "marked";
    const by = this.assignment === "marked" ? [make("h2", {}, `Answers of ${assignment.name || "somebody"}`)] : [];
    stage.replaceChildren(...by, task, this.picture.room, buttons, on.assignment(), this.score, this.marks);
    for (const node of this.picture.nodes) {
      if (!node.classList.contains("leaf")) this.addField(node, Number(node.dataset.node));
    }
    if (this.assignment === "marked") this.check();
    else if (this.cuts) for (const [number, edge] of this.picture.edges) this.makeBranch(number, edge);
  }

  /** Put an input field over a node. */
  addField(node, number) {
    const { values } = this.answers;
    const label = `value of ${this.names[number]}`;
    const field = make("input", { type: "text", autocomplete: "off", maxlength: 40, "aria-label": label });
    field.value = values.get(number) ?? "";
    field.readOnly = this.assignment === "marked";
    field.addEventListener("keydown", (event) => event.key === "Enter" && !this.assignment && this.check());
    field.addEventListener("input", () => {
      values.set(number, field.value);
      field.classList.remove("right", "wrong");
    });
    this.fields.set(number, field);
    this.picture.cover(node, field);
  }

  /** Make an edge a switch for "this branch is cut". */
  makeBranch(number, edge) {
    const hit = edge.querySelector(".wire").cloneNode();
    hit.setAttribute("class", "hit");
    const [x, y] = this.picture.middle(edge);
    const label = edge.querySelector(".action");
    const box = label.getBBox();
    const around = { x: box.x - 8, y: box.y - 4, width: box.width + 16, height: box.height + 8 };
    const cross = makeSvg("path", { class: "guess", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` });
    edge.append(hit, makeSvg("rect", { class: "hit", ...around }), cross);
    edge.classList.add("can-cut");
    edge.setAttribute("role", "button");
    edge.setAttribute("tabindex", "0");
    edge.setAttribute("aria-label", `cut ${label.textContent}`);
    this.setCut(number, this.answers.cuts.has(number));
    const toggle = () => {
      this.setCut(number, !this.answers.cuts.has(number));
      unmark(edge);
    };
    edge.addEventListener("click", toggle);
    edge.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      toggle();
    });
  }

  /** Show that a branch was marked by somebody else. */
  showGuess(number) {
    if (!this.answers.cuts.has(number)) return;
    const edge = this.picture.edges.get(number);
    const [x, y] = this.picture.middle(edge);
    edge.append(makeSvg("path", { class: "guess", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` }));
    edge.classList.add("can-cut");
    edge.setAttribute("aria-pressed", "true");
  }

  setCut(number, cut) {
    this.picture.edges.get(number).setAttribute("aria-pressed", String(cut));
    if (cut) this.answers.cuts.add(number);
    else this.answers.cuts.delete(number);
  }

  /** Have the answers checked; or with `reveal`, replaced by the right ones. */
  async check(reveal = false) {
    const values = Object.fromEntries([...this.fields].map(([number, field]) => [number, field.value]));
    const result = await this.on.check(values, this.cuts ? [...this.answers.cuts] : []);
    if (!result || !this.stage.contains(this.picture.room)) return;
    for (const mark of result.values) this.markValue(mark, reveal);
    for (const [number, edge] of this.picture.edges) {
      unmark(edge);
      if (reveal && this.cuts) this.setCut(number, false);
    }
    for (const mark of result.cuts) {
      if (reveal) this.setCut(mark.node, mark.cut);
      if (this.assignment) this.showGuess(mark.node);
      this.markBranch(this.picture.edges.get(mark.node), mark.right || reveal);
    }
    this.score.textContent = reveal ? "The answers, with reasons." : result.summary;
    this.listMarks([...result.values, ...result.cuts], reveal);
  }

  markValue(mark, reveal) {
    const field = this.fields.get(mark.node);
    const right = mark.right || reveal;
    if (reveal) {
      field.value = mark.expected;
      this.answers.values.set(mark.node, mark.expected);
    }
    field.classList.toggle("right", right);
    field.classList.toggle("wrong", !right);
    field.setAttribute("aria-invalid", String(!right));
    field.title = mark.why;
  }

  markBranch(edge, right) {
    const label = edge.querySelector(".action");
    const box = label.getBBox();
    const place = { x: this.picture.across ? box.x - 8 : box.x + box.width + 7, y: label.getAttribute("y") };
    edge.classList.add(right ? "mark-right" : "mark-wrong");
    edge.append(makeSvg("text", { class: "verdict-sign", ...place }, right ? "✓" : "✗"));
  }

  listMarks(marks, reveal) {
    const told = reveal ? marks.filter((mark) => mark.expected || mark.cut) : marks;
    this.marks.replaceChildren(...told.map((mark) => {
      const right = mark.right || reveal;
      const sign = make("span", { class: "visually-hidden" }, right ? "Correct: " : "Wrong: ");
      return make("li", { class: right ? "right" : "wrong" }, make("span", {}, sign, reveal ? mark.reason : mark.why));
    }));
  }

  /** Clear all answers. */
  reset() {
    for (const field of this.fields.values()) {
      field.value = "";
      field.classList.remove("right", "wrong");
      field.removeAttribute("aria-invalid");
      field.title = "";
    }
    this.answers.values.clear();
    for (const [number, edge] of this.picture.edges) {
      unmark(edge);
      if (this.cuts) this.setCut(number, false);
    }
    this.score.textContent = "";
    this.marks.replaceChildren();
    this.fields.values().next().value?.focus();
  }
}

function unmark(edge) {
  edge.classList.remove("mark-right", "mark-wrong");
  edge.querySelector(".verdict-sign")?.remove();
}
