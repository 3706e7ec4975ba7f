"""The studies of Algorithm 2: parameters, costs, streams and success rates."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from lifelong.halfspaces import level_studies as studies
from lifelong.halfspaces.oracles import Labels


def test_accuracies_keep_the_kind_of_number():
    second, first = studies.level_accuracies("printed", 3, 2, Fraction(1, 10), square=Fraction(1, 5))
    assert (second, first) == (Fraction(1, 1000), Fraction(1, 15_000_000))
    assert studies.level_accuracies("quarters", 3, 2, 0.4) == (0.1, 0.025)
    with pytest.raises(ValueError, match=r"^choice: expected"):
        studies.level_accuracies("best", 2, 2, 0.1)


def test_labels_a_task():
    case = {"n": 100, "k": 5, "tau": 2, "m": 50, "epsilon": 0.1, "first": 5, "second": 12}
    assert studies.labels_per_task("alone", **case) == {"sparse": 0, "dense": 0, "scratch": 600}
    one = studies.labels_per_task("one level", **case)
    assert one == {"sparse": 0, "dense": 200 + 200, "scratch": 5 * 3000 / 50}
    double = studies.labels_per_task("quarters", **case, labels=Labels(fit=8, holdout=40, scratch=1.2))
    single = studies.labels_per_task("quarters", **case)
    assert all(double[name] == pytest.approx(2 * single[name], rel=0.01) for name in single)
    large = {"n": 10**9, "k": 31622, "tau": 2, "m": 10**22, "epsilon": 0.1, "first": 31622, "second": 10**18}
    assert all(np.isfinite(x) for x in studies.labels_per_task("quarters", **large).values())


def test_targets_of_kinds():
    targets, kinds = studies.kinds_of_targets(9, k=4, r=3, tau=2, m=40, rng=0)
    assert np.allclose(np.linalg.norm(targets, axis=1), 1) and not targets[:, 4:].any()
    assert [np.linalg.matrix_rank(targets[kinds == kind]) for kind in range(3)] == [2, 2, 2]
    with pytest.raises(ValueError, match=r"^n: expected"):
        studies.kinds_of_targets(3, k=4, r=1, tau=1, m=1)


def test_openings_add_up():
    targets, kinds = studies.kinds_of_targets(9, k=4, r=3, tau=2, m=40, rng=0)
    run = studies.exact_levels(targets, 0.1, tau=2, second=0.01, first=0.001, rng=0)
    assert sum(studies.openings_of_kinds(run, kinds)) == len(run.representation.second)


@pytest.mark.parametrize("gamma", [0.0, 0.003])
def test_every_greedy_target_was_refused(gamma):
    epsilon, second, tau = 0.06, 0.002, 2
    rows = studies.greedy_second_level(epsilon, tau=tau, second=second, gamma=gamma, rng=1)
    assert len(rows) >= tau
    assert np.allclose(np.linalg.norm(rows, axis=1), 1)
    off = np.arcsin(np.linalg.norm(rows[:, tau:], axis=1))
    assert np.allclose(off, gamma + np.pi * second)
    fewer = studies.greedy_second_level(epsilon, tau=3, second=second, searched=1, most=12, rng=1)
    assert len(fewer) == 12  # one feature at a time never spans a space


def test_the_steps_of_the_proof():
    s, t = studies.level_distances(0.06, 0.002)
    rows = studies.greedy_second_level(0.06, tau=2, second=0.002, rng=3)
    for ratios in studies.swap_steps(rows, tau=2, s=s, t=t).values():
        assert all(ratio <= 1 + 1e-9 for ratio in ratios)
    with pytest.raises(ValueError, match=r"^rows: expected"):
        studies.swap_steps(rows[:1], tau=2, s=s, t=t)


def test_sparse_success():
    case = {"r": 8, "k": 4, "epsilon": 0.1, "trials": 5, "rng": 0}
    assert studies.sparse_success("enumeration", target="difference", labels=200, **case) == 1
    assert studies.sparse_success("enumeration", target="combination", labels=3, **case) < 1
    assert studies.sparse_success("integer program", target="combination", labels=60, **case) >= 0.8
    for bad in ({"learner": "magic"}, {"target": "sum"}, {"epsilon": 0.5}, {"trials": 0}):
        with pytest.raises(ValueError, match=rf"^{next(iter(bad))}: expected"):
            studies.sparse_success(**{"learner": "enumeration", "target": "difference", "labels": 9, **case, **bad})
