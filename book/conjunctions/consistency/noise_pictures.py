"""Pictures of the page on pieces under noise, below chapter 4.1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lifelong._checks import BoolArray
from lifelong_book.conjunctions.consistency.noise import NoisyPreorder
from lifelong_book.press.style import COLOURS


def exceptions_seen(order: NoisyPreorder, targets: BoolArray) -> Any:
    """Estimates of the exceptions of pairs of variables against the true numbers, up to five times the gap."""
    import matplotlib.pyplot as plt

    pairs = ~np.eye(targets.shape[1], dtype=np.bool_)
    true, seen = (targets.T.astype(int) @ ~targets)[pairs], order.exceptions[pairs]
    figure, axis = plt.subplots(figsize=(6.0, 3.6))
    for held, mark, colour, name in (
        (true == 0, "s", "blue", "inclusions that hold"),
        (true > 0, "o", "vermilion", "inclusions that do not"),
    ):
        axis.plot(
            true[held], seen[held], mark, color=COLOURS[colour], markersize=4, fillstyle="none", ls="", label=name
        )
    axis.axhline(order.threshold, color=COLOURS["black"], ls="-", lw=1.2, label="threshold")
    axis.axvline(order.gap, color=COLOURS["green"], ls="--", lw=1.2, label="gap")
    ends = -0.25 * order.gap, 5 * order.gap
    axis.set(xlim=ends, ylim=ends, xlabel="exceptions, true", ylabel="exceptions, estimated")
    axis.legend(loc="upper left", bbox_to_anchor=(0.25, 1.02))
    return figure


def picture_rows(rows: Mapping[str, BoolArray], shape: tuple[int, int]) -> Any:
    """Rows of small black-and-white pictures, each row with its name."""
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    wide = max(len(images) for images in rows.values())
    high, name_room = 0.5 * shape[0] / shape[1], 0.36
    size = 0.55 * wide, (high + name_room) * len(rows)
    # no automatic layout: it would widen the first column to make room for the names
    figure, axes = plt.subplots(len(rows), wide, figsize=size, squeeze=False, layout="none")
    figure.subplots_adjust(0, 0, 1, 1 - name_room / size[1], wspace=0.1, hspace=name_room / high)
    for line, (name, images) in zip(axes, rows.items(), strict=True):
        line[0].set_title(name, fontsize=12, pad=4)
        for place, axis in enumerate(line):
            if place >= len(images):
                axis.remove()
                continue
            shades = ListedColormap(["#FFFFFF", COLOURS["black"]])
            axis.imshow(images[place].reshape(shape), cmap=shades, vmin=0, vmax=1)
            axis.set(xticks=[], yticks=[])
            axis.grid(False)
            for spine in axis.spines.values():
                spine.set(visible=True, color="#BBBBBB", linewidth=0.5)
    return figure


def recovery_curves(rows: Sequence[Mapping[str, Any]], titles: Mapping[str, str], methods: Mapping[str, str]) -> Any:
    """Share of the pieces recovered against the flip rate, one panel a setting."""
    import matplotlib.pyplot as plt

    lines = -(-len(titles) // 2)
    figure, axes = plt.subplots(lines, 2, figsize=(5.2, 2.3 * lines + 0.4), sharex=True, sharey=True, squeeze=False)
    for axis in axes.ravel()[len(titles) :]:
        axis.remove()
    for axis, (setting, title) in zip(axes.ravel(), titles.items(), strict=False):
        own = [row for row in rows if row["setting"] == setting]
        for mark, (method, name) in zip("os^D", methods.items(), strict=False):
            shares = [row[f"{method} recovered"] / row["k"] for row in own]
            axis.plot([100 * row["ones"] for row in own], shares, marker=mark, label=name)
        axis.set(title=title, ylim=(-0.04, 1.06))
    for axis in axes[-1]:
        axis.set_xlabel("flipped, %")
    for axis in axes[:, 0]:
        axis.set_ylabel("recovered")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure


def recovery_lines(rows: Sequence[Mapping[str, Any]], names: Sequence[str], methods: Mapping[str, str]) -> Any:
    """Share of the pieces recovered by each method, one line a row of the stored table."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 0.3 * len(rows) + 1.2))
    places = np.arange(len(rows))
    for mark, shift, (method, name) in zip("os^", (-0.15, 0.0, 0.15), methods.items(), strict=False):
        shares = [row[f"{method} recovered"] / row["k"] for row in rows]
        axis.plot(shares, places + shift, marker=mark, ls="", label=name)
    axis.set(xlabel="share recovered", xlim=(-0.04, 1.04), ylim=(len(rows) - 0.5, -0.5))
    axis.set_yticks(places, names)
    axis.tick_params(axis="y", length=0)
    figure.legend(loc="outside lower center", ncols=len(methods), columnspacing=1.0, handlelength=1.0)
    return figure


