"""What must hold of every built page. ``static`` reads the files; ``live`` opens them in Chromium without a network."""

from __future__ import annotations

import os
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, sync_playwright
from playwright.sync_api import Page as Tab

GET_CHROMIUM = "no Chromium found: `apt-get install chromium`, or set CHROMIUM=/path/to/chromium"
OUTSIDE = re.compile(r"^\s*(?:https?:)?//", re.I)
IN_CSS = re.compile(r"""url\(\s*['"]?\s*((?:https?:)?//[^'")]+)|@import\s+['"]((?:https?:)?//[^'"]+)""", re.I)
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src",
         "embed": "src", "object": "data", "image": "href", "use": "href"}  # fmt: skip
LOADING_LINKS = {"stylesheet", "icon", "shortcut", "preload", "prefetch", "modulepreload", "preconnect", "manifest"}
# an id that sphinx-exercise repeats on a page; nobody links to it
THEIRS = {"solution-content"}
RAW = re.compile(r"\\\(|\\\)|\\\[|\$\$|\\begin\{|\$[^$\n]*[\\^_{}][^$\n]*\$")
NOT_TEXT = {"script", "style", "noscript", "template", "pre", "code", "textarea"}
#: The most that a page may load, MathJax apart: bytes as they lie on the disk.
WEIGHT = 3_000_000


@dataclass
class Tag:
    """One tag of a page, in the one around it."""

    name: str
    attrs: dict[str, str]
    within: Tag | None
    texts: list[str] = field(default_factory=list)


class Tags(HTMLParser):
    """Every tag of a page, in its order: a tree that can be searched takes five times as long to make."""

    VOID = frozenset("area base br col embed hr img input link meta source track wbr".split())  # noqa: SIM905

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[Tag] = []
        self.open: list[Tag] = []
        self.feed(text)
        self.close()

    def updatepos(self, i: int, j: int) -> int:
        return j  # nobody asks for lines

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        made = Tag(tag, {name: value or "" for name, value in attrs}, self.open[-1] if self.open else None)
        self.found.append(made)
        if tag not in self.VOID:
            self.open.append(made)

    def handle_endtag(self, tag: str) -> None:
        if any(one.name == tag for one in reversed(self.open)):
            while self.open.pop().name != tag:
                pass

    def handle_data(self, data: str) -> None:
        if self.open:
            self.open[-1].texts.append(data)


@dataclass
class Page:
    """One built page."""

    path: Path
    root: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def tags(self) -> list[Tag]:
        return Tags(self.text).found

    @cached_property
    def article(self) -> list[Tag]:
        """The tags of its article; of a page without one, all."""
        held: set[int] = set()
        for tag in self.tags:
            if tag.within and (tag.within.name == "article" or id(tag.within) in held):
                held.add(id(tag))
        return [tag for tag in self.tags if id(tag) in held] or self.tags

    @cached_property
    def anchors(self) -> set[str]:
        return {t.attrs["id"] for t in self.tags if "id" in t.attrs} | {
            t.attrs["name"] for t in self.tags if t.name == "a" and "name" in t.attrs
        }

    @cached_property
    def loads(self) -> list[str]:
        """Addresses of what comes with the page."""
        links = [t.attrs[LOADS[t.name]] for t in self.tags if t.name in LOADS and t.attrs.get(LOADS[t.name])]
        sheets = (t.attrs for t in self.tags if t.name == "link" and "href" in t.attrs)
        return links + [sheet["href"] for sheet in sheets if LOADING_LINKS & set(sheet.get("rel", "").split())]

    @property
    def name(self) -> str:
        return self.path.relative_to(self.root).as_posix()


def pages(root: Path) -> dict[Path, Page]:
    """Every page below `root` but the theme's templates."""
    found = (path.resolve() for path in sorted(root.rglob("*.html")))
    root = root.resolve()
    return {path: Page(path, root) for path in found if "_static" not in path.relative_to(root).parts}


# --- read from the files


def dead_links(page: Page, site: dict[Path, Page]) -> list[str]:
    """Links and loads inside the site that lead to no file, or to no anchor."""
    found = []
    for link in sorted({tag.attrs[name] for tag in page.tags for name in ("href", "src") if name in tag.attrs}):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc or not (parts.path or parts.fragment):
            continue
        target = (page.path.parent / unquote(parts.path)).resolve() if parts.path else page.path
        if target.is_dir():
            target /= "index.html"
        anchor = unquote(parts.fragment)
        if not target.exists():
            found.append(f"dead link {link}")
        elif anchor and target in site and anchor not in site[target].anchors:
            found.append(f"dead anchor {link}")
    return found


