"""Laws: moments, supports, densities by quadrature, seeds and errors."""

from __future__ import annotations

import inspect
from itertools import pairwise

import mpmath
import numpy as np
import pytest
import scipy.integrate
import scipy.stats

from lifelong.laws import ISOTROPIC_LAWS, BooleanProduct, IsotropicLaw, Law, isotropic_law
from lifelong_book.halfspaces.angles.ridge import Ridge
from lifelong_book.halfspaces.assumptions import outside

LAWS = pytest.mark.parametrize("name", list(ISOTROPIC_LAWS))
DIRECTIONS = [0.0, 0.1, np.pi / 4, 1.0, 2.0, 3 * np.pi / 4, 4.0, 5.0]

#: Densities on the plane by scipy, up to which radius they matter along a direction.
ONE_DIMENSIONAL = {
    "gaussian": scipy.stats.norm(),
    "cube": scipy.stats.uniform(-np.sqrt(3), 2 * np.sqrt(3)),
    "laplace": scipy.stats.laplace(scale=1 / np.sqrt(2)),
    "logistic": scipy.stats.logistic(scale=np.sqrt(3) / np.pi),
    "exponential": scipy.stats.expon(loc=-1),
}


def planar_density(name: str, x: float, y: float) -> float:
    if name == "ball":
        return (x * x + y * y <= 4) / (4 * np.pi)
    return float(ONE_DIMENSIONAL[name].pdf(x) * ONE_DIMENSIONAL[name].pdf(y))


def corners(name: str, c: float, s: float) -> list[float]:
    """Radii at which the density jumps along a direction."""
    ends = {"ball": [2.0], "cube": [np.sqrt(3) / max(abs(c), abs(s))]}.get(name, [])
    if name == "exponential":
        ends = [-1 / t for t in (c, s) if t < -1e-9]
    return [r for r in ends if r < 60]


@LAWS
@pytest.mark.parametrize("n", [4])
def test_mean_zero_and_covariance_identity(name, n):
    size = 40_000
    X = isotropic_law(name, n).sample(size, rng=1)
    assert X.shape == (size, n)
    assert np.abs(X.mean(axis=0)).max() < 5 / np.sqrt(size)
    products = X[:, :, None] * X[:, None, :]
    standard_error = products.std(axis=0) / np.sqrt(size)
    assert (np.abs(products.mean(axis=0) - np.eye(n)) < 5 * standard_error).all()


@pytest.mark.parametrize("name", list(ONE_DIMENSIONAL))
def test_each_coordinate_follows_its_law(name):
    X = isotropic_law(name, 3).sample(20_000, rng=2)
    for column in X.T:
        assert scipy.stats.kstest(column, ONE_DIMENSIONAL[name].cdf).pvalue > 1e-6


@pytest.mark.parametrize(
    ("name", "draw", "density"),
    [
        ("gaussian", "standard_normal", scipy.stats.norm.pdf),
        ("cube", "random", scipy.stats.uniform.pdf),
        ("laplace", "laplace", scipy.stats.laplace.pdf),
        ("logistic", "logistic", scipy.stats.logistic.pdf),
        ("exponential", "standard_exponential", scipy.stats.expon.pdf),
    ],
)
def test_moments_are_exact(name, draw, density):
    """The draws are those of a standard law, scaled and shifted, whose moments are found by quadrature."""
    X = isotropic_law(name, 3).sample(50, rng=7)
    standard = getattr(np.random.default_rng(7), draw)(size=(50, 3))
    scale = np.ptp(X) / np.ptp(standard)
    shift = X[0, 0] - scale * standard[0, 0]
    np.testing.assert_allclose(X, scale * standard + shift, atol=1e-12)
    ends = [-50.0, 0.0, 1.0, 50.0]
    first, second = (
        sum(scipy.integrate.quad(lambda x, p=p: x**p * density(x), a, b, epsabs=1e-13)[0] for a, b in pairwise(ends))
        for p in (1, 2)
    )
    assert scale * first + shift == pytest.approx(0, abs=1e-9)
    assert scale**2 * (second - first**2) == pytest.approx(1, rel=1e-9)


def test_the_ball_is_uniform():
    for n in (1, 2, 7):
        X = isotropic_law("ball", n).sample(20_000, rng=n)
        radius = np.linalg.norm(X, axis=1) / np.sqrt(n + 2)
        assert radius.max() <= 1
        assert scipy.stats.kstest(radius**n, "uniform").pvalue > 1e-6


@LAWS
def test_same_seed_same_numbers(name):
    law = isotropic_law(name, 3)
    first = law.sample(10, rng=7)
    np.testing.assert_array_equal(first, law.sample(10, rng=np.random.default_rng(7)))
    np.testing.assert_array_equal(first, law.sample(10, rng=np.random.SeedSequence(7)))
    assert not np.array_equal(first, law.sample(10, rng=8))
    generator = np.random.default_rng(7)
    law.sample(10, rng=generator)
    assert not np.array_equal(first, law.sample(10, rng=generator))
    assert law.sample(0, rng=0).shape == (0, 3)


@LAWS
@pytest.mark.parametrize("phi", DIRECTIONS)
def test_rate_is_the_integral_of_the_density_along_a_line(name, phi):
    total = 0.0
    for sign in (1, -1):
        c, s = sign * np.cos(phi), sign * np.sin(phi)
        edges = [0.0, *corners(name, c, s), 2.0, 8.0, 60.0]
        for a, b in pairwise(sorted(edges)):
            total += scipy.integrate.quad(lambda r, c=c, s=s: r * planar_density(name, r * c, r * s), a, b)[0]
    assert isotropic_law(name, 2).planar_rate(phi) == pytest.approx(total, rel=1e-6)


