"""How few labels a sparse learner needs: the first tier of `algo-two`, by four ways of looking."""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.sparse import SPARSE_LEARNERS
from lifelong.ledger.tables.table import Case, Experiment

__all__ = [
    "EXPERIMENTS",
    "sparse_success",
]


def sparse_success(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Share of trials in which a sparse learner reaches the error it is allowed.

    Parameters
    ----------
    case : mapping
        "learner", a name in `SPARSE_LEARNERS`; "target", "combination" of two random features with random weights, or
        "difference" of two that point to the same side; features r in k dimensions, epsilon, labels and trials.
    rng : Generator

    Returns
    -------
    dict
        "success", a share in [0, 1]; a learner that finds nothing consistent has not succeeded.

    Notes
    -----
    For the first tier of `algo-two`, with Gaussian examples.

    Examples
    --------
    >>> case = {"learner": "enumeration", "target": "combination", "r": 5, "k": 5, "epsilon": 0.1}
    >>> sparse_success({**case, "labels": 200, "trials": 3}, np.random.default_rng(0))
    {'success': 1.0}
    """
    hits = 0
    for _ in range(case["trials"]):
        features = unit(rng.standard_normal((case["r"], case["k"])))
        i, j = rng.choice(case["r"], 2, replace=False)
        weights = rng.standard_normal(2)
        if case["target"] == "difference":
            weights = np.array([1.0, -1.0 if features[i] @ features[j] > 0 else 1.0])
        target = unit(weights @ features[[i, j]])
        X = rng.standard_normal((case["labels"], case["k"]))
        y = np.where(X @ target >= 0, 1, -1)
        try:
            hypothesis = SPARSE_LEARNERS[case["learner"]](X @ features.T, y, 2) @ features
        except ValueError:
            continue
        hits += bool(angle(hypothesis, target) <= np.pi * case["epsilon"])
    return {"success": round(hits / case["trials"], 4)}


SPARSE = Experiment(
    "sparse",
    "two of sixteen features: how often each learner reaches error 0.1",
    tuple(
        {"learner": name, "target": kind, "r": 16, "k": 6, "epsilon": 0.1, "labels": labels, "trials": 40}
        for name in SPARSE_LEARNERS
        for kind in ("combination", "difference")
        for labels in (20, 40, 80, 160)
    ),
    sparse_success,
)

EXPERIMENTS = (SPARSE,)
