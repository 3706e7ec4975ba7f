"""The exercises of a chapter as a table, for the pages that are written for teachers.

The directive `{exercises}` stands for the exercises of the pages whose addresses, without `book/`, begin as one of its
arguments does: number and name, what it asks for, how hard it is, how long it takes, whether an answer can be checked.
All of it comes from the catalogue in `lifelong_book.press.teaching`, so nothing is typed that could go stale.
"""

from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from lifelong_book.press.contents import printed
from lifelong_book.press.rooms import modules
from lifelong_book.press.teaching import exercises

HEADS = "| exercise | asks to | difficulty | minutes | checked |\n|:--|:--|:-:|--:|:-:|"


BOOK = Path(__file__).resolve().parents[1]


class Exercises(SphinxDirective):
    """The directive that lists the exercises of some pages, for teachers."""

    required_arguments, final_argument_whitespace = 1, True

    def run(self) -> list[nodes.Node]:
        """A table in the order of the book, with a line that adds the minutes up."""
        for module in modules("exercises"):
            self.env.note_dependency(str(module.__file__))
        found = [e for begin in self.arguments[0].split() for e in exercises(page=begin)]
        titles = {label: e.name for label, e in printed(BOOK.parent).items()}
        for page in {e.page for e in found}:
            self.env.note_dependency(str(BOOK / f"{page}.ipynb"))
        if not found:
            raise self.error(f"no exercise stands on a page that begins as {self.arguments[0]!r}")
        lines = [
            f"| {{numref}}`{{number}} <{e.label}>` {{ref}}`{titles[e.label]} <{e.label}>` | {e.asks.kind} "
            f"| {e.asks.difficulty} | {e.asks.minutes} | {'yes' if e.checked else 'no'} |"
            for e in found
        ]
        hours = sum(e.asks.minutes for e in found) / 60
        text = [*HEADS.splitlines(), *lines, "", f"All {len(found)} together take about {hours:.1f} hours."]
        place = nodes.container(classes=["exercises-of"])
        self.state.nested_parse(StringList(text, source=self.env.docname), self.content_offset, place)
        return [place]


def setup(app: Sphinx) -> dict[str, Any]:
    """One directive, for the pages that are written for teachers."""
    app.add_directive("exercises", Exercises)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
