"""Pictures of chapter 5.1."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def rules_from_scratch(counted: NDArray[Any]) -> Figure:
    """How many random orders of the 256 rules need 0, 1, ... 8 of them from scratch."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.0, 3.2))
    axis.bar(range(9), counted, color=COLOURS["blue"])
    for place, height in enumerate(counted):
        if height:
            axis.text(place, height + 20, str(height), ha="center")
    axis.axvline(8, ls=":", color=COLOURS["black"])
    top = max(counted)
    axis.text(7.9, top * 0.9, "bound $k=8$", ha="right")
    axis.set(xlabel="rules learned from scratch", ylabel=f"random orders of {sum(counted)}", ylim=(0, top * 1.12))
    return figure


def membership_queries(with_reuse: NDArray[Any], each_alone: NDArray[Any]) -> Figure:
    """Membership queries so far, with shared monomials and without, over the targets seen."""
    import matplotlib.pyplot as plt

    seen = np.arange(1, len(with_reuse) + 1)
    figure, axis = plt.subplots(figsize=(6.2, 3.4))
    axis.plot(seen, each_alone, "--", color=COLOURS["vermilion"])
    axis.plot(seen, with_reuse, "-", color=COLOURS["blue"])
    axis.text(40, each_alone[39] * 1.04, "each target alone", ha="right")
    axis.text(58, with_reuse[-1] + 25, "with shared monomials", ha="right")
    axis.set(xlabel="targets seen", ylabel="membership queries so far", ylim=(0, None))
    return figure
