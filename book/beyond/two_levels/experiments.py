"""The direct learner studied: exact runs, an adversary for planes, and what a task costs in labels."""

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, integer, nonzero, number, random_generator, real_array
from lifelong.halfspaces.angles import reject, unit
from lifelong.halfspaces.oracles import Labels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import Run, learn_stream
from lifelong_book.beyond.two_levels.direct import SparseDictionary
from lifelong_book.halfspaces.levels.oracles import ExactLevels
from lifelong_book.halfspaces.subspace.instances import Perturbation


class GivenLevels(ExactLevels):
    """Beyond the paper's two levels, or direct: an oracle exact but for targets answered by given vectors."""

    def __init__(self, targets: ArrayLike, answers: ArrayLike, *, rng: RNGLike = None) -> None:
        super().__init__(rng=rng)
        rows, given = nonzero("targets", real_array("targets", targets, axes=2)), real_array("answers", answers, axes=2)
        nonzero("answers", given)
        self._targets, self._answers = unit(rows), unit(given)

    def afresh(self, task: HalfspaceTask, error: float) -> FloatArray:
        """The given vector, or one at exactly the angle pi * `error` from the target."""
        known = np.flatnonzero(np.abs(self._targets - task.target).max(axis=1) < 1e-12)
        if not len(known):
            return super().afresh(task, error)
        answer: FloatArray = self._answers[known[0]]
        if (least := task.error(answer)) > error * (1 + 1e-9):
            raise ValueError(f"error: expected at least {least:g}, which the given answer has, got {error:g}")
        self.pay("scratch", self.labels.afresh(task.n, error))
        return answer


def exact_direct(
    targets: ArrayLike, epsilon: float, *, tau: int, epsilon_acc: float, oracle: ExactLevels | None = None
) -> Run[SparseDictionary]:
    """A run of the direct learner, with no level below, with exact oracles on Gaussian tasks."""
    rows = real_array("targets", targets, axes=2)
    law = Gaussian(rows.shape[1])
    learner = SparseDictionary(
        law.n, epsilon, tau=tau, epsilon_acc=epsilon_acc, oracle=ExactLevels(rng=0) if oracle is None else oracle
    )
    return learn_stream((HalfspaceTask(row, law) for row in rows), learner)


def _refused(targets: FloatArray, features: FloatArray) -> FloatArray:
    """Angle of each target to the nearest span of two features."""
    best = np.zeros(len(targets))
    for i in range(len(features)):
        best = np.maximum(best, (targets @ features[i]) ** 2)
        for j in range(i):
            basis = np.linalg.qr(features[[j, i]].T)[0]
            best = np.maximum(best, ((targets @ basis) ** 2).sum(axis=1))
    angles: FloatArray = np.arccos(np.sqrt(np.clip(best, 0.0, 1.0)))
    return angles


def random_counts(
    r: int,
    second: float,
    first: float | None = None,
    *,
    n: int = 1000,
    k: int = 60,
    epsilon: float = 0.1,
    each: int = 100,
    rng: RNGLike = None,
) -> tuple[int, int]:
    """Beyond the paper's two levels: random tasks in r planes, vectors and features; pairs of its plane, then all.

    Without `first` there is no level below: the direct learner, with features learned from scratch to `second`.
    """
    rng = random_generator(rng)
    planes = np.zeros((r, 2, n))
    planes[:, :, :k] = np.swapaxes(np.linalg.qr(rng.standard_normal((r, k, 2)))[0], 1, 2)
    below, kept, gram, plane_of = np.empty((0, n)), np.empty((0, n)), np.empty((0, 0)), np.empty(0, dtype=int)
    enough = np.cos(np.pi * epsilon) ** 2
    for i in rng.permutation(np.repeat(np.arange(r), each)):
        near = unit(rng.standard_normal(2)) @ planes[i]
        own, u = np.flatnonzero(plane_of == i), kept @ near
        if _share(u[own], gram[np.ix_(own, own)]) >= enough or _share(u, gram) >= enough:
            continue
        side, inside = rng.standard_normal(n), below.T @ (below @ near)
        dense = (long := float(np.linalg.norm(inside))) >= np.cos(np.pi * second)
        if dense:
            near, side, turn = inside / long, below.T @ (below @ side), np.arccos(np.cos(np.pi * second) / long)
        else:
            turn = np.pi * (second if first is None else first)
        answer = np.cos(turn) * near + np.sin(turn) * unit(side - (side @ near) * near)
        if first is not None and not dense:
            below = np.vstack([below, unit(reject(answer, below))])
        with_kept = kept @ answer
        gram = np.block([[gram, with_kept[:, None]], [with_kept, 1.0]])
        kept, plane_of = np.vstack([kept, answer]), np.append(plane_of, i)
    return len(below), len(kept)


def _share(u: FloatArray, gram: FloatArray) -> float:
    """The largest squared length of a unit vector in the span of one or two features, from inner products."""
    if not len(u):
        return 0.0
    g = gram - np.diag(np.diag(gram))
    pairs = (u[:, None] ** 2 + u**2 - 2 * np.outer(u, u) * g) / (1 - g**2)
    np.fill_diagonal(pairs, u**2)
    return float(pairs.max())


#: Coordinates in which an error does not point: it goes up, sideways, both, or anywhere.
_STAYS = ((0, 1, 3), (2, 3), (3,), ())


def greedy_plane(
    epsilon: float, epsilon_acc: float, *, tries: int = 40, grid: int = 720, rng: RNGLike = None
) -> Perturbation:
    """A greedy adversary of the direct learner: targets of a plane, and answers that leave most directions refused."""
    theta = np.pi * number("epsilon", epsilon, "[1e-9, 0.5)")  # smaller ones take too long
    eta = np.pi * number("epsilon_acc", epsilon_acc, "(0, 0.5)")
    generator = random_generator(rng)
    turns = np.arange(integer("grid", grid, least=2)) * np.pi / grid
    targets = np.stack([np.cos(turns), np.sin(turns), 0 * turns, 0 * turns], axis=1)
    features = chosen = np.empty((0, 4))
    while len(refused := np.flatnonzero((angles := _refused(targets, features)) > theta)):
        candidates: list[tuple[int, int, FloatArray, FloatArray]] = []
        for _ in range(integer("tries", tries, least=1)):
            hair = generator.random() < 0.3  # the one that was refused by the least, or any
            target = targets[refused[angles[refused].argmin()] if hair else generator.choice(refused)]
            side = generator.standard_normal(4)
            side[list(_STAYS[generator.integers(len(_STAYS))])] = 0.0
            side = unit(side - (side @ target) * target)
            answer = np.cos(eta) * target + np.sin(eta) * side
            left = int((_refused(targets, np.vstack([features, answer])) > theta).sum())
            candidates.append((left, len(candidates), answer, target))
        *_, answer, target = max(candidates, key=lambda c: c[:2])
        features, chosen = np.vstack([features, answer]), np.vstack([chosen, target])
    return Perturbation(chosen, features)


def direct_labels(*, n: int, tau: int, m: int, epsilon: float, epsilon_acc: float, features: float) -> dict[str, float]:
    """Labels a task of the direct learner, with no level below, in closed form, once so many features are open."""
    sizes, opened = Labels(), int(features)
    return {
        "sparse": float(sum(sizes.sparse(opened, tau, epsilon))),
        "scratch": opened * sizes.afresh(n, epsilon_acc) / m,
    }
