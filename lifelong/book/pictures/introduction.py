"""Pictures of the introduction."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Counts = NDArray[np.int64]


def _tasks(axis: Any, spent: Counts, scratch: BoolArray) -> None:
    """What each task cost, and the running mean: dots for reuse, triangles for tasks from scratch."""
    task = np.arange(1, len(spent) + 1)
    axis.semilogy(task[~scratch], spent[~scratch], ".", color=COLOURS["blue"], label="reused")
    axis.semilogy(task[scratch], spent[scratch], "^", color=COLOURS["vermilion"], markersize=7, label="from scratch")
    axis.semilogy(task, spent.cumsum() / task, "-", color=COLOURS["black"], label="running mean")


def labels_a_task(labels: Counts, scratch: BoolArray, *, budget: int, crossover: int) -> Figure:
    """Labels for each task above; below their sum, beside that of `budget` labels a task, and where they cross."""
    import matplotlib.pyplot as plt

    task = np.arange(1, len(labels) + 1)
    figure, (above, below) = plt.subplots(2, 1, figsize=(6.2, 5.6), sharex=True)
    _tasks(above, labels, scratch)
    above.axhline(budget, color=COLOURS["green"], linestyle="--", label="each alone")
    above.set(ylabel="labels per task", ylim=(300, 22_000))
    above.legend(ncols=2, loc="upper right")
    below.plot(task, labels.cumsum() / 1000, "-", color=COLOURS["black"], label="lifelong")
    below.plot(task, budget * task / 1000, "--", color=COLOURS["green"], label="each alone")
    below.axvline(crossover, color=COLOURS["purple"], linestyle=":", linewidth=1.4)
    note = f"lifelong ahead\nfrom task {crossover}"
    below.annotate(note, (crossover, 15), xytext=(crossover + 2, 12), fontsize=10)
    below.set(xlabel="task", ylabel="thousand labels so far")
    below.legend(loc="upper left")
    return figure


def queries_a_task(queries: Counts, scratch: BoolArray, *, alone: Counts) -> Figure:
    """Equivalence queries for each task, and the running mean of learning each alone."""
    import matplotlib.pyplot as plt

    task = np.arange(1, len(queries) + 1)
    figure, axis = plt.subplots(figsize=(6.2, 3.6))
    _tasks(axis, queries, scratch)
    axis.semilogy(task, alone.cumsum() / task, "--", color=COLOURS["green"], label="alone, running mean")
    axis.set(xlabel="task", ylabel="equivalence queries", ylim=(0.8, 900))
    axis.legend(ncols=2, loc="upper right")
    return figure
