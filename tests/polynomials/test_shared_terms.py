"""The warm-up: what is reused, what it costs, and that nothing known is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from polynomials.cases import AWKWARD, tasks_of

from lifelong.loop import learn_stream
from lifelong.polynomials.polynomial import Polynomial, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms


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
