"""Pictures of the page on heavy tails and other broken assumptions, and words for its tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, plt


def cross_of_points(points: FloatArray, theta: float, size: float = 12.0) -> Figure:
    """Picture of heavy tails: independent Cauchy coordinates lie along the axes, and crowd the wedge there."""
    from matplotlib.patches import Wedge

    figure, axis = plt.subplots(figsize=(4.2, 4.0))
    for start in (90.0, 270.0):
        wedge = Wedge((0, 0), 3 * size, start, start + np.degrees(theta), facecolor=COLOURS["orange"], alpha=0.4)
        axis.add_patch(wedge)
    inside = points[:, 0] * (points[:, 0] + np.tan(theta) * points[:, 1]) < 0
    for part, marker, colour in ((~inside, ".", "#888888"), (inside, "o", COLOURS["vermilion"])):
        axis.plot(points[part, 0], points[part, 1], marker, color=colour, markersize=3)
    axis.set(xlim=(-size, size), ylim=(-size, size), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    return figure


def visible_errors(epsilon: float, rates: Sequence[float], threshold: float) -> Figure:
    """Picture for heavy tails and wrong labels: the rate of disagreement by the error, and the threshold of a test."""
    figure, axis = plt.subplots(figsize=(5.4, 3.4))
    e = np.linspace(0, 2 * epsilon, 50)
    for rate, style, colour in zip(rates, ("-", "-."), ("blue", "vermilion"), strict=True):
        axis.plot(e, rate + (1 - 2 * rate) * e, style, color=COLOURS[colour], label=f"noise {rate:g}")
    axis.axhline(threshold * epsilon, color=COLOURS["black"], linestyle="--", label="plain test")
    moved = rates[-1] + (1 - 2 * rates[-1]) * threshold * epsilon
    axis.axhline(moved, color=COLOURS["black"], linestyle=":", label="shifted test")
    axis.plot([threshold * epsilon] * 2, [threshold * epsilon, moved], "o", color=COLOURS["black"])
    axis.set(xlabel="true error", ylabel="rate of disagreement with the labels", xlim=(0, None), ylim=(0, None))
    axis.legend(loc="upper left", fontsize=9)
    return figure


def between(row: Mapping[str, Any], column: str, spec: str = "") -> str:
    """Words for the table on heavy tails and wrong labels: the range of a column over the runs of a line."""
    if row[column] is None:
        return ""
    least, most = (format(row[name], spec) for name in (f"{column}, least", column))
    return least if least == most else f"{least} to {most}"
