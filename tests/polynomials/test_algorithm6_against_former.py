"""Algorithm 6 against the class that it replaces, live: bit by bit."""

import numpy as np
import pytest
from polynomials import former_algorithm6 as former

from lifelong.loop import learn_stream
from lifelong.polynomials.algorithm6 import SharedMonomials
from lifelong.polynomials.instances import planted_polynomials
from lifelong.polynomials.oracles import Exact, Gradient, LeastSquares

ORACLES = {"eg": Gradient, "l1": LeastSquares, "exact": Exact}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("keep", ["all", "needed"])
@pytest.mark.parametrize("method", ORACLES)
def test_bit_identical(method, keep, seed):
    n, k = 6 + seed % 4, 2 + seed % 4

    def tasks():
        return planted_polynomials(n, k, 15, terms=1 + seed % 3, coefficient=2, overlap=0.2, rng=seed)[1]

    bound = 3.0 if seed % 2 else 6.0  # the larger one is never exceeded
    if seed % 2:  # norms above the bound are left out

        def tasks(all_tasks=tasks):
            return [task for task in all_tasks() if task.target.norm <= bound]

    assert len(tasks()) > 4
    old = learn_stream(tasks(), former.SharedMonomials(n, bound, 0.4, 15, 0.01, method=method, keep=keep))
    new = learn_stream(
        tasks(), SharedMonomials(n, 0.4, bound=bound, m=15, delta=0.01, oracle=ORACLES[method](), keep=keep)
    )
    assert old.how == new.how and old.counts == new.counts
    for a, b in zip(old.steps, new.steps, strict=True):
        assert (a.how, a.labels, a.membership, a.equivalence) == (b.how, b.labels, b.membership, b.equivalence)
        assert a.hypothesis == b.hypothesis and hash(a.hypothesis) == hash(b.hypothesis)
        assert a.hypothesis.coefficients.tolist() == b.hypothesis.coefficients.tolist()
    np.testing.assert_array_equal(old.representation.terms, new.representation.terms)
    np.testing.assert_array_equal(old.representation.metafeatures, new.representation.metafeatures)
