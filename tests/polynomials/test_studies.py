"""Studies of Section 5: adversaries, longest runs, spoiled learners, streams, and polynomials from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from math import comb

import numpy as np
import pytest

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.polynomials import bounds
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.oracles import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.instances import cellular_automaton, planted_polynomials, security_council, tic_tac_toe
from lifelong_book.polynomials.schapire_sellie.experiments import AnyMember, NoGreedyMeet, NoMeets, longest_run
from lifelong_book.polynomials.schapire_sellie.instances import STUBBORN
from lifelong_book.polynomials.shared_monomials import claims
from lifelong_book.polynomials.shared_monomials.experiments import Majority, exact_run, halving
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


def test_automata_follow_their_rules():
    for rule in (0, 1, 30, 110, 255):
        assert sum(v << i for i, v in enumerate(cellular_automaton(rule)(cube(3)).tolist())) == rule
    run = exact_run([cellular_automaton(rule) for rule in range(256)])
    assert run.scratch == 1 and len(run.representation.metafeatures) == 3


def test_the_board_by_inclusion_and_exclusion():
    lines = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
    none = Polynomial.constant(1, 9)
    for line in lines:
        none = none * (1 - Polynomial(np.isin(np.arange(9), line)[None], [1]))
    assert tic_tac_toe() == 1 - none and len(metafeatures(tic_tac_toe().terms)) == 9


def test_the_council_by_its_formula():
    f = security_council()
    assert len(f.terms) == sum(comb(10, j) for j in range(4, 11)) and f.terms[:, :5].all()
    sizes = f.terms[:, 5:].sum(axis=1)
    assert f.coefficients.tolist() == [(-1) ** int(j - 4) * comb(int(j) - 1, 3) for j in sizes]


def test_planted_polynomials_are_products_of_their_metafeatures():
    (M, tasks), (_, again) = (
        planted_polynomials(10, k=4, m=12, terms=5, coefficient=3, rng=0, counterexample="random") for _ in range(2)
    )
    assert [t.target for t in tasks] == [t.target for t in again]
    assert np.array_equal(tasks[0].examples(5)[0], again[0].examples(5)[0])
    many = [len(t.target.terms) for t in planted_polynomials(20, k=10, m=200, terms=3, rng=1)[1]]
    assert all(50 <= many.count(size) <= 85 for size in (1, 2, 3))  # but for equal ones, a third each
    assert ((M.sum(axis=0) == 1) & M).any(axis=1).all()
    for task in tasks:
        assert len(task.target.terms) <= 5 and task.counterexample == "random"
        assert all(represent(row, M) is not None for row in task.target.terms)
