"""A matrix and the pieces that cover it, as letters in its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def _letters(chosen: BoolArray) -> str:
    return "".join(chr(65 + i) for i in np.flatnonzero(chosen))


@drawn
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
