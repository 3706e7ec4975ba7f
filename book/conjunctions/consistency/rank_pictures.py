"""Pictures of the pages below chapter 4.1: Boolean rank, and other factorisations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.conjunctions.consistency.concept_lattice import formal_concepts
from lifelong_book.conjunctions.consistency.instances import clique_cover_family
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


#: Ends of the segments a to g of a digit, on a board of width 1 and height 2.
_SEGMENTS = (
    ((0, 2), (1, 2)),
    ((1, 2), (1, 1)),
    ((1, 1), (1, 0)),
    ((0, 0), (1, 0)),
    ((0, 1), (0, 0)),
    ((0, 2), (0, 1)),
    ((0, 1), (1, 1)),
)


def digits_and_pieces(digits: BoolArray, pieces: BoolArray) -> Figure:
    """Digits of a seven-segment display, with the letters of the pieces inside each, and below them the pieces."""
    import matplotlib.pyplot as plt

    wide = max(len(digits), len(pieces))
    figure, axis = plt.subplots(figsize=(5.2, 2.8))
    inside: BoolArray = np.asarray((~pieces[None] | digits[:, None]).all(axis=2))
    for height, shapes, colour in ((5.6, digits, "black"), (0.0, pieces, "green")):
        step = 1.9 * wide / len(shapes)
        for place, row in enumerate(shapes):
            x = (place + 0.5) * step - 0.5
            for lit, ends in zip(row, _SEGMENTS, strict=True):
                across, up = np.array(ends, dtype=float).T
                trimmed = np.array([0.9, 0.1]), np.array([0.1, 0.9])
                line: dict[str, Any] = {"color": COLOURS[colour], "lw": 4} if lit else {"color": "#DDDDDD", "lw": 1}
                at = [across @ trimmed[0], across @ trimmed[1]], [up @ trimmed[0], up @ trimmed[1]]
                axis.plot(np.array(at[0]) + x, np.array(at[1]) + height, ls="-", solid_capstyle="butt", **line)
            word = _letters(inside[place]) if colour == "black" else chr(65 + place)
            word = word if len(word) < 5 else f"{word[:3]}\n{word[3:]}"
            axis.text(x + 0.5, height - 0.4, word, ha="center", va="top", fontsize=10)
    axis.set(xlim=(-0.1, 1.9 * wide + 0.1), ylim=(-1.4, 7.9))
    axis.set_axis_off()
    return figure


def _letters(chosen: BoolArray) -> str:
    return "".join(chr(65 + i) for i in np.flatnonzero(chosen))


def lettered(
    panels: Mapping[str, tuple[BoolArray, BoolArray]],
    rows: Sequence[str],
    *,
    cells: NDArray[np.intp],
    columns: Sequence[str] = (),
) -> Figure:
    """A matrix and the pieces that cover it: letters of the pieces in each one, and a frame round marked cells."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    first = next(iter(panels.values()))[0]
    m, n = first.shape
    size = (2.6 * len(panels), 2.4) if m < 6 else (4.8, 0.42 * m + 0.8)
    figure, axes = plt.subplots(1, len(panels), figsize=size, squeeze=False)
    for axis, (title, (matrix, pieces)) in zip(axes[0], panels.items(), strict=True):
        fits: BoolArray = np.asarray((~pieces[None] | matrix[:, None]).all(axis=2))
        for i, j in np.ndindex(m, n):
            fill = "#D6E8F4" if matrix[i, j] else "white"
            axis.add_patch(Rectangle((j, i), 1, 1, facecolor=fill, edgecolor="#8C8C8C", lw=0.8))
            axis.text(j + 0.5, i + 0.5, _letters(fits[i] & pieces[:, j]), ha="center", va="center", fontsize=10)
        if axis is axes[0, 0]:
            for i, j in cells:
                frame: dict[str, Any] = {"facecolor": "none", "edgecolor": COLOURS["vermilion"], "lw": 3}
                axis.add_patch(Rectangle((j + 0.04, i + 0.04), 0.92, 0.92, zorder=3, **frame))
        axis.set(xlim=(-0.05, n + 0.05), ylim=(m + 0.05, -0.05), aspect="equal", title=title)
        axis.set_xticks(np.arange(n) + 0.5, columns or [str(j + 1) for j in range(n)])
        axis.set_yticks(np.arange(m) + 0.5, rows)
        axis.tick_params(length=0)
        axis.xaxis.tick_top()
        axis.grid(visible=False)
        axis.spines[:].set_visible(False)
    return figure


