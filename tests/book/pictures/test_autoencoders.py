"""What the pictures of chapter 4.4 show of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.book.pictures import autoencoders as pictures
from lifelong.book.style import COLOURS

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    mpl.pyplot.close("all")


def ink(axis) -> str:
    """Colour of the set pixels of the last picture on an axis."""
    return mpl.colors.to_hex(axis.images[-1].get_cmap()(1.0)).upper()


def drawn(axis) -> np.ndarray:
    """The pixels of the first picture on an axis, flattened."""
    return np.asarray(axis.images[0].get_array()).ravel().astype(bool)


def test_board_and_lines():
    board, lines = np.eye(9, dtype=bool), np.ones((6, 9), dtype=bool)
    axes = pictures.board_and_lines(board, lines).axes
    np.testing.assert_array_equal([drawn(axis) for axis in axes], np.vstack([board, lines]))
    assert [ink(axis) for axis in axes] == [COLOURS["black"]] * 9 + [COLOURS["blue"]] * 6


def test_chances():
    n = np.array([17.0, 100.0, 1000.0])
    (axis,) = pictures.chances(n, 0.5 / n, 0.1 / n, sizes=(24, 40), frequency=[1e-3, 2e-3]).axes
    heights = [line.get_ydata().tolist() for line in axis.lines]
    assert heights == [(1 / n).tolist(), (0.5 / n).tolist(), (0.1 / n).tolist(), [1e-3, 2e-3]]


def test_image_and_halves():
    image, halves = np.arange(16) < 7, np.eye(16, dtype=bool)[:4]
    axes = pictures.image_and_halves(image, halves).axes
    np.testing.assert_array_equal([drawn(axis) for axis in axes[2:]], halves)
    assert [axis.axison for axis in axes] == [True, False, True, True, True, True]
    assert [axis.get_title(loc="center") for axis in axes[2:]] == ["½"] * 4


def test_letters():
    assert len(pictures.letters(np.eye(4, dtype=bool)[[0, 1, 2]], (2, 2)).axes) == 3


def test_pieces_and_rest():
    pieces, rest = np.ones((3, 4), dtype=bool), np.eye(4, dtype=bool)[:3]
    rest[2, 3] = True
    axes = pictures.pieces_and_rest(pieces, rest, np.array([-1, 5, 7]), (2, 2)).axes
    assert [axis.get_title(loc="center") for axis in axes] == ["✓", "✓", "+"]  # components first, large ones first
    left = [np.flatnonzero(~np.ma.getmaskarray(axis.images[1].get_array()).ravel()).tolist() for axis in axes]
    assert left == [[2, 3], [1], [0]]
    assert [ink(axis) for axis in axes] == [COLOURS["green"], COLOURS["green"], COLOURS["blue"]]


def test_sums():
    pieces = np.array([[1, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 1]], dtype=bool)
    codes = np.array([[True, True, False], [False, False, True]])
    images = np.array([pieces[code].any(axis=0) for code in codes])
    axes = np.reshape(pictures.sums(images, codes, pieces, np.array([0, -1, -1]), (2, 2)).axes, (2, 5))
    assert [[text.get_text() for axis in line for text in axis.texts] for line in axes] == [["=", "+"], ["="]]
    assert [ink(axis) for axis in axes[0, :3]] == [COLOURS[tone] for tone in ("black", "blue", "green")]
    np.testing.assert_array_equal(drawn(axes[0, 1]), pieces[1])
    assert [axis.axison for axis in axes[1]] == [True, True, False, False, False]


def test_piece_counts():
    (axis,) = pictures.piece_counts(dict(zip("abcde", (129, 51, 31, 28, 26), strict=True))).axes
    assert [bar.get_width() for bar in axis.patches] == [129, 51, 31, 28, 26]
    assert [bool(bar.get_hatch()) for bar in axis.patches] == [False, True, True, False, True]


def test_attempts_and_streams():
    sizes, cost = np.array([16, 32]), {"scratch": [11, 27], "elimination": [6, 14], "Winnow": [8, 11]}
    (axis,) = pictures.attempts(sizes, cost, [20.0, 22.0]).axes
    assert [line.get_ydata().tolist() for line in axis.lines] == [*cost.values(), [20.0, 22.0]]
    assert [text.get_text() for text in axis.texts] == [*cost, "bound for Winnow"]
    (axis,) = pictures.streams(sizes, cost).axes
    assert [line.get_ydata().tolist() for line in axis.lines] == list(cost.values())
    assert [text.get_text() for text in axis.get_legend().get_texts()] == list(cost)
