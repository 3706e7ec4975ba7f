"""Pictures of chapter 2."""

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.laws import IsotropicLaw
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def samples_of_laws(laws: Collection[type[IsotropicLaw]]) -> Figure:
    """The preliminaries' drawing of 1200 points of each law in the plane, and the unit circle."""
    from matplotlib.patches import Circle

    rows = -(-len(laws) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(5.4, 2.0 * rows), sharex=True, sharey=True)
    for axis in axes.flat[len(laws) :]:
        axis.remove()
    for axis, kind in zip(axes.flat, laws, strict=False):
        law = kind(2)
        x, y = law.sample(1200, rng=0).T
        axis.plot(x, y, ".", color=COLOURS["blue"], markersize=2, alpha=0.6)
        look: dict[str, Any] = {"linestyle": "--", "color": COLOURS["vermilion"], "linewidth": 1.6, "zorder": 3}
        axis.add_patch(Circle((0, 0), 1, fill=False, **look))
        axis.set(title=law.name, xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal")
    figure.supxlabel("first coordinate", fontsize=10)
    figure.supylabel("second coordinate", fontsize=10)
    return figure


def one_sided() -> Figure:
    """The preliminaries' drawing of a line in a plane: angle 0 from line to plane, a right angle from plane to line."""
    axis = plt.figure(figsize=(5.2, 3.0)).subplots()
    corners = np.array([[-2.2, -0.8], [1.4, -0.8], [2.4, 0.9], [-1.2, 0.9]])
    axis.fill(*corners.T, color=COLOURS["sky"], alpha=0.35, edgecolor=COLOURS["blue"])
    axis.text(-1.75, -0.62, "$V$, a plane", fontsize=12)
    along, across = np.array([1.75, 0.0]), (0.42, 0.72)
    axis.plot(*np.stack([-along, along]).T, color=COLOURS["vermilion"], linewidth=2.4)
    axis.text(0.35, -0.26, "$U$, a line in $V$", fontsize=12)
    axis.annotate(
        "", across, xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["black"], "linewidth": 1.8}
    )
    axis.text(0.5, 0.62, "$v$ in $V$,\northogonal to $U$", fontsize=12, va="top")
    axis.plot([0.16, 0.25, 0.09], [0.0, 0.155, 0.155], color=COLOURS["black"], linewidth=1.2)
    return bare(axis, (-2.4, 2.6), (-0.95, 1.05), equal=False)


def separated(rows: FloatArray, gamma: float, names: Iterable[str]) -> Figure:
    """The preliminaries' drawing of unit vectors and the cone within gamma of the first, which adds no dimension."""
    from matplotlib.patches import Wedge

    axis = plt.figure(figsize=(5.2, 3.0)).subplots()
    middle = np.degrees(np.arctan2(rows[0, 1], rows[0, 0]))
    spread = np.degrees(gamma)
    axis.add_patch(Wedge((0, 0), 1, middle - spread, middle + spread, color=COLOURS["sky"], alpha=0.35))
    for row, name in zip(rows, names, strict=True):
        style = {"arrowstyle": "-|>", "color": COLOURS["blue"], "linewidth": 2, "mutation_scale": 16}
        axis.annotate("", row, xytext=(0, 0), arrowprops=style)
        axis.text(1.06 * row[0], 1.06 * row[1], name, fontsize=12, va="center")
    return bare(axis, (-0.05, 1.75), (-0.25, 1.0))
