/** A tree as the server drew it, with input fields over its nodes that scale with it. */

import { make } from "./dom.js";

export class TreePicture {
  constructor(svg, label, kind) {
    this.room = make("div", { class: `room ${kind}` });
    this.sheet = make("div", { class: "sheet" });
    this.sheet.innerHTML = svg;
    this.room.append(this.sheet);
    this.svg = this.sheet.querySelector("svg");
    this.svg.setAttribute("role", "group");
    this.svg.setAttribute("aria-label", label);
    this.svg.removeAttribute("aria-labelledby");
    for (const word of this.svg.querySelectorAll("title, desc")) word.remove();
    const whole = this.svg.querySelector(".whole");
    whole.classList.remove("done");
    this.across = whole.classList.contains("across");
    this.box = this.svg.getAttribute("viewBox").split(" ").map(Number);
    const natural = this.box[2];
    this.sheet.style.width = "100%";
    this.sheet.style.setProperty("--ratio", natural / this.box[3]);
    this.sheet.style.maxWidth = `${1.3 * natural}px`;
    this.sheet.style.minWidth = `${Math.min(natural, Math.max(0.75 * natural, 320))}px`;
    this.nodes = [...this.svg.querySelectorAll(".node")].sort((a, b) => a.dataset.node - b.dataset.node);
    for (const node of this.nodes) node.classList.toggle("inner", !node.classList.contains("leaf"));
    this.edges = new Map();
    for (const edge of this.svg.querySelectorAll(".edge")) this.edges.set(Number(edge.dataset.node), edge);
    new ResizeObserver(() => {
      const scale = this.sheet.clientWidth / natural;
      this.sheet.style.setProperty("--letter", `${15 * scale}px`);
    }).observe(this.sheet);
  }

  /** Put an input field over a node. */
  cover(node, field, wider = 1) {
    const [x, y] = node.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
    const form = node.querySelector(".form").getBBox();
    const [left, top, width, height] = this.box;
    const up = node.classList.contains("max") || node.classList.contains("or");
    const down = node.classList.contains("min") || node.classList.contains("and");
    const board = node.querySelector(".thumbnail");
    const shift = board ? 0.5 * form.height - 14 : up ? 0.2 * form.height : down ? -0.2 * form.height : 0;
    const aside = board ? 10 : 0; // of the form's sign
    field.style.left = `${(100 * (x + aside - left)) / width}%`;
    field.style.top = `${(100 * (y + shift - top)) / height}%`;
    const room = board ? form.width - 28 : form.width * (up || down ? 0.8 : 0.95);
    field.style.width = `${(100 * wider * Math.max(38, room)) / width}%`;
    field.style.height = `${(100 * 26) / height}%`;
    this.sheet.append(field);
  }

  /** The middle of the edge to a node. */
  middle(edge, part = 0.55) {
    const wire = edge.querySelector(".wire");
    const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => Number(wire.getAttribute(name)));
    return [x1 + part * (x2 - x1), y1 + part * (y2 - y1)];
  }
}
