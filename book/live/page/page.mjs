// A page that runs: its cells, its interpreter, and what is shown of both. Loaded at the first press, by live.js.
import { shown } from "./outputs.mjs";

const megabytes = bytes => `${(bytes / 1e6).toFixed(1)} MB`;
const seconds = time => (time < 0.95 ? `${Math.max(time, 0.01).toFixed(2)} s` : `${time.toFixed(1)} s`);
const PHASES = {
  interpreter: "Loading Python", packages: "Loading numpy", book: "Loading the book’s package", drawing: "Loading matplotlib",
};

export const make = (tag, given = {}, ...inside) => {
  const made = Object.assign(document.createElement(tag), given);
  made.append(...inside);
  return made;
};

export async function open({ base, page }) {
  const answers = await Promise.all([`pages/${page}.json`, "live.json"].map(name => fetch(base + name)));
  for (const answer of answers) if (!answer.ok) throw Error(`${answer.url}: ${answer.status}`);
  const [held, list] = await Promise.all(answers.map(answer => answer.json()));
  return (globalThis.livePage = new Page(base, held, list));  // by this name the tests find it
}

class Page {
  constructor(base, held, list) {
    Object.assign(this, { base, held, sizes: list.sizes, calls: new Map(), calling: 0, busy: false });
    let number = 0;
    this.cells = held.cells.map((cell, index) => ({
      ...cell, index, text: cell.source, ran: false, root: document.querySelector(`div.cell.live-${cell.place}`),
      number: ["open", "folded"].includes(cell.kind) ? ++number : 0,
    }));
    for (const cell of this.cells) {
      cell.name = cell.number ? `cell ${cell.number}` : `cell after cell ${this.before(cell)}, which the page does not show`;
      cell.bar = cell.number ? cell.root?.querySelector(".live-bar") : null;
    }
    this.strip();
  }

  before = cell => Math.max(0, ...this.cells.slice(0, cell.index).map(other => other.number));
  at = place => this.cells.find(cell => cell.place === place);
  get changed() { return this.cells.filter(cell => cell.text !== cell.source); }

  // --- The strip at the foot of the window: what is going on, and what can be done about it

  strip() {
    const button = (word, act) => {
      const made = make("button", { type: "button", textContent: word });
      made.addEventListener("click", act);
      return made;
    };
    this.words = make("span", { className: "live-words" });
    this.words.setAttribute("role", "status");
    this.amount = make("span", { className: "live-amount" });  // how far it is: seen, not read aloud at every step
    this.amount.setAttribute("aria-hidden", true);
    this.bar = make("progress", { max: 1, hidden: true });
    this.bar.setAttribute("aria-label", "Loading");
    this.stops = button("Stop", () => this.stop());
    this.alls = button("Run all", () => this.all());
    this.resets = button("Reset all", () => this.changed.forEach(cell => this.reset(cell.place)));
    this.foot = make("aside", { className: "live-strip" }, this.words, this.amount, this.bar, this.stops, this.alls, this.resets);
    this.foot.setAttribute("aria-label", "Python in this page");
    this.stops.setAttribute("aria-keyshortcuts", "Escape");
    document.addEventListener("keydown", event => {
      if (event.key === "Escape" && this.busy && event.target.closest?.(".live-bar, .live-strip")) this.stop();
    });
    document.body.append(this.foot);
    this.update();
  }

  say(words, amount = "") {
    if (this.words.textContent !== words) this.words.textContent = words;
    this.amount.textContent = amount;
  }

  update() {
    const at = document.activeElement;
    this.stops.hidden = !this.busy;
    this.alls.hidden = this.busy;
    this.resets.hidden = this.busy || !this.changed.length;
    if (at?.hidden && this.foot.contains(at)) (this.busy ? this.stops : this.alls).focus();  // what was pressed is gone
    for (const { bar } of this.cells) bar?.querySelectorAll(".live-run, .live-all").forEach(e => e.setAttribute("aria-disabled", this.busy));
    document.querySelectorAll(".live-check").forEach(e => e.setAttribute("aria-disabled", this.busy));
    document.documentElement.toggleAttribute("data-live-busy", this.busy);
  }

  // --- The interpreter

  start() {
    return this.ready ??= (async () => {
      this.got = 0; this.wanted = this.sizes.start; this.phase = "interpreter"; this.bar.hidden = false;
      this.worker = new Worker(`${this.base}worker.mjs`, { type: "module" });
      this.worker.onmessage = ({ data }) => this.hear(data);
      this.worker.onerror = event => this.broke(event.message || "its worker did not start");
      this.progress();
      await this.call({ verb: "start", folder: this.held.page.replace(/[^/]*$/, "") });
      this.bar.hidden = true;
    })();
  }

