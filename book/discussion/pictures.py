"""Pictures of chapter 6."""

from collections.abc import Mapping, Sequence

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


@drawn
def between_two_lines(points: Mapping[str, FloatArray], slope: float) -> Figure:
    """A drawing for an open problem: boundaries of a target and a rule, and the examples that lie between them."""
    figure, axes = plt.subplots(1, len(points), figsize=(6.0, 3.1))
    for axis, (title, X) in zip(axes, points.items(), strict=True):
        apart = np.sign(X[:, 0]) != np.sign(X[:, 0] + slope * X[:, 1])
        axis.fill([0, -2.4 * slope, 0], [0, 2.4, 2.4], fc="#F6C7A6", ec="none")
        axis.fill([0, 2.4 * slope, 0], [0, -2.4, -2.4], fc="#F6C7A6", ec="none")
        axis.plot([0, 0], [-2.4, 2.4], "-", color=COLOURS["blue"])
        axis.plot([-2.4 * slope, 2.4 * slope], [2.4, -2.4], "--", color=COLOURS["vermilion"])
        size, reach = (3.6, 1.5) if len(X) < 10 else (3, 2.4)  # few points are looked at from nearer
        axis.plot(*X[~apart].T, "o", ms=size, mew=0, color="#404040")
        axis.plot(*X[apart].T, "x", ms=8, mew=1.4, color=COLOURS["vermilion"])
        axis.set(title=title, xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal", xlabel="$x_1$")
        axis.set_xticks(range(-int(reach), int(reach) + 1))
        axis.set_yticks(range(-int(reach), int(reach) + 1))
        axis.grid(visible=False)
    axes[0].set_ylabel("$x_2$")
    return figure


@drawn
def sum_of_rules(ks: Sequence[int], errors: Sequence[float], others: Mapping[int, float], limit: float) -> Figure:
    """A drawing for an open problem: the error of the sum of perfect rules on the majority, and its limit."""
    figure, axis = plt.subplots(figsize=(5.2, 2.7))
    axis.axhline(limit, ls="--", color=COLOURS["black"], lw=1.3)
    axis.text(ks[0], limit * 1.03, "limit for many rules", fontsize=10)
    axis.plot(list(others), list(others.values()), "s", ms=11, mfc="none", mew=1.5, color=COLOURS["blue"])
    axis.plot(ks, errors, "o-", color=COLOURS["vermilion"])
    axis.plot(ks, np.zeros(len(ks)), "^-", color=COLOURS["green"])
    said = "sum of the rules (squares:\nbest of 400 around it)"
    axis.text(ks[-1], errors[-1] - 0.045, said, va="top", ha="right", fontsize=10)
    axis.text(ks[-1], 0.012, "each single rule", ha="right", fontsize=10)
    axis.set(xlabel="rules $k$", ylabel="error", ylim=(-0.01, 0.33))
    axis.set_xticks(ks)
    return figure


@drawn
def corners(weights: FloatArray, chosen: Sequence[int]) -> Figure:
    """A drawing for an open problem: columns in the triangle of three anchors, and the corners that were found."""
    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    spots = weights @ triangle
    axis = plt.figure(figsize=(4.4, 3.1)).subplots()
    axis.fill(*triangle.T, fc="#F4F4F4", ec="#606060", lw=1.2)
    axis.plot(*spots.T, "o", ms=6, color=COLOURS["blue"])
    axis.plot(*spots[list(chosen)].T, "o", ms=17, mfc="none", mec=COLOURS["vermilion"], mew=2)
    for j, spot in enumerate(triangle):
        way = (0, 14) if j == 2 else (0, -20)
        axis.annotate(f"anchor of atom {j + 1}", spot, way, textcoords="offset points", ha="center", fontsize=10)
    return bare(axis, (-0.3, 1.3), (-0.18, 1.05))


@drawn
def disagreements(phi: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """A drawing for an open problem: probability of disagreement over the angle in radians, shown in degrees."""
    figure, axis = plt.subplots(figsize=(5.4, 2.7))
    for (name, curve), mark in zip(curves.items(), ("-", "--", ":"), strict=True):
        axis.plot(np.degrees(phi), curve, mark, label=name)
    axis.set(xlabel="angle in degrees", ylabel="probability of disagreement")
    axis.legend()
    return figure
