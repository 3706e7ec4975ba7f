"""The doors of conjunctions and polynomials: what is refused, with an error that names the argument."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import lifelong
from lifelong import (
    BooleanProduct,
    ConjunctionBox,
    ConjunctionTask,
    OnlineMetafeatures,
    Polynomial,
    PolynomialBox,
    PolynomialTask,
    ProductLawMetafeatures,
    SharedMonomials,
    SparseBooleanAutoencoder,
    learn_polynomial,
    metafeatures,
    online_metafeatures,
    represent,
)
from lifelong.conjunctions.bounds import product_sizes
from lifelong.conjunctions.winnow import WinnowMetafeatures
from lifelong.polynomials.polynomial import polynomial

F = polynomial("x1x2 - x3")
LAW = BooleanProduct([0.5, 0.5, 0.5])
CODER: dict[str, Any] = {"c": 1, "k": 1}
TERMS: dict[str, Any] = {"n": 3, "epsilon": 0.1, "bound": 2, "m": 4}
EXAMPLES: dict[str, Any] = {"n": 3, "epsilon": 0.1, "m": 4}


def fitted(**given: Any) -> Any:
    return SparseBooleanAutoencoder(**(CODER | given)).fit(np.eye(3, dtype=bool))


#: Doors with arguments that they take, and for each argument what they refuse.
DOORS: list[tuple[Any, dict[str, Any], dict[str, list[Any]]]] = [
    (metafeatures, {"targets": [[True]]}, {"targets": [[[1, 0]], [True], None, [[True], [True, False]]]}),
    (online_metafeatures, {"targets": [[True]]}, {"targets": [[[0.5]], [[[True]]], "x"]}),
    (
        represent,
        {"target": [True, False], "metafeatures": [[True, False]]},
        {"target": [[1, 0], True, [[True, False]]], "metafeatures": [[True, False], [[True]], [[1, 0]]]},
    ),
    (OnlineMetafeatures, {"n": 3}, {"n": [0, -1, 2.0, True, "3", None]}),
    (
        ProductLawMetafeatures,
        EXAMPLES,
        {
            "n": [0, 1.5],
            "epsilon": [0.0, 1.0, np.nan, "0.1"],
            "m": [0, None, 2.5],
            "delta": [0.0, 1.0],
            "c0": [0.0, 1.5],
            "sizes": [5, product_sizes(4, 0.1, m=5)],
            "rule": ["first"],
        },
    ),
    (
        WinnowMetafeatures,
        {"n": 3, **CODER},
        {"n": [0], "c": [0, 1.5], "k": [0, True], "alpha": [1, 1e7, np.inf, None]},
    ),
    (fitted, {}, {"c": [0, "1"], "k": [0, 1.5], "method": ["lp", None], "attempts": [0], "rng": ["seed", -1]}),
    (fitted().transform, {"targets": np.eye(3, dtype=bool)}, {"targets": [np.eye(2, dtype=bool), np.eye(3)]}),
    (fitted().inverse_transform, {"codes": np.eye(3, dtype=bool)}, {"codes": [np.eye(2, dtype=bool), [[1, 0, 0]]]}),
    (fitted().satisfies, {"targets": np.eye(3, dtype=bool)}, {"targets": [np.eye(2) > 0], "k": [-1, 0.5]}),
    (
        ConjunctionTask,
        {"target": [True, False, True], "distribution": LAW},
        {"target": [[1, 0, 1], [True], []], "distribution": [0.5], "rng": ["seed"]},
    ),
    (
        ConjunctionBox,
        {"f": all, "n": 3, "distribution": LAW},
        {"f": [None, 3], "n": [0, 4, 1.5], "distribution": ["law"], "points": [-1, 0.5], "rng": [-1]},
    ),
    (
        Polynomial,
        {"terms": [[True, False]], "coefficients": [2]},
        {"terms": [[[1, 0]], [True], None], "coefficients": [[1, 2], [True], ["1"], [np.nan], [np.inf], 3, None]},
    ),
    (F, {"X": [[True, True, False]]}, {"X": [[True, True, False], [[True]], [[1, 1, 0]]]}),
    (
        PolynomialTask,
        {"target": F},
        {
            "target": ["x1"],
            "distribution": [0.5, BooleanProduct([0.5])],
            "counterexample": ["worst"],
            "rng": [-1],
        },
    ),
    (
        PolynomialBox,
        {"f": sum, "n": 3},
        {"f": [None], "n": [0], "distribution": [BooleanProduct([0.5])], "terms": [-1, 1.5], "points": [0]},
    ),
    (PolynomialTask(F).member, {"x": [True] * 3}, {"x": [[1, 1, 1], [True], None]}),
    (PolynomialTask(F).equivalent, {"h": F}, {"h": [polynomial("x1"), "x1", None]}),
    (learn_polynomial, {"task": PolynomialTask(F)}, {"task": ["x1", F, None]}),
    (
        SharedMonomials,
        TERMS,
        {
            "n": [0, 2.0],
            "epsilon": [0.0, -1, np.inf],
            "bound": [0, "2"],
            "m": [0, True],
            "delta": [0.0, 1.0],
            "oracle": ["exact", lifelong.Exact()],
            "keep": ["some", None],
            "most": [-1],
        },
    ),
]
CASES = [(door, good, name, bad) for door, good, spoiled in DOORS for name, values in spoiled.items() for bad in values]


@pytest.mark.parametrize(("door", "good", "name", "bad"), CASES)
def test_a_door_names_what_it_refuses(door, good, name, bad):
    door(**good)
    with pytest.raises((ValueError, TypeError)) as caught:
        door(**(good | {name: bad}))
    other = {"n": "|distribution", "m": "|sizes"}.get(name, "")
    assert re.match(rf"({name}{other}): expected .+, got .+", str(caught.value), re.S), caught.value


LEARNERS = [
    OnlineMetafeatures(3),
    ProductLawMetafeatures(**EXAMPLES),
    WinnowMetafeatures(3, c=1, k=1),
    SharedMonomials(**TERMS),
]


@pytest.mark.parametrize("learner", LEARNERS)
def test_a_learner_refuses_what_it_cannot_learn(learner):
    small = PolynomialTask(polynomial("x1")) if isinstance(learner, SharedMonomials) else ConjunctionTask([True])
    with pytest.raises(ValueError, match=r"^task: expected dimension 3 as in the representation, got dimension 1"):
        learner.reuse(small)
    with pytest.raises(TypeError, match=r"^task: expected a task like .+, with .+, got HalfspaceTask"):
        learner.reuse(lifelong.HalfspaceTask([1.0, 0.0, 0.0], lifelong.Gaussian(3)))