def outside_loads(page: Page, _site: dict[Path, Page]) -> list[str]:
    """What the page would fetch from another machine. A link that a reader may follow is no load."""
    sets = (t.attrs["srcset"] for t in page.tags if "srcset" in t.attrs)
    links = page.loads + [part.split()[0] for given in sets for part in given.split(",") if part.strip()]
    styles = [text for t in page.tags for text in (t.texts if t.name == "style" else [t.attrs.get("style", "")])]
    return [f"outside load {link}" for link in links if OUTSIDE.match(link)] + _outside_css("\n".join(styles))


def _outside_css(text: str) -> list[str]:
    return [f"outside load {a or b}" for a, b in IN_CSS.findall(text)]


def outside_styles(root: Path) -> list[str]:
    """The same, in every style sheet of the site."""
    sheets = sorted(root.rglob("*.css"))
    return [f"{path.name}: {fault}" for path in sheets for fault in _outside_css(path.read_text(encoding="utf-8"))]


def missing_alt(page: Page, _site: dict[Path, Page]) -> list[str]:
    """Pictures without a description, or with a file name for one."""
    return [
        f"no alt text: {tag.attrs.get('src', '')[:60]}"
        for tag in page.article
        if tag.name == "img"
        and (not (alt := tag.attrs.get("alt", "").strip()) or re.fullmatch(r"\S+\.(svg|png|jpe?g)", alt))
    ]


def duplicate_ids(page: Page, _site: dict[Path, Page]) -> list[str]:
    """Ids given twice within the article: a link to them is a gamble."""
    # sphinx-proof's :nonumber: puts a theorem's id on its title as well
    times = Counter(
        t.attrs["id"]
        for t in page.article
        if "id" in t.attrs
        and not ("admonition-title" in t.attrs.get("class", "").split() and t.within.attrs.get("id") == t.attrs["id"])
    )
    return [f"id {name} is given {n} times" for name, n in sorted(times.items()) if n > 1 and name not in THEIRS]


def weight_of(page: Page) -> int:
    """What a reader has to fetch before the page is all there; MathJax, one file for the whole book, is not counted."""
    loaded = [link for link in page.loads if not link.startswith("data:")]  # these are in the page itself
    files = {page.path} | {(page.path.parent / unquote(urlsplit(link).path)).resolve() for link in loaded}
    return sum(file.stat().st_size for file in files if file.is_file() and "mathjax" not in file.parts)


def too_heavy(page: Page, _site: dict[Path, Page]) -> list[str]:
    """A page that weighs more than it may."""
    weight = weight_of(page)
    return [f"weighs {weight:,} bytes, more than {WEIGHT:,}"] if weight > WEIGHT else []


def raw_tex(page: Page, _site: dict[Path, Page]) -> list[str]:
    """TeX that stays text, for nothing typesets it."""
    held: set[int] = set()
    for tag in page.tags:
        no_text = tag.name in NOT_TEXT or "math" in tag.attrs.get("class", "").split()
        if no_text or (tag.within and id(tag.within) in held):
            held.add(id(tag))
    texts = (text for tag in page.article if id(tag) not in held for text in tag.texts)
    return [f"TeX in the text: {text.strip()[:80]}" for text in texts if RAW.search(text)]


STATIC = (dead_links, outside_loads, missing_alt, duplicate_ids, too_heavy, raw_tex)


def static(root: Path) -> dict[str, list[str]]:
    """Faults by page, from the files alone."""
    site = pages(root)
    faults = {page.name: [fault for check in STATIC for fault in check(page, site)] for page in site.values()}
    faults["style sheets"] = outside_styles(root)
    return {name: found for name, found in faults.items() if found}


# --- seen in a browser

WIDE, PHONE = 1280, 390
#: Milliseconds after which something will never come; no assertion, so long enough for a machine that is busy.
TIMEOUT = 180_000

