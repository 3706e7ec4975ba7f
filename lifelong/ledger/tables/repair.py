"""Two tables for Algorithm 1: features and labels against the accuracy, and a real learner on an unlucky order."""

from __future__ import annotations

from math import ceil, floor, log, sqrt
from typing import Any

import numpy as np
from mpmath import mp

from lifelong import laws
from lifelong._checks import FloatArray, number
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle_to_subspace, unit
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.ledger.claims.halfspaces import exact_run, greedy_openings, printed_accuracy, random_targets
from lifelong.ledger.claims.repair import openings_by_cause
from lifelong.ledger.tables.table import Case, Experiment
from lifelong.loop import Run, learn_stream

__all__ = [
    "ACCURACY",
    "EXPERIMENTS",
    "UNLUCKY_ORDER",
    "accuracy_of",
    "labels_a_task",
    "patient_logistic",
    "unlucky_run",
]


#: The stream for which labels are counted: variables and tasks.
VARIABLES, TASKS = 500, 1000

#: Smallest power of 1/10 at which the family of 2k - 2 targets exists at eps^2/2.
DOUBLING = ((3, 2), (4, 3), (5, 3), (6, 4), (7, 5), (8, 6))

#: What the choices of an accuracy are called: epsilon over a number, and the three of the order of a power.
CHOICES = ("eps/2", "eps/3", "eps/4", "eps/5", "eps/8", "eps^2/2", "printed", "exact")


def accuracy_of(choice: str, k: int, epsilon: float) -> float:
    """The accuracy behind its name in the tables.

    Parameters
    ----------
    choice : str
        "eps/2" to "eps/8"; "eps^2/2"; "printed", the one of `thm-halfspaces`; "exact", the coarsest one that
        `thm-halfspaces-small-error` certifies.
    k : int
        Dimension of the common subspace.
    epsilon : float
        Error allowed a task.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        If `choice` is none of these.

    Examples
    --------
    >>> [round(accuracy_of(name, 3, 0.1), 4) for name in ("eps/5", "eps^2/2", "printed", "exact")]
    [0.02, 0.005, 0.0001, 0.0038]
    """
    if choice not in CHOICES:
        raise ValueError(f"choice: expected one of {', '.join(CHOICES)}, got {choice!r}")
    if choice == "exact":
        return bounds.accuracy_exact(k, epsilon)
    if choice == "printed":
        return float(printed_accuracy(k, epsilon))
    return epsilon**2 / 2 if choice == "eps^2/2" else epsilon / int(choice[-1])


def labels_a_task(
    features: float, epsilon: float, epsilon_acc: float, *, variables: int = VARIABLES, tasks: int = TASKS
) -> float:
    r"""Labels a task that `oracles.Sampled` draws at most, when so many features are opened in all.

    Parameters
    ----------
    features : float
        Number of features opened, at least 0.
    epsilon, epsilon_acc : float
        Errors allowed a task and reached from scratch, in (0, 1/2).
    variables, tasks : int
        Size of the stream.

    Returns
    -------
    float
        What the features cost from scratch, shared by all tasks, and an attempt with all of them open.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The :math:`\tilde O(nk/\epsilon_{acc}+km/\epsilon)` of `thm-halfspaces` with the numbers of `oracles.Labels`.

    Examples
    --------
    >>> labels_a_task(5, 0.1, 0.02)
    475.0
    """
    features = number("features", features, low=0.0, high=np.inf)
    half = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
    e = number("epsilon", epsilon, **half)  # type: ignore[arg-type]
    a = number("epsilon_acc", epsilon_acc, **half)  # type: ignore[arg-type]
    scratch = ceil(0.6 * variables / a)
    return float(features * scratch / tasks + ceil(4 * features / e) + ceil(20 / e))


def patient_logistic(X: FloatArray, y: Any) -> FloatArray:
    """Logistic regression with so little regularisation that its error still falls at a million labels.

    Parameters
    ----------
    X : float64, shape (size, n)
    y : int, shape (size,), values -1 and 1

    Returns
    -------
    float64, shape (n,)
        A unit vector.

    Notes
    -----
    `learners.logistic_halfspace` stops at an error of about 1e-4: too early for the accuracy of `thm-halfspaces`.

    Examples
    --------
    >>> print(abs(np.round(patient_logistic(np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1, -1])), 6)))
    [1. 0.]
    """
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression(C=1e6, tol=1e-6, fit_intercept=False, max_iter=5000).fit(X, y)
    return unit(np.asarray(model.coef_[0]))


