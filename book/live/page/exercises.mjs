// Boxes below exercises: the stub in an editor, and what its check says. Loaded at the first press in one of them.
import { make } from "./page.mjs";
import { shown } from "./outputs.mjs";

let made;
export const boxes = page => (made ??= new Boxes(page));

class Boxes {
  constructor(page) { Object.assign(this, { page, known: new Map() }); }

  box(root) {
    if (!this.known.has(root)) {
      const code = root.querySelector(".highlight-python"), source = code.querySelector("pre").textContent.trimEnd() + "\n";
      const bar = root.querySelector(".live-bar");
      this.known.set(root, {
        root, code, bar, source, text: source, label: root.dataset.exercise, name: root.dataset.name,
        said: bar.querySelector(".live-said"), panel: make("div", { className: "live-panel", hidden: true }),
      });
      bar.after(this.known.get(root).panel);
    }
    return this.known.get(root);
  }

  async edit(root) {
    const box = this.box(root);
    if (box.editor) return box.editor.focus();
    const { edit } = await import(`${this.page.base}editor.mjs`);
    const holder = make("div", { className: "live-editor" });
    box.code.hidden = true;
    box.code.after(holder);
    box.bar.classList.add("live-editing");
    holder.addEventListener("keydown", event => event.stopPropagation());  // "/" is a division here, no search
    box.editor = edit({
      parent: holder, text: box.text, label: `Answer to ${box.name}. Escape leaves the editor, Control and Enter checks the answer.`,
      change: text => { box.text = text; this.say(box); },
      run: () => this.check(root), leave: () => box.bar.querySelector(".live-check").focus(),
    });
    const reset = make("button", { type: "button", textContent: "Reset", className: "live-reset" });
    reset.setAttribute("aria-label", `Reset the answer to ${box.name}`);
    reset.addEventListener("click", () => this.reset(box));
    box.bar.querySelector(".live-edit").after(reset);
    box.editor.focus();
  }

  reset(box) {
    box.editor.destroy();
    box.root.querySelector(".live-editor").remove();
    box.bar.querySelector(".live-reset").remove();
    box.bar.classList.remove("live-editing");
    box.code.hidden = false;
    box.text = box.source; box.editor = undefined;
    this.say(box);
    box.bar.querySelector(".live-edit").focus();
  }

  check(root) {
    const box = this.box(root), { page } = this, name = `the check of ${box.name}`;
    return page.hold(async () => {
      page.running = { name };
      page.say(`Running ${name}`);
      this.say(box);
      const done = await page.call({ verb: "check", source: box.text, label: box.label, name: `answer to ${box.name}` });
      this.say(box, done);
      page.say(`Done: ${name}.`);
    });
  }

  // The verdict, or nothing while there is none; below it what the code printed, and where it failed
  say(box, done) {
    const verdict = !done ? "" : done.error ? "error" : done.right ? "right" : "wrong";
    box.bar.dataset.verdict = verdict;
    box.said.textContent = { "": "", error: "The code ended with an error." }[verdict] ?? done.words;
    box.panel.replaceChildren(...(done ? shown(make, { text: "", tags: [] }, done) : []));
    box.panel.dataset.verdict = verdict;
    box.panel.hidden = !box.panel.children.length;
  }
}