# What is wrong with the page that is open, at its present width.
FAULTS = r"""
() => {
  const WIDTH = window.innerWidth, found = [];
  const text = t => (t || '').trim().replace(/\s+/g, ' ').slice(0, 80);
  const RAW = /\\\(|\\\)|\\\[|\$\$|\\begin\{|\$[^$\n]*[\\^_{}][^$\n]*\$/;
  const NOT_TEXT = 'script, style, noscript, template, pre, code, textarea, mjx-container, .math';
  for (const e of document.querySelectorAll('[data-mjx-error], mjx-merror, [data-mml-node="merror"]'))
    found.push('TeX error: ' + (e.getAttribute('data-mjx-error') || e.getAttribute('title') || text(e.textContent)));
  for (const e of document.querySelectorAll('span.math, div.math'))
    if (!e.querySelector('mjx-container')) found.push('formula not rendered: ' + text(e.textContent));
  for (const e of document.querySelectorAll('mjx-container[tabindex], mjx-container [tabindex]'))
    if (e.scrollWidth <= e.clientWidth + 1)  // what scrolls must be reached
      found.push('a formula is a tab stop: ' + text(e.textContent));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    if (!RAW.test(node.data) || node.parentElement.closest(NOT_TEXT)) continue;
    found.push('TeX in the text: ' + text(node.data));
  }
  const wide = document.documentElement.scrollWidth;
  if (wide > WIDTH) found.push(`page is ${wide} pixels wide on a screen of ${WIDTH}`);
  const article = document.querySelector('article') || document.body;
  for (const e of article.querySelectorAll('*')) {
    if (e.closest('mjx-container') && e.tagName !== 'MJX-CONTAINER') continue;
    const box = e.getBoundingClientRect(), style = getComputedStyle(e);
    if (box.right <= WIDTH + 1 || box.width < 2) continue;
    if (style.visibility === 'hidden' || style.position === 'fixed') continue;
    let up = e.parentElement, inside = false;
    for (; up && up !== document.body; up = up.parentElement) {
      const how = getComputedStyle(up);
      if (/auto|scroll/.test(how.overflowX) || (how.overflowX !== 'visible' && how.width.startsWith('1px'))) {
        inside = true;
        break;
      }
    }
    if (inside) continue;
    const name = `<${e.tagName} class="${e.getAttribute('class') || ''}">`;
    found.push(`sticks out at ${WIDTH} pixels: ${name} ${text(e.textContent)}`);
    break;
  }
  for (const e of document.images)
    if (e.complete && !e.naturalWidth && e.loading !== 'lazy')
      found.push('picture does not load: ' + e.getAttribute('src'));
  return found;
}"""

# Display formulas, tables and code cells that are wider than their own box, folded parts opened.
SCROLLING = r"""
() => {
  const found = [];
  document.querySelectorAll('article details:not([open])').forEach(e => (e.open = true));
  document.querySelectorAll('article .toggle-hidden').forEach(e => e.classList.remove('toggle-hidden'));
  const KINDS = {formula: 'article div.math', table: 'article table', code: 'article div.cell_input pre'};
  for (const [kind, selector] of Object.entries(KINDS))
    for (const e of document.querySelectorAll(selector)) {
      let box = e;
      while (box && box.tagName !== 'ARTICLE' && !/auto|scroll/.test(getComputedStyle(box).overflowX))
        box = box.parentElement;
      if (!box || box.tagName === 'ARTICLE') box = e.parentElement;
      // a formula may scroll in the box that the theme gives it, or in the one around that
      const by = Math.max(...[box, ...(kind === 'formula' ? e.querySelectorAll('mjx-container') : [])]
        .map(b => (b.clientWidth ? b.scrollWidth - b.clientWidth : 0)));
      const text = e.textContent.trim().slice(0, 60);
      if (by > 2) found.push(`${kind} does not fit at ${innerWidth}, by ${by} pixels: ${text}`);
    }
  return found;
}"""

READY = """async () => {
  if (!document.querySelector('.math')) return;
  const pause = ms => new Promise(done => setTimeout(done, ms));
  for (let i = 0; i < 3000 && !window.MathJax?.startup?.promise; i++) await pause(20);
  await Promise.race([window.MathJax?.startup?.promise, pause(120000)]).catch(() => {});
}"""

SETTLED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))"  # after a change of width

# What axe is not asked, and why.
NOT_ASKED = {
    "region": "the theme puts its logo and its skip link outside of landmarks",
}
COLOURS = ("color-contrast", "link-in-text-block")  # by far the slowest rules, and the only ones that a theme can break
# A formula is a drawing with MathML beside it for screen readers, both by MathJax, and looked at already: its place is
# taken by an empty box of its size that is read aloud.
PLAIN_FORMULAS = r"""
() => {
  const formulas = [...document.querySelectorAll('mjx-container')];
  const boxes = formulas.map(e => e.querySelector('svg')?.getBoundingClientRect());
  formulas.forEach((e, i) => {
    e.setAttribute('role', 'img');
    e.setAttribute('aria-label', e.textContent.trim() || 'formula');
    const svg = e.querySelector('svg');
    e.replaceChildren(...(svg ? [svg] : []));
    if (!svg) return;
    svg.replaceChildren();
    svg.setAttribute('aria-hidden', 'true');
    svg.style.width = boxes[i].width + 'px';
    svg.style.height = boxes[i].height + 'px';
  });
}"""
RUN_AXE = """async ([within, options]) => (await axe.run(within, options)).violations
  .map(found => [found.id, found.nodes[0].target, found.nodes.length])"""


