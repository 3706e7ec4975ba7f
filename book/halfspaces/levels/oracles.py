"""Oracles with a bill: what each attempt of Algorithm 2 costs, in labels that are drawn or would be."""

from typing import Any, Literal

import numpy as np

from lifelong._checks import FloatArray, RNGLike, instance, integer
from lifelong.halfspaces.angles import turn, unit
from lifelong.halfspaces.learners import Learner, logistic_halfspace
from lifelong.halfspaces.oracles import Direction, Exact, Labels, Sampled, Spans, Subsets, target_of
from lifelong.halfspaces.tasks import HalfspaceTask, SignTask


class _Billing:
    """A bill for every task: labels for each of the attempts of Algorithm 2."""

    bill: list[dict[str, int]]

    def pay(self, attempt: Literal["sparse", "dense", "scratch"], labels: int) -> None:
        """Put labels on the bill; the first attempt at a task opens it."""
        if attempt == "sparse" or not self.bill:
            self.bill.append({"sparse": 0, "dense": 0, "scratch": 0})
        self.bill[-1][attempt] += labels


class SampledLevels(_Billing, Sampled):
    """The chapter's oracle for Algorithm 2: `Sampled` with a bill; of `tried` spans the best is tested."""

    def __init__(self, learner: Learner = logistic_halfspace, *, tried: int = 20, **sampled: Any) -> None:
        super().__init__(learner, **sampled)
        self.tried = integer("tried", tried, least=1)
        self.bill = []

    def within(self, task: SignTask, spans: Spans, eps: float) -> FloatArray | None:
        """As `Sampled` does, on the bill."""
        before = task.counts.labels
        found = super().within(task, spans, eps)
        self.pay("sparse" if isinstance(spans, Subsets) else "dense", task.counts.labels - before)
        return found

    def afresh(self, task: SignTask, eps: float) -> FloatArray:
        """As `Sampled` does, on the bill."""
        before = task.counts.labels
        found = super().afresh(task, eps)
        self.pay("scratch", task.counts.labels - before)
        return found


class ExactLevels(_Billing, Exact):
    """The chapter's oracle for Algorithm 2: `Exact`, each level's error met exactly, samples billed by `labels`."""

    def __init__(self, direction: Direction = "random", *, labels: Labels | None = None, rng: RNGLike = None) -> None:
        super().__init__(direction, rng=rng)
        self.labels = Labels() if labels is None else labels
        instance("labels", self.labels, Labels)
        self.bill = []

    def within(self, task: HalfspaceTask, spans: Spans, eps: float) -> FloatArray | None:
        """The best of few features, or in one span a vector whose error is exactly eps."""
        if isinstance(spans, Subsets):
            features = len(spans.rows)
            self.pay("sparse", sum(self.labels.sparse(features, spans.tau, eps)) if features else 0)
            return super().within(task, spans, eps)
        a, basis = target_of(task), spans[spans.any(axis=1)]
        if not len(basis):
            return None
        self.pay("dense", sum(self.labels.within(len(basis), eps)))
        near, away = self.projected(a, spans)
        return None if away > np.pi * eps else self._tilted(near, a, basis, eps)

    def _tilted(self, near: FloatArray, a: FloatArray, basis: FloatArray, eps: float) -> FloatArray:
        """The nearest vector turned within its span until its error is eps, as far as there is room."""
        side = (basis @ self._side(len(near))) @ basis
        side = side - (side @ near) * near
        if np.linalg.norm(side) < 1e-8:
            return near
        whole, away = np.pi * eps, float(turn(near, a))
        t = np.arcsin(np.sqrt(np.sin(whole - away) * np.sin(whole + away)) / np.cos(away))  # Pythagoras on a sphere
        tilted: FloatArray = np.cos(t) * near + np.sin(t) * unit(side)
        return tilted

    def afresh(self, task: HalfspaceTask, eps: float) -> FloatArray:
        """A vector at exactly the angle pi * eps from the target, on the bill."""
        learned = super().afresh(task, eps)
        self.pay("scratch", self.labels.afresh(task.n, eps))
        return learned
