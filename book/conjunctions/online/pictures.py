"""Pictures of chapter 4.2."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong_book.conjunctions.online.claims import S, algorithm_4, case, potential
from lifelong_book.press.moving.picture import Picture
from lifelong_book.press.notebook import family, names
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def queries_so_far(alone: NDArray[np.int64], together: NDArray[np.int64], bound: Sequence[int]) -> Figure:
    """A drawing of Algorithm 4's equivalence queries over 300 targets: each alone, with metafeatures, the bound."""
    figure, axis = plt.subplots(figsize=(5.6, 3.3))
    seen = np.arange(1, len(alone) + 1)
    axis.plot(seen, alone, "--", color=COLOURS["vermilion"])
    axis.plot(seen, together, color=COLOURS["blue"])
    axis.plot(seen, bound, ":", color=COLOURS["black"])
    axis.text(150, alone[149] * 1.08, "each target alone", ha="right")
    axis.text(300, together[-1] - 700, "with metafeatures", ha="right", va="top")
    axis.text(300, bound[-1] * 1.15, "$m(k+1)+nQ$", ha="right")
    axis.set(xlabel="targets seen, $m$", ylabel="equivalence queries so far")
    return figure


@drawn
def dialogue(target: BoolArray, pieces: BoolArray, shape: tuple[int, int]) -> Figure:
    """A drawing of Algorithm 4's equivalence queries: pieces left, their union as hypothesis, the oracle's answer."""
    left, rounds = np.ones(len(pieces), dtype=np.bool_), []
    while True:
        hypothesis = pieces[left].any(axis=0)
        wrong = np.flatnonzero(hypothesis & ~target)
        hit = left & pieces[:, wrong[-1]] if len(wrong) else np.zeros_like(left)
        rounds.append((left, hypothesis, hit, wrong[-1:]))
        if not len(wrong):
            break
        left = left & ~hit
    corner, below = 2 - 0.35 * shape[1], -0.45 * shape[0] - 0.9
    answer = below - 0.7 * shape[0] - 0.9
    bottom, top = answer - 0.7 * shape[0] - 0.2, 0.8
    size = 1.75 * len(rounds), 0.44 * (top - bottom) + 0.35
    figure, axes = plt.subplots(1, len(rounds), figsize=size, squeeze=False)
    for number, (axis, (left, hypothesis, hit, wrong)) in enumerate(zip(axes.ravel(), rounds, strict=True), start=1):
        bare(axis, (0, 4), (bottom, top))
        axis.set_title(f"query {number}", loc="center", fontsize=10)
        axis.text(2, 0.2, "pieces left", ha="center", va="bottom", fontsize=9)
        places = _boards(axis, pieces[left], shape, 0.0)
        for (x, y, wide), gone in zip(places, hit[left], strict=True):
            if gone:
                axis.plot(x + wide / 2, y, "x", color=COLOURS["vermilion"], ms=13, mew=2.5, zorder=5)
        axis.text(2, below + 0.15, "we propose", ha="center", va="bottom", fontsize=9)
        _board(axis, np.asarray(hypothesis), shape, (corner, below), 0.7, COLOURS["blue"])
        axis.text(2, answer + 0.15, "the oracle", ha="center", va="bottom", fontsize=9)
        if not len(wrong):
            axis.text(2, answer - 0.35 * shape[0], "yes", ha="center", va="center", fontsize=14)
            continue
        for v in range(len(target)):
            row, column = divmod(v, shape[1])
            digit, middle = str(int(v not in wrong)), (corner + 0.7 * (column + 0.5), answer - 0.7 * (row + 0.5))
            axis.text(*middle, digit, ha="center", va="center_baseline", fontsize=10, zorder=5)
            if v in wrong:
                axis.plot(*middle, "o", color=COLOURS["vermilion"], mfc="none", ms=17, mew=2, zorder=4)
        _board(axis, np.zeros(len(target), dtype=np.bool_), shape, (corner, answer), 0.7, COLOURS["black"])
    return figure


