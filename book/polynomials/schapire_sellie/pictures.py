"""Pictures of chapter 5.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong.polynomials.tasks import Choice, PolynomialTask
from lifelong_book.conjunctions.consistency.lattice_pictures import Subset, draw_edges, draw_node, name, places
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def subset(point: Any) -> Subset:
    """A point as the set of its ones."""
    return frozenset((np.flatnonzero(point) + 1).tolist())


@drawn
def oracle_of(f: Polynomial) -> Figure:
    """Where the hypothesis 0 errs on a polynomial, and the points that three oracles show."""
    zero, shown = 0 * f, dict[str, Subset]()
    policies: tuple[tuple[Choice, int], ...] = (("smallest", 0), ("largest", 0), ("random", 2))
    for policy, seed in policies:
        shown[policy] = subset(PolynomialTask(f, rng=seed, counterexample=policy).equivalent(zero))
    return where_it_errs(f.n, frozenset(subset(x) for x in cube(f.n) if f(x[None])[0] != 0), shown)


@drawn
def two_new_rows(f: Polynomial) -> Figure:
    """The rows that decide in the second and the third event of the run by hand."""

    def meets(*points: str) -> tuple[Sequence[str], NDArray[Any], NDArray[Any]]:
        rows = np.array([[str(v) in s for v in (1, 2, 3)] for s in points])
        F = f((rows[:, None] & rows[None]).reshape(-1, 3)).astype(float).reshape(len(rows), -1)
        return points, F, np.linalg.solve(F[:-1, :-1], F[:-1, -1])

    return new_rows({"event 2: 12 is new": meets("123", "12"), "event 3: 1 is not": meets("123", "12", "1")})


@drawn
def stuck_at_one() -> Figure:
    """The constant 1, the member 1 and the error 2."""
    values: dict[Subset, tuple[Any, Any]] = {subset(x): (1, int(x[0])) for x in cube(2)}
    return stuck(frozenset({1}), frozenset({2}), values)


def where_it_errs(n: int, wrong: frozenset[Subset], picks: Mapping[str, Subset]) -> Figure:
    """The lattice with the points where the hypothesis errs, and what each kind of oracle shows."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    at = {point: (1.5 * x, y) for point, (x, y) in places(n).items()}
    draw_edges(axis, at)
    for point, place in at.items():
        draw_node(axis, place, name(point), colour="orange" if point in wrong else None, size=11)
    for policy, point in picks.items():
        x, y = at[point]
        ground = {"fc": "w", "ec": "none", "pad": 1}  # the words stand on edges
        tip, words = (x + 0.16, y), (x + 0.42, y + 0.34)
        axis.annotate(policy, tip, words, fontsize=11, arrowprops={"arrowstyle": "->"}, bbox=ground)
    axis.set_ylim(-0.4, n + 0.6)
    return figure


@drawn
def factored(members: Sequence[str], terms: Sequence[str], Z: NDArray[Any], a: Sequence[int]) -> Figure:
    """The matrix of the values on meets as a product: members by terms, coefficients, terms by members."""
    import matplotlib.pyplot as plt

    D = np.diag(a)
    parts = (
        ("$F_S$", Z @ D @ Z.T, members, members, "vermilion"),
        ("$Z$", Z, members, terms, "black"),
        ("$D$", D, terms, terms, "blue"),
        ("$Z^T$", Z.T, terms, members, "black"),
    )
    figure, axis = plt.subplots(figsize=(6.2, 2.3))
    left = 0.0
    for i, (title, matrix, rows, columns, colour) in enumerate(parts):
        height = -np.arange(len(rows)) + (len(rows) - 1) / 2
        for y, row, line in zip(height, rows, matrix, strict=True):
            axis.text(left - 0.75, y, row, ha="center", va="center", color="#606060", fontsize=10)
            for x, value in enumerate(line):
                ink = COLOURS[colour] if value else "#808080"
                axis.text(left + x, y, str(value), ha="center", va="center", fontsize=14, color=ink)
        for x, word in enumerate(columns):
            axis.text(left + x, max(height) + 0.6, word, ha="center", color="#606060", fontsize=10)
        for side, way in ((left - 0.4, 1), (left + len(columns) - 0.6, -1)):
            ends = max(height) + 0.45
            shape = [side + 0.12 * way, side, side, side + 0.12 * way], [ends, ends, -ends, -ends]
            axis.plot(*shape, "-", color=COLOURS["black"], lw=1.2)
        axis.text(left + (len(columns) - 1) / 2, min(height) - 1.0, title, ha="center", fontsize=13)
        if not i:
            axis.text(left + len(columns) - 0.05, 0, "=", ha="center", va="center", fontsize=16)
        left += len(columns) + 1.15
    tall = max(len(members), len(terms)) / 2
    axis.set(xlim=(-1.1, left - 1.0), ylim=(-tall - 0.9, tall + 0.75))
    axis.set_axis_off()
    return figure


