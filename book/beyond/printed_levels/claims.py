"""Claims of the page on the printed counts of Theorem 2: what holds at the printed accuracies."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces import bounds
from lifelong.loop import How
from lifelong_book.beyond.two_levels import limits
from lifelong_book.halfspaces.levels import families
from lifelong_book.halfspaces.levels.claims import Instance, Pairs, _of_the_last, _random_run
from lifelong_book.halfspaces.levels.experiments import level_distances
from lifelong_book.halfspaces.levels.openings import crowded_openings
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Broken, Exact, Random, Tight, two_sided


def _two_of_a_plane(epsilon: float, second: float, points: int) -> FloatArray:
    """Unit vectors learned for two targets of the plane of e1 and e2, in every relative position, as rows of pairs."""
    turn, far = np.pi * second, np.pi * epsilon
    lean = np.array([-1.0, -0.5, 0.0, 0.5, 1.0]) * turn
    across = np.arccos(np.minimum(1.0, np.cos(turn) / np.cos(lean)))
    away = np.concatenate([[0.0], np.geomspace(1e-9, 1, points)])
    i, j, step, psi = np.meshgrid(np.arange(5), np.arange(5), away, np.linspace(0, np.pi, points), indexing="ij")
    i, j, step, psi = (x.ravel() for x in (i, j, step, psi))
    # first target (1, 0); the first feature serves what is closer in the plane than `edge` to its direction
    edge = np.arccos(np.minimum(1.0, np.cos(far) / np.cos(across[i])))
    theta = lean[i] + edge + step * (np.pi / 2 - edge)
    one, two = lean[i], theta + lean[j]
    b = np.zeros((len(i), 2, 4))
    b[:, 0, 0], b[:, 0, 1] = np.cos(across[i]) * np.cos(one), np.cos(across[i]) * np.sin(one)
    b[:, 0, 2] = np.sin(across[i])
    b[:, 1, 0], b[:, 1, 1] = np.cos(across[j]) * np.cos(two), np.cos(across[j]) * np.sin(two)
    b[:, 1, 2], b[:, 1, 3] = np.sin(across[j]) * np.cos(psi), np.sin(across[j]) * np.sin(psi)
    return b


def _small_planes(count: int, factor: float = 1.0) -> Iterator[Instance]:
    """Two features of a plane in every relative position."""
    for epsilon in (3e-4, 0.001, 0.01, 0.1, 0.2):
        accuracy = limits.plane_accuracy(epsilon) / factor
        yield {"b": _two_of_a_plane(epsilon, accuracy, count // 5), "epsilon": epsilon}


def _small_square(count: int) -> Instance:
    """The square of eps against the accuracy for a plane."""
    return {"epsilon": np.linspace(1e-3, 0.2, count)}


def _square(epsilon: FloatArray) -> Pairs:
    return {"eps^2 for a plane": (epsilon**2, np.array([limits.plane_accuracy(e) for e in epsilon]))}


def _small_random(count: int, rng: Generator) -> Iterator[Instance]:
    """Random tasks, tau = 1 and 2."""
    for i in range(max(1, count // 60)):
        tau = 1 + i % 2
        run, targets, kinds, _ = _random_run(
            rng, tau, lambda k, tau, e: (e**2, e**4) if tau > 1 else (0.999 * e, e**2), i
        )
        yield {"how": run.how, "kinds": kinds, "k": int(np.linalg.matrix_rank(targets)), "tau": tau}


def _small_counts(how: list[How], kinds: Any, k: int, tau: int) -> Pairs:
    opened = np.bincount(kinds, np.array(how) != "reused").max()  # by the tasks of one space
    first = {"first-level features for k <= 2": (how.count("scratch"), k)} if k <= 2 else {}
    return {"features for tau <= 2": (opened, tau), **first}


def _small_three() -> Iterator[Instance]:
    """Tau = 3, accuracies of at most eps^2 / (2 tau): four features, 2 tau - 2."""
    for epsilon, square in (("1e-10", "0.5"), ("1e-14", "0.01")):
        yield {"opened": crowded_openings(epsilon, tau=3, square=square), "tau": 3}
    yield {"opened": _of_the_last(*families.leaning_second_level(3, 0.5)), "tau": 3}


def _small_bound(count: int) -> Iterator[Instance]:
    """The bound of the repaired theorem at eps^2/(2 tau), tau = 3 to 20."""
    for tau in range(3, 21):
        for e in np.geomspace(1e-7, 0.2, count // 18):
            distances = level_distances(float(e), float(e) ** 2 / (2 * tau))
            yield {"opened": bounds.two_level_features(tau, *distances), "tau": tau}


def _of_a_space(opened: float, tau: int) -> Pairs:
    return {"features of a space, tau >= 3": (opened, 2 * tau - 2)}


@two_sided(
    "prop-two-levels-small",
    Random(_small_random, 1_800, name="random tasks, tau = 1 and 2", sides=_small_counts),
    Tight(_small_planes, 80),
    Exact(_small_square, 200, sides=_square),
    Tight(_small_three, 3, equal=True, sides=_of_a_space),
    Exact(_small_bound, 360, sides=_of_a_space),
    Broken(_small_planes, 80, ((1 / 1.02,),), "accuracy for a plane coarser by 2 %", spoils=0.02),
    loose={
        "eps^2 for a plane": (
            r"a round number, exact up to $\pi/2$ for small $\varepsilon$; `limits.plane_accuracy` is the bound that "
            "bites"
        ),
    },
)
def two_features(b: FloatArray, epsilon: float) -> tuple[FloatArray, float]:
    """Tangents of the angle from the span of two rows to the farthest vector of e1 and e2, and of what is allowed."""
    Q = np.linalg.qr(np.swapaxes(b, 1, 2))[0]  # of their span
    off = np.eye(2, b.shape[2]) - Q[:, :2] @ np.swapaxes(Q, 1, 2)
    sine = np.linalg.norm(off, ord=2, axis=(1, 2))
    far = np.arcsin(np.minimum(sine, 1))
    return np.tan(far), np.tan(np.pi * epsilon)


PROP_TWO_LEVELS_SMALL = two_features.claim(
    "corrected",
    "what holds at the printed accuracies",
    r"Gaussian law, exact oracles, targets exactly in their spaces, $\varepsilon\le 0.2$. A line adds one feature "
    r"of the second level if $\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon$, a plane at most two if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2$, a space of dimension $\tau\ge 3$ at most $2\tau-2$ if "
    r"$\tilde\varepsilon_{\mathrm{acc}}\le\varepsilon^2/(2\tau)$. The first level has at most $k$ features if "
    r"$k=1$ and $\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}$, or $k=2$ and "
    r"$\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}^{\,2}$; for $k\ge 2$ at most $2k-2$ if "
    r"$\varepsilon_{\mathrm{acc}}\le\tilde\varepsilon_{\mathrm{acc}}^{\,2}/2$.",
    "proved",
    functions=(limits.plane_accuracy, bounds.two_level_features),
)
