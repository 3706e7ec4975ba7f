"""Learning halfspaces from samples: the learners of one task, and the labels that sharing saves."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.learners import LEARNERS, NotSeparableError, logistic_halfspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import ISOTROPIC_LAWS, IsotropicLaw, isotropic_law
from lifelong.ledger.tables.table import Case, Experiment
from lifelong.loop import Run, learn_stream

__all__ = [
    "EXPERIMENTS",
    "crossover",
    "labels_alone",
    "sampled_errors",
    "scaled_errors",
]


#: Sizes of the training sets of `learners`, per dimension.
SIZES = (10, 20, 40, 80)


def scaled_errors(learner: Any, law: IsotropicLaw, size: int, tasks: int, rng: np.random.Generator) -> FloatArray:
    """Error times size / n of a learner on random targets.

    Parameters
    ----------
    learner : callable (X, y) -> unit vector
        As in `lifelong.learners`.
    law : IsotropicLaw
        Marginal of the examples, in R^n.
    size, tasks : int
        Labels for each target, and number of targets.
    rng : Generator

    Returns
    -------
    float64, shape (tasks,)
        NaN where a learner that must be consistent gave up. It does not change with the size for a learner whose
        error falls like n / size.

    Notes
    -----
    For the labels of `thm-halfspaces`.

    Examples
    --------
    >>> law, rng = isotropic_law("gaussian", 5), np.random.default_rng(0)
    >>> bool(0.2 < scaled_errors(logistic_halfspace, law, 200, 10, rng).mean() < 0.8)
    True
    """
    errors = np.full(tasks, np.nan)
    for i in range(tasks):
        task = HalfspaceTask(rng.standard_normal(law.n), law, rng=rng)
        try:
            errors[i] = task.error(learner(*task.examples(size)), rng=rng)
        except NotSeparableError:
            continue
    return errors * size / law.n


def _learner(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    law = isotropic_law(case["law"], case["n"])
    row: dict[str, Any] = {"failed": 0}
    for size in SIZES:
        scaled = scaled_errors(LEARNERS[case["learner"]], law, size * law.n, case["tasks"], rng)
        row[f"at_{size}"] = round(float(np.nanmean(scaled)), 3)
        row["failed"] += int(np.isnan(scaled).sum())
    row["growth"] = round(row[f"at_{SIZES[-1]}"] / row[f"at_{SIZES[0]}"], 2)
    return row


def sampled_errors(run: Run[Any], tasks: list[HalfspaceTask], size: int, rng: np.random.Generator) -> FloatArray:
    """Error of each hypothesis on one fresh sample that all tasks share; nobody pays for it.

    Parameters
    ----------
    run : Run
        Its hypotheses are halfspaces.
    tasks : list of HalfspaceTask
        Those of the run, under one law.
    size : int
        How many draws.
    rng : Generator

    Returns
    -------
    float64, shape (m,)

    Notes
    -----
    For the predictors of `thm-halfspaces`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> _, tasks = planted_halfspaces(isotropic_law("cube", 5), 2, 4, rng=rng)
    >>> run = learn_stream(tasks, SharedSubspace(5, 0.2))
    >>> bool((sampled_errors(run, tasks, 1000, rng) < 0.3).all())
    True
    """
    X = tasks[0].distribution.sample(size, rng=rng)
    targets = np.array([task.target for task in tasks])
    hypotheses = np.array([step.hypothesis for step in run.steps])
    errors: FloatArray = ((X @ targets.T >= 0) != (X @ hypotheses.T >= 0)).mean(axis=0)
    return errors


@lru_cache(maxsize=1024)
def _alone(law: str, n: int, step: int, tasks: int, seed: int) -> tuple[float, float]:
    """Mean and largest error of logistic regression on 1.4^step n labels of its own, over fresh random targets."""
    rng = np.random.default_rng([n, step, sorted(ISOTROPIC_LAWS).index(law), seed])
    marginal, size = isotropic_law(law, n), round(1.4**step * n)
    test, errors = marginal.sample(20_000, rng=rng), []
    for _ in range(tasks):
        task = HalfspaceTask(rng.standard_normal(n), marginal, rng=rng)
        w = logistic_halfspace(*task.examples(size))
        errors.append(np.mean(signs(test, w) != signs(test, task.target)))
    return float(np.mean(errors)), float(np.max(errors))


def labels_alone(law: str, n: int, error: float, *, largest: bool, tasks: int = 40, seed: int = 0) -> int:
    """Labels a task that logistic regression needs, without sharing, for a given error.

    Parameters
    ----------
    law : str
        Key of `distributions.ISOTROPIC_LAWS`.
    n : int
        Dimension of the examples.
    error : float
        What is to be reached, in (0, 0.3).
    largest : bool
        Whether the largest error of the tasks must be so small, or their mean.
    tasks : int, default 40
        How many random targets.
    seed : int, default 0
        Seed of the targets and examples, the same for every call: settings are compared on equal terms.

    Returns
    -------
    int
        Errors are measured at sizes that grow by 1.4, and the size is interpolated between two of them on
        logarithmic axes.

    Notes
    -----
    What `thm-halfspaces` is compared with.

    Examples
    --------
    >>> 20 < labels_alone("gaussian", 10, 0.1, largest=False, tasks=10) < 60
    True
    """
    step = int(np.log(0.3 / error) / np.log(1.4))
    before = after = _alone(law, n, step, tasks, seed)[largest]
    while after > error:
        step += 1
        before, after = after, _alone(law, n, step, tasks, seed)[largest]
    share = np.log(before / error) / np.log(before / after) if before > after else 1.0
    size: float = 1.4 ** (step - 1 + float(share)) * n
    return round(size)


def crossover(labels: FloatArray, alone: float) -> int | None:
    """Number of tasks from which on sharing has cost fewer labels in all.

    Parameters
    ----------
    labels : array of float, shape (m,)
        Labels of each task, in order.
    alone : float
        Labels a task without sharing.

    Returns
    -------
    int or None
        From so many tasks on, up to m, sharing stays cheaper; None if it is not at the end.

    Notes
    -----
    For the labels of `thm-halfspaces`.

    Examples
    --------
    >>> crossover(np.array([30, 1, 1, 1, 1]), 10), crossover(np.array([30, 9]), 10)
    (4, None)
    """
    behind = np.flatnonzero(np.cumsum(labels) >= alone * np.arange(1, len(labels) + 1))
    first = int(behind[-1]) + 2 if len(behind) else 1
    return first if first <= len(labels) else None


def _streams(case: Case, law: IsotropicLaw, rng: np.random.Generator) -> dict[str, Any]:
    """Labels of each task, features opened, and errors of all tasks, over the streams of a case."""
    found: dict[str, Any] = {"labels": [], "features": [], "sampled": [], "exact": []}
    for _ in range(case["streams"]):
        _, tasks = planted_halfspaces(law, case["k"], case["m"], rng=rng)
        oracle = Sampled(labels=Labels(fit=case["fit"]))
        run = learn_stream(tasks, SharedSubspace(law.n, case["epsilon"], oracle=oracle))
        found["labels"].append([step.labels for step in run.steps])
        found["features"].append(run.scratch)
        found["sampled"].append(sampled_errors(run, tasks, 20_000, rng))
        if law.rotation_invariant:
            found["exact"].append([t.error(step.hypothesis) for t, step in zip(tasks, run.steps, strict=True)])
    return {name: np.array(values) for name, values in found.items()}


def _labels(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Life-long streams, against independent learning at four readings of "the same error".

    The seed of the table is also that of the baseline; each stream is compared with a baseline of its own.
    """
    law, epsilon, seed = isotropic_law(case["law"], case["n"]), case["epsilon"], _seed(rng)
    found = _streams(case, law, rng)
    labels, sampled, exact = found["labels"].mean(axis=0), found["sampled"], found["exact"]
    baselines = [labels_alone(case["law"], law.n, epsilon, largest=True, seed=seed + i) for i in range(case["streams"])]
    paid = found["labels"].mean(axis=1)
    ratios = np.array(baselines) / paid
    alone = round(float(np.mean(baselines)))
    above = (sampled > epsilon) | (exact > epsilon) if len(exact) else sampled > epsilon
    return {
        "features": int(found["features"].max()),
        "labels": round(float(labels.mean())),
        "labels_least": round(float(paid.min())),
        "labels_most": round(float(paid.max())),
        "largest_error": round(float(sampled.max()), 4),
        "largest_exactly": round(float(exact.max()), 4) if len(exact) else None,
        "above_eps": int(above.sum()),
        "mean_error": round(float(sampled.mean()), 4),
        "alone": alone,
        "alone_mean_eps": labels_alone(case["law"], law.n, epsilon, largest=False, seed=seed),
        "alone_same_largest": labels_alone(case["law"], law.n, float(sampled.max()), largest=True, seed=seed),
        "alone_same_mean": labels_alone(case["law"], law.n, float(sampled.mean()), largest=False, seed=seed),
        "ratio": round(alone / float(labels.mean()), 2),
        "ratio_least": round(float(ratios.min()), 2),
        "ratio_most": round(float(ratios.max()), 2),
        "crossover": crossover(labels, alone),
    }


