"""A real learner on the targets of the chain, in an unlucky order."""

from typing import Any

import numpy as np

from lifelong import Gaussian, HalfspaceTask, SharedSubspace, learn_stream
from lifelong.halfspaces import instances
from lifelong.halfspaces.angles import angle_to_subspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong_book.halfspaces.subspace.experiments import printed_accuracy
from lifelong_book.halfspaces.subspace.learners import patient_logistic
from lifelong_book.press.table import Case, Experiment

#: Logistic regression almost without a penalty, with twice the usual labels for a feature and six times for a test.
PATIENT = Sampled(
    scratch_learner=patient_logistic,
    labels=Labels(scratch=1.2, holdout=120),
)


def unlucky_tasks(accuracy: float, order: str, rng: Any) -> list[HalfspaceTask]:
    """Tasks of the repaired theorem's long runs: the chain's targets, rotated, in its order or in a random one."""
    k, n, rng = 10, 12, np.random.default_rng(rng)
    targets = instances.chain_stream(k, 0.1, accuracy)[0]
    turn = np.linalg.qr(rng.standard_normal((n, n)))[0]
    targets = np.pad(targets, ((0, 0), (0, n - k - 1))) @ turn
    if order == "random":
        targets = targets[rng.permutation(k + 1)]
    pairs = zip(targets, rng.spawn(k + 1), strict=True)
    return [HalfspaceTask(a, Gaussian(n), rng=r) for a, r in pairs]


def unlucky_run(tasks: list[HalfspaceTask], shared: SharedSubspace) -> dict[str, Any]:
    """A long run of the repaired theorem: what a learner makes of unlucky tasks, and the error left for the last."""
    run = learn_stream(tasks, shared)
    done = zip(tasks, run.steps, strict=True)
    e = [t.error(s.hypothesis) for t, s in done if s.how == "scratch"]
    known = shared.features[: run.how[:-1].count("scratch")]
    best = float(angle_to_subspace(tasks[-1].target, known)) / np.pi
    return {
        "opened": run.scratch,
        "reached": round(max(e) / shared.epsilon_acc, 2),
        "best": round(best, 3),
        "labels": run.counts.labels,
    }


def _unlucky(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    accuracy = float(printed_accuracy(10, 0.1)) if case["choice"] == "printed" else 0.1**2 / 10
    tasks = unlucky_tasks(accuracy, case["order"], rng)
    return unlucky_run(tasks, SharedSubspace(12, 0.1, epsilon_acc=accuracy, oracle=PATIENT))


UNLUCKY_ORDER = Experiment(
    "unlucky_order",
    "a logistic learner on the chain's targets, k = 10 and eps = 0.1",
    tuple(
        {"choice": choice, "order": order, "stream": stream}
        for choice in ("eps^2/10", "printed")
        for order in ("chain", "random")
        for stream in range(10)
    ),
    _unlucky,
)

EXPERIMENTS = (UNLUCKY_ORDER,)
