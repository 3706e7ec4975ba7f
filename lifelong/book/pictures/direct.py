"""Pictures of chapter 3.8."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def errors_around(turns: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """Error of the best hypothesis over what is allowed, for every direction of a plane: one curve a count."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.6, 3.4))
    styles = ((COLOURS["vermilion"], "--"), (COLOURS["blue"], "-"))
    for (name, curve), (colour, style) in zip(curves.items(), styles, strict=True):
        axis.plot(np.degrees(turns), curve, color=colour, linestyle=style, label=name)
    axis.axhline(1, color=COLOURS["black"], linewidth=0.9)
    axis.fill_between(
        np.degrees(turns), 1, next(iter(curves.values())), where=next(iter(curves.values())) > 1, alpha=0.15
    )
    axis.set(xlabel="direction of the target in the plane, in degrees", ylabel="error of the best hypothesis / eps")
    axis.set(xticks=range(-90, 91, 30), ylim=(0, None))
    axis.legend(frameon=True, framealpha=1, edgecolor="none")
    return figure


def widening(curves: Mapping[str, tuple[Sequence[float], float]]) -> Figure:
    """Least largest angle between features, in degrees, against how many there are; and where it is enough."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.4))
    for (name, (angles, enough)), mark in zip(curves.items(), "osD", strict=True):
        counts = 2 + np.arange(len(angles))
        (line,) = axis.plot(counts, np.degrees(angles), marker=mark, label=name)
        axis.axhline(np.degrees(enough), color=line.get_color(), linestyle=":", linewidth=1)
    axis.set(xlabel="features of the plane", ylabel="largest angle between two, in degrees")
    axis.set(xticks=range(2, 2 + max(len(angles) for angles, _ in curves.values())))
    axis.legend()
    return figure


def bills(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Labels a task by attempt, one bar a learner, with the worst case that is proved as a mark."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.8, 3.2))
    left = np.zeros(len(rows))
    places = -np.arange(len(rows))
    for name, colour, hatch in (("sparse", "sky", ""), ("dense", "orange", "//"), ("scratch", "green", "..")):
        paid = np.array([row[name] for row in rows])
        axis.barh(places, paid, left=left, color=COLOURS[colour], hatch=hatch, label=name, edgecolor="white")
        left += paid
    proved = [(row["worst"], place) for row, place in zip(rows, places, strict=True) if row["worst"]]
    axis.plot(*zip(*proved, strict=True), "k|", markersize=16, markeredgewidth=2, label="worst case, proved")
    axis.set(yticks=places, yticklabels=[row["method"] for row in rows], xlabel="labels a task")
    axis.legend(loc="lower right", frameon=True, framealpha=1, edgecolor="none")
    return figure
