"""Pictures and tables of chapter 3.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def accuracies(sizes: NDArray[np.int64], printed: FloatArray, certified: FloatArray, breaks: FloatArray) -> Figure:
    """The printed accuracy over k, the one certified for k features, and where a chain opens one more."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    axis.plot(sizes, printed, color=COLOURS["vermilion"], linestyle="--", label=r"$\epsilon^2/(10\pi k)$")
    axis.plot(sizes, certified, color=COLOURS["blue"], marker="o", label=r"certified for $\tilde k\leq k$")
    cross: dict[str, Any] = {"marker": "x", "markersize": 9, "linestyle": ""}
    axis.plot(sizes, breaks * certified, color=COLOURS["black"], label="a chain opens $k+1$", **cross)
    axis.set(yscale="log", xlabel="dimension $k$", ylabel=r"accuracy $\epsilon_{acc}$")
    axis.legend(loc="lower left")
    return figure


def refused(shares: FloatArray, usual: Sequence[float], larger: Sequence[float], epsilon: float) -> Figure:
    """How often a span is refused over the best error in it, with two sizes of samples, and by the test alone."""
    import matplotlib.pyplot as plt
    from scipy.stats import binom

    grid = np.linspace(0.1, 1.2, 100)
    alone = binom.sf(15, 200, grid * epsilon)
    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    axis.plot(shares, usual, color=COLOURS["blue"], marker="o", label="as usual")
    dashed: dict[str, Any] = {"linestyle": "--", "marker": "s"}
    axis.plot(shares, larger, color=COLOURS["vermilion"], label="four times the labels", **dashed)
    axis.plot(grid, alone, color=COLOURS["black"], linestyle=":", label="the test alone")
    axis.set(xlabel=r"best error in the span / $\epsilon$", ylabel="share refused")
    axis.legend(loc="upper left")
    return figure


def prices(divisors: FloatArray, cost: Mapping[str, FloatArray], alone: float, printed: tuple[float, float]) -> Figure:
    """Labels a task over epsilon / epsilon_acc, for three counts of features, alone, and at the printed accuracy."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 4))
    for (name, y), style in zip(cost.items(), ("-o", "--s", ":^"), strict=True):
        axis.plot(divisors, y, style, label=name)
    axis.axhline(alone, color=COLOURS["black"], linewidth=1)
    axis.text(60, alone * 1.05, "each task alone", va="bottom")
    axis.plot(*printed, "x", color=COLOURS["vermilion"], markersize=10, label="as printed")
    axis.set(xscale="log", yscale="log", xlabel=r"$\epsilon\,/\,\epsilon_{acc}$", ylabel="labels a task")
    axis.legend(loc="center right")
    return figure


def leaning(leans: FloatArray, opened: NDArray[np.int64], grid: FloatArray, bound: Sequence[float]) -> Figure:
    """Features opened by targets that lean out of a 5-space by gamma, least to most of three runs, and the bound."""
    import matplotlib.pyplot as plt

    mean = opened.mean(axis=1)
    spread = [mean - opened.min(axis=1), opened.max(axis=1) - mean]
    solid: dict[str, Any] = {"marker": "o", "linestyle": "-", "capsize": 3}
    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    axis.errorbar(leans, mean, spread, color=COLOURS["blue"], label="opened", **solid)
    axis.plot(grid, bound, color=COLOURS["vermilion"], linestyle="--", label="volume bound")
    axis.axvline(1 - 2 / 8, color=COLOURS["black"], linestyle=":")  # 1 - 2 eps_acc / eps
    axis.axhline(5, color=COLOURS["black"], linewidth=0.8)
    axis.set(yscale="log", ylim=(4, 300), xlabel=r"$\gamma\,/\,\pi\epsilon$", ylabel="features")
    axis.legend(loc="upper left")
    return figure


def accuracy_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Features and labels a task against the accuracy from scratch, a line a setting."""
    heads = ("random_mean", "random_max", "sampled_max", "sampled_needed", "sampled_refused", "sampled_missed")
    columns = dict(zip((*heads, "worst", "bound"), (5, 5, 8, 7, 8, 7, 7, 6), strict=True))
    columns |= dict.fromkeys(("labels_random", "labels_worst", "labels_bound"), 8)
    lines = [
        f"{'':14}random{'':16}samples{'':28}labels a task",
        "k   eps_acc  mean most    most needed no need missed  worst bound  random   worst   bound",
    ]
    for row in rows:
        cells = "".join(f"{_short(row[head]):>{width}}" for head, width in columns.items())
        lines.append(f"{row['k']:<4}{row['choice']:<9}{cells}")
    return "\n".join(lines)


def _short(value: float | None) -> str:
    """A number, or a dash where there is none."""
    return "-" if value is None else f"{value:.1f}" if value % 1 else f"{value:.0f}"
