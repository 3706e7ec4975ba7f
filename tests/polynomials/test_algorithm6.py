"""Algorithm 6: products, streams that are counted and measured."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from polynomials.cases import tasks_of

from lifelong.conjunctions import bounds as counting
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials, products
from lifelong.polynomials.oracles import Exact, Gradient
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.shared_monomials.experiments import all_products, exact_run, polynomial_stream
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
        SharedMonomials(3, 0.1, bound=1, m=2).reuse(PolynomialTask(Polynomial([[True, False, False]], [5]), rng=0))
