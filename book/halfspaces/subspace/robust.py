"""Wrong labels, and an oracle that allows for them (beyond the paper)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, number
from lifelong.halfspaces.learners import Learner, logistic_halfspace
from lifelong.halfspaces.oracles import Sampled, Spans
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask
from lifelong.laws import Law


class NoisyTask(HalfspaceTask):
    """A halfspace some of whose labels are flipped.

    Parameters
    ----------
    target : array_like, shape (n,), real
        Normal vector of the halfspace before the noise.
    distribution : Law
        Marginal of the examples.
    rate : float
        Probability of a flip, in [0, 1].
    width : float, optional
        Only examples within this distance, at least 0, of the boundary are flipped; all of them unless given.
    rng : None, int, SeedSequence, BitGenerator or Generator
        Source of examples and flips.

    Raises
    ------
    ValueError
        If an argument is not as described.

    Notes
    -----
    Outside the model of `algo-one`, whose targets are consistent. `error` is still that of the clean target. Without
    a width this is random classification noise; with one and a rate below 1/2 it is Massart noise.

    Examples
    --------
    >>> from lifelong.laws import Gaussian
    >>> task = NoisyTask([1.0, 0.0], Gaussian(2), 1.0, rng=0)
    >>> X, y = task.examples(5)
    >>> from lifelong.halfspaces.tasks import signs
    >>> bool((y == -signs(X, task.target)).all()), task.counts.labels
    (True, 5)
    """

    def __init__(
        self, target: ArrayLike, distribution: Law, rate: float, *, width: float | None = None, rng: RNGLike = None
    ) -> None:
        super().__init__(target, distribution, rng=rng)
        self.rate = number("rate", rate, low=0.0, high=1.0)
        self.width = np.inf if width is None else number("width", width, low=0.0, high=np.inf, open_high=True)

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh examples with labels that may be wrong; each is counted.

        Parameters
        ----------
        size : int
            How many.

        Returns
        -------
        X : float64, shape (size, n)
        y : int64, shape (size,), values -1 and 1

        Raises
        ------
        ValueError
            If `size` is not a non-negative integer.
        """
        X, y = super().examples(size)
        flipped = (self._rng.random(len(X)) < self.rate) & (np.abs(X @ self.target) <= self.width)
        return X, np.where(flipped, -y, y)


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

    def passes(self, task: SignTask, hypothesis: FloatArray, eps: float) -> bool:
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
        allowed = self.noise + (1 - 2 * self.noise) * self.threshold * eps
        return self.tested(task, eps, hypothesis)[0] <= allowed

    def within(self, task: SignTask, spans: Spans, eps: float) -> FloatArray | None:
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
        hypothesis = self.fitted(task, spans, eps)
        if hypothesis is None or self.passes(task, hypothesis, eps):
            return hypothesis
        if self.margin is None:
            return None
        rival = super().afresh(task, eps / 5 if self.rival is None else self.rival)
        ours, theirs = self.tested(task, eps, hypothesis, rival)
        if ours - theirs <= self.margin:
            return hypothesis
        self._winner = rival
        return None

    def afresh(self, task: SignTask, eps: float) -> FloatArray:
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
        return super().afresh(task, eps) if self._winner is None else self._winner
