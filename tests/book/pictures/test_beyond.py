"""The pictures of chapters 3.6 and 3.7 show the data that they are given, with labelled axes."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
import numpy as np

from lifelong_book.halfspaces.peers import pictures as beyond

mpl.use("agg")

RECORDS = Path(__file__).resolve().parents[3] / "book" / "records"
PEERS = ("life-long", "alone", "trace norm", "dictionary")


def rows(name):
    return json.loads((RECORDS / f"{name}.json").read_text(encoding="utf-8"))["rows"]


def drawn(figure):
    """The points of every line with a name in the legend."""
    lines = [line for axis in figure.axes for line in axis.lines]
    return {line.get_label(): np.column_stack(line.get_data()).tolist() for line in lines}


def test_between():
    row = {"a": 4, "a, least": 3, "b": None, "c": 0.1, "c, least": 0.1}
    assert [beyond.between(row, name) for name in "ab"] == ["3 to 4", ""]
    assert beyond.between(row, "c", ".2f") == "0.10"


def test_methods_and_lowered_values():
    words = [text.get_text() for text in beyond.four_methods().axes[0].texts]
    assert {"Algorithm 1", "alone", "trace norm", "dictionary", "nothing"} < set(words)
    (axis,) = beyond.lowered_values(np.array([1.4, 1.0]), np.array([0.4, 0.0])).axes
    assert [bar.get_height() for bar in axis.patches] == [1.4, 1.0, 0.4, 0.0]


def test_errors_by_task():
    errors = {name: np.array([0.1, 0.2]) for name in PEERS}
    shown = drawn(beyond.errors_by_task(errors, 0.1))
    assert shown["dictionary"] == shown["Algorithm 1"] == [[1, 0.1], [2, 0.2]]


def test_the_stored_settings_have_a_line_each():
    found = rows("multitask")
    shown = drawn(beyond.mean_errors(found, PEERS))
    assert shown["alone"] == [[row["alone, mean"], i] for i, row in enumerate(found)]
    shown = drawn(beyond.worst_errors(found, PEERS, 0.1))
    assert [x for x, _ in shown["dictionary"]] == [row["dictionary, worst"] for row in found]
    (axis,) = beyond.numbers_kept(found[-1], PEERS).axes
    assert [text.get_text() for text in axis.texts] == [f"{found[-1][f'{name}, kept']:,}" for name in PEERS]


def test_two_streams():
    flat = np.column_stack([np.cos([0.1, 2.0, 4.0]), np.sin([0.1, 2.0, 4.0]), np.zeros(3)])
    spread = np.vstack([[0.6, 0.0, 0.8], [0.0, 0.6, -0.8], flat[0]])
    figure = beyond.two_streams({"a": spread, "b": np.vstack([flat, np.eye(3)[2]])})
    names = [[text.get_text() for text in axis.texts if text.get_text()] for axis in figure.axes]
    assert names == [[], ["the last target"]]
    arrows = [sum(hasattr(text, "arrow_patch") for text in axis.texts) for axis in figure.axes]
    assert arrows == [3, 4] and [axis.get_title() for axis in figure.axes] == ["a", "b"]
    assert [len(axis.lines) for axis in figure.axes] == [1 + 2, 1 + 1]  # the plane, and a dotted line for each outside


def test_digits():
    figure = beyond.digit_task(np.zeros((10, 8, 8)), range(10), {1, 2})
    assert [axis.get_title("center") for axis in figure.axes].count("+1") == 2
    row = {"labels": 100, "mean error": 0.1}
    shown = {(rule, labels): row for rule in ("life-long", "margin") for labels in (300, 600)}
    assert drawn(beyond.errors_by_labels([row, row], shown))["margin, 300"] == [[100, 0.1]]
    values = drawn(beyond.singular_values({"a": np.array([2.0, 1.0, 0.0]), "b": np.array([1.0, 0.5, 0.1])}))
    assert values["a"] == [[1, 1], [2, 0.5], [3, 1e-4]] and values["b"][2] == [3, 0.1]


def test_wedges():
    points = np.array([[1.0, 1.0], [-0.01, 1.0], [-1.0, 0.5]])
    (axis,) = beyond.wedge_of_directions(points, 0.5).axes
    ends = np.column_stack(axis.lines[-1].get_data())
    assert np.allclose(np.linalg.norm(ends, axis=1), 1)
    (axis,) = beyond.cross_of_points(points, 0.1).axes
    assert [len(line.get_xdata()) for line in axis.lines] == [2, 1]  # one point in the wedge


def test_corners_and_votes():
    figure = beyond.square_corners(0.8, 0.15)
    marks = [[line.get_marker() for line in axis.lines[-4:]] for axis in figure.axes]
    assert marks == [["o"] * 4, ["X", "o", "o", "X"]]
    (axis,) = beyond.leaning_votes(np.full((3, 3), -19.0), np.ones((3, 4))).axes
    assert [text.get_text() for text in axis.texts].count("−19") == 9


def test_noise():
    shown = drawn(beyond.visible_errors(0.1, (0.0, 0.1), 0.75))
    assert shown["noise 0"][-1] == [0.2, 0.2] and np.allclose(shown["noise 0.1"][-1], [0.2, 0.26])
    assert np.allclose(shown["shifted test"], [[0, 0.16], [1, 0.16]])
    counts = dict.fromkeys(("plain", "shift", "margin"), np.array([1, 1, 2]))
    assert drawn(beyond.opened_by_rule(counts))["shift"] == [[1, 1], [2, 1], [3, 2]]
    found = rows("noise")
    shown = drawn(beyond.noise_by_rule(found, "labels", "labels"))
    plain = [row for row in found if row["rule"] == "plain" and row["width"] is None]
    assert shown["plain"] == [[row["rate"], row["labels"]] for row in plain]


def test_wedges_in_planes_hold_the_points_that_are_marked():
    points = np.array([[1.0, 1.1], [-1.0, -0.9], [0.1, 1.4], [1.4, 0.0]])
    (axis,) = beyond.wedge_between_bumps(points, 0.4).axes
    assert [len(line.get_xdata()) for line in axis.lines[2:]] == [2, 2]
    near = np.array([[5.0, 0.1], [1.0, 3.0], [0.1, 9.0], [-2.0, -5.0]])
    figure = beyond.plane_of_pair({4: near, 400: near[1:]}, 0.2)
    assert [len(axis.lines[1].get_xdata()) for axis in figure.axes] == [1, 0]
    assert ["25.0" in figure.axes[0].get_title("center"), "0.0" in figure.axes[1].get_title("center")] == [True, True]


def test_flips_and_the_line_of_no_sharing():
    (axis,) = beyond.flips({"a": (np.inf, 0.1), "b": (0.3, 0.4), "c": (0.12, 1.0)}).axes
    areas = [float(np.mean(line.get_ydata()) * 1.2) for line in axis.lines[:3]]
    assert np.allclose(areas, [0.12, 0.24, 0.24], atol=0.01)
    (axis,) = beyond.noise_by_rule(rows("noise"), "labels", "labels", alone=3600).axes
    assert axis.texts[0].get_text() == "all from scratch: 3,600"


def test_distributions():
    theta = np.array([0.1, 0.2])
    assert drawn(beyond.disagreements(theta, dict.fromkeys("abc", theta)))["b"] == [[0.1, 0.1], [0.2, 0.2]]
    shown = drawn(beyond.rates_by_dimension([2, 4], [0.5, 0.4], {2: (0.5, 0.01)}))
    assert shown["formula"] == [[2, 0.5], [4, 0.4]]
    found = rows("laws")
    shown = drawn(beyond.features_under(found))
    assert [x for x, _ in shown["axes"]] == [row["opened"] for row in found if row["space"] == "axes"]


def test_clouds_show_the_draws():
    points = np.arange(8.0).reshape(4, 2)
    figure = beyond.clouds({name: points if name != "d" else np.ones((4, 2)) for name in "abcd"}, (12, 3, 3, 3))
    seen = [np.column_stack(axis.lines[0].get_data()) for axis in figure.axes]
    assert [axis.get_title("center") for axis in figure.axes] == list("abcd")
    np.testing.assert_array_equal(seen[0], points)
    assert np.abs(seen[3] - 1).max() < 0.5 and len(np.unique(seen[3])) == 8
