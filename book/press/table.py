"""What a long experiment is, and how its cases are run: seeded, in parallel, kept on an interrupt."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np

from lifelong._checks import integer
from lifelong_book.press.ledger.runner import Failed, run

#: One line of a table: parameters first, then what was measured. Plain numbers and strings, so that JSON holds it.
Case = Mapping[str, Any]


def ranges(name: str, values: Sequence[Any]) -> dict[str, Any]:
    """In a table of a long experiment, largest and least value over the streams of a line: a single one is one draw."""
    return {name: round(max(values), 4), f"{name}, least": round(min(values), 4)}


@dataclass(frozen=True)
class Experiment:
    """A table of the book that takes too long for a notebook."""

    name: str
    title: str
    cases: tuple[Case, ...]
    run: Callable[[Case, np.random.Generator], dict[str, Any]]

    def row(self, index: int, seed: int = 0) -> dict[str, Any]:
        """Run one case; its random numbers depend on the seed, the experiment and the case only."""
        case = self.cases[index]
        key = crc32(repr(sorted(case.items())).encode())
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(crc32(self.name.encode()), key)))
        return {**case, **self.run(case, rng)}


@dataclass
class Table:
    """The lines that a run of an experiment gave."""

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
    """Run an experiment, or some of its cases."""
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