# accuracy ------------------------------------------------------------------------------------------------


def _random_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, Any]:
    """Features that 20 streams of 60 random tasks open, errors in random directions."""
    streams = [random_targets(k, k + 50, 60, rng) for _ in range(20)]
    opened = [exact_run(targets, epsilon, acc, "random", rng).scratch for targets in streams]
    return {"random_mean": float(np.mean(opened)), "random_max": max(opened)}


def _sampled_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, Any]:
    """The same from samples: 5 streams of 40 random tasks in 20 variables, holdouts and all, openings by their cause.

    With the default sizes of `oracles.Labels`, but a learner from scratch that can reach the finest accuracies.
    """
    n, opened, reached, causes = 20, [], 0.0, []
    for child in rng.spawn(5):
        _, tasks = instances.planted_halfspaces(laws.Gaussian(n), k, 40, rng=child)
        oracle = Sampled(scratch_learner=patient_logistic, labels=Labels(scratch=0.8))
        run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc, oracle=oracle))
        opened.append(run.scratch)
        errors = [t.error(s.hypothesis) for t, s in zip(tasks, run.steps, strict=True) if s.how == "scratch"]
        reached = max(reached, max(errors) / acc)
        causes.append(openings_by_cause(run, [task.target for task in tasks], epsilon, acc))
    return {
        "sampled_mean": float(np.mean(opened)),
        "sampled_max": max(opened),
        "sampled_reached": round(reached, 2),
        **{f"sampled_{cause}": max(found[cause] for found in causes) for cause in causes[0]},
    }


def _families(k: int, epsilon: float, acc: float) -> dict[str, int]:
    """Features opened by the explicit families, in 200 digits."""
    opened = {}
    for name, family in (("doubling", instances.doubling_family), ("logarithmic", instances.logarithmic_family)):
        try:
            rows = family(k, mp.mpf(epsilon), mp.mpf(acc))
        except ValueError:  # this epsilon is too large for the family
            continue
        opened[name] = sum(x > 1 for x in instances.refusals(rows, mp.mpf(epsilon), mp.mpf(acc)))
    return opened


def _worst_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, int]:
    """Features opened by every adversary of the book."""
    opened = _families(k, epsilon, acc)
    if epsilon >= 1e-3:  # beyond that doubles hold neither of these
        opened["hair"] = max(greedy_openings(k, epsilon, acc, rng) for _ in range(100))
        targets, accuracy = instances.chain_stream(k, epsilon, acc)
        opened["chain"] = exact_run(targets, epsilon, accuracy, "common").scratch
    return opened


def _bound(k: int, epsilon: float, acc: float) -> float | None:
    """The least bound that is proved for exact oracles and targets in a k-space, if any."""
    known = [bounds.volume_bound(k, epsilon, acc)]
    if acc <= bounds.accuracy_exact(k, epsilon):
        known.append(float(k))
    if acc <= epsilon**2 / 2 and epsilon <= 0.4:
        known.append(float(bounds.features_exact(k)))
    return min(known) if np.isfinite(min(known)) else None


