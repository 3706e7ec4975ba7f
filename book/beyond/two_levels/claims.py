"""Claims beyond the paper: few of all the features, with no level below them."""

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.angles import unit
from lifelong_book.beyond.two_levels import limits
from lifelong_book.beyond.two_levels.direct import SparseDictionary, direct
from lifelong_book.beyond.two_levels.experiments import GivenLevels, direct_labels, exact_direct, greedy_plane
from lifelong_book.beyond.two_levels.fourth import four_leaning, fourth_excluded, three_suffice
from lifelong_book.beyond.two_levels.instances import tilted_triples
from lifelong_book.beyond.two_levels.limits import widen
from lifelong_book.halfspaces.levels.experiments import greedy_second_level, openings_of_kinds
from lifelong_book.halfspaces.levels.instances import kinds_of_targets
from lifelong_book.halfspaces.levels.openings import crowded_openings
from lifelong_book.halfspaces.levels.oracles import ExactLevels
from lifelong_book.halfspaces.subspace.instances import Perturbation
from lifelong_book.press.claim import Check, Claim, Finding, Generator, Twin
from lifelong_book.press.two_sided import Adverse, Sides, Tight, two_sided

_PLANE, _SPACE = "features of a plane", "features of a space"
_APART, _WIDER, _SUM = "proof: first two apart", "proof: wider", "proof: coefficients"


# prop-direct-plane ---------------------------------------------------------------------------------------


def _plane_cases(count: int, rng: Generator) -> Iterator[tuple[float, float]]:
    """Errors at which the proposition says something."""
    for _ in range(count):
        epsilon = float(10 ** rng.uniform(-2.5, np.log10(0.25)))
        most = int(rng.integers(2, 7))
        yield epsilon, limits.plane_accuracy(epsilon, features=most) * float(rng.choice([1.0, rng.uniform(0.8, 1.0)]))


def _instance(stream: Perturbation, epsilon: float, accuracy: float) -> dict[str, Any]:
    """Targets and answers to them, as the functions of two sides take them."""
    return {"targets": stream.true, "answers": stream.learned, "epsilon": epsilon, "epsilon_acc": accuracy}


