"""Pictures and tables of chapter 3.4: Theorem 1 repaired."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt

#: What a boxed word in a drawing looks like.
_BOX: dict[str, Any] = {"boxstyle": "round,pad=0.35", "facecolor": "white"}


@drawn
def prices(
    divisors: FloatArray,
    cost: Mapping[str, FloatArray],
    alone: float,
    printed: tuple[float, float] | None = None,
    band: tuple[float, float] | None = None,
) -> Figure:
    """Picture of the repaired Theorem 1's costs: labels a task over epsilon / epsilon_acc, learning alone, a band."""
    figure, axis = plt.subplots(figsize=(5.8, 3.7))
    looks = (("-o", "vermilion"), ("--s", "orange"), (":^", "black"))
    for (name, y), (style, colour) in zip(cost.items(), looks, strict=False):
        axis.plot(divisors, y, style, color=COLOURS[colour], label=name)
    axis.axhline(alone, color=COLOURS["blue"], linewidth=1, label="each task alone")
    if printed is not None:
        axis.plot(*printed, "x", color=COLOURS["purple"], markersize=10, markeredgewidth=2.5, label="printed order")
    label = r"$\varepsilon\,/\,\varepsilon_{\mathrm{acc}}$   (coarse to fine)"
    axis.set(xscale="log", yscale="log", xlabel=label, ylabel="labels a task")
    if band is not None:
        axis.axvspan(*band, color=COLOURS["green"], alpha=0.15, linewidth=0)
        low, high = axis.get_ylim()
        axis.set_ylim(0.7 * low, high)
        middle = np.sqrt(band[0] * band[1])
        axis.text(middle, 0.75 * low, "valley", ha="center", va="bottom", color=COLOURS["green"], fontweight="bold")
    for long_axis, (low, high) in ((axis.xaxis, axis.get_xlim()), (axis.yaxis, axis.get_ylim())):
        digits = (1, 2, 5) if high < 500 * low else (1, 5)
        ticks = [d * 10**power for power in range(8) for d in digits if low <= d * 10**power <= high]
        long_axis.set_ticks(ticks, [f"{tick:,}" for tick in ticks])
    axis.minorticks_off()
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return figure


@drawn
def heights(pairs: Mapping[str, tuple[float, float]], limit: float) -> Figure:
    """Picture for the repaired Theorem 1: height of a learned plane over the true one, and what is still accepted."""
    phi = np.linspace(-95, 95, 381)
    figure, axis = plt.subplots(figsize=(6.2, 3.6))
    for (name, (apart, eta)), (style, colour) in zip(
        pairs.items(), (("-", "vermilion"), ("-.", "orange")), strict=True
    ):
        slope = np.tan(eta) / np.sin(apart / 2)
        axis.plot(phi, np.arctan(slope * np.sin(np.radians(phi))), style, color=COLOURS[colour], label=name)
        half = np.degrees(apart / 2)
        axis.plot([-half, half], [-eta, eta], "o", color=COLOURS[colour], markersize=7)
        axis.plot([90], [np.arctan(slope)], "s", color=COLOURS[colour], markersize=7)
    half = np.degrees(np.mean([apart for apart, _ in pairs.values()]) / 2)  # on paper they are the same
    for x in (-half, half):
        axis.axvline(x, color=COLOURS["blue"], linewidth=1, linestyle=":")
    axis.axhline(limit, color=COLOURS["black"], linestyle="--", linewidth=1.3)
    axis.axhline(0, color=COLOURS["blue"], linewidth=1)
    axis.text(-93, limit * 1.04, r"accepted up to here", va="bottom")
    axis.text(-half - 2, axis.get_ylim()[0] * 0.8, "$a_1$", ha="right", color=COLOURS["blue"])
    axis.text(half + 2, axis.get_ylim()[0] * 0.8, "$a_2$", ha="left", color=COLOURS["blue"])
    label = "direction in the true plane (degrees)"
    axis.set(xlabel=label, ylabel="height of the learned plane", xticks=range(-90, 91, 45), xlim=(-95, 98))
    axis.legend(loc="lower right")
    return figure


