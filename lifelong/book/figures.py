"""The figures that more than one page draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong._checks import bool_array, integer
from lifelong.book.explorer import perturbation_data
from lifelong.book.style import COLOURS
from lifelong.conjunctions.concepts import formal_concepts

__all__ = [
    "compounding",
    "concept_lattice",
    "image_grid",
    "preorder_steps",
]


def image_grid(
    images: Any, shape: tuple[int, int], *, columns: int = 16, titles: Any = None, colours: Any = None
) -> Any:
    """Draw rows of booleans as small black-and-white pictures in a grid.

    Parameters
    ----------
    images : array_like, shape (m, height * width), bool
    shape : tuple of int
        (height, width) of a picture.
    columns : int, default 16
        Pictures a row.
    titles : sequence of str, optional
        One for each picture.
    colours : sequence of str, optional
        Colour of the set pixels of each picture; black unless given.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If `images` is not a boolean matrix whose rows fill `shape`.

    Notes
    -----
    The pieces of `algo-consistency-anchor` on real input.

    Examples
    --------
    >>> figure = image_grid(np.eye(4, dtype=bool), (2, 2), columns=4)
    >>> len(figure.axes)
    4
    """
    import matplotlib.pyplot as plt
    from matplotlib.colors import ListedColormap

    rows = bool_array("images", images, axes=2)
    if rows.shape[1] != shape[0] * shape[1]:
        raise ValueError(f"images: expected rows of {shape[0]} x {shape[1]} pixels, got {rows.shape[1]}")
    lines = -(-len(rows) // columns)
    size = (0.46 * columns, lines * 0.46 * columns / columns * shape[0] / shape[1] + (0.2 * lines if titles else 0))
    figure, axes = plt.subplots(lines, columns, figsize=size, squeeze=False)
    for i, axis in enumerate(axes.ravel()):
        if i >= len(rows):
            axis.remove()
            continue
        colour = colours[i] if colours is not None else COLOURS["black"]
        axis.imshow(rows[i].reshape(shape), cmap=ListedColormap(["#FFFFFF", colour]), vmin=0, vmax=1)
        axis.set_xticks([])
        axis.set_yticks([])
        axis.grid(False)
        for spine in axis.spines.values():
            spine.set(visible=True, color="#BBBBBB", linewidth=0.5)
        if titles is not None:
            axis.set_title(titles[i], fontsize=8, loc="center", pad=2)
    return figure


def compounding(separation: float = 0.25, most: int = 7) -> Any:
    """Draw the printed bound of `lem-subspace` against the angle that the extremal chain reaches, over k.

    Parameters
    ----------
    separation : float, default 0.25
        gamma in (0, pi/2] radians.
    most : int, default 7
        The largest number of vectors, at least 2.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `lem-subspace`, `thm-subspace-sharp`; the picture of the README.

    Examples
    --------
    >>> compounding(0.3, 4).axes[0].get_yscale()
    'log'
    """
    import matplotlib.pyplot as plt

    sizes = list(range(1, integer("most", most, least=2) + 1))
    data = perturbation_data([separation], sizes)
    figure, axis = plt.subplots(figsize=(6.4, 3.6))
    axis.semilogy(sizes, data["measured"][0], "o-", color=COLOURS["blue"])
    axis.semilogy(sizes, data["printed"][0], "--", color=COLOURS["vermilion"])
    last = sizes[-1]
    axis.annotate(
        "reached by a chain", (last, data["measured"][0][-1]), (0, -14), textcoords="offset points", ha="right"
    )
    axis.annotate("bound as printed", (last, data["printed"][0][-1]), (0, -14), textcoords="offset points", ha="right")
    axis.set(xlabel="number of vectors $k$", ylabel="angle between the spans (radians)", xticks=sizes)
    axis.set_title(f"Separation {separation:g}, errors as large as the printed lemma allows")
    return figure


def preorder_steps(targets: Any, titles: Any, *, columns: int = 3) -> Any:
    """Draw which variables imply which, before the first target and after each further one.

    Parameters
    ----------
    targets : array_like, shape (r, n), bool
        The targets learned from scratch, in order.
    titles : sequence of str
        One for each of the r + 1 panels.
    columns : int, default 3
        Panels a row.

    Returns
    -------
    matplotlib.figure.Figure
        A square is drawn in row x and column y while every target with x has y; a cross where the
        newest target has just ended that.

    Raises
    ------
    ValueError
        If `targets` is not a boolean matrix.

    Notes
    -----
    The relation whose incomparable pairs are counted by the potential of `thm-online-sharp`.

    Examples
    --------
    >>> figure = preorder_steps([[True, False]], ["start", "after {1}"])
    >>> len(figure.axes)
    2
    """
    import matplotlib.pyplot as plt

    rows = bool_array("targets", targets, axes=2)
    n = rows.shape[1]
    lines = -(-(len(rows) + 1) // columns)
    figure, axes = plt.subplots(lines, columns, figsize=(2.2 * columns, 2.5 * lines), squeeze=False)
    before = np.ones((n, n), dtype=np.bool_)
    for r, axis in enumerate(axes.ravel()):
        if r > len(rows):
            axis.remove()
            continue
        T = rows[r - 1] if r else np.zeros(n, dtype=np.bool_)
        now = before & ~(T[:, None] & ~T[None, :])
        for holds, marker, colour in ((now, "s", COLOURS["blue"]), (before & ~now, "x", COLOURS["vermilion"])):
            x, y = np.nonzero(holds)
            axis.scatter(y + 1, x + 1, marker=marker, color=colour, s=55, linewidths=2)
        before = now
        ticks = np.arange(1, n + 1)
        axis.set(xlim=(0.4, n + 0.6), ylim=(n + 0.6, 0.4), xticks=ticks, yticks=ticks, aspect="equal")
        axis.set_title(titles[r], fontsize=9)
        if r % columns == 0:
            axis.set_ylabel("if a target has x ...")
        if r + columns > len(rows):
            axis.set_xlabel("... it has y")
    return figure


def _levels(intents: Any) -> Any:
    """Which intent covers which (lower, upper), and the longest chain below each; intents are sorted by size."""
    strictly = (~intents[:, None] | intents[None]).all(axis=2) & ~np.eye(len(intents), dtype=np.bool_)
    height = np.zeros(len(intents), dtype=int)
    for i in range(1, len(intents)):
        height[i] = 1 + height[strictly[:, i]].max(initial=-1)
    return strictly & (strictly.astype(int) @ strictly == 0), height


def concept_lattice(targets: Any, *, marked: Any = None) -> Any:
    """Draw the formal concepts of a small family as a diagram: a line for every cover, intents growing upwards.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        At most 9 variables, which are numbered from 1, and few concepts.
    marked : array_like, shape (q, n), bool, optional
        Intents to draw as filled squares; the others are open circles.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    ValueError
        If an argument is not a boolean matrix, or there are more than 40 concepts.

    Notes
    -----
    The candidates of `algo-boolean-rank`, and among them the output of `algo-consistency-anchor`.

    Examples
    --------
    >>> figure = concept_lattice([[True, True, False], [True, False, True]])
    >>> len(figure.axes[0].texts)
    4
    """
    import matplotlib.pyplot as plt

    intents = formal_concepts(targets, most=40)[1]
    intents = intents[np.argsort(intents.sum(axis=1), kind="stable")]
    special = {row.tobytes() for row in bool_array("marked", marked, axes=2)} if marked is not None else set()
    covers, height = _levels(intents)
    across = np.zeros(len(intents))
    for level in range(height.max() + 1):  # each above the middle of what it covers, as far as there is room
        here = np.flatnonzero(height == level)
        middle = [across[covers[:, i]].mean() if level else 0.0 for i in here]
        across[here[np.argsort(middle, kind="stable")]] = np.arange(len(here)) - (len(here) - 1) / 2
    figure, axis = plt.subplots(figsize=(5.2, 3.2))
    for a, b in np.argwhere(covers):
        axis.plot(across[[a, b]], height[[a, b]], color="#8C8C8C", lw=1, ls="-", zorder=1)
    for row, x, y in zip(intents, across, height, strict=True):
        chosen = row.tobytes() in special
        fill, mark = (COLOURS["blue"], "s") if chosen else ("white", "o")
        axis.plot(x, y, mark, ms=10, color=COLOURS["blue"], mfc=fill, zorder=2)
        name = "".join(str(v + 1) for v in np.flatnonzero(row)) or "∅"
        axis.annotate(name, (x, y), xytext=(10, 0), textcoords="offset points", va="center")
    axis.margins(0.15)
    axis.set_axis_off()
    return figure
