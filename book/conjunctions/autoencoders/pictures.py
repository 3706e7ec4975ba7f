"""Pictures of chapter 4.4."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.figures import pixels
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt

_pixels = partial(pixels, edge="#999999", width=0.7)


@drawn
def letters_as_sums(
    letters: str, greek: Any, codes: BoolArray, pieces: BoolArray, component: NDArray[np.int64]
) -> Figure:
    """Picture of the autoencoder's chapter: letters as sums of pieces, the largest first; components green."""
    shown = [greek.characters.index(letter) for letter in letters]
    lines = len(shown) // 2
    figure = plt.figure(figsize=(6.8, 1.05 * lines))
    grid = figure.add_gridspec(lines, 11, width_ratios=[1.0] * 5 + [0.45] + [1.0] * 5)
    blocks = [
        [figure.add_subplot(grid[line, 6 * block + place]) for place in range(5)]
        for line in range(lines)
        for block in range(2)
    ]
    for line, image, code in zip(blocks, greek.images[shown], codes[shown], strict=True):
        inside = np.flatnonzero(code)
        inside = inside[np.argsort(-pieces[inside].sum(axis=1))]
        tones = ["black"] + ["green" if component[j] >= 0 else "blue" for j in inside]
        stack = [image, *pieces[inside]]
        for place, (axis, part, tone) in enumerate(zip(line, stack, tones, strict=False)):
            _pixels(axis, part.reshape(greek.shape), COLOURS[tone])
            if part is not stack[-1]:
                axis.text(1.12, 0.45, "=" if place == 0 else "+", transform=axis.transAxes, fontsize=13)
        for axis in line[len(stack) :]:
            bare(axis, equal=False)
    return figure


@drawn
def network(lines: BoolArray, image: BoolArray) -> Figure:
    """A drawing of an autoencoder as a network: nine pixels, pieces as AND nodes, nine pixels; what fires is bold."""
    axis = plt.figure(figsize=(5.6, 3.8)).subplots()
    pixels, hidden = len(image), len(lines)
    fires = np.asarray((image | ~lines).all(axis=1))
    back = np.asarray(lines[fires].any(axis=0))
    high = np.arange(pixels)[::-1] - (pixels - 1) / 2
    middle = (np.arange(hidden)[::-1] - (hidden - 1) / 2) * pixels / hidden
    for j, i in np.argwhere(lines):
        tone, width, depth = (COLOURS["green"], 2.2, 2) if fires[j] else ("#C8C8C8", 0.9, 1)
        axis.plot([0, 2], [high[i], middle[j]], "-", color=tone, lw=width, zorder=depth)
        axis.plot([2, 4], [middle[j], high[i]], "-", color=tone, lw=width, zorder=depth)
    for x, on in ((0, image), (4, back)):
        for i in range(pixels):
            _node(axis, (x, high[i]), str(i + 1), COLOURS["black"] if on[i] else "#FFFFFF", "s", 270)
    for j, line in enumerate(lines):
        word = "".join(str(v + 1) for v in np.flatnonzero(line))
        _node(axis, (2, middle[j]), word, COLOURS["green"] if fires[j] else "#FFFFFF", "o", 900)
    for x, word in ((0, "image"), (2, "AND of its pixels"), (4, "OR of its pieces")):
        axis.text(x, high[0] + 0.75, word, ha="center", va="bottom", fontsize=10.5)
    return bare(axis, (-0.5, 4.5), (high[-1] - 0.6, high[0] + 1.4), equal=False)


def _node(axis: Any, place: tuple[float, float], word: str, fill: str, marker: str, size: float) -> None:
    axis.scatter(*place, s=size, marker=marker, facecolor=fill, edgecolor=COLOURS["black"], linewidths=1, zorder=3)
    ink = COLOURS["black"] if fill == "#FFFFFF" else "#FFFFFF"
    axis.text(*place, word, ha="center", va="center_baseline", color=ink, fontsize=10, zorder=4)


