"""The pictures of chapters 4.1 to 4.3 show the data that they are given, with labelled axes."""

from __future__ import annotations

from collections import Counter

import matplotlib as mpl
import numpy as np
import pytest

from lifelong import metafeatures, represent
from lifelong_book.conjunctions.applications import pictures as product_laws
from lifelong_book.conjunctions.consistency import (
    noise_pictures as noise,
)
from lifelong_book.conjunctions.consistency import (
    pictures as consistency,
)
from lifelong_book.conjunctions.consistency import (
    rank_pictures as rank,
)
from lifelong_book.conjunctions.consistency.glyphs import GlyphSet, braille, glyph_set, hexagrams, polytonic_greek
from lifelong_book.conjunctions.online import pictures as online
from lifelong_book.press.notebook import family
from lifelong_book.press.style import COLOURS

mpl.use("agg")


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


def inked(axis) -> list[str]:
    """Colours of the cells drawn on one axis, in order."""
    cells = [patch for patch in axis.patches if isinstance(patch, mpl.patches.Rectangle)]
    return [mpl.colors.to_hex(cell.get_facecolor()).upper() for cell in cells]


def rings(axis) -> int:
    return sum(isinstance(patch, mpl.patches.Circle) for patch in axis.patches)


def inks(rows, colour: str) -> list[str]:
    return [COLOURS[colour].upper() if on else "#FFFFFF" for on in np.ravel(rows)]


BOARD = family("14789 12347 123 789")


def test_stamps(letters):
    figure = consistency.stamps(letters, 1)
    parts = letters.components[letters.inside[1]]
    np.testing.assert_array_equal([drawn(axis) for axis in figure.axes], np.vstack([letters.images[1], parts]))
    assert titles(figure) == ["a letter", "=", *["+"] * (len(parts) - 1)]


def test_letters_and_bars():
    bars = family("147 789 123")
    (axis,) = consistency.letters_and_bars(BOARD, bars, list("abcdefg"), anchors=[3, 7, 1]).axes
    assert inked(axis) == inks(BOARD, "black") + inks(bars, "green")
    assert rings(axis) == 3


def test_closures():
    (axis,) = consistency.closures(BOARD, list("abcd"), [3]).axes
    full, some, none = "#009E73", "#C9CED6", "#FFFFFF"
    assert inked(axis)[-9:] == [full, some, some, full, none, none, full, some, some]
    assert rings(axis) == 2


def test_order_has_the_rare_cells_below():
    (axis,) = consistency.order(BOARD, ["L", "Γ", "roof", "floor"]).axes
    words = {text.get_text(): text.get_position()[1] for text in axis.texts if text.get_text().startswith("in ")}
    low, high = words["in L, Γ"], words["in L, Γ, roof"]
    assert low == words["in Γ, roof"] == words["in L, floor"] < high == words["in L, Γ, floor"]
    assert sum(getattr(text, "arrow_patch", None) is not None for text in axis.texts) == 4


def test_rounds():
    step = (BOARD[0], [3, 7], [3, 7], 3, BOARD[2])
    other = (BOARD[0], [0, 3], [3], 0, BOARD[1])
    (axis,) = consistency.rounds({"rarest": [step, step], "any": [other, step]}).axes
    assert inked(axis)[9:18] == inks(BOARD[2], "green") and inked(axis)[45:54] == inks(BOARD[1], "sky")
    assert rings(axis) == 8
    assert len(axis.lines) == 2  # the cross over the piece that the first run does not make
    assert {"rarest", "any"} < {text.get_text() for text in axis.texts}


def test_nested_ovals():
    (axis,) = consistency.nested().axes
    assert {"$T$", "$m_t$", "$N(z)$", "$N(y_t)$"} < {text.get_text() for text in axis.texts}


def test_more_ink_is_hatched():
    pieces, true = family("147 1789 1237"), family("147 789 123")
    (axis,) = consistency.more_ink(BOARD, pieces, true, list("abcd")).axes
    assert sum(patch.get_hatch() is not None for patch in axis.patches) == 2


