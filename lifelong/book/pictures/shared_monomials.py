"""Pictures of chapter 5.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def losses_and_errors(
    sizes: NDArray[Any], losses: Mapping[str, Sequence[float]], errors: Mapping[str, Sequence[float]]
) -> Figure:
    """Total losses of the exponentiated gradient over the features, and the errors of what is learned.

    `losses` holds "small steps", "halving" and "random", in units of B^2 ln(2N); `errors` holds "bound",
    "exponentiated gradient" and "least squares", the last one for as many sizes as it has values.
    """
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.6))
    _total_losses(left, sizes, losses)
    right.plot(sizes, errors["bound"], color=COLOURS["black"], ls="-", label="bound")
    name = "exponentiated gradient"
    right.plot(sizes, errors[name], "s--", color=COLOURS["blue"], label=name)
    squares = np.maximum(errors["least squares"], 1e-14)
    right.plot(sizes[: len(squares)], squares, "D:", color=COLOURS["green"], label="least squares")
    right.set(xscale="log", yscale="log", xlabel="features $N$", ylabel="mean squared error")
    right.legend(loc="center right")
    return figure


def _total_losses(axis: Axes, sizes: NDArray[Any], losses: Mapping[str, Sequence[float]]) -> None:
    marks = {"small steps": ("^-", "orange"), "halving": ("o-", "vermilion"), "random": ("s--", "blue")}
    for name, (mark, colour) in marks.items():
        axis.plot(sizes, losses[name], mark, color=COLOURS[colour], label=name)
    axis.axhline(2, color=COLOURS["black"], lw=1.2, ls="-")
    axis.axhline(1 / np.log(2), color=COLOURS["black"], lw=1.2, ls="--")
    axis.text(8, 2.03, "bound")
    axis.text(8, 1.27, "every learner")
    axis.set(xscale="log", xlabel="features $N$", ylim=(0, 2.3), ylabel="total loss / $B^2\\ln(2N)$")
    axis.legend(loc="lower right")


def errors_of_problems(shown: Mapping[str, FloatArray], epsilon: float) -> Figure:
    """Error of every problem, one panel a stream.

    A row of a stream says whether a problem was learned from scratch, its error, and that of the best constant.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(shown), figsize=(7.6, 3.2), sharey=True)
    for axis, (title, rows) in zip(axes, shown.items(), strict=True):
        for i, (scratch, error, constant) in enumerate(rows):
            mark, colour = ("^", "vermilion") if scratch else ("o", "blue")
            axis.plot(i, max(error, 1e-5), mark, mfc="none" if scratch else None, color=COLOURS[colour])
            axis.plot(i, max(constant, 1e-5), "x", color=COLOURS["black"], ms=4)
        axis.axhline(epsilon, color=COLOURS["black"], lw=1)
        axis.set(yscale="log", xlabel="problem", title=title)
    axes[0].set(ylabel="mean squared error")
    return figure


def cost_of_an_attempt(ks: NDArray[Any], products: NDArray[Any], labels: NDArray[Any]) -> Figure:
    """Labels, products and operations of one attempt over the number of metafeatures."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    for values, mark, colour, text in (
        (4 * products * labels, "D-", "vermilion", "operations"),
        (products, "s--", "green", "products"),
        (labels, "o:", "blue", "labels"),
    ):
        axis.plot(ks, values, mark, color=COLOURS[colour])
        axis.text(12.2, values[-1], text, va="center")
    axis.set(yscale="log", xlabel="metafeatures $k$", ylabel="number", xlim=(0.5, 14.5))
    return figure


def left_over(curves: Mapping[str, FloatArray]) -> Figure:
    """Error of the best linear function of products of at most d factors, as a share of the variance."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.4))
    for (name, curve), mark in zip(curves.items(), ("o-", "s--", "D:"), strict=True):
        axis.plot(range(len(curve)), curve / curve[0], mark, label=name)
    axis.set(xlabel="factors allowed, $d$", ylabel="error / variance")
    axis.legend()
    return figure
