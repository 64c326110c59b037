/** Who plays each side: a person, or an algorithm at a level. */

import { make } from "./dom.js";
import { load, store } from "./storage.js";

const HUMAN = "human";
const GROUPS = {
  Engine: "Engines", Book: "Textbook algorithms", Program: "Other programs", Simple: "Simple players",
};
const HUMAN_SEAT = { kind: HUMAN, level: "" };
const ENGINE_SEAT = { kind: "engine", level: "3" };

/** The options of a list of algorithms, in groups; `label` names the member to show. */
export function kindOptions(kinds, label = "label") {
  return Object.entries(GROUPS).map(([group, heading]) => {
    const options = kinds.filter((kind) => kind.group === group).map((kind) => new Option(kind[label], kind.name));
    return make("optgroup", { label: heading }, ...options);
  }).filter((heading) => heading.children.length);
}

export class PlayersPanel {
  /**
   * @param {HTMLElement} root
   * @param {() => void} onChange called when a side gets another player
   */
  constructor(root, onChange) {
    this.root = root;
    this.onChange = onChange;
    this.seats = [];
    this.rows = [];
    this.kinds = [];
    /** In a game with somebody at another page: this page's seat, null to watch; else undefined. */
    this.mine = undefined;
  }

  /** From now on one seat is this page's, or none with null; with undefined, those that are chosen here. */
  share(mine) {
    this.mine = mine;
    this.root.hidden = mine !== undefined;
  }

  /** Make the seats for a game; players stay where they were, if the game has such players. */
  configure(details) {
    const before = this.seats.length ? this.seats : checkedSeats(load("seats"));
    this.kinds = details.kinds;
    this.names = details.players;
    this.seats = details.players.map((_, number) => {
      const old = before[number] ?? (number === 0 || details.players.length === 1 ? HUMAN_SEAT : ENGINE_SEAT);
      return old.kind === HUMAN || this.kind(old.kind) ? { ...old } : this.engineSeat();
    });
    this.build();
  }

  /** A seat for the engine, or for another player where no engine serves the game. */
  engineSeat() {
    return this.kind(ENGINE_SEAT.kind) ? { ...ENGINE_SEAT } : { kind: this.kinds[0].name, level: "" };
  }

  kind(name) {
    return this.kinds.find((kind) => kind.name === name);
  }

  /** Who sits where, usually: people everywhere to analyse, engines to watch, one person against engines to play. */
  usual(mode) {
    return this.names.map((_, number) =>
      mode === "analyse" || (mode === "play" && number === 0) ? { ...HUMAN_SEAT } : this.engineSeat());
  }

  /** Seat who usually sits there. */
  preset(mode) {
    this.seats = this.usual(mode);
    if (mode !== "analyse") this.store(); // who plays is remembered, not that nobody did
    this.build();
  }

  /** Seat these players from the next game on. */
  take(seats) {
    this.seats = checkedSeats(seats);
  }

  /** Whether everybody is who usually sits there; at which level, counts. */
  isUsual(mode) {
    const usual = this.usual(mode);
    return this.seats.every(({ kind, level }, i) => kind === usual[i].kind && (kind === HUMAN || level === this.levelOf(usual[i])));
  }

  /** The level of a seat, or where there is no such level the one that is chosen at first. */
  levelOf({ kind, level }) {
    const chosen = this.kind(kind);
    return chosen && !chosen.levels.some((one) => one.name === level) ? chosen.level : level;
  }

  /** Everybody moves on to the next seat: two players swap sides. */
  swap() {
    this.seats = this.seats.map((_, number) => this.seats.at(number - 1));
    this.store();
    this.build();
  }

  build() {
    this.rows = this.seats.map((seat, number) => this.row(seat, number));
    this.root.replaceChildren(...this.rows);
  }

  row(seat, number) {
    const name = this.names[number];
    const kind = make("select", { "aria-label": `Player for ${name}` }, new Option("You", HUMAN), ...kindOptions(this.kinds));
    kind.value = seat.kind;
    const level = make("select", { "aria-label": `Level of ${name}` });
    const fillLevels = () => {
      const chosen = this.kind(seat.kind);
      level.replaceChildren(...(chosen?.levels ?? []).map((one) => new Option(one.label, one.name)));
      seat.level = this.levelOf(seat);
      level.value = seat.level;
      level.hidden = !chosen || chosen.levels.length < 2;
    };
    fillLevels();
    kind.addEventListener("change", () => {
      seat.kind = kind.value;
      seat.level = "";
      fillLevels();
      this.store();
      this.onChange();
    });
    level.addEventListener("change", () => {
      seat.level = level.value;
      this.store();
      this.onChange();
    });
    return make("div", { class: "seat" }, make("span", { class: "name" }, name), kind, level);
  }

  store() {
    store("seats", this.seats);
  }

  /** Mark whose turn it is. */
  showTurn(mover) {
    this.rows.forEach((row, number) => row.classList.toggle("turn", number === mover));
  }

  isPerson(number) {
    if (this.mine !== undefined) return number === this.mine;
    return this.seats[number]?.kind === HUMAN;
  }

  /** The algorithm and level that move for a side; the engine, where a person asks for a move. */
  machine(number) {
    const seat = this.seats[number];
    return this.isPerson(number) ? { algorithm: "engine", level: "" } : { algorithm: seat.kind, level: seat.level };
  }

  get people() {
    if (this.mine !== undefined) return 1;
    return this.seats.filter((seat) => seat.kind === HUMAN).length;
  }
}

/** Seats that came from elsewhere: those that are seats. */
function checkedSeats(seats) {
  const all = Array.isArray(seats) ? seats : [];
  return all.filter((seat) => typeof seat?.kind === "string").map(({ kind, level }) => ({ kind, level: String(level ?? "") }));
}
