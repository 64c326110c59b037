/** The list of moves: the main line, and its variations. */

import { make, makeButton } from "./dom.js";
import { CHANCE } from "./game.js";

/** The signs of PGN's numbers for them. */
const SIGNS = { $1: "!", $2: "?", $3: "!!", $4: "??", $5: "!?", $6: "?!" };

/**
 * Show all moves of a game.
 * @param {HTMLElement} root
 * @param {import("./game.js").Game} game
 * @param {(node: import("./game.js").Node) => void} go called when a move is clicked
 * @param {boolean} pairs whether a move of each player together have one number, as in chess
 */
export function showMoves(root, game, go, pairs = false) {
  const scrolled = root.scrollTop;
  const focused = root.contains(document.activeElement) && document.activeElement !== root;
  root.replaceChildren();
  const second = pairs && game.root.children[0]?.mover === 1; // it begins with the second player
  appendLine(root, game.root, second ? 1 : 0, { game, go, pairs });
  if (game.root.note?.comment) root.prepend(said(game.root.note), " ");
  if (!game.root.children.length) root.append("No moves yet.");
  root.scrollTop = scrolled;
  const current = root.querySelector("[aria-current]");
  if (focused) (current ?? root).focus({ preventScroll: true }); // the button that had the focus is gone
  if (current && (current.offsetTop < root.scrollTop || current.offsetTop + 40 > root.scrollTop + root.clientHeight)) {
    root.scrollTop = current.offsetTop - root.clientHeight / 2;
  }
}

/** Append the moves after a node; variations come right after the move they replace. */
function appendLine(root, node, ply, how) {
  const fragment = document.createDocumentFragment();
  let count = ply;
  let at = node;
  let fresh = node.parent === null;
  while (at.children.length) {
    const [first, ...others] = at.children;
    fragment.append(numbered(first, count, how, fresh), " ", ...comments(first.note));
    fresh = others.length > 0 || Boolean(first.note?.comment); // after a variation, the number is said again
    for (const other of others) {
      const variation = make("span", { class: "branch" }, ...comments(other.lead),
        numbered(other, count, how, true), " ", ...comments(other.note));
      appendLine(variation, other, count + 1, how);
      fragment.append(variation);
    }
    at = first;
    count += 1;
  }
  root.append(fragment);
}

function comments(note) {
  return note?.comment ? [said(note), " "] : [];
}

function said({ comment }) {
  return make("span", { class: "comment" }, comment);
}

function numbered(node, ply, { game, go, pairs }, fresh) {
  const signs = (node.note?.marks ?? []).map((mark) => SIGNS[mark] ?? mark).join("");
  const button = makeButton(`${node.move}${node.mark ?? signs}`, () => go(node), {
    class: node.mover === CHANCE && "chance",
    "aria-current": node === game.at && "step",
  });
  return make("span", { class: "ply" }, ...number(ply, pairs, fresh), button);
}

/** The number of a move: in pairs, only the first player's moves have one, unless the line begins with another. */
function number(ply, pairs, fresh) {
  const words = !pairs ? `${ply + 1}.` : ply % 2 === 0 ? `${ply / 2 + 1}.` : fresh ? `${(ply + 1) / 2}…` : "";
  return words ? [make("span", { class: "number" }, words)] : [];
}
