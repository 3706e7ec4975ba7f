"""What more than one page draws."""

from collections.abc import Sequence
from typing import Any

from numpy.typing import ArrayLike

from lifelong._checks import bool_array
from lifelong_book.press.style import COLOURS, Figure, plt


def pixels(axis: Any, cells: ArrayLike, colour: str, edge: str = "#BBBBBB", width: float = 0.5) -> None:
    """A shared drawing: rows of booleans in a colour on white, in a thin frame."""
    from matplotlib.colors import ListedColormap

    axis.imshow(cells, cmap=ListedColormap(["#FFFFFF", colour]), vmin=0, vmax=1)
    axis.set(xticks=[], yticks=[])
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set(visible=True, color=edge, linewidth=width)


def rounded(
    axis: Any, centre: tuple[float, float], size: tuple[float, float], corner: float = 0.12, **look: Any
) -> None:
    """In shared drawings, a box with round corners about a place."""
    from matplotlib.patches import FancyBboxPatch

    start = (centre[0] - size[0] / 2, centre[1] - size[1] / 2)
    axis.add_patch(FancyBboxPatch(start, *size, boxstyle=f"round,pad=0,rounding_size={corner}", **look))


def labelled(axis: Any, columns: Sequence[str], rows: Sequence[str], **look: Any) -> None:
    """In shared drawings, words at the columns, on top, and at the rows of a matrix; no other lines."""
    axis.set_xticks([j + 0.5 for j in range(len(columns))], columns, **look)
    axis.set_yticks([i + 0.5 for i in range(len(rows))], rows)
    axis.tick_params(length=0)
    axis.xaxis.tick_top()
    axis.grid(visible=False)
    axis.spines[:].set_visible(False)


def image_grid(
    images: ArrayLike,
    shape: tuple[int, int],
    *,
    columns: int = 16,
    titles: Sequence[str] | None = None,
    colours: Sequence[str] | None = None,
) -> Figure:
    """A shared drawing: rows of booleans as small black-and-white pictures in a grid."""
    rows = bool_array("images", images, axes=2)
    if rows.shape[1] != shape[0] * shape[1]:
        raise ValueError(f"images: expected rows of {shape[0]} x {shape[1]} pixels, got {rows.shape[1]}")
    lines = -(-len(rows) // columns)
    size = (0.46 * columns, lines * 0.46 * columns / columns * shape[0] / shape[1] + (0.2 * lines if titles else 0))
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for i, axis in enumerate(axes.ravel()):
        if i >= len(rows):
            axis.remove()
            continue
        pixels(axis, rows[i].reshape(shape), colours[i] if colours is not None else COLOURS["black"])
        if titles is not None:
            axis.set_title(titles[i], fontsize=8, loc="center", pad=2)
    return figure
