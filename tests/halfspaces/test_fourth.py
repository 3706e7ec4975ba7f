"""A fourth feature of a plane: the search, and the streams that it must not exclude."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.halfspaces import bounds
from lifelong.halfspaces.direct_studies import GivenLevels, exact_direct
from lifelong.halfspaces.fourth import four_leaning, fourth_excluded, three_suffice
from lifelong.halfspaces.instances import Perturbation


def kept(stream, epsilon_acc):
    """Features that the learner keeps; each pair of them is a plane, and the nearest one is found by least squares."""
    run = exact_direct(stream.true, 0.1, tau=2, epsilon_acc=epsilon_acc, oracle=GivenLevels(*stream))
    return run.scratch


@pytest.mark.parametrize("share", [3.35, 3.5, 4.0, 6.0])
def test_three_suffice(share):
    found = three_suffice(0.1, 0.1 / share)
    assert found.proved and found.left == 0 and found.boxes > 0


def test_the_search_does_not_end_where_a_fourth_is_kept():
    found = three_suffice(0.1, 0.1 / 2.9, most=5_000)
    assert not found.proved and found.left > 5_000
    assert kept(four_leaning(), 0.1 / 2.9) == 4


def test_the_search_agrees_with_the_proposition():
    """Wherever the recursion of angles allows three features only, so does the search."""
    for epsilon in (0.05, 0.1, 0.15):
        accuracy = 0.9999 * bounds.plane_accuracy(epsilon, features=3)
        assert bounds.plane_features(epsilon, accuracy) == 3
        assert three_suffice(epsilon, accuracy).proved


@given(seed=st.integers(0, 2**32 - 1), share=st.floats(2.2, 2.9))
@settings(max_examples=60, deadline=None)
def test_no_stream_that_keeps_four_is_excluded(seed, share):
    stream = four_leaning(0.1 / share, jitter=0.04, rng=seed)
    if kept(stream, 0.1 / share) == 4:
        assert not fourth_excluded(stream, 0.1, 0.1 / share)
        flipped = Perturbation(*(rows * [1, -1, 1, 1] for rows in stream))  # the mirror image of the plane
        turned = Perturbation(*(rows @ np.array(TURN) for rows in stream))
        assert not fourth_excluded(flipped, 0.1, 0.1 / share) and not fourth_excluded(turned, 0.1, 0.1 / share)


TURN = [[0.6, 0.8, 0, 0], [-0.8, 0.6, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]]


def test_answers_have_the_error_that_is_said():
    for accuracy in (0.1 / 2.9, 0.01):
        stream = four_leaning(accuracy, jitter=0.3, rng=1)
        angles = np.arccos(np.clip((stream.true * stream.learned).sum(axis=1), -1, 1)) / np.pi
        assert angles.max() <= accuracy and angles[:3].min() > 0.999 * accuracy


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: three_suffice(0.3, 0.1), "epsilon"),
        (lambda: three_suffice(0.1, 0.1), "epsilon_acc"),
        (lambda: three_suffice(0.1, 0.01, most=0), "most"),
        (lambda: four_leaning(0.1), "epsilon_acc"),
        (lambda: four_leaning(jitter=-1), "jitter"),
        (lambda: fourth_excluded(Perturbation(np.eye(3), np.eye(3)), 0.1, 0.01), "stream: expected 4"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=words):
        call()
