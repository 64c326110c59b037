/** The games that the browser keeps, with their variations, their players and the mode: the latest first. */

import { checkedClock } from "./clock.js";
import { checkedTree, Game, newId } from "./game.js";
import { load, remove, store } from "./storage.js";

/** The most games that are kept. Not tuned. */
const MOST = 40;

/** The games that are kept, as the front door lists them. */
export function keptGames() {
  return ids().map((id) => entry(id)).filter(Boolean);
}

/** Keep a game, unless nothing has been played in it; as another one, if another window has played on in it. */
export function keep(game, { seats, mode, status, clock }) {
  if (!game.root.children.length) return;
  const there = game.seen !== null && entry(game.id);
  if (there && JSON.stringify(there.tree) !== game.seen) game.id = newId();
  game.seen = JSON.stringify(game.tree);
  const at = [];
  for (let node = game.at; node.parent; node = node.parent) at.unshift(node.parent.children.indexOf(node));
  const { id, name, parameters, position, tree, outcome, headers, result } = game;
  store(`game.${id}`, { name, parameters, position, tree, outcome, headers, result, at, seats, mode, status, clock, when: Date.now() });
  const all = [id, ...ids().filter((other) => other !== id)];
  for (const old of all.splice(MOST)) remove(`game.${old}`);
  store("games", all);
}

/** Forget a game. */
export function forget(id) {
  remove(`game.${id}`);
  store("games", ids().filter((other) => other !== id));
}

/** A game that is kept, ready to be shown; null if there is none. */
export function keptGame(id) {
  const kept = entry(id);
  if (!kept) return null;
  const game = new Game(kept.name, kept.parameters, kept.position);
  game.id = id;
  game.addTree(checkedTree(kept.tree));
  game.seen = JSON.stringify(kept.tree);
  let node = game.root;
  for (const place of Array.isArray(kept.at) ? kept.at : []) node = node.children[place] ?? node;
  game.visit(node);
  const { winner, how } = kept.outcome ?? {};
  if ([0, 1, null].includes(winner) && typeof how === "string") game.outcome = { winner, how };
  game.clock = checkedClock(kept.clock);
  game.headers = headersIn(kept.headers);
  game.result = String(kept.result ?? "");
  game.setting = { seats: kept.seats, mode: kept.mode };
  return game;
}

/** Headers that came from elsewhere: those that are texts. */
function headersIn(headers) {
  const all = typeof headers === "object" && headers !== null ? Object.entries(headers) : [];
  return Object.fromEntries(all.filter(([, value]) => typeof value === "string"));
}

function ids() {
  const all = load("games");
  return Array.isArray(all) ? all.filter((id) => typeof id === "string") : [];
}

/** What is stored of a game, if it is what this page stored. */
function entry(id) {
  const kept = load(`game.${id}`);
  if (typeof kept?.name !== "string" || typeof kept.position !== "string") return null;
  if (typeof kept.parameters !== "object" || kept.parameters === null) return null;
  if (Object.values(kept.parameters).some((value) => typeof value !== "string")) return null;
  return { id, ...kept, status: String(kept.status ?? ""), when: Number(kept.when) || 0 };
}
