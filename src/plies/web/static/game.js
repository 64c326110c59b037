/**
 * A game as the page keeps it: which game, where it began, and a tree of moves with a current node. Moves that
 * were undone stay as variations. Nothing here touches the document.
 */

export const CHANCE = -1;
/** The mover where all players choose at once. */
export const SIMULTANEOUS = -2;
const VIEWS_KEPT = 300;

/** One position in the tree of moves. */
export class Node {
  constructor(move = null, parent = null) {
    this.move = move;
    /** Who made the move, once the server has said. */
    this.mover = null;
    this.parent = parent;
    /** @type {Node[]} the first is the main line */
    this.children = [];
    /** The child that was visited last: where "forward" leads. */
    this.next = null;
    /** The view of this position, once the server has sent it. */
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
   * @param {Record<string, string>} parameters only those that differ from their defaults
   * @param {string} position where it begins; "" for the initial position
   */
  constructor(name, parameters = {}, position = "") {
    this.name = name;
    this.parameters = parameters;
    this.position = position;
    this.root = new Node();
    this.at = this.root;
    this.kept = [];
  }

  /** The fields of a message that name a position. */
  fields(node = this.at) {
    return { game: this.name, parameters: this.parameters, position: this.position, moves: node.path };
  }

  /** Make a node the current one, and remember the way there. */
  visit(node) {
    this.at = node;
    for (let child = node; child.parent; child = child.parent) child.parent.next = child;
  }

  /** Keep the view of a position, with the moves in the server's notation; the oldest views are dropped. */
  keep(node, view) {
    let at = node;
    for (let i = view.moves.length - 1; i >= 0 && at.parent; i -= 1, at = at.parent) {
      at.move = view.moves[i];
      at.mover = view.movers[i];
    }
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

  /** The nodes of that line, the root first. */
  get line() {
    const nodes = [];
    for (let node = this.end; node; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  /** Add moves one after the other; returns the last position. */
  add(moves, from = this.root) {
    let node = from;
    for (const move of moves) node = node.child(move);
    return node;
  }

  /** The game and its current position as the part of a URL after "#". */
  get hash() {
    const words = new URLSearchParams({ game: this.name });
    for (const [name, value] of Object.entries(this.parameters)) words.set(`p.${name}`, value);
    if (this.position) words.set("position", this.position);
    const moves = this.at.path;
    if (moves.length) words.set("moves", joined(moves));
    return words.toString();
  }

  /** The game in the part of a URL after "#"; null if it names none. */
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

/** Moves as one text: separated by semicolons, or as JSON where a move has one itself. */
function joined(moves) {
  return moves.some((move) => move.includes(";") || move.startsWith("[")) ? JSON.stringify(moves) : moves.join(";");
}

function split(text) {
  if (text.startsWith("[")) {
    try {
      const moves = JSON.parse(text);
      if (Array.isArray(moves)) return moves.map(String);
    } catch {
      /* a move that begins with a bracket */
    }
  }
  return text ? text.split(";") : [];
}