@drawn
def summoned(board: BoolArray, anchors: Sequence[Sequence[int]], side: int) -> Figure:
    """A drawing with a line for each anchor set: the images with its cells, ringed, and in green what all share."""
    cells = [np.isin(np.arange(side**2), y) for y in anchors]
    rows = [(board[(board | ~y).all(axis=1)], y) for y in cells]
    most = max(len(images) for images, _ in rows)
    figure, axes = plt.subplots(len(rows), most + 1, figsize=(0.95 * (most + 1), 1.25 * len(rows)), squeeze=False)
    for line, (images, anchor) in zip(axes, rows, strict=True):
        shown = [*images, images.all(axis=0)]
        for place, (axis, image) in enumerate(zip(line, shown, strict=False)):
            last = place == len(shown) - 1
            _pixels(axis, image.reshape(side, side), COLOURS["green" if last else "black"])
            for cell in np.flatnonzero(anchor):
                ring = {"facecolors": "none", "edgecolors": COLOURS["orange"], "linewidths": 2.2}
                axis.scatter(cell % side, cell // side, s=75, **ring)
            if not last:
                word = "=" if place == len(shown) - 2 else "∩"
                axis.text(1.17, 0.5, word, transform=axis.transAxes, fontsize=13, ha="center", va="center")
        for axis in line[len(shown) :]:
            bare(axis, equal=False)
    return figure


@drawn
def four_cells() -> Figure:
    """A drawing of Theorem 5's weights: images with one of four cells missing, pairs with weight 1/2, and with 1."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    pieces = np.array([[cell in pair for cell in range(4)] for pair in pairs])
    lines = [a // 2 == b // 2 or a % 2 == b % 2 for a, b in pairs]
    figure, axes = plt.subplots(3, 6, figsize=(5.88, 3.4), gridspec_kw={"hspace": 0.36})
    words = [[f"$T_{i + 1}$" for i in range(4)], ["½"] * 6, [str(int(line)) for line in lines]]
    sets = [~np.eye(4, dtype=np.bool_), pieces, pieces]
    for line, rows, titles, tone in zip(axes, sets, words, ("black", "green", "green"), strict=True):
        for axis, row, title in zip(line, rows, titles, strict=False):
            faint = title == "0"
            _pixels(axis, row.reshape(2, 2), COLOURS["black" if faint else tone])
            if faint:
                axis.images[0].set_alpha(0.15)
            axis.set_title(title, fontsize=12, loc="center", pad=5)
        for axis in line[len(rows) :]:
            bare(axis, equal=False)
    return figure


@drawn
def kept_pairs(graphs: Mapping[str, NDArray[np.int64]], n: int) -> Figure:
    """A drawing of what Theorem 5's rounding keeps, as edges on n points; a cross has at most one neighbour."""
    figure, axes = plt.subplots(1, len(graphs), figsize=(2.25 * len(graphs), 2.6), squeeze=False)
    turn = np.linspace(0, 2 * np.pi, n, endpoint=False)
    x, y = np.cos(turn), np.sin(turn)
    for axis, (title, edges) in zip(axes[0], graphs.items(), strict=True):
        for a, b in edges:
            axis.plot(x[[a, b]], y[[a, b]], "-", color=COLOURS["green"], lw=0.9)
        few = np.bincount(edges.ravel(), minlength=n) <= 1
        axis.scatter(x[~few], y[~few], s=28, color=COLOURS["black"], zorder=3)
        axis.scatter(x[few], y[few], s=62, marker="X", color=COLOURS["vermilion"], edgecolor="white", zorder=3)
        axis.set_title(title, fontsize=11, loc="center")
        bare(axis, (-1.15, 1.15), (-1.15, 1.15))
    return figure


@drawn
def winnow_steps(active: BoolArray, after: FloatArray, truth: BoolArray) -> Figure:
    """Winnow's weights before the first mistake and after each: a line a mistake, the active features framed."""
    from matplotlib.colors import to_rgba
    from matplotlib.patches import Rectangle

    weights = np.vstack([np.ones(len(truth)), after])
    words = ["start", *np.where((active & truth).any(axis=1), "a wrong 0: double", "a wrong 1: erase")]
    axis = plt.figure(figsize=(5.4, 0.55 * len(weights) + 0.9)).subplots()
    steps, N = weights.shape
    for r, j in np.ndindex(steps, N):
        w = weights[r, j]
        shade = 0.0 if w == 0 else 0.15 + 0.2 * np.log2(w)
        tone = to_rgba(COLOURS["green"], float(min(shade, 0.85)))
        axis.add_patch(Rectangle((j, r), 0.94, 0.9, fc=tone, ec="#999999", lw=0.6))
        axis.text(j + 0.47, r + 0.45, f"{w:g}", ha="center", va="center")
        if r and active[r - 1, j]:
            axis.add_patch(Rectangle((j, r), 0.94, 0.9, fill=False, ec=COLOURS["orange"], lw=2.4))
    for r, word in enumerate(words):
        axis.text(-0.2, r + 0.45, word, ha="right", va="center")
    for j in range(N):
        axis.text(j + 0.47, -0.3, f"$f_{j + 1}$", ha="center", weight="bold" if truth[j] else "normal")
        if truth[j]:
            axis.plot([j + 0.15, j + 0.8], [-0.15, -0.15], "-", color=COLOURS["blue"], lw=2)
    return bare(axis, (-2.4, N + 0.1), (steps + 0.1, -0.8), equal=False)
