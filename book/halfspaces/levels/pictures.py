"""Pictures of chapter 3.5: two levels of metafeatures."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def network(variables: int, k: int, r: int, tau: int, kind: int = 1) -> Figure:
    """Two levels as a network: variables, k features, r groups of tau features, a target that weighs one group."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch

    figure, axis = plt.subplots(figsize=(6.4, 3.5))
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
    axis.set(xlim=(0.2, width + 5.2), ylim=(-0.4, 4.1))
    axis.axis("off")
    return figure


def tiers() -> Figure:
    """The three questions of Algorithm 2 and what is kept after each."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.2))
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
    axis.set(xlim=(-1.2, 3.3), ylim=(-0.5, 3.1))
    axis.axis("off")
    return figure


def tiers_of_tasks(how: ArrayLike, kinds: ArrayLike, names: Sequence[str]) -> Figure:
    """How each task was learned, over its number and its kind."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 2.7))
    looks = (("scratch", "^", "vermilion"), ("composed", "s", "orange"), ("reused", ".", "blue"))
    for tier, mark, colour in looks:
        at = np.flatnonzero(np.asarray(how) == tier)
        axis.plot(at + 1, np.asarray(kinds)[at], linestyle="", marker=mark, color=COLOURS[colour], label=tier)
    axis.set(xlabel="task", yticks=range(len(names)), yticklabels=names)
    axis.set_ylim(-0.5, len(names) - 0.5)
    axis.legend(loc="upper center", bbox_to_anchor=(0.5, 1.18), ncol=3)
    return figure


def qualities(share: FloatArray, rows: Sequence[str], columns: Sequence[str]) -> Figure:
    """How much of each feature of the second level lies along each quality, as shades."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 0.235 * len(rows) + 1.1))
    axis.imshow(share, cmap="Greens", vmin=0, vmax=1, aspect="auto")
    for i, line in enumerate(share):
        for j, part in enumerate(line):
            if part >= 0.05:
                colour = "white" if part > 0.6 else "black"
                axis.text(j, i, f"{part:.2f}", ha="center", va="center", color=colour, fontsize=10)
    axis.set(xticks=range(len(columns)), yticks=range(len(rows)), yticklabels=rows)
    axis.set_xticklabels(columns, rotation=25, ha="right")
    axis.grid(False)
    return figure


def extrapolation(p: float, q: float, d: float) -> Figure:
    """Errors of plus and minus d at two near points, extended to a unit step: first along e2, then along e3."""
    import matplotlib.pyplot as plt

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
        up = np.sign(slope)
        reach = abs(slope)
        axis.text(0.01, start[1] - up * 0.14 * reach, names[0], ha="left", va="center", fontsize=11)
        aside = 0.05 if up < 0 else -0.16  # clear of the line without error
        axis.text(near[0] + 0.03, near[1] + aside * reach, names[1], ha="left", va="center", fontsize=11)
        axis.text(0.92, start[1] + slope + up * 0.05 * reach, f"rise ${rise}$", ha="right", va="center", fontsize=11)
        axis.set(xlabel=label, ylabel="error", xticks=(0, near[0], 1), xticklabels=("0", f"${step}$", "1"), yticks=())
        axis.set_xlim(-0.05, 1.06)
        axis.margins(y=0.2)
        if up > 0:  # room for the name below its point
            axis.set_ylim(bottom=axis.get_ylim()[0] - 0.12 * reach)
    return figure


def exchange(basis: FloatArray, new: FloatArray) -> Figure:
    """Two vectors and the area that they span, and the same after one of them gave way to a new one."""
    import matplotlib.pyplot as plt
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
        axis.set(xlim=(-0.35, 2.05), ylim=(-0.25, 1.2))
        axis.set_aspect("equal")
        axis.axis("off")
    axes[0].annotate("", new, (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["green"], "linestyle": "--"})
    axes[0].text(*(1.1 * new), "$b$ comes", ha="center", va="center", fontsize=12, color=COLOURS["green"])
    return figure


def exchange_fat(psi: float) -> Figure:
    """Seen from above the plane: a vector across two near ones needs large coefficients, and the area grows by one."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Polygon

    first, second = (np.array([np.cos(psi / 2), side * np.sin(psi / 2)]) for side in (1, -1))
    new, size = np.array([0.0, 1.0]), 1 / (2 * np.sin(psi / 2))
    figure, axis = plt.subplots(figsize=(6.2, 3.0))
    areas = ((second, "vermilion", r"$b_1,b_2$"), (new, "green", r"$b_1,b$"))
    for other, shade, words in areas:
        corners = [np.zeros(2), first, first + other, other]
        ink = COLOURS[shade]
        area = abs(first[0] * other[1] - first[1] * other[0])
        named = f"area of {words}: {area:.2f}"
        axis.add_patch(Polygon(corners, facecolor=ink, alpha=0.25, edgecolor=ink, label=named))
    for end, name, sign in ((size * first, r"$x_1b_1$", -1), (-size * second, r"$x_2b_2$", -1)):
        axis.plot(*zip((0, 0), end, new, strict=True), ":", color=COLOURS["black"], linewidth=1.2)
        axis.text(end[0], end[1] + 0.16 * sign, name, ha="center", va="center", fontsize=12)
    arrows = ((first, "$b_1$", "black", (0.12, 0.08)), (second, "$b_2$", "vermilion", (0.12, -0.1)))
    for v, name, shade, shift in (*arrows, (new, "$b$", "green", (-0.13, 0.05))):
        end = (float(v[0]), float(v[1]))
        axis.annotate("", end, (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS[shade], "linewidth": 2})
        axis.text(
            end[0] + shift[0], end[1] + shift[1], name, ha="center", va="center", fontsize=12, color=COLOURS[shade]
        )
    axis.set(xlim=(-1.1 * size, 1.15 * size), ylim=(-0.4, 1.25))
    axis.legend(loc="upper left", bbox_to_anchor=(0, 1.2), ncols=2)
    axis.set_aspect("equal")
    axis.axis("off")
    return figure


