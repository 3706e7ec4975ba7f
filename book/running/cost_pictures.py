"""Pictures of what the core costs, beside its limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong_book.press.extras import needs
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: Numbers on an axis of ratios.
_TICKS = [step * 10.0**power for power in range(-2, 5) for step in (1, 2, 5)]


def to_the_limit(rows: Sequence[dict[str, Any]]) -> Figure:
    """Draw how many times the limit each subject takes, against each of its sizes."""
    with needs("matplotlib", extra="figures"):
        import matplotlib.pyplot as plt

    if not rows:
        raise ValueError("rows: expected the lines of a record, got none")
    subjects = list(dict.fromkeys(row["subject"] for row in rows))
    down = -(-len(subjects) // 2)
    figure, axes = plt.subplots(down, 2, figsize=(5.8, 0.4 + 2.0 * down), squeeze=False)
    for axis, subject in zip(axes.flat, subjects, strict=False):
        here = [row for row in rows if row["subject"] == subject]
        for mark, varied in zip("osD^", dict.fromkeys(row["varied"] for row in here), strict=False):
            line = [row for row in here if row["varied"] == varied]
            low, middle, high = np.transpose([row["to the limit"] for row in line])
            sizes = [row["sizes"][varied] for row in line]
            axis.errorbar(sizes, middle, [middle - low, high - middle], marker=mark, label=varied, capsize=2)
        axis.axhline(1, color=COLOURS["black"], linestyle="--", linewidth=1)
        axis.set(xscale="log", yscale="log", title=subject)
        low, high = axis.get_ylim()
        ticks = [tick for tick in _TICKS if low <= tick <= high]
        axis.set_yticks(ticks, [f"{tick:g}" for tick in ticks])
        axis.set_yticks([], minor=True)
        axis.legend(fontsize=9, labelspacing=0.2)
    for axis in axes[:, 0]:
        axis.set_ylabel("time / limit")
    for axis in axes.flat[max(0, len(subjects) - 2) : len(subjects)]:  # the last of each column
        axis.set_xlabel("size")
    for axis in axes.flat[len(subjects) :]:
        axis.set_axis_off()
    return figure


def growth(slopes: Sequence[dict[str, Any]]) -> Figure:
    """Draw with which power of each size the time grows, ours and that of the limit."""
    with needs("matplotlib", extra="figures"):
        import matplotlib.pyplot as plt

    if not slopes:
        raise ValueError("slopes: expected the lines of a record, got none")
    places = np.arange(len(slopes))[::-1]
    figure, axis = plt.subplots(figsize=(5.8, 0.9 + 0.24 * len(slopes)))
    ours, limit = ([s[name] for s in slopes] for name in ("ours", "limit"))
    axis.hlines(places, ours, limit, color="#999999", linewidth=1)
    axis.plot(ours, places, "o", color=COLOURS["blue"], label="this package")
    axis.plot(limit, places, "s", color=COLOURS["vermilion"], markerfacecolor="none", label="limit")
    axis.set_yticks(places, [f"{s['subject']}: {s['varied']}" for s in slopes])
    axis.set_xticks([0, 0.5, 1, 1.5, 2])
    axis.set(xlabel="slope between logarithms of size and time", ylim=(-0.7, len(slopes) - 0.3))
    axis.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=2)
    return figure
