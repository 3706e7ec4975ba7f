"""Pictures of chapter 2."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from lifelong._checks import BoolArray, FloatArray
from lifelong_book.press import space
from lifelong_book.press.style import COLOURS, drawn

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from lifelong.laws import IsotropicLaw


def samples_of_laws(laws: Iterable[type[IsotropicLaw]]) -> Figure:
    """1200 points of each of six laws in the plane, and the unit circle."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Circle

    figure, axes = plt.subplots(2, 3, figsize=(5.4, 4.0), sharex=True, sharey=True)
    for axis, kind in zip(axes.flat, laws, strict=True):
        law = kind(2)
        x, y = law.sample(1200, rng=0).T
        axis.plot(x, y, ".", color=COLOURS["blue"], markersize=2, alpha=0.6)
        look: dict[str, Any] = {"linestyle": "--", "color": COLOURS["vermilion"], "linewidth": 1.6, "zorder": 3}
        axis.add_patch(Circle((0, 0), 1, fill=False, **look))
        axis.set(title=law.name, xlim=(-3.6, 3.6), ylim=(-3.6, 3.6), aspect="equal")
    figure.supxlabel("first coordinate", fontsize=10)
    figure.supylabel("second coordinate", fontsize=10)
    return figure


@drawn
def angle_errors(angles: FloatArray, errors: Mapping[str, FloatArray]) -> Figure:
    """Absolute errors of two formulas for the angle, over the angle."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.3, 3.6))
    for (name, error), mark, colour in zip(errors.items(), "xo", ("vermilion", "blue"), strict=True):
        look: dict[str, Any] = {"markersize": 4, "fillstyle": "none", "gid": "rounding"}
        axis.loglog(angles, error, mark, color=COLOURS[colour], label=name, **look)
    axis.loglog(angles, angles, "--", color=COLOURS["black"], linewidth=1.2)
    axis.annotate("error = angle", (1e-12, 1e-12), xytext=(1.5e-12, 3e-15), fontsize=10)
    # the least error is another processor's own, so the axis does not end at it
    axis.set(xlabel="angle (radians)", ylabel="absolute error (radians)", ylim=(1e-27, 10))
    axis.legend(loc="lower right")
    return figure


def set_aside(points: FloatArray, labels: FloatArray, target: Any, guess: Any) -> Figure:
    """Labelled points of the plane, the boundaries of target and guess, and the double wedge in which they disagree."""
    import matplotlib.pyplot as plt

    reach = 3.2
    figure, axis = plt.subplots(figsize=(5.4, 3.1))
    normals = {"target": np.asarray(target, dtype=float), "guess": np.asarray(guess, dtype=float)}
    turns = np.linspace(-np.pi, np.pi, 1441)
    around = reach * np.sqrt(2) * np.array([np.cos(turns), np.sin(turns)])
    differ = (normals["target"] @ around > 0) != (normals["guess"] @ around > 0)
    for start, end in _stretches(differ):
        corners = np.vstack([np.zeros(2), around.T[start:end]])
        axis.fill(*corners.T, color=COLOURS["vermilion"], alpha=0.2, linestyle="none")
    for (name, normal), colour, style in zip(normals.items(), ("blue", "vermilion"), ("-", "--"), strict=True):
        along = reach * np.sqrt(2) * np.array([-normal[1], normal[0]]) / np.linalg.norm(normal)
        axis.plot(*np.stack([-along, along]).T, style, color=COLOURS[colour], label=f"boundary of the {name}")
    wrong = labels * (points @ normals["guess"]) <= 0
    for sign, face, name in ((1, COLOURS["black"], "label 1"), (-1, "none", "label $-1$")):
        here = (labels == sign) & ~wrong
        look: dict[str, Any] = {"markersize": 6, "markerfacecolor": face, "markeredgecolor": COLOURS["black"]}
        axis.plot(*points[here].T, "o", label=name, **look)
    cross: dict[str, Any] = {"color": COLOURS["vermilion"], "markersize": 8, "markeredgewidth": 2}
    axis.plot(*points[wrong].T, "x", label="guess is wrong", **cross)
    axis.set(xlim=(-reach, reach), ylim=(-reach, reach), aspect="equal")
    axis.axis("off")
    figure.legend(loc="outside right center")
    return figure


def _stretches(on: BoolArray) -> list[tuple[int, int]]:
    """Where runs of true begin and end."""
    steps = np.flatnonzero(np.diff(np.concatenate([[False], on, [False]]).astype(int)))
    return list(zip(steps[::2].tolist(), steps[1::2].tolist(), strict=True))


def elimination(hypotheses: BoolArray, points: BoolArray) -> Figure:
    """How equivalence queries find a conjunction: each hypothesis, and the counterexample that shortens it."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Rectangle

    steps, n = hypotheses.shape
    figure, axis = plt.subplots(figsize=(5.0, 0.58 * steps + 0.45))
    for i, row in enumerate(hypotheses):
        for j, on in enumerate(row):
            look: dict[str, Any] = {"edgecolor": COLOURS["black"], "linewidth": 0.8}
            axis.add_patch(Rectangle((j, -i), 0.9, 0.75, facecolor=COLOURS["sky"] if on else "none", **look))
        if i < len(points):
            (lost,) = np.flatnonzero(row & ~points[i])
            bits = "".join(str(int(bit)) for bit in points[i])
            axis.plot(
                [lost + 0.15, lost + 0.75], [-i + 0.12, -i + 0.63], "-", color=COLOURS["vermilion"], linewidth=2.5
            )
            axis.text(n + 0.3, -i + 0.38, f"wrong at {bits}: $x_{lost + 1}$ goes", va="center", fontsize=11)
        else:
            axis.text(n + 0.3, -i + 0.38, "yes, that is the target", va="center", fontsize=11)
    for j in range(n):
        axis.text(j + 0.45, 1.0, f"$x_{j + 1}$", ha="center", fontsize=11)
    axis.set(xlim=(-0.3, n + 5.2), ylim=(-steps + 0.8, 1.5))
    axis.axis("off")
    return figure


