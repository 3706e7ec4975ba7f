"""What the direct learner costs beside one level and beside two: the table of `thm-direct`."""

from typing import Any

import numpy as np

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.oracles import Exact, Labels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.beyond.two_levels import limits
from lifelong_book.beyond.two_levels.direct import SparseDictionary
from lifelong_book.beyond.two_levels.experiments import GivenLevels, direct_labels, random_counts
from lifelong_book.beyond.two_levels.instances import tilted_triples
from lifelong_book.beyond.two_levels.levels_tables import bill
from lifelong_book.halfspaces.levels.oracles import ExactLevels
from lifelong_book.press.table import Case, Experiment


def _stream(case: Case, rng: np.random.Generator) -> tuple[Any, Any, Any]:
    """Targets in random planes of a common space; for the adversary the first are leaning triples, with answers."""
    n, k, r, m = (case[name] for name in ("n", "k", "r", "m"))
    bases = np.zeros((r, 2, n))
    bases[:, :, :k] = np.swapaxes(np.linalg.qr(rng.standard_normal((r, k, 2)))[0], 1, 2)
    targets = unit(np.einsum("mi,min->mn", rng.standard_normal((m, 2)), bases[rng.integers(r, size=m)]))
    if case["method"] != "direct, adversarial":
        return targets, None, None
    triples = tilted_triples(bases, case["epsilon"], case["second"])
    targets[: 3 * r] = triples.true
    return targets, triples.true, triples.learned


def _learner(case: Case, true: Any, learned: Any, rng: np.random.Generator) -> Any:
    n, epsilon, second = case["n"], case["epsilon"], case["second"]
    if case["method"] == "one level":
        return SharedSubspace(n, epsilon, oracle=Exact(rng=rng))
    if case["method"] == "two levels":
        first = second / 5
        return TwoLevels(
            n, epsilon, tau=2, epsilon_acc_second=second, epsilon_acc_first=first, oracle=ExactLevels(rng=rng)
        )
    if case["method"] == "direct, adversarial":
        oracle: ExactLevels = GivenLevels(true, learned, rng=rng)
    else:
        oracle = ExactLevels("common" if case["method"] == "direct, one direction" else "random", rng=rng)
    return SparseDictionary(n, epsilon, tau=2, epsilon_acc=second, oracle=oracle)


def _direct(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    targets, true, learned = _stream(case, rng)
    law = Gaussian(case["n"])
    run = learn_stream((HalfspaceTask(t, law) for t in targets), _learner(case, true, learned, rng))
    errors = angle(np.array([s.hypothesis for s in run.steps]), targets) / np.pi
    paid = bill({**case, "oracles": "exact"}, run)
    worst = None
    if case["method"].startswith("direct"):
        features = case["r"] * limits.plane_features(case["epsilon"], case["second"])
        size = {"n": case["n"], "tau": 2, "m": case["m"], "epsilon": case["epsilon"], "epsilon_acc": case["second"]}
        worst = round(sum(direct_labels(**size, features=features).values()), 1)
    return {
        "features": run.how.count("scratch"),
        "composed": run.how.count("composed"),
        **{name: round(labels, 1) for name, labels in paid.items()},
        "labels": round(sum(paid.values()), 1),
        "worst": worst,
        "worst_error": round(float(np.max(errors)), 4),
    }


def _tuned(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    r, second, first = case["r"], case["second"], case["first"]
    sizes, m, streams = Labels(), 100 * r, []
    for stream in rng.spawn(3):
        below, features = random_counts(r, second, first, rng=stream)
        paid = sum(sizes.sparse(features, 2, 0.1)) + below * sizes.afresh(1000, first or second) / m
        if first is None:
            paid += features * sizes.afresh(1000, second) / m
        else:
            paid += features * sum(sizes.within(below, second)) / m
        streams.append((below, features, paid))
    below, features, paid = np.mean(streams, axis=0)
    least, *_, most = sorted(round(float(stream[2]), 1) for stream in streams)
    counts = {"below": round(float(below), 1), "features": round(float(features), 1)}
    return {**counts, "labels": round(float(paid), 1), "labels_least": least, "labels_most": most}


#: Accuracies of features, with and without a level below, and numbers of planes; n = 1000, k = 60, error 0.1.
_ACCURACIES = ((0.025, None), (0.025, 0.0125), (0.08, None), (0.08, 0.04))
_PLANES = (60, 100, 150, 200, 300)

#: Dimensions, subspaces, tasks, error, and the accuracy of a feature: a little finer than where three or four
#: features serve a plane.
_SIZES = (
    {"n": 1000, "k": 60, "r": 60, "m": 6000, "epsilon": 0.1, "second": 0.0255},
    {"n": 1000, "k": 60, "r": 60, "m": 6000, "epsilon": 0.03, "second": 0.0067},
    {"n": 300, "k": 10, "r": 80, "m": 4000, "epsilon": 0.1, "second": 0.0255},
)
_METHODS = ("one level", "two levels", "direct, random", "direct, one direction", "direct, adversarial")

EXPERIMENTS = (
    Experiment(
        "direct",
        "features learned from scratch and labels a task: one level, two levels, and the direct learner",
        tuple({"method": method, **size} for size in _SIZES for method in _METHODS),
        _direct,
    ),
    Experiment(
        "tuned",
        "labels a task on random tasks, three streams each, by the accuracies (no lower one: the direct learner)",
        tuple({"second": second, "first": first, "r": r} for second, first in _ACCURACIES for r in _PLANES),
        _tuned,
    ),
)
