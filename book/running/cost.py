"""What the core of the package costs, beside its limit and its peers: `python -m lifelong_book.running.cost`.

The limit is the linear algebra that a method needs whatever the code around it, timed on the same input. Every ratio
comes from rounds in which all are called one after the other, in one process and one thread, and is the median over
the rounds with its quartiles; the clock counts processor time, so that a busy machine does little harm. A peer is tried
at growing sizes until it takes a third of a second. One run makes the whole table, in less than five minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import lifelong
from lifelong._checks import BoolArray
from lifelong.conjunctions import instances
from lifelong.conjunctions.algorithm3 import metafeatures_as_printed
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong.halfspaces.oracles import Exact
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong_book.beyond.noise import peers
from lifelong_book.beyond.noise.tolerance import fits
from lifelong_book.conjunctions.consistency.instances import trim
from lifelong_book.halfspaces.subspace.learners import hard_margin_halfspace

if TYPE_CHECKING:
    from rich.table import Table

Calls = dict[str, Callable[[], Any]]  # "ours", "limit", and the peers by their names


@dataclass(frozen=True)
class _Subject:
    """A method whose cost is measured, its limit in words, and its sizes: one at a time is varied, the others stay."""

    name: str
    limit: str
    calls: Callable[..., Calls]
    sizes: dict[str, int]
    varied: dict[str, tuple[int, ...]]

    def cases(self) -> list[tuple[str, dict[str, int]]]:
        """The parameter that varies, and all sizes; small ones first."""
        return [(name, self.sizes | {name: size}) for name, sizes in self.varied.items() for size in sizes]


def angles(pairs: int, n: int, k: int) -> Calls:
    """What is timed: largest angles between pairs of spans, beside limit and peer."""
    from scipy.linalg import subspace_angles

    U, V = np.random.default_rng(0).standard_normal((2, pairs, k, n))

    def limit() -> Any:
        P, Q = (np.linalg.qr(np.swapaxes(rows, -1, -2))[0] for rows in (U, V))
        return np.linalg.svd(np.swapaxes(P, -1, -2) @ Q, compute_uv=False)

    return {
        "ours": lambda: lifelong.subspace_angle(U, V),
        "limit": limit,
        "scipy.linalg.subspace_angles, in a loop": lambda: [
            subspace_angles(u.T, v.T)[0] for u, v in zip(U, V, strict=True)
        ],
    }


def _attribute_concepts(targets: BoolArray) -> tuple[BoolArray, BoolArray]:
    """What Algorithm 3 computes, out of `concepts`: attribute concepts of the variables minimal in some target."""
    from concepts import Context

    m, n = targets.shape
    variables = [f"v{j}" for j in range(n)]
    used = [v for v, column in zip(variables, targets.T, strict=True) if column.any()]
    context = Context([f"t{i}" for i in range(m)], variables, [tuple(row) for row in targets.tolist()])
    extents = {v: context.extension([v]) for v in used}
    sets = {v: frozenset(extent) for v, extent in extents.items()}
    blocked = {v: frozenset().union(*(s for s in sets.values() if s < sets[v])) for v in used}
    found = {context.intension(extents[v]) for v in used if sets[v] - blocked[v]}
    pieces = np.array([[v in intent for v in variables] for intent in found])
    return fits(targets, pieces), pieces


def planted(m: int, n: int, k: int) -> Calls:
    """What is timed: Algorithm 3 on unions of planted metafeatures, beside limit and peers."""
    _, targets = instances.planted_conjunctions(n, k=k, m=m, overlap=0.01, per_target=10, rng=0)
    return _algorithm_3(targets) | {
        "concepts": lambda: _attribute_concepts(targets),
        "scikit-learn NMF": lambda: peers.thresholded_nmf(targets, k=k),
    }


def dense(m: int, n: int) -> Calls:
    """What is timed: Algorithm 3 on fair coin tosses, where no two variables are alike, and nothing is merged."""
    return _algorithm_3(np.random.default_rng(0).random((m, n)) < 0.5)


def _algorithm_3(targets: BoolArray) -> Calls:
    """Algorithm 3 beside its limit: what planted and dense targets have in common."""
    A = targets.astype(np.float32)
    return {
        "ours": lambda: lifelong.metafeatures(targets),
        "limit": lambda: A.T @ A,
        "the printed loop": lambda: metafeatures_as_printed(targets),
    }


def trimming(k: int, n: int) -> Calls:
    """What is timed: `trim` on metafeatures of which each holds the one before, the most that there is to take away."""
    M = np.tril(np.ones((k, n), dtype=bool), n - k)
    rows = M.astype(np.float32)
    return {"ours": lambda: trim(M), "limit": lambda: rows @ rows.T}


def streams(m: int, n: int, k: int) -> Calls:
    """What is timed: Algorithm 1 with exact answers, beside the projection of all targets on the span at the end."""
    rng = np.random.default_rng(0)
    targets = rng.standard_normal((m, k)) @ rng.standard_normal((k, n))
    tasks = [HalfspaceTask(w, Gaussian(n)) for w in targets]
    basis = np.linalg.qr(targets[:k].T)[0].T
    return {
        "ours": lambda: lifelong.learn_stream(tasks, SharedSubspace(n, 0.1, epsilon_acc=0.001, oracle=Exact(rng=0))),
        "limit": lambda: (targets @ basis.T) @ basis,
    }


def learners(labels: int, n: int) -> Calls:
    """What is timed: one halfspace from labels, by the learner that is used unless another is named, beside peers."""
    from sklearn.svm import LinearSVC

    rng = np.random.default_rng(0)
    X = rng.standard_normal((labels, n))
    y = np.where(X @ rng.standard_normal(n) > 0, 1, -1)
    return {
        "ours": lambda: logistic_halfspace(X, y),
        "limit": lambda: np.linalg.qr(X, mode="r"),
        "scikit-learn LinearSVC": lambda: LinearSVC(C=1e4, fit_intercept=False, dual=False).fit(X, y).coef_[0],
        "cvxpy, largest margin": lambda: hard_margin_halfspace(X, y),
    }


SUBJECTS = (
    _Subject(
        "angles between spans",
        "batched orthonormal bases of both spans, and the singular values of their product",
        angles,
        {"pairs": 100, "n": 200, "k": 10},
        {"pairs": (1, 10, 100, 1000), "n": (25, 50, 100, 200, 400, 800), "k": (2, 5, 10, 20)},
    ),
    _Subject(
        "Algorithm 3, planted targets",
        "the product of the target matrix with itself",
        planted,
        {"m": 1000, "n": 400, "k": 60},
        {"m": (250, 500, 1000, 2000, 4000), "n": (100, 200, 400, 800, 1600), "k": (15, 30, 60, 120)},
    ),
    _Subject(
        "Algorithm 3, dense targets",
        "the product of the target matrix with itself",
        dense,
        {"m": 400, "n": 400},
        {"m": (100, 200, 400, 800, 1600), "n": (100, 200, 400, 800, 1600)},
    ),
    _Subject(
        "trimming a chain of metafeatures",
        "the product of the metafeatures with themselves",
        trimming,
        {"k": 400, "n": 1000},
        {"k": (100, 200, 400, 800), "n": (500, 1000, 2000)},
    ),
    _Subject(
        "Algorithm 1, exact answers",
        "the projection of all targets on the span",
        streams,
        {"m": 400, "n": 200, "k": 10},
        {"m": (200, 400, 800), "n": (100, 200, 400, 800), "k": (5, 10, 20)},
    ),
    _Subject(
        "a halfspace from labels",
        "the triangular factor of the examples",
        learners,
        {"labels": 1000, "n": 20},
        {"labels": (250, 500, 1000, 2000, 4000), "n": (5, 10, 20, 40)},
    ),
)


def cost(function: Callable[[], Any], calls: int) -> float:
    """Processor seconds of a call, the mean over several."""
    start = time.process_time()
    for _ in range(calls):
        function()
    return (time.process_time() - start) / calls


def measured(functions: Calls, *, rounds: int) -> dict[str, list[float]]:
    """The cost of every function in every round, in seconds: as many calls as fill 2 ms, fewer rounds if long."""
    least, most = 2e-3, 0.5
    first = {name: min(cost(f, 1), cost(f, 1)) for name, f in functions.items()}
    calls = {name: max(1, round(least / max(s, 1e-7))) for name, s in first.items()}
    rounds = max(3, min(rounds, int(most / sum(max(least, s) for s in first.values()))))
    seconds: dict[str, list[float]] = {name: [] for name in functions}
    for _ in range(rounds):
        for name, function in functions.items():
            seconds[name].append(cost(function, calls[name]))
    return seconds


def quartiles(above: list[float], below: list[float]) -> list[float]:
    """Quartiles of the ratios of times, one for each round, the median in the middle."""
    found = np.quantile(np.divide(above, below), [0.25, 0.5, 0.75])
    return [float(f"{x:.3g}") for x in found]


def lines(subject: _Subject, *, rounds: int) -> list[dict[str, Any]]:
    """The record of costs, a line for each size; a peer that has run out of patience is left out of the larger ones."""
    from tqdm import tqdm

    rows: list[dict[str, Any]] = []
    left: set[tuple[str, str]] = set()
    for varied, sizes in tqdm(subject.cases(), desc=subject.name, unit="size"):
        functions = {name: f for name, f in subject.calls(**sizes).items() if (varied, name) not in left}
        seconds = measured(functions, rounds=rounds)
        rivals = {name: s for name, s in seconds.items() if name not in ("ours", "limit")}
        left |= {(varied, name) for name, s in rivals.items() if np.median(s) > 1 / 3}
        row = {"subject": subject.name, "varied": varied, "sizes": sizes}
        row["seconds"] = {name: float(f"{np.median(seconds[name]):.3g}") for name in ("ours", "limit")}
        row["to the limit"] = quartiles(seconds["ours"], seconds["limit"])
        row["peers"] = {name: quartiles(s, seconds["ours"]) for name, s in rivals.items()}
        rows.append(row)
    return rows


def _two_digits(ratio: float) -> str:
    """Two digits, or a whole number."""
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.2g}"


def _from_to(ratios: list[float]) -> str:
    """The least and the largest."""
    return f"{_two_digits(min(ratios))} to {_two_digits(max(ratios))}"


def beside_limits(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Costs beside limits: of every method its limit, the ratio at all sizes and at the largest n, and seconds."""
    lines: list[tuple[str, ...]] = []
    for subject in SUBJECTS:
        here = [row for row in rows if row["subject"] == subject.name]
        last = [row for row in here if row["varied"] == "n"][-1]
        ratios = _from_to([row["to the limit"][1] for row in here])
        seconds = f"{last['seconds']['ours']:.2g}"
        lines.append((subject.name, subject.limit, ratios, _two_digits(last["to the limit"][1]), seconds))
    return lines


