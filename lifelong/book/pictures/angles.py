"""Pictures of chapter 3.1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rates_around(phi: FloatArray, rates: Mapping[str, FloatArray]) -> Figure:
    """Disagreements per radian of six laws, as radii over the direction of the boundary."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 3, figsize=(6.4, 4.9), subplot_kw={"projection": "polar"})
    for axis, (name, radii) in zip(axes.flat, rates.items(), strict=True):
        axis.plot(phi, radii, "-", color=COLOURS["blue"])
        axis.plot(phi, np.full_like(phi, 1 / np.pi), "--", color=COLOURS["vermilion"], linewidth=1.2)
        axis.set_title(f"{name}\n{radii.min():.3f} to {radii.max():.3f}", loc="center", fontsize=10)
        axis.set(rlim=(0, 0.68), rticks=[0.2, 0.4, 0.6])
        axis.set_yticklabels([])
        axis.set_xticks(np.pi / 4 * np.arange(0, 8, 2), ["0°", "90°", "180°", "270°"], fontsize=8)
        axis.tick_params(pad=-2)
    axes[0, 0].annotate("grid circles at\n0.2, 0.4, 0.6", (-0.25, -0.22), xycoords="axes fraction", fontsize=8)
    return figure


def wedges(widths: FloatArray, shown: Mapping[str, Sequence[tuple[Any, Any]]]) -> Figure:
    """Disagreement over angle of growing wedges around the dearest and the cheapest direction of each law.

    Each direction has a curve, from integrals, and a table of counts with rows (width, share, standard error), of
    which five are drawn to either side.
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(shown), figsize=(6.6, 3.3), sharey=True)
    for axis, (name, directions) in zip(axes, shown.items(), strict=True):
        for (curve, counts), mark, line in zip(directions, "^o", ("-", "--"), strict=True):
            axis.plot(widths, curve, line, color=COLOURS["blue"])
            for w, share, spread in counts:
                axis.errorbar(w, share / w, 5 * spread / w, fmt=mark, color=COLOURS["vermilion"], markersize=4)
        axis.axhline(1 / np.pi, color=COLOURS["black"], linestyle=":", linewidth=1.2)
        axis.set(title=name, xlim=(0, 3.2), ylim=(0.2, 0.68), xticks=[0, 1, 2, 3])
    axes[0].set_ylabel("disagreement / angle")
    axes[1].set_xlabel("angle between the halfspaces (radians)")
    return figure


def bumps(
    widths: FloatArray, extremes: FloatArray, *, seen: tuple[float, float], constants: tuple[float, float]
) -> Figure:
    """Least and largest rate of four bumps over their width, beside the rates of log-concave laws and the constants."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.0, 3.4))
    axis.axhspan(*seen, color="#DDDDDD", label="six log-concave laws")
    for constant in constants:
        axis.axhline(constant, color=COLOURS["green"], linestyle="-.", linewidth=1.2)
    axis.semilogy(widths, extremes[:, 1], "-", color=COLOURS["vermilion"], label="largest rate")
    axis.semilogy(widths, extremes[:, 0], "--", color=COLOURS["blue"], label="smallest rate")
    axis.axhline(1 / np.pi, color=COLOURS["black"], linestyle=":", linewidth=1.2)
    axis.set(xlabel="width of the bumps", ylabel="disagreement per radian", ylim=(1e-6, 20))
    axis.legend(loc="lower right")
    return figure
