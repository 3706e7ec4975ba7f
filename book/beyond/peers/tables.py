"""Peers on the same streams with the same labels."""

from typing import Any

import numpy as np

from lifelong_book.beyond.peers.experiments import compare, stream_tasks
from lifelong_book.press.table import Case, Experiment, ranges


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
