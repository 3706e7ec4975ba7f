"""Pictures of chapter 4.4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.figures import image_grid
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@drawn
def board_and_lines(board: BoolArray, lines: BoolArray) -> Figure:
    """The nine rook images above, in black, and their six lines below, in green."""
    ink = [COLOURS["black"]] * len(board) + [COLOURS["green"]] * len(lines)
    figure: Figure = image_grid(np.vstack([board, lines]), (3, 3), columns=9, colours=ink)
    figure.set_size_inches(6.0, 1.5)
    return figure


@drawn
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
    axis.set(xlabel="number of variables and of targets $n$", ylabel="chance or expected number")
    axis.set_ylim(1e-8, 0.2)
    return figure


def image_and_halves(image: BoolArray, halves: BoolArray) -> Figure:
    """A picture of 4 x 4 cells, a gap, and the pieces in it that have weight one half."""
    pictures = np.vstack([image[None], np.zeros((1, 16), dtype=np.bool_), halves])
    ink = [COLOURS["black"]] * 2 + [COLOURS["green"]] * len(halves)
    titles = ["image", ""] + ["½"] * len(halves)
    figure: Figure = image_grid(pictures, (4, 4), columns=2 + len(halves), titles=titles, colours=ink)
    figure.axes[1].set_axis_off()
    figure.set_size_inches(5.6, 1.3)
    return figure


def letters(images: BoolArray, shape: tuple[int, int]) -> Figure:
    """Some letters of an alphabet."""
    figure: Figure = image_grid(images, shape, columns=15)
    figure.set_size_inches(6.4, 2.6)
    return figure


@drawn
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
        axis.title.set_fontsize(13)
    return figure


def sums(
    images: BoolArray,
    codes: BoolArray,
    pieces: BoolArray,
    component: NDArray[np.int64],
    shape: tuple[int, int],
    *,
    columns: int = 1,
) -> Figure:
    """Letters with their pieces, the largest first; those that are components, of number >= 0, in green."""
    import matplotlib.pyplot as plt

    lines = -(-len(images) // columns)
    figure = plt.figure(figsize=(3.4 * columns, 1.05 * lines))
    grid = figure.add_gridspec(lines, 6 * columns - 1, width_ratios=([1.0] * 5 + [0.45]) * (columns - 1) + [1.0] * 5)
    blocks = [
        [figure.add_subplot(grid[line, 6 * block + place]) for place in range(5)]
        for line in range(lines)
        for block in range(columns)
    ]
    for line, image, code in zip(blocks, images, codes, strict=False):
        inside = np.flatnonzero(code)
        inside = inside[np.argsort(-pieces[inside].sum(axis=1))]
        tones = ["black"] + ["green" if component[j] >= 0 else "blue" for j in inside]
        stack = [image, *pieces[inside]]
        for place, (axis, part, tone) in enumerate(zip(line, stack, tones, strict=False)):
            _draw_part(axis, part.reshape(shape), tone)
            if part is not stack[-1]:
                axis.text(1.12, 0.45, "=" if place == 0 else "+", transform=axis.transAxes, fontsize=13)
        for axis in line:
            _frame(axis)
        for axis in line[len(stack) :]:
            axis.set_axis_off()
    for line in blocks[len(images) :]:
        for axis in line:
            axis.set_axis_off()
    return figure


@drawn
def letters_as_sums(
    letters: str, greek: Any, codes: BoolArray, pieces: BoolArray, component: NDArray[np.int64]
) -> Figure:
    """`sums` for some letters of an alphabet."""
    shown = [greek.characters.index(letter) for letter in letters]
    return sums(greek.images[shown], codes[shown], pieces, component, greek.shape, columns=2)


def _draw_part(axis: Any, part: BoolArray, tone: str) -> None:
    from matplotlib.colors import ListedColormap

    axis.imshow(part, cmap=ListedColormap(["#FFFFFF", COLOURS[tone]]), vmin=0, vmax=1)


@drawn
def network(lines: BoolArray, image: BoolArray) -> Figure:
    """Nine pixels on the left, the pieces as AND nodes, nine pixels on the right; what fires is bold."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 3.8))
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
    axis.set(xlim=(-0.5, 4.5), ylim=(high[-1] - 0.6, high[0] + 1.4))
    axis.set_axis_off()
    return figure


def _node(axis: Any, place: tuple[float, float], word: str, fill: str, marker: str, size: float) -> None:
    axis.scatter(*place, s=size, marker=marker, facecolor=fill, edgecolor=COLOURS["black"], linewidths=1, zorder=3)
    ink = COLOURS["black"] if fill == "#FFFFFF" else "#FFFFFF"
    axis.text(*place, word, ha="center", va="center_baseline", color=ink, fontsize=10, zorder=4)


