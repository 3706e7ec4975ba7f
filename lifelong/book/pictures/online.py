"""Pictures of chapter 4.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def random_and_selectors(paid: Sequence[NDArray[np.int64]], lines: Mapping[str, float]) -> Figure:
    """Targets learned from scratch so far: random streams, the selectors that all cost, and bounds by name."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 4.0))
    m = len(paid[0])
    seen = np.arange(1, m + 1)
    for number, line in enumerate(paid):
        label = "random unions" if number == 0 else None
        axis.plot(seen, np.maximum(line, 0.8), lw=1.2, ls="-", color=COLOURS["blue"], label=label)
    axis.plot(seen, seen, "--", color=COLOURS["vermilion"], label="selectors")
    for text, height in lines.items():
        axis.axhline(height, color=COLOURS["black"], lw=1, ls=":")
        axis.text(m * 1.01, height, text, va="center")
    axis.set(yscale="log", xlabel="targets seen", ylabel="learned from scratch", xlim=(0, m))
    axis.legend(loc="lower right")
    return figure


def queries_so_far(alone: NDArray[np.int64], together: NDArray[np.int64], bound: Sequence[int]) -> Figure:
    """Equivalence queries over 300 targets: each alone, with metafeatures, and the bound."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    seen = np.arange(1, len(alone) + 1)
    axis.plot(seen, alone, "--", color=COLOURS["vermilion"])
    axis.plot(seen, together, color=COLOURS["blue"])
    axis.plot(seen, bound, ":", color=COLOURS["black"])
    axis.text(150, alone[149] * 1.08, "each target alone", ha="right")
    axis.text(300, together[-1] - 350, "with metafeatures", ha="right", va="top")
    axis.text(300, bound[-1] * 1.15, "$m(k+1)+nQ$", ha="right")
    axis.set(xlabel="targets seen, $m$", ylabel="equivalence queries so far")
    return figure


def preorder_steps(targets: BoolArray, titles: Sequence[str], *, columns: int = 3) -> Figure:
    """Which variables imply which, before the first target learned from scratch and after each further one.

    A square in row x and column y while every target with x has y; a cross where the newest target has just ended
    that. Its incomparable pairs are what the potential of `thm-online-sharp` counts.
    """
    import matplotlib.pyplot as plt

    n = targets.shape[1]
    lines = -(-(len(targets) + 1) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(2.2 * columns, 2.5 * lines), squeeze=False)
    before = np.ones((n, n), dtype=np.bool_)
    for r, axis in enumerate(axes.ravel()):
        if r > len(targets):
            axis.remove()
            continue
        T = targets[r - 1] if r else np.zeros(n, dtype=np.bool_)
        now = before & ~(T[:, None] & ~T[None, :])
        for holds, marker, colour in ((now, "s", COLOURS["blue"]), (before & ~now, "x", COLOURS["vermilion"])):
            x, y = np.nonzero(holds)
            axis.scatter(y + 1, x + 1, marker=marker, color=colour, s=55, linewidths=2)
        before = now
        ticks = np.arange(1, n + 1)
        axis.set(xlim=(0.4, n + 0.6), ylim=(n + 0.6, 0.4), xticks=ticks, yticks=ticks, aspect="equal")
        axis.set_title(titles[r], fontsize=9)
        if r % columns == 0:
            axis.set_ylabel("if a target has x ...")
        if r + columns > len(targets):
            axis.set_xlabel("... it has y")
    return figure
