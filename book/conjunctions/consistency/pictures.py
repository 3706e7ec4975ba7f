"""Pictures of chapter 4.1."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong_book.conjunctions.consistency.claims import cl, h, rarer
from lifelong_book.conjunctions.consistency.glyphs import glyph_set
from lifelong_book.conjunctions.consistency.instances import all_targets, union_family
from lifelong_book.press.figures import image_grid, labelled, pixels
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt

_PALE, _LIGHT = "#FFFFFF", "#C9CED6"


def _blank(right: float, top: float, width: float = 5.2) -> tuple[Figure, Any]:
    """A figure with one axis in units of a board's cell, without frame and ticks."""
    figure, axis = plt.subplots(figsize=(width, width * top / right))
    bare(axis, (0, right), (0, top))
    return figure, axis


def _board(axis: Any, ink: Sequence[str], at: tuple[float, float], words: Sequence[str] = ()) -> None:
    """A board of 3 x 3 cells, or of as many as there are inks, with its lower left corner at a place."""
    from matplotlib.patches import Rectangle

    side = round(len(ink) ** 0.5)
    dark = {COLOURS["black"], COLOURS["blue"], COLOURS["green"], "#555555"}
    for i, colour in enumerate(ink):
        x, y = at[0] + i % side, at[1] + side - 1 - i // side
        axis.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, edgecolor="#888888", linewidth=0.8))
        if words:
            tone = "white" if colour in dark else "black"
            axis.text(x + 0.5, y + 0.5, words[i], color=tone, ha="center", va="center", fontsize=10)


def _ring(axis: Any, i: int, at: tuple[float, float], **look: Any) -> None:
    """A ring in one cell of a board of 3 x 3."""
    from matplotlib.patches import Circle

    x, y = at[0] + i % 3 + 0.5, at[1] + 2.5 - i // 3
    style = {"fill": False, "linewidth": 2.2, "edgecolor": COLOURS["vermilion"], **look}
    axis.add_patch(Circle((x, y), 0.42, **style))


def _inks(image: BoolArray, colour: str = COLOURS["black"]) -> list[str]:
    return [colour if on else _PALE for on in image]


_NUMBERS = [str(i) for i in range(1, 10)]


@drawn
def omega() -> Figure:
    """A drawing of the letter that opens Algorithm 3's chapter, and of the components that the font's table lists."""
    greek = glyph_set("ᾧ")
    shown = np.vstack([greek.images, greek.components]).reshape(-1, *greek.shape)
    shown = np.pad(shown, ((0, 0), (1, 1), (1, 1)))
    signs = ["a letter", *(["="] + ["+"] * (len(shown) - 2))]
    ink = [COLOURS["black"], *[COLOURS["green"]] * (len(shown) - 1)]
    flat = shown.reshape(len(shown), -1)
    figure: Figure = image_grid(flat, shown.shape[1:], columns=len(shown), titles=signs, colours=ink)
    figure.set_size_inches(4.6, 1.9)
    for axis in figure.axes:
        axis.title.set_fontsize(13)
    return figure


@drawn
def letters_and_bars(letters: BoolArray, bars: BoolArray, titles: Sequence[str], anchors: Sequence[int]) -> Figure:
    """A drawing for Algorithm 3: four letters of 3 x 3 cells, and in green their three bars, anchors ringed."""
    figure, axis = _blank(15.5, 9.4, 4.6)
    for j, letter in enumerate(letters):
        _board(axis, _inks(letter), (4 * j, 5.4), _NUMBERS)
        axis.text(4 * j + 1.5, 8.6, titles[j], ha="center", fontsize=11)
    for j, bar in enumerate(bars):
        at = (4 * j + 2.0, 0.2)
        _board(axis, _inks(bar, COLOURS["green"]), at, _NUMBERS)
        _ring(axis, anchors[j], at)
        axis.text(at[0] + 1.5, 3.4, titles[len(letters) + j], ha="center", fontsize=11)
    return figure


