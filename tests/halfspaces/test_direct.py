"""The direct learner: its box, its bounds against brute force, its adversary and its bill."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lifelong.halfspaces.algorithm2 import level_factors
from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.levels import limits
from lifelong_book.halfspaces.levels.direct import SparseDictionary
from lifelong_book.halfspaces.levels.direct_experiments import (
    GivenLevels,
    direct_labels,
    exact_direct,
    greedy_plane,
    tilted_triples,
)
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def sampled_tasks(m=24):
    rng = np.random.default_rng(1)
    planes = np.linalg.qr(rng.standard_normal((2, 12, 2)))[0]
    targets = [planes[i % 2] @ rng.standard_normal(2) for i in range(m)]
    return [HalfspaceTask(t, Gaussian(12), rng=child) for t, child in zip(targets, rng.spawn(m), strict=True)]


def test_learns_from_samples_and_keeps_no_lower_level():
    tasks = sampled_tasks()
    run = learn_stream(tasks, SparseDictionary(12, 0.1, tau=2, oracle=SampledLevels()))
    assert set(run.how) == {"scratch", "reused"} and run.how[-4:] == ["reused"] * 4
    assert max(t.error(s.hypothesis) for t, s in zip(tasks, run.steps, strict=True)) <= 0.1
    C, U, W = level_factors(run)
    assert np.array_equal(U, np.eye(len(W))) and (C != 0).sum(axis=1).max() <= 2
    assert np.allclose(C @ W, [s.hypothesis for s in run.steps])
    assert run.counts.labels == sum(sum(bill.values()) for bill in run.representation.oracle.bill)
    assert all(bill["dense"] == 0 for bill in run.representation.oracle.bill)


def test_bad_input():
    with pytest.raises(ValueError, match="epsilon_acc: expected"):
        SparseDictionary(4, 0.1, tau=2, epsilon_acc=0.7)
    with pytest.raises(ValueError, match="tau: expected"):
        SparseDictionary(4, 0.1, tau=0)
    with pytest.raises(TypeError, match="oracle: expected"):
        SparseDictionary(4, 0.1, tau=2, oracle=object())
    with pytest.raises(ValueError, match="answers: expected shape"):
        GivenLevels(np.eye(2), np.eye(3))
    with pytest.raises(ValueError, match="planes: expected shape"):
        tilted_triples(np.eye(2)[None], 0.1, 0.02)
    with pytest.raises(ValueError, match="error: expected at least"):
        GivenLevels([[1, 0]], [[1, 1]]).afresh(HalfspaceTask([1, 0], Gaussian(2)), 0.1)
    with pytest.raises(ValueError, match="features: expected"):
        limits.plane_accuracy(0.1, features=1)


def recursion(theta, eta):
    """The proposition once more, straight from its statement."""
    R = np.tan(theta) / np.tan(eta)
    psi, star = np.arccos(min(1.0, np.cos(theta) / np.cos(eta))) - eta, 2 * np.arcsin(min(1.0, 1 / R))
    if not np.sqrt(2) < R or psi <= 0:
        return np.inf
    if psi >= star:
        return 2
    if np.pi / 2 - eta - star / 2 < star:
        return np.inf
    for count in range(3, 200):
        psi = np.arcsin(R * np.sin(psi / 2)) + psi / 2 - eta
        if psi >= star:
            return count
    return np.inf


@PROPERTY
@given(st.floats(1e-4, 0.49), st.floats(0.01, 1.2))
def test_features_of_a_plane_are_those_of_the_statement(epsilon, share):
    accuracy = min(share * epsilon, 0.49)
    found = limits.plane_features(epsilon, accuracy)
    assert found == recursion(np.pi * epsilon, np.pi * accuracy) or found > 100


@pytest.mark.parametrize("share", [3, 5, 8])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-8, 1e-10, 1e-12])
def test_features_of_a_plane_at_tiny_errors(epsilon, share):
    """Doubles against the recursion in 60 digits: nothing cancels."""
    with mp.workdps(60):
        theta, eta = mp.pi * mp.mpf(epsilon), mp.pi * mp.mpf(epsilon / share)
        R, count = mp.tan(theta) / mp.tan(eta), 2
        psi = mp.acos(mp.cos(theta) / mp.cos(eta)) - eta
        while psi < 2 * mp.asin(1 / R):
            psi, count = mp.asin(R * mp.sin(psi / 2)) + psi / 2 - eta, count + 1
    assert limits.plane_features(epsilon, epsilon / share) == count


@pytest.mark.parametrize("features", [3, 4, 6])
@pytest.mark.parametrize("epsilon", [0.2, 0.1, 0.01])
def test_the_accuracy_is_the_coarsest(epsilon, features):
    accuracy = limits.plane_accuracy(epsilon, features=features)
    assert limits.plane_features(epsilon, accuracy) <= features < limits.plane_features(epsilon, accuracy * (1 + 1e-9))


def test_two_features_have_one_accuracy_by_both_ways():
    for epsilon in (0.3, 0.1, 0.01):
        accuracy = limits.plane_accuracy(epsilon)
        assert (
            limits.plane_features(epsilon, accuracy * (1 - 1e-9))
            == 2
            < limits.plane_features(epsilon, accuracy * (1 + 1e-9))
        )


def test_a_space_by_hand():
    # tau = 2: T = 0.01, s = 0.08: rho = 4, and 1 + (2 ln(100/sqrt 2) - ln 50)/ln 4 = 1 + ln 100/ln 4 = 4.3
    accuracy = np.arctan(0.01) / np.pi
    epsilon = np.arcsin(0.08) / np.pi + accuracy
    assert limits.direct_features(2, epsilon, accuracy) == 4
    assert limits.direct_features(1, 0.1, 0.049) == 1
    assert limits.direct_features(2, 0.1, 0.05) == limits.direct_features(2, 0.1, 0.2) == np.inf


def test_greedy_features_obey_the_rules():
    epsilon, accuracy = 0.05, 0.01
    rows = greedy_plane(epsilon, accuracy, rng=3).learned
    lifts = np.arcsin(np.linalg.norm(rows[:, 2:], axis=1))
    assert np.allclose(np.linalg.norm(rows, axis=1), 1) and lifts.max() <= np.pi * accuracy * (1 + 1e-9)
    assert 2 <= len(rows) <= limits.plane_features(epsilon, accuracy)


def test_triples_open_three_and_are_within_the_accuracy():
    planes = np.zeros((2, 2, 6))
    planes[0, 0, 0] = planes[0, 1, 1] = planes[1, 0, 2] = planes[1, 1, 3] = 1
    stream = tilted_triples(planes, 0.1, 0.025)
    assert np.allclose(angle(stream.true, stream.learned), np.pi * 0.025)
    run = exact_direct(stream.true, 0.1, tau=2, epsilon_acc=0.025, oracle=GivenLevels(*stream))
    assert run.scratch == 6
    fine = limits.plane_accuracy(0.1) * 0.99
    stream = tilted_triples(planes[:1], 0.1, fine)
    assert exact_direct(stream.true, 0.1, tau=2, epsilon_acc=fine, oracle=GivenLevels(*stream)).scratch == 2


def test_the_bill_is_that_of_the_closed_form_once_all_is_open():
    targets = np.random.default_rng(0).standard_normal((60, 2)) @ np.eye(2, 8)
    oracle = ExactLevels(rng=0)
    run = exact_direct(targets, 0.1, tau=2, epsilon_acc=0.02, oracle=oracle)
    closed = direct_labels(n=8, tau=2, m=60, epsilon=0.1, epsilon_acc=0.02, features=run.scratch)
    assert oracle.bill[-1]["sparse"] == closed["sparse"]
    assert sum(bill["scratch"] for bill in oracle.bill) / 60 == pytest.approx(closed["scratch"])


@pytest.mark.parametrize(("epsilon", "accuracy"), [(0.1, 0.0137), (0.1, 0.045), (0.03, 0.02)])
def test_the_greedy_adversary_leaves_no_direction_of_the_plane_refused(epsilon, accuracy):
    rows = greedy_plane(epsilon, accuracy, tries=4, grid=180, rng=0).learned
    turns = np.linspace(0, np.pi, 700)
    plane = np.stack([np.cos(turns), np.sin(turns), 0 * turns, 0 * turns], axis=1)
    nearest = np.min([angle_to_subspace(plane, rows[list(pair)]) for pair in combinations(range(len(rows)), 2)], axis=0)
    assert nearest.max() <= np.pi * epsilon + np.pi / 360  # half a step from a direction that was looked at


@pytest.mark.parametrize("entry", [1e-9, -1e-9, -1.0])
def test_triples_need_free_axes(entry):
    planes = np.zeros((1, 2, 4))
    planes[0, 0, 0] = planes[0, 1, 1] = 1
    assert len(tilted_triples(planes, 0.1, 0.025).true) == 3
    planes[0, 1, 3] = entry
    with pytest.raises(ValueError, match=r"^planes: expected shape"):
        tilted_triples(planes, 0.1, 0.025)
