"""Pictures of chapter 5.1."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong.polynomials.polynomial import Polynomial
from lifelong_book.conjunctions.consistency.lattice_pictures import Subset, draw_edges, draw_node, name, places
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def as_formula(row: BoolArray) -> str:
    """A monomial as mathtext, the empty one as 1."""
    return "$" + ("".join(f"x_{{{v + 1}}}" for v in np.flatnonzero(row)) or "1") + "$"


def signed(value: Any) -> str:
    """A coefficient with a minus sign as long as a plus."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def network(targets: Mapping[str, Polynomial], pieces: BoolArray | None = None) -> Figure:
    """Inputs, the monomials of all targets, and the targets as weighted sums; pieces between them if given."""
    import matplotlib.pyplot as plt

    terms = _terms_of(targets)
    layers = [np.eye(terms.shape[1], dtype=np.bool_), *([] if pieces is None else [pieces]), terms]
    figure, axis = plt.subplots(figsize=(5.8, 4.2))
    heights = [_spread(len(layer)) for layer in layers]
    for column, (low, high) in enumerate(itertools.pairwise(layers)):
        _joins(axis, column, (low, high), (heights[column], heights[column + 1]))
    column, ends = len(layers) - 1, _spread(len(targets))
    for (word, f), end in zip(targets.items(), ends, strict=True):
        _weights(axis, f, (terms, heights[-1]), (column, float(end)))
        draw_node(axis, (column + 1, float(end)), f"${word}$", colour="blue", size=11)
    for column, (layer, ys) in enumerate(zip(layers, heights, strict=True)):
        for row, y in zip(layer, ys, strict=True):
            colour = "green" if 0 < column < len(layers) - 1 else None
            draw_node(axis, (column, float(y)), as_formula(row), colour=colour, size=12)
    titles = ["inputs", *([] if pieces is None else ["pieces"]), "monomials", "targets"]
    for column, title in enumerate(titles):
        axis.text(column, 1.14, title, ha="center", va="bottom", fontsize=11)
    axis.set(xlim=(-0.2, len(layers) + 0.25), ylim=(-0.08, 1.25))
    axis.set_axis_off()
    return figure


def _terms_of(targets: Mapping[str, Polynomial]) -> BoolArray:
    rows = {row.tobytes(): row for f in targets.values() for row in f.terms}
    return np.array(list(rows.values()))


def _spread(count: int) -> NDArray[Any]:
    return np.linspace(1, 0, count) if count > 2 else np.linspace(1, 0, count + 2)[1:-1]


def _joins(axis: Axes, column: int, layers: tuple[BoolArray, BoolArray], heights: tuple[Any, Any]) -> None:
    """A line from each factor to the product that it is in."""
    for product, end in zip(layers[1], heights[1], strict=True):
        for factor, start in zip(layers[0], heights[0], strict=True):
            if (product | ~factor).all():
                axis.plot([column, column + 1], [start, end], "-", color="#9A9A9A", lw=1, zorder=1)


def _weights(axis: Axes, f: Polynomial, source: tuple[BoolArray, Any], end: tuple[float, float]) -> None:
    """A line from each term of a target, with its coefficient."""
    for row, value in zip(f.terms, f.coefficients, strict=True):
        start = float(source[1][(source[0] == row).all(axis=1)][0])
        axis.plot([end[0], end[0] + 1], [start, end[1]], "-", color=COLOURS["blue"], lw=1.8, zorder=1)
        middle = (end[0] + 0.72, start + 0.72 * (end[1] - start))
        axis.text(
            *middle, signed(value), ha="center", va="center", fontsize=11, bbox={"fc": "w", "ec": "none", "pad": 1.5}
        )


def values_and_coefficients(values: Mapping[Subset, int], coefficients: Mapping[Subset, int]) -> Figure:
    """The lattice of three variables; each point with the value there and the coefficient that it leaves."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.6, 4.2))
    at = {point: (2.1 * x, y) for point, (x, y) in places(3).items()}
    draw_edges(axis, at)
    for point, (x, y) in at.items():
        left = f"{name(point)}:  {values[point]}"
        draw_node(axis, (x, y), left, size=11)
        a = coefficients[point]
        draw_node(axis, (x + 0.62, y), signed(f"{a:+d}") if a else "0", colour="blue" if a else None, size=11)
    axis.set(xlim=(-3.0, 3.0), ylim=(-0.35, 3.35))
    return figure


def halvings(most: int) -> Figure:
    """A square for the cube, halved by each further variable of a monomial."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    figure, axis = plt.subplots(figsize=(3.8, 3.8))
    left, low, wide, high = 0.0, 0.0, 1.0, 1.0
    shades = plt.get_cmap("Blues")(np.linspace(0.15, 0.95, most))
    axis.add_patch(Rectangle((0, 0), 1, 1, fc="#FFFFFF", ec="#000000"))
    for d in range(1, most + 1):
        if d % 2:
            left, wide = left + wide / 2, wide / 2
        else:
            low, high = low + high / 2, high / 2
        axis.add_patch(Rectangle((left, low), wide, high, fc=shades[d - 1], ec="#000000", lw=0.8))
        if d <= 5:
            spot = (left + wide / (2 if d % 2 else 4), low + high / (4 if d % 2 else 2))
            axis.text(*spot, f"$d={d}$", ha="center", va="center", fontsize=max(9, 15 - 1.6 * d))
    axis.text(0.25, 0.5, "here every\nmonomial with\n$x_1$ is 0", ha="center", va="center")
    axis.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), aspect="equal")
    axis.set_axis_off()
    return figure


