"""What a frame of a moving picture is drawn with: marks with a key, plots with axes, and a view of space."""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, bool_array, real_array

#: What a mark may mean. The style says the colour for a light and for a dark page; `learned`, `printed` and `bound`
#: are dashed as well, so that nothing is said by colour alone.
KINDS = frozenset(("target", "true", "measured", "learned", "metafeature", "bound", "printed", "fails",
                   "ink", "quiet", "axis", "grid"))  # fmt: skip
#: How it may look beside that.
LOOKS = frozenset(["filled", "solid", "erased", "dashed", "unbroken", "thick", "thin", "dots"])


class Mark(NamedTuple):
    """One thing in a picture that moves: marks with the same key glide into each other, others fade."""

    key: str
    tag: str
    attributes: dict[str, str]
    text: str = ""


def _number(value: float) -> str:
    """A coordinate in steps of a tenth, the same on every machine: a tie is always broken upwards."""
    if not np.isfinite(value) or abs(value) > 1e4:
        raise ValueError(f"coordinate: expected a number up to 10,000 in size, got {value}")
    return f"{np.floor(value * 10 + 0.5 + 1e-6) / 10 + 0.0:g}"


def _mark(key: str, tag: str, kind: str, text: str = "", /, **attributes: float | str) -> Mark:
    words = kind.split()
    unknown = [word for word in words if word not in KINDS | LOOKS]
    if unknown or not KINDS & set(words):
        raise ValueError(f"kind: expected one of {sorted(KINDS)}, with any of {sorted(LOOKS)}, got {kind!r}")
    numbers = {n.replace("_", "-"): v if isinstance(v, str) else _number(v) for n, v in attributes.items()}
    return Mark(key, tag, {"class": kind, **numbers}, text)


def circle(key: str, at: ArrayLike, r: float, kind: str) -> Mark:
    """A circle in a picture that moves."""
    x, y = real_array("at", at)
    return _mark(key, "circle", kind, cx=x, cy=y, r=r)


def line(key: str, start: ArrayLike, end: ArrayLike, kind: str) -> Mark:
    """A straight line in a picture that moves."""
    (x1, y1), (x2, y2) = real_array("start", start), real_array("end", end)
    return _mark(key, "line", kind, x1=x1, y1=y1, x2=x2, y2=y2)


