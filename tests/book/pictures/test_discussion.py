"""What the pictures of chapter 6 show of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.discussion import pictures

mpl.use("agg")


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


def words(axis) -> list[str]:
    return [text.get_text() for text in axis.texts]


def test_between_two_lines():
    signs = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    wide = np.array([[0.1, -1.0], [1.0, 0.0]])
    left, right = pictures.between_two_lines({"wide": wide, "signs": signs}, 0.9).axes
    agreed, apart = left.lines[2:]
    assert agreed.get_xydata().tolist() == [[1, 0]] and apart.get_xydata().tolist() == [[0.1, -1]]
    assert len(right.lines[2].get_xdata()) == 4 and len(right.lines[3].get_xdata()) == 0


def test_the_sum_of_rules():
    (axis,) = pictures.sum_of_rules([3, 5], [0.1, 0.2], {3: 0.15}, 0.23).axes
    limit, others, rules, single = axis.lines
    assert limit.get_ydata()[0] == 0.23 and others.get_xydata().tolist() == [[3, 0.15]]
    assert rules.get_ydata().tolist() == [0.1, 0.2] and not np.any(single.get_ydata())


def test_the_corners():
    weights = np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [0.5, 0.5, 0]])
    (axis,) = pictures.corners(weights, [2, 0, 1]).axes
    spots, chosen = axis.lines
    assert spots.get_xydata()[3].tolist() == [0.5, 0]
    assert chosen.get_xydata().tolist() == spots.get_xydata()[[2, 0, 1]].tolist()


def test_two_valued_functions():
    member = np.array([True, True, False, False])
    plane = np.array([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [2.0, 0.0]])
    top, bottom = pictures.two_valued_functions(member * 1.5, np.arange(4.0), plane, member).axes
    assert sorted(set(top.lines[0].get_xdata())) == [0, 1.5] and len(set(top.lines[1].get_xdata())) == 4
    line, points = bottom.lines[:2]
    np.testing.assert_allclose(line.get_ydata(), 1)
    assert points.get_xydata().tolist() == plane[member].tolist()


def test_the_occurrences():
    rows = np.array([[True, False], [False, True], [True, True]])
    (axis,) = pictures.occurrences(rows, ["a", "b", "a or b"]).axes
    assert axis.images[0].get_array().tolist() == rows.tolist()
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a", "b", "a or b"]
