"""Exercises of the chapters on one more error, and on the span of what was learned."""

import numpy as np

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.halfspaces.instances import chain
from lifelong_book.halfspaces.perturbation.claims import worst_targets
from lifelong_book.press.exercise import Asks, Exercise
from lifelong_book.press.grading import Submission, near, number, rows


def _beyond(k: int, gamma: float) -> float:
    """By how much the chain exceeds the printed bound."""
    error = gamma**2 / (10 * k)
    return float(bounds.subspace_sharp(k, error, gamma) - bounds.subspace_printed(k, error, gamma))


def _threshold(answer: Submission) -> None:
    for k in range(3, 11):
        gamma = answer.number(k)
        if not 0 < gamma < np.pi / 2:
            answer.refuse("expected an angle between 0 and a right one")
        # a sign that changes here, and is no longer positive anywhere above
        later = np.linspace(min(1.005 * gamma, np.pi / 2), np.pi / 2, 400)
        if not (_beyond(k, 0.995 * gamma) > 0 and all(_beyond(k, g) <= 0 for g in later)):
            answer.refuse("this is not where the chain ceases to break the printed bound")


def _chain(answer: Submission) -> None:
    rng = np.random.default_rng(0)
    for gamma in (0.05, 0.4, 1.0, 1.5):
        Q = np.linalg.qr(rng.standard_normal((4, 4)))[0]
        learned = np.array([Q[0], np.cos(gamma) * Q[0] + np.sin(gamma) * Q[1]])
        pair = worst_targets(learned[None], np.array([0.01]))
        u = answer.rows(learned[0], learned[1], shape=(4,))
        if not near(float(np.linalg.norm(u)), 1, 1e-9):
            answer.refuse("expected a unit vector")
        if angle_to_subspace(u, learned) > 1e-6:
            answer.refuse("the vector is not in the span of the two")
        reached = angle_to_subspace(np.append(u, 0.0), pair["true"][0])
        if reached < (1 - 1e-6) * subspace_angle(pair["learned"][0], pair["true"][0]):
            answer.refuse("another unit vector of the learned plane is farther from the plane of the targets")


def _pairs(answer: Submission) -> None:
    for factor in (5.0, 100.0, 10_000.0):
        vectors = answer.rows(factor, shape=(3, 3))
        if not np.allclose(np.linalg.norm(vectors, axis=1), 1, rtol=0, atol=1e-9):
            answer.refuse("expected unit vectors")
        for i, j in ((0, 1), (0, 2), (1, 2)):
            between = float(angle(vectors[i], vectors[j]))
            if min(between, np.pi - between) < np.pi / 4 - 1e-9:
                answer.refuse(f"rows {i} and {j} span lines at an angle below 45 degrees")
        if np.linalg.matrix_rank(vectors) < 3:
            answer.refuse("the vectors are dependent, so they do not span a space of three dimensions")
        error = 0.1 / factor
        pair = worst_targets(vectors[None], np.array([error]))
        if not np.sin(subspace_angle(*pair.values())[0]) > factor * np.sin(error):
            answer.refuse("no errors of the vectors are amplified that much")


def _cheapest(answer: Submission) -> None:
    for ratio in (0.0, 0.5, 3.0, 30.0, 1000.0):
        delta = answer.number(ratio)
        if not 1 < delta < 1e6:
            answer.refuse("expected epsilon over the accuracy, a number above 1")
        grid = np.geomspace(1.01, 1e5, 100_001)
        least = float(((grid + ratio) / np.log(grid)).min())
        if (delta + ratio) / np.log(delta) > (1 + 1e-5) * least:
            answer.refuse("another accuracy is cheaper")


def _sharing_pays(answer: Submission) -> None:
    for n, kept, share in ((1000, 10, 0.5), (500, 5, 0.9), (200, 10, 0.5), (10_000, 100, 0.25), (100, 1, 0.01)):
        m = answer.number(n, kept, share)

        def gain(m: float, n: int = n, kept: int = kept) -> float:
            return 0.5 * n * m / (3 * kept * n + m * (3 * kept + 20))

        if not m > 0 or not near(gain(m), share * gain(1e18), 1e-5):
            answer.refuse("after so many tasks the gain is another share of its limit")


