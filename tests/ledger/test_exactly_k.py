"""What exactly k features cost: the formulas against independent ones, and the instances."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.angles import angle
from lifelong.ledger.claim import reports
from lifelong.ledger.claims import exactly_k


@pytest.mark.parametrize("k", [1, 2, 7, 256])
@pytest.mark.parametrize("epsilon", [0.001, 0.1, 0.25, 0.5])
def test_accuracy_for_exactly_k(k, epsilon):
    accuracy = bounds.exactly_k_accuracy(k, epsilon)
    assert np.sqrt(k) * np.sin(np.pi * accuracy) == pytest.approx(np.sin(np.pi * epsilon), rel=1e-12)
    assert 2 / np.pi * epsilon / np.sqrt(k) <= accuracy * (1 + 1e-12)
    assert accuracy <= epsilon / np.sqrt(k) * (1 + 1e-12)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_common_direction_against_scipy(k):
    learned = exactly_k.common_direction(k, 0.1, np.ones(k))
    largest = subspace_angles(np.eye(k + 1)[:, :k], learned.T).max()
    assert np.pi * bounds.common_direction_error(k, 0.1 / np.pi) == pytest.approx(largest, rel=1e-9)


@pytest.mark.parametrize(("k", "error"), [(1, 0.3), (2, 0.5), (6, 0.2), (100, 0.0999)])
def test_hidden_direction(k, error):
    true, learned = instances.hidden_direction(k, error)
    assert np.allclose(true @ true.T, np.eye(k), atol=1e-12)
    assert np.allclose(angle(true, learned), error) and not learned[:, -1].any()
    mirrored = true * np.append(np.ones(k), -1)
    assert np.allclose(angle(mirrored, learned), error)
    theta = np.arcsin(np.sqrt(k) * np.sin(error))
    assert subspace_angles(true.T, learned.T).max() == pytest.approx(theta, rel=1e-6)
    apart = min(2 * theta, np.pi - 2 * theta)
    assert subspace_angles(true.T, mirrored.T).max() == pytest.approx(apart, rel=1e-6)


def test_hidden_blocks():
    targets, learned = instances.hidden_blocks(3, 5, 0.2)
    assert np.allclose(targets[:15] @ targets[:15].T, np.eye(15), atol=1e-12)
    assert np.allclose(np.linalg.norm(targets, axis=1), 1) and np.allclose(angle(targets, learned), 0.2)
    assert np.linalg.matrix_rank(targets) == 15


def test_features_after_orthonormal():
    assert bounds.features_after_orthonormal(5, 0.1, 0.0) == 0
    values = [bounds.features_after_orthonormal(100, 0.2, a) for a in (0.01, 0.02, 0.05, 0.1)]
    assert all(low < high for low, high in pairwise(values))
    delta = np.sin(0.2 * np.pi) / np.sin(0.05 * np.pi)
    assert values[2] == pytest.approx(100 / (delta**2 - 1))


def test_opened_counts_what_is_refused():
    targets = np.array([[1.0, 0, 0], [0, 1.0, 0], [0.6, 0.8, 0], [0, 0.6, 0.8]])
    assert exactly_k.opened(targets, targets, 0.1) == [0, 1, 3]
    assert exactly_k.opened(targets, targets, 0.3) == [0, 1]


@pytest.mark.parametrize(
    "call",
    [
        lambda: bounds.exactly_k_accuracy(0, 0.1),
        lambda: bounds.exactly_k_accuracy(2, 0.6),
        lambda: bounds.common_direction_error(2, 0.5),
        lambda: bounds.common_direction_error(0, 0.1),
        lambda: bounds.features_after_orthonormal(2, 0.1, 0.1),
        lambda: instances.hidden_direction(4, 0.6),
        lambda: instances.hidden_blocks(0, 4, 0.1),
    ],
)
def test_bad_arguments(call):
    with pytest.raises(ValueError, match="expected"):
        call()


def test_the_claim():
    for seed in range(2):
        (report,) = reports(exactly_k.CLAIMS, instances=300, seed=seed)
        assert report.agrees, report.summary()
        assert min(report.bites.values()) >= 0.9
