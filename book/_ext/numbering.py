"""Numbers of sections: parts, chapters and detail pages carry one, headings inside a page carry none.

Sphinx numbers the headings of a page together with the pages below it, so that the first detail page of a chapter
would come after the chapter's last heading. Here only pages count: 3, 3.4, 3.4.1.
"""

from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.environment.collectors.toctree import TocTreeCollector

Number = tuple[int, ...]


def _pages(tree: nodes.Element | None, env: BuildEnvironment) -> list[str]:
    """The pages that a table of contents names, in order."""
    toctrees = tree.findall(addnodes.toctree) if tree is not None else ()
    return [page for toctree in toctrees for _, page in toctree["entries"] if page in env.tocs]


def _number_page(env: BuildEnvironment, page: str, number: Number, depth: int) -> None:
    """Give a page its number, its headings none, and go on to the pages below it."""
    shown = number if depth > 0 else ()
    env.toc_secnumbers[page] = numbers = {"": shown}
    for reference in env.tocs[page].findall(nodes.reference):
        here = shown if reference["anchorname"] == "" else ()
        numbers[reference["anchorname"]] = here
        reference["secnumber"] = list(here) or None
    env.titles[page]["secnumber"] = list(shown) or None
    for place, below in enumerate(_pages(env.tocs[page], env), 1):
        _number_page(env, below, (*number, place), depth - 1)


def assign_section_numbers(_collector: TocTreeCollector, env: BuildEnvironment) -> list[str]:
    """Numbering in place of Sphinx's method; returns the pages whose numbers are no longer the old ones."""
    old, env.toc_secnumbers = env.toc_secnumbers, {}
    count = 0
    for root in sorted(env.numbered_toctrees):
        for toctree in env.get_doctree(root).findall(addnodes.toctree):
            depth = toctree.get("numbered", 0)
            for _, page in toctree["entries"] if depth else ():
                if page in env.tocs:
                    count += 1
                    _number_page(env, page, (count,), depth)
    return [page for page, numbers in env.toc_secnumbers.items() if numbers != old.get(page)]


def setup(app: Sphinx) -> dict[str, Any]:
    """Numbering is loaded last, after Jupyter Book's own extension for the same method."""

    def install(_app: Sphinx) -> None:
        TocTreeCollector.assign_section_numbers = assign_section_numbers  # type: ignore[method-assign,assignment]

    app.connect("builder-inited", install, priority=900)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
