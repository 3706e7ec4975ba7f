"""Metafeatures from flipped targets: exact without noise, unbiased with it, and no move of the search lengthens."""

from __future__ import annotations

from itertools import product
from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from lifelong import metafeatures, represent
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.beyond.noise import claims
from lifelong_book.beyond.noise.peers import asso
from lifelong_book.beyond.noise.pieces import (
    Flipped,
    NoisyPieces,
    debiased_counts,
    estimate_flip_rate,
    flip_scale,
    noisy_metafeatures,
    noisy_preorder,
    preorder_threshold,
    vote,
)
from lifelong_book.beyond.noise.tolerance import fits, robust_metafeatures

MATRICES = st.tuples(st.integers(0, 9), st.integers(1, 7)).flatmap(lambda shape: arrays(np.bool_, shape))
RATES = st.one_of(st.floats(0, 0.4), st.sampled_from([1e-300, 1e-12]), st.tuples(st.floats(0, 0.4), st.floats(0, 0.4)))


def as_set(rows):
    return {row.tobytes() for row in rows}


def planted(n, k, m, rates, seed, **more):
    rng = np.random.default_rng(seed)
    true, targets = planted_conjunctions(n, k=k, m=m, rng=rng, **more)
    ones, zeros = rates
    return true, targets, targets ^ (rng.random(targets.shape) < np.where(targets, zeros, ones))


@given(MATRICES)
def test_without_noise_it_is_algorithm_3(targets):
    found, true = noisy_metafeatures(targets, 0.0), metafeatures(targets)
    assert as_set(found.pieces) == as_set(true) and len(true) == len(found.pieces)
    assert (found.targets == targets).all()
    assert np.array_equal(found.codes, np.reshape([represent(T, found.pieces) for T in targets], found.codes.shape))
    assert np.array_equal(found.codes, fits(targets, found.pieces))
    for tolerant in (noisy_metafeatures(targets, (0.0, 0.0)).pieces, robust_metafeatures(targets, tolerance=0)):
        assert as_set(found.pieces) == as_set(tolerant)
    order, n = noisy_preorder(targets, 0.0), targets.shape[1]
    for z, w in product(range(n), repeat=2):
        assert order.exceptions[z, w] == sum(row[z] and not row[w] for row in targets)
        assert order.inside[z, w] == all(row[w] for row in targets if row[z])
    assert (order.occurs == targets.any(axis=0)).all()
    largest = [row for row in true if not any((row <= other).all() and (row != other).any() for other in true)]
    assert as_set(order.pieces) == as_set(largest)


@settings(max_examples=20)
@given(arrays(np.bool_, (2, 2)), RATES)
def test_counts_are_unbiased(targets, rate):
    """The mean over all flips, each with its probability."""
    ones, zeros = rate if isinstance(rate, tuple) else (rate, rate)
    chance = np.where(targets, zeros, ones)
    single, joint = np.zeros(2), np.zeros((2, 2))
    for cells in product((False, True), repeat=4):
        flips = np.reshape(cells, (2, 2))
        weight = np.where(flips, chance, 1 - chance).prod()
        seen = debiased_counts(targets ^ flips, rate)
        single, joint = single + weight * seen[0], joint + weight * seen[1]
    counts = targets.astype(int)
    assert np.allclose(single, counts.sum(axis=0)) and np.allclose(joint, counts.T @ counts)


@given(st.floats(1e-6, 0.45), st.integers(1, 10**6), st.integers(1, 500), st.floats(1e-9, 0.9))
def test_the_threshold_of_the_theorem(p, m, n, delta):
    threshold, gap = preorder_threshold(m, n, p, delta=delta)
    variance, largest, level = p * (1 - p) / (1 - 2 * p) ** 2, ((1 - p) / (1 - 2 * p)) ** 2, log(n**2 / delta)
    assert np.allclose(flip_scale(p), (variance, largest))
    assert np.isclose(threshold, sqrt(2 * level * m * variance * (1 + variance)) + 2 * level * largest / 3)
    assert np.isclose(gap, 2 * threshold + sqrt(2 * level * variance * gap))  # what the proof asks of it


@given(st.floats(0, 0.45), st.floats(0, 0.45))
def test_the_scale_bounds_every_summand(ones, zeros):
    variance, largest = flip_scale((ones, zeros))
    keep = 1 - ones - zeros
    cells = [[(-ones / keep, q), ((1 - ones) / keep, 1 - q)] for q in (1 - ones, zeros)]
    for t, s in product((0, 1), repeat=2):
        assert np.isclose(sum(b * q for b, q in cells[t]), t)
        assert sum(b * b * q for b, q in cells[t]) - t <= variance + 1e-9
        for (b, _), (c, _) in product(cells[t], cells[s]):
            assert abs(b * (1 - c) - t * (1 - s)) <= largest + 1e-9


@pytest.mark.parametrize("seed", range(2))
def test_the_order_of_frequent_pieces_comes_out(seed):
    _, targets, seen = planted(12, 4, 4000, (0.03, 0.08), seed, overlap=0.3)
    order = noisy_preorder(seen, (0.03, 0.08))
    assert np.array_equal(order.inside, noisy_preorder(targets, 0.0).inside)
    assert as_set(order.pieces) == as_set(metafeatures(targets))
    # a variable that only noise shows does not occur
    seen = np.eye(1, 3, dtype=bool) ^ (np.random.default_rng(seed).random((3000, 3)) < 0.05)
    order = noisy_preorder(seen, 0.05)
    assert order.occurs.tolist() == [True, False, False] and order.pieces.tolist() == [[True, False, False]]


