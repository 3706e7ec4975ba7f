"""The pictures of what the core costs show the record that they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

from lifelong_book.running.cost_pictures import growth, to_the_limit

mpl.use("agg")

ROWS = [
    {"subject": subject, "varied": varied, "sizes": {"n": n, "k": k}, "to the limit": [r - 0.1, r, r + 0.2]}
    for subject, varied, n, k, r in [
        ("a", "n", 10, 3, 4.0),
        ("a", "n", 20, 3, 2.0),
        ("a", "k", 10, 5, 3.0),
        ("b", "n", 10, 3, 0.5),
        ("c", "n", 10, 3, 1.5),
    ]
]


def test_every_subject_has_a_panel_and_every_size_a_line():
    figure = to_the_limit(ROWS)
    drawn = [axis for axis in figure.axes if axis.axison]
    assert [axis.get_title() for axis in drawn] == ["a", "b", "c"]
    assert len(figure.axes) == 4
    assert [bool(axis.get_ylabel()) for axis in drawn] == [True, False, True]  # the left ones
    assert [bool(axis.get_xlabel()) for axis in drawn] == [False, True, True]  # the lowest of each column
    first = drawn[0]
    assert [text.get_text() for text in first.get_legend().get_texts()] == ["n", "k"]
    points, caps, bars = first.containers[0]
    np.testing.assert_allclose(points.get_xydata(), [[10, 4], [20, 2]])
    np.testing.assert_allclose(bars[0].get_segments()[0][:, 1], [3.9, 4.2])
    assert len(caps) == 2


def test_slopes_stand_side_by_side():
    slopes = [
        {"subject": "a", "varied": "n", "ours": 1.9, "limit": 2.0},
        {"subject": "b", "varied": "k", "ours": 0.4, "limit": 1.1},
    ]
    axis = growth(slopes).axes[0]
    assert [label.get_text() for label in axis.get_yticklabels()] == ["a: n", "b: k"]
    ours, limit = axis.lines
    assert ours.get_xdata().tolist() == [1.9, 0.4]
    assert limit.get_xdata().tolist() == [2.0, 1.1]
    assert ours.get_ydata().tolist() == limit.get_ydata().tolist() == [1, 0]
    assert ours.get_marker() != limit.get_marker()
    assert axis.get_xlabel()


@pytest.mark.parametrize("picture", [to_the_limit, growth])
def test_nothing_to_show_is_an_error(picture):
    with pytest.raises(ValueError, match="expected"):
        picture([])
