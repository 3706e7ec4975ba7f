"""The pictures that open Parts 3, 4 and 5."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press.style import COLOURS, Figure, bare, plt


def shared_plane(targets: FloatArray, learned: FloatArray, joined: int | None = None) -> Figure:
    """The drawing that opens Part 3: unit vectors of a plane, and what was learned of some, dotted off the plane."""
    from matplotlib.colors import to_rgba

    axis = plt.figure(figsize=(5.0, 3.3)).subplots()
    turn, rise = np.radians([-52.0, 22.0])  # from where one looks: around the third axis, and above the first two
    across = np.array([-np.sin(turn), np.cos(turn), 0.0])
    upwards = np.array([-np.sin(rise) * np.cos(turn), -np.sin(rise) * np.sin(turn), np.cos(rise)])

    def draw(points: ArrayLike, style: str, colour: str, **look: Any) -> None:
        axis.plot(*(np.atleast_2d(points) @ np.stack([across, upwards], axis=1)).T, style, color=colour, **look)

    first, second = np.linalg.svd(targets)[2][:2]
    corners = np.array([1.03 * (s * first + t * second) for s, t in ((-1, -1), (-1, 1), (1, 1), (1, -1), (-1, -1))])
    flat = np.stack([corners @ across, corners @ upwards])
    axis.fill(*flat, facecolor=to_rgba(COLOURS["sky"], 0.25), edgecolor=COLOURS["blue"], linewidth=1)
    for i in range(3):  # the axes, so that the plane is seen to be tilted
        x, y = 0.95 * across[i], 0.95 * upwards[i]
        look = {"arrowstyle": "->", "color": "0.45", "linewidth": 1.1, "shrinkA": 0}
        axis.annotate("", (x, y), (0, 0), arrowprops=look, annotation_clip=False)
        axis.text(1.13 * x, 1.13 * y, f"$x_{i + 1}$", fontsize=12, color="0.3", ha="center", va="center")
    for rows, colour, wide in ((targets, "blue", 1.4), (learned, "vermilion", 2.6)):
        for row in rows:
            draw([np.zeros(3), row], "-", COLOURS[colour], linewidth=wide)
            draw(row, "o", COLOURS[colour], markersize=4 + 2 * (wide > 2))
    for row in learned:
        foot = (row @ first) * first + (row @ second) * second
        if np.linalg.norm(row - foot) > 1e-9:
            draw([row, foot], ":", COLOURS["black"], linewidth=1.4)
    if len(learned) == 2:
        basis = np.linalg.svd(learned, full_matrices=False)[2]
        draw(0.98 * corners @ basis.T @ basis, "--", COLOURS["vermilion"], linewidth=1.5)
        feet = targets @ basis.T @ basis
        far = np.linalg.norm(targets - feet, axis=1).argmax() if joined is None else joined
        draw([targets[far], feet[far]], ":", COLOURS["black"], linewidth=1.8)
        ring: dict[str, Any] = {"markerfacecolor": "white", "markersize": 8, "markeredgewidth": 1.6}
        draw(feet[far], "o", COLOURS["vermilion"], **ring)
    return bare(axis)


def _board(axis: Any, colours: Sequence[str], side: int, left: float = 0.0) -> None:
    """A square of cells in their colours."""
    from matplotlib.patches import Rectangle

    for i, colour in enumerate(colours):
        spot = (left + i % side, -(i // side))
        axis.add_patch(Rectangle(spot, 0.92, 0.92, facecolor=colour, edgecolor=COLOURS["black"], linewidth=0.8))


def boards(named: Mapping[str, BoolArray], side: int, kinds: Sequence[str]) -> Figure:
    """The drawing that opens Part 4: sets of pixels as boards, pieces in green, targets made of them in blue."""
    columns = max(kinds.count(kind) for kind in dict.fromkeys(kinds))
    rows = list(dict.fromkeys(kinds))
    figure, axes = plt.subplots(len(rows), columns, figsize=(1.25 * columns, 1.6 * len(rows)), squeeze=False)
    for axis in axes.flat:
        bare(axis, equal=False)
    for (name, cells), kind in zip(named.items(), kinds, strict=True):
        place = [k for k in kinds[: list(named).index(name)] if k == kind]
        axis = axes[rows.index(kind), len(place)]
        ink = COLOURS["green" if kind == rows[0] else "blue"]
        _board(axis, [ink if on else "none" for on in cells.ravel()], side)
        axis.set(xlim=(-0.1, side), ylim=(-side + 0.9, 1.0), aspect="equal")
        axis.set_title(name, fontsize=11.5, loc="center")
    return figure


def two_layers(inputs: int, pieces: Mapping[str, Sequence[int]], sums: Mapping[str, Sequence[Sequence[str]]]) -> Figure:
    """The drawing that opens Part 5: variables, products of them, products of these, and weighted sums, with lines."""
    axis = plt.figure(figsize=(5.2, 4.2)).subplots()
    terms = list(dict.fromkeys(tuple(term) for found in sums.values() for term in found))
    layers: list[list[Any]] = [list(range(1, inputs + 1)), list(pieces), terms, list(sums)]
    wide = max(map(len, layers))
    at = {
        (depth, node): (wide * (i + 0.5) / len(layer), depth)
        for depth, layer in enumerate(layers)
        for i, node in enumerate(layer)
    }
    lines: list[tuple[tuple[int, Any], tuple[int, Any]]] = [
        *(((0, v), (1, piece)) for piece, variables in pieces.items() for v in variables),
        *(((1, piece), (2, term)) for term in terms for piece in term),
        *(((2, tuple(term)), (3, name)) for name, found in sums.items() for term in found),
    ]
    for low, high in lines:
        axis.plot(*zip(at[low], at[high], strict=True), "-", color=COLOURS["black"], linewidth=0.9, zorder=1)
    names: dict[int, Callable[[Any], str]] = {0: lambda v: f"$x_{v}$", 1: str, 2: lambda _: "×", 3: str}
    colours = ["black", "green", "blue", "vermilion"]
    for (depth, node), (x, y) in at.items():
        look: dict[str, Any] = {"facecolor": "white", "edgecolor": COLOURS[colours[depth]], "linewidth": 2}
        axis.scatter([x], [y], s=560, zorder=2, **look)
        axis.text(x, y, names[depth](node), ha="center", va="center", fontsize=11.5, zorder=3)
    for depth, words in enumerate(
        ("variables", "metafeatures:\nproducts", "terms: products\nof products", "targets: sums")
    ):
        axis.text(wide + 0.35, depth, words, va="center", fontsize=11)
    return bare(axis, (-0.2, wide + 3.1), (-0.4, 3.4), equal=False)


def factors(tasks: int, variables: int, features: int) -> Figure:
    """A drawing that opens Part 3: all targets as a tall matrix, and as coefficients times features; one row marked."""
    from matplotlib.patches import Rectangle

    axis = plt.figure(figsize=(5.6, 2.6)).subplots()
    row, gap = tasks // 3, 3.0
    starts = {"targets": 0.0, "weights": variables + gap, "features": variables + features + 2 * gap}
    sizes = {"targets": (variables, tasks), "weights": (features, tasks), "features": (variables, features)}
    colours = {"targets": "blue", "weights": "vermilion", "features": "green"}
    for name, (wide, high) in sizes.items():
        corner = (starts[name], tasks - high)
        look: dict[str, Any] = {"edgecolor": COLOURS[colours[name]], "linewidth": 1.8}
        axis.add_patch(Rectangle(corner, wide, high, facecolor=COLOURS[colours[name]], alpha=0.13))
        axis.add_patch(Rectangle(corner, wide, high, fill=False, **look))
        if name != "features":
            axis.add_patch(Rectangle((starts[name], tasks - row), wide, 1, facecolor=COLOURS[colours[name]]))
    for sign, x in (("=", starts["weights"] - gap / 2), ("×", starts["features"] - gap / 2)):
        axis.text(x, tasks - features / 2, sign, ha="center", va="center", fontsize=15)
    middle = starts["features"] + variables / 2
    axis.text(middle, tasks - features - 1.2, "the features:\nlearned once", ha="center", va="top", fontsize=11)
    axis.text(variables / 2, -0.7, f"a row for each target:\n{variables} numbers", ha="center", va="top", fontsize=11)
    place = starts["weights"] + features / 2
    axis.text(place, -0.7, f"a row for each:\n{features} numbers", ha="center", va="top", fontsize=11)
    return bare(axis, (-0.5, starts["features"] + variables + 0.5), (-3.4, tasks + 0.5), equal=False)


def in_common(named: Mapping[str, BoolArray], side: int) -> Figure:
    """A drawing that opens Part 4: boards in a row, and at the end what all of them share."""
    shared = np.logical_and.reduce(list(named.values()))
    shown = [*named.items(), ("", shared)]
    axis = plt.figure(figsize=(5.6, 1.6)).subplots()
    for place, (name, cells) in enumerate(shown):
        left = place * (side + 1.4)
        last = place == len(shown) - 1
        inks = [COLOURS["green" if kept else "sky"] if on else "none" for on, kept in zip(cells, shared, strict=True)]
        _board(axis, inks, side, left)
        axis.text(left + side / 2, 1.25, "in all of them" if last else name, ha="center", fontsize=11.5)
        if place:
            axis.text(left - 0.72, 0.5 - side / 2 + 0.5, "=" if last else "∩", ha="center", va="center", fontsize=16)
    return bare(axis, (-0.3, len(shown) * (side + 1.4) - 1.2), (0.7 - side, 2.0))