def test_edges_and_pieces():
    edges = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]) > 0
    (axis,) = consistency.edges_and_pieces(edges, np.eye(4, dtype=bool)).axes
    assert inked(axis) == inks(edges, "black") + inks(np.eye(4), "green")


def test_overlap_matrices():
    figure = consistency.overlap_matrices(np.eye(3, dtype=bool), np.ones((3, 4), dtype=bool))
    assert [axis.get_title("center") for axis in figure.axes] == ["disjoint: rank 3", "overlapping: rank 1"]


def test_sizes_and_gaps():
    (axis,) = consistency.sizes_and_gaps(np.array([1, 2, 2, 3]), np.array([1, 3])).axes
    assert [bar.get_height() for bar in axis.patches] == [1, 2, 1, 0, 1, 1]


def test_lines_letters_and_resolutions(letters):
    lines = hexagrams()
    figure = consistency.lines_and_pieces(lines, lines.components[:2])
    np.testing.assert_array_equal([drawn(axis) for axis in figure.axes[7:]], lines.components[:2])
    pieces = metafeatures(letters.images)
    code = represent(letters.images[1], pieces)
    figure = consistency.letter_apart(letters, 1, pieces, code)
    np.testing.assert_array_equal(drawn(figure.axes[0]), letters.images[1])
    assert titles(figure)[8] == "found"
    (axis,) = consistency.resolutions([10, 20], [3, 4], [5, 6], [7, 8]).axes
    assert heights(axis) == [[3, 4], [5, 6], [7, 8]]


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


def test_segments_are_lit():
    digits, six = np.ones((2, 7), dtype=bool), np.eye(3, 7, dtype=bool)
    (axis,) = consistency.segments(digits, six, ["a", "b", "c"]).axes
    assert len(axis.lines) == 7 * 5
    assert sum(line.get_linewidth() == 4 for line in axis.lines) == 2 * 7 + 3
    assert [text.get_text() for text in axis.texts] == ["a", "b", "c"]


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
    figure = rank.noise(np.array([0.0, 1.0]), hits, {name: 10 * values for name, values in hits.items()}, k=4)
    assert heights(figure.axes[0]) == [[i, i] for i in range(4)]
    assert heights(figure.axes[1]) == [[10 * i, 10 * i] for i in range(4)]
    assert figure.axes[1].get_xlabel() and all(axis.get_ylabel() for axis in figure.axes)


def test_digits_and_pieces():
    digits = np.eye(7, dtype=bool)[:3] | np.eye(7, dtype=bool)[1:4]
    (axis,) = rank.digits_and_pieces(digits, np.eye(7, dtype=bool)[:4]).axes
    assert [text.get_text() for text in axis.texts] == ["AB", "BC", "CD", "A", "B", "C", "D"]
    lit = [line.get_color() for line in axis.lines if line.get_linewidth() == 4]
    assert lit == [COLOURS["black"]] * 6 + [COLOURS["green"]] * 4


def test_lettered():
    edges = np.array([[1, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1]]) > 0
    panels = {"three": (edges, edges), "four": (edges, np.vstack([np.eye(4, dtype=bool)[:2], edges[1:]]))}
    figure = rank.lettered(panels, ["12", "13", "24"], cells=np.array([[0, 0], [1, 2]]))
    words = [[text.get_text() for text in axis.texts] for axis in figure.axes]
    assert words[0] == ["A", "A", "", "", "B", "", "B", "", "", "C", "", "C"]
    assert words[1] == ["A", "B", "", "", "AC", "", "C", "", "", "BD", "", "D"]
    assert [len(axis.patches) for axis in figure.axes] == [12 + 2, 12]


def test_graph_and_family():
    path = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]]) > 0
    left, right = rank.graph_and_family(path, [[0, 1], [2]]).axes
    assert len(left.patches) == 2
    tones = [mpl.colors.to_hex(p.get_facecolor(), keep_alpha=True).upper() for p in right.patches]
    assert tones.count(COLOURS["orange"] + "FF") == 2 and tones.count(COLOURS["sky"] + "FF") == 1
    assert tones.count("#BBBBBBFF") == 4 + 4 + 8  # beside the diagonal, (u, w) in T_u, and the targets of the edges


