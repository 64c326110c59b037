/** The list of moves: the main line, and what was tried beside it. */

import { CHANCE } from "./game.js";

/**
 * Show all moves of a game.
 * @param {HTMLElement} root
 * @param {import("./game.js").Game} game
 * @param {(node: import("./game.js").Node) => void} go what a click on a move does
 */
export function showMoves(root, game, go) {
  const scrolled = root.scrollTop;
  const focused = root.contains(document.activeElement) && document.activeElement !== root;
  root.replaceChildren();
  line(root, game.root, 0, game, go);
  if (!game.root.children.length) root.append("No moves yet.");
  root.scrollTop = scrolled;
  const here = root.querySelector("[aria-current]");
  if (focused) (here ?? root).focus({ preventScroll: true }); // the button that had it is no more
  if (here) {
    const top = here.offsetTop - root.clientHeight / 2;
    if (here.offsetTop < root.scrollTop || here.offsetTop + 40 > root.scrollTop + root.clientHeight) root.scrollTop = top;
  }
}

/** Write the moves after a node; branches come right after the move they stand beside. */
function line(root, node, ply, game, go) {
  const fragment = document.createDocumentFragment();
  let count = ply;
  let at = node;
  while (at.children.length) {
    const [first, ...others] = at.children;
    fragment.append(move(first, count, game, go), " ");
    for (const other of others) {
      const branch = document.createElement("span");
      branch.className = "branch";
      branch.append(move(other, count, game, go), " ");
      line(branch, other, count + 1, game, go);
      fragment.append(branch);
    }
    at = first;
    count += 1;
  }
  root.append(fragment);
}

function move(node, ply, game, go) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `${node.move}${node.mark ?? ""}`;
  if (node.mover === CHANCE) button.className = "chance";
  if (node === game.at) button.setAttribute("aria-current", "step");
  button.addEventListener("click", () => go(node));
  const number = document.createElement("span");
  number.className = "number";
  number.textContent = `${ply + 1}.`;
  const both = document.createElement("span");
  both.className = "ply";
  both.append(number, button);
  return both;
}