@LAWS
def test_rotation_invariant_laws_have_rate_one_over_pi(name):
    law = isotropic_law(name, 2)
    rates = law.planar_rate(np.linspace(0, np.pi, 37))
    assert law.rotation_invariant == bool(np.ptp(rates) < 1e-9)
    if law.rotation_invariant:
        np.testing.assert_allclose(rates, 1 / np.pi, rtol=1e-12)


def test_laws_outside_the_assumption_do_not_claim_to_be_inside():
    for kind in (k for k in vars(outside).values() if inspect.isclass(k) and k.__module__ == outside.__name__):
        assert issubclass(kind, Law) and not issubclass(kind, IsotropicLaw), kind.__name__
    assert all(issubclass(kind, IsotropicLaw) for kind in (*ISOTROPIC_LAWS.values(), Ridge))
    assert not issubclass(BooleanProduct, Law)  # its examples are no vectors of R^n
    assert len({kind.name for kind in (Law, *ISOTROPIC_LAWS.values())}) == 7
    for ask in (lambda law: law.sample(1), lambda law: law.planar_rate(0.0)):
        with pytest.raises(NotImplementedError, match=r"^Law does not define _(draw|rate)$"):
            ask(Law(2))


# --- Boolean product laws ---------------------------------------------------------------------------


def test_boolean_frequencies_and_independence():
    p, size = np.array([0.0, 0.1, 0.5, 0.9, 1.0]), 100_000
    X = BooleanProduct(p).sample(size, rng=0)
    assert X.dtype == np.bool_
    assert (np.abs(X.mean(axis=0) - p) <= 5 * np.sqrt(p * (1 - p) / size)).all()
    both = np.mean(X[:, 1] & X[:, 2])
    assert abs(both - 0.05) < 5 * np.sqrt(0.05 / size)


# --- bad input --------------------------------------------------------------------------------------


@LAWS
@pytest.mark.parametrize("bad", [0, 2.5, None])
def test_dimension_must_be_a_positive_integer(name, bad):
    with pytest.raises(ValueError, match=r"^n: expected .*, got .+"):
        isotropic_law(name, bad)


@pytest.mark.parametrize("bad", [[], [[0.5]], [1.1], [-0.1], [np.nan], ["0.5"]], ids=repr)
def test_bad_probabilities(bad):
    with pytest.raises(ValueError, match=r"^probabilities: expected .*, got .+"):
        BooleanProduct(bad)


@pytest.mark.parametrize("kappa", [0.0, 5.69])
@pytest.mark.parametrize("phi", [0.0, 0.3, 1.56, 2.5])
def test_ridge_rate_is_the_integral_of_the_density_along_a_line(kappa, phi):
    long = 24 + 18 * kappa + 6 * kappa**2 + kappa**3
    a, b = np.sqrt((24 + 6 * kappa) / (3 * (2 + kappa))), np.sqrt(long / (3 * (2 + kappa)))

    def inner(r):
        x, y = abs(a * r * np.cos(phi)), abs(b * r * np.sin(phi))
        return r * np.exp(-max(x, y - kappa)) * a * b / (4 * (2 + kappa))

    edges = [0.0, 0.5, 1, 2, 4, 8, 16, 32, 64]
    total = 2 * sum(scipy.integrate.quad(inner, s, t, limit=200)[0] for s, t in pairwise(edges))
    assert Ridge(2, kappa=kappa).planar_rate(phi) == pytest.approx(total, rel=1e-6)


@pytest.mark.parametrize("kappa", [0.0, 5.69])
def test_the_ridge_is_isotropic_and_follows_its_rate(kappa):
    law = Ridge(3, kappa=kappa)
    X, t = law.sample(200_000, rng=0), np.linspace(0.1, 0.6, 401)
    assert np.abs(X.mean(axis=0)).max() < 0.015
    assert np.abs(X.T @ X / len(X) - np.eye(3)).max() < 0.03
    u, v = (np.array([-np.sin(s), np.cos(s), 0.0]) for s in (0.1, 0.6))
    expected = np.trapezoid(law.planar_rate(t), t)
    assert abs(np.mean((X @ u >= 0) != (X @ v >= 0)) - expected) < 6 * np.sqrt(expected / len(X))


@pytest.mark.parametrize("off", [-4.9e-4, -1e-6, 0.0, 4e-4])
def test_centred_exponential_where_the_closed_form_would_lose_its_digits(off):
    """Beside the diagonal x = -y the exponent of the integral over a ray nearly vanishes: 30 digits against it."""
    turn = 3 * np.pi / 4 + off
    with mpmath.workdps(30):
        c, s = mpmath.cos(mpmath.mpf(turn)), mpmath.sin(mpmath.mpf(turn))
        rays = [
            mpmath.quad(lambda r, a=a, b=b: r * mpmath.exp(-2 - (a + b) * r), [0, -1 / min(a, b)])
            for a, b in ((c, s), (-c, -s))
        ]
    assert ISOTROPIC_LAWS["exponential"](2).planar_rate(turn) == pytest.approx(float(sum(rays)), rel=3e-13)
