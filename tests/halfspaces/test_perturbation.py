"""Section 3.2 computed, in sixty digits and in fractions: the lemmas, and the certificate of the scalar inequality."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from mpmath import mp

from lifelong.halfspaces import bounds
from lifelong.halfspaces.angles import angle, subspace_angle
from lifelong_book.halfspaces.perturbation import claims
from lifelong_book.halfspaces.perturbation.moving_explorer import perturbation_data
from lifelong_book.halfspaces.perturbation.scalar import Certificate, certify_scalar_inequality


def test_the_figure_has_the_angles_of_its_caption():
    v = claims.figure_vectors()
    assert all(np.linalg.norm(x) == pytest.approx(1, abs=1e-15) for x in v.values())
    assert angle(v["b"], v["b~"]) == pytest.approx(0.01, rel=1e-12)
    assert angle(v["a1"], v["b~"]) == pytest.approx(0.1, rel=1e-12)
    assert subspace_angle([v["w1"], v["w2"]], [v["w1~"], v["w2~"]]) == pytest.approx(np.pi / 2)


def orthonormal(rows, basis=()):
    """Basis of the span of the rows, and of what was there; the sines of each to the span of those before it."""
    basis, sines = [*basis], []
    for v in rows:
        rest = v
        for b in basis * 2:  # computed twice
            rest = rest - (rest @ b) * b
        sines.append(mp.sqrt(rest @ rest) / mp.sqrt(v @ v))
        if sines[-1] > mp.mpf(10) ** -30:
            basis.append(rest / mp.sqrt(rest @ rest))
    return basis, sines


def refutation(true, learned):
    """By how much an instance with learned rows in {x_n = 0} breaks `lem-subspace` as printed; 0 if it does not.

    In 60 digits, from the vectors alone: gamma and the error are measured, and so is one vector of the true span.
    """
    with mp.workdps(60):
        exact = [[mp.mpf(x.numerator) / x.denominator for x in map(Fraction, v)] for v in [*true, *learned]]
        true, learned = np.array(exact[: len(true)]), np.array(exact[len(true) :])
        (V, _), (V_learned, sines) = orthonormal(true), orthonormal(learned)
        k, gamma = len(true), mp.asin(min([*sines[1:], mp.mpf(1)]))
        assert len(V_learned) == k and not any(learned[:, -1]) and all((true * learned).sum(axis=1) > 0)
        error = max(mp.asin(orthonormal(pair)[1][1]) for pair in zip(learned, true, strict=True))
        assert error <= gamma**2 / (10 * k), "the precondition"
        steepest = sum(b[-1] * b for b in V)  # the last axis, projected on V
        if len(V) < k or not any(steepest):
            return 0
        reached = mp.asin(min(orthonormal([steepest], V_learned)[1][0], mp.mpf(1)))
        return float(reached / (2 * k * error / gamma)) if reached > 2 * k * error / gamma else 0


def test_every_position_of_the_explorer_that_says_broken_breaks_the_printed_lemma():
    data, broken = perturbation_data(np.geomspace(0.05, np.pi / 2, 5), range(1, 11)), 0
    for gamma, *rows in zip(*(data[x] for x in ("gamma", "error", "printed", "measured")), strict=True):
        for k, error, allowed, reached in zip(data["k"], *rows, strict=True):
            assert error == pytest.approx(gamma**2 / (10 * k))
            ratio = refutation(
                *(x[0] for x in claims.worst_targets(claims.chain(k, np.array([gamma])), np.array([error])).values())
            )
            assert ratio == (pytest.approx(reached / allowed, rel=1e-6) if reached > allowed else 0)
            broken += ratio > 0
    assert broken > 15


def test_the_counterexample_refutes():
    x = claims.by_hand()
    assert x.left > x.right
    true, learned = (rows[0] for rows in claims.whole_numbers().values())
    printed = bounds.subspace_printed(3, np.arctan(0.002), np.arctan(0.25))
    assert refutation(true, learned) == pytest.approx(np.arctan(1361**0.5 / 500) / printed)
    assert refutation([[*row[:-1], 0] for row in true], learned) == 0  # orthogonal projections onto the learned span
    assert float(x.left) == pytest.approx(np.arctan(36 / 500), rel=1e-6)
    assert float(x.right) == pytest.approx(printed, rel=1e-4) and x.right > printed


@pytest.fixture(scope="module")
def proof() -> Certificate:
    return certify_scalar_inequality()


def f(alpha, beta):
    return mpmath.sin(alpha) * mpmath.sin(beta) - mpmath.sin(2 / mpmath.pi * alpha * beta)


QUOTIENTS = {
    "inside": lambda a, b: f(a, b) / (a * b),
    "right": lambda a, b: -mpmath.diff(f, (a, b), (1, 0)) / b,
    "top": lambda a, b: -mpmath.diff(f, (a, b), (0, 1)) / a,
    "corner": lambda a, b: mpmath.diff(f, (a, b), (1, 1)),
}


def test_the_proof_is_complete_and_its_boxes_cover_the_square_exactly(proof):
    assert proof.open_boxes == 0 and (proof.margins > 0).all() and set(proof.regions) == set(QUOTIENTS)
    boxes = [[Fraction(x) for x in box] for box in proof.boxes]
    for i, (a, b, c, d) in enumerate(boxes):
        assert 0 <= a < b <= 1 and 0 <= c < d <= 1
        assert all(b <= p or q <= a or d <= r or s <= c for p, q, r, s in boxes[:i])  # no two overlap
    assert sum((b - a) * (d - c) for a, b, c, d in boxes) == 1
    np.testing.assert_array_equal(certify_scalar_inequality(depth=12).boxes, proof.boxes)


def test_every_margin_is_below_its_quotient_on_the_hull_of_the_box(proof):
    rng = np.random.default_rng(0)
    with mpmath.workdps(60):
        half = mpmath.pi / 2
        for (a, b, c, d), region, margin in zip(proof.boxes, proof.regions, proof.margins, strict=True):
            b = 1.0 if region in ("right", "corner") else b  # to the side or corner from which it is integrated
            d = 1.0 if region in ("top", "corner") else d
            for s, t in [*rng.random((2, 2)), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)]:
                alpha, beta = a + (b - a) * s, c + (d - c) * t
                if min(alpha, beta) > 0:
                    least = mpmath.mpf(margin) * (1 - mpmath.mpf("1e-12"))
                    assert QUOTIENTS[region](alpha * half, beta * half) >= least


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_too_few_cuts_leave_boxes_open(depth):
    proof = certify_scalar_inequality(depth=depth)
    assert proof.open_boxes > 0
    covered = sum(Fraction(b - a) * Fraction(d - c) for a, b, c, d in proof.boxes)
    assert covered + proof.open_boxes * Fraction(1, 4**depth) == 1