def beside_peers(rows: list[dict[str, Any]]) -> list[tuple[str, ...]]:
    """Costs beside peers: of every peer its time over ours, and where it is faster."""
    against: dict[tuple[str, str], list[tuple[float, dict[str, Any]]]] = {}
    for row in rows:
        for name, (_, ratio, _) in row["peers"].items():
            against.setdefault((row["subject"], name), []).append((ratio, row))
    lines: list[tuple[str, ...]] = []
    for key, found in against.items():
        wins = [(1 / ratio, row["varied"], row["sizes"]) for ratio, row in found if ratio < 1]
        where = [f"{varied} = {sizes[varied]:,}: {faster:.1f} times as fast" for faster, varied, sizes in wins]
        won = "; ".join([f"{len(wins)} of {len(found)} sizes", *where])
        lines.append((*key, _from_to([ratio for ratio, _ in found]), won))
    return lines


def machine() -> dict[str, Any]:
    """What the costs were measured on."""
    info = Path("/proc/cpuinfo")
    models = [line.split(":")[1].strip() for line in info.read_text().splitlines() if line.startswith("model name")]
    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    packages = ("numpy", "scipy", "scikit-learn", "cvxpy", "concepts")
    return {
        "processor": models[0] if models else platform.machine(),
        "cores": os.cpu_count(),
        "threads": 1,
        "system": platform.system(),
        "linear algebra": f"{blas['name']} {blas['version']}",
        "versions": {"python": platform.python_version(), **{p: metadata.version(p) for p in packages}},
    }


