"""The picture of the front page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def front(
    labels: FloatArray, scratch: BoolArray, sizes: FloatArray, measured: FloatArray, printed: FloatArray
) -> Figure:
    """Labels of each task, from scratch or not; below, the angle between spans of k vectors and the printed bound."""
    import matplotlib.pyplot as plt

    index = np.arange(1, len(labels) + 1)
    figure, (above, below) = plt.subplots(2, 1, figsize=(6.0, 5.2))
    above.semilogy(index[~scratch], labels[~scratch], ".", color=COLOURS["blue"], label="reused")
    above.semilogy(index[scratch], labels[scratch], "^", color=COLOURS["vermilion"], markersize=7, label="from scratch")
    above.semilogy(index, labels.cumsum() / index, "-", color=COLOURS["black"], label="running mean")
    above.set(xlabel="task", ylabel="labels", ylim=(200, 6000))
    above.set_yticks([300, 1000, 3000], ["300", "1000", "3000"])
    above.minorticks_off()
    above.legend(ncols=3, loc="upper right")
    below.semilogy(sizes, measured, "o-", color=COLOURS["vermilion"], label="measured, worst case")
    below.semilogy(sizes, printed, "--", color=COLOURS["blue"], label="printed bound")
    below.axhline(np.pi / 2, color=COLOURS["black"], linestyle=":", linewidth=1.2)
    below.annotate("right angle", (1, np.pi / 2), xytext=(1, 0.85), fontsize=10)
    below.set(xlabel="number of vectors k", ylabel="angle (radians)", ylim=(0.005, 3))
    below.legend(loc="lower right")
    return figure
