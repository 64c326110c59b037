/** Practice: the values of nodes are typed, branches that will be cut are marked, and all of it is checked. */

import { draw, make, TreePicture } from "./learn_picture.js";

/**
 * Let somebody predict a search.
 * @param {HTMLElement} stage where
 * @param {object} shown the tree as the server showed it
 * @param {{name: string, cuts: boolean}} algorithm what it is called, and whether it cuts
 * @param {(values: object, cuts: number[]) => Promise<object>} check asks for the marks
 * @param {() => void} another called for another tree
 * @param {{values: Map<number, string>, cuts: Set<number>}} answers what was answered so far; it is kept there
 */
export function showPractice(stage, shown, algorithm, check, another, answers) {
  const picture = new TreePicture(shown.svg, "the tree, to be predicted", "practising");
  const fields = new Map();
  const task = make("p", {}, `What does ${algorithm.name} find at each node?`
    + (algorithm.cuts ? " Click the branches that it cuts, and leave empty what it never visits." : ""));
  const score = make("p", { class: "score", role: "status" });
  const marks = make("ul", { class: "marks", "aria-label": "marks" });
  const button = (text, act, kind = "") => {
    const element = make("button", { type: "button", class: kind }, text);
    element.addEventListener("click", act);
    return element;
  };
  const buttons = make("div", { class: "row" },
    button("Check", () => judge(false), "main"),
    button("Show the answers", () => judge(true)),
    button("Start again", clear),
    button("Another tree", another));
  stage.replaceChildren(task, picture.room, buttons, score, marks);

  picture.nodes.forEach((node, number) => {
    if (node.classList.contains("leaf")) return;
    const name = [...node.children].find((child) => child.matches(".name"))?.textContent ?? `node ${number}`;
    const field = make("input", { type: "text", autocomplete: "off", maxlength: 40, "aria-label": `value of ${name}` });
    field.addEventListener("keydown", (event) => event.key === "Enter" && judge(false));
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
    edge.append(hit, draw("rect", { class: "hit", ...around }), draw("path", { class: "guess", d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` }));
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

  async function judge(reveal) {
    const values = {};
    for (const [number, field] of fields) values[number] = field.value;
    const result = await check(values, algorithm.cuts ? [...answers.cuts] : []);
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
    score.textContent = reveal ? "These are the answers, with their reasons." : result.summary;
    const told = [...result.values, ...result.cuts];
    marks.replaceChildren(...(reveal ? told.filter((mark) => mark.expected || mark.cut) : told).map((mark) => {
      const right = mark.right || reveal;
      const sign = make("span", { class: "visually-hidden" }, right ? "right: " : "wrong: ");
      return make("li", { class: right ? "right" : "wrong" }, make("span", {}, sign, reveal ? mark.reason : mark.why));
    }));
  }

  function markBranch(edge, right) {
    const label = edge.querySelector(".action");
    const words = label.getBBox();
    const place = { x: picture.across ? words.x - 8 : words.x + words.width + 7, y: label.getAttribute("y") };
    edge.classList.add(right ? "mark-right" : "mark-wrong");
    edge.append(draw("text", { class: "verdict-sign", ...place }, right ? "✓" : "✗"));
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
