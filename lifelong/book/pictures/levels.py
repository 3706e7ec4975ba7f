"""Pictures of chapter 3.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def tiers_of_tasks(how: ArrayLike, kinds: ArrayLike, names: Sequence[str]) -> Figure:
    """How each task was learned, over its number and its kind."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.6, 3.2))
    looks = (("scratch", "^", "vermilion"), ("composed", "s", "blue"), ("reused", ".", "green"))
    for tier, mark, colour in looks:
        at = np.flatnonzero(np.asarray(how) == tier)
        axis.plot(at + 1, np.asarray(kinds)[at], linestyle="", marker=mark, color=COLOURS[colour], label=tier)
    axis.set(xlabel="task", yticks=range(len(names)), yticklabels=names)
    axis.set_ylim(-0.5, len(names) - 0.5)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncol=3)
    return figure


def success_of_learners(labels: Sequence[int], success: Mapping[str, Sequence[float]]) -> Figure:
    """Share of trials in which each sparse learner succeeds, over the labels it gets."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.4))
    for (learner, shares), mark in zip(success.items(), "os^D", strict=True):
        axis.plot(labels, shares, marker=mark, label=learner)
    axis.set(xscale="log", xlabel="labels", ylabel="success", ylim=(0, 1.05), xticks=labels, xticklabels=labels)
    axis.minorticks_off()
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def labels_of_methods(sizes: Sequence[int], curves: Mapping[str, Sequence[float]]) -> Figure:
    """Labels a task of each method, over the number of variables."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.6, 3.9))
    for name, curve in curves.items():
        axis.plot(sizes, curve, label=name)
    axis.set(xscale="log", yscale="log", xlabel="$n$", ylabel="labels a task", ylim=(1e2, 1e8))
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
