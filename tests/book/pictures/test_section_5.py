"""Pictures of chapters 5.1 to 5.3: they draw the numbers that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.polynomials.polynomial import polynomial
from lifelong_book.conjunctions.consistency import lattice_pictures as lattice
from lifelong_book.polynomials.one_layer import pictures as one_layer
from lifelong_book.polynomials.schapire_sellie import pictures as schapire_sellie
from lifelong_book.polynomials.shared_monomials import pictures as shared_monomials


@pytest.fixture(autouse=True)
def no_window():
    mpl.use("Agg")
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def heights(axis) -> list[float]:
    """Last value of each line of an axis."""
    return [float(line.get_ydata()[-1]) for line in axis.lines]


def words(axis) -> list[str]:
    """What is written on an axis."""
    return [text.get_text() for text in axis.texts]


def test_the_lattice_has_a_row_for_each_size():
    at = lattice.places(3)
    assert len(at) == 8 and at[frozenset()] == (0, 0) and at[frozenset({1, 2, 3})] == (0, 3)
    assert [at[frozenset(s)][0] for s in ({1, 2}, {1, 3}, {2, 3})] == [-1, 0, 1]
    assert [lattice.name(s) for s in (frozenset(), frozenset({3, 1}))] == ["∅", "13"]


@pytest.mark.parametrize("pieces", [None, np.array([[True, False, False], [False, True, True]])])
def test_the_network_has_a_line_for_each_factor_and_each_coefficient(pieces):
    targets = {"f": polynomial("4 x1 - 2 x1x2x3"), "g": polynomial("x1", n=3)}
    (axis,) = one_layer.network(targets, pieces).axes
    factors = 1 + 3 if pieces is None else (1 + 2) + (1 + 2)
    assert len(axis.lines) == factors + 3
    assert {"4", "−2", "1", "$f$", "$g$", "$x_{1}x_{2}x_{3}$"} <= set(words(axis))
    assert ("pieces" in words(axis)) == (pieces is not None)


def test_values_and_coefficients():
    points = [frozenset(s) for s in ((), (1,), (2,), (3,), (1, 2), (1, 3), (2, 3), (1, 2, 3))]
    values = dict.fromkeys(points, 1)
    (axis,) = one_layer.values_and_coefficients(values, dict.fromkeys(points, 0) | {points[0]: 1}).axes
    assert words(axis).count("0") == 7 and words(axis).count("+1") == 1
    assert "123:  1" in words(axis) and len(axis.lines) == 12


def test_the_square_is_halved():
    (axis,) = one_layer.halvings(6).axes
    areas = [patch.get_width() * patch.get_height() for patch in axis.patches]
    assert areas == [2.0**-d for d in range(7)]


def test_the_board_marks_what_is_new():
    targets = [polynomial(text, n=2) for text in ("x1", "3 x1", "x1 - x2")]
    (axis,) = one_layer.warm_up_board(targets, ["scratch", "reused", "scratch"]).axes
    shown = words(axis)
    assert shown.count("new") == 2 and shown.count("from scratch") == 2 and shown.count("reused") == 1
    assert {"3", "−1", "$x_{2}$"} <= set(shown)


def test_the_rounds_of_an_attempt():
    (axis,) = one_layer.rounds_of_an_attempt([(1, 1, 3), (1, 0, 2)], [(0, 0), (0, 3), (2, 1)]).axes
    slanted, upright, *guesses = [line.get_xydata() for line in axis.lines]
    assert np.allclose(slanted.sum(axis=1), 3) and np.allclose(upright[:, 0], 2)
    assert [guess.tolist() for guess in guesses] == [[[0, 0]], [[0, 3]], [[2, 1]]]
    assert [w for w in words(axis) if "guess" in w] == ["guess 1: wrong", "guess 2: wrong", "guess 3: right"]


def test_the_rules_and_their_monomials():
    present = np.array([[True, False, True], [False, False, True]])
    (axis,) = one_layer.rules_and_monomials(present, np.array([[True, False], [True, True]])).axes
    assert axis.images[0].get_array().tolist() == present.tolist()
    assert [label.get_text() for label in axis.get_yticklabels()] == ["$x_{1}$", "$x_{1}x_{2}$"]


def test_the_orders_of_the_rules():
    (axis,) = one_layer.rules_from_scratch(np.array([0, 5, 9, 3, 0, 0, 0, 0, 0])).axes
    assert [bar.get_height() for bar in axis.patches] == [0, 5, 9, 3, 0, 0, 0, 0, 0]
    assert {text.get_text() for text in axis.texts} == {"5", "9", "3", "bound $k=8$"}
    assert axis.get_ylabel() == "random orders of 17"


def test_the_membership_queries():
    (axis,) = one_layer.membership_queries(np.full(60, 7), np.arange(60)).axes
    assert heights(axis) == [59, 7]


def test_the_equivalence_queries():
    used = {"largest": np.array([3, 4]), "random": np.array([2, 3]), "smallest": np.array([1, 2])}
    (axis,) = schapire_sellie.equivalence_queries(np.array([5, 6]), used).axes
    assert heights(axis) == [4, 3, 2, 6]


def test_the_rivals():
    mean = {1: np.array([[2, 2], [3, 2], [9, 0]]), 4: np.array([[20, 2], [30, 2], [90, 0]])}
    (axis,) = schapire_sellie.rivals(mean).axes
    assert heights(axis) == [90, 30, 20, 512] and "all 512 points" in words(axis)
    assert axis.get_yscale() == "log"


def sets(*texts: str) -> frozenset[frozenset[int]]:
    return frozenset(frozenset(map(int, text)) for text in texts)


def test_where_the_hypothesis_errs():
    (axis,) = schapire_sellie.where_it_errs(2, sets("1", "12"), {"largest": frozenset({1, 2})}).axes
    assert "largest" in words(axis) and len(axis.lines) == 4
    filled = [t.get_text() for t in axis.texts if (b := t.get_bbox_patch()) and b.get_facecolor()[2] == 0]
    assert sorted(filled) == ["1", "12"]


def test_the_factored_matrix():
    (axis,) = schapire_sellie.factored(["123", "1"], ["1", "23"], np.array([[1, 1], [1, 0]]), [3, 2]).axes
    shown = words(axis)
    assert shown.count("5") == 1 and shown.count("3") == 4 and shown.count("2") == 1
    assert {"$F_S$", "$Z$", "$D$", "$Z^T$", "="} <= set(shown)


def test_the_staircase():
    (axis,) = schapire_sellie.staircase([0, 1, 3], ["a", "b"], 4).axes
    assert heights(axis)[:2] == [3, 3] and "$E=4$" in words(axis)
    assert axis.lines[2].get_ydata()[0] == 4


def test_the_regions_and_the_stuck_learner_say_what_they_show():
    (axis,) = schapire_sellie.three_regions().axes
    assert sum("fact (a)" in word for word in words(axis)) == 2
    one, two, both, none = map(frozenset, ({1}, {2}, {1, 2}, ()))
    (axis,) = schapire_sellie.stuck(one, two, {none: (1, 0), one: (1, 1), two: (1, 0), both: (1, 1)}).axes
    assert {"the member", "the error shown", "their meet: an error as well"} <= set(words(axis))
    assert sum("(wrong)" in word for word in words(axis)) == 2


def test_the_boards():
    lines = np.zeros((5, 3, 3), dtype=bool)
    lines[4, 1] = True
    axes = schapire_sellie.boards(lines).axes
    assert len(axes) == 5 and axes[4].images[0].get_array().tolist() == lines[4].tolist()


def test_the_boards_have_titles_and_marks():
    lines = np.eye(9, dtype=bool)[:3].reshape(3, 3, 3)
    axes = schapire_sellie.boards(lines, ["a", "b", "c"], marks=lines).axes
    assert [axis.get_title() for axis in axes] == ["a", "b", "c"]
    assert [line.get_xydata().tolist() for axis in axes for line in axis.lines] == [[[0, 0]], [[1, 0]], [[2, 0]]]


def test_the_values_on_all_meets():
    points = [frozenset({1}), frozenset()]
    (axis,) = schapire_sellie.hankel(points, np.array([[3, 1], [1, 1]]), [1]).axes
    assert words(axis) == ["1", "1", "3", "1", "∅", "∅", "1", "1"]
    filled = [patch.get_xy() for patch in axis.patches if patch.get_facecolor()[:3] != (1.0, 1.0, 1.0)]
    assert filled == [(0.5, 0.5)]


def test_the_ways_down_end_at_a_term():
    full, low = frozenset({1, 2}), frozenset({1})
    way = [full, low]
    (axis,) = schapire_sellie.descents(2, [("a term", way, [(low, frozenset())])]).axes
    assert axis.get_title(loc="left") == "a term" or axis.get_title() == "a term"
    arrows = [text for text in axis.texts if getattr(text, "arrow_patch", None) is not None]
    assert len(arrows) == 1
    crosses = [line for line in axis.lines if line.get_marker() == "x"]
    assert [line.get_xydata().tolist() for line in crosses] == [[[-0.375, 0.5]]]


def test_the_rings():
    rows = np.array([[1, 1, 1, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 1, 1]], dtype=bool)
    left, right = shared_monomials.rings({"a": rows, "b": rows[:1]}, (2,)).axes
    assert len(left.lines) == 1 + 2 * 2 and len(right.lines) == 1 + 2  # an anchor, and an arc and its dots for each
    for arc in (left.lines[1], left.lines[3]):
        assert np.ptp(np.hypot(*arc.get_data())) < 1e-12


def test_the_strips_that_sink():
    full, low = np.array([True, True]), np.array([True, False])
    (axis,) = schapire_sellie.sinking_strips([(full, full[None], 1), (low, np.array([full, low]), 3)]).axes
    assert len(axis.patches) == 2 * (2 + 3) and words(axis)[:2] == ["1", "3"]
    assert {"wrong at", "member 1", "member 2", "depth"} <= set(words(axis))
    colours = [patch.get_facecolor() for patch in axis.patches]
    assert colours[2] == colours[8] != colours[6]  # a member that is new, new, and old


def test_the_flow_of_the_algorithm():
    (axis,) = shared_monomials.flow().axes
    assert {"fails", "works"} <= set(words(axis))
    assert any("FROM SCRATCH" in word for word in words(axis)) and any("REUSED" in word for word in words(axis))


def test_the_race():
    attempts = {"good": np.array([1.0, 0.0, 0.0]), "bad": np.array([4.0, 4.0])}
    (axis,) = shared_monomials.race(attempts, budget=5.0, slope=2.0, start=3.0, end=6.0).axes
    assert heights(axis) == [5, 9, 1, 1, 8, 8]
    assert axis.lines[1].get_xdata().tolist() == [1.5, 6.0]
    assert [line.get_marker() for line in axis.lines[3::2]] == ["o", "X"]


def test_terms_and_problems():
    sizes = np.array([1, 2])
    (axis,) = shared_monomials.terms_and_problems(sizes, np.array([1, 3]), np.array([2, 6]), sizes).axes
    assert heights(axis) == [6, 3, 2]


def test_the_potentials():
    (axis,) = shared_monomials.potentials(np.array([[1, 0], [2, 3]]), ["scratch", "reused"], 7).axes
    assert [bar.get_height() for bar in axis.patches] == [1, 2, 0, 3]
    assert {"scratch", "reused", "never more than 7"} <= set(words(axis))


def test_the_errors_of_problems():
    rows = np.array([[1, 0, 2.0], [0, 0.01, 1.0]])
    (axis,) = shared_monomials.errors_of_problems(rows, 0.1).axes
    assert heights(axis) == [1e-5, 2, 0.01, 1, 0.1]
    assert [line.get_marker() for line in axis.lines] == ["^", "x", "o", "x", "None"]


def test_the_copies():
    (axis,) = shared_monomials.copies({"B = 1": ["scratch", "scratch"], "B = 4": ["scratch", "reused"]}, 1).axes
    assert [line.get_marker() for line in axis.lines] == ["^", "^", "^", "o", "None"]
    assert axis.lines[-1].get_xdata().tolist() == [1.5, 1.5]


def test_the_weights_and_the_distance():
    weights = np.array([[0.0, 0.0], [0.1, 0.8]])
    (axis,) = shared_monomials.weights_moving(weights, np.array([0.0, 1.0])).axes
    assert heights(axis) == [0.1, 0.8, 1.0] and "truth 1" in words(axis)
    (axis,) = shared_monomials.distance_to_go(np.array([3.0, 1.0]), np.array([8.0]), 2.0).axes
    assert heights(axis) == [2.0, 1.0]


def test_losses_and_errors():
    losses = {"small steps": [1.5, 1.9], "halving": [1.7, 1.8], "random": [0.9, 0.8]}
    errors = {"bound": [0.1, 0.3], "exponentiated gradient": [0.05, 0.06], "least squares": [0.0]}
    (axis,) = shared_monomials.total_losses(np.array([8, 16]), losses).axes
    assert heights(axis) == pytest.approx([1.9, 1.8, 0.8, 2, 1 / np.log(2)])
    (axis,) = shared_monomials.learned_errors(np.array([8, 16]), errors).axes
    assert heights(axis) == [0.3, 0.06, shared_monomials.FOOT]


def test_the_certificate_and_the_ways_to_learn():
    (axis,) = shared_monomials.certificate(np.array([2.0, 1.0]), np.array([0.5, 0.1]), 0.2).axes
    assert heights(axis) == [1.0, 0.1, 0.2]
    (axis,) = shared_monomials.ways_to_learn({"a": (10, 2, 12), "b": (10, 5, 15)}).axes
    assert [bar.get_width() for bar in axis.patches] == [10, 2, 10, 5]
    assert {" 12", " 15", "a", "b"} <= set(words(axis))


def test_the_cost_of_an_attempt():
    (axis,) = shared_monomials.cost_of_an_attempt(np.arange(1, 3), np.array([2, 4]), np.array([10, 12])).axes
    assert heights(axis) == [192, 4, 12]


def test_what_is_left_over():
    (axis,) = shared_monomials.left_over({name: np.array([4.0, 1.0]) for name in ("a", "b", "c")}).axes
    assert heights(axis) == [0.25] * 3
