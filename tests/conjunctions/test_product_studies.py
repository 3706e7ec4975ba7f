"""Chances of failure over product laws, against draws, real learners and all rules."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, log

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from lifelong import metafeatures
from lifelong.conjunctions.bounds import SampleSizes, product_sizes
from lifelong.conjunctions.tasks import ConjunctionTask
from lifelong.laws import BooleanProduct
from lifelong_book.conjunctions.applications import limits
from lifelong_book.conjunctions.applications.instances import HIDDEN, hidden_anchor_family


@pytest.mark.parametrize(("few", "n", "p"), [(2, 5, 0.3), (630, 1716, 0.37), (3, 24310, 1e-4), (4000, 24310, 0.18)])
def test_at_most_is_a_binomial_tail(few, n, p):
    assert limits.at_most(few, n, p) == pytest.approx(binom.cdf(few, n, p), rel=1e-9)


def best_rule(N: int, draws: int, epsilon: float) -> float:
    """Largest chance with which a rule gets a random set of N variables right to epsilon: all data, all rules."""
    points = np.array(list(product([False, True], repeat=N)))
    zero, chance = 1 / N, 0.0
    weight = np.where(points, 1 - zero, zero).prod(axis=1)
    law = BooleanProduct(np.full(N, 1 - zero))
    good = np.array([[ConjunctionTask(c, law).error(h) <= epsilon for c in points] for h in points], dtype=float)
    labels = np.array([(c <= points).all(axis=1) for c in points])
    for data in product(range(2**N), repeat=draws):
        seen = labels[:, list(data)]
        for pattern in {row.tobytes() for row in seen}:
            alike = np.array([row.tobytes() == pattern for row in seen], dtype=float)
            chance += weight[list(data)].prod() * (good @ alike).max() / len(points)
    return chance


@pytest.mark.parametrize(("N", "draws", "epsilon"), [(4, 1, 0.1), (4, 2, 0.03), (4, 3, 0.01), (6, 1, 0.05)])
def test_no_rule_does_better_than_the_bound(N, draws, epsilon):
    best, most = best_rule(N, draws, epsilon), limits.within_reach(N, epsilon, draws)
    assert best <= most < 1
    # by hand: of N = 2 the bound gives away what was ever 0; a variable is unseen with chance 1/2, and then guessed
    assert limits.within_reach(2, 0.01, 1) == pytest.approx(0.75**2 + np.exp(-8))


@pytest.mark.parametrize(("first", "k"), [(None, 6), (15, 4)])
def test_the_chance_that_the_first_phase_fails_in_fractions(k, first):
    """Each way to fail, from the metafeatures that there are, and with no floating-point number on the way."""
    N, epsilon, hidden = comb(k, k // 2), Fraction(3, 10), Fraction(HIDDEN)
    n, p = N + k + 1, 1 - Fraction(1, N)
    sizes = SampleSizes(300, (9,) * (n + 1), 20, first=first)
    visible = hidden_anchor_family(k, rng=0).targets[:k, :N]
    kept = (1 - hidden) ** (k + 1)  # no hidden anchor is 0
    failure = Fraction(0) if first else (1 - kept * (1 - p ** (N // 2))) ** 9  # the first attempt sees no negative
    for r in range(1, k):
        covered = Fraction(0)  # how many variables of target r + 1 are covered by pieces that fit, in the mean
        for piece in metafeatures(visible[:r]):
            outside = int((piece & ~visible[r]).sum())
            unfit = kept * p ** (N // 2) * (1 - p**outside)  # a positive example with a 0 of the piece in it
            covered += int((piece & visible[r]).sum()) * (1 - unfit) ** 9
        failure += covered / Fraction(N, 4)  # Markov: a quarter of the N variables is half of the target's
        # else a quarter of the variables are in the target and not covered; if one is 0 and all else is 1, that shows
        rest = float(p) ** (3 * N / 4) * (1 - float(p) ** (N / 4))
        failure += Fraction((1 - float(kept) * rest) ** 9)
    few = [comb(300, j) * (1 - p) ** j * p ** (300 - j) for j in range(301)]
    many = [comb(300, j) * hidden**j * (1 - hidden) ** (300 - j) for j in range(301)]
    for j in range(301):  # an anchor counts as significant from epsilon / (4 n) of the examples on
        significant = j >= 300 * epsilon / (4 * n)
        failure += 0 if significant else N * few[j]
        failure += (k + 1) * many[j] if significant else 0
    open_still = (1 - kept * p ** (N // 2) / N) ** min(first or 20, 20)
    failure += k * N * open_still
    assert limits.phase_failure(k, 0.3, sizes=sizes) == pytest.approx(float(failure), rel=1e-9)


@pytest.mark.parametrize("hidden", [0.0095, 0.0104])
def test_the_chance_of_an_adaptive_error_by_summation(hidden, monkeypatch):
    """With anchors that are less hidden: as they are, nothing of the chance is left that could be seen."""
    k, N, delta = 10, 252, 0.05
    assert limits.adaptive_error(k)[1] < 1e-50
    monkeypatch.setattr(limits, "HIDDEN", hidden)
    epsilon, chance = limits.adaptive_error(k)
    draws = int(np.ceil(2 / ((1 - epsilon / 2) * epsilon) * (N * log(2) + log(3 * (k + 1) / delta))))
    positive = (1 - 1 / N) ** (N // 2) * (1 - hidden) ** (k + 1)
    left = np.arange(N // 2 + 1)  # superfluous variables that survive all positive examples
    # the target and the hypothesis each have up to k + 1 anchors, which are 0 with the probability `hidden`
    bad = positive * (1 - (1 - 1 / N) ** left) > epsilon - 2 * (k + 1) * hidden
    seen = np.arange(draws + 1)[:, None]
    weights = binom.pmf(seen[:, 0], draws, positive)
    total = weights @ binom.pmf(left[bad], N // 2, (1 - 1 / N) ** seen).sum(axis=1)
    assert epsilon == limits.allowed(k)
    assert 1e-8 < chance == pytest.approx(total, rel=1e-6)


def test_the_three_chances_of_the_proof_by_incomplete_beta_functions():
    n, m, e, delta, c0, constant = 3, 4, 0.3, 0.1, 0.5, 0.3
    sizes = product_sizes(n, e, m=m, delta=delta, c0=c0, constant=constant)

    def at_least(successes, p):  # of a binomial law: a regularised incomplete beta function
        return mpmath.betainc(successes, sizes.unlabelled - successes + 1, 0, p, regularized=True)

    few = int(np.ceil(sizes.unlabelled * e / (4 * n)))  # zeros from which on a variable counts as significant
    misjudged = n * max(1 - at_least(few, e / (2 * n)), at_least(few, e / (8 * n)))
    true = 1 - e / 2  # that all insignificant variables are 1
    fits = m * max(2**j * (1 - true * e / 2) ** size for j, size in enumerate(sizes.reuse))
    learned = n * (n + 1) // 2  # problems from scratch at most
    open_still = n * learned * (1 - true * c0 * e / (8 * n)) ** sizes.scratch
    found = limits.proof_failures(n, e, m=m, delta=delta, c0=c0, constant=constant)
    assert found == pytest.approx([float(x) * 3 / delta for x in (misjudged, fits, open_still)], rel=1e-9)
