"""Beyond the assumptions: laws, wrong labels, a finite pool."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.stats import kstest
from scipy.stats import t as student
from sklearn.linear_model import Ridge

from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.angles import angle
from lifelong.halfspaces.learners import ridge_halfspace
from lifelong.halfspaces.oracles import Labels, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, signs
from lifelong.laws import Gaussian
from lifelong.loop import learn_stream
from lifelong_book.halfspaces.assumptions.outside import (
    FourBumps,
    ProductStudent,
    SignCube,
    StretchedGaussian,
    StudentT,
    cauchy_disagreement,
    cauchy_rate,
)
from lifelong_book.halfspaces.subspace.robust import NoisyTask, Robust
from lifelong_book.halfspaces.subspace.sample_experiments import cube_errors
from lifelong_book.preliminaries.digits import bipartitions, digits

LAWS = [
    StudentT(4, df=5.0),
    ProductStudent(4, df=5.0),
    SignCube(4),
    FourBumps(4),
]


# laws ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.name)
def test_laws_are_isotropic(law):
    X = law.sample(200_000, rng=0)
    assert np.abs(X.mean(axis=0)).max() < 0.02
    assert np.abs(X.T @ X / len(X) - np.eye(4)).max() < 0.06
    assert (law.sample(5, rng=1) == law.sample(5, rng=1)).all()


@pytest.mark.parametrize("df", [1.0, 3.0, 5.0])
def test_margins_are_student_t(df):
    scale = np.sqrt((df - 2) / df) if df > 2 else 1.0
    for law in (StudentT(3, df=df), ProductStudent(3, df=df)):
        column = law.sample(20_000, rng=0)[:, 1]
        assert kstest(column, student(df, scale=scale).cdf).pvalue > 1e-4


@pytest.mark.parametrize("phi", [0.0, 0.3, np.pi / 4, 2.0])
def test_product_rate_against_quadrature(phi):
    law = ProductStudent(2, df=3.0)
    density = student(3.0).pdf
    expected = 2 * quad(lambda r: r * density(r * np.cos(phi)) * density(r * np.sin(phi)), 0, np.inf)[0]
    assert np.isclose(law.planar_rate(phi), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "law", [FourBumps(3, width=0.5), StretchedGaussian(3, thick=1, thickness=0.3)], ids=lambda x: x.name
)
def test_rates_against_counts(law):
    X, nodes = law.sample(400_000, rng=0), np.linspace(0.4, 0.9, 501)
    u, v = (np.array([-np.sin(t), np.cos(t), 0.0]) for t in (0.4, 0.9))
    seen, expected = np.mean(signs(X, u) != signs(X, v)), np.trapezoid(law.planar_rate(nodes), nodes)
    assert abs(seen - expected) < 6 * np.sqrt(expected / len(X))


@given(st.integers(2, 5), st.integers(0, 50))
def test_a_stretched_law_measures_stretched_angles(n, seed):
    rng = np.random.default_rng(seed)
    law = StretchedGaussian(n, thick=1, thickness=0.2)
    u, v = rng.standard_normal((2, n))
    X = law.sample(20_000, rng=rng)
    p = angle(u * law.scales, v * law.scales) / np.pi
    assert abs(np.mean(signs(X, u) != signs(X, v)) - p) < 7 * np.sqrt(p / len(X)) + 1e-3


def test_heavy_tails_leave_the_error_an_angle():
    law = StudentT(3, df=0.7)
    task = HalfspaceTask([1.0, 0, 0], law, rng=0)
    X, y = task.examples(100_000)
    w = np.array([1.0, 1.0, 0.5])
    assert abs(np.mean(signs(X, w) != y) - task.error(w)) < 0.01


@pytest.mark.parametrize("theta", [1e-6, 0.01, 0.3, np.pi / 4])
def test_cauchy_disagreement_against_quadrature(theta):
    value = quad(lambda r: np.log(r**2) / (r**2 - 1) if r != 1 else 1.0, 0, np.tan(theta))[0] / np.pi**2
    assert np.isclose(cauchy_disagreement(theta), value, rtol=1e-7)


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
    assert np.isclose(cauchy_rate(n), np.sqrt(n / 2) * total, rtol=1e-2)


@pytest.mark.parametrize("n", [2, 5, 300])
def test_cauchy_rate_against_counts(n):
    # the other coordinates sum to a Cauchy variable of scale n - 2
    x1, x2, rest = np.random.default_rng(0).standard_cauchy((3, 1_000_000))
    along, across = (x1 - x2) / np.sqrt(2), (x1 + x2 + (n - 2) * rest) / np.sqrt(n)
    seen = np.mean(np.abs(across) < np.tan(0.01) * np.abs(along)) / 0.02
    assert abs(seen - cauchy_rate(n)) < 6 * np.sqrt(seen / 0.02 / len(x1)) + 0.01 * seen


def test_cube_errors_by_counting():
    mixture = np.array([186, 7, 7])
    w = mixture @ np.array([[10, 0, 0, 9], [0, 10, 0, 9], [0, 0, 10, 9]])
    wrong = sum((w @ x >= 0) != (sum(x[:3]) >= 0) for x in product((-1, 1), repeat=4))
    assert cube_errors(9, [mixture])[0] == wrong / 16 == 1 / 8


# wrong labels --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rate", "width"), [(0.0, None), (0.3, None), (0.4, 0.5), (1.0, 0.1)])
def test_noise_flips_where_it_says(rate, width):
    task = NoisyTask([1.0, 1.0], Gaussian(2), rate, width=width, rng=0)
    X, y = task.examples(20_000)
    flipped, near = y != signs(X, task.target), np.abs(X @ task.target) <= (width or np.inf)
    assert not flipped[~near].any()
    assert abs(flipped[near].mean() - rate) < 0.02
    assert task.counts.labels == 20_000 and task.error(task.target) == 0


def test_without_options_the_robust_rule_is_algorithm_one():
    def stream():
        targets = np.random.default_rng(0).standard_normal((8, 2)) @ np.eye(6)[:2]
        return [HalfspaceTask(w, Gaussian(6), rng=i) for i, w in enumerate(targets)]

    one, other = (learn_stream(stream(), SharedSubspace(6, 0.1, oracle=kind())) for kind in (Sampled, Robust))
    assert one.how == other.how and one.counts == other.counts
    assert (one.representation.features == other.representation.features).all()


class Flipped(HalfspaceTask):
    """A Gaussian task of which exactly the first share of each batch of labels is wrong."""

    def __init__(self, target, share):
        super().__init__(target, Gaussian(3), rng=0)
        self.share = share

    def examples(self, size):
        X, y = super().examples(size)
        y[: round(self.share * size)] *= -1
        return X, y


@pytest.mark.parametrize(("noise", "share", "kept"), [(0.3, 0.328, True), (0.3, 0.332, False), (0.0, 0.076, False)])
def test_the_shifted_threshold_is_where_it_should_be(noise, share, kept):
    # 0.3 + (1 - 0.6) 0.075 = 0.33: noise at the rate h turns an error e into h + (1 - 2h) e
    oracle = Robust(lambda X, y: np.sign(y @ X), noise=noise, labels=Labels(holdout=100))
    rule = SharedSubspace(3, 0.1, oracle=oracle)
    rule.grow("scratch", np.array([1.0, 0, 0]))
    assert (rule.reuse(Flipped([1.0, 0, 0], share)) is not None) == kept


def test_the_margin_refuses_features_that_do_not_help():
    def stream():
        return [NoisyTask([1.0, 0, 0], Gaussian(3), 0.2, rng=i) for i in range(5)]

    many = Labels(fit=20, holdout=100, scratch=20)
    plain, margin, shift = (
        learn_stream(stream(), SharedSubspace(3, 0.1, oracle=Robust(labels=many, **test)))
        for test in ({}, {"margin": 0.05}, {"noise": 0.2})
    )
    assert (plain.scratch, margin.scratch, shift.scratch) == (5, 1, 1)
    assert shift.counts.labels < plain.counts.labels < margin.counts.labels


def test_the_margin_opens_a_feature_that_helps():
    tasks = [NoisyTask(w, Gaussian(3), 0.2, rng=i) for i, w in enumerate(np.eye(3)[[0, 1, 0, 2]])]
    oracle = Robust(margin=0.05, labels=Labels(fit=20, holdout=100, scratch=20))
    run = learn_stream(tasks, SharedSubspace(3, 0.1, oracle=oracle))
    assert run.how == ["scratch", "scratch", "reused", "scratch"]
    assert max(t.error(s.hypothesis) for t, s in zip(tasks, run.steps, strict=True)) < 0.1


# digits --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pixels():
    return digits(features=0)


def test_the_pool_and_the_test_images_are_apart(pixels):
    assert len(pixels.pool) == 1297 and len(pixels.test) == 500
    pool = {row.tobytes() for row in pixels.pool}
    assert not any(row.tobytes() in pool for row in pixels.test)
    assert np.abs(pixels.pool[:, :-1].mean(axis=0)).max() < 1e-9 and (pixels.pool[:, -1] == 1).all()


def test_no_label_is_sold_twice(pixels):
    task = pixels.task([1] * 5 + [-1] * 5, rng=0)
    X = np.vstack([task.examples(size)[0] for size in (700, 500, 97)])
    assert len({row.tobytes() for row in X}) == 1297 == task.counts.labels
    with pytest.raises(ValueError, match="size"):
        task.examples(1)


def test_labels_of_the_pool_are_those_of_the_split(pixels):
    split = bipartitions(1, rng=3)[0]
    task = pixels.task(split, rng=0)
    X, y = task.examples(50)
    rows = {row.tobytes(): digit for row, digit in zip(pixels.pool, pixels.pool_digits, strict=True)}
    assert [split[rows[x.tobytes()]] for x in X] == y.tolist()
    w = np.eye(65)[64]  # always says 1
    assert np.isclose(task.error(w), np.mean(split[pixels.test_digits] == -1))


@given(st.integers(1, 511), st.integers(0, 20))
def test_splits_are_proper_and_distinct(count, seed):
    splits = bipartitions(count, rng=seed)
    assert len({tuple(s) for s in splits} | {tuple(-s) for s in splits}) == 2 * count
    assert (np.abs(splits.sum(axis=1)) < 10).all()


@pytest.mark.parametrize("shape", [(30, 5), (5, 30)])
def test_ridge_against_scikit_learn(shape):
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal(shape), rng.choice([-1, 1], shape[0])
    expected = Ridge(alpha=3.0, fit_intercept=False).fit(X, y).coef_
    assert np.allclose(ridge_halfspace(X, y, penalty=3.0), expected / np.linalg.norm(expected))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: StudentT(2, df=0.0), "df"),
        (lambda: ProductStudent(2, df=-1.0), "df"),
        (lambda: ProductStudent(2, df=1.0).planar_rate(0.0), "df"),
        (lambda: SignCube(2).planar_rate(0.0), "n"),
        (lambda: FourBumps(1), "n"),
        (lambda: FourBumps(2, width=1.0), "width"),
        (lambda: StretchedGaussian(2, thick=3), "thick"),
        (lambda: StretchedGaussian(2, thick=1, thickness=0.0), "thickness"),
        (lambda: cauchy_disagreement(1.0), "theta"),
        (lambda: cauchy_rate(1), "n"),
        (lambda: NoisyTask([1.0], Gaussian(1), 1.5), "rate"),
        (lambda: NoisyTask([1.0], Gaussian(1), 0.5, width=-1.0), "width"),
        (lambda: digits(features=-1), "features"),
        (lambda: bipartitions(512), "count"),
        (lambda: digits(features=0).task([1] * 9), "split"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(ValueError, match=rf"^{words}:"):
        call()


@pytest.mark.parametrize(("df", "scale"), [(1.0, 1.0), (2.0, 1.0), (3.0, np.sqrt(1 / 3)), (1e6, np.sqrt(1 - 2e-6))])
def test_student_laws_are_scaled_where_they_have_a_variance(df, scale):
    """The variance of Student's law is df / (df - 2) above 2, infinite at 2."""
    X = ProductStudent(2, df=df).sample(20_000, rng=0)
    expected = student(df, scale=scale)
    assert np.quantile(np.abs(X), 0.5) == pytest.approx(expected.ppf(0.75), rel=0.03)