def graph_and_family(graph: BoolArray, cliques: Sequence[Sequence[int]]) -> Figure:
    """A path-like graph in a column, its cliques, and the family that counts them (`prop-set-basis-hard`)."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import FancyBboxPatch, Rectangle

    v, family = len(graph), clique_cover_family(graph)
    figure, (left, right) = plt.subplots(1, 2, figsize=(5.2, 3.9), gridspec_kw={"width_ratios": [1, 3]})
    tones = [COLOURS["orange"], COLOURS["sky"], COLOURS["green"], COLOURS["purple"]]
    owner = {u: c for c, clique in enumerate(cliques) for u in clique}
    for a, b in np.argwhere(np.triu(graph)):
        left.plot([0, 0], [-a, -b], color=COLOURS["black"], lw=1.6, ls="-", zorder=1)
    for clique, tone in zip(cliques, tones, strict=False):
        box = (-0.28, -max(clique) - 0.25), 0.56, max(clique) - min(clique) + 0.5
        style: dict[str, Any] = {"boxstyle": "round,pad=0.08", "facecolor": tone, "alpha": 0.35, "edgecolor": "#444444"}
        left.add_patch(FancyBboxPatch(*box, ls="--", **style))
    for u in range(v):
        left.plot(0, -u, "o", ms=16, color=COLOURS["black"], mfc="white", mew=1)
        left.annotate(str(u + 1), (0, -u), ha="center", va="center")
    left.set(xlim=(-0.7, 0.7), ylim=(-v + 0.4, 0.6), title="graph")
    left.set_axis_off()
    names = [str(u + 1) for u in range(v)] + [f"{a + 1}{b + 1}" for a, b in np.argwhere(graph)]
    for i, j in np.ndindex(family.shape):
        own = i == j < v
        fill = tones[owner[int(i)]] if own else "#BBBBBB" if family[i, j] else "white"
        right.add_patch(Rectangle((j, i), 1, 1, facecolor=fill, edgecolor="#8C8C8C", lw=0.6))
        if own:
            frame: dict[str, Any] = {"facecolor": "none", "edgecolor": COLOURS["vermilion"], "lw": 2.5}
            right.add_patch(Rectangle((j + 0.05, i + 0.05), 0.9, 0.9, zorder=3, **frame))
    size = len(family)
    right.set(xlim=(-0.05, size + 0.05), ylim=(size + 0.05, -0.05), aspect="equal", title="family")
    right.set_xticks(np.arange(size) + 0.5, names, fontsize=9)
    right.set_yticks(np.arange(size) + 0.5, [f"${'T' if i < v else 'R'}_{{{name}}}$" for i, name in enumerate(names)])
    for place in (v,):
        right.axhline(place, color=COLOURS["black"], lw=1.2, ls="-")
        right.axvline(place, color=COLOURS["black"], lw=1.2, ls="-")
    right.tick_params(length=0)
    right.xaxis.tick_top()
    right.grid(visible=False)
    right.spines[:].set_visible(False)
    return figure


def above_the_rank(excess: Mapping[str, Mapping[int, Mapping[int, int]]]) -> Figure:
    """How often two methods find how many pieces more than the rank, by size of the matrix."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(5.2, 4.2), sharex=True, sharey=True)
    tones = {8: COLOURS["sky"], 10: COLOURS["blue"], 12: COLOURS["black"]}
    more = np.arange(6)
    for axis, (name, by_size) in zip(axes, excess.items(), strict=True):
        for place, (n, count) in enumerate(by_size.items()):
            heights = [count.get(int(e), 0) for e in more]
            axis.bar(more + (place - 1) * 0.27, heights, 0.25, color=tones[n], label=f"n = {n}")
        axis.set(title=name, ylabel="matrices, of 40")
    axes[1].set_xlabel("pieces above the rank")
    axes[0].legend()
    return figure


