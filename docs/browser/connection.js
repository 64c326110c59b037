/**
 * Python in a worker of the page, in place of a server: the same messages, the same answers. A loop that does not end
 * is stopped by ending the worker; the next one is ready after a second or two.
 */

/** Thrown to the caller of something that was stopped. */
export class Superseded extends Error {}

const GONE = "Stopped. Python starts again.";

export class Connection {
  /** @param {(state: "open" | "closed") => void} onState called when Python is ready and when it is not */
  constructor(onState = () => {}) {
    this.onState = onState;
    /** Messages without a result yet, by id. */
    this.pending = new Map();
    this.lastId = 0;
    this.open();
  }

  open() {
    this.onState("closed");
    const connection = document.getElementById("connection");
    if (connection) connection.textContent = "Python is loading…";
    this.worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    this.worker.addEventListener("message", (event) => this.receive(event.data));
    this.worker.addEventListener("error", (event) => this.fail(`Python could not be loaded: ${event.message}`));
  }

  /**
   * Send a message.
   * @param {string} type one of the types in in_browser.py, or run, define or grade
   * @param {object} fields
   * @param {(reply: {print?: string}) => void} onProgress called with each line that is printed
   * @returns {Promise<any>} the result; rejected with the error
   */
  ask(type, fields = {}, onProgress = () => {}) {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { resolve, reject, onProgress });
      this.worker.postMessage({ id, type, ...fields });
    });
  }

  /** End whatever runs, and begin with a new Python. */
  stop() {
    this.worker.terminate();
    for (const { reject } of this.pending.values()) reject(new Superseded(GONE));
    this.pending.clear();
    this.open();
  }

  fail(words) {
    const connection = document.getElementById("connection");
    if (connection) connection.textContent = words;
    for (const { reject } of this.pending.values()) reject(new Error(words));
    this.pending.clear();
  }

  receive(reply) {
    if (reply.ready) {
      this.onState("open");
      return;
    }
    if (reply.failed) {
      this.fail(reply.failed);
      return;
    }
    const request = this.pending.get(reply.id);
    if (!request) return;
    if ("print" in reply) {
      request.onProgress(reply);
      return;
    }
    this.pending.delete(reply.id);
    if ("error" in reply) request.reject(new Error(reply.error));
    else request.resolve(reply.result);
  }
}
