"""Pictures of chapter 4.3."""

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong_book.conjunctions.applications.limits import error_curves
from lifelong_book.press.figures import rounded
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def error_and_accuracy() -> Figure:
    """A drawing of the error that no rule of Algorithm 5 avoids, and the accuracy for C = 1 and 10, over the stars."""
    number, least, allowed = error_curves()
    figure, axis = plt.subplots(figsize=(6.2, 2.7))
    axis.plot(number, least, "o", color=COLOURS["black"])
    axis.text(number[-1] + 0.3, least[-1], "every rule exceeds,\n19 times in 20", va="center")
    for (C, accuracy), (style, colour) in zip(allowed.items(), (("-", "vermilion"), ("--", "blue")), strict=True):
        axis.plot(number, accuracy, style, color=COLOURS[colour])
        axis.text(number[-1] + 0.3, accuracy[-1], rf"$\varepsilon$ for $C={C}$", va="center")
    axis.set(yscale="log", xlabel="$q$", ylabel="error", xticks=number, xlim=(9.6, 20.8), ylim=(0.0015, 1))
    return figure


@drawn
def price_loop() -> Figure:
    """A drawing of learning by queries: an attempt with the metafeatures, and where it fails the price from scratch."""
    axis = plt.figure(figsize=(6.6, 2.9)).subplots()
    boxes = {
        "next target": (0.9, 3.2, 1.5, 0.8, "black"),
        "attempt: a union of\nknown metafeatures?\nat most $k+1$ queries": (3.9, 3.2, 2.8, 1.3, "blue"),
        "hypothesis": (7.0, 3.2, 1.6, 0.8, "black"),
        "learn from scratch\nat most $n$ queries more": (3.9, 0.9, 2.8, 1.0, "vermilion"),
        "metafeatures": (0.9, 0.9, 1.75, 0.8, "green"),
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
    return bare(axis, (-0.1, 7.9), (0.2, 4.0), equal=False)


def _box(axis: Any, centre: tuple[float, float], size: tuple[float, float], word: str, tone: str) -> None:
    rounded(axis, centre, size, fc="white", ec=tone, lw=1.8)
    axis.text(*centre, word, ha="center", va="center", fontsize=10)


@drawn
def ruled_out(X: BoolArray, target: BoolArray) -> Figure:
    """A drawing of learning from examples: ones filled, positive rows framed, a cross where a variable is ruled out."""
    from matplotlib.patches import Rectangle

    axis = plt.figure(figsize=(4.6, 2.3)).subplots()
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
    return bare(axis, (-0.1, n + 2), (size + 0.9, -0.9), equal=False)


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
    bare(axis, (-0.22, 1.22), (-0.22, 1.22))


def _hidden_stars(pairs: Sequence[tuple[int, int]], targets: BoolArray) -> Figure:
    """A drawing of Algorithm 5's hidden anchors for q = 4: variables are lines, targets four stars and m*."""
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


@drawn
def stars_of_four(stars: BoolArray, chosen: BoolArray) -> Figure:
    """A drawing of Algorithm 5's hidden anchors: `hidden_stars` of four points, and a set of their six lines."""
    return _hidden_stars([*combinations(range(4), 2)], np.vstack([stars, chosen]))
