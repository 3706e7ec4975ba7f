"""The exercises as they stand in the notebooks: statements, solutions, and the numbers that these glue in."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

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


def glued(cells: list[dict]) -> dict[str, str]:
    """What a notebook glues, by name."""
    found = {}
    for cell in cells:
        for output in cell.get("outputs", []):
            if name := output.get("metadata", {}).get("scrapbook", {}).get("name"):
                found[name] = "".join(output["data"].get("application/papermill.record/text/plain", ""))
    return found


def with_values(text: str, values: dict[str, str]) -> str:
    """A text with the values in the places where they are glued."""
    return re.sub(r"\{glue(?::text)?\}`([^`:]+)[^`]*`", lambda found: values[found[1]], text)


@cache
def printed() -> dict[str, Printed]:
    """All exercises by label, in the order of the book."""
    found = {}
    for page in pages():
        path = ROOT / f"{page}.ipynb"
        if not path.exists():
            continue
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        solutions = {
            label: with_values(body, glued(cells))
            for _, label, body in re.findall(r"^(`{3,})\{solution\} (\S+)\n(.*?)^\1$", text, re.DOTALL | re.MULTILINE)
        }
        blocks = re.findall(r"^(`{3,})\{exercise\}.*?\n:label: (\S+)\n(.*?)^\1$", text, re.DOTALL | re.MULTILINE)
        for _, label, body in blocks:
            found[label] = Printed(label, page.removeprefix("book/"), body.strip(), solutions[label])
    return found
