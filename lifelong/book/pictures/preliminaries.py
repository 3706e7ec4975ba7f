"""Pictures of chapter 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lifelong.laws import IsotropicLaw


def samples_of_laws(laws: Iterable[type[IsotropicLaw]]) -> Figure:
    """1200 points of each of six laws in the plane, and the unit circle."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(2, 3, figsize=(6.4, 4.5), sharex=True, sharey=True)
    for axis, kind in zip(axes.flat, laws, strict=True):
        law = kind(2)
        x, y = law.sample(1200, rng=0).T
        axis.plot(x, y, ".", color=COLOURS["blue"], markersize=2, alpha=0.6)
        look: dict[str, Any] = {"linestyle": "--", "color": COLOURS["vermilion"], "linewidth": 1.6, "zorder": 3}
        axis.add_patch(Circle((0, 0), 1, fill=False, **look))
        axis.set(title=law.name, xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal")
    figure.supxlabel("first coordinate", fontsize=10)
    figure.supylabel("second coordinate", fontsize=10)
    return figure


def angle_errors(angles: FloatArray, errors: Mapping[str, FloatArray]) -> Figure:
    """Absolute errors of two formulas for the angle, over the angle."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.7))
    for (name, error), mark, colour in zip(errors.items(), "xo", ("vermilion", "blue"), strict=True):
        look: dict[str, Any] = {"markersize": 4, "fillstyle": "none", "gid": "rounding"}
        axis.loglog(angles, error, mark, color=COLOURS[colour], label=name, **look)
    axis.loglog(angles, angles, "--", color=COLOURS["black"], linewidth=1.2)
    axis.annotate("error = angle", (1e-12, 1e-12), xytext=(1.5e-12, 3e-15), fontsize=10)
    axis.set(xlabel="angle (radians)", ylabel="absolute error (radians)")
    axis.legend(loc="lower right")
    return figure
