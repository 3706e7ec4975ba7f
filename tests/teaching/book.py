"""The exercises as they stand in the notebooks: statements, solutions, and the numbers that these glue in."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from lifelong_book.press import contents
from lifelong_book.press.teaching import exercises
from lifelong_book.press.teaching.book_text import glued

ROOT = Path(__file__).parents[2]
EXERCISES = {e.label: e for e in exercises()}


class Printed(NamedTuple):
    """An exercise of the book."""

    page: str
    statement: str
    solution: str
    words: set[str]  # that say what is asked


def numbers(text: str) -> set[str]:
    """The numbers of a text, without commas between thousands."""
    found = re.findall(r"(?<![\w.])\d+(?:[.,]\d+)*", re.sub(r"\{,\}", ",", text))
    return {number.replace(",", "") for number in found}


def asked(statement: str) -> set[str]:
    opening, closing = re.match(r"\*(\w+)", statement), re.search(r"\(([a-z, ]+)\)$", statement)
    found = [opening[1].lower()] if opening else re.split(r"[ ,]+", closing[1]) if closing else []
    return set(found) & {"prove", "compute", "break"}


@cache
def printed() -> dict[str, Printed]:
    """All exercises by label, in the order of the book."""
    found = contents.printed(ROOT)
    values = {page: dict(glued(contents.notebook(page, ROOT))) for page in {e.page for e in found.values()}}

    def solution(e):
        return re.sub(r"\{glue(?::text)?\}`([^`:]+)[^`]*`", lambda m: values[e.page][m[1]], e.solution)

    return {s: Printed(e.page, e.text.strip(), solution(e), asked(e.text.strip())) for s, e in found.items()}
