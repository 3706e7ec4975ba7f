"""What must hold of every built page. ``static`` reads the files; ``live`` opens them in Chromium without a network.

`python tests/sitecheck.py shares [page ...]` prints what a page is made of; a page is named by a part of its address.
`python tests/sitecheck.py weights [folder] [page ...]` prints how many bytes a page loads, MathJax apart, and after how
many milliseconds its first words are painted, the median of five; of this book, or of one built elsewhere.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import median
from typing import Any
from urllib.parse import unquote, urlsplit

from axe_playwright_python.base import AXE_SCRIPT
from bs4 import BeautifulSoup
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
#: The most that a page may load, MathJax apart: bytes as they lie on the disk.
WEIGHT = 3_000_000


@dataclass
class Page:
    """One built page."""

    path: Path
    root: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.text, "html.parser")

    @cached_property
    def anchors(self) -> set[str]:
        named = self.soup.find_all("a", attrs={"name": True})
        return {tag["id"] for tag in self.soup.find_all(id=True)} | {tag["name"] for tag in named}

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
    for tag in page.soup.find_all(href=True) + page.soup.find_all(src=True):
        link = tag.get("href") or tag.get("src") or ""
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
    links = [str(t[a]) for name, a in LOADS.items() for t in page.soup.find_all(name) if t.get(a)]
    links += [str(t["href"]) for t in page.soup.find_all("link", href=True) if LOADING_LINKS & set(t.get("rel", []))]
    links += [
        part.split()[0] for t in page.soup.find_all(srcset=True) for part in t["srcset"].split(",") if part.strip()
    ]
    styles = "\n".join(
        [t.get_text() for t in page.soup.find_all("style")] + [t["style"] for t in page.soup.find_all(style=True)]
    )
    return [f"outside load {link}" for link in links if OUTSIDE.match(link)] + _outside_css(styles)


def _outside_css(text: str) -> list[str]:
    return [f"outside load {a or b}" for a, b in IN_CSS.findall(text)]


def outside_styles(root: Path) -> list[str]:
    """The same, in every style sheet of the site."""
    sheets = sorted(root.rglob("*.css"))
    return [f"{path.name}: {fault}" for path in sheets for fault in _outside_css(path.read_text(encoding="utf-8"))]


def missing_alt(page: Page, _site: dict[Path, Page]) -> list[str]:
    """Pictures without a description, or with a file name for one."""
    article = page.soup.find("article") or page.soup
    pictures = article.find_all("img")
    return [
        f"no alt text: {str(tag.get('src'))[:60]}"
        for tag in pictures
        if not (alt := (tag.get("alt") or "").strip()) or re.fullmatch(r"\S+\.(svg|png|jpe?g)", alt)
    ]


def duplicate_ids(page: Page, _site: dict[Path, Page]) -> list[str]:
    """Ids given twice within the article: a link to them is a gamble."""
    article = page.soup.find("article") or page.soup
    tags = article.find_all(id=True)
    # sphinx-proof's :nonumber: puts a theorem's id on its title as well
    ids = [t["id"] for t in tags if not ("admonition-title" in t.get("class", []) and t["id"] == t.parent.get("id"))]
    return [
        f"id {name} is given {ids.count(name)} times" for name in sorted({i for i in ids if ids.count(i) > 1} - THEIRS)
    ]


def weight_of(page: Page) -> int:
    """What a reader has to fetch before the page is all there; MathJax, one file for the whole book, is not counted."""
    links = [str(t[a]) for name, a in LOADS.items() for t in page.soup.find_all(name) if t.get(a)]
    links += [str(t["href"]) for t in page.soup.find_all("link", href=True) if LOADING_LINKS & set(t.get("rel", []))]
    files = {page.path} | {(page.path.parent / unquote(urlsplit(link).path)).resolve() for link in links}
    return sum(file.stat().st_size for file in files if file.is_file() and "mathjax" not in file.parts)


def too_heavy(page: Page, _site: dict[Path, Page]) -> list[str]:
    """A page that weighs more than it may."""
    weight = weight_of(page)
    return [f"weighs {weight:,} bytes, more than {WEIGHT:,}"] if weight > WEIGHT else []


STATIC = (dead_links, outside_loads, missing_alt, duplicate_ids, too_heavy)


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

# Display formulas, tables and code cells that are wider than their own box: all of the page, folded parts opened.
SCROLLING = r"""
() => {
  const found = [], folds = [...document.querySelectorAll('article details:not([open])')];
  const hidden = [...document.querySelectorAll('article .toggle-hidden')];
  folds.forEach(e => (e.open = true));
  hidden.forEach(e => e.classList.remove('toggle-hidden'));
  const KINDS = {formula: 'div.math', table: 'table', code: 'div.cell_input pre'};
  for (const [kind, selector] of Object.entries(KINDS))
    for (const e of document.querySelectorAll('article ' + selector.replaceAll(', ', ', article '))) {
      let box = e;
      while (box && box.tagName !== 'ARTICLE' && !/auto|scroll/.test(getComputedStyle(box).overflowX))
        box = box.parentElement;
      if (!box || box.tagName === 'ARTICLE') box = e.parentElement;
      // a formula may scroll in the box that the theme gives it, or in the one around that
      const by = Math.max(...[box, ...(kind === 'formula' ? e.querySelectorAll('mjx-container') : [])]
        .map(b => (b.clientWidth ? b.scrollWidth - b.clientWidth : 0)));
      if (by > 2) found.push([kind, by, (e.textContent || '').trim().slice(0, 60)]);
    }
  folds.forEach(e => (e.open = false));
  hidden.forEach(e => e.classList.add('toggle-hidden'));
  return found;
}"""

READY = """async () => {
  if (!document.querySelector('.math')) return;
  const pause = ms => new Promise(done => setTimeout(done, ms));
  for (let i = 0; i < 3000 && !window.MathJax?.startup?.promise; i++) await pause(20);
  await Promise.race([window.MathJax?.startup?.promise, pause(120000)]).catch(() => {});
}"""

SETTLED = "() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 60)))"  # after a change of width

MEASURE = r"""
() => {
  const article = document.querySelector('article') || document.body;
  // what a closed fold hides has a height all the same
  const seen = e => e.checkVisibility() && e.getBoundingClientRect().height > 0;
  const height = selector => [...article.querySelectorAll(selector)].filter(seen)
    .filter(e => !e.parentElement.closest(selector)).reduce((sum, e) => sum + e.getBoundingClientRect().height, 0);
  const copy = article.cloneNode(true);
  // of the words, hints and solutions among them, not those of code, nor what the build says of each claim
  const said = 'div.cell, script, style, pre, mjx-container, p.asserted, p.evidence-links';
  copy.querySelectorAll(said).forEach(e => e.remove());
  const all = article.getBoundingClientRect().height;
  return {
    height: document.documentElement.scrollHeight,
    words: copy.textContent.split(/\s+/).filter(word => /\w/.test(word)).length,
    code: 100 * height('div.cell_input') / all,
    logs: 100 * height('.cell_output div.output.stream, .cell_output div.output.text_plain') / all,
    pictures: 100 * height('figure, .cell_output img, .cell_output svg, .moving') / all,
    // what a fold hides counts, as its words do; a formula of a caption is no picture, a proof that moves is one
    still: article.querySelectorAll('figure img, .cell_output img, .cell_output .claims-map').length,
    moving: article.querySelectorAll('.moving').length,
  };
}"""

# What axe is not asked, and why.
NOT_ASKED = {
    "region": "the theme puts its logo and its skip link outside of landmarks",
}
CONTRAST = "color-contrast"  # by far the slowest rule, and the only one that a theme can break
#: Of what is seen at either width, only this rule says different things at the two.
BY_WIDTH = "scrollable-region-focusable"
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
# Of the texts that have one look (colour, size, weight, and all grounds below them), the first is marked. What has a
# place of its own has grounds of its own, and so has every text that it may cover.
MARK_LOOKS = r"""
() => {
  const PLAIN = 'rgba(0, 0, 0, 0) none 1 none normal', seen = new Set(), below = new Map();
  const flows = e => /static|relative/.test(getComputedStyle(e).position);
  const box = e => e.getBoundingClientRect();
  const placed = [...document.querySelectorAll('body *:not(mjx-container *)')]
    .filter(e => e.checkVisibility() && !flows(e)).map(e => [e, box(e)]).filter(([, b]) => b.width > 1 && b.height > 1);
  const covered = (e, a) => placed.some(([other, b]) => !other.contains(e) && !e.contains(other) &&
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  const grounds = e => {
    if (!e) return '';
    if (!below.has(e)) {
      const how = getComputedStyle(e);
      const own = [how.backgroundColor, how.backgroundImage, how.opacity, how.filter, how.mixBlendMode].join(' ');
      const place = placed.findIndex(([other]) => other === e);
      below.set(e, grounds(e.parentElement) + (own === PLAIN ? '' : `|${own}`) + (place < 0 ? '' : `|place ${place}`));
    }
    return below.get(e);
  };
  document.querySelectorAll('[data-look]').forEach(e => e.removeAttribute('data-look'));
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const e = node.parentElement;
    if (!node.data.trim() || e.closest('script, style, noscript, template, mjx-container') || !e.checkVisibility())
      continue;
    const how = getComputedStyle(e);
    const key = [how.color, how.fontWeight, how.fontSize, how.textShadow, grounds(e)].join(';');
    if (seen.has(key) && !covered(e, box(e))) continue;
    seen.add(key);
    e.setAttribute('data-look', '');
  }
  return seen.size;
}"""
# Without what has neither such a text nor a place of its own axe is through sooner.
OTHERS_AWAY = r"""
() => {
  const stay = new Set([document.body]), placed = e => !/static|relative/.test(getComputedStyle(e).position);
  const keep = e => { for (; e && !stay.has(e); e = e.parentElement) stay.add(e); };
  const all = [...document.querySelectorAll('body *:not(script, style)')];
  all.forEach(e => (e.matches('[data-look], [data-look] *') || placed(e)) && keep(e));
  const away = all.filter(e => !stay.has(e) && stay.has(e.parentElement)).map(e => [e, e.getAttribute('style')]);
  away.forEach(([e]) => e.style.setProperty('display', 'none', 'important'));
  globalThis.othersBack = () =>
    away.forEach(([e, style]) => (style === null ? e.removeAttribute('style') : e.setAttribute('style', style)));
}"""
# The words of a programme are spans of a colour and nothing else.
PLAIN_CODE = r"""
() => {
  for (const e of document.querySelectorAll('.highlight pre'))
    if (!e.querySelector(':not(span), [id], [role], [tabindex]')) e.textContent = e.textContent;
}"""
# What a reader sees at this width and did not see at the other: the outermost elements.
SEEN_HERE = "() => document.querySelectorAll('body *').forEach(e => e.checkVisibility() && (e.dataset.there = ''))"
NEW_HERE = r"""
() => {
  const fresh = e => e.checkVisibility() && !('there' in e.dataset);
  for (const e of document.querySelectorAll('body *:not(mjx-container *)'))
    if (fresh(e) && !fresh(e.parentElement)) e.dataset.only = '';
  document.querySelectorAll('[data-there]').forEach(e => e.removeAttribute('data-there'));
  return document.querySelectorAll('[data-only]').length;
}"""


def chromium() -> str | None:
    """Where the browser is."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium without a window."""
    path = chromium()
    if path is None:
        raise FileNotFoundError(GET_CHROMIUM)
    options = ["--no-sandbox", "--disable-dev-shm-usage", "--allow-file-access-from-files"]
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


