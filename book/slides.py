"""Slides for a talk: one HTML file for each deck, with pictures, formulas and nothing to fetch.

    python book/slides.py [DECK ...] [--folder _build/slides]

A deck is a list in `book/slides/`: a slide has a title, points, and a picture of the book by the name of its figure, or
a cell by its id. Pictures and numbers are read from the notebooks, so a deck shows what the book shows; a picture that
moves still moves. Arrow keys, space or a click turn the page, and printing gives one slide a page.
"""

import argparse
import base64
import re
import sys
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

import yaml
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from lifelong_book.press.contents import notebook
from lifelong_book.press.teaching.book_text import glued

BOOK = Path(__file__).resolve().parent
MATHJAX = BOOK / "_static" / "mathjax" / "tex-svg-full.js"
MARKDOWN = MarkdownIt("commonmark").use(dollarmath_plugin, renderer=lambda text, options: rf"\({escape(text)}\)")


@cache
def cells(page: str) -> list[dict[str, Any]]:
    """The cells of a page, from which slides are made."""
    return notebook(page.removeprefix("book/"), BOOK.parent)


def said(text: str, page: str) -> str:
    """A point of a slide as HTML, with the numbers of its page."""
    known = dict(glued(cells(page)))
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
    """An image inside the HTML of slides."""
    return f'<img alt="{alt}" src="data:image/{kind};base64,{base64.b64encode(content).decode()}">'


def deck(name: str) -> str:
    """A deck of slides as one page of HTML."""
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
    style, script = ((BOOK / "slides" / f"deck.{kind}").read_text(encoding="utf-8") for kind in ("css", "js"))
    return PAGE.format(title=plan["title"], style=style, slides="\n".join(sections), script=script,
                       mathjax=MATHJAX.read_text(encoding="utf-8").replace("</script", r"<\/script"))  # fmt: skip


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
    """The names of all decks of slides."""
    return sorted(path.stem for path in (BOOK / "slides").glob("*.yml"))


def main(arguments: list[str] | None = None) -> int:
    """Write the decks of slides."""
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
