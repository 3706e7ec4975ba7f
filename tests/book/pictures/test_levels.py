"""The pictures of chapter 3.5 show the data that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.halfspaces.levels import pictures as levels
from lifelong_book.press.style import COLOURS

mpl.use("agg")


def heights(axis):
    """The second coordinates of every line of an axis."""
    return [np.asarray(line.get_ydata()).tolist() for line in axis.lines]


def words(axis):
    return [text.get_text() for text in axis.texts]


def test_network_has_every_link():
    (axis,) = levels.network(5, 3, 4, 2).axes
    links = 5 * 3 + 3 * 8 + 2
    assert len(axis.lines) == links + 4 and len(axis.patches) == 4


def test_tiers_has_two_questions():
    (axis,) = levels.tiers().axes
    assert words(axis).count("yes") == words(axis).count("no") == 2


def test_tiers_of_tasks():
    (axis,) = levels.tiers_of_tasks(["scratch", "reused", "composed"], [1, 0, 1], ["x", "y"]).axes
    places = [(line.get_xdata().tolist(), line.get_ydata().tolist()) for line in axis.lines]
    assert places == [([1], [1]), ([3], [1]), ([2], [0])]
    assert [text.get_text() for text in axis.get_yticklabels()] == ["x", "y"]


def test_qualities_writes_what_counts():
    (axis,) = levels.qualities(np.array([[0.9, 0.01], [0.3, 0.7]]), ["a", "b"], ["x", "y"]).axes
    assert words(axis) == ["0.90", "0.30", "0.70"]


def test_extrapolation_is_the_formula_of_four_targets():
    p, q, d = 0.3, 0.2, 0.1
    above, below = levels.extrapolation(p, q, d).axes
    x = (2 * d / p + d) / q
    assert np.allclose(np.diff(heights(above)[0]), -2 * d / p)
    assert np.allclose(np.diff(heights(below)[0]), x) and np.isclose(heights(below)[1][1], d)


def test_divisions():
    (axis,) = levels.divisions({"a": 1e-3, "b": 1e-2}, 1e-1).axes
    assert axis.lines[0].get_xdata().tolist() == [1e-3, 1e-2] and axis.lines[1].get_xdata()[0] == 1e-1


def test_exchange_says_the_heights():
    basis, new = np.array([[1.0, 0.0], [0.9, 0.25]]), np.array([0.5, 0.8])
    titles = [axis.get_title() for axis in levels.exchange(basis, new).axes]
    assert "0.25" in titles[0] and "0.80" in titles[1]


def test_arrangement_marks_the_axes():
    (axis,) = levels.arrangement(np.array([[1.0, 0.0], [0.6, 0.8]]), [0, 1]).axes
    assert axis.collections[0].get_offsets().tolist() == [[1, 1], [1, 2], [2, 2]] and len(axis.lines) == 1


def test_arrangement_names_spaces_and_axes():
    targets, spaces, axes = np.array([[1.0, 0.0], [0.6, 0.8]]), ["$V$", "$U$"], [("$z$", 1), ("$e$", 1)]
    (axis,) = levels.arrangement(targets, [0, 1], spaces, axes).axes
    assert words(axis) == ["$V$", "$U$", "$z$", "$e$"] and len(axis.lines) == 2


def test_the_fat_exchange_multiplies_the_area_by_its_coefficient():
    (axis,) = levels.exchange_fat(0.4).axes
    thin, fat = (patch.get_label() for patch in axis.patches)
    assert thin.endswith(f"{np.sin(0.4):.2f}") and fat.endswith(f"{np.sin(0.4) / (2 * np.sin(0.2)):.2f}")


def test_coefficients_add_up_to_the_target():
    (axis,) = levels.coefficients(0.8).axes
    ends = {text.get_text(): text.xy for text in axis.texts if hasattr(text, "xy")}
    arrows = [text.xy for text in axis.texts if hasattr(text, "xy")]
    assert ends and np.allclose(np.add(arrows[0], arrows[1]), [0, 1])


def test_volumes_end_where_the_promise_passes_one():
    (axis,) = levels.volumes([[0.1, 0.3], [0.2]], 3, 0.1, 4.0).axes
    promised = axis.lines[2]
    assert heights(axis)[:2] == [[0.1, 0.3], [0.2]]
    assert promised.get_xdata().tolist() == [3, 4, 5] and promised.get_ydata()[-1] >= 1 > promised.get_ydata()[-2]


def test_curves():
    (axis,) = levels.success_of_learners((20, 40), {name: [0.1, 0.2] for name in "abcd"}).axes
    assert heights(axis) == 4 * [[0.1, 0.2]] and axis.get_xlabel() == "labels"
    (axis,) = levels.labels_of_methods((10, 100), {"alone": [1e3, 1e4], "two": [1e4, 1e5]}).axes
    assert heights(axis) == [[1e3, 1e4], [1e4, 1e5]]
    assert [text.get_text() for text in axis.get_legend().get_texts()] == ["alone", "two"]


def test_bills_add_up():
    (axis,) = levels.bills([("a", 1, 2, 3), ("b", 4, 5, 6)], 10.0).axes
    ends = [bar.get_x() + bar.get_width() for bar in axis.patches[4:]]
    assert ends == [6, 15] and axis.lines[0].get_xdata()[0] == 10


def test_mixing_draws_the_shortest_way():
    (axis,) = levels.mixing(3).axes
    ways = [np.array(line.get_xydata()) for line in axis.lines if line.get_color() == COLOURS["vermilion"]]
    lengths = [np.linalg.norm(way[1] - way[0]) for way in ways]
    assert np.isclose(min(lengths), 0.5) and lengths.index(min(lengths)) == len(lengths) - 1
    assert any("30" in word for word in words(axis))


def test_leans_marks_four_times_what_is_allowed():
    (axis,) = levels.leans({"a": 0.8, "b": 8.0, "c": 80.0}).axes
    marks = [line.get_xydata()[0].tolist() for line in axis.lines if len(line.get_xydata()) == 1]
    assert marks[0] == [0.4, 4] and marks[2:] == [[4.0, 4], [40.0, 4]]
    assert np.isclose(marks[1][1], (0.8 / 1.1) ** 2)


def test_difference_says_length_and_part():
    (axis,) = levels.difference(0.8).axes
    assert "0.32" in words(axis) and any("0.63" in word for word in words(axis))
