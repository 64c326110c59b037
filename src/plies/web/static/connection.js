/**
 * The WebSocket to the server. It reconnects by itself and sends again what was not answered: every message is
 * complete in itself, so a server that was restarted can answer it.
 */

const FIRST_DELAY = 300;
const LONGEST_DELAY = 5000;
/** The most bytes of a message, as the server has it; it ends the connection for a longer one. */
const LARGEST = 65_536;

/** Thrown to the caller of a search that was given up for another. */
export class Superseded extends Error {}

export class Connection {
  /** @param {(state: "open" | "closed") => void} onState called when the connection opens and when it is lost */
  constructor(onState = () => {}) {
    this.onState = onState;
    /** Messages without a result yet, by id. */
    this.pending = new Map();
    this.lastId = 0;
    this.searchId = null;
    this.delay = FIRST_DELAY;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/ws`);
    this.socket.addEventListener("open", () => {
      this.delay = FIRST_DELAY;
      this.onState("open");
      for (const [id, { message }] of this.pending) this.send(id, message);
    });
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      if (this.ended) return;
      this.onState("closed");
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(2 * this.delay, LONGEST_DELAY);
    });
  }

  /** End it for good. */
  end() {
    this.ended = true;
    this.giveUp();
    this.socket.close();
  }

  send(id, message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id, ...message }));
  }

  /**
   * Send a message.
   * @param {string} type one of the types in messages.py
   * @param {object} fields
   * @param {(reply: {info?: object, note?: string}) => void} onProgress called with replies before the last
   * @returns {Promise<any>} the result; rejected with the server's error, or if the message is too large
   */
  ask(type, fields = {}, onProgress = () => {}) {
    const id = ++this.lastId;
    const message = { type, ...fields };
    if (new TextEncoder().encode(JSON.stringify({ id, ...message })).length > LARGEST) {
      return Promise.reject(new Error(`this is too large: the server reads at most ${LARGEST.toLocaleString("en")} bytes at once`));
    }
    return new Promise((resolve, reject) => {
      this.pending.set(id, { message, resolve, reject, onProgress });
      this.send(id, message);
    });
  }

  /** Send a message that starts a search. There is one at a time: an earlier one is given up. */
  search(type, fields, onProgress) {
    this.giveUp();
    const result = this.ask(type, fields, onProgress);
    this.searchId = this.lastId;
    return result;
  }

  /** Drop the current search; the server learns of it by `stop` or the next search. */
  giveUp() {
    const request = this.pending.get(this.searchId);
    this.pending.delete(this.searchId);
    this.searchId = null;
    request?.reject(new Superseded());
  }

  /** End the current search. */
  stop() {
    if (this.searchId === null) return;
    this.giveUp();
    this.ask("stop").catch(() => {}); // refused, at worst, for too many messages; the search is given up anyway
  }

  receive(reply) {
    const request = this.pending.get(reply.id);
    if (!request) return;
    if ("info" in reply || "note" in reply) {
      request.onProgress(reply);
      return;
    }
    this.pending.delete(reply.id);
    if (this.searchId === reply.id) this.searchId = null;
    if ("error" in reply) request.reject(new Error(reply.error));
    else request.resolve(reply.result);
  }
}
