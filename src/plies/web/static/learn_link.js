/** What a link to the Learn page holds. It may come from anybody, so nothing is taken that has not the right form. */

import { assignmentIn } from "./learn_assignment.js";

/** The most nodes that are opened at a time, as the server has it. */
export const MOST_OPENED = 20;

/**
 * The state in an address; null if there is none.
 * @param {string} hash
 * @param {object} algorithms those that there are
 * @param {string[]} modes
 * @param {object} usual the state that holds where the link says nothing
 */
export function stateIn(hash, algorithms, modes, usual) {
  if (hash.length < 2) return null;
  try {
    const found = JSON.parse(decodeURIComponent(hash.slice(1)));
    const isAlgorithm = (name) => typeof name === "string" && Object.hasOwn(algorithms, name);
    const texts = (value) =>
      Object.fromEntries(Object.entries(value ?? {}).filter(([, text]) => typeof text === "string"));
    const search = (value, other) =>
      Array.isArray(value) && isAlgorithm(value[0]) ? [value[0], texts(value[1])] : other;
    const { tree, game, parameters = {}, position = "", moves = [], depth = null } = found;
    const assignment = assignmentIn(found.assignment);
    const mode = modes.includes(found.mode) && !found.present ? found.mode : "step";
    return {
      subject: game === undefined ? { tree } : { game, parameters, position, moves, depth },
      algorithm: isAlgorithm(found.algorithm) ? found.algorithm : null,
      options: texts(found.options),
      mode: assignment ? "practice" : mode,
      step: Number.isInteger(found.step) ? found.step : 0,
      present: found.present === true && !assignment,
      first: search(found.first, usual.first),
      second: search(found.second, usual.second),
      opened: (Array.isArray(found.opened) ? found.opened : []).filter(Number.isInteger).slice(0, MOST_OPENED),
      assignment,
    };
  } catch {
    return null;
  }
}
