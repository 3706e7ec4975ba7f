"""Answers whose errors lean the same way, against scipy and by hand."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from lifelong.halfspaces.angles import angle
from lifelong_book.beyond.exactly_k.instances import (
    accuracy_for,
    features,
    hadamard,
    hidden_blocks,
    hidden_direction,
    later_most,
    leaning_one_way,
    sum_error,
)


@pytest.mark.parametrize("k", [1, 2, 7, 256])
@pytest.mark.parametrize("epsilon", [0.001, 0.1, 0.25, 0.5])
def test_accuracy_for_exactly_k(k, epsilon):
    accuracy = accuracy_for(k, epsilon)
    assert np.sqrt(k) * np.sin(np.pi * accuracy) == pytest.approx(np.sin(np.pi * epsilon), rel=1e-12)
    assert 2 / np.pi * epsilon / np.sqrt(k) <= accuracy * (1 + 1e-12)
    assert accuracy <= epsilon / np.sqrt(k) * (1 + 1e-12)


@pytest.mark.parametrize("k", [1, 2, 5, 30])
def test_common_direction_against_scipy(k):
    learned = leaning_one_way(k, 0.1)
    largest = subspace_angles(np.eye(k + 1)[:, :k], learned.T).max()
    assert np.pi * sum_error(k, 0.1 / np.pi) == pytest.approx(largest, rel=1e-9)


def test_later_features():
    assert later_most(5, 0.1, 0.0) == 0
    values = [later_most(100, 0.2, a) for a in (0.01, 0.02, 0.05, 0.1)]
    assert all(low < high for low, high in pairwise(values))
    delta = np.sin(0.2 * np.pi) / np.sin(0.05 * np.pi)
    assert values[2] == pytest.approx(100 / (delta**2 - 1))


@pytest.mark.parametrize(("k", "error"), [(1, 0.3), (2, 0.5), (6, 0.2), (100, 0.0999)])
def test_hidden_direction(k, error):
    true, learned = hidden_direction(k, error)
    assert np.allclose(true @ true.T, np.eye(k), atol=1e-12)
    assert np.allclose(angle(true, learned), error) and not learned[:, -1].any()
    mirrored = true * np.append(np.ones(k), -1)
    assert np.allclose(angle(mirrored, learned), error)
    theta = np.arcsin(np.sqrt(k) * np.sin(error))
    assert subspace_angles(true.T, learned.T).max() == pytest.approx(theta, rel=1e-6)
    apart = min(2 * theta, np.pi - 2 * theta)
    assert subspace_angles(true.T, mirrored.T).max() == pytest.approx(apart, rel=1e-6)


def test_hidden_blocks():
    targets, learned = hidden_blocks(3, 5, 0.2)
    assert np.allclose(targets[:15] @ targets[:15].T, np.eye(15), atol=1e-12)
    assert np.allclose(np.linalg.norm(targets, axis=1), 1) and np.allclose(angle(targets, learned), 0.2)
    assert np.linalg.matrix_rank(targets) == 15


def test_opened_counts_what_is_refused():
    targets = np.array([[1.0, 0, 0], [0, 1.0, 0], [0.6, 0.8, 0], [0, 0.6, 0.8]])
    assert features(targets, targets, 0.1) == [0, 1, 3]
    assert features(targets, targets, 0.3) == [0, 1]


@pytest.mark.parametrize("k", [1, 2, 8, 64])
def test_rows_of_hadamard(k):
    H = hadamard(k)
    assert np.allclose(H @ H.T, np.eye(k)) and np.allclose(abs(H), k**-0.5) and (H[0] > 0).all()
