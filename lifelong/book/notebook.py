"""What the notebooks share: evidence as it is shown, stored tables, and sets written as words."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, bool_array
from lifelong.ledger import Report, find, reports

__all__ = ["Shown", "evidence", "family", "monomials", "names", "places", "record"]


@dataclass(frozen=True)
class Shown:
    """A report as a notebook shows it: a line that opens in a browser, the summary in a terminal.

    Parameters
    ----------
    report : Report
        The evidence for one claim of the ledger.

    Notes
    -----
    For every claim, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> evidence("rem-dimension")._repr_html_()[:26]
    '<details class="evidence">'
    """

    report: Report

    def __repr__(self) -> str:
        return self.report.summary()

    def _repr_html_(self) -> str:
        report = self.report
        checks = [e for e in report.evidence if not e.twin]
        twins = len(report.evidence) - len(checks)
        line = (
            f"{escape(report.claim.verdict)}: {len(checks)} checks on {report.instances:,} instances, "
            f"{twins} broken {'twin' if twins == 1 else 'twins'} caught"
        )
        return (
            f'<details class="evidence"><summary><code>{escape(report.claim.label)}</code> {line}</summary>'
            f"<pre>{escape(report.summary())}</pre></details>"
        )


def evidence(name: str, instances: int | None = None, *, seed: int = 0) -> Shown:
    """Run the ledger's checks of one claim, and show what they find.

    Parameters
    ----------
    name : str
        Label or printed number of the claim, as `lifelong.ledger.find` takes it.
    instances : int, optional
        Instances of each random check; every check has a default of its own.
    seed : int, default 0
        The same seed gives the same findings.

    Returns
    -------
    Shown

    Raises
    ------
    ValueError
        If no claim has that name, or a number is out of range.
    AssertionError
        If the evidence does not agree with the verdict of the ledger.

    Notes
    -----
    For every claim, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> evidence("lem-one-vec", 100).report.agrees
    True
    """
    (report,) = reports([find(name)], instances=instances, seed=seed)
    if not report.agrees:
        raise AssertionError(f"{report.claim.label}: the evidence does not agree with the verdict\n{report.summary()}")
    return Shown(report)


def record(name: str) -> dict[str, Any]:
    """A long table as it was stored beside the notebooks, with the command that made it.

    Parameters
    ----------
    name : str
        Name of the table, as for `python -m lifelong table`.

    Returns
    -------
    dict
        With the keys "command", "rows" and others.

    Raises
    ------
    ValueError
        If the folder `records` has no such table.

    Examples
    --------
    >>> record("no table")
    Traceback (most recent call last):
    ...
    ValueError: name: expected a table in the folder records, got 'no table'
    """
    path = Path("records") / f"{name}.json"
    if not path.is_file():
        raise ValueError(f"name: expected a table in the folder records, got {name!r}")
    stored: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return stored


def family(text: str) -> BoolArray:
    """Sets of one-digit numbers from words: "12 13" is {1, 2} and {1, 3}.

    Parameters
    ----------
    text : str
        One word a set, of digits from 1 to 9.

    Returns
    -------
    bool, shape (m, n)
        One row a set; n is the largest digit.

    Raises
    ------
    ValueError
        If a word has another character.

    Examples
    --------
    >>> family("12 13").astype(int)
    array([[1, 1, 0],
           [1, 0, 1]])
    """
    if not text.split() or set(text) - set("123456789 "):
        raise ValueError(f"text: expected words of the digits 1 to 9, got {text!r}")
    n = max(int(digit) for digit in text.replace(" ", ""))
    return np.array([[str(v + 1) in word for v in range(n)] for word in text.split()])


def names(rows: ArrayLike) -> str:
    """Boolean rows as words of digits, the way `family` reads them.

    Parameters
    ----------
    rows : array_like, shape (m, n), bool

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If `rows` is no boolean matrix.

    Examples
    --------
    >>> names(family("12 13"))
    '12 13'
    """
    return " ".join("".join(str(v + 1) for v in np.flatnonzero(row)) for row in bool_array("rows", rows, axes=2))


def monomials(rows: ArrayLike) -> str:
    """Boolean rows as monomials, with 1 for the empty one.

    Parameters
    ----------
    rows : array_like, shape (m, n), bool

    Returns
    -------
    str

    Raises
    ------
    ValueError
        If `rows` is no boolean matrix.

    Examples
    --------
    >>> monomials([[True, True, False], [False, False, False]])
    'x1x2 1'
    """
    words = ("".join(f"x{v + 1}" for v in np.flatnonzero(row)) for row in bool_array("rows", rows, axes=2))
    return " ".join(word or "1" for word in words)


def places(rows: ArrayLike, others: ArrayLike) -> NDArray[np.int64]:
    """For each row the position of the same row among others, or -1.

    Parameters
    ----------
    rows : array_like, shape (m, n), bool
    others : array_like, shape (k, n), bool

    Returns
    -------
    int64, shape (m,)

    Raises
    ------
    ValueError
        If an argument is no boolean matrix.

    Examples
    --------
    >>> places(family("13 12"), family("12 23"))
    array([-1,  0])
    """
    place = {row.tobytes(): i for i, row in enumerate(bool_array("others", others, axes=2))}
    return np.array([place.get(row.tobytes(), -1) for row in bool_array("rows", rows, axes=2)], dtype=np.int64)
