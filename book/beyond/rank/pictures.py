"""Pictures of the page on the Boolean rank."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong_book.beyond.rank.cover import clique_family
from lifelong_book.press.figures import labelled
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


def _letters(chosen: BoolArray) -> str:
    return "".join(chr(65 + i) for i in np.flatnonzero(chosen))


@drawn
def lettered(
    panels: Mapping[str, tuple[BoolArray, BoolArray]],
    rows: Sequence[str],
    *,
    cells: NDArray[np.intp],
    columns: Sequence[str],
) -> Figure:
    """A picture of a Boolean cover: letters of the pieces in each one of a matrix, and a frame round marked cells."""
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
        labelled(axis, columns, rows)
    return figure


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


@drawn
def digits_and_pieces(digits: BoolArray, pieces: BoolArray) -> Figure:
    """A picture of a Boolean cover: seven-segment digits with the letters of their pieces, the pieces below."""
    wide = max(len(digits), len(pieces))
    axis = plt.figure(figsize=(5.2, 2.8)).subplots()
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
    return bare(axis, (-0.1, 1.9 * wide + 0.1), (-1.4, 7.9), equal=False)


@drawn
def graph_and_family(graph: BoolArray, cliques: Sequence[Sequence[int]]) -> Figure:
    """A picture of a path-like graph, its cliques, and the family whose Boolean rank counts them."""
    from matplotlib.patches import FancyBboxPatch, Rectangle

    v, family = len(graph), clique_family(graph)
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
    left.set_title("graph")
    bare(left, (-0.7, 0.7), (-v + 0.4, 0.6), equal=False)
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
    right.axhline(v, color=COLOURS["black"], lw=1.2, ls="-")
    right.axvline(v, color=COLOURS["black"], lw=1.2, ls="-")
    labelled(right, names, [f"${'T' if i < v else 'R'}_{{{name}}}$" for i, name in enumerate(names)], fontsize=9)
    return figure
