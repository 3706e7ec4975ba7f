"""The doors of conjunctions and polynomials: what is refused, with an error that names the argument."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lifelong
from lifelong import BooleanProduct, ConjunctionTask, OnlineMetafeatures, PolynomialTask, SharedMonomials
from lifelong.conjunctions.bounds import product_sizes
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong.polynomials.polynomial import polynomial

I3, I2 = np.eye(3, dtype=bool), np.eye(2, dtype=bool)
F, LAW, SMALL = polynomial("x1x2 - x3"), BooleanProduct([0.5, 0.5, 0.5]), BooleanProduct([0.5])
EXAMPLES: dict[str, Any] = {"n": 3, "epsilon": 0.1, "m": 4}
TERMS: dict[str, Any] = {"n": 3, "epsilon": 0.1, "bound": 2, "m": 4}
NUMBERS: dict[str, list[Any]] = {"n": [0, -1, 2.5, True, "3"], "epsilon": [0.0, np.inf, "1"], "m": [0, 2.5]}

AUTO = lifelong.SparseBooleanAutoencoder


def fitted() -> Any:
    return AUTO(c=1, k=1).fit(I3)


#: Doors with arguments that they take, and for each argument what they refuse.
DOORS: list[tuple[Any, dict[str, Any], dict[str, list[Any]]]] = [
    (lifelong.metafeatures, {"targets": I3}, {"targets": [[[1, 0]], [True], None, [[True], [True, False]]]}),
    (lifelong.online_metafeatures, {"targets": I3}, {"targets": [[[0.5]], [[[True]]], "x"]}),
    (lifelong.represent, {"target": I3[0], "metafeatures": I3}, {"target": [[1, 0], True], "metafeatures": [I2, [1]]}),
    (OnlineMetafeatures, {"n": 3}, {"n": [*NUMBERS["n"], None]}),
    (lifelong.ProductLawMetafeatures, EXAMPLES, NUMBERS | {"epsilon": [0.0, 1.0, np.nan, "0.1"], "m": [0, None]}),
    (lifelong.ProductLawMetafeatures, EXAMPLES, {"delta": [0.0, 1.0], "c0": [0.0, 1.5], "rule": ["first"]}),
    (lifelong.ProductLawMetafeatures, EXAMPLES, {"sizes": [5, product_sizes(4, 0.1, m=5)]}),
    (WinnowMetafeatures, {"n": 3, "c": 1, "k": 1}, {"c": [0, 1.5], "k": [0, True], "alpha": [1, 1e7, np.inf, None]}),
    (
        lifelong.SparseBooleanAutoencoder,
        {"c": 1, "k": 1},
        {"c": [0, "1"], "k": [0, 1.5], "method": ["lp"], "attempts": [0], "rng": ["s", -1]},
    ),
    (fitted().transform, {"targets": I3}, {"targets": [I2, np.eye(3)]}),
    (fitted().inverse_transform, {"codes": I3}, {"codes": [I2, [[1, 0, 0]]]}),
    (fitted().satisfies, {"targets": I3}, {"targets": [I2], "k": [-1, 0.5]}),
    (ConjunctionTask, {"target": I3[0]}, {"target": [[1, 0, 1], []], "distribution": [[0.5], "law"], "rng": ["seed"]}),
    (lifelong.ConjunctionBox, {"f": all, "n": 3}, {"f": [None, 3], "n": NUMBERS["n"], "points": [-1], "rng": [-1]}),
    (lifelong.Polynomial, {"terms": I3, "coefficients": [1, 2, 3]}, {"terms": [[[1, 0]], [True], None]}),
    (lifelong.Polynomial, {"terms": I3[:1], "coefficients": [1]}, {"coefficients": [[1, 2], [True], [np.inf], "1", 3]}),
    (F, {"X": I3}, {"X": [I3[0], I2, [[1, 1, 0]]]}),
    (PolynomialTask, {"target": F}, {"target": ["x1"], "distribution": [[0.5], SMALL], "counterexample": ["worst"]}),
    (PolynomialTask(F).member, {"x": I3[0]}, {"x": [[1, 1, 1], [True], None]}),
    (PolynomialTask(F).equivalent, {"h": F}, {"h": [polynomial("x1"), "x1", None]}),
    (lifelong.PolynomialBox, {"f": sum, "n": 3}, {"f": [None], "n": NUMBERS["n"], "distribution": [SMALL]}),
    (lifelong.PolynomialBox, {"f": sum, "n": 3}, {"terms": [-1, 1.5], "points": [0], "rng": [-1]}),
    (lifelong.learn_polynomial, {"task": PolynomialTask(F)}, {"task": ["x1", F, None, ConjunctionTask(I3[0])]}),
    (SharedMonomials, TERMS, NUMBERS | {"bound": [0, "2"], "delta": [0.0, 1.0], "keep": ["some", None], "most": [-1]}),
    (SharedMonomials, TERMS, {"oracle": ["exact", lifelong.Exact()]}),
]
CASES = [(door, good, name, bad) for door, good, spoiled in DOORS for name, values in spoiled.items() for bad in values]


@pytest.mark.parametrize(("door", "good", "name", "bad"), CASES)
def test_a_door_names_what_it_refuses(door, good, name, bad):
    door(**good)
    with pytest.raises((ValueError, TypeError)) as caught:
        door(**(good | {name: bad}))
    assert re.match(rf"{name}: expected .+, got .+", str(caught.value), re.S), caught.value


LEARNERS = [lifelong.ProductLawMetafeatures(**EXAMPLES), WinnowMetafeatures(3, c=1, k=1)]


@pytest.mark.parametrize("learner", [OnlineMetafeatures(3), SharedMonomials(**TERMS), *LEARNERS])
def test_a_learner_refuses_what_it_cannot_learn(learner):
    small = PolynomialTask(polynomial("x1")) if isinstance(learner, SharedMonomials) else ConjunctionTask([True])
    with pytest.raises(ValueError, match=r"^tasks: expected dimension 3 as in the representation, got dimension 1"):
        lifelong.learn_stream([small], learner)
    with pytest.raises(TypeError, match=r"^tasks: expected labels .+, which .+ asks for, got HalfspaceTask"):
        lifelong.learn_stream([lifelong.HalfspaceTask([1.0, 0.0, 0.0], lifelong.Gaussian(3))], learner)
