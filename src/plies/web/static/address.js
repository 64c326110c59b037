/**
 * The address of the page: it names the game that is shown, its players and the mode. Every game has an entry of its
 * own in the browser's history, so that Back and Forward lead from game to game, each with its variations.
 */

import { Game } from "./game.js";
import { keptGame } from "./kept_games.js";

export class Address {
  /** @param {(hash: string) => void} onMove called when the address changes, by Back, by a link or by hand */
  constructor(onMove) {
    /** What the current entry of the history shows: a game, or "home". */
    this.shown = null;
    /** Whether the entry is there already, and what it names is about to be shown. */
    this.arriving = true;
    addEventListener("popstate", () => {
      this.arriving = true;
      onMove();
    });
  }

  /** The mode that the address asks for, if any. */
  get mode() {
    return new URLSearchParams(location.hash.slice(1)).get("mode");
  }

  /** The id of the game with somebody at another page that the address names, if any. */
  get shared() {
    return new URLSearchParams(location.hash.slice(1)).get("shared");
  }

  /** The game that the address names, as it was left if the browser keeps it; null if it names none. */
  get game() {
    const game = Game.fromHash(location.hash);
    if (!game) return null;
    game.setting = { seats: seatsIn(location.hash), mode: this.mode };
    const kept = keptGame(history.state?.id);
    return kept && kept.hash === game.hash ? kept : game;
  }

  /** Whether a game is the one that the current entry shows. */
  shows(game) {
    return history.state?.id === game?.id;
  }

  /** Name a game in the address, in an entry of its own. */
  show(game, hash) {
    this.enter(game, game.id, `#${hash}`);
  }

  /** Name the front door. */
  showHome() {
    this.enter("home", "home", "/");
  }

  enter(shown, id, url) {
    if (this.arriving || this.shown === shown) history.replaceState({ id }, "", url);
    else history.pushState({ id }, "", url);
    this.shown = shown;
    this.arriving = false;
  }
}

/** The part of an address after "#" for a game with its players and the mode, where they are not the usual ones. */
export function hashOf(game, { seats, mode }) {
  const words = new URLSearchParams(game.hash);
  if (seats) words.set("players", seats.map(({ kind, level }) => (level ? `${kind}@${level}` : kind)).join(";"));
  if (mode) words.set("mode", mode);
  return words.toString();
}

function seatsIn(hash) {
  const text = new URLSearchParams(hash.replace(/^#/, "")).get("players");
  return text?.split(";").map((word) => {
    const at = word.lastIndexOf("@");
    return at > 0 ? { kind: word.slice(0, at), level: word.slice(at + 1) } : { kind: word, level: "" };
  });
}