@drawn
def staircase(depths: Sequence[int], moves: Sequence[str], most: int) -> Figure:
    """The depth of the members after each event, and what it cannot exceed."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.8))
    axis.step(range(len(depths)), depths, "-", where="post", color=COLOURS["vermilion"])
    axis.plot(range(len(depths)), depths, "o", color=COLOURS["vermilion"])
    for i, word in enumerate(moves, start=1):
        axis.annotate(word, (i, depths[i]), (-6, 5), textcoords="offset points", ha="right", fontsize=10)
    axis.axhline(most, ls="--", color=COLOURS["black"], lw=1.3)
    axis.text(0, most + 0.12, f"$E={most}$", fontsize=11)
    axis.set(xlabel="events", ylabel="depths, added up", ylim=(-0.3, most * 1.16), xlim=(-0.4, len(depths) - 0.5))
    axis.set_xticks(range(len(depths)))
    return figure


@drawn
def three_regions() -> Figure:
    """The lattice as seen from a point y: above it, inside it, and neither."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.4, 3.6))
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
    axis.set(ylim=(-0.35, 4.4))
    axis.set_axis_off()
    return figure


def stuck(member: Subset, error: Subset, values: Mapping[Subset, tuple[Any, Any]]) -> Figure:
    """Two variables: values of target and hypothesis, the error shown beside the only member, and the one below."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.6))
    at = {point: (2.2 * x, 1.15 * y) for point, (x, y) in places(2).items()}
    draw_edges(axis, at)
    for point, (x, y) in at.items():
        f, h = values[point]
        colour = "vermilion" if point == member else "orange" if f != h else None
        draw_node(axis, (x, y), name(point), colour=colour, size=12)
        side = -0.28 if x < 0 else 0.28 if x else 0.62
        look: Any = {"ha": "right" if x < 0 else "left", "va": "center", "fontsize": 11}
        axis.text(x + side, y + 0.15, f"$f={f}$, $h={h}$" + ("  (wrong)" if f != h else ""), **look)
        words = {member: "the member", error: "the error shown", member & error: "their meet: an error as well"}
        axis.text(x + side, y - 0.17, words.get(point, ""), **look)
    low = at[member & error]
    axis.plot(*low, "s", ms=28, mfc="none", mec=COLOURS["blue"], mew=2)
    style = {"arrowstyle": "-|>", "connectionstyle": "arc3,rad=-0.3", "shrinkA": 13, "shrinkB": 17}
    axis.annotate("", low, at[error], arrowprops=style)
    axis.set(xlim=(-3.4, 3.9), ylim=(-0.45, 2.75))
    return figure


def equivalence_queries(bound: NDArray[Any], used: Mapping[str, NDArray[Any]]) -> Figure:
    """Equivalence queries of random polynomials against E + 1, for each kind of counterexamples."""
    import matplotlib.pyplot as plt

    marks = {"largest": ("o", "vermilion"), "random": ("x", "blue"), "smallest": ("^", "green")}
    figure, axis = plt.subplots(figsize=(5.2, 3.7))
    for policy, (mark, colour) in marks.items():
        axis.plot(bound, used[policy], mark, color=COLOURS[colour], label=policy, fillstyle="none")
    top = max(bound)
    axis.plot([0, top], [0, top], ":", color=COLOURS["black"], label="bound $E+1$")
    axis.set(xlabel="bound $E+1$", ylabel="equivalence queries, measured")
    axis.legend(title="counterexamples")
    return figure


def sinking_strips(events: Sequence[tuple[NDArray[Any], NDArray[Any], int]]) -> Figure:
    """A line an event: the point of the error, and the members afterwards, as strips of boxes; and the depth."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    n, most = len(events[0][0]), max(len(members) for _, members, _ in events)
    figure, axis = plt.subplots(figsize=(5.6, 0.42 * len(events) + 0.9))
    before: set[bytes] = set()
    for y, (error, members, depth) in enumerate(events):
        for column, point in enumerate([error, *members]):
            left = column * (n + 1.6)
            changed = column > 0 and point.tobytes() not in before
            colour = COLOURS["vermilion"] if changed else "#404040" if column == 0 else "#A0A0A0"
            for v, inside in enumerate(point):
                box = Rectangle(
                    (left + v, y - 0.36), 0.9, 0.72, fc=colour if inside else "#FFFFFF", ec="#808080", lw=0.8
                )
                axis.add_patch(box)
        axis.text((most + 1) * (n + 1.6) + 0.6, y, str(depth), ha="center", va="center", fontsize=11)
        before = {row.tobytes() for row in members}
    for column, word in enumerate(["wrong at", *(f"member {i + 1}" for i in range(most))]):
        axis.text(column * (n + 1.6) + n / 2, -0.75, word, ha="center", fontsize=11)
    axis.text((most + 1) * (n + 1.6) + 0.6, -0.75, "depth", ha="center", fontsize=11)
    axis.set(xlim=(-0.3, (most + 1) * (n + 1.6) + 2.6), ylim=(len(events) - 0.4, -1.4))
    axis.set_axis_off()
    return figure


