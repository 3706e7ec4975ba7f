"""A picture of the page on pieces under noise."""

from collections.abc import Mapping
from typing import Any

from lifelong._checks import BoolArray
from lifelong_book.press.figures import pixels
from lifelong_book.press.style import COLOURS, drawn, plt


@drawn
def picture_rows(rows: Mapping[str, BoolArray], shape: tuple[int, int]) -> Any:
    """A picture of pieces under noise: rows of small black-and-white images, each row with its name."""
    wide = max(len(images) for images in rows.values())
    high, name_room = 0.5 * shape[0] / shape[1], 0.36
    size = 0.55 * wide, (high + name_room) * len(rows)
    # no automatic layout: it would widen the first column to make room for the names
    figure, axes = plt.subplots(len(rows), wide, figsize=size, squeeze=False, layout="none")
    figure.subplots_adjust(0, 0, 1, 1 - name_room / size[1], wspace=0.1, hspace=name_room / high)
    for line, (name, images) in zip(axes, rows.items(), strict=True):
        line[0].set_title(name, fontsize=12, pad=4)
        for place, axis in enumerate(line):
            if place >= len(images):
                axis.remove()
                continue
            pixels(axis, images[place].reshape(shape), COLOURS["black"])
    return figure
