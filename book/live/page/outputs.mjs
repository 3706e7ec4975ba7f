// What a cell shows, as elements of the page: words, drawings, tables and pictures that move.
let count = 0;

export function shown(make, cell, done) {
  const found = done.outputs.map(output => VIEWS[output[0]]?.(make, output, cell)).filter(Boolean);
  if (done.error) return [...found, failure(make, done.error)];
  const caption = cell.root?.querySelector(".cell_output figcaption")?.cloneNode(true);
  if (!caption || !done.outputs.some(([kind, , drawn]) => kind === "html" || (kind === "figure" && drawn))) return found;
  caption.querySelectorAll(".headerlink").forEach(e => e.remove());
  return [make("figure", {}, ...found, caption)];  // the book's caption below what takes its picture's place
}

const VIEWS = {
  text: (make, [, text]) => make("pre", { textContent: text.trimEnd() }),
  stderr: (make, [, text]) => make("pre", { textContent: text.trimEnd(), className: "live-warning" }),
  markdown: (make, [, text]) => make("div", { className: "live-text", innerHTML: markdown(text) }),
  html: (make, [, text, whole]) => lively(make("form", { className: "live-html" }), whole ?? text),
  figure: (make, [, , drawing], cell) => drawing ? picture(make, drawing, cell)
    : make("p", { className: "live-notes live-above", textContent: "It computes the picture above, point by point; “Run all” draws it anew." }),
};

// A drawing is an image of its own: no name in it meets one of the page.
function picture(make, drawing, cell) {
  const width = /\bwidth="([\d.]+)pt"/.exec(drawing), address = URL.createObjectURL(new Blob([drawing], { type: "image/svg+xml" }));
  const drawn = make("img", { src: address, alt: cell.text === cell.source && cell.alt ? cell.alt : `Drawn anew in this page. In the book: ${cell.alt || "a picture"}` });
  if (width) drawn.style.width = `${Math.round(width[1] / 0.72)}px`;  // 100 dots an inch, as in the book
  if (cell.tags.includes("photograph")) drawn.className = "live-photograph";
  drawn.addEventListener("load", () => URL.revokeObjectURL(address), { once: true });
  return drawn;
}

// HTML put in anew: scripts run only if they are made by script, and what has a name on the page already gets another.
function lively(holder, html) {
  holder.innerHTML = html;
  holder.addEventListener("submit", event => event.preventDefault());  // a form, so that radio buttons keep to themselves
  const suffix = `-live-${++count}`, names = new Set([...holder.querySelectorAll("[id]")].map(e => e.id));
  const renamed = text => text.split(/\s+/).map(name => (names.has(name) ? name + suffix : name)).join(" ");
  for (const e of holder.querySelectorAll("*")) {
    for (const name of ["id", "for", "list", "aria-labelledby", "aria-describedby", "aria-controls"])
      if (e.hasAttribute(name)) e.setAttribute(name, renamed(e.getAttribute(name)));
    for (const { name, value } of [...e.attributes])
      if (/url\(#|^#/.test(value)) e.setAttribute(name, value.replace(/#([\w-]+)/g, (all, id) => (names.has(id) ? `#${id}${suffix}` : all)));
  }
  for (const old of holder.querySelectorAll("script")) {  // they run when the holder comes into the page
    const fresh = document.createElement("script");
    for (const { name, value } of old.attributes) fresh.setAttribute(name, value);
    fresh.textContent = old.textContent;
    old.replaceWith(fresh);
  }
  return holder;
}

function failure(make, error) {
  const box = make("div", { className: "live-error" }, make("p", {}, make("b", { textContent: error.name }), error.words ? `: ${error.words}` : ""));
  if (error.lines.length) {
    box.append(make("ol", {}, ...error.lines.map(line => make("li", {}, `${line.cell}, line ${line.line}: `, make("code", { textContent: line.text.trim() })))));
  }
  if (error.where) box.append(make("p", {}, "Raised in ", make("code", { textContent: error.where }), "."));
  return box;
}

// --- Markdown as the book's tables use it: tables and paragraphs, emphasis, code, links and formulas

const escaped = text => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

function inline(text) {
  const kept = [], keep = html => `\u0000${kept.push(html) - 1}\u0000`;
  return escaped(text)
    .replace(/\\\|/g, "|")
    .replace(/`([^`]+)`/g, (_, code) => keep(`<code>${code}</code>`))
    .replace(/\$([^$]+)\$/g, (_, formula) => keep(`<span class="math notranslate nohighlight">\\(${formula}\\)</span>`))
    .replace(/\{[\w:]+\}(?=\u0000)/g, "")
    .replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, words, address) => keep(/^(https?:|#)/.test(address) ? `<a href="${address}">${words}</a>` : words))
    .replace(/\*\*([^*]+)\*\*/g, "<strong>$1</strong>")
    .replace(/\*([^*]+)\*/g, "<em>$1</em>")
    .replace(/\u0000(\d+)\u0000/g, (_, i) => kept[i])
    .replace(/\u0000(\d+)\u0000/g, (_, i) => kept[i]);
}

function table(lines) {
  const parts = line => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map(part => part.trim());
  const sides = parts(lines[1]).map(rule => (rule.endsWith(":") ? "right" : "left"));
  const row = (line, tag) => `<tr>${parts(line).map((part, i) => `<${tag} class="text-${sides[i]}">${inline(part)}</${tag}>`).join("")}</tr>`;
  return `<div class="wide"><table class="table"><thead>${row(lines[0], "th")}</thead><tbody>${lines.slice(2).map(line => row(line, "td")).join("")}</tbody></table></div>`;
}

export function markdown(text) {
  return text.split(/\n{2,}/).map(block => {
    const lines = block.split("\n").filter(line => line.trim());
    if (lines.length > 1 && /^\s*\|?[\s:|-]+\|?\s*$/.test(lines[1]) && lines[1].includes("-")) return table(lines);
    return lines.length ? `<p>${inline(lines.join(" "))}</p>` : "";
  }).join("");
}