def contrast(page: Tab, where: str) -> list[str]:
    """Whether every look of a text, in the present theme, can be read."""
    if not page.evaluate(MARK_LOOKS):
        return []
    page.evaluate(OTHERS_AWAY)
    found = violations(page, where, {"runOnly": [CONTRAST]}, "[data-look]")
    page.evaluate("othersBack()")
    return found


def dark(page: Tab) -> list[str]:
    """What axe finds in the dark theme on a page that is open: its colours, for a theme changes nothing else."""
    page.evaluate(PLAIN_FORMULAS)
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    return contrast(page, f"dark, {WIDE}")


def accessibility(page: Tab) -> list[str]:
    """What axe finds in the light theme on a page open at the wide width: colours, and structure at both widths.

    No width changes colours, and at the other width only what was not seen before, and what scrolls, can be wrong.
    """
    page.evaluate(PLAIN_FORMULAS)
    found = contrast(page, f"light, {WIDE}")
    page.evaluate(PLAIN_CODE)
    page.evaluate("dispatchEvent(new Event('resize'))")  # what was hidden for the contrast is a tab stop again
    page.evaluate(SETTLED)
    page.evaluate(SEEN_HERE)
    found += violations(page, f"light, {WIDE}", all_rules(CONTRAST))
    page.set_viewport_size({"width": PHONE, "height": 900})
    page.evaluate(SETTLED)
    found += violations(page, f"light, {PHONE}", {"runOnly": [BY_WIDTH]})
    if page.evaluate(NEW_HERE):
        found += violations(page, f"light, {PHONE}", all_rules(BY_WIDTH), "[data-only]")
    return found


