"""The pictures of the page on exactly k features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def error_of_the_sum(
    share: FloatArray, formula: Callable[[int, FloatArray], FloatArray], seen: Mapping[int, Mapping[float, float]]
) -> Figure:
    """The error of the sum over that allowed, against the accuracy, by the formula and as seen."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.4))
    for (k, points), mark in zip(seen.items(), ("o", "s", "^", "D"), strict=True):
        (line,) = axis.plot(share, formula(k, share), label=f"k = {k}")
        for x, y in points.items():
            axis.plot(x, y, mark, color=line.get_color())
    axis.axhline(1, color="0.4", linestyle="--")
    axis.set(xlabel=r"accuracy from scratch, $\epsilon_{acc}/\epsilon$", ylabel=r"error of the sum, over $\epsilon$")
    axis.legend()
    return figure


def leaning_plane(turn: float) -> Figure:
    """Two perpendicular targets whose answers lean the same way by an angle, and the sum, which leans more."""
    import matplotlib.pyplot as plt

    paper = np.array([[-0.8, -0.5], [0.95, -0.42], [0.0, 1.0]])
    lift, half = np.tan(turn), np.sqrt(0.5)
    figure, axis = plt.subplots(figsize=(5.4, 3.4))
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
    axis.set(xlim=(-1.05, 1.25), ylim=(-1.2, 0.12))
    axis.set_aspect("equal")
    axis.axis("off")
    return figure


def two_spaces(theta: float, allowed: float) -> Figure:
    """From the side: the answers lie flat, two spaces of targets lean up and down, and no cone reaches both."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Arc, Wedge

    figure, axis = plt.subplots(figsize=(5.6, 3.2))
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
    axis.set(xlim=(-0.05, 1.55), ylim=(-0.66, 0.68))
    axis.set_aspect("equal")
    axis.axis("off")
    return figure


def price_of_extra(extra: FloatArray, price: FloatArray, exactly: float) -> Figure:
    """Labels from scratch, in n/epsilon, over the number of features beyond k; the price of none apart."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    axis.plot(extra, price, "-", color=COLOURS["blue"], label="$k+r$ features")
    axis.plot([0], [exactly], "o", color=COLOURS["vermilion"], markersize=8, label="exactly $k$ features")
    axis.set(xlabel="features beyond $k$: $r$", ylabel=r"price in $n/\epsilon$", ylim=(0, None))
    axis.legend()
    return figure


def two_prices(sizes: FloatArray, exactly: FloatArray, more: FloatArray) -> Figure:
    """Labels from scratch, in n/epsilon, over k: for exactly k features, and at a fifth of epsilon."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    axis.plot(sizes, exactly, "o-", color=COLOURS["vermilion"], label=r"exactly $k$, accuracy near $\epsilon/\sqrt{k}$")
    axis.plot(sizes, more, "s--", color=COLOURS["blue"], label=r"a few more, accuracy $\epsilon/5$")
    axis.set(xscale="log", yscale="log", xlabel="dimensions $k$", ylabel=r"price in $n/\epsilon$")
    axis.legend()
    return figure


def adding_up(signs: Mapping[str, Sequence[int]]) -> Figure:
    """The same upward errors of several answers, taken with signs: they add up, or cancel."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(signs), figsize=(5.6, 2.2), sharey=True)
    for axis, (title, row) in zip(axes, signs.items(), strict=True):
        total = sum(row) / len(row) ** 0.5
        axis.bar(range(len(row)), row, width=0.6, color=COLOURS["sky"], edgecolor=COLOURS["blue"])
        axis.bar([len(row) + 0.6], [total], width=0.6, color=COLOURS["vermilion"], hatch="//", edgecolor="white")
        axis.axhline(0, color=COLOURS["black"], linewidth=1, linestyle="-")
        axis.text(len(row) + 0.6, total + 0.15, f"{total:.3g}", ha="center", fontsize=10.5)
        names = [*(f"$e_{i + 1}$" for i in range(len(row))), "sum"]
        axis.set_xticks([*range(len(row)), len(row) + 0.6], names)
        axis.set(title=title, ylim=(-1.4, 2.7))
        axis.grid(visible=False)
    axes[0].set_ylabel("error, in units of one")
    return figure
