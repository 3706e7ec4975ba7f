"""Studies of two levels: accuracies, streams, and the steps of the exchange."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.oracles import Subsets
from lifelong_book.halfspaces.levels import experiments as studies
from lifelong_book.halfspaces.levels.instances import kinds_of_targets


def test_accuracies_keep_the_kind_of_number():
    second, first = studies.level_accuracies("printed", 3, 2, Fraction(1, 10), square=Fraction(1, 5))
    assert (second, first) == (Fraction(1, 1000), Fraction(1, 15_000_000))
    assert studies.level_accuracies("quarters", 3, 2, 0.4) == (0.1, 0.025)
    assert studies.level_accuracies("proved", 60, 3, Fraction(1, 7)) == (Fraction(1, 210), Fraction(1, 1050))


def test_targets_of_kinds():
    targets, kinds = kinds_of_targets(9, k=4, r=3, tau=2, m=40, rng=0)
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
