/** What is seen of a shared game: the invitation, the two players with their clocks, and what they may offer. */

import { offerControls, playerRow, showClock, TICK } from "./clocks_panel.js";
import { $, listen, makeSvg, onSubmit } from "./dom.js";
import { capital } from "./ending.js";

export class SharePanel {
  /**
   * @param {import("./shared_game.js").SharedGame} shared
   * @param {() => string[]} names the players of the game that is shown
   */
  constructor(shared, names) {
    this.shared = shared;
    this.names = names;
    offerControls($("share-clock"));
    listen("share", "click", () => this.ask());
    onSubmit("share-form", () => this.make());
    listen("share-copy", "click", () => this.copy());
    listen("invite", "click", async () => this.showInvitation(await shared.invitation()));
    for (const action of ["draw", "rematch", "decline"]) listen(`shared-${action}`, "click", () => shared.act(action));
    setInterval(() => this.showClocks(), TICK);
  }

  /** Ask for the side and the clock of a new game. */
  ask() {
    const names = this.names().map(capital);
    $("share-side").replaceChildren(new Option("Either", "-1"), ...names.map((name, seat) => new Option(name, seat)));
    $("share-made").hidden = true;
    $("share-form").hidden = false;
    this.fail("");
    $("share-dialog").showModal();
  }

  async make() {
    const [minutes, increment] = $("share-clock").value.split("+").map(Number);
    try {
      this.showInvitation(await this.shared.create({ seat: Number($("share-side").value), minutes, increment }));
    } catch (error) {
      this.fail(`${capital(error.message)}.`);
    }
  }

  fail(words) {
    $("share-problem").textContent = words;
    $("share-problem").hidden = !words;
  }

  showInvitation({ link, qr }) {
    this.fail("");
    $("share-form").hidden = true;
    $("share-made").hidden = false;
    $("share-link").value = link;
    const { size, path } = qr;
    $("qr").replaceChildren(makeSvg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": "The link as a QR code" }, makeSvg("path", { d: path })));
    if (!$("share-dialog").open) $("share-dialog").showModal();
  }

  async copy() {
    $("share-link").select();
    try {
      await navigator.clipboard.writeText($("share-link").value);
      $("share-note").textContent = "Link copied.";
    } catch {
      $("share-note").textContent = "Link selected. Press Ctrl+C to copy it.";
    }
  }

  /** Show the game that is followed; nothing if none is. */
  show() {
    const { state } = this.shared;
    $("shared").hidden = !state;
    $("table").classList.toggle("with-other", Boolean(state));
    $("table").classList.toggle("live", Boolean(state) && !this.shared.over);
    if (!state) return;
    const { seat, taken, offered } = state;
    const playing = seat !== null;
    const both = taken.every(Boolean);
    if (both && $("share-dialog").open) $("share-dialog").close();
    $("shared-players").replaceChildren(...this.names().map((name, number) => this.row(name, number)));
    $("invite").hidden = both;
    const draw = offered.draw ?? null;
    const rematch = offered.rematch ?? null;
    $("shared-draw").hidden = !playing || !both || this.shared.over || draw === seat;
    $("shared-draw").textContent = draw === 1 - seat ? "Accept the draw" : "Offer a draw";
    $("shared-rematch").hidden = !playing || !this.shared.over || rematch === seat;
    $("shared-rematch").textContent = rematch === 1 - seat ? "Accept the rematch" : "Rematch";
    $("shared-decline").hidden = !playing || ![draw, rematch].includes(1 - seat);
    $("shared-note").textContent = this.note(draw, rematch);
    this.showClocks();
  }

  note(draw, rematch) {
    const { seat, taken } = this.shared.state;
    if (!taken.every(Boolean)) return "Waiting for the other player. The link is for them.";
    const who = (number) => (number === seat ? "You have" : `${capital(this.names()[number])} has`);
    if (draw !== null) return `${who(draw)} offered a draw.`;
    if (rematch !== null) return `${who(rematch)} offered a rematch, with sides swapped.`;
    return seat === null ? "You watch this game." : "";
  }

  row(name, number) {
    const { seat, taken, here, acts } = this.shared.state;
    const who = number === seat ? "you" : !taken[number] ? "not here yet" : !here[number] ? "has lost the connection" : "";
    return playerRow(name, acts.includes(number), who);
  }

  showClocks() {
    if (!this.shared.state) return;
    [...$("shared-players").children].forEach((row, number) => showClock(row, this.shared.clock(number)));
  }
}
