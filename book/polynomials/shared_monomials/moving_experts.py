"""The weights of an attempt of `algo-polynomials`, and the race of its losses between budget and certificate."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray
from lifelong.polynomials.algorithm6 import products
from lifelong.polynomials.bounds import eg_examples, eg_loss, progressive_error
from lifelong.polynomials.oracles import ExponentiatedGradient
from lifelong.polynomials.polynomial import Polynomial, monomial_values
from lifelong.polynomials.tasks import PolynomialTask
from lifelong_book.polynomials.schapire_sellie.moving_sinking import formula
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark
from lifelong_book.press.moving.picture import Picture, choice, moving, stream


class _Moment(NamedTuple):
    """A moment in the moving picture of experts: an attempt of Algorithm 6 after some examples."""

    seen: int
    weights: FloatArray
    losses: float
    certified: float
    error: float


class _Attempt(NamedTuple):
    """What the moving picture of experts shows: an attempt of Algorithm 6 to its end."""

    target: Polynomial
    features: BoolArray
    truth: FloatArray | None
    bound: float
    epsilon: float
    budget: float
    accepted: bool
    moments: list[_Moment]


def experts_data(
    f: Polynomial, pieces: ArrayLike, *, bound: float, epsilon: float, delta: float, seed: int = 0, moments: int = 24
) -> _Attempt:
    """For a moving picture, an attempt of Algorithm 6, example by example, until the losses decide."""
    features = products(pieces)
    task = PolynomialTask(f, rng=seed)
    learner = ExponentiatedGradient(len(features), bound=bound)
    budget = eg_loss(len(features), bound=bound)
    weights, sums, certified = [learner.current], [0.0], [float("inf")]
    for seen in range(1, eg_examples(len(features), epsilon, bound=bound, delta=delta) + 1):
        X, y = task.examples(1)
        sums.append(sums[-1] + float(learner.update(monomial_values(features, X), y)[0]))
        weights.append(learner.current)
        certified.append(progressive_error(sums[-1], seen, bound=bound, delta=delta))
        if sums[-1] > budget or certified[-1] <= epsilon:
            break
    end, truth = len(sums) - 1, np.zeros(len(features))
    for term, c in zip(f.terms, f.coefficients, strict=True):
        truth[(features == term).all(axis=1)] = float(c)
    kept = []
    for i in range(moments):
        s = max(i, round(end * (i / (moments - 1)) ** 2))
        average = np.mean(weights[:s] or weights[:1], axis=0)
        error = task.error(Polynomial(features, average))
        kept.append(_Moment(s, weights[s], sums[s], certified[s], error))
    reached = np.abs(truth).sum() == sum(abs(float(c)) for c in f.coefficients)
    accepted = sums[-1] <= budget
    return _Attempt(f, features, truth if reached else None, bound, epsilon, budget, accepted, kept)


def _signed(value: float) -> str:
    return f"{value:.3g}".replace("-", "−")


def _words(attempt: _Attempt, moment: _Moment) -> str:
    budget, last, wanted = f"{attempt.budget:.0f}", moment is attempt.moments[-1], f"{attempt.epsilon:g}"
    if not moment.seen:
        return f"At the start all weights are 0. The budget for losses is {budget}, and an error of {wanted} is wanted."
    seen = f"{moment.seen:,} {'example' if moment.seen == 1 else 'examples'}"
    after = f"After {seen} the losses add up to {moment.losses:.1f}"
    if last and attempt.accepted:
        return f"{after} and certify an error of at most {wanted}: accepted. In truth the error is {moment.error:.2g}."
    if last:
        after += f", more than the budget of {budget}: rejected."
        return f"{after} No weights of norm {attempt.bound:g} on these products are the target."
    certified = f"{moment.certified:.2f}" if moment.certified < 100 else f"{moment.certified:.0f}"
    sure = f"They certify an error of at most {certified}, and {wanted} is wanted."
    return f"{after}, of a budget of {budget}. {sure} In truth the error is {moment.error:.2g}."


def experts_picture(attempts: Sequence[_Attempt], *, attempt: int = 0, moment: int = 0) -> Picture:
    """A moving picture of Algorithm 6's attempts over the same pieces: a bar for each product, the race below."""
    features, count = attempts[0].features, len(attempts[0].moments)
    names = ["".join(str(v + 1) for v in np.flatnonzero(row)) or "1" for row in features]
    values = [w for a in attempts for m in a.moments for w in m.weights]
    values += [t for a in attempts if a.truth is not None for t in a.truth]
    low, high = min(0.0, *values), max(0.0, *values)
    scale = 350 / (high - low)
    zero, step, top = 76 - scale * low, 15.0, 30.0
    foot = top + step * len(names)
    line, track = 390.0, 290.0
    ticks = np.arange(np.ceil(low), np.floor(high) + 1)
    background: list[Mark] = [marks.text("bars-name", (0, 14), "weight of each product")]
    for value in ticks:
        x = zero + scale * value
        background.append(marks.line(f"grid{value:g}", (x, top - 8), (x, foot), "axis" if value == 0 else "grid"))
        background.append(marks.text(f"tick{value:g}", (x, foot + 14), _signed(value), anchor="middle"))
    background += [
        marks.text(f"name{j}", (64, top + step * j + 6), name, "thin ink", anchor="end") for j, name in enumerate(names)
    ]
    background += [
        marks.text("race-loss", (line - track - 8, foot + 48), "losses spent", anchor="end"),
        marks.text("race-sure", (line - track - 8, foot + 76), "certified", anchor="end"),
        marks.line("finish", (line, foot + 32), (line, foot + 84), "ink thick"),
        marks.text("spent", (line + 6, foot + 48), "reject", "ink"),
        marks.text("sure", (line + 6, foot + 76), "accept", "ink"),
    ]

    def bar(key: str, a: float, b: float, y: float, half: float, kind: str) -> Mark:
        return marks.path(key, [(a, y - half), (b, y - half), (b, y + half), (a, y + half)], kind, closed=True)

    def frame(i: int, n: int) -> tuple[list[Mark], str]:
        one, now = attempts[i], attempts[i].moments[n]
        drawn = list(background)
        for j, w in enumerate(now.weights):
            drawn.append(
                bar(f"bar{j}", zero, zero + scale * float(w), top + step * j + 2, 4.5, "learned solid unbroken thin")
            )
        if one.truth is not None:
            for j in np.flatnonzero(one.truth).tolist():
                x, y = zero + scale * one.truth[j], top + step * j + 2
                drawn.append(marks.line(f"truth{j}", (x, y - 9), (x, y + 9), "target thick"))
            legend = [
                marks.line("legend", (338, 4), (338, 18), "target thick"),
                marks.text("legend-name", (348, 14), "in the target"),
            ]
        else:
            legend = [marks.text("legend-none", (430, 14), "the target is no sum of these", "fails", anchor="end")]
        spent, sure = min(1.0, now.losses / one.budget), min(1.0, one.epsilon / now.certified)
        drawn += [
            *legend,
            bar("spent-bar", line - track, line - track + track * spent, foot + 44, 7, "fails filled"),
            bar("sure-bar", line - track, line - track + track * sure, foot + 72, 7, "bound filled"),
        ]
        return drawn, _words(one, now)

    return moving(
        "experts",
        [choice("target", [formula(a.target) for a in attempts]), stream("moment", range(1, count + 1), pace=700)],
        frame,
        start=(attempt, moment),
        size=(440, foot + 92),
        alt="A bar for the weight of each product of pieces. Where the attempt succeeds, the bars of the products in "
        "the target grow to their marks, and the others stay small. Below, two bars race to a line: the losses, which "
        "reject, and what they certify, which accepts.",
    )
