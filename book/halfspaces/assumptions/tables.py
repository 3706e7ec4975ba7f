"""Other laws, wrong labels, and a real stream of digits."""

from dataclasses import replace
from typing import Any

import numpy as np

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.digits import digits
from lifelong_book.halfspaces.subspace.sample_experiments import OUTSIDE, digits_run, noisy_run
from lifelong_book.press.table import Case, Experiment, ranges


def _digits(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    # raw pixels open so many features that ten labels for each would empty the pool
    opened, labels, errors = [], [], []
    for _ in range(case["streams"]):
        data, raw = digits(features=case["features"], rng=rng), case["features"] == 0
        run, found = digits_run(data, case["rule"], case["scratch"], case["tasks"], rng=rng, fit=2 if raw else 10)
        opened.append(run.scratch)
        labels.append(run.counts.labels / case["tasks"])
        errors.append(found)
    alone, means = case["rule"] == "alone", [float(found.mean()) for found in errors]
    row: dict[str, Any] = {"opened": None, "opened, least": None} if alone else ranges("opened", opened)
    return (
        row
        | {"labels": case["scratch"] if alone else round(float(np.mean(labels)))}
        | {"mean error": round(float(np.mean(errors)), 4)}
        | {"mean error, most": round(max(means), 4), "mean error, least": round(min(means), 4)}
        | ranges("worst error", [float(found.max()) for found in errors])
    )


def _digit_case(rule: str, scratch: int, features: int = 1000, tasks: int = 300) -> dict[str, Any]:
    return {"features": features, "rule": rule, "scratch": scratch, "tasks": tasks, "streams": 6}


def _laws(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Streams of Algorithm 1 as it comes; the common space is spanned by axes, or in a random position."""
    law, opened, worst, labels = OUTSIDE[case["law"]], [], [], []
    law = replace(law, n=case.get("n", law.n))
    for _ in range(case["streams"]):
        space = np.eye(law.n)[: case["k"]] if case["space"] == "axes" else rng.standard_normal((case["k"], law.n))
        targets = rng.standard_normal((case["m"], case["k"])) @ space
        tasks = [HalfspaceTask(w, law, rng=r) for w, r in zip(targets, rng.spawn(case["m"]), strict=True)]
        run = learn_stream(tasks, SharedSubspace(law.n, case["epsilon"]))
        opened.append(run.scratch)
        labels.append(run.counts.labels / case["m"])
        worst.append(max(task.error(step.hypothesis) for task, step in zip(tasks, run.steps, strict=True)))
    return ranges("opened", opened) | ranges("worst error", worst) | {"labels": round(float(np.mean(labels)))}


def _noise(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    settings = {"m": case["m"], "width": case["width"], "rng": rng}
    runs = [noisy_run(case["rule"], case["rate"], **settings) for _ in range(case["streams"])]
    return (
        ranges("opened", [run.scratch for run, _ in runs])
        | {
            "labels": round(float(np.mean([run.counts.labels for run, _ in runs]) / case["m"])),
            "mean error": round(float(np.mean([errors for _, errors in runs])), 4),
        }
        | ranges("worst error", [float(errors.max()) for _, errors in runs])
    )


EXPERIMENTS = (
    Experiment(
        "laws",
        "Algorithm 1 under laws outside the assumption, n = 12 unless another is named",
        tuple(
            {"law": law, "space": space, "k": 3, "m": 30, "epsilon": 0.1, "streams": 6} | n
            for n, names in (({}, tuple(OUTSIDE)), ({"n": 100}, ("Gaussian", "product Cauchy")))
            for law in names
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
        "digits",
        "bipartitions of handwritten digits by random Fourier features, or by raw pixels (features = 0)",
        (
            *(_digit_case("life-long", scratch) for scratch in (900, 600, 300)),
            _digit_case("margin", 300),
            *(_digit_case("alone", size) for size in (200, 300, 450, 600, 900)),
            *(_digit_case(rule, 600, 0, tasks=200) for rule in ("life-long", "margin")),
            *(_digit_case("alone", size, 0, tasks=200) for size in (600, 1000)),
        ),
        _digits,
    ),
)
