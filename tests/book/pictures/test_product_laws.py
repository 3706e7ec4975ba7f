"""What the pictures of chapter 4.3 show of the data they are given."""

from __future__ import annotations

from itertools import combinations

import matplotlib as mpl
import numpy as np

from lifelong_book.conjunctions.applications import pictures
from lifelong_book.press.style import COLOURS

mpl.use("agg")

PAIRS = list(combinations(range(4), 2))
STARS = np.array([[j in pair for pair in PAIRS] for j in range(4)])


def bold(axis) -> list[bool]:
    """Which of the six lines are drawn strong."""
    return [line.get_linewidth() > 2 for line in axis.lines]


def test_loop_has_its_prices():
    (axis,) = pictures.loop("few queries", "many queries").axes
    words = " ".join(text.get_text() for text in axis.texts)
    assert all(word in words for word in ("few queries", "many queries", "metafeatures", "yes", "no"))
    assert len(axis.patches) == 5


def test_queries_each_stacks_the_price_from_scratch_on_the_attempt():
    (axis,) = pictures.queries_each([1, 3], [20, 0], [19, 12]).axes
    bars = [(bar.get_y(), bar.get_height()) for bar in axis.patches]
    assert bars == [(0, 1), (0, 3), (1, 20), (3, 0)]
    assert axis.lines[0].get_ydata().tolist() == [19, 12]


def test_examples_of_crosses_what_a_positive_example_rules_out():
    X = np.array([[1, 0, 1], [0, 1, 0], [1, 1, 1]], dtype=bool)
    (axis,) = pictures.examples_of(X, np.array([True, False, False])).axes
    words = [text.get_text() for text in axis.texts]
    assert words.count("positive") == 2
    assert [w for w in words if w in ("stays", "✗")] == ["stays", "✗", "stays"]
    assert len(axis.patches) == 9 + 2


def test_hidden_stars():
    half = np.array([True, False, True, False, True, False])
    axes = pictures.hidden_stars(PAIRS, np.vstack([STARS, half])).axes
    assert [bold(axis) for axis in axes] == [*STARS.tolist(), half.tolist(), [False] * 6]
    assert sum("hidden" in text.get_text() for axis in axes for text in axis.texts) == 5


def test_star_closures():
    axes = pictures.star_closures(PAIRS, STARS[0], STARS[1]).axes
    assert bold(axes[2]) == (STARS[0] & STARS[1]).tolist()
    assert axes[2].lines[0].get_color() == COLOURS["green"]


def test_true_and_found():
    (axis,) = pictures.true_and_found([5, 7], [6, 20]).axes
    assert [line.get_ydata().tolist() for line in axis.lines] == [[6, 20], [5, 7]]


def test_judged():
    counts = np.arange(40)
    (axis,) = pictures.judged(counts, np.where(counts == 5, 0.3, 0), np.where(counts == 20, 0.2, 0), 10.0).axes
    assert [line.get_ydata().argmax() for line in axis.lines[:2]] == [5, 20]
    assert set(axis.lines[2].get_xdata()) == {10.0}


def test_unseen_lines_are_open_until_a_case_takes_them():
    known = np.array([True, True, False, False, False, False])
    axes = pictures.unseen(PAIRS, known, [3, 5]).axes
    assert [axis.get_title(loc="center") for axis in axes] == ["known of $m_\\ast$", "this?", "or this?"]
    dotted = [sum(line.get_linestyle() == ":" for line in axis.lines) for axis in axes]
    assert dotted == [2, 1, 1]
    assert [sum(bold(axis)[:6]) for axis in axes] == [2, 3, 3]


def test_star_attempt_dots_the_lines_outside_the_target():
    axes = pictures.star_attempt(PAIRS, STARS[:3], STARS[3]).axes
    dotted = [sum(line.get_linestyle() == ":" for line in axis.lines) for axis in axes]
    assert dotted == [0, 2, 2, 2]
    assert [sum(line.get_linewidth() > 3.5 for line in axis.lines) for axis in axes] == [3, 1, 1, 1]


def test_worst_streams_marks_the_least_factors():
    factors = np.linspace(0.5, 1, 6)
    powers = {f"$s_{i}$": factors * i for i in (1, 2, 3)}
    least = {"$s_1$": 1.0, "$s_2$": 0.5, "$s_3$": 0.6}
    (axis,) = pictures.worst_streams(factors, powers, least).axes
    marks = [line.get_xdata().tolist() for line in axis.lines if len(line.get_xdata()) == 1]
    assert marks == [[1.0], [0.5], [0.6]]
    assert [line.get_ydata().tolist() for line in axis.lines[:6:2]] == [power.tolist() for power in powers.values()]
