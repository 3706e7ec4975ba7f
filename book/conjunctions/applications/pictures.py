"""Pictures of chapter 4.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@drawn
def error_over_accuracy(curves: Mapping[int, tuple[NDArray[np.int64], FloatArray]]) -> Figure:
    """The error that no rule avoids over the accuracy, by number of metafeatures, for the constants 1 and 10."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 2.5))
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


@drawn
def failing_runs(factors: Sequence[float], wrong: Mapping[str, Sequence[int]], *, runs: int, delta: float) -> Figure:
    """The share of runs that fail as one sample size is cut, with its 95 per cent interval."""
    import matplotlib.pyplot as plt
    from scipy.stats import binomtest

    figure, axis = plt.subplots(figsize=(5.6, 3.5))
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


@drawn
def labels_so_far(alone: NDArray[np.int64], bought: NDArray[np.int64], crossing: int) -> Figure:
    """Labels bought over 3000 problems, each alone and with Algorithm 5, and where the lines cross."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.0))
    seen = np.arange(1, len(bought) + 1)
    axis.plot(seen, alone / 1e6, "--", color=COLOURS["vermilion"])
    axis.plot(seen, bought / 1e6, color=COLOURS["blue"])
    axis.axvline(crossing, ls=":", lw=1, color=COLOURS["black"])
    axis.text(2500, 1.03 * alone[2499] / 1e6, "each alone", ha="right", va="bottom")
    axis.text(2600, 0.93 * bought[2599] / 1e6, "Algorithm 5", ha="left", va="top")
    axis.set(xlabel="problems seen", ylabel="labels so far, millions", ylim=0)
    return figure


def loop(attempt: str, scratch: str, *, store: str = "metafeatures") -> Figure:
    """The way of a target: an attempt with the metafeatures, and where it fails the price from scratch."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.6, 2.9))
    boxes = {
        "next target": (0.9, 3.2, 1.5, 0.8, "black"),
        f"attempt: a union of\nknown metafeatures?\n{attempt}": (3.9, 3.2, 2.8, 1.3, "blue"),
        "hypothesis": (7.0, 3.2, 1.6, 0.8, "black"),
        f"learn from scratch\n{scratch}": (3.9, 0.9, 2.8, 1.0, "vermilion"),
        store: (0.9, 0.9, 1.75, 0.8, "green"),
    }
    for word, (x, y, width, height, tone) in boxes.items():
        _box(axis, (x, y), (width, height), word, COLOURS[tone])
    arrows = [
        ((1.65, 3.2), (2.5, 3.2), ""),
        ((5.3, 3.2), (6.2, 3.2), "yes"),
        ((3.9, 2.55), (3.9, 1.4), "  no"),
        ((5.3, 1.1), (6.6, 2.8), ""),
        ((2.5, 0.9), (1.78, 0.9), "Alg. 3"),
        ((1.2, 1.3), (2.65, 2.55), ""),
    ]
    for start, end, word in arrows:
        axis.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "lw": 1.5, "color": COLOURS["black"]})
        middle = (np.array(start) + np.array(end)) / 2
        axis.text(middle[0], middle[1] + 0.1, word, ha="left" if word == "  no" else "center", va="bottom")
    axis.set(xlim=(-0.1, 7.9), ylim=(0.2, 4.0))
    axis.set_axis_off()
    return figure