def _plane_greedy(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Greedy targets and answers in one plane."""
    for epsilon, accuracy in _plane_cases(count, rng):
        yield _instance(greedy_plane(epsilon, accuracy, tries=15, grid=360, rng=rng), epsilon, accuracy)


def _leaning(features: int) -> Iterator[dict[str, Any]]:
    """Three leaning targets, at the accuracy for so many features."""
    for epsilon in (0.02, 0.05, 0.1, 0.15, 0.2):
        accuracy = (1 - 1e-9) * limits.plane_accuracy(epsilon, features=features)
        yield _instance(tilted_triples(np.eye(3)[None, :2], epsilon, accuracy), epsilon, accuracy)


@two_sided(
    "prop-direct-plane",
    Adverse(_plane_greedy, 60, chunk=20),
    Tight(_leaning, over=((2,), (3,)), equal=True),
)
def plane(targets: FloatArray, answers: FloatArray, epsilon: float, epsilon_acc: float) -> tuple[int, float]:
    """The sides of `prop-direct-plane`: the features of a plane kept, and the most by the recursion."""
    kept = direct(targets, answers, 2, epsilon)
    most = widen(np.pi * epsilon, np.pi * epsilon_acc)
    return len(kept), most


def _plane_runs(count: int, rng: Generator) -> Iterator[Any]:
    """The learner itself, planes in general position, errors in random directions or all in one."""
    for i, (epsilon, accuracy) in enumerate(_plane_cases(count, rng)):
        targets, kinds = kinds_of_targets(20, k=6, r=4, tau=2, m=120, rng=rng)
        oracle = ExactLevels("random" if i % 2 else "common", rng=rng)
        run = exact_direct(targets, epsilon, tau=2, epsilon_acc=accuracy, oracle=oracle)
        allowed = limits.plane_features(epsilon, accuracy)
        yield {_PLANE: [opened / allowed for opened in openings_of_kinds(run, kinds)]}


def _triples(epsilon: float, accuracy: float, rng: Generator, planes: int = 3) -> list[int]:
    """Features that planes in general position open for three leaning targets each, and random ones after them."""
    n = 2 * planes + planes
    bases = np.zeros((planes, 2, n))
    bases[:, :, : 2 * planes] = np.swapaxes(np.linalg.qr(rng.standard_normal((planes, 2 * planes, 2)))[0], 1, 2)
    stream = tilted_triples(bases, epsilon, accuracy)
    kinds = np.concatenate([np.repeat(np.arange(planes), 3), rng.integers(planes, size=60)])
    mixes = rng.standard_normal((60, 2))
    later = unit(np.einsum("mi,min->mn", mixes, bases[kinds[3 * planes :]]))
    run = exact_direct(
        np.vstack([stream.true, later]), epsilon, tau=2, epsilon_acc=accuracy, oracle=GivenLevels(*stream, rng=rng)
    )
    return openings_of_kinds(run, kinds)


def _plane_tight(count: int, rng: Generator) -> Iterator[Any]:
    """Three leaning targets in each plane, at accuracies at which the proposition allows three."""
    for epsilon in (0.03, 0.05, 0.1, 0.15, 0.2):
        coarse = limits.plane_accuracy(epsilon, features=3)
        opened = _triples(epsilon, coarse, rng)
        yield {_PLANE: [number / limits.plane_features(epsilon, coarse) for number in opened]}


def _lines(features: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Directions of the projections on the plane of the first two axes, and the angles between them."""
    turns = np.arctan2(features[:, 1], features[:, 0])
    apart = np.abs(np.angle(np.exp(2j * (turns[:, None] - turns[None, :])))) / 2
    return turns, apart


def _wider(before: float, ratio: float, eta: float, least: bool = True) -> float:
    """What the largest angle is at least after another feature: the smaller of two, or only the first of them."""
    wider = float(np.arcsin(ratio * np.sin(before / 2))) + before / 2 - eta
    return min(wider, 2 * float(np.arcsin(1 / ratio))) if least else wider


def _wrapped(count: int, rng: Generator, least: bool = True) -> Iterator[Any]:
    """Two targets almost as far apart as is enough, answers straight up and down, and a third one across, exact."""
    for epsilon in (0.05, 0.1, 0.15):
        accuracy = limits.plane_accuracy(epsilon, features=3)
        eta, ratio = np.pi * accuracy, float(np.tan(np.pi * epsilon) / np.tan(np.pi * accuracy))
        before = 0.98 * 2 * float(np.arcsin(1 / ratio))
        turns = np.array([before / 2, -before / 2, np.pi / 2])
        targets = np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1)
        answers = np.cos(eta) * targets + np.sin(eta) * np.array([[0, 0, 1.0], [0, 0, -1.0], [0, 0, 0]])
        answers[2] = targets[2]
        run = exact_direct(targets, epsilon, tau=2, epsilon_acc=accuracy, oracle=GivenLevels(targets, answers))
        after = float(_lines(run.representation.features)[1].max())
        yield {_WIDER: _wider(before, ratio, eta, least) / after if run.scratch == 3 else np.inf}


def _plane_steps(count: int, rng: Generator) -> Iterator[Any]:
    """The inequalities of the proof along greedy streams."""
    for epsilon, accuracy in _plane_cases(count, rng):
        theta, eta = np.pi * epsilon, np.pi * accuracy
        ratio = np.tan(theta) / np.tan(eta)
        features = greedy_plane(epsilon, accuracy, tries=15, grid=360, rng=rng).learned
        turns, apart = _lines(features)
        pairs = apart[np.triu_indices(len(features), 1)]
        yield {_APART: (np.arccos(np.cos(theta) / np.cos(eta)) - eta) / pairs}
        for new in range(2, len(features)):
            before, after = apart[:new, :new].max(), apart[: new + 1, : new + 1].max()
            no_more = ratio * np.sin(before / 2) >= 1  # no further feature may come then
            yield {_WIDER: np.inf if no_more else _wider(before, float(ratio), eta) / after}
        for i, j in combinations(range(len(features)), 2):
            for new in range(j + 1, len(features)):
                flat = np.array([[np.cos(turns[i]), np.cos(turns[j])], [np.sin(turns[i]), np.sin(turns[j])]])
                # the projection of the new answer is within eta of the target, whose coefficients add up to R or more
                near = turns[new] + np.linspace(-eta, eta, 41)
                sums = np.abs(np.linalg.solve(flat, np.stack([np.cos(near), np.sin(near)]))).sum(axis=0)
                yield {_SUM: ratio / sums.max()}


def _third_feature(epsilon: float, accuracy: float) -> bool:
    """Whether the leaning triple opens three features of a plane."""
    stream = tilted_triples(np.eye(3)[None, :2], epsilon, accuracy)
    run = exact_direct(stream.true, epsilon, tau=2, epsilon_acc=accuracy, oracle=GivenLevels(*stream))
    return run.scratch == 3


