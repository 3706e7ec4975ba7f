"""Studies of Algorithm 1 with exact answers: runs, adversaries, and both sides of each step of a proof (Section 3.3).

What the ledger checks and the chapters show is computed here, once.
"""

from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

import lifelong
from lifelong import Gaussian
from lifelong._checks import FloatArray, RNGLike, number
from lifelong.halfspaces import instances
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle
from lifelong.halfspaces.oracles import Direction, Exact, Labels, Spans
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.loop import Run, learn_stream, one_step
from lifelong_book.halfspaces.subspace.instances import hand_stream
from lifelong_book.halfspaces.subspace.learners import logistic

#: Dimension and error at which the chain breaks `thm-halfspaces` at the accuracy of `printed_accuracy`.
CHAINS = ((3, 0.001), (4, 0.01), (5, 0.02), (6, 0.04), (8, 0.05), (10, 0.1), (12, 0.1))

#: Of the sharp family: dimension, power of 1/10 that is epsilon, epsilon over epsilon_acc.
SHARP = ((2, 6, 20.0), (2, 12, 20.0), (3, 6, 5.0), (5, 3, 20.0), (2, 6, 2.0))

#: Smallest power of 1/10 at which the family of 2k - 2 targets exists: k, at eps^2/2, at the accuracy eps^2/(10 pi k).
DOUBLING = ((2, 1, 1), (3, 2, 3), (4, 3, 6), (5, 3, 9), (6, 4, 12), (7, 5, 15), (8, 6, 18))


# runs ---------------------------------------------------------------------------------------------------


def printed_accuracy(k: ArrayLike, epsilon: ArrayLike) -> Any:
    r"""Algorithm 1's chapter: :math:`\epsilon^2/(10\pi k)`, Theorem 1's printed accuracy by our choice of constants."""
    return np.asarray(epsilon) ** 2 / (10 * np.pi * np.asarray(k))


def exact_run(
    targets: ArrayLike, epsilon: float, epsilon_acc: float, *, direction: Direction = "random", rng: RNGLike = None
) -> Run[Any]:
    """A run of Algorithm 1 with exact answers on Gaussian tasks."""
    n, oracle = np.shape(targets)[1], lifelong.Exact(direction, rng=rng)
    tasks = [HalfspaceTask(a, Gaussian(n)) for a in np.asarray(targets)]
    setting: Any = {"epsilon_acc": epsilon_acc, "oracle": oracle}
    learner = SharedSubspace(n, epsilon, **setting)
    return Run(learner, steps=[one_step(x, learner) for x in tasks])


def factors(run: Run[Any]) -> tuple[FloatArray, FloatArray]:
    """Shown in Algorithm 1's chapter: the matrices C~ and W~ of a run; the rows of their product are the hypotheses."""
    W: FloatArray = run.representation.W
    C, k = np.zeros((len(run.steps), len(W))), 0
    for row, step in zip(C, run.steps, strict=True):
        if step.how == "scratch":  # 2(b): the row of its own feature
            row[k], k = 1.0, k + 1
        else:  # 2(a): of the features known at the time
            known, a = W[:k].T, step.hypothesis
            row[:k] = np.linalg.lstsq(known, a, rcond=None)[0]
    return C, W


class Answers:
    """Algorithm 1's exact oracle in short: what `oracles.Exact` does on Gaussian tasks; errors follow `sides`."""

    def __init__(self, sides: Any) -> None:
        self.sides = iter(sides)

    def within(self, task: Any, span: FloatArray, error: float) -> FloatArray | None:
        """The unit vector of the span nearest to the target, if it is near enough."""
        near = (span @ task.target) @ span  # orthonormal rows
        if near.any() and angle(near, task.target) <= np.pi * error:
            return np.asarray(near / np.linalg.norm(near))
        return None

    def afresh(self, task: Any, error: float) -> FloatArray:
        """A vector at the angle pi * error from the target."""
        a, side = task.target, next(self.sides)
        side = side - (side @ a) * a
        side = side / np.linalg.norm(side)
        eta = np.pi * error
        return np.asarray(np.cos(eta) * a + np.sin(eta) * side)


