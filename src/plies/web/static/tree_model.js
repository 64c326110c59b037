/**
 * A tree as the page keeps it: {levels, tree}, where a leaf is a number or {value: [one for each player]}, and
 * an inner node {player, children}, with {probabilities} at chance nodes and {name, actions} if given.
 * A path is the list of branches from the root. Trees are immutable: every function returns a new one.
 */

/** Whether a node has branches. */
export const isInner = (node) => typeof node === "object" && "children" in node;

/** The node at a path. */
export const at = (node, path) => path.reduce((parent, branch) => parent.children[branch], node);

/** The tree with another node at a path. */
export function replaced(node, path, by) {
  if (path.length === 0) return by;
  const [first, ...rest] = path;
  const children = node.children.map((child, i) => (i === first ? replaced(child, rest, by) : child));
  return { ...node, children };
}

/** A leaf that is worth 0 to everybody. */
const blank = (players) => (players > 2 ? { value: Array(players).fill(0) } : 0);

/** An inner node with one more branch; probabilities become equal. */
export function withBranch(node, players) {
  const children = [...node.children, blank(players)];
  const more = { ...node, children };
  if (node.actions) more.actions = [...node.actions, freshName(node.actions)];
  if (node.probabilities) more.probabilities = equalChances(children.length);
  return more;
}

function freshName(names) {
  let number = names.length + 1;
  while (names.includes(`new ${number}`)) number += 1;
  return `new ${number}`;
}

/** An inner node without one of its branches; probabilities become equal. */
export function withoutBranch(node, branch) {
  const without = (list) => list.filter((_, i) => i !== branch);
  const less = { ...node, children: without(node.children) };
  if (node.actions) less.actions = without(node.actions);
  if (node.probabilities) less.probabilities = equalChances(less.children.length);
  return less;
}

/** An inner node with another player. */
export function movedBy(node, player) {
  const { probabilities, ...rest } = node;
  const moved = { ...rest, player };
  if (player === "chance") moved.probabilities = probabilities ?? equalChances(node.children.length);
  return moved;
}

/** An inner node with two leaves in place of one leaf; its player comes after the one above. */
export function branchedOut(leaf, above, levels, players) {
  const order = levels.length > 0 ? levels : ["max", "min"];
  const next = order[(order.indexOf(above) + 1) % order.length];
  return { player: next, children: [leaf, blank(players)] };
}

/** A leaf in place of any node. */
export const leafFor = (players) => blank(players);

export const equalChances = (count) => Array.from({ length: count }, () => 1 / count);

/** Parse a value such as "3", "-1/2" or "1, 2, 6"; null if it is none. */
export function parseValue(text, players) {
  const numbers = parseNumbers(text);
  if (!numbers) return null;
  if (numbers.length === 1) return numbers[0];
  return numbers.length === players ? { value: numbers } : null;
}

/** Parse a list of numbers; null if anything else is in it. */
export function parseNumbers(text) {
  const words = text.replaceAll("−", "-").replace(/[()]/g, " ").split(/[\s,;]+/).filter(Boolean);
  const numbers = words.map((word) => {
    const [top, bottom = "1", ...more] = word.split("/");
    const number = more.length > 0 || top === "" || bottom === "" ? NaN : Number(top) / Number(bottom);
    return Math.abs(number) <= 1e6 ? number : NaN;
  });
  return numbers.length > 0 && numbers.every(Number.isFinite) ? numbers : null;
}

/** A leaf as text. */
export const leafText = (leaf) => (typeof leaf === "object" ? leaf.value.join(", ") : String(leaf));

/** The player of a node in words. */
export function moverName(player) {
  if (player === "chance") return "chance";
  return typeof player === "number" ? `player ${player + 1}` : player.toUpperCase();
}
