"""The exercises as they stand in the notebooks: statements, solutions, and the numbers that these glue in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from lifelong_book.press import contents
from lifelong_book.press.teaching.book_text import glued

ROOT = Path(__file__).parents[2]
NUMBER = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Printed:
    """An exercise of the book."""

    label: str
    page: str
    statement: str
    solution: str

    @property
    def words(self) -> set[str]:
        """The words that say what is asked, such as "prove"."""
        opening = re.match(r"\s*\*(\w+)", self.statement)
        closing = re.search(r"\(([a-z, ]+)\)\s*$", self.statement)
        found = [opening[1].lower()] if opening else re.split(r"[ ,]+", closing[1]) if closing else []
        return set(found) & {"prove", "compute", "break"}


def numbers(text: str) -> set[str]:
    """The numbers of a text, without commas between thousands."""
    return {found.replace(",", "") for found in NUMBER.findall(re.sub(r"\{,\}", ",", text))}


def pages() -> list[str]:
    """All pages in the order of the contents."""

    def files(part: object) -> list[str]:
        if isinstance(part, list):
            return [name for one in part for name in files(one)]
        below = [files(part[key]) for key in ("chapters", "sections", "parts") if key in part]
        own = [part["file"]] if "file" in part else []
        return own + [name for some in below for name in some]

    return files(yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8")))


def with_values(text: str, values: dict[str, str]) -> str:
    """A text with the values in the places where they are glued."""
    return re.sub(r"\{glue(?::text)?\}`([^`:]+)[^`]*`", lambda found: values[found[1]], text)


@cache
def printed() -> dict[str, Printed]:
    """All exercises by label, in the order of the book."""
    found = contents.printed(ROOT)
    values = {page: dict(glued(contents.notebook(page, ROOT))) for page in {e.page for e in found.values()}}
    return {
        label: Printed(label, e.page, e.text.strip(), with_values(e.solution, values[e.page]))
        for label, e in found.items()
    }
