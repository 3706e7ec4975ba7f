"""The table of contents, as `_toc.yml` and the notebooks tell it: numbers and titles of the pages."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

#: An exercise as a page has it: fence, title, label, text; and the same of a solution.
_EXERCISE = re.compile(r"^(`{3,}|:{3,})\{exercise\} *([^\n]*)\n:label: (\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)
_SOLUTION = re.compile(r"^(`{3,}|:{3,})\{solution\} (\S+)\n(.*?)^\1$", re.MULTILINE | re.DOTALL)

#: A link to another page, and one whose title is a role and its label, as notebooks have them for JupyterLab.
_LINK = re.compile(r"\[([^\[\]`]+)\]\([\w./]*\.(?:ipynb|md)#([\w-]+)\)")
_ROLE = re.compile(r"\[[^\[\]]+\]\(\S+ \"(cite|cite:[tp]|eq|numref|prf:ref) ([\w,-]+)\"\)")


@dataclass(frozen=True)
class Chapter:
    """A page in the table of contents, with its number and title."""

    number: str
    title: str
    part: str = ""  # which it opens

    def __str__(self) -> str:
        return f"{self.number} {self.title}".strip()


def contents(folder: Path | None = None) -> dict[str, Chapter]:
    r"""The pages of the book in their order."""
    here = root(folder)
    pages: dict[str, Chapter] = {}
    numbered, part, counters, indents = False, "", [0], [0]
    for line in (here / "_toc.yml").read_text(encoding="utf-8").splitlines():
        if "caption:" in line:
            numbered, part = False, line.partition("caption: ")[2]
        numbered |= "numbered:" in line
        if not (entry := re.match(r"( *)- file: *book/(\S+)", line)):
            continue
        indent = len(entry[1])
        while indents[-1] > indent:
            indents.pop()
            counters.pop()
        if indents[-1] < indent:
            indents.append(indent)
            counters.append(0)
        counters[-1] += 1
        number = ".".join(str(c) for c in counters[1:]) if numbered else ""
        pages[entry[2]], part = Chapter(number, _title(entry[2], here), part), ""
    return pages


def root(folder: Path | None = None) -> Path:
    """The folder of the book's sources: the given one, or that of `_toc.yml` here or above, or above this package."""
    tried = [folder] if folder else [Path.cwd(), *Path.cwd().parents, *Path(__file__).resolve().parents]
    for one in tried:
        if (one / "_toc.yml").is_file():
            return one
    raise FileNotFoundError(f"folder: expected one with _toc.yml, the sources of the book, got {tried[0]}")


def notebook(page: str, folder: Path | None = None) -> list[dict[str, Any]]:
    """The cells of a page of the contents; one cell of Markdown, if it is no notebook."""
    found = [path for kind in ("ipynb", "md", "rst") if (path := root(folder) / "book" / f"{page}.{kind}").is_file()]
    if not found:
        raise FileNotFoundError(f"_toc.yml: expected a file of the name book/{page}, got none")
    text = found[0].read_text(encoding="utf-8")
    if found[0].suffix == ".ipynb":
        return list(json.loads(text)["cells"])
    return [{"cell_type": "markdown", "source": text}]


def markdown(cells: list[dict[str, Any]]) -> str:
    """The text of a page of the contents, without code."""
    return roles("\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown"))


def roles(text: str) -> str:
    """Contents of a page for who reads them: its text with links to other pages and citations as roles, as built."""
    return _ROLE.sub(r"{\1}`\2`", _LINK.sub(r"{ref}`\1 <\2>`", text))


@cache
def places() -> dict[str, str]:
    """The contents' pages, by label: of a statement, a target line; else its own, or a figure's."""
    here = Path(__file__).resolve().parents[2]
    label = re.compile(r"^(?:\(([\w-]+)\)=|:label: (\S+)|\$\$ \((eq-[\w-]+)\))$", re.MULTILINE)
    found: dict[str, str] = {}
    for page in contents(here):
        cells = notebook(page, here)
        figures = (cell.get("metadata", {}).get("mystnb", {}).get("figure", {}).get("name") for cell in cells)
        found |= {name: page for name in figures if name}
        found |= {"".join(names): page for names in label.findall(markdown(cells))}
    return found


def _title(page: str, folder: Path) -> str:
    """The first heading of a page."""
    text = markdown(notebook(page, folder))
    found = re.search(r"^# +(.+?) *$", text, re.M) or re.search(r"^(\S.*)\n=+$", text, re.M)
    return found[1] if found else page


@dataclass(frozen=True)
class Printed:
    """An exercise as a page of the contents holds it, in MyST: where, its title, what it asks, and the solution."""

    page: str
    title: str
    text: str
    solution: str

    @property
    def name(self) -> str:
        """Its title without the marks of formulas, which a link cannot have."""
        return self.title.replace("$", "")

    @property
    def links(self) -> tuple[str, ...]:
        """What the exercise or its solution links to, each once: claims, among others."""
        found = re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([a-z0-9-]+?)(?:-box)?>?`", self.text + self.solution)
        return tuple(dict.fromkeys(found))


def printed(folder: Path | None = None) -> dict[str, Printed]:
    r"""The exercises that the contents' pages hold, in the order of the book, by label."""
    found = {}
    for page in contents(folder):
        text = markdown(notebook(page, folder))
        solutions = {label: body for _, label, body in _SOLUTION.findall(text)}
        for _, title, label, body in _EXERCISE.findall(text):
            found[label] = Printed(page, title.strip(), body, solutions.get(label, ""))
    return found


def exercise_list(exercises: Mapping[str, Printed], pages: Mapping[str, Chapter]) -> str:
    """The contents' list of exercises, in MyST Markdown: numbers and titles, one line a page."""
    lines = ["| Page | Exercises |", "|:--|:--|"]
    for page in dict.fromkeys(e.page for e in exercises.values()):
        each = [f"{{numref}}`{{number}} <{x}>` {{ref}}`{e.name} <{x}>`" for x, e in exercises.items() if e.page == page]
        lines.append(f"| {{doc}}`{pages[page]} </book/{page}>` | {'<br>'.join(each)} |")
    return "\n".join(lines)
