"""Pictures of chapter 4.1, continued: Boolean rank."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong.book.style import COLOURS
from lifelong.conjunctions.concepts import formal_concepts

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
            heights = [count.get(int(e), 0) for e in more]
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


def concept_lattice(targets: BoolArray, *, marked: BoolArray) -> Figure:
    """The formal concepts of a small family: a line for every cover, intents growing upwards, marked ones filled.

    At most 9 variables, which are numbered from 1, and 40 concepts: the candidates of `algo-boolean-rank`.
    """
    import matplotlib.pyplot as plt

    intents = formal_concepts(targets, most=40)[1]
    intents = intents[np.argsort(intents.sum(axis=1), kind="stable")]
    special = {row.tobytes() for row in marked}
    covers, height = _levels(intents)
    across = np.zeros(len(intents))
    for level in range(height.max() + 1):  # each above the middle of what it covers, as far as there is room
        here = np.flatnonzero(height == level)
        middle = [across[covers[:, i]].mean() if level else 0.0 for i in here]
        across[here[np.argsort(middle, kind="stable")]] = np.arange(len(here)) - (len(here) - 1) / 2
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    for a, b in np.argwhere(covers):
        axis.plot(across[[a, b]], height[[a, b]], color="#8C8C8C", lw=1, ls="-", zorder=1)
    for row, x, y in zip(intents, across, height, strict=True):
        chosen = row.tobytes() in special
        fill, mark = (COLOURS["blue"], "s") if chosen else ("white", "o")
        axis.plot(x, y, mark, ms=10, color=COLOURS["blue"], mfc=fill, zorder=2)
        name = "".join(str(v + 1) for v in np.flatnonzero(row)) or "∅"
        axis.annotate(name, (x, y), xytext=(10, 0), textcoords="offset points", va="center")
    axis.margins(0.15)
    axis.set_axis_off()
    return figure


def _levels(intents: Any) -> Any:
    """Which intent covers which (lower, upper), and the longest chain below each; intents are sorted by size."""
    strictly = (~intents[:, None] | intents[None]).all(axis=2) & ~np.eye(len(intents), dtype=np.bool_)
    height = np.zeros(len(intents), dtype=int)
    for i in range(1, len(intents)):
        height[i] = 1 + height[strictly[:, i]].max(initial=-1)
    return strictly & (strictly.astype(int) @ strictly == 0), height