def chromium() -> str | None:
    """Where the browser is."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def browser(*more: str) -> Iterator[Browser]:
    """Chromium without a window, with more options."""
    path = chromium()
    if path is None:
        raise FileNotFoundError(GET_CHROMIUM)
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--allow-file-access-from-files", *more]
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=path, args=options, timeout=TIMEOUT)
        try:
            yield opened
        finally:
            opened.close()


@contextmanager
def tab(of: Browser, width: int) -> Iterator[Tab]:
    """A tab without a network and without motion; the theme is the light one."""
    context = of.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", offline=True)
    context.add_init_script(
        "try { localStorage.setItem('mode', 'light'); localStorage.setItem('theme', 'light') } catch {}"
    )
    context.set_default_timeout(TIMEOUT)
    try:
        yield context.new_page()
    finally:
        context.close()


@contextmanager
def listening(page: Tab) -> Iterator[list[str]]:
    """What goes wrong meanwhile: errors of scripts, errors on the console, requests that leave the machine."""
    found: list[str] = []
    listeners: dict[Any, Callable[[Any], None]] = {
        "pageerror": lambda error: found.append(f"script error: {error}"),
        "console": lambda said: found.append(f"console error: {said.text}") if said.type == "error" else None,
        "request": lambda asked: found.append(f"outside load {asked.url}") if _outside(asked.url) else None,
    }
    for event, listener in listeners.items():
        page.on(event, listener)
    try:
        yield found
    finally:
        for event, listener in listeners.items():
            page.remove_listener(event, listener)


def visit(page: Tab, address: str) -> None:
    """Open an address and wait for its formulas."""
    page.goto(address, wait_until="load")
    page.wait_for_timeout(50)  # a page that only leads on to another
    page.evaluate(READY)


def _outside(url: str) -> bool:
    return not url.startswith(("file:", "data:", "blob:", "about:"))


def violations(page: Tab, where: str, rules: dict[str, Any], within: Any = None) -> list[str]:
    """What axe finds, one line a rule, with the first place; in all of the page, or in what a context says."""
    # preload would fetch the style sheets once more
    options = {"resultTypes": ["violations"], "preload": False, **rules}
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate(RUN_AXE, [within or "html", options])
    return [f"axe, {where}: {rule} at {target} ({places} places)" for rule, target, places in found]


def all_rules(*but: str) -> dict[str, Any]:
    """Every rule of axe that the pages are asked, but those named."""
    return {"rules": {rule: {"enabled": False} for rule in (*NOT_ASKED, *but)}}


def contrast(page: Tab, where: str, within: Any = None) -> list[str]:
    """Whether every text, in the present theme, can be read, and every link in it be seen."""
    return violations(page, where, {"runOnly": [*COLOURS]}, within)


def colours(page: Tab, within: Any = None) -> list[str]:
    """What axe finds in either theme: colours, for a theme changes nothing else."""
    page.evaluate(PLAIN_FORMULAS)
    found = contrast(page, "light", within)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    return found + contrast(page, "dark", within)


def accessibility(page: Tab) -> list[str]:
    """What axe finds on a page: everything but colours."""
    page.evaluate(PLAIN_FORMULAS)
    return violations(page, "light", all_rules(*COLOURS))


Axe = Callable[[Tab], list[str]]


def look(page: Tab, address: str, axe: Axe = accessibility) -> list[str]:
    """One visit to one page: formulas, width, what is fetched, scripts that break, and what axe finds."""
    page.set_viewport_size({"width": PHONE, "height": 900})
    with listening(page) as found:
        visit(page, address)
        found += page.evaluate(FAULTS)
        page.set_viewport_size({"width": WIDE, "height": 900})
        page.evaluate(SETTLED)
        found += page.evaluate(FAULTS)
        found += axe(page)
        found += page.evaluate(SCROLLING)  # the last, for it opens every fold
    return list(dict.fromkeys(found))


def live(
    root: Path, chosen: Callable[[Page], bool] = lambda page: not leads_on(page), *, axe: Axe = accessibility
) -> dict[str, list[str]]:
    """What is wrong with each chosen page, by name, in two browsers side by side; pages that lead on are no pages."""
    found: dict[str, list[str]] = {}
    queue = iter([(page.name, page.path.as_uri()) for page in pages(root).values() if chosen(page)])

    def work(_: int) -> None:
        # one tab: its next page has the scripts of the last; what runs once is over before it is worth optimizing
        with browser("--js-flags=--no-opt --no-maglev") as opened, tab(opened, WIDE) as page:
            for name, address in queue:  # a list's iterator hands each page to one of them
                found[name] = look(page, address, axe)

    with ThreadPoolExecutor(2) as pool:
        list(pool.map(work, range(2)))
    return dict(sorted(found.items()))


def leads_on(page: Page) -> bool:
    """Whether it is an old address, or the one of the whole book."""
    return re.search(r"""<meta\b[^>]*\bhttp-equiv=["']?refresh""", page.text, re.I) is not None
