"""Pictures of chapter 5.3."""

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.style import COLOURS, Axes, Figure, bare, drawn, plt


@drawn
def rings(stages: Mapping[str, BoolArray], anchors: Sequence[int] = ()) -> Figure:
    """A drawing for Algorithm 6: variables around a ring, and each set an arc of its own radius; a panel a stage."""
    figure, axes = plt.subplots(1, len(stages), figsize=(3.1 * len(stages), 3.0), squeeze=False)
    for axis, (title, rows) in zip(axes.ravel(), stages.items(), strict=True):
        n = rows.shape[1]
        turn = np.pi / 2 - 2 * np.pi * np.arange(n) / n
        for v, t in enumerate(turn):
            axis.text(np.cos(t), np.sin(t), str(v + 1), ha="center", va="center", fontsize=12)
            if v + 1 in anchors:
                axis.plot([np.cos(t)], [np.sin(t)], "o", ms=19, mfc="none", mec=COLOURS["black"])
        for i, row in enumerate(rows):
            _arc(axis, turn, row, 1.28 + 0.16 * (i % 2) + 0.16 * (len(rows) > 4) * (i // 2))
        axis.set_title(title, loc="center", fontsize=11)
        bare(axis, (-1.75, 1.75), (-1.75, 1.75))
    return figure


def _arc(axis: Axes, turn: NDArray[Any], row: BoolArray, radius: float) -> None:
    """A line around the ring past the members of a set that are neighbours, with a dot at each."""
    n = len(turn)
    starts = [v for v in range(n) if row[v] and not row[v - 1]]
    for v in starts:
        length = next((k for k in range(1, n) if not row[(v + k) % n]), n)
        along = turn[v] - 2 * np.pi / n * np.linspace(0, length - 1, 30)
        axis.plot(radius * np.cos(along), radius * np.sin(along), "-", lw=4, color=COLOURS["green"])
        dots = turn[v] - 2 * np.pi / n * np.arange(length)
        axis.plot(radius * np.cos(dots), radius * np.sin(dots), "o", ms=6, color=COLOURS["green"])


@drawn
def race(attempts: Mapping[str, FloatArray], *, budget: float, slope: float, start: float, end: float) -> Figure:
    """A drawing of Algorithm 6's losses over the examples: above the level line rejected, below the slant accepted."""
    figure, axis = plt.subplots(figsize=(5.6, 2.9))
    axis.axhline(budget, ls="--", color=COLOURS["black"], lw=1.3)
    axis.plot([start / slope, end], [0, slope * end - start], "-.", color=COLOURS["green"], lw=1.6)
    top = 1.45 * budget
    for (word, losses), colour in zip(attempts.items(), ("blue", "vermilion"), strict=True):
        sums = np.cumsum(losses)
        axis.plot(np.arange(1, len(sums) + 1), sums, "-", color=COLOURS[colour])
        mark = "o" if sums[-1] <= budget else "X"
        axis.plot([len(sums)], [sums[-1]], mark, ms=9, color=COLOURS[colour])
        good = mark == "o"
        side, where = ("right", (-9, 7)) if good else ("left", (9, 9))
        axis.annotate(word, (len(sums), sums[-1]), where, textcoords="offset points", ha=side, fontsize=10)
    axis.text(0.86 * end, budget * 1.03, "budget: above it, reject", ha="right", fontsize=10)
    place = (start + 0.55 * budget) / slope
    axis.text(
        0.98 * place, 0.55 * budget, "right of this\nline: accept", ha="right", fontsize=10, color=COLOURS["green"]
    )
    axis.set(xlabel="examples", ylabel="losses so far", xlim=(0, end), ylim=(0, top))
    return figure


def weights_moving(weights: FloatArray, truth: FloatArray) -> Figure:
    """A drawing of Algorithm 6's weight of every feature before each example; those of the target in colour."""
    figure, axis = plt.subplots(figsize=(5.6, 3.6))
    seen, styles = np.arange(len(weights)), cycle(("-", "--", "-."))
    for i in np.flatnonzero(truth == 0):
        axis.plot(seen, weights[:, i], "-", color="#B0B0B0", lw=0.8)
    for i in np.flatnonzero(truth):
        style = next(styles)
        axis.plot(seen, weights[:, i], style, color=COLOURS["vermilion"], lw=2)
        axis.plot([0, len(seen)], [truth[i]] * 2, ":", color=COLOURS["blue"], lw=1.2)
        axis.text(len(seen) * 1.01, truth[i], f"truth {truth[i]:g}", va="center", fontsize=10, color=COLOURS["blue"])
    axis.set(xlabel="examples seen", ylabel="weight of a feature", xlim=(0, len(seen) * 1.2))
    return figure


def distance_to_go(distances: FloatArray, losses: FloatArray, bound: float) -> Figure:
    """A drawing of the distance from Algorithm 6's weights to the truth in nats, and the start less the losses."""
    figure, axis = plt.subplots(figsize=(5.4, 3.4))
    spent = distances[0] - np.concatenate([[0.0], np.cumsum(losses)]) / (2 * bound**2)
    axis.plot(spent, "--", color=COLOURS["black"], lw=1.4)
    axis.plot(distances, "-", color=COLOURS["vermilion"])
    axis.text(len(spent) * 0.98, spent[-1] + 0.12, "start less losses$/2B^2$", ha="right", fontsize=10)
    axis.text(len(spent) * 0.98, distances[-1] + 0.12, "distance to the truth", ha="right", fontsize=10)
    axis.set(xlabel="examples seen", ylabel="nats", ylim=(0, distances[0] * 1.06))
    return figure


def certificate(certified: FloatArray, errors: FloatArray, epsilon: float) -> Figure:
    """A drawing of what Algorithm 6's losses certify at each time, and of the exact error of the average."""
    figure, axis = plt.subplots(figsize=(5.4, 3.4))
    seen = np.arange(1, len(certified) + 1)
    axis.plot(seen, certified, "--", color=COLOURS["black"], label="certificate")
    axis.plot(seen, errors, "-", color=COLOURS["vermilion"], label="error of the average")
    axis.axhline(epsilon, ls=":", color=COLOURS["green"], lw=1.6)
    axis.text(1, epsilon * 0.75, "$\\varepsilon$: accept below", va="top", fontsize=11)
    axis.set(xscale="log", yscale="log", xlabel="examples", ylabel="mean squared error")
    axis.legend(loc="upper right")
    return figure


@drawn
def incomparable(left: Sequence[int], right: Sequence[int], pairs: Sequence[tuple[int, int]]) -> Figure:
    """A drawing of Algorithm 6's potential: variables in one of two sets only, solid lines for pairs that count."""
    axis = plt.figure(figsize=(4.6, 1.7)).subplots()
    spots = {v: (0.0, float(-i)) for i, v in enumerate(left)} | {v: (2.4, float(-i)) for i, v in enumerate(right)}
    anchors = {v for pair in pairs for v in pair if v % 2 == 0}
    for a in left:
        for b in right:
            style, colour = ("-", "green") if (a, b) in pairs else (":", "black")
            axis.plot(*zip(spots[a], spots[b], strict=True), style, color=COLOURS[colour], linewidth=1.8, zorder=1)
    for v, (x, y) in spots.items():
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": COLOURS["black"], "linewidth": 1 + (v in anchors)}
        axis.scatter([x], [y], s=430, zorder=2, **look)
        axis.text(x, y, str(v), ha="center", va="center", fontsize=12, zorder=3)
    axis.text(-0.35, -0.5, "only in 12345", ha="right", va="center", fontsize=11)
    axis.text(2.75, -0.5, "only in 34567", ha="left", va="center", fontsize=11)
    return bare(axis, (-2.2, 4.6), (-1.45, 0.45), equal=False)