def _box(axis: Any, centre: tuple[float, float], size: tuple[float, float], word: str, tone: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    corner = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    axis.add_patch(
        FancyBboxPatch(corner, *size, boxstyle="round,pad=0,rounding_size=0.12", fc="white", ec=tone, lw=1.8)
    )
    axis.text(*centre, word, ha="center", va="center", fontsize=10)


@drawn
def queries_each(attempt: Sequence[int], scratch: Sequence[int], alone: Sequence[int]) -> Figure:
    """Queries for each target: the attempt, what learning from scratch adds, and the target learned alone."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 2.3))
    seen = np.arange(1, len(attempt) + 1)
    axis.bar(seen, attempt, color=COLOURS["green"], label="attempt with metafeatures")
    ink: dict[str, Any] = {"color": "white", "edgecolor": COLOURS["vermilion"], "hatch": "////"}
    axis.bar(seen, scratch, bottom=attempt, label="learned from scratch", **ink)
    axis.plot(seen, alone, "_", color=COLOURS["black"], ms=12, mew=2, label="the target alone")
    axis.set(xlabel="target", ylabel="equivalence queries", xlim=(0.2, len(seen) + 0.8))
    axis.grid(visible=False, axis="x")
    axis.set_ylim(0, 1.75 * max(np.max(np.add(attempt, scratch)), np.max(alone)))
    axis.legend(loc="upper right", ncols=1)
    return figure


@drawn
def ruled_out(X: BoolArray, target: BoolArray) -> Figure:
    """Examples as rows: filled cells are ones, positive examples framed; a cross where a variable is ruled out."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axis = plt.subplots(figsize=(4.6, 2.3))
    positive = np.asarray(X[:, target].all(axis=1))
    size, n = X.shape
    for r, i in np.ndindex(size, n):
        fill = "#B9D6EA" if X[r, i] else "white"
        axis.add_patch(Rectangle((i, r), 1, 1, fc=fill, ec="#777777", lw=0.8))
        tone = COLOURS["vermilion"] if positive[r] and not X[r, i] else COLOURS["black"]
        axis.text(i + 0.5, r + 0.5, str(int(X[r, i])), ha="center", va="center", color=tone)
    for r in np.flatnonzero(positive):
        axis.add_patch(Rectangle((0, float(r)), n, 1, fill=False, ec=COLOURS["blue"], lw=2.4))
        axis.text(n + 0.2, r + 0.5, "positive", va="center", color=COLOURS["blue"])
    stays = np.asarray(X[positive].all(axis=0))
    for i in range(n):
        word, tone = ("stays", COLOURS["green"]) if stays[i] else ("✗", COLOURS["vermilion"])
        axis.text(i + 0.5, size + 0.45, word, ha="center", va="center", color=tone, fontsize=10)
        weight = "bold" if target[i] else "normal"
        axis.text(i + 0.5, -0.4, f"$x_{i + 1}$", ha="center", va="center", weight=weight)
    axis.set(xlim=(-0.1, n + 2), ylim=(size + 0.9, -0.9))
    axis.set_axis_off()
    return figure


@drawn
def price_loop() -> Figure:
    """`loop`, in queries."""
    return loop("at most $k+1$ queries", "at most $n$ queries more")


#: Where the four indices of the small family stand.
_CORNERS = np.array([(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)])


def _graph(axis: Any, pairs: Sequence[tuple[int, int]], bold: BoolArray, tone: str) -> None:
    """Four corners with numbers, all pairs as thin lines and some of them bold."""
    for (a, b), strong in zip(pairs, bold, strict=True):
        look = {"color": COLOURS[tone], "lw": 4.0} if strong else {"color": "#C8C8C8", "lw": 1.1}
        axis.plot(*_CORNERS[[a, b]].T, "-", zorder=2 if strong else 1, **look)
    for j, corner in enumerate(_CORNERS):
        axis.scatter(*corner, s=190, facecolor="white", edgecolor=COLOURS["black"], linewidths=1, zorder=3)
        axis.text(*corner, str(j + 1), ha="center", va="center_baseline", zorder=4)
    axis.set(xlim=(-0.22, 1.22), ylim=(-0.22, 1.22), aspect="equal")
    axis.set_axis_off()


def hidden_stars(pairs: Sequence[tuple[int, int]], targets: BoolArray) -> Figure:
    """The family for k = 4: variables are the lines between four points, targets four stars and m*."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(4.8, 3.9))
    names = [f"$m_{j + 1}$" for j in range(4)] + ["$m_\\ast$"]
    for r, (axis, target, name) in enumerate(zip(axes.ravel(), targets, names, strict=False)):
        _graph(axis, pairs, target, "blue")
        axis.scatter(0.0, -0.42, s=120, facecolor="white", edgecolor=COLOURS["purple"], linestyle="--", clip_on=False)
        anchor = f"$a_{r + 1}$" if r < 4 else "$a_\\ast$"
        axis.text(0.2, -0.42, f"{anchor}, hidden", va="center", color=COLOURS["black"], fontsize=12)
        axis.set(ylim=(-0.72, 1.22))
        axis.set_title(name, loc="center", fontsize=13)
    rest = axes.ravel()[len(targets) :]
    for axis in rest:
        _graph(axis, pairs, np.zeros(len(pairs), dtype=np.bool_), "blue")
        axis.set(ylim=(-0.72, 1.22))
        axis.set_title("the 6 variables", loc="center", fontsize=13)
    return figure


def star_closures(pairs: Sequence[tuple[int, int]], first: BoolArray, second: BoolArray) -> Figure:
    """Two stars, and the one line that they share."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(5.6, 1.9))
    words = ("$m_1$", "$m_2$", "$\\mathrm{cl}(x_{12})$")
    for axis, bold, name in zip(axes, (first, second, first & second), words, strict=True):
        _graph(axis, pairs, bold, "green" if name == words[2] else "blue")
        axis.set_title(name, loc="center", fontsize=12)
    for axis, sign in zip(axes, ("∩", "="), strict=False):
        axis.text(1.19, 0.5, sign, transform=axis.transAxes, fontsize=16, ha="center", va="center")
    return figure


@drawn
def stars_of_four(stars: BoolArray, half: BoolArray) -> Figure:
    """`hidden_stars` for the stars of four points, over their six lines in order, and a half of the lines."""
    return hidden_stars([*combinations(range(4), 2)], np.vstack([stars, half]))


@drawn
def two_stars(stars: BoolArray) -> Figure:
    """`star_closures` for the first two stars of four points."""
    return star_closures([*combinations(range(4), 2)], stars[0], stars[1])


@drawn
def judged(counts: NDArray[np.int64], rare: FloatArray, frequent: FloatArray, threshold: float) -> Figure:
    """How often a rare and a frequent variable are 0 among the unlabelled examples, and where they are told apart."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 2.7))
    top = 1.25 * max(rare.max(), frequent.max())
    axis.plot(counts, rare, "--", color=COLOURS["vermilion"])
    axis.plot(counts, frequent, "-", color=COLOURS["blue"])
    axis.axvline(threshold, color=COLOURS["black"], ls=":", lw=1.5)
    axis.text(counts[rare.argmax()], rare.max() * 1.03, r"$\varepsilon/8n$", ha="center", va="bottom")
    axis.text(counts[frequent.argmax()], frequent.max() * 1.06, r"$\varepsilon/2n$", ha="center", va="bottom")
    axis.text(threshold - 1.5, top * 0.98, "insignificant", ha="right", va="top")
    axis.text(threshold + 1.5, top * 0.98, "significant", ha="left", va="top")
    axis.set(xlabel="zeros among the $s_1$ examples", ylabel="chance", ylim=(0, top), xlim=(0, counts[-1]))
    return figure


@drawn
def unseen(pairs: Sequence[tuple[int, int]], known: BoolArray, hidden: Sequence[int]) -> Figure:
    """What is known of m*, with two lines that were never 0 and could be in it, and the two cases of equal chance."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(5.6, 2.1))
    for axis, chosen, title in zip(
        axes, ([], hidden[:1], hidden[1:]), ("known of $m_\\ast$", "this?", "or this?"), strict=True
    ):
        bold = known.copy()
        bold[list(chosen)] = True
        _graph(axis, pairs, bold, "blue")
        for i in hidden:
            if i not in chosen:
                axis.plot(*_CORNERS[list(pairs[i])].T, ":", color=COLOURS["orange"], lw=3, zorder=2)
        axis.set_title(title, loc="center", fontsize=12)
    return figure


@drawn
def star_attempt(pairs: Sequence[tuple[int, int]], stars: BoolArray, target: BoolArray) -> Figure:
    """The stars at hand when another star arrives: the line in the target is solid, the lines outside are dotted."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 1 + len(stars), figsize=(1.6 * (1 + len(stars)), 2.0))
    words = [f"target $m_{len(stars) + 1}$"] + [f"$m_{j + 1}$ at hand" for j in range(len(stars))]
    for axis, star, word in zip(axes, [target, *stars], words, strict=True):
        _graph(axis, pairs, star & target, "blue")
        for i in np.flatnonzero(star & ~target):
            axis.plot(*_CORNERS[list(pairs[int(i)])].T, ":", color=COLOURS["vermilion"], lw=3, zorder=2)
        axis.set_title(word, loc="center", fontsize=11)
    return figure


@drawn
def worst_streams(factors: FloatArray, exponents: Mapping[str, FloatArray], least: Mapping[str, float]) -> Figure:
    """The chance of failure, as a power of delta, when one of the sizes is cut, and where it is what is allowed."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 3.0))
    styles = {"$s_1$": ("s:", "green"), "$s_2$": ("o-", "vermilion"), "$s_3$": ("^--", "blue")}
    for name, (style, colour) in styles.items():
        axis.plot(factors, exponents[name], style[1:], color=COLOURS[colour])
        axis.plot(least[name], 1, style[0], color=COLOURS[colour], ms=7, zorder=3)
        end = exponents[name][0]
        axis.text(factors[0] - 0.01, end, name, color=COLOURS[colour], ha="right", va="center", fontsize=12)
    axis.axhline(1, color=COLOURS["black"], lw=1, ls=(0, (1, 2)), zorder=1)
    axis.text(factors[0], 1.02, "allowed: power at least 1", va="bottom")
    axis.set(xlabel="factor on one size", ylabel=r"power of $\delta$", ylim=(0, 1.2))
    axis.set_xlim(factors[0] - 0.06, 1.01)
    return figure


@drawn
def shares(positive: float, zeros: Mapping[str, tuple[float, float]]) -> Figure:
    """The unit square of all examples, cut by the target and by a variable: independent, and not."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axes = plt.subplots(1, len(zeros), figsize=(5.6, 2.3))
    for axis, (title, (above, below)) in zip(axes, zeros.items(), strict=True):
        for share, foot, high, colour in (
            (above, 1 - positive, positive, "green"),
            (below, 0.0, 1 - positive, "black"),
        ):
            axis.add_patch(Rectangle((0, foot), 1, high, fill=False, edgecolor=COLOURS[colour], linewidth=1.4))
            look: dict[str, Any] = {"facecolor": COLOURS["vermilion"], "alpha": 0.5, "hatch": "//"}
            axis.add_patch(Rectangle((0, foot), share, high, **look))
        axis.text(-0.04, 1 - positive / 2, "positive", ha="right", va="center", fontsize=10.5)
        axis.text(-0.04, (1 - positive) / 2, "negative", ha="right", va="center", fontsize=10.5)
        axis.set_title(title, fontsize=11, loc="center")
        axis.set(xlim=(-0.45, 1.02), ylim=(-0.02, 1.02))
        axis.axis("off")
    return figure


@drawn
def without_anchors(true: BoolArray, hidden: BoolArray, found: BoolArray) -> Figure:
    """Metafeatures as rows of cells, those of anchors that nobody sees hatched; below them what is found instead."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    n, gap = true.shape[1], 0.7
    figure, axis = plt.subplots(figsize=(5.2, 0.3 * (len(true) + len(found)) + 0.6))
    for part, (rows, colour, words) in enumerate(((true, "green", "there are"), (found, "blue", "are found"))):
        top = -part * (len(true) + gap)
        for i, row in enumerate(rows):
            for j, on in enumerate(row):
                look: dict[str, Any] = {"edgecolor": COLOURS["black"], "linewidth": 0.8}
                look |= {"facecolor": COLOURS[colour] if on and not hidden[j] else "none"}
                look |= {"hatch": "////"} if on and hidden[j] else {}
                axis.add_patch(Rectangle((j, top - i), 0.92, 0.86, **look))
        axis.text(n + 0.4, top - (len(rows) - 1) / 2 + 0.4, f"{len(rows)} {words}", va="center", fontsize=11)
    for j in range(n):
        axis.text(j + 0.46, 1.15, f"$a_{{{j - int((~hidden).sum()) + 1}}}$" if hidden[j] else str(j + 1), ha="center")
    axis.set(xlim=(-0.2, n + 4.2), ylim=(0.8 - len(true) - len(found) - gap, 1.9))
    axis.axis("off")
    return figure
