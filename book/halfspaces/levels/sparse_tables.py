"""How few labels a sparse learner needs: the first tier of `algo-two`, by four ways of looking."""

from __future__ import annotations

from typing import Any

import numpy as np

from lifelong_book.halfspaces.levels.experiments import sparse_success
from lifelong_book.halfspaces.levels.sparse import SPARSE_LEARNERS
from lifelong_book.press.table import Case, Experiment


def _sparse(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    return {"success": round(sparse_success(**case, rng=rng), 4)}


SPARSE = Experiment(
    "sparse",
    "two of sixteen features: how often each learner reaches error 0.1",
    tuple(
        {"learner": name, "target": kind, "r": 16, "k": 6, "epsilon": 0.1, "labels": labels, "trials": 40}
        for name in SPARSE_LEARNERS
        for kind in ("combination", "difference")
        for labels in (20, 40, 80, 160)
    ),
    _sparse,
)

EXPERIMENTS = (SPARSE,)
