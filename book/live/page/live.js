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

  function press(bar, place, verb) {
    if (location.protocol === "file:") {
      bar.querySelector(".live-said").replaceChildren("A page that was opened as a file cannot run Python. Type ",
        make("code", { textContent: "lifelong serve" }), " in the book’s folder, and open the address that it prints.");
      return;
    }
    load().then(opened => opened[verb](+place)).catch(error => {
      loaded = undefined;
      bar.querySelector(".live-said").textContent = `The page’s script did not load: ${error.message}`;
    });
  }

  Object.entries(cells).sort(([a], [b]) => a - b).forEach(([place, missing], number) => {
    const cell = document.querySelector(`div.cell.live-${place}`), input = cell?.querySelector(".cell_input");
    if (!input) return;
    const bar = make("div", { className: "live-bar" }), said = make("span", { className: "live-said" });
    said.setAttribute("role", "status");
    if (missing.length) {
      said.append(`Not in this page: it needs ${missing.join(" and ")}. `, make("code", { textContent: `jupyter lab ${page}.ipynb` }), " runs it.");
    } else {
      const button = (word, verb, what) => {
        const made = make("button", { type: "button", textContent: word, className: `live-${verb}` });
        made.setAttribute("aria-label", `${word} ${what}`);
        made.addEventListener("click", () => press(bar, place, verb));
        return made;
      };
      bar.append(button("Run", "run", `cell ${number + 1}`), button("Edit", "edit", `cell ${number + 1}`));
      if (!number && Object.keys(cells).length > 1) bar.append(button("Run all", "all", "cells of this page"));
      input.addEventListener("dblclick", () => press(bar, place, "edit"));
    }
    bar.append(said);
    input.after(bar);
  });
})();
