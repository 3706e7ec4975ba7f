"""Pictures of chapter 3.2; those of its first page are one short call each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.bounds import amplification
from lifelong_book.halfspaces.perturbation.explorer import perturbation_data, perturbation_explorer
from lifelong_book.halfspaces.perturbation.moving_chain import chain_data, chain_picture
from lifelong_book.halfspaces.perturbation.moving_planes import figure_error, planes_data, planes_picture
from lifelong_book.halfspaces.perturbation.moving_spans import (
    one_vector_instances,
    one_vector_proof,
    printed_proof,
    printed_sides,
    sharp_proof,
    span_instances,
)
from lifelong_book.press.space import arc, arrow, blank, paper, pointer, remark, sheet, words
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lifelong_book.halfspaces.perturbation.scalar import Certificate


def planes() -> Any:
    """Two planes with a common vector, by separation and error."""
    errors = [0.005, 0.01, 0.02, 0.03, 0.045, 0.06, 0.08, 0.09, 0.097, figure_error(), 0.1505, 0.2005]
    return planes_picture(planes_data([0.05, 0.1, 0.15, 0.2], errors), separation=1, error=9)


def lever() -> Any:
    """The slopes of the counterexample, vector by vector."""
    return chain_picture(chain_data([2, 3, 4, 6], 4), separation=2, size=2)


def one_vector_steps() -> Any:
    """The paper's proof of Lemma 2 on four instances."""
    return one_vector_proof(one_vector_instances(rng=0))


def printed_steps() -> Any:
    """The printed proof on five instances."""
    return printed_proof(span_instances(rng=5))


def sharp_steps() -> Any:
    """The proof of the sharp theorem on the same."""
    return sharp_proof(span_instances(rng=5))


def check_the_fold() -> None:
    """What the page says of the printed proof: the third step fails on the random vectors, and the conclusion holds."""
    steps = printed_proof(span_instances(rng=5))
    assert steps.frames[0, 2].marks[2].look.startswith("fails")
    sides = printed_sides(span_instances(rng=5)["random, k = 3"])
    assert [left <= right for left, right in sides] == [n != 2 for n in range(7)]


def explorer() -> Any:
    """Printed bound and chain, by two sliders."""
    data = perturbation_data(np.geomspace(0.05, np.pi / 2, 25), range(1, 11))
    return perturbation_explorer(data, separation=11, size=2)


@drawn
def height_over_plane(alpha: float, beta: float) -> Figure:
    """The picture behind `lem-one-vec`: the height of the estimate over the true plane."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(4.7, 3.0))
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
    blank(axis)
    return figure


@drawn
def lost_separation(gamma: float) -> Figure:
    """The second of three learned vectors, seen along the first: far from the point 0, near the line of the third."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.4))
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
    axis.set(xlim=(-0.03, 0.36), ylim=(-0.03, 0.1))
    blank(axis)
    return figure


@drawn
def long_coefficients(gamma: float) -> Figure:
    """The unit vector of a plane that needs the longest multiples of two learned vectors."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    size = 1 / (2 * np.sin(gamma / 2))
    first, second = np.array([1.0, 0.0]), np.array([np.cos(gamma), np.sin(gamma)])
    red, black = COLOURS["vermilion"], COLOURS["black"]

    pointer(axis, size * first, size * (first - second), "#E8A583", 1.4)
    pointer(axis, (0, 0), size * first, "#E8A583", 1.4)
    pointer(axis, (0, 0), first, red, 2.6)
    pointer(axis, (0, 0), second, red, 2.6)
    pointer(axis, (0, 0), size * (first - second), black, 2.6)
    axis.text(1.0, 0.07, r"$\tilde{a}_1$", color=red, fontsize=14, ha="center")
    words(axis, second, r"$\tilde{a}_2$", (0.02, 0.08), color=red, fontsize=14, ha="center")
    words(axis, size * (first - second), "$u^*_2$", (0.0, -0.13), fontsize=14, ha="center")
    axis.text(0.8 * size, 0.06, f"${size:.2f}\\,\\tilde{{a}}_1$", fontsize=12, color="#8A4B25", ha="center")
    words(axis, size * (first - 0.55 * second), f"$-{size:.2f}\\,\\tilde{{a}}_2$", (0.1, -0.12), fontsize=12,
              color="#8A4B25")  # fmt: skip
    axis.set(xlim=(-0.1, 1.1 * size + 0.1), ylim=(-1.2, 0.75))
    blank(axis)
    return figure


@drawn
def four_factors(factors: Mapping[str, Sequence[float]]) -> Figure:
    """For several sets of vectors: how far an error can be magnified, and three bounds of that, on a common axis."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.1))
    marks = (
        ("s", "orange", "smallest singular value"),
        ("^", "green", "separation from all others"),
        ("o", "purple", "$F_k$, from earlier ones"),
    )
    for i, (exact, *allowed) in enumerate(factors.values()):
        axis.plot([1, exact], [-i, -i], "-", color=COLOURS["blue"], linewidth=9, alpha=0.45, solid_capstyle="butt",
                  label="exact" if i == 0 else None)  # fmt: skip
        shift = 0.0
        for value, (mark, colour, label) in zip(allowed, marks, strict=True):
            axis.plot(value, -i - shift, mark, color=COLOURS[colour], markersize=9, markeredgecolor=COLOURS["black"],
                      label=label if i == 0 else None)  # fmt: skip
            shift += 0.16
    axis.set(xscale="log", xlabel="error of the span / error of a vector", ylim=(-len(factors) + 0.4, 1.9))
    axis.set_yticks([-i for i in range(len(factors))], list(factors), fontsize=11)
    axis.legend(loc="upper left", fontsize=10, ncols=1)
    return figure


