"""Pictures of chapter 5.1."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.polynomials.polynomial import Polynomial
from lifelong_book.polynomials.lattice import Subset, draw_edges, draw_node, name, places
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def _as_formula(row: BoolArray) -> str:
    """A monomial as mathtext, the empty one as 1."""
    return "$" + ("".join(f"x_{{{v + 1}}}" for v in np.flatnonzero(row)) or "1") + "$"


def _signed(value: Any) -> str:
    """A coefficient with a minus sign as long as a plus."""
    return str(value).replace("-", "\N{MINUS SIGN}")


def network(targets: Mapping[str, Polynomial]) -> Figure:
    """A drawing of the warm-up's one layer: inputs, the monomials of all targets, and the targets as weighted sums."""
    terms = np.array(list({row.tobytes(): row for f in targets.values() for row in f.terms}.values()))
    inputs, middle, ends = (np.linspace(1, 0, count) for count in (terms.shape[1], len(terms), len(targets)))
    axis = plt.figure(figsize=(5.8, 4.2)).subplots()
    for term, y in zip(terms, middle, strict=True):
        for x in inputs[term]:
            axis.plot([0, 1], [x, y], "-", color="#9A9A9A", lw=1, zorder=1)
    for (word, f), end in zip(targets.items(), ends, strict=True):
        for row, value in zip(f.terms, f.coefficients, strict=True):
            start = float(middle[(terms == row).all(axis=1)][0])
            axis.plot([1, 2], [start, end], "-", color=COLOURS["blue"], lw=1.8, zorder=1)
            look: Any = {"ha": "center", "va": "center", "fontsize": 11, "bbox": {"fc": "w", "ec": "none", "pad": 1.5}}
            axis.text(1.72, start + 0.72 * (end - start), _signed(value), **look)
        draw_node(axis, (2, float(end)), f"${word}$", colour="blue", size=11)
    for column, layer, ys in ((0, np.eye(len(inputs), dtype=np.bool_), inputs), (1, terms, middle)):
        for row, y in zip(layer, ys, strict=True):
            draw_node(axis, (column, float(y)), _as_formula(row), size=12)
    for column, title in enumerate(("inputs", "monomials", "targets")):
        axis.text(column, 1.14, title, ha="center", va="bottom", fontsize=11)
    return bare(axis, (-0.2, 2.25), (-0.08, 1.25), equal=False)


def values_and_coefficients(values: Mapping[Subset, int], coefficients: Mapping[Subset, int]) -> Figure:
    """A drawing for the warm-up: the lattice of three variables, with values and the coefficients they leave."""
    figure, axis = plt.subplots(figsize=(5.6, 4.2))
    at = {point: (2.1 * x, y) for point, (x, y) in places(3).items()}
    draw_edges(axis, at)
    for point, (x, y) in at.items():
        left = f"{name(point)}:  {values[point]}"
        draw_node(axis, (x, y), left, size=11)
        a = coefficients[point]
        draw_node(axis, (x + 0.62, y), _signed(f"{a:+d}") if a else "0", colour="blue" if a else None, size=11)
    axis.set(xlim=(-3.0, 3.0), ylim=(-0.35, 3.35))
    return figure


def rounds_of_an_attempt(
    equations: Sequence[tuple[float, float, float]], guesses: Sequence[tuple[float, float]]
) -> Figure:
    """A drawing of the warm-up's attempt, two weights: each wrong guess brings a line that holds the next."""
    figure, axis = plt.subplots(figsize=(5.2, 3.9))
    along = np.array([-1.0, 4.0])
    for i, (a, b, c) in enumerate(equations):
        ends = (along, (c - a * along) / b) if b else (np.full(2, c / a), along)
        axis.plot(*ends, ("--", "-.")[i % 2], color=COLOURS["black"], lw=1.3)
        spot = (0.1, c / b + 0.25) if b else (c / a + 0.1, 2.5)
        left = " + ".join(word for value, word in ((a, "$w_1$"), (b, "$w_2$")) if value)
        axis.text(*spot, f"{left} = {c:g}", fontsize=10)
    for i, (x, y) in enumerate(guesses):
        last = i == len(guesses) - 1
        axis.plot([x], [y], "o" if last else "X", ms=10, color=COLOURS["blue" if last else "vermilion"], zorder=4)
        word = f"guess {i + 1}: " + ("right" if last else "wrong")
        axis.annotate(word, (x, y), (9, 6), textcoords="offset points", ha="left", fontsize=10)
    for (x, y), (u, v) in itertools.pairwise(guesses):
        axis.annotate(
            "", (u, v), (x, y), arrowprops={"arrowstyle": "->", "color": "#606060", "shrinkA": 8, "shrinkB": 8}
        )
    axis.set(xlim=(-1.0, 4.6), ylim=(-0.6, 3.6), xlabel="weight $w_1$", ylabel="weight $w_2$")
    return figure
