"""Times of the package's core beside their peers, as ratios from one run: `python benchmarks/spine.py`.

A ratio says how many times slower the peer was on the same input in the same process; seconds are printed for
orientation only.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from scipy.linalg import subspace_angles
from tqdm import tqdm

import lifelong
from lifelong.conjunctions import algorithm3, instances


def seconds(function: Callable[[], Any], repeats: int = 3) -> float:
    """Least time of a few calls."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def metafeatures(n: int, m: int, k: int, printed: bool) -> tuple[str, float, float]:
    """Algorithm 3 in matrix form beside its literal reading."""
    overlap, per_target = 0.01, 10
    _, targets = instances.planted_conjunctions(n, k=k, m=m, overlap=overlap, per_target=per_target, rng=0)
    fast = seconds(lambda: lifelong.metafeatures(targets))
    slow = seconds(lambda: algorithm3.metafeatures_as_printed(targets), 1) if printed else float("nan")
    return f"metafeatures, n = {n}, m = {m}, k = {k}; peer: the printed loop", fast, slow


def angles(count: int, n: int, k: int) -> tuple[str, float, float]:
    """Batched one-sided angles beside a loop over scipy."""
    U, V = np.random.default_rng(0).standard_normal((2, count, k, n))
    fast = seconds(lambda: lifelong.subspace_angle(U, V))
    slow = seconds(lambda: [subspace_angles(u.T, v.T)[0] for u, v in zip(U, V, strict=True)], 1)
    return f"subspace_angle, {count} pairs, k = {k}, n = {n}; peer: scipy in a loop", fast, slow


def main() -> None:
    """Run everything and print one table."""
    cases: list[Callable[[], tuple[str, float, float]]] = [
        lambda: metafeatures(60, 200, 20, True),
        lambda: metafeatures(200, 1000, 60, True),
        lambda: metafeatures(2000, 20_000, 500, False),
        lambda: angles(5000, 6, 3),
        lambda: angles(5000, 40, 10),
    ]
    table = Table("case", "seconds", "peer, seconds", "peer / ours")
    for case in tqdm(cases, unit="case"):
        name, ours, peer = case()
        table.add_row(name, f"{ours:.3f}", f"{peer:.3f}", "not run" if np.isnan(peer) else f"{peer / ours:.1f}")
    Console(width=130).print(table)


if __name__ == "__main__":
    main()
