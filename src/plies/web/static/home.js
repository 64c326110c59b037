/** The front door: the ways in, the last games to go on with, and every game with its board. */

import { $, make, makeButton } from "./dom.js";
import { forget, keptGame, keptGames } from "./kept_games.js";

/** The most games to go on with that are shown. Not tuned. */
const MOST_KEPT = 6;
/** Milliseconds of a minute, an hour, a day. */
const SPANS = [[86_400_000, "day"], [3_600_000, "hour"], [60_000, "minute"]];

export class Home {
  /**
   * @param {(fields: object) => Promise<object>} view the view of a position
   * @param {(game: import("./game.js").Game) => void} open shows a game that was kept
   */
  constructor(view, open) {
    this.view = view;
    this.open = open;
    this.drawn = false;
  }

  get shown() {
    return !$("home").hidden;
  }

  /** @param {Map<string, {name: string, title: string}>} games */
  show(games) {
    $("home").hidden = false;
    $("home-problem").hidden = true;
    $("table").hidden = true;
    document.title = "Plies: play, analyse and learn";
    this.games = games;
    this.showKept();
    if (!this.drawn) this.showGallery();
  }

  hide() {
    $("home").hidden = true;
    $("table").hidden = false;
  }

  /** Every game, those of the maker's own files first; these are drawn last, by a process that has to be started. */
  showGallery() {
    this.drawn = true;
    const later = [];
    const tiles = [...this.games.values()].map(({ name, title, own }) => {
      const picture = make("span", { class: "picture", "aria-hidden": "true" });
      const draw = () => this.draw(picture, { game: name });
      if (own) later.push(draw);
      else draw();
      return make("li", {}, make("a", { class: "tile", href: `/#game=${encodeURIComponent(name)}&mode=play` }, picture, make("b", {}, title)));
    });
    for (const draw of later) draw();
    $("gallery").replaceChildren(...tiles);
  }

  showKept() {
    const kept = keptGames().filter(({ name }) => this.games.has(name)).slice(0, MOST_KEPT);
    $("go-on").hidden = !kept.length;
    $("kept-games").replaceChildren(...kept.map(({ id, name, status, when }) => this.keptTile(id, name, status, when)));
  }

  keptTile(id, name, status, when) {
    const game = keptGame(id);
    const { title } = this.games.get(name);
    const picture = make("span", { class: "picture", "aria-hidden": "true" });
    this.draw(picture, game.fields());
    const words = make("span", { class: "quiet" }, `${status} ${ago(when)}`);
    const link = make("a", { class: "tile", href: `/#${game.hash}` }, picture, make("b", {}, title), words);
    link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      this.open(keptGame(id) ?? game);
    });
    const away = makeButton("×", () => {
      forget(id);
      this.showKept();
    }, { class: "away plain icon", "aria-label": `Forget this game of ${title}` });
    return make("li", {}, link, away);
  }

  async draw(place, fields) {
    try {
      const { svg } = await this.view(fields);
      const picture = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
      place.replaceChildren(document.importNode(picture, true));
    } catch {
      place.classList.add("none"); // a game that cannot be drawn has its name
    }
  }
}

function ago(when) {
  const past = Date.now() - when;
  const found = SPANS.find(([span]) => past >= span);
  if (!found) return "Just now.";
  const count = Math.floor(past / found[0]);
  return `${count} ${found[1]}${count === 1 ? "" : "s"} ago.`;
}
