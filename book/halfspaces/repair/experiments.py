"""What a task costs after the repair of Theorem 1, and how many features runs open (Section 3.4)."""

from typing import Any

import numpy as np
from numpy.random import Generator

from lifelong_book.halfspaces.subspace.experiments import exact_run, greedy_openings
from lifelong_book.halfspaces.subspace.instances import random_targets


def price(features: Any, epsilon: float, acc: Any, n: int = 500, m: int = 1000) -> Any:
    """What a repaired Theorem 1 costs, in labels a task: its share of all features, and its own attempt."""
    shared = features * 0.6 * n / acc / m
    attempt = (4 * features + 20) / epsilon
    return shared + attempt


def opened(k: int, epsilon: float, acc: float, n: int, m: int, rng: Generator, tries: int = 60) -> tuple[float, float]:
    """For the repaired Theorem 1: features of m random tasks in n dimensions, on average, and at most (adversary)."""
    given = k, epsilon, acc
    streams = [random_targets(k, n, m, rng=rng) for _ in range(8)]
    runs = [exact_run(a, epsilon, acc, rng=rng) for a in streams]
    greedy = [greedy_openings(*given, rng=rng) for _ in range(tries)]
    return float(np.mean([run.scratch for run in runs])), max(greedy)
