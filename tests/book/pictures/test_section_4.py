"""The pictures of chapters 4.1 to 4.3 show the data that they are given, with labelled axes."""

from __future__ import annotations

from collections import Counter

import matplotlib as mpl
import numpy as np
import pytest

from lifelong import metafeatures
from lifelong.book.pictures import consistency, online, product_laws, rank
from lifelong.book.style import COLOURS
from lifelong.conjunctions.glyphs import GlyphSet, braille, glyph_set

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


@pytest.fixture(scope="module")
def letters() -> GlyphSet:
    """Letters with marks, of which some components have no anchor pixel."""
    return glyph_set("άὰᾶἀἁ", pitch=128)


def heights(axis) -> list:
    """The second coordinates of every line of an axis."""
    return [np.asarray(line.get_ydata()).tolist() for line in axis.lines]


def drawn(axis) -> np.ndarray:
    """The pixels of the first picture on an axis, flattened."""
    return np.asarray(axis.images[0].get_array()).ravel().astype(bool)


def ink(axis) -> str:
    """Colour of the set pixels of the first picture on an axis."""
    return mpl.colors.to_hex(axis.images[0].get_cmap()(1.0)).upper()


def titles(figure) -> list[str]:
    return [axis.get_title() for axis in figure.axes]


# --- chapter 4.1 ------------------------------------------------------------------------------------


def test_card(letters):
    lines = consistency.card(letters).splitlines()
    assert lines[0].startswith(letters.name)
    assert f"  {len(letters.images)} images of {letters.shape[0]} x {letters.shape[1]} pixels" in lines
    assert lines[-1] == f"  of which an image has at most {letters.inside.sum(axis=1).max()}"


def test_letters_and_bars():
    board, bars = np.eye(9, dtype=bool)[:4], np.eye(9, dtype=bool)[4:7]
    axes = consistency.letters_and_bars(board, bars, list("abcdefg")).axes[:7]
    np.testing.assert_array_equal([drawn(axis) for axis in axes], np.vstack([board, bars]))
    assert [ink(axis) for axis in axes] == [COLOURS["black"]] * 4 + [COLOURS["blue"]] * 3
    assert [axis.get_title() for axis in axes] == list("abcdefg")


def test_edges_and_pieces():
    edges = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]) > 0
    figure = consistency.edges_and_pieces(edges, np.eye(4, dtype=bool))
    assert titles(figure) == ["top", "left", "right", "", "piece 1", "piece 2", "piece 3", "piece 4"]
    assert not figure.axes[3].axison
    np.testing.assert_array_equal([drawn(axis) for axis in figure.axes[:3]], edges)


def test_exponential_gap():
    N = 2 ** np.arange(1, 6)
    (axis,) = consistency.exponential_gap(N, N.tolist(), [1, 2, 3, 4, 5]).axes
    assert heights(axis) == [N.tolist(), [1, 2, 3, 4, 5]]
    assert axis.get_xlabel()
    assert axis.get_ylabel() == "pieces"


def test_dots_and_pieces():
    dots = braille()
    axes = consistency.dots_and_pieces(dots, dots.components).axes
    np.testing.assert_array_equal([drawn(axis) for axis in axes[8:]], dots.components)
    assert [axis.get_title() for axis in axes] == [""] * 8 + ["✓"] * 8


def test_alphabet(letters):
    axes = consistency.alphabet(letters).axes[: len(letters.images)]
    np.testing.assert_array_equal([drawn(axis) for axis in axes], letters.images)


def test_components_and_pieces_are_marked(letters):
    count, found = len(letters.components), np.array([0, -1])
    numbers = np.array([1, 2] + [1] * (count - 2))
    figure = consistency.components(letters, numbers, found)
    assert titles(figure)[0] == "✓ 1"
    assert titles(figure)[count - 1] == "2"
    assert ink(figure.axes[0]) == COLOURS["green"]
    assert figure.axes[count - 1].spines["top"].get_linestyle() == "--"
    pieces = metafeatures(letters.images)
    found = np.full(len(pieces), -1)
    found[0], grown = 0, found.copy()
    grown[:2] = 0, 1
    figure = consistency.pieces(letters, pieces, found, grown)
    assert titles(figure)[: len(pieces)] == ["✓", "+", *[" "] * (len(pieces) - 2)]
    assert [len(axis.images) for axis in figure.axes[:3]] == [1, 2, 1]


def test_above_the_rank():
    excess = {name: {n: Counter({0: n, 2: 1}) for n in (8, 10, 12)} for name in ("Algorithm 3", "greedy")}
    figure = rank.above_the_rank(excess)
    assert titles(figure) == list(excess)
    assert [bar.get_height() for bar in figure.axes[0].patches[:6]] == [8, 0, 1, 0, 0, 0]


def test_noise():
    hits = {name: np.full((2, 5), i) for i, name in enumerate("abcd")}
    figure = rank.noise(np.array([0.0, 1.0]), hits, {name: 10 * values for name, values in hits.items()})
    assert heights(figure.axes[0]) == [[i, i] for i in range(4)]
    assert heights(figure.axes[1]) == [[10 * i, 10 * i] for i in range(4)]
    assert all(axis.get_xlabel() and axis.get_ylabel() for axis in figure.axes)


# --- chapters 4.2 and 4.3 ---------------------------------------------------------------------------


def test_random_and_selectors():
    paid = [np.array([0, 1, 2]), np.array([1, 1, 1])]
    (axis,) = online.random_and_selectors(paid, {"sharp": 9, "$kn$": 12}).axes
    assert heights(axis)[:3] == [[0.8, 1, 2], [1, 1, 1], [1, 2, 3]]
    assert [text.get_text() for text in axis.texts] == ["sharp", "$kn$"]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["random unions", "selectors"]


def test_queries_so_far():
    seen = np.arange(300)
    (axis,) = online.queries_so_far(3 * seen, seen, (2 * seen).tolist()).axes
    assert heights(axis) == [(3 * seen).tolist(), seen.tolist(), (2 * seen).tolist()]
    assert axis.get_xlabel() and axis.get_ylabel()


def test_error_over_accuracy():
    curves = {C: (np.array([9, 11]), np.array([0.5, 2.0]) * C) for C in (1, 10)}
    (axis,) = product_laws.error_over_accuracy(curves).axes
    assert heights(axis)[:2] == [[0.5, 2.0], [5.0, 20.0]]
    assert axis.get_yscale() == "log"


def test_failing_runs():
    wrong = {name: [i, 2 * i] for i, name in enumerate(("unlabelled", "reuse", "scratch", "alone"))}
    (axis,) = product_laws.failing_runs((1, 0.1), wrong, runs=10, delta=0.05).axes
    assert [bar.lines[0].get_ydata().tolist() for bar in axis.containers] == [[i / 10, i / 5] for i in range(4)]
    assert axis.get_xlabel() and axis.get_ylabel()


def test_labels_so_far():
    seen = np.arange(1, 3001)
    (axis,) = product_laws.labels_so_far(10 * seen, 5 * seen + 100, 20).axes
    assert heights(axis)[:2] == [(seen / 1e5).tolist(), ((5 * seen + 100) / 1e6).tolist()]
    assert axis.lines[2].get_xdata() == [20, 20]
