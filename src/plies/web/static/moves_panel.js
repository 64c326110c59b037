/** The list of moves: the main line, and its variations. */

import { make, makeButton } from "./dom.js";
import { CHANCE } from "./game.js";

/**
 * Show all moves of a game.
 * @param {HTMLElement} root
 * @param {import("./game.js").Game} game
 * @param {(node: import("./game.js").Node) => void} go called when a move is clicked
 */
export function showMoves(root, game, go) {
  const scrolled = root.scrollTop;
  const focused = root.contains(document.activeElement) && document.activeElement !== root;
  root.replaceChildren();
  appendLine(root, game.root, 0, game, go);
  if (!game.root.children.length) root.append("No moves yet.");
  root.scrollTop = scrolled;
  const current = root.querySelector("[aria-current]");
  if (focused) (current ?? root).focus({ preventScroll: true }); // the button that had the focus is gone
  if (current && (current.offsetTop < root.scrollTop || current.offsetTop + 40 > root.scrollTop + root.clientHeight)) {
    root.scrollTop = current.offsetTop - root.clientHeight / 2;
  }
}

/** Append the moves after a node; variations come right after the move they replace. */
function appendLine(root, node, ply, game, go) {
  const fragment = document.createDocumentFragment();
  let count = ply;
  let at = node;
  while (at.children.length) {
    const [first, ...others] = at.children;
    fragment.append(numbered(first, count, game, go), " ");
    for (const other of others) {
      const variation = make("span", { class: "branch" }, numbered(other, count, game, go), " ");
      appendLine(variation, other, count + 1, game, go);
      fragment.append(variation);
    }
    at = first;
    count += 1;
  }
  root.append(fragment);
}

function numbered(node, ply, game, go) {
  const button = makeButton(`${node.move}${node.mark ?? ""}`, () => go(node), {
    class: node.mover === CHANCE && "chance",
    "aria-current": node === game.at && "step",
  });
  return make("span", { class: "ply" }, make("span", { class: "number" }, `${ply + 1}.`), button);
}
