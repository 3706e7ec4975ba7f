"""Learning exactly from queries: the bounds, the invariants of the learner on meets, and the rivals."""

from __future__ import annotations

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import POLICIES, PROPERTY, by_hand, polynomials

from lifelong.polynomials import bounds
from lifelong.polynomials.polynomial import Polynomial, cube
from lifelong.polynomials.schapire_sellie import MeetLearner, interpolant, learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.learners.rivals import learn_by_membership, learn_hankel, most_asked
from lifelong_book.polynomials.instances import tic_tac_toe
from lifelong_book.polynomials.schapire_sellie import plain
from lifelong_book.polynomials.schapire_sellie.instances import random_polynomial


def learned_within_bounds(f, policy, seed):
    """Whether the learner returns the target with no more queries than both bounds allow."""
    h, counts = learn_polynomial(PolynomialTask(f, rng=seed, counterexample=policy))
    equivalence, membership = bounds.schapire_sellie_sharp(f.terms)
    published = bounds.schapire_sellie_equivalence(f.n, t=len(f.terms))
    most = bounds.schapire_sellie_membership(f.n, t=len(f.terms))
    return h == f and counts.equivalence <= min(equivalence, published) and counts.membership <= min(membership, most)


def test_random_polynomials():
    rng, kinds = np.random.default_rng(0), set()
    for i in range(600):
        f = random_polynomial(rng=rng)
        kinds.add((len(f.terms) == 0, f.degree == 0))
        assert learned_within_bounds(f, POLICIES[i % 3], i)
    assert kinds == {(True, True), (False, True), (False, False)}  # zero, constants and the rest


def test_large_polynomials():
    rng, terms = np.random.default_rng(0), np.zeros((15, 50), dtype=bool)
    for row, degree in zip(terms, rng.integers(5, 41, 15), strict=True):
        row[rng.choice(50, degree, replace=False)] = True
    f = Polynomial(terms, [Fraction(int(p), 7) for p in rng.integers(1, 50, 15)])
    assert all(learned_within_bounds(f, policy, seed=0) for policy in POLICIES)
    assert learned_within_bounds(tic_tac_toe(), "smallest", seed=0)


@PROPERTY
@given(polynomials(n=4), st.randoms(use_true_random=False))
def test_the_learner_keeps_its_invariants(f, random):
    """After every event: F is [f(s meet s')], its inverse is kept right, h is f on S, and the potential rises."""
    task, X = PolynomialTask(f), cube(4)
    members, potential = MeetLearner(task), 0
    while len(wrong := X[np.asarray(members.hypothesis(X) != f(X), dtype=bool)]):
        y = members.inconsistent_meet()
        members.take(members.greedy_meet(random.choice(list(wrong)) if y is None else y))
        S = members.S
        assert members.F.tolist() == [[by_hand(f, s & r) for r in S] for s in S]
        assert (members.F @ members._inverse == np.eye(len(S), dtype=int)).all()
        assert members.hypothesis(S).tolist() == np.diag(members.F).tolist()
        assert len(S) <= len(f.terms)
        before, potential = potential, int((5 - S.sum(axis=1)).sum())
        assert potential > before
    assert members.hypothesis == f


def test_no_query_is_asked_twice():
    class Strict(PolynomialTask):
        def member(self, x):
            assert x.tobytes() not in self.__dict__.setdefault("seen", set())
            self.seen.add(x.tobytes())
            return super().member(x)

    rng = np.random.default_rng(1)
    for _ in range(20):
        f = random_polynomial(rng=rng)
        for learner in (learn_polynomial, learn_hankel, partial(learn_by_membership, terms=len(f.terms))):
            task = Strict(f, counterexample="largest")
            h, counts = learner(task)
            assert h == f and counts == task.counts


@PROPERTY
@given(f=polynomials(most=5), policy=st.sampled_from(POLICIES), more=st.integers(0, 3))
def test_the_rivals_and_the_plain_step(f, policy, more):
    h, counts = learn_hankel(PolynomialTask(f, rng=0, counterexample=policy))
    assert h == f and counts.equivalence <= len(f.terms) + 1  # the automaton needs one query a term
    assert counts.membership <= most_asked(f)[1, 0]
    h, counts = learn_by_membership(PolynomialTask(f), terms=len(f.terms) + more)
    assert h == f and counts.equivalence == 0 and counts.membership <= 2**f.n

    class Plain(MeetLearner):
        take = plain.take

    tasks = [PolynomialTask(f, rng=0, counterexample=policy) for _ in range(2)]
    runs = [[y.tolist() for _, y in kind(t).events()] for kind, t in zip((Plain, MeetLearner), tasks, strict=True)]
    assert runs[0] == runs[1] and tasks[0].counts == tasks[1].counts
    if len(f.terms):  # a sparse polynomial is not zero near the top
        X = cube(f.n)
        assert any(f(X[(~X).sum(axis=1) < len(f.terms).bit_length()]) != 0)


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 2, 0, 3)])
def test_of_two_wrong_meets_the_smaller_one_is_taken(order):
    """The proof of the replacement uses that no wrong meet lies inside the one that is taken."""
    terms = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]], dtype=bool)
    members = np.array([[1, 1, 1, 0], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0]], dtype=bool)
    f = Polynomial(terms, [-1, 1, 1, 1, 1])
    learner = MeetLearner(PolynomialTask(f))
    learner.S = members[list(order)]
    learner.F = np.array([f(s & learner.S) for s in learner.S], dtype=object)
    learner.hypothesis = interpolant(learner.S, np.diag(learner.F))
    meets = np.unique([s & t for s in learner.S for t in learner.S], axis=0)
    wrong = meets[np.asarray(learner.hypothesis(meets) != f(meets), dtype=bool)]
    assert sorted(wrong.astype(int).tolist()) == [[0, 0, 1, 0], [1, 0, 1, 0]]
    assert learner.inconsistent_meet().astype(int).tolist() == [0, 0, 1, 0]
