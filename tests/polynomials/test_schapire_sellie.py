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
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner, interpolant, learn_polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.beyond.learners.rivals import learn_by_membership, learn_hankel
from lifelong_book.polynomials.instances import tic_tac_toe
from lifelong_book.polynomials.shared_monomials.experiments import random_polynomial


def learned_within_bounds(f, policy, seed):
    """Whether the learner returns the target with no more queries than both bounds allow."""
    h, counts = learn_polynomial(PolynomialTask(f, rng=seed, counterexample=policy))
    equivalence, membership = bounds.schapire_sellie_sharp(f.terms)
    published = bounds.schapire_sellie_equivalence(f.n, t=len(f.terms))
    most = bounds.schapire_sellie_membership(f.n, t=len(f.terms))
    return h == f and counts.equivalence <= min(equivalence, published) and counts.membership <= min(membership, most)


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials())
def test_learned_exactly_within_all_bounds(policy, f):
    assert learned_within_bounds(f, policy, seed=0)


def test_two_thousand_random_polynomials():
    rng = np.random.default_rng(0)
    kinds = set()
    for i in range(2000):
        f = random_polynomial(rng=rng)
        kinds.add((len(f.terms) == 0, f.degree == 0))
        assert learned_within_bounds(f, POLICIES[i % 3], i)
    assert kinds == {(True, True), (False, True), (False, False)}  # zero, constants and the rest


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
    for _ in range(30):
        f = random_polynomial(rng=rng)
        by_membership = partial(learn_by_membership, terms=len(f.terms))
        for learner in (learn_polynomial, learn_hankel, by_membership):
            task = Strict(f, counterexample="largest")
            h, counts = learner(task)
            assert h == f and counts == task.counts


def test_a_large_target_is_fast_and_cheap():
    rng = np.random.default_rng(0)
    terms = np.zeros((15, 50), dtype=bool)
    for row, degree in zip(terms, rng.integers(5, 41, 15), strict=True):
        row[rng.choice(50, degree, replace=False)] = True
    f = Polynomial(terms, [Fraction(int(p), 7) for p in rng.integers(1, 50, 15)])
    for policy in POLICIES:
        assert learned_within_bounds(f, policy, seed=0)


def test_real_boards_are_learned():
    assert learned_within_bounds(tic_tac_toe(), "smallest", seed=0)


@pytest.mark.parametrize("policy", POLICIES)
@PROPERTY
@given(f=polynomials(most=5))
def test_the_automaton_needs_one_query_a_term(policy, f):
    h, counts = learn_hankel(PolynomialTask(f, rng=0, counterexample=policy))
    assert h == f and counts.equivalence <= len(f.terms) + 1


@PROPERTY
@given(polynomials(most=6), st.integers(0, 3))
def test_membership_queries_suffice(f, more):
    h, counts = learn_by_membership(PolynomialTask(f), terms=len(f.terms) + more)
    assert h == f and counts.equivalence == 0 and counts.membership <= 2**f.n


@PROPERTY
@given(polynomials())
def test_a_sparse_polynomial_is_not_zero_near_the_top(f):
    if len(f.terms):
        X = cube(f.n)
        near = X[(~X).sum(axis=1) < len(f.terms).bit_length()]
        assert any(f(near) != 0)


# targets and members for which the hypothesis errs on two meets, one inside the other
TERMS = np.array([[0, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 0, 0], [1, 0, 0, 1]], dtype=bool)


MEMBERS = np.array([[1, 1, 1, 0], [1, 0, 1, 1], [0, 1, 1, 0], [0, 0, 0, 0]], dtype=bool)


def two_wrong_meets(order) -> tuple[MeetLearner, list[list[int]]]:
    f = Polynomial(TERMS, [-1, 1, 1, 1, 1])
    learner = MeetLearner(PolynomialTask(f))
    learner.S = MEMBERS[list(order)]
    learner.F = np.array([f(s & learner.S) for s in learner.S], dtype=object)
    learner.hypothesis = interpolant(learner.S, np.diag(learner.F))
    meets = np.unique([s & t for s in learner.S for t in learner.S], axis=0)
    wrong = meets[np.asarray(learner.hypothesis(meets) != f(meets), dtype=bool)]
    return learner, wrong.astype(int).tolist()


@pytest.mark.parametrize("order", [(0, 1, 2, 3), (3, 2, 1, 0), (1, 2, 0, 3)])
def test_of_two_wrong_meets_the_smaller_one_is_taken(order):
    """The proof of the replacement uses that no wrong meet lies inside the one that is taken."""
    learner, wrong = two_wrong_meets(order)
    assert sorted(wrong) == [[0, 0, 1, 0], [1, 0, 1, 0]]
    found = learner.inconsistent_meet()
    assert found is not None
    assert found.astype(int).tolist() == [0, 0, 1, 0]


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: learn_hankel(PolynomialTask(polynomial("x13"))), "task.n: expected an integer >= 1 and <= 12"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
