"""Pictures of the part "Yours to run": streams of a user's own."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong_book.press.style import COLOURS, Figure, plt


def labels_of_a_stream(how: Sequence[str], labels: Sequence[int]) -> Figure:
    """A picture of a user's own stream: labels of each task, by how it was learned, and their mean."""
    figure, axis = plt.subplots(figsize=(6.8, 3.2))
    looks = {"scratch": ("vermilion", "//", "from scratch"), "reused": ("sky", "", "within the features")}
    for name, (colour, hatch, word) in looks.items():
        places = np.flatnonzero([word == name for word in how])
        bars = np.asarray(labels)[places]
        axis.bar(places + 1, bars, color=COLOURS[colour], hatch=hatch, edgecolor="white", label=word)
    axis.axhline(float(np.mean(labels)), color=COLOURS["black"], linestyle="--", label="mean")
    axis.set(xlabel="task", ylabel="labels")
    axis.legend()
    return figure


def errors_of_tasks(how: Sequence[str], errors: Sequence[float], alone: Sequence[float], epsilon: float) -> Figure:
    """A picture of a user's own stream: held-out error of each task in it and alone, and the error allowed."""
    figure, axis = plt.subplots(figsize=(6.8, 3.6))
    tasks = np.arange(1, len(errors) + 1)
    axis.plot(tasks, alone, "x", linestyle="", color=COLOURS["black"], label="alone, with as many labels")
    looks = {"scratch": ("s", "vermilion", "from scratch"), "reused": ("o", "blue", "within the features")}
    for name, (mark, colour, word) in looks.items():
        places = np.array([word == name for word in how], dtype=np.bool_)
        look: dict[str, Any] = {"linestyle": "", "color": COLOURS[colour], "label": f"stream, {word}"}
        axis.plot(tasks[places], np.asarray(errors)[places], mark, **look)
    axis.axhline(epsilon, color=COLOURS["black"], linestyle="--", label="allowed")
    axis.set(xlabel="task", ylabel="held-out error", ylim=(0, None))
    axis.legend(fontsize=9, ncol=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    return figure


def _spread(values: Any) -> tuple[Any, Any]:
    return np.mean(values, axis=-1), np.std(values, axis=-1, ddof=1)


def errors_by_labels(
    alone: Mapping[str, Mapping[int, Sequence[float]]], streams: Mapping[str, tuple[Sequence[float], Sequence[float]]]
) -> Figure:
    """A picture of a user's own streams: held-out error over labels a task, in streams and alone, with deviations."""
    figure, axis = plt.subplots(figsize=(6.8, 3.8))
    lines = zip(("-o", "--s"), ("black", "purple"), alone.items(), strict=False)
    for style, colour, (name, curve) in lines:
        mean, deviation = _spread(list(curve.values()))
        axis.errorbar(list(curve), mean, deviation, fmt=style, color=COLOURS[colour], capsize=3, label=name)
    marks = zip("D^", (11, 8), ("vermilion", "blue"), streams.items(), alone.values(), strict=False)
    for i, (mark, size, colour, (name, (labels, errors)), curve) in enumerate(marks):
        (x, across), (y, up) = _spread(labels), _spread(errors)
        look: dict[str, Any] = {"markersize": size, "markerfacecolor": "white" if mark == "D" else None}
        axis.errorbar(x, y, up, across, mark, color=COLOURS[colour], capsize=3, label=name, zorder=4 + i, **look)
        own = np.interp(x, list(curve), _spread(list(curve.values()))[0])
        axis.plot([x, x], [y, own], ":", color=COLOURS[colour], linewidth=2.5, zorder=3)
    axis.set(xlabel="labels a task", ylabel="mean held-out error")
    low, high = axis.dataLim.intervaly
    if low < high / 2:  # else a zero line would squeeze what there is to see
        axis.set_ylim(0, None)
    axis.legend()
    return figure


def differences(pairs: Mapping[str, Sequence[float]]) -> Figure:
    """A picture of a user's own streams: error less that of each task alone, a dot for each seed, below zero a win."""
    figure, axis = plt.subplots(figsize=(6.8, 2.6))
    for i, (mark, values) in enumerate(zip("osD", pairs.values(), strict=False)):
        axis.plot(values, np.full(len(values), i), mark, alpha=0.6, color=COLOURS["blue"], linestyle="")
        axis.plot(np.mean(values), i, "|", markersize=26, markeredgewidth=3, color=COLOURS["vermilion"])
    axis.axvline(0, color=COLOURS["black"], linestyle="--")
    axis.set_yticks(range(len(pairs)), list(pairs))
    axis.set(ylim=(len(pairs) - 0.5, -0.5), xlabel="error of the stream less error alone, with as many labels")
    return figure
