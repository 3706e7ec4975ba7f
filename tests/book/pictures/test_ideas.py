"""What the pictures that show one idea each say of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong_book.conjunctions.applications import pictures as product_laws
from lifelong_book.conjunctions.consistency import noise_pictures as noise
from lifelong_book.conjunctions.online import pictures as online
from lifelong_book.discussion import pictures as discussion
from lifelong_book.front import parts_pictures as parts
from lifelong_book.halfspaces.angles import pictures as angles
from lifelong_book.halfspaces.levels import pictures as levels
from lifelong_book.halfspaces.repair import exactly_k_pictures as exactly_k
from lifelong_book.halfspaces.repair import pictures as repair
from lifelong_book.halfspaces.subspace import pictures as subspace
from lifelong_book.introduction import pictures as introduction
from lifelong_book.polynomials.schapire_sellie import pictures as schapire_sellie
from lifelong_book.polynomials.shared_monomials import pictures as shared_monomials
from lifelong_book.preliminaries import pictures as preliminaries

mpl.use("agg")


def words(axis) -> list[str]:
    return [text.get_text() for text in axis.texts]


def test_data_go_hypotheses_stay_and_features_grow_with_a_task_from_scratch():
    (axis,) = introduction.held(["scratch", "reused", "scratch"]).axes
    counts = {"data": [0] * 3, "hypotheses": [0] * 3, "features": [0] * 3}
    for box in axis.patches:
        row = "data" if box.get_hatch() else "hypotheses" if box.get_y() > 0.3 * 3 else "features"
        counts[row][int(box.get_x())] += 1
    assert counts == {"data": [1, 1, 1], "hypotheses": [1, 2, 3], "features": [1, 1, 2]}


@pytest.mark.parametrize(("near", "times"), [(1, "7"), (2, "3")])
def test_a_line_through_two_estimates_is_far_off_when_they_are_close(near, times):
    far, close = introduction.two_posts(near=near, far=3, error=0.1, reach=4).axes
    assert words(far) == ["1.67 times\nthe error"] and words(close) == [f"{times} times\nthe error"]


def test_a_matrix_of_targets_and_its_factors():
    (axis,) = parts.factors(tasks=12, variables=16, features=3).axes
    sizes = {(box.get_width(), box.get_height()) for box in axis.patches}
    assert sizes == {(16, 12), (3, 12), (16, 3), (16, 1), (3, 1)}
    assert "a row for each target:\n16 numbers" in words(axis) and "a row for each:\n3 numbers" in words(axis)


def test_boards_and_what_they_share():
    a, b = np.array([1, 1, 0, 1]) > 0, np.array([1, 1, 1, 0]) > 0
    (axis,) = parts.in_common({"a": a, "b": b}, 2).axes
    filled = [box.get_facecolor()[3] > 0 for box in axis.patches]
    assert filled == [*a, *b, *(a & b)] and words(axis) == ["a", "b", "∩", "in all of them", "="]


def test_the_last_of_three_vectors_stands_higher_in_one_order():
    first, second = preliminaries.two_orders(0.3).axes
    titles = [axis.get_title() for axis in (first, second)]
    assert titles == ["last: $c$, at 0.300", f"last: $e_2$, at {np.arctan(np.sqrt(2) * np.tan(0.3)):.3f}"]


def test_a_cosine_has_steps():
    (axis,) = preliminaries.steps_of_cosine(3e-8).axes
    true, stored = (line.get_ydata() for line in axis.lines)
    angles = axis.lines[0].get_xdata() * 1e-8
    np.testing.assert_allclose(true, angles**2 / 2**-52)
    assert np.array_equal(stored, np.rint((1 - np.cos(angles)) * 2.0**53)) and np.abs(stored - true).max() <= 0.5


def test_corners_along_a_direction_are_all_counted():
    hand, drawn = discussion.sums_of_signs(np.array([1.0, 0.9]), np.ones(6)).axes
    for axis, places in ((hand, 3), (drawn, 7)):
        heights = np.array([bar.get_height() * bar.get_width() for bar in axis.patches])
        assert heights.sum() == pytest.approx(1) and (heights > 0).sum() in (places, places + 1)


def test_a_basis_that_does_not_serve_is_struck_out():
    two, three = np.array([[1, 1, 0], [1, 0, 1]]) > 0, np.eye(3) > 0
    (axis,) = online.bases([two, three], np.array([0, 1, 1]) > 0).axes
    assert [text for text in words(axis) if len(text) > 1] == ["2 members, no union is 23", "3 members"]
    assert len(axis.lines) == 1 and len(axis.patches) == 15


def test_independence_is_a_strip_through_the_square():
    axes = product_laws.shares(0.35, {"independent": (0.2, 0.2), "spoiled": (0.0, 0.2)}).axes
    widths = [[box.get_width() for box in axis.patches if box.get_hatch()] for axis in axes]
    assert widths == [[0.2, 0.2], [0.0, 0.2]]
    assert all(sum(b.get_height() for b in axis.patches if b.get_hatch()) == pytest.approx(1) for axis in axes)


def test_the_cheapest_accuracy_is_marked():
    lines = {"a": [("1", 100.0, 700.0), ("2", 300.0, 600.0)], "b": [("1", 300.0, 900.0), ("2", 400.0, 500.0)]}
    axes = repair.three_points(lines, 1200).axes
    assert [int(axis.lines[0].get_xdata()[0]) for axis in axes] == [0, 1]
    assert [bar.get_height() for bar in axes[0].patches] == [700, 600, 100, 300]


def test_two_vectors_in_a_strip_are_close():
    (axis,) = subspace.strip(0.4, 0.12).axes
    assert "$s=0.40$" in words(axis) and "$t=0.12$" in words(axis)
    assert f"{np.sin(2 * np.arcsin(0.12)):.2f}" in words(axis)


def test_a_row_is_new_or_not():
    new, old = np.array([[5.0, 3], [3, 3]]), np.array([[5.0, 3, 3], [3, 3, 3], [3, 3, 3]])
    cases = {"a": (("123", "12"), new, np.array([0.6])), "b": (("123", "12", "1"), old, np.array([0.0, 1.0]))}
    left, right = schapire_sellie.new_rows(cases).axes
    assert words(left)[:9] == ["123", "5", "3", "combined", "3", "1.8", "12", "3", "3"]
    for axis, thick in ((left, 2), (right, 2)):
        assert sum(box.get_linewidth() == 2 for box in axis.patches) == thick


def test_pairs_that_count_are_solid():
    (axis,) = shared_monomials.incomparable([1, 2], [6, 7], [(1, 6), (2, 6), (2, 7)]).axes
    assert [line.get_linestyle() for line in axis.lines] == ["-", ":", "-", "-"]


def test_signs_add_up_or_cancel():
    plus, mixed = exactly_k.adding_up({"a": [1, 1, 1, 1], "b": [1, 1, -1, -1]}).axes
    assert words(plus) == ["2"] and words(mixed) == ["0"]


@pytest.mark.parametrize("tau", [3, 4])
def test_a_tied_block_leaves_the_axis_and_one_more(tau):
    (axis,) = levels.tied_block(tau).axes
    filled = np.array([box.get_facecolor()[3] > 0 for box in axis.patches]).reshape(tau + 1, tau + 1)
    assert filled[0].all() and filled[1:-1].sum() == tau - 1
    assert np.array_equal(filled[-1], filled[0] & ~filled[1:-1].any(axis=0))


def test_the_shortest_description_is_marked():
    axis = noise.descriptions([0.01, 0.1, 0.3], [50, 20, 10], [0, 20, 60]).axes[0]
    assert axis.lines[0].get_xdata().tolist() == [1]
    assert [label.get_text() for label in axis.get_xticklabels()] == ["1 %", "10 %", "30 %"]


def test_the_extremal_densities_have_variance_one():
    (axis,) = angles.dense_and_thin().axes
    marked = {line.get_marker(): line.get_xydata()[0].tolist() for line in axis.lines if len(line.get_xdata()) == 1}
    assert marked == {"o": [0, pytest.approx(12**-0.5)], "s": [-1, 1]}


def test_the_block_and_the_other_density_have_the_same_mass():
    (axis,) = angles.near_the_origin(0.25, np.pi / 2).axes
    r, density = axis.lines[0].get_xydata().T
    block = axis.collections[0].get_paths()[0].get_extents()
    assert block.width * block.height == pytest.approx(0.25) and block.height == pytest.approx(np.pi / 2)
    assert 0.25 * 0.95 < np.trapezoid(density, r) < 0.25 and density.max() < block.height


def test_anchors_are_hatched_and_nothing_else():
    true, found = np.array([[1, 1, 0, 1], [1, 0, 1, 0]]) > 0, np.array([[1, 0, 0, 0]]) > 0
    (axis,) = product_laws.without_anchors(true, np.array([0, 0, 0, 1]) > 0, found).axes
    assert [i for i, box in enumerate(axis.patches) if box.get_hatch()] == [3]
    assert sum(box.get_facecolor()[3] > 0 for box in axis.patches) == 5
    assert words(axis) == ["2 there are", "1 are found", "1", "2", "3", "$a_{1}$"]
