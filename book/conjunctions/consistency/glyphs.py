"""Letters as superpositions of placed pieces, with the font's own table as the ground truth (Section 4).

A composite glyph, such as an accented letter, is stored in a font's `glyf` table as a list of other
glyphs and offsets. Drawn on one grid, it is exactly the OR of its pieces, and the table says which.
Needs matplotlib, which ships the DejaVu fonts, and fontTools; both are imported on first use.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, FloatArray, matrix_product

IntArray = NDArray[np.int64]

#: Chords for each quadratic curve. From 8 on the anchor numbers of the sets below stay; from 64 on no pixel of them
#: was seen to move.
CURVE_STEPS = 64
#: Flattened points are rounded to this part of a font unit, so that the winding rule is computed exactly.
FRACTION = 64
#: Which of the segments a to g (top, right upper, right lower, bottom, left lower, left upper, middle) are lit.
LIT = """
0=abcdef 1=bc 2=abdeg 3=abcdg 4=bcfg 5=acdfg 6=acdefg 7=abc
8=abcdefg 9=abcdfg A=abcefg B=cdefg C=adef D=bcdeg E=adefg F=aefg
"""
SEGMENTS = dict(pair.split("=") for pair in LIT.split())


class _Placed(NamedTuple):
    """A glyph that is no composite, moved by (dx, dy) font units."""

    leaf: str
    dx: int
    dy: int


@dataclass(frozen=True, eq=False)
class GlyphSet:
    """Glyphs of Algorithm 3's chapter: images of letters as targets, and the pieces of which the font composes them."""

    characters: tuple[str, ...]
    images: BoolArray
    shape: tuple[int, int]
    components: BoolArray
    inside: BoolArray


def _leaves(glyf: Any, glyph: str, dx: int = 0, dy: int = 0) -> Iterator[_Placed | None]:
    """Placed glyphs that a glyph is composed of; None for a piece that is not simply moved."""
    if not glyf[glyph].isComposite():
        yield _Placed(glyph, dx, dy)
        return
    for part in glyf[glyph].components:
        # scaled or turned, or placed by matching points, which leaves it without an offset
        if hasattr(part, "transform") or not hasattr(part, "x"):
            yield None
        else:
            yield from _leaves(glyf, part.glyphName, dx + part.x, dy + part.y)


def _curve(start: ArrayLike, control: ArrayLike, end: ArrayLike) -> list[tuple[float, float]]:
    """Ends of the chords of one quadratic curve."""
    t = np.arange(1, CURVE_STEPS + 1)[:, None] / CURVE_STEPS
    points = (1 - t) ** 2 * np.asarray(start) + 2 * t * (1 - t) * np.asarray(control) + t**2 * np.asarray(end)
    return [(x, y) for x, y in (np.rint(points * FRACTION) / FRACTION).tolist()]


def _polygons(glyf: Any, leaf: str) -> list[list[tuple[float, float]]]:
    """Flatten the closed contours of a glyph that is no composite."""
    from fontTools.pens.basePen import decomposeQuadraticSegment
    from fontTools.pens.recordingPen import RecordingPen

    pen = RecordingPen()
    # the raw outline: glyphSet[leaf].draw would shift an accent drawn alone by its side bearing
    glyf[leaf].draw(pen, glyf)
    polygons: list[list[tuple[float, float]]] = []
    for operator, points in pen.value:
        if operator == "moveTo":
            polygons.append([points[0]])
        elif operator == "lineTo":
            polygons[-1].append(points[0])
        elif operator == "qCurveTo":
            if points[-1] is None:  # a contour of controls only starts midway between two of them
                start = tuple((np.asarray(points[-2]) + np.asarray(points[0])) / 2)
                polygons.append([start])
                points = (*points[:-1], start)
            for control, end in decomposeQuadraticSegment(points):
                polygons[-1] += _curve(polygons[-1][-1], control, end)
    return polygons


def _edges(polygons: list[list[tuple[float, float]]]) -> FloatArray:
    """Directed edges (e, 2, 2) of closed polygons: edge, start or end, x or y."""
    corners = [np.asarray(polygon, dtype=np.float64) for polygon in polygons]
    edges = [np.stack([points, np.roll(points, -1, axis=0)], axis=1) for points in corners]
    return np.concatenate(edges) if edges else np.empty((0, 2, 2))


def _winding(edges: FloatArray, x: FloatArray, y: FloatArray) -> IntArray:
    """Winding numbers (h, w) of closed polygons around the points (x[j], y[i])."""
    (x0, y0), (x1, y1) = edges[:, 0].T[..., None], edges[:, 1].T[..., None]
    up, down = (y0 <= y) & (y < y1), (y1 <= y) & (y < y0)
    edge, row = np.nonzero(up | down)
    # Which side of the edge: products of dyadic fractions, exact in float64, so no pixel is in doubt.
    side = (x1 - x0)[edge] * (y[row, None] - y0[edge]) - (x - x0[edge]) * (y1 - y0)[edge]
    step = np.where(up[edge, row, None], side > 0, -1 * (side < 0))
    winding = np.zeros((len(y), len(x)), dtype=np.int64)
    np.add.at(winding, row, step)
    return winding


