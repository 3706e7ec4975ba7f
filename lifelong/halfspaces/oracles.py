"""Oracles of Section 3: who answers whether a span holds a good hypothesis, and who learns a task afresh.

The algorithms of the paper ask two questions of a task and leave open how they are answered. An oracle answers them
from counted labels, as a learner must, or exactly, from the target: then the theory is seen apart from sampling.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log
from typing import Any, Literal, Protocol, runtime_checkable

import numpy as np

from lifelong._checks import FloatArray, RNGLike, instance, integer, number, random_generator, rows_in
from lifelong._contracts import checked, checked_record
from lifelong.halfspaces.angles import angle, orthonormal_rows, unit
from lifelong.halfspaces.learners import Learner, NotSeparableError, logistic_halfspace
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask, signs

__all__ = [
    "Exact",
    "Labels",
    "Oracle",
    "Robust",
    "Sampled",
]


#: Where the errors of `Exact` point.
Direction = Literal["random", "common", "fresh"]


@runtime_checkable
class Oracle(Protocol):
    """What the algorithms of Section 3 ask about a task.

    See Also
    --------
    Sampled : from counted labels, as a learner must.
    Robust : from labels of which some are wrong.
    Exact : from the target, to see the theory apart from sampling.

    Notes
    -----
    The two steps of `algo-one`: attempt to learn with the features there are, and else with the original variables.
    """

    def within(self, task: Any, basis: FloatArray, error: float) -> FloatArray | None:
        """Look for a hypothesis in a span.

        Parameters
        ----------
        task : task of Section 3
        basis : float64, shape (k, n)
            Rows that span; none at all (k = 0) hold nothing.
        error : float
            What the hypothesis is allowed, in (0, 1/2).

        Returns
        -------
        float64, shape (n,), or None
            A unit vector in the span; None where the span is refused.
        """

    def afresh(self, task: Any, error: float) -> FloatArray:
        """Learn with the original variables.

        Parameters
        ----------
        task : task of Section 3
        error : float
            What the hypothesis is allowed, in [0, 1/2).

        Returns
        -------
        float64, shape (n,)
            A unit vector.
        """


@checked_record
@dataclass(frozen=True, kw_only=True)
class Labels:
    """How many labels an answer takes: what `Sampled` draws, and what a run with `Exact` may be billed.

    Parameters
    ----------
    fit : float, default 4
        Labels for a fit in a span, for each fitted number and each 1 / error.
    holdout : float, default 20
        Labels for a test, for each 1 / error.
    scratch : float, default 0.6
        Labels for learning with the original variables, for each of them and each 1 / error.

    Raises
    ------
    ValueError
        If a constant is not positive.

    Notes
    -----
    The three terms in the label bounds of `thm-halfspaces` and `thm-two-levels`, with constants. A halfspace fitted to
    N labels in d dimensions has error about d / (2N) under a Gaussian law where some halfspace fits them all, hence
    0.6. Numbers of labels are rounded up.

    Examples
    --------
    >>> labels = Labels()
    >>> labels.within(3, 0.1), labels.sparse(10, 2, 0.1), labels.afresh(50, 0.1)
    ((120, 200), (233, 200), 300)
    """

    fit: float = 4.0
    holdout: float = 20.0
    scratch: float = 0.6

    def __post_init__(self) -> None:
        for name in ("fit", "holdout", "scratch"):
            number(name, getattr(self, name), low=0.0, high=np.inf, open_low=True)

    def within(self, numbers: float, error: float) -> tuple[int, int]:
        """Labels to fit numbers, the coefficients of a span, and to test the fit.

        Parameters
        ----------
        numbers : float
            How many are fitted.
        error : float
            What the fit is allowed, in (0, 1].

        Returns
        -------
        fit, test : int

        Raises
        ------
        ValueError
            If an argument is no number.
        """
        number("numbers", numbers, low=0.0, high=1e300)
        number("error", error, low=0.0, high=1.0, open_low=True)
        return _rounded_up(self.fit * numbers, error), _rounded_up(self.holdout, error)

    def sparse(self, features: int, tau: int, error: float) -> tuple[int, int]:
        """Labels to fit and to test tau of the features; the choice among the subsets counts by its logarithm.

        Parameters
        ----------
        features, tau : int
        error : float

        Returns
        -------
        fit, test : int

        Raises
        ------
        ValueError
            If an argument is no number of its kind.
        """
        integer("features", features, least=0)
        integer("tau", tau, least=0)
        used = min(tau, features)
        return self.within(used + log(comb(features, used)), error)

    @checked
    def afresh(self, n: int, error: float) -> int:
        """Labels to learn with the original variables.

        Parameters
        ----------
        n : int
        error : float
            The `epsilon_acc` of the algorithms, in (0, 1/2).

        Returns
        -------
        int

        Raises
        ------
        ValueError
            If `n` is not a positive integer, or `error` is out of range: for 0 no number of labels will do.
        """
        integer("n", n, least=1)
        number("epsilon_acc", error, low=0.0, high=0.5, open_low=True, open_high=True)
        return _rounded_up(self.scratch * n, error)


def _rounded_up(constant: float, error: float) -> int:
    """So many labels for each 1 / error."""
    if constant >= 1e300 * error:
        raise ValueError(f"error: expected one for which a number of labels will do, got {error:g}")
    return int(np.ceil(constant / error))


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
    """

    def __init__(
        self,
        learner: Learner = logistic_halfspace,
        *,
        scratch_learner: Learner | None = None,
        labels: Labels | None = None,
        threshold: float = 0.75,
    ) -> None:
        self.learner, self.scratch_learner = learner, learner if scratch_learner is None else scratch_learner
        for name in ("learner", "scratch_learner"):
            if not callable(getattr(self, name)):
                raise ValueError(f"{name}: expected a callable (X, y) -> unit vector, got {getattr(self, name)!r}")
        self.labels = Labels() if labels is None else labels
        instance("labels", self.labels, Labels)
        self.threshold = number("threshold", threshold, low=0.0, high=1.0, open_low=True)

    @checked
    def within(self, task: SignTask, basis: FloatArray, error: float) -> FloatArray | None:
        """Fit a hypothesis in a span, and test it on a holdout.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        basis : float64, shape (k, n)
            Rows that span. Labels are counted by their number, or by their rank where they are not orthonormal or zero.
        error : float
            What the hypothesis is allowed.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when there are no rows, the learner fails in their span or the holdout refuses it.
        """
        hypothesis = self._fitted(task, basis, error)
        return hypothesis if hypothesis is not None and self.passes(task, hypothesis, error) else None

    @checked
    def passes(self, task: SignTask, hypothesis: FloatArray, error: float) -> bool:
        """Test a hypothesis on a holdout.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        hypothesis : float64, shape (n,)
        error : float
            What it is allowed.

        Returns
        -------
        bool
        """
        return self._tested(task, error, hypothesis)[0] <= self.threshold * error

    @checked
    def afresh(self, task: SignTask, error: float) -> FloatArray:
        """Learn to about an error with the original variables.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        error : float
            The `epsilon_acc` of the algorithms, in (0, 1/2).

        Returns
        -------
        float64, shape (n,)
            A unit vector.
        """
        return self.scratch_learner(*task.examples(self.labels.afresh(task.n, error)))

    def _fitted(self, task: SignTask, basis: FloatArray, error: float) -> FloatArray | None:
        basis = spanning("basis", basis, task.n)
        if not basis.any():
            return None
        X, y = task.examples(self.labels.within(len(basis), error)[0])
        try:
            fitted: FloatArray = self.learner(X @ basis.T, y) @ basis
        except NotSeparableError:
            return None
        return fitted

    def _tested(self, task: SignTask, error: float, *hypotheses: FloatArray) -> list[float]:
        """Errors of hypotheses on the same fresh labels."""
        X, y = task.examples(self.labels.within(0, error)[1])
        return [float(np.mean(signs(X, w) != y)) for w in hypotheses]