def _accuracy_for_two(count: int, rng: Generator, factor: float = 1.0) -> Finding:
    """At the accuracy for two features, made finer by the factor, the leaning triple must not open three."""
    cases = [0.02, 0.05, 0.1, 0.15, 0.2]
    opened = [_third_feature(epsilon, limits.plane_accuracy(epsilon) / factor) for epsilon in cases]
    return Finding(len(cases), sum(opened))


PROP_DIRECT_PLANE = plane.claim(
    "added",
    "how many features a plane adds, two at a time being searched",
    r"Gaussian law, exact oracles, targets in planes, features learned to the error $\varepsilon_{\mathrm{acc}}$ "
    r"and kept when no two earlier ones span a hypothesis of error $\varepsilon$; $\theta=\pi\varepsilon$, "
    r"$\eta=\pi\varepsilon_{\mathrm{acc}}$, $R=\tan\theta/\tan\eta>\sqrt2$. The projections of the features of one "
    r"plane are at least $\psi_0=\arccos\frac{\cos\theta}{\cos\eta}-\eta$ apart. Each after the second raises the "
    r"largest angle $\psi$ between two of them to $\arcsin(R\sin\frac{\psi}{2})+\frac{\psi}{2}-\eta$ or to "
    r"$2\arcsin\frac1R$ at least, if $\frac{\pi}{2}-\eta-\arcsin\frac1R\ge 2\arcsin\frac1R$. None comes once "
    r"$R\sin\frac{\psi}{2}\ge 1$.",
    "proved",
    checks=(
        Check("the learner on four planes, random errors and errors in one direction", "random", _plane_runs, 24),
        Check("three leaning targets in each of three planes", "tight", _plane_tight),
        Check("every inequality of the proof", "adversarial", _plane_steps, 40),
        Check("a third feature across the first two", "adversarial", _wrapped),
        Check(
            "two features serve at plane_accuracy", "tight", _accuracy_for_two, knobs={"accuracy": _accuracy_for_two}
        ),
    ),
    twins=(
        Twin(
            "the angle after a third feature without the 2 arcsin(1/R)",
            "adversarial",
            partial(_wrapped, least=False),
            why="an angle that passes a right angle is measured from the other side; nothing is spoiled by little",
        ),
    ),
    functions=(SparseDictionary, limits.plane_features, limits.plane_accuracy, tilted_triples),
    loose={
        "proof: wider": "the step lets an answer lean out of the plane and turn within it, each by the whole error; an "
        "answer can only share one error between the two",
        "proof: coefficients": "a direction near the target stands for the target, at its most favourable, and answers "
        "seldom lean by the whole error",
    },
)


# prop-direct-fourth --------------------------------------------------------------------------------------

#: The error, and what it is divided by for an accuracy at which three features serve, and one at which they do not.
_ERROR, _SERVE, _FORCED = 0.1, 3.35, 2.9


def _by_search(count: int, rng: Generator, factor: float = 1.0) -> Finding:
    """No three features leave a target to a fourth, at the accuracy made coarser by the factor."""
    return Finding.of_outcomes([three_suffice(_ERROR, factor * _ERROR / _SERVE, most=300_000).proved])


def _fourth_forced(count: int, rng: Generator, most: int = 4) -> Finding:
    """The leaning four at the coarser accuracy: the learner keeps all, and no more than `most`."""
    stream = four_leaning()
    oracle = GivenLevels(*stream)
    run = exact_direct(stream.true, _ERROR, tau=2, epsilon_acc=_ERROR / _FORCED, oracle=oracle)
    return Finding.of_outcomes([run.scratch == 4 <= most])


def _never_a_fourth(count: int, rng: Generator) -> Finding:
    """Greedy targets and answers in one plane, at the accuracy at which three are said to serve."""
    streams = (greedy_plane(_ERROR, _ERROR / _SERVE, tries=25, grid=360, rng=rng) for _ in range(count))
    return Finding.of_ratios([len(stream.true) / 3 for stream in streams])


def _sound(count: int, rng: Generator, rejected: float = 1.0) -> Iterator[Any]:
    """Four features that were really kept, near the leaning four: the conditions of the search exclude none of them."""
    for _ in range(count):
        accuracy = _ERROR / float(rng.uniform(2.4, _FORCED))
        stream = four_leaning(accuracy, jitter=0.03, rng=rng)
        run = exact_direct(stream.true, _ERROR, tau=2, epsilon_acc=accuracy, oracle=GivenLevels(*stream))
        if run.scratch == 4:
            yield not fourth_excluded(stream, rejected * _ERROR, accuracy)