@drawn
def vanishing() -> Figure:
    """A drawing of Algorithm 4's smallest stream in which both metafeatures vanish: targets, arrows, metafeatures."""
    targets, before, tall = family("12 13 23"), np.ones((3, 3), dtype=np.bool_), 4.6
    figure, axes = plt.subplots(1, 3, figsize=(3.9, 0.36 * tall + 0.5))
    for r, (axis, T) in enumerate(zip(axes, targets, strict=True)):
        bare(axis, (0.2, 3.8), (-tall, 0.1))
        now = before & ~(T[:, None] & ~T[None, :])
        axis.set_title(f"{r + 1}. {names([T])}\nfrom scratch", loc="center", fontsize=10)
        _board(axis, T, (1, 3), (2 - 0.35 * 3, 0), 0.7, COLOURS["black"])
        _relation(axis, now, before & ~now, (2, -0.7 - 1.4))
        _boards(axis, metafeatures(targets[: r + 1]), (1, 3), -0.7 - 2.8)
        before = now
    return figure


def _board(
    axis: Any, row: BoolArray, shape: tuple[int, int], corner: tuple[float, float], side: float, ink: str
) -> None:
    """A set of variables as a board of which its cells are inked; the corner is the upper left one."""
    from matplotlib.patches import Rectangle

    for v, inked in enumerate(row):
        y, x = divmod(v, shape[1])
        fill = ink if inked else "white"
        place = (corner[0] + side * x, corner[1] - side * (y + 1))
        axis.add_patch(Rectangle(place, side, side, facecolor=fill, edgecolor="#8C8C8C", lw=0.8))


def _boards(axis: Any, pieces: BoolArray, shape: tuple[int, int], top: float) -> list[tuple[float, float, float]]:
    """Metafeatures side by side, as large as there is room: left edge, middle height and width of each."""
    side = min(0.45, (3.5 - 0.2 * (len(pieces) - 1)) / (len(pieces) * shape[1]))
    step = side * shape[1] + 0.2
    left = 2 - (step * len(pieces) - 0.2) / 2
    for i, piece in enumerate(pieces):
        _board(axis, piece, shape, (left + i * step, top), side, COLOURS["green"])
    middle = top - side * shape[0] / 2
    return [(left + i * step, middle, side * shape[1]) for i in range(len(pieces))]


def _relation(axis: Any, holds: NDArray[np.bool_], ended: NDArray[np.bool_], centre: tuple[float, float]) -> None:
    """Which variables imply which: numbered nodes round a circle."""
    n = len(holds)
    turn = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    nodes = np.column_stack([np.cos(turn), np.sin(turn)]) + centre
    for a in range(n):
        for b in range(a):
            if holds[a, b] or holds[b, a]:
                tail, head = (a, b) if holds[a, b] else (b, a)
                style = "-" if holds[a, b] and holds[b, a] else "-|>"
                arrow = {"arrowstyle": style, "color": COLOURS["blue"], "lw": 1.4, "shrinkA": 7, "shrinkB": 7}
                axis.annotate("", nodes[head], nodes[tail], arrowprops=arrow)
                axis.plot(*nodes[[tail, head]].T, color=COLOURS["blue"], lw=1.4 if style == "-" else 0.8, ls="-")
    for x, y in np.argwhere(ended):
        if not holds[x, y] and not holds[y, x]:  # the pair is incomparable now: a trace of the line that was there
            axis.plot(*nodes[[x, y]].T, ":", color=COLOURS["vermilion"], lw=1.2, zorder=1)
        spot = nodes[y] + 0.34 * (nodes[x] - nodes[y])
        axis.plot(*spot, "x", color=COLOURS["vermilion"], ms=6, mew=2, zorder=3)
    for v, spot in enumerate(nodes):
        axis.plot(*spot, "o", ms=12, color=COLOURS["black"], mfc="white", mew=0.8, zorder=4)
        axis.annotate(str(v + 1), spot, ha="center", va="center", fontsize=9, zorder=5)


