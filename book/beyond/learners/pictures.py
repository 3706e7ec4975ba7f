"""Pictures of the page on other learners of polynomials."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong_book.polynomials.schapire_sellie import pictures
from lifelong_book.press.style import COLOURS, Figure, drawn, plt


@drawn
def parity(curves: Mapping[str, FloatArray]) -> Figure:
    """Picture for other learners of polynomials: error of the best linear function of products of at most d factors."""
    figure, axis = plt.subplots(figsize=(5.2, 3.3))
    for (name, curve), mark in zip(curves.items(), ("o-", "s--", "D:"), strict=True):
        axis.plot(range(len(curve)), curve / curve[0], mark, label=name)
    axis.set(xlabel="factors allowed, $d$", ylabel="error / variance")
    axis.legend()
    return figure


@drawn
def total_losses(sizes: NDArray[Any], losses: Mapping[str, Sequence[float]]) -> Figure:
    """Picture for other learners of polynomials: total losses of exponentiated gradient, over features."""
    figure, axis = plt.subplots(figsize=(5.4, 3.6))
    marks = {"small steps": ("^-", "orange"), "halving": ("o-", "vermilion"), "random": ("s--", "blue")}
    for name, (mark, colour) in marks.items():
        axis.plot(sizes, losses[name], mark, color=COLOURS[colour], label=name)
    axis.axhline(2, color=COLOURS["black"], lw=1.2, ls="-")
    axis.axhline(1 / np.log(2), color=COLOURS["black"], lw=1.2, ls="--")
    axis.text(8, 2.03, "bound")
    axis.text(8, 1.29, "every learner")
    axis.set(xscale="log", xlabel="features $N$", ylim=(0, 2.3), ylabel="total loss / $B^2\\ln(2N)$")
    axis.legend(loc="lower right")
    return figure


@drawn
def hankel_of(f: Callable[[frozenset[int]], int]) -> Any:
    """A picture for the rival learners: the Hankel matrix of a function of three bits, the block run by hand marked."""
    points = [frozenset(map(int, word)) for word in ("123", "12", "13", "23", "1", "2", "3", "")]
    matrix = np.array([[f(x & y) for y in points] for x in points])
    return pictures.hankel(points, matrix, [0, 2], [0, 1])
