"""Life-long learning of halfspaces with two levels of metafeatures (Section 3).

A task is tried three times, from the cheapest way to the dearest: with tau of the second-level features, with all of
the first level, and with the original variables. The first attempt that succeeds decides what is kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from math import comb, log
from typing import Any, Literal

import numpy as np
from mpmath import mp

from lifelong._checks import FloatArray, instance, integer, number, same_size
from lifelong.halfspaces.angles import angle, unit
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong.halfspaces.sparse import SubsetBases, few_weights
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.loop import How, Run

__all__ = [
    "ExactTwoLevel",
    "LabelModel",
    "TwoLevel",
    "level_factors",
    "precise_levels",
]


_HALF: dict[str, Any] = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}


@dataclass(frozen=True)
class LabelModel:
    """How many labels an attempt draws: what `TwoLevel` draws, and what `ExactTwoLevel` is billed.

    Parameters
    ----------
    per_weight : float, default 4
        Labels for a fit, for each fitted number and each 1 / error.
    holdout : float, default 20
        Labels for a test, for each 1 / error.
    per_variable : float, default 0.6
        Labels for learning from scratch, for each variable and each 1 / error.

    Raises
    ------
    ValueError
        If a constant is not positive.

    Notes
    -----
    The three terms in the label bound of `thm-two-levels`, with constants. A halfspace fitted to N labels in d
    dimensions has error about d / (2N) under a Gaussian law where some halfspace fits them all, hence 0.6.

    Examples
    --------
    >>> model = LabelModel()
    >>> model.sparse(10, 2, 0.1), model.dense(3, 0.1), model.scratch(50, 0.1)
    ((233, 200), (120, 200), 300)
    """

    per_weight: float = 4.0
    holdout: float = 20.0
    per_variable: float = 0.6

    def __post_init__(self) -> None:
        for name in ("per_weight", "holdout", "per_variable"):
            number(name, getattr(self, name), low=0.0, high=np.inf, open_low=True)

    def sparse(self, features: int, tau: int, error: float) -> tuple[int, int]:
        """Labels to fit and to test tau of the features; the choice among the subsets counts by its logarithm.

        Parameters
        ----------
        features, tau : int
        error : float

        Returns
        -------
        fit, test : int
        """
        used = min(tau, features)
        numbers = used + log(comb(features, used))
        return int(np.ceil(self.per_weight * numbers / error)), int(np.ceil(self.holdout / error))

    def dense(self, features: int, error: float) -> tuple[int, int]:
        """Labels to fit and to test a combination of all features.

        Parameters
        ----------
        features : int
        error : float

        Returns
        -------
        fit, test : int
        """
        return int(np.ceil(self.per_weight * features / error)), int(np.ceil(self.holdout / error))

    def scratch(self, n: int, error: float) -> int:
        """Labels to learn with the original variables.

        Parameters
        ----------
        n : int
        error : float

        Returns
        -------
        int
        """
        return int(np.ceil(self.per_variable * n / error))


class _Levels:
    """What both learners keep: the two levels, and coordinates in which the search is cheap."""

    def __init__(
        self,
        n: int,
        epsilon: float,
        tau: int,
        epsilon_acc_second: float | None,
        epsilon_acc_first: float | None,
        model: LabelModel | None,
    ) -> None:
        n, self.tau = integer("n", n, least=1), integer("tau", tau, least=1)
        self.epsilon = number("epsilon", epsilon, **_HALF)
        second = self.epsilon / 4 if epsilon_acc_second is None else epsilon_acc_second
        self.epsilon_acc_second = number("epsilon_acc_second", second, **_HALF)
        first = self.epsilon_acc_second / 4 if epsilon_acc_first is None else epsilon_acc_first
        self.epsilon_acc_first = number("epsilon_acc_first", first, **_HALF)
        self.model = LabelModel() if model is None else model
        instance("model", self.model, LabelModel)
        self.features: FloatArray = np.empty((0, n))
        self._frame: FloatArray = np.empty((0, n))  # orthonormal, spans the features
        self._subsets = SubsetBases(self.tau)  # second-level features, in coordinates of the frame
        self._composed: list[FloatArray] = []
        self._coefficients: list[tuple[Any, FloatArray]] = []

    @property
    def second(self) -> FloatArray:
        """The second level U~, shape (r~, k~): coefficients of its features over the first level."""
        rows = np.zeros((len(self._composed), len(self.features)))
        for row, known in zip(rows, self._composed, strict=True):
            row[: len(known)] = known
        return rows

    def _check(self, task: HalfspaceTask) -> None:
        same_size("task", task.n, self.features.shape[1], "the representation")

    def _keep(self, support: Any, inside: FloatArray) -> FloatArray:
        """Write a vector of the frame over the second-level features of a support; return it as a hypothesis."""
        coefficients = np.linalg.lstsq(self._subsets.vectors[support].T, inside, rcond=None)[0]
        self._coefficients.append((np.array(support), coefficients / np.linalg.norm(inside)))
        return unit(inside @ self._frame)

    def grow(self, how: How, hypothesis: FloatArray) -> None:
        """Add a second-level feature and, after learning from scratch, a first-level one.

        Parameters
        ----------
        how : {"composed", "scratch"}
            As `learn` returned it.
        hypothesis : float64, shape (n,)
        """
        if how == "scratch":
            self.features = np.vstack([self.features, hypothesis])
            rest = hypothesis
            for _ in range(2):
                rest = rest - (self._frame @ rest) @ self._frame
            if np.linalg.norm(rest) > 1e-14:
                self._frame = np.vstack([self._frame, unit(rest)])
            self._composed.append(np.eye(len(self.features))[-1])
        else:
            row = np.linalg.lstsq(self.features.T, hypothesis, rcond=None)[0]
            self._composed.append(np.asarray(row, dtype=np.float64))
        self._subsets.add(self._frame @ hypothesis)
        self._coefficients.append((np.array([len(self._composed) - 1]), np.ones(1)))


class TwoLevel(_Levels):
    """Algorithm 2 as a representation for the online loop, learning from samples.

    Parameters
    ----------
    n : int
        Dimension of the examples.
    epsilon : float
        Error that every task is allowed, in (0, 1/2).
    tau : int
        How many second-level features a hypothesis may combine.
    epsilon_acc_second, epsilon_acc_first : float, optional
        Errors of a vector combined from the first level, and of one learned from scratch; a quarter of
        `epsilon`, and a quarter of that, unless given.
    model : LabelModel, optional
        How many labels each attempt draws.
    best : int, default 20
        Subsets that are fitted, the best by their moment score.

    Attributes
    ----------
    features : float64, shape (k~, n)
        The first level, the matrix W~ of the paper.
    second : float64, shape (r~, k~)
        The second level, the matrix U~, padded with zeros.
    tiers : list of dict
        What each task paid for each of the attempts "sparse", "dense" and "scratch".

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-two`. Each of the first two attempts fits on fresh labels and is tested on a holdout at 0.75 of the error it
    is allowed; the task counts all of them. The moment score of a subset is the share of the mean of y x that its span
    holds, which points along the target under a rotation-invariant law.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> targets = ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0], [2, 2, 2, 0.01], [1, 0, -1, 0])
    >>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
    >>> run = learn_stream(tasks, TwoLevel(4, 0.1, 2))
    >>> run.how
    ['scratch', 'scratch', 'scratch', 'composed', 'reused', 'reused']
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        tau: int,
        epsilon_acc_second: float | None = None,
        epsilon_acc_first: float | None = None,
        *,
        model: LabelModel | None = None,
        best: int = 20,
    ) -> None:
        super().__init__(n, epsilon, tau, epsilon_acc_second, epsilon_acc_first, model)
        self.best = integer("best", best, least=1)
        self.tiers: list[dict[str, int]] = []

    def _passes(self, task: HalfspaceTask, hypothesis: FloatArray, size: int, error: float) -> bool:
        X, y = task.examples(size)
        return bool(np.mean(signs(X, hypothesis) != y) <= 0.75 * error)

    def reuse(self, task: HalfspaceTask) -> FloatArray | None:
        """Look for a combination of tau second-level features, and test it on a holdout.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when there are no features or the holdout refuses it.

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        self._check(task)
        self.tiers.append({"sparse": 0, "dense": 0, "scratch": 0})
        if not self._composed:
            return None
        fit, test = self.model.sparse(len(self._composed), self.tau, self.epsilon)
        self.tiers[-1]["sparse"] = fit + test
        X, y = task.examples(fit)
        support, inside = self._fit_sparse(X @ self._frame.T, y)
        if not self._passes(task, inside @ self._frame, test, self.epsilon):
            return None
        return self._keep(support, inside)

    def _fit_sparse(self, X: FloatArray, y: Any) -> tuple[Any, FloatArray]:
        """Support and vector, both in coordinates of the frame, that err least among the best-scored subsets."""
        score = self._subsets.share(y @ X / len(X))
        order = np.argsort(-score, kind="stable")[: self.best]
        fits = [few_weights(X @ self._subsets.bases[i].T, y) @ self._subsets.bases[i] for i in order]
        errors = [np.mean(signs(X, w) != y) for w in fits]
        chosen = int(np.argmin(errors))
        return self._subsets.supports[order[chosen]], fits[chosen]

    def learn(self, task: HalfspaceTask) -> tuple[How, FloatArray]:
        """Combine all first-level features if that is accurate enough, else use the original variables.

        Parameters
        ----------
        task : HalfspaceTask
            Seen through its oracle, which counts.

        Returns
        -------
        how : {"composed", "scratch"}
        hypothesis : float64, shape (n,)

        Raises
        ------
        ValueError
            If the task has another dimension.
        """
        self._check(task)
        if not self.tiers:
            self.tiers.append({"sparse": 0, "dense": 0, "scratch": 0})
        if len(self.features):
            fit, test = self.model.dense(len(self._frame), self.epsilon_acc_second)
            self.tiers[-1]["dense"] = fit + test
            X, y = task.examples(fit)
            hypothesis: FloatArray = logistic_halfspace(X @ self._frame.T, y) @ self._frame
            if self._passes(task, hypothesis, test, self.epsilon_acc_second):
                return "composed", hypothesis
        size = self.model.scratch(task.n, self.epsilon_acc_first)
        self.tiers[-1]["scratch"] = size
        return "scratch", logistic_halfspace(*task.examples(size))


class ExactTwoLevel(_Levels):
    """Algorithm 2 with exact oracles and a bill: for studying the theory apart from sampling.

    Parameters
    ----------
    n, epsilon, tau, epsilon_acc_second, epsilon_acc_first, model
        As in `TwoLevel`. A vector kept in either level has exactly the error of its level, not less.
    direction : {"random", "common"}
        Where errors point: in random directions, or always along the last axis. Each is made orthogonal to the target;
        one of the second level stays in the span of the first level, as it must.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the random directions.

    Attributes
    ----------
    features, second
        As in `TwoLevel`.
    bill : list of dict
        Labels that each task would have paid for the attempts "sparse", "dense" and "scratch".
    best : list of float
        The best error of a tau-sparse combination at each attempt, 1/2 while there are no features.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    `algo-two` as its box is meant. It reads `task.target`, which no learner from samples can, draws no example and
    needs a rotation-invariant law. The bill is a model, not a measurement: `LabelModel` says what it counts. Where the
    span of the first level has no room for an error, the error of a second-level vector is as small as it comes out.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(4)) for w in ([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1, 1, 1, 0])]
    >>> run = learn_stream(tasks, ExactTwoLevel(4, 0.1, 2, 0.01, 0.001))
    >>> run.how, run.counts.labels, run.representation.bill[-1]
    (['scratch', 'scratch', 'scratch', 'composed'], 0, {'sparse': 324, 'dense': 3200, 'scratch': 0})
    """

    def __init__(
        self,
        n: int,
        epsilon: float,
        tau: int,
        epsilon_acc_second: float | None = None,
        epsilon_acc_first: float | None = None,
        *,
        direction: Literal["random", "common"] = "random",
        model: LabelModel | None = None,
        rng: Any = None,
    ) -> None:
        super().__init__(n, epsilon, tau, epsilon_acc_second, epsilon_acc_first, model)
        if direction not in ("random", "common"):
            raise ValueError(f"direction: expected 'random' or 'common', got {direction!r}")
        self.direction = direction
        self.bill: list[dict[str, int]] = []
        self.best: list[float] = []
        self._rng = np.random.default_rng(rng)

    def _target(self, task: HalfspaceTask) -> FloatArray:
        self._check(task)
        if not task.distribution.rotation_invariant:
            raise ValueError(f"task: expected a rotation-invariant law, got {type(task.distribution).__name__}")
        return task.target

    def reuse(self, task: HalfspaceTask) -> FloatArray | None:
        """Take the best combination of tau second-level features, if its error is at most `epsilon`.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when no combination is good enough.

        Raises
        ------
        ValueError
            If the task has another dimension or its law is not rotation-invariant.
        """
        target = self._target(task)
        self.bill.append({"sparse": 0, "dense": 0, "scratch": 0})
        if not self._composed:
            self.best.append(0.5)
            return None
        self.bill[-1]["sparse"] = sum(self.model.sparse(len(self._composed), self.tau, self.epsilon))
        coordinates = self._frame @ target
        # squared cosines tell small angles apart only down to 1e-8: the few best are measured again
        few = np.argsort(-self._subsets.share(coordinates), kind="stable")[:8]
        bases = self._subsets.bases[few]
        near = ((bases @ coordinates)[:, None, :] @ bases)[:, 0]
        kept = near.any(axis=1)
        errors = np.full(len(few), 0.5)
        errors[kept] = np.asarray(angle(near[kept] @ self._frame, target)) / np.pi
        chosen = int(errors.argmin())
        self.best.append(float(errors[chosen]))
        if errors[chosen] > self.epsilon:
            return None
        return self._keep(self._subsets.supports[few[chosen]], near[chosen])

    def learn(self, task: HalfspaceTask) -> tuple[How, FloatArray]:
        """A vector of the first level's span with error `epsilon_acc_second`, else one learned from scratch.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.

        Returns
        -------
        how : {"composed", "scratch"}
        hypothesis : float64, shape (n,)

        Raises
        ------
        ValueError
            If the task has another dimension, its law is not rotation-invariant, or the target is the axis along
            which errors point.
        """
        target = self._target(task)
        bill = self.bill[-1] if self.bill else {}
        if len(self.features):
            bill["dense"] = sum(self.model.dense(len(self._frame), self.epsilon_acc_second))
            near = (self._frame @ target) @ self._frame
            if near.any() and angle(near, target) <= np.pi * self.epsilon_acc_second:
                return "composed", self._tilted(unit(near), target)
        bill["scratch"] = self.model.scratch(task.n, self.epsilon_acc_first)
        error = self._error(task.n)
        error = error - (error @ target) * target
        if np.linalg.norm(error) < 1e-8:
            raise ValueError("task: expected a target away from the axis along which errors point")
        turn = np.pi * self.epsilon_acc_first
        return "scratch", np.cos(turn) * target + np.sin(turn) * unit(error)

    def _error(self, n: int) -> FloatArray:
        return self._rng.standard_normal(n) if self.direction == "random" else np.eye(n)[-1]

    def _tilted(self, near: FloatArray, target: FloatArray) -> FloatArray:
        """Turn the nearest vector within the span of the first level until the error is that of the second."""
        side = (self._frame @ self._error(len(near))) @ self._frame
        side = side - (side @ near) * near
        if np.linalg.norm(side) < 1e-8:
            return near
        whole, away = np.pi * self.epsilon_acc_second, float(angle(near, target))
        turn = np.arcsin(np.sqrt(np.sin(whole - away) * np.sin(whole + away)) / np.cos(away))  # Pythagoras on a sphere
        tilted: FloatArray = np.cos(turn) * near + np.sin(turn) * unit(side)
        return tilted


def level_factors(run: Run[Any]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The three matrices that `algo-two` keeps: coefficients, second level, first level.

    Parameters
    ----------
    run : Run
        Of `TwoLevel` or `ExactTwoLevel`.

    Returns
    -------
    C : float64, shape (m, r~)
        At most tau entries of a row differ from zero.
    U : float64, shape (r~, k~)
        The second level.
    W : float64, shape (k~, n)
        The first level. The rows of C U W are the hypotheses.

    Raises
    ------
    ValueError
        If `run` is no Run of one of the two learners.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.loop import learn_stream
    >>> tasks = [HalfspaceTask(w, Gaussian(3)) for w in ([1, 0, 0], [0, 1, 0], [3, 4, 0])]
    >>> C, U, W = level_factors(learn_stream(tasks, ExactTwoLevel(3, 0.1, 2, 0.01, 1e-9, rng=0)))
    >>> np.round(C, 6) + 0.0
    array([[1. , 0. ],
           [0. , 1. ],
           [0.6, 0.8]])
    """
    instance("run", run, Run)
    learner = run.representation
    instance("run.representation", learner, _Levels)
    C = np.zeros((len(run.steps), len(learner.second)))
    for row, (support, values) in zip(C, learner._coefficients, strict=False):
        row[support] = values
    return C, learner.second, learner.features


def _rest(vector: Any, basis: list[Any]) -> Any:
    """What is left of a vector beside an orthonormal basis, in the precision of the context."""
    for _ in range(2):
        for row in basis:
            vector = vector - (vector @ row) * row
    return vector


def _long(vector: Any) -> Any:
    return mp.sqrt(vector @ vector)


def _basis(rows: list[Any]) -> list[Any]:
    basis: list[Any] = []
    for row in rows:
        rest = _rest(row, basis)
        basis.append(rest / _long(rest))
    return basis


def precise_levels(
    targets: Any, tau: int, epsilon: Any, epsilon_acc_second: Any, epsilon_acc_first: Any, *, digits: int = 120
) -> list[tuple[How, float]]:
    """Run `algo-two` in many digits, exact oracles and all errors along the last axis.

    Parameters
    ----------
    targets : array_like, shape (m, n), real or mpmath numbers
        Unit rows; few and short, since every subset is tried.
    tau : int
        How many second-level features a hypothesis may combine.
    epsilon, epsilon_acc_second, epsilon_acc_first : float or mpmath number
        The three errors.
    digits : int, default 120
        Decimal digits.

    Returns
    -------
    list of (str, float)
        For each task how it was learned, and the sine of its angle to the nearest span of tau second-level features
        over the sine of pi epsilon: above 1 it was refused.

    Raises
    ------
    ValueError
        If `targets` is no matrix, or `tau` or `digits` is out of range.

    Notes
    -----
    For `thm-two-levels`, at accuracies that doubles cannot hold; where they can, `ExactTwoLevel` with the direction
    "common" does the same.

    Examples
    --------
    >>> [how for how, _ in precise_levels(np.eye(3)[[0, 1, 0]], 1, 0.1, 0.01, 0.001)]
    ['scratch', 'scratch', 'reused']
    """
    rows = np.asarray(targets)
    if rows.ndim != 2 or not rows.size:
        raise ValueError(f"targets: expected shape (m, n), got shape {rows.shape}")
    tau = integer("tau", tau, least=1)
    with mp.workdps(integer("digits", digits, least=15)):
        limits = [mp.sin(mp.pi * mp.mpf(x)) for x in (epsilon, epsilon_acc_second, epsilon_acc_first)]
        axis = np.array([mp.mpf(int(j == rows.shape[1] - 1)) for j in range(rows.shape[1])])
        first: list[Any] = []
        second: list[Any] = []
        found: list[tuple[How, float]] = []
        for row in rows:
            target = np.array([mp.mpf(x) for x in row])
            subsets = combinations(second, min(tau, len(second)))
            sine = min(_long(_rest(target, _basis(list(subset)))) for subset in subsets)
            how = _precise_step(target, axis, first, second, sine, limits)
            found.append((how, float(sine / limits[0])))
        return found


def _precise_step(target: Any, axis: Any, first: list[Any], second: list[Any], sine: Any, limits: list[Any]) -> How:
    """Learn one task in place, and say how."""
    if sine <= limits[0]:
        return "reused"
    span = _basis(first)
    rest = _rest(target, span)
    if span and _long(rest) <= limits[1]:
        near = (target - rest) / _long(target - rest)
        side = axis - _rest(axis, span)  # the part of the axis that the first level can express
        cosine = mp.sqrt(1 - limits[1] ** 2) / _long(target - rest)
        second.append(_turned(near, side, min(mp.mpf(1), cosine)))
        return "composed"
    first.append(_turned(target, axis, mp.sqrt(1 - limits[2] ** 2)))
    second.append(first[-1])
    return "scratch"


def _turned(vector: Any, towards: Any, cosine: Any) -> Any:
    """A unit vector turned towards another one by an angle of given cosine."""
    side = _rest(towards, [vector])
    if _long(side) < mp.mpf(10) ** (-mp.dps // 2):
        return vector
    return cosine * vector + mp.sqrt(1 - cosine**2) * side / _long(side)
