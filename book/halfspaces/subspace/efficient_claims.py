"""Claims of Note 1 (Section 3.3): an efficient learner in place of an exact one."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.learners import logistic_halfspace
from lifelong.halfspaces.oracles import Labels
from lifelong_book.halfspaces.subspace.claims import _DIRECTIONS, _opened
from lifelong_book.halfspaces.subspace.experiments import greedy_openings, learner_loss, lossy_run, random_targets
from lifelong_book.halfspaces.subspace.sample_experiments import far_flips
from lifelong_book.press.claim import Check, Claim, Finding, Generator

# note-efficient ----------------------------------------------------------------------------------------


_EFFICIENT = "k (1/2 + ln(L/eps))"


def _efficient_ratios(k: int, epsilon: float, opened: Any) -> tuple[Any, Any]:
    allowed = epsilon / float(learner_loss(epsilon))
    return opened / bounds.determinant_bound(k, allowed, allowed / 5), opened / (k * (0.5 - np.log(allowed)))


def _efficient_labels(k: int, n: int, epsilon: float, opened: Any) -> float:
    """Labels that a run draws at the prices of `Labels`, over the bound: the most features, open from the start."""
    prices, allowed, m = Labels(), epsilon / float(learner_loss(epsilon)), len(opened)
    most = bounds.determinant_bound(k, allowed, allowed / 5)
    fresh = prices.afresh(n, allowed / 5)
    drawn = opened[-1] * fresh + sum(sum(prices.within(before, epsilon)) for before in opened[:-1])
    return float(drawn / (most * fresh + m * sum(prices.within(most, epsilon))))


def _efficient_random(count: int, rng: Generator, **spoiled: Any) -> Finding:
    """Random tasks and a learner that keeps its promise and no more: its predictors, and the features it opens."""
    features, rounded, errors, labels = [], [], [], []
    for i in range(max(1, count // 40)):
        k, epsilon = int(rng.integers(1, 8)), float(np.exp(rng.uniform(np.log(0.003), np.log(0.36))))
        if i % 8 == 0:
            k, epsilon = 2, 0.36  # where the bound is 2
        targets = random_targets(k, k + 60, 40, rng=rng)
        run = lossy_run(targets, epsilon, direction=_DIRECTIONS[i % 3], rng=rng, **spoiled)
        errors.append(np.asarray(angle([step.hypothesis for step in run.steps], targets)) / np.pi / epsilon)
        ratio, simple = _efficient_ratios(k, epsilon, _opened(run))
        features.append(ratio)
        rounded.append(simple)
        labels.append(_efficient_labels(k, targets.shape[1], epsilon, _opened(run)))
    found = {"features": features, _EFFICIENT: rounded, "error of a predictor": errors}
    named: dict[str, Any] = {name: np.concatenate(ratios) for name, ratios in found.items()}
    return Finding.of_ratios(named | {"labels": labels})


def _efficient_greedy(count: int, rng: Generator) -> Finding:
    """Targets refused by a hair at eps/L, learned to eps/(5L)."""
    features, rounded = [], []
    for _ in range(count):
        k, epsilon = int(rng.integers(2, 9)), float(10 ** rng.uniform(-3, np.log10(0.36)))
        allowed = epsilon / float(learner_loss(epsilon))
        ratio, simple = _efficient_ratios(k, epsilon, greedy_openings(k, allowed, allowed / 5, rng=rng, most=200))
        features.append(ratio)
        rounded.append(simple)
    return Finding.of_ratios({"features": features, _EFFICIENT: rounded})


def _efficient_logistic(count: int, rng: Generator) -> Finding:
    """Logistic regression on labels spoiled far out: its error over eps, where eps/L of the labels are wrong."""
    ratios = []
    for epsilon in np.geomspace(0.02, 0.2, count):
        X, y = far_flips(20_000, 5, epsilon / float(learner_loss(epsilon)), rng=rng)
        ratios.append(angle(logistic_halfspace(X, y), np.eye(5)[0]) / np.pi / epsilon)
    return Finding.of_ratios({"logistic regression": ratios})


NOTE_EFFICIENT = Claim(
    "note-efficient",
    "Note 1",
    "",
    "Algorithm 1 made efficient",
    r"Let the learner reach error $\varepsilon$, from $\tilde O(d/\varepsilon)$ labels in a span of $d$ dimensions, "
    r"wherever the span holds a hypothesis of error $\varepsilon/L$, "
    r"where $L=\ln^2\frac1\varepsilon$ and $\varepsilon<1/e$. For a Gaussian law, targets in a $k$-dimensional "
    r"space and $\varepsilon_{\mathrm{acc}}=\varepsilon/(5L)$ every predictor has error at most $\varepsilon$, and "
    r"at most $k\,(\frac12+\ln\frac{L}{\varepsilon})$ features are added, so $\tilde O((n+m)k/\varepsilon)$ labels "
    "suffice.",
    "proved",
    scope=(
        r"the bound on labels; $\tilde k\le k$, which Theorem 1 states too, is no part of it. A learner in "
        "polynomial time with that promise is cited, not run"
    ),
    checks=(
        Check(
            "random tasks, a learner that keeps the promise and no more",
            "random",
            _efficient_random,
            3_000,
            scales=True,
        ),
        Check("each target refused by a hair at eps/L", "adversarial", _efficient_greedy, 200),
        Check(
            "logistic regression with labels spoiled far out: its error over eps",
            "adversarial",
            _efficient_logistic,
            5,
            violated=None,
        ),
    ),
    twins=(
        Check(
            "hypotheses of error up to 1.02 eps",
            "random",
            partial(_efficient_random, slack=1.02),
            400,
            violated=True,
            spoils=0.02,
        ),
        Check(
            "any span may be refused",
            "random",
            partial(_efficient_random, promise=False),
            400,
            violated=True,
            drops="the promise that a span with a hypothesis of error eps/L is accepted",
        ),
    ),
    page="halfspaces/subspace/efficient",
    functions=("lifelong.halfspaces.algorithm1.SharedSubspace", "lifelong.halfspaces.bounds.determinant_bound"),
    loose={
        _EFFICIENT: r"a round form: $k$ orthogonal targets reach 0.67 of it at $\varepsilon=0.36$; the evaluated bound "
        "is reached",
    },
)


CLAIMS = (NOTE_EFFICIENT,)
