"""Learning halfspaces from samples: learners of one task, what sharing saves, and peers with as many labels."""

from typing import Any

import numpy as np

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.instances import planted_halfspaces
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.laws import ISOTROPIC_LAWS, IsotropicLaw, isotropic_law
from lifelong.loop import learn_stream
from lifelong_book.beyond.labels.experiments import compare, crossover, labels_alone, sampled_errors, scaled_errors
from lifelong_book.beyond.labels.instances import stream_tasks
from lifelong_book.halfspaces.subspace.learners import LEARNERS
from lifelong_book.press.table import Case, Experiment, ranges

#: Sizes of the training sets of `learners`, per dimension.
SIZES = (10, 20, 40, 80)


def _learner(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    law = isotropic_law(case["law"], case["n"])
    row: dict[str, Any] = {"failed": 0}
    for size in SIZES:
        scaled = scaled_errors(LEARNERS[case["learner"]], law, size * law.n, case["tasks"], rng=rng)
        row[f"at_{size}"] = round(float(np.nanmean(scaled)), 3)
        row["failed"] += int(np.isnan(scaled).sum())
    row["growth"] = round(row[f"at_{SIZES[-1]}"] / row[f"at_{SIZES[0]}"], 2)
    return row


def _streams(case: Case, law: IsotropicLaw, rng: np.random.Generator) -> dict[str, Any]:
    """Labels of each task, features opened, and errors of all tasks, over the streams of a case."""
    found: dict[str, Any] = {"labels": [], "features": [], "sampled": [], "exact": []}
    for _ in range(case["streams"]):
        _, tasks = planted_halfspaces(law, case["k"], case["m"], rng=rng)
        oracle = Sampled(labels=Labels(fit=case["fit"]))
        run = learn_stream(tasks, SharedSubspace(law.n, case["epsilon"], oracle=oracle))
        found["labels"].append([step.labels for step in run.steps])
        found["features"].append(run.scratch)
        found["sampled"].append(sampled_errors(run, tasks, rng=rng))
        if law.rotation_invariant:
            found["exact"].append([t.error(step.hypothesis) for t, step in zip(tasks, run.steps, strict=True)])
    return {name: np.array(values) for name, values in found.items()}


def _labels(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    """Life-long streams, against independent learning at four readings of "the same error"."""
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


def _case(
    law: str = "gaussian", n: int = 200, k: int = 5, m: int = 300, epsilon: float = 0.1, fit: float = 3.0
) -> dict[str, Any]:
    streams = 6 if n > 200 else 1 if m > 300 else 3
    return {"law": law, "n": n, "k": k, "m": m, "epsilon": epsilon, "fit": fit, "streams": streams}


def _multitask(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    n, k, m = case["n"], case["k"], case["m"]
    opened, sizes, errors = [], [], []
    for _ in range(case["streams"]):
        run, size, found = compare(stream_tasks(case["stream"], n, k, m, rng=rng), k, case["epsilon"])
        opened.append(run.scratch)
        sizes.append(size)
        errors.append(found)
    row = ranges("features", opened) | {"labels": round(float(np.mean(sizes)))}
    for name in errors[0]:
        row[f"{name}, mean"] = round(float(np.mean([found[name] for found in errors])), 4)
        row |= ranges(f"{name}, worst", [float(found[name].max()) for found in errors])
        row[f"{name}, above"] = int(sum((found[name] > case["epsilon"]).sum() for found in errors))
    data = m * row["labels"] * (n + 1)
    kept = {"Algorithm 1": max(opened) * n, "alone": 0, "refit": n * n, "trace norm": data}
    return row | {f"{name}, kept": count for name, count in kept.items()} | {"dictionary, kept": n * k * (n * k + 2)}


def _stream_case(n: int, k: int, m: int, stream: str = "random", streams: int = 6) -> dict[str, Any]:
    return {"stream": stream, "n": n, "k": k, "m": m, "epsilon": 0.1, "streams": streams}


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
            *(_case(n=n, fit=4.0) for n in (500, 200, 100)),
        ),
        _labels,
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
)
