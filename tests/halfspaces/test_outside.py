"""Other laws, wrong labels and a finite pool; disagreement for each radian."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import kstest
from scipy.stats import t as student
from sklearn.linear_model import Ridge

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.learners import ridge_halfspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import ISOTROPIC_LAWS, Gaussian, UniformCube
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.angles import disagreement
from lifelong_book.halfspaces.assumptions import outside
from lifelong_book.halfspaces.digits import bipartitions, digits
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust


@pytest.mark.parametrize(
    "law",
    [outside.StudentT(4, df=5.0), outside.ProductStudent(4, df=5.0), outside.SignCube(4), outside.FourBumps(4)],
    ids=repr,
)
def test_laws_are_isotropic(law):
    X = law.sample(200_000, rng=0)
    assert np.abs(X.mean(axis=0)).max() < 0.02 and np.abs(X.T @ X / len(X) - np.eye(4)).max() < 0.06
    assert (law.sample(5, rng=1) == law.sample(5, rng=1)).all()


@pytest.mark.parametrize("df", [1.0, 2.0, 3.0, 5.0])
def test_margins_are_student_t(df):
    scale = np.sqrt((df - 2) / df) if df > 2 else 1.0  # where there is a variance
    for law in (outside.StudentT(3, df=df), outside.ProductStudent(3, df=df)):
        column = law.sample(20_000, rng=0)[:, 1]
        assert kstest(column, student(df, scale=scale).cdf).pvalue > 1e-4
    task = HalfspaceTask([1.0, 0, 0], outside.StudentT(3, df=df), rng=0)
    X, y = task.examples(100_000)
    w = np.array([1.0, 1.0, 0.5])
    assert abs(np.mean(signs(X, w) != y) - task.error(w)) < 0.01  # heavy tails leave the error an angle


@pytest.mark.parametrize("phi", [0.3, np.pi / 4, 2.0])
def test_product_rate_against_quadrature(phi):
    law, density = outside.ProductStudent(2, df=3.0), student(3.0).pdf
    expected = 2 * quad(lambda r: r * density(r * np.cos(phi)) * density(r * np.sin(phi)), 0, np.inf)[0]
    assert np.isclose(law.planar_rate(phi), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "law", [outside.FourBumps(3, width=0.5), outside.StretchedGaussian(3, thick=1, thickness=0.3)], ids=lambda x: x.name
)
def test_rates_against_counts(law):
    X, nodes = law.sample(400_000, rng=0), np.linspace(0.4, 0.9, 501)
    u, v = (np.array([-np.sin(t), np.cos(t), 0.0]) for t in (0.4, 0.9))
    seen, expected = np.mean(signs(X, u) != signs(X, v)), np.trapezoid(law.planar_rate(nodes), nodes)
    assert abs(seen - expected) < 6 * np.sqrt(expected / len(X))


@pytest.mark.parametrize("theta", [1e-6, 0.3, np.pi / 4])
def test_cauchy_integral_against_quadrature(theta):
    value = quad(lambda r: np.log(r**2) / (r**2 - 1) if r != 1 else 1.0, 0, np.tan(theta))[0] / np.pi**2
    assert np.isclose(outside.cauchy_integral(np.array(theta)), value, rtol=1e-7)


@pytest.mark.parametrize("n", [3, 10])
def test_cauchy_rate_against_quadrature(n):
    # the integral of |x1 - x2| against the Cauchy densities of x1, x2 and of the sum of the others
    nodes, weights = np.polynomial.legendre.leggauss(300)
    x, weights = (nodes + 1) / 2, weights / 2
    half_line, jacobian = x / (1 - x), weights / (1 - x) ** 2
    v, w = np.meshgrid(half_line * np.sqrt(n), half_line * np.sqrt(n), indexing="ij")
    density = 1 / (np.pi**2 * (1 + ((v + w) / 2) ** 2) * (1 + ((v - w) / 2) ** 2))
    rest = (n - 2) / (np.pi * ((n - 2) ** 2 + v**2))
    total = 2 * n * jacobian @ (w * density * rest) @ jacobian  # both signs of v and w, and dx1 dx2 = dv dw / 2
    assert np.isclose(outside.cauchy_rate(n), np.sqrt(n / 2) * total, rtol=1e-2)


@pytest.mark.parametrize(("rate", "width"), [(0.0, None), (0.3, None), (0.4, 0.5), (1.0, 0.1)])
def test_noise_flips_where_it_says(rate, width):
    task = NoisyTask([1.0, 1.0], Gaussian(2), rate, width=width, rng=0)
    X, y = task.examples(20_000)
    flipped, near = y != signs(X, task.target), np.abs(X @ task.target) <= (width or np.inf)
    assert not flipped[~near].any()
    assert abs(flipped[near].mean() - rate) < 0.02
    assert task.counts.labels == 20_000 and task.error(task.target) == 0


def test_without_options_the_robust_rule_is_algorithm_one():
    targets, runs = np.random.default_rng(0).standard_normal((8, 2)) @ np.eye(6)[:2], []
    for kind in (Sampled, Robust):
        tasks = [HalfspaceTask(w, Gaussian(6), rng=i) for i, w in enumerate(targets)]
        runs.append(learn_stream(tasks, SharedSubspace(6, 0.1, oracle=kind())))
    assert runs[0].how == runs[1].how and runs[0].counts == runs[1].counts
    assert (runs[0].representation.features == runs[1].representation.features).all()


@pytest.mark.parametrize(("noise", "share", "kept"), [(0.3, 0.328, True), (0.3, 0.332, False), (0.0, 0.076, False)])
def test_the_shifted_threshold_is_where_it_should_be(noise, share, kept):
    """0.3 + (1 - 0.6) 0.075 = 0.33: noise at the rate h turns an error e into h + (1 - 2h) e."""

    class Flipped(HalfspaceTask):
        def examples(self, size):
            X, y = super().examples(size)
            y[: round(share * size)] *= -1
            return X, y

    oracle = Robust(lambda X, y: np.sign(y @ X), noise=noise, labels=Labels(holdout=100))
    found = oracle.within(Flipped([1.0, 0, 0], Gaussian(3), rng=0), np.eye(3)[:1], 0.1)
    assert (found is not None) == kept


def test_the_margin_refuses_features_that_do_not_help_and_opens_those_that_do():
    def run(targets, **test):
        tasks = [NoisyTask(w, Gaussian(3), 0.2, rng=i) for i, w in enumerate(targets)]
        oracle = Robust(labels=Labels(fit=20, holdout=100, scratch=20), **test)
        return tasks, learn_stream(tasks, SharedSubspace(3, 0.1, oracle=oracle))

    plain, margin, shift = (run(np.eye(3)[[0] * 5], **test)[1] for test in ({}, {"margin": 0.05}, {"noise": 0.2}))
    assert (plain.scratch, margin.scratch, shift.scratch) == (5, 1, 1)
    assert shift.counts.labels < plain.counts.labels < margin.counts.labels
    tasks, margin = run(np.eye(3)[[0, 1, 0, 2]], margin=0.05)
    assert margin.how == ["scratch", "scratch", "reused", "scratch"]
    assert max(t.error(s.hypothesis) for t, s in zip(tasks, margin.steps, strict=True)) < 0.1


def test_the_digits_are_sold_once_and_with_the_labels_of_the_split():
    pixels, split = digits(features=0), bipartitions(1, rng=3)[0]
    assert len(pixels.pool) == 1297 and len(pixels.test) == 500
    rows = {row.tobytes(): digit for row, digit in zip(pixels.pool, pixels.pool_digits, strict=True)}
    assert not any(row.tobytes() in rows for row in pixels.test)
    assert np.abs(pixels.pool[:, :-1].mean(axis=0)).max() < 1e-9 and (pixels.pool[:, -1] == 1).all()
    task = pixels.task(split, rng=0)
    X, y = (np.concatenate(x) for x in zip(*(task.examples(size) for size in (700, 500, 97)), strict=True))
    assert len({row.tobytes() for row in X}) == 1297 == task.counts.labels
    assert [split[rows[x.tobytes()]] for x in X] == y.tolist()
    assert np.isclose(task.error(np.eye(65)[64]), np.mean(split[pixels.test_digits] == -1))  # always says 1


@pytest.mark.parametrize("shape", [(30, 5), (5, 30)])
def test_ridge_against_scikit_learn(shape):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal(shape), rng.choice([-1, 1], shape[0])
    expected = Ridge(alpha=3.0, fit_intercept=False).fit(X, y).coef_
    assert np.allclose(ridge_halfspace(X, y, penalty=3.0), expected / np.linalg.norm(expected))


@pytest.mark.parametrize("kind", ISOTROPIC_LAWS.values(), ids=list(ISOTROPIC_LAWS))
def test_integrals_and_counts_agree(kind):
    law = kind(3)
    X = law.sample(100_000, rng=0)[:, :2]
    for start, width in ((0.0, 0.3), (-1.0, 1.2), (2.0, np.pi)):
        share, spread = disagreement.counted_wedge(X, start, width)
        middles = start + width * (np.arange(2000) + 0.5) / 2000
        assert abs(share - width * law.planar_rate(middles).mean()) <= 5 * spread + 1e-5


def test_polygons():
    turns = np.linspace(0, np.pi, 50)
    square = [[5, 5], [9, 5], [9, 9], [5, 9], [6, 6]]  # moved and scaled, with a point inside
    assert np.allclose(disagreement.polygon_rates(square, turns), UniformCube(2).planar_rate(turns))
    circle = np.column_stack([np.cos(angles := np.linspace(0, 2 * np.pi, 400)), np.sin(angles)])
    assert np.allclose(disagreement.polygon_rates(circle, turns), 1 / np.pi, atol=1e-3)
