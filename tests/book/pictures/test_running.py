"""The pictures of the part "Yours to run" show the numbers that they are given, with labelled axes."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.running import pictures as running

mpl.use("agg")


def test_labels_of_a_stream():
    (axis,) = running.labels_of_a_stream(["scratch", "reused", "reused"], [30, 6, 9]).axes
    bars = {round(bar.get_x() + bar.get_width() / 2): (bar.get_height(), bool(bar.get_hatch())) for bar in axis.patches}
    assert bars == {1: (30, True), 2: (6, False), 3: (9, False)}
    assert set(axis.lines[0].get_ydata()) == {15.0} and axis.get_xlabel() and axis.get_ylabel()


def test_errors_of_tasks():
    (axis,) = running.errors_of_tasks(["scratch", "reused"], [0.1, 0.2], [0.3, 0.4], 0.25).axes
    lines = {line.get_label(): np.asarray(line.get_ydata()).tolist() for line in axis.lines}
    assert lines["alone, with as many labels"] == [0.3, 0.4] and lines["allowed"] == [0.25, 0.25]
    assert lines["stream, from scratch"] == [0.1] and lines["stream, within the features"] == [0.2]


def test_errors_by_labels():
    alone, stream = {10: [0.2, 0.4], 20: [0.1, 0.1]}, ([12.0, 14.0], [0.05, 0.07])
    (axis,) = running.errors_by_labels({"alone": alone}, {"stream": stream}).axes
    line, point = (container.lines[0].get_xydata().tolist() for container in axis.containers)
    assert np.allclose(line, [[10, 0.3], [20, 0.1]]) and np.allclose(point, [[13, 0.06]])
    bars = axis.containers[0].lines[2][0].get_segments()[0]
    assert np.allclose(np.ptp(bars[:, 1]), 2 * np.std([0.2, 0.4], ddof=1))


def test_differences():
    (axis,) = running.differences({"one": [-0.1, 0.3], "two": [0.2]}).axes
    dots, mean = axis.lines[0].get_xdata(), axis.lines[1].get_xdata()
    assert list(dots) == [-0.1, 0.3] and np.allclose(mean, 0.1)
    assert [label.get_text() for label in axis.get_yticklabels()] == ["one", "two"]
