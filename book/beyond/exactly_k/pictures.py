"""Pictures of what exactly k dimensions cost."""

from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


def leaning_plane(turn: float) -> Figure:
    """A picture of why exactly k features fail: two answers lean the same way, and the sum leans more."""
    paper = np.array([[-0.8, -0.5], [0.95, -0.42], [0.0, 1.0]])
    lift, half = np.tan(turn), np.sqrt(0.5)
    axis = plt.figure(figsize=(5.4, 3.4)).subplots()
    sheets = (
        (np.array([[0, 0, 0], [1.15, 0, 0], [1.15, 1.15, 0], [0, 1.15, 0]]), "blue", "$V$"),
        (np.array([[0, 0, 0], [1.15, 0, lift], [1.15, 1.15, 2 * lift], [0, 1.15, lift]]), "vermilion", r"$\tilde V$"),
    )
    for sheet, colour, word in sheets:
        corners = sheet @ paper
        axis.fill(*corners.T, color=COLOURS[colour], alpha=0.15, linestyle="none")
        axis.plot(*corners[[0, 1, 2, 3, 0]].T, "-", color=COLOURS[colour], linewidth=0.7)
        axis.text(
            corners[3, 0] + 0.09, corners[3, 1], word, color=COLOURS[colour], fontsize=12, ha="center", va="center"
        )
    arrows = (
        ((1, 0, 0), "blue", "$a_1$", (0.12, -0.06)),
        ((0, 1, 0), "blue", "$a_2$", (-0.12, -0.1)),
        ((half, half, 0), "blue", "sum", (-0.15, -0.04)),
        ((1, 0, lift), "vermilion", r"$\tilde a_1$", (-0.06, 0.08)),
        ((0, 1, lift), "vermilion", r"$\tilde a_2$", (0.06, 0.08)),
        ((half, half, 2 * half * lift), "vermilion", "", (0.0, 0.0)),
    )
    for tip, colour, word, shift in arrows:
        end = np.array(tip, dtype=float) @ paper
        axis.annotate("", end, (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS[colour], "linewidth": 1.6})
        axis.text(
            end[0] + shift[0], end[1] + shift[1], word, color=COLOURS[colour], fontsize=12, ha="center", va="center"
        )
    drops = (
        ((1, 0), lift, "$h$", -0.07),
        ((0, 1), lift, "$h$", 0.07),
        ((half, half), 2 * half * lift, r"$\sqrt{2}\,h$", 0.13),
    )
    for base, high, word, aside in drops:
        ends = np.array([[*base, 0], [*base, high]]) @ paper
        axis.plot(*ends.T, "--", color=COLOURS["black"], linewidth=1)
        axis.text(ends[0, 0] + aside, ends[:, 1].mean(), word, fontsize=11, ha="center", va="center")
    return bare(axis, (-1.05, 1.25), (-1.2, 0.12))


def two_spaces(theta: float, allowed: float) -> Figure:
    """A picture from the side: k answers lie flat, two k-spaces of targets lean up and down, no cone reaches both."""
    from matplotlib.patches import Arc, Wedge

    axis = plt.figure(figsize=(5.6, 3.2)).subplots()
    tilt = 0.3 * theta
    degrees = np.degrees([tilt - allowed, tilt + allowed])
    axis.add_patch(Wedge((0, 0), 1.0, *degrees, color=COLOURS["green"], alpha=0.18, linewidth=0))
    rays = (
        (theta, "blue", "-", "$V$: its sum $a$"),
        (tilt, "green", "-.", "a space $S$"),
        (0.0, "vermilion", "--", r"the answers, $\tilde V$"),
        (-theta, "blue", "-", "$V'$: its sum $a'$"),
    )
    for angle, colour, style, word in rays:
        end = np.array([np.cos(angle), np.sin(angle)])
        axis.plot([0, end[0]], [0, end[1]], style, color=COLOURS[colour], linewidth=2)
        axis.text(1.04 * end[0], 1.04 * end[1], word, color=COLOURS[colour], fontsize=11, va="center")
    for sign in (1, -1):
        start, stop = sorted((0.0, sign * np.degrees(theta)))
        axis.add_patch(Arc((0, 0), 0.8, 0.8, theta1=start, theta2=stop))
        axis.text(
            0.36 * np.cos(theta / 2), 0.36 * sign * np.sin(theta / 2), r"$\theta$", ha="right", va="center", fontsize=11
        )
    axis.annotate("", (0, 0.62), (0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["black"]})
    axis.text(0.03, 0.6, "$f$", va="center", fontsize=11)
    return bare(axis, (-0.05, 1.55), (-0.66, 0.68))


@drawn
def ellipse(vectors: FloatArray, eigenvalue: float) -> Figure:
    """A picture for exactly k: which large directions are searched, axes of an ellipse above a threshold."""
    values, axes = np.linalg.eigh(vectors.T @ vectors)
    turn = np.linspace(0, 2 * np.pi, 200)
    axis = plt.figure(figsize=(5.8, 1.8)).subplots()
    rim = (axes * np.sqrt(values)) @ np.array([np.cos(turn), np.sin(turn)])
    axis.plot(*rim, "-", color=COLOURS["green"])
    axis.fill(*rim, color=COLOURS["green"], alpha=0.12)
    axis.plot(np.sqrt(eigenvalue) * np.cos(turn), np.sqrt(eigenvalue) * np.sin(turn), "--", color=COLOURS["black"])
    for v in vectors:
        arrow: dict[str, Any] = {"arrowstyle": "-|>", "color": COLOURS["vermilion"], "linewidth": 1.6}
        axis.annotate("", v, (0, 0), arrowprops=arrow)
    for value, direction in zip(values, axes.T, strict=True):
        end = direction * np.sqrt(value) * (1 if direction.sum() > 0 else -1)
        large = value > eigenvalue
        colour, word = (COLOURS["green"], "searched") if large else (COLOURS["black"], "not searched")
        axis.plot([-end[0], end[0]], [-end[1], end[1]], ":" if not large else "-", color=colour, linewidth=1.2)
        if large:
            axis.text(1.05 * end[0], 1.05 * end[1], word, ha="left", va="center", color=colour)
        else:  # outside the circle, with a line to the axis that is meant
            aside = (-1.6 * np.sqrt(eigenvalue), 1.5 * np.sqrt(eigenvalue))
            line: dict[str, Any] = {"arrowstyle": "-", "color": colour, "linewidth": 0.8}
            axis.annotate(word, 0.8 * end, aside, ha="right", va="center", color=colour, arrowprops=line)
    reach = 1.1 * np.sqrt(values.max())
    return bare(axis, (-reach, 1.5 * reach), (-0.24 * reach, 0.38 * reach))
