"""The pictures of chapter 3.4 show the data that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong_book.halfspaces.repair import pictures as repair
from tests.book.pictures.test_algorithm1 import rows

mpl.use("agg")


def drawn(figure):
    """The points of every line, by its name in the legend; all axes have labels."""
    (axis,) = figure.axes
    assert axis.get_xlabel() or axis.get_ylabel()
    return {line.get_label(): np.transpose(line.get_data()).tolist() for line in axis.lines}


def words(figure):
    return [text.get_text() for text in figure.axes[0].texts if text.get_text()]


def test_prices():
    cost = {name: np.array([1.0, 2.0]) for name in "abc"}
    shown = drawn(repair.prices(np.array([2.0, 3.0]), cost, 3000.0, (40.0, 5.0), band=(2, 3)))
    assert shown["b"] == [[2, 1], [3, 2]] and shown["printed order"] == [[40, 5]]
    assert "printed order" not in drawn(repair.prices(np.array([2.0, 3.0]), cost, 3000.0))


def test_heights():
    figure = repair.heights({"a": (0.3, 0.01), "b": (0.28, 0.02)}, 0.2)
    tops = [max(line.get_ydata()) for line in figure.axes[0].lines[:6]]
    tilts = np.arctan([np.tan(0.01) / np.sin(0.15), np.tan(0.02) / np.sin(0.14)])
    assert np.allclose([tops[0], tops[3]], tilts) and np.allclose([tops[2], tops[5]], tilts)
    assert np.allclose([tops[1], tops[4]], [0.01, 0.02])
    curve = figure.axes[0].lines[0]  # it passes through its dots
    assert np.isclose(np.interp(np.degrees(0.15), *curve.get_data()), 0.01, rtol=1e-3)


def test_fan():
    (axis,) = repair.fan(0.2, 0.35).axes
    ends = [line.get_xydata()[1] for line in axis.lines]
    assert np.allclose([np.arctan2(y, x) for x, y in ends], [0, 0.2, -0.35])


def test_accuracies():
    sizes, printed = np.array([2, 3]), np.array([0.2, 0.1])
    shown = drawn(repair.accuracies(sizes, printed, 2 * printed, np.array([1.5, 2.0])))
    assert np.allclose(shown["a chain needs $k+1$"], [[2, 0.6], [3, 0.4]])


def test_tally():
    shown = drawn(repair.tally({"a": [3, 4, 4], "b": [3, 3, 3]}, 3))
    assert shown["4 features"] == [[1, 1], [2, 1]]
    assert shown["3 features"] == [[3, 1], [1, 0], [2, 0], [3, 0]]


def test_features_by_accuracy():
    found = [row for row in rows("accuracy") if (row["epsilon"], row["k"]) == (0.1, 10)]
    shown = drawn(repair.features_by_accuracy(found, 10))
    assert shown["worst stream found"] == [[i, row["worst"]] for i, row in enumerate(found)]
    assert len(shown["samples, most of 5"]) == sum(row["sampled_max"] is not None for row in found)


def test_growth():
    grid = np.array([0.1, 0.01])
    shown = drawn(repair.growth(grid, {3: [4, 5]}, {3: [6, 7]}, {3: [(0.1, 5)]}))
    assert shown["the volume bound"] == [[0.1, 6], [0.01, 7]] and shown["worst stream found"] == [[0.1, 5]]
    assert shown["the logarithmic family"] == [[0.1, 4], [0.01, 5]]


def test_names_of_accuracies():
    assert repair.accuracy_name("eps/5") == r"$\varepsilon/5$"
    assert repair.accuracy_name("printed") == r"$\varepsilon^2/(10\pi k)$"
    assert repair.accuracy_name("exact") == "certified"


def test_two_tails():
    (axis,) = repair.two_tails(0.1, 900).axes
    assert axis.lines[0].get_xdata()[0] == pytest.approx(67.5) and len(axis.collections) == 2


def test_refused():
    shown = drawn(repair.refused(np.array([0.5, 1.0]), [0.1, 0.6], [0.0, 0.7], 0.1))
    assert shown["as usual"] == [[0.5, 0.1], [1.0, 0.6]]
    assert shown["four times the labels"] == [[0.5, 0.0], [1.0, 0.7]]
    assert 0 <= min(y for _, y in shown["the test alone"]) < max(y for _, y in shown["the test alone"]) <= 1


def test_sorting_has_three_ends():
    found = words(repair.sorting())
    assert {"missed", "without need"} < set(found) and found.count("yes") == found.count("no") == 2


def test_causes():
    kinds = {"needed": [2, 3], "refused": [1, 0], "missed": [0, 0]}
    (axis,) = repair.causes({"a": kinds, "b": kinds}, {"a": 5.0, "b": 6.0}).axes
    assert [bar.get_height() for bar in axis.patches[:4]] == [2, 3, 1, 0]
    assert [line.get_ydata()[0] for line in axis.lines] == [5, 6]


def test_ellipse_searches_only_the_large_axis():
    vectors = np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 0.1]])
    assert words(repair.ellipse(vectors, 0.1)) == ["not searched", "searched"]
    assert words(repair.ellipse(vectors, 0.001)) == ["searched", "searched"]


def test_eigenvalues():
    shown = drawn(repair.eigenvalues(np.array([3.0, 1.0, 0.01]), 0.1, 2))
    assert shown["searched"] == [[1, 3], [2, 1]] and shown["not searched"] == [[3, 0.01]]


def test_weighing_bounds_meet_at_the_limit():
    limit = 34.55861374267071  # k = 4, epsilon = 0.02
    figure = repair.weighing(np.array([0.0, 2.0]), 4, 0.0008374323784913484, limit)
    shown = drawn(figure)
    most, least = (np.array(shown[name]) for name in list(shown)[:2])
    assert np.all((most[1:, 1] > least[1:, 1]) == (most[1:, 0] < limit))
    assert shown["this run"] == [[0, 0], [1, 2]]


def test_dimensions():
    shown = drawn(repair.dimensions([("x", 3, 4, 3), ("y", 4, 6, 4)]))
    assert shown["Algorithm 1"] == [[4, 1], [6, 0]] and shown["with the threshold"] == [[3, 1], [4, 0]]


def test_news():
    (axis,) = repair.news({"ab": [("b", 0.4)], "ba": [("a", 0.2)]}, 0.3).axes
    assert [bar.get_height() for bar in axis.patches] == [0.4, 0.2]
    assert axis.patches[0].get_facecolor() != axis.patches[1].get_facecolor()


def test_umbrella():
    assert {"$a_1$", "$a_2$", "$a_3$", "$e_0$"} < set(words(repair.umbrella(0.5, 3)))


def test_leaning():
    opened = np.array([[5, 6, 7], [9, 9, 9]])
    shown = drawn(repair.leaning(np.array([0.0, 0.5]), opened, np.array([0.0, 0.1]), [8.0, 9.0]))
    assert shown["volume bound"] == [[0, 8], [0.1, 9]]
