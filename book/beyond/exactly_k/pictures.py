"""Pictures of what exactly k features cost, and of targets near a space."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def leaning_plane(turn: float) -> Figure:
    """Two perpendicular targets whose answers lean the same way by an angle, and the sum, which leans more."""
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
    """From the side: the answers lie flat, two spaces of targets lean up and down, and no cone reaches both."""
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


def price_of_extra(extra: FloatArray, price: FloatArray, exactly: float) -> Figure:
    """Labels from scratch, in n/epsilon, over the number of features beyond k; the price of none apart."""
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    axis.plot(extra, price, "-", color=COLOURS["blue"], label="$k+r$ features")
    axis.plot([0], [exactly], "o", color=COLOURS["vermilion"], markersize=8, label="exactly $k$ features")
    axis.set(xlabel="features beyond $k$: $r$", ylabel=r"price in $n/\epsilon$", ylim=(0, None))
    axis.legend()
    return figure


def umbrella(gamma: float, count: int) -> Figure:
    """Targets at one angle around a line, seen a little from above: each leans out along an axis of its own."""
    from matplotlib.patches import Arc

    turn = np.linspace(0, 2 * np.pi, 200)
    tilt = 0.3  # of the circle seen from the side
    axis = plt.figure(figsize=(4.6, 3.4)).subplots()
    axis.plot(np.sin(gamma) * np.cos(turn), np.cos(gamma) + tilt * np.sin(gamma) * np.sin(turn), ":", color="black")
    arrow: dict[str, Any] = {"arrowstyle": "-|>", "linewidth": 1.8}
    axis.annotate("", (0, 1.15), (0, 0), arrowprops={**arrow, "color": COLOURS["blue"]})
    axis.text(0.03, 1.12, "$e_0$", color=COLOURS["blue"], fontsize=12)
    for i, phi in enumerate(np.linspace(0, 2 * np.pi, count, endpoint=False) + 0.3):
        x, y = np.sin(gamma) * np.cos(phi), np.cos(gamma) + tilt * np.sin(gamma) * np.sin(phi)
        axis.annotate("", (x, y), (0, 0), arrowprops={**arrow, "color": COLOURS["vermilion"]})
        outside = 1.08 * x + (0.05 if x > 0 else -0.05) * (y < np.cos(gamma))
        axis.text(outside, 1.08 * y + 0.01, f"$a_{i + 1}$", color=COLOURS["vermilion"], ha="center", fontsize=11)
    lean = np.degrees(np.arctan2(np.cos(gamma) + tilt * np.sin(gamma) * np.sin(0.3), np.sin(gamma) * np.cos(0.3)))
    axis.add_patch(Arc((0, 0), 0.9, 0.9, theta1=lean, theta2=90))
    axis.text(0.14, 0.47, r"$\gamma$", fontsize=12)
    return bare(axis, (-0.75, 0.75), (-0.03, 1.22))


def leaning(leans: FloatArray, opened: NDArray[np.int64], grid: FloatArray, bound: Sequence[float]) -> Figure:
    """Features for targets that lean out of a 5-space by gamma, least to most of three runs, and the bound."""
    k, mean = 5, opened.mean(axis=1)
    spread = [mean - opened.min(axis=1), opened.max(axis=1) - mean]
    solid: dict[str, Any] = {"marker": "o", "linestyle": "-", "capsize": 3}
    figure, axis = plt.subplots(figsize=(6.2, 3.8))
    axis.errorbar(leans, mean, spread, color=COLOURS["vermilion"], label="features", **solid)
    axis.plot(grid, bound, color=COLOURS["black"], linestyle="--", label="volume bound")
    axis.axvline(0.75, color=COLOURS["black"], linestyle=":")
    axis.axhline(k, color=COLOURS["blue"], linewidth=0.9)
    axis.text(1.1, 0.97 * k, f"$k={k}$", ha="right", va="top", color=COLOURS["blue"])
    axis.set(yscale="log", ylim=(0.8 * k, 300), xlabel=r"$\gamma\,/\,\pi\varepsilon$", ylabel="features")
    axis.legend(loc="upper left")
    return figure
