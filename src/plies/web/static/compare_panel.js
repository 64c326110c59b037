/** Comparison: two searches of one tree, side by side. */

import { make } from "./dom.js";
import { showSteps } from "./steps.js";

/** How many cut-offs there were, of all kinds. */
export const cutOffs = ({ cuts }) => Object.values(cuts).reduce((sum, count) => sum + count, 0);

/**
 * Show two searches.
 * @param {HTMLElement} stage where to show them
 * @param {{both: object[], same: boolean}} comparison as the server sent it
 * @param {string[]} names of the two
 * @param {AbortSignal} signal ends it
 */
export function showComparison(stage, comparison, names, signal) {
  const { both } = comparison;
  const rows = [
    ["value", both.map((side) => side.value)],
    ["line", both.map((side) => side.line.join(" ") || "–")],
    ["nodes", both.map((side) => side.nodes)],
    ["leaves", both.map((side) => side.leaves)],
    ["cut-offs", both.map(cutOffs)],
  ];
  const head = make("tr", {}, make("td"), ...names.map((name) => make("th", { scope: "col" }, name)));
  const body = rows.map(([what, cells]) =>
    make("tr", {}, make("th", { scope: "row" }, what), ...cells.map((cell) => make("td", {}, String(cell)))));
  const facts = make("table", { class: "facts" }, make("thead", {}, head), make("tbody", {}, ...body));
  const sides = both.map((side, i) => {
    const room = make("div");
    showSteps(room, side, { signal, step: side.steps.length });
    return make("section", { "aria-label": names[i] }, make("h2", {}, names[i]), room);
  });
  const summary = make("p", { class: "score", role: "status" }, summarise(comparison, names));
  stage.replaceChildren(summary, facts, make("div", { class: "versus" }, ...sides));
}

function summarise({ both: [a, b], same }, names) {
  const values = same ? `Both find ${a.value}` : `They differ: ${a.value} and ${b.value}`;
  if (a.nodes === b.nodes) return `${values}; both visit ${a.nodes} nodes.`;
  const [name, fewer, more] = a.nodes < b.nodes ? [names[0], a, b] : [names[1], b, a];
  return `${values}; ${name} visits ${fewer.nodes} nodes instead of ${more.nodes}.`;
}
