"""Wrong labels, and an oracle that allows for them (beyond the paper)."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import FloatArray, RNGLike, number
from lifelong.halfspaces.learners import Learner, logistic_halfspace
from lifelong.halfspaces.oracles import Sampled, Spans
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask
from lifelong.laws import Law


class NoisyTask(HalfspaceTask):
    """Robust runs of Algorithm 1's chapter: a halfspace some of whose labels are flipped."""

    def __init__(
        self, target: ArrayLike, distribution: Law, rate: float, *, width: float | None = None, rng: RNGLike = None
    ) -> None:
        super().__init__(target, distribution, rng=rng)
        self.rate = number("rate", rate, "[0, 1]")
        self.width = np.inf if width is None else number("width", width, "[0, inf)")

    def examples(self, size: int) -> tuple[FloatArray, NDArray[np.int64]]:
        """Fresh examples with labels that may be wrong; each is counted."""
        X, y = super().examples(size)
        flipped = (self._rng.random(len(X)) < self.rate) & (np.abs(X @ self.target) <= self.width)
        return X, np.where(flipped, -y, y)


class Robust(Sampled):
    """The robust oracle of Algorithm 1's chapter: it answers where labels are wrong, or targets are no halfspaces."""

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
        self.noise = number("noise", noise, "[0, 0.5)")
        self.margin = None if margin is None else number("margin", margin, "[0, 1]")
        self.rival = None if rival is None else number("rival", rival, "(0, 0.5)")
        self._winner: FloatArray | None = None  # what beat the span; the answer to the next `afresh`

    def passes(self, task: SignTask, w: FloatArray, eps: float) -> bool:
        """Test a hypothesis on a holdout whose labels are wrong at the rate `noise`."""
        allowed = self.noise + (1 - 2 * self.noise) * self.threshold * eps
        return self.tested(task, eps, w)[0] <= allowed

    def within(self, task: SignTask, spans: Spans, eps: float) -> FloatArray | None:
        """Fit a hypothesis in a span, test it, and if there is a margin compare it with one from scratch."""
        self._winner = None
        w = self.fitted(task, spans, eps)
        if w is None or self.passes(task, w, eps):
            return w
        if self.margin is None:  # plain, or shift
            return None
        fresh = Sampled.afresh(self, task, self.rival or eps / 5)
        ours, theirs = self.tested(task, eps, w, fresh)
        if ours - theirs <= self.margin:
            return w
        self._winner = fresh  # what the next `afresh` returns
        return None

    def afresh(self, task: SignTask, eps: float) -> FloatArray:
        """The vector that beat the span, or a new one."""
        if self._winner is None:
            return Sampled.afresh(self, task, eps)
        return self._winner
