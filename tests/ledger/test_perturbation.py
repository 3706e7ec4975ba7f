"""The families near equality come near every bound and never break it, in every direction."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import angle, subspace_angle
from lifelong.halfspaces import bounds, instances
from lifelong_book.halfspaces.perturbation import claims as room
from lifelong_book.press.claims import Random
from lifelong_book.press.ledger import LEDGER


@pytest.mark.parametrize("label", ["lem-one-vec", "thm-subspace-sharp"])
def test_families_near_equality_come_near_and_hold(label):
    check = next(check for check in LEDGER[label].checks if check.name.startswith("Near "))
    found = check.find(seed=1, label=label, count=20_000)
    assert found.violations == 0
    assert 1 - 1e-6 < found.worst <= 1 + 1e-9
    assert found.instances == 20_000


def test_instances_near_tilted_planes_differ_in_every_direction():
    for n, k in room.SHAPES[1:]:
        x = room.near_right_angles(12, np.random.default_rng(0), n, k)
        rows = np.concatenate([x["U"], x["b"][:, None], x["learned"][:, None]], axis=1)
        assert (np.linalg.matrix_rank(rows) == min(rows.shape[1:])).all()


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_many_chains_and_targets_at_a_time_are_those_of_one(k):
    gamma = np.array([0.3, 0.7, np.pi / 2])
    rows, error = room.chain(k, gamma), np.array([0.01, 0.2, 1.2])
    assert np.allclose(room.amplification(k, gamma), bounds.amplification(k, gamma), rtol=1e-14)
    x = room.worst_targets(rows, error)
    for i in range(3):
        assert np.allclose(rows[i], instances.chain(k, gamma[i]), atol=1e-14)
        one = instances.worst_targets(rows[i], float(error[i]))
        assert np.allclose(x["learned"][i], one.learned)
        assert subspace_angle(x["true"][i], one.true) < 1e-7
        assert angle(x["true"][i], x["learned"][i]).max() == pytest.approx(error[i])


def test_the_pinned_factor_is_that_of_the_hand_counterexample():
    left, right = room.by_hand()
    true, learned = (np.array(x, float) for x in instances.hand_counterexample())
    assert left < subspace_angle(true, learned) and right > room.lemma_3(true, learned)[1]
    assert left / right > 1.467


def test_the_claims_measure_what_a_hypothesis_is_about():
    rng, x = np.random.default_rng(0), room.chains(4, 3)
    x["true"] = room.turned(x["true"], np.full((4, 3), 0.3), rng)
    with pytest.raises(ValueError, match="misses a hypothesis: The error is at most"):
        room.lemma_3.compare(Random(lambda: x, name="too far"), None, 1.0, 4, rng)