def warm_up_board(targets: Sequence[Polynomial], how: Sequence[str]) -> Figure:
    """Targets in their order over the monomials; what was new is marked when it was met."""
    import matplotlib.pyplot as plt

    terms = _terms_of({str(i): f for i, f in enumerate(targets)})
    figure, axis = plt.subplots(figsize=(5.6, 0.62 * len(targets) + 1.3))
    met: set[bytes] = set()
    for i, (f, step) in enumerate(zip(targets, how, strict=True)):
        scratch = step == "scratch"
        axis.text(len(terms) - 0.3, i, "from scratch" if scratch else "reused", va="center", fontsize=11)
        for row, value in zip(f.terms, f.coefficients, strict=True):
            place = int(np.flatnonzero((terms == row).all(axis=1))[0])
            new = row.tobytes() not in met
            draw_node(axis, (place, i), signed(value), colour="vermilion" if new else "blue", size=11)
            if new:
                axis.text(place + 0.22, i - 0.3, "new", fontsize=10, color=COLOURS["vermilion"])
        met |= {row.tobytes() for row in f.terms}
    for place, row in enumerate(terms):
        axis.plot([place, place], [-0.6, len(targets) - 0.5], "-", color="#D0D0D0", lw=1, zorder=1)
        axis.text(place, -0.85 - 0.5 * (place % 2), as_formula(row), ha="center", fontsize=11.5)
    for i in range(len(targets)):
        axis.text(-0.75, i, f"target {i + 1}", ha="right", va="center", fontsize=11)
    axis.set(xlim=(-1.9, len(terms) + 0.9), ylim=(len(targets) - 0.5, -1.7))
    axis.set_axis_off()
    return figure


def rounds_of_an_attempt(
    equations: Sequence[tuple[float, float, float]], guesses: Sequence[tuple[float, float]]
) -> Figure:
    """Two weights: each wrong guess brings a line a w1 + b w2 = c on which the next guess lies."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.9))
    along = np.array([-1.0, 4.0])
    for i, (a, b, c) in enumerate(equations):
        ends = (along, (c - a * along) / b) if b else (np.full(2, c / a), along)
        axis.plot(*ends, ("--", "-.")[i % 2], color=COLOURS["black"], lw=1.3)
        spot = (0.1, c / b + 0.25) if b else (c / a + 0.07, 2.5)
        left = " + ".join(word for value, word in ((a, "$w_1$"), (b, "$w_2$")) if value)
        axis.text(*spot, f"{left} = {c:g}", fontsize=10)
    for i, (x, y) in enumerate(guesses):
        last = i == len(guesses) - 1
        axis.plot([x], [y], "o" if last else "X", ms=10, color=COLOURS["blue" if last else "vermilion"], zorder=4)
        word = f"guess {i + 1}: " + ("right" if last else "wrong")
        side = (9, 6) if last else (-10, -4)
        axis.annotate(word, (x, y), side, textcoords="offset points", ha="left" if last else "right", fontsize=10)
    for (x, y), (u, v) in itertools.pairwise(guesses):
        axis.annotate(
            "", (u, v), (x, y), arrowprops={"arrowstyle": "->", "color": "#606060", "shrinkA": 8, "shrinkB": 8}
        )
    axis.set(xlim=(-1.6, 3.8), ylim=(-0.6, 3.6), xlabel="weight $w_1$", ylabel="weight $w_2$")
    return figure


def rules_from_scratch(counted: NDArray[Any]) -> Figure:
    """How many random orders of the 256 rules need 0, 1, ... 8 of them from scratch."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    axis.bar(range(9), counted, color=COLOURS["blue"])
    for place, height in enumerate(counted):
        if height:
            axis.text(place, height + 20, str(height), ha="center")
    axis.axvline(8, ls=":", color=COLOURS["black"])
    top = max(counted)
    axis.text(7.9, top * 0.9, "bound $k=8$", ha="right")
    axis.set(xlabel="rules learned from scratch", ylabel=f"random orders of {sum(counted)}", ylim=(0, top * 1.12))
    return figure


def membership_queries(with_reuse: NDArray[Any], each_alone: NDArray[Any]) -> Figure:
    """Membership queries so far, with shared monomials and without, over the targets seen."""
    import matplotlib.pyplot as plt

    seen = np.arange(1, len(with_reuse) + 1)
    figure, axis = plt.subplots(figsize=(5.2, 3.1))
    axis.plot(seen, each_alone, "--", color=COLOURS["vermilion"])
    axis.plot(seen, with_reuse, "-", color=COLOURS["blue"])
    place, top = 2 * len(seen) // 3, max(each_alone[-1], 1)
    axis.text(place, each_alone[place - 1] + 0.04 * top, "each target alone", ha="right")
    axis.text(len(seen), with_reuse[-1] + 0.025 * top, "with shared monomials", ha="right")
    axis.set(xlabel="targets seen", ylabel="membership queries so far", ylim=(0, None))
    return figure


def rules_and_monomials(present: BoolArray, terms: BoolArray) -> Figure:
    """Which rule has which monomial: a row a monomial, a column a rule in the order of the numbers."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    figure, axis = plt.subplots(figsize=(6.4, 2.9))
    axis.imshow(present, aspect="auto", cmap=ListedColormap(["#FFFFFF", COLOURS["blue"]]), interpolation="nearest")
    axis.set_yticks(range(len(terms)), [as_formula(row) for row in terms], fontsize=13)
    axis.set(xlabel="number of the rule")
    axis.grid(visible=False)
    rows, columns = present.shape
    axis.hlines(np.arange(0.5, rows - 1), -0.5, columns - 0.5, color="#FFFFFF", lw=1.5)
    axis.vlines(np.arange(0.5, columns - 1), -0.5, rows - 0.5, color="#FFFFFF", lw=1.5)
    return figure
