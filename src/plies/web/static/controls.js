/** What buttons, fields and keys of the Play page do. */

import { isTyping, remember, remembered } from "./header.js";
import { Game } from "./game.js";

const $ = (id) => document.getElementById(id);

/** Give all controls of the page their meaning. */
export function setUpControls(page) {
  connectButtons(page);
  addEventListener("hashchange", () => page.fromAddress());
  document.addEventListener("keydown", (event) => key(page, event));
}

function connectButtons(page) {
  const on = (id, what) => $(id).addEventListener("click", what);
  on("new", () => page.newGame());
  on("first", () => page.go(page.game.root));
  on("back", () => page.step(-1));
  on("forward", () => page.step(1));
  on("last", () => page.go(page.game.end));
  on("undo", () => page.undo());
  on("redo", () => page.redo());
  on("go", () => page.moveMachine());
  on("run", () => page.run());
  on("step", () => page.moveMachine());
  on("more", () => page.analysis.goOn());
  on("review", () => page.review.toggle());
  on("hint", () => page.hints.more());
  on("analyse", () => page.analysis.toggle());
  on("rules", () => $("rules-dialog").showModal());
  $("game").addEventListener("change", () => {
    page.running = false;
    page.open(new Game($("game").value));
  });
  for (const id of ["algorithm", "lines", "limit"]) $(id).addEventListener("change", () => page.analysis.on && page.analysis.begin());
  $("show-bar").addEventListener("change", () => {
    page.analysis.showOrHideBar();
  });
  $("show-scores").addEventListener("change", () => {
    page.board.setScores($("show-scores").checked ? page.analysis.info?.scores ?? [] : []);
  });
  $("show-legal").checked = remembered("legal") !== "no";
  page.board.showLegal = $("show-legal").checked;
  $("show-legal").addEventListener("change", () => {
    page.board.showLegal = $("show-legal").checked;
    remember("legal", page.board.showLegal ? "yes" : "no");
    page.board.draw();
  });
  $("hints").addEventListener("change", () => page.render());
  $("speed").addEventListener("input", () => { $("pause").textContent = `${Number($("speed").value).toFixed(1)} s`; });
  $("typed").addEventListener("submit", (event) => {
    event.preventDefault();
    const text = $("move").value.trim();
    if (text) page.play(text);
    $("move").value = "";
  });
  for (const link of document.querySelectorAll("[data-mode]")) {
    link.addEventListener("click", (event) => {
      event.preventDefault();
      page.mode(link.dataset.mode);
    });
  }
}

/** Keys that work wherever nothing takes text. */
function key(page, event) {
  if (!page.game || isTyping(event) || event.defaultPrevented) return;
  const keys = {
    ArrowLeft: () => page.step(-1),
    ArrowRight: () => page.step(1),
    Home: () => page.go(page.game.root),
    End: () => page.go(page.game.end),
    u: () => page.undo(),
    r: () => page.redo(),
    n: () => page.newGame(),
    a: () => page.analysis.toggle(),
    b: () => $("board").focus(),
    m: () => $("move").focus(),
    h: () => !$("hint").hidden && page.hints.more(),
    p: () => page.watching && !page.view.over && page.run(),
    s: () => page.watching && !page.running && page.moveMachine(),
    Escape: () => {
      const choosing = $("choices").contains(document.activeElement);
      if (page.board.letGo() && choosing) $("board").focus({ preventScroll: true });
    },
  };
  if (event.key in keys) {
    event.preventDefault();
    keys[event.key]();
  }
}
