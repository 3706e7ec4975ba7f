"""Pictures of the page on a search in safe directions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def ellipse(vectors: FloatArray, eigenvalue: float) -> Figure:
    """Vectors of the plane, the ellipse of the sum of their squares, and which of its axes pass a threshold."""
    values, axes = np.linalg.eigh(vectors.T @ vectors)
    turn = np.linspace(0, 2 * np.pi, 200)
    axis = plt.figure(figsize=(5.8, 1.8)).subplots()
    rim = (axes * np.sqrt(values)) @ np.array([np.cos(turn), np.sin(turn)])
    axis.plot(*rim, "-", color=COLOURS["green"])
    axis.fill(*rim, color=COLOURS["green"], alpha=0.12)
    axis.plot(np.sqrt(eigenvalue) * np.cos(turn), np.sqrt(eigenvalue) * np.sin(turn), "--", color=COLOURS["black"])
    for v in vectors:
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS["vermilion"], "linewidth": 1.6}
        axis.annotate("", v, (0, 0), arrowprops=arrow)
    for value, direction in zip(values, axes.T, strict=True):
        end = direction * np.sqrt(value) * (1 if direction.sum() > 0 else -1)
        large = value > eigenvalue
        colour, word = (COLOURS["green"], "searched") if large else (COLOURS["black"], "not searched")
        axis.plot([-end[0], end[0]], [-end[1], end[1]], ":" if not large else "-", color=colour, linewidth=1.2)
        if large:
            axis.text(1.05 * end[0], 1.05 * end[1], word, ha="left", va="center", color=colour)
        else:  # outside the circle, with a line to the axis that is meant
            aside = (-1.6 * np.sqrt(eigenvalue), 1.5 * np.sqrt(eigenvalue))
            line: dict[str, Any] = {"arrowstyle": "-", "color": colour, "linewidth": 0.8}
            axis.annotate(word, 0.8 * end, aside, ha="right", va="center", color=colour, arrowprops=line)
    reach = 1.1 * np.sqrt(values.max())
    return bare(axis, (-reach, 1.5 * reach), (-0.24 * reach, 0.38 * reach))


@drawn
def weighing(log_volumes: FloatArray, k: int, threshold: float, limit: float) -> Figure:
    """The proof in one picture: the log volume after each vector, what it is at least, and what it is at most."""
    grid = np.linspace(0, 1.25 * limit, 200)
    figure, axis = plt.subplots(figsize=(6.2, 3.7))
    most = k * np.log1p(grid / (k * threshold)) + grid / limit
    axis.plot(grid, most, "-.", color=COLOURS["blue"], label=r"at most: only $k$ directions grow")
    axis.plot(grid, np.log(3) * grid, "--", color=COLOURS["black"], label=r"at least: $N\ln3$")
    steps = np.arange(len(log_volumes))
    axis.plot(steps, log_volumes, "o-", color=COLOURS["vermilion"], markersize=5, label="this run")
    axis.axvline(limit, color=COLOURS["black"], linestyle=":", linewidth=1.2)
    axis.text(limit * 0.98, 0.5, f"$N^*={limit:.1f}$", ha="right", va="bottom")
    axis.set(xlabel="vectors learned, $N$", ylabel=r"$\ln\,\det(I+M/\lambda)$", xlim=(0, grid[-1]), ylim=(0, None))
    axis.legend(loc="upper left")
    return figure


@drawn
def dimensions(rows: Sequence[tuple[str, int, int, int]]) -> Figure:
    """For each stream its k, what Algorithm 1 searched, and what the threshold let through."""
    figure, axis = plt.subplots(figsize=(5.5, 4.2))
    at = np.arange(len(rows))[::-1]
    _, k, plain, searched = zip(*rows, strict=True)
    style: dict[str, Any] = {"linestyle": "", "markersize": 8, "markeredgewidth": 2, "fillstyle": "none"}
    axis.plot(k, at, "|", color=COLOURS["blue"], label="$k$", **{**style, "markersize": 18})
    axis.plot(plain, at, "x", color=COLOURS["vermilion"], label="Algorithm 1", **style)
    axis.plot(searched, at, "o", color=COLOURS["green"], label="with the threshold", **style)
    axis.set(yticks=at, yticklabels=[name for name, *_ in rows], xlabel="dimensions searched")
    axis.set_xticks(range(2, max(plain) + 1, 2))
    axis.legend(loc="lower left", bbox_to_anchor=(-0.3, 1), ncols=3)
    return figure