@drawn
def potential_rises(TS: BoolArray, m: BoolArray) -> Figure:
    """A drawing of Algorithm 4's potential after each payment, in three parts, and of its bound; anchors come first."""
    words = [f"{names([T])}\ncase {case(TS[:r], T, range(len(m)))}" for r, T in enumerate(TS)]
    parts, bound = [potential(TS[: r + 1], m) for r in range(len(TS))], S(m)
    figure, axis = plt.subplots(figsize=(5.2, 2.8))
    height, places = np.zeros(len(words)), np.arange(len(words))
    labels = "metafeatures", "pairs of anchors", "anchor and shared variable"
    looks = ((COLOURS["green"], ""), (COLOURS["blue"], ""), (COLOURS["sky"], "///"))
    for name, (colour, hatch), part in zip(labels, looks, zip(*parts, strict=True), strict=True):
        axis.bar(places, part, 0.62, height, color=colour, hatch=hatch, edgecolor="white", label=name)
        height = height + np.array(part)
    for place, top in zip(places, height, strict=True):
        axis.text(float(place), top + 0.12, f"{top:.0f}", ha="center")
    axis.axhline(bound, color=COLOURS["black"], ls="--", lw=1.2)
    axis.text(-0.45, bound + 0.12, f"bound {bound}", va="bottom")
    axis.set(xticks=places, ylabel="potential", ylim=(0, bound + 1.1))
    axis.set_xticklabels(words)
    axis.grid(axis="x", visible=False)
    axis.legend(loc="upper left", bbox_to_anchor=(0, 0.88))
    return figure


@drawn
def below_the_bounds(targets: BoolArray, m: BoolArray) -> Figure:
    """A drawing of what Algorithm 4 has paid on a stream, the potential, the right bound and the printed one."""
    (k, n), (TS, _) = m.shape, algorithm_4(targets)
    paid = np.array([len(algorithm_4(targets[: r + 1])[0]) for r in range(len(targets))])
    psi = np.array([sum(potential(TS[:q], m)) for q in paid])
    bounds = {"the right bound": min(2**k - 1, S(m)), "printed bound": n * n + k}
    figure, axis = plt.subplots(figsize=(5.2, 2.9))
    seen = np.arange(1, len(paid) + 1)
    axis.plot(seen, psi, "-.", color=COLOURS["green"], drawstyle="steps-post", label="potential")
    axis.plot(seen, paid, "-", color=COLOURS["blue"], drawstyle="steps-post", label="learned from scratch")
    for (name, height), colour in zip(bounds.items(), ("black", "purple"), strict=False):
        axis.axhline(height, color=COLOURS[colour], lw=1.3, ls="--")
        axis.text(len(paid), height * 1.04, f"{name}: {height}", ha="right", va="bottom")
    axis.set(yscale="log", xlabel="targets seen", ylabel="count", xlim=(0, len(paid)), ylim=(0.8, None))
    axis.legend(loc="lower right")
    return figure


@drawn
def staircase(targets: BoolArray) -> Figure:
    """A drawing of Algorithm 4's targets as rows, and of how many comparable pairs are left after each of them."""
    m, n = targets.shape
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(5.2, 0.24 * m + 0.8), sharey=True, gridspec_kw={"width_ratios": [1, 1.3]}
    )
    for r, T in enumerate(targets):
        _board(left, T, (1, n), (0.5, r + 1.5), 1.0, COLOURS["black"])
    left.set(xlim=(0.4, n + 0.6), ylim=(m + 0.6, 0.4), xlabel="variable", ylabel="target", title="targets")
    left.set(xticks=range(1, n + 1), yticks=[1, *range(n, m + 1, n)])
    left.grid(visible=False)
    inside = [(~targets[:r, :, None] | targets[:r, None]).all(axis=0) for r in range(1, m + 1)]
    pairs = [int(np.triu(now | now.T, 1).sum()) for now in inside]
    right.barh(np.arange(1, m + 1), pairs, 0.6, color=COLOURS["blue"])
    for r, count in enumerate(pairs, start=1):
        right.text(count + 0.2, r, str(count), va="center", fontsize=9)
    right.set(xlabel="pairs", title="comparable pairs left", xlim=(0, n * (n - 1) / 2 + 1.5))
    right.grid(axis="y", visible=False)
    return figure