class FromLabels:
    """Algorithm 1's oracle of samples in short: what `oracles.Sampled` does with `logistic`, and no more."""

    def within(self, task: Any, span: FloatArray, error: float) -> FloatArray | None:
        """A fit in the span that passes a test on fresh labels."""
        if not len(span):
            return None
        X, y = task.examples(ceil(4 * len(span) / error))
        w: FloatArray = logistic(X @ span.T, y) @ span
        X, y = task.examples(ceil(20 / error))  # a holdout
        wrong = np.mean((X @ w >= 0) != (y > 0))
        return w if wrong <= 0.75 * error else None

    def afresh(self, task: Any, error: float) -> FloatArray:
        """A fit in all variables."""
        return logistic(*task.examples(ceil(0.6 * task.n / error)))


def chain_run(k: int, epsilon: float) -> Run[Any]:
    """A run of Algorithm 1 on the chain at the accuracy of `printed_accuracy`, with every error along one axis."""
    targets, accuracy = instances.chain_stream(k, epsilon, float(printed_accuracy(k, epsilon)))
    return exact_run(targets, epsilon, accuracy, direction="common")


# an adversary ------------------------------------------------------------------------------------------


def greedy_openings(k: int, epsilon: float, epsilon_acc: float, *, most: int = 2000, rng: RNGLike = None) -> int:
    """An adversary of Algorithm 1: features opened by targets refused by a hair, with errors in fresh directions."""
    rng, axes = np.random.default_rng(rng), np.eye(k)
    tilt2 = np.tan(np.pi * epsilon_acc) ** 2
    limit = np.sin(np.pi * epsilon) ** 2 * (1 + 1e-6)
    M, opened = np.zeros((k, k)), 0
    while opened < most:
        mix = rng.standard_normal(k) * (rng.random() < 0.5)  # or zero
        values, vectors = np.linalg.eigh(M)  # rising
        squared = tilt2 / (tilt2 + np.maximum(values, 0))  # distances
        if squared[0] < limit:  # even the farthest is accepted
            return opened
        # 1: the farthest, or a mix of all but the nearest
        x = axes[0] + mix
        x[-1] = 0.0
        x = x / max(float(np.linalg.norm(x)), 1e-300)
        if k == 1 or x**2 @ squared < limit:  # the mix is accepted
            x = axes[0]
        # 2: turned towards the nearest, until it is only just refused
        far, near = x**2 @ squared, squared[-1]
        room = (limit - near) / (far - near) if far > near else 1.0
        share = min(1.0, max(0.0, room))
        x = np.sqrt(share) * x + np.sqrt(1 - share) * axes[-1]
        M += np.outer(vectors @ x, vectors @ x)  # 3: learned
        opened += 1
    return opened


# why a stream opened what it opened ---------------------------------------------------------------------


def hand_margins() -> dict[str, Fraction]:
    """Rational bounds that show `hand_stream` to refute Theorem 1, no rounding anywhere."""
    true, learned = hand_stream()
    sines = [squared_sine(target, learned[:i]) for i, target in enumerate(true)]
    tilt = [squared_sine(a, [b]) for a, b in zip(true, learned, strict=True)]
    return {
        "refused": min(sines),
        "allowed": (Fraction(355, 113) / 1000) ** 2,
        "tangent": max(x / (1 - x) for x in tilt),
        "accuracy": Fraction(1, 30 * 10**6) ** 2,
    }


def squared_sine(v: Any, rows: Any) -> Any:
    """For the example by hand against Theorem 1: squared sine of the angle from a vector to a span, in fractions."""
    basis: list[Any] = []
    for row in [*rows, v]:
        for b in basis:
            row = row - (row @ b) / (b @ b) * b
        basis.append(row)
    return (row @ row) / (v @ v)


def openings_by_cause(
    run: Run[Any], targets: ArrayLike, epsilon: float, epsilon_acc: float, *, share: float = 1.0
) -> dict[str, int]:
    """Algorithm 1's chapter: why a run learned tasks from scratch, missed, refused or needed; for a Gaussian law."""
    causes = {"missed": 0, "refused": 0, "needed": 0}
    learned: list[FloatArray] = []
    for a, step in zip(np.asarray(targets), run.steps, strict=True):
        if step.how == "scratch":
            w, best = step.hypothesis, np.pi / 2
            if learned:  # the least angle to the span
                best = float(angle_to_subspace(a, np.array(learned)))
            if angle(w, a) > np.pi * epsilon_acc * (1 + 1e-9):
                causes["missed"] += 1
            else:  # refused: without need
                need = not learned or best > np.pi * share * epsilon
                causes["needed" if need else "refused"] += 1
            learned.append(w)
    return causes


