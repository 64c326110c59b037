/** Who plays on which side: a person, or any algorithm at any level. */

const HUMAN = "human";
const GROUPS = { Engine: "Engines", Book: "Algorithms of the book", Simple: "Simple players" };

/** The options of a list of kinds of players, under their headings; what each is called is its `naming`. */
export function kindOptions(kinds, naming = "label") {
  return Object.entries(GROUPS).map(([group, label]) => {
    const heading = document.createElement("optgroup");
    heading.label = label;
    heading.append(...kinds.filter((kind) => kind.group === group).map((kind) => new Option(kind[naming], kind.name)));
    return heading;
  }).filter((heading) => heading.children.length);
}

export class Players {
  /**
   * @param {HTMLElement} root
   * @param {() => void} changed told when somebody else takes a seat
   */
  constructor(root, changed) {
    this.root = root;
    this.changed = changed;
    this.seats = [];
    this.rows = [];
    this.kinds = [];
  }

  /** Make the seats for a game; who sat there before stays, if the game has such a player. */
  arrange(details) {
    const before = this.seats.length ? this.seats : kept();
    this.kinds = details.kinds;
    this.names = details.players;
    this.seats = details.players.map((_, number) => {
      const old = before[number] ?? (number === 0 || details.players.length === 1 ? HUMAN_SEAT : ENGINE_SEAT);
      return old.kind === HUMAN || this.kind(old.kind) ? { ...old } : { ...ENGINE_SEAT };
    });
    this.build();
  }

  kind(name) {
    return this.kinds.find((kind) => kind.name === name);
  }

  /** Seat people or engines everywhere, or one person against engines. */
  preset(mode) {
    this.seats = this.names.map((_, number) =>
      mode === "analyse" || (mode === "play" && number === 0) ? { ...HUMAN_SEAT } : { ...ENGINE_SEAT });
    this.build();
  }

  build() {
    keep(this.seats);
    this.rows = this.seats.map((seat, number) => this.row(seat, number));
    this.root.replaceChildren(...this.rows);
  }

  row(seat, number) {
    const row = document.createElement("div");
    row.className = "seat";
    const name = document.createElement("span");
    name.className = "name";
    name.textContent = this.names[number];
    const kind = document.createElement("select");
    kind.setAttribute("aria-label", `Who plays ${this.names[number]}`);
    kind.append(new Option("You", HUMAN), ...kindOptions(this.kinds));
    kind.value = seat.kind;
    const level = document.createElement("select");
    level.setAttribute("aria-label", `Level of ${this.names[number]}`);
    const fill = () => {
      const chosen = this.kind(seat.kind);
      level.replaceChildren(...(chosen?.levels ?? []).map((one) => new Option(one.label, one.name)));
      if (chosen && !chosen.levels.some((one) => one.name === seat.level)) seat.level = chosen.level;
      level.value = seat.level;
      level.hidden = !chosen || chosen.levels.length < 2;
    };
    fill();
    kind.addEventListener("change", () => {
      seat.kind = kind.value;
      seat.level = "";
      fill();
      keep(this.seats);
      this.changed();
    });
    level.addEventListener("change", () => {
      seat.level = level.value;
      keep(this.seats);
      this.changed();
    });
    row.append(name, kind, level);
    return row;
  }

  /** Mark whose turn it is. */
  showTurn(mover) {
    this.rows.forEach((row, number) => row.classList.toggle("turn", number === mover));
  }

  isPerson(number) {
    return this.seats[number]?.kind === HUMAN;
  }

  get people() {
    return this.seats.filter((seat) => seat.kind === HUMAN).length;
  }
}

/** Keep who sits where, for when the page is loaded again in the same window. */
function keep(seats) {
  try {
    sessionStorage.setItem("plies.seats", JSON.stringify(seats));
  } catch {
    /* then not */
  }
}

function kept() {
  try {
    const seats = JSON.parse(sessionStorage.getItem("plies.seats") ?? "[]");
    return Array.isArray(seats) ? seats.filter((seat) => typeof seat?.kind === "string") : [];
  } catch {
    return [];
  }
}

const HUMAN_SEAT = { kind: HUMAN, level: "" };
const ENGINE_SEAT = { kind: "engine", level: "3" };
