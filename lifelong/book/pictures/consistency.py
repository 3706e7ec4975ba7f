"""Pictures of chapter 4.1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.book.figures import image_grid
from lifelong.book.style import COLOURS
from lifelong.conjunctions.glyphs import GlyphSet

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def card(glyphs: GlyphSet) -> str:
    """Where a set of images comes from and how large it is."""
    height, width = glyphs.shape
    most = glyphs.inside.sum(axis=1).max()
    return "\n".join(
        [
            f"{glyphs.name}: {glyphs.source}",
            f"  licence: {glyphs.licence}",
            f"  {len(glyphs.images)} images of {height} x {width} pixels",
            f"  truth: the font's table, {len(glyphs.components)} components,",
            f"  of which an image has at most {most}",
        ]
    )


def letters_and_bars(letters: BoolArray, bars: BoolArray, titles: Sequence[str]) -> Figure:
    """Four letters on a board of 3 x 3, in black, and the three bars they are made of, in blue."""
    ink = [COLOURS["black"]] * len(letters) + [COLOURS["blue"]] * len(bars)
    figure: Figure = image_grid(np.vstack([letters, bars]), (3, 3), columns=4, titles=titles, colours=ink)
    figure.set_size_inches(3.4, 2.1)
    return figure


def edges_and_pieces(edges: BoolArray, pieces: BoolArray) -> Figure:
    """Three edges of a board of 2 x 2, a gap, and the pieces found."""
    shown = np.vstack([edges, np.zeros((1, 4), dtype=np.bool_), pieces])
    words = ["".join(str(v + 1) for v in np.flatnonzero(piece)) for piece in pieces]
    titles = ["top", "left", "right", "", *(f"piece {word}" for word in words)]
    ink = [COLOURS["black"]] * 4 + [COLOURS["blue"]] * len(pieces)
    figure: Figure = image_grid(shown, (2, 2), columns=8, titles=titles, colours=ink)
    figure.axes[3].set_axis_off()
    figure.set_size_inches(6.4, 1.15)
    return figure


def exponential_gap(N: NDArray[np.int64], ours: Sequence[int], fewest: Sequence[int]) -> Figure:
    """Sizes of the output and of the smallest basis, for N targets on N variables."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 3.2))
    axis.loglog(N, ours, "o-", base=2)
    axis.loglog(N, fewest, "s--", base=2)
    axis.text(N[-4], 90, "Algorithm 3", ha="right", color=COLOURS["blue"])
    axis.text(N[-1], 6, "smallest basis", ha="right", color=COLOURS["vermilion"])
    axis.set(xlabel="number of variables and of targets $N$", ylabel="pieces")
    return figure


def dots_and_pieces(dots: GlyphSet, pieces: BoolArray) -> Figure:
    """Eight patterns of Braille, and below them the eight pieces, with a tick each."""
    ink = [COLOURS["black"]] * 8 + [COLOURS["green"]] * 8
    shown = np.vstack([dots.images[30:254:31][:8], pieces])
    figure: Figure = image_grid(shown, dots.shape, columns=8, titles=[""] * 8 + ["✓"] * 8, colours=ink)
    figure.set_size_inches(4.6, 3.0)
    return figure


def alphabet(greek: GlyphSet) -> Figure:
    """All letters of polytonic Greek."""
    figure: Figure = image_grid(greek.images, greek.shape, columns=22)
    figure.set_size_inches(6.8, 4.5)
    return figure


def components(greek: GlyphSet, numbers: NDArray[np.int64], found: NDArray[np.int64]) -> Figure:
    """The components by anchor number, ticked where a piece equals one; a dashed frame where the number is 2."""
    hit = np.isin(np.arange(len(numbers)), found)
    order = np.lexsort((~hit, numbers))
    titles = [f"{'✓ ' if hit[j] else ''}{numbers[j]}" for j in order]
    tone = np.where(hit, "green", np.where(numbers == 1, "black", "vermilion"))
    ink = [COLOURS[tone[j]] for j in order]
    figure: Figure = image_grid(greek.components[order], greek.shape, columns=14, titles=titles, colours=ink)
    for axis in np.array(figure.axes)[numbers[order] == 2]:
        for spine in axis.spines.values():
            spine.set(color=COLOURS["vermilion"], linewidth=1.4, linestyle="--")
    return figure


def pieces(greek: GlyphSet, pieces: BoolArray, found: NDArray[np.int64], grown: NDArray[np.int64]) -> Figure:
    """The pieces: a tick for a component, a plus for one with more ink in grey, and the others in black."""
    from matplotlib.colors import ListedColormap

    order = np.lexsort((-pieces.sum(axis=1), grown < 0, found < 0))
    mark = np.where(found >= 0, "✓", np.where(grown >= 0, "+", " "))[order].tolist()
    palette = {"✓": COLOURS["green"], "+": "#B0B0B0", " ": COLOURS["black"]}
    ink = [palette[m] for m in mark]
    figure: Figure = image_grid(pieces[order], greek.shape, columns=13, titles=mark, colours=ink)
    blue = ListedColormap([COLOURS["blue"]])
    for axis, i, m in zip(figure.axes, order, mark, strict=False):
        if m == "+":
            own = greek.components[grown[i]].reshape(greek.shape)
            axis.imshow(np.ma.masked_where(~own, own), cmap=blue)
    return figure
