"""Peers on the same streams with the same labels; other laws, wrong labels, and a real stream of digits."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.digits import Digits, PoolTask, bipartitions, digits
from lifelong.halfspaces.learners import ridge_halfspace
from lifelong.halfspaces.oracles import Labels, Robust
from lifelong.halfspaces.outside import FourBumps, ProductStudent, SignCube, StretchedGaussian, StudentT
from lifelong.halfspaces.peers import OnlineDictionary, independent_halfspaces, task_blocks, trace_norm_halfspaces
from lifelong.halfspaces.tasks import HalfspaceTask, NoisyTask
from lifelong.laws import Gaussian, Law
from lifelong.ledger.tables.table import Case, Experiment
from lifelong.loop import Run, learn_stream

__all__ = [
    "EXPERIMENTS",
    "compare",
    "digits_run",
    "noisy_run",
    "stream_tasks",
]


#: Weights of the trace norm and inverse regularisations of the dictionary; each takes the best for its mean error.
PENALTIES = (1.0, 0.3, 0.1, 0.03)
SMOOTHNESS = (1.0, 10.0, 100.0)


def stream_tasks(kind: str, n: int, k: int, m: int, rng: np.random.Generator) -> list[HalfspaceTask]:
    """Gaussian tasks in a common space.

    Parameters
    ----------
    kind : {"random", "rare"}
        All targets random, or the k-th dimension used by the last task only.
    n, k, m : int
        Dimension, dimension of the common space, number of tasks.
    rng : Generator
        Source of the space, the targets and all examples.

    Returns
    -------
    list of HalfspaceTask

    Notes
    -----
    For `thm-halfspaces`.

    Examples
    --------
    >>> tasks = stream_tasks("rare", 6, 2, 5, np.random.default_rng(0))
    >>> targets = np.array([task.target for task in tasks])
    >>> [int(np.linalg.matrix_rank(rows, tol=1e-9)) for rows in (targets[:-1], targets)]
    [1, 2]
    """
    basis = np.linalg.qr(rng.standard_normal((n, k)))[0].T
    codes = rng.standard_normal((m, k))
    if kind == "rare":
        codes[:-1, -1] = 0.0
        codes[-1] = np.eye(k)[-1]
    return [HalfspaceTask(w, Gaussian(n), rng=r) for w, r in zip(codes @ basis, rng.spawn(m), strict=True)]


def _best(candidates: list[FloatArray], targets: FloatArray) -> FloatArray:
    """Errors of the candidate with the least mean: a choice in favour of the method, since it sees the truth."""
    errors = [np.asarray(angle(W, targets)) / np.pi for W in candidates]
    return min(errors, key=lambda found: float(found.mean()))


def _dictionary(X: FloatArray, y: FloatArray, k: int, C: float) -> FloatArray:
    learner = OnlineDictionary(X.shape[2], k, C=C)
    for rows, labels in zip(X, y, strict=True):
        learner.learn(rows, labels)
    return learner.hypotheses


def compare(
    tasks: list[HalfspaceTask], k: int, epsilon: float
) -> tuple[Run[SharedSubspace], int, dict[str, FloatArray]]:
    """Each method on the same tasks; the peers get the labels of the life-long run, spread equally.

    Parameters
    ----------
    tasks : list of HalfspaceTask
        Gaussian, so that errors are exact.
    k : int
        Dimension of the common space, for the dictionary.
    epsilon : float
        Error allowed a task in the life-long run.

    Returns
    -------
    run : Run
        The life-long run.
    size : int
        Labels a task.
    errors : dict of float64, shape (m,)
        Errors of "life-long", "alone", "trace norm" and "dictionary".

    Notes
    -----
    For `thm-halfspaces`.

    Examples
    --------
    >>> run, size, errors = compare(stream_tasks("random", 6, 2, 8, np.random.default_rng(0)), 2, 0.1)
    >>> run.counts.labels <= 8 * size, sorted(errors)
    (True, ['alone', 'dictionary', 'life-long', 'trace norm'])
    """
    targets = np.array([task.target for task in tasks])
    run = learn_stream(tasks, SharedSubspace(tasks[0].n, epsilon))
    size = -(-run.counts.labels // len(tasks))
    X, y = task_blocks(tasks, size)
    pooled: list[FloatArray] = []
    for penalty in PENALTIES:
        pooled.append(trace_norm_halfspaces(X, y, penalty, start=pooled[-1] if pooled else None))
    found = {
        "life-long": np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)]),
        "alone": _best([independent_halfspaces(X, y)], targets),
        "trace norm": _best(pooled, targets),
        "dictionary": _best([_dictionary(X, y, k, C) for C in SMOOTHNESS], targets),
    }
    return run, size, found


def _range(name: str, values: list[Any]) -> dict[str, Any]:
    """Largest and least value over the streams of a line: a single stream is one draw."""
    return {name: round(max(values), 4), f"{name}, least": round(min(values), 4)}


def _multitask(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    n, k, m = case["n"], case["k"], case["m"]
    opened, sizes, errors = [], [], []
    for _ in range(case["streams"]):
        run, size, found = compare(stream_tasks(case["stream"], n, k, m, rng), k, case["epsilon"])
        opened.append(run.scratch)
        sizes.append(size)
        errors.append(found)
    row = _range("features", opened) | {"labels": round(float(np.mean(sizes)))}
    for name in errors[0]:
        row[f"{name}, mean"] = round(float(np.mean([found[name] for found in errors])), 4)
        row |= _range(f"{name}, worst", [float(found[name].max()) for found in errors])
        row[f"{name}, above"] = int(sum((found[name] > case["epsilon"]).sum() for found in errors))
    kept = {"life-long": max(opened) * n, "alone": 0, "trace norm": m * row["labels"] * (n + 1)}
    return row | {f"{name}, kept": count for name, count in kept.items()} | {"dictionary, kept": n * k * (n * k + 2)}


def _stream_case(n: int, k: int, m: int, stream: str = "random", streams: int = 6) -> dict[str, Any]:
    return {"stream": stream, "n": n, "k": k, "m": m, "epsilon": 0.1, "streams": streams}


def digits_run(
    data: Digits,
    rule: str,
    scratch: int,
    tasks: int,
    rng: np.random.Generator,
    *,
    epsilon: float = 0.05,
    fit: int = 10,
    holdout: int = 100,
) -> tuple[Run[Any], FloatArray]:
    """A stream of bipartitions of the digits, learned by ridge regression.

    Parameters
    ----------
    data : Digits
        Pool and test images.
    rule : {"life-long", "margin", "alone"}
        `algo-one`; the same with `oracles.Robust` and a margin of epsilon / 2; or every task from scratch.
    scratch : int
        Labels of a task from scratch.
    tasks : int
        How many tasks.
    rng : Generator
        Source of the tasks and of the order of the images.
    epsilon : float, default 0.05
        Error allowed a task.
    fit : int, default 10
        Labels for each feature in a fit.
    holdout : int, default 100
        Labels of a test.

    Returns
    -------
    run : Run
        Without steps for "alone".
    errors : float64, shape (tasks,)
        On the test images.

    Notes
    -----
    For `thm-halfspaces` outside its assumptions.

    Examples
    --------
    >>> _, errors = digits_run(digits(0), "alone", 200, 3, np.random.default_rng(0))
    >>> errors.shape
    (3,)
    """
    splits = bipartitions(tasks, rng=rng)
    stream = [PoolTask(data, split, rng=r) for split, r in zip(splits, rng.spawn(tasks), strict=True)]
    n, learner = data.pool.shape[1], partial(ridge_halfspace, penalty=10.0)
    if rule == "alone":
        found = [learner(*task.examples(scratch)) for task in stream]
        return Run(None), np.array([task.error(w) for task, w in zip(stream, found, strict=True)])
    labels = Labels(fit=fit * epsilon, holdout=holdout * epsilon, scratch=scratch * (epsilon / 5) / n)
    oracle = Robust(learner, margin=epsilon / 2 if rule == "margin" else None, labels=labels)
    run = learn_stream(stream, SharedSubspace(n, epsilon, oracle=oracle))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(stream, run.steps, strict=True)])


def _digits(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    # raw pixels open so many features that ten labels for each would empty the pool
    opened, labels, errors = [], [], []
    for _ in range(case["streams"]):
        data, raw = digits(case["features"], rng=rng), case["features"] == 0
        run, found = digits_run(data, case["rule"], case["scratch"], case["tasks"], rng, fit=2 if raw else 10)
        opened.append(run.scratch)
        labels.append(run.counts.labels / case["tasks"])
        errors.append(found)
    alone, means = case["rule"] == "alone", [float(found.mean()) for found in errors]
    row: dict[str, Any] = {"opened": None, "opened, least": None} if alone else _range("opened", opened)
    return (
        row
        | {"labels": case["scratch"] if alone else round(float(np.mean(labels)))}
        | {"mean error": round(float(np.mean(errors)), 4)}
        | {"mean error, most": round(max(means), 4), "mean error, least": round(min(means), 4)}
        | _range("worst error", [float(found.max()) for found in errors])
    )


def _digit_case(rule: str, scratch: int, features: int = 1000, tasks: int = 300) -> dict[str, Any]:
    return {"features": features, "rule": rule, "scratch": scratch, "tasks": tasks, "streams": 6}


#: Laws outside the assumption, by name; the Gaussian one for comparison.
LAWS: dict[str, Law] = {
    "Gaussian": Gaussian(12),
    "Student t, df 3": StudentT(12, 3.0),
    "Student t, df 1": StudentT(12, 1.0),
    "product Student t, df 3": ProductStudent(12, 3.0),
    "product Cauchy": ProductStudent(12, 1.0),
    "near a subspace": StretchedGaussian(12, 6, 0.05),
    "four bumps": FourBumps(12),
    "corners of a cube": SignCube(12),
}


def _laws(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Streams of Algorithm 1 as it comes; the common space is spanned by axes, or in a random position."""
    law, opened, worst, labels = LAWS[case["law"]], [], [], []
    for _ in range(case["streams"]):
        space = np.eye(law.n)[: case["k"]] if case["space"] == "axes" else rng.standard_normal((case["k"], law.n))
        targets = rng.standard_normal((case["m"], case["k"])) @ space
        tasks = [HalfspaceTask(w, law, rng=r) for w, r in zip(targets, rng.spawn(case["m"]), strict=True)]
        run = learn_stream(tasks, SharedSubspace(law.n, case["epsilon"]))
        opened.append(run.scratch)
        labels.append(run.counts.labels / case["m"])
        worst.append(max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)))
    return _range("opened", opened) | _range("worst error", worst) | {"labels": round(float(np.mean(labels)))}


