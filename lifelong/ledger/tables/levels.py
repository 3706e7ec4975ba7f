"""What two levels cost beside one level and beside learning alone: the table of `thm-two-levels`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from lifelong.halfspaces import instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.algorithm2 import ExactTwoLevel, LabelModel, TwoLevel
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.oracles import Exact, Sampled
from lifelong.laws import Gaussian
from lifelong.ledger.tables.table import Case, Experiment
from lifelong.loop import Run, learn_stream

__all__ = [
    "EXPERIMENTS",
    "accuracies",
    "per_task",
]


#: The constant c^2 at which the printed accuracies are taken.
PRINTED = 0.1


def accuracies(choice: str, k: int, tau: int, epsilon: float) -> tuple[float, float]:
    """The two accuracies of `algo-two` under a choice of parameters.

    Parameters
    ----------
    choice : {"printed", "proved", "quarters"}
        As in `thm-two-levels` with c^2 = 0.1; as in `thm-two-levels-repaired`; a quarter of the one above each.
    k, tau : int
        Dimensions of the common space and of the subspaces.
    epsilon : float
        Error allowed a task.

    Returns
    -------
    second, first : float

    Raises
    ------
    ValueError
        If the choice is none of the three.

    Examples
    --------
    >>> [f"{x:.2g}" for x in accuracies("proved", 60, 2, 0.1)]
    ['0.005', '0.001']
    """
    if choice == "printed":
        second = PRINTED * epsilon**2 / tau
        return second, PRINTED * second**2 / k
    if choice == "proved":
        return epsilon / (10 * tau), epsilon / (50 * tau)
    if choice == "quarters":
        return epsilon / 4, epsilon / 16
    raise ValueError(f"choice: expected 'printed', 'proved' or 'quarters', got {choice!r}")


def per_task(case: Mapping[str, Any], first: int, second: int, model: LabelModel | None = None) -> dict[str, float]:
    """Labels a task in closed form, once so many features of each level are open.

    Parameters
    ----------
    case : mapping
        With n, k, tau, m, epsilon and "method": "alone", "one level" or a choice of `accuracies`.
    first, second : int
        Features of the two levels.
    model : LabelModel, optional

    Returns
    -------
    dict of str to float
        "sparse", "dense" and "scratch". Attempts are billed with all the features open, which is what all but the
        first tasks pay.

    Notes
    -----
    For the example after `thm-two-levels`, where no run would fit a machine.

    Examples
    --------
    >>> case = {"method": "quarters", "n": 1000, "k": 60, "tau": 2, "m": 6000, "epsilon": 0.1}
    >>> {name: round(labels) for name, labels in per_task(case, 60, 120).items()}
    {'sparse': 635, 'dense': 208, 'scratch': 960}
    """
    model = LabelModel() if model is None else model
    n, m, epsilon = case["n"], case["m"], case["epsilon"]
    if case["method"] == "alone":
        return {"sparse": 0.0, "dense": 0.0, "scratch": float(model.scratch(n, epsilon))}
    if case["method"] == "one level":
        dense = float(sum(model.dense(first, epsilon)))
        return {"sparse": 0.0, "dense": dense, "scratch": first * model.scratch(n, epsilon / 5) / m}
    accuracy = accuracies(case["method"], case["k"], case["tau"], epsilon)
    sparse = float(sum(model.sparse(second, case["tau"], epsilon)))
    dense = second * sum(model.dense(first, accuracy[0])) / m
    return {"sparse": sparse, "dense": dense, "scratch": first * model.scratch(n, accuracy[1]) / m}


def _learner(case: Case, rng: np.random.Generator) -> Any:
    n, epsilon, exact = case["n"], case["epsilon"], case["oracles"] == "exact"
    if case["method"] == "one level":
        return SharedSubspace(n, epsilon, oracle=Exact(rng=rng) if exact else Sampled())
    second, first = accuracies(case["method"], case["k"], case["tau"], epsilon)
    if exact:
        return ExactTwoLevel(n, epsilon, case["tau"], second, first, rng=rng)
    return TwoLevel(n, epsilon, case["tau"], second, first, best=5)


def _bill(case: Case, run: Run[Any]) -> dict[str, float]:
    """Labels a task in each tier: counted by the tasks or, for exact oracles, by the model."""
    learner, m = run.representation, len(run.steps)
    tiers = getattr(learner, "bill", None) or getattr(learner, "tiers", None)
    if tiers:
        return {name: sum(tier[name] for tier in tiers) / m for name in ("sparse", "dense", "scratch")}
    scratch = sum(step.how == "scratch" for step in run.steps) * LabelModel().scratch(case["n"], case["epsilon"] / 5)
    if case["oracles"] == "samples":
        return {"sparse": 0.0, "dense": (run.counts.labels - scratch) / m, "scratch": scratch / m}
    open_before = np.cumsum([0, *(how == "scratch" for how in run.how)])[:-1]
    dense = sum(sum(LabelModel().dense(int(k), case["epsilon"])) for k in open_before if k)
    return {"sparse": 0.0, "dense": dense / m, "scratch": scratch / m}


def _levels(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    n, k, r, tau, m = (case[name] for name in ("n", "k", "r", "tau", "m"))
    _, _, tasks = instances.planted_two_levels(Gaussian(n), k, r, tau, m, rng=rng.spawn(1)[0])
    run = learn_stream(tasks, _learner(case, rng))
    hypotheses, targets = np.array([s.hypothesis for s in run.steps]), np.array([t.target for t in tasks])
    bill = {name: round(labels, 1) for name, labels in _bill(case, run).items()}
    return {
        "first": len(run.representation.features),
        "second": len(getattr(run.representation, "second", ())),
        **bill,
        "labels": round(sum(bill.values()), 1),
        "worst_error": round(float(np.max(angle(hypotheses, targets)) / np.pi), 4),
    }


_LARGE = {"n": 1000, "k": 60, "r": 60, "tau": 2, "m": 6000}
_SMALL = {"n": 120, "k": 10, "r": 10, "tau": 2, "m": 400}
_SAMPLED = {"n": 300, "k": 20, "r": 15, "tau": 2, "m": 2000}

LEVELS = Experiment(
    "levels",
    "two levels, one level: features opened and labels a task",
    (
        *(
            {"oracles": "exact", "method": method, "epsilon": epsilon, **_LARGE}
            for epsilon in (0.1, 0.03)
            for method in ("one level", "printed", "proved", "quarters")
        ),
        *(
            {"oracles": "exact", "method": method, "epsilon": 0.1, **_SMALL}
            for method in ("one level", "printed", "proved", "quarters")
        ),
        *({"oracles": "samples", "method": method, "epsilon": 0.1, **_SAMPLED} for method in ("one level", "quarters")),
    ),
    _levels,
)

EXPERIMENTS = (LEVELS,)
