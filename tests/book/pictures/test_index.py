"""What the pictures of the front page and of the three parts show."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np

from lifelong_book.front import parts_pictures as parts
from lifelong_book.front import pictures as index
from lifelong_book.preliminaries import pictures as preliminaries

mpl.use("agg")


def test_errors_multiply_into_one_bar():
    (axis,) = index.errors_multiply([1, -4, 4], [16, -4, 1], 24.5).axes
    heights = [bar.get_height() for bar in axis.patches]
    assert heights == [1, 16, 4, 16, 4, 4]
    assert [text.get_text() for text in axis.texts] == [
        "the lemma allows 24.5",
        "1",
        "16 × 1",
        "4",
        "4 × 4",
        "4",
        "4",
        "36",
    ]


def test_front_tells_scratch_from_reuse():
    (axis,) = index.front(np.array([9.0, 1, 1]), np.array([True, False, False])).axes
    found = {line.get_label(): line.get_xydata().tolist() for line in axis.lines}
    assert found["reused"] == [[2, 1], [3, 1]] and found["from scratch"] == [[1, 9]]


def test_map_of_chapters_frames_the_short_path():
    places = {"1": ("One", 0, 0), "2": ("Two", 0, 1), "3": ("Three", 1, 1)}
    (axis,) = index.chapters_map(places, [("1", "2"), ("2", "3")], ["1"]).axes
    wide = [box.get_linewidth() for box in axis.patches if isinstance(box, mpl.patches.FancyBboxPatch)]
    assert sorted(wide) == [1.0, 1.0, 2.6]
    assert {text.get_text() for text in axis.texts} >= {"1\nOne", "3\nThree"}


def test_shared_plane_draws_every_target_and_what_was_learned():
    targets = np.eye(3)[:2]
    (axis,) = parts.shared_plane(targets, targets[:1]).axes
    assert len(axis.lines) == 2 * (2 + 1)
    (axis,) = parts.shared_plane(targets, targets[:1] + 0.2 * np.eye(3)[2]).axes
    assert len(axis.lines) == 2 * (2 + 1) + 1
    tilted = targets + 0.2 * np.outer([1, -1], np.eye(3)[2])
    (axis,) = parts.shared_plane(targets, tilted).axes
    assert len(axis.lines) == 2 * (2 + 2) + 2 + 3  # and the edge of the learned plane, a gap to it and a ring there
    assert [line.get_linestyle() for line in axis.lines].count("--") == 1
    rings = [parts.shared_plane(targets, tilted, i).axes[0].lines[-1].get_xydata() for i in (0, 1)]
    assert not np.allclose(*rings)


def test_boards_mark_the_cells_of_each_set():
    named = {"a": np.array([True, False, False, False]), "b": np.array([True, True, False, True])}
    figure = parts.boards(named, 2, ["piece", "target"])
    filled = [sum(box.get_facecolor()[3] > 0 for box in axis.patches) for axis in figure.axes]
    assert filled == [1, 3]


def test_two_layers_join_what_belongs_together():
    (axis,) = parts.two_layers(3, {"m1": (1, 2), "m2": (3,)}, {"f": [("m1", "m2"), ("m1",)]}).axes
    assert len(axis.lines) == 3 + 3 + 2


def test_elimination_strikes_out_one_variable_a_time():
    hypotheses = np.array([[True, True], [True, False]])
    (axis,) = preliminaries.elimination(hypotheses, np.array([[True, False]])).axes
    words = [text.get_text() for text in axis.texts]
    assert words[:2] == ["wrong at 10: $x_2$ goes", "yes, that is the target"] and len(axis.lines) == 1


def test_separated_names_its_vectors():
    (axis,) = preliminaries.separated(np.eye(2), 0.5, ["first", "second"]).axes
    assert [text.get_text() for text in axis.texts if text.get_text()] == ["first", "second"]
    assert preliminaries.one_sided().axes[0].texts[0].get_text() == "$V$, a plane"
