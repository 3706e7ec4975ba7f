"""Exercises as a notebook to hand out: the source from which otter-grader makes the sheet, and what grades it.

`otter assign` takes the solutions and what only a teacher reads out of the notebook, and puts the checks where they
run: https://otter-grader.readthedocs.io says how. The page on grading runs what is handed in, in containers.
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

from lifelong_book.press.contents import Printed, root
from lifelong_book.press.exercise import Exercise
from lifelong_book.press.grading import Submission
from lifelong_book.press.teaching.book_text import exercise_texts
from lifelong_book.press.teaching.catalogue import find

_CONFIG = """\
# ASSIGNMENT CONFIG
requirements: requirements.txt
run_tests: false
export_cell: false"""
_OPENING = """\
# {title}

Complete each function and run its cell; where a cell with a check stands below it, that says "Right." or what is \
wrong. A proof, a reason, and whatever else no check can read goes into the cell of words; a person reads it. The \
packages `lifelong` and `lifelong-book` must be installed. You may add cells and functions of your own."""


def sheet(labels: Sequence[str], *, title: str = "Exercises", site: str = "", hidden: bool = False) -> dict[str, Any]:
    """The notebook of some exercises from which `otter assign` makes a sheet for students, and its grader."""
    chosen = [find(label) for label in labels]
    if not chosen or len({e.label for e in chosen}) < len(chosen):
        raise ValueError("labels: expected at least one exercise, each once")
    texts = exercise_texts()
    notes = json.loads((root() / "book" / "teaching" / "rubrics.json").read_text(encoding="utf-8"))
    cells = [_cell("raw", "config", _CONFIG), _cell("markdown", "opening", _OPENING.format(title=title))]
    cells.append(_cell("code", "imports", "import numpy as np\n\nfrom lifelong_book.press.teaching import hint"))
    for exercise in chosen:
        text = texts[exercise.label]
        page = f"book/{text.page}.html#{exercise.label}"
        where = f"[{text.page}]({site.rstrip('/')}/{page})" if site else f"`{page}`"
        cells += _asked(exercise, text, where, notes.get(exercise.label, ""), hidden)
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def alone(label: str) -> dict[str, Any]:
    """One exercise for whoever studies alone: its text, its stub and its check, and no solution."""
    made = sheet([label], title="An exercise")
    cells = [c for c in made["cells"] if c["cell_type"] != "raw" and not c["id"].endswith("-solution")]
    return {**made, "cells": [{**c, "outputs": []} if c["cell_type"] == "code" else c for c in cells]}


def _asked(e: Exercise, text: Printed, where: str, note: str, hidden: bool) -> Iterator[dict[str, Any]]:
    """The cells of one exercise: a question that the check grades, if there is one, and a question for a person."""
    label = e.label
    where = f"*{e.facts}.* In the book: {where}. What helps: `hint('{label}')`."
    asked = _cell("markdown", f"{label}-text", f"## {text.title}\n\n{text.text}\n\n{where}")
    if e.checked:
        # what the sheet itself calls `check` is not asked
        test = f'from lifelong_book.press.teaching import check\n\ncheck("{label}", {Submission(None, e.stub).name})'
        outputs = [{"output_type": "stream", "name": "stdout", "text": ["Right."]}]
        tests = _cell("code", f"{label}-check", "# HIDDEN\n" * hidden + test) | {"outputs": outputs}
        stub = _cell("code", f"{label}-stub", e.stub)
        yield from _block("question", label, asked, *_block("prompt", label, stub), *_block("tests", label, tests))
        asked = _cell("markdown", f"{label}-besides", "*Your proof, or what else the exercise asks for:*")
    answer = _cell("markdown", f"{label}-words", "*Your words.*")
    solution = _cell("markdown", f"{label}-solution", f"{text.solution}\n\n**To look for.** {note or e.goal}")
    parts = (*_block("prompt", f"{label}-words", answer), *_block("solution", f"{label}-words", solution))
    yield from _block("question", f"{label}-words", asked, *parts, config="\nmanual: true")


def _block(kind: str, name: str, *cells: dict[str, Any], config: str = "") -> Iterator[dict[str, Any]]:
    """Cells between the two that otter-grader reads."""
    config = f"\nname: {name}\npoints: 1{config}" if kind == "question" else ""
    yield _cell("raw", f"{name}-{kind}", f"# BEGIN {kind.upper()}{config}")
    yield from cells
    yield _cell("raw", f"{name}-{kind}-end", f"# END {kind.upper()}")


def _cell(kind: str, name: str, text: str) -> dict[str, Any]:
    code: dict[str, Any] = {"execution_count": None, "outputs": []} if kind == "code" else {}
    return {"cell_type": kind, "id": name[:64], "metadata": {}, "source": text.splitlines(keepends=True), **code}
