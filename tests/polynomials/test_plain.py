"""What pages show in a form written to be read does the same as the package."""

import numpy as np
import pytest

from lifelong.polynomials.algorithm6 import products
from lifelong.polynomials.oracles import Gradient
from lifelong.polynomials.polynomial import polynomial
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.schapire_sellie import plain
from lifelong_book.polynomials.shared_monomials.experiments import all_products, attempt, random_polynomial


def test_all_products():
    rng = np.random.default_rng(0)
    for k in range(7):
        M = rng.random((k, 8)) < 0.3
        assert np.array_equal(all_products(M), products(M))


@pytest.mark.parametrize(("text", "accepted"), [("x1x2 - x3", True), ("2 x4", False)])
def test_an_attempt_that_looks_after_every_example(text, accepted):
    features = all_products(polynomial("x1x2 + x3", n=4).terms)
    tasks = [PolynomialTask(polynomial(text, n=4), rng=0) for _ in range(2)]
    h, losses = attempt(tasks[0], features, 2, 1.0, 0.1)
    g = Gradient(batch=1).within(tasks[1], features, bound=2, epsilon=1.0, delta=0.1)
    assert len(losses) == tasks[1].counts.labels <= tasks[0].counts.labels
    assert (h is None, g is None) == (not accepted, not accepted)
    assert not accepted or float((h - g).norm) < 1e-9


@pytest.mark.parametrize("policy", ["smallest", "largest", "random"])
def test_taking_a_point_by_solving_anew(policy):
    class Plain(MeetLearner):
        take = plain.take

    rng = np.random.default_rng(1)
    for seed in range(20):
        f = random_polynomial(rng=rng)
        tasks = [PolynomialTask(f, rng=seed, counterexample=policy) for _ in range(2)]
        runs = [[y.tolist() for _, y in kind(task).events()] for kind, task in zip((Plain, MeetLearner), tasks)]
        assert runs[0] == runs[1] and tasks[0].counts == tasks[1].counts
