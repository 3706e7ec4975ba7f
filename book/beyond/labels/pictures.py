"""Pictures of the page on labels."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray
from lifelong_book.halfspaces.subspace.pictures import _word
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def labels_so_far(spent: Mapping[int, FloatArray], alone: float) -> Figure:
    """Labels a task so far over the number of tasks, for some k, and the price of learning each alone."""
    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    for (k, labels), style in zip(spent.items(), ("-", "-.", ":"), strict=True):
        counted = np.arange(1, len(labels) + 1)
        axis.plot(counted, np.cumsum(labels) / counted, style, label=f"k = {k}")
    axis.axhline(alone, color=COLOURS["black"], linestyle="--", label="alone")
    axis.set(xlabel="tasks so far", ylabel="labels per task so far")
    axis.set(xscale="log", yscale="log")
    axis.legend()
    return figure


@drawn
def scaled_errors(rows: Sequence[Mapping[str, Any]], learners: Sequence[str]) -> Figure:
    """Error times N/n over N/n: a line a learner, the mean over the laws, and a band from the least to the largest."""
    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    sizes = (10, 20, 40, 80)
    for name, mark in zip(learners, "os^Dvx", strict=True):
        found = np.array([[row[f"at_{size}"] for size in sizes] for row in rows if row["learner"] == name])
        (line,) = axis.plot(sizes, found.mean(axis=0), marker=mark, label=name)
        axis.fill_between(sizes, found.min(axis=0), found.max(axis=0), color=line.get_color(), alpha=0.15, linewidth=0)
    axis.set(xlabel="labels over variables, $N/n$", ylabel="error times $N/n$", ylim=(0, None), xscale="log")
    axis.set_xticks(sizes, [str(size) for size in sizes])
    axis.minorticks_off()
    axis.legend(ncols=2)
    return figure


@drawn
def labels_by_task(spent: FloatArray, scratch: Sequence[bool], alone: float) -> Figure:
    """Labels of each task of a stream, those from scratch apart, and the price of learning one alone."""
    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    places, new = np.arange(1, len(spent) + 1), np.asarray(scratch)
    for name, chosen, colour, hatch in (("from scratch", new, "vermilion", "//"), ("reused", ~new, "blue", None)):
        axis.bar(places[chosen], spent[chosen], color=COLOURS[colour], hatch=hatch, label=name)
    axis.axhline(alone, color=COLOURS["black"], linestyle="--", label="alone")
    axis.set(xlabel="task", ylabel="labels")
    axis.legend()
    return figure


@drawn
def gains(settings: Mapping[str, Mapping[str, Any]]) -> Figure:
    """Labels of a task learned alone over those of a lifelong run, in four readings of the same error."""
    readings = {
        "alone": "largest error $\\epsilon$",
        "alone_mean_eps": "mean error $\\epsilon$",
        "alone_same_largest": "largest error as in the run",
        "alone_same_mean": "mean error as in the run",
    }
    figure, axis = plt.subplots(figsize=(5.2, 0.27 * len(settings) + 1.5))
    heights = np.arange(len(settings))[::-1]
    for (key, name), mark in zip(readings.items(), "os^D", strict=True):
        ratios = [row[key] / row["labels"] for row in settings.values()]
        axis.plot(ratios, heights, linestyle="", marker=mark, label=name)
    axis.axvline(1, color=COLOURS["black"], linestyle="--")
    axis.set(xscale="log", xlabel="labels alone / labels lifelong", yticks=heights, ylim=(-0.7, len(settings) - 0.3))
    axis.set_yticklabels(list(settings))
    axis.set_xticks([0.2, 0.5, 1, 2, 5, 10, 20], ["0.2", "0.5", "1", "2", "5", "10", "20"])
    axis.minorticks_off()
    figure.legend(loc="outside upper center", ncols=2)
    return figure


def pulled_boundary(X: FloatArray, y: ArrayLike, wrong: ArrayLike, learned: ArrayLike, width: float) -> Figure:
    """A halfspace in the plane, wrong labels far out along its boundary, and a boundary learned in a band."""
    axis = plt.figure(figsize=(5.2, 3.8)).subplots()
    spoiled, label = np.asarray(wrong, dtype=bool), np.asarray(y)
    w = np.asarray(learned, dtype=float) / np.linalg.norm(learned)
    along, reach = np.array([-w[1], w[0]]), 1.15 * float(np.abs(X[:, 1]).max())
    ends = np.outer([-reach, reach], along) / along[1]
    side = np.array([width / w[0], 0.0])
    axis.fill(*np.vstack([ends - side, ends[::-1] + side]).T, color=COLOURS["green"], alpha=0.16, linestyle="none")
    for sign, mark in ((1, "+"), (-1, "_")):
        here = label == sign
        for which, colour, size in ((~spoiled, "0.5", 6), (spoiled, COLOURS["vermilion"], 11)):
            points = X[here & which]
            axis.plot(*points.T, linestyle="", marker=mark, color=colour, markersize=size, markeredgewidth=size / 6)
    axis.plot([0, 0], [-reach, reach], color=COLOURS["blue"], linestyle="-", linewidth=1.8)
    axis.plot(*ends.T, color=COLOURS["vermilion"], linestyle="--", linewidth=1.8)
    _word(axis, (0, -1.1 * reach), "true", "blue")
    _word(axis, (ends[1, 0], 1.08 * reach), "learned", "vermilion")
    return bare(axis, (-3.4, 3.4), (-1.2 * reach, 1.2 * reach), equal=False)