def boards(lines: NDArray[Any], titles: Sequence[str] = (), marks: NDArray[Any] | None = None) -> Figure:
    """Small boards with the squares of a set filled, four in a row; titles above them and dots on marked squares."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    rows, shape = -(-len(lines) // 4), lines[0].shape
    figure, axes = plt.subplots(
        rows, 4, figsize=(4.4, (1.15 * shape[0] / shape[1] + 0.3 * bool(titles)) * rows), squeeze=False
    )
    for i, axis in enumerate(axes.ravel()):
        if i >= len(lines):
            axis.remove()
            continue
        axis.imshow(lines[i], cmap=ListedColormap(["#FFFFFF", COLOURS["green"]]), vmin=0, vmax=1)
        if marks is not None:
            y, x = np.nonzero(marks[i])
            axis.plot(x, y, "o", ms=7, mfc="#FFFFFF", mec="#000000")
        if titles:
            axis.set_title(titles[i], fontsize=10, loc="center")
        axis.set_xticks(np.arange(0.5, shape[1] - 1), [])
        axis.set_yticks(np.arange(0.5, shape[0] - 1), [])
        axis.grid(color="#404040", lw=1)
        axis.tick_params(length=0)
        for side in axis.spines.values():
            side.set_visible(True)
    return figure


def hankel(points: Sequence[Subset], matrix: NDArray[Any], block: Sequence[int]) -> Figure:
    """The values on all meets with the points beside them, and the rows and columns of one block filled."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    m = len(points)
    figure, axis = plt.subplots(figsize=(4.6, 4.3))
    for i in range(m):
        axis.text(-0.75, i, name(points[i]), ha="right", va="center", color="#606060", fontsize=11)
        axis.text(i, -0.85, name(points[i]), ha="center", va="center", color="#606060", fontsize=11)
        for j in range(m):
            chosen = i in block and j in block
            fill = COLOURS["vermilion"] if chosen else "#FFFFFF"
            axis.add_patch(Rectangle((j - 0.5, i - 0.5), 1, 1, fc=fill, ec="#B0B0B0", lw=0.8))
            ink = "#FFFFFF" if chosen else "#000000" if matrix[i, j] else "#707070"
            axis.text(j, i, str(matrix[i, j]), ha="center", va="center", fontsize=12, color=ink)
    axis.set(xlim=(-1.9, m - 0.4), ylim=(m - 0.4, -1.5), aspect="equal")
    axis.set_axis_off()
    return figure


