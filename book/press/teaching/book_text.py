"""The texts of the exercises, as a notebook that stands by itself can have them."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lifelong_book.press.contents import Printed, contents, markdown, notebook, printed

_OPTION = re.compile(r"^:[\w-]+:.*\n", re.MULTILINE)
_NAMED = re.compile(r"\{[\w:]+\}`([^`<]*?)\s*<([^`>]+)>`")
_BLOCK = re.compile(r"^(`{3,}|:{3,})\{.*?^\1$", re.DOTALL | re.MULTILINE)
_ROLE = re.compile(r"\{([\w:]+)\}`([^`]+)`")
_BOX = re.compile(r"^`{3,}\{prf:(\w+)\} *(.*)\n(?::[\w-]+:.*\n)*?:label: (\S+)$", re.MULTILINE)
_EQUATION = re.compile(r"^\$\$\n?((?:(?!\$\$).)*?)\n?\$\$ \(([\w-]+)\)", re.DOTALL | re.MULTILINE)


def exercise_texts() -> dict[str, Printed]:
    """For teaching: all exercises by label, texts and solutions in Markdown that needs nothing but formulas."""
    pages = {page: notebook(page) for page in contents()}
    text = "\n\n".join(map(markdown, pages.values()))
    values = {page: dict(glued(cells)) for page, cells in pages.items()}
    boxes = {label: f"the {kind} “{title}”" if title else f"the {kind}" for kind, title, label in _BOX.findall(text)}
    equations = {label: formula.strip().rstrip(" ;,.") for formula, label in _EQUATION.findall(text)}
    return {
        label: Printed(e.page, e.title, *(plain(it, values[e.page], boxes, equations) for it in (e.text, e.solution)))
        for label, e in printed().items()
    }


def glued(cells: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """For teaching, texts of exercises: values that cells give to the words of their page, by name."""
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        name = output.get("metadata", {}).get("scrapbook", {}).get("name")
        text = "".join(output.get("data", {}).get("application/papermill.record/text/plain", ""))
        if name and text:
            yield name, text.strip("'")


def plain(text: str, values: Mapping[str, str], boxes: Mapping[str, str], equations: Mapping[str, str]) -> str:
    r"""The MyST of an exercise as Markdown for a notebook: values, words and repeated equations for references."""
    repeated: list[str] = []

    def number(label: str) -> str:
        if label not in repeated:
            repeated.append(label)
        return f"({repeated.index(label) + 1})"

    def role(found: re.Match[str]) -> str:
        kind, content = found[1], found[2]
        if kind.startswith("glue"):
            return values.get(content.partition(":")[0], "")
        if kind == "eq":
            return number(content) if content in equations else "the equation in the book"
        if kind == "numref":
            return "the figure in the book"
        return boxes.get(content, f"`{content}`")

    text = _OPTION.sub("", text) if text.lstrip().startswith(":") else text
    text = _BLOCK.sub("*(A table or a picture, in the book.)*", text)
    text = _ROLE.sub(role, _NAMED.sub(lambda found: found[1], text)).strip()
    below = [f"$$ {equations[label]} \\tag{{{number}}} $$" for number, label in enumerate(repeated, 1)]
    return "\n\n".join([text, *below])