def arrangement(
    targets: FloatArray, kinds: ArrayLike, spaces: Sequence[str] = (), axes: Sequence[tuple[str, int]] = ()
) -> Figure:
    """Which axes each target uses, a row a task, a dashed line between spaces; larger squares are larger parts."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.0, 4.8))
    row, column = np.nonzero(np.abs(targets) > 0.02)
    parts = np.abs(targets[row, column]) / np.linalg.norm(targets, axis=1)[row]
    axis.scatter(column + 1, row + 1, s=90 * parts, marker="s", color=COLOURS["blue"])
    order = np.asarray(kinds)
    edges = np.flatnonzero(np.diff(order))
    for edge in edges:
        axis.axhline(edge + 1.5, color=COLOURS["black"], linestyle="--", linewidth=0.8)
    width = targets.shape[1]
    for name, start, stop in zip(spaces, [0, *(edges + 1)], [*(edges + 1), len(order)], strict=False):
        axis.text(width + 0.9, (start + stop + 1) / 2, name, va="center", fontsize=11)
    start = 0
    for name, count in axes:
        last = start + count == width  # to the right, clear of its neighbour
        at = start + (0.75 if last else (count + 1) / 2)
        axis.text(at, 0.1, name, ha="left" if last else "center", va="bottom", fontsize=11)
        start += count
        if start < width:
            axis.axvline(start + 0.5, color=COLOURS["black"], linestyle=":", linewidth=0.8)
    axis.grid(False)
    axis.set(xlabel="axis", ylabel="task", xlim=(0.4, width + 0.6), ylim=(len(targets) + 0.6, 0.4))
    axis.set(xticks=range(1, width + 1), yticks=range(1, len(targets) + 1, 3))
    return figure


def coefficients(psi: float) -> Figure:
    """The direction between two near ones that needs the largest coefficients: their difference, magnified."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Arc

    figure, axis = plt.subplots(figsize=(5.6, 3.4))
    size = 1 / (2 * np.sin(psi / 2))
    first, second = (np.array([np.cos(psi / 2), side * np.sin(psi / 2)]) for side in (1, -1))
    arrow = {"arrowstyle": "-|>", "linewidth": 2}
    ends = (
        (size * first, "vermilion", r"$x_1\alpha_1$", -0.13),
        (-size * second, "vermilion", r"$x_2\alpha_2$", -0.13),
        (first, "black", r"$\alpha_1$", 0.12),
        (second, "black", r"$\alpha_2$", -0.14),
        (np.array([0.0, 1.0]), "blue", "$u$", 0.07),
    )
    for (x, y), colour, name, above in ends:
        axis.annotate("", (x, y), (0, 0), arrowprops={**arrow, "color": COLOURS[colour]})
        axis.text(x, y + above, name, ha="center", va="center", color=COLOURS[colour], fontsize=12)
    for x, y in (size * first, -size * second):
        axis.plot([x, 0], [y, 1], ":", color=COLOURS["black"], linewidth=1.2)
    turn = np.degrees(psi / 2)
    axis.add_patch(Arc((0, 0), 1.1, 1.1, theta1=-turn, theta2=turn))
    axis.text(0.63, 0, r"$\psi$", ha="center", va="center", fontsize=12)
    axis.set(xlim=(-1.25 * size, 1.25 * size), ylim=(-0.4, 1.2))
    axis.set_aspect("equal")
    axis.axis("off")
    return figure


