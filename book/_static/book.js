// What scrolls sideways within its own box can be reached and scrolled from the keyboard; nothing else is a tab stop.
const BOXES = "article :is(div.math, div.cell_output, div.output, div.wide, pre, div.highlight, mjx-container, " +
  ".pst-scrollable-table-container, aside.margin)";
function reach() {
  for (const box of document.querySelectorAll(BOXES)) {
    const scrolls = box.scrollWidth > box.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(box).overflowX);
    if (scrolls && box.tabIndex < 0) box.setAttribute("tabindex", "0");
    else if (!scrolls && box.matches("[tabindex]:not([data-tabindex])")) box.removeAttribute("tabindex");
  }
}
window.addEventListener("load", () => (window.MathJax?.startup?.promise ?? Promise.resolve()).then(reach));
window.addEventListener("resize", () => requestAnimationFrame(reach));
document.addEventListener("toggle", () => requestAnimationFrame(reach), true);  // what opens may scroll, too
// the signs that open the chapters of a part in the contents have a name
for (const sign of document.querySelectorAll("nav details > summary:not([aria-label])")) {
  const page = sign.closest("li")?.querySelector("a");
  sign.setAttribute("aria-label", `Pages below ${page?.textContent.trim() ?? "this one"}`);
}
