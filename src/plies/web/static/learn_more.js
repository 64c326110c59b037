/** The parts of a large tree that are only counted: each can be opened. */

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
