"""Pictures of chapter 4.2."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def random_and_selectors(paid: Sequence[NDArray[np.int64]], lines: Mapping[str, float]) -> Figure:
    """Targets learned from scratch so far: random streams, the selectors that all cost, and bounds by name."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 4.0))
    m = len(paid[0])
    seen = np.arange(1, m + 1)
    for number, line in enumerate(paid):
        label = "random unions" if number == 0 else None
        axis.plot(seen, np.maximum(line, 0.8), lw=1.2, ls="-", color=COLOURS["blue"], label=label)
    axis.plot(seen, seen, "--", color=COLOURS["vermilion"], label="selectors")
    for text, height in lines.items():
        axis.axhline(height, color=COLOURS["black"], lw=1, ls=":")
        axis.text(m * 1.01, height, text, va="center")
    axis.set(yscale="log", xlabel="targets seen", ylabel="learned from scratch", xlim=(0, m))
    axis.legend(loc="lower right")
    return figure


def queries_so_far(alone: NDArray[np.int64], together: NDArray[np.int64], bound: Sequence[int]) -> Figure:
    """Equivalence queries over 300 targets: each alone, with metafeatures, and the bound."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    seen = np.arange(1, len(alone) + 1)
    axis.plot(seen, alone, "--", color=COLOURS["vermilion"])
    axis.plot(seen, together, color=COLOURS["blue"])
    axis.plot(seen, bound, ":", color=COLOURS["black"])
    axis.text(150, alone[149] * 1.08, "each target alone", ha="right")
    axis.text(300, together[-1] - 350, "with metafeatures", ha="right", va="top")
    axis.text(300, bound[-1] * 1.15, "$m(k+1)+nQ$", ha="right")
    axis.set(xlabel="targets seen, $m$", ylabel="equivalence queries so far")
    return figure
