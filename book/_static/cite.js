// Beside every theorem and exercise: its link, BibTeX and a plain reference, ready to be copied.
const fact = (name) => document.querySelector(`meta[name="citation_${name}"]`)?.content ?? "";
// an item of the paper is the paper's: it comes first, and then the place in this book
const PAPER = {
  plain: "Maria-Florina Balcan, Avrim Blum and Santosh Vempala, Efficient Representations for Lifelong Learning and " +
    "Autoencoding. COLT 2015, PMLR 40:191-210",
  bibtex: "@inproceedings{BBV15,\n  author    = {Balcan, Maria-Florina and Blum, Avrim and Vempala, Santosh},\n" +
    "  title     = {Efficient Representations for Lifelong Learning and Autoencoding},\n" +
    "  booktitle = {Proceedings of the 28th Conference on Learning Theory},\n  series    = {PMLR},\n" +
    "  volume    = {40},\n  pages     = {191--210},\n  year      = {2015}\n}\n\n",
};
function references(sign) {
  const title = sign.dataset.cite, item = sign.dataset.paper, link = sign.href;
  const day = fact("publication_date"), year = day.slice(0, 4);
  const version = ["version", fact("version"), fact("commit") && `commit ${fact("commit")},`, day].filter(Boolean).join(" ");
  const label = link.split("#").pop();
  // an address on one's own machine is of no use to a reader; the label finds the place in every copy of the book
  const own = !/^https?:/.test(link) || /^https?:\/\/(localhost|127\.|\[::1\])/.test(link);
  const url = own ? "" : `,\n  url    = {${link}}`;
  const book = `${title}. In: ${fact("author")}, ${fact("title")}, ${version}. ` + (own ? `Label: ${label}` : link);
  return {
    "Link": link,
    "BibTeX": (item ? PAPER.bibtex : "") +
      `@misc{lifelong:${label},\n  author = {{${fact("author")}}},\n  title  = {{${fact("title")}}},\n` +
      `  note   = {${title}, label ${label}, ${version}},\n  year   = {${year}}${url}\n}`,
    "Plain text": item ? `${item} of ${PAPER.plain}. See ${book}` : book,
  };
}
async function copy(button, pre) {
  try {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = "Copied";
  } catch { // not allowed here: leave it selected
    getSelection().selectAllChildren(pre);
    button.textContent = "Selected";
  }
}
function make(tag, properties = {}, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}
function cite(sign) {
  const parts = Object.entries(references(sign)).map(([name, text]) => {
    const pre = make("pre", { textContent: text, tabIndex: 0 });
    const button = make("button", { type: "button", textContent: "Copy", ariaLabel: `Copy: ${name}` });
    button.addEventListener("click", () => copy(button, pre));
    return make("section", {}, make("h2", { textContent: name }), button, pre);
  });
  const close = make("button", { type: "submit", textContent: "Close" });
  const form = make("form", { method: "dialog" }, close);
  const dialog = make("dialog", { className: "cite", ariaLabel: `Cite ${sign.dataset.cite}` }, ...parts, form);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
for (const sign of document.querySelectorAll("a.headerlink[data-cite]")) {
  const button = make("button", { type: "button", className: "cite", textContent: "cite" });
  button.setAttribute("aria-label", `Cite ${sign.dataset.cite.split(" (")[0]}`);
  button.addEventListener("click", () => cite(sign));
  sign.after(button);
}
// a place that has moved to another page of the book is still found by its old link
const wanted = decodeURIComponent(location.hash.slice(1));
if (wanted && !document.getElementById(wanted)) {
  const root = document.documentElement.dataset.content_root ?? "";
  const table = make("script", { src: `${root}_static/anchors.js` });
  table.addEventListener("load", () => {
    if (Object.hasOwn(ANCHORS, wanted)) location.replace(`${root}book/${ANCHORS[wanted]}#${wanted}`);
  });
  document.head.append(table);
}
