"""What two levels cost beside one level and beside learning alone: the table of `thm-two-levels`."""

from typing import Any

import numpy as np

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.oracles import Exact, Labels, Sampled
from lifelong.laws import Gaussian
from lifelong.loop import Run, learn_stream
from lifelong_book.halfspaces.levels import instances
from lifelong_book.halfspaces.levels.experiments import level_accuracies
from lifelong_book.halfspaces.levels.oracles import ExactLevels, SampledLevels
from lifelong_book.press.table import Case, Experiment


def _learner(case: Case, rng: np.random.Generator) -> Any:
    n, epsilon, exact = case["n"], case["epsilon"], case["oracles"] == "exact"
    if case["method"] == "one level":
        return SharedSubspace(n, epsilon, oracle=Exact(rng=rng) if exact else Sampled())
    second, first = level_accuracies(case["method"], case["k"], case["tau"], epsilon)
    oracle = ExactLevels(rng=rng) if exact else SampledLevels(tried=5)
    return TwoLevels(n, epsilon, tau=case["tau"], epsilon_acc_second=second, epsilon_acc_first=first, oracle=oracle)


def bill(case: Case, run: Run[Any]) -> dict[str, float]:
    """In the table of two levels beyond the paper's: labels a task for each attempt, counted or, exact, by `Labels`."""
    m, labels = len(run.steps), Labels()
    if case["method"] != "one level":
        each = run.representation.oracle.bill
        return {name: sum(paid[name] for paid in each) / m for name in ("sparse", "dense", "scratch")}
    scratch = run.scratch * labels.afresh(case["n"], case["epsilon"] / 5)
    if case["oracles"] == "samples":
        return {"sparse": 0.0, "dense": (run.counts.labels - scratch) / m, "scratch": scratch / m}
    open_before = np.cumsum([0, *(how == "scratch" for how in run.how)])[:-1]
    dense = sum(sum(labels.within(int(k), case["epsilon"])) for k in open_before if k)
    return {"sparse": 0.0, "dense": dense / m, "scratch": scratch / m}


def _levels(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    n, k, r, tau, m = (case[name] for name in ("n", "k", "r", "tau", "m"))
    _, _, tasks = instances.planted_two_levels(Gaussian(n), k, r, tau, m, rng=rng.spawn(1)[0])
    run = learn_stream(tasks, _learner(case, rng))
    hypotheses, targets = np.array([s.hypothesis for s in run.steps]), np.array([t.target for t in tasks])
    paid = {name: round(labels, 1) for name, labels in bill(case, run).items()}
    return {
        "first": len(run.representation.features),
        "second": len(getattr(run.representation, "second", ())),
        **paid,
        "labels": round(sum(paid.values()), 1),
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
