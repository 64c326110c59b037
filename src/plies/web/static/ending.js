/** What is said about the position: the last move, whose turn it is, what players count, and how the game ended. */

import { $ } from "./dom.js";
import { CHANCE, SIMULTANEOUS } from "./game.js";

/** The last move, if wanted, and whose turn it is or how the game has ended. */
export function statusOf(controller, withMove = true) {
  const { view, chooser, details, game } = controller;
  const last = view.moves.at(-1);
  let status = chooser === null || controller.over ? view.status : `${capital(details.players[chooser])}, choose.`;
  if (game.outcome !== null && !view.over) status = outcomeWords(details.players, game.outcome);
  if (!last || !withMove) return status;
  if (view.full) return `${status} The page stops at ${view.moves.length.toLocaleString("en")} moves.`;
  const mover = view.movers.at(-1);
  const name = { [CHANCE]: "chance", [SIMULTANEOUS]: "at once" }[mover] ?? details.players[mover];
  return `${capital(name)}: ${last}. ${status}`;
}

/** How a game of two ended otherwise than by its rules. */
function outcomeWords(players, { winner, how }) {
  if (winner === null) return "Draw agreed.";
  const loser = capital(players[1 - winner]);
  return `${how === "time" ? `${loser} has no time left.` : `${loser} resigns.`} ${capital(players[winner])} wins.`;
}

/** What players count; and once the game is over, what can be done next. */
export function showEnding(controller) {
  const { view, over, players, game, details } = controller;
  const count = [view.standing, view.captured].filter(Boolean).map((words) => `${capital(words)}.`).join(" ");
  $("standing").textContent = count;
  $("standing").hidden = !count;
  $("ending").hidden = !over;
  $("end-review").hidden = $("review").hidden;
  $("swap").hidden = details.players.length < 2 || new Set(players.seats.map(({ kind, level }) => kind + level)).size < 2;
  $("resign").hidden = over || !details.versus || !players.people || !game.at.parent || controller.watching;
}

export function capital(words) {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}
