"""Algorithm 6 and its warm-up: products, streams that are counted and measured."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from polynomials.cases import AWKWARD, tasks_of

from lifelong.conjunctions import bounds as counting
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.oracles import Gradient
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms
from lifelong_book.polynomials.shared_monomials.experiments import Exact, all_products, exact_run
from lifelong_book.polynomials.shared_monomials.instances import polynomial_stream
from lifelong_book.polynomials.shared_monomials.least_squares import LeastSquares


def test_products_are_all_unions_once():
    rng = np.random.default_rng(0)
    for _ in range(40):
        M = rng.random((int(rng.integers(0, 6)), int(rng.integers(1, 7)))) < 0.4
        chosen = [rows for size in range(len(M) + 1) for rows in combinations(range(len(M)), size)]
        unions = {M[list(rows)].any(axis=0).tobytes() for rows in chosen}
        found = products(M)
        assert {row.tobytes() for row in found} == unions and len(found) == len(unions)
        assert not found[0].any() and np.array_equal(all_products(M), found)
    M, _ = planted_conjunctions(12, k=6, m=0, overlap=0.4, rng=0)
    assert len(products(M)) == 2**6  # anchored ones have all their products
    assert len(products(np.eye(3, dtype=bool), most=3)) == 8
    with pytest.raises(ValueError, match=r"^metafeatures: expected at most 16"):
        products(np.eye(17, dtype=bool))


def test_a_stream_by_hand():
    texts = ("3", "x1x2 - x3", "x1x2x3", "1 + x3", "x1", "x1 - x2x3")
    run, again = (learn_stream(tasks_of(*texts, n=4), SharedMonomials(4, 0.2, bound=3, m=6)) for _ in range(2))
    assert run.how == again.how == ["reused", "scratch", "reused", "reused", "scratch", "scratch"]
    assert [step.labels for step in run.steps] == [step.labels for step in again.steps]
    reused = [step for step in run.steps if step.how == "reused"]
    assert all(step.membership == step.equivalence == 0 < step.labels for step in reused)
    assert run.counts.membership > 0


@pytest.mark.parametrize("oracle", [Gradient, LeastSquares, Exact])
def test_every_task_ends_well(oracle):
    M, stream = polynomial_stream(largest=4, rng=5)
    tasks = [PolynomialTask(f, rng=i) for i, f in enumerate(stream)]
    run = learn_stream(tasks, SharedMonomials(M.shape[1], 0.3, bound=2, m=len(tasks), oracle=oracle()))
    assert run.scratch <= counting.online_sharp(M) and len(run.representation.metafeatures) <= len(M)
    for task, step in zip(tasks, run.steps, strict=True):
        assert task.error(step.hypothesis) <= 0.3
        assert step.hypothesis == task.target or step.how == "reused"
        assert oracle is not Exact or step.labels == step.membership == step.equivalence == 0


def test_what_is_kept_of_a_stream():
    for seed in range(20):
        M, stream = polynomial_stream(rng=seed)
        for keep in ("all", "needed"):
            run = exact_run(stream, keep=keep)
            kept = run.representation
            assert run.scratch <= counting.online_sharp(M) and len(kept.metafeatures) <= len(M)
            assert len(np.unique(kept.terms, axis=0)) == len(kept.terms)
            np.testing.assert_array_equal(kept.metafeatures, metafeatures(kept.terms))
            learned = [s.hypothesis for s in run.steps if s.how == "scratch"]
            told = {T.tobytes() for f in learned for T in f.terms}
            held = {T.tobytes() for T in kept.terms}
            assert held == told if keep == "all" else held <= told
        assert run.scratch <= len(kept.terms) <= counting.online_sharp(M)


def test_a_bound_too_small_is_paid_again_and_again():
    xor = tasks_of(*("x1 + x2 - 2 x1x2",) * 4, n=3)
    assert learn_stream(xor, SharedMonomials(3, 0.05, bound=1, m=8)).scratch == 4
    assert learn_stream(xor, SharedMonomials(3, 0.05, bound=4, m=8)).scratch == 1
    with pytest.raises(ValueError, match=r"^y: expected labels in"):
        SharedMonomials(3, 0.1, bound=1, m=2).reuse(PolynomialTask(Polynomial([[True, False, False]], [1.5]), rng=0))


def test_shared_terms_reuse_what_they_have_seen():
    tasks = tasks_of("x1x2 - 2 x3", "5 x3", "1/4 x1x2 + x3", "0", "x1x3", "x1x3 - x3", n=3)
    run = learn_stream(tasks, SharedTerms(3))
    assert run.how == ["scratch", "reused", "reused", "reused", "scratch", "reused"]
    assert all(step.hypothesis == task.target for step, task in zip(run.steps, tasks, strict=True))
    for k, step in zip((0, 2, 2, 2, 2, 3), run.steps, strict=True):
        assert step.labels <= (k + 1) * np.ceil(np.log((k + 1) / 0.01) / 0.05)
        assert step.how == "scratch" or step.membership == step.equivalence == 0
    assert run.representation.terms.astype(int).tolist() == [[0, 0, 1], [1, 1, 0], [1, 0, 1]]  # each once


def test_a_target_over_known_monomials_is_never_refused():
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(1, 8)), int(rng.integers(1, 7))
        learner = SharedTerms(n, epsilon=0.3, delta=0.3)
        learner.grow("scratch", Polynomial(rng.random((k, n)) < 0.6, rng.integers(1, 4, k)))
        c = [Fraction(int(p), int(q)) for p, q in rng.integers(1, 9, (len(learner.terms), 2))]
        assert learner.reuse(PolynomialTask(Polynomial(learner.terms, c), rng=rng)) is not None
    known, learner = polynomial("x1 + x2 + x3 + x4x5 + x1x5"), SharedTerms(5, epsilon=0.02, delta=0.01)
    learner.grow("scratch", known)
    for seed in range(10):
        f = Polynomial(known.terms, [AWKWARD[i] for i in np.random.default_rng(seed).permutation(5)])
        assert learner.reuse(PolynomialTask(f, rng=seed)) == f


def test_a_round_takes_the_labels_it_says():
    learner = SharedTerms(3, epsilon=0.1, delta=0.2)
    learner.grow("scratch", polynomial("x1 + x2 + x1x3", n=3))
    one_round = int(np.ceil(np.log(4 / 0.2) / 0.1))
    for text, rounds in (("0", [1]), ("x1", [2]), ("x3", [1, 2, 3, 4])):
        task = PolynomialTask(polynomial(text, n=3), rng=0)
        assert (learner.reuse(task) is None) == (text == "x3")
        assert task.counts.labels / one_round in rounds
    tiny = PolynomialTask(polynomial("1/1000000000000", n=3), rng=0)  # a contradiction is seen at once
    assert SharedTerms(3, epsilon=0.01, delta=0.01).reuse(tiny) is None
    assert tiny.counts.labels == np.ceil(np.log(100) / 0.01)
