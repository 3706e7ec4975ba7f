"""The drawings of chapter 3.3 and of its detail pages show what they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong_book.halfspaces import pictures as halfspaces
from lifelong_book.halfspaces.repair import exactly_k_pictures as exactly_k
from lifelong_book.halfspaces.subspace import pictures as subspace

mpl.use("agg")


def lines(figure):
    """The points of every line of all axes, by the name in the legend."""
    return {line.get_label(): np.transpose(line.get_data()).tolist() for axis in figure.axes for line in axis.lines}


def words(figure):
    return " ".join(text.get_text() for axis in figure.axes for text in axis.texts)


def test_the_wedge_names_what_is_reused_and_what_is_rejected():
    figure = subspace.reuse_wedge(0.3, 0.2, 1.0, 0.1)
    assert "reused" in words(figure) and "rejected" in words(figure)


def test_a_short_difference_is_tilted_more():
    figure = subspace.differences(0.03, (np.pi / 2, 0.3))
    tilts = [float(t.get_text().split()[1]) for axis in figure.axes for t in axis.texts if "tilt" in t.get_text()]
    assert tilts[0] == pytest.approx(0.03, abs=1e-3) and tilts[1] > 4 * tilts[0]


def test_the_hand_example_is_drawn():
    assert "$a_4$" in words(subspace.four_targets(0.3))
    shown = words(subspace.levers(318, 1e-5, 0.00314))
    assert "0.00318" in shown and "0.00314" in shown


def test_features_so_far():
    shown = lines(subspace.features_so_far({"chain": np.array([1, 2, 2])}, 5, 7.0))
    assert shown["chain"] == [[1, 1], [2, 2], [3, 2]]
    assert shown["determinant bound"][0][1] == 7
    # where two streams agree, each still shows where it ends
    figure = subspace.features_so_far({"random": np.array([1, 2, 2]), "chain": np.array([1, 2, 3])}, 2, 7.0)
    assert [text.get_text() for text in figure.axes[0].texts] == ["2", "3"]


def test_pictures_of_theorem_1_in_detail():
    figure = subspace.random_features({"fine": {2: (2, 2)}, "coarse": {2: (2, 4)}})
    assert figure.axes[0].get_xlabel()
    figure = subspace.tilts(np.array([0.01, 0.1, 1.0]), np.array([0.02, 0.04, 0.06]), 0.3)
    allowed, turned, printed = (list(line.get_ydata()) for line in figure.axes[0].lines)
    assert (allowed[0], turned, printed) == (0.3, [0.01, 0.1, 1], [0.02, 0.04, 0.06])
    shown = lines(subspace.last_errors(np.array([0.1, 1.0]), {"$C=1$": np.array([0.3, 0.3])}))
    assert shown["$C=1$"] == [[0.1, 0.3], [1, 0.3]] and shown[r"allowed, $\epsilon$"] == [[0.1, 0.1], [1, 1]]


def test_pictures_of_the_counts():
    assert r"$s_0\rho^2$" in words(subspace.growing_fan((0.1, 0.2, 0.4)))
    shown = words(subspace.unknown([np.eye(2), np.diag([1, 0.25]), np.eye(2) / 16], np.eye(2)))
    assert r"area $\pi\cdot$0.5" in shown and "0.062" in shown
    shown = words(subspace.doubled_axes(4, 2))
    assert all(name in shown for name in ("$a_2$", "$A_4$", "$B_4$", "f_3", "exact"))
    counts = {name: {2: 2, 3: x} for name, x in (("a", 3), ("b", 4), ("c", 4))}
    assert lines(subspace.counts_in_room(counts))["b"] == [[2, 2], [3, 4]]
    shown = lines(subspace.prices_of_accuracy({"x": (1.0, 2.0, 3.0)}, 5.0))
    assert shown["bound"] == [[0.15, 3]] and shown["alone"][0][1] == 5


def test_pictures_of_the_labels():
    row = {f"at_{size}": size / 10 for size in (10, 20, 40, 80)}
    names = list("abcdef")
    shown = lines(halfspaces.scaled_errors([{"learner": name, **row} for name in names], names))
    assert shown["c"] == [[10, 1], [20, 2], [40, 4], [80, 8]]
    figure = halfspaces.labels_by_task(np.array([9.0, 2.0]), [True, False], 4.0)
    assert sorted(patch.get_height() for patch in figure.axes[0].patches) == [2, 9]
    keys = ("alone", "alone_mean_eps", "alone_same_largest", "alone_same_mean")
    shown = lines(halfspaces.gains({"x": {"labels": 2, **dict.fromkeys(keys, 6)}}))
    assert [[3, 0]] in shown.values()


def test_pictures_of_efficient_learning():
    assert "rejects" in words(halfspaces.answers_of_a_lossy_learner(2.5))
    shown = lines(halfspaces.spoiled({"a": [1.0, 2.0], "b": [0.1, 0.1]}, [0.01, 0.1]))
    assert shown["a"] == [[0.01, 1], [0.1, 2]]


def test_pictures_of_exactly_k():
    assert all(word in words(exactly_k.leaning_plane(0.2)) for word in ("sum", "$h$", r"$\sqrt{2}\,h$"))
    assert all(word in words(exactly_k.two_spaces(0.5, 0.4)) for word in ("a space $S$", "$f$"))
    ends = np.array([0.0, 1.0])
    assert lines(exactly_k.price_of_extra(ends, ends, 7.0))["exactly $k$ features"] == [[0, 7]]
    shown = lines(exactly_k.two_prices(ends + 1, ends + 2, ends + 3))
    assert [[1, 3], [2, 4]] in shown.values()


def test_the_budget_of_a_determinant():
    figure = subspace.budget([0.0, -4.0, -9.0], 3.0, 2.0, -12.0)
    shown = lines(figure)
    assert shown["a stream"] == [[0, 0], [1, -4], [2, -9]]
    assert shown["at the slowest"][:3] == [[0, 0], [1, -3], [2, -5]]
    # 3 for the first and 2 for each of four more: the sixth would fall below the floor
    assert "5 features at most" in words(figure) and shown["at the slowest"][5][1] == -11
    assert shown["at the slowest"][6][1] < -12


def test_the_turn_into_a_fresh_axis():
    figure = subspace.fresh_turn(1.0, 0.4)
    assert "before" in words(figure) and "after" in words(figure)
    (across,) = (line for line in figure.axes[0].lines if len(line.get_xdata()) == 2 and line.get_xdata()[0] == 1)
    tip, foot = np.transpose(across.get_data())
    assert np.hypot(*(tip - foot)) == pytest.approx(0.4)


def test_the_features_that_volumes_allow():
    figure = subspace.most_features(np.array([3.0, 10.0, 100.0]), {2: [7, 3, 2], 5: [9, 8, 7]}, 5)
    drawn = [list(line.get_ydata()) for line in figure.axes[0].lines]
    assert [7, 3, 2] in drawn and [9, 8, 7] in drawn
    marked = [line for line in figure.axes[0].lines if line.get_marker() not in ("None", "")]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in marked] == [(100, 2)]  # five is not reached
    said = words(figure)
    assert all(word in said for word in ("$k=2$", "$k=5$", r"$\epsilon_{acc}=\epsilon/5$"))


def test_a_boundary_that_wrong_labels_pull():
    X = np.array([[2.0, 0.5], [-1.0, 1.0], [0.2, -2.0]])
    figure = subspace.pulled_boundary(X, [1, -1, -1], [False, False, True], [1.0, -0.5], 0.3)
    assert "true" in words(figure) and "learned" in words(figure)
    drawn = [np.transpose(line.get_data()).tolist() for line in figure.axes[0].lines]
    assert [[0.2, -2.0]] in drawn and [[2.0, 0.5]] in drawn
    low, high = next(ends for ends in drawn if len(ends) == 2 and ends[0][0] != ends[1][0])
    assert low[0] == pytest.approx(0.5 * low[1]) and high[0] == pytest.approx(0.5 * high[1])
