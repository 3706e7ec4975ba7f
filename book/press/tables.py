"""Tables that take too long for a notebook: `lifelong table NAME` makes them.

Each is stored as a record in the book, with the command that made it; a test runs some of its cases again.
"""

from lifelong_book.press.rooms import held
from lifelong_book.press.table import Experiment

#: All experiments by name.
EXPERIMENTS: dict[str, Experiment] = {experiment.name: experiment for experiment in held("tables")}
