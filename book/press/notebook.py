"""What the notebooks share: evidence as it is shown, stored tables, and sets written as words."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array
from lifelong_book.press.badges import marks_html
from lifelong_book.press.ledger import Report, find, reports


@dataclass(frozen=True)
class Shown:
    """A report as a notebook shows it: a line that opens in a browser, the summary in a terminal."""

    report: Report

    def __repr__(self) -> str:
        return self.report.summary()

    def _repr_html_(self) -> str:
        report, kinds = self.report, sum(not e.twin for e in self.report.evidence)
        says = _CHECKED.get(report.claim.verdict, "only checked, not proved")
        line = f"{says}: {report.instances:,} instance{'' if report.instances == 1 else 's'}"
        line += f" of {kinds} kinds" if kinds > 1 else ""
        return (
            f'<details class="evidence" data-claim="{escape(report.claim.label)}" open><summary>'
            f"{marks_html(report.claim)} {line}</summary><pre>{escape(report.summary())}</pre></details>"
        )


#: What the checks are beside a proof, and beside an instance that refutes.
_CHECKED = {"proved": "Numerical check", "refuted": "Counterexamples and others"}


def evidence(name: str, instances: int | None = None, *, seed: int = 0) -> Shown:
    """Run the ledger's checks of one claim, and show what they find."""
    (report,) = reports([find(name)], instances=instances, seed=seed)
    if not report.agrees:
        raise AssertionError(f"{report.claim.label}: the evidence does not agree with the verdict\n{report.summary()}")
    return Shown(report)


@dataclass(frozen=True)
class Table:
    """Rows under headings: a table on a page and in a notebook, columns in a terminal."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: frozenset[int] = frozenset()

    def __repr__(self) -> str:
        lines = (self.headings, *self.rows)
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        sides = ["<" if i in self.left else ">" for i in range(len(widths))]
        return "\n".join(
            "  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=True)).rstrip()
            for line in lines
        )

    def _repr_markdown_(self) -> str:
        rule = [":--" if i in self.left else "--:" for i in range(len(self.headings))]
        return "\n".join("| " + " | ".join(line) + " |" for line in (self.headings, rule, *self.rows))


def table(headings: Iterable[str], rows: Iterable[Iterable[Any]], formats: Iterable[str] = ()) -> Table:
    """What cells call to show a table of numbers and words."""
    heads, lines = tuple(headings), [tuple(row) for row in rows]
    if not all(heading.strip() for heading in heads):
        raise ValueError(f"headings: expected a word for each column, got {list(heads)}")
    specs = tuple(formats) or ("",) * len(heads)
    for name, given in [("formats", specs), *((f"rows[{i}]", line) for i, line in enumerate(lines))]:
        if len(given) != len(heads):
            raise ValueError(f"{name}: expected {len(heads)} entries, one for each heading, got {len(given)}")
    words = frozenset(i for i in range(len(heads)) if any(isinstance(line[i], str) for line in lines))
    cells = (
        tuple(x if isinstance(x, str) else format(x, f) for x, f in zip(line, specs, strict=True)) for line in lines
    )
    return Table(heads, tuple(cells), words)


def record(name: str) -> dict[str, Any]:
    """A long table as it was stored beside the notebooks, with the command that made it."""
    here = Path.cwd()
    paths = [folder / "records" / f"{name}.json" for folder in (here, *here.parents)]  # notebooks stand at any depth
    found = [path for path in paths if path.is_file()]
    if not found:
        raise ValueError(f"name: expected a table in the folder records, got {name!r}")
    stored: dict[str, Any] = json.loads(found[0].read_text(encoding="utf-8"))
    return stored


def family(text: str) -> BoolArray:
    """What cells call to write sets of one-digit numbers as words: "12 13" is {1, 2} and {1, 3}."""
    if not text.split() or set(text) - set("123456789 "):
        raise ValueError(f"text: expected words of the digits 1 to 9, got {text!r}")
    n = max(int(digit) for digit in text.replace(" ", ""))
    return np.array([[str(v + 1) in word for v in range(n)] for word in text.split()])


def names(rows: ArrayLike) -> str:
    """What cells call to show Boolean rows: words of digits, the way `family` reads them."""
    return " ".join("".join(str(v + 1) for v in np.flatnonzero(row)) for row in bool_array("rows", rows, axes=2))


def monomials(rows: ArrayLike) -> str:
    """What cells call to show Boolean rows as monomials, with 1 for the empty one."""
    words = ("".join(f"x{v + 1}" for v in np.flatnonzero(row)) for row in bool_array("rows", rows, axes=2))
    return " ".join(word or "1" for word in words)


def places(rows: ArrayLike, others: ArrayLike) -> NDArray[np.int64]:
    """What cells call to compare rows: for each the position of the same row among others, or -1."""
    place = {row.tobytes(): i for i, row in enumerate(bool_array("others", others, axes=2))}
    return np.array([place.get(row.tobytes(), -1) for row in bool_array("rows", rows, axes=2)], dtype=np.int64)
