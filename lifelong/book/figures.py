"""The figures that more than one page draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong._checks import bool_array, integer
from lifelong.book.explorer import perturbation_data
from lifelong.book.style import COLOURS
from lifelong.conjunctions.concepts import formal_concepts

__all__ = [
    "certificate_map",
    "compounding",
    "concept_lattice",
    "image_grid",
    "perturbation_planes",
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


def _plane(axis: Any, u: Any, v: Any, colour: str, hatch: str) -> None:
    """Draw the part of span(u, v) inside the box of the axes, as a shaded parallelogram."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    corners = np.array([s * u + t * v for s, t in ((0, -1), (1.12, -1), (1.12, 1), (0, 1))])
    plane = Poly3DCollection([corners], facecolor=colour, alpha=0.18, edgecolor=colour, linestyle=hatch)
    axis.add_collection3d(plane)


def _arrow(axis: Any, v: Any, colour: str, text: str, offset: tuple[float, float], style: str = "-") -> None:
    axis.plot(*np.stack([0 * v, v], axis=1), color=colour, linestyle=style, marker="o", markevery=[1])
    axis.text(v[0] + 0.03, v[1] + offset[0], v[2] + offset[1], text, color=colour, fontsize=11)


def perturbation_planes(vectors: dict[str, Any]) -> Any:
    """Draw `fig-perturbation` in three dimensions from its vectors; sideways axes are stretched, ticks are true.

    Parameters
    ----------
    vectors : dict of str to float64, shape (3,)
        From `lifelong.ledger.claims.perturbation.figure_vectors`.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    KeyError
        If a vector of the figure is missing.

    Examples
    --------
    >>> from lifelong.ledger.claims.perturbation import figure_vectors
    >>> len(perturbation_planes(figure_vectors()).axes)
    2
    """
    import matplotlib.pyplot as plt

    v, side, up = vectors, np.array([0, 0.12, 0]), np.array([0, 0, 0.12])
    figure, axes = plt.subplots(1, 2, figsize=(7, 3.9), subplot_kw={"projection": "3d"})
    blue, red = COLOURS["blue"], COLOURS["vermilion"]
    _plane(axes[0], v["w2"], side, blue, "-")
    _plane(axes[0], v["w2~"], up, red, "--")
    _arrow(axes[0], v["w1"], blue, "$w_1$", (0.012, -0.03))
    _arrow(axes[0], v["w1~"], red, r"$\tilde{w}_1$", (0.0, 0.012), "--")
    _arrow(axes[0], v["w2"], COLOURS["black"], r"$w_2=\tilde{w}_2$", (-0.1, -0.035))
    tilt = v["b~"] - (v["b~"] @ v["a1"]) * v["a1"]
    _plane(axes[1], v["a1"], side, blue, "-")
    _plane(axes[1], v["a1"], 0.12 * tilt / np.linalg.norm(tilt), red, "--")
    _arrow(axes[1], v["b"], blue, "$b$", (0.012, -0.03))
    _arrow(axes[1], v["b~"], red, r"$\tilde{b}$", (0.0, 0.014), "--")
    _arrow(axes[1], v["a1"], COLOURS["black"], "$a_1$", (-0.05, -0.035))
    for axis, title in zip(axes, ("(a) orthogonal planes", "(b) close planes"), strict=True):
        axis.set(xlim=(0, 1.12), ylim=(-0.12, 0.12), zlim=(-0.12, 0.12), title=title)
        axis.set(xlabel="x", ylabel="y", zlabel="z", xticks=(0, 0.5, 1), yticks=(-0.1, 0, 0.1), zticks=(-0.1, 0, 0.1))
        axis.view_init(elev=18, azim=-62)
        axis.set_box_aspect((1.3, 1, 1), zoom=0.8)
    return figure


def certificate_map(certificate: Any) -> Any:
    """Draw the boxes of a `Certificate` of `ineq-scalar` over the square, each marked by the quotient that proves it.

    Parameters
    ----------
    certificate : Certificate

    Returns
    -------
    matplotlib.figure.Figure

    Notes
    -----
    For `ineq-scalar`.

    Examples
    --------
    >>> from lifelong.halfspaces.scalar import certify_scalar_inequality
    >>> len(certificate_map(certify_scalar_inequality()).axes)
    1
    """
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    looks = {"inside": ("sky", ""), "right": ("orange", "//"), "top": ("green", "\\\\"), "corner": ("purple", "xx")}
    figure, axis = plt.subplots(figsize=(4.6, 4.4))
    for (x0, x1, y0, y1), region in zip(certificate.boxes, certificate.regions, strict=True):
        colour, hatch = looks[region]
        axis.add_patch(
            Rectangle(
                (x0, y0), x1 - x0, y1 - y0, facecolor=COLOURS[colour], alpha=0.75, hatch=hatch, edgecolor="#333333"
            )
        )
    for region, (x, y) in {
        "inside": (0.3, 0.3),
        "right": (0.84, 0.3),
        "top": (0.3, 0.84),
        "corner": (0.9, 0.9),
    }.items():
        axis.text(x, y, region, ha="center", va="center", bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    axis.set(xlim=(0, 1), ylim=(0, 1), xlabel=r"$\alpha$ in units of $\pi/2$", ylabel=r"$\beta$ in units of $\pi/2$")
    axis.set_aspect("equal")
    axis.grid(False)
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
