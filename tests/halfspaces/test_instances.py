"""Each generator meets the hypotheses that it claims, checked by other means."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import mpmath
import numpy as np
import pytest
import scipy.linalg
import sympy
from mpmath import mp

from lifelong import angle, angle_to_subspace, subspace_angle
from lifelong.halfspaces import bounds
from lifelong.halfspaces.bounds import amplification, subspace_sharp
from lifelong.halfspaces.instances import chain, chain_stream, hand_counterexample, planted_halfspaces, worst_targets
from lifelong.laws import Gaussian, Laplace
from lifelong_book.halfspaces import many_digits
from lifelong_book.halfspaces.many_digits import doubling_family, logarithmic_family, refusals
from lifelong_book.halfspaces.perturbation.families import (
    extremal_spans,
    lifted_simplex,
    perturbed,
    replaced_vector,
    separated_rows,
    tilted_planes,
)
from lifelong_book.halfspaces.subspace.experiments import DOUBLING, exact_run, hand_margins, printed_accuracy
from lifelong_book.halfspaces.subspace.families import doubling_in_room, hand_stream, refusals_with, sharp_family

RIGHT = np.pi / 2


def norms(rows) -> np.ndarray:
    return np.linalg.norm(rows, axis=-1)


# --- perturbed, replaced_vector, separated_rows -----------------------------------------------------


@pytest.mark.parametrize("n", [2, 3, 20])
def test_perturbed_by_exactly_the_angle(n):
    rng = np.random.default_rng(n)
    unit = rng.standard_normal((40, n))
    unit /= norms(unit)[:, None]
    angles = np.concatenate([np.geomspace(1e-15, 1, 20), np.linspace(0, np.pi, 20)])
    turned = perturbed(unit, angles, rng=0)
    assert np.abs(angle(unit, turned) - angles).max() < 1e-14
    np.testing.assert_allclose(norms(turned), 1, rtol=1e-14)
    assert perturbed(unit, 0.1, rng=0).shape == (40, n)


def test_perturbed_in_every_direction():
    turned = perturbed(np.broadcast_to([1.0, 0.0, 0.0], (20_000, 3)), 0.3, rng=0)[:, 1:] / np.sin(0.3)
    assert np.abs(turned.mean(axis=0)).max() < 5 / np.sqrt(2 * 20_000)


@pytest.mark.parametrize(("n", "k"), [(2, 1), (3, 2), (8, 7), (9, 3)])
def test_replaced_vector(n, k):
    U, b, estimate = replaced_vector(2000, n, k, rng=0)
    assert U.shape == (2000, k - 1, n)
    for rows in (U, b, estimate):
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-12)
    errors = angle(b, estimate)
    assert errors.min() < 1e-4
    assert errors.max() > 1
    if k > 1:
        separations = angle_to_subspace(estimate, U)
        assert separations.min() < 0.01
        assert separations.max() > 0.7
    assert replaced_vector(0, n, k)[1].shape == (0, n)


@pytest.mark.parametrize("log_error", [-5, -1, 0.5])
def test_replaced_vector_has_no_error_below_the_least(log_error):
    _, b, estimate = replaced_vector(1_000_000, 2, 1, rng=0, log_error=log_error)
    errors = angle(b, estimate)
    assert min(10**log_error, np.pi) * (1 - 1e-9) < errors.min() <= errors.max() <= np.pi


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (10, 4)])
@pytest.mark.parametrize("gamma", [1e-3, 0.3, RIGHT])
def test_separated_rows_are_at_exactly_the_separation(n, k, gamma):
    rows = separated_rows(20, n, k, gamma, rng=0)
    assert rows.shape == (20, k, n)
    np.testing.assert_allclose(norms(rows), 1, rtol=1e-12)
    for i in range(1, k):
        spans = [scipy.linalg.orth(earlier.T, rcond=1e-14) for earlier in rows[:, :i]]
        sines = [norms(row - Q @ (Q.T @ row)) for row, Q in zip(rows[:, i], spans, strict=True)]
        np.testing.assert_allclose(sines, np.sin(gamma), atol=1e-8)
        np.testing.assert_allclose(angle_to_subspace(rows[:, i], rows[:, :i]), gamma, atol=1e-8)


def test_separations_of_their_own():
    gamma = np.array([0.1, 0.2, 0.3])
    rows = separated_rows(3, 4, 2, gamma, rng=0)
    np.testing.assert_allclose(angle_to_subspace(rows[:, 1], rows[:, :1]), gamma, atol=1e-14)


def test_tilted_planes_attain_the_sine_form():
    alpha, beta = np.random.default_rng(0).uniform(0.01, RIGHT - 0.01, (2, 200))
    beta[:3] = RIGHT
    U, b, estimate = tilted_planes(alpha, beta)
    assert U.shape == (200, 1, 3) and b.shape == estimate.shape == (200, 3)
    V, V_estimate = (np.concatenate([U, x[:, None]], axis=1) for x in (b, estimate))
    np.testing.assert_allclose(subspace_angle(V, V_estimate), alpha, atol=1e-12)
    np.testing.assert_allclose(angle_to_subspace(estimate, U), beta, atol=1e-14)
    np.testing.assert_allclose(np.sin(angle(b, estimate)), np.sin(alpha) * np.sin(beta), atol=1e-14)
    np.testing.assert_allclose(angle(b, estimate), angle_to_subspace(estimate, V), atol=1e-12)  # b is nearest
    for rows in (U, b, estimate):
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)


# --- chain, worst_targets, lifted_simplex -----------------------------------------------------------


@pytest.mark.parametrize("gamma", [0.15, 0.245, 1.0, RIGHT])
def test_chain_is_separated_and_tight(gamma):
    for k in range(1, 9):
        rows = chain(k, gamma)
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)
        assert not np.triu(rows, 1).any()
        np.testing.assert_allclose(np.diag(rows)[1:], np.sin(gamma), rtol=1e-14)
        F = max(norms(np.linalg.solve(rows, np.array(s))) for s in product((1.0, -1.0), repeat=k))
        assert pytest.approx(amplification(k, gamma), rel=1e-9) == F
        error = float(np.arcsin(0.5 / F))
        true, learned = worst_targets(rows, error)
        assert subspace_angle(true, learned) == pytest.approx(subspace_sharp(k, error, gamma), rel=1e-7)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_extremal_spans_are_chains_with_worst_targets(k):
    separation, share = np.array([0.2, 0.7, 0.9, RIGHT]), np.array([0.5, 0.0, 0.9, 0.3])
    true, learned = extremal_spans(k, separation, share)
    for i, gamma in enumerate(separation):
        error = float(np.arcsin(share[i] / amplification(k, gamma)))
        rows = chain(k, gamma)
        np.testing.assert_allclose(learned[i], np.hstack([rows, np.zeros((k, 1))]), atol=1e-15)
        np.testing.assert_allclose(angle(true[i], learned[i]), error, atol=1e-12)
        if gamma < RIGHT:  # else there are several
            np.testing.assert_allclose(true[i], worst_targets(rows, error).true, atol=1e-12)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("k", (0, [0.1], [0.1])),
        ("separation", (2, [0.0], [0.1])),
        ("separation", (2, [2.0], [0.1])),
        ("share", (2, [0.1], [1.0])),
        ("share", (2, [0.1], [-0.1])),
        ("share", (2, [0.1], [0.1, 0.2])),
        ("share", (2, [[0.1]], [0.1])),
    ],
)
def test_extremal_spans_refuse_what_is_out_of_range(name, arguments):
    with pytest.raises(ValueError, match=rf"^{name}: expected .*, got .+"):
        extremal_spans(*arguments)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_worst_targets_are_worst(k):
    rng = np.random.default_rng(k)
    for _ in range(4):
        rows = separated_rows(1, k + 1, k, rng.uniform(0.3, 1.4), rng=rng)[0]
        length = max(norms(np.linalg.lstsq(rows, np.array(s))[0]) for s in product((1.0, -1.0), repeat=k))
        error = 0.5 * np.arcsin(min(1, 1 / length))
        true, learned = worst_targets(rows, error)
        assert true.shape == learned.shape == (k, k + 2)
        np.testing.assert_array_equal(learned, np.hstack([rows, np.zeros((k, 1))]))
        np.testing.assert_allclose(angle(true, learned), error, rtol=1e-9)
        worst = float(subspace_angle(true, learned))
        assert np.sin(worst) == pytest.approx(np.sin(error) * length, rel=1e-9)
        others = perturbed(np.broadcast_to(learned, (2000, k, k + 2)), error * rng.random((2000, k)) ** 0.1, rng=rng)
        assert subspace_angle(others, learned).max() <= worst * (1 + 1e-9)
        near = perturbed(np.broadcast_to(true, (2000, k, k + 2)), 1e-3 * rng.random((2000, k)), rng=rng)
        near = near[(angle(near, learned) <= error).all(axis=1)]
        if len(near):
            assert subspace_angle(near, learned).max() <= worst * (1 + 1e-9)


def test_worst_targets_keep_their_dimension_at_a_right_angle():
    """With a dimension less the angle from the true to the learned span would be zero."""
    rng = np.random.default_rng(3)
    for rows in separated_rows(60, 8, 5, rng.uniform(0.1, 0.2, 60), rng=rng):
        true, learned = worst_targets(rows, 0.3)
        assert np.linalg.svd(true)[1][-1] > 0.01  # so its rank is no matter of rounding
        assert subspace_angle(true, learned) == pytest.approx(RIGHT, abs=1e-12)
        np.testing.assert_allclose(angle(true, learned), 0.3, rtol=1e-12)


@pytest.mark.parametrize("reach", [0.9, 1 - 1e-5, 1 - 1e-8, 1.0, 1 + 1e-8, 1 + 1e-5, 1.1, 100.0])
def test_worst_targets_on_both_sides_of_a_right_angle(reach):
    rows = chain(4, 0.2)
    error = float(np.arcsin(reach / amplification(4, 0.2)))
    true, learned = worst_targets(rows, error)
    assert np.linalg.matrix_rank(true) == 4
    assert np.sin(subspace_angle(true, learned)) == pytest.approx(min(1, reach), abs=1.1e-6)
    assert angle(true, learned).max() == pytest.approx(error, rel=1.1e-6)
    assert angle(true, learned).max() <= error * (1 + 1e-9)


def test_worst_targets_where_the_product_is_one():
    error = float(np.nextafter(np.pi / 6, 1))
    assert np.sin(error) * 2 == 1  # four orthonormal rows double an error
    true, learned = worst_targets(np.eye(4), error)
    assert np.linalg.svd(true)[1][-1] > 1e-4 and np.sin(subspace_angle(true, learned)) == pytest.approx(1, abs=1.1e-6)


def test_a_larger_error_than_needed_for_a_right_angle():
    true, learned = worst_targets(chain(3, 0.2), 1.2)
    assert subspace_angle(true, learned) == pytest.approx(RIGHT, abs=1e-12)
    assert angle(true, learned).max() <= 1.2 * (1 + 1e-12)


def test_no_error_no_change():
    true, learned = worst_targets(chain(3, 0.5), 0.0)
    np.testing.assert_allclose(true, learned, atol=1e-15)


@pytest.mark.parametrize("k", [2, 3, 5, 8])
def test_lifted_simplex(k):
    for height in (1e-3, 0.1, 1 / np.sqrt(k)):
        rows = lifted_simplex(k, height)
        np.testing.assert_allclose(norms(rows), 1, rtol=1e-14)
        np.testing.assert_allclose(rows @ np.full(k, k**-0.5), height, rtol=1e-9)
        gram = rows @ rows.T
        off = gram[~np.eye(k, dtype=bool)]
        assert np.ptp(off) < 1e-13
        values = scipy.linalg.svdvals(rows)
        assert values[-1] == pytest.approx(np.sqrt(k) * height, rel=1e-9)
        np.testing.assert_allclose(values[:-1], np.sqrt((1 - height**2) * k / (k - 1)), rtol=1e-9)


def test_a_simplex_lifted_all_the_way():
    np.testing.assert_allclose(lifted_simplex(4, 1.0), 0.5)


# --- the counterexample -----------------------------------------------------------------------------


def test_hand_counterexample_in_exact_and_50_digit_arithmetic():
    true, learned = hand_counterexample()
    assert all(isinstance(x, Fraction) for rows in (true, learned) for row in rows for x in row)
    A, B = (
        sympy.Matrix([[sympy.Rational(x.numerator, x.denominator) for x in row] for row in m]) for m in (true, learned)
    )

    def distance_squared(v, rows):  # to the span of the rows, by the normal equations
        residual = v - rows.T * (rows * rows.T).inv() * rows * v
        return sympy.simplify((residual.T * residual)[0] / (v.T * v)[0])

    # separations: sin^2 of arctan(1/4) is 1/17
    assert [distance_squared(B[i, :].T, B[:i, :]) for i in (1, 2)] == [sympy.Rational(1, 17)] * 2
    # errors: sin^2 of arctan(1/500) is 1/250001
    errors = [distance_squared(A[i, :].T, B[i, :]) for i in range(3)]
    assert max(errors) == sympy.Rational(1, 250001)
    # both spans are hyperplanes of R^4: their angle is that of their normals
    (a,), (b,) = A.nullspace(), B.nullspace()
    cosine_squared = (a.T * b)[0] ** 2 / ((a.T * a)[0] * (b.T * b)[0])
    assert sympy.simplify(1 / cosine_squared - 1) == sympy.Rational(1361, 250000)
    with mpmath.workdps(50):
        gamma, error = mpmath.atan(mpmath.mpf(1) / 4), mpmath.atan(mpmath.mpf(1) / 500)
        measured = mpmath.atan(mpmath.sqrt(1361) / 500)
        assert error <= gamma**2 / 30
        assert measured > 2 * 3 * error / gamma
    floats = [np.array([[float(x) for x in row] for row in m]) for m in (true, learned)]
    assert subspace_angle(*floats) == pytest.approx(float(measured), rel=1e-12)


# --- tasks ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", [Gaussian(10), Laplace(10)])
def test_planted_halfspaces(law):
    W, tasks = planted_halfspaces(law, 3, 7, rng=0)
    np.testing.assert_allclose(W @ W.T, np.eye(3), atol=1e-14)
    targets = np.array([task.target for task in tasks])
    assert angle_to_subspace(targets, W).max() < 1e-14
    assert np.linalg.matrix_rank(targets) == 3
    assert all(task.distribution is law for task in tasks)
    assert not np.array_equal(tasks[0].examples(3)[0], tasks[1].examples(3)[0])
    again = planted_halfspaces(law, 3, 7, rng=0)[1]
    np.testing.assert_array_equal(again[4].examples(5)[0], tasks[4].examples(5)[0])
    assert planted_halfspaces(law, 3, 0, rng=0)[1] == []


@pytest.mark.parametrize(
    "draw",
    [
        lambda rng: perturbed(np.eye(3), 0.1, rng=rng),
        lambda rng: np.vstack([x.reshape(-1, 4) for x in replaced_vector(3, 4, 2, rng=rng)]),
        lambda rng: separated_rows(2, 4, 3, 0.2, rng=rng),
        lambda rng: planted_halfspaces(Gaussian(4), 2, 1, rng=rng)[0],
    ],
)
def test_same_seed_same_instances(draw):
    np.testing.assert_array_equal(draw(3), draw(np.random.default_rng(3)))
    assert not np.array_equal(draw(3), draw(4))


# --- streams for Theorem 1; what they do to the algorithm is in test_theorem_one.py ------------------


@pytest.mark.parametrize("k", [2, 5, 10, 14])
def test_chain_stream_spans_k_dimensions_and_its_errors_add_up(k):
    targets, accuracy = chain_stream(k, 0.1, 1e-3)
    np.testing.assert_allclose(norms(targets), 1)
    assert targets.shape == (k + 1, k + 1)
    assert not targets[:, k].any()
    learned = np.cos(np.pi * accuracy) * targets[:k] + np.sin(np.pi * accuracy) * np.eye(k + 1)[k]
    gamma = np.pi * 0.101 + 0.01 * np.pi * 1e-3
    for i in range(1, k):
        assert angle_to_subspace(learned[i], learned[:i]) == pytest.approx(gamma, rel=1e-6)
    expected = min(1.0, amplification(k, gamma) * np.sin(np.pi * 1e-3))
    assert np.sin(angle_to_subspace(targets[k], learned)) == pytest.approx(expected, rel=1e-6)


def test_families_are_what_they_say():
    with mpmath.mp.workdps(50):
        for rows in (doubling_family(5, "1e-9", "1e-20"), logarithmic_family(5, "1e-9", "2e-10")):
            assert max(abs(sum(x**2 for x in row) - 1) for row in rows) < mpmath.mpf(10) ** -40
    doubling, logarithmic = doubling_family(3, 0.01, 5e-5), logarithmic_family(3, 0.01, 0.002)
    assert [np.flatnonzero(row).tolist() for row in doubling] == [[0], [0, 1], [1, 2], [0, 2]]
    assert [np.flatnonzero(row).tolist() for row in logarithmic] == [[0]] + [[0, 1]] * 3 + [[0, 2]] * 3
    assert float(doubling[1, 1]) == pytest.approx(np.sin(0.01 * np.pi))


def test_refusals_open_only_what_is_refused():
    first, again, other = refusals([[1.0, 0], [np.cos(0.1), np.sin(0.1)], [0, 1.0]], 0.1, 0.01)
    assert first == pytest.approx(1 / np.sin(0.1 * np.pi))
    assert again < 1 < other
    assert other == pytest.approx(first)  # the second target was not opened


# --- families of targets ----------------------------------------------------------------------------


def test_the_ridge_formula_is_the_distance_in_space():
    k, epsilon, accuracy = 4, 0.02, 0.004
    rows = np.array(many_digits.logarithmic_family(k, epsilon, accuracy), dtype=float)
    padded = np.pad(rows, ((0, 0), (0, len(rows))))
    run = exact_run(padded, epsilon, accuracy, direction="fresh")
    W = run.representation.features
    distances = [np.sin(angle_to_subspace(padded[i], W[:i])) / np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    np.testing.assert_allclose(many_digits.refusals(rows, epsilon, accuracy)[1:], distances, rtol=1e-7)
    assert run.scratch == len(rows) > k


@pytest.mark.parametrize(("k", "power"), [(3, 2), (4, 3), (5, 3)])
def test_the_doubling_family_in_doubles(k, power):
    epsilon = 10.0**-power
    rows = np.array(many_digits.doubling_family(k, epsilon, epsilon**2 / 2), dtype=float)
    run = exact_run(np.pad(rows, ((0, 0), (0, len(rows)))), epsilon, epsilon**2 / 2, direction="fresh")
    assert run.scratch == 2 * k - 2


@pytest.mark.parametrize(("k", "half", "printed"), DOUBLING)
def test_the_doubling_family_in_digits(k, half, printed):
    for power, c in ((half, 0.5), (printed, 1 / (10 * np.pi * k))):
        epsilon = mp.mpf(10) ** -power
        rows = many_digits.doubling_family(k, epsilon, c * epsilon**2)
        assert len(rows) == 2 * k - 2
        assert all(abs(sum(x * x for x in row) - 1) < mp.mpf(10) ** -14 for row in rows)
        assert min(many_digits.refusals(rows, epsilon, c * epsilon**2)) > 1


def in_order(targets, learned, epsilon):
    """Whether each target is refused, by the angle in doubles, and the largest error of a learned vector."""
    true, rows = (np.array(x, dtype=float) for x in (targets, learned))
    refused = [np.sin(angle_to_subspace(true[i], rows[:i])) > np.sin(np.pi * epsilon) for i in range(1, len(rows))]
    return all(refused), float(np.max(angle(true, rows))) / np.pi


def test_four_features_in_three_dimensions_by_hand():
    """The rational bounds, and the same stream in doubles."""
    x = hand_margins()
    assert x["refused"] > x["allowed"] > np.sin(np.pi / 1000) ** 2
    assert x["tangent"] <= x["accuracy"]
    assert float(x["accuracy"]) ** 0.5 == pytest.approx(np.pi * printed_accuracy(3, 1e-3))
    true, learned = hand_stream()
    assert np.linalg.matrix_rank(np.array(true, dtype=float)) == 3
    normal = [0, -1, 318, 100_000]
    assert not any(sum(a * b for a, b in zip(normal, row, strict=True)) for row in learned[:3])
    refused, error = in_order(true, learned, 1e-3)
    assert refused
    assert error <= printed_accuracy(3, 1e-3)
    assert not in_order(true, learned, 1.02e-3)[0]


@pytest.mark.parametrize(("k", "n"), [(2, 2), (3, 3), (3, 4), (4, 5), (4, 6), (5, 7), (5, 12)])
def test_every_room_is_filled(k, n):
    epsilon = mp.mpf(10) ** -(k - 1)
    true, learned = doubling_in_room(k, n, epsilon, epsilon**2 / 2)
    assert true.shape == learned.shape == (bounds.features_exact(k, n=n), n)
    assert not np.array(true, dtype=float)[:, k:].any()
    np.testing.assert_allclose([float(row.dot(row)) for row in [*true, *learned]], 1, rtol=1e-14)
    refused, error = in_order(true, learned, float(epsilon))
    assert refused
    assert error <= float(epsilon) ** 2 / 2 * (1 + 1e-6) + 1e-12
    assert min(refusals_with(true, learned, epsilon)) > 1


@pytest.mark.parametrize(("k", "epsilon", "divisor"), [(1, 0.1, 5), (2, 1e-2, 2), (3, 1e-2, 5), (4, 0.05, 1.5)])
def test_the_sharp_family_in_doubles(k, epsilon, divisor):
    true, learned = sharp_family(k, epsilon, epsilon / divisor)
    s, t = np.sin(np.pi * epsilon), np.sin(np.pi * epsilon / divisor)
    assert len(true) == 1 + (k - 1) * (1 + int(np.log(1 / s) / np.log(s / t)))
    refused, error = in_order(true, learned, epsilon)
    assert refused
    assert error == pytest.approx(epsilon / divisor if k > 1 else 0, abs=1e-9)
    assert len(true) <= bounds.determinant_bound(k, epsilon, epsilon / divisor)


@pytest.mark.parametrize(("k", "power"), [*product((2, 3, 4, 6), (2, 3, 5))])
def test_the_sharp_family_adds_what_the_formula_says(k, power):
    with mp.workdps(200):
        epsilon = mp.mpf(10) ** -power
        for divisor in (2, 5, 20):
            true, learned = sharp_family(k, epsilon, epsilon / divisor)
            s, t = mp.sin(mp.pi * epsilon), mp.sin(mp.pi * epsilon / divisor)
            expected = 1 + (k - 1) * (1 + int(mp.floor(mp.log(1 / s) / mp.log(s / t))))
            assert sum(x > 1 for x in refusals_with(true, learned, epsilon)) == expected == len(true)
            assert expected <= bounds.determinant_bound(k, float(epsilon), float(epsilon / divisor))


def test_distances_by_digits_are_the_angles():
    rng = np.random.default_rng(0)
    true, learned = rng.standard_normal((2, 5, 7))
    true /= np.linalg.norm(true, axis=1, keepdims=True)
    found = refusals_with(true, learned, 0.2)
    expected = [1.0, *(np.sin(angle_to_subspace(true[i], learned[:i])) for i in range(1, 5))]
    np.testing.assert_allclose(found, np.array(expected) / np.sin(0.2 * np.pi))


@pytest.mark.parametrize(
    "call",
    [
        lambda: many_digits.doubling_family(1, 0.01, 1e-4),
        lambda: many_digits.doubling_family(8, 0.1, 0.005),
        lambda: many_digits.doubling_family(3, 0.01, 0.01),
        lambda: many_digits.logarithmic_family(0, 0.01, 1e-4),
        lambda: many_digits.refusals([1.0, 0.0], 0.1, 0.01),
        lambda: many_digits.refusals(np.eye(2), 0.1, 0.0),
    ],
)
def test_families_refuse(call):
    with pytest.raises(ValueError, match="expected"):
        call()
