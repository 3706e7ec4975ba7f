"""Pictures of the introduction."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong_book.press.figures import rounded
from lifelong_book.press.style import COLOURS, Figure, bare, plt

Counts = NDArray[np.int64]


def _tasks(axis: Any, spent: Counts, scratch: BoolArray) -> None:
    """What each task cost, and the running mean: dots for reuse, triangles for tasks from scratch."""
    task = np.arange(1, len(spent) + 1)
    axis.semilogy(task[~scratch], spent[~scratch], ".", color=COLOURS["blue"], label="reused")
    axis.semilogy(task[scratch], spent[scratch], "^", color=COLOURS["vermilion"], markersize=7, label="from scratch")
    axis.semilogy(task, spent.cumsum() / task, "-", color=COLOURS["black"], label="running mean")


def labels_a_task(labels: Counts, scratch: BoolArray, *, budget: int, crossover: int) -> Figure:
    """The introduction's drawing of labels for each task, their sum beside that of `budget` each, and the crossing."""
    task = np.arange(1, len(labels) + 1)
    figure, (above, below) = plt.subplots(2, 1, figsize=(5.3, 4.9), sharex=True)
    _tasks(above, labels, scratch)
    above.axhline(budget, color=COLOURS["green"], linestyle="--", label="each alone")
    above.set(ylabel="labels per task", ylim=(300, 22_000))
    above.legend(ncols=2, loc="upper right")
    below.plot(task, labels.cumsum() / 1000, "-", color=COLOURS["black"], label="lifelong")
    below.plot(task, budget * task / 1000, "--", color=COLOURS["green"], label="each alone")
    below.axvline(crossover, color=COLOURS["purple"], linestyle=":", linewidth=1.4)
    note = f"lifelong ahead\nfrom task {crossover}"
    below.annotate(note, (crossover, 15), xytext=(crossover + 2, 12), fontsize=10)
    below.set(xlabel="task", ylabel="thousand labels so far")
    below.legend(loc="upper left")
    return figure


def queries_a_task(queries: Counts, scratch: BoolArray, *, alone: Counts) -> Figure:
    """The introduction's drawing of equivalence queries for each task, and the running mean of each alone."""
    task = np.arange(1, len(queries) + 1)
    figure, axis = plt.subplots(figsize=(5.3, 3.1))
    _tasks(axis, queries, scratch)
    axis.semilogy(task, alone.cumsum() / task, "--", color=COLOURS["green"], label="alone, running mean")
    axis.set(xlabel="task", ylabel="equivalence queries", ylim=(0.8, 900))
    axis.legend(ncols=2, loc="upper right")
    return figure


def _box(axis: Any, x: float, y: float, words: str, colour: str, *, wide: float) -> None:
    rounded(axis, (x, y), (wide, 0.86), edgecolor=COLOURS[colour], linewidth=1.8, fill=False)
    axis.text(x, y, words, ha="center", va="center", fontsize=11.5, linespacing=1.25)


def _to(axis: Any, start: tuple[float, float], end: tuple[float, float], words: str = "", bend: float = 0.0) -> None:
    style = {"arrowstyle": "-|>", "color": COLOURS["black"], "linewidth": 1.4, "mutation_scale": 14}
    axis.annotate("", end, xytext=start, arrowprops={**style, "connectionstyle": f"arc3,rad={bend}"})
    if words:
        axis.text((start[0] + end[0]) / 2 + 0.1, (start[1] + end[1]) / 2, words, fontsize=11.5, va="center")


def the_loop() -> Figure:
    """The introduction's drawing of the one loop: try the representation, else learn from scratch and let it grow."""
    axis = plt.figure(figsize=(6.0, 4.2)).subplots()
    _box(axis, 1.2, 3.6, "the next task arrives", "black", wide=2.2)
    _box(axis, 1.2, 2.2, "try the representation\nfew labels", "blue", wide=2.4)
    _box(axis, 1.2, 0.5, "keep the hypothesis,\nforget the data", "black", wide=2.4)
    _box(axis, 4.4, 2.2, "learn from scratch\nmany labels", "vermilion", wide=2.2)
    _box(axis, 4.4, 0.5, "the representation\ngrows", "green", wide=2.2)
    _to(axis, (1.2, 3.17), (1.2, 2.65))
    _to(axis, (1.2, 1.77), (1.2, 0.95), "it serves")
    _to(axis, (2.42, 2.2), (3.28, 2.2))
    axis.text(2.85, 2.38, "it fails", fontsize=11.5, ha="center")
    _to(axis, (4.4, 1.77), (4.4, 0.95))
    _to(axis, (3.28, 0.5), (2.42, 0.5))
    _to(axis, (-0.05, 0.6), (0.08, 3.6), bend=-0.55)
    return bare(axis, (-0.95, 5.6), (0, 4.1))


def pieces(rows: BoolArray, words: list[str], hows: list[str]) -> Figure:
    """The introduction's drawing of targets as rows of cells, one below the other, each with what the learner did."""
    from matplotlib.patches import Rectangle

    m, n = rows.shape
    axis = plt.figure(figsize=(5.2, 0.48 * m + 0.45)).subplots()
    colours = {"scratch": "vermilion", "reused": "blue"}
    for i, (row, word, how) in enumerate(zip(rows, words, hows, strict=True)):
        for j, on in enumerate(row):
            look: dict[str, Any] = {"facecolor": COLOURS[colours[how]] if on else "none", "edgecolor": COLOURS["black"]}
            axis.add_patch(
                Rectangle((j, -i), 0.9, 0.8, linewidth=0.8, hatch="//" if on and how == "scratch" else "", **look)
            )
        axis.text(-0.3, -i + 0.4, word, ha="right", va="center", fontsize=11)
        said = "learned from scratch" if how == "scratch" else "reused"
        axis.text(n + 0.3, -i + 0.4, said, ha="left", va="center", fontsize=11)
    for j in range(n):
        axis.text(j + 0.45, 1.15, f"$x_{j + 1}$", ha="center", fontsize=10.5)
    return bare(axis, (-3.3, n + 4.9), (-m + 0.9, 1.6), equal=False)


def two_posts(near: float, far: float, error: float, reach: float) -> Figure:
    """The introduction's drawing of a line through two estimates, off by the same errors: far apart, and near."""
    figure, axes = plt.subplots(2, 1, figsize=(5.4, 2.3), sharex=True, sharey=True)
    for axis, second, title in zip(axes, (far, near), ("estimates far apart", "estimates close together"), strict=True):
        end = _line_through(second, error, reach)
        axis.plot([0, reach], [0, 0], color=COLOURS["blue"], linewidth=1.6, linestyle="-")
        axis.plot([0, reach], [error, end], "--", color=COLOURS["vermilion"])
        axis.plot([0, second], [error, -error], "o", color=COLOURS["vermilion"], markersize=7)
        axis.plot([reach, reach], [0, end], ":", color=COLOURS["black"], linewidth=1.8)
        words = f"{abs(end) / error:.3g} times\nthe error"
        axis.text(reach + 0.06, end / 2, words, ha="left", va="center", fontsize=10.5)
        axis.set_title(title, fontsize=11)
        bare(axis, (-0.1, 1.25 * reach), (1.1 * _line_through(near, error, reach), 2 * error), equal=False)
    return figure


def _line_through(second: float, error: float, reach: float) -> float:
    """Height at `reach` of the line through (0, error) and (second, -error)."""
    return error - 2 * error * reach / second
