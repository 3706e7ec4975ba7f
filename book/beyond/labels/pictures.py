"""Pictures of the page on labels and peers."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt

_LOOKS = {
    "Algorithm 1": ("o", "blue"),
    "alone": ("x", "black"),
    "refit at once": ("d", "vermilion"),
    "refit": ("D", "vermilion"),
    "trace norm": ("s", "orange"),
    "dictionary": ("^", "green"),
}


def _marks(axis: Any, name: str, x: Any, y: Any, size: float) -> None:
    """What was measured of one method."""
    marker, colour = _LOOKS[name]
    look: dict[str, Any] = {"marker": marker, "linestyle": "", "markersize": size, "color": COLOURS[colour]}
    axis.plot(x, y, label=name, **look)


def five_methods() -> Figure:
    """A picture of what each method keeps of six tasks: nothing, a sum, all data, a dictionary, tested vectors."""
    from matplotlib.patches import Rectangle

    axis = plt.figure(figsize=(5.4, 5.4 * 17.1 / 21)).subplots()
    axis.text(8.6, 13.1, "tasks, one after the other", ha="center", fontsize=11)
    axis.text(17.6, 13.1, "what is kept", ha="center", fontsize=11)
    for row, name in enumerate(name for name in _LOOKS if name != "refit at once"):
        y, colour = 10.2 - 3.1 * row, COLOURS[_LOOKS[name][1]]
        axis.text(0.1, y + 0.6, name, fontsize=11, va="center")
        for i in range(6):
            axis.add_patch(Rectangle((4.9 + 1.5 * i, y), 1.4, 1.2, facecolor="white", edgecolor="#555555"))
        axis.annotate("", (15.4, y + 0.6), (14.1, y + 0.6), arrowprops={"arrowstyle": "-|>", "color": "#333333"})
        if name == "alone":
            axis.text(17.6, y + 0.6, "nothing", ha="center", va="center", fontsize=11)
        if name == "refit":
            axis.add_patch(Rectangle((16.8, y - 0.2), 1.6, 1.6, facecolor=colour, edgecolor="white"))
            axis.text(17.6, y - 0.9, "a sum, $n$ by $n$", ha="center", fontsize=10)
        if name == "trace norm":
            for i in range(6):
                axis.add_patch(Rectangle((15.7 + 0.65 * i, y - 0.2), 0.58, 1.6, facecolor=colour, edgecolor="white"))
            axis.text(17.6, y - 0.9, "all data of all tasks", ha="center", fontsize=10)
        if name == "dictionary":
            for i in range(3):
                for j in range(5):
                    at = (16.7 + 0.65 * i, y - 0.2 + 0.36 * j)
                    axis.add_patch(Rectangle(at, 0.55, 0.3, facecolor=colour, edgecolor="none"))
            axis.text(17.6, y - 0.9, "$k$ columns, running sums", ha="center", fontsize=10)
        if name == "Algorithm 1":
            for i, bold in enumerate((True, True, False, True, False, False)):
                axis.text(5.6 + 1.5 * i, y + 0.6, "new" if bold else "✓", ha="center", va="center", fontsize=9)
            for i in range(3):
                turn = (0.5, 1.3, 2.4)[i]
                tip = (17.6 + 1.9 * np.cos(turn), y - 0.1 + 1.6 * np.sin(turn))
                axis.annotate("", tip, (17.6, y - 0.1), arrowprops={"arrowstyle": "-|>", "color": colour, "lw": 2})
            axis.text(17.6, y - 0.9, "the new vectors", ha="center", fontsize=10)
    return bare(axis, (0, 21), (-3.1, 14))


def errors_by_task(errors: Mapping[str, FloatArray], allowed: float) -> Figure:
    """A picture of the error of each task by each of several methods, and the error allowed."""
    figure, axis = plt.subplots(figsize=(5.6, 3.4))
    for name, found in errors.items():
        _marks(axis, name, np.arange(1, len(found) + 1), found, 5)
    axis.axhline(allowed, color=COLOURS["black"], linestyle="--", label="allowed error")
    axis.set(yscale="log", xlabel="task", ylabel="error")
    axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=3, fontsize=9)
    return figure


@drawn
def labels_by_task(spent: FloatArray, scratch: Sequence[bool], alone: float) -> Figure:
    """Picture for how few labels, beyond the paper: those of each task, from scratch apart, and one alone."""
    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    places, new = np.arange(1, len(spent) + 1), np.asarray(scratch)
    for name, chosen, colour, hatch in (("from scratch", new, "vermilion", "//"), ("reused", ~new, "blue", None)):
        axis.bar(places[chosen], spent[chosen], color=COLOURS[colour], hatch=hatch, label=name)
    axis.axhline(alone, color=COLOURS["black"], linestyle="--", label="alone")
    axis.set(xlabel="task", ylabel="labels")
    axis.legend()
    return figure