def volumes(runs: Sequence[Sequence[float]], first: int, start: float, factor: float) -> Figure:
    """The largest volume after each feature, for several runs, the least that the proof promises, and the ceiling."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 2.8))
    most = int(np.ceil(-np.log(start) / np.log(factor))) + 1
    for run in runs:
        at = first + np.arange(len(run))
        label = "largest volume" if run is runs[0] else None
        axis.plot(at, run, "o-", color=COLOURS["vermilion"], linewidth=1, markersize=4, alpha=0.6, label=label)
    at = first + np.arange(most)
    promised = start * factor ** np.arange(most)
    axis.plot(at, promised, "--", color=COLOURS["black"], marker="_", markersize=12, label="at least, by the proof")
    axis.axhline(1, color=COLOURS["blue"], linewidth=1.4, label="no volume is larger")
    axis.set(yscale="log", xlabel="features of the space", ylabel="volume", xticks=at, ylim=(0.5 * start, 4))
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, columnspacing=1.0)
    return figure


def tied_block(tau: int) -> Figure:
    """A feature that ties an axis to a block of axes, the others that may be used beside it, and what they leave."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    lines = [("the tied feature", [True] * (tau + 1), "blue")]
    lines += [
        (f"may cancel {'one' if i == 0 else 'another'}", [j == i + 1 for j in range(tau + 1)], "black")
        for i in range(tau - 1)
    ]
    lines += [("what is left", [j in (0, tau) for j in range(tau + 1)], "vermilion")]
    figure, axis = plt.subplots(figsize=(5.2, 0.48 * len(lines) + 0.5))
    for i, (words, cells, colour) in enumerate(lines):
        axis.text(-0.3, -1.25 * i + 0.45, words, ha="right", va="center", fontsize=11)
        for j, on in enumerate(cells):
            x = j + 0.6 * (j > 0)
            look: dict[str, Any] = {"edgecolor": COLOURS["black"], "linewidth": 0.8}
            axis.add_patch(Rectangle((x, -1.25 * i), 0.92, 0.92, facecolor=COLOURS[colour] if on else "none", **look))
    axis.text(0.46, 1.2, "axis", ha="center", fontsize=10.5)
    axis.text(1.06 + tau / 2, 1.2, "its block", ha="center", fontsize=10.5)
    axis.set(xlim=(-4.6, tau + 2.2), ylim=(-1.25 * (len(lines) - 1) - 0.1, 1.8), aspect="equal")
    axis.axis("off")
    return figure
