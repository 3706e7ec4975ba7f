"""Pictures of the chapter on the assumptions."""

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def wedge_of_directions(points: FloatArray, theta: float) -> Figure:
    """Picture for laws outside the assumptions, rotation-invariant: points moved to the circle."""
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