@drawn
def amplifications() -> Figure:
    """The factor of `thm-subspace-sharp` over the separation, and the printed one, for several sizes."""
    import matplotlib.pyplot as plt

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
def above_chord() -> Figure:
    """The function of `ineq-scalar` in one angle, for three values of the other, each with its chord."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    alpha = np.linspace(0, np.pi / 2, 201)
    for beta, style in zip((1.4, 1.0, 0.5), ("-", "--", "-."), strict=True):
        curve = np.arcsin(np.sin(alpha) * np.sin(beta))
        axis.plot(alpha, curve, style, color=COLOURS["blue"], label=rf"$\beta$ = {beta}")
        axis.plot([0, np.pi / 2], [0, beta], ":", color=COLOURS["black"], linewidth=1.3)
    axis.set(xlabel=r"$\alpha$", ylabel=r"$g(\alpha)$", xlim=(0, np.pi / 2), ylim=(0, None))
    axis.set_xticks([0, np.pi / 4, np.pi / 2], ["0", "π/4", "π/2"])
    axis.legend()
    return figure


def certificate_map(certificate: Certificate) -> Figure:
    """The boxes of a certificate of `ineq-scalar` over the square, each marked by the quotient that proves it."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    looks = {"inside": ("sky", ""), "right": ("orange", "//"), "top": ("green", "\\\\"), "corner": ("purple", "xx")}
    figure, axis = plt.subplots(figsize=(4.6, 4.4))
    for (x0, x1, y0, y1), region in zip(certificate.boxes, certificate.regions, strict=True):
        colour, hatch = looks[region]
        look: dict[str, Any] = {"facecolor": COLOURS[colour], "alpha": 0.75, "hatch": hatch, "edgecolor": "#333333"}
        axis.add_patch(Rectangle((x0, y0), x1 - x0, y1 - y0, **look))
    centres = {"inside": (0.3, 0.3), "right": (0.84, 0.3), "top": (0.3, 0.84), "corner": (0.9, 0.9)}
    for region, (x, y) in centres.items():
        axis.text(x, y, region, ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    axis.set(xlim=(0, 1), ylim=(0, 1), xlabel=r"$\alpha$ in units of $\pi/2$", ylabel=r"$\beta$ in units of $\pi/2$")
    axis.set_aspect("equal")
    axis.grid(False)
    return figure


@drawn
def shares_violated(separations: FloatArray, shares: Mapping[str, FloatArray]) -> Figure:
    """For each family the share of instances that violate the printed bound, by their separation."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.5))
    for (name, share), look in zip(shares.items(), ("o-", "s--"), strict=True):
        axis.semilogx(separations, share, look, label=name)
    axis.set(xlabel=r"separation $\gamma$ (radians)", ylabel="share that violates", ylim=(-0.03, 1.03))
    axis.set_xticks(separations[::2], [f"{g:g}" for g in separations[::2]])
    axis.minorticks_off()
    axis.legend()
    return figure
