"""What exactly k features cost: between Algorithm 1 with a few more features and a learner that may have only k."""

from __future__ import annotations

from functools import partial
from itertools import product

import numpy as np

from lifelong.halfspaces.angles import unit
from lifelong_book.halfspaces.repair import families, limits
from lifelong_book.halfspaces.subspace.experiments import common_direction, farthest_sine, hadamard_run, openings_of
from lifelong_book.press.claim import Check, Claim, Finding, Generator

#: What the proposition asserts, one name an inequality.
_SUM = "distance after k orthonormal tasks"
_COARSE = "error at the coarsest accuracy"
_REFUSED = "error just beyond it"
_SEARCHED = "angle to any searched space"
_MORE = "distance after one more task"
_LATER = "features after k"
_LARGER = "distance to a larger space"
_CHANCE = "chance to serve a hidden direction"
_FORMULA = "common direction: angle"
_COUNT = "common direction: features"


def _random_orthonormal(count: int, rng: Generator) -> Finding:
    ratios = []
    for _ in range(count):
        k, more = int(rng.integers(1, 9)), int(rng.integers(1, 6))
        turns = np.arcsin(rng.random(k) * 10 ** rng.uniform(-4, 0) / np.sqrt(k))
        true = np.eye(k, k + more)
        if rng.random() < 0.5:  # one direction for all
            side = np.broadcast_to(np.eye(k + more)[-1] * rng.choice([-1.0, 1.0], (k, 1)), true.shape)
        else:
            side = rng.standard_normal(true.shape)
        side = unit(side - (side * true).sum(axis=1, keepdims=True) * true)
        learned = np.cos(turns)[:, None] * true + np.sin(turns)[:, None] * side
        ratios.append(farthest_sine(true, learned) / np.sqrt((np.sin(turns) ** 2).sum()))
    return Finding.of_ratios({_SUM: ratios})


def _tight(count: int, rng: Generator, factor: float = 1.0) -> Finding:
    """The estimates of `hidden_direction` at the coarsest accuracy divided by the factor, and a hair beyond."""
    far: list[float] = []
    coarse: list[float] = []
    beyond: list[float] = []
    for k in (2, 3, 5, 16, 64):
        for epsilon in np.linspace(0.01, 0.249, count):
            accuracy = limits.exactly_k_accuracy(k, epsilon)
            for scale, found in ((1 / factor, coarse), (1 + 1e-6, beyond)):
                turn = min(np.pi * accuracy * scale, 0.99 * np.arcsin(1 / np.sqrt(k)))
                true, learned = families.hidden_direction(k, turn)
                sine = farthest_sine(true, learned)
                far.append(sine / (np.sqrt(k) * np.sin(turn)))
                found.append(np.arcsin(sine) / np.pi / epsilon)
                if found is beyond and len(openings_of(true, learned, epsilon)) < k:
                    found.append(0.0)  # all k must be opened first
    return Finding.of_ratios({_SUM: far, _COARSE: coarse, _REFUSED: 1 / np.maximum(beyond, 1e-300)})


def _coarser(count: int, rng: Generator, factor: float = 1.0) -> Finding:
    return Finding.of_ratios({_COARSE: [_tight(count, rng, factor).ratios[_COARSE]]})


