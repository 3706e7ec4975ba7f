"""What exactly k features cost: between Algorithm 1 with a few more features and a learner that may have only k."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from lifelong.halfspaces.angles import angle, angle_to_subspace, subspace_angle, unit
from lifelong_book.beyond.exactly_k.instances import (
    Rows,
    accuracy_for,
    features,
    hadamard,
    hidden_blocks,
    hidden_direction,
    later_most,
    leaning_one_way,
    sum_error,
)
from lifelong_book.halfspaces.subspace.experiments import exact_run
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Adverse, Broken, Exact, Exhaustive, Random, Tight, two_sided

Instances = Iterator[dict[str, Any]]
Pairs = dict[str, tuple[Any, Any]]


# 1 and 2: enough, and needed ----------------------------------------------------------------------------


def _random_errors(count: int, rng: Generator) -> Instances:
    """Random errors, k = 1 to 8."""
    for _ in range(count):
        k, more = int(rng.integers(1, 9)), int(rng.integers(1, 6))
        eta = np.arcsin(rng.random((k, 1)) * 10 ** rng.uniform(-4, 0) / np.sqrt(k))
        targets = np.eye(k, k + more)
        side = rng.standard_normal(targets.shape)
        if rng.random() < 0.5:  # one direction for all
            side = np.eye(k + more)[-1] * rng.choice([-1.0, 1.0], (k, 1))
        side = unit(side - (side * targets).sum(axis=1, keepdims=True) * targets)
        yield {"targets": targets, "answers": np.cos(eta) * targets + np.sin(eta) * side}


def _sizes(count: int) -> Instances:
    """Dimensions, each with errors allowed up to 1/4."""
    for k in (2, 3, 5, 16, 64):
        for epsilon in np.linspace(0.01, 0.249, count):
            yield {"k": k, "epsilon": float(epsilon)}


def _one_way(count: int) -> Instances:
    """All errors lean the same way, at the coarsest accuracy."""
    for x in _sizes(count):
        targets, answers = hidden_direction(x["k"], np.pi * accuracy_for(**x))
        yield {"targets": targets, "answers": answers}


def acute() -> Instances:
    """Two targets at an acute angle, with errors to different sides, where exactly two features must serve."""
    for far in (0.1, 0.5, 1.0):
        rows = np.array([[np.cos(far / 2), y, 0] for y in (-np.sin(far / 2), np.sin(far / 2))])
        lift = np.outer([1, -1], np.eye(3)[2])
        yield {"targets": rows, "answers": np.cos(0.01) * rows + np.sin(0.01) * lift}


def _threshold(k: int, epsilon: float) -> Pairs:
    """The sum of the targets is served at the coarsest accuracy, and a hair beyond it, after k features, it is not."""
    best = []
    for scale in (1, 1 + 1e-6):
        targets, answers = hidden_direction(k, np.pi * accuracy_for(k, epsilon) * scale)
        best.append(angle_to_subspace(targets.sum(axis=0), answers) / np.pi)
    return {
        "served": (best[0], epsilon),
        "rejected beyond": (epsilon, best[1]),
        "k learned": (k, len(features(targets, answers, epsilon))),
    }


def two_spaces(targets: Rows, answers: Rows, space: Rows) -> tuple[Any, Any]:
    """How far the targets are from the span of the answers; the worse of two spaces with these answers."""
    # 2: theta; the larger of the angles from V and V' to the space S
    cos = (targets * answers).sum(axis=1, keepdims=True)
    mirrored = 2 * cos * answers - targets
    far = [subspace_angle(V, space) for V in (targets, mirrored)]
    return subspace_angle(targets, answers), max(far)


def searched(count: int, rng: Generator) -> Instances:
    """What a learner may search that saw k answers."""
    for i in range(count):
        k, epsilon = int(rng.integers(1, 9)), rng.uniform(0.01, 0.25)
        rows = hidden_direction(k, np.pi * accuracy_for(k, epsilon))
        targets, answers = (np.pad(r, ((0, 0), (0, 3))) for r in rows)
        space = answers.copy()
        if i % 3 == 1:
            space = space + 10 ** rng.uniform(-6, 0) * rng.standard_normal(space.shape)
        elif i % 3 == 2:  # more than k dimensions, whatever they are, but not the hidden one
            extra = rng.standard_normal((2, k + 4))
            extra[:, k] = 0.0
            space = np.vstack([space, extra])
        yield {"targets": targets, "answers": answers, "space": space}


# 5: spaces of any dimension -----------------------------------------------------------------------------


def larger(answers: Rows, eta: float, f: Rows, space: Rows) -> tuple[Any, Any]:
    """The least distance of the sum from a space that was chosen before the direction f, and its distance."""
    # 5: sin theta times that of the angle from f; from the sum to S
    targets = np.cos(eta) * answers + np.sin(eta) * f
    outside = np.sin(angle_to_subspace(f, np.vstack([answers, space])))
    least = np.sqrt(len(answers)) * np.sin(eta) * outside
    return least, np.sin(angle_to_subspace(targets.sum(axis=0), space))


def _chosen_before(count: int, rng: Generator) -> Instances:
    """Spaces of any dimension, chosen before the hidden direction."""
    for i in range(count):
        k, more, room = (int(rng.integers(*low_high)) for low_high in ((2, 7), (1, 10), (1, 6)))
        n, eta = k + more + room, np.pi * accuracy_for(k, rng.uniform(0.01, 0.249))
        answers = np.eye(k, n)
        answers[:, :k] = hidden_direction(k, eta)[1][:, :k]
        space = rng.standard_normal((more, n))
        if i % 3 == 1:  # most of what was answered, and more
            kept = min(k, more)
            space[:kept] = answers[:kept] + 10 ** rng.uniform(-6, -1) * space[:kept]
        elif i % 3 == 2:  # all of it
            space = np.vstack([answers, space])
        basis = np.linalg.svd(np.vstack([answers, space[-more:]]))[2]
        hidden = unit(rng.standard_normal(room) @ basis[k + more :])
        chance = unit(np.append(np.zeros(k), rng.standard_normal(n - k)))
        for f in (hidden, chance):
            yield {"answers": answers, "eta": eta, "f": f, "space": space}


def _shares() -> Instances:
    """Parts of the room that a space takes, and of a random direction."""
    for room in np.geomspace(4, 4e6, 12).astype(int):
        for part in (0.1, 0.5, 0.9):
            inside = max(1, int(part * room))
            for large in (0.5 * part, 0.9 * part, 0.999 * part, part, (1 + part) / 2):
                yield {"inside": inside, "room": room, "large": large}


def _randomised_learner(inside: int, room: int, large: float) -> tuple[Any, Any]:
    """The chance that a space holds a large part of a random direction, and Markov's bound on it."""
    from scipy.stats import beta

    return beta.sf(large, inside / 2, (room - inside) / 2), inside / (room * large)


