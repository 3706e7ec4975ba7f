"""What the pictures of chapter 4.4 show of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.conjunctions.autoencoders import pictures
from lifelong_book.press.style import COLOURS

mpl.use("agg")


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
    assert [ink(axis) for axis in axes] == [COLOURS["black"]] * 9 + [COLOURS["green"]] * 6


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


def test_sums_in_columns():
    pieces = np.eye(4, dtype=bool)
    codes = np.array([[True, True, False, False], [False, False, True, False], [False, False, False, True]])
    images = np.array([pieces[code].any(axis=0) for code in codes])
    shown = pictures.sums(images, codes, pieces, np.array([0, -1, 1, 2]), (2, 2), columns=2)
    axes = np.reshape(shown.axes, (2, 2, 5))
    assert [[text.get_text() for axis in line for text in axis.texts] for line in axes[0]] == [["=", "+"], ["="]]
    assert not any(axis.axison for axis in axes[1, 1])  # a place that no letter takes


def test_network_lights_what_the_image_switches_on():
    lines = np.array([[1, 1, 1, 0], [0, 0, 1, 1]], dtype=bool)
    (axis,) = pictures.network(lines, np.array([True, True, True, False])).axes
    green = [line for line in axis.lines if line.get_color() == COLOURS["green"]]
    assert (len(axis.lines), len(green)) == (10, 6)  # an edge on either side for each pixel of a piece
    fills = [mpl.colors.to_hex(points.get_facecolor()[0]).upper() for points in axis.collections]
    on, off = COLOURS["black"], "#FFFFFF"
    assert fills == [on, on, on, off, on, on, on, off, COLOURS["green"], off]


def test_summons():
    images = np.array([[1, 1, 0, 0], [1, 0, 1, 0]], dtype=bool)
    anchor = np.array([True, False, False, False])
    axes = np.reshape(pictures.summons([(images, anchor), (images[:1], anchor)], 2).axes, (2, 3))
    np.testing.assert_array_equal(drawn(axes[0, 2]), images.all(axis=0))
    assert [[text.get_text() for axis in line for text in axis.texts] for line in axes] == [["∩", "="], ["="]]
    assert [axis.axison for axis in axes[1]] == [True, True, False]


def test_pairs_of_cells():
    pieces = np.array([[1, 1, 0, 0], [0, 0, 1, 1]], dtype=bool)
    axes = np.reshape(pictures.pairs_of_cells(~pieces, pieces, np.full(2, 0.5), np.array([1.0, 0.0])).axes, (3, 2))
    titles = [[axis.get_title(loc="center") for axis in line] for line in axes]
    assert titles == [["$T_1$", "$T_2$"], ["½", "½"], ["1", "0"]]
    assert axes[2, 1].images[0].get_alpha() == 0.15


def test_kept_pairs_crosses_who_has_at_most_one_neighbour():
    axes = pictures.kept_pairs({"thin": np.array([[0, 1], [1, 2]])}, 4).axes
    many, few = axes[0].collections
    assert (len(many.get_offsets()), len(few.get_offsets()), len(axes[0].lines)) == (1, 3, 2)


def test_winnow_steps():
    active = np.array([[True, False, True]])
    weights = np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 2.0]])
    (axis,) = pictures.winnow_steps(active, weights, ["start", "a wrong 0"], np.array([True, False, False])).axes
    numbers = [text.get_text() for text in axis.texts][:6]
    assert numbers == ["1", "1", "1", "2", "1", "2"]
    assert len(axis.patches) == 6 + 2 and len(axis.lines) == 1


def test_fooling_and_letters_kept_back():
    (axis,) = pictures.fooling(np.array([[True, True], [False, True]])).axes
    np.testing.assert_array_equal(axis.images[0].get_array(), [[2, 1], [0, 2]])
    (axis,) = pictures.letters_kept_back(["a", "b", "c"], np.array([3, 2, 5]), 6).axes
    assert [bar.get_width() for bar in axis.patches] == [3, 2, 5, 6, 6, 6]
    assert [text.get_text() for text in axis.texts] == ["3", "2", "5"]


def test_winning_lines():
    wins = np.zeros((3, 9), dtype=bool)
    for row, cells in zip(wins, ([0, 1, 2], [0, 3, 6], [1, 4, 7]), strict=True):
        row[cells] = True
    axes = pictures.winning_lines(wins).axes
    np.testing.assert_array_equal(drawn(axes[3]), wins[1] | wins[2])
    assert not drawn(axes[3])[2]


def test_forced():
    targets, pieces = np.array([[1, 0, 1, 0], [1, 1, 0, 0]], dtype=bool), np.eye(4, dtype=bool)[[2, 0]]
    axes = pictures.forced(targets, [2, 0], pieces, 2).axes
    np.testing.assert_array_equal([drawn(axis) for axis in axes], [*targets, *pieces])
    assert [axis.get_title(loc="center") for axis in axes] == ["target 13", "target 12", "weight 1", "weight 1"]
    rings = [axis.collections[0].get_offsets().tolist() for axis in axes]
    assert rings == [[[0.0, 1.0]], [[0.0, 0.0]]] * 2


def test_image_and_all_halves():
    image, halves = np.arange(16) < 7, np.eye(16, dtype=bool)[3:11]
    first, *rest = pictures.image_and_all_halves(image, halves).axes
    np.testing.assert_array_equal(drawn(first), image)
    np.testing.assert_array_equal([drawn(axis) for axis in rest], halves)
    assert [ink(axis) == COLOURS["green"] for axis in rest] == [True] * 4 + [False] * 4


def test_kept_inside():
    counts = np.arange(10, 90)
    (axis,) = pictures.kept_inside(counts, np.where(counts == 30, 0.4, 0.0), 32.0, 64.0).axes
    assert counts[axis.lines[0].get_ydata().argmax()] == 30
    assert [set(line.get_xdata()) for line in axis.lines[1:]] == [{32.0}, {64.0}]


def test_oracle_cube():
    points = (np.arange(8)[:, None] >> np.arange(3)) & 1 > 0
    (axis,) = pictures.oracle_cube(np.array([True, True, False]), ~points[:, 0]).axes
    words = {text.get_text(): text.get_color() for text in axis.texts}
    assert {word for word, tone in words.items() if tone == COLOURS["vermilion"]} == {"100", "101", "wrong"}
    ringed = [spot for spot in axis.collections if spot.get_linewidths()[0] > 2]
    assert len(axis.collections) == 8 and len(ringed) == 3


def test_outcomes():
    (axis,) = pictures.outcomes({"a": (3, 0, 0), "b": (1, 1, 1)}).axes
    assert [int(bar.get_width()) for bar in axis.patches] == [3, 1, 0, 1, 0, 1]
    assert [text.get_text() for text in axis.texts] == ["3", "1", "1", "1"]
