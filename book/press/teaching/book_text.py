"""The texts of the exercises, read from the book's notebooks: with solutions for those who teach, and without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

__all__ = ["Text", "book_folder", "exercise_texts", "without_solutions"]

#: The folder that has the package, and the sources of the book beside it, if they are there.
SOURCES = Path(__file__).resolve().parents[3]
#: The tag of a cell that belongs to a solution.
TAG = "solution"
_EXERCISE = re.compile(r"^(`{3,})\{exercise\}(.*?)\n:label: (\S+)\n(.*?)^\1\s*?$", re.DOTALL | re.MULTILINE)
SOLUTION = re.compile(r"^(`{3,})\{solution(?:-start)?\} (\S+)\n(.*?)^\1\s*?$\n*", re.DOTALL | re.MULTILINE)
_OPTION = re.compile(r"^:[\w-]+:.*\n", re.MULTILINE)
_NAMED = re.compile(r"\{[\w:]+\}`([^`<]*?)\s*<([^`>]+)>`")
_ROLE = re.compile(r"\{([\w:]+)\}`([^`]+)`")
_BOX = re.compile(r"^`{3,}\{prf:(\w+)\} *(.*)\n(?::[\w-]+:.*\n)*?:label: (\S+)$", re.MULTILINE)
_EQUATION = re.compile(r"^\$\$\n?((?:(?!\$\$).)*?)\n?\$\$ \(([\w-]+)\)", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Text:
    """What the book prints of an exercise, as Markdown that needs nothing but formulas.

    Parameters
    ----------
    label : str
        Of the exercise.
    title : str
        Its title.
    statement : str
        What it asks.
    solution : str
        What the book answers.

    Notes
    -----
    Exercises on `lem-subspace` are read as those on `thm-polynomials` are.

    Examples
    --------
    >>> Text("ex-swap", "Separated targets", "Is it true?", "No.").title
    'Separated targets'
    """

    label: str
    title: str
    statement: str
    solution: str


def book_folder(*, book: Path | str | None = None) -> Path:
    """The folder of the book's sources.

    Parameters
    ----------
    book : path, optional
        Unless given, the current folder, or the one from which the package was imported.

    Returns
    -------
    Path

    Raises
    ------
    FileNotFoundError
        If the sources are not there: a package that was installed by itself has none.

    Notes
    -----
    Exercises on `lem-subspace` are read as those on `thm-polynomials` are.

    Examples
    --------
    >>> book_folder(book="no such folder")
    Traceback (most recent call last):
    ...
    FileNotFoundError: no sources of the book in no such folder
    """
    tried = [Path(book)] if book is not None else [Path.cwd(), SOURCES]
    for one in tried:
        if (one / "_toc.yml").is_file() and (one / "book").is_dir():
            return one
    raise FileNotFoundError(f"no sources of the book in {' or '.join(map(str, tried))}")


def exercise_texts(*, book: Path | str | None = None) -> dict[str, Text]:
    """The texts of all exercises, by label.

    Parameters
    ----------
    book : path, optional
        As of `book_folder`.

    Returns
    -------
    dict of str to Text

    Raises
    ------
    FileNotFoundError
        If the sources of the book are not there.

    Notes
    -----
    Exercises on `lem-subspace` are read as those on `thm-polynomials` are. Numbers that a notebook computed stand where
    they are quoted; a reference becomes its words, and an equation is repeated below the text.

    Examples
    --------
    >>> exercise_texts(book="no such folder")
    Traceback (most recent call last):
    ...
    FileNotFoundError: no sources of the book in no such folder
    """
    pages = [_Page(notebook) for _, notebook in notebooks(book_folder(book=book))]
    boxes = {
        label: f"the {kind} “{title}”" if title else f"the {kind}" for p in pages for kind, title, label in p.boxes
    }
    equations = {label: formula.strip().rstrip(" ;,.") for p in pages for formula, label in p.equations}
    found = {}
    for page in pages:
        solutions = {label: body for _, label, body in SOLUTION.findall(page.text)}
        for _, title, label, body in _EXERCISE.findall(page.text):
            statement, solution = (
                plain(part, page.glued, boxes, equations) for part in (body, solutions.get(label, ""))
            )
            found[label] = Text(label, title.strip(), statement, solution)
    return found


class _Page:
    """What of a notebook exercises may refer to."""

    def __init__(self, notebook: dict[str, Any]) -> None:
        cells = notebook["cells"]
        self.text = "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")
        self.glued = {name: value for cell in cells for name, value in _glued(cell)}
        self.boxes, self.equations = _BOX.findall(self.text), _EQUATION.findall(self.text)


def notebooks(root: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """The book's notebooks with their paths."""
    for path in sorted((root / "book").rglob("*.ipynb")):
        if not any(part.startswith(".") for part in path.relative_to(root).parts):
            yield path, json.loads(path.read_text(encoding="utf-8"))


def _glued(cell: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for output in cell.get("outputs", ()):
        name = output.get("metadata", {}).get("scrapbook", {}).get("name")
        text = "".join(output.get("data", {}).get("application/papermill.record/text/plain", ""))
        if name and text:
            yield name, text.strip("'")


def plain(text: str, glued: dict[str, str], boxes: dict[str, str], equations: dict[str, str]) -> str:
    """MyST as Markdown for a notebook: values, words and repeated equations in the place of references."""
    repeated: list[str] = []

    def number(label: str) -> str:
        if label not in repeated:
            repeated.append(label)
        return f"({repeated.index(label) + 1})"

    def role(found: re.Match[str]) -> str:
        kind, content = found[1], found[2]
        if kind.startswith("glue"):
            return glued.get(content.partition(":")[0], "")
        if kind == "eq":
            return number(content) if content in equations else "the equation in the book"
        if kind == "numref":
            return "the figure in the book"
        return boxes.get(content, f"`{content}`")

    text = _OPTION.sub("", text) if text.lstrip().startswith(":") else text
    text = _ROLE.sub(role, _NAMED.sub(lambda found: found[1], text)).strip()
    below = [f"$$ {equations[label]} \\tag{{{number}}} $$" for number, label in enumerate(repeated, 1)]
    return "\n\n".join([text, *below])


def without_solutions(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook without the texts of solutions, and without the cells that belong to them.

    Parameters
    ----------
    notebook : dict
        As its file holds it.

    Returns
    -------
    dict
        Another one; the given one stays as it is.

    Notes
    -----
    Exercises on `lem-subspace` are read as those on `thm-polynomials` are.

    Examples
    --------
    >>> code = {"cell_type": "code", "metadata": {"tags": ["solution"]}, "source": ["1 + 1"]}
    >>> without_solutions({"cells": [{"cell_type": "markdown", "source": ["Ask."]}, code]})
    {'cells': [{'cell_type': 'markdown', 'source': ['Ask.']}]}
    """
    kept = [cell for cell in notebook["cells"] if TAG not in cell.get("metadata", {}).get("tags", ())]
    return {**notebook, "cells": [_without(cell) for cell in kept]}


def _without(cell: dict[str, Any]) -> dict[str, Any]:
    source = "".join(cell["source"])
    if cell["cell_type"] != "markdown" or "{solution" not in source:
        return cell
    return {**cell, "source": SOLUTION.sub("", source).splitlines(keepends=True)}
