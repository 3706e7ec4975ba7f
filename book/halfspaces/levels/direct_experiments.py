"""The direct learner studied: exact runs, an adversary for planes, and what a task costs in labels."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, integer, nonzero, number, random_generator, real_array
from lifelong.halfspaces.angles import unit
from lifelong.halfspaces.instances import Perturbation
from lifelong.halfspaces.oracles import ExactLevels, Labels
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian
from lifelong.loop import Run, learn_stream
from lifelong_book.halfspaces.levels.direct import SparseDictionary

__all__ = ["GivenLevels", "direct_labels", "exact_direct", "greedy_plane", "tilted_triples"]


class GivenLevels(ExactLevels):
    """Exact answers, where some targets are answered by given vectors.

    Parameters
    ----------
    targets, answers : array_like, shape (m, n), real
        A task whose target is row i is answered by row i of the answers, when it is learned afresh.
    direction, labels, rng
        As in `lifelong.halfspaces.oracles.ExactLevels`, for all other tasks.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    For the worst cases of `prop-direct-plane`, whose errors point where they hurt.

    Examples
    --------
    >>> oracle = GivenLevels([[1, 0]], [[1, 0.01]])
    >>> print(oracle.afresh(HalfspaceTask([1, 0], Gaussian(2)), 0.1).round(2))
    [1.   0.01]
    """

    def __init__(
        self,
        targets: ArrayLike,
        answers: ArrayLike,
        *,
        direction: Literal["random", "common", "fresh"] = "random",
        labels: Labels | None = None,
        rng: RNGLike = None,
    ) -> None:
        super().__init__(direction, labels=labels, rng=rng)
        rows, given = nonzero("targets", real_array("targets", targets, axes=2)), real_array("answers", answers, axes=2)
        nonzero("answers", given)
        if rows.shape != given.shape:
            raise ValueError(f"answers: expected shape {rows.shape} as targets, got shape {given.shape}")
        self._targets, self._answers = unit(rows), unit(given)

    def afresh(self, task: HalfspaceTask, error: float) -> FloatArray:
        """The given vector, or one at exactly the angle pi * `error` from the target.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        error : float

        Returns
        -------
        float64, shape (n,)
            A unit vector.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant, or the given vector errs by more than `error`.
        """
        known = np.flatnonzero(np.abs(self._targets - task.target).max(axis=1) < 1e-12)
        if not len(known):
            return super().afresh(task, error)
        answer: FloatArray = self._answers[known[0]]
        if (least := task.error(answer)) > error * (1 + 1e-9):
            raise ValueError(f"error: expected at least {least:g}, which the given answer has, got {error:g}")
        self.pay("scratch", self.labels.afresh(task.n, error))
        return answer


def exact_direct(
    targets: ArrayLike,
    epsilon: float,
    *,
    tau: int,
    epsilon_acc: float,
    oracle: ExactLevels | None = None,
) -> Run[SparseDictionary]:
    """Run the direct learner with exact oracles on Gaussian tasks.

    Parameters
    ----------
    targets : array_like, shape (m, n), real
        One target a row.
    epsilon : float
        Error allowed a task.
    tau : int
        How many features a hypothesis may combine.
    epsilon_acc : float
        Error of a feature.
    oracle : ExactLevels, optional
        With random errors of seed 0 unless given.

    Returns
    -------
    Run

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For `thm-direct` and `prop-direct-plane`.

    Examples
    --------
    >>> exact_direct(np.eye(3), 0.1, tau=2, epsilon_acc=0.02).how
    ['scratch', 'scratch', 'scratch']
    """
    rows = real_array("targets", targets, axes=2)
    law = Gaussian(rows.shape[1])
    learner = SparseDictionary(
        law.n, epsilon, tau=tau, epsilon_acc=epsilon_acc, oracle=ExactLevels(rng=0) if oracle is None else oracle
    )
    return learn_stream((HalfspaceTask(row, law) for row in rows), learner)


def tilted_triples(planes: ArrayLike, epsilon: float, epsilon_acc: float) -> Perturbation:
    """Three targets in each plane, and answers that make every plane open a feature for all three.

    Parameters
    ----------
    planes : array_like, shape (r, 2, n), real
        Orthonormal rows; the last r coordinates are 0 and hold the errors.
    epsilon : float
        Error allowed a task, in (0, 1/4].
    epsilon_acc : float
        Error of every answer, coarser than `limits.plane_accuracy` or some planes open only two.

    Returns
    -------
    Perturbation
        `true` has the 3 r targets, plane by plane, and `learned` the answers.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Attains `prop-direct-plane` where it allows three: the answers to two neighbours lean to opposite sides, so that
    the plane through them is steep, and the third target is where it is steepest.

    Examples
    --------
    >>> stream = tilted_triples(np.eye(3)[None, :2], 0.1, 0.0255)
    >>> oracle = GivenLevels(*stream)
    >>> exact_direct(stream[0], 0.1, tau=2, epsilon_acc=0.0255, oracle=oracle).how
    ['scratch', 'scratch', 'scratch']
    """
    bases = np.asarray(planes, dtype=np.float64)
    if bases.ndim != 3 or bases.shape[1] != 2 or np.abs(bases[:, :, -len(bases) :]).max(initial=0.0) > 0:
        raise ValueError(f"planes: expected shape (r, 2, n) with r zeros at the end of every row, got {bases.shape}")
    theta = np.pi * number("epsilon", epsilon, low=0.0, high=0.25, open_low=True)
    eta = np.pi * number("epsilon_acc", epsilon_acc, low=0.0, high=epsilon, open_low=True, open_high=True)
    least = float(np.arccos(np.cos(theta) / np.cos(eta)))  # closer, and the second target is not refused
    most = 2 * float(np.arcsin(min(1.0, np.tan(eta) / np.tan(theta))))  # wider, and the third one is not
    apart = max(least + 1e-9, (least + most) / 2)
    turns = np.array([-apart / 2, apart / 2, np.pi / 2])
    flat = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    r, n = len(bases), bases.shape[2]
    targets = np.einsum("ti,rin->rtn", flat, bases)
    sides = np.zeros((r, 3, n))
    sides[np.arange(r), :, n - r + np.arange(r)] = (1.0, -1.0, 1.0)
    learned = np.cos(eta) * targets + np.sin(eta) * sides
    return Perturbation(targets.reshape(-1, n), learned.reshape(-1, n))


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


#: Coordinates in which an error does not point: it goes up, sideways, both, or anywhere.
_STAYS = ((0, 1, 3), (2, 3), (3,), ())


def greedy_plane(
    epsilon: float, epsilon_acc: float, *, tries: int = 40, grid: int = 720, rng: RNGLike = None
) -> FloatArray:
    """Features that a greedy adversary makes one plane open: each leaves as many directions refused as it can.

    Parameters
    ----------
    epsilon, epsilon_acc : float
        Errors allowed a task and of a feature, both in (0, 1/2).
    tries : int, default 40
        Answers looked at for each feature.
    grid : int, default 720
        Directions of the plane that are looked at.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the answers.

    Returns
    -------
    float64, shape (N, 4)
        The features, unit rows; the plane is that of the first two coordinates.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    For `prop-direct-plane`: targets and answers are the adversary's, within the rules.

    Examples
    --------
    >>> greedy_plane(0.1, 0.0137, rng=0).shape
    (2, 4)
    """
    theta = np.pi * number("epsilon", epsilon, low=1e-9, high=0.5, open_high=True)  # smaller ones take too long
    eta = np.pi * number("epsilon_acc", epsilon_acc, low=0.0, high=0.5, open_low=True, open_high=True)
    generator = random_generator(rng)
    turns = np.arange(integer("grid", grid, least=2)) * np.pi / grid
    targets = np.stack([np.cos(turns), np.sin(turns), 0 * turns, 0 * turns], axis=1)
    features = np.empty((0, 4))
    while len(refused := np.flatnonzero((angles := _refused(targets, features)) > theta)):
        candidates: list[tuple[int, int, FloatArray]] = []
        for _ in range(integer("tries", tries, least=1)):
            hair = generator.random() < 0.3  # the one that was refused by the least, or any
            target = targets[refused[angles[refused].argmin()] if hair else generator.choice(refused)]
            side = generator.standard_normal(4)
            side[list(_STAYS[generator.integers(len(_STAYS))])] = 0.0
            side = unit(side - (side @ target) * target)
            answer = np.cos(eta) * target + np.sin(eta) * side
            left = int((_refused(targets, np.vstack([features, answer])) > theta).sum())
            candidates.append((left, len(candidates), answer))
        features = np.vstack([features, max(candidates, key=lambda c: c[:2])[2]])
    return features


def direct_labels(
    *, n: int, tau: int, m: int, epsilon: float, epsilon_acc: float, features: float, labels: Labels | None = None
) -> dict[str, float]:
    """Labels a task of the direct learner in closed form, once so many features are open.

    Parameters
    ----------
    n, tau, m : int
        Dimension of the examples, features a hypothesis, and how many tasks.
    epsilon, epsilon_acc : float
        Errors allowed a task and of a feature.
    features : float
        How many; a whole number.
    labels : Labels, optional
        How many labels an answer takes.

    Returns
    -------
    dict of str to float
        "sparse" and "scratch". Attempts are billed with all the features open, which is what all but the first
        tasks pay, and which no task exceeds.

    Notes
    -----
    The label model of `thm-two-levels`, for `thm-direct`.

    See Also
    --------
    lifelong_book.halfspaces.levels.experiments.labels_per_task : the same for one and for two levels.

    Examples
    --------
    >>> case = {"n": 1000, "tau": 2, "m": 6000, "epsilon": 0.1}
    >>> {name: round(paid) for name, paid in direct_labels(**case, epsilon_acc=0.0255, features=180).items()}
    {'sparse': 668, 'scratch': 706}
    """
    sizes, opened = Labels() if labels is None else labels, int(features)
    return {
        "sparse": float(sum(sizes.sparse(opened, tau, epsilon))),
        "scratch": opened * sizes.afresh(n, epsilon_acc) / m,
    }