def printed(rows: list[dict[str, Any]]) -> Table:
    """The table of costs at all sizes; where a peer is faster, it says so."""
    from rich.table import Table

    table = Table("subject", "sizes", "ours, ms", "ours / limit", "peers / ours")
    for row in rows:
        sizes = ", ".join(f"{name} = {size:,}" for name, size in row["sizes"].items())
        low, middle, high = row["to the limit"]
        against = [f"{name}: {r[1]:.3g}{' (peer wins)' if r[1] < 1 else ''}" for name, r in row["peers"].items()]
        ours = f"{1000 * row['seconds']['ours']:.3g}"
        table.add_row(row["subject"], sizes, ours, f"{middle:.3g} ({low:.3g} to {high:.3g})", "\n".join(against))
    return table


def main() -> None:
    """Measure all costs, print the table, and write the record if asked to."""
    from rich.console import Console
    from threadpoolctl import threadpool_limits

    parser = argparse.ArgumentParser(description=str(__doc__).splitlines()[0])
    parser.add_argument("--json", type=Path, help="write the record to this file")
    parser.add_argument("--rounds", type=int, default=15, help="most rounds for one size")
    arguments = parser.parse_args()
    rows: list[dict[str, Any]] = []
    for subject in SUBJECTS:
        with threadpool_limits(1):
            rows += lines(subject, rounds=arguments.rounds)
    Console(width=150).print(printed(rows))
    if arguments.json:
        record = {
            "command": f"python -m lifelong_book.running.cost --json {arguments.json}",
            "dates": {subject.name: date.today().isoformat() for subject in SUBJECTS},
            "machine": machine(),
            "rounds": arguments.rounds,
            "limits": {subject.name: subject.limit for subject in SUBJECTS},
            "rows": rows,
        }
        arguments.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
