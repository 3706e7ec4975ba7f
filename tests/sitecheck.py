"""What must hold of every built page. ``static`` reads the files; ``live`` opens them in Chromium without a network."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup

GET_CHROMIUM = "no Chromium found: `apt-get install chromium`, or set CHROMIUM=/path/to/chromium"
OUTSIDE = re.compile(r"^\s*(?:https?:)?//", re.I)
IN_CSS = re.compile(r"""url\(\s*['"]?\s*((?:https?:)?//[^'")]+)|@import\s+['"]((?:https?:)?//[^'"]+)""", re.I)
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "audio": "src",
         "embed": "src", "object": "data", "image": "href", "use": "href"}  # fmt: skip
LOADING_LINKS = {"stylesheet", "icon", "shortcut", "preload", "prefetch", "modulepreload", "preconnect", "manifest"}
# ids that sphinx-proof and sphinx-exercise repeat on a page; nobody links to them
THEIRS = {"proof", "proof-content", "exercise-content", "solution-content"}
# the theme declares it twice on every page, and nothing uses it
HARMLESS = "Identifier 'THEBE_JS_URL' has already been declared"


@dataclass
class Page:
    """One built page."""

    path: Path
    root: Path

    @cached_property
    def soup(self) -> BeautifulSoup:
        return BeautifulSoup(self.path.read_text(encoding="utf-8"), "html.parser")

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


STATIC = (dead_links, outside_loads, missing_alt, duplicate_ids)


def static(root: Path) -> dict[str, list[str]]:
    """Faults by page, from the files alone."""
    site = pages(root)
    faults = {page.name: [fault for check in STATIC for fault in check(page, site)] for page in site.values()}
    faults["style sheets"] = outside_styles(root)
    return {name: found for name, found in faults.items() if found}


# --- seen in a browser

# Opens page after page in a frame 390 pixels wide, waits for the formulas, and leaves what is wrong as JSON.
HARNESS = r"""<!doctype html><meta charset="utf-8"><title>site check</title>
<body><pre id="report">unfinished</pre><script>
const PAGES = %s, WIDTH = 390, report = {};
const pause = ms => new Promise(done => setTimeout(done, ms));
const RAW = /\\\(|\\\)|\\\[|\$\$|\\begin\{|\$[^$\n]*[\\^_{}][^$\n]*\$/;
const NOT_TEXT = 'script, style, noscript, template, pre, code, textarea, mjx-container, .math';
function faults(win) {
  const doc = win.document, found = [], text = t => (t || '').trim().replace(/\s+/g, ' ').slice(0, 80);
  for (const e of doc.querySelectorAll('[data-mjx-error], mjx-merror, [data-mml-node="merror"]'))
    found.push('TeX error: ' + (e.getAttribute('data-mjx-error') || e.getAttribute('title') || text(e.textContent)));
  for (const e of doc.querySelectorAll('span.math, div.math'))
    if (!e.querySelector('mjx-container')) found.push('formula not rendered: ' + text(e.textContent));
  const walk = doc.createTreeWalker(doc.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = walk.nextNode());) {
    const up = node.parentElement;
    if (!RAW.test(node.data) || up.closest(NOT_TEXT)) continue;
    found.push('TeX in the text: ' + text(node.data));
  }
  const wide = doc.documentElement.scrollWidth;
  if (wide > WIDTH) found.push(`page is ${wide} pixels wide on a screen of ${WIDTH}`);
  for (const e of (doc.querySelector('article') || doc.body).querySelectorAll('*')) {
    if (e.closest('mjx-container') && e.tagName !== 'MJX-CONTAINER') continue;
    const box = e.getBoundingClientRect(), style = win.getComputedStyle(e);
    if (box.right <= WIDTH + 1 || box.width < 2) continue;
    if (style.visibility === 'hidden' || style.position === 'fixed') continue;
    let up = e.parentElement, inside = false;
    for (; up && up !== doc.body; up = up.parentElement) {
      const how = win.getComputedStyle(up);
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
  for (const r of win.performance.getEntriesByType('resource'))
    if (!/^(file|data|blob|about):/.test(r.name)) found.push('outside load ' + r.name);
  for (const e of doc.images)
    if (e.complete && !e.naturalWidth && e.loading !== 'lazy')
      found.push('picture does not load: ' + e.getAttribute('src'));
  return found;
}
async function look(url) {
  const frame = document.createElement('iframe');
  frame.style.cssText = `width:${WIDTH}px;height:844px;border:0`;
  const loaded = new Promise(done => frame.onload = done);
  frame.src = url;
  document.body.append(frame);
  await loaded;
  await pause(50);  // a page that only leads on to another
  const leaves = () => frame.contentDocument.querySelector('meta[http-equiv="refresh" i]');
  for (let i = 0; i < 20 && leaves(); i++) await pause(50);
  const win = frame.contentWindow;
  if (win.document.querySelector('.math')) {
    const started = () => win.MathJax?.startup?.promise;
    for (let i = 0; i < 100 && !started(); i++) await pause(20);
    if (started()) await Promise.race([started(), pause(20000)]).catch(() => {});
  }
  await pause(50);
  const found = faults(win);
  frame.remove();
  return found;
}
(async () => {
  for (const [name, url] of PAGES)
    report[name] = await look(url).catch(e => ['check failed: ' + e]);
  document.getElementById('report').textContent = JSON.stringify(report);
})();
</script>"""


def chromium() -> str | None:
    """Where the browser is."""
    named = os.environ.get("CHROMIUM")
    if named:
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
    return next((path for name in names if (path := shutil.which(name))), None)


def open_in_chromium(path: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run Chromium without a window and without a network; its stdout is the document as it then stands."""
    browser = chromium()
    if browser is None:
        raise FileNotFoundError(GET_CHROMIUM)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        command += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
        command += ["--proxy-server=127.0.0.1:9", "--proxy-bypass-list=<-loopback>", f"--user-data-dir={profile}"]
        command += ["--allow-file-access-from-files", "--enable-logging=stderr", *options, path.resolve().as_uri()]
        return subprocess.run(command, capture_output=True, text=True, timeout=300)


def live(root: Path, jobs: int = 2) -> dict[str, list[str]]:
    """Faults by page, as a browser sees them: formulas, width, what is fetched, scripts that break."""
    found: dict[str, list[str]] = {}
    everything = [(page.name, page.path.as_uri()) for page in pages(root).values()]
    shares = [share for job in range(jobs) if (share := everything[job::jobs])]
    with ThreadPoolExecutor(jobs) as pool:
        for faults in pool.map(_live, shares):
            found.update(faults)
    return {name: faults for name, faults in found.items() if faults}


def _live(share: list[tuple[str, str]]) -> dict[str, list[str]]:
    with tempfile.TemporaryDirectory() as folder:
        harness = Path(folder) / "harness.html"
        harness.write_text(HARNESS % json.dumps(share).replace("</", "<\\/"), encoding="utf-8")
        run = open_in_chromium(harness, "--virtual-time-budget=600000", "--window-size=1280,900", "--dump-dom")
    report = BeautifulSoup(run.stdout, "html.parser").find(id="report")
    text = report.get_text() if report else "no page"
    if not text.startswith("{"):
        raise RuntimeError(f"Chromium left no report ({text}); it said:\n{run.stderr[-2000:]}")
    found: dict[str, list[str]] = json.loads(text)
    for message, url in re.findall(r'CONSOLE.*?"(Uncaught.*?)", source: (\S*)', run.stderr):
        if HARMLESS in message:
            continue
        for name, address in share:
            if url == address:
                found[name].append(f"script error: {message}")
                break
        else:
            found.setdefault("scripts", []).append(f"script error: {message} in {url}")
    return found