  hear(data) {
    if (data.kind === "bytes") this.got += data.count;
    else if (data.kind === "phase") {
      if (data.name === "drawing") { this.got = 0; this.wanted = this.sizes.drawing; this.bar.hidden = false; }
      this.phase = data.name;
    } else {
      const { done, fail } = this.calls.get(data.id);
      this.calls.delete(data.id);
      return "failed" in data ? fail(Error(data.failed)) : done(data.ok);
    }
    this.progress();
  }

  progress() {
    this.bar.value = Math.min(1, this.got / this.wanted);
    const all = this.got >= this.wanted;
    this.say(PHASES[this.phase], all ? "" : `${megabytes(this.got)} of ${megabytes(this.wanted)}`);
  }

  call(message) {
    return new Promise((done, fail) => {
      this.calls.set(++this.calling, { done, fail });
      this.worker.postMessage({ ...message, id: this.calling });
    });
  }

  broke(words) {
    for (const { fail } of this.calls.values()) fail(Error(words));
    this.calls.clear();
  }

  stop() {
    const running = this.running;
    this.end();
    this.broke("stopped");
    this.say(`Stopped${running ? ` in ${running.name}` : ""}. What the cells had computed in this page is gone; the next press starts Python anew and runs the cells above once more.`);
  }

  end() {
    this.worker?.terminate();
    this.worker = this.ready = undefined;
    this.bar.hidden = true;
    for (const cell of this.cells) cell.ran = false;
  }

  // --- Running

  run(place) { return this.cells && this.work(this.at(place)); }

  all() { return this.work(this.cells.at(-1), true); }

  // Whoever has the interpreter has it alone, until done or stopped
  async hold(act) {
    if (this.busy) return;
    this.busy = true; this.update();
    try {
      await this.start();
      await act();
    } catch (error) {
      if (error.message !== "stopped") { this.end(); this.say(`Python did not run: ${error.message}`); }
    } finally {
      this.running = undefined;
      this.busy = false; this.update();
    }
  }

  // What has not run above a cell, the cell, and what the page shows of it
  work(cell, all = false) {
    const plan = all ? this.cells : this.cells.filter((c, i) => (i < cell.index ? !c.ran : i <= cell.last));
    const started = performance.now(), aside = [];
    let failed;
    return this.hold(async () => {
      const runs = plan.filter(c => !c.missing.length);
      for (const [i, c] of runs.entries()) {
        this.running = c;
        this.bar.hidden = true;
        this.say(`Running ${c.number ? c.name : `what belongs to cell ${this.before(c) || 1}`}`, `${i + 1} of ${runs.length}`);
        const done = await this.one(c, c === cell || all);
        if (!c.root) aside.push({ cell: c, done });
        if (done.error && !failed) failed = c;
        // a check that fails in the open stops nothing: those below it are asked as well
        if (done.error && done.error.name !== "AssertionError" && c.index < cell.index && !all) break;
      }
      this.note(cell, aside);
      if (failed) return this.say(`${failed.number ? `Cell ${failed.number}` : "A cell"} ended with an error.`);
      const of = cell.number && !all ? ` Cell ${cell.number}: ${this.verdict(cell, cell.done).words}.` : "";
      this.say(`Done in ${seconds((performance.now() - started) / 1000)}.${of}`);
    });
  }

  async one(cell, open) {
    cell.root?.classList.add("live-running");
    const edited = cell.text !== cell.source;
    try {
      const drawn = cell.draws || (edited && this.cells.some(c => c.draws));
      const done = await this.call({ verb: "run", source: cell.text, name: cell.name, stored: cell.stored, draws: drawn, needs: cell.needs,
        known: open || cell.panel?.open ? [] : cell.stored.filter(o => o[0] === "figure").map(o => o[1]) });
      for (const other of this.cells) if (other.index > cell.index) other.ran = false;
      cell.ran = !done.error;
      cell.done = done;
      if (cell.root) this.show(cell, done, open);
      return done;
    } finally {
      cell.root?.classList.remove("live-running");
    }
  }

  // --- What is shown

  panel(cell) {
    if (!cell.panel) {
      cell.panel = make("details", { className: "live-panel" });
      const after = [...cell.root.querySelectorAll(".cell_output")].at(-1) ?? cell.bar;
      after.after(cell.panel);
      cell.panel.addEventListener("toggle", () => this.swap(cell));
    }
    return cell.panel;
  }

  // What was computed stands where the book's output was; folded, that is back. Links to it find their place all the same.
  swap(cell) {
    const here = Boolean(cell.panel?.open && cell.done) && !cell.panel.querySelector(".live-above");
    for (const old of cell.root.querySelectorAll(".cell_output")) {
      old.classList.toggle("live-replaced", here);
      old.inert = here;
    }
  }

