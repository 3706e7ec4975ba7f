"""Random tasks from labels: Algorithm 1, and the change of it that never searches more than k dimensions."""

from typing import Any

import numpy as np

from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.laws import Gaussian
from lifelong_book.beyond.exactly_k.experiments import paid_by_labels
from lifelong_book.beyond.exactly_k.large_directions import LargeDirections
from lifelong_book.press.table import Case, Experiment

#: Numbers of tasks after which the labels a task are noted.
LENGTHS = (100, 300, 1000, 1500)


def _row(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """One learner on a stream that its number alone determines, so that both meet the same tasks."""
    n, k, epsilon, kind = case["n"], case["k"], case["epsilon"], {}
    if case["learner"] == "new":
        large = LargeDirections(k, epsilon / 2)
        kind = {"epsilon_acc": large.epsilon_acc, "searched": large}
    _, tasks = planted_halfspaces(Gaussian(n), k, case["m"], rng=case["stream"])
    kept, searched, errors, paid = paid_by_labels(tasks, epsilon, **kind)
    row = {"kept": kept, "searched": searched, "above": int((errors > epsilon).sum())}
    return row | {f"to {m}": round(int(paid[m - 1]) / m) for m in LENGTHS}


EXPERIMENTS = (
    Experiment(
        "exactly_k",
        "labels a task on random tasks: Algorithm 1, and never more than k dimensions",
        tuple(
            {"stream": stream, "learner": learner, "n": 100, "k": 4, "epsilon": 0.1, "m": LENGTHS[-1]}
            for stream in range(3)
            for learner in ("old", "new")
        ),
        _row,
    ),
)
