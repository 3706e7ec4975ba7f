"""Pictures of chapter 4.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong.book.figures import image_grid
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def board_and_lines(board: BoolArray, lines: BoolArray) -> Figure:
    """The nine rook images above, in black, and their six lines below, in blue."""
    ink = [COLOURS["black"]] * len(board) + [COLOURS["blue"]] * len(lines)
    figure: Figure = image_grid(np.vstack([board, lines]), (3, 3), columns=9, colours=ink)
    figure.set_size_inches(6.0, 1.5)
    return figure


def chances(
    n: FloatArray, missed: FloatArray, isolated: FloatArray, *, sizes: Sequence[int], frequency: Sequence[float]
) -> Figure:
    """The bound 1/n, the two expectations over n, and the measured frequency at some sizes."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 3.3))
    axis.loglog(n, 1 / n, "-")
    axis.loglog(n, missed, "--")
    axis.loglog(n, isolated, "-.")
    axis.loglog(sizes, frequency, "o", color=COLOURS["black"])
    axis.text(150, 1.2e-2, "bound $1/n$", color=COLOURS["blue"])
    axis.text(700, 2.2e-3, "missed pairs", color=COLOURS["vermilion"])
    axis.text(500, 8e-6, "variables with\nat most one neighbour", color=COLOURS["green"], ha="right")
    axis.set(xlabel="number of variables and of targets $n$", ylabel="chance")
    axis.set_ylim(1e-8, 0.2)
    return figure


def image_and_halves(image: BoolArray, halves: BoolArray) -> Figure:
    """A picture of 4 x 4 cells, a gap, and the pieces in it that have weight one half."""
    pictures = np.vstack([image[None], np.zeros((1, 16), dtype=np.bool_), halves])
    ink = [COLOURS["black"]] * 2 + [COLOURS["blue"]] * len(halves)
    titles = ["image", ""] + ["½"] * len(halves)
    figure: Figure = image_grid(pictures, (4, 4), columns=2 + len(halves), titles=titles, colours=ink)
    figure.axes[1].set_axis_off()
    figure.set_size_inches(4.6, 1.1)
    return figure


def letters(images: BoolArray, shape: tuple[int, int]) -> Figure:
    """Some letters of an alphabet."""
    figure: Figure = image_grid(images, shape, columns=15)
    figure.set_size_inches(6.4, 2.6)
    return figure


def pieces_and_rest(pieces: BoolArray, rest: BoolArray, component: NDArray[np.int64], shape: tuple[int, int]) -> Figure:
    """Each piece in grey with what is left of it in colour: green if that is a component, of number >= 0, else blue."""
    from matplotlib.colors import ListedColormap

    order = np.lexsort((-rest.sum(axis=1), component < 0))
    mark = np.where(component >= 0, "✓", "+")[order].tolist()
    tone = {"✓": COLOURS["green"], "+": COLOURS["blue"]}
    grey = ["#C8C8C8"] * len(pieces)
    figure: Figure = image_grid(pieces[order], shape, columns=13, titles=mark, colours=grey)
    for axis, j, m in zip(figure.axes, order, mark, strict=True):
        left = rest[j].reshape(shape)
        axis.imshow(np.ma.masked_where(~left, left), cmap=ListedColormap([tone[m]]))
    return figure


def sums(
    images: BoolArray, codes: BoolArray, pieces: BoolArray, component: NDArray[np.int64], shape: tuple[int, int]
) -> Figure:
    """A letter a line with its pieces, the largest first; those that are components, of number >= 0, in green."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(len(images), 5, figsize=(3.4, 4.2))
    for line, image, code in zip(axes, images, codes, strict=True):
        inside = np.flatnonzero(code)
        inside = inside[np.argsort(-pieces[inside].sum(axis=1))]
        tones = ["black"] + ["green" if component[j] >= 0 else "blue" for j in inside]
        stack = [image, *pieces[inside]]
        for place, (axis, part, tone) in enumerate(zip(line, stack, tones, strict=False)):
            _draw_part(axis, part.reshape(shape), tone)
            if part is not stack[-1]:
                axis.text(1.12, 0.45, "=" if place == 0 else "+", transform=axis.transAxes, fontsize=13)
        for axis in line:
            axis.set(xticks=[], yticks=[])
            axis.grid(False)
            for spine in axis.spines.values():
                spine.set(visible=True, color="#BBBBBB", linewidth=0.5)
        for axis in line[len(stack) :]:
            axis.set_axis_off()
    return figure


def _draw_part(axis: Any, part: BoolArray, tone: str) -> None:
    from matplotlib.colors import ListedColormap

    axis.imshow(part, cmap=ListedColormap(["#FFFFFF", COLOURS[tone]]), vmin=0, vmax=1)


def piece_counts(counts: Mapping[str, int]) -> Figure:
    """How many pieces the letters, two algorithms, the font and the programme need; what is found is hatched."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 2.3))
    ink = [COLOURS[tone] for tone in ("black", "vermilion", "orange", "black", "green")]
    hatches = ["", "//", "//", "", "//"]
    drawn = axis.barh(list(counts), list(counts.values()), color=ink, hatch=hatches, edgecolor="white")
    axis.bar_label(drawn, padding=3)
    axis.invert_yaxis()
    axis.grid(visible=False)
    axis.set(xlabel="pieces", xlim=(0, 142))
    return figure


def attempts(sizes: NDArray[np.int64], cost: Mapping[str, Sequence[int]], allowed: Sequence[float]) -> Figure:
    """Queries for one target over the number of variables, by learner, and Winnow's bound."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 3.3))
    for (name, count), style in zip(cost.items(), ("s-", "^--", "o-"), strict=True):
        axis.loglog(sizes, count, style, base=2)
        axis.text(sizes[-1] * 1.08, count[-1], name, va="center")
    axis.loglog(sizes, allowed, ":", base=2, color=COLOURS["black"])
    axis.text(sizes[-1] * 1.08, allowed[-1], "bound for Winnow", va="center")
    axis.set(xlabel="number of variables $n$", ylabel="equivalence queries")
    axis.set_xlim(14, 900)
    axis.set_xticks(sizes, [str(n) for n in sizes])
    return figure


def streams(sizes: Sequence[int], totals: Mapping[str, Sequence[int]]) -> Figure:
    """Queries for a whole stream over the number of variables, by learner."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 3.3))
    for (name, count), style in zip(totals.items(), ("s-", "^--", "o-"), strict=True):
        axis.loglog(sizes, count, style, label=name)
    axis.set(xlabel="number of variables $n$", ylabel="queries for 150 targets")
    axis.set_xticks(sizes, [str(n) for n in sizes])
    ticks = [1000, 2000, 5000, 10_000, 20_000]
    axis.set_yticks(ticks, [str(tick) for tick in ticks])
    axis.minorticks_off()
    axis.legend()
    return figure