def test_seconds():
    row = {"setting": "easy", "method": "metafeatures", "recovered": 2, "seconds": 0.5}
    late = {"setting": "easy", "method": "PyBMF Asso", "failed": "over 30 s"}
    (axis,) = rank.seconds({"easy": [row, late]}, {"easy": 2}, cap=30).axes
    spots = [line.get_xdata()[0] for line in axis.lines if len(line.get_xdata())]
    assert spots == [0.5, 36.0]


def test_recovery_curves_and_lines():
    rows = [{"setting": name, "ones": 0.1, "k": 4, "told recovered": 3.0} for name in ("easy", "wide", "zipf")]
    figure = noise.recovery_curves(rows, {"easy": "e", "wide": "w", "zipf": "z"}, {"told": "ours"})
    assert [heights(axis) for axis in figure.axes] == [[[0.75]]] * 3
    (axis,) = noise.recovery_lines(rows, ["a", "b", "c"], {"told": "ours"}).axes
    assert axis.lines[0].get_xdata().tolist() == [0.75] * 3


def test_company():
    truth, seen = np.array([0, 0, 1, 1]) > 0, np.array([0, 1, 1, 1]) > 0
    (axis,) = noise.company(np.array([0, 1, 3, 3]), truth, seen).axes
    bars = [[bar.get_height() for bar in group] for group in axis.containers[:4]]
    assert bars == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 2], [0, 0, 0, 0]]


def test_told_and_estimated():
    row = {"ones": 0.1, "zeros": 0.0, "k": 4, "told recovered": 4.0, "estimated recovered": 2.0}
    (axis,) = noise.told_and_estimated([row, row | {"zeros": 0.1}]).axes
    assert heights(axis) == [[0, 1], [0.5], [0.5]]


def test_anchor_pixels():
    greek = polytonic_greek()
    j = greek.component_names.index("alpha (0, 0)")
    alone = greek.components[j] & ~greek.images[~greek.inside[:, j]].any(axis=0)
    figure = consistency.anchor_pixels(greek, [j, j], [alone, alone & False])
    counts = [np.bincount(np.asarray(axis.collections[0].get_array()).ravel()) for axis in figure.axes]
    inked = greek.components[j].sum()
    assert counts[0][1:].tolist() == [inked - alone.sum(), alone.sum()]
    assert counts[1][1:].tolist() == [inked]


def test_gram():
    targets = np.array([[1, 1, 0], [0, 1, 0]]) > 0
    upper, lower = consistency.gram(targets, ["a", "b"], np.array([[1, 0, 0], [0, 1, 0]]) > 0).axes
    assert [text.get_text() for text in upper.texts] == ["1", "1", "0", "0", "1", "0"]
    assert len(upper.lines) == 2  # a ring for each minimal variable
    assert [text.get_text() for text in lower.texts] == ["1", "1", "0", "1", "2", "0", "0", "0", "0"]
    faces = np.array([patch.get_facecolor() for patch in lower.patches]).reshape(3, 3, 4)
    green = (faces == faces[0, 0]).all(axis=2)
    assert green.tolist() == [[True, True, False], [False, True, False], [False] * 3]


def test_drowned():
    upper, lower = rank.drowned(np.array([0.1, 0.4]), np.array([0, 3]), np.array([1, 0]), tolerance=0.2).axes
    assert [bar.get_height() for bar in upper.patches] == [10, 40]
    frequent, rare = [bar.get_facecolor() for bar in upper.patches]
    assert frequent != rare and upper.lines[0].get_ydata()[0] == 20
    assert [bar.get_height() for bar in lower.patches] == [0, -3, 1, 0]


def test_two_counts():
    upper, lower = noise.two_counts(np.array([9, 8]), np.array([1, 7]), (2.0, 1.0)).axes
    assert [bar.get_height() for bar in upper.patches] == [9, 8]
    green, grey = [bar.get_facecolor() for bar in lower.patches]
    assert green != grey == upper.patches[0].get_facecolor()  # one joins
    assert [axis.lines[0].get_ydata()[0] for axis in (upper, lower)] == [2.0, 1.0]


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