  show(cell, done, open) {
    const panel = this.panel(cell), verdict = this.verdict(cell, done);
    const line = make("summary", {}, make("b", { textContent: "Computed in this page" }), ` in ${seconds(done.seconds)}: `, make("span", { textContent: verdict.words }));
    panel.dataset.verdict = verdict.name;
    panel.open = open || panel.open || verdict.name === "differs" || Boolean(done.error);
    panel.replaceChildren(line, ...shown(make, cell, done));
    if (verdict.name === "differs" && !this.changed.length) panel.append(...this.parting(done.differs));
    this.swap(cell);
    if (done.error) for (const fold of cell.root.querySelectorAll("details.hide")) fold.open = true;
    window.MathJax?.typesetPromise?.([panel]);
  }

  verdict(cell, done) {
    if (done.error) return { name: "error", words: "it ended with an error" };
    const some = done.outputs.some(o => o[0] !== "glue"), below = cell.last > cell.index ? ", but what follows may" : "";
    if (cell.text !== cell.source) return { name: "yours", words: some ? "your version" : `your version; it shows nothing itself${below}` };
    if (!done.differs.length) return { name: "same", words: some ? "same as in the book" : "done; it shows nothing itself" };
    const yours = this.changed.filter(c => c.index < cell.index);
    if (yours.length) return { name: "differs", words: "not as in the book, for you have changed what stands above" };
    return done.differs.every(d => d.kind === "figure" && d.here) ? { name: "differs", words: "drawn anew, and not exactly as in the book" } : { name: "differs", words: "not quite as in the book" };
  }

  parting(differs) {
    return differs.filter(d => d.kind !== "figure").slice(0, 3).map(d => make("p", { className: "live-parting" },
      "In the book: ", make("code", { textContent: d.book || "nothing" }), " Here: ", make("code", { textContent: d.here || "nothing" })));
  }

  // Cells that the page hides: numbers of the text that are others now, and checks that no longer hold
  note(cell, aside) {
    const lines = [];
    for (const { cell: hidden, done } of aside) {
      for (const { kind, book, here } of done.differs) {
        if (kind !== "glue" || done.error) continue;
        lines.push(make("li", {}, `${here.split(" = ")[0]}: `, make("code", { textContent: book.split(" = ").slice(1).join(" = ") || "nothing" }), " in the book, ", make("code", { textContent: here.split(" = ").slice(1).join(" = ") }), " here"));
      }
      if (done.error) {
        const at = done.error.lines.at(-1);
        const words = this.changed.length ? "What the text says of the book’s own numbers does not hold for yours: " : "A cell that the page does not show failed: ";
        lines.push(make("li", {}, words, make("code", { textContent: at?.text.trim() || done.error.words }), ` (${done.error.name}${done.error.words ? `: ${done.error.words}` : ""})`));
      }
    }
    const root = cell.number ? cell : this.cells.findLast(c => c.number && c.index <= cell.index) ?? cell;
    if (!lines.length || !root.root) return;
    const panel = this.panel(root);
    if (!panel.firstChild) panel.append(make("summary", {}, make("b", { textContent: "Computed in this page" })));
    panel.append(make("ul", { className: "live-notes" }, ...lines));
    panel.open = true;
  }

  // --- Editing

  async edit(place) {
    const cell = this.at(place), input = cell.root.querySelector(".cell_input");
    if (cell.editor) return cell.editor.focus();
    const { edit } = await import(`${this.base}editor.mjs`);
    input.hidden = true;
    cell.bar.classList.add("live-editing");
    const holder = make("div", { className: "live-editor" });
    input.after(holder);
    holder.addEventListener("keydown", event => event.stopPropagation());  // "/" is a division here, no search
    cell.editor = edit({
      parent: holder, text: cell.text, label: `Code of cell ${cell.number}. Escape leaves the editor, Control and Enter runs the cell.`,
      change: text => { cell.text = text; cell.ran = false; this.mark(cell); },
      run: () => this.run(place), leave: () => cell.bar.querySelector(".live-run").focus(),
    });
    if (!cell.bar.querySelector(".live-reset")) {
      const reset = make("button", { type: "button", textContent: "Reset", className: "live-reset" });
      reset.setAttribute("aria-label", `Reset cell ${cell.number}`);
      reset.addEventListener("click", () => { this.reset(place); cell.bar.querySelector(".live-edit").focus(); });
      cell.bar.querySelector(".live-edit").after(reset);
    }
    cell.editor.focus();
  }

  mark(cell) {
    cell.bar.classList.toggle("live-changed", cell.text !== cell.source);
    this.update();
  }

  reset(place) {
    const cell = this.at(place);
    cell.editor?.destroy();
    cell.root.querySelector(".live-editor")?.remove();
    cell.bar.querySelector(".live-reset")?.remove();
    cell.bar.classList.remove("live-editing");
    cell.root.querySelector(".cell_input").hidden = false;
    if (cell.text !== cell.source) cell.ran = false;
    cell.text = cell.source; cell.editor = undefined;
    cell.panel?.remove(); cell.panel = undefined;
    this.swap(cell);
    this.mark(cell);
  }
}
