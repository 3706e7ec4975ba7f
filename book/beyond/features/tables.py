"""Features and labels of Algorithm 1 against the accuracy from scratch."""

from typing import Any

import numpy as np
from mpmath import mp

from lifelong import Gaussian, SharedSubspace, learn_stream
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong_book.halfspaces import many_digits
from lifelong_book.halfspaces.subspace.experiments import (
    DOUBLING,
    exact_run,
    greedy_openings,
    labels_a_task,
    openings_by_cause,
    printed_accuracy,
)
from lifelong_book.halfspaces.subspace.instances import random_targets
from lifelong_book.halfspaces.subspace.learners import patient_logistic
from lifelong_book.press.table import Case, Experiment

#: What the choices of an accuracy are called: epsilon over a number, and the three of the order of a power.
_CHOICES = ("eps/2", "eps/3", "eps/4", "eps/5", "eps/8", "eps^2/2", "printed", "exact")


def _accuracy_of(choice: str, k: int, epsilon: float) -> float:
    """The accuracy behind its name in the tables."""
    if choice not in _CHOICES:
        raise ValueError(f"choice: expected one of {', '.join(_CHOICES)}, got {choice!r}")
    if choice == "exact":
        return bounds.accuracy_exact(k, epsilon)
    if choice == "printed":
        return float(printed_accuracy(k, epsilon))
    return epsilon**2 / 2 if choice == "eps^2/2" else epsilon / int(choice[-1])


def _random_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, Any]:
    """Features that 20 streams of 60 random tasks open, errors in random directions."""
    streams = [random_targets(k, k + 50, 60, rng=rng) for _ in range(20)]
    opened = [exact_run(targets, epsilon, acc, direction="random", rng=rng).scratch for targets in streams]
    return {"random_mean": float(np.mean(opened)), "random_max": max(opened)}


def _sampled_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, Any]:
    """The same from samples: 5 streams of 40 random tasks in 20 variables, openings by their cause."""
    n, opened, reached, causes = 20, [], 0.0, []
    for child in rng.spawn(5):
        _, tasks = instances.planted_halfspaces(Gaussian(n), k, 40, rng=child)
        oracle = Sampled(scratch_learner=patient_logistic, labels=Labels(scratch=0.8))
        run = learn_stream(tasks, SharedSubspace(n, epsilon, epsilon_acc=acc, oracle=oracle))
        opened.append(run.scratch)
        errors = [t.error(s.hypothesis) for t, s in zip(tasks, run.steps, strict=True) if s.how == "scratch"]
        reached = max(reached, max(errors) / acc)
        causes.append(openings_by_cause(run, [task.target for task in tasks], epsilon, acc))
    return {
        "sampled_mean": float(np.mean(opened)),
        "sampled_max": max(opened),
        "sampled_reached": round(reached, 2),
        **{f"sampled_{cause}": max(found[cause] for found in causes) for cause in causes[0]},
    }


def _families(k: int, epsilon: float, acc: float) -> dict[str, int]:
    """Features opened by the explicit families, in 200 digits."""
    opened = {}
    for name, family in (("doubling", many_digits.doubling_family), ("logarithmic", many_digits.logarithmic_family)):
        try:
            rows = family(k, mp.mpf(epsilon), mp.mpf(acc))
        except ValueError:  # this epsilon is too large for the family
            continue
        opened[name] = sum(x > 1 for x in many_digits.refusals(rows, mp.mpf(epsilon), mp.mpf(acc)))
    return opened


def _worst_streams(k: int, epsilon: float, acc: float, rng: np.random.Generator) -> dict[str, int]:
    """Features opened by every adversary of the book."""
    opened = _families(k, epsilon, acc)
    if epsilon >= 1e-3:  # beyond that doubles hold neither of these
        opened["hair"] = max(greedy_openings(k, epsilon, acc, rng=rng) for _ in range(100))
        targets, accuracy = instances.chain_stream(k, epsilon, acc)
        opened["chain"] = exact_run(targets, epsilon, accuracy, direction="common").scratch
    return opened


def _bound(k: int, epsilon: float, acc: float) -> float | None:
    """The least bound that is proved for exact oracles and targets in a k-space, if any."""
    known = [bounds.volume_bound(k, epsilon, acc)]
    if acc <= bounds.accuracy_exact(k, epsilon):
        known.append(float(k))
    if acc <= epsilon**2 / 2 and epsilon <= 0.4:
        known.append(float(bounds.features_exact(k)))
    return min(known) if np.isfinite(min(known)) else None


def _accuracy(case: Case, rng: np.random.Generator) -> dict[str, Any]:
    k, epsilon = case["k"], case["epsilon"]
    acc = _accuracy_of(case["choice"], k, epsilon)
    row: dict[str, Any] = {"epsilon_acc": acc, "random_mean": None, "random_max": None}
    row |= dict.fromkeys(f"sampled_{column}" for column in ("mean", "max", "reached", "needed", "refused", "missed"))
    if epsilon >= 1e-3:
        row |= _random_streams(k, epsilon, acc, rng)
    if epsilon >= 0.1 and acc >= 1e-5:
        row |= _sampled_streams(k, epsilon, acc, rng)
    worst = _worst_streams(k, epsilon, acc, rng)
    bound = _bound(k, epsilon, acc)
    row |= {"worst": max(worst.values()), "worst_stream": max(worst, key=lambda name: worst[name]), "bound": bound}
    charged = {"random": row["random_mean"], "worst": row["worst"], "bound": bound}
    return row | {
        f"labels_{name}": None if count is None else round(labels_a_task(count, epsilon, acc))
        for name, count in charged.items()
    }


ACCURACY = Experiment(
    "accuracy",
    "features and labels a task against the accuracy from scratch",
    (
        *({"k": k, "epsilon": 0.1, "choice": choice} for k in (3, 5, 10) for choice in _CHOICES),
        *({"k": k, "epsilon": 10.0**-half, "choice": "eps^2/2"} for k, half, _ in DOUBLING if k >= 3),
        *({"k": k, "epsilon": 10.0**-p, "choice": "eps/5"} for k in (3, 5, 10) for p in (3, 6, 12)),
    ),
    _accuracy,
)


EXPERIMENTS = (ACCURACY,)