def noisy_run(
    rule: str, rate: float, width: float | None, m: int, rng: np.random.Generator, *, n: int = 12, k: int = 3
) -> tuple[Run[Any], FloatArray]:
    """A Gaussian stream with wrong labels, at epsilon = 0.1.

    Parameters
    ----------
    rule : {"plain", "large", "shift", "margin"}
        `algo-one` as it comes; with many labels; with many labels and a threshold moved by the known rate; or with
        many labels and a margin of epsilon / 2.
    rate : float
        Probability of a flip.
    width : float or None
        Flips within this distance of the boundary only.
    m : int
        Number of tasks.
    rng : Generator
        Source of targets, examples and flips.
    n, k : int, default 12 and 3
        Dimension, and dimension of the common space.

    Returns
    -------
    run : Run
    errors : float64, shape (m,)
        Against the clean targets.

    Notes
    -----
    For `thm-halfspaces` outside its assumptions.

    Examples
    --------
    >>> run, errors = noisy_run("plain", 0.2, None, 5, np.random.default_rng(0), n=6, k=1)
    >>> run.scratch, errors.shape
    (5, (5,))
    """
    epsilon, law = 0.1, Gaussian(n)
    targets = rng.standard_normal((m, k)) @ rng.standard_normal((k, n))
    tasks = [NoisyTask(w, law, rate, width=width, rng=r) for w, r in zip(targets, rng.spawn(m), strict=True)]
    labels = Labels() if rule == "plain" else Labels(fit=10, holdout=100, scratch=6)
    test: dict[str, Any] = {"shift": {"noise": rate}, "margin": {"margin": epsilon / 2}}.get(rule, {})
    run = learn_stream(tasks, SharedSubspace(n, epsilon, oracle=Robust(labels=labels, **test)))
    return run, np.array([task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)])


