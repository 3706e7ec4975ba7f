"""Pictures of chapter 6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def disagreements(phi: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """Probability of disagreement over the angle in radians, which is shown in degrees, for three laws."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    for (name, curve), mark in zip(curves.items(), ("-", "--", ":"), strict=True):
        axis.plot(np.degrees(phi), curve, mark, label=name)
    axis.set(xlabel="angle in degrees", ylabel="probability of disagreement")
    axis.legend()
    return figure


def recovered(leaks: FloatArray, corners: Sequence[float], *, noises: FloatArray, columns: Sequence[float]) -> Figure:
    """Share of dictionaries recovered: from corners over the leak, from two-valued columns over the noise."""
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(7.6, 3.2), sharey=True)
    left.plot(leaks, corners, "o-", color=COLOURS["blue"])
    right.plot(noises, columns, "s--", color=COLOURS["vermilion"])
    left.set(xlabel="leak", ylabel="share recovered", ylim=(-0.05, 1.05))
    right.set(xlabel="noise")
    return figure
