"""Pictures of chapter 4.1, continued: pieces under noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lifelong._checks import BoolArray
from lifelong.book.style import COLOURS
from lifelong.conjunctions.noise import NoisyPreorder

__all__ = ["exceptions_seen", "picture_rows", "recovery_curves"]


def exceptions_seen(order: NoisyPreorder, targets: BoolArray) -> Any:
    """Estimates of the exceptions of pairs of variables against the true numbers, up to five times the gap.

    Parameters
    ----------
    order : NoisyPreorder
        From the flipped targets.
    targets : bool, shape (m, n)
        The targets before the flips.

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    For `prop-noise-preorder`.

    Examples
    --------
    >>> from lifelong.conjunctions.noise import noisy_preorder
    >>> targets = np.eye(3, dtype=bool)
    >>> len(exceptions_seen(noisy_preorder(targets, 0.1), targets).axes)
    1
    """
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
    """Rows of small black-and-white pictures, each row with its name.

    Parameters
    ----------
    rows : mapping of str to bool, shape (c, height * width)
        From the top down; shorter rows leave room at the right.
    shape : tuple of int
        (height, width) of a picture.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> len(picture_rows({"two": np.eye(2, 4, dtype=bool), "one": np.eye(1, 4, dtype=bool)}, (2, 2)).axes)
    3
    """
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    wide = max(len(images) for images in rows.values())
    size = 0.55 * wide, (0.55 * shape[0] / shape[1] + 0.28) * len(rows)
    figure, axes = plt.subplots(len(rows), wide, figsize=size, squeeze=False)
    for line, (name, images) in zip(axes, rows.items(), strict=True):
        line[0].set_title(name, fontsize=9, pad=3)
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
    """Share of the pieces recovered against the flip rate, one panel a setting.

    Parameters
    ----------
    rows : sequence of mapping
        Lines of the stored table, with equal rates of false ones and false zeros.
    titles : mapping of str to str
        Title of each setting.
    methods : mapping of str to str
        What each method of the table is called in the legend.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> row = {"setting": "easy", "ones": 0.02, "k": 10, "told recovered": 10.0}
    >>> len(recovery_curves([row], {"easy": "easy"}, {"told": "told the rate"}).axes)
    1
    """
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(titles), figsize=(1.75 * len(titles), 2.7), sharey=True, squeeze=False)
    for axis, (setting, title) in zip(axes[0], titles.items(), strict=True):
        own = [row for row in rows if row["setting"] == setting]
        for mark, (method, name) in zip("os^D", methods.items(), strict=False):
            shares = [row[f"{method} recovered"] / row["k"] for row in own]
            axis.plot([100 * row["ones"] for row in own], shares, marker=mark, label=name)
        axis.set(title=title, xlabel="flipped, %", ylim=(-0.04, 1.06))
    axes[0][0].set_ylabel("recovered")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels))
    return figure