@drawn
def accuracies(sizes: NDArray[np.int64], printed: FloatArray, certified: FloatArray, breaks: FloatArray) -> Figure:
    """Picture for the repaired Theorem 1: accuracies by k, as printed, certified, and where a chain opens one more."""
    figure, axis = plt.subplots(figsize=(6.2, 3.1))
    label = r"$\varepsilon^2/(10\pi k)$"
    axis.plot(sizes, printed, color=COLOURS["purple"], linestyle="-.", label=label)
    axis.plot(
        sizes, certified, color=COLOURS["black"], linestyle="--", marker="o", label=r"certified: $\tilde k\leq k$"
    )
    cross: dict[str, Any] = {"marker": "x", "markersize": 10, "markeredgewidth": 2, "linestyle": ""}
    axis.plot(sizes, breaks * certified, color=COLOURS["vermilion"], label="a chain needs $k+1$", **cross)
    axis.set(yscale="log", xlabel="dimension $k$", ylabel=r"accuracy $\varepsilon_{\mathrm{acc}}$")
    axis.legend(loc="lower left")
    return figure


def refused(shares: FloatArray, usual: Sequence[float], larger: Sequence[float], epsilon: float) -> Figure:
    """Picture for the repaired Theorem 1: share of refusals over the best error, two sample sizes, the test alone."""
    from scipy.stats import binom

    grid = np.linspace(0.1, 1.2, 100)
    alone = binom.sf(15, 200, grid * epsilon)
    figure, axis = plt.subplots(figsize=(6.2, 3.7))
    axis.plot(shares, usual, color=COLOURS["vermilion"], marker="o", label="as usual")
    dashed: dict[str, Any] = {"linestyle": "--", "marker": "s"}
    axis.plot(shares, larger, color=COLOURS["orange"], label="four times the labels", **dashed)
    axis.plot(grid, alone, color=COLOURS["black"], linestyle=":", label="the test alone")
    axis.axvline(0.75, color="#888888", linewidth=1)  # where the test rejects
    axis.set(xlabel=r"best error in the span / $\varepsilon$", ylabel="share rejected")
    axis.legend(loc="upper left")
    return figure


def sorting() -> Figure:
    """Picture for the repaired Theorem 1 from samples: how a feature is sorted, two questions, three kinds."""
    axis = plt.figure(figsize=(5.2, 3.4)).subplots()
    boxes = (
        (0.5, 3.0, "the span is rejected:\na feature is added", "black"),
        (0.5, 1.75, r"is the new vector's error above $\varepsilon_{\mathrm{acc}}$?", "black"),
        (0.5, 0.75, r"did the span hold an error $\leq\varphi\varepsilon$?", "black"),
        (2.05, 1.75, "missed", "orange"),
        (2.05, 0.75, "without need", "vermilion"),
        (0.5, -0.3, "needed: these obey the bounds", "blue"),
    )
    for x, y, words, colour in boxes:
        axis.text(x, y, words, ha="center", va="center", bbox={**_BOX, "edgecolor": COLOURS[colour]}, zorder=3)
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS["black"]}
    for y, end in ((2.68, 2.02), (1.5, 1.02), (0.5, -0.03)):
        axis.annotate("", (0.5, end), (0.5, y), arrowprops=arrow)
    for y, start, end in ((1.75, 1.38, 1.82), (0.75, 1.3, 1.68)):
        axis.annotate("", (end, y), (start, y), arrowprops=arrow)
        axis.text((start + end) / 2, y + 0.08, "yes", ha="center", va="bottom")
    for y in (1.26, 0.22):
        axis.text(0.54, y, "no", va="center")
    return bare(axis, (-0.45, 2.5), (-0.65, 3.45), equal=False)