@pytest.mark.parametrize("rate", [0.005, (0.01, 0.1), (0.0, 0.05), (0.05, 0.0)], ids=str)
def test_pieces_are_recovered(rate):
    pair = rate if isinstance(rate, tuple) else (rate, rate)
    true, targets, seen = planted(60, 10, 800, pair, 3, overlap=0.1, per_target=3.0)
    seen.flags.writeable = False
    found = noisy_metafeatures(seen, rate)
    assert as_set(found.pieces) == as_set(true) and len(found.pieces) == 10
    if all(pair):  # else a cell may be impossible
        ends_here(Flipped(seen, *pair), found, seen, pair)
    assert 4 * (found.targets != targets).sum() < (seen != targets).sum()


@pytest.mark.filterwarnings("error")
@settings(max_examples=60)
@given(MATRICES, RATES)
def test_any_matrix_gives_pieces_that_are_needed(targets, rate):
    found = noisy_metafeatures(targets, rate)
    assert found.codes.shape == (len(targets), len(found.pieces)) and found.targets.shape == targets.shape
    assert found.pieces.any(axis=1).all() and found.codes.any(axis=0).all()


def test_the_rate_is_estimated():
    for rate in (0.0, 0.1):
        _, targets, seen = planted(60, 10, 800, (rate, rate), 5, overlap=0.1, per_target=3.0)
        assert estimate_flip_rate(seen) == pytest.approx((targets ^ seen).mean(), abs=0.002)
    # low candidates are left out when descriptions grow
    _, _, seen = planted(60, 10, 400, (0.1, 0.1), 5, overlap=0.05, per_target=3.0)
    assert estimate_flip_rate(seen, candidates=[0.1, 1e-6, 0.0]) == estimate_flip_rate(seen, candidates=[0.1])


@pytest.mark.parametrize(("m", "parts", "off"), [(3, 4, 0), (3, 4, 1), (3, 5, 2)])
def test_exact_tails_against_all_flips_of_a_few_targets(m, parts, off):
    p, targets = 1 / parts, np.ones((m, 2), dtype=bool)
    targets[:off, 1] = False
    law = {}
    for cells in product((False, True), repeat=2 * m):
        flips = np.reshape(cells, (m, 2))
        estimate = round(noisy_preorder(targets ^ flips, p).exceptions[0, 1], 9)
        law[estimate] = law.get(estimate, 0) + np.where(flips, p, 1 - p).prod()
    values = np.array(sorted(law))
    below = np.cumsum([law[value] for value in values])
    for value, chance in zip(values[:-1], below[:-1], strict=True):
        assert off or claims._above(m, p, value + 1e-6) == pytest.approx(1 - chance, abs=1e-9)
    for value, chance in list(zip(values, below, strict=True))[1:-1]:
        found = claims._overlooked(m, parts, off, -np.log(chance) + 1e-6)
        assert found == pytest.approx((value, chance), abs=1e-6)


def by_hand(found, seen, ones, zeros):
    """Nats for the flips, the codes and the pieces."""
    chance = np.where(found.targets, np.where(seen, 1 - zeros, zeros), np.where(seen, ones, 1 - ones))

    def entropy(cells):
        return -sum(np.log(np.where(cells, cells.mean(), 1 - cells.mean())))

    return -np.log(chance).sum() + sum(map(entropy, [*found.codes.T, *found.pieces]))


def ends_here(flipped, found, seen, rates):
    """Another round does not make the description shorter, and to leave out a piece makes it longer."""
    length = by_hand(found, seen, *rates)
    codes, pieces = flipped.drop(flipped.grow(found))
    codes = vote(codes, pieces, flipped.gain)
    again = flipped.drop(NoisyPieces(codes, vote(pieces.T, codes.T, flipped.gain.T).T))
    assert by_hand(again, seen, *rates) >= length - 1e-6
    for j in range(len(found.pieces)):
        without = NoisyPieces(np.delete(found.codes, j, axis=1), np.delete(found.pieces, j, axis=0))
        assert by_hand(without, seen, *rates) > length


@pytest.mark.parametrize("rates", [(0.3, 0.3), (0.02, 0.2)])
def test_no_step_lengthens_the_description_and_the_search_ends_where_none_shortens(rates):
    rng, kept = np.random.default_rng(2), 0
    for _ in range(30):
        seen, k = rng.random((12, 9)) < 0.4, int(rng.integers(0, 5))
        flipped = Flipped(seen, *rates)
        start = NoisyPieces(rng.random((12, k)) < 0.4, rng.random((k, 9)) < 0.5)
        before, nats = by_hand(start, seen, *rates), flipped.length(start)
        for after in (
            NoisyPieces(vote(*start, flipped.gain), start.pieces),
            NoisyPieces(start.codes, vote(start.pieces.T, start.codes.T, flipped.gain.T).T),
            flipped.drop(start),
        ):
            length = by_hand(after, seen, *rates)
            assert length <= before + 1e-9 and np.isclose(before - length, nats - flipped.length(after))
        end = flipped.shorten(flipped.drop(start))
        assert by_hand(end, seen, *rates) <= before + 1e-9
        ends_here(flipped, end, seen, rates)
        kept += len(end.pieces)
    assert kept  # not all of it is nothing


def test_asso_on_a_matrix_done_by_hand():
    """Of confidence 2/3: 1 brings 1 and 2, 2 the same, 3 itself; the first wins most cells, then the third."""
    A = np.array([[1, 1, 0], [1, 1, 0], [1, 0, 0], [0, 0, 1]], dtype=bool)
    assert asso(A, k=2, tau=0.6).tolist() == [[False, False, True], [True, True, False]]
    assert asso(A, k=2, tau=0.9).tolist() == [[True, False, False], [True, True, False]]
