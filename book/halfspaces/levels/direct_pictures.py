"""Pictures of the direct learner, below chapter 3.5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.space import arrow, blank, paper, pointer, words
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def leaning_answers(targets: FloatArray, answers: FloatArray, rejected: FloatArray) -> Figure:
    """Two close targets of a plane, answers that lean to opposite sides of it, and the plane of the answers."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 4.6))
    blue, red, black = COLOURS["blue"], COLOURS["vermilion"], COLOURS["black"]
    steep = answers[1] - answers[0]
    steep = 0.95 * steep / np.linalg.norm(steep)
    for across, colour, style in ((0.95 * np.eye(3)[1], blue, "-"), (steep, red, "--")):
        corners = np.array([-across, 1.25 * np.eye(3)[0] - across, 1.25 * np.eye(3)[0] + across, across])
        flat = paper(corners)
        axis.fill(*flat.T, facecolor=colour, alpha=0.14, linestyle="none")
        axis.plot(*np.vstack([flat, flat[:1]]).T, style, color=colour, linewidth=1)
    for vector, text, shift in zip(targets, ("$a_1$", "$a_2$"), ((0.1, 0.02), (0.1, 0.03)), strict=True):
        arrow(axis, vector, blue, text, shift)
    for vector, text, shift in zip(answers, ("$b_1$", "$b_2$"), ((-0.02, 0.12), (0.0, -0.13)), strict=True):
        arrow(axis, vector, red, text, shift, "--")
    arrow(axis, 0.9 * rejected, black, "$a$", (-0.09, 0.0))
    foot = rejected @ steep / (steep @ steep) * steep
    axis.plot(*paper([0.9 * rejected, 0.9 * foot]).T, ":", color=black, linewidth=2)
    blank(axis)
    return figure


def lines_of_a_plane(pairs: Sequence[tuple[Sequence[float], float, float | None]]) -> Figure:
    """Lines of features in a plane, the directions that they serve, and a target that they reject."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(1, len(pairs), figsize=(6.0, 3.3))
    for axis, (lines, served, target) in zip(axes, pairs, strict=True):
        turns = np.pi / 2 + np.linspace(-served, served, 60)
        for sign in (1, -1):
            rim = sign * np.vstack([np.zeros(2), np.column_stack([np.cos(turns), np.sin(turns)])])
            axis.fill(*rim.T, color=COLOURS["green"], alpha=0.18, linestyle="none")
        for line in lines:
            end = np.array([np.sin(line), np.cos(line)])
            axis.plot(*np.array([-end, end]).T, "-", color=COLOURS["vermilion"])
        axis.plot([0, 0], [-1, 1], ":", color="#777777", linewidth=1.2)
        if target is not None:
            end = 0.85 * np.array([np.sin(target), np.cos(target)])
            pointer(axis, (0, 0), end, COLOURS["blue"])
            words(axis, 1.12 * end, "$a$", color=COLOURS["blue"], fontsize=14, ha="center", va="center")
            arc = np.linspace(0, target, 30)
            axis.plot(0.42 * np.sin(arc), 0.42 * np.cos(arc), "-", color="#555555", linewidth=1.2)
            words(axis, 0.52 * np.array([np.sin(0.72 * target), np.cos(0.72 * target)]), r"$\mu$", fontsize=13)
        axis.add_patch(Circle((0, 0), 1, fill=False, color="#999999", linewidth=0.8))
        axis.set(xlim=(-1.08, 1.08), ylim=(-1.08, 1.08))
        blank(axis)
    return figure


def errors_around(
    turns: FloatArray, curves: Mapping[str, FloatArray], zoom: tuple[float, float] | None = None
) -> Figure:
    """Error of the best hypothesis over what is allowed, for every direction of a plane: one curve a count."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.4, 3.5))
    styles = ((COLOURS["vermilion"], "--"), (COLOURS["blue"], "-"))
    for (name, curve), (colour, style) in zip(curves.items(), styles, strict=True):
        axis.plot(np.degrees(turns), curve, color=colour, linestyle=style, label=name)
    axis.axhline(1, color=COLOURS["black"], linewidth=0.9)
    axis.fill_between(
        np.degrees(turns), 1, next(iter(curves.values())), where=next(iter(curves.values())) > 1, alpha=0.15
    )
    axis.set(xlabel="direction of the target (degrees)", ylabel="error of the best hypothesis / ε")
    axis.set(xticks=range(-90, 91, 30), ylim=(0, None))
    if zoom is not None:
        small = axis.inset_axes((0.48, 0.62, 0.27, 0.27), zorder=5)
        for curve, (colour, style) in zip(curves.values(), styles, strict=True):
            small.plot(np.degrees(turns), curve, color=colour, linestyle=style)
        small.axhline(1, color=COLOURS["black"], linewidth=0.9)
        small.set(xlim=zoom, ylim=(0.97, 1.012), xticks=zoom, yticks=(0.98, 1))
        small.tick_params(labelsize=9)
        axis.indicate_inset_zoom(small, edgecolor="#777777")
    axis.legend(frameon=True, framealpha=1, edgecolor="none")
    return figure


def widening(curves: Mapping[str, tuple[Sequence[float], float]]) -> Figure:
    """Least largest angle between features, in degrees, against how many there are; and where it is enough."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.4, 3.6))
    for (name, (angles, enough)), mark in zip(curves.items(), "osD", strict=True):
        counts = 2 + np.arange(len(angles))
        (line,) = axis.plot(counts, np.degrees(angles), marker=mark, label=name)
        ends = (counts[-1] - 0.8, counts[-1] + 0.2)
        axis.hlines(np.degrees(enough), *ends, color=line.get_color(), linestyle=":", linewidth=2)
    axis.set(xlabel="features of the plane", ylabel="largest angle (degrees)")
    axis.set(xticks=range(2, 2 + max(len(angles) for angles, _ in curves.values())))
    axis.legend()
    return figure


def bills(rows: Sequence[Mapping[str, Any]]) -> Figure:
    """Labels a task by attempt, one bar a learner, with the worst case that is proved as a mark."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 3.6))
    left = np.zeros(len(rows))
    places = -np.arange(len(rows))
    for name, colour, hatch in (("sparse", "sky", ""), ("dense", "orange", "//"), ("scratch", "green", "..")):
        paid = np.array([row[name] for row in rows])
        axis.barh(places, paid, left=left, color=COLOURS[colour], hatch=hatch, label=name, edgecolor="white")
        left += paid
    proved = [(row["worst"], place) for row, place in zip(rows, places, strict=True) if row["worst"]]
    axis.plot(*zip(*proved, strict=True), "k|", markersize=16, markeredgewidth=2, label="worst case, proved")
    axis.set(yticks=places, yticklabels=[row["method"] for row in rows], xlabel="labels a task")
    axis.legend(loc="lower left", bbox_to_anchor=(-0.2, 1), ncols=4, columnspacing=1.0)
    return figure
