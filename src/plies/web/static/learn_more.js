/** The parts of a large tree that are only counted: each can be opened. */

import { makeSvg } from "./dom.js";

/**
 * Make what stands for nodes that are not drawn a button.
 * @param {HTMLElement} room where the tree is
 * @param {(node: number) => void} open called with the node above them
 */
export function openable(room, open) {
  for (const more of room.querySelectorAll(".more[data-parent]")) {
    const words = more.querySelector(".count").textContent.replace("…", "").trim();
    more.setAttribute("role", "button");
    more.setAttribute("tabindex", "0");
    more.setAttribute("aria-label", `Show ${words}`);
    const box = more.getBBox();
    const place = { x: box.x - 4, y: box.y - 4, width: box.width + 8, height: box.height + 8 };
    more.append(makeSvg("rect", { class: "hit", ...place }));
    const go = () => open(Number(more.dataset.parent));
    more.addEventListener("click", go);
    more.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation();
      go();
    });
  }
}