@drawn
def pair_states() -> Figure:
    """A drawing for Algorithm 4: a pair of variables goes from two arrows to one to none, and never back."""
    axis = plt.figure(figsize=(5.2, 1.5)).subplots()
    for left, name, style in ((0.0, "together", "-"), (4.0, "one arrow", "-|>"), (8.0, "incomparable", "")):
        _pair(axis, (left, 0.0), (left + 1.6, 0.0), ("x", "y"), style)
        axis.text(left + 0.8, -0.55, name, ha="center", va="top")
    for left in (2.15, 6.15):
        arrow = {"arrowstyle": "-|>", "color": COLOURS["vermilion"], "lw": 2, "mutation_scale": 18}
        axis.annotate("", (left + 1.3, 0), (left, 0), arrowprops=arrow)
    return bare(axis, (-0.5, 10.1), (-1.2, 0.6))


@drawn
def three_cases() -> Figure:
    """A drawing of the proof of `thm-online-sharp` on Algorithm 4: arrows from anchors in a target to the outside."""
    from matplotlib.patches import Ellipse

    figure, axes = plt.subplots(1, 3, figsize=(5.2, 2.3))
    titles = "case 1\nan arrow ends", "case 2\na class splits", "case 3\na new metafeature"
    for axis, title, style in zip(axes, titles, ("-|>", "-", ""), strict=True):
        axis.add_patch(Ellipse((0, 0), 2.2, 2.9, facecolor="#EEEEEE", edgecolor=COLOURS["black"], lw=1.2))
        axis.text(0, 1.0, "$T$", ha="center", va="center")
        if style:
            _pair(axis, (-0.1, 0.0), (2.0, 0.0), ("$y_j$", "$x$"), style)
            axis.plot(1.37, 0, "x", color=COLOURS["vermilion"], ms=8, mew=2.5, zorder=3)
        else:
            axis.add_patch(Ellipse((0, -0.25), 1.6, 1.6, facecolor="none", edgecolor=COLOURS["green"], lw=1.8, ls="--"))
            _pair(axis, (-0.4, -0.25), (0.45, -0.25), ("$y_i$", ""), "-|>")
        axis.set_title(title, loc="center", fontsize=10)
        bare(axis, (-1.3, 2.5), (-1.6, 1.6))
    return figure


def _pair(axis: Any, tail: tuple[float, float], head: tuple[float, float], names: tuple[str, str], style: str) -> None:
    """Two nodes, with a line, an arrow or nothing between them."""
    if style:
        arrow = {"arrowstyle": style, "color": COLOURS["blue"], "lw": 1.6, "shrinkA": 9, "shrinkB": 9}
        axis.annotate("", head, tail, arrowprops=arrow)
        axis.plot(
            *zip(tail, head, strict=True), color=COLOURS["blue"], lw=1.6 if style == "-" else 0.8, ls="-", zorder=1
        )
    for spot, name in zip((tail, head), names, strict=True):
        axis.plot(*spot, "o", ms=17 if name else 8, color=COLOURS["black"], mfc="white", mew=0.9, zorder=4)
        axis.annotate(name, spot, ha="center", va="center", fontsize=10, zorder=5)


def stream() -> Picture:
    """A picture of Algorithm 4: the chapter's stream of seven targets, played."""
    from lifelong_book.conjunctions.online.moving_online import stream_data, stream_picture

    return stream_picture(stream_data(family("1234 134 14 24 124 3 234")), (2, 2), start=7)
