"""Pictures of chapter 3.2; those of its first page are one short call each."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.bounds import amplification
from lifelong_book.halfspaces.perturbation.moving_chain import chain_data, chain_picture
from lifelong_book.halfspaces.perturbation.moving_explorer import perturbation_data, perturbation_explorer
from lifelong_book.halfspaces.perturbation.moving_planes import figure_error, planes_data, planes_picture
from lifelong_book.press.space import arc, arrow, paper, pointer, remark, sheet, words
from lifelong_book.press.style import COLOURS, Figure, bare, drawn, plt


def planes() -> Any:
    """Two planes with a common vector, by separation and error: the picture for Lemma 2 in one short call."""
    errors = [0.005, 0.01, 0.02, 0.03, 0.045, 0.06, 0.08, 0.09, 0.097, figure_error(), 0.1505, 0.2005]
    return planes_picture(planes_data([0.05, 0.1, 0.15, 0.2], errors), separation=1, error=9)


def lever() -> Any:
    """The slopes of the counterexample to Lemma 3, vector by vector: the picture in one short call."""
    return chain_picture(chain_data([2, 3, 4, 6], 4), separation=2, size=2)


def explorer() -> Any:
    """Lemma 3's printed bound and the chain, by two sliders: the picture in one short call."""
    data = perturbation_data(np.geomspace(0.05, np.pi / 2, 25), range(1, 11))
    return perturbation_explorer(data, separation=11, size=2)


@drawn
def height_over_plane(alpha: float, beta: float) -> Figure:
    """Picture for the proof of Lemma 2: the height of the estimate over the true plane."""
    axis = plt.figure(figsize=(4.7, 3.0)).subplots()
    blue, red, black = COLOURS["blue"], COLOURS["vermilion"], COLOURS["black"]
    across = np.array([0, np.cos(alpha), np.sin(alpha)])
    tip = np.cos(beta) * np.eye(3)[0] + np.sin(beta) * across
    foot = tip * (1, 1, 0)
    sheet(axis, 1.25 * np.eye(3)[0], 1.1 * np.eye(3)[1], blue)
    sheet(axis, 1.25 * np.eye(3)[0], 1.05 * across, red, "--")
    arrow(axis, np.eye(3)[0] * 1.12, black, "$U$", (0.06, 0.07))
    arrow(axis, 1.22 * foot, blue, "$b$", (0.07, -0.05))
    arrow(axis, tip, red, r"$\tilde{b}$", (0.09, 0.0), "--")
    axis.plot(*paper([tip, foot]).T, ":", color=black, linewidth=2)
    remark(axis, paper((tip + foot) / 2), r"$\sin\alpha\,\sin\beta$", (0.74, -0.1), fontsize=14, va="center")
    arc(axis, np.eye(3)[0], tip, 0.3, r"$\beta$", (0.14, 0.02))
    edge = np.linspace(0, alpha, 20)
    rim = paper(np.column_stack([0 * edge, 0.8 * np.cos(edge), 0.8 * np.sin(edge)]))
    axis.plot(*rim.T, "-", color="#555555", linewidth=1.3)
    axis.text(rim[10, 0] - 0.08, rim[10, 1], r"$\alpha$", fontsize=14, ha="center", va="center")
    return bare(axis)


@drawn
def lost_separation(gamma: float) -> Figure:
    """Picture for Lemma 3, seen along the first learned vector: the second, far from 0, near the line of the third."""
    axis = plt.figure(figsize=(5.2, 2.4)).subplots()
    tip, line = np.array([np.sin(gamma), 0.0]), np.array([np.cos(gamma), np.sin(gamma)])
    foot = (tip @ line) * line
    reach = 1.32 * tip[0]
    axis.plot(*np.array([-0.06 * line, reach * line]).T, "--", color=COLOURS["vermilion"], linewidth=2)
    pointer(axis, (0, 0), tip, COLOURS["vermilion"], 2.4)
    axis.plot(*np.array([tip, foot]).T, "-", color=COLOURS["black"], linewidth=2)
    axis.plot(0, 0, "o", color=COLOURS["black"], markersize=8)
    axis.text(-0.008, 0.012, r"$\tilde{a}_1$", fontsize=14, ha="right")
    axis.text(tip[0] + 0.006, -0.004, r"$\tilde{a}_2$", fontsize=14, va="center")
    words(axis, reach * line, r"$W$", (0.004, 0.0), fontsize=14, va="center")
    axis.text(tip[0] / 2, -0.017, f"to $\\tilde{{a}}_1$ alone: {np.sin(gamma):.3f}", fontsize=12, ha="center")
    shift = (0.72 * tip[0] - (tip[0] + foot[0]) / 2, 0.35 * tip[0] - foot[1] / 2)
    remark(axis, (tip + foot) / 2, f"to $W$: {np.sin(gamma) ** 2:.3f}", shift, fontsize=12, ha="center")
    return bare(axis, (-0.03, 0.36), (-0.03, 0.1))


@drawn
def amplifications() -> Figure:
    """Picture for Lemma 3: the factor by which errors grow over the separation, and the printed one, for several k."""
    figure, axis = plt.subplots(figsize=(5.2, 3.7))
    gammas, sizes = np.geomspace(0.05, np.pi / 2, 60), (2, 3, 4, 6)
    for k in sizes:
        factor = amplification(k, gammas)
        axis.loglog(gammas, factor, "-", color=COLOURS["blue"])
        axis.text(gammas[0] * 0.94, factor[0], f"$F_{{{k}}}$", fontsize=12, color=COLOURS["blue"], ha="right",
                  va="center")  # fmt: skip
        axis.loglog(gammas, 2 * k / gammas, "--", color=COLOURS["purple"], linewidth=1.5)
    shown = ", ".join(map(str, sizes))
    axis.text(gammas[0], 2.2, f"dashed: $2k/\\gamma$ for\n$k$ = {shown} from below", fontsize=11, color="#8A3F68")
    axis.set(xlabel=r"separation $\gamma$ (radians)", ylabel="error of the span / error of a vector")
    axis.set(xlim=(gammas[0] * 0.7, gammas[-1]))
    return figure


@drawn
def shares_violated(separations: FloatArray, shares: Mapping[str, FloatArray]) -> Figure:
    """Picture for Lemma 3: the share of instances that violate the printed bound, by separation, for each family."""
    figure, axis = plt.subplots(figsize=(5.2, 2.5))
    for (name, share), look in zip(shares.items(), ("o-", "s--"), strict=True):
        axis.semilogx(separations, share, look, label=name)
    axis.set(xlabel=r"separation $\gamma$ (radians)", ylabel="share that violates", ylim=(-0.03, 1.03))
    axis.set_xticks(separations[::2], [f"{g:g}" for g in separations[::2]])
    axis.minorticks_off()
    axis.legend()
    return figure
