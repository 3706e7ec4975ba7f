"""Pictures and tables of chapter 3.6."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.book.style import COLOURS

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Rows = Sequence[Mapping[str, Any]]


def errors_by_task(errors: Mapping[str, FloatArray], allowed: float) -> Figure:
    """The error of each task by three methods, and the error allowed."""
    import matplotlib.pyplot as plt

    styles = {"life-long": ("o", "blue"), "trace norm": ("s", "orange"), "dictionary": ("^", "green")}
    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    for name, (marker, colour) in styles.items():
        look: dict[str, Any] = {"marker": marker, "linestyle": "", "markersize": 5, "color": COLOURS[colour]}
        axis.plot(np.arange(1, len(errors[name]) + 1), errors[name], label=name, **look)
    axis.axhline(allowed, color=COLOURS["black"], linestyle="--", label="allowed error")
    axis.set(yscale="log", xlabel="task", ylabel="error")
    axis.legend(loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


def disagreements(theta: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """Disagreement times pi over the angle, for three laws."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    looks = (("-", "blue"), ("--", "orange"), (":", "green"))
    for (name, ratio), (style, colour) in zip(curves.items(), looks, strict=True):
        axis.plot(theta, ratio, style, color=COLOURS[colour], label=name)
    axis.set(xscale="log", yscale="log", xlabel="angle in radians", ylabel=r"disagreement $\cdot\,\pi$ / angle")
    axis.legend()
    return figure


def opened_by_rule(opened: Mapping[str, FloatArray]) -> Figure:
    """Features opened over the tasks, by three rules for noisy labels."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    looks = (("--", "orange"), ("-", "blue"), ("v", "green"))
    for (rule, counts), (style, colour) in zip(opened.items(), looks, strict=True):
        axis.plot(np.arange(1, len(counts) + 1), counts, style, color=COLOURS[colour], label=rule)
    axis.set(xlabel="task", ylabel="features opened", ylim=(0, None))
    axis.legend()
    return figure


def errors_by_labels(curve: Rows, rows: Mapping[tuple[str, int], Mapping[str, Any]]) -> Figure:
    """Mean error over the labels a task: each digit task alone, and four life-long settings."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.4, 3.8))
    labels, errors = ([row[column] for row in curve] for column in ("labels", "mean error"))
    axis.plot(labels, errors, "o-", color=COLOURS["black"], label="alone")
    for ((rule, scratch), row), marker in zip(rows.items(), "sD^v", strict=True):
        look: dict[str, Any] = {"color": COLOURS["orange" if rule == "margin" else "blue"], "markersize": 8}
        axis.plot(row["labels"], row["mean error"], marker, linestyle="", label=f"{rule}, {scratch}", **look)
    axis.set(xlabel="labels a task", ylabel="mean error", ylim=(0, None))
    axis.legend()
    return figure


def _opened(row: Mapping[str, Any], column: str = "opened") -> str:
    """Least to most features."""
    return "" if row[column] is None else f"{row[f'{column}, least']}-{row[column]}"


def _worst(row: Mapping[str, Any]) -> str:
    return f"{row['worst error, least']:.3f}-{row['worst error']:.3f}"


def peers_table(rows: Rows, names: Sequence[str]) -> str:
    """Mean and worst errors of the methods, a line a setting."""
    lines = [f"{'stream':8}{'n':>4}{'k':>3}{'m':>5}{'k~':>5}{'N':>5}" + "".join(f"{name:>18}" for name in names)]
    for row in rows:
        cells = (
            f"{row[f'{name}, mean']:.3f} {row[f'{name}, worst, least']:.2f}-{row[f'{name}, worst']:.2f}"
            for name in names
        )
        setting = "{stream:8}{n:>4}{k:>3}{m:>5}".format(**row)
        lines.append(f"{setting}{_opened(row, 'features'):>5}{row['labels']:>5}   " + "  ".join(cells))
    return "\n".join(lines)


def laws_table(rows: Rows) -> str:
    """Features, worst error and labels under laws outside the assumption."""
    lines = [f"{'law':26}{'space':8}{'k~':>5}{'worst error':>15}{'labels':>8}"]
    lines += [f"{row['law']:26}{row['space']:8}{_opened(row):>5}{_worst(row):>15}{row['labels']:>8}" for row in rows]
    return "\n".join(lines)


def noise_table(rows: Rows) -> str:
    """Features, labels and errors with wrong labels, a line a rule."""
    lines = [f"{'rate':>5}{'width':>7} {'rule':8}{'k~':>6}{'labels':>8}{'mean':>8}{'worst':>14}"]
    for row in rows:
        width = "all" if row["width"] is None else f"{row['width']}"
        setting = f"{row['rate']:>5}{width:>7} {row['rule']:8}{_opened(row):>6}"
        lines.append(f"{setting}{row['labels']:>8}{row['mean error']:>8.3f}{_worst(row):>14}")
    return "\n".join(lines)


def digits_table(rows: Rows) -> str:
    """Features, labels and errors on the stream of digits."""
    lines = [
        f"{'features':>8}  {'rule':10}{'scratch':>8}{'k~':>8}{'labels':>8}{'mean':>7}{'range':>13}{'worst':>13}",
    ]
    for row in rows:
        setting = f"{row['features'] or 'pixels':>8}  {row['rule']:10}{row['scratch']:>8}{_opened(row):>8}"
        means = f"{row['mean error, least']:.3f}-{row['mean error, most']:.3f}"
        lines.append(f"{setting}{row['labels']:>8}{row['mean error']:>7.3f}{means:>13}{_worst(row):>13}")
    return "\n".join(lines)