def test_dialogue():
    pieces = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 0]]) > 0
    figure = online.dialogue(pieces[1], pieces, (2, 2))
    proposed = [
        sum(mpl.colors.to_hex(p.get_facecolor()).upper() == COLOURS["blue"] for p in axis.patches)
        for axis in figure.axes
    ]
    assert proposed == [4, 3, 2]  # cells of 1234, 124 and 24
    digits = ["".join(t.get_text() for t in axis.texts if t.get_text() in "01") for axis in figure.axes]
    assert digits == ["1101", "0111", ""]
    crosses = [sum(line.get_marker() == "x" for line in axis.lines) for axis in figure.axes]
    assert crosses == [1, 1, 0]


def test_a_stream_is_played():
    targets = np.array([[1, 1, 1, 1], [1, 0, 1, 1], [1, 0, 0, 1], [0, 1, 0, 1], [1, 1, 0, 1]]) > 0
    figure = online.stream_played(targets, (2, 2), columns=3)
    scratch = ["1. 1234", "2. 134", "3. 14", "4. 24"]
    names = [axis.get_title("center") for axis in figure.axes]
    assert names == [f"{word}\nfrom scratch" for word in scratch] + ["5. 124\nfree", ""]
    greens = [
        sum(mpl.colors.to_hex(p.get_facecolor()).upper() == COLOURS["green"] for p in axis.patches)
        for axis in figure.axes
    ]
    assert greens == [4, 7, 9, 7, 7, 0]  # cells of the metafeatures
    crosses = [sum(line.get_marker() == "x" for line in axis.lines) for axis in figure.axes]
    assert crosses == [0, 3, 2, 3, 0, 0]
    dotted = [sum(line.get_linestyle() == ":" for line in axis.lines) for axis in figure.axes]
    assert dotted == [0, 0, 0, 2, 0, 0]  # 24 leaves two pairs incomparable, 1, 2 and 2, 3


def test_potential_bars():
    (axis,) = online.potential_bars(["a", "b"], [(1, 0, 2), (2, 3, 4)], 10).axes
    assert [[bar.get_height() for bar in bars] for bars in axis.containers] == [[1, 2], [0, 3], [2, 4]]
    assert [text.get_text() for text in axis.texts] == ["3", "9", "bound 10"]


def test_pairs_and_cases():
    (axis,) = online.pair_states().axes
    assert [t.get_text() for t in axis.texts if t.get_text() not in ("x", "y", "")] == [
        "together",
        "one arrow",
        "incomparable",
    ]
    figure = online.three_cases()
    crosses = [sum(line.get_marker() == "x" for line in axis.lines) for axis in figure.axes]
    assert crosses == [1, 1, 0]
    assert [len(axis.patches) for axis in figure.axes] == [1, 1, 2]


def test_stream_and_bounds():
    (axis,) = online.stream_and_bounds(np.array([1, 1, 2]), np.array([1, 2, 4]), {"right": 5, "printed": 9}).axes
    assert heights(axis)[:2] == [[1, 2, 4], [1, 1, 2]]
    assert [text.get_text() for text in axis.texts] == ["right: 5", "printed: 9"]


def test_staircase():
    left, right = online.staircase(np.array([[1, 1, 1], [0, 1, 1], [0, 0, 1], [1, 0, 1], [1, 0, 0]]) > 0).axes
    assert [bar.get_width() for bar in right.patches] == [3, 3, 3, 2, 1]
    assert sum(p.get_facecolor()[0] == 0 for p in left.patches) == 3 + 2 + 1 + 2 + 1


def test_selector_matrix():
    targets = np.eye(5, dtype=bool)
    (axis,) = online.selector_matrix(targets, (2, 1, 2)).axes
    assert [text.get_text() for text in axis.texts] == ["selectors", "anchors", "shared variables"]
    assert sum(p.get_facecolor()[0] == 0 for p in axis.patches) == 5
    (axis,) = online.selector_matrix(targets, (2, 1, 2), list("abcde")).axes
    assert [text.get_text() for text in axis.texts[3:]] == list("abcde")


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
