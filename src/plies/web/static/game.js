/**
 * A game as the page keeps it: which game, where it began, and a tree of moves with a current node. Moves that
 * were undone stay as variations. Nothing here touches the document.
 */

export const CHANCE = -1;
/** The mover where all players choose at once. */
export const SIMULTANEOUS = -2;
const VIEWS_KEPT = 300;
/** The longest tree of moves that a link carries: mail and chat programs cut longer addresses. Not tuned. */
const LONGEST_TREE = 4000;
/** The most moves of a tree that is read, variations included. Not tuned. */
const MOST_MOVES = 20_000;

/** A name that no other game has. */
export const newId = () => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`;

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
    /** What is said about the move: `{comment, marks, properties}`, each if there is any; null if nothing is. */
    this.note = null;
    /** The times with which it was reached, `left`, and who `ran` in it, both by seat, if there are clocks. */
    this.clock = null;
    /** What is said before it, at the beginning of a variation. */
    this.lead = null;
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
    /** Under which the browser keeps it. */
    this.id = newId();
    /** Its moves as this page has kept or found them last, as text; null if it has not. */
    this.seen = null;
    /** How it ended, if not by its rules: `{winner, how}`, the winner null for a draw; null if it has not. */
    this.outcome = null;
    /** Its clocks: the seconds `left` of both when it was opened, and the `increment` for a move; null for none. */
    this.clock = null;
    /** What its record says about it, such as White, Black and Event, and the result as it is written there. */
    this.headers = {};
    this.result = "";
    /** The players and the mode to open it with: `{seats, mode}`, each if it is known. */
    this.setting = {};
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

  /** Whether there are moves beside those that lead to the current position, or anything is said about them. */
  get branches() {
    let node = this.root;
    for (const move of this.at.path) {
      if (node.children.length !== 1 || node.note || node.lead) return true;
      node = node.child(move);
    }
    return node.children.length > 0 || Boolean(node.note || node.lead);
  }

  /** The moves of the main line. */
  get mainLine() {
    const moves = [];
    for (let [node] = this.root.children; node; [node] = node.children) moves.push(node.move);
    return moves;
  }

  /**
   * All moves, as in a book: a list in brackets after a move is a variation that replaces it, an object says more
   * about it, or at the beginning of a list, about what follows.
   */
  get tree() {
    return written(this.root);
  }

  /** Add the moves of such a list; the main line is where "forward" leads. */
  addTree(tree, from = this.root) {
    const work = [[tree, from]]; // a list of what is left to do, because lines are long
    while (work.length) {
      const [items, start] = work.pop();
      let [before, node] = [start, start];
      let lead = null;
      for (const item of items) {
        if (Array.isArray(item)) work.push([item, before]);
        else if (typeof item === "object") {
          if (node === start && start !== this.root) lead = item;
          else node.note = item;
        } else {
          [before, node] = [node, node.child(String(item))];
          node.lead = lead ?? node.lead;
          lead = null;
        }
        before.next = before.children[0] ?? null;
      }
    }
  }

  /** The game and its current position as the part of a URL after "#". */
  get hash() {
    const words = new URLSearchParams({ game: this.name });
    for (const [name, value] of Object.entries(this.parameters)) words.set(`p.${name}`, value);
    if (this.position) words.set("position", this.position);
    const moves = this.at.path;
    if (moves.length) words.set("moves", joined(moves));
    if (this.branches) {
      const tree = JSON.stringify(this.tree);
      if (tree.length <= LONGEST_TREE) words.set("tree", tree);
    }
    return words.toString();
  }

  /** The game in the part of a URL after "#"; null if it names none. */
  static fromHash(hash) {
    const words = new URLSearchParams(hash.replace(/^#/, ""));
    if (!words.get("game")) return null;
    const parameters = {};
    for (const [name, value] of words) if (name.startsWith("p.")) parameters[name.slice(2)] = value;
    const game = new Game(words.get("game"), parameters, words.get("position") ?? "");
    game.addTree(treeIn(words.get("tree")));
    game.visit(game.add(split(words.get("moves") ?? "")));
    return game;
  }
}

function written(root) {
  const whole = root.note ? [root.note] : [];
  const work = [[root, whole]];
  while (work.length) {
    const [start, items] = work.pop();
    for (let node = start; node.children.length; [node] = node.children) {
      const [first, ...others] = node.children;
      items.push(first.move, ...noteOf(first));
      for (const other of others) {
        const variation = [...(other.lead ? [other.lead] : []), other.move, ...noteOf(other)];
        items.push(variation);
        work.push([other, variation]);
      }
    }
  }
  return whole;
}

function noteOf({ note }) {
  return note ? [note] : [];
}

/** A tree of moves as text; an empty one if it is none. */
function treeIn(text) {
  try {
    return checkedTree(JSON.parse(text ?? "[]"));
  } catch {
    return [];
  }
}

const NOTES = ["comment", "marks", "properties"];

/** Whether something from elsewhere is what may be said about a move. */
function isNote(item) {
  if (typeof item !== "object" || item === null || Object.keys(item).some((key) => !NOTES.includes(key))) return false;
  const { comment = "", marks = [], properties = {} } = item;
  const texts = (list) => Array.isArray(list) && list.every((one) => typeof one === "string");
  return typeof comment === "string" && texts(marks) && typeof properties === "object" && properties !== null
    && Object.values(properties).every(texts);
}

/** A tree of moves that came from elsewhere: lists, texts and notes, not too many; an empty one if it is none. */
export function checkedTree(tree, most = MOST_MOVES) {
  let count = 0;
  const work = [tree];
  while (work.length) {
    const items = work.pop();
    if (!Array.isArray(items)) return [];
    for (const item of items) {
      count += 1;
      if (Array.isArray(item)) work.push(item);
      else if (isNote(item)) continue;
      else if (typeof item !== "string" || item.length > 200) return [];
    }
    if (count > most) return [];
  }
  return tree;
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
