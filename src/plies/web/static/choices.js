/** Buttons for moves that cannot be made by pointing alone: passes and promotions. */

import { $, makeButton } from "./dom.js";

/**
 * Offer moves; with none, those that point nowhere.
 * @param {import("./board.js").Board} board
 * @param {string[]} moves
 * @param {(move: string) => void} play
 * @param {boolean} last whether nothing else can be selected, so that one of these must be chosen
 */
export function offerChoices(board, moves, play, last = false) {
  const offered = moves.length ? moves : board.active && !board.picked.length
    ? board.offered.filter(({ squares }) => !squares.length).map(({ move }) => move) : [];
  $("choices").replaceChildren(...offered.map((move) => makeButton(move, () => {
    $("board").focus({ preventScroll: true }); // the button is gone once the move is made
    play(move);
  })));
  $("choices").hidden = !offered.length;
  $("choices").classList.toggle("popup", moves.length > 0);
  if (moves.length) placeAt($("choices"), board.cells.get(board.picked.at(-1)));
  if (last && moves.length && document.activeElement === $("board")) $("choices").firstChild.focus();
}

/** The cell below which the popup is; null if there is none. */
let placed = null;
addEventListener("resize", () => placed?.isConnected && placeAt($("choices"), placed)); // a phone that is turned

/** Put a popup below a cell, on the stage. */
function placeAt(popup, cell) {
  placed = cell;
  const [stage, box] = [popup.closest(".stage"), cell].map((one) => one.getBoundingClientRect());
  popup.style.top = `${box.bottom - stage.top + 4}px`;
  popup.style.left = `${Math.max(0, Math.min(box.left - stage.left, stage.width - popup.offsetWidth))}px`;
}
