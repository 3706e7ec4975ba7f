"""Oracles of Section 3: who answers whether a span holds a good hypothesis, and who learns a task afresh.

A span is given by orthonormal rows; or, as `Subsets`, all spans of few features are meant, which Algorithm 2 tries
first.
"""

from dataclasses import dataclass
from itertools import combinations
from math import atan2, ceil, comb, log, sqrt
from typing import Any, Literal, Protocol

import numpy as np

from lifelong._checks import FloatArray, RNGLike, function, instance, number, one_of, random_generator, require
from lifelong.halfspaces.angles import reject, turn, unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, few_weights, logistic_halfspace
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask, signs


class Subsets:
    """What Algorithm 2 asks an oracle about: spans of every tau vectors (or all, if fewer), in coordinates of a frame.

    The frame is an orthonormal basis of what all vectors span: there the search is cheap.
    """

    def __init__(self, n: int, tau: int) -> None:
        self.tau = tau
        self.rows: FloatArray = np.empty((0, n))
        self.frame = self.rows
        self.bases: FloatArray = np.empty((0, 0, 0))

    def add(self, a: FloatArray) -> None:
        """Take in a vector of R^n."""
        rest = reject(a, self.frame)
        if np.linalg.norm(rest) > 1e-14:
            self.frame = np.vstack([self.frame, unit(rest)])
        self.rows = np.vstack([self.rows, a])
        r = range(len(self.rows))
        self.supports = np.array([*combinations(r, min(self.tau, len(r)))])
        columns = (self.rows @ self.frame.T)[self.supports].mT
        self.bases = np.linalg.qr(columns)[0].mT

    def share(self, x: FloatArray) -> FloatArray:
        """Squared length of the projection of a vector, in coordinates of the frame, on each of the spans."""
        return np.asarray(((self.bases @ x) ** 2).sum(axis=1))


#: Where the errors of `Exact` point.
Direction = Literal["random", "common", "fresh"]
#: Orthonormal rows, with rows of zeros or without, whose span is meant; or the spans of every few of some features.
Spans = FloatArray | Subsets


class Oracle(Protocol):
    """What Algorithms 1 and 2 ask about a task."""

    def within(self, task: Any, spans: Spans, eps: float) -> FloatArray | None:
        """A unit vector of a span with error at most eps, or None where there is none."""

    def afresh(self, task: Any, eps: float) -> FloatArray:
        """A unit vector with error about eps, learned with the original variables."""


@dataclass(frozen=True, kw_only=True)
class Labels:
    """How many labels an oracle's answer takes: see `thm-halfspaces`.

    A fit of d numbers to an error eps buys ``fit * d / eps`` labels and its test ``holdout / eps``; a task learned
    from scratch in n variables ``scratch * n / eps``, where eps is the finer accuracy.
    """

    fit: float = 4.0
    holdout: float = 20.0
    scratch: float = 0.6  # a fit to N labels in d dimensions errs about d / (2N)

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            number(name, value, "(0, inf)")

    def within(self, numbers: float, eps: float) -> tuple[int, int]:
        """Labels to fit numbers, the coefficients of a span, and to test the fit."""
        return ceil(self.fit * numbers / eps), ceil(self.holdout / eps)

    def sparse(self, features: int, tau: int, eps: float) -> tuple[int, int]:
        """Labels to fit and to test tau of the features; the choice among the subsets counts by its logarithm."""
        used = min(tau, features)
        return self.within(used + log(comb(features, used)), eps)

    def afresh(self, n: int, eps: float) -> int:
        """Labels to learn with the original variables."""
        number("epsilon_acc", eps, "(0, 0.5)")
        return ceil(self.scratch * n / eps)


