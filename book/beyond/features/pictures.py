"""Pictures of the page on features at worst: what a learned span leaves unknown, and axes joined by targets."""

from collections.abc import Sequence

import numpy as np

from lifelong._checks import FloatArray
from lifelong_book.halfspaces.subspace.pictures import _arrow, _on_circle, _word
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def unknown(forms: Sequence[FloatArray], targets: FloatArray) -> Figure:
    """Picture for how many features, exactly: ellipses of what a span leaves unknown of a plane, and targets."""
    axis = plt.figure(figsize=(5.2, 3.3)).subplots()
    circle = _on_circle(np.linspace(0, 2 * np.pi, 200))
    shades = (0.12, 0.25, 0.5)
    for i, (form, shade) in enumerate(zip(forms, shades, strict=True)):
        values, vectors = np.linalg.eigh(form)
        points = circle * np.sqrt(np.maximum(values, 0)) @ vectors.T
        axis.fill(*points.T, color=COLOURS["green"], alpha=shade, linestyle="none")
        axis.plot(*points.T, color=COLOURS["green"], linestyle="-", linewidth=1.2)
        area = np.sqrt(np.linalg.det(form))
        words = f"{('no', 'one', 'two')[i]} feature{'s' * (i != 1)}:\narea $\\pi\\cdot${area:.2g}"
        _word(axis, (1.2, 0.5 - 0.42 * i), words, ha="left")
    for i, tip in enumerate(targets, start=1):
        _arrow(axis, tip, COLOURS["blue"])
        _word(axis, 1.12 * tip, f"$a_{i}$", "blue", fontsize=12)
    return bare(axis, (-1.15, 2.5), (-1.15, 1.2))


def doubled_axes(k: int, twice: int) -> Figure:
    """Picture for how many features, exactly, the doubling family: axes that targets join, errors."""
    axis = plt.figure(figsize=(5.2, 3.0)).subplots()
    x = np.arange(k, dtype=float)
    for j in range(1, k):
        if j <= 1 + twice:
            axis.plot([x[j - 1], x[j]], [0, 0], color=COLOURS["blue"], linestyle="-", linewidth=2.2)
            word = "$a_2$" if j == 1 else f"$A_{j + 1}$"
            _word(axis, ((x[j - 1] + x[j]) / 2, -0.16), word, "blue", fontsize=12)
        if 2 <= j <= 1 + twice:
            way = np.linspace(0, np.pi, 60)
            middle, radius = x[j] / 2, x[j] / 2
            axis.plot(middle + radius * np.cos(way), 0.95 * radius * np.sin(way), color=COLOURS["sky"], linestyle="--")
            _word(axis, (middle, 0.95 * radius + 0.13), f"$B_{j + 1}$", "blue", fontsize=12)
        if j <= twice:
            _word(axis, (x[j], -0.52), f"error: $f_{j + 1}$", "vermilion", fontsize=11)
    if twice + 1 < k:
        _word(axis, (x[twice + 1], -0.52), "exact", "vermilion", fontsize=11)
    for j in range(k):
        axis.plot(x[j], 0, "o", color=COLOURS["black"], markersize=9)
        _word(axis, (x[j], -0.32), f"$e_{j + 1}$", fontsize=12)
    _word(axis, (x[0], -0.52), "exact", "vermilion", fontsize=11)
    return bare(axis, (-0.5, k - 0.5), (-0.7, 0.95 * (k - 1) / 2 + 0.3), equal=False)
