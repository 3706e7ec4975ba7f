"""Pictures of chapter 5.2."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def equivalence_queries(bound: NDArray[Any], used: Mapping[str, NDArray[Any]]) -> Figure:
    """Equivalence queries of random polynomials against E + 1, for each kind of counterexamples."""
    import matplotlib.pyplot as plt

    marks = {"largest": ("o", "vermilion"), "random": ("x", "blue"), "smallest": ("^", "green")}
    figure, axis = plt.subplots(figsize=(6.0, 4.0))
    for policy, (mark, colour) in marks.items():
        axis.plot(bound, used[policy], mark, color=COLOURS[colour], label=policy, fillstyle="none")
    top = max(bound)
    axis.plot([0, top], [0, top], ":", color=COLOURS["black"], label="bound $E+1$")
    axis.set(xlabel="bound $E+1$", ylabel="equivalence queries, measured")
    axis.legend(title="counterexamples")
    return figure


def rivals(mean: Mapping[int, NDArray[Any]]) -> Figure:
    """Mean membership queries of three learners over the number of terms; rows are learners, as in the table."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.2, 3.8))
    for row, label, style in ((2, "membership alone", "s-."), (1, "automaton", "^--"), (0, "meets", "o-")):
        axis.plot(list(mean), [costs[row][0] for costs in mean.values()], style, label=label)
    axis.axhline(2**9, ls=":", color=COLOURS["black"])
    axis.text(1, 2**9 * 0.86, "all $2^9$ points", va="top")
    axis.set(xlabel="terms, $t$", ylabel="membership queries (mean)", yscale="log")
    axis.legend(loc="lower right")
    return figure
