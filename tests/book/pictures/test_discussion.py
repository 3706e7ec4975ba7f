"""What the pictures of chapter 6 show of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong.book.pictures import discussion as pictures

mpl.use("agg")


@pytest.fixture(autouse=True)
def _close():
    yield
    mpl.pyplot.close("all")


def test_disagreements():
    phi = np.array([0.1, 0.7, 1.5])
    curves = {"a": phi / np.pi, "b": phi**2, "c": np.zeros(3)}
    (axis,) = pictures.disagreements(phi, curves).axes
    for line, (name, curve) in zip(axis.lines, curves.items(), strict=True):
        assert line.get_label() == name
        np.testing.assert_allclose(line.get_xydata(), np.column_stack([np.degrees(phi), curve]))


def test_recovered():
    left, right = pictures.recovered(
        np.array([0.0, 1.0]), [1.0, 0.1], noises=np.array([0.0, 0.2]), columns=[0.9, 0.0]
    ).axes
    assert left.lines[0].get_xydata().tolist() == [[0.0, 1.0], [1.0, 0.1]]
    assert right.lines[0].get_xydata().tolist() == [[0.0, 0.9], [0.2, 0.0]]
    assert (left.get_xlabel(), right.get_xlabel()) == ("leak", "noise")