def one_sided() -> Figure:
    """A line inside a plane: the line is at angle 0 from the plane, the plane at a right angle from the line."""
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    corners = np.array([[-2.2, -0.8], [1.4, -0.8], [2.4, 0.9], [-1.2, 0.9]])
    axis.fill(*corners.T, color=COLOURS["sky"], alpha=0.35, edgecolor=COLOURS["blue"])
    axis.text(-1.75, -0.62, "$V$, a plane", fontsize=12)
    along, across = np.array([1.75, 0.0]), (0.42, 0.72)
    axis.plot(*np.stack([-along, along]).T, color=COLOURS["vermilion"], linewidth=2.4)
    axis.text(0.35, -0.26, "$U$, a line in $V$", fontsize=12)
    axis.annotate(
        "", across, xytext=(0, 0), arrowprops={"arrowstyle": "-|>", "color": COLOURS["black"], "linewidth": 1.8}
    )
    axis.text(0.5, 0.62, "$v$ in $V$,\northogonal to $U$", fontsize=12, va="top")
    axis.plot([0.16, 0.25, 0.09], [0.0, 0.155, 0.155], color=COLOURS["black"], linewidth=1.2)
    axis.set(xlim=(-2.4, 2.6), ylim=(-0.95, 1.05))
    axis.axis("off")
    return figure


def separated(rows: FloatArray, gamma: float, names: Iterable[str]) -> Figure:
    """Unit vectors in the plane, and the cone within gamma of the first: what lies in it adds no dimension to it."""
    import matplotlib.pyplot as plt
    from matplotlib.patches import Wedge

    figure, axis = plt.subplots(figsize=(5.2, 3.0))
    middle = np.degrees(np.arctan2(rows[0, 1], rows[0, 0]))
    spread = np.degrees(gamma)
    axis.add_patch(Wedge((0, 0), 1, middle - spread, middle + spread, color=COLOURS["sky"], alpha=0.35))
    for row, name in zip(rows, names, strict=True):
        style = {"arrowstyle": "-|>", "color": COLOURS["blue"], "linewidth": 2, "mutation_scale": 16}
        axis.annotate("", row, xytext=(0, 0), arrowprops=style)
        axis.text(1.06 * row[0], 1.06 * row[1], name, fontsize=12, va="center")
    axis.set(xlim=(-0.05, 1.75), ylim=(-0.25, 1.0), aspect="equal")
    axis.axis("off")
    return figure


