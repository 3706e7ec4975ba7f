"""Pictures of chapter 4.1, continued: Boolean rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def above_the_rank(excess: Mapping[str, Mapping[int, Mapping[int, int]]]) -> Figure:
    """How often two methods find how many pieces more than the rank, by size of the matrix."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(6.8, 2.8), sharey=True)
    tones = {8: COLOURS["sky"], 10: COLOURS["blue"], 12: COLOURS["black"]}
    more = np.arange(6)
    for axis, (name, by_size) in zip(axes, excess.items(), strict=True):
        for place, (n, count) in enumerate(by_size.items()):
            heights = [count.get(e, 0) for e in more]
            axis.bar(more + (place - 1) * 0.27, heights, 0.25, color=tones[n], label=f"n = {n}")
        axis.set(title=name, xlabel="pieces above the rank")
    axes[0].set_ylabel("matrices, of 40")
    axes[1].legend()
    return figure


def noise(percent: FloatArray, hits: Mapping[str, FloatArray], total: Mapping[str, FloatArray]) -> Figure:
    """Planted metafeatures recovered, and pieces found, by each method as more cells are flipped."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(6.8, 3.0))
    for mark, name in zip("osD^", hits, strict=True):
        axes[0].plot(percent, hits[name].mean(axis=1), marker=mark)
        axes[1].plot(percent, total[name].mean(axis=1), marker=mark, label=name)
    axes[0].set(xlabel="cells flipped, per cent", ylabel="recovered, of 10")
    axes[0].set_ylim(-0.4, 10.6)
    axes[1].set(xlabel="cells flipped, per cent", ylabel="pieces", ylim=(0, 80))
    figure.legend(loc="outside lower center", ncols=2)
    return figure
