"""Tables that take too long for a notebook: `python -m lifelong table NAME` makes them.

Each is stored as a record in the book, with the command that made it; a test runs some of its cases again.

Examples
--------
>>> all(name == experiment.name for name, experiment in EXPERIMENTS.items())
True
"""

from lifelong.ledger.tables import beyond, direct, halfspaces, levels, noise, repair, sparse
from lifelong.ledger.tables.table import Case, Experiment, Table, run_cases

__all__ = ["EXPERIMENTS", "Case", "Experiment", "Table", "run_cases"]


#: All experiments by name; the modules of this package hold a tuple EXPERIMENTS each.
_ALL: tuple[Experiment, ...] = (
    *repair.EXPERIMENTS,
    *levels.EXPERIMENTS,
    *direct.EXPERIMENTS,
    *halfspaces.EXPERIMENTS,
    *sparse.EXPERIMENTS,
    *beyond.EXPERIMENTS,
    *noise.EXPERIMENTS,
)
EXPERIMENTS: dict[str, Experiment] = {experiment.name: experiment for experiment in _ALL}
