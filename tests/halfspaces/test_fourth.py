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
    """Features that the learner keeps, by exact answers."""
    return exact_direct(stream.true, 0.1, tau=2, epsilon_acc=epsilon_acc, oracle=GivenLevels(*stream)).scratch


def test_three_suffice_at_an_accuracy_and_not_where_a_fourth_is_kept():
    for epsilon in (0.05, 0.15):  # where the recursion of angles allows three only, so does the search
        assert three_suffice(epsilon, 0.9999 * limits.plane_accuracy(epsilon, features=3)).proved
    found = three_suffice(0.1, 0.1 / 4.0)
    assert found.proved and found.left == 0 and found.boxes > 0
    found = three_suffice(0.1, 0.1 / 2.9, most=5_000)
    assert not found.proved and found.left > 5_000 and kept(four_leaning(), 0.1 / 2.9) == 4


@given(seed=st.integers(0, 2**32 - 1), share=st.floats(2.2, 2.9))
@settings(max_examples=60, deadline=None)
def test_no_stream_that_keeps_four_is_excluded(seed, share):
    stream = four_leaning(0.1 / share, jitter=0.04, rng=seed)
    angles = np.arccos(np.clip((stream.true * stream.learned).sum(axis=1), -1, 1)) / np.pi
    assert angles.max() <= 0.1 / share and angles[:3].min() > 0.999 * 0.1 / share
    if kept(stream, 0.1 / share) == 4:
        turn = np.array([[0.6, 0.8, 0, 0], [-0.8, 0.6, 0, 0], [0, 0, 0, 1], [0, 0, -1, 0]])
        for motion in (np.eye(4), np.diag([1, -1, 1, 1]), turn):
            assert not fourth_excluded(Perturbation(*(rows @ motion for rows in stream)), 0.1, 0.1 / share)


def conditions(points, theta, eta):
    """The necessary conditions for a fourth feature at single configurations, from vectors: shape (11, count)."""
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


@pytest.mark.parametrize("share", [1.05, 2.2, 2.9])
def test_a_point_is_possible_where_every_condition_holds(share):
    theta, rng = np.pi * 0.1, np.random.default_rng(0)
    eta = theta / share
    points = np.empty((40_000, 7))  # near the stream that keeps four features and anywhere
    points[:, :3] = rng.uniform(-np.pi / 2, np.pi / 2, (len(points), 3))
    points[:20_000, :3] = np.radians([14.058, 35.942, 109.725]) + rng.normal(0, 0.3, (20_000, 3))
    points[:, 0] = np.abs(points[:, 0])
    points[:, 3] = rng.normal(0, eta / 3, len(points))
    points[:, 4:] = eta * (1 - np.abs(rng.normal(0, 0.15, (len(points), 3)))).clip(0, 1)
    found = _possible(np.repeat(points[:, :, None], 2, axis=2), theta, eta)
    np.testing.assert_array_equal(found, conditions(points, theta, eta).all(axis=0))
    assert found.sum() > (500 if share < 2 else 10)


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