def _two_laws(answer: Submission) -> None:
    rng = np.random.default_rng(4)
    for n in (2, 3, 10):
        for turn in (1e-3, 0.5, np.pi / 2, 2.5, np.pi - 1e-3):
            Q = np.linalg.qr(rng.standard_normal((n, n)))[0]
            target, hypothesis = Q[0], 3 * (np.cos(turn) * Q[0] + np.sin(turn) * Q[1])
            two = answer.parts(target, hypothesis, count=2)
            passes, fails = (rows(x, answer.where, shape=(n,)) for x in two)
            for x, agree in ((passes, True), (fails, False)):
                name = "first" if agree else "second"
                a, b = float(target @ x), float(hypothesis @ x)
                if min(abs(a), abs(b)) <= 1e-12 * np.linalg.norm(x):
                    answer.refuse(f"the {name} point lies on a boundary")
                if (a * b > 0) != agree:
                    answer.refuse(f"at the {name} point target and hypothesis {'dis' if agree else ''}agree")


def _average(answer: Submission) -> None:
    for n, k, m in ((60, 20, 400), (400, 4, 200), (120, 40, 1000), (150, 100, 600)):
        rng, seen = np.random.default_rng(n), []
        for _ in range(5):
            targets = np.linalg.qr(rng.standard_normal((m, k)))[0] * np.sqrt(m / k)
            errors = rng.standard_normal((m, n - k))
            errors /= np.linalg.norm(errors, axis=1, keepdims=True)
            leading = np.linalg.svd(np.hstack([targets, 1e-4 * errors]), full_matrices=False)[2][:k]
            seen.append(float(subspace_angle(np.eye(k, n), leading)))
        if not near(answer.number(1e-4, m, k, n), float(np.median(seen)), 0.08):  # a norm is below its limit
            answer.refuse("the space of the leading singular vectors is at another angle")


def _holdout(answer: Submission) -> None:
    for k, C in ((10, 10.0), (100, 10.0), (2, 10.0), (1000, 3.0), (5, 0.1)):
        phi = answer.number(k, C)
        if not 0 < phi < 1:
            answer.refuse("expected a number between 0 and 1")
        grid = np.linspace(1e-3, 1 - 1e-3, 100_001)
        paid = C / (1 - grid) ** 2 - 4 * k * np.log(grid)
        if C / (1 - phi) ** 2 - 4 * k * np.log(phi) > paid.min() + 1e-5 * abs(paid.min()):
            answer.refuse("another sharpness makes an attempt cheaper")


def _random_errors(answer: Submission) -> None:
    for gamma in (0.3, 0.2, 0.5, 1.0):
        # to first order the errors pass through the inverse of the chain, whose norm has a factor of its own a step
        sizes = [np.linalg.norm(np.linalg.inv(chain(k, np.array([gamma]))[0]), 2) for k in (10, 14)]
        # medians for small k grow by less: (8/11)^(1/6) from 5 vectors to 8, with errors in k + 3 dimensions
        if not near(answer.number(gamma), float(sizes[1] / sizes[0]) ** 0.25, 0.08):
            answer.refuse("the median grows by another factor with each vector of the chain")


def _nervous(answer: Submission) -> None:
    for m, k, epsilon in ((1000, 10, 0.1), (50_000, 3, 0.01)):
        needless, needed = (number(x, answer.where) for x in answer.parts(m, k, epsilon, count=2))
        if not near(needless, m / 100, 1e-9):
            answer.refuse("not the expected number of tasks learned from scratch without need")
        least = bounds.determinant_bound(k, epsilon, epsilon / 5)
        if not least <= needed <= bounds.features_logarithmic(k, epsilon) * (1 + 1e-9):
            answer.refuse("the theorem bounds the features of tasks that failed by another number")


