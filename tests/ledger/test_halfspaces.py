"""What the claims of Section 3.3 are made of, and that they see what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong import laws
from lifelong_book.halfspaces.subspace.claims import _falls, _printed_angles, _Turning
from lifelong_book.halfspaces.subspace.experiments import CHAINS, chain_run, exact_run, printed_accuracy, random_targets
from lifelong_book.press.ledger import LEDGER, reports


def test_determinant_steps_see_an_opening_without_need():
    """A feature that repeats another lowers nothing."""
    targets = random_targets(3, 60, 10, rng=np.random.default_rng(0))
    run = exact_run(targets, 0.1, 0.02, direction="random", rng=0)
    assert _falls(run, targets, 3, 0.1, 0.02).max() <= 1 + 1e-9
    features = np.vstack([run.representation.features, run.representation.features[0]])
    features[-1, -1] += 1e-9
    run.representation.features = features
    assert _falls(run, targets, 3, 0.1, 0.02).max() > 1


def test_printed_angles_meet_the_printed_conditions():
    for k in (1, 2, 5):
        error, allowed = _printed_angles(k, 0.1)
        assert error <= 0.1**2 / (10 * k)
        assert 0.1 + 2 * k * error / 0.1 <= allowed * (1 + 1e-12)
        epsilon = 0.1  # gamma = eps, our constants
        assert np.pi * printed_accuracy(k, epsilon) == pytest.approx(_printed_angles(k, epsilon)[0])
        assert _printed_angles(k, epsilon)[1] <= np.pi * epsilon


@pytest.mark.parametrize("law", list(laws.ISOTROPIC_LAWS.values()), ids=lambda law: law.name)
def test_turning_in_the_plane_against_counts(law):
    turning = _Turning(law(2))
    start = 0.4
    end = turning.turned(start, 0.1)
    assert turning.error(start, end) == pytest.approx(0.1, abs=1e-9)
    assert turning.error(0.0, np.pi) == pytest.approx(1, abs=1e-4)
    assert turning.low * (end - start) - 1e-9 <= 0.1 <= turning.high * (end - start) + 1e-9
    X = law(2).sample(100_000, rng=0)
    normals = [np.array([-np.sin(x), np.cos(x)]) for x in (start, end)]
    seen = np.mean((X @ normals[0] >= 0) != (X @ normals[1] >= 0))
    assert seen == pytest.approx(0.1, abs=5 * np.sqrt(0.09 / 100_000))


# --- the claims -----------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_bounds_lowered_by_two_per_cent_are_refuted(seed):
    for label in ("thm-halfspaces-volume", "thm-halfspaces-determinant", "thm-halfspaces-exact"):
        spoiled = [check for check in LEDGER[label].twins if check.spoils]
        assert spoiled
        assert all(check.find(seed=seed, label=label).violations for check in spoiled)


def test_theorem_one_called_true_is_contradicted():
    (found,) = reports([LEDGER["thm-halfspaces"]], instances=5)
    chains = next(e for e in found.evidence if "our constants" in e.check)
    assert chains.finding.violations == chains.finding.instances == len(CHAINS)
    best = chain_run(10, 0.1).representation.oracle.best[-1]
    assert f"best error for target 11 is {best:.4f}" in chains.finding.witness