def _searched(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """Two spaces with the same estimates; k-spaces near them, then larger spaces that avoid the hidden direction."""
    ratios = []
    for i in range(count):
        k, epsilon = int(rng.integers(1, 9)), rng.uniform(0.01, 0.25)
        turn = np.pi * limits.exactly_k_accuracy(k, epsilon) * share
        true, learned = families.hidden_direction(k, turn)
        space = np.hstack([learned, np.zeros((k, 3))])
        if i % 3 == 1:
            space = space + 10 ** rng.uniform(-6, 0) * rng.standard_normal(space.shape)
        elif i % 3 == 2:  # more than k dimensions, whatever they are, but not the hidden one
            extra = rng.standard_normal((2, space.shape[1]))
            extra[:, k] = 0.0
            space = np.vstack([space, extra])
        both = [np.hstack([true * np.array([1.0] * k + [sign]), np.zeros((k, 3))]) for sign in (1, -1)]
        sines = [farthest_sine(rows, space) for rows in both]
        ratios.append(np.sin(np.pi * epsilon) / max(sines))
    return Finding.of_ratios({_SEARCHED: ratios})


def _larger(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """A space of any dimension, chosen before the direction that hides outside of it; then one chosen by chance."""
    fixed, drawn = [], []
    for i in range(count):
        k, more, room = (int(rng.integers(*low_high)) for low_high in ((2, 7), (1, 10), (1, 6)))
        size, epsilon = k + more + room, rng.uniform(0.01, 0.249)
        turn = np.pi * limits.exactly_k_accuracy(k, epsilon) * share
        answers = np.eye(k, size)
        answers[:, :k] = families.hidden_direction(k, turn).learned[:, :k]
        space = rng.standard_normal((more, size))
        if i % 2:  # most of what was answered, and more
            kept = min(k, more)
            space[:kept] = answers[:kept] + 10 ** rng.uniform(-6, -1) * space[:kept]
        basis = np.linalg.svd(np.vstack([answers, space]))[2]
        hidden = unit(rng.standard_normal(room) @ basis[k + more :])
        fixed.append(np.sin(np.pi * epsilon) / farthest_sine(np.cos(turn) * answers + np.sin(turn) * hidden, space))
        chance = unit(np.append(np.zeros(k), rng.standard_normal(size - k)))
        inside = basis[: k + more] @ chance
        least = np.sqrt(k) * np.sin(turn) * np.sqrt(max(0.0, 1 - float(inside @ inside)))
        drawn.append(least / farthest_sine(np.cos(turn) * answers + np.sin(turn) * chance, space))
    return Finding.of_ratios({_LARGER: fixed, _LARGER + ", by chance": drawn})


def _coins(count: int, rng: Generator) -> Finding:
    """The chance that a space of d dimensions holds a large part of a random direction, against d/(room x)."""
    from scipy.stats import beta

    ratios = []
    for room in np.geomspace(4, 4e6, count).astype(int):
        for part in (0.1, 0.5, 0.9):
            inside = max(1, int(part * room))
            for large in (0.5 * part, 0.9 * part, 0.999 * part, part, (1 + part) / 2):
                chance = beta.sf(large, inside / 2, (room - inside) / 2)
                ratios.append(chance / (inside / (room * large)))
    return Finding.of_ratios({_CHANCE: ratios})


def _all_signs(count: int, rng: Generator) -> Finding:
    """Every pattern of signs for the errors and for the target: none is farther than the one that matches."""
    above, below = [], []
    for k in range(1, 7):
        corners = np.array(list(product([1.0, -1.0], repeat=k)))
        targets = np.hstack([corners / np.sqrt(k), np.zeros((len(corners), 1))])
        for accuracy in (1e-3, 0.02, 0.1):
            formula = np.tan(np.pi * limits.common_direction_error(k, accuracy))
            for signs in corners:
                learned = common_direction(k, np.pi * accuracy, signs)
                sines = np.array([farthest_sine(t[None], learned) for t in targets])
                whole = farthest_sine(np.eye(k, k + 1), learned)  # over all unit targets
                above.append(np.tan(np.arcsin(whole)) / formula)
                below.append(formula / np.tan(np.arcsin(sines[(corners == signs).all(axis=1)][0])))
    return Finding.of_ratios({_FORMULA: above, _FORMULA + ", attained": below})


def _hadamard(count: int, rng: Generator) -> Finding:
    formula, features = [], []
    for k, epsilon, share in ((32, 0.1, 5), (64, 0.1, 5), (64, 0.01, 5), (64, 0.1, 8.4), (16, 0.1, 5)):
        accuracy = epsilon / share
        learner = hadamard_run(k, epsilon, accuracy).representation
        expected = limits.common_direction_error(k, accuracy)
        formula += [learner.oracle.best[k] / expected, expected / learner.oracle.best[k]]
        features.append(len(learner.features) / (k + (expected > epsilon)))
    return Finding.of_ratios({_FORMULA: formula, _COUNT: features})


def _one_more(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """After the task that shows the common direction: the farthest unit target of the whole space."""
    ratios = []
    for i in range(count):
        k, turn = int(rng.integers(2, 65)), 10 ** rng.uniform(-3, -0.5)
        learned = np.hstack([common_direction(k, turn, np.ones(k)), np.zeros((k, 1))])
        target = np.append(np.full(k, 1 / np.sqrt(k)), [0.0, 0.0])
        side = np.eye(k + 2)[-1] if i % 2 else rng.standard_normal(k + 2)
        side = unit(side - (side @ target) * target)
        added = np.vstack([learned, np.cos(turn) * target + np.sin(turn) * side])
        ratios.append(farthest_sine(np.eye(k, k + 2), added) / (share * np.sin(turn)))
    return Finding.of_ratios({_MORE: ratios})


def _blocks(count: int, rng: Generator, share: float = 1.0) -> Finding:
    """Groups of targets that lean the same way, just far enough for the sum of each group to be refused."""
    ratios = []
    for blocks, size, epsilon in ((1, 26, 0.1), (2, 64, 0.1), (3, 26, 0.02), (1, 100, 0.2), (4, 5, 0.25)):
        accuracy = limits.exactly_k_accuracy(size, epsilon) * (1 + 1e-7)
        targets, learned = families.hidden_blocks(blocks, size, np.pi * accuracy)
        later = len(openings_of(targets, learned, epsilon)) - blocks * size
        ratios.append(later / (share * limits.features_after_orthonormal(blocks * size, epsilon, accuracy)))
    return Finding.of_ratios({_LATER: ratios})


def _greedy(count: int, rng: Generator) -> Finding:
    """After k axes with errors towards few directions: the farthest target, again and again, with a fresh error."""
    ratios = []
    for _ in range(count):
        k, epsilon = int(rng.integers(2, 25)), rng.uniform(0.02, 0.24)
        accuracy = epsilon / rng.uniform(1.05, 4)
        groups = int(rng.integers(1, 4))
        turn, size = np.pi * accuracy, k + groups + 40
        learned = np.cos(turn) * np.eye(k, size)
        learned[np.arange(k), k + rng.integers(groups, size=k)] = np.sin(turn)
        later = 0
        while later < 40:
            basis = np.linalg.svd(learned, full_matrices=False)[2]
            rest = np.eye(k, size) - np.eye(k, size) @ basis.T @ basis
            values, vectors = np.linalg.eigh(rest @ rest.T)
            if np.arcsin(min(1.0, np.sqrt(values[-1]))) <= np.pi * epsilon:
                break
            new = np.cos(turn) * np.append(vectors[:, -1], np.zeros(size - k))
            new[-1 - later] += np.sin(turn)
            learned, later = np.vstack([learned, new]), later + 1
        ratios.append(later / limits.features_after_orthonormal(k, epsilon, accuracy))
    return Finding.of_ratios({_LATER: ratios})


PROP_EXACTLY_K = Claim(
    "prop-exactly-k",
    "added",
    "",
    "what exactly k features cost",
    r"Gaussian law, exact oracles, $s=\sin\pi\varepsilon$, $\sigma=\sin\pi\varepsilon_{\mathrm{acc}}$, "
    r"$\varepsilon_{\mathrm{acc}}<\varepsilon<\frac14$, and $k\ge 2$ tasks with orthonormal targets learned to "
    r"$\varepsilon_{\mathrm{acc}}$. (a) Every target of their span is at sine at most $\sqrt{k}\,\sigma$ from the "
    r"span learned. (b) If $\sqrt{k}\,\sigma>s$ and $n>k$, some such targets and answers leave an error above "
    r"$\varepsilon$ in the span of the answers and, for one of two spaces, in every $k$-dimensional space, and in "
    "every space of $d<n-k$ dimensions that a learner without coins settles for after the answers. (c) Algorithm "
    r"1 adds fewer than $k/(s^2/\sigma^2-1)$ features more.",
    "proved",
    scope="$k$ orthonormal targets first; in a worse order exactly $k$ features need a far finer accuracy",
    checks=(
        Check("random errors, k = 1 to 8", "random", _random_orthonormal, 600, scales=True),
        Check(
            "all estimates lean the same way, k = 2 to 64",
            "tight",
            _tight,
            12,
            knobs={"accuracy for exactly k": _coarser},
        ),
        Check("what a learner may search that saw k answers", "adversarial", _searched, 300, scales=True),
        Check("spaces of any dimension, chosen before the hidden direction", "adversarial", _larger, 200, scales=True),
        Check("the chance of a learner with coins", "exact", _coins, 12),
        Check("every pattern of signs, k = 1 to 6", "exhaustive", _all_signs),
        Check("k axes, then Hadamard rows, one error direction", "exact", _hadamard),
        Check("after the task that shows the common direction", "tight", _one_more, 60),
        Check("groups that lean the same way", "tight", _blocks, 5),
        Check("the farthest target, again and again", "adversarial", _greedy, 60),
    ),
    twins=(
        Check("accuracy coarser by 2 %", "tight", partial(_coarser, factor=0.98), 6, violated=True, spoils=0.02),
        Check("answers finer by 2 %", "adversarial", partial(_searched, share=0.98), 60, violated=True, spoils=0.02),
        Check(
            "answers finer by 2 %, spaces of any dimension",
            "adversarial",
            partial(_larger, share=0.98),
            60,
            violated=True,
            spoils=0.02,
        ),
        Check("distance smaller by 2 %", "tight", partial(_one_more, share=0.98), 60, violated=True, spoils=0.02),
        Check("features fewer by 2 %", "tight", partial(_blocks, share=0.98), 5, violated=True, spoils=0.02),
    ),
    page="beyond/exactly_k",
    functions=(
        "lifelong_book.halfspaces.repair.limits.exactly_k_accuracy",
        "lifelong_book.halfspaces.repair.limits.common_direction_error",
        "lifelong_book.halfspaces.repair.limits.features_after_orthonormal",
        "lifelong_book.halfspaces.repair.families.hidden_direction",
        "lifelong_book.halfspaces.repair.families.hidden_blocks",
    ),
)

CLAIMS = (PROP_EXACTLY_K,)
