"""What more than one page draws."""

from collections.abc import Sequence

from numpy.typing import ArrayLike

from lifelong._checks import bool_array
from lifelong_book.press.style import COLOURS, Figure, plt


def image_grid(
    images: ArrayLike,
    shape: tuple[int, int],
    *,
    columns: int = 16,
    titles: Sequence[str] | None = None,
    colours: Sequence[str] | None = None,
) -> Figure:
    """Draw rows of booleans as small black-and-white pictures in a grid."""
    from matplotlib.colors import ListedColormap

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
        colour = colours[i] if colours is not None else COLOURS["black"]
        axis.imshow(rows[i].reshape(shape), cmap=ListedColormap(["#FFFFFF", colour]), vmin=0, vmax=1)
        axis.set_xticks([])
        axis.set_yticks([])
        axis.grid(False)
        for spine in axis.spines.values():
            spine.set(visible=True, color="#BBBBBB", linewidth=0.5)
        if titles is not None:
            axis.set_title(titles[i], fontsize=8, loc="center", pad=2)
    return figure