def _noise(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    runs = [noisy_run(case["rule"], case["rate"], case["width"], case["m"], rng) for _ in range(case["streams"])]
    return (
        _range("opened", [run.scratch for run, _ in runs])
        | {
            "labels": round(float(np.mean([run.counts.labels for run, _ in runs]) / case["m"])),
            "mean error": round(float(np.mean([errors for _, errors in runs])), 4),
        }
        | _range("worst error", [float(errors.max()) for _, errors in runs])
    )


EXPERIMENTS = (
    Experiment(
        "laws",
        "Algorithm 1 under laws outside the assumption, n = 12",
        tuple(
            {"law": law, "space": space, "k": 3, "m": 30, "epsilon": 0.1, "streams": 6}
            for law in LAWS
            for space in ("random", "axes")
        ),
        _laws,
    ),
    Experiment(
        "noise",
        "wrong labels: the test of Algorithm 1 and two repairs, n = 12, k = 3, eps = 0.1",
        tuple(
            {"rate": rate, "width": width, "rule": rule, "m": 30, "streams": 6}
            for rate, width in (
                (0.0, None),
                (0.02, None),
                (0.05, None),
                (0.1, None),
                (0.2, None),
                (0.4, 0.3),
                (1.0, 0.12),
            )
            for rule in ("plain", "large", "shift", "margin")
            if width is None or rule != "shift"
        ),
        _noise,
    ),
    Experiment(
        "multitask",
        "life-long learning and its peers with the same number of labels, eps = 0.1",
        (
            *(_stream_case(50, 3, m) for m in (20, 50, 200)),
            *(_stream_case(100, 5, m) for m in (50, 100, 200)),
            _stream_case(200, 5, 200, streams=1),
            *(_stream_case(n, k, 50, "rare") for n, k in ((50, 3), (100, 5))),
            _stream_case(100, 5, 200, "rare"),
        ),
        _multitask,
    ),
    Experiment(
        "digits",
        "bipartitions of handwritten digits by random Fourier features, or by raw pixels (features = 0)",
        (
            *(_digit_case("life-long", scratch) for scratch in (900, 600, 300)),
            _digit_case("margin", 300),
            *(_digit_case("alone", size, tasks=60) for size in (200, 300, 450, 600, 900)),
            *(_digit_case(rule, 600, 0, tasks=200) for rule in ("life-long", "margin")),
            *(_digit_case("alone", size, 0, tasks=60) for size in (600, 1000)),
        ),
        _digits,
    ),
)
