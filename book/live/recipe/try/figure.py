"""Draw one figure as SVG and PNG into a folder: figure.py FOLDER.

With words, mathematics, contours, a triangulation, an image and a constrained
layout; the same bytes wherever the same Matplotlib draws it.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np


def drawn():
    """Return the figure."""
    random = np.random.default_rng(0)
    figure, axes = plt.subplots(1, 3, figsize=(9, 3), layout="constrained")
    grid = np.linspace(-2, 2, 80)
    x, y = np.meshgrid(grid, grid)
    filled = axes[0].contourf(x, y, np.exp(-x * x - y * y))
    figure.colorbar(filled, ax=axes[0])
    axes[0].set(title="contours: AVATAR, fi ffi", xlabel=r"$\sqrt{x^2+y^2}$", ylabel=r"$\hat{w}_i \cdot x$")
    points = random.standard_normal((2, 40))
    axes[1].tricontourf(*points, points[0] * points[1])
    axes[1].triplot(*points, linewidth=0.5)
    axes[1].set_title("Qhull: Loss γ, ε ≤ ⅔, Tö ÅVÅ")
    axes[2].imshow(random.standard_normal((20, 20)), interpolation="bicubic")
    axes[2].plot([0, 19], [0, 19], "--", label="a line")
    axes[2].legend()
    return figure


def main(folder):
    """Write figure.svg and figure.png, without a date and with fixed names inside."""
    mpl.use("agg")
    mpl.rcParams["svg.hashsalt"] = "figure"
    Path(folder).mkdir(parents=True, exist_ok=True)
    figure = drawn()
    figure.savefig(Path(folder, "figure.svg"), metadata={"Date": None})
    figure.savefig(Path(folder, "figure.png"), dpi=100)


if __name__ == "__main__":
    main(sys.argv[1])
