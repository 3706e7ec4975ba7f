"""Studies of Section 5: adversaries, longest runs, spoiled learners, streams, and what computes the evidence."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice, pairwise

import numpy as np
import pytest

from lifelong.conjunctions import bounds as counting
from lifelong.conjunctions.instances import attaining_sequence
from lifelong.polynomials import bounds
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.linear import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.conjunctions.consistency.experiments import play
from lifelong_book.polynomials.shared_monomials import claims
from lifelong_book.polynomials.shared_monomials.experiments import (
    STUBBORN,
    AnyMember,
    Majority,
    NoGreedyMeet,
    NoMeets,
    everything,
    exact_run,
    halving,
    longest_run,
    single_terms,
)
from lifelong_book.press.ledger import LEDGER, reports


def test_the_longest_games():
    assert longest_run(polynomial("1", n=2)) == bounds.schapire_sellie_equivalence(2, t=1) == 4
    assert longest_run(polynomial("x1 + x2")) <= bounds.schapire_sellie_sharp(np.eye(2, dtype=bool))[0]
    assert any(longest_run(Polynomial(cube(2), c), learner=NoGreedyMeet) is None for c in np.ndindex(2, 2, 2, 2))


def test_each_step_of_the_learner_is_needed():
    for text, needed in zip(STUBBORN, (True, True, False), strict=True):
        f = polynomial(text, n=3)
        assert longest_run(f) <= bounds.schapire_sellie_sharp(f.terms)[0]
        assert (longest_run(f, learner=NoMeets) is None) == needed
    rng, unfinished = np.random.default_rng(0), {MeetLearner: 0, AnyMember: 0}
    for _ in range(30):
        f = Polynomial(rng.random((6, 8)) < 0.5, rng.integers(1, 4, 6))
        for kind in unfinished:
            learner = kind(PolynomialTask(f, counterexample="largest"))
            events = list(islice(learner.events(), bounds.schapire_sellie_sharp(f.terms)[0]))
            unfinished[kind] += learner.hypothesis != f
            assert all((taken <= error).all() for error, taken in events)
    assert unfinished[MeetLearner] == 0 < unfinished[AnyMember]


@pytest.mark.parametrize("power", [1, 3, 6])
def test_the_halving_adversary_forces_its_price(power):
    least = 4.0 * (power + 1)
    assert halving(Majority(2**power, bound=2.0)) == pytest.approx(least)
    assert halving(ExponentiatedGradient(2**power, bound=2.0)) >= least
    worst = halving(ExponentiatedGradient(2**power, bound=2.0), dead=True, extra=40)
    assert least <= worst <= bounds.eg_loss(2**power, bound=2.0)


@pytest.mark.parametrize("n", [2, 5, 8])
def test_streams_of_terms(n):
    run, conjunctions = exact_run(single_terms(n)), play(attaining_sequence(n))  # single monomials are conjunctions
    assert run.scratch == conjunctions.scratch == counting.online_any(n)
    ours, theirs = run.representation.metafeatures, conjunctions.representation.metafeatures
    assert {row.tobytes() for row in ours} == {row.tobytes() for row in theirs}
    run = exact_run([everything(n)])  # one problem may bring more terms than the bound on problems
    assert run.scratch == 1 and len(run.representation.terms) == 2**n - 1


def test_a_spoiled_certificate_is_seen_by_the_ledger(monkeypatch):
    """The error asked for twice over, or the confidence not shared: the certificate is then above epsilon."""
    claim = LEDGER["algo-polynomials"]
    edges = replace(claim, checks=(claim.checks[1],), twins=())
    assert reports([edges])[0].agrees
    for share, confidence in ((2, lambda s: s.delta / s.m), (1, lambda s: 0.5), (1, lambda s: s.delta)):

        def reuse(self, task, share=share, confidence=confidence):
            demand = {"bound": self.bound, "epsilon": share * self.epsilon, "delta": confidence(self)}
            return self.oracle.within(task, products(self.metafeatures), **demand)

        monkeypatch.setattr(SharedMonomials, "reuse", reuse)
        assert not reports([edges])[0].agrees


def test_the_certificate_is_ever_too_low_as_often_as_computed():
    rng, delta, chance = np.random.default_rng(0), 0.5, 0.3
    losses = np.cumsum(rng.random((4000, 300)) < chance, axis=1)
    certificate = np.e / (np.e - 1) * 4 * (losses + np.log(1 / delta)) / np.arange(1, 301)
    seen, computed = float((certificate < 4 * chance).any(axis=1).mean()), claims.ever_too_low(chance, delta)
    assert abs(seen - computed) < 4 * np.sqrt(computed * (1 - computed) / 4000)
    assert claims.ever_too_low(0.001, delta) > 0.99 * delta > claims.ever_too_low(0.001, delta, share=1.05)


def test_the_exponential_is_a_supermartingale_and_the_longest_stream():
    values, law = np.array([1.0, 0, -2, 1]), np.array([0.1, 0.2, 0.3, 0.4])
    means = [claims._expected_exponential(values, law, rounds, 1 - np.exp(-1)) for rounds in (1, 2, 3)]
    assert all(later <= earlier <= 1 for earlier, later in pairwise(means))
    for n, longest in ((3, 6), (1, 1)):  # disjoint single variables: 1 + 2 + 3 problems; one variable: 1
        assert claims._longest_polynomial_stream(claims._potentials(np.eye(n, dtype=bool))[2]) == longest
