"""The pictures and tables of chapters 3.3, 3.6 and 3.7 show the data that they are given, with labelled axes."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
import numpy as np

from lifelong_book.halfspaces import pictures as halfspaces
from lifelong_book.halfspaces.repair import exactly_k_pictures as exactly_k

mpl.use("agg")
RECORDS = Path(__file__).parents[3] / "book" / "records"


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
    assert shown["family"] == [[0.1, 7]]


def test_labels_so_far():
    spent = {k: np.array([4.0, 2.0]) for k in (1, 2, 3)}
    assert drawn(halfspaces.labels_so_far(spent, 5.0))["k = 2"] == [[1, 4], [2, 3]]


def test_error_of_the_sum():
    seen = {k: {0.2: k / 10} for k in (1, 2, 3, 4)}
    shown = drawn(exactly_k.error_of_the_sum(np.array([0.1, 0.2]), lambda k, x: k * x, seen))
    assert np.allclose(shown["k = 3"], [[0.1, 0.3], [0.2, 0.6]])
