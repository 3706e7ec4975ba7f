"""Pictures of the chapter on the assumptions, and words for its tables."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def between(row: Mapping[str, Any], column: str, spec: str = "") -> str:
    """Words for a table of runs outside the assumptions: the range of a column over the runs of a line."""
    if row[column] is None:
        return ""
    least, most = (format(row[name], spec) for name in (f"{column}, least", column))
    return least if least == most else f"{least} to {most}"


def wedge_of_directions(points: FloatArray, theta: float) -> Figure:
    """Picture of rotation-invariant laws: points moved to the circle along their rays, and where two signs differ."""
    from matplotlib.patches import Arc, Circle, Wedge

    axis = plt.figure(figsize=(4.2, 4.0)).subplots()
    size = 3.2
    turn = np.degrees(theta)
    for start in (90.0, 270.0):
        axis.add_patch(Wedge((0, 0), 5, start, start + turn, facecolor=COLOURS["orange"], alpha=0.3))
    axis.add_patch(Circle((0, 0), 1, fill=False, linewidth=1.5))
    for x, y in points:
        if max(abs(x), abs(y)) < size:
            length = np.hypot(x, y)
            axis.plot([x, x / length], [y, y / length], "-", color="#BBBBBB", linewidth=0.8)
    near = points[np.abs(points).max(axis=1) < size]
    axis.plot(near[:, 0], near[:, 1], "o", color=COLOURS["blue"], markersize=4)
    ends = points / np.linalg.norm(points, axis=1)[:, None]
    axis.plot(ends[:, 0], ends[:, 1], "s", color=COLOURS["black"], markersize=3)
    for angle, name in ((0.0, "$u$"), (theta, "$v$")):
        tip = (2.4 * float(np.cos(angle)), 2.4 * float(np.sin(angle)))
        axis.annotate("", tip, (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["vermilion"], "lw": 2})
        axis.text(1.13 * tip[0], 1.13 * tip[1], name, fontsize=14, ha="center", va="center")
    for start in (0.0, 90.0, 270.0):
        axis.add_patch(Arc((0, 0), 3.6, 3.6, theta1=start, theta2=start + turn, linewidth=1.6))
        middle = np.radians(start) + theta / 2
        word = (2.05 * float(np.cos(middle)), 2.05 * float(np.sin(middle)))
        axis.text(*word, r"$\theta$", fontsize=13, ha="center", va="center")
    return bare(axis, (-size, size), (-size, size))


def cross_of_points(points: FloatArray, theta: float, size: float = 12.0) -> Figure:
    """Picture of heavy tails: independent Cauchy coordinates lie along the axes, and crowd the wedge there."""
    from matplotlib.patches import Wedge

    figure, axis = plt.subplots(figsize=(4.2, 4.0))
    for start in (90.0, 270.0):
        wedge = Wedge((0, 0), 3 * size, start, start + np.degrees(theta), facecolor=COLOURS["orange"], alpha=0.4)
        axis.add_patch(wedge)
    inside = points[:, 0] * (points[:, 0] + np.tan(theta) * points[:, 1]) < 0
    for part, marker, colour in ((~inside, ".", "#888888"), (inside, "o", COLOURS["vermilion"])):
        axis.plot(points[part, 0], points[part, 1], marker, color=colour, markersize=3)
    axis.set(xlim=(-size, size), ylim=(-size, size), aspect="equal", xlabel="$x_1$", ylabel="$x_2$")
    return figure


def square_corners(a: float, delta: float) -> Figure:
    """Picture of the corners of a square: normals far apart with the same labels, and close with other labels."""
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 3.1))
    pairs = [((1.0, 0.0), (1.0, a)), ((1.0 + delta, -1.0), (1.0 - delta, -1.0))]
    for axis, (u, v), word in zip(axes, pairs, ("never disagree", "disagree at half"), strict=True):
        corners = np.array([(x, y) for x in (-1.0, 1.0) for y in (-1.0, 1.0)])
        same = np.sign(corners @ u) == np.sign(corners @ v)
        axis.plot([-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1], color="#BBBBBB", linewidth=1)
        for normal, style in ((u, "-"), (v, "--")):
            along = np.array([-normal[1], normal[0]]) / np.hypot(*normal) * 2.2
            axis.plot([-along[0], along[0]], [-along[1], along[1]], style, color=COLOURS["blue"])
        for corner, fine in zip(corners, same, strict=True):
            axis.plot(*corner, "o" if fine else "X", color=COLOURS["black" if fine else "vermilion"], markersize=10)
        axis.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), aspect="equal")
        axis.set_title(word, loc="center", fontsize=12)
        bare(axis, equal=False)
    return figure


def visible_errors(epsilon: float, rates: Sequence[float], threshold: float) -> Figure:
    """Picture of a broken assumption, wrong labels: the rate of disagreement by the error, and the test's threshold."""
    figure, axis = plt.subplots(figsize=(5.4, 3.4))
    e = np.linspace(0, 2 * epsilon, 50)
    for rate, style, colour in zip(rates, ("-", "-."), ("blue", "vermilion"), strict=True):
        axis.plot(e, rate + (1 - 2 * rate) * e, style, color=COLOURS[colour], label=f"noise {rate:g}")
    axis.axhline(threshold * epsilon, color=COLOURS["black"], linestyle="--", label="plain test")
    moved = rates[-1] + (1 - 2 * rates[-1]) * threshold * epsilon
    axis.axhline(moved, color=COLOURS["black"], linestyle=":", label="shifted test")
    axis.plot([threshold * epsilon] * 2, [threshold * epsilon, moved], "o", color=COLOURS["black"])
    axis.set(xlabel="true error", ylabel="rate of disagreement with the labels", xlim=(0, None), ylim=(0, None))
    axis.legend(loc="upper left", fontsize=9)
    return figure