def printed_steps(
    A: FloatArray, W: FloatArray, k: int, epsilon: float, epsilon_acc: float, gamma: float
) -> dict[str, tuple[float, float]]:
    """Left and right side of each step in the printed proof of Theorem 1, for a Gaussian law, as angles."""
    eta, js = np.pi * epsilon_acc, range(1, len(A))
    rejected = min(angle_to_subspace(A[j], W[:j]) for j in js)
    far = min(angle_to_subspace(W[j], W[:j]) for j in js)
    tilt = max(subspace_angle(A[:j], W[:j]) for j in js)
    apart = min(angle_to_subspace(A[j], A[:j]) for j in js)
    return {
        "1 rejected": (np.pi * epsilon, float(rejected)),
        "2 far": (gamma, float(far)),
        "3 Lemma 3": (float(tilt), 2 * k * eta / gamma),
        "4 separated": (gamma, float(apart)),
    }


def volume_steps(
    G: FloatArray, V: FloatArray, k: int, epsilon: float, epsilon_acc: float
) -> dict[str, tuple[float, float]]:
    """Algorithm 1's chapter, the volume bound: both sides of each inequality of the proof, as logarithms."""
    N = len(G)
    far = epsilon - epsilon_acc
    s, t = np.sin(np.pi * far), np.sin(np.pi * epsilon_acc)
    dist = [np.sin(angle_to_subspace(G[i], G[:i])) for i in range(1, N)]
    off = np.sum(np.sin(angle_to_subspace(G, V)) ** 2)
    sigma = np.linalg.svd(G, compute_uv=False)
    volume, tail = np.sum(np.log(dist)), np.sum(sigma[k:] ** 2)
    means = (N / k) ** k * (N * t**2 / (N - k)) ** (N - k)
    return {
        "every opening is far": ((N - 1) * np.log(s), volume),
        "singular values beyond k": (np.log(tail), np.log(off)),
        "each error is small": (np.log(off), np.log(N * t**2)),
        "two means": (volume, np.log(means) / 2),
    }


# what a stream costs ------------------------------------------------------------------------------------


def labels_a_task(features: float, epsilon: float, epsilon_acc: float, *, n: int = 500, m: int = 1000) -> float:
    r"""Algorithm 1's chapter: labels a task that a run from samples draws at most, for so many features."""
    features = number("features", features, "[0, inf)")
    epsilon = number("epsilon", epsilon, "(0, 0.5)")
    prices = Labels()
    return float(features * prices.afresh(n, epsilon_acc) / m + sum(prices.within(features, epsilon)))


# a learner at its worst --------------------------------------------------------------------------------


class Lossy(Exact):
    """The learner of Note 1 at its worst: it accepts what it must, a coin decides where it need not."""

    def __init__(
        self, allowed: float, direction: Direction = "random", *, promise: bool = True, rng: RNGLike = None
    ) -> None:
        super().__init__(direction, rng=rng)
        self.allowed, self.promise = allowed, promise  # eps/L

    def within(self, task: HalfspaceTask, spans: Spans, eps: float) -> FloatArray | None:
        """A poor hypothesis of the span, or None."""
        nearest = super().within(task, spans, eps)
        best, rng = self.best[-1], self._rng
        free = best > self.allowed or not self.promise
        if nearest is None or (free and rng.random() < 0.5):
            return None
        basis = np.asarray(spans)
        aside = basis.T @ rng.standard_normal(len(basis))
        aside -= (aside @ nearest) * nearest
        if np.linalg.norm(aside) < 1e-9:  # no other direction
            return nearest
        aside /= np.linalg.norm(aside)
        turn = np.arccos(np.cos(np.pi * eps) / np.cos(np.pi * best))
        poor: FloatArray = np.cos(turn) * nearest + np.sin(turn) * aside
        return poor  # of error exactly eps


def lossy_run(
    targets: ArrayLike,
    epsilon: float,
    *,
    direction: Direction = "random",
    slack: float = 1.0,
    promise: bool = True,
    rng: RNGLike = None,
) -> Run[Any]:
    """A run of Algorithm 1 with the learner of Note 1 at its worst, on Gaussian tasks."""
    law = Gaussian(np.shape(targets)[1])
    allowed = float(epsilon / np.log(epsilon) ** 2)  # eps/L
    oracle = Lossy(allowed, direction, promise=promise, rng=rng)
    setting: Any = {"epsilon_acc": allowed / 5, "oracle": oracle}
    learner = SharedSubspace(law.n, slack * epsilon, **setting)
    tasks = [HalfspaceTask(a, law) for a in np.asarray(targets)]
    return learn_stream(tasks, learner)
