"""Pictures of chapter 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@drawn
def between_two_lines(points: Mapping[str, FloatArray], slope: float) -> Figure:
    """The boundaries of a target and of a rule in the plane, and the examples that lie between them."""
    import matplotlib.pyplot as plt

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
    """Error of the sum of perfect rules on the majority, over the number of rules, and its limit."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.7))
    axis.axhline(limit, ls="--", color=COLOURS["black"], lw=1.3)
    axis.text(ks[0], limit * 1.03, "limit for many rules", fontsize=10)
    axis.plot(list(others), list(others.values()), "s:", color=COLOURS["sky"])
    axis.plot(ks, errors, "o-", color=COLOURS["vermilion"])
    axis.plot(ks, np.zeros(len(ks)), "^-", color=COLOURS["green"])
    last = list(others)[-1]
    axis.text(last + 0.15, others[last] * 1.01, "best of 400 other\ncombinations", va="center", fontsize=10)
    axis.text(ks[-1], errors[-1] - 0.02, "sum of the rules", va="top", ha="right", fontsize=10)
    axis.text(ks[-1], 0.012, "each single rule", ha="right", fontsize=10)
    axis.set(xlabel="rules $k$", ylabel="error", ylim=(-0.01, 0.33))
    axis.set_xticks(ks)
    return figure


@drawn
def corners(weights: FloatArray, chosen: Sequence[int]) -> Figure:
    """Columns in the triangle of three anchors: barycentric coordinates, and the corners that were found."""
    import matplotlib.pyplot as plt

    triangle = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
    spots = weights @ triangle
    figure, axis = plt.subplots(figsize=(4.4, 3.1))
    axis.fill(*triangle.T, fc="#F4F4F4", ec="#606060", lw=1.2)
    axis.plot(*spots.T, "o", ms=6, color=COLOURS["blue"])
    axis.plot(*spots[list(chosen)].T, "o", ms=17, mfc="none", mec=COLOURS["vermilion"], mew=2)
    for j, spot in enumerate(triangle):
        way = (0, 14) if j == 2 else (0, -20)
        axis.annotate(f"anchor of atom {j + 1}", spot, way, textcoords="offset points", ha="center", fontsize=10)
    axis.set(xlim=(-0.3, 1.3), ylim=(-0.18, 1.05), aspect="equal")
    axis.set_axis_off()
    return figure


@drawn
def two_valued_functions(single: FloatArray, shared: FloatArray, plane: FloatArray, member: BoolArray) -> Figure:
    """Values of an anchor coordinate and of a shared one, and two coordinates on which one atom stands out."""
    import matplotlib.pyplot as plt

    figure, (top, bottom) = plt.subplots(2, 1, figsize=(5.2, 3.4), height_ratios=(1, 2))
    spread = np.linspace(-0.16, 0.16, len(single))
    top.plot(single, 1 + spread, ".", color=COLOURS["vermilion"])
    top.plot(shared, spread, ".", color="#606060")
    top.set_yticks([0, 1], ["shared", "anchor"])
    top.set(xlabel="value of one coordinate, over all examples", ylim=(-0.5, 1.5))
    _two_lines(bottom, plane, member)
    return figure


def _two_lines(axis: Axes, plane: FloatArray, member: BoolArray) -> None:
    for chosen, mark, colour, word in (
        (member, "o", "vermilion", "with the atom"),
        (~member, "s", "blue", "without it"),
    ):
        points = plane[chosen]
        centre = points.mean(axis=0)
        way = np.linalg.svd(points - centre)[2][0]
        along = (points - centre) @ way
        ends = np.array([along.min() - 0.4, along.max() + 0.4])[:, None] * way + centre
        axis.plot(*ends.T, "-", color="#B0B0B0", lw=1)
        axis.plot(*points.T, mark, ms=6, color=COLOURS[colour], label=word)
    axis.set(xlabel="first coordinate", ylabel="second coordinate")
    axis.legend(loc="best")


@drawn
def occurrences(rows: BoolArray, names: Sequence[str]) -> Figure:
    """Which examples have which atom: a row an atom, a column an example."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    figure, axis = plt.subplots(figsize=(5.8, 0.42 * len(rows) + 0.9))
    axis.imshow(rows, aspect="auto", cmap=ListedColormap(["#FFFFFF", COLOURS["blue"]]), interpolation="nearest")
    axis.set_yticks(range(len(rows)), names)
    axis.set_yticks(np.arange(0.5, len(rows) - 1), minor=True)
    axis.grid(visible=False)
    axis.grid(which="minor", axis="y", color="#404040", lw=1)
    axis.tick_params(which="minor", length=0)
    axis.set(xlabel="examples")
    return figure


@drawn
def disagreements(phi: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """Probability of disagreement over the angle in radians, which is shown in degrees, for three laws."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.4, 2.7))
    for (name, curve), mark in zip(curves.items(), ("-", "--", ":"), strict=True):
        axis.plot(np.degrees(phi), curve, mark, label=name)
    axis.set(xlabel="angle in degrees", ylabel="probability of disagreement")
    axis.legend()
    return figure


@drawn
def recovered(leaks: FloatArray, corners: Sequence[float], *, noises: FloatArray, columns: Sequence[float]) -> Figure:
    """Share of dictionaries recovered: from corners over the leak, from two-valued columns over the noise."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(2, 1, figsize=(5.2, 3.4))
    left.plot(leaks, corners, "o-", color=COLOURS["blue"])
    right.plot(noises, columns, "s--", color=COLOURS["vermilion"])
    left.set(xlabel="leak", ylabel="share recovered", ylim=(-0.05, 1.05))
    right.set(xlabel="noise", ylabel="share recovered", ylim=(-0.05, 1.05))
    return figure


@drawn
def sums_of_signs(hand: FloatArray, random: FloatArray) -> Figure:
    """How the corners of a cube fall along two directions, exactly; the bell of the normal law behind both."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(6.0, 2.2), sharex=True)
    x = np.linspace(-3.2, 3.2, 200)
    bell = np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi)
    for axis, direction, title in zip(axes, (hand, random), ("by hand", "drawn at random"), strict=True):
        n = len(direction)
        corners = 1.0 - 2 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        values = corners @ direction / np.linalg.norm(direction)
        axis.hist(values, bins=np.linspace(-3.2, 3.2, 33).tolist(), density=True, color=COLOURS["sky"])
        axis.plot(x, bell, "--", color=COLOURS["vermilion"], linewidth=1.6)
        axis.set(title=title, xlabel="along the direction", yticks=[])
        axis.grid(visible=False)
    axes[0].set_ylabel("share of corners")
    return figure
