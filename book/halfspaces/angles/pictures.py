"""Pictures of chapter 3.1."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray
from lifelong_book.press.space import words
from lifelong_book.press.style import COLOURS, Axes, Figure, bare, plt

_SIDE = np.sqrt(3)  # half a side of the square with variance 1


def _ray(angle: float, reach: float) -> FloatArray:
    return reach * np.array([np.cos(angle), np.sin(angle)])


def _line(axis: Axes, angle: float, reach: float, colour: str, style: str) -> None:
    end = _ray(angle, reach)
    axis.plot([-end[0], end[0]], [-end[1], end[1]], style, color=colour)


def _wedge(axis: Axes, turns: FloatArray, lengths: ArrayLike, colour: str, alpha: float) -> list[Any]:
    """What lies between the first and the last of some directions, on both sides of the origin, up to some lengths."""
    rim = np.column_stack([np.cos(turns), np.sin(turns)]) * np.reshape(lengths, (-1, 1))
    look: dict[str, Any] = {"color": COLOURS[colour], "alpha": alpha, "linestyle": "none"}
    return [axis.fill(*np.vstack([np.zeros(2), sign * rim]).T, **look)[0] for sign in (1, -1)]


def _square(axis: Axes) -> None:
    corners = _SIDE * np.array([[-1, -1, 1, 1, -1], [-1, 1, 1, -1, -1]])
    axis.plot(*corners, "-", color=COLOURS["black"], linewidth=1)


def double_wedge(start: float, width: float, clouds: Mapping[str, FloatArray]) -> Figure:
    """Picture of angle and error: two halfspaces in the plane, and the examples on which they disagree."""
    from matplotlib.patches import Circle, Rectangle

    reach = 2.9
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 3.3))
    turns = np.linspace(start, start + width, 40)
    for axis, (name, points) in zip(axes, clouds.items(), strict=True):
        for wedge in _wedge(axis, turns, reach, "vermilion", 0.2):
            if axis is axes[1]:  # the square is all there is
                wedge.set_clip_path(Rectangle((-_SIDE, -_SIDE), 2 * _SIDE, 2 * _SIDE, transform=axis.transData))
        normals = [_ray(turn + np.pi / 2, 1) for turn in (start, start + width)]
        wrong = (points @ normals[0] > 0) != (points @ normals[1] > 0)
        axis.plot(*points[~wrong].T, ".", color="#9A9A9A", markersize=3)
        axis.plot(*points[wrong].T, "x", color=COLOURS["vermilion"], markersize=5, markeredgewidth=1.3)
        _line(axis, start, reach, COLOURS["blue"], "-")
        _line(axis, start + width, reach, COLOURS["vermilion"], "--")
        bare(axis, (-reach, reach), (-reach, reach))
        axis.set_title(f"{name}\n{np.mean(wrong):.0%} of {len(points)} wrong", loc="center")
    for radius in (1, 2):
        axes[0].add_patch(Circle((0, 0), radius, fill=False, color=COLOURS["black"], linewidth=0.7))
    _square(axes[1])
    words(axes[0], _ray(start - 0.24, 2.6), "target", (0.22, -0.05), color=COLOURS["blue"], ha="center", fontsize=11)
    look: dict[str, Any] = {"color": COLOURS["vermilion"], "ha": "right", "fontsize": 11}
    look["bbox"] = {"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8}  # examples lie below
    words(axes[0], _ray(start + width, 2.62), "learned", (-0.32, 0), **look)
    return figure


def wedges_of_the_square(width: float) -> Figure:
    """Picture of Lemma 1 on the square: one angle along an axis, and along a diagonal, where it is longer."""
    figure, axes = plt.subplots(1, 2, figsize=(5.4, 3.1))
    reaches = ((0.0, _SIDE, r"$\sqrt{3}$"), (np.pi / 4, np.sqrt(6), r"$\sqrt{6}$"))
    for axis, (direction, reach, text) in zip(axes, reaches, strict=True):
        turns = np.linspace(direction - width / 2, direction + width / 2, 41)
        _wedge(axis, turns, _SIDE / np.maximum(np.abs(np.cos(turns)), np.abs(np.sin(turns))), "vermilion", 0.35)
        _square(axis)
        for turn, colour, style in ((turns[0], "blue", "-"), (turns[-1], "vermilion", "--")):
            _line(axis, turn, reach * 1.04, COLOURS[colour], style)
        place = _ray(direction + width / 2 + 0.16, 0.62 * reach)
        words(axis, place, text, ha="center", va="center", fontsize=13)
        bare(axis, (-1.95, 1.95), (-1.95, 1.95))
    for axis, title in zip(axes, ("along an axis: rate 1/4", "along a diagonal: rate 1/2"), strict=True):
        axis.set_title(title, loc="center")
    return figure


def swept(phi: float, step: float, radius: float, thickness: float) -> Figure:
    """Picture for the proof of Lemma 1: a boundary turns by a small step, and what it sweeps at one radius."""
    axis = plt.figure(figsize=(5.2, 2.8)).subplots()
    for turn, style in ((phi, "-"), (phi + step, "--")):
        end, back = _ray(turn, 3.3), _ray(turn, -1.3)
        axis.plot([back[0], end[0]], [back[1], end[1]], style, color=COLOURS["black"], linewidth=1.4)
    for sign, shade in ((1, 0.5), (-0.45, 0.28)):
        arc = np.linspace(phi, phi + step, 20)
        inner, outer = radius * sign, (radius + thickness) * sign
        corners = np.vstack([[_ray(t, inner) for t in arc], [_ray(t, outer) for t in arc[::-1]]])
        axis.fill(*corners.T, color=COLOURS["vermilion"], alpha=shade, linestyle="none")
    axis.plot([-1.3, 3.4], [0, 0], ":", color="#777777", linewidth=1)
    arc = np.linspace(0, phi, 20)
    axis.plot(0.9 * np.cos(arc), 0.9 * np.sin(arc), "-", color="#777777", linewidth=1)
    words(axis, _ray(phi / 2, 1.05), r"$\varphi$", fontsize=14, va="center")
    words(axis, _ray(phi + step + 0.11, radius + thickness / 2), r"$|r|\,d\varphi$", fontsize=13, ha="right")
    words(axis, _ray(phi - 0.09, radius + thickness / 2), "$dr$", fontsize=13)
    axis.plot(0, 0, "o", color=COLOURS["black"], markersize=4)
    return bare(axis, (-1.4, 3.5), (-0.75, 1.87))


def rates_around(phi: FloatArray, rates: Mapping[str, FloatArray]) -> Figure:
    """Picture of Lemma 1: disagreements per radian under each law, as radii over the direction of the boundary."""
    rows = -(-len(rates) // 2)
    figure, axes = plt.subplots(rows, 2, figsize=(5.0, 6.4 * rows / 3), subplot_kw={"projection": "polar"})
    for axis in axes.flat[len(rates) :]:
        axis.remove()
    for axis, (name, radii) in zip(axes.flat, rates.items(), strict=False):
        axis.plot(phi, radii, "-", color=COLOURS["blue"])
        axis.plot(phi, np.full_like(phi, 1 / np.pi), "--", color=COLOURS["black"], linewidth=1.2)
        if np.ptp(radii) > 1e-9:
            ends = (radii > radii.max() - 1e-9).argmax(), (radii < radii.min() + 1e-9).argmax()  # the first of several
            for place, mark, colour in zip(ends, "^o", ("vermilion", "blue"), strict=True):
                axis.plot(phi[place], radii[place], mark, color=COLOURS[colour], markersize=7)
        axis.set_title(f"{name}\n{radii.min():.3f} to {radii.max():.3f}", loc="center", fontsize=11)
        axis.set(rlim=(0, 0.68), rticks=[0.2, 0.4, 0.6])
        axis.set_yticklabels([])
        axis.set_xticks(np.pi / 4 * np.arange(0, 8, 2), ["0°", "90°", "180°", "270°"], fontsize=9)
        axis.tick_params(pad=-2)
    return figure


def squeezed(radius: FloatArray, density: FloatArray, tail: FloatArray, disc: tuple[float, float]) -> Figure:
    """Picture for the proof of Lemma 1: the density along a ray, an exponential above it, a disc below it."""
    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    look: dict[str, Any] = {"color": COLOURS["green"], "alpha": 0.3, "hatch": "//", "edgecolor": "white"}
    axis.fill_between([0, disc[0]], 0, disc[1], label="below: $k_1$ up to $k_2$", **look)
    axis.plot(radius, tail, "--", color=COLOURS["black"], label=r"above: $k_3\,e^{-k_4 r}$")
    axis.plot(radius, density, "-", color=COLOURS["blue"], label="the density")
    axis.annotate("$k_1$", (0, disc[1]), (-6, 0), textcoords="offset points", fontsize=11, ha="right", va="center")
    axis.plot([disc[0], disc[0]], [0, disc[1]], "-", color=COLOURS["green"])
    axis.text(1.08 * disc[0], 0.15 * disc[1], "$k_2$", fontsize=11)
    axis.set(xlabel="distance $r$ from the origin, along a ray", ylabel="height", xlim=(0, radius[-1]), ylim=(0, None))
    axis.set_yticks([])
    axis.legend(loc="upper right", fontsize=11)
    return figure


def two_lines_among_bumps(points: FloatArray, wedge: float) -> Figure:
    """Picture of Lemma 1 and angles: four bumps, a boundary through two of them, and one that meets nobody."""
    axis = plt.figure(figsize=(4.2, 3.4)).subplots()
    axis.plot(*points.T, ".", color="#8A8A8A", markersize=3)
    for direction, colour in ((0.0, "vermilion"), (np.pi / 4, "blue")):
        _wedge(axis, np.linspace(direction - wedge / 2, direction + wedge / 2, 20), 2.6, colour, 0.25)
        for turn, style in ((direction - wedge / 2, "-"), (direction + wedge / 2, "--")):
            _line(axis, turn, 2.6, COLOURS[colour], style)
    look: dict[str, Any] = {"color": COLOURS["blue"], "fontsize": 11, "ha": "left"}
    words(axis, _ray(np.pi / 4, 2.2), "nothing here", (0.28, -0.28), **look)
    axis.text(2.0, -0.75, "much here", color=COLOURS["vermilion"], fontsize=11, ha="center")
    return bare(axis, (-2.7, 2.7), (-2.15, 2.15))
