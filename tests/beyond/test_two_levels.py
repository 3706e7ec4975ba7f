"""The direct learner, and the search for a fourth feature of a plane."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.beyond.two_levels import experiments as runs
from lifelong_book.beyond.two_levels import limits
from lifelong_book.beyond.two_levels.direct import SparseDictionary
from lifelong_book.beyond.two_levels.fourth import four_leaning, fourth_excluded, three_suffice
from lifelong_book.beyond.two_levels.instances import tilted_triples
from lifelong_book.halfspaces.levels.experiments import level_factors
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels
from lifelong_book.halfspaces.subspace.instances import Perturbation

PROPERTY = settings(deadline=None, derandomize=True, max_examples=60)


def test_learns_from_samples_and_keeps_no_lower_level():
    rng = np.random.default_rng(1)
    planes = np.linalg.qr(rng.standard_normal((2, 12, 2)))[0]
    targets = [planes[i % 2] @ rng.standard_normal(2) for i in range(24)]
    tasks = [HalfspaceTask(t, Gaussian(12), rng=child) for t, child in zip(targets, rng.spawn(24), strict=True)]
    run = learn_stream(tasks, SparseDictionary(12, 0.1, tau=2, oracle=SampledLevels()))
    assert set(run.how) == {"scratch", "reused"} and run.how[-4:] == ["reused"] * 4
    assert max(t.error(s.hypothesis) for t, s in zip(tasks, run.steps, strict=True)) <= 0.1
    C, U, W = level_factors(run)
    assert np.array_equal(U, np.eye(len(W))) and (C != 0).sum(axis=1).max() <= 2
    assert np.allclose(C @ W, [s.hypothesis for s in run.steps])
    bills = run.representation.oracle.bill
    assert run.counts.labels == sum(sum(bill.values()) for bill in bills) and not any(bill["dense"] for bill in bills)


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


@pytest.mark.parametrize("share", [3, 8])
@pytest.mark.parametrize("epsilon", [1e-6, 1e-12])
def test_features_of_a_plane_at_tiny_errors(epsilon, share):
    with mp.workdps(60):
        theta, eta = mp.pi * mp.mpf(epsilon), mp.pi * mp.mpf(epsilon / share)
        R, count = mp.tan(theta) / mp.tan(eta), 2
        psi = mp.acos(mp.cos(theta) / mp.cos(eta)) - eta
        while psi < 2 * mp.asin(1 / R):
            psi, count = mp.asin(R * mp.sin(psi / 2)) + psi / 2 - eta, count + 1
    assert limits.plane_features(epsilon, epsilon / share) == count


@pytest.mark.parametrize("features", [2, 3, 6])
@pytest.mark.parametrize("epsilon", [0.2, 0.1, 0.01])
def test_the_accuracy_is_the_coarsest(epsilon, features):
    accuracy = limits.plane_accuracy(epsilon, features=features)
    less = accuracy * (1 - 1e-9) if features == 2 else accuracy  # by another formula
    assert limits.plane_features(epsilon, less) <= features < limits.plane_features(epsilon, accuracy * (1 + 1e-9))


def test_a_space_by_hand():
    # tau = 2: T = 0.01, s = 0.08: rho = 4, and 1 + (2 ln(100/sqrt 2) - ln 50)/ln 4 = 1 + ln 100/ln 4 = 4.3
    accuracy = np.arctan(0.01) / np.pi
    epsilon = np.arcsin(0.08) / np.pi + accuracy
    assert limits.direct_features(2, epsilon, accuracy) == 4
    assert limits.direct_features(1, 0.1, 0.049) == 1
    assert limits.direct_features(2, 0.1, 0.05) == limits.direct_features(2, 0.1, 0.2) == np.inf


def kept(stream, accuracy):
    """Features that the learner keeps, by exact answers."""
    return runs.exact_direct(stream.true, 0.1, tau=2, epsilon_acc=accuracy, oracle=runs.GivenLevels(*stream)).scratch


def test_triples_open_three_and_are_within_the_accuracy():
    planes = np.zeros((2, 2, 6))
    planes[0, 0, 0] = planes[0, 1, 1] = planes[1, 0, 2] = planes[1, 1, 3] = 1
    stream = tilted_triples(planes, 0.1, 0.025)
    assert np.allclose(angle(stream.true, stream.learned), np.pi * 0.025) and kept(stream, 0.025) == 6
    fine = limits.plane_accuracy(0.1) * 0.99
    assert kept(tilted_triples(planes[:1], 0.1, fine), fine) == 2


def test_the_bill_is_that_of_the_closed_form_once_all_is_open():
    targets = np.random.default_rng(0).standard_normal((60, 2)) @ np.eye(2, 8)
    oracle = ExactLevels(rng=0)
    run = runs.exact_direct(targets, 0.1, tau=2, epsilon_acc=0.02, oracle=oracle)
    closed = runs.direct_labels(n=8, tau=2, m=60, epsilon=0.1, epsilon_acc=0.02, features=run.scratch)
    assert oracle.bill[-1]["sparse"] == closed["sparse"]
    assert sum(bill["scratch"] for bill in oracle.bill) / 60 == pytest.approx(closed["scratch"])


@pytest.mark.parametrize(("epsilon", "accuracy"), [(0.1, 0.0137), (0.1, 0.045), (0.03, 0.02)])
def test_the_greedy_adversary_leaves_no_direction_of_the_plane_refused(epsilon, accuracy):
    rows = runs.greedy_plane(epsilon, accuracy, tries=4, grid=180, rng=0).learned
    lifts = np.arcsin(np.linalg.norm(rows[:, 2:], axis=1))
    assert np.allclose(np.linalg.norm(rows, axis=1), 1) and lifts.max() <= np.pi * accuracy * (1 + 1e-9)
    assert 2 <= len(rows) <= limits.plane_features(epsilon, accuracy)
    turns = np.linspace(0, np.pi, 700)
    plane = np.stack([np.cos(turns), np.sin(turns), 0 * turns, 0 * turns], axis=1)
    nearest = np.min([angle_to_subspace(plane, rows[list(pair)]) for pair in combinations(range(len(rows)), 2)], axis=0)
    assert nearest.max() <= np.pi * epsilon + np.pi / 360  # half a step from a direction that was looked at


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
