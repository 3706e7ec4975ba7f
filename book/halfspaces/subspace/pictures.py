"""The drawings of chapter 3.3: the algorithm, four targets in three dimensions, and volumes in a slab."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray
from lifelong_book.press.style import COLOURS, Axes, Figure, bare, plt

#: Where the three axes of space stand on paper.
_PAPER = np.array([[-0.62, -0.42], [1.0, -0.12], [0.0, 1.0]])


def _arrow(axis: Axes, tip: ArrayLike, colour: str, *, style: str = "-") -> None:
    x, y = np.asarray(tip, dtype=float)
    axis.plot([0, x], [0, y], linestyle=style, color=colour)
    axis.annotate("", (x, y), (0.9 * x, 0.9 * y), arrowprops={"arrowstyle": "-|>", "color": colour})


def _word(axis: Axes, at: ArrayLike, text: str, colour: str = "black", **kwargs: Any) -> None:
    x, y = np.asarray(at, dtype=float)
    axis.text(x, y, text, color=COLOURS.get(colour, colour), **{"ha": "center", "va": "center", **kwargs})


def _on_circle(turn: ArrayLike, radius: float = 1.0) -> FloatArray:
    t = np.asarray(turn, dtype=float)
    points: FloatArray = radius * np.stack([np.cos(t), np.sin(t)], axis=-1)
    return points


def reuse_wedge(allowed: float, inside: float, outside: float, error: float) -> Figure:
    """Picture of Algorithm 1: a learned direction, the wedge of targets it serves, one inside of it, one rejected."""
    axis = plt.figure(figsize=(5.2, 2.7)).subplots()
    for turn in (0.0, np.pi):
        fan = _on_circle(turn + np.linspace(-allowed, allowed, 40), 1.12)
        axis.fill(*np.vstack([[0, 0], fan, [0, 0]]).T, color=COLOURS["vermilion"], alpha=0.16, linestyle="none")
    axis.plot([-1.12, 1.12], [0, 0], color=COLOURS["vermilion"], linewidth=1, linestyle="--")
    _arrow(axis, (1.0, 0.0), COLOURS["vermilion"])
    _word(axis, (1.08, -0.07), r"$\tilde w_1$", "vermilion", fontsize=13)
    _arrow(axis, _on_circle(inside), COLOURS["blue"])
    _word(axis, np.add(_on_circle(inside, 1.09), (0.4, 0.05)), "target inside:\nreused", "blue")
    _arrow(axis, _on_circle(outside), COLOURS["blue"])
    _word(axis, np.add(_on_circle(outside, 1.0), (0.42, 0.03)), "target outside:\nrejected", "blue")
    _arrow(axis, _on_circle(outside + error), COLOURS["vermilion"], style="--")
    place = np.add(_on_circle(outside + error, 1.05), (-0.42, 0.0))
    _word(axis, place, "learned from\nscratch: " + r"$\tilde w_2$", "vermilion")
    _word(axis, (-0.62, 0.0), "error at most $\\epsilon$\nin the span", "black")
    axis.plot(*_on_circle(np.linspace(0, allowed, 30), 0.55).T, color=COLOURS["black"], linewidth=1)
    _word(axis, _on_circle(1.25 * allowed, 0.62), r"$\pi\epsilon$", fontsize=11)
    return bare(axis, (-1.2, 1.78), (-0.38, 1.14))


def four_targets(turn: float) -> Figure:
    """Picture of the example against Theorem 1: its targets on an octant of the sphere, with `turn` for 1/318."""
    axis = plt.figure(figsize=(5.2, 2.9)).subplots()
    quarter = np.linspace(0, np.pi / 2, 60)
    for i, j in ((0, 1), (1, 2), (2, 0)):
        arc = np.outer(np.cos(quarter), np.eye(3)[i]) + np.outer(np.sin(quarter), np.eye(3)[j])
        axis.plot(*(arc @ _PAPER).T, color="0.7", linewidth=1, linestyle="-")
    for i in range(3):
        axis.plot(*np.vstack([[0, 0], 1.0 * _PAPER[i]]).T, color="0.7", linewidth=1, linestyle=":")
    c, s = np.cos(turn), np.sin(turn)
    targets = np.array([[1, 0, 0], [c, s, 0], [0, c, s], [0, 0, 1]]) @ _PAPER
    words = ((-0.1, -0.09), (0.14, -0.11), (0.14, 0.02), (-0.1, 0.08))
    for i, (tip, shift) in enumerate(zip(targets, words, strict=True)):
        _arrow(axis, tip, COLOURS["blue"])
        _word(axis, tip + shift, f"$a_{i + 1}$", "blue", fontsize=13)
    axis.plot(*targets[1], "o", color=COLOURS["vermilion"], markersize=9, markerfacecolor="none", markeredgewidth=2)
    _word(axis, targets[1] + [0.85, -0.3], "learned with an error\ninto a fourth dimension", "vermilion")
    _word(axis, _PAPER[1] + [0.12, 0.0], "$e_2$", "0.4", fontsize=12)
    return bare(axis, (-1.0, 1.6), (-0.92, 1.15))


def levers(step: float, error: float, allowed: float) -> Figure:
    """Picture of the example against Theorem 1: an error becomes a tilt of the span, and the tilt a larger one."""
    figure, axes = plt.subplots(2, 1, figsize=(5.2, 3.5))
    far, rise = 1.0, 0.42
    power = _scientific(error)
    ways = (
        (axes[0], "$e_1$", "$e_2$", rf"$\delta={power}$", 0.0, rise, f"slope along $e_2$:\n${power}$"),
        (axes[1], "$e_2$", "$e_3$", rf"${step:g}\,\delta$", rise, 0.0, f"slope along $e_3$:\n{step * error:.5f}"),
    )
    for axis, first, second, height, up, end, slope in ways:
        axis.plot([0, far + 0.35], [0, 0], color=COLOURS["blue"], linewidth=1.2)
        axis.plot([0, far, far + 0.2], [0, up, end], color=COLOURS["vermilion"], marker="o", linestyle="-")
        top = (far + 0.2, end) if end else (far, up)
        axis.plot([top[0], top[0]], [0, top[1]], color=COLOURS["black"], linestyle="--", linewidth=1)
        side = 1 if end else -1
        _word(axis, (top[0] + 0.03 * side, 0.55 * top[1]), height, ha="left" if end else "right")
        _word(axis, (far / 2, -0.09), f"{step:g} steps along {first}", "blue")
        _word(axis, (far + 0.12, -0.09), f"1 along {second}", "blue", ha="left")
        _word(axis, (1.04, 0.36) if end else (1.17, 0.38), slope, "vermilion", ha="right" if end else "left")
        bare(axis, (-0.03, 1.62), (-0.16, 0.5), equal=False)
    _word(axes[0], (0, 0.07), "height 0 at $a_1$", ha="left")
    _word(axes[0], (1.23, rise), "$\\tilde a_2$", "vermilion", ha="left", fontsize=13)
    _word(axes[1], (1.23, 0.07), "$a_3$: height 0", "vermilion", ha="left")
    _word(axes[1], (1.17, 0.24), f"allowed: {allowed:.5f}", ha="left")
    return figure


def _scientific(x: float) -> str:
    power = int(np.floor(np.log10(x)))
    return rf"10^{{{power}}}"


def features_so_far(streams: Any, k: int, bound: float) -> Figure:
    """Picture of runs of Algorithm 1: features after each task, beside the number of dimensions and a bound."""
    figure, axis = plt.subplots(figsize=(5.2, 2.4))
    # where the staircases agree the later, thinner one lies on the earlier, wider one; a mark stands at the end of each
    looks = (("-", 5.0, "o", 0.45, (7, 5)), ("-", 2.6, "s", 1.0, (-4, 10)), ("-", 1.2, "^", 1.0, (8, 0)))
    for (name, counts), (style, width, mark, shade, shift) in zip(streams.items(), looks, strict=False):
        places = np.arange(1, len(counts) + 1)
        (line,) = axis.step(places, counts, style, where="post", label=name, linewidth=width, alpha=shade)
        colour = line.get_color()
        axis.plot(places[-1:], counts[-1:], mark, color=colour, markersize=8, zorder=4)
        look: dict[str, Any] = {"textcoords": "offset points", "va": "center", "color": colour, "fontsize": 11}
        axis.annotate(f"{counts[-1]:g}", (places[-1], counts[-1]), shift, ha="left", **look)
    axis.axhline(k, color=COLOURS["purple"], linestyle=(0, (1, 1)), label="$k$, as printed")
    axis.axhline(bound, color=COLOURS["black"], linestyle="--", label="volume bound")
    axis.set(xlabel="tasks so far (from 20 on logarithmic)", ylabel="features")
    axis.set_xscale("symlog", linthresh=20, linscale=2.5)  # the first tasks, where features are added, one by one
    axis.set_xticks([1, 5, 10, 15, 20, 50], ["1", "5", "10", "15", "20", "50"])
    axis.axvline(20, color="#808080", linewidth=0.8)
    axis.minorticks_off()
    axis.set_ylim(0, 1.65 * max(bound, max(max(seen) for seen in streams.values())))
    axis.set_xlim(None, 1.6 * max(20, *map(len, streams.values())))  # room for the last number
    axis.legend(loc="upper left", ncols=2)
    return figure


def tilts(turned: FloatArray, printed: FloatArray, allowed: float) -> Figure:
    """Picture for Theorem 1: the tilt of the learned span after each feature, what is printed, and what is allowed."""
    figure, axis = plt.subplots(figsize=(5.2, 3.6))
    places = np.arange(1, len(turned) + 1)
    axis.axhline(allowed, color=COLOURS["black"], linestyle="--", linewidth=1.4)
    axis.plot(places, turned, "o-", color=COLOURS["blue"])
    axis.plot(places, printed, "s:", color=COLOURS["purple"], fillstyle="none", linewidth=1.6)
    _word(axis, (1.0, 1.35 * allowed), r"allowed a task: $\sin\pi\epsilon$", ha="left", va="bottom")
    _word(axis, (places[-1] - 0.3, 1.15 * turned[-1]), "a right angle", "blue", ha="right")
    _word(axis, (places[-3] - 0.3, 1.2 * turned[-3]), "measured", "blue", ha="right", va="bottom")
    said = r"Lemma 3 as printed: $2i\eta/\gamma$"
    _word(axis, (places[-1], 0.4 * printed[-1]), said, "#8A3F68", ha="right", va="top")
    axis.set(yscale="log", xlabel="features learned $i$", ylabel="sine of the tilt of the span", xticks=places)
    axis.set_ylim(0.5 * min(turned[0], printed[0]), 3)
    return figure


def growing_fan(turns: Sequence[float]) -> Figure:
    """Picture of Algorithm 1's chapter, a fan that opens many features: targets in a plane."""
    axis = plt.figure(figsize=(5.2, 2.6)).subplots()
    axis.plot(*_on_circle(np.linspace(0, np.pi / 2, 80)).T, color="0.8", linestyle="-", linewidth=1)
    _arrow(axis, (1.0, 0.0), COLOURS["blue"])
    _word(axis, (1.08, -0.03), "$e_1$", "blue", fontsize=12)
    for i, turn in enumerate(turns, start=1):
        tip = _on_circle(turn)
        _arrow(axis, tip, COLOURS["blue"])
        axis.plot([tip[0], tip[0]], [0, tip[1]], linestyle=":", color=COLOURS["black"], linewidth=1)
        power = "" if i == 1 else r"\rho" if i == 2 else rf"\rho^{i - 1}"
        _word(axis, np.add(tip, (0.05, 0.03)), rf"$s_0{power}$", ha="left", fontsize=11)
    _word(axis, (-0.08, 1.0), "$e_j$", "blue", fontsize=12)
    return bare(axis, (-0.5, 1.6), (-0.12, 1.12))