def _fresh(answer: Submission) -> None:
    rng, directions = np.random.default_rng(0), [np.eye(4), np.ones((5, 1)), np.eye(3, 8)]
    for k, d in ((6, 3), (5, 40), (2, 2)):
        drawn = rng.standard_normal((k, d))
        directions.append(drawn / np.linalg.norm(drawn, axis=1, keepdims=True))
    for F in directions:
        for epsilon in (0.1, 0.02):
            accuracy = answer.number(F, epsilon)
            if not 0 < accuracy < 0.5:
                answer.refuse("expected an error between 0 and one half")
            k, d = F.shape
            for share, accepted in ((0.999, True), (1.001, False)):
                eta = np.pi * accuracy * share
                learned = np.hstack([np.cos(eta) * np.eye(k), np.sin(eta) * F])
                if (subspace_angle(np.eye(k, k + d), learned) <= np.pi * epsilon) != accepted:
                    answer.refuse("not the coarsest accuracy at which the span of the answers serves all of V")


def _near_a_line(answer: Submission) -> None:
    for gamma in (0.1, 0.3, 1.0, 1.5):
        for count in (1, 2, 5, 9):
            axis, targets = answer.parts(gamma, count, count=2)
            line = rows(axis, answer.where, shape=(None,))
            vectors = rows(targets, answer.where, shape=(None, len(line)))
            if not line.any() or not vectors.any(axis=1).all():
                answer.refuse("a vector is zero")
            if len(vectors) > 20:
                answer.refuse("expected at most 20 targets")
            if (angle_to_subspace(vectors, line[None]) > gamma + 1e-9).any():
                answer.refuse("a target is farther than gamma from the line")
            if effective_dimension(vectors, gamma) < count:
                answer.refuse("the effective dimension of the targets is not so large")


_PERTURBATION = (
    Exercise(
        label="ex-threshold",
        asks=Asks("compute", difficulty=2, minutes=20),
        goal="Find where a bound that is false begins to fail, and see that it is true at right angles.",
        hint="Where the chain meets the bound, a difference changes its sign: bisect.",
        answer="threshold(k)",
        returns="the largest separation at which the chain of k vectors breaks the printed bound.",
        checker=_threshold,
    ),
    Exercise(
        label="ex-chain",
        asks=Asks("prove", difficulty=1, minutes=15),
        goal="Compute the amplification of two vectors by hand, and point to the direction that suffers.",
        hint="Compare the coefficients of the two vectors in the last direction: their sizes and their signs.",
        answer="farthest(first, second)",
        returns="the unit vector of the learned plane that is farthest from the plane of the worst targets.",
        given="The two learned unit vectors are at an angle of at most 90 degrees.",
        checker=_chain,
    ),
    Exercise(
        label="ex-break",
        asks=Asks("break", difficulty=2, minutes=20),
        goal="Show that separation of pairs does not bound how errors grow.",
        hint="Put one vector almost into the plane of two others.",
        answer="vectors(factor)",
        returns="three unit vectors of R^3 as rows, their lines pairwise at 45 degrees or more.",
        given="Some small equal errors of the three must be amplified by more than `factor`: sin(angle of spans) / "
        "sin(error).",
        checker=_pairs,
    ),
    Exercise(
        label="ex-random-errors",
        asks=Asks("explore", difficulty=2, minutes=30),
        goal="Tell what an adversary adds from what the learned vectors do by themselves.",
        hint="Take medians over many draws for several lengths of the chain, and compare them with the bound.",
        answer="growth(gamma)",
        returns="by what factor the median grows with each vector of a long chain of separation gamma, within 8 %.",
        checker=_random_errors,
    ),
    Exercise(
        label="ex-exactly-fresh",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Measure what errors have in common by one number, and see that only this makes a span fail.",
        hint="Write the learned span as the graph of a linear map. What is the largest angle to a graph?",
        answer="coarsest(F, epsilon)",
        returns="the coarsest accuracy at which every vector of V has an error of at most epsilon in the learned span.",
        checker=_fresh,
    ),
    Exercise(
        label="ex-beyond-average",
        asks=Asks("compute", difficulty=3, minutes=40),
        goal="Find how random errors average out in a space that many tasks share.",
        hint="To first order the leading space is a graph that fits the errors. What is the norm of a random matrix?",
        answer="tilt(eta, m, k, n)",
        returns="about the angle of the space of the k leading singular vectors of m answers to V, for a small eta.",
        checker=_average,
    ),
    Exercise(
        label="ex-simplex",
        asks=Asks("prove", difficulty=2, minutes=30),
        goal="Show by a family of instances that a constant cannot be improved.",
        hint="What is the sum of all corners? The dual vectors give the angles to the span of the others.",
    ),
    Exercise(
        label="ex-swap",
        asks=Asks("prove", difficulty=2, minutes=15),
        goal="Use the symmetry of a hypothesis to exchange what is learned and what is true.",
        hint="Which parts of the theorem change when the two families trade places, and which do not?",
    ),
)

