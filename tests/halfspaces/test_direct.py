"""The direct learner, studies of two levels, and the search for a fourth feature of a plane."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lifelong.halfspaces.angles import angle, angle_to_subspace
from lifelong.halfspaces.oracles import Subsets
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.levels import direct_experiments as runs
from lifelong_book.halfspaces.levels import experiments as studies
from lifelong_book.halfspaces.levels import limits
from lifelong_book.halfspaces.levels.direct import SparseDictionary
from lifelong_book.halfspaces.levels.experiments import level_factors
from lifelong_book.halfspaces.levels.fourth import four_leaning, fourth_excluded, three_suffice
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels
from lifelong_book.halfspaces.subspace.families import Perturbation

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
    stream = runs.tilted_triples(planes, 0.1, 0.025)
    assert np.allclose(angle(stream.true, stream.learned), np.pi * 0.025) and kept(stream, 0.025) == 6
    fine = limits.plane_accuracy(0.1) * 0.99
    assert kept(runs.tilted_triples(planes[:1], 0.1, fine), fine) == 2


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


def test_accuracies_keep_the_kind_of_number():
    second, first = studies.level_accuracies("printed", 3, 2, Fraction(1, 10), square=Fraction(1, 5))
    assert (second, first) == (Fraction(1, 1000), Fraction(1, 15_000_000))
    assert studies.level_accuracies("quarters", 3, 2, 0.4) == (0.1, 0.025)
    assert studies.level_accuracies("proved", 60, 3, Fraction(1, 7)) == (Fraction(1, 210), Fraction(1, 1050))


def test_targets_of_kinds():
    targets, kinds = studies.kinds_of_targets(9, k=4, r=3, tau=2, m=40, rng=0)
    assert np.allclose(np.linalg.norm(targets, axis=1), 1) and not targets[:, 4:].any()
    assert [np.linalg.matrix_rank(targets[kinds == kind]) for kind in range(3)] == [2, 2, 2]
    run = studies.exact_levels(targets, 0.1, tau=2, second=0.01, first=0.001, rng=0)
    opened = [kind for kind, how in zip(kinds, run.how, strict=True) if how != "reused"]
    assert list(studies.openings_of_kinds(run, kinds)) == np.bincount(opened, minlength=3).tolist()


@pytest.mark.parametrize("gamma", [0.0, 0.003])
def test_every_greedy_target_was_refused(gamma):
    epsilon, second, tau = 0.06, 0.002, 2
    rows = studies.greedy_second_level(epsilon, tau=tau, second=second, gamma=gamma, rng=1)
    assert len(rows) >= tau and np.allclose(np.linalg.norm(rows, axis=1), 1)
    assert np.allclose(np.arcsin(np.linalg.norm(rows[:, tau:], axis=1)), gamma + np.pi * second)
    fewer = studies.greedy_second_level(epsilon, tau=3, second=second, searched=1, most=12, rng=1)
    assert len(fewer) == 12  # one feature at a time never spans a space
    s, t = studies.level_distances(epsilon, second)
    steps = studies.swap_steps(studies.greedy_second_level(epsilon, tau=2, second=second, rng=3), tau=2, s=s, t=t)
    assert all(left <= right * (1 + 1e-9) for pairs in steps.values() for left, right in pairs)


@pytest.mark.parametrize(("tau", "lean"), [(2, 0.004), (2, 0.03), (3, 0.004)])
def test_every_step_of_the_exchange_by_projections(tau, lean):
    """The ratios once more, with heights by least squares and volumes by Gram determinants; no step left out."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((tau + 6, tau))
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows = np.hstack([np.cos(lean) * rows, np.sin(lean) * np.eye(len(rows))])
    s, t = 0.3, np.sin(lean)

    def volume(part):
        return np.sqrt(np.linalg.det(part @ part.T))

    def height(i, part):
        others = np.delete(part, i, axis=0)
        return np.linalg.norm(part[i] - others.T @ np.linalg.lstsq(others.T, part[i], rcond=None)[0])

    expected = {"proof: start": [s ** (tau - 1) / volume(rows[:tau])], "proof: exchange": []}
    for p in range(tau, len(rows)):
        S = rows[list(max(combinations(range(p), tau), key=lambda subset: volume(rows[list(subset)])))]
        swaps = [volume(np.vstack([np.delete(S, i, axis=0), rows[p]])) for i in range(tau)]
        expected["proof: exchange"].append(s / (4 * tau * t) / (max(swaps) / volume(S)))
        if min(height(i, S) for i in range(tau)) > 4 * tau * t:
            x = np.linalg.lstsq(S[:, :tau].T, rows[p, :tau], rcond=None)[0]  # inside the space
            c = np.linalg.lstsq(S.T, rows[p], rcond=None)[0]
            miss, size = np.linalg.norm(rows[p] - x @ S), np.abs(x).sum()
            steps = {
                "refused": s / miss,
                "error of a combination": miss / (t * (1 + size)),
                "coefficients are large": (s / t - 1) / size,
                "projection": np.abs(c - x).max() * 4 * tau / (1 + tau * np.abs(x).max()),
                "gain": s / (4 * tau * t * np.abs(c).max()),
            }
            for name, ratio in steps.items():
                expected.setdefault(f"proof: {name}", []).append(ratio)
    found = studies.swap_steps(rows, tau=tau, s=s, t=t)
    assert list(found) == list(expected)
    for name, ratios in expected.items():
        assert [left / right for left, right in found[name]] == pytest.approx(ratios, rel=1e-7), name


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 2**20))
def test_bases_of_all_subsets(tau, r, seed):
    rng = np.random.default_rng(seed)
    rows, few = rng.standard_normal((r, 5)), Subsets(5, tau)
    for row in rows:
        few.add(row)
    assert few.supports.tolist() == [list(S) for S in combinations(range(r), min(tau, r))]
    target = rng.standard_normal(5)
    share = few.share(few.frame @ target) / (target @ target)
    for support, value in zip(few.supports, share, strict=True):
        assert np.isclose(value, np.cos(angle_to_subspace(target, rows[support])) ** 2, atol=1e-9)


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