PROP_DIRECT_FOURTH = Claim(
    "prop-direct-fourth",
    "added",
    "where a plane begins to need a fourth feature",
    r"Gaussian law, exact oracles, targets in planes, features learned to the error $\varepsilon_{\mathrm{acc}}$ "
    r"and kept when no two earlier ones span a hypothesis of error $\varepsilon=\frac1{10}$. If "
    r"$\varepsilon_{\mathrm{acc}}\le\varepsilon/3.35$, each plane adds at most three features. At "
    r"$\varepsilon_{\mathrm{acc}}=\varepsilon/2.9$ there are four targets of one plane and answers of which it "
    "keeps all four.",
    "proved",
    checks=(
        Check("all configurations of three features, by intervals", "interval", _by_search),
        Check("four leaning targets at eps/2.9", "tight", _fourth_forced),
        Check("greedy targets and answers in one plane at eps/3.35", "adversarial", _never_a_fourth, 30, chunk=10),
        Check("four features really kept are not excluded by the search", "adversarial", _sound, 200),
    ),
    twins=(
        Twin("the search at an accuracy coarser by 2 %", "interval", partial(_by_search, factor=1 / 0.98), spoils=0.02),
        Twin(
            "three features at eps/2.9",
            "tight",
            partial(_fourth_forced, most=3),
            why="between eps/3.35 and eps/2.9 nothing is known, so no smaller step can be wrong for certain",
        ),
        Twin(
            "the search, as if features were kept only from 1.02 eps on",
            "adversarial",
            partial(_sound, rejected=1.02),
            200,
            spoils=0.02,
        ),
    ),
    functions=(three_suffice, four_leaning),
)


# thm-direct ----------------------------------------------------------------------------------------------


def _space_runs(count: int, rng: Generator) -> Iterator[Any]:
    """Random tasks, tau = 1 to 4: features of each space, and labels a task against the worst case."""
    for i in range(count):
        tau = 1 + i % 4
        epsilon = float(10 ** rng.uniform(-2, -0.7))
        accuracy = epsilon / (tau * float(rng.choice([2.5, 4, 10])))
        r, n, m = (4, 20, 120) if tau < 4 else (2, 16, 60)
        targets, kinds = kinds_of_targets(n, k=max(6, tau + 2), r=r, tau=tau, m=m, rng=rng)
        oracle = ExactLevels("random" if i % 2 else "common", rng=rng)
        run = exact_direct(targets, epsilon, tau=tau, epsilon_acc=accuracy, oracle=oracle)
        allowed = limits.direct_features(tau, epsilon, accuracy)
        yield {_SPACE: [number / allowed for number in openings_of_kinds(run, kinds)]}
        worst = direct_labels(n=n, tau=tau, m=m, epsilon=epsilon, epsilon_acc=accuracy, features=r * allowed)
        paid = sum(sum(bill.values()) for bill in oracle.bill) / m
        yield {"labels a task": paid / sum(worst.values())}


def _space_case(most: int, rng: Generator) -> tuple[int, float, float]:
    """A dimension, an error and an accuracy."""
    tau, epsilon = int(rng.integers(2, most + 1)), float(10 ** rng.uniform(-2.5, -0.9))
    return tau, epsilon, epsilon / (tau * float(10 ** rng.uniform(0.4, 2)))


def _space_greedy(count: int, rng: Generator) -> Iterator[dict[str, Any]]:
    """Each target refused by a hair."""
    for _ in range(count):
        tau, epsilon, accuracy = _space_case(4, rng)
        rows = greedy_second_level(epsilon, tau=tau, second=accuracy, rng=rng)
        targets = np.zeros_like(rows)
        targets[:, :tau] = unit(rows[:, :tau])
        yield {"tau": tau, **_instance(Perturbation(targets, rows), epsilon, accuracy)}


def _axes() -> Iterator[dict[str, Any]]:
    """A line, and a plane."""
    for tau in (1, 2):
        lean = np.pi * (accuracy := 0.1 / (10 * tau))
        targets = np.eye(tau, tau + 1)
        answers = np.cos(lean) * targets + np.sin(lean) * np.eye(tau + 1)[-1]
        yield {"tau": tau, **_instance(Perturbation(targets, answers), 0.1, accuracy)}