class Robust(Sampled):
    """Answers from labels of which some are wrong, or whose targets are no halfspaces.

    Parameters
    ----------
    learner : callable (X, y) -> unit vector, default `learners.logistic_halfspace`
        As in `Sampled`.
    noise : float, default 0
        Known rate of random classification noise, in [0, 1/2): the test allows for it.
    margin : float, optional
        If given, a span is refused only when a vector learned with the original variables beats the one in the span
        by more than this, on fresh labels.
    rival : float, optional
        The error to which that vector is learned, the `epsilon_acc` of the algorithm; a fifth of the error
        allowed unless given.
    sampled : keyword arguments
        The others of `Sampled`.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    A rule of this book, not of the paper; with neither `noise` nor `margin` it is that of `Sampled` for `algo-one`.
    Noise at the rate h turns an error e into h + (1 - 2h) e, so that is where the threshold goes. The margin needs no
    knowledge of the noise, but a task that fails the test is then learned afresh, refused or not; after a refusal
    that vector is the answer to `afresh`.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> from lifelong.halfspaces.tasks import NoisyTask
    >>> task = NoisyTask([1, 0, 0], Gaussian(3), 0.2, rng=0)
    >>> Sampled().within(task, np.eye(3)[:1], 0.1) is None, Robust(noise=0.2).within(task, np.eye(3)[:1], 0.1) is None
    (True, False)
    """

    def __init__(
        self,
        learner: Learner = logistic_halfspace,
        *,
        noise: float = 0.0,
        margin: float | None = None,
        rival: float | None = None,
        **sampled: Any,
    ) -> None:
        super().__init__(learner, **sampled)
        self.noise = number("noise", noise, low=0.0, high=0.5, open_high=True)
        self.margin = None if margin is None else number("margin", margin, low=0.0, high=1.0)
        half: dict[str, Any] = {"low": 0.0, "high": 0.5, "open_low": True, "open_high": True}
        self.rival = None if rival is None else number("rival", rival, **half)
        self._winner: FloatArray | None = None  # what beat the span; the answer to the next `afresh`

    @checked
    def passes(self, task: SignTask, hypothesis: FloatArray, error: float) -> bool:
        """Test a hypothesis on a holdout whose labels are wrong at the rate `noise`.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        hypothesis : float64, shape (n,)
        error : float
            What it is allowed.

        Returns
        -------
        bool
        """
        allowed = self.noise + (1 - 2 * self.noise) * self.threshold * error
        return self._tested(task, error, hypothesis)[0] <= allowed

    @checked
    def within(self, task: SignTask, basis: FloatArray, error: float) -> FloatArray | None:
        """Fit a hypothesis in a span, test it, and if there is a margin compare it with one from scratch.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        basis : float64, shape (k, n)
            Rows that span. Labels are counted by their number, or by their rank where they are not orthonormal or zero.
        error : float
            What the hypothesis is allowed.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector, or None where the span is refused.
        """
        self._winner = None
        hypothesis = self._fitted(task, basis, error)
        if hypothesis is None or self.passes(task, hypothesis, error):
            return hypothesis
        if self.margin is None:
            return None
        rival = super().afresh(task, error / 5 if self.rival is None else self.rival)
        ours, theirs = self._tested(task, error, hypothesis, rival)
        if ours - theirs <= self.margin:
            return hypothesis
        self._winner = rival
        return None

    @checked
    def afresh(self, task: SignTask, error: float) -> FloatArray:
        """The vector that beat the span, or a new one.

        Parameters
        ----------
        task : SignTask
            Seen through its oracle, which counts.
        error : float
            The `epsilon_acc` of the algorithms, in (0, 1/2).

        Returns
        -------
        float64, shape (n,)
            A unit vector.
        """
        return super().afresh(task, error) if self._winner is None else self._winner


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
        if not isinstance(direction, str) or direction not in ("random", "common", "fresh"):
            raise ValueError(f"direction: expected 'random', 'common' or 'fresh', got {direction!r}")
        self.direction = direction
        self.best: list[float] = []
        self._rng = random_generator(rng)
        self._learned = 0

    @checked
    def within(self, task: HalfspaceTask, basis: FloatArray, error: float) -> FloatArray | None:
        """Take the best hypothesis in a span, if its error is at most that allowed.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        basis : float64, shape (k, n)
            Rows that span.
        error : float
            What the hypothesis is allowed.

        Returns
        -------
        float64, shape (n,), or None
            A unit vector; None when the span has nothing good enough.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant.
        """
        target = target_of(task)
        basis = spanning("basis", basis, task.n)
        nearest = (basis @ target) @ basis
        self.best.append(float(angle(nearest, target)) / np.pi if nearest.any() else 0.5)
        return unit(nearest) if self.best[-1] <= error else None

    @checked
    def afresh(self, task: HalfspaceTask, error: float) -> FloatArray:
        """A vector at exactly the angle pi * `error` from the target.

        Parameters
        ----------
        task : HalfspaceTask
            Its target is read.
        error : float
            In [0, 1/2).

        Returns
        -------
        float64, shape (n,)
            A unit vector.

        Raises
        ------
        TypeError
            If the task has no target.
        ValueError
            If its law is not rotation-invariant, or no error can point in the wanted direction.
        """
        number("error", error, low=0.0, high=0.5, open_high=True)
        target = target_of(task)
        side = self._side(task.n)
        side = side - (side @ target) * target
        if np.linalg.norm(side) < 1e-8:
            raise ValueError(f"task: expected a target away from the axis along which errors point, got {target}")
        self._learned += 1
        turned: FloatArray = np.cos(np.pi * error) * target + np.sin(np.pi * error) * unit(side)
        return turned

    def _side(self, n: int) -> FloatArray:
        """Where the next error points, before it is made orthogonal to the target."""
        if self.direction == "random":
            return self._rng.standard_normal(n)
        if self.direction == "fresh" and self._learned >= n:
            raise ValueError(f"task: expected at most {n} features with errors of their own, got one more")
        return np.asarray(np.eye(n)[n - 1 - (self._learned if self.direction == "fresh" else 0)])


def spanning(name: str, rows: FloatArray, n: int) -> FloatArray:
    """Rows that project on the span of those given: these where their Gram matrix is a projection, else orthonormal."""
    rows_in(name, rows, n, "the task")
    with np.errstate(over="ignore", invalid="ignore"):
        gram = rows @ rows.T
        beyond = (gram @ gram - gram).ravel()
        if beyond @ beyond <= 1e-24 and not rows[gram.diagonal() < 0.5].any():
            return rows
    basis = orthonormal_rows(rows)
    return basis[basis.any(axis=1)]


def target_of(task: HalfspaceTask) -> FloatArray:
    """The target of a task under a rotation-invariant law: for exact oracles only."""
    if not hasattr(task, "target"):
        raise TypeError(f"task: expected a HalfspaceTask, whose target can be read, got {type(task).__name__}")
    if not task.distribution.rotation_invariant:
        raise ValueError(f"task: expected a rotation-invariant law, got {type(task.distribution).__name__}")
    return task.target
