"""Tables that take too long for a notebook: `lifelong table NAME` makes them.

Each is stored as a record in the book, with the command that made it; a test runs some of its cases again.
"""

from lifelong_book.conjunctions.consistency import tables as noise
from lifelong_book.halfspaces.levels import direct_tables as direct
from lifelong_book.halfspaces.levels import sparse_tables as sparse
from lifelong_book.halfspaces.levels import tables as levels
from lifelong_book.halfspaces.peers import tables as beyond
from lifelong_book.halfspaces.repair import tables as repair
from lifelong_book.halfspaces.subspace import tables as halfspaces
from lifelong_book.press.table import Experiment

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
