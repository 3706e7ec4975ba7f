"""The pictures and tables of chapters 3.3, 3.4, 3.6 and 3.7 show the data that they are given, with labelled axes."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.book.pictures import beyond, exactly_k, halfspaces, repair
from lifelong.halfspaces.learners import LEARNERS

mpl.use("agg")
RECORDS = Path(__file__).parents[3] / "book" / "records"


@pytest.fixture(autouse=True)
def _close():
    import matplotlib.pyplot as plt

    yield
    plt.close("all")


def rows(name):
    return json.loads((RECORDS / f"{name}.json").read_text())["rows"]


def drawn(figure):
    """The points of every line, by its name in the legend; all axes have labels."""
    (axis,) = figure.axes
    assert axis.get_xlabel() and axis.get_ylabel()
    return {line.get_label(): np.transpose(line.get_data()).tolist() for line in axis.lines}


def test_bounds_and_family():
    grid, curves = np.array([1e-2, 1e-1]), (np.array([3.0, 2.0]), np.array([2.0, 1.5]), np.array([1.0, 1.0]))
    shown = drawn(halfspaces.bounds_and_family(grid, curves, 5, {0.1: 7}))
    assert shown["volume bound"] == [[0.01, 2.0], [0.1, 1.5]]
    assert shown["determinant bound"] == [[0.01, 1.0], [0.1, 1.0]]
    assert shown["family, opened"] == [[0.1, 7]]


def test_labels_so_far():
    spent = {k: np.array([4.0, 2.0]) for k in (1, 2, 3)}
    assert drawn(halfspaces.labels_so_far(spent, 5.0))["k = 2"] == [[1, 4], [2, 3]]


def test_accuracies():
    sizes, printed = np.array([2, 3]), np.array([0.2, 0.1])
    shown = drawn(repair.accuracies(sizes, printed, 2 * printed, np.array([1.5, 2.0])))
    assert np.allclose(shown["a chain opens $k+1$"], [[2, 0.6], [3, 0.4]])


def test_refused():
    shown = drawn(repair.refused(np.array([0.5, 1.0]), [0.1, 0.6], [0.0, 0.7], 0.1))
    assert shown["as usual"] == [[0.5, 0.1], [1.0, 0.6]]
    assert shown["four times the labels"] == [[0.5, 0.0], [1.0, 0.7]]
    assert 0 <= min(y for _, y in shown["the test alone"]) < max(y for _, y in shown["the test alone"]) <= 1


def test_prices():
    cost = {name: np.array([1.0, 2.0]) for name in "abc"}
    shown = drawn(repair.prices(np.array([2.0, 3.0]), cost, 3000.0, (40.0, 5.0)))
    assert shown["b"] == [[2, 1], [3, 2]] and shown["as printed"] == [[40, 5]]


def test_leaning():
    opened = np.array([[5, 6, 7], [9, 9, 9]])
    shown = drawn(repair.leaning(np.array([0.0, 0.5]), opened, np.array([0.0, 0.1]), [8.0, 9.0]))
    assert shown["volume bound"] == [[0, 8], [0.1, 9]]


def test_error_of_the_sum():
    seen = {k: {0.2: k / 10} for k in (1, 2, 3, 4)}
    shown = drawn(exactly_k.error_of_the_sum(np.array([0.1, 0.2]), lambda k, x: k * x, seen))
    assert np.allclose(shown["k = 3"], [[0.1, 0.3], [0.2, 0.6]])


def test_pictures_of_chapter_3_6():
    errors = {name: np.array([0.1, 0.2]) for name in ("life-long", "trace norm", "dictionary")}
    assert drawn(beyond.errors_by_task(errors, 0.1))["dictionary"] == [[1, 0.1], [2, 0.2]]
    theta = np.array([0.1, 0.2])
    assert drawn(beyond.disagreements(theta, dict.fromkeys("abc", theta)))["b"] == [[0.1, 0.1], [0.2, 0.2]]
    counts = dict.fromkeys(("plain", "shift", "margin"), np.array([1, 1, 2]))
    assert drawn(beyond.opened_by_rule(counts))["shift"] == [[1, 1], [2, 1], [3, 2]]
    row = {"labels": 100, "mean error": 0.1}
    shown = {(rule, labels): row for rule in ("life-long", "margin") for labels in (300, 600)}
    assert drawn(beyond.errors_by_labels([row, row], shown))["margin, 300"] == [[100, 0.1]]


@pytest.mark.parametrize(
    ("table", "name", "extra"),
    [
        (halfspaces.labels_table, "labels", 2),
        (repair.accuracy_table, "accuracy", 2),
        (beyond.laws_table, "laws", 1),
        (beyond.noise_table, "noise", 1),
        (beyond.digits_table, "digits", 1),
        (lambda found: beyond.peers_table(found, ["alone"]), "multitask", 1),
    ],
)
def test_tables_have_a_line_a_row(table, name, extra):
    found = rows(name)
    assert len(table(found).splitlines()) == len(found) + extra


def test_the_table_of_learners_has_a_line_a_learner():
    found = rows("learners")
    lines = halfspaces.learners_table(found, list(LEARNERS)).splitlines()
    assert len(lines) == 1 + len(LEARNERS)
    assert f"{found[0]['at_80']:.2f}" in lines[1]
