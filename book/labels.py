"""The labels by which the book has been cited: `python book/labels.py` adds those of the built book to `labels.txt`.

A label that stands there is never taken away. One whose statement got a better name stays, as a second target line
`(old)=` above the new one; what moves to another page is found by its old link all the same (`_static/cite.js`).
"""

import sys
from pathlib import Path

from sphinx.util.inventory import InventoryFile

BOOK = Path(__file__).parent
FILE = BOOK / "labels.txt"
BUILT = BOOK.parent / "_build" / "html" / "objects.inv"
#: Headings are not cited by a label, but by page.
KINDS = ("algo", "cor", "def", "eq", "ex", "fig", "lem", "prop", "thm")


def published() -> set[str]:
    """The labels that `labels.txt` holds."""
    return set(FILE.read_text(encoding="utf-8").split()) if FILE.exists() else set()


def built() -> dict[str, str]:
    """The titles of all labels of the built book; that of a plain place in a page is "-"."""
    with BUILT.open("rb") as stream:
        found = InventoryFile.load(stream, "", lambda _, page: page)["std:label"]
    return {label: title for label, (*_, title) in found.items()}


def current() -> set[str]:
    """Labels of statements, exercises, figures and equations in a built book."""
    titled = (label for label, title in built().items() if title != "-")
    return {label for label in titled if label.split("-")[0] in KINDS and not label.endswith("-box")}


if __name__ == "__main__":
    if not BUILT.exists():
        sys.exit("build the book first: the labels are read from its inventory")
    FILE.write_text("".join(f"{label}\n" for label in sorted(published() | current())), encoding="utf-8")
