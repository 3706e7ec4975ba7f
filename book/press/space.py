"""Vectors and planes of space as line drawings, in a parallel projection."""

from typing import Any

import numpy as np

from lifelong._checks import FloatArray

#: Directions on paper of three axes: to the right, towards the reader, up.
_PAPER = np.array([[1.0, -0.06], [-0.42, -0.7], [0.0, 1.0]])


def paper(points: Any) -> FloatArray:
    """Where points of space lie on paper, in a parallel projection."""
    flat: FloatArray = np.asarray(points, dtype=float) @ _PAPER
    return flat


def sheet(axis: Any, u: Any, v: Any, colour: str, edge: str = "-") -> None:
    """A plane in a drawing of space: the parallelogram from the origin along u and v, shaded, with its edges."""
    corners = paper([0 * np.asarray(u), u, np.asarray(u) + v, v])
    axis.fill(*corners.T, facecolor=colour, alpha=0.16, linestyle="none")
    axis.plot(*np.vstack([corners, corners[:1]]).T, edge, color=colour, linewidth=1)


def words(axis: Any, place: Any, text: str, shift: tuple[float, float] = (0.0, 0.0), **look: Any) -> None:
    """In a drawing of space, a text on paper, moved a little from a place."""
    axis.text(place[0] + shift[0], place[1] + shift[1], text, **look)


def pointer(axis: Any, start: Any, end: Any, colour: str, width: float = 2.2, style: str = "-") -> None:
    """In a drawing of space, an arrow on paper."""
    look = {"arrowstyle": "-|>", "color": colour, "linewidth": width, "linestyle": style, "shrinkA": 0, "shrinkB": 0}
    axis.annotate("", end, start, arrowprops={**look, "mutation_scale": 16})


def remark(axis: Any, place: Any, text: str, shift: tuple[float, float], **look: Any) -> None:
    """In a drawing of space, a text on paper with a thin line to what it is about."""
    line = {"arrowstyle": "-", "color": "#777777", "linewidth": 0.8}
    axis.annotate(text, place, (place[0] + shift[0], place[1] + shift[1]), arrowprops=line, **look)


def arrow(axis: Any, v: Any, colour: str, text: str, shift: tuple[float, float], style: str = "-") -> None:
    """An arrow from the origin of space, its name beside the point."""
    end = paper(v)
    pointer(axis, (0, 0), end, colour, style=style)
    words(axis, end, text, shift, color=colour, fontsize=15, va="center", ha="center")


def arc(axis: Any, u: Any, v: Any, radius: float, text: str, shift: tuple[float, float] = (0.0, 0.0)) -> None:
    """The arc between two directions of space, and its size beside it."""
    u, v = (np.asarray(x, dtype=float) / np.linalg.norm(x) for x in (u, v))
    mix = np.linspace(0, 1, 30)[:, None]
    between = (1 - mix) * u + mix * v
    curve = paper(radius * between / np.linalg.norm(between, axis=1, keepdims=True))
    axis.plot(*curve.T, "-", color="#555555", linewidth=1.3)
    words(axis, curve[15], text, shift, color="#333333", fontsize=12, ha="center", va="center")
