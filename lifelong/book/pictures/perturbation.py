"""Pictures of chapter 3.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lifelong.halfspaces.scalar import Certificate


def _plane(axis: Any, u: Any, v: Any, colour: str, hatch: str) -> None:
    """Draw the part of span(u, v) inside the box of the axes, as a shaded parallelogram."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    corners = np.array([s * u + t * v for s, t in ((0, -1), (1.12, -1), (1.12, 1), (0, 1))])
    plane = Poly3DCollection([corners], facecolor=colour, alpha=0.18, edgecolor=colour, linestyle=hatch)
    axis.add_collection3d(plane)


def _arrow(axis: Any, v: Any, colour: str, text: str, offset: tuple[float, float], style: str = "-") -> None:
    axis.plot(*np.stack([0 * v, v], axis=1), color=colour, linestyle=style, marker="o", markevery=[1])
    axis.text(v[0] + 0.03, v[1] + offset[0], v[2] + offset[1], text, color=colour, fontsize=11)


def perturbation_planes(vectors: Mapping[str, FloatArray]) -> Figure:
    """`fig-perturbation` in three dimensions; the axes across are stretched, ticks are true.

    The vectors are those of `lifelong.halfspaces.perturbation.figure_vectors`.
    """
    import matplotlib.pyplot as plt

    v, side, up = vectors, np.array([0, 0.12, 0]), np.array([0, 0, 0.12])
    figure, axes = plt.subplots(1, 2, figsize=(7, 3.9), subplot_kw={"projection": "3d"})
    blue, red = COLOURS["blue"], COLOURS["vermilion"]
    _plane(axes[0], v["w2"], side, blue, "-")
    _plane(axes[0], v["w2~"], up, red, "--")
    _arrow(axes[0], v["w1"], blue, "$w_1$", (0.012, -0.03))
    _arrow(axes[0], v["w1~"], red, r"$\tilde{w}_1$", (0.0, 0.012), "--")
    _arrow(axes[0], v["w2"], COLOURS["black"], r"$w_2=\tilde{w}_2$", (-0.1, -0.035))
    tilt = v["b~"] - (v["b~"] @ v["a1"]) * v["a1"]
    _plane(axes[1], v["a1"], side, blue, "-")
    _plane(axes[1], v["a1"], 0.12 * tilt / np.linalg.norm(tilt), red, "--")
    _arrow(axes[1], v["b"], blue, "$b$", (0.012, -0.03))
    _arrow(axes[1], v["b~"], red, r"$\tilde{b}$", (0.0, 0.014), "--")
    _arrow(axes[1], v["a1"], COLOURS["black"], "$a_1$", (-0.05, -0.035))
    for axis, title in zip(axes, ("(a) orthogonal planes", "(b) close planes"), strict=True):
        axis.set(xlim=(0, 1.12), ylim=(-0.12, 0.12), zlim=(-0.12, 0.12), title=title)
        axis.set(xlabel="x", ylabel="y", zlabel="z", xticks=(0, 0.5, 1), yticks=(-0.1, 0, 0.1), zticks=(-0.1, 0, 0.1))
        axis.view_init(elev=18, azim=-62)
        axis.set_box_aspect((1.3, 1, 1), zoom=0.8)
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


def one_vec_ratios(errors: FloatArray, ratios: Mapping[str, FloatArray]) -> Figure:
    """Angles between spans over two bounds, against the error of the vector that was replaced."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6, 3.2))
    for (name, ratio), mark in zip(ratios.items(), "ox", strict=True):
        axis.semilogx(errors, ratio, marker=mark, label=name, linestyle="", alpha=0.65)
    axis.axhline(1, color=COLOURS["black"], linestyle="-", linewidth=1)
    axis.set(xlabel=r"error $\theta(\tilde b, b)$ (radians)", ylabel="measured / bound", ylim=(0, 1.05))
    axis.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=2)
    return figure


def shares_below(ratios: Mapping[str, FloatArray]) -> Figure:
    """For each family the share of instances whose ratio to the printed bound is below a value."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.4))
    for name, r in ratios.items():
        axis.plot(np.sort(r), np.linspace(0, 1, len(r)), label=name)
    axis.axvline(1, color=COLOURS["black"], linestyle="-", linewidth=1)
    axis.set(xscale="log", xlabel="measured / printed bound", ylabel="share of instances below")
    axis.legend(loc="lower right")
    return figure
