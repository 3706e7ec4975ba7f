"""Pictures and tables of chapter 3.3."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def bounds_and_family(grid: FloatArray, curves: Sequence[FloatArray], k: int, opened: Mapping[float, int]) -> Figure:
    """Three bounds on the features over the allowed error, the family that opens many, and the printed bound."""
    import matplotlib.pyplot as plt

    simple, volume, sharper = curves
    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    axis.plot(grid, simple, linestyle=":", label=r"$k(2+\ln(1/\epsilon))$")
    axis.plot(grid, volume, linestyle="-", label="volume bound")
    axis.plot(grid, sharper, linestyle="-.", label="determinant bound")
    axis.plot(list(opened), list(opened.values()), linestyle="", marker="o", label="family, opened")
    axis.axhline(k, color=COLOURS["black"], linestyle="--", label="printed bound $k$")
    axis.set(xscale="log", xlabel=r"allowed error $\epsilon$", ylabel="features", ylim=(0, None))
    axis.invert_xaxis()
    axis.legend(loc="upper left")
    return figure


def labels_so_far(spent: Mapping[int, FloatArray], alone: float) -> Figure:
    """Labels a task so far over the number of tasks, for some k, and the price of learning each alone."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    for (k, labels), style in zip(spent.items(), ("-", "-.", ":"), strict=True):
        counted = np.arange(1, len(labels) + 1)
        axis.plot(counted, np.cumsum(labels) / counted, style, label=f"k = {k}")
    axis.axhline(alone, color=COLOURS["black"], linestyle="--", label="alone")
    axis.set(xlabel="tasks so far", ylabel="labels per task so far")
    axis.set(xscale="log", yscale="log")
    axis.legend()
    return figure


def learners_table(rows: Sequence[Mapping[str, Any]], learners: Sequence[str]) -> str:
    """Error times N/n at N = 80 n: a line a learner, a column a law."""
    columns = list(dict.fromkeys(row["law"] for row in rows))
    lines = [f"error N/n at N = 80 n{'':5}" + "".join(f"{x:>12}" for x in columns)]
    for name in learners:
        of = {row["law"]: row for row in rows if row["learner"] == name}
        lines.append(f"{name:26}" + "".join(f"{of[x]['at_80']:12.2f}" for x in columns))
    return "\n".join(lines)


def labels_table(rows: Sequence[Mapping[str, Any]]) -> str:
    """Labels a task, life-long and alone, a line a setting."""
    lines = [f"{'':43}alone: labels a task at"]
    lines.append("law            n   k     m   eps  k~  labels   max    eps  mean eps  max  mean  ratio  from")
    for row in rows:
        setting = "{law:11}{n:>5}{k:>4}{m:>6}{epsilon:>6}".format(**row)
        shared = "{features:>4}{labels:>8}{largest_error:>6.2f}".format(**row)
        columns = ("alone", "alone_mean_eps", "alone_same_largest", "alone_same_mean")
        single = "{:>7}{:>8}{:>7}{:>6}".format(*(row[name] for name in columns))
        lines.append(f"{setting}{shared}{single}{row['ratio']:7.2f}{row['crossover'] or '-':>6}")
    return "\n".join(lines)
