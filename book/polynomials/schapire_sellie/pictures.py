"""Pictures of chapter 5.2."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import NDArray

from lifelong_book.polynomials.lattice import Subset, name
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def three_regions() -> Figure:
    """A drawing of the lattice as Schapire and Sellie see it from a point y: above it, inside it, and neither."""
    axis = plt.figure(figsize=(5.4, 3.6)).subplots()
    axis.fill([0, 2.4, 0, -2.4], [0, 2, 4, 2], fc="#F4F4F4", ec="#707070", lw=1.2)
    axis.fill([0, 1.2, 0, -1.2], [2, 3, 4, 3], fc=COLOURS["vermilion"], alpha=0.35, ec=COLOURS["vermilion"])
    axis.fill([0, 1.2, 0, -1.2], [2, 1, 0, 1], fc=COLOURS["blue"], alpha=0.3, ec=COLOURS["blue"], hatch="//")
    axis.plot([0], [2], "o", ms=9, color=COLOURS["black"])
    axis.text(0.12, 2.0, "$y$", va="center", fontsize=15)
    axis.text(0, 3.1, "members above $y$:\none of these\nmust have a weight", ha="center", va="center", fontsize=10)
    box = {"fc": "w", "ec": "none", "pad": 1.5, "alpha": 0.85}
    axis.text(0, 0.95, "members inside $y$:\nfact (b)", ha="center", va="center", fontsize=10, bbox=box)
    axis.text(-1.4, 2.0, "neither:\nfact (a)", ha="center", va="center", fontsize=10)
    axis.text(1.4, 2.0, "neither:\nfact (a)", ha="center", va="center", fontsize=10)
    axis.text(0.1, 4.05, "all variables are 1", fontsize=10, va="bottom", ha="center")
    axis.text(0.1, -0.05, "all variables are 0", fontsize=10, va="top", ha="center")
    return bare(axis, ylim=(-0.35, 4.4), equal=False)


def hankel(points: Sequence[Subset], matrix: NDArray[Any], rows: Sequence[int], columns: Sequence[int]) -> Figure:
    """A drawing of Schapire and Sellie's matrix: the values on all meets, the rows and columns of one block filled."""
    from matplotlib.patches import Rectangle

    m = len(points)
    axis = plt.figure(figsize=(4.6, 4.3)).subplots()
    for i in range(m):
        axis.text(-0.75, i, name(points[i]), ha="right", va="center", color="#606060", fontsize=11)
        axis.text(i, -0.85, name(points[i]), ha="center", va="center", color="#606060", fontsize=11)
        for j in range(m):
            chosen = i in rows and j in columns
            fill = COLOURS["vermilion"] if chosen else "#FFFFFF"
            axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fc=fill, ec="#B0B0B0", lw=0.8))
            ink = "#FFFFFF" if chosen else "#000000" if matrix[i, j] else "#707070"
            axis.text(j, i, str(matrix[i, j]), ha="center", va="center", fontsize=12, color=ink)
    return bare(axis, (-1.9, m - 0.4), (m - 0.4, -1.5))
