"""Pictures of chapter 3.5: two levels of metafeatures."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def network(variables: int, k: int, r: int, tau: int, kind: int = 1) -> Figure:
    """Picture of two levels as a network: variables, k features, r groups of tau, a target that weighs one group."""
    from matplotlib.patches import FancyBboxPatch

    axis = plt.figure(figsize=(6.4, 3.5)).subplots()
    width = 10.0
    bottom = [(x, 0.0) for x in np.linspace(0.6, width - 0.6, variables)]
    first = [(x, 1.3) for x in np.linspace(2.0, width - 2.0, k)]
    centres = np.linspace(1.6, width - 1.6, r)
    second = [(c + d, 2.6) for c in centres for d in np.linspace(-0.55, 0.55, tau)]
    target = (float(centres[kind]), 3.7)
    links = [(a, b) for a in bottom for b in first], [(a, b) for a in first for b in second]
    for edges in links:
        for a, b in edges:
            axis.plot(*zip(a, b, strict=True), "-", color="#999999", linewidth=0.5, zorder=1)
    for centre in centres:
        box = FancyBboxPatch((centre - 0.85, 2.38), 1.7, 0.44, boxstyle="round,pad=0.05", fill=False, linestyle="--")
        axis.add_patch(box)
    for a in second[kind * tau : (kind + 1) * tau]:
        axis.plot(*zip(a, target, strict=True), "-", color=COLOURS["blue"], linewidth=3, zorder=2)
    levels = ((bottom, "o", "black", 7), (first, "s", "green", 11), (second, "D", "orange", 9))
    for nodes, marker, colour, size in levels:
        axis.plot(*zip(*nodes, strict=True), marker, color=COLOURS[colour], markersize=size, zorder=3, linestyle="")
    axis.plot(*target, "*", color=COLOURS["blue"], markersize=20, zorder=3)
    words = (
        (target[1], "a target: few weights"),
        (2.6, f"second level:\n$r={r}$ groups of $\\tau={tau}$"),
        (1.3, f"first level:\n$k={k}$ dense features"),
        (0.0, "$n$ variables"),
    )
    for height, text in words:
        axis.text(width + 0.1, height, text, va="center", fontsize=11)
    return bare(axis, (0.2, width + 5.2), (-0.4, 4.1), equal=False)


def tiers() -> Figure:
    """Picture of Algorithm 2: its three questions, and what is kept after each."""
    axis = plt.figure(figsize=(6.4, 3.2)).subplots()
    sparse = "sparse: do $\\tau$ features of the\nsecond level reach $\\varepsilon$?"
    dense = "dense: do all of the first level\nreach $\\tilde\\varepsilon_{\\mathrm{acc}}$?"
    rows = (
        (2.6, sparse, "use them", "blue"),
        (1.3, dense, "keep the combination:\n$\\tilde r+1$", "orange"),
        (
            0.0,
            "from scratch to $\\varepsilon_{\\mathrm{acc}}$",
            "keep the vector:\n$\\tilde k+1$ and $\\tilde r+1$",
            "green",
        ),
    )
    box: dict[str, Any] = {"boxstyle": "round,pad=0.4", "facecolor": "white"}
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS["black"]}
    for y, question, kept, colour in rows:
        axis.text(0, y, question, ha="center", va="center", fontsize=11, bbox=box, zorder=3)
        text = {**box, "edgecolor": COLOURS[colour], "linewidth": 2}
        axis.text(2.5, y, kept, ha="center", va="center", fontsize=11, bbox=text, zorder=3)
        axis.annotate("", (1.83, y), (1.12, y), arrowprops=arrow)
        if y:
            axis.text(1.45, y + 0.06, "yes", ha="center", va="bottom")
            axis.annotate("", (0, y - 0.88), (0, y - 0.42), arrowprops=arrow)
            axis.text(0.08, y - 0.65, "no", va="center")
    return bare(axis, (-1.2, 3.3), (-0.5, 3.1), equal=False)


def spent_labels(spent: Mapping[str, NDArray[np.int64]]) -> Figure:
    """Picture of the labels that Algorithm 2 and others have spent, over the number of tasks."""
    figure, axis = plt.subplots(figsize=(6.4, 2.9))
    looks = (("-", "blue", 3), ("-", "orange", 1.5), ("-", "green", 3), ("--", "black", 1.5))
    for (name, total), (dash, colour, width) in zip(spent.items(), looks, strict=True):
        axis.plot(range(1, len(total) + 1), total / 1000, dash, color=COLOURS[colour], linewidth=width, label=name)
    axis.set(xlabel="tasks", ylabel="labels (thousands)", ylim=(0, None))
    axis.legend(loc="upper left")
    return figure


def extrapolation(p: float, q: float, d: float) -> Figure:
    """Picture for the example against Theorem 2: errors of plus and minus d at near points, extended to a unit step."""
    figure, axes = plt.subplots(2, 1, figsize=(5.8, 3.5))
    second = -2 * d / p
    third = (d - second) / q
    panels = (
        ((0.0, d), (p, -d), second, "p", r"from $e_1$ a step $t$ along $e_2$", ("$e_1$", "$e_1+p\\,e_2$"), "-2d/p"),
        ((0.0, second), (q, d), third, "q", r"from $e_2$ a step $t$ along $e_3$", ("$e_2$", "$e_2+q\\,e_3$"), "x"),
    )
    for axis, (start, near, slope, step, label, names, rise) in zip(axes, panels, strict=True):
        t = np.array([0.0, 1.0])
        axis.plot(t, start[1] + slope * t, "--", color=COLOURS["vermilion"])
        axis.plot([0, near[0]], [start[1], near[1]], "o-", color=COLOURS["vermilion"], linewidth=2.5, markersize=7)
        axis.plot([1], [start[1] + slope], "s", color=COLOURS["vermilion"], markersize=8)
        axis.axhline(0, color=COLOURS["blue"], linewidth=1)
        axis.text(1.05, 0, "no error", ha="right", va="bottom", fontsize=10, color=COLOURS["blue"])
        up = np.sign(slope)
        reach = abs(slope)
        axis.text(0.01, start[1] - up * 0.14 * reach, names[0], ha="left", va="center", fontsize=11)
        aside = 0.05 if up < 0 else -0.16  # clear of the line without error
        axis.text(near[0] + 0.03, near[1] + aside * reach, names[1], ha="left", va="center", fontsize=11)
        axis.text(0.92, start[1] + slope + up * 0.05 * reach, f"rise ${rise}$", ha="right", va="center", fontsize=11)
        axis.set(xlabel=label, ylabel="height", xticks=(0, near[0], 1), xticklabels=("0", f"${step}$", "1"), yticks=())
        axis.set_xlim(-0.05, 1.06)
        axis.margins(y=0.2)
        if up > 0:  # room for the name below its point
            axis.set_ylim(bottom=axis.get_ylim()[0] - 0.12 * reach)
    return figure


def exchange(basis: FloatArray, new: FloatArray) -> Figure:
    """Picture for the repaired Theorem 2: the area of two vectors, and that after one gave way to a new one."""
    from matplotlib.patches import Polygon

    figure, axes = plt.subplots(1, 2, figsize=(6.6, 3.3), sharey=True)
    kept = basis[0]
    shown = ((basis[1], "$b_2$", "before: thin", "vermilion"), (new, "$b$", "after: larger", "green"))
    for axis, (other, name, title, shade) in zip(axes, shown, strict=True):
        colour = COLOURS[shade]
        corners = [np.zeros(2), kept, kept + other, other]
        axis.add_patch(Polygon(corners, facecolor=colour, alpha=0.25, edgecolor=colour))
        for v, word, ink, below in ((kept, "$b_1$", COLOURS["black"], 0.1), (other, name, colour, -0.09)):
            axis.annotate("", v, (0, 0), arrowprops={"arrowstyle": "-|>", "color": ink, "linewidth": 2})
            axis.text(v[0], v[1] - below, word, ha="center", va="center", fontsize=12, color=ink)
        foot = (other @ kept) * kept / (kept @ kept)
        axis.plot(*zip(other, foot, strict=True), ":", color=COLOURS["black"], linewidth=1.5)
        height = float(np.linalg.norm(other - foot))
        axis.set_title(f"{title} (height {height:.2f})", fontsize=11)
        axis.axline((0, 0), tuple(kept), color=COLOURS["black"], linewidth=0.6, linestyle="--")
        bare(axis, (-0.35, 2.05), (-0.25, 1.2))
    axes[0].annotate("", new, (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["green"], "linestyle": "--"})
    axes[0].text(*(1.1 * new), "$b$ comes", ha="center", va="center", fontsize=12, color=COLOURS["green"])
    return figure
