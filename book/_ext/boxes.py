"""Below the text of an exercise: what it takes, its hint, and a box in which an answer is written and checked.

All of it comes from the records of `lifelong_book.press.teaching`; nothing is written into the notebooks.
"""

import re
from html import escape
from typing import Any

from citing import exercise as place
from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx
from sphinx_exercise.nodes import exercise_enumerable_node, exercise_node

from lifelong_book.press.exercise import Exercise
from lifelong_book.press.teaching.catalogue import EXERCISES

DIRECTIVES = (exercise_node, exercise_enumerable_node)
#: By this class the pages' script finds the boxes.
SIGN = "exercise-answer"


def _words(text: str) -> str:
    """A sentence of the records in HTML; code stands between backticks."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _answer(exercise: Exercise, name: str) -> str:
    code = highlight(exercise.stub, PythonLexer(), HtmlFormatter(nowrap=True))
    return (
        f'<details class="{SIGN}" data-exercise="{escape(exercise.label)}" data-name="{escape(name)}">'
        "<summary>Check an answer</summary>"
        f'<div class="highlight-python notranslate"><div class="highlight"><pre>{code}</pre></div></div>'
        f"<p>As a notebook, with its check: <code>lifelong exercise {escape(exercise.label)} --notebook</code></p>"
        "</details>"
    )


def box(exercise: Exercise, name: str) -> str:
    """HTML below the text of an exercise; `name` is what the page calls it, such as "Exercise 3.2.1"."""
    hint = f'<details class="exercise-hint"><summary>Hint</summary><p>{_words(exercise.hint)}</p></details>'
    return (
        f'<div class="exercise-box"><p class="exercise-facts">{escape(exercise.facts)}</p>'
        f"{hint}{_answer(exercise, name) if exercise.checked else ''}</div>"
    )


def add(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A box at the end of every exercise that has a record."""
    if app.builder.format != "html":
        return
    for node in doctree.findall(lambda node: isinstance(node, DIRECTIVES)):
        exercise = EXERCISES.get(node["label"])
        if exercise is not None:
            name = place(app.env, page, node).title.partition(" (")[0]
            node += nodes.raw("", box(exercise, name), format="html")


def setup(app: Sphinx) -> dict[str, Any]:
    """Boxes of exercises are added when the numbers of exercises stand in their headings."""
    app.connect("doctree-resolved", add)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
