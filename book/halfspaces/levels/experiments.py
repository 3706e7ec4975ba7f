"""Algorithm 2 studied: exact runs, what they cost, and streams that make it open as many features as it can."""

from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, random_generator, real_array
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.oracles import Subsets
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import Run, learn_stream
from lifelong_book.halfspaces.levels.oracles import ExactLevels

Choice = Literal["printed", "proved", "quarters"]


def level_accuracies(choice: Choice, k: int, tau: int, epsilon: Any, *, square: Any = 0.1) -> tuple[Any, Any]:
    """The two accuracies for runs of Algorithm 2, under a choice of parameters."""
    if isinstance(epsilon, np.floating):
        epsilon = float(epsilon)
    if choice == "printed":
        second = square * epsilon**2 / tau
        return second, square * second**2 / k
    if choice == "proved":
        return epsilon / (10 * tau), epsilon / (50 * tau)
    if choice == "quarters":
        return epsilon / 4, epsilon / 16
    raise ValueError(f"choice: expected 'printed', 'proved' or 'quarters', got {choice!r}")


def level_factors(run: Run[Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Shown in the chapter on Algorithm 2: the matrices C~, U~ and W~ of a run; rows of C~ U~ W~ are the hypotheses."""
    learner: TwoLevels = run.representation
    few = type(learner.few)(learner.n, learner.tau)  # at the time
    U = np.zeros((len(learner.U), len(learner.W)))
    for row, u in zip(U, learner.U, strict=True):
        row[: len(u)] = u
    C = np.zeros((len(run.steps), len(U)))
    for row, step in zip(C, run.steps, strict=True):
        if step.how != "reused":
            row[len(few.rows)] = 1.0
            few.add(step.hypothesis)
            continue
        share = few.share(few.frame @ step.hypothesis)  # 1 in its span
        S = few.supports[share.argmax()]
        row[S] = np.linalg.lstsq(few.rows[S].T, step.hypothesis)[0]
    return C, U, learner.W


def exact_levels(
    targets: ArrayLike,
    epsilon: float,
    *,
    tau: int,
    second: float,
    first: float,
    direction: Literal["random", "common", "fresh"] = "random",
    rng: RNGLike = None,
) -> Run[TwoLevels]:
    """A run of Algorithm 2 with exact oracles on Gaussian tasks."""
    rows = real_array("targets", targets, axes=2)
    law = Gaussian(rows.shape[1])
    accuracies = {"epsilon_acc_second": second, "epsilon_acc_first": first}
    learner = TwoLevels(law.n, epsilon, tau=tau, oracle=ExactLevels(direction, rng=rng), **accuracies)
    return learn_stream([HalfspaceTask(target, law) for target in rows], learner)


def openings_of_kinds(run: Run[Any], kinds: ArrayLike) -> list[int]:
    """Second-level features that a run of Algorithm 2 opens, by the tasks of each kind that occurs."""
    opened, each = np.array([how != "reused" for how in run.how]), np.asarray(kinds)
    return [int(opened[each == kind].sum()) for kind in np.unique(each)]


def _two_rates(rates: Any) -> tuple[float, float]:
    found = real_array("rates", rates)
    return float(found[0]), float(found[1])


def level_distances(
    epsilon: float, second: float, *, gamma: float = 0.0, rates: tuple[float, float] = (1 / np.pi, 1 / np.pi)
) -> tuple[float, float]:
    """Shown in the chapter on Algorithm 2: s and t of the repaired Theorem 2 (`thm-two-levels-repaired`)."""
    near, far = second / rates[0], epsilon / rates[1]
    return float(np.sin(far - near)), float(np.sin(near + gamma))


def greedy_second_level(
    epsilon: float,
    *,
    tau: int,
    second: float,
    rng: RNGLike = None,
    gamma: float = 0.0,
    rates: tuple[float, float] = (1 / np.pi, 1 / np.pi),
    searched: int | None = None,
    most: int = 40,
) -> FloatArray:
    """Adversary of Algorithm 2: learned vectors for targets near tau axes' span, each refused as narrowly as found."""
    rng, rates = random_generator(rng), _two_rates(rates)
    angles: Any = {"far": epsilon / rates[1], "near": second / rates[0], "gamma": gamma}
    return _refused_by_a_hair(epsilon, tau, rng, searched=tau if searched is None else searched, most=most, **angles)


def _refused_by_a_hair(
    step: float, tau: int, rng: Generator, *, far: float, near: float, searched: int, gamma: float = 0.0, most: int = 40
) -> FloatArray:
    """The search of `greedy_second_level` by angles: targets are refused above far and learned within near."""
    n = tau + most + 1
    few, rows = Subsets(n, searched), np.empty((0, n))
    axes, off = np.eye(n), gamma + near
    common, quiet = rng.random() < 0.5, 0  # one axis for all errors?
    while len(rows) < most and quiet < 4:
        inside = _sixty_mixtures(rows, tau, step, rng) @ axes[:tau]
        axis = axes[-1 if common else tau + len(rows)]
        axis = axis * rng.choice([-1.0, 1.0])
        targets = np.cos(gamma) * inside + np.sin(gamma) * axis
        away = np.ones(len(targets))  # squared sines to all spans
        if len(rows):
            away -= [few.share(few.frame @ a).max() for a in targets]
        refused = np.flatnonzero(away > np.sin(far) ** 2)
        quiet = 0 if len(refused) else quiet + 1
        if len(refused):
            best = inside[refused[away[refused].argmin()]]
            learned = np.cos(off) * best + np.sin(off) * axis
            rows = np.vstack([rows, learned])
            few.add(learned)
    return rows


def _sixty_mixtures(rows: FloatArray, tau: int, step: float, rng: Generator) -> FloatArray:
    """Directions of the space of the first tau axes, each a step or more from a mixture of rows."""
    mix = rng.standard_normal((60, tau))
    if len(rows):
        near = rng.standard_normal((60, len(rows)))
        near *= rng.random((60, len(rows))) < 0.5  # of half of them
        lean = near @ rows[:, :tau] + 1e-12 * mix
        steps = 10 ** rng.uniform(np.log10(step), 1, (60, 1))
        mix = unit(lean) + steps * unit(mix)
    return unit(mix)


def volume(rows: FloatArray) -> float:
    """The volume that rows span, for the proof of Theorem 2."""
    return float(np.prod(np.linalg.svd(rows, compute_uv=False)))


def swap_steps(rows: FloatArray, tau: int, s: float, t: float) -> dict[str, list[tuple[float, float]]]:
    """Both sides of each inequality in the proof of the repaired Theorem 2, along the features of one space."""
    start = s ** (tau - 1), volume(rows[:tau])
    sides: dict[str, list[tuple[float, float]]] = {"proof: start": [start]}
    for p in range(tau, len(rows)):
        b, fews = rows[p], combinations(range(p), tau)
        S = max((rows[list(few)] for few in fews), key=volume)
        others = [np.delete(S, j, axis=0) for j in range(tau)]
        swapped = max(volume(np.vstack([rest, b])) for rest in others)
        least = volume(S) * s / (4 * tau * t)
        now = {"proof: exchange": (least, swapped)}
        heights = [volume(S) / volume(rest) for rest in others]
        if min(heights) > 4 * tau * t:
            now |= fat(S, b, tau, s, t)
        for name, pair in now.items():
            sides.setdefault(name, []).append(pair)
    return sides


def fat(S: FloatArray, b: FloatArray, tau: int, s: float, t: float) -> dict[str, tuple[float, float]]:
    """For the repaired Theorem 2: both sides of each inequality of an exchange in a fat volume, on the first axes."""
    x = np.linalg.solve(S[:, :tau].T, b[:tau])  # over the projections
    z = np.linalg.lstsq(S.T, b, rcond=None)[0]
    X, total = np.abs(x).max(), np.abs(x).sum()
    miss, off = np.linalg.norm(b - x @ S), np.abs(z - x).max()
    return {
        "proof: refused": (s, miss),
        "proof: error of a combination": (miss, t * (1 + total)),
        "proof: coefficients are large": (s / t - 1, total),
        "proof: projection": (off, (1 + tau * X) / (4 * tau)),
        "proof: gain": (s / (4 * tau * t), np.abs(z).max()),
    }
