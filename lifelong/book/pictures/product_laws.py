"""Pictures of chapter 4.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def error_over_accuracy(curves: Mapping[int, tuple[NDArray[np.int64], FloatArray]]) -> Figure:
    """The error that no rule avoids over the accuracy, by number of metafeatures, for the constants 1 and 10."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.4))
    styles = {1: ("o-", "vermilion"), 10: ("s--", "blue")}
    for C, (style, colour) in styles.items():
        number, ratio = curves[C]
        axis.plot(number, ratio, style, color=COLOURS[colour])
        axis.text(19.3, ratio[-1], f"$C={C}$", va="center")
    axis.axhline(1, ls=":", color=COLOURS["black"])
    axis.text(9, 1.15, "allowed", va="bottom")
    axis.set(
        yscale="log",
        xlabel="number of metafeatures, $k+1$",
        ylabel=r"error / $\varepsilon$",
        xlim=(8.6, 21),
    )
    return figure


def failing_runs(factors: Sequence[float], wrong: Mapping[str, Sequence[int]], *, runs: int, delta: float) -> Figure:
    """The share of runs that fail as one sample size is cut, with its 95 per cent interval."""
    import matplotlib.pyplot as plt
    from scipy.stats import binomtest

    figure, axis = plt.subplots(figsize=(6.6, 3.8))
    styles = {
        "unlabelled": ("s:", "green", "$s_1$, unlabelled"),
        "reuse": ("o-", "vermilion", "$s_2$, reuse"),
        "scratch": ("^--", "blue", "$s_3$, scratch"),
        "alone": ("D-.", "black", "each alone"),
    }
    for shift, (name, (style, colour, text)) in enumerate(styles.items()):
        rate = np.array(wrong[name]) / runs
        ci = [binomtest(int(c), runs).proportion_ci() for c in wrong[name]]
        spread = np.abs(np.array([[i.low, i.high] for i in ci]).T - rate)
        x = np.array(factors) * 1.05 ** (shift - 1.5)
        axis.errorbar(x, rate, yerr=spread, fmt=style, color=COLOURS[colour], capsize=2, label=text)
    axis.axhline(delta, color=COLOURS["black"], lw=1, ls=":")
    axis.text(0.003, delta + 0.01, r"$\delta$", va="bottom")
    axis.set(
        xscale="log",
        xlabel="factor on the sample size",
        ylabel="share of runs that fail",
        ylim=(-0.02, 1.02),
    )
    axis.legend(loc="upper right")
    return figure


def labels_so_far(alone: NDArray[np.int64], bought: NDArray[np.int64], crossing: int) -> Figure:
    """Labels bought over 3000 problems, each alone and with Algorithm 5, and where the lines cross."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    seen = np.arange(1, len(bought) + 1)
    axis.plot(seen, alone / 1e6, "--", color=COLOURS["vermilion"])
    axis.plot(seen, bought / 1e6, color=COLOURS["blue"])
    axis.axvline(crossing, ls=":", lw=1, color=COLOURS["black"])
    axis.text(2500, 1.03 * alone[2499] / 1e6, "each alone", ha="right", va="bottom")
    axis.text(2600, 0.93 * bought[2599] / 1e6, "Algorithm 5", ha="left", va="top")
    axis.set(xlabel="problems seen", ylabel="labels so far, millions", ylim=0)
    return figure