def noise(percent: FloatArray, hits: Mapping[str, FloatArray], total: Mapping[str, FloatArray], *, k: int) -> Figure:
    """Of k planted metafeatures those recovered, and pieces found, by each method as more cells are flipped."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(5.2, 5.2), sharex=True)
    for mark, size, name in zip("osD^", (6, 12, 9, 5), hits, strict=True):
        label = _METHODS.get(name, name)
        look: dict[str, Any] = {"marker": mark, "ms": size}
        if size > 6:  # open marks round the others, where curves lie on each other
            look |= {"mfc": "none", "mew": 1.6}
        axes[0].plot(percent, hits[name].mean(axis=1), **look)
        axes[1].plot(percent, total[name].mean(axis=1), label=label, **look)
    axes[0].set(ylabel=f"recovered, of {k}", ylim=(-0.06 * k, 1.12 * k))
    axes[1].set(xlabel="cells flipped, per cent", ylabel="pieces", ylim=(0, None))
    figure.legend(loc="outside lower center", ncols=4, columnspacing=1.0, handlelength=1.6)
    return figure


#: What the methods of the comparison are called on a page.
_METHODS = {
    "metafeatures": "Algorithm 3",
    "robust_metafeatures": "tolerant",
    "greedy_concepts": "greedy",
    "scikit-learn NMF": "NMF",
    "concepts": "concepts",
    "PyBMF Asso": "Asso",
    "PyBMF GreConD": "GreConD",
    "PyBMF MEBF": "MEBF",
    "PyBMF Panda": "Panda",
}


def seconds(rows: Mapping[str, Sequence[Mapping[str, Any]]], planted: Mapping[str, int], *, cap: float) -> Figure:
    """Seconds of each method on each setting: filled if all planted pieces came out, an arrow if time ran out."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 6.6))
    inks = ("blue", "sky", "purple", "vermilion", "green", "orange", "black", "vermilion", "blue")
    for (method, name), mark, ink in zip(_METHODS.items(), "osD^vXP*d", inks, strict=True):
        axis.plot([], [], mark, color=COLOURS[ink], ls="", label=name)
        for height, (setting, lines) in enumerate(rows.items()):
            place = list(_METHODS).index(method) / 11 - 0.37 + height
            for row in (row for row in lines if row["method"] == method):
                if "failed" in row:
                    axis.plot(cap * 1.2, place, mark, color=COLOURS[ink], mfc="white", ms=6)
                    axis.annotate("→", (cap * 1.2, place), (5, 0), textcoords="offset points", va="center")
                    continue
                fill = COLOURS[ink] if row["recovered"] == planted[setting] else "white"
                axis.plot(row["seconds"], place, mark, color=COLOURS[ink], mfc=fill, ms=6)
    for height in range(1, len(rows)):
        axis.axhline(height - 0.5, color="#8C8C8C", lw=0.6, ls="-")
    axis.set(xscale="log", xlabel="CPU seconds", ylim=(len(rows) - 0.5, -0.5))
    axis.set_yticks(range(len(rows)), list(rows))
    axis.tick_params(axis="y", length=0)
    axis.grid(axis="y", visible=False)
    figure.legend(loc="outside lower center", ncols=5, columnspacing=1.0, handlelength=1.0)
    return figure


def concept_lattice(targets: BoolArray, *, marked: BoolArray) -> Figure:
    """The formal concepts of a small family: a line for every cover, intents growing upwards, marked ones filled."""
    import matplotlib.pyplot as plt

    intents = formal_concepts(targets, most=40)[1]
    intents = intents[np.argsort(intents.sum(axis=1), kind="stable")]
    special = {row.tobytes() for row in marked}
    covers, height = _levels(intents)
    across = np.zeros(len(intents))
    for level in range(height.max() + 1):  # each above the middle of what it covers, as far as there is room
        here = np.flatnonzero(height == level)
        middle = [across[covers[:, i]].mean() if level else 0.0 for i in here]
        across[here[np.argsort(middle, kind="stable")]] = np.arange(len(here)) - (len(here) - 1) / 2
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    for a, b in np.argwhere(covers):
        axis.plot(across[[a, b]], height[[a, b]], color="#8C8C8C", lw=1, ls="-", zorder=1)
    for row, x, y in zip(intents, across, height, strict=True):
        chosen = row.tobytes() in special
        fill, mark = (COLOURS["blue"], "s") if chosen else ("white", "o")
        axis.plot(x, y, mark, ms=10, color=COLOURS["blue"], mfc=fill, zorder=2)
        name = "".join(str(v + 1) for v in np.flatnonzero(row)) or "∅"
        axis.annotate(name, (x, y), xytext=(10, 0), textcoords="offset points", va="center")
    axis.margins(0.15)
    axis.set_axis_off()
    return figure


def _levels(intents: Any) -> Any:
    """Which intent covers which (lower, upper), and the longest chain below each; intents are sorted by size."""
    strictly = (~intents[:, None] | intents[None]).all(axis=2) & ~np.eye(len(intents), dtype=np.bool_)
    height = np.zeros(len(intents), dtype=int)
    for i in range(1, len(intents)):
        height[i] = 1 + height[strictly[:, i]].max(initial=-1)
    return strictly & (strictly.astype(int) @ strictly == 0), height


def drowned(absent: FloatArray, lost: NDArray[np.int64], foreign: NDArray[np.int64], *, tolerance: float) -> Figure:
    """Why a fixed share of exceptions fails: false anchors, and what the closures of the anchors lose and take in."""
    import matplotlib.pyplot as plt

    figure, (upper, lower) = plt.subplots(2, 1, figsize=(5.2, 4.4), sharex=True)
    places = np.arange(1, len(absent) + 1)
    colours = [COLOURS["vermilion" if share > tolerance else "blue"] for share in absent]
    upper.bar(places, 100 * absent, 0.7, color=colours)
    upper.axhline(100 * tolerance, color=COLOURS["black"], ls="--", lw=1.2)
    upper.set(ylabel="false anchors, %")
    lower.bar(places, -lost, 0.7, color=COLOURS["vermilion"], label="lost")
    lower.bar(places, foreign, 0.7, color=COLOURS["purple"], hatch="////", edgecolor="white", label="foreign")
    lower.axhline(0, color=COLOURS["black"], ls="-", lw=0.8)
    lower.set(ylabel="variables", xlabel="metafeature, frequent to rare", xticks=[1, 5, 10, 15, 20])
    lower.legend(loc="lower left")
    for axis in (upper, lower):
        axis.grid(axis="x", visible=False)
    return figure