# 3: one more --------------------------------------------------------------------------------------------


def _all_signs() -> Instances:
    """Every pattern of signs for the errors."""
    for k in range(1, 7):
        for signs in product([1.0, -1.0], repeat=k):
            yield from ({"acc": acc, "signs": np.array(signs)} for acc in (1e-3, 0.02, 0.1))


def _one_formula(acc: float, signs: Rows) -> Pairs:
    """The farthest target, and the one whose signs match, against the formula."""
    k, formula = len(signs), np.tan(np.pi * sum_error(len(signs), acc))
    answers = leaning_one_way(k, np.pi * acc, signs)
    return {
        "farthest": (np.tan(subspace_angle(np.eye(k, k + 1), answers)), formula),
        "same signs": (np.tan(angle_to_subspace(np.append(signs, 0), answers)), formula),
    }


def _axes_then_rows() -> Instances:
    """Dimensions, errors allowed and accuracies for which the sum is rejected, or not."""
    for k, epsilon, part in ((32, 0.1, 5), (64, 0.1, 5), (64, 0.01, 5), (64, 0.1, 8.4), (16, 0.1, 5)):
        yield {"k": k, "epsilon": epsilon, "acc": epsilon / part}


def _rejected_sum(k: int, epsilon: float, acc: float) -> Pairs:
    """Algorithm 1 on k axes, then on the rows of a Hadamard matrix."""
    rows = np.pad(np.vstack([np.eye(k), hadamard(k)]), ((0, 0), (0, 1)))
    learner = exact_run(rows, epsilon, acc, direction="common").representation
    expected = sum_error(k, acc)
    return {
        "error of the sum": (learner.oracle.best[k], expected),
        "features": (len(learner.features), k + (expected > epsilon)),
    }


def cured(answers: Rows, new: Rows) -> tuple[Any, Any]:
    """The farthest target of the axes once their sum is learned, and the error of the answer to the sum."""
    # 3: from V once the sum is learned; error of the answer to it
    axes = np.eye(*answers.shape)[: len(answers)]
    far = subspace_angle(axes, np.vstack([answers, new]))
    return np.sin(far), np.sin(angle(axes.sum(axis=0), new))


def _sums_learned(count: int, rng: Generator) -> Instances:
    """After the task that shows the common direction."""
    for i in range(count):
        k, eta = int(rng.integers(2, 65)), 10 ** rng.uniform(-3, -0.5)
        a = np.append(np.full(k, 1 / np.sqrt(k)), [0.0, 0.0])
        side = np.eye(k + 2)[-1] if i % 2 else rng.standard_normal(k + 2)
        side = unit(side - (side @ a) * a)
        answers = np.pad(leaning_one_way(k, eta), ((0, 0), (0, 1)))
        yield {"answers": answers, "new": np.cos(eta) * a + np.sin(eta) * side}