_SUBSPACE = (
    Exercise(
        label="ex-near-a-space",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Tell a small effective dimension from nearness to a small space.",
        hint="For the converse let all targets lean away from one line, each in a direction of its own.",
        answer="example(gamma, count)",
        returns="(line, targets): a vector, and at most 20 targets as rows, all within gamma of the line it spans.",
        given="Their effective dimension must be at least `count` (at most 9 here).",
        checker=_near_a_line,
    ),
    Exercise(
        label="ex-nervous",
        asks=Asks("break", difficulty=2, minutes=20),
        goal="Find the line of a proof that a needless feature breaks, and save the bound for the others.",
        hint="Which inequality uses that a task was rejected? Apply the proof to some of the features only.",
        answer="features(m, k, epsilon)",
        returns="two numbers: the expected features without need among m tasks, and a bound on those of tasks that "
        "failed.",
        given="Count each task as one that the span could fit, for the first; at accuracy epsilon/5 and a Gaussian "
        "law, the second.",
        checker=_nervous,
    ),
    Exercise(
        label="ex-two-dimensions",
        asks=Asks("prove", difficulty=2, minutes=25),
        goal="Use a perturbation bound to show that a plane needs no third feature.",
        hint="How far apart are two features at least? Put that into the sharp bound for two vectors.",
    ),
    Exercise(
        label="ex-potential",
        asks=Asks("prove", difficulty=3, minutes=40),
        goal="Count events with a determinant that each of them multiplies.",
        hint="What does one feature do to the determinant, and what does its trace allow at most?",
    ),
    Exercise(
        label="ex-cheapest",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Find the accuracy that a worst case makes cheapest, and see what it does not depend on.",
        hint="Divide the cost by everything that does not depend on delta. Where is its derivative zero?",
        answer="divisor(ratio)",
        returns="the delta that costs least to leading order when there are `ratio` times as many tasks as variables.",
        checker=_cheapest,
    ),
    Exercise(
        label="ex-crossover",
        asks=Asks("compute", difficulty=2, minutes=20),
        goal="Tell when sharing is ahead from when it is worth what it promises.",
        hint="The gain has reached a share of its limit when the attempts are that share of the whole cost.",
        answer="tasks(n, kept, share)",
        returns="the number of tasks, not rounded, after which the gain has reached this share of its limit.",
        checker=_sharing_pays,
    ),
    Exercise(
        label="ex-two-laws",
        asks=Asks("break", difficulty=1, minutes=15),
        goal="See what a test says when it is drawn from another distribution than the task.",
        hint="Where do target and hypothesis agree, and where do they not? One point and its mirror image are a law.",
        answer="points(target, hypothesis)",
        returns="two points: a law on the first and its negative passes the hypothesis, on the second it fails.",
        given="The normals are neither parallel nor opposite; neither point may lie on a boundary.",
        checker=_two_laws,
    ),
    Exercise(
        label="ex-holdout",
        asks=Asks("compute", difficulty=2, minutes=25),
        goal="Follow a weaker hypothesis through a proof, and choose how weak it should be.",
        hint="Change the one place where the proof uses a rejection. Which terms of the price depend on the test?",
        answer="sharpness(k, C)",
        returns="the share phi of epsilon at which an attempt costs least, by the bound on the features.",
        checker=_holdout,
    ),
)

EXERCISES = (*_PERTURBATION, *_SUBSPACE)