@dataclass
class Seen:
    """What a browser found on one page: what is wrong, what it is made of, how much scrolls on a phone."""

    faults: list[str]
    made_of: dict[str, float]
    scrolls: dict[str, int]


Axe = Callable[[Tab], list[str]] | None


def look(page: Tab, address: str, axe: Axe = accessibility) -> Seen:
    """One visit to one page: formulas, width, what is fetched, scripts that break, and what axe finds.

    Code may scroll on a phone, for it cannot be broken.
    """
    page.set_viewport_size({"width": WIDE, "height": 900})
    with listening(page) as found:
        visit(page, address)
        made_of = page.evaluate(MEASURE)
        found += page.evaluate(FAULTS)
        found += [
            f"{kind} does not fit at {WIDE}, by {by} pixels: {text}" for kind, by, text in page.evaluate(SCROLLING)
        ]
        page.set_viewport_size({"width": PHONE, "height": 900})
        page.evaluate(SETTLED)
        found += page.evaluate(FAULTS)
        kinds = [kind for kind, _, _ in page.evaluate(SCROLLING)]
        if axe:
            page.set_viewport_size({"width": WIDE, "height": 900})
            page.evaluate(SETTLED)
            found += axe(page)
    scrolls = {kind: kinds.count(kind) for kind in ("formula", "table") if kind in kinds}
    return Seen(list(dict.fromkeys(found)), made_of, scrolls)


