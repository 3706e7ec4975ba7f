"""The glyph sets against the font read by other means, and anchor numbers against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong_book.beyond.letters.parts import gives_away
from lifelong_book.conjunctions.consistency.glyphs import _font_path, braille, glyph_set, hexagrams, polytonic_greek


def contained(glyphs) -> np.ndarray:
    """Whether component j lies within image i, whatever the table says."""
    return ~(glyphs.components[None] & ~glyphs.images[:, None]).any(axis=2)


def anchor_numbers(glyphs, inside) -> list[int | None]:
    """Sizes of smallest anchor sets, by the search of the page."""
    found = (gives_away(c, u, glyphs.images, most=3) for c, u in zip(glyphs.components, inside.T, strict=True))
    return [None if y is None else len(y) for y in found]


@pytest.mark.parametrize(
    ("make", "images", "components"), [(braille, 255, 8), (hexagrams, 64, 12), (polytonic_greek, 129, 28)]
)
def test_images_are_distinct_superpositions_of_distinct_components(make, images, components):
    glyphs = make()
    np.testing.assert_array_equal(glyphs.images, [glyphs.components[row].any(axis=0) for row in glyphs.inside])
    assert len(np.unique(glyphs.images, axis=0)) == len(set(glyphs.characters)) == images
    assert len(np.unique(glyphs.components, axis=0)) == len(glyphs.components) == components
    assert glyphs.components.any(axis=1).all() and glyphs.inside.any(axis=0).all()


def test_braille_is_every_nonempty_set_of_disjoint_dots():
    dots = braille()
    assert (dots.components.sum(axis=0) <= 1).all()
    # Unicode numbers the dots by bits, whatever order the font places them in
    bits = np.array([[ord(c) - 0x2800 >> b & 1 for b in range(8)] for c in dots.characters], dtype=bool)
    assert {tuple(column) for column in bits.T} == {tuple(column) for column in dots.inside.T}


def test_what_cannot_be_drawn_apart_is_left_out():
    bold = glyph_set("dďdž", font="DejaVuSansMono-Bold.ttf")  # its d with caron scales the caron
    assert bold.characters == ("d", "ž")
    assert glyph_set("o o\u03bf").characters == ("o",)  # a space has no ink; Greek omicron is drawn as Latin o
    # components with equal pixels are one: offsets that differ by one unit begin to show at a fine pitch
    assert len(glyph_set(hexagrams().characters, font="DejaVuSans.ttf", pitch=4).components) == 14


def crossings_around(x, y, polygons: list[np.ndarray]) -> list[list[int]]:
    """Winding numbers as the total turn of the polygons around each point, by angles."""

    def turns(point):
        rays = [np.exp(1j * np.angle((polygon - point) @ [1, 1j])) for polygon in polygons]
        return round(sum(np.angle(np.roll(ray, -1) / ray).sum() for ray in rays) / (2 * np.pi))

    return [[turns((a, b)) for a in x] for b in y]


@pytest.mark.parametrize("character", ["8", "ᾧ", "ʣ", "ﬃ"])
def test_image_agrees_with_the_whole_outline_in_freetype(character):
    """The whole glyph through FreeType, other curve code and another point test."""
    pytest.importorskip("matplotlib", minversion="3.10")  # before it, an unscaled path is not in the font's units
    from matplotlib.ft2font import FT2Font, LoadFlags
    from matplotlib.path import Path

    font = "DejaVuSans.ttf" if character == "ﬃ" else "DejaVuSansMono.ttf"
    opened = FT2Font(str(_font_path(font)))
    opened.load_char(ord(character), flags=LoadFlags.NO_SCALE)
    points, codes = opened.get_path()
    polygons = Path(64 * points, codes).interpolated(1).to_polygons(closed_only=False)
    glyphs, ends = glyph_set(character, font=font), np.concatenate(polygons)
    left, top = ends[:, 0].min(), ends[:, 1].max()
    x = 32.25 + 64 * (np.ceil((left - 32.25) / 64) + np.arange(glyphs.shape[1]))
    y = 32.25 + 64 * (np.floor((top - 32.25) / 64) - np.arange(glyphs.shape[0]))
    expected = np.array(crossings_around(x, y, polygons)) != 0
    # matplotlib flattens curves more finely, so a centre close to a curve may differ
    assert (glyphs.images[0].reshape(glyphs.shape) != expected).mean() < 0.02


def test_anchor_numbers_of_the_sets(monkeypatch):
    assert anchor_numbers(braille(), braille().inside) == [1] * 8
    # a broken line lies within the solid one, so by the table it has no anchor set, by containment it has
    lines = hexagrams()
    assert sorted(map(str, anchor_numbers(lines, lines.inside))) == ["1"] * 6 + ["None"] * 6
    assert anchor_numbers(lines, contained(lines)) == [1] * 12
    for steps, singles in ((7, 20), (8, 19), (128, 19)):  # coarse curves show an anchor pixel that fine ones do not
        monkeypatch.setattr("lifelong_book.conjunctions.consistency.glyphs.CURVE_STEPS", steps)
        vowels = polytonic_greek()
        numbers = anchor_numbers(vowels, vowels.inside)
        assert (numbers.count(1), numbers.count(2)) == (singles, 28 - singles)