class Sampled:
    """Answers learned from labelled examples, all of which the task counts.

    Parameters
    ----------
    learner : callable (X, y) -> unit vector, default `learners.logistic_halfspace`
        Learns in a span. No vector there need be consistent with the labels: a learner that raises
        `learners.NotSeparableError` refuses the span.
    scratch_learner : callable (X, y) -> unit vector, optional
        Learns with the original variables; `learner` unless given.
    labels : Labels, optional
        How many labels an answer takes.
    threshold : float, default 0.75
        A fit passes if its error on the holdout is at most `threshold` times the error allowed; in (0, 1].

    Raises
    ------
    ValueError
        If an argument is not as described.

    See Also
    --------
    lifelong.halfspaces.learners : the learners to choose from.

    Notes
    -----
    `algo-one` leaves the learner open. Every label of a fit, a holdout and a task from scratch is drawn from the task,
    and none is kept. `note-efficient` and `thm-halfspaces-samples` say what a span that is refused although it holds a
    good hypothesis costs.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> task = HalfspaceTask([1, 2, 0], Gaussian(3), rng=0)
    >>> Sampled().within(task, np.eye(3)[:1], 0.1) is None, task.counts.labels
    (True, 240)
    >>> w = Sampled().within(task, np.eye(3)[:2], 0.1)
    >>> task.error(w) < 0.1, task.counts.labels
    (True, 520)

    Where no halfspace fits, or labels may be wrong: ridge regression, and a test that uses all of the error allowed.

    >>> from functools import partial
    >>> from lifelong.halfspaces.learners import ridge_halfspace
    >>> real = Sampled(partial(ridge_halfspace, penalty=10.0), threshold=1.0)
    >>> real.within(task, np.eye(3)[:2], 0.3) is None
    False
    """

    tried = 20  # spans that are fitted, those that hold most of the mean of y x

    def __init__(
        self,
        learner: Learner = logistic_halfspace,
        *,
        scratch_learner: Learner | None = None,
        labels: Labels | None = None,
        threshold: float = 0.75,
    ) -> None:
        scratch = learner if scratch_learner is None else scratch_learner
        self.learner = function("learner", learner, "(X, y) -> unit vector")
        self.scratch_learner = function("scratch_learner", scratch, "(X, y) -> unit vector")
        self.labels = instance("labels", Labels() if labels is None else labels, Labels)
        self.threshold = number("threshold", threshold, "(0, 1]")

    def within(self, task: SignTask, spans: Spans, eps: float) -> FloatArray | None:
        """A fit in the span, or the best of several, if it passes the test on fresh labels."""
        w = self.fitted(task, spans, eps)
        return w if w is not None and self.passes(task, w, eps) else None

    def afresh(self, task: SignTask, eps: float) -> FloatArray:
        """A fit with the original variables."""
        return self.scratch_learner(*task.examples(self.labels.afresh(task.n, eps)))

    def passes(self, task: SignTask, w: FloatArray, eps: float) -> bool:
        """Whether a hypothesis errs on at most a share `threshold` * eps of fresh labels."""
        return self.tested(task, eps, w)[0] <= self.threshold * eps

    def tested(self, task: SignTask, eps: float, *hypotheses: FloatArray) -> list[float]:
        """Errors of hypotheses on the same fresh labels."""
        X, y = task.examples(self.labels.within(0, eps)[1])
        return [float(np.mean(signs(X, w) != y)) for w in hypotheses]

    def fitted(self, task: SignTask, spans: Spans, eps: float) -> FloatArray | None:
        """A hypothesis fitted to fresh labels, before its test; None where nothing fits."""
        if isinstance(spans, Subsets):
            return self.sparse_fit(task, spans, eps) if len(spans.rows) else None
        basis = spans[spans.any(axis=1)]
        if not len(basis):
            return None
        X, y = task.examples(self.labels.within(len(basis), eps)[0])
        try:
            return np.asarray(self.learner(X @ basis.T, y) @ basis)
        except NotSeparableError:
            return None

    def sparse_fit(self, task: SignTask, few: Subsets, eps: float) -> FloatArray:
        """The fit that errs least, of those in the spans that hold most of the mean of y x."""
        size = self.labels.sparse(len(few.rows), few.tau, eps)[0]  # to fit
        X, y = task.examples(size)
        X = X @ few.frame.T  # coordinates of the frame
        share = few.share(y @ X / len(X))
        tried = np.argsort(-share, kind="stable")[: self.tried]
        fits = [few_weights(X @ S.T, y) @ S for S in few.bases[tried]]
        errors = [np.mean(signs(X, w) != y) for w in fits]
        return unit(fits[np.argmin(errors)] @ few.frame)


