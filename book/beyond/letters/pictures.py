"""Pictures of the page on letters."""

import numpy as np
from numpy.typing import NDArray

from lifelong_book.conjunctions.consistency.glyphs import GlyphSet
from lifelong_book.press.figures import image_grid
from lifelong_book.press.style import COLOURS, Figure, drawn


@drawn
def alphabet(greek: GlyphSet) -> Figure:
    """All letters of polytonic Greek."""
    figure: Figure = image_grid(greek.images, greek.shape, columns=22)
    figure.set_size_inches(6.8, 4.5)
    return figure


@drawn
def components(greek: GlyphSet, numbers: NDArray[np.int64], found: NDArray[np.int64]) -> Figure:
    """Picture of letters: components by anchor number, ticked where a piece equals one, in dashes where it is 2."""
    hit = np.isin(np.arange(len(numbers)), found)
    order = np.lexsort((~hit, numbers))
    titles = [f"{'✓ ' if hit[j] else ''}{numbers[j]}" for j in order]
    tone = np.where(hit, "green", np.where(numbers == 1, "black", "vermilion"))
    ink = [COLOURS[tone[j]] for j in order]
    figure: Figure = image_grid(greek.components[order], greek.shape, columns=14, titles=titles, colours=ink)
    figure.set_size_inches(6.2, 2.9)
    for axis in figure.axes:
        axis.title.set_fontsize(11)
    for axis in np.array(figure.axes)[numbers[order] == 2]:
        for spine in axis.spines.values():
            spine.set(color=COLOURS["vermilion"], linewidth=1.4, linestyle="--")
    return figure
