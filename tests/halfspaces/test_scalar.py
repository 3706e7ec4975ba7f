"""The certificate covers the square, and each of its quotients is what it says, in 60 digits."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest

from lifelong_book.halfspaces.perturbation import scalar
from lifelong_book.halfspaces.perturbation.scalar import Certificate, certify_scalar_inequality


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


def test_lower_ends_are_those_of_the_monotone_parts():
    """All of the proof: every sine, cosine and sinc is monotone where it is used, so each lower end is known."""
    rng = np.random.default_rng(3)
    with mpmath.workdps(60):
        half, share, sinc = mpmath.pi / 2, 2 / mpmath.pi, mpmath.sinc
        for _ in range(40):
            low = rng.uniform(0.0, 0.9, 2)
            ends = [[half * mpmath.mpf(x) for x in (end, end + step)] for end, step in zip(low, 1 - low, strict=True)]
            (x, xx), (y, yy) = ends
            alpha, beta = mpmath.iv.mpf([x, xx]), mpmath.iv.mpf([y, yy])
            inside = sinc(xx) * sinc(yy) - share * sinc(share * x * y)
            side = share * mpmath.cos(yy) - mpmath.sin(xx) * sinc(y)
            assert abs(scalar._inside(alpha, beta).a - inside) < 1e-14
            assert abs(scalar._side(alpha, beta).a - side) < 1e-14
        for xx, yy in rng.uniform(0, half / 2, (20, 2)):  # in the corner a + b - 2ab/pi is at most the upper ends' sum
            factor = (1 - share * xx) * (1 - share * yy)
            corner = mpmath.cos(xx + yy) * factor - share * mpmath.sin(xx + yy)
            found = scalar._corner(mpmath.iv.mpf([0, float(xx)]), mpmath.iv.mpf([0, float(yy)]))
            assert abs(found.a - corner) < 1e-14