def company(counts: NDArray[np.int64], truth: BoolArray, seen: BoolArray) -> Any:
    """How many other variables of a piece stand in each target, by whether the piece does."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    bins = np.arange(counts.max() + 1)
    for held, colour, name in ((False, "vermilion", "without the piece"), (True, "blue", "with the piece")):
        base = np.zeros(len(bins), dtype=np.int64)
        for wrong, hatch in ((False, ""), (True, "////")):
            chosen = (truth == held) & ((seen != truth) == wrong)
            part = np.bincount(counts[chosen], minlength=len(bins))
            label = None if wrong else name
            axis.bar(bins, part, 0.8, base, color=COLOURS[colour], hatch=hatch, edgecolor="white", label=label)
            base = base + part
    axis.bar(0, 0, color="#8C8C8C", hatch="////", edgecolor="white", label="the pixel itself is wrong")
    axis.set(xlabel="other pixels of the accent that are black", ylabel="prints", xticks=bins[::2])
    axis.grid(axis="x", visible=False)
    figure.legend(loc="outside upper center", ncols=3, columnspacing=1.0, handlelength=1.2)
    return figure


def two_counts(ones: NDArray[np.int64], missing: NDArray[np.int64], allowed: Sequence[float]) -> Any:
    """The counts of two steps of the method under noise, a bar for each variable, beside what noise may make."""
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(2, 1, figsize=(5.2, 4.2), sharex=True)
    places = np.arange(1, len(ones) + 1)
    titles = "step 1: ones that no piece explains", "step 3: missing in the extent"
    for axis, counts, most, title in zip(axes, (ones, missing), allowed, titles, strict=True):
        joins = (counts <= most) & (axis is axes[1])
        axis.bar(places, counts, 0.7, color=[COLOURS["green"] if join else "#8C8C8C" for join in joins])
        axis.axhline(most, color=COLOURS["black"], ls="--", lw=1.2)
        for place, count in zip(places, counts, strict=True):  # never on the dashed line
            high = max(count, most) if count <= most else count
            axis.annotate(f"{count}", (place, high), (0, 3), textcoords="offset points", ha="center", fontsize=10)
        axis.set(title=title, ylabel="targets", ylim=(0, 1.2 * counts.max()))
        axis.grid(axis="x", visible=False)
    axes[1].set(xlabel="variable", xticks=places)
    return figure


def told_and_estimated(rows: Sequence[Mapping[str, Any]]) -> Any:
    """Share of the pieces recovered with an estimated rate against that with the rate told."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(4.4, 3.8))
    axis.plot([0, 1], [0, 1], color=COLOURS["black"], lw=1, ls="--")
    for even, mark, colour, name in (
        (True, "o", "blue", "equal rates"),
        (False, "s", "vermilion", "unequal rates"),
    ):
        own = [row for row in rows if (row["ones"] == row["zeros"]) == even]
        told = [row["told recovered"] / row["k"] for row in own]
        estimated = [row["estimated recovered"] / row["k"] for row in own]
        axis.plot(told, estimated, mark, color=COLOURS[colour], fillstyle="none", ms=7, ls="", label=name)
    axis.set(xlabel="share recovered, rate told", ylabel="share recovered, rate estimated", aspect="equal")
    axis.legend(loc="upper left")
    return figure


def descriptions(rates: Sequence[float], pieces: Sequence[float], wrong: Sequence[float]) -> Any:
    """Bits to send the targets, for each rate believed in: those for pieces and codes, and those for wrong cells."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 2.5))
    names, total = [f"{100 * rate:g} %" for rate in rates], np.add(pieces, wrong)
    axis.bar(names, pieces, width=0.6, color=COLOURS["blue"], label="pieces and codes")
    axis.bar(
        names,
        wrong,
        width=0.6,
        bottom=pieces,
        color=COLOURS["vermilion"],
        hatch="//",
        edgecolor="white",
        label="wrong cells",
    )
    least = np.flatnonzero(total == total.min())
    axis.plot(least, total[least] + 0.06 * total.max(), "v", color=COLOURS["black"], markersize=7)
    axis.set(xlabel="rate believed in", ylabel="bits", ylim=(0, 1.35 * total.max()))
    axis.legend(loc="upper center", ncols=2)
    axis.grid(visible=False, axis="x")
    return figure