def _pixel_centres(low: float, high: float, pitch: int) -> FloatArray:
    """Points of the em grid between two coordinates; the quarter keeps them off the outlines' integers."""
    offset = pitch / 2 + 0.25
    first, last = np.ceil((low - offset) / pitch), np.floor((high - offset) / pitch)
    centres: FloatArray = offset + pitch * np.arange(first, last + 1)
    return centres


def _draw(glyf: Any, placed: list[_Placed], pitch: int) -> tuple[IntArray, tuple[int, int]]:
    """Winding numbers (p, n) of placed glyphs over the pixels of one common box, and the box's shape."""
    outlines = {leaf: _edges(_polygons(glyf, leaf)) for leaf in dict.fromkeys(p.leaf for p in placed)}
    moved = [outlines[p.leaf] + np.array([p.dx, p.dy], dtype=np.float64) for p in placed]
    ends = np.concatenate([np.empty((0, 2, 2)), *moved]).reshape(-1, 2)
    if not len(ends):
        return np.zeros((len(placed), 0), dtype=np.int64), (0, 0)
    (left, bottom), (right, top) = ends.min(axis=0), ends.max(axis=0)
    x, y = _pixel_centres(left, right, pitch), _pixel_centres(bottom, top, pitch)[::-1]
    return np.stack([_winding(edges, x, y) for edges in moved]).reshape(len(placed), -1), (len(y), len(x))


def _first_of_equal(rows: BoolArray) -> dict[bytes, list[int]]:
    """Positions of the rows that are not blank, equal ones together, in order of first appearance."""
    groups: dict[bytes, list[int]] = {}
    for i in np.flatnonzero(rows.any(axis=1)):
        groups.setdefault(rows[i].tobytes(), []).append(int(i))
    return groups


def _font_path(font: str) -> Path:
    folder = Path(import_module("matplotlib").get_data_path()) / "fonts" / "ttf"
    known = sorted(path.name for path in folder.glob("DejaVu*.ttf"))
    if font not in known:
        raise ValueError(f"font: expected one of {known}, got {font!r}")
    return folder / font


def _glyph_names(font: Any, characters: tuple[str, ...]) -> dict[str, str]:
    names = font.getBestCmap()
    missing = [c for c in characters if ord(c) not in names]
    if missing:
        raise ValueError(f"characters: expected characters of the font, got {missing} that it lacks")
    return {c: names[ord(c)] for c in characters}


def _compositions(glyf: Any, glyphs: dict[str, str]) -> dict[str, list[_Placed]]:
    """List the placed pieces of each character; those with a piece not simply moved are missing."""
    found = {character: list(_leaves(glyf, glyph)) for character, glyph in glyphs.items()}
    return {c: [p for p in pieces if p is not None] for c, pieces in found.items() if None not in pieces}


def glyph_set(characters: Iterable[str], *, font: str = "DejaVuSansMono.ttf", pitch: int = 64) -> GlyphSet:
    r"""Glyphs for Algorithm 3: characters of a DejaVu font, and the pieces its `glyf` table composes them of."""
    with import_module("fontTools.ttLib").TTFont(_font_path(font)) as opened:
        compositions = _compositions(opened["glyf"], _glyph_names(opened, tuple(characters)))
        placed = list(dict.fromkeys(p for pieces in compositions.values() for p in pieces))
        windings, shape = _draw(opened["glyf"], placed, pitch)
    counts = np.array([[pieces.count(p) for p in placed] for pieces in compositions.values()], dtype=np.int64)
    counts = counts.reshape(len(compositions), len(placed))
    # floats because numpy multiplies only these fast; such small integers are exact in them
    drawn: BoolArray = np.not_equal(matrix_product(counts.astype(np.float64), windings), 0)
    kept = [group[0] for group in _first_of_equal(drawn).values()]
    used: BoolArray = np.greater(counts[kept], 0)
    in_use: BoolArray = np.any(used, axis=0)
    alike = _first_of_equal((windings != 0) & in_use[:, None]).values()
    return GlyphSet(
        characters=tuple(np.array(list(compositions))[kept].tolist()),
        images=drawn[kept],
        shape=shape,
        components=windings[[group[0] for group in alike]] != 0,
        inside=np.stack([used[:, group].any(axis=1) for group in alike], axis=1),
    )


def braille() -> GlyphSet:
    """Glyphs of Algorithm 3's chapter, the Braille patterns: every nonempty set of eight dots."""
    return glyph_set(map(chr, range(0x2801, 0x2900)), font="DejaVuSans.ttf")


def hexagrams() -> GlyphSet:
    """Glyphs for Algorithm 3, the hexagrams of the I Ching: six lines, each solid or broken."""
    return glyph_set(map(chr, range(0x4DC0, 0x4E00)), font="DejaVuSans.ttf")


def _is_greek_vowel(character: str) -> bool:
    return character.isalpha() and unicodedata.normalize("NFD", character)[0] in "αεηιουω"


def polytonic_greek() -> GlyphSet:
    """Glyphs for Algorithm 3, the lower-case vowels of ancient Greek with all accents, breathings and lengths."""
    letters = map(chr, [*range(0x0370, 0x0400), *range(0x1F00, 0x2000)])
    return glyph_set(filter(_is_greek_vowel, letters))


def seven_segment(digits: str = "0123456789") -> BoolArray:
    """Glyphs for Algorithm 3: digits on a seven-segment display."""
    return np.array([[segment in SEGMENTS[d.upper()] for segment in "abcdefg"] for d in digits])