def two_orders(t: float) -> Figure:
    """The same three vectors in two orders: the last of each above the plane of the first two, with its angle."""
    import matplotlib.pyplot as plt

    c = np.array([np.cos(t) / np.sqrt(2), np.cos(t) / np.sqrt(2), np.sin(t)])
    e1, e2, _ = np.eye(3)
    figure, axes = plt.subplots(1, 2, figsize=(5.6, 2.7))
    orders = (("$e_1$", e1, "$e_2$", e2, "$c$", c), ("$c$", c, "$e_1$", e1, "$e_2$", e2))
    for axis, (first, u, second, v, last, w) in zip(axes, orders, strict=True):
        _rising(axis, (first, second, last), (u, v, w))
    return figure


def _rising(axis: Any, names: tuple[str, str, str], vectors: tuple[Any, Any, Any]) -> None:
    """The third vector above the plane of the first two, which lies flat on paper."""
    u, v, w = vectors
    along = u / np.linalg.norm(u)
    across = v - (v @ along) * along
    across = across / np.linalg.norm(across)
    up = np.cross(along, across)
    flat = np.array([along, across, up * np.sign(up @ w)])
    u, v, w = (flat @ x for x in (u, v, w))
    middle = (u + v) / 2  # the plane is turned so that its two vectors lie to both sides
    back = np.arctan2(middle[1], middle[0])
    turn = np.array([[np.cos(back), np.sin(back), 0], [-np.sin(back), np.cos(back), 0], [0, 0, 1]])
    u, v, w = (turn @ x for x in (u, v, w))
    mirror = np.array([1, -1 if w[1] < 0 else 1, 1])  # what rises stands behind, where its height is seen
    u, v, w = (mirror * x for x in (u, v, w))
    foot = np.array([w[0], w[1], 0.0])
    angle = float(np.arcsin(w[2]))
    _plane(axis)
    for name, x, colour in zip(names, (u, v, w), ("blue", "blue", "vermilion"), strict=True):
        space.pointer(axis, (0, 0), _seen(x), COLOURS[colour])
        space.words(
            axis,
            _seen(x) + np.array([0.12, 0.02]) if colour == "vermilion" else 1.13 * _seen(x),
            name,
            fontsize=12,
            ha="center",
            va="center",
            color=COLOURS[colour],
        )
    axis.plot(*np.array([_seen(w), _seen(foot), [0.0, 0.0]]).T, ":", color=COLOURS["black"], linewidth=1.4)
    axis.set_title(f"last: {names[2]}, at {angle:.3f}", fontsize=11, loc="center")
    axis.set(xlim=(-0.65, 1.4), ylim=(-0.6, 1.0), aspect="equal")
    axis.axis("off")


def _seen(x: FloatArray) -> FloatArray:
    """Where a point lies on paper, seen from a little above the flat plane."""
    return np.array([x[0] - 0.25 * x[1], 0.5 * x[1] + 0.12 * x[0] + x[2]])


def _plane(axis: Any) -> None:
    corners = [_seen(np.array([a, b, 0.0])) for a, b in ((-0.35, -0.95), (1.05, -0.95), (1.05, 0.95), (-0.35, 0.95))]
    axis.fill(*np.array(corners).T, facecolor=COLOURS["sky"], alpha=0.25, edgecolor=COLOURS["blue"])


@drawn
def steps_of_cosine(most: float) -> Figure:
    """One minus the cosine of a small angle, and the nearest number that a computer has, in units of the last place."""
    import matplotlib.pyplot as plt

    unit, angles = 2.0**-53, np.linspace(0, most, 601)
    true = angles**2 / 2 / unit  # the cosine up to the fourth power of the angle
    figure, axis = plt.subplots(figsize=(5.2, 2.6))
    axis.plot(1e8 * angles, true, "--", color=COLOURS["vermilion"], label="exact")
    axis.plot(1e8 * angles, np.floor(true + 0.5), "-", color=COLOURS["blue"], label="as a computer has it")
    axis.set(xlabel=r"angle, in $10^{-8}$ radians", ylabel=r"$1-\cos$, in $2^{-53}$")
    axis.legend(loc="upper left")
    return figure
