"""Claims about laws outside the assumption of Section 3: heavy tails, stretched laws, the corners of a cube."""

from collections.abc import Iterator
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from lifelong._checks import FloatArray
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong_book.halfspaces.assumptions.outside import ProductStudent, SignCube, StretchedGaussian, StudentT
from lifelong_book.press.claim import Generator
from lifelong_book.press.two_sided import Broken, Exact, Exhaustive, Random, Sides, Tight, two_sided

Instance = dict[str, Any]

# prop-rotation-invariant --------------------------------------------------------------------------------


def _conditioned(n: int, condition: float, rng: Generator) -> FloatArray:
    """An invertible matrix with the given condition number."""
    left, right = (np.linalg.qr(rng.standard_normal((n, n)))[0] for _ in range(2))
    T: FloatArray = (left * np.geomspace(1, condition, n)) @ right
    return T


def on_a_circle(N: int, rng: Generator) -> FloatArray:
    """Draws for the claim on rotation-invariant laws: N equally spaced directions, at radii with heavy tails."""
    turn = 2 * np.pi * np.arange(N) / N
    directions = np.column_stack([np.cos(turn), np.sin(turn)])
    return directions * (1 + rng.standard_cauchy((N, 1)) ** 2)


def _equally_spaced(count: int, rng: Generator, hidden: float = 0.0) -> Iterator[Instance]:
    """Equally spaced directions, any radii, stretched planes; or a last factor diag(1, 1 - hidden) that is not told."""
    N, told = 2_001, np.diag([1.0, 1.0 - hidden])
    z = on_a_circle(N, rng)
    for u, v in rng.standard_normal((count, 2, 2)):
        yield {"z": z @ told, "T": _conditioned(2, rng.uniform(1, 50), rng), "u": u, "v": v}


def _heavy_tails(count: int, rng: Generator, law: Any = StudentT) -> Iterator[Instance]:
    """Student t with 1/2 degree of freedom, in R^5, where not even a mean exists."""
    z = law(5, df=0.5).sample(100_000, rng=rng)
    for u, v in rng.standard_normal((count, 2, 5)):
        yield {"z": z, "T": _conditioned(5, 10.0, rng), "u": u, "v": v}


def _counted(**x: Any) -> dict[str, Any]:
    """Over six standard errors off is a violation."""
    seen, p = disagreement(**x)
    return {"counted, in six standard errors": (abs(seen - p), 6 * np.sqrt(p * (1 - p) / len(x["z"])))}


def disagreement(z: FloatArray, T: FloatArray, u: FloatArray, v: FloatArray) -> tuple[float, float]:
    """Both sides of the claim on rotation-invariant laws: how often u and v differ on examples Tz, and what it says."""
    x = z @ T.T
    seen = np.mean(signs(x, u) != signs(x, v))
    return float(seen), float(angle(T.T @ u, T.T @ v)) / np.pi


@two_sided(
    "prop-rotation-invariant",
    Exact(_equally_spaced, 300, name="equally spaced directions, any radii, stretched planes"),
    Random(_heavy_tails, 40, sides=_counted),
    Broken(
        partial(_heavy_tails, law=ProductStudent),
        40,
        name="independent t variables in place of z",
        sides=_counted,
        drops="rotation invariance",
    ),
    Broken(_equally_spaced, 300, ((0.02,),), "a stretch by 2 % that the formula does not see", spoils=0.02),
    loose={"counted, in six standard errors": "a count has noise, and six standard errors leave room for all of it"},
)
def rotation_invariant(z: FloatArray, T: FloatArray, u: FloatArray, v: FloatArray) -> tuple[float, float]:
    """The claim on rotation-invariant laws, on N equally spaced directions: both sides are at most 1/N apart."""
    seen, said = disagreement(z, T, u, v)
    return abs(seen - said), 1 / len(z)


PROP_ROTATION_INVARIANT = rotation_invariant.claim(
    "added",
    "rotation invariance is enough, whatever the tails",
    r"If $x=Tz$ in $\mathbb{R}^n$, $n\ge 2$, $T$ invertible, $z$ rotation-invariant and never 0, then for all "
    r"nonzero $u$, $v$ the probability of $\operatorname{sign}(u\cdot x)\ne\operatorname{sign}(v\cdot x)$ is "
    r"$\theta(T^{\top}u,T^{\top}v)/\pi$. With $T=1$ this is Lemma 1 with $c=c'=1/\pi$, for any tails; and "
    r"Algorithm 1 sees targets $T^{\top}a_i$, whose rank is that of the $a_i$.",
    "proved",
    functions=(StudentT, StretchedGaussian, HalfspaceTask.error),
)

# prop-sign-cube -----------------------------------------------------------------------------------------


def _steps(count: int) -> Instance:
    """Both constants of Lemma 1 fail."""
    return {"j": np.arange(2, count + 2)}


def corners_of_a_square(j: Any) -> dict[str, Any]:
    """At the angle arctan(1 - 1/j) no disagreement, at an angle of about 1/j a half."""
    X = np.array(list(product((-1, 1), repeat=2)))
    u, v = X[:, :1] >= 0, X @ [j, j - 1] >= 0
    w, z = X @ [2 * j + 1, -2 * j] >= 0, X @ [2 * j - 1, -2 * j] >= 0
    calm, wild = np.mean(u != v, axis=0), np.mean(w != z, axis=0)
    both = {"close, half": (wild, 0.5), "close, not less": (0.5, wild)}
    return {"far apart, none": (calm, 0)} | both


def _no_error() -> Sides:
    """The features err nowhere."""
    X = np.array(list(product((-1, 1), repeat=4)))
    says = 10 * X[:, :3] + 9 * X[:, 3:]
    return Sides((np.sign(says) != X[:, :3]).mean(axis=0), 0)


def _mixtures(count: int, rng: Generator) -> Instance:
    """Mixtures of the features, the best one included: integer coefficients up to 10, and random ones."""
    grid = np.array([a for a in product(range(-10, 11), repeat=3) if any(a)])
    return {"mixtures": np.vstack([grid, [(186, 7, 7)], rng.integers(-1000, 1000, (count, 3)) * 2 + 1])}


def _best(count: int = 1) -> Instance:
    """The best mixture."""
    return {"mixtures": np.array([[186, 7, 7]])}


@two_sided(
    "prop-sign-cube",
    Exact(_steps, 200, sides=corners_of_a_square),
    Exhaustive(_no_error),
    Exact(_mixtures, 20_000, name="mixtures of the features, the best one included"),
    Tight(_best, equal=True),
)
def cube(mixtures: Any, lean: int = 9) -> tuple[float, Any]:
    """The claim on the corners of a cube: its least error, and those of mixtures of the features 10 e_i + lean e_4."""
    X = np.array(list(product((-1, 1), repeat=4)))
    says = np.asarray(mixtures) @ (10 * X[:, :3] + lean * X[:, 3:]).T
    label = X[:, :3].sum(axis=1) >= 0
    return 1 / 8, np.mean((says >= 0) != label, axis=1)


PROP_SIGN_CUBE = cube.claim(
    "added",
    "on the corners of a cube even error 0 does not help",
    r"Uniform law on $\{-1,1\}^n$. Vectors at any angle below $\pi/4$ may never disagree, and vectors at an angle "
    "as small as one likes may disagree half the time. For $n=4$ the features $10e_i+9e_4$, $i=1,2,3$, have error "
    r"0 on the targets $e_i$, and every vector of their span errs on at least $\frac18$ for the target "
    "$e_1+e_2+e_3$.",
    "proved",
    functions=(SignCube,),
)