@drawn
def closures(targets: BoolArray, titles: Sequence[str], chosen: Sequence[int]) -> Figure:
    """A drawing of Algorithm 3's closures: the targets that contain a cell, and all of them laid over each other."""
    figure, axis = _blank(21.2, 4.0 * len(chosen) + 1.2)
    for j, title in enumerate(titles[: len(targets)]):
        axis.text(4 * j + 1.5, 4.0 * len(chosen) + 0.1, title, ha="center", fontsize=11)
    axis.text(19.3, 4.0 * len(chosen) + 0.1, "overlaid", ha="center", fontsize=11)
    for row, z in enumerate(chosen):
        y = 4.0 * (len(chosen) - 1 - row) + 0.3
        has = targets[:, z]
        for j, target in enumerate(targets):
            _board(axis, _inks(target, COLOURS["black"] if has[j] else "#E4E6EA"), (4 * j, y))
            if has[j]:
                _ring(axis, z, (4 * j, y))
        count = targets[has].sum(axis=0)
        inks = [COLOURS["green"] if c == has.sum() else _LIGHT if c else _PALE for c in count]
        axis.annotate("", (17.6, y + 1.5), (15.7, y + 1.5), arrowprops={"arrowstyle": "-|>", "color": "#333333"})
        _board(axis, inks, (17.8, y), [str(c) if c else "" for c in count])
    return figure


