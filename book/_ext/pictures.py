"""The list of all pictures: made from their captions at build time, so that it cannot go stale.

The directive `{pictures}` stands for the pictures of the pages whose addresses begin as one of its arguments does. A
picture is a figure with a caption, and the first sentence of the caption says its idea. It is shown small beside that:
a smaller file, made here, or the drawing at which a moving picture begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from PIL import Image
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

PAGE = "book/pictures"
MOVING = 'class="moving"'
DRAWING = re.compile(r"<svg.*?</svg>", re.S)
STYLE = Path(__file__).resolve().parent.parent / "press" / "moving" / "kit.css"
#: Of a small picture: pixels, more than it is shown with, and colours. All of them together are about 1.3 MB.
SMALL, COLOURS = (340, 340), 24
STOP = re.compile(r"[.?!](?=\s|$)")


class Pictures(SphinxDirective):
    """The pictures of some pages."""

    required_arguments, final_argument_whitespace = 1, True

    def run(self) -> list[nodes.Node]:
        """Leave a place: the captions of the pages that come later are not known yet."""
        return [nodes.container(begins=tuple(self.arguments[0].split()))]


def in_order(env: BuildEnvironment) -> list[str]:
    """All pages in the order of the contents."""
    found: list[str] = []

    def visit(page: str) -> None:
        found.append(page)
        for below in env.toctree_includes.get(page, ()):
            visit(below)

    visit(env.config.root_doc)
    return list(dict.fromkeys(found))


def moves(figure: nodes.figure) -> bool:
    """Whether it is a moving picture."""
    return any(MOVING in raw.astext() for raw in figure.findall(nodes.raw))


def reduced(picture: Path, target: Path) -> bool:
    """Write a picture small, unless it is there already; whether there is one."""
    if not picture.is_file():
        return False
    if not target.is_file():  # a picture is named by what is in it
        target.parent.mkdir(parents=True, exist_ok=True)
        with Image.open(picture) as opened:
            small = opened.convert("RGB")
        small.thumbnail(SMALL)
        small.quantize(COLOURS).save(target, optimize=True)
    return True


def first_sentence(caption: Iterable[nodes.Node]) -> list[nodes.Node]:
    """A copy of what stands before the first full stop that is followed by a space, with the stop.

    A full stop within a formula, or within a link, does not end a sentence.
    """
    found: list[nodes.Node] = []
    for node in caption:
        stop = STOP.search(node.astext()) if isinstance(node, nodes.Text) else None
        if stop is not None:
            return [*found, nodes.Text(node.astext()[: stop.end()])]
        found.append(node.deepcopy())
    return found


class Fill(SphinxPostTransform):
    """Put the lists in their places; before the references of the captions are resolved."""

    default_priority = 2

    def run(self, **_: Any) -> None:
        """Called for each page when it is written."""
        for place in [node for node in self.document.findall(nodes.container) if "begins" in node]:
            place.replace_self(list(self._lists(place["begins"])))
        if any("small-moving" in raw.astext() for raw in self.document.findall(nodes.raw)):
            look = f"<style>{STYLE.read_text(encoding='utf-8')}</style>"
            self.document.append(nodes.raw("", look, format="html"))

    def _lists(self, begins: tuple[str, ...]) -> Iterator[nodes.Node]:
        """For each page its title and its pictures."""
        for page in in_order(self.env):
            figures = list(self.env.get_doctree(page).findall(nodes.figure)) if page.startswith(begins) else []
            items = [self._item(page, f) for f in figures if isinstance(f[-1], nodes.caption | nodes.legend)]
            if items:
                yield nodes.paragraph("", "", nodes.strong("", "", self._title(page)))
                yield nodes.bullet_list("", *items, classes=["pictures"])

    def _link(self, page: str, words: list[nodes.Node], anchor: str = "") -> nodes.reference:
        assert self.app.builder is not None
        return make_refnode(self.app.builder, self.env.docname, page, anchor, words)

    def _title(self, page: str) -> nodes.reference:
        number = ".".join(map(str, self.env.titles[page].get("secnumber") or ()))
        words = [child.deepcopy() for child in self.env.titles[page].children]
        return self._link(page, [nodes.Text(f"{number} " if number else ""), *words])

    def _item(self, page: str, figure: nodes.figure) -> nodes.list_item:
        """Number, idea, and whether it moves."""
        name = figure["ids"][0]
        number = ".".join(map(str, self.env.toc_fignumbers.get(page, {}).get("figure", {}).get(name, ())))
        (caption,) = (child for child in figure if isinstance(child, nodes.caption))
        words: list[nodes.Node] = self._small(figure)
        words += [self._link(page, [nodes.Text(f"Figure {number}")], name), nodes.Text(". ")]
        words += first_sentence(caption.children)
        if moves(figure):
            words += [nodes.Text(" "), nodes.emphasis("", "It moves.")]
        return nodes.list_item("", nodes.paragraph("", "", *words))

    def _small(self, figure: nodes.figure) -> list[nodes.Node]:
        """The picture itself, small; nothing of a proof step by step, which is all words."""
        drawing = next((found[0] for raw in figure.findall(nodes.raw) if (found := DRAWING.search(raw.astext()))), None)
        image = next(iter(figure.findall(nodes.image)), None)
        if moves(figure) and drawing:
            return [nodes.raw("", f'<span class="moving small small-moving">{drawing}</span>', format="html")]
        if image is None:
            return []
        source = Path(self.env.srcdir, image["uri"])
        below = Path("_images", "small", f"{source.stem}-{SMALL[0]}.png")
        if not reduced(source, Path(self.app.outdir, below)):
            return []
        up = "../" * self.env.docname.count("/")
        kind = "small photograph" if _photograph(figure) else "small"
        alt = escape(image.get("alt", ""))
        html = f'<img class="{kind}" loading="lazy" src="{up}{below.as_posix()}" alt="{alt}">'
        return [nodes.raw("", html, format="html")]


def _photograph(figure: nodes.Node) -> bool:
    """Whether it, or the cell that made it, says so."""
    node: Any = figure
    while node is not None:
        if {"photograph", "tag_photograph"} & set(getattr(node, "attributes", {}).get("classes", ())):
            return True
        node = node.parent
    return False


def write_again(_app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The list is written with every build, for a caption may have changed, and captions hold formulas."""
    if PAGE not in env.found_docs:
        return []
    env.get_domain("math").data.setdefault("has_equations", {})[PAGE] = True
    return [PAGE]


def setup(app: Sphinx) -> dict[str, Any]:
    """A directive, and what fills its place."""
    app.add_directive("pictures", Pictures)
    app.add_post_transform(Fill)
    app.connect("env-updated", write_again)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
