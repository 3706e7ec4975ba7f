"""What a student hands in, a notebook or a Python file, read without running any of it."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lifelong_book.press.teaching.catalogue import EXERCISES

__all__ = ["Handed", "Piece", "read_submission"]

#: Largest file that is read, in bytes, and longest name.
LARGEST, LONGEST = 20_000_000, 80
#: The variable of an assignment in which a student writes the own name.
STUDENT = "student"
#: Lines that only a notebook understands.
_MAGIC = re.compile(r"^\s*([%!?]|\w+\?)")


@dataclass(frozen=True)
class Piece:
    """A cell of a notebook, or a whole file.

    Parameters
    ----------
    place : str
        What a message calls it, such as "cell 3".
    code : str
        Python.
    exercise : str
        The label of the exercise whose stub the cell was made for; empty for all other cells.

    Notes
    -----
    An answer about `lem-subspace` is checked as one about `thm-polynomials` is.

    Examples
    --------
    >>> Piece("cell 3", "def stream(): return 1", "").place
    'cell 3'
    """

    place: str
    code: str
    exercise: str


@dataclass(frozen=True)
class Handed:
    """One submission.

    Parameters
    ----------
    student : str
        The name that it gives; of the file, if it gives none.
    pieces : tuple of Piece
        In order.
    exercises : tuple of str
        The labels of those that the assignment asked for, as far as the file still says so.
    fault : str
        Why it could not be read; empty if it could.

    Notes
    -----
    An answer about `lem-subspace` is read as one about `thm-polynomials` is.

    Examples
    --------
    >>> Handed("Emmy", ()).fault
    ''
    """

    student: str
    pieces: tuple[Piece, ...]
    exercises: tuple[str, ...] = field(default=(), kw_only=True)
    fault: str = field(default="", kw_only=True)


def read_submission(path: Path | str) -> Handed:
    """Read a submission, whatever the file holds.

    Parameters
    ----------
    path : path
        Of a notebook (.ipynb) or a Python file.

    Returns
    -------
    Handed

    Notes
    -----
    An answer about `lem-subspace` is read as one about `thm-polynomials` is.

    Examples
    --------
    >>> read_submission("no such file.py").fault
    'the file cannot be read: FileNotFoundError'
    """
    path = Path(path)
    try:
        if path.stat().st_size > LARGEST:
            return Handed(path.stem, (), fault="the file cannot be read: it is too large")
        text = path.read_text(encoding="utf-8-sig")
        notebook = json.loads(text) if path.suffix == ".ipynb" else None
        pieces = tuple(_cells(notebook)) if notebook else (Piece("the file", text, ""),)
        labels = tuple(_labels(notebook)) if notebook else ()
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        return Handed(path.stem, (), fault=f"the file cannot be read: {type(error).__name__}")
    return Handed(_student(pieces) or path.stem, pieces, exercises=labels)


def _cells(notebook: dict[str, Any]) -> Iterator[Piece]:
    for number, cell in enumerate(notebook["cells"], 1):
        if cell["cell_type"] == "code":
            told = cell.get("metadata", {}).get("lifelong", {})
            label = told.get("exercise", "") if isinstance(told, dict) else ""
            code = "".join(cell["source"])
            yield Piece(f"cell {number}", "" if code.startswith("%%") else _python(code), str(label))


def _python(code: str) -> str:
    """The lines of a cell without those for the notebook itself."""
    return "\n".join("pass" if _MAGIC.match(line) else line for line in code.splitlines())


def _labels(notebook: dict[str, Any]) -> Iterator[str]:
    told = notebook.get("metadata", {}).get("lifelong", {})
    for label in told.get("exercises", ()):
        if label in EXERCISES:
            yield label


def _student(pieces: tuple[Piece, ...]) -> str:
    """The name in the last line `student = "..."`."""
    found = ""
    for piece in pieces:
        with suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            for line in ast.parse(piece.code).body:
                if isinstance(line, ast.Assign) and any(
                    isinstance(t, ast.Name) and t.id == STUDENT for t in line.targets
                ):
                    value = line.value
                    found = str(value.value) if isinstance(value, ast.Constant) else found
    return " ".join(found.split())[:LONGEST]
