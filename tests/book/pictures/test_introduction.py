"""What the pictures of the introduction show of the data they are given."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.introduction import pictures

mpl.use("agg")

SPENT, SCRATCH = np.array([6000, 5000, 400, 400]), np.array([True, True, False, False])


def points(axis) -> dict[str, list[list[float]]]:
    return {line.get_label(): line.get_xydata().tolist() for line in axis.lines}


def test_labels_a_task():
    above, below = pictures.labels_a_task(SPENT, SCRATCH, budget=1100, crossover=3).axes
    assert points(above)["reused"] == [[3, 400], [4, 400]]
    assert points(above)["from scratch"] == [[1, 6000], [2, 5000]]
    assert points(above)["running mean"] == [[1, 6000], [2, 5500], [3, 3800], [4, 2950]]
    assert points(below)["lifelong"] == [[1, 6], [2, 11], [3, 11.4], [4, 11.8]]
    assert points(below)["each alone"] == [[1, 1.1], [2, 2.2], [3, 3.3], [4, 4.4]]
    assert below.texts[0].get_text() == "lifelong ahead\nfrom task 3"


def test_queries_a_task():
    (axis,) = pictures.queries_a_task(SPENT, SCRATCH, alone=np.array([90, 110, 100, 100])).axes
    assert points(axis)["alone, running mean"] == [[1, 90], [2, 100], [3, 100], [4, 100]]
    assert set(points(axis)) == {"reused", "from scratch", "running mean", "alone, running mean"}


def test_the_loop_names_its_steps():
    (axis,) = pictures.the_loop().axes
    words = " ".join(text.get_text() for text in axis.texts)
    assert all(step in words for step in ("arrives", "try the representation", "from scratch", "grows", "it fails"))


def test_pieces_are_cells_of_their_variables():
    rows = np.array([[True, False, True], [False, True, False]])
    (axis,) = pictures.pieces(rows, ["a", "b"], ["scratch", "reused"]).axes
    filled = [(box.get_x(), -box.get_y()) for box in axis.patches if box.get_facecolor()[3] > 0]
    assert filled == [(0, 0), (2, 0), (1, 1)]
    assert [t.get_text() for t in axis.texts][1::2][:2] == ["learned from scratch", "reused"]