def _seed(rng: np.random.Generator) -> int:
    """The seed of the whole table, from which the generator of a case was spawned."""
    return int(rng.bit_generator.seed_seq.entropy)  # type: ignore[attr-defined]


def _case(law: str = "gaussian", n: int = 200, k: int = 5, m: int = 300, epsilon: float = 0.1) -> dict[str, Any]:
    streams = 6 if n > 200 else 1 if m > 300 else 3
    return {"law": law, "n": n, "k": k, "m": m, "epsilon": epsilon, "fit": 3.0, "streams": streams}


EXPERIMENTS = (
    Experiment(
        "learners",
        "error times size / n of the learners of one halfspace, on 10 n to 80 n labels",
        tuple({"law": law, "learner": name, "n": 20, "tasks": 10} for law in ISOTROPIC_LAWS for name in LEARNERS),
        _learner,
    ),
    Experiment(
        "labels",
        "labels a task: life-long in a common subspace, and without sharing",
        (
            _case(n=500),
            *(_case(law=law) for law in ISOTROPIC_LAWS),
            *(_case(n=n) for n in (20, 50, 100)),
            *(_case(k=k) for k in (1, 2, 10, 20)),
            *(_case(m=m) for m in (10, 30, 100, 1000)),
            *(_case(epsilon=epsilon) for epsilon in (0.2, 0.05)),
        ),
        _labels,
    ),
)
