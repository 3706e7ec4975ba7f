"""What a long experiment is, and how its cases are run: seeded, in parallel, kept on an interrupt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from lifelong._checks import integer
from lifelong_book.press.ledger.runner import Failed, run

__all__ = ["Case", "Experiment", "Table", "run_cases"]

#: One line of a table: parameters first, then what was measured. Plain numbers and strings, so that JSON holds it.
Case = Mapping[str, Any]


@dataclass(frozen=True)
class Experiment:
    """A table of the book that takes too long for a notebook.

    Parameters
    ----------
    name : str
        What the command line calls it, and the stem of its record.
    title : str
        A few words.
    cases : tuple of mapping
        The parameters of each line.
    run : callable (case, Generator) -> dict
        Measures one line: returns the measured columns only, as plain numbers and strings.

    Examples
    --------
    >>> squares = Experiment("squares", "squares", ({"x": 2}, {"x": 3}), lambda case, rng: {"square": case["x"] ** 2})
    >>> run_cases(squares).rows
    [{'x': 2, 'square': 4}, {'x': 3, 'square': 9}]
    """

    name: str
    title: str
    cases: tuple[Case, ...]
    run: Callable[[Case, np.random.Generator], dict[str, Any]]

    def row(self, index: int, seed: int = 0) -> dict[str, Any]:
        """Run one case; its random numbers depend on the seed, the experiment and the case only.

        Parameters
        ----------
        index : int
            Which case.
        seed : int, default 0
            Seed of the whole run.

        Returns
        -------
        dict
            Parameters, then measured columns.
        """
        case = self.cases[index]
        key = crc32(repr(sorted(case.items())).encode())
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(crc32(self.name.encode()), key)))
        return {**case, **self.run(case, rng)}


@dataclass
class Table:
    """The lines that a run of an experiment gave.

    Parameters
    ----------
    experiment : Experiment
        What was run.
    rows : list of dict
        In the order of the cases.
    interrupted : bool
        Whether the run was stopped from the keyboard; the lines that were ready are kept.
    failed : dict of int to Failed
        The cases that gave no line, and why.

    Examples
    --------
    >>> Table(Experiment("none", "nothing", (), lambda case, rng: {})).rows
    []
    """

    experiment: Experiment
    rows: list[dict[str, Any]] = field(default_factory=list)
    interrupted: bool = False
    failed: dict[int, Failed] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every line that was asked for is there."""
        return not self.interrupted and not self.failed


def run_cases(
    experiment: Experiment,
    cases: Sequence[int] | None = None,
    *,
    seed: int = 0,
    n_jobs: int = 1,
    progress: bool = False,
) -> Table:
    """Run an experiment, or some of its cases.

    Parameters
    ----------
    experiment : Experiment
        What to run.
    cases : sequence of int, optional
        Which cases; all of them unless given. A case gives the same line whichever others run.
    seed : int, default 0
        The same seed gives the same table, whatever the number of jobs.
    n_jobs : int, default 1
        Processes; -1 for all cores.
    progress : bool, default False
        Show a progress bar on standard error.

    Returns
    -------
    Table
        After an interrupt from the keyboard it holds the lines found until then and is not complete. A case that
        raises an error is named in `failed`, and the others still run.

    Raises
    ------
    ValueError
        If a case does not exist, or `seed` or `n_jobs` is out of range.

    Examples
    --------
    >>> squares = Experiment("squares", "squares", ({"x": 2}, {"x": 3}), lambda case, rng: {"square": case["x"] ** 2})
    >>> run_cases(squares, [1]).rows
    [{'x': 3, 'square': 9}]
    """
    integer("seed", seed, least=0)
    chosen = list(range(len(experiment.cases))) if cases is None else list(cases)
    for index in chosen:
        if integer("cases", index, least=0) >= len(experiment.cases):
            raise ValueError(f"cases: expected numbers below {len(experiment.cases)}, got {index}")
    calls = {i: partial(experiment.row, i, seed) for i in sorted(chosen)}
    done = run(calls, n_jobs=n_jobs, progress=progress, unit="case")
    failed = {i: result for i, result in done.items() if isinstance(result, Failed)}
    rows = [row for key in calls if key in done and not isinstance(row := done[key], Failed)]
    return Table(experiment, rows, interrupted=len(done) < len(calls), failed=failed)