def _crowded() -> Iterator[Sides]:
    """Four features for tau = 3, at an accuracy of the order of eps^2, in many digits."""
    for epsilon, square in (("1e-10", "0.1"), ("1e-12", "0.05"), ("1e-14", "0.01")):
        accuracy = float(square) * float(epsilon) ** 2 / 3
        yield Sides(
            crowded_openings(epsilon, tau=3, square=square), limits.direct_features(3, float(epsilon), accuracy)
        )


@two_sided("thm-direct", Adverse(_space_greedy, 80, chunk=40), Tight(_axes), Tight(_crowded))
def space(targets: FloatArray, answers: FloatArray, tau: int, epsilon: float, epsilon_acc: float) -> tuple[int, float]:
    """The sides of `thm-direct`: the features of a space kept, and the most by the theorem."""
    kept = direct(targets, answers, tau, epsilon)
    T = np.tan(np.pi * epsilon_acc)
    s = np.sin(np.pi * (epsilon - epsilon_acc))
    room = -tau * np.log(np.sqrt(tau) * T) + np.log(tau * T)
    return len(kept), 1 + np.floor(room / np.log(s / (tau * T)))


def _fewer_searched(count: int, rng: Generator) -> Iterator[Any]:
    """The same, when one feature fewer is searched."""
    for _ in range(count):
        tau, epsilon, accuracy = _space_case(3, rng)
        rows = greedy_second_level(epsilon, tau=tau, second=accuracy, rng=rng, searched=tau - 1)
        yield {_SPACE: len(rows) / limits.direct_features(tau, epsilon, accuracy)}


def _largest_volumes(lines: FloatArray, scale: float) -> list[float]:
    """Largest volume of tau of the lines so far and of the scaled axes, before any line and after each."""
    tau = lines.shape[1]
    volumes = []
    for opened in range(len(lines) + 1):
        rows = np.vstack([scale * np.eye(tau), lines[:opened]])
        chosen = np.array(list(combinations(range(len(rows)), tau)))
        volumes.append(float(np.abs(np.linalg.det(rows[chosen])).max()))
    return volumes


def _space_steps(count: int, rng: Generator) -> Iterator[Any]:
    """Every opening multiplies the largest volume by rho, the first by 1/(tau T), and none exceeds 1."""
    for _ in range(count):
        tau = int(rng.integers(2, 5))
        epsilon = float(10 ** rng.uniform(-2, -0.9))
        accuracy = epsilon / (tau * float(10 ** rng.uniform(0.4, 1.5)))
        lean = np.tan(np.pi * accuracy)
        gain = np.sin(np.pi * (epsilon - accuracy)) / (tau * lean)
        rows = greedy_second_level(epsilon, tau=tau, second=accuracy, rng=rng)
        volumes = np.array(_largest_volumes(unit(rows[:, :tau]), float(np.sqrt(tau) * lean)))
        growth = volumes[1:] / volumes[:-1]
        first = 1 / (tau * lean) / growth[0]
        yield {"proof: first": first, "proof: gain": gain / growth[1:], "proof: at most 1": volumes[-1]}


THM_DIRECT = space.claim(
    "added",
    "how many features a space adds, tau at a time being searched",
    r"Gaussian law, exact oracles, targets in $r$ spaces of dimension $\tau$, features learned to the error "
    r"$\varepsilon_{\mathrm{acc}}$ and kept when no $\tau$ earlier ones span a hypothesis of error $\varepsilon$; "
    r"$T=\tan\pi\varepsilon_{\mathrm{acc}}$, $s=\sin(\pi\varepsilon-\pi\varepsilon_{\mathrm{acc}})$, $\rho=s/(\tau "
    r"T)>1$, $\sqrt{\tau}\,T\le 1$. A space adds at most 1 plus the quotient of "
    r"$\tau\ln\frac{1}{\sqrt{\tau}\,T}-\ln\frac{1}{\tau T}$ by $\ln\rho$ features, and a task costs no more "
    "labels, by the label model, than with $r$ times that many at hand all along.",
    "proved",
    checks=(
        Check("random tasks, tau = 1 to 4", "random", _space_runs, 40),
        Check("every step of the proof", "adversarial", _space_steps, 40),
    ),
    twins=(
        Twin(
            "only tau - 1 features searched",
            "adversarial",
            _fewer_searched,
            20,
            drops="the learner searches every tau features",
        ),
    ),
    functions=(SparseDictionary, limits.direct_features),
)
