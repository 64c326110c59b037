/** What is said about a game: a comment on the current move, and the headers of its record. */

import { $, listen } from "./dom.js";

export class Annotations {
  /**
   * @param {() => import("./game.js").Game} game the game that is shown
   * @param {() => void} changed called when something else is said
   */
  constructor(game, changed) {
    this.game = game;
    listen("comment", "change", () => {
      const { at } = game();
      const { comment: _, ...rest } = at.note ?? {};
      const comment = $("comment").value.trim();
      at.note = comment || Object.keys(rest).length ? { ...rest, ...(comment && { comment }) } : null;
      changed();
    });
    listen("headers", "change", () => {
      game().headers = headersIn($("headers").value);
      this.show();
      changed();
    });
  }

  /** Show what is said about the current move, and about the game. */
  show() {
    const { at, headers, result } = this.game();
    if (document.activeElement !== $("comment")) $("comment").value = at.note?.comment ?? "";
    if (document.activeElement !== $("headers")) $("headers").value = Object.entries(headers).map(([name, value]) => `${name}: ${value}`).join("\n");
    const between = ["White", "Black", "PB", "PW"].filter((name) => headers[name]).map((name) => headers[name]).join(" – ");
    const words = [between, headers.Event ?? headers.EV, headers.Date ?? headers.DT, result].filter(Boolean).join(", ");
    $("about").textContent = words;
    $("about").hidden = !words;
  }
}

/** Headers in lines such as "White: Morphy". */
function headersIn(text) {
  const lines = text.split("\n").map((line) => line.split(/:(.*)/s).map((part) => part?.trim()));
  return Object.fromEntries(lines.filter(([name, value]) => /^\w+$/.test(name) && value));
}
