/** Printing: the tree on one page, as it is shown or after the last step, always on white. */

import { $, listen } from "./dom.js";

/**
 * Connect the buttons.
 * @param {() => {go: (step: number) => void, step: () => number, total: number} | null} steps those that are shown
 */
export function setUpPrinting(steps) {
  const { dataset } = document.documentElement;
  let theme;
  addEventListener("beforeprint", () => {
    theme = dataset.theme;
    dataset.theme = "light";
  });
  addEventListener("afterprint", () => {
    if (theme === undefined) delete dataset.theme;
    else dataset.theme = theme;
  });
  listen("print", "click", () => print());
  listen("print-all", "click", () => {
    const before = steps().step();
    steps().go(steps().total);
    print();
    steps().go(before);
  });
}

/** The finished search can be printed only where there is one. */
export const showPrinting = (steps) => { $("print-all").hidden = !steps; };