def _accuracy(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    k, epsilon = case["k"], case["epsilon"]
    acc = accuracy_of(case["choice"], k, epsilon)
    row: dict[str, Any] = {"epsilon_acc": acc, "random_mean": None, "random_max": None}
    row |= dict.fromkeys(f"sampled_{column}" for column in ("mean", "max", "reached", "needed", "refused", "missed"))
    if epsilon >= 1e-3:
        row |= _random_streams(k, epsilon, acc, rng)
    if epsilon >= 0.1 and acc >= 1e-5:
        row |= _sampled_streams(k, epsilon, acc, rng)
    worst = _worst_streams(k, epsilon, acc, rng)
    bound = _bound(k, epsilon, acc)
    row |= {"worst": max(worst.values()), "worst_stream": max(worst, key=lambda name: worst[name]), "bound": bound}
    charged = {"random": row["random_mean"], "worst": row["worst"], "bound": bound}
    return row | {
        f"labels_{name}": None if count is None else round(labels_a_task(count, epsilon, acc))
        for name, count in charged.items()
    }


def logarithmic_size(k: int, epsilon: float, epsilon_acc: float) -> int:
    """Size of `instances.logarithmic_family` by its formula."""
    sine = np.sin(np.pi * epsilon)
    growth = sqrt(1 + (sine / np.tan(np.pi * epsilon_acc)) ** 2)
    return 1 + (k - 1) * (1 + floor(log(1 / sine) / log(growth)))


ACCURACY = Experiment(
    "accuracy",
    "features and labels a task against the accuracy from scratch",
    (
        *({"k": k, "epsilon": 0.1, "choice": choice} for k in (3, 5, 10) for choice in CHOICES),
        *({"k": k, "epsilon": 10.0**-half, "choice": "eps^2/2"} for k, half in DOUBLING),
        *({"k": k, "epsilon": 10.0**-p, "choice": "eps/5"} for k in (3, 5, 10) for p in (3, 6, 12)),
    ),
    _accuracy,
)


# unlucky_order -------------------------------------------------------------------------------------------


def unlucky_run(
    accuracy: float, order: str, rng: np.random.Generator, *, k: int = 10, epsilon: float = 0.1, n: int = 12
) -> tuple[Run[SharedSubspace], dict[str, Any]]:
    """Algorithm 1 with a logistic learner on the targets of the chain, in the chain's order or in a random one.

    Parameters
    ----------
    accuracy : float
        Error to which a task is learned from scratch, in (0, epsilon).
    order : {"chain", "random"}
        Order of the targets.
    rng : Generator
        Source of a rotation of space, of the random order and of all examples.
    k : int, default 10
        Dimension of the common subspace.
    epsilon : float, default 0.1
        Error allowed a task.
    n : int, default 12
        Dimension of the examples, above k.

    Returns
    -------
    run : Run
        Every label counted.
    found : dict
        Features `opened`; `reached`, the largest error of a vector from scratch over `accuracy`; `best`, the best
        error for the last target in the span of the features that were open before it; `labels`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    Refutes `thm-halfspaces` without an adversary who picks the errors: nobody but the learner does. The holdout of
    `lem-holdout` is large, so that a span with best error just above epsilon is seldom accepted.

    Examples
    --------
    >>> run, found = unlucky_run(0.001, "chain", np.random.default_rng(0))
    >>> found["opened"] == run.scratch, found["reached"] <= 1
    (True, True)
    """
    if order not in ("chain", "random"):
        raise ValueError(f"order: expected 'chain' or 'random', got {order!r}")
    targets = instances.chain_stream(k, epsilon, accuracy)[0]
    rotation = np.linalg.qr(rng.standard_normal((n, n)))[0]
    targets = np.pad(targets, ((0, 0), (0, n - k - 1))) @ rotation
    if order == "random":
        targets = targets[rng.permutation(k + 1)]
    tasks = [HalfspaceTask(t, laws.Gaussian(n), rng=r) for t, r in zip(targets, rng.spawn(k + 1), strict=True)]
    oracle = Sampled(scratch_learner=patient_logistic, labels=Labels(scratch=1.2, holdout=120))
    run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=accuracy, oracle=oracle))
    pairs = zip(tasks, run.steps, strict=True)
    reached = max(task.error(step.hypothesis) for task, step in pairs if step.how == "scratch")
    before = run.representation.features[: run.how[:-1].count("scratch")]
    return run, {
        "opened": run.scratch,
        "reached": round(reached / accuracy, 2),
        "best": round(float(angle_to_subspace(targets[-1], before)) / np.pi, 2),
        "labels": run.counts.labels,
    }


def _unlucky(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    accuracy = accuracy_of("printed", 10, 0.1) if case["choice"] == "printed" else 0.1**2 / 10
    return unlucky_run(accuracy, case["order"], rng)[1]


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

EXPERIMENTS = (ACCURACY, UNLUCKY_ORDER)
