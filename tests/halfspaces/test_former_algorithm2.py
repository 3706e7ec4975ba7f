"""Algorithm 2 with an oracle against the two classes it replaces, bit by bit."""

from __future__ import annotations

import numpy as np
import pytest
from halfspaces.former_algorithm2 import ExactTwoLevel, TwoLevel

from lifelong.halfspaces import instances
from lifelong.halfspaces.algorithm2 import TwoLevels, level_factors
from lifelong.halfspaces.level_oracles import ExactLevels, SampledLevels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream

SEEN: set[str] = set()


def targets_of(k, r, tau, n, m, rng):
    spaces = rng.standard_normal((r, tau, k))
    kinds = rng.integers(r, size=m)
    rows = np.zeros((m, n))
    rows[:, :k] = np.einsum("mt,mtk->mk", rng.standard_normal((m, tau)), spaces[kinds])
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def same(old, new):
    assert old.how == new.how
    SEEN.update(new.how)
    assert [(s.labels, s.membership, s.equivalence) for s in old.steps] == [
        (s.labels, s.membership, s.equivalence) for s in new.steps
    ]
    for a, b in zip(old.steps, new.steps, strict=True):
        assert np.array_equal(a.hypothesis, b.hypothesis)
    o, r = old.representation, new.representation
    assert np.array_equal(o.features, r.features) and np.array_equal(o.second, r.second)
    assert len(o._coefficients) == len(r._coefficients)
    for (s1, v1), (s2, v2) in zip(o._coefficients, r._coefficients, strict=True):
        assert np.array_equal(s1, s2) and np.array_equal(v1, v2)
    level_factors(new)


@pytest.mark.parametrize("direction", ["random", "common"])
@pytest.mark.parametrize("tau", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_exact(seed, tau, direction):
    rng = np.random.default_rng(100 * seed + tau)
    k, r = int(rng.integers(tau, 9)), int(rng.integers(1, 7))
    epsilon = float(np.exp(rng.uniform(np.log(0.003), np.log(0.2))))
    second, first = (
        (epsilon / (10 * tau), epsilon / (50 * tau)),
        (epsilon / 4, epsilon / 16),
        (epsilon**2, epsilon**3),
    )[seed % 3]
    targets = targets_of(k, r, tau, k + 20, 60, rng)
    tasks = [HalfspaceTask(t, Gaussian(k + 20)) for t in targets]
    old = learn_stream(tasks, ExactTwoLevel(k + 20, epsilon, tau, second, first, direction=direction, rng=seed))
    oracle = ExactLevels(direction, rng=seed)
    new = learn_stream(
        tasks,
        TwoLevels(k + 20, epsilon, tau=tau, epsilon_acc_second=second, epsilon_acc_first=first, oracle=oracle),
    )
    same(old, new)
    assert old.representation.bill == oracle.bill
    assert old.representation.best == oracle.best


@pytest.mark.parametrize("best", [1, 5, 20])
@pytest.mark.parametrize("tau", [1, 2, 3])
@pytest.mark.parametrize("seed", [0, 1])
def test_sampled(seed, tau, best):
    def stream():
        planted = instances.planted_two_levels(Gaussian(14), 5, 4, tau, 40, rng=seed)[2]
        return [HalfspaceTask(t.target, t.distribution, rng=100 * seed + i) for i, t in enumerate(planted)]

    old = learn_stream(stream(), TwoLevel(14, 0.1, tau, best=best))
    oracle = SampledLevels(best=best)
    new = learn_stream(stream(), TwoLevels(14, 0.1, tau=tau, oracle=oracle))
    same(old, new)
    assert old.representation.tiers == oracle.bill


def test_every_kind_of_step_was_seen():
    assert {"reused", "composed", "scratch"} == SEEN
