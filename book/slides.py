"""Slides for a talk: one HTML file for each deck, with pictures, formulas and nothing to fetch.

    python book/slides.py [DECK ...] [--folder _build/slides]

A deck is a list in `book/slides/`: a slide has a title, points, and a picture of the book by the name of its figure, or
a cell by its id. Pictures and numbers are read from the notebooks, so a deck shows what the book shows; a picture that
moves still moves. Arrow keys, space or a click turn the page, and printing gives one slide a page.
"""

import argparse
import base64
import json
import re
import sys
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

BOOK = Path(__file__).resolve().parent
MATHJAX = BOOK / "_static" / "mathjax" / "tex-svg-full.js"
MARKDOWN = MarkdownIt("commonmark").use(dollarmath_plugin, renderer=lambda text, options: rf"\({escape(text)}\)")


@cache
def cells(page: str) -> list[dict[str, Any]]:
    """The cells of a notebook."""
    found: list[dict[str, Any]] = json.loads((BOOK.parent / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    return found


@cache
def numbers(page: str) -> dict[str, str]:
    """What a notebook glues into its text, by name."""
    glued = {}
    for output in (out for cell in cells(page) for out in cell.get("outputs", [])):
        if name := output.get("metadata", {}).get("scrapbook", {}).get("name"):
            glued[name] = "".join(output["data"].get("application/papermill.record/text/plain", "")).strip("'")
    return glued


def said(text: str, page: str) -> str:
    """A point as HTML, with the numbers of its page."""
    known = numbers(page)
    text = re.sub(r"\{([a-z][\w-]*-[\w-]+)\}", lambda found: known[found[1]], text)
    return str(MARKDOWN.renderInline(text))


def shown(slide: dict[str, Any], page: str) -> str:
    """The picture or the code of a slide."""
    if "figure" in slide:
        named = {c["metadata"].get("mystnb", {}).get("figure", {}).get("name"): c for c in cells(page)}
    elif "cell" in slide:
        named = {c.get("id"): c for c in cells(page)}
    else:
        return ""
    cell = named[slide.get("figure") or slide["cell"]]
    alt = escape(cell["metadata"].get("mystnb", {}).get("image", {}).get("alt", slide["title"]), quote=True)
    for output in cell["outputs"]:
        data = output.get("data", {})
        if "image/svg+xml" in data:
            return picture("".join(data["image/svg+xml"]).encode(), "svg+xml", alt)
        if "image/png" in data:
            return picture(base64.b64decode("".join(data["image/png"])), "png", alt)
        if "text/html" in data:
            return "".join(data["text/html"])
    return f"<pre>{escape(''.join(cell['source']))}</pre>"


def picture(content: bytes, kind: str, alt: str) -> str:
    """An image inside the page."""
    return f'<img alt="{alt}" src="data:image/{kind};base64,{base64.b64encode(content).decode()}">'


def deck(name: str) -> str:
    """A deck as one page of HTML."""
    plan = yaml.safe_load((BOOK / "slides" / f"{name}.yml").read_text(encoding="utf-8"))
    sections = [f'<section class="first"><h1>{plan["title"]}</h1><p>{said(plan["after"], plan["page"])}</p></section>']
    for slide in plan["slides"]:
        page = slide.get("page", plan["page"])
        points = "".join(f"<li>{said(point, page)}</li>" for point in slide["points"])
        look = shown(slide, page)
        both = f'<div class="look">{look}</div>' if look else ""
        sections.append(
            f'<section class="{"both" if look else "words"}"><h2>{said(slide["title"], page)}</h2>'
            f'<div class="halves">{both}<ul>{points}</ul></div></section>'
        )
    return PAGE.format(title=plan["title"], style=STYLE, slides="\n".join(sections), script=SCRIPT,
                       mathjax=MATHJAX.read_text(encoding="utf-8").replace("</script", r"<\/script"))  # fmt: skip


STYLE = """
* { box-sizing: border-box; }
body { margin: 0; font: 26px/1.4 system-ui, sans-serif; color: #1c2025; background: #fff; }
section { display: none; width: 100vw; height: 100vh; padding: 4vh 5vw 7vh; flex-direction: column; }
section.now { display: flex; }
section.first { justify-content: center; } section.first h1 { font-size: 2.4em; margin: 0 0 .4em; }
h2 { margin: 0 0 .6em; font-size: 1.5em; color: #12415f; }
.halves { flex: 1; display: flex; gap: 3vw; align-items: center; min-height: 0; }
.look { flex: 3; height: 100%; min-height: 0; display: flex; align-items: center; justify-content: center; }
.look { overflow: auto; }
.look > img { max-width: 100%; max-height: 100%; width: 100%; height: 100%; object-fit: contain; }
.look > .moving { width: 100%; max-height: 100%; overflow: auto; margin: 0; padding: .2em .6em; font-size: .7em; }
.look > .moving { display: flex; flex-direction: column; } .look > .moving > * { flex: none; }
.look > .moving > :is(svg, ol) { flex: 0 1 auto; min-height: 0; } .look > .moving > ol { overflow: auto; }
.look:has(.steps) { flex: 5; } .look > .moving:has(.steps) { max-width: none; }
.look .steps li { margin: 0; padding-block: .1em; }
.look .steps li:not(.now) > div { display: inline; }
.look .steps li:not(.now) > :is(.why, .bars), .look .steps li:not(.now, .fails) .verdict { display: none; }
.look .steps li:not(.now) [data-v]:not(.verdict) { display: none; }
.look pre { font-size: .58em; background: #f3f5f7; padding: 1em; width: 100%; overflow: auto; }
ul { flex: 2; padding-left: 1.1em; margin: 0; } li { margin-bottom: .7em; }
section.words ul { flex: 1; font-size: 1.25em; }
#number { position: fixed; right: 2vw; bottom: 2vh; font-size: 16px; color: #5b636e; }
@page { size: 320mm 180mm; margin: 0; }
@media print { section { display: flex; break-after: page; height: 180mm; width: 320mm; } #number { display: none; } }
"""
SCRIPT = """
const slides = [...document.querySelectorAll('section')], number = document.getElementById('number')
let at = Math.min(slides.length, Math.max(1, parseInt(location.hash.slice(1)) || 1)) - 1
function show(next) {
  at = Math.min(slides.length - 1, Math.max(0, next))
  slides.forEach((slide, i) => slide.classList.toggle('now', i === at))
  number.textContent = `${at + 1} / ${slides.length}`
  history.replaceState(null, '', `#${at + 1}`)
}
const own = target => target.closest('.moving, .board, input, button, select, a, summary, [tabindex]')
document.addEventListener('keydown', event => {
  if (own(event.target)) return
  const step = { ArrowRight: 1, PageDown: 1, ' ': 1, ArrowLeft: -1, PageUp: -1 }[event.key]
  if (step) { event.preventDefault(); show(at + step) }
  if (event.key === 'Home') show(0)
  if (event.key === 'End') show(slides.length - 1)
})
document.addEventListener('click', event => {
  if (!own(event.target)) show(at + (event.clientX < innerWidth / 3 ? -1 : 1))
})
show(at)
"""
PAGE = """<!DOCTYPE html>
<html lang="en" data-theme="light"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{title}</title><style>{style}</style></head>
<body>
{slides}
<div id="number" role="status"></div>
<script>{script}</script>
<script>window.MathJax = {{options: {{enableMenu: false}}, tex: {{inlineMath: [["\\\\(", "\\\\)"]]}}}}</script>
<script>{mathjax}</script>
</body></html>
"""


def decks() -> list[str]:
    """The names of all decks."""
    return sorted(path.stem for path in (BOOK / "slides").glob("*.yml"))


def main(arguments: list[str] | None = None) -> int:
    """Write the decks."""
    parser = argparse.ArgumentParser(description="Make slides from the notebooks.")
    parser.add_argument("decks", nargs="*", help=f"of {', '.join(decks())}; without names, all")
    parser.add_argument("--folder", type=Path, default=BOOK.parent / "_build" / "slides")
    chosen = parser.parse_args(arguments)
    if unknown := set(chosen.decks) - set(decks()):
        parser.error(f"no deck: {', '.join(sorted(unknown))}")
    chosen.folder.mkdir(parents=True, exist_ok=True)
    for name in chosen.decks or decks():
        file = chosen.folder / f"{name}.html"
        file.write_text(deck(name), encoding="utf-8")
        print(f"{file}: {file.stat().st_size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
