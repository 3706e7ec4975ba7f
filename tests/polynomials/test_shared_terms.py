"""The warm-up: what is reused, what it costs, and that nothing known is refused."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polynomials.cases import AWKWARD, PROPERTY

from lifelong.loop import learn_stream
from lifelong.polynomials.polynomial import Polynomial, cube, polynomial
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.one_layer.shared_terms import SharedTerms


def test_shared_terms_reuse_what_they_have_seen():
    texts = ["x1x2 - 2 x3", "5 x3", "1/4 x1x2 + x3", "0", "x1x3", "x1x3 - x3"]
    tasks = [PolynomialTask(polynomial(text, n=3), rng=i) for i, text in enumerate(texts)]
    run = learn_stream(tasks, SharedTerms(3))
    assert run.how == ["scratch", "reused", "reused", "reused", "scratch", "reused"]
    assert all(step.hypothesis == task.target for step, task in zip(run.steps, tasks, strict=True))
    for k, step in zip((0, 2, 2, 2, 2, 3), run.steps, strict=True):
        assert step.labels <= (k + 1) * np.ceil(np.log((k + 1) / 0.01) / 0.05)
        assert step.how == "scratch" or step.membership == step.equivalence == 0


@PROPERTY
@given(st.integers(0, 2**20))
def test_a_target_over_known_monomials_is_never_refused(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 8)), int(rng.integers(1, 7))
    learner = SharedTerms(n, epsilon=0.3, delta=0.3)
    learner.grow("scratch", Polynomial(rng.random((k, n)) < 0.6, rng.integers(1, 4, k)))
    c = [Fraction(int(p), int(q)) for p, q in rng.integers(1, 9, (len(learner.terms), 2))]
    assert learner.reuse(PolynomialTask(Polynomial(learner.terms, c), rng=rng)) is not None


def test_awkward_coefficients_are_reused_exactly():
    known = polynomial("x1 + x2 + x3 + x4x5 + x1x5")
    for seed in range(20):
        f = Polynomial(known.terms, [AWKWARD[i] for i in np.random.default_rng(seed).permutation(5)])
        learner = SharedTerms(5, epsilon=0.02, delta=0.01)
        learner.grow("scratch", known)
        assert learner.reuse(PolynomialTask(f, rng=seed)) == f


def test_a_round_takes_the_labels_it_says():
    learner = SharedTerms(3, epsilon=0.1, delta=0.2)
    learner.grow("scratch", polynomial("x1 + x2 + x1x3", n=3))
    one_round = int(np.ceil(np.log(4 / 0.2) / 0.1))
    for text, rounds in (("0", [1]), ("x1", [2]), ("x3", [1, 2, 3, 4])):
        task = PolynomialTask(polynomial(text, n=3), rng=0)
        h = learner.reuse(task)
        assert (h is None) == (text == "x3")
        assert task.counts.labels / one_round in rounds


def test_a_monomial_is_kept_once():
    learner = SharedTerms(3)
    for text in ("x1 + x2x3", "x2x3 - 2 x1", "x1 + 1"):
        learner.grow("scratch", polynomial(text, n=3))
    assert learner.terms.astype(int).tolist() == [[1, 0, 0], [0, 1, 1], [0, 0, 0]]


def test_a_contradiction_is_seen_at_once():
    learner = SharedTerms(2, epsilon=0.01, delta=0.01)  # no monomials: only the zero polynomial fits
    task = PolynomialTask(polynomial("1/1000000000000", n=2), rng=0)
    assert learner.reuse(task) is None and task.counts.labels == np.ceil(np.log(100) / 0.01)


def test_accepted_hypotheses_are_rarely_wrong():
    rng = np.random.default_rng(0)
    learner = SharedTerms(6, epsilon=0.1, delta=0.01)
    learner.grow("scratch", polynomial("x1 + x2 + x1x2x3 + x4x5x6", n=6))
    far = 0
    for seed in range(300):
        f = polynomial("x1 - 2 x2", n=6) + Polynomial(rng.random((1, 6)) < 0.5, [1])
        h = learner.reuse(PolynomialTask(f, rng=seed))
        far += h is not None and float(np.mean(h(cube(6)) != f(cube(6)))) > 0.1
    assert far <= 30  # 3 expected at most


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: SharedTerms(2, epsilon=0), "epsilon: expected a number"),
    ],
)
def test_bad_input_is_named(call, match):
    with pytest.raises(ValueError, match=match):
        call()
