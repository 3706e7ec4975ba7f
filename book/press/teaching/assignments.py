"""Exercises as a notebook to hand out: texts, stubs and checks; `gradebook` grades what comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lifelong_book.press.exercise import Exercise
from lifelong_book.press.grading import Submission
from lifelong_book.press.teaching.book_text import Text, exercise_texts
from lifelong_book.press.teaching.catalogue import find
from lifelong_book.press.teaching.submissions import STUDENT

__all__ = ["assignment", "write_assignment"]

_OPENING = """\
# {title}

Write your name into the first cell. Complete each function, run its cell, and run the cell below it: `check` says \
"Right." or what is wrong. A proof, a reason and whatever else no check can read goes into the cell below that; a \
person reads it.

The checks need the book's package `lifelong`: `pip install ./package` in the folder of the student edition, or \
`pip install .` in that of the book. You may add cells and functions of your own. When the notebook is graded, its \
cells run from top to bottom, without a network and other files."""
_BESIDES = "*Your proof, or what else the exercise asks for beyond the function:*"
_WORDS = "*Your answer:*"


def assignment(labels: Sequence[str], *, title: str = "Exercises", book: Path | str | None = None) -> dict[str, Any]:
    """Make a notebook of some exercises.

    Parameters
    ----------
    labels : sequence of str
        Of the exercises, in the order in which they are asked.
    title : str, default "Exercises"
        The heading.
    book : path, optional
        The folder of the book's sources, which have the texts; `book_folder` says where it is looked for.

    Returns
    -------
    dict
        A notebook of format 4.5; there is no solution in it.

    Raises
    ------
    ValueError
        If there is no label, one twice, or one that no exercise has.
    FileNotFoundError
        If the sources of the book are not there.

    Notes
    -----
    Exercises on `lem-subspace` are asked as those on `thm-polynomials` are.

    Examples
    --------
    >>> assignment([])
    Traceback (most recent call last):
    ...
    ValueError: labels: expected at least one exercise, each once
    """
    chosen = [find(label) for label in labels]
    if not chosen or len({e.label for e in chosen}) < len(chosen):
        raise ValueError("labels: expected at least one exercise, each once")
    texts = exercise_texts(book=book)
    cells = [_markdown("opening", _OPENING.format(title=title)), _code(STUDENT, f'{STUDENT} = ""  # your name')]
    cells.append(_code("imports", "import numpy as np\n\nfrom lifelong_book.press.teaching import check, hint"))
    for number, exercise in enumerate(chosen, 1):
        cells += _asked(number, exercise, texts[exercise.label])
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "lifelong": {"exercises": [exercise.label for exercise in chosen]},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def write_assignment(notebook: dict[str, Any], path: Path | str, *, overwrite: bool = False) -> None:
    """Write a notebook into a file.

    Parameters
    ----------
    notebook : dict
        As of `assignment`.
    path : path
        Of the file.
    overwrite : bool, default False
        Whether a file that is there may be replaced: it may hold somebody's answers.

    Raises
    ------
    FileExistsError
        If the file is there and may not be replaced.

    Notes
    -----
    Exercises on `lem-subspace` are written as those on `thm-polynomials` are.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_assignment({"cells": []}, Path(folder, "hw.ipynb"))
    ...     print(Path(folder, "hw.ipynb").read_text())
    {
     "cells": []
    }
    <BLANKLINE>
    """
    with Path(path).open("w" if overwrite else "x", encoding="utf-8") as file:
        json.dump(notebook, file, indent=1, ensure_ascii=False)
        file.write("\n")


def _asked(number: int, exercise: Exercise, text: Text) -> Iterator[dict[str, Any]]:
    """The cells of one exercise."""
    label = exercise.label
    facts = f"*{exercise.kind.capitalize()}, difficulty {exercise.difficulty} of 3, about {exercise.minutes} minutes.*"
    where = f"In the book: the page `{exercise.page}`, label `{label}`. What helps: `hint('{label}')`."
    yield _markdown(f"{label}-text", f"## {number}. {text.title}\n\n{text.statement}\n\n{facts} {where}")
    if exercise.checked:
        stub = exercise.stub.strip()
        yield {**_code(f"{label}-stub", stub), "metadata": {"lifelong": {"exercise": label}}}
        yield _code(f"{label}-check", f'check("{label}", {Submission(None, stub).name})')
    yield _markdown(f"{label}-words", _BESIDES if exercise.checked else _WORDS)


def _markdown(name: str, text: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "id": name[:64], "metadata": {}, "source": text.splitlines(keepends=True)}


def _code(name: str, text: str) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name[:64],
        "metadata": {},
        "outputs": [],
        "source": text.splitlines(keepends=True),
    }