def descents(n: int, panels: Sequence[tuple[str, Sequence[Subset], Sequence[tuple[Subset, Subset]]]]) -> Figure:
    """Ways down the lattice to one term each, and the steps that were tried in vain; a panel for each way."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(panels), figsize=(6.2, 3.2), squeeze=False)
    for axis, (title, way, vain) in zip(axes.ravel(), panels, strict=True):
        at = {point: (1.5 * x, y) for point, (x, y) in places(n).items()}
        draw_edges(axis, at)
        for point, place in at.items():
            draw_node(axis, place, name(point), colour="vermilion" if point in way else None, size=10)
        style = {"arrowstyle": "-|>", "lw": 2, "shrinkA": 12, "shrinkB": 13, "color": COLOURS["vermilion"]}
        for high, low in pairwise(way):
            axis.annotate("", at[low], at[high], arrowprops=style)
        for high, low in vain:
            (x, y), (u, v) = at[high], at[low]
            axis.plot([(x + u) / 2], [(y + v) / 2], "x", ms=11, mew=2.2, color=COLOURS["black"], zorder=4)
        axis.plot(*at[way[-1]], "s", ms=25, mfc="none", mec=COLOURS["blue"], mew=2, zorder=2)
        axis.set_title(title, fontsize=11)
        axis.set_ylim(-0.4, n + 0.45)
    return figure


def rivals(mean: Mapping[int, NDArray[Any]], *, points: int = 2**9) -> Figure:
    """Mean membership queries of three learners over the number of terms; rows are learners, as in the table."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    for row, label, style in ((2, "membership alone", "s-."), (1, "automaton", "^--"), (0, "meets", "o-")):
        axis.plot(list(mean), [costs[row][0] for costs in mean.values()], style, label=label)
    axis.axhline(points, ls=":", color=COLOURS["black"])
    axis.text(1, points * 0.86, f"all {points} points", va="top")
    axis.set(xlabel="terms, $t$", ylabel="membership queries (mean)", yscale="log")
    axis.legend(loc="lower right")
    return figure


def new_rows(cases: Mapping[str, tuple[Sequence[str], NDArray[Any], NDArray[Any]]]) -> Figure:
    """What the row of a new point is compared with: the members' rows, their best combination, and the row itself."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axes = plt.subplots(1, len(cases), figsize=(6.0, 2.3))
    for axis, (title, (names, values, weights)) in zip(axes, cases.items(), strict=True):
        combined = np.append(weights @ values[:-1, :-1], weights @ values[:-1, -1])
        shown = [*zip(names, values, strict=True)]
        shown.insert(len(names) - 1, ("combined", combined))
        same = bool(np.isclose(combined[-1], values[-1, -1]))
        for i, (whose, row) in enumerate(shown):
            axis.text(-0.15, -i, whose, ha="right", va="center", fontsize=10.5)
            for j, value in enumerate(row):
                decides = j == len(row) - 1 and i >= len(names) - 1
                colour = COLOURS["green" if same else "vermilion"] if decides else COLOURS["black"]
                look: dict[str, Any] = {"fill": False, "edgecolor": colour, "linewidth": 1 + decides}
                axis.add_patch(Rectangle((j, -i - 0.42), 0.86, 0.84, **look))
                axis.text(j + 0.43, -i, f"{value:.3g}", ha="center", va="center", fontsize=11)
        for j, whose in enumerate(names):
            axis.text(j + 0.43, 0.75, whose, ha="center", fontsize=10.5)
        axis.set_title(title, fontsize=11, loc="center", pad=12)
        axis.set(xlim=(-1.9, 3.0), ylim=(-3.6, 1.1))
        axis.axis("off")
    return figure
