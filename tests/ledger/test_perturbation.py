"""The families near equality: drawn in batches, they come near every bound and never break it."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import angle, angle_to_subspace
from lifelong_book.halfspaces.perturbation import claims as perturbation
from lifelong_book.press.ledger import LEDGER


@pytest.mark.parametrize("label", ["lem-one-vec", "thm-subspace-sharp"])
def test_families_near_equality_come_near_and_hold(label):
    check = next(check for check in LEDGER[label].checks if check.scales and check.kind == "adversarial")
    found = check.find(seed=1, label=label, count=20_000)
    assert found.violations == 0
    assert 1 - 1e-6 < found.worst <= 1 + 1e-9
    assert found.instances == 20_000


def test_instances_near_extremal_chains_say_their_own_error_and_separation():
    batches = list(perturbation._sharp_near(50, np.random.default_rng(0)))
    assert sum(len(batch["true"]) for batch in batches) == 50
    for batch in batches:
        for learned, true, error, gamma in zip(*batch.values(), strict=True):
            assert error == pytest.approx(max(angle(true, learned)))
            k = len(learned)
            assert gamma == pytest.approx(min(angle_to_subspace(learned[i], learned[:i]) for i in range(1, k)))


def test_instances_near_tilted_planes_differ_in_every_direction():
    for batch in perturbation._one_vec_near(60, np.random.default_rng(0)):
        rows = np.concatenate([batch["U"], batch["b"][:, None], batch["estimate"][:, None]], axis=1)
        assert (np.linalg.matrix_rank(rows) == min(rows.shape[1:])).all()