def path(key: str, points: ArrayLike, kind: str, *, closed: bool = False) -> Mark:
    """A line through points, or the polygon of them, in a picture that moves."""
    at = real_array("points", points, axes=2)
    return _mark(key, "path", kind, d="M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in at) + "Z" * closed)


def dots(key: str, points: ArrayLike, kind: str) -> Mark:
    """Small dots in a picture that moves, which are one mark."""
    at = real_array("points", points, axes=2)
    return _mark(key, "path", f"{kind} dots", d="".join(f"M{_number(x)} {_number(y)}h0" for x, y in at))


def arrow(key: str, start: ArrayLike, end: ArrayLike, kind: str, *, head: float = 8) -> Mark:
    """An arrow in a picture that moves."""
    a, b = real_array("start", start), real_array("end", end)
    back = (a - b) * head / (float(np.hypot(*(a - b))) or 1.0)
    cos, sin = np.cos(0.5), np.sin(0.5)
    sides = [b + np.array([cos * back[0] + s * back[1], -s * back[0] + cos * back[1]]) for s in (sin, -sin)]
    at = [f"{_number(x)} {_number(y)}" for x, y in (a, b, sides[1], b, sides[0])]
    return _mark(key, "path", kind, d=f"M{at[0]}L{at[1]}M{at[2]}L{at[3]}L{at[4]}")


def text(key: str, at: ArrayLike, words: str, kind: str = "ink", *, anchor: str = "start") -> Mark:
    """A short text in a picture that moves; formulas in plain letters (γ, ε, θ)."""
    if anchor not in ("start", "middle", "end"):
        raise ValueError(f"anchor: expected start, middle or end, got {anchor!r}")
    x, y = real_array("at", at)
    return _mark(key, "text", kind, words, x=x, y=y, text_anchor=anchor)


def bitmap(key: str, cells: ArrayLike, at: ArrayLike, size: float, kind: str) -> list[Mark]:
    """Square cells in rows in a picture that moves, inked or not: a letter, a board; one that changes fades."""
    ink, (x, y) = bool_array("cells", cells, axes=2), real_array("at", at)
    (rows, columns), name = ink.shape, f"{int(''.join('01'[int(c)] for c in ink.ravel()), 2):x}"
    corners = [(x, y), (x + columns * size, y), (x + columns * size, y + rows * size), (x, y + rows * size)]
    # neighbours in a row are one rectangle
    ends = np.argwhere(np.diff(np.pad(ink, ((0, 0), (1, 1))).astype(np.int8), axis=1)).reshape(-1, 2, 2)
    d = "".join(
        f"M{_number(x + a * size)} {_number(y + r * size)}h{_number((b - a) * size)}v{_number(size)}"
        f"h{_number((a - b) * size)}z"
        for (r, a), (_, b) in ends
    )
    frame = path(key, corners, "quiet", closed=True)
    return [frame, _mark(f"{key}:{name}", "path", f"{kind} solid thin", d=d)] if d else [frame]


class Plot(NamedTuple):
    """A plot within a picture that moves: where numbers lie, and its axes."""

    left: float
    top: float
    width: float
    height: float
    x: tuple[float, float]
    y: tuple[float, float]
    logarithmic: bool = False

    def at(self, points: ArrayLike) -> FloatArray:
        """Where points of numbers lie in the drawing."""
        p = real_array("points", points)
        f = np.log10 if self.logarithmic else np.asarray
        (a, b), (low, high) = self.x, (float(f(v)) for v in self.y)
        right = self.left + self.width * (p[..., 0] - a) / (b - a)
        down = self.top + self.height * (high - f(p[..., 1])) / (high - low)
        return np.stack([right, down], axis=-1)

    def axes(
        self, x: Iterable[tuple[float, str]], y: Iterable[tuple[float, str]], names: tuple[str, str]
    ) -> list[Mark]:
        """Axes with their ticks, thin lines across, and what they show."""
        right, bottom = self.left + self.width, self.top + self.height
        frame = [(self.left, self.top), (self.left, bottom), (right, bottom)]
        marks = [path("plot-axis", frame, "axis")]
        for i, (value, label) in enumerate(x):
            place = self.at((value, self.y[0]))[0]
            marks.append(text(f"plot-x{i}", (place, bottom + 16), label, anchor="middle"))
        for i, (value, label) in enumerate(y):
            height = self.at((self.x[0], value))[1]
            marks.append(line(f"plot-g{i}", (self.left, height), (right, height), "grid"))
            if label:
                marks.append(text(f"plot-y{i}", (self.left - 6, height + 4), label, anchor="end"))
        middle = self.left + self.width / 2
        marks.append(text("plot-nx", (middle, bottom + 34), names[0], anchor="middle"))
        return [*marks, text("plot-ny", (max(0.0, self.left - 44), self.top - 10), names[1])]


class Space(NamedTuple):
    """A view of space from afar in a picture that moves: parallel lines stay parallel, only the unit enlarges."""

    x: float
    y: float
    unit: float
    turn: float = 0.5
    tilt: float = 0.4

    def at(self, points: ArrayLike) -> FloatArray:
        """Where points of space lie in the drawing."""
        p = real_array("points", points)
        c, s = np.cos(self.turn), np.sin(self.turn)
        right, away = c * p[..., 0] - s * p[..., 1], s * p[..., 0] + c * p[..., 1]
        up = np.cos(self.tilt) * p[..., 2] + np.sin(self.tilt) * away
        return np.stack([self.x + self.unit * right, self.y - self.unit * up], axis=-1)
