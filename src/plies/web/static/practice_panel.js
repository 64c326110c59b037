/** Practice: type the values of nodes, mark the branches that will be cut, and have it checked. */

import { make, makeButton, makeSvg } from "./dom.js";
import { TreePicture } from "./tree_picture.js";

/**
 * Let somebody predict a search.
 * @param {HTMLElement} stage where to show it
 * @param {object} drawn the tree as the server drew it
 * @param {{name: string, cuts: boolean}} algorithm its name, and whether it prunes
 * @param {{check: (values: object, cuts: number[]) => Promise<object>, another: () => void}} on asks for marks, and for
 *   another tree
 * @param {{values: Map<number, string>, cuts: Set<number>}} answers the answers so far, which are updated
 */
export function showPractice(stage, drawn, algorithm, on, answers) {
  const picture = new TreePicture(drawn.svg, "Tree to predict", "practising");
  const fields = new Map();
  const task = make("p", {}, `Enter the value that ${algorithm.name} finds at each node.`
    + (algorithm.cuts ? " Click the branches that it cuts, and leave nodes empty that it never visits." : ""));
  const score = make("p", { class: "score", role: "status" });
  const marks = make("ul", { class: "marks", "aria-label": "Marks" });
  const buttons = make("div", { class: "row" },
    makeButton("Check", () => check(false), { class: "main" }),
    makeButton("Show answers", () => check(true)),
    makeButton("Reset", clear),
    makeButton("Another tree", on.another));
  stage.replaceChildren(task, picture.room, buttons, score, marks);

  picture.nodes.forEach((node, number) => {
    if (node.classList.contains("leaf")) return;
    const name = [...node.children].find((child) => child.matches(".name"))?.textContent ?? `node ${number}`;
    const field = make("input", { type: "text", autocomplete: "off", maxlength: 40, "aria-label": `value of ${name}` });
    field.addEventListener("keydown", (event) => event.key === "Enter" && check(false));
    field.value = answers.values.get(number) ?? "";
    field.addEventListener("input", () => {
      answers.values.set(number, field.value);
      field.classList.remove("right", "wrong");
    });
    fields.set(number, field);
    picture.cover(node, field);
  });
  if (algorithm.cuts) for (const [number, edge] of picture.edges) makeBranch(number, edge);

  function makeBranch(number, edge) {
    const wire = edge.querySelector(".wire");
    const hit = wire.cloneNode();
    hit.setAttribute("class", "hit");
    const [x, y] = picture.middle(edge);
    const label = edge.querySelector(".action");
    const words = label.getBBox();
    const around = { x: words.x - 8, y: words.y - 4, width: words.width + 16, height: words.height + 8 };
    edge.append(hit, makeSvg("rect", { class: "hit", ...around }), makeSvg("path", { class: "guess", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` }));
    edge.classList.add("can-cut");
    edge.setAttribute("role", "button");
    edge.setAttribute("tabindex", "0");
    press(number, edge, answers.cuts.has(number));
    edge.setAttribute("aria-label", `cut ${label.textContent}`);
    const toggle = () => {
      press(number, edge, !answers.cuts.has(number));
      unmark(edge);
    };
    edge.addEventListener("click", toggle);
    edge.addEventListener("keydown", (event) => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      toggle();
    });
  }

  function press(number, edge, cut) {
    edge.setAttribute("aria-pressed", String(cut));
    if (cut) answers.cuts.add(number);
    else answers.cuts.delete(number);
  }

  async function check(reveal) {
    const values = {};
    for (const [number, field] of fields) values[number] = field.value;
    const result = await on.check(values, algorithm.cuts ? [...answers.cuts] : []);
    if (!result || !stage.contains(picture.room)) return;
    for (const mark of result.values) {
      const field = fields.get(mark.node);
      if (reveal) {
        field.value = mark.expected;
        answers.values.set(mark.node, mark.expected);
      }
      field.classList.toggle("right", mark.right || reveal);
      field.classList.toggle("wrong", !mark.right && !reveal);
      field.setAttribute("aria-invalid", String(!mark.right && !reveal));
      field.title = mark.why;
    }
    for (const [number, edge] of picture.edges) {
      unmark(edge);
      if (reveal && algorithm.cuts) press(number, edge, false);
    }
    for (const mark of result.cuts) {
      const edge = picture.edges.get(mark.node);
      if (reveal) press(mark.node, edge, mark.cut);
      markBranch(edge, mark.right || reveal);
    }
    score.textContent = reveal ? "The answers, with reasons." : result.summary;
    const told = [...result.values, ...result.cuts];
    marks.replaceChildren(...(reveal ? told.filter((mark) => mark.expected || mark.cut) : told).map((mark) => {
      const right = mark.right || reveal;
      const sign = make("span", { class: "visually-hidden" }, right ? "Correct: " : "Wrong: ");
      return make("li", { class: right ? "right" : "wrong" }, make("span", {}, sign, reveal ? mark.reason : mark.why));
    }));
  }

  function markBranch(edge, right) {
    const label = edge.querySelector(".action");
    const words = label.getBBox();
    const place = { x: picture.across ? words.x - 8 : words.x + words.width + 7, y: label.getAttribute("y") };
    edge.classList.add(right ? "mark-right" : "mark-wrong");
    edge.append(makeSvg("text", { class: "verdict-sign", ...place }, right ? "✓" : "✗"));
  }

  function unmark(edge) {
    edge.classList.remove("mark-right", "mark-wrong");
    edge.querySelector(".verdict-sign")?.remove();
  }

  function clear() {
    for (const field of fields.values()) {
      field.value = "";
      field.classList.remove("right", "wrong");
      field.removeAttribute("aria-invalid");
      field.title = "";
    }
    answers.values.clear();
    for (const [number, edge] of picture.edges) {
      unmark(edge);
      if (algorithm.cuts) press(number, edge, false);
    }
    score.textContent = "";
    marks.replaceChildren();
    fields.values().next().value?.focus();
  }
}