def live(
    root: Path,
    chosen: Callable[[Page], bool] = lambda page: not leads_on(page),
    *,
    axe: Axe = accessibility,
    jobs: int = 2,
) -> dict[str, Seen]:
    """What a browser sees of each chosen page, by name, in `jobs` browsers side by side.

    Pages that only lead on to another are that page.
    """
    found: dict[str, Seen] = {}
    queue = iter([(page.name, page.path.as_uri()) for page in pages(root).values() if chosen(page)])

    def work(_: int) -> None:
        with browser() as opened, tab(opened, WIDE) as page:  # one tab: its next page has the scripts of the last
            for name, address in queue:  # a list's iterator hands each page to one of them
                found[name] = look(page, address, axe)

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(work, range(jobs)))
    return dict(sorted(found.items()))


def leads_on(page: Page) -> bool:
    """Whether it is an old address, or the one of the whole book."""
    return re.search(r"""<meta\b[^>]*\bhttp-equiv=["']?refresh""", page.text, re.I) is not None


def is_notebook(page: Page) -> bool:
    """Whether it is a page of the book that was made from a notebook."""
    cell = re.compile(r'<div\b[^>]*\bclass="([^"]*\s)?cell[\s"]')
    return page.name.startswith("book/") and cell.search(page.text) is not None


def pictures_per_thousand(made_of: dict[str, float]) -> float:
    """Pictures, still and moving, for 1,000 words of prose."""
    return 1000 * (made_of["still"] + made_of["moving"]) / max(made_of["words"], 1)


PAINT = """() => new Promise((done, fail) => {
  setTimeout(() => fail(Error('nothing was painted')), 120000);
  new PerformanceObserver(list => {
    const first = list.getEntriesByName('first-contentful-paint')[0];
    if (first) done(first.startTime);
  }).observe({ type: 'paint', buffered: true });
})"""


def first_paint(of: Browser, address: str, times: int = 5) -> float:
    """Milliseconds until the first words are painted, the median of some visits, each in a fresh context."""
    found = []
    for _ in range(times):
        with tab(of, WIDE) as page:
            page.goto(address)
            found.append(float(page.evaluate(PAINT)))
    return median(found)


def weights(arguments: list[str]) -> int:
    """Print bytes and the time to the first paint."""
    root = Path(__file__).parent.parent / "_build" / "html"
    if arguments and Path(arguments[0]).is_dir():
        root = Path(arguments.pop(0)).resolve()
    print(f"{'page':42} {'HTML, kB':>9} {'all, kB':>8} {'first paint, ms':>16}")
    with browser() as opened:
        for page in pages(root).values():
            if not leads_on(page) and (not arguments or any(name in page.name for name in arguments)):
                paint = first_paint(opened, page.path.as_uri())
                size = page.path.stat().st_size
                print(f"{page.name:42} {size / 1e3:9.0f} {weight_of(page) / 1e3:8.0f} {paint:16.0f}", flush=True)
    return 0


def main(arguments: list[str]) -> int:
    """The command; returns its status."""
    if arguments and arguments[0] == "weights":
        return weights(arguments[1:])
    if not arguments or arguments[0] != "shares":
        print(__doc__)
        return 2
    root, names = Path(__file__).parent.parent / "_build" / "html", arguments[1:]

    def named(page: Page) -> bool:
        return is_notebook(page) and (not names or any(name in page.name for name in names))

    print(f"{'page':42} {'height':>7} {'words':>6} {'code %':>7} {'logs %':>7} {'pictures %':>11}", end=" ")
    print(f"{'still':>6} {'moving':>7} {'per 1,000 words':>16}")
    for name, seen in live(root, named, axe=None).items():
        m = seen.made_of
        print(f"{name.removeprefix('book/').removesuffix('.html'):42} {m['height']:7.0f} {m['words']:6.0f}", end=" ")
        print(f"{m['code']:7.1f} {m['logs']:7.1f} {m['pictures']:11.1f} {m['still']:6.0f} {m['moving']:7.0f}", end=" ")
        print(f"{pictures_per_thousand(m):16.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