def strip(s: float, t: float) -> Figure:
    """Picture of Algorithm 1's chapter, the volume bound: two unit vectors in a strip of half-width t, far apart."""
    lean = np.arcsin(t)
    first, second = (np.array([np.cos(lean), way * np.sin(lean)]) for way in (-1, 1))
    foot = (first @ second) * first
    axis = plt.figure(figsize=(5.2, 1.35)).subplots()
    axis.fill([0, 2.1, 2.1, 0], [-t, -t, t, t], facecolor=COLOURS["sky"], alpha=0.25)
    axis.plot([0, 2.1], [0, 0], color=COLOURS["blue"], linewidth=1.2, linestyle="-")
    corners = np.array([[0.0, 0.0], first, first + second, second])
    axis.fill(*corners.T, facecolor=COLOURS["vermilion"], alpha=0.14, edgecolor=COLOURS["vermilion"])
    for end, name, drop in ((first, r"$\tilde a_1$", -0.09), (second, r"$\tilde a_2$", 0.09)):
        _arrow(axis, end, COLOURS["vermilion"])
        axis.text(end[0], end[1] + drop, name, ha="center", va="center", fontsize=13)
    axis.plot(*np.array([second, foot]).T, ":", color=COLOURS["black"], linewidth=1.8)
    reach = float(np.linalg.norm(second - foot))
    look: dict[str, Any] = {"facecolor": "white", "edgecolor": "none", "pad": 1, "alpha": 0.85}
    axis.text(0.5 * (second + foot)[0] - 0.03, 0, f"{reach:.2f}", ha="right", va="center", fontsize=11, bbox=look)
    axis.plot([-0.12, -0.12], [-s / 2, s / 2], "-", color=COLOURS["black"], linewidth=3)
    axis.text(-0.15, 0, f"$s={s:.2f}$", ha="right", va="center", fontsize=11)
    axis.text(2.12, t, f"$t={t:.2f}$", ha="left", va="center", fontsize=11)
    axis.text(2.12, 0, "$V$", ha="left", va="center", fontsize=12, color=COLOURS["blue"])
    return bare(axis, (-0.46, 2.4), (-0.29, 0.29))
