"""Schapire and Sellie's points in the lattice of subsets: an error sinks, and the points held sink to the terms."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from lifelong._checks import BoolArray, integer
from lifelong.polynomials import bounds
from lifelong.polynomials.polynomial import Polynomial, Rational
from lifelong.polynomials.schapire_sellie import MeetLearner
from lifelong.polynomials.tasks import Choice, PolynomialTask
from lifelong_book.polynomials.lattice import Subset, places
from lifelong_book.polynomials.lattice import name as named
from lifelong_book.press.moving import marks
from lifelong_book.press.moving.marks import Mark
from lifelong_book.press.moving.picture import Picture, moving, stream


class _Sinking(NamedTuple):
    """A step in the moving picture of Schapire and Sellie: what their learner looks at, what it holds and has asked."""

    kind: str
    path: tuple[Subset, ...]
    point: Subset
    other: Subset | None
    members: tuple[Subset, ...]
    guess: Polynomial
    values: dict[Subset, Rational]
    counts: tuple[int, int]


def _set(row: BoolArray) -> Subset:
    return frozenset((np.flatnonzero(row) + 1).tolist())


class _Watched(PolynomialTask):
    """Keeps the values that it gave."""

    def __init__(self, target: Polynomial, policy: Choice, seed: int) -> None:
        super().__init__(target, rng=seed, counterexample=policy)
        self.given: dict[Subset, Rational] = {}

    def member(self, x: Any) -> Rational:
        value = super().member(x)
        self.given[_set(x)] = value
        return value


def sinking_data(f: Polynomial, policy: Choice = "smallest", *, seed: int = 0) -> list[_Sinking]:
    """For the moving picture of Schapire and Sellie: a run of `MeetLearner`, step by step."""
    integer("f.n", f.n, least=1, most=3)
    task = _Watched(f, policy, seed)
    learner, steps = MeetLearner(task), list[_Sinking]()
    S, guess, values, before = learner.S, learner.hypothesis, dict[Subset, Rational](), task.counts

    def add(kind: str, path: Sequence[BoolArray], point: BoolArray, other: BoolArray | None = None) -> None:
        step_counts = (before.equivalence, len(values))
        lower = tuple(map(_set, path))
        met = None if other is None else _set(other)
        steps.append(_Sinking(kind, lower, _set(point), met, tuple(map(_set, S)), guess, dict(values), step_counts))

    for error, taken in learner.events():
        shown = task.counts.equivalence > before.equivalence if steps else True
        before, path, y = task.counts, [error], error
        add("shown" if shown else "found", path, y)
        while True:  # what `greedy_meet` looked at, with the values that it asked for
            for s in S[(y & ~S).any(axis=1)]:
                z = y & s
                new = _set(z) not in values
                values[_set(z)] = task.given[_set(z)]
                if task.given[_set(z)] != guess(z[None])[0]:
                    y = z
                    path = [*path, y]
                    add("lower" if new else "known", path, z, s)
                    break
                if new:
                    add("right", path, z, s)
            else:
                break
        assert np.array_equal(y, taken)
        values = dict(task.given)
        old, S, guess = S, learner.S, learner.hypothesis
        if len(old) < len(S):
            add("appended", path, y)
        else:
            add("replaced", path, y, old[(old != S).any(axis=1)][0])
    before = task.counts
    add("equal", [], np.zeros(f.n, dtype=np.bool_))
    return steps


_SMALL = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def formula(h: Polynomial) -> str:
    """A polynomial as the moving picture of Schapire and Sellie's learner writes it, variables in small digits."""
    words = re.sub(r"x\d+", lambda x: x[0].translate(_SMALL), str(h).replace("-", "−"))
    return re.sub(r"(?<=[\d₀-₉]) x", "\N{THIN SPACE}x", words)


def _value(h: Polynomial, point: Subset) -> str:
    row = np.array([v in point for v in range(1, h.n + 1)])
    return str(h(row[None])[0]).replace("-", "−")


def _words(step: _Sinking) -> str:
    point, other = named(step.point), named(step.other or frozenset())
    if step.kind == "equal":
        return f"Guess {step.counts[0]} is the target, and the oracle says “equal”: the points held are its terms."
    h = _value(step.guess, step.point)
    if step.kind == "shown":
        return f"Guess {step.counts[0]} is shown, and the oracle answers “wrong at {point}”: f is not {h} there."
    if step.kind == "found":
        return (
            f"The guess is {h} at {point}, a meet of two points held. The value there is known, and it is another one."
        )
    if step.kind in ("lower", "known", "right"):
        f = str(step.values[step.point]).replace("-", "−")
        met = step.path[-1 if step.kind == "right" else -2]
        ask = "We know the value at" if step.kind == "known" else "We ask at"
        where = f"{ask} {point}, the meet of {named(met)} and {other}: f = {f}"
        if step.kind == "right":
            return f"{where}, as guessed. The error stays at {named(met)}."
        return f"{where}, but the guess is {h}. The error sinks to {point}."
    if step.kind == "appended":
        return f"The values at {point} are no combination of those of the points held. So {point} is appended."
    return f"The point {point} brings no new row of values. So {other}, a point held above it, sinks to {point}."