def summons(rows: Sequence[tuple[BoolArray, BoolArray]], side: int) -> Figure:
    """A line for each anchor set: the images with these cells, ringed, and in green what all of them share."""
    import matplotlib.pyplot as plt

    most = max(len(images) for images, _ in rows)
    figure, axes = plt.subplots(len(rows), most + 1, figsize=(0.95 * (most + 1), 1.25 * len(rows)), squeeze=False)
    for line, (images, anchor) in zip(axes, rows, strict=True):
        shown = [*images, images.all(axis=0)]
        for place, (axis, image) in enumerate(zip(line, shown, strict=False)):
            last = place == len(shown) - 1
            _draw_part(axis, image.reshape(side, side), "green" if last else "black")
            for cell in np.flatnonzero(anchor):
                ring = {"facecolors": "none", "edgecolors": COLOURS["orange"], "linewidths": 2.2}
                axis.scatter(cell % side, cell // side, s=75, **ring)
            if not last:
                word = "=" if place == len(shown) - 2 else "∩"
                axis.text(1.17, 0.5, word, transform=axis.transAxes, fontsize=13, ha="center", va="center")
            _frame(axis)
        for axis in line[len(shown) :]:
            axis.set_axis_off()
    return figure


@drawn
def summoned(board: BoolArray, anchors: Sequence[Sequence[int]], side: int) -> Figure:
    """`summons` for sets of cells of a board."""
    cells = [np.isin(np.arange(side**2), y) for y in anchors]
    return summons([(board[(board | ~y).all(axis=1)], y) for y in cells], side)


@drawn
def four_cells() -> Figure:
    """`pairs_of_cells` for the images with one of four cells missing: halves, and rows and columns."""
    pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    pieces = np.array([[cell in pair for cell in range(4)] for pair in pairs])
    lines = np.array([a // 2 == b // 2 or a % 2 == b % 2 for a, b in pairs], dtype=np.float64)
    return pairs_of_cells(~np.eye(4, dtype=np.bool_), pieces, np.full(6, 0.5), lines)


def _frame(axis: Any) -> None:
    axis.set(xticks=[], yticks=[])
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set(visible=True, color="#999999", linewidth=0.7)


def pairs_of_cells(images: BoolArray, pieces: BoolArray, fractions: FloatArray, chosen: FloatArray) -> Figure:
    """Images of 2 x 2 cells, the pieces with their fractional weight, and the same pieces with weights 0 and 1."""
    import matplotlib.pyplot as plt

    most = max(len(images), len(pieces))
    figure, axes = plt.subplots(3, most, figsize=(0.98 * most, 3.4), gridspec_kw={"hspace": 0.36})
    words = [[f"$T_{i + 1}$" for i in range(len(images))]]
    words += [["½" if w == 0.5 else f"{w:g}" for w in weights] for weights in (fractions, chosen)]
    sets = [images, pieces, pieces]
    for line, rows, titles, tone in zip(axes, sets, words, ("black", "green", "green"), strict=True):
        for axis, row, title in zip(line, rows, titles, strict=False):
            faint = title == "0"
            _draw_part(axis, row.reshape(2, 2), "black" if faint else tone)
            if faint:
                axis.images[0].set_alpha(0.15)
            axis.set_title(title, fontsize=12, loc="center", pad=5)
            _frame(axis)
        for axis in line[len(rows) :]:
            axis.set_axis_off()
    return figure


@drawn
def kept_pairs(graphs: Mapping[str, NDArray[np.int64]], n: int) -> Figure:
    """Kept pairs as the edges of a graph on n points, by title; a vermilion cross has at most one neighbour."""
    import matplotlib.pyplot as plt

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
        axis.set(xlim=(-1.15, 1.15), ylim=(-1.15, 1.15), aspect="equal")
        axis.set_axis_off()
    return figure


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


@drawn
def attempts(sizes: NDArray[np.int64], cost: Mapping[str, Sequence[int]], allowed: Sequence[float]) -> Figure:
    """Queries for one target over the number of variables, by learner, and Winnow's bound."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.8, 3.3))
    box = {"fc": "w", "ec": "none", "pad": 1}  # so that no line of the grid runs through a label
    for (name, count), style in zip(cost.items(), ("s-", "^--", "o-"), strict=True):
        axis.loglog(sizes, count, style, base=2)
        axis.text(sizes[-1] * 1.08, count[-1], name, va="center", bbox=box)
    axis.loglog(sizes, allowed, ":", base=2, color=COLOURS["black"])
    axis.text(sizes[-1] * 1.08, allowed[-1], "bound for Winnow", va="center", bbox=box)
    axis.set(xlabel="number of variables $n$", ylabel="equivalence queries")
    axis.set_xlim(14, 900)
    axis.set_xticks(sizes, [str(n) for n in sizes])
    return figure


@drawn
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


@drawn
def winnow_steps(active: BoolArray, after: FloatArray, truth: BoolArray) -> Figure:
    """Winnow's weights before the first mistake and after each: a line a mistake, the active features framed."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    weights = np.vstack([np.ones(len(truth)), after])
    words = ["start", *np.where((active & truth).any(axis=1), "a wrong 0: double", "a wrong 1: erase")]
    figure, axis = plt.subplots(figsize=(5.4, 0.55 * len(weights) + 0.9))
    steps, N = weights.shape
    for r, j in np.ndindex(steps, N):
        w = weights[r, j]
        shade = 0.0 if w == 0 else 0.15 + 0.2 * np.log2(w)
        tone = (*_rgb(COLOURS["green"]), min(shade, 0.85))
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
    axis.set(xlim=(-2.4, N + 0.1), ylim=(steps + 0.1, -0.8))
    axis.set_axis_off()
    return figure


def _rgb(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    return to_rgb(colour)


def fooling(holds: BoolArray) -> Figure:
    """Which letters of a fooling set contain which of its pixels: the diagonal in blue, the rest in black."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    figure, axis = plt.subplots(figsize=(3.9, 3.9))
    tone = ListedColormap(["#FFFFFF", COLOURS["black"], COLOURS["blue"]])
    axis.imshow(holds.astype(int) + np.diag(holds.diagonal()), cmap=tone, vmin=0, vmax=2)
    axis.set(xlabel="pixel $i_b$", ylabel="letter $T_a$", xticks=[], yticks=[])
    axis.grid(False)
    for spine in axis.spines.values():
        spine.set(visible=True, color="#999999", linewidth=0.7)
    return figure


def letters_kept_back(ways: Sequence[str], fits: NDArray[np.int64], total: int) -> Figure:
    """How many letters kept back are unions of the pieces learned from the others, out of all."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.4, 1.9))
    ink = [COLOURS[tone] for tone in ("vermilion", "green", "green")]
    axis.barh(list(ways), fits, color=ink, hatch=["//", "", "\\\\"], edgecolor="white", zorder=2)
    axis.barh(list(ways), [total] * len(ways), color="#E5E5E5", zorder=1)
    for place, fit in enumerate(fits):
        axis.text(total * 1.02, place, str(fit), va="center")
    axis.invert_yaxis()
    axis.grid(visible=False)
    axis.set(xlabel=f"of {total} letters", xlim=(0, total * 1.12))
    return figure


def winning_lines(wins: BoolArray) -> Figure:
    """The row 123 of tic-tac-toe, the columns through its first two cells, and the union of these."""
    import matplotlib.pyplot as plt

    row, first, second = (next(w for w in wins if w[list(cells)].all()) for cells in ((0, 1, 2), (0, 3, 6), (1, 4, 7)))
    shown = {"row 123": row, "147": first, "258": second, "their union": first | second}
    figure, axes = plt.subplots(1, 4, figsize=(5.2, 1.6))
    for axis, (title, cells) in zip(axes, shown.items(), strict=True):
        _draw_part(axis, cells.reshape(3, 3), "green" if title == "row 123" else "black")
        axis.scatter([0, 1], [0, 0], s=120, facecolors="none", edgecolors=COLOURS["orange"], linewidths=2.2)
        axis.set_title(title, loc="center")
        _frame(axis)
    return figure


def forced(targets: BoolArray, cells: Sequence[int], pieces: BoolArray, side: int) -> Figure:
    """Targets with a ringed cell each, and below the only candidate inside the target that contains this cell."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, len(cells), figsize=(1.2 * len(cells), 3.0))
    for (above, below), target, cell, piece in zip(axes.T, targets, cells, pieces, strict=True):
        _draw_part(above, target.reshape(side, side), "black")
        _draw_part(below, piece.reshape(side, side), "green")
        for axis in (above, below):
            ring: dict[str, Any] = {"facecolors": "none", "edgecolors": COLOURS["orange"], "linewidths": 2.4}
            axis.scatter(cell % side, cell // side, s=150, **ring)
            _frame(axis)
        word = "".join(str(v + 1) for v in np.flatnonzero(target))
        above.set_title(f"target {word}", fontsize=11, loc="center", pad=6)
        below.set_title("weight 1", fontsize=11, loc="center", pad=6)
    return figure


def image_and_all_halves(image: BoolArray, halves: BoolArray) -> Figure:
    """A picture of 4 x 4 cells and all pieces of weight one half: those inside the picture green, the others grey."""
    import matplotlib.pyplot as plt

    columns = len(halves) // 2
    figure = plt.figure(figsize=(6.4, 2.1))
    grid = figure.add_gridspec(2, columns + 3, wspace=0.15, hspace=0.35)
    axis = figure.add_subplot(grid[:, :2])
    _draw_part(axis, image.reshape(4, 4), "black")
    axis.set_title("image", fontsize=11, loc="center", pad=6)
    _frame(axis)
    inside = np.asarray((image | ~halves).all(axis=1))
    for place, (half, fits) in enumerate(zip(halves, inside, strict=True)):
        axis = figure.add_subplot(grid[place // columns, 3 + place % columns])
        _draw_part(axis, half.reshape(4, 4), "green" if fits else "black")
        if not fits:
            axis.images[0].set_alpha(0.25)
        axis.set_title("½", fontsize=11, loc="center", pad=6)
        _frame(axis)
    return figure


@drawn
def kept_inside(candidates: int, p: float, mean: float) -> Figure:
    """How many of the candidates inside a target are kept, the mean of the proof, and twice it."""
    import matplotlib.pyplot as plt
    from scipy.stats import binom

    limit = 2 * mean
    counts = np.arange(int(0.5 * mean), int(1.1 * limit))
    chances = binom.pmf(counts, candidates, p)
    figure, axis = plt.subplots(figsize=(5.6, 2.6))
    axis.plot(counts, chances, "-", color=COLOURS["green"])
    axis.fill_between(counts, chances, color=COLOURS["green"], alpha=0.25)
    top = 1.3 * chances.max()
    for x, style, word in ((mean, "--", r"$\mu$"), (limit, "-", r"allowed: $2\mu$")):
        axis.axvline(x, color=COLOURS["black"], ls=style, lw=1.4)
        axis.text(x + 4, top * 0.97, word, va="top")
    axis.set(xlabel="candidates kept inside a target", ylabel="chance", ylim=(0, top))
    axis.set_xlim(counts[0], counts[-1])
    return figure


CUBE = (np.arange(8)[:, None] >> np.arange(3)) & 1 > 0


@drawn
def oracle_cube(target: BoolArray, says_false: BoolArray) -> Figure:
    """The eight points over three variables: squares where the target is true; filled where the hypothesis is true."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    points = CUBE
    drawing = np.array([[-1.35, 1.0], [0.0, 1.0], [1.35, 1.0]])
    where = points @ drawing
    for a, b in np.ndindex(8, 8):
        if a < b and (points[a] ^ points[b]).sum() == 1:
            axis.plot(*where[[a, b]].T, "-", color="#C8C8C8", lw=1, zorder=1)
    true = np.asarray((points | ~target).all(axis=1))
    single = [(points == (np.arange(3) != i)).all(axis=1) for i in np.flatnonzero(target)]
    looked = np.asarray((points == target).all(axis=1) | np.any(single, axis=0))
    for p, (x, y) in enumerate(where):
        wrong = true[p] == says_false[p]
        look: dict[str, Any] = {
            "marker": "s" if true[p] else "o",
            "s": 560,
            "linewidths": 2.6 if looked[p] else 0.9,
            "zorder": 2,
        }
        edge = COLOURS["orange"] if looked[p] else "#777777"
        axis.scatter(x, y, facecolor="white", edgecolor=edge, **look)
        tone = COLOURS["vermilion"] if wrong else COLOURS["black"]
        word = "".join(str(int(bit)) for bit in points[p])
        axis.text(x, y, word, ha="center", va="center_baseline", color=tone, zorder=3)
        if wrong:
            axis.text(x + 0.3, y, "wrong", color=COLOURS["vermilion"], va="center")
    axis.set(xlim=(-2.0, 2.0), ylim=(-0.45, 3.45))
    axis.set_axis_off()
    return figure


def outcomes(rows: Mapping[str, tuple[int, int, int]]) -> Figure:
    """For each kind of input how often the two values agree, differ, or no whole pieces exist."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 2.4))
    counts = np.array(list(rows.values()))
    left = np.zeros(len(rows), dtype=int)
    looks = (("same value", "green", ""), ("gap", "orange", "//"), ("no whole pieces", "vermilion", "xx"))
    for column, (word, tone, hatch) in zip(counts.T, looks, strict=True):
        axis.barh(list(rows), column, left=left, color=COLOURS[tone], hatch=hatch, edgecolor="white", label=word)
        for place, (start, size) in enumerate(zip(left, column, strict=True)):
            if size:
                box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
                axis.text(start + size / 2, place, str(size), ha="center", va="center", bbox=box)
        left = left + column
    axis.invert_yaxis()
    axis.grid(visible=False)
    most = int(counts.sum(axis=1).max())
    axis.set(xlabel=f"inputs, of {most} of each kind", xlim=(0, most), xticks=range(0, most + 1, 5))
    axis.legend(loc="lower center", bbox_to_anchor=(0.4, 1.0), ncols=3, frameon=False)
    return figure
