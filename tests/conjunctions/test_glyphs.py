"""The glyph sets against the font read by other means, and anchor numbers against brute force."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest

from lifelong_book.conjunctions.consistency.glyphs import (
    CURVE_STEPS,
    GlyphSet,
    _edges,
    _font_path,
    _leaves,
    _or_of,
    _polygons,
    _winding,
    anchor_number,
    braille,
    glyph_set,
    hexagrams,
    polytonic_greek,
    seven_segment,
)

SETS = {"braille": braille, "hexagrams": hexagrams, "greek": polytonic_greek}
TRANSFORMED = {"font": "DejaVuSansMono-Bold.ttf"}  # its d with caron scales the caron


def contained(glyphs: GlyphSet) -> np.ndarray:
    """Whether component j lies within image i, whatever the table says."""
    return ~(glyphs.components[None] & ~glyphs.images[:, None]).any(axis=2)


def table_anchor_numbers(glyphs: GlyphSet) -> list[int | None]:
    return [anchor_number(c, u, glyphs.images) for c, u in zip(glyphs.components, glyphs.inside.T, strict=True)]


# --- the sets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "images", "components", "height", "width"),
    [(braille, 255, 8, 31, 14), (hexagrams, 64, 12, 28, 23), (polytonic_greek, 129, 28, 38, 17)],
)
def test_counts(make, images, components, height, width):
    glyphs = make()
    assert glyphs.shape == (height, width)
    assert glyphs.images.shape == (images, height * width)
    assert glyphs.components.shape == (components, height * width)
    assert glyphs.inside.shape == (images, components)
    assert len(set(glyphs.characters)) == images
    assert len(set(glyphs.component_names)) == components


@pytest.mark.parametrize("make", SETS.values(), ids=SETS)
def test_images_are_distinct_superpositions_of_distinct_components(make):
    glyphs = make()
    for image, row in zip(glyphs.images, glyphs.inside, strict=True):
        np.testing.assert_array_equal(image, glyphs.components[row].any(axis=0))
    assert len(np.unique(glyphs.images, axis=0)) == len(glyphs.images)
    assert len(np.unique(glyphs.components, axis=0)) == len(glyphs.components)
    assert glyphs.components.any(axis=1).all()
    assert glyphs.inside.any(axis=0).all()


@pytest.mark.parametrize("font", ["DejaVuSansMono.ttf", "DejaVuSerif.ttf"])
def test_every_composite_of_a_font_is_the_or_of_its_pieces(font):
    from fontTools.ttLib import TTFont

    with TTFont(_font_path(font)) as opened:
        names, glyf = opened.getBestCmap(), opened["glyf"]
        composites = [chr(point) for point, glyph in names.items() if glyf[glyph].isComposite()]
    glyphs = glyph_set(composites, font=font)  # the constructor refuses anything else
    assert len(composites) > 1200
    assert len(glyphs.images) + len(glyphs.left_out) == len(composites)


def test_braille_is_every_nonempty_set_of_disjoint_dots():
    dots = braille()
    assert (dots.components.sum(axis=0) <= 1).all()
    assert len(np.unique(dots.inside, axis=0)) == 255
    # Unicode numbers the dots by bits, whatever order the font places them in
    bits = np.array([[ord(c) - 0x2800 >> b & 1 for b in range(8)] for c in dots.characters], dtype=bool)
    assert {tuple(column) for column in bits.T} == {tuple(column) for column in dots.inside.T}


def test_hexagrams_share_their_broken_lines():
    lines = hexagrams()
    assert (lines.inside.sum(axis=1) == 6).all()
    solid = np.array([name.startswith("uni268A") for name in lines.component_names])
    assert solid.sum() == 6
    shared = lines.components[~solid].any(axis=0)
    np.testing.assert_array_equal(shared, lines.images.all(axis=0))
    pieces = np.vstack([shared, lines.components[solid] & ~shared])
    within = ~(pieces[None] & ~lines.images[:, None]).any(axis=2)
    np.testing.assert_array_equal(_or_of(within, pieces), lines.images)
    # fewer cannot do: the image that is the shared part holds a piece, and 64 images need 6 more
    assert len(pieces) == 7
    assert (contained(lines) & ~lines.inside).sum() == 64 * 3


def test_greek_leaves_out_what_unicode_has_twice():
    greek = polytonic_greek()
    assert len(greek.left_out) == 9
    assert greek.inside.sum(axis=1).max() == 4
    np.testing.assert_array_equal(contained(greek), greek.inside)


@pytest.mark.parametrize("make", SETS.values(), ids=SETS)
def test_same_every_time(make):
    first, second = make(), make()
    assert first.component_names == second.component_names
    for name in ("images", "components", "inside"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


def test_source_names_the_version_of_the_font():
    greek = polytonic_greek()
    assert greek.source.startswith("DejaVu Sans Mono, Version 2.")
    assert "DejaVu" in greek.licence


def test_transformed_pieces_are_skipped():
    glyphs = glyph_set("dďdž", **TRANSFORMED)
    assert "ď" in glyphs.left_out
    assert "ď" not in glyphs.characters
    with pytest.raises(ValueError, match="transformed"):
        glyph_set("ď", **TRANSFORMED)


def test_transforms_are_found_at_any_depth():
    class Glyph(SimpleNamespace):
        def isComposite(self) -> bool:
            return bool(self.components)

    def moved(name, x, y, **more):
        return SimpleNamespace(glyphName=name, x=x, y=y, **more)

    glyf = {
        "leaf": Glyph(components=[]),
        "pair": Glyph(components=[moved("leaf", 1, 2), moved("leaf", 10, 20)]),
        "deep": Glyph(components=[moved("pair", 100, 200)]),
        "turned": Glyph(components=[moved("leaf", 0, 0, transform=[[0, 1], [1, 0]])]),
        "hidden": Glyph(components=[moved("turned", 5, 5), moved("leaf", 0, 0)]),
        "matched": Glyph(components=[SimpleNamespace(glyphName="leaf", firstPt=0, secondPt=1)]),
    }
    assert list(_leaves(glyf, "deep")) == [("leaf", 101, 202), ("leaf", 110, 220)]
    assert None in list(_leaves(glyf, "hidden"))
    assert list(_leaves(glyf, "matched")) == [None]


def test_blank_and_repeated_characters_are_left_out():
    glyphs = glyph_set("o o\u03bf")  # Greek omicron is drawn as Latin o
    assert glyphs.characters == ("o",)
    assert glyphs.left_out == (" ", "\u03bf")


def test_components_with_equal_pixels_are_one():
    coarse, fine = hexagrams(), glyph_set(hexagrams().characters, font="DejaVuSans.ttf", pitch=4)
    assert len(coarse.components) == 12
    assert len(fine.components) == 14  # offsets that differ by one unit begin to show at this pitch


# --- the rasteriser ---------------------------------------------------------------------------------


def crossings_around(point: tuple[float, float], polygons: list[np.ndarray]) -> int:
    """Winding number as the total turn of the polygons around a point, by angles."""
    total = 0.0
    for polygon in polygons:
        ray = np.exp(1j * np.angle((polygon - point) @ [1, 1j]))
        total += np.angle(np.roll(ray, -1) / ray).sum()
    return round(total / (2 * np.pi))


def test_winding_counts_turns():
    rng = np.random.default_rng(1)
    polygons = [rng.integers(-50, 50, size=(size, 2)).astype(float) for size in (3, 7, 12)]
    x, y = np.arange(-60, 60, 7) + np.pi / 10, np.arange(-60, 60, 9) + np.e / 4  # on no edge
    expected = [[crossings_around((a, b), polygons) for a in x] for b in y]
    found = _winding(_edges([p.tolist() for p in polygons]), x, y)
    np.testing.assert_array_equal(found, expected)
    assert abs(found).max() >= 2
    assert {-1, 1} <= set(np.unique(found))


def test_nonzero_rule_fills_overlaps_and_keeps_holes():
    square = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]
    hole = [(1.0, 1.0), (1.0, 3.0), (3.0, 3.0), (3.0, 1.0)]
    middle = np.array([2.0])
    assert _winding(_edges([square]), middle, middle) == 1
    assert _winding(_edges([square, square]), middle, middle) == 2
    assert _winding(_edges([square, hole]), middle, middle) == 0
    assert not _winding(_edges([]), middle, middle).any()


@pytest.mark.parametrize("character", ["8", "ᾧ", "ʣ", "@", "Å", "ﬃ"])
def test_image_agrees_with_the_whole_outline_in_matplotlib(character):
    """The whole glyph through another pen, other curve code and another point test."""
    from fontTools.pens.basePen import BasePen
    from fontTools.ttLib import TTFont
    from matplotlib.path import Path

    font = "DejaVuSans.ttf" if character == "ﬃ" else "DejaVuSansMono.ttf"

    class ToPath(BasePen):
        def __init__(self, glyf):
            super().__init__(glyf)
            self.steps = []

        def addComponent(self, name, transform):
            inner = ToPath(self.glyphSet)
            self.glyphSet[name].draw(inner, self.glyphSet)
            self.steps += [((x + transform[4], y + transform[5]), code) for (x, y), code in inner.steps]

        def _moveTo(self, point):
            self.steps.append((point, Path.MOVETO))

        def _lineTo(self, point):
            self.steps.append((point, Path.LINETO))

        def _qCurveToOne(self, control, end):
            self.steps += [(control, Path.CURVE3), (end, Path.CURVE3)]

        def _closePath(self):
            self.steps.append(((0, 0), Path.CLOSEPOLY))

    with TTFont(_font_path(font)) as opened:
        pen = ToPath(opened["glyf"])
        opened["glyf"][opened.getBestCmap()[ord(character)]].draw(pen, opened["glyf"])
    polygons = Path(*zip(*pen.steps, strict=True)).interpolated(1).to_polygons(closed_only=False)

    glyphs = glyph_set(character, font=font)
    ends = np.concatenate(polygons)
    left, top = ends[:, 0].min(), ends[:, 1].max()
    first, last = np.ceil((left - 32.25) / 64), np.floor((top - 32.25) / 64)
    x = 32.25 + 64 * (first + np.arange(glyphs.shape[1]))
    y = 32.25 + 64 * (last - np.arange(glyphs.shape[0]))
    expected = [[crossings_around((a, b), polygons) != 0 for a in x] for b in y]
    # matplotlib flattens curves more finely, so a centre close to a curve may differ
    assert (glyphs.images[0].reshape(glyphs.shape) != expected).mean() < 0.02


def test_contours_without_a_point_on_the_curve_are_drawn():
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    pen.qCurveTo((100, 0), (0, 100), (-100, 0), (0, -100), None)
    pen.closePath()
    (polygon,) = _polygons({"ring": pen.glyph()}, "ring")
    radii = np.hypot(*np.array(polygon).T)
    assert polygon[0] == polygon[-1]
    assert len(polygon) == 1 + 4 * CURVE_STEPS
    assert radii.min() == pytest.approx(np.hypot(50, 50))
    assert radii.max() == pytest.approx(75)


# --- anchors ----------------------------------------------------------------------------------------


def brute_anchor_number(component, using, images, most):
    pixels = np.flatnonzero(component)
    for size in range(1, most + 1):
        for y in combinations(pixels, size):
            if using[images[:, y].all(axis=1)].all():
                return size
    return None


def test_anchor_number_equals_brute_force():
    rng = np.random.default_rng(2)
    seen = set()
    for _ in range(300):
        images = rng.random((int(rng.integers(1, 25)), 7)) < rng.uniform(0.4, 0.9)
        component = rng.random(7) < 0.7
        component[0] = True
        using = ~(component & ~images).any(axis=1) & (rng.random(len(images)) < 0.9)
        found = anchor_number(component, using, images, most=4)
        assert found == brute_anchor_number(component, using, images, 4)
        seen.add(found)
    assert seen == {1, 2, 3, 4, None}


def test_anchor_number_when_every_image_uses_the_component():
    assert anchor_number([True, False], [True, True], np.ones((2, 2), dtype=bool)) == 1


def test_anchor_numbers_of_the_sets():
    assert table_anchor_numbers(braille()) == [1] * 8
    greek = table_anchor_numbers(polytonic_greek())
    assert (greek.count(1), greek.count(2)) == (19, 9)
    # a broken line lies within the solid one, so by the table it has no anchor set, by containment it has
    lines = hexagrams()
    assert sorted(map(str, table_anchor_numbers(lines))) == ["1"] * 6 + ["None"] * 6
    relevant = contained(lines)
    for j, component in enumerate(lines.components):
        assert anchor_number(component, relevant[:, j], lines.images) == 1


@pytest.mark.parametrize(("steps", "singles"), [(6, 20), (7, 20), (8, 19), (32, 19), (128, 19)])
def test_coarse_curves_show_an_anchor_pixel_that_fine_ones_do_not(monkeypatch, steps, singles):
    monkeypatch.setattr("lifelong_book.conjunctions.consistency.glyphs.CURVE_STEPS", steps)
    greek = polytonic_greek()
    numbers = table_anchor_numbers(greek)
    assert (numbers.count(1), numbers.count(2)) == (singles, 28 - singles)
    assert (numbers[greek.component_names.index("uni1FFE (-250, 0)")] == 1) == (singles == 20)


# --- seven segments ---------------------------------------------------------------------------------


def test_seven_segment_displays():
    digits = seven_segment("0123456789abcdef")
    assert digits.shape == (16, 7)
    assert digits.dtype == np.bool_
    assert len(np.unique(digits, axis=0)) == 16
    assert digits.sum(axis=1).tolist() == [6, 2, 5, 5, 4, 5, 6, 3, 7, 6, 6, 5, 4, 5, 5, 4]
    np.testing.assert_array_equal(seven_segment(), digits[:10])


def test_ten_digits_need_only_six_pieces():
    pieces = np.array([[s in lit for s in "abcdefg"] for lit in ("ac", "abdg", "cfg", "bc", "ade", "acdf")])
    digits = seven_segment()
    within = ~(pieces[None] & ~digits[:, None]).any(axis=2)
    np.testing.assert_array_equal(_or_of(within, pieces), digits)


# --- errors and imports -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"characters": "a", "font": "Helvetica.ttf"}, "font: expected one of .*got 'Helvetica.ttf'"),
        ({"characters": ""}, "characters: expected at least one"),
        ({"characters": ["a", "bc"]}, r"characters: expected single characters, got \['bc'\]"),
        ({"characters": "a漢"}, r"characters: .*got \['漢'\]"),
        ({"characters": " "}, "characters: .*ink"),
        ({"characters": "a", "pitch": 0}, "pitch: expected an integer >= 1, got 0"),
        ({"characters": "a", "pitch": 5000}, "characters: .*ink"),
    ],
)
def test_glyph_set_refuses(given, message):
    with pytest.raises(ValueError, match=message):
        glyph_set(**given)


def test_a_set_refuses_images_that_its_table_does_not_make():
    dots = braille()
    spoiled = dots.images.copy()
    spoiled[3] ^= dots.components[7]
    with pytest.raises(ValueError, match=f"images: expected each to be the OR.*{dots.characters[3]}"):
        replace(dots, images=spoiled)
    with pytest.raises(ValueError, match="inside: expected shape"):
        replace(dots, inside=dots.inside[:, :7])
    with pytest.raises(ValueError, match=r"shape: expected height and width, got \(434,\)"):
        replace(dots, shape=(434,))
    with pytest.raises(ValueError, match=r"^shape: expected an integer >= 1, got 0\.5"):
        replace(dots, shape=(0.5, 868))  # with as many pixels as it has


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"component": [False, False]}, "component: expected a pixel"),
        ({"component": [True]}, "component: expected dimension 2"),
        ({"using": [True]}, "using: expected 2 entries"),
        ({"using": [True, True]}, "using: expected images that contain the component"),
        ({"images": [[1, 1], [0, 1]]}, "images: expected a boolean array"),
        ({"most": 0}, "most: expected an integer >= 1"),
    ],
)
def test_anchor_number_refuses(change, message):
    given = {
        "component": [True, True],
        "using": [True, False],
        "images": [[True, True], [False, True]],
        **change,
    }
    with pytest.raises(ValueError, match=message):
        anchor_number(**given)


@pytest.mark.parametrize("digits", ["", "12G", "1 2"])
def test_seven_segment_refuses(digits):
    with pytest.raises(ValueError, match="digits: expected hexadecimal digits"):
        seven_segment(digits)


@pytest.mark.parametrize("module", ["matplotlib", "fontTools.ttLib"])
def test_what_is_missing_is_said(monkeypatch, module):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=rf"^{module}: needed to read a font; pip install '\.\[figures\]'"):
        braille()


def test_import_needs_neither_matplotlib_nor_fonttools():
    code = "import sys, lifelong_book.conjunctions.consistency.glyphs\n"
    code += "sys.exit(bool({'matplotlib', 'fontTools'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