def sinking_picture(steps: Sequence[_Sinking], *, start: int = 0, name: str = "sinking") -> Picture:
    """A moving picture of Schapire and Sellie: points held, an error sinking, the values asked for, the guess."""
    target, n = steps[-1].guess, steps[-1].guess.n
    terms = sorted(map(_set, target.terms), key=sorted)
    most = bounds.schapire_sellie_sharp(target.terms)
    at = {p: np.array([208 + 118 * x, 26 + 62 * (n - y)]) for p, (x, y) in places(n).items()}
    foot = 26 + 62 * n

    def square(key: str, centre: Any, half: float) -> Mark:
        corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
        return marks.path(key, np.asarray(centre) + corners, "target", closed=True)

    def trail(key: str, a: Any, b: Any, kind: str) -> Mark:
        along = (b - a) / np.hypot(*(b - a))
        return marks.arrow(key, a + 17 * along, b - 21 * along, kind)

    def beside(key: str, point: Subset, down: float, words: str, kind: str = "ink") -> Mark:
        side = -1 if at[point][0] < 200 else 1
        place = at[point] + np.array([34 * side, down])  # outside the dashed ring
        own, anchor = (f"{key}-", "end") if side < 0 else (key, "start")
        return marks.text(own, place, words.replace("-", "−"), kind, anchor=anchor)

    edges = [
        marks.line(f"edge-{named(p)}-{named(q)}", at[p], at[q], "grid")
        for p in at
        for q in at
        if p < q and len(q) == len(p) + 1
    ]
    nodes = [marks.circle(f"node-{named(p)}", place, 15, "quiet erased") for p, place in at.items()]
    names = [
        marks.text(f"name-{named(p)}", place + np.array([0, 4.5]), named(p), anchor="middle") for p, place in at.items()
    ]
    squares = [square(f"term-{named(p)}", at[p], 20) for p in terms]
    legend = [
        marks.circle("legend-held", (12, foot + 44), 8, "learned filled unbroken thick"),
        marks.text("legend-held-name", (27, foot + 48), "a point held"),
        square("legend-term", (142, foot + 44), 8),
        marks.text("legend-term-name", (157, foot + 48), "a term, hidden"),
        marks.circle("legend-error", (284, foot + 44), 8, "fails dashed"),
        marks.text("legend-error-name", (299, foot + 48), "the guess is wrong"),
    ]

    def frame(i: int) -> tuple[list[Mark], str]:
        step = steps[i]
        taken = step.kind in ("appended", "replaced")
        lower = [
            trail(f"way-{j}", at[a], at[b], "fails")
            for j, (a, b) in enumerate(zip(step.path, step.path[1:], strict=False))
        ]
        if step.kind == "replaced" and step.other is not None:
            lower.append(trail("sunk", at[step.other], at[step.point], "learned"))
        drawn = [*edges, *lower, *nodes, *squares]
        drawn += [
            marks.circle(f"held-{j}", at[p], 15, "learned filled unbroken thick") for j, p in enumerate(step.members)
        ]
        drawn += names
        if step.path and not taken:
            drawn.append(marks.circle("error", at[step.path[-1]], 25, "fails dashed"))
        if step.kind == "right":
            drawn.append(marks.circle("asked", at[step.point], 19, "ink thin"))
        drawn += [beside(f"f-{named(p)}", p, -2, f"f={v}") for p, v in step.values.items()]
        if step.kind != "equal" and not taken:
            h, known = _value(step.guess, step.point), step.point in step.values
            kind = "ink" if step.kind == "right" else "fails"
            drawn.append(beside("h", step.point, 13 if known else 5, f"h={h}" if known else f"f≠{h}", kind))
        shown, asked = (f"{count} of at most {limit}" for count, limit in zip(step.counts, most, strict=True))
        drawn += [
            *legend,
            marks.text("guess", (2, foot + 80), f"guess h = {formula(step.guess)}", "learned thick"),
            marks.text("queries", (2, foot + 102), f"guesses shown: {shown}; values asked for: {asked}"),
        ]
        return drawn, _words(step)

    return moving(
        name,
        [stream("step", range(1, len(steps) + 1), pace=2000)],
        frame,
        start=(start,),
        size=(440, foot + 110),
        alt=f"The subsets of {named(frozenset(range(1, n + 1)))}, small ones low, with a square around each term. "
        "Step by step a dashed circle, where the guess is wrong, moves down to a meet with a filled point, which is "
        "held, and a filled point appears there or sinks to it. At the end the filled points stand in the squares.",
    )
