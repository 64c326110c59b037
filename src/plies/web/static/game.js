/**
 * A game as the page keeps it: which game, where it began, and a tree of moves with a place in it. Moves that
 * were taken back stay as branches. Nothing here touches the document.
 */

export const CHANCE = -1;
const VIEWS_KEPT = 300;

/** One position: the move that led there, what came before and what followed. */
export class Node {
  constructor(move = null, parent = null) {
    this.move = move;
    /** Who made the move, once the server has told. */
    this.mover = null;
    this.parent = parent;
    /** @type {Node[]} the first is the main line */
    this.children = [];
    /** The child that was looked at last: where "forward" leads. */
    this.next = null;
    /** What the server says of this position, once it was asked. */
    this.view = null;
  }

  /** The moves from the start to here. */
  get path() {
    const moves = [];
    for (let node = this; node.parent; node = node.parent) moves.unshift(node.move);
    return moves;
  }

  /** The child by a move, made if there is none. */
  child(move) {
    let found = this.children.find((node) => node.move === move);
    if (!found) {
      found = new Node(move, this);
      this.children.push(found);
    }
    return found;
  }

  remove() {
    const family = this.parent.children;
    family.splice(family.indexOf(this), 1);
    if (this.parent.next === this) this.parent.next = family[0] ?? null;
  }
}

export class Game {
  /**
   * @param {string} name
   * @param {Record<string, string>} parameters only those that are not as usual
   * @param {string} position where it begins; "" for the usual start
   */
  constructor(name, parameters = {}, position = "") {
    this.name = name;
    this.parameters = parameters;
    this.position = position;
    this.root = new Node();
    this.at = this.root;
    this.kept = [];
  }

  /** What a request says of a place in the game. */
  place(node = this.at) {
    return { game: this.name, parameters: this.parameters, position: this.position, moves: node.path };
  }

  /** Go somewhere, and remember the way. */
  visit(node) {
    this.at = node;
    for (let child = node; child.parent; child = child.parent) child.parent.next = child;
  }

  /** Keep what the server said of a position; what was not looked at for long is forgotten. */
  keep(node, view) {
    node.view = view;
    this.kept = this.kept.filter((other) => other !== node);
    this.kept.push(node);
    if (this.kept.length > VIEWS_KEPT) this.kept.shift().view = null;
  }

  /** The last position of the line that "forward" leads along. */
  get end() {
    let node = this.at;
    while (node.next) node = node.next;
    return node;
  }

  /** Add moves one after the other; returns the last position. */
  add(moves, from = this.root) {
    let node = from;
    for (const move of moves) node = node.child(move);
    return node;
  }

  /** The game and the place in it as the part of an address after "#". */
  get hash() {
    const words = new URLSearchParams({ game: this.name });
    for (const [name, value] of Object.entries(this.parameters)) words.set(`p.${name}`, value);
    if (this.position) words.set("position", this.position);
    const moves = this.at.path;
    if (moves.length) words.set("moves", joined(moves));
    return words.toString();
  }

  /** The game in the part of an address after "#"; null if it names none. */
  static fromHash(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    if (!words.get("game")) return null;
    const parameters = {};
    for (const [name, value] of words) if (name.startsWith("p.")) parameters[name.slice(2)] = value;
    const game = new Game(words.get("game"), parameters, words.get("position") ?? "");
    game.visit(game.add(split(words.get("moves") ?? "")));
    return game;
  }
}

/** Moves as one text: with semicolons between, or as JSON where a move has one itself. */
function joined(moves) {
  return moves.some((move) => move.includes(";") || move.startsWith("[")) ? JSON.stringify(moves) : moves.join(";");
}

function split(text) {
  if (text.startsWith("[")) {
    try {
      const moves = JSON.parse(text);
      if (Array.isArray(moves)) return moves.map(String);
    } catch {
      /* then it is one move that begins so */
    }
  }
  return text ? text.split(";") : [];
}

/**
 * How the cells picked so far begin a move: the cells that may come next, or null if they do not.
 *
 * One or two cells are picked in the order of the move's squares. A move of more is made of pairs, from and to,
 * which may come in any order, as those of two dice; or, where a cell can follow itself, of cells in any order.
 */
function following(squares, picked, paired) {
  if (squares.length <= 2) {
    return picked.every((cell, i) => squares[i] === cell) ? squares.slice(picked.length, picked.length + 1) : null;
  }
  let left = [...squares];
  if (!paired) {
    for (const cell of picked) {
      const place = left.indexOf(cell);
      if (place < 0) return null;
      left.splice(place, 1);
    }
    return left;
  }
  let pairs = [];
  for (let i = 0; i < left.length; i += 2) pairs.push([left[i], left[i + 1]]);
  for (let i = 0; i < picked.length; i += 2) {
    const fits = pairs.filter(([from, to]) => from === picked[i] && (i + 1 === picked.length || to === picked[i + 1]));
    if (!fits.length) return null;
    if (i + 1 === picked.length) return fits.map(([, to]) => to);
    pairs.splice(pairs.indexOf(fits[0]), 1);
  }
  return pairs.map(([from]) => from);
}

/** Whether long moves are made of pairs: no cell ever follows itself. */
function inPairs(legal) {
  return legal.every(({ squares }) => squares.length <= 2
    || (squares.length % 2 === 0 && squares.every((cell, i) => i % 2 === 1 || cell !== squares[i + 1])));
}

/**
 * The legal moves that the cells picked so far lead to.
 * @param {{move: string, squares: string[]}[]} legal
 * @param {string[]} picked
 */
export function matching(legal, picked) {
  const paired = inPairs(legal);
  return legal.filter(({ squares }) => squares.length >= picked.length && following(squares, picked, paired) !== null);
}

/** The cells that may be picked next. */
export function nextCells(legal, picked) {
  const paired = inPairs(legal);
  const cells = new Set();
  for (const { squares } of legal) for (const cell of following(squares, picked, paired) ?? []) cells.add(cell);
  return cells;
}