def rounds(runs: Mapping[str, Sequence[tuple[BoolArray, Sequence[int], Sequence[int], int, BoolArray]]]) -> Figure:
    """A drawing of Algorithm 3's runs, one below the other, each with a title and its rounds side by side."""
    columns = min(max(3, *map(len, runs.values())), 4)
    lines = [-(-len(steps) // columns) for steps in runs.values()]
    figure, axis = _blank(5.0 * columns - 1.2, 9.6 * sum(lines) + 1.6 * len(runs) - 0.6, 4.2)
    needed = {piece.tobytes() for *_, piece in next(iter(runs.values()))}
    top = axis.get_ylim()[1]
    for (title, steps), count in zip(runs.items(), lines, strict=True):
        axis.text(0.4, top - 0.8, title, fontsize=11)
        for number, step in enumerate(steps):
            at = 5.0 * (number % columns) + 0.4, top - 10.4 - 9.6 * (number // columns)
            _round(axis, step, at, f"round {number + 1}", useless=step[-1].tobytes() not in needed)
        top -= 9.6 * count + 1.6
    return figure


def _steps(targets: BoolArray, *, rarest: bool) -> list[Any]:
    """Algorithm 3, a round at a time; or any uncovered cell is taken."""
    steps, found = [], targets[:0]
    for T in targets:
        while (U := np.flatnonzero(T & ~h(T, found))).size:
            least = [z for z in U if not any(rarer(targets, y, z) for y in U)]
            z = (least if rarest else U)[0]
            found = np.vstack([found, cl(targets, z)])
            steps.append((T, U, least, z, found[-1]))
    return steps


@drawn
def both_runs(targets: BoolArray) -> Figure:
    """A drawing of Algorithm 3's rounds, and of those of a run that takes the first uncovered cell."""
    board = np.hstack([targets, np.zeros((len(targets), 9 - targets.shape[1]), dtype=np.bool_)])
    rare, other = (_steps(board, rarest=rarest) for rarest in (True, False))
    titles = f"a rarest uncovered cell: {len(rare)} pieces", f"the first uncovered cell: {len(other)} pieces"
    return rounds(dict(zip(titles, (rare, other), strict=True)))


def _round(axis: Any, step: Any, at: tuple[float, float], title: str, *, useless: bool) -> None:
    """A target with what is covered of it and the choice, an arrow, and the piece; its lower left corner at a place."""
    (target, uncovered, minimal, z, piece), (x, y) = step, at
    open_cells = set(np.asarray(uncovered).tolist())
    inks = [COLOURS["black"] if i in open_cells else _LIGHT if on else _PALE for i, on in enumerate(target)]
    _board(axis, inks, (x, y + 5.0), _NUMBERS)
    axis.text(x + 1.5, y + 8.2, title, ha="center", fontsize=10)
    for i in {*map(int, minimal), int(z)}:
        look: Any = {"linewidth": 3.2 if i == z else 1.3, "linestyle": "-" if i in minimal else ":"}
        _ring(axis, i, (x, y + 5.0), **look)
    axis.annotate("", (x + 1.5, y + 3.1), (x + 1.5, y + 4.9), arrowprops={"arrowstyle": "-|>", "color": "#333333"})
    axis.text(x + 1.8, y + 3.75, f"cl({int(z) + 1})", fontsize=11)
    _board(axis, _inks(piece, COLOURS["sky" if useless else "green"]), (x, y), _NUMBERS)
    if useless:
        for ends in ((y, y + 3), (y + 3, y)):
            axis.plot([x, x + 3], ends, "-", color=COLOURS["vermilion"], linewidth=2.4)


@drawn
def nested() -> Figure:
    """A drawing of the step behind Algorithm 3's proofs: an anchor occurs in fewer targets than what it anchors."""
    from matplotlib.patches import Ellipse

    figure, axis = _blank(20.0, 10.2, 4.6)
    for x, y, width, height, colour, style in (
        (5.0, 4.6, 9.4, 8.4, COLOURS["black"], "-"),
        (5.4, 4.0, 5.6, 4.6, COLOURS["green"], "--"),
        (15.0, 4.6, 9.4, 8.4, COLOURS["black"], "-"),
        (15.4, 4.0, 5.6, 4.6, COLOURS["green"], "--"),
    ):
        axis.add_patch(Ellipse((x, y), width, height, fill=False, edgecolor=colour, linestyle=style, linewidth=1.8))
    axis.text(5.0, 9.2, "variables", ha="center", fontsize=11)
    axis.text(15.0, 9.2, "targets", ha="center", fontsize=11)
    axis.text(3.2, 7.3, "$T$", fontsize=13)
    axis.text(6.6, 4.9, "$m_t$", fontsize=13, color=COLOURS["green"])
    axis.text(14.2, 7.2, "$N(z)$", fontsize=13)
    axis.text(14.0, 4.6, "$N(y_t)$", fontsize=13, color=COLOURS["green"])
    for x, y, name in ((4.2, 4.1, "$y_t$"), (5.6, 2.8, "$z$")):
        axis.plot([x], [y], "o", color=COLOURS["vermilion"], markersize=6)
        axis.text(x + 0.4, y - 0.2, name, fontsize=13)
    for x, y in ((14.1, 3.3), (15.3, 2.7), (16.6, 3.2), (12.0, 5.6), (17.4, 6.8)):
        axis.plot([x], [y], "s", color=COLOURS["black"], markersize=5)
    return figure


@drawn
def more_ink(targets: BoolArray, pieces: BoolArray, true: BoolArray, titles: Sequence[str]) -> Figure:
    """A drawing of Algorithm 3's pieces below their targets: what is true of them dark, what came along hatched."""
    from matplotlib.patches import Rectangle

    figure, axis = _blank(15.5, 9.4)
    for j, target in enumerate(targets):
        _board(axis, _inks(target), (4 * j, 5.4))
        axis.text(4 * j + 1.5, 8.6, titles[j], ha="center", fontsize=11)
    for j, (piece, part) in enumerate(zip(pieces, true, strict=True)):
        at = (4 * j + 2.0, 0.2)
        _board(axis, _inks(part, COLOURS["green"]), at)
        for i in np.flatnonzero(piece & ~part):
            x, y = at[0] + i % 3, at[1] + 2 - i // 3
            axis.add_patch(
                Rectangle((x, y), 1, 1, facecolor="#BFE3D6", edgecolor="#333333", hatch="///", linewidth=0.8)
            )
        axis.text(at[0] + 1.5, 3.4, f"piece {j + 1}", ha="center", fontsize=11)
    return figure


@drawn
def edges_and_pieces(edges: BoolArray, pieces: BoolArray) -> Figure:
    """A drawing of three edges of a board of 2 x 2, and of the pieces that Algorithm 3 finds."""
    figure, axis = _blank(13.2, 7.2, 4.4)
    for j, (edge, title) in enumerate(zip(edges, ("top", "left", "right"), strict=True)):
        at = (3.4 * j + 1.7, 4.1)
        _board(axis, _inks(edge), at, _NUMBERS[:4])
        axis.text(at[0] + 1, 6.4, title, ha="center", fontsize=11)
    for j, piece in enumerate(pieces):
        at = (3.4 * j + 0.2, 0.2)
        _board(axis, _inks(piece, COLOURS["green"]), at, _NUMBERS[:4])
        axis.text(at[0] + 1, 2.5, f"piece {j + 1}", ha="center", fontsize=11)
    return figure


def _subset(mask: int) -> str:
    """A set of metafeatures as a word: 5 is 13."""
    return "".join(str(j + 1) for j in range(mask.bit_length()) if mask >> j & 1)


@drawn
def overlap_matrices() -> Figure:
    """A drawing for Algorithm 3: all unions of three metafeatures as a matrix, disjoint beside overlapping ones."""
    disjoint, unions = all_targets(3)[1:], union_family(3)[1]
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 3.3), width_ratios=(disjoint.shape[1], unions.shape[1]))
    for axis, rows, word in zip(axes, (disjoint, unions), ("disjoint", "overlapping"), strict=True):
        pixels(axis, rows, COLOURS["black"], "#888888", 0.8)
        axis.set_title(f"{word}: rank {np.linalg.matrix_rank(rows.astype(float))}", loc="center")
        names = [_subset(i + 1) for i in range(len(rows))]
        sets = names if len(names) == rows.shape[1] else [_subset(1 << j) for j in range(rows.shape[1])]
        axis.set_xticks(range(rows.shape[1]), sets, fontsize=9)
        axis.set_yticks(range(len(rows)), names, fontsize=9)
        axis.set_xlabel("variable, by its metafeatures", fontsize=9)
        axis.tick_params(length=0)
    axes[0].set_xlabel("variable", fontsize=9)
    axes[0].set_ylabel("union of")
    return figure


@drawn
def gram(targets: BoolArray, titles: Sequence[str]) -> Figure:
    """A drawing of Algorithm 3 as matrices: targets with minimal cells ringed, counts of pairs, closures in green."""
    from matplotlib.patches import Rectangle

    A = targets.astype(int)
    counts = A.T @ A
    often = np.diag(counts)
    closed = (counts == often[:, None]) & (often > 0)[:, None]
    minimal = targets & (A @ (closed & ~closed.T) == 0)
    (m, n), names = A.shape, [str(z + 1) for z in range(A.shape[1])]
    figure, axes = plt.subplots(2, 1, figsize=(4.4, 0.4 * (m + n) + 1.2), height_ratios=(m, n))
    looks = [(A, np.where(targets, _LIGHT, _PALE), titles), (counts, np.where(closed, COLOURS["green"], _PALE), names)]
    for axis, (numbers, fills, rows) in zip(axes, looks, strict=True):
        for (i, j), number in np.ndenumerate(numbers):
            axis.add_patch(Rectangle((j, i), 1, 1, facecolor=fills[i, j], edgecolor="#8C8C8C", lw=0.8))
            ink = "white" if fills[i, j] == COLOURS["green"] else "black" if number else "#8C8C8C"
            axis.text(j + 0.5, i + 0.5, str(number), ha="center", va="center", fontsize=11, color=ink)
        axis.set(xlim=(-0.05, n + 0.05), ylim=(len(rows) + 0.05, -0.05), aspect="equal")
        labelled(axis, names, rows)
    for i, j in np.argwhere(minimal):
        axes[0].plot(j + 0.5, i + 0.5, "o", ms=18, mfc="none", mew=2, color=COLOURS["vermilion"])
    return figure