# 4: a few more ------------------------------------------------------------------------------------------


def later(targets: Rows, answers: Rows, epsilon: float) -> tuple[Any, Any]:
    """The features after the first k, which are orthonormal and span all targets, and the bound on them."""
    # 4: features after the first k; the bound on them
    k = np.linalg.matrix_rank(targets)
    acc = angle(targets, answers).max() / np.pi
    found = features(targets, answers, epsilon)
    return len(found) - k, later_most(k, epsilon, acc)


def _groups() -> Instances:
    """Groups of answers that lean the same way."""  # so far that the sum of each is rejected
    for blocks, size, epsilon in ((1, 26, 0.1), (2, 64, 0.1), (3, 26, 0.02), (1, 100, 0.2), (4, 5, 0.25)):
        eta = np.pi * accuracy_for(size, epsilon) * (1 + 1e-7)
        targets, answers = hidden_blocks(blocks, size, eta)
        yield {"targets": targets, "answers": answers, "epsilon": epsilon}


def _farthest(count: int, rng: Generator) -> Instances:
    """The farthest target, again and again."""  # with fresh errors, after k axes with errors to few sides
    for _ in range(count):
        k, epsilon = int(rng.integers(2, 25)), rng.uniform(0.02, 0.24)
        eta, sides = np.pi * epsilon / rng.uniform(1.05, 4), int(rng.integers(1, 4))
        n = k + sides + 40
        answers = np.cos(eta) * np.eye(k, n)
        answers[np.arange(k), k + rng.integers(sides, size=k)] = np.sin(eta)
        targets = np.eye(k, n)
        for fresh in range(n - 1, n - 41, -1):
            basis = np.linalg.svd(answers, full_matrices=False)[2]
            values, vectors = np.linalg.eigh(np.eye(k) - basis[:, :k].T @ basis[:, :k])
            if values[-1] <= np.sin(np.pi * epsilon) ** 2:
                break
            a = np.append(vectors[:, -1], np.zeros(n - k))
            targets = np.vstack([targets, a])
            answers = np.vstack([answers, np.cos(eta) * a + np.sin(eta) * np.eye(n)[fresh]])
        yield {"targets": targets, "answers": answers, "epsilon": epsilon}


@two_sided(
    "prop-exactly-k",
    Random(_random_errors, 600),
    Tight(_one_way, 12, equal=True),
    Tight(_sizes, 12, name="the coarsest accuracy, and a hair beyond it", sides=_threshold),
    Tight(searched, 300, sides=two_spaces),
    Tight(_chosen_before, 200, sides=larger),
    Exact(_shares, name="the chance of a randomised learner", sides=_randomised_learner),
    Exhaustive(_all_signs, name="every pattern of signs, k = 1 to 6", equal=True, sides=_one_formula),
    Exact(_axes_then_rows, name="k axes, then Hadamard rows, one error direction", equal=True, sides=_rejected_sum),
    Tight(_sums_learned, 60, sides=cured),
    Tight(_groups, sides=later),
    Adverse(_farthest, 60, sides=later),
    Broken(acute, name="two targets at an acute angle", drops="the targets are perpendicular"),
)
def enough(targets: Rows, answers: Rows) -> tuple[Any, Any]:
    """The sides of `prop-exactly-k`: how far the span can be from the answers, the root of the sum of squared sines."""
    # 1: from V to the span of the answers; root of the sum of squares
    sines = np.sin(angle(targets, answers))
    far = np.sin(subspace_angle(targets, answers))
    return far, np.sqrt((sines**2).sum())


PROP_EXACTLY_K = enough.claim(
    "added",
    "what exactly k features cost",
    r"Gaussian law, exact oracles, $s=\sin\pi\varepsilon$, $\sigma=\sin\pi\varepsilon_{\mathrm{acc}}$, "
    r"$\varepsilon_{\mathrm{acc}}<\varepsilon<\frac14$, and $k\ge 2$ tasks with orthonormal targets learned to "
    r"$\varepsilon_{\mathrm{acc}}$. (a) Every target of their span is at sine at most $\sqrt{k}\,\sigma$ from the "
    r"span learned. (b) If $\sqrt{k}\,\sigma>s$ and $n>k$, some such targets and answers leave an error above "
    r"$\varepsilon$ in the span of the answers and, for one of two spaces, in every $k$-dimensional space, and in "
    "every space of $d<n-k$ dimensions that a deterministic learner settles for after the answers. (c) Algorithm "
    r"1 adds fewer than $k/(s^2/\sigma^2-1)$ features more.",
    "proved",
    scope="$k$ orthonormal targets first; in a worse order exactly $k$ features need a far finer accuracy",
    functions=(accuracy_for, sum_error, later_most, hidden_direction, hidden_blocks),
)
