"""A fourth feature of a plane: the search, and the streams that it must not exclude."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.halfspaces.instances import Perturbation
from lifelong_book.halfspaces.levels import limits
from lifelong_book.halfspaces.levels.direct_experiments import GivenLevels, exact_direct
from lifelong_book.halfspaces.levels.fourth import _possible, four_leaning, fourth_excluded, three_suffice


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
        accuracy = 0.9999 * limits.plane_accuracy(epsilon, features=3)
        assert limits.plane_features(epsilon, accuracy) == 3
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


def conditions(points, theta, eta):
    """The necessary conditions for a fourth feature at single configurations, from vectors: shape (11, count).

    A feature is a direction of the plane and a lean out of it; of the sides to which two of them lean, the worst ones
    count. A target of the plane is refused where its angle to what would serve it is at least theta.
    """
    p, q, t, d, *leans = points.T
    lines, third = (0 * p, p, q), q + d

    def flat(turn):
        return np.stack([np.cos(turn), np.sin(turn)], axis=-1)

    def alone(turn, i):  # the cosine of the angle to a line of the space is that of its projection times the lean's
        return np.cos(leans[i]) * np.abs((flat(turn) * flat(lines[i])).sum(axis=-1)) <= np.cos(theta)

    def pair(turn, i, j):
        basis = np.stack([flat(lines[i]), flat(lines[j])], axis=-1)
        a, b = np.abs(np.linalg.solve(basis, flat(turn)[..., None])[..., 0].T)
        height = a * np.tan(leans[i]) + b * np.tan(leans[j])  # of the span above the target, at the most
        return np.arctan(height) >= theta

    reach = np.minimum(p + np.arccos(np.minimum(1.0, np.cos(eta) / np.cos(leans[1]))), np.pi / 2)
    served = [alone(t, i) for i in range(3)] + [pair(t, i, j) for i, j in ((0, 1), (0, 2), (1, 2))]
    near = np.cos(d) * np.cos(leans[2]) >= np.cos(eta)
    return np.array([near, alone(reach, 0), alone(third, 0), alone(third, 1), pair(third, 0, 1), *served])


def configurations(count, eta, rng):
    """Random ones, near the stream that keeps four features and anywhere."""
    points = np.empty((count, 7))
    points[:, :3] = rng.uniform(-np.pi / 2, np.pi / 2, (count, 3))
    half = count // 2
    points[:half, :3] = np.radians([14.058, 35.942, 109.725]) + rng.normal(0, 0.3, (half, 3))
    points[:, 0] = np.abs(points[:, 0])
    points[:, 3] = rng.normal(0, eta / 3, count)
    points[:, 4:] = eta * (1 - np.abs(rng.normal(0, 0.15, (count, 3)))).clip(0, 1)
    return points


@pytest.mark.parametrize("share", [1.05, 1.5, 2.2, 2.9])
def test_a_point_is_possible_where_every_condition_holds(share):
    """Boxes without width."""
    theta = np.pi * 0.1
    points = configurations(40_000, theta / share, np.random.default_rng(0))
    hold = conditions(points, theta, theta / share)
    found = _possible(np.repeat(points[:, :, None], 2, axis=2), theta, theta / share)
    np.testing.assert_array_equal(found, hold.all(axis=0))
    assert found.sum() > (500 if share < 2 else 10)


def test_each_condition_excludes_something_that_no_other_does():
    theta = np.pi * 0.1
    points = configurations(200_000, theta / 1.05, np.random.default_rng(1))
    hold = conditions(points, theta, theta / 1.05)
    alone = [int((~hold[i] & (hold.sum(axis=0) == 10)).sum()) for i in range(11)]
    assert min(alone) > 0


def test_a_box_is_possible_where_one_of_its_points_is():
    theta, eta, rng = np.pi * 0.1, np.pi * 0.1 / 2.2, np.random.default_rng(1)
    middle = np.array([*np.radians([14.058, 35.942, 109.725]), 0.0, *(eta * np.array([0.9, 0.87476, 0.9]))])
    tried = 0
    for _ in range(200):
        point = middle + rng.normal(0, 0.05, 7) * [1, 1, 1, 0.2, 0, 0, 0]
        wide = rng.uniform(0, 0.2, 7)
        box = np.stack([point - wide * rng.random(7), point + wide * rng.random(7)], axis=1)
        box[4:] = np.clip(box[4:], 0, eta)
        inside = rng.uniform(box[:, 0], box[:, 1], (40, 7))
        if conditions(inside, theta, eta).all(axis=0).any():
            tried += 1
            assert _possible(box[None], theta, eta)[0]
    assert tried > 50


@pytest.mark.parametrize("epsilon", [0.25, 0.1, 0.004, 1e-5])
def test_excluded_at_every_error(epsilon):
    """Exact answers leave no plane a third feature, let alone a fourth; nor do targets all alike."""
    rows = np.zeros((4, 4))
    rows[:, 0], rows[:, 1] = np.cos([0.0, 0.5, 1.0, 1.5]), np.sin([0.0, 0.5, 1.0, 1.5])
    assert fourth_excluded(Perturbation(rows, rows), epsilon, epsilon / 10)
    assert fourth_excluded(Perturbation(rows[[0] * 4], rows[[0] * 4]), epsilon, epsilon / 10)


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