class Exact:
    """Exact answers, read off the target, which no learner sees: they never fail, draw no example and cost no label.

    Parameters
    ----------
    direction : {"random", "common", "fresh"}, default "random"
        Where the error of a vector learned afresh points: in a random direction; always along the last axis, like the
        bias of one learner; or, for the i-th, along the i-th axis from the end, so that no two errors share a
        direction. Each is made orthogonal to the target. The last two suit targets that live on the first axes.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of the random directions.

    Attributes
    ----------
    best : list of float
        The best error in the span, each time one was asked for; 1/2 where it held nothing but zero.

    Raises
    ------
    ValueError
        If `direction` is none of these.

    Notes
    -----
    `algo-one` as its box is written. It needs a rotation-invariant law, where error is exactly angle / pi. A span is
    accepted if and only if the best error in it is at most the error allowed; a vector learned afresh has
    exactly the error asked for, not less.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> task, oracle = HalfspaceTask([3, 4, 0], Gaussian(3)), Exact("common")
    >>> print(oracle.within(task, np.eye(3)[:2], 0.1), oracle.within(task, np.eye(3)[2:], 0.1), oracle.best)
    [0.6 0.8 0. ] None [0.0, 0.5]
    >>> f"{task.error(oracle.afresh(task, 0.01)):.3f}", task.counts.labels
    ('0.010', 0)
    """

    def __init__(self, direction: Direction = "random", *, rng: RNGLike = None) -> None:
        self.direction = one_of("direction", direction, "random", "common", "fresh")
        self.best: list[float] = []
        self._rng = random_generator(rng)
        self._learned = 0

    def within(self, task: HalfspaceTask, spans: Spans, eps: float) -> FloatArray | None:
        """The best hypothesis in the spans, if its error is at most eps."""
        a = target_of(task)
        find: Any = nearest if isinstance(spans, Subsets) else self.projected
        near, away = find(a, spans)
        self.best.append(away / np.pi)  # a log of the least errors
        return near if self.best[-1] <= eps else None

    def afresh(self, task: HalfspaceTask, eps: float) -> FloatArray:
        """A vector at exactly the angle pi * eps from the target."""
        a, side = target_of(task), self._side(task.n)
        side = side - (side @ a) * a
        away = np.linalg.norm(side) >= 1e-8
        require(away, "task", "a target away from the axis along which errors point", a)
        self._learned += 1
        return np.asarray(np.cos(np.pi * eps) * a + np.sin(np.pi * eps) * unit(side))

    def projected(self, a: FloatArray, basis: FloatArray) -> tuple[FloatArray, float]:
        """The unit vector of a span nearest to a, and the angle between them; zero where all are orthogonal to a."""
        near = basis.dot(a).dot(basis)
        rest, size = a - near, sqrt(near.dot(near))
        return near / (size or 1.0), atan2(sqrt(rest.dot(rest)), size)

    def _side(self, n: int) -> FloatArray:
        """Where the next error points, before it is made orthogonal to the target."""
        if self.direction == "random":
            return self._rng.standard_normal(n)
        which = self._learned if self.direction == "fresh" else 0
        require(which < n, "task", f"at most {n} features with errors of their own", text="one more")
        return np.asarray(np.eye(n)[n - 1 - which])


def nearest(a: FloatArray, few: Subsets) -> tuple[FloatArray | None, float]:
    """What an exact oracle finds in the spans of few features: the unit vector nearest to a, and the angle."""
    weights = few.bases @ (few.frame @ a)  # in each span
    near = (weights[..., None] * few.bases).sum(axis=1)  # projections
    near = unit(near[near.any(axis=1)] @ few.frame)
    if not len(near):
        return None, np.pi / 2
    away = turn(near, unit(a))
    return near[away.argmin()], float(away.min())


def target_of(task: HalfspaceTask) -> FloatArray:
    """The target of a task under a rotation-invariant law: for exact oracles only."""
    a, law = task.target, task.distribution
    require(law.rotation_invariant, "task", "a rotation-invariant law", law)
    return a
