/**
 * The WebSocket to the server. It opens itself again when it was lost, and asks again what was not answered:
 * every request says all that is needed for its answer, so a server that was restarted knows what to do.
 */

const FIRST_PAUSE = 300;
const LONGEST_PAUSE = 5000;

/** Thrown to whoever waits for an answer that nobody wants any more. */
export class Superseded extends Error {}

export class Connection {
  /** @param {(state: "open" | "closed") => void} onState told when the connection is there, and when it is lost */
  constructor(onState = () => {}) {
    this.onState = onState;
    /** Requests without an answer yet, by id. */
    this.pending = new Map();
    this.number = 0;
    this.searching = null;
    this.pause = FIRST_PAUSE;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/live`);
    this.socket.addEventListener("open", () => {
      this.pause = FIRST_PAUSE;
      this.onState("open");
      for (const [id, request] of this.pending) this.write(id, request.message);
    });
    this.socket.addEventListener("message", (event) => this.hear(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => {
      this.onState("closed");
      setTimeout(() => this.open(), this.pause);
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
    });
  }

  write(id, message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ id, ...message }));
  }

  /**
   * Ask the server something.
   * @param {object} message what to do, and its fields
   * @param {(news: object) => void} onNews told what comes before the answer
   * @returns {Promise<object>} the answer; rejected with the server's sentence
   */
  ask(message, onNews = () => {}) {
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.pending.set(id, { message, resolve, reject, onNews });
      this.write(id, message);
    });
  }

  /** Ask for a search. There is one at a time: an earlier one is given up. */
  search(message, onNews) {
    this.giveUp();
    const answer = this.ask(message, onNews);
    this.searching = this.number;
    return answer;
  }

  /** Forget the search under way; the server is told by `stop`, or by the next search. */
  giveUp() {
    const request = this.pending.get(this.searching);
    this.pending.delete(this.searching);
    this.searching = null;
    request?.reject(new Superseded());
  }

  /** End the search under way. */
  stop() {
    if (this.searching === null) return;
    this.giveUp();
    this.ask({ do: "stop" }).catch(() => {});
  }

  hear(reply) {
    const request = this.pending.get(reply.id);
    if (!request) return;
    if ("info" in reply || "note" in reply) {
      request.onNews(reply);
      return;
    }
    this.pending.delete(reply.id);
    if (this.searching === reply.id) this.searching = null;
    if ("error" in reply) request.reject(new Error(reply.error));
    else request.resolve(reply);
  }
}
