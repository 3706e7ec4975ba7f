"""Claims of Section 5: what computes their evidence, and that a spoiled certificate is seen."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong_book.polynomials.shared_monomials.claims import _expected_exponential, ever_too_low
from lifelong_book.press.ledger import LEDGER, reports


def test_a_spoiled_certificate_is_seen_by_the_ledger(monkeypatch):
    """The error asked for twice over, or the confidence not shared: the certificate is then above epsilon."""
    claim = LEDGER["algo-polynomials"]
    edges = replace(claim, checks=(claim.checks[1],), twins=())
    assert reports([edges])[0].agrees

    def spoiled(share, confidence):
        def reuse(self, task):
            demand = {"bound": self.bound, "epsilon": share * self.epsilon, "delta": confidence(self)}
            return self.oracle.within(task, products(self.metafeatures), **demand)

        return reuse

    for reuse in (
        spoiled(2, lambda self: self.delta / self.m),
        spoiled(1, lambda self: 0.5),
        spoiled(1, lambda self: min(0.99, self.delta * self.m)),
        spoiled(1, lambda self: self.delta),
    ):
        monkeypatch.setattr(SharedMonomials, "reuse", reuse)
        assert not reports([edges])[0].agrees


def test_the_longest_stream_by_hand():
    # three disjoint single variables: 1 + 2 + 3 problems; one variable: 1
    from lifelong_book.polynomials.shared_monomials.claims import _longest_polynomial_stream, _potentials

    assert _longest_polynomial_stream(_potentials(np.eye(3, dtype=bool))[2]) == 6
    assert _longest_polynomial_stream(_potentials(np.eye(1, dtype=bool))[2]) == 1


def test_the_certificate_is_ever_too_low_as_often_as_computed():
    rng = np.random.default_rng(0)
    delta, chance, bound = 0.5, 0.3, 1.0
    losses = np.cumsum(rng.random((4000, 300)) < chance, axis=1)
    s = np.arange(1, 301)
    certificate = np.e / (np.e - 1) * 4 * bound**2 * (losses + np.log(1 / delta)) / s
    seen = float((certificate < 4 * bound**2 * chance).any(axis=1).mean())
    computed = ever_too_low(chance, delta)
    assert abs(seen - computed) < 4 * np.sqrt(computed * (1 - computed) / 4000)
    assert computed <= delta
    assert ever_too_low(0.001, delta) > 0.99 * delta > ever_too_low(0.001, delta, share=1.05)


def test_the_exponential_is_a_supermartingale():
    law = np.array([0.1, 0.2, 0.3, 0.4])
    values = [_expected_exponential(np.array([1.0, 0, -2, 1]), law, rounds, 1 - np.exp(-1)) for rounds in (1, 2, 3)]
    assert all(later <= earlier <= 1 for earlier, later in pairwise(values))
