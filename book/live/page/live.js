// Buttons below the cells of a page. Nothing else is loaded before the first press; `page.mjs` does the rest.
(() => {
  const base = new URL("./", document.currentScript.src).href;
  const { page, cells } = JSON.parse(document.getElementById("live-cells").textContent);
  const make = (tag, given = {}, ...inside) => {
    const made = Object.assign(document.createElement(tag), given);
    made.append(...inside);
    return made;
  };
  let loaded;
  const load = () => loaded ??= import(`${base}page.mjs`).then(module => module.open({ base, page }));

  const boxes = () => Promise.all([load(), import(`${base}exercises.mjs`)]).then(([opened, module]) => module.boxes(opened));

  function press(bar, place, verb, opening = load) {
    if (location.protocol === "file:") {
      bar.querySelector(".live-said").replaceChildren("A page that was opened as a file cannot run Python. Type ",
        make("code", { textContent: "lifelong serve" }), " in the book’s folder, and open the address that it prints.");
      return;
    }
    opening().then(opened => opened[verb](place)).catch(error => {
      loaded = undefined;
      bar.querySelector(".live-said").textContent = `The page’s script did not load: ${error.message}`;
    });
  }

  Object.entries(cells).sort(([a], [b]) => a - b).forEach(([place, missing], number) => {
    const cell = document.querySelector(`div.cell.live-${place}`), input = cell?.querySelector(".cell_input");
    if (!input) return;
    const bar = make("div", { className: "live-bar" }), said = make("span", { className: "live-said" });
    if (missing.length) {
      said.append(`Not in this page: it needs ${missing.join(" and ")}. `, make("code", { textContent: `jupyter lab ${page}.ipynb` }), " runs it.");
    } else {
      said.setAttribute("role", "status");
      const button = (word, verb, what) => {
        const made = make("button", { type: "button", textContent: word, className: `live-${verb}` });
        made.setAttribute("aria-label", `${word} ${what}`);
        made.addEventListener("click", () => press(bar, +place, verb));
        return made;
      };
      bar.append(button("Run", "run", `cell ${number + 1}`), button("Edit", "edit", `cell ${number + 1}`));
      if (!number && Object.keys(cells).length > 1) bar.append(button("Run all", "all", "cells of this page"));
      input.addEventListener("dblclick", () => press(bar, +place, "edit"));
    }
    bar.append(said);
    input.after(bar);
  });

  // An exercise: its stub, the buttons below it, and where the verdict is said
  for (const root of document.querySelectorAll("details.exercise-answer")) {
    const bar = make("div", { className: "live-bar" }), said = make("span", { className: "live-said" });
    said.setAttribute("role", "status");
    for (const [word, verb] of [["Check", "check"], ["Edit", "edit"]]) {
      const made = make("button", { type: "button", textContent: word, className: `live-${verb}` });
      made.setAttribute("aria-label", `${word} the answer to ${root.dataset.name}`);
      made.addEventListener("click", () => press(bar, root, verb, boxes));
      bar.append(made);
    }
    const code = root.querySelector(".highlight-python");
    code.addEventListener("dblclick", () => press(bar, root, "edit", boxes));
    bar.append(said);
    code.after(bar);
  }
})();
