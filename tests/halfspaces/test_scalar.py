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


def hull(box: np.ndarray, region: str) -> tuple[float, float, float, float]:
    """The box, stretched to the side or corner from which the quotient is integrated."""
    a, b, c, d = box
    return (a, 1.0 if region in ("right", "corner") else b, c, 1.0 if region in ("top", "corner") else d)


def test_the_proof_is_complete(proof):
    assert proof.open_boxes == 0
    assert (proof.margins > 0).all()
    assert len(proof.boxes) == len(proof.regions) == len(proof.margins)
    assert set(proof.regions) == {"inside", "right", "top", "corner"}


def test_the_boxes_cover_the_square_exactly(proof):
    boxes = [[Fraction(x) for x in box] for box in proof.boxes]
    for a, b, c, d in boxes:
        assert 0 <= a < b <= 1
        assert 0 <= c < d <= 1
        assert b - a == d - c
        assert all(x.denominator.bit_count() == 1 for x in (a, b, c, d))
    assert sum((b - a) * (d - c) for a, b, c, d in boxes) == 1
    for i, (a, b, c, d) in enumerate(boxes):  # no two overlap, so none of the square is left out
        for p, q, r, s in boxes[:i]:
            assert b <= p or q <= a or d <= r or s <= c


def test_every_margin_is_below_its_quotient_on_the_hull_of_the_box(proof):
    rng = np.random.default_rng(0)
    with mpmath.workdps(60):
        half = mpmath.pi / 2
        for box, region, margin in zip(proof.boxes, proof.regions, proof.margins, strict=True):
            a, b, c, d = hull(box, region)
            points = [*rng.random((2, 2)), (0.0, 0.0), (1.0, 1.0), (0.0, 1.0), (1.0, 0.0)]
            for s, t in points:
                alpha, beta = a + (b - a) * s, c + (d - c) * t
                if min(alpha, beta) > 0:
                    assert QUOTIENTS[region](alpha * half, beta * half) >= mpmath.mpf(margin) * (
                        1 - mpmath.mpf("1e-12")
                    )


def test_f_vanishes_where_the_quotients_are_integrated_from():
    with mpmath.workdps(60):
        half = mpmath.pi / 2
        for t in np.linspace(0, 1, 21):
            for alpha, beta in ((t * half, half), (half, t * half), (t * half, 0), (0, t * half)):
                assert abs(f(alpha, beta)) < mpmath.mpf(10) ** -55


def test_f_is_nowhere_negative_at_random_points():
    rng = np.random.default_rng(1)
    with mpmath.workdps(60):
        half = mpmath.pi / 2
        for s, t in np.concatenate([rng.random((100, 2)), 1 - 10.0 ** rng.uniform(-18, 0, (100, 2))]):
            alpha, beta = mpmath.mpf(s) * half, mpmath.mpf(t) * half
            assert f(alpha, beta) >= -(mpmath.mpf(10) ** -55)
            # the arcsine near 1 keeps half of the digits
            assert alpha * beta <= half * mpmath.asin(mpmath.sin(alpha) * mpmath.sin(beta)) + mpmath.mpf(10) ** -28


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_too_few_cuts_leave_boxes_open(depth):
    proof = certify_scalar_inequality(depth=depth)
    assert proof.open_boxes > 0
    covered = sum(Fraction(b - a) * Fraction(d - c) for a, b, c, d in proof.boxes)
    assert covered + proof.open_boxes * Fraction(1, 4**depth) == 1


def test_more_cuts_than_needed_change_nothing(proof):
    np.testing.assert_array_equal(certify_scalar_inequality(depth=12).boxes, proof.boxes)


@pytest.mark.parametrize("depth", [-1, 13, 2.5, True, "3", None])
def test_bad_depth(depth):
    with pytest.raises(ValueError, match=r"^depth: expected .*, got .+"):
        certify_scalar_inequality(depth=depth)


#: What encloses each quotient on a box, for alpha and beta in units of pi/2.
ENCLOSURES = {
    "inside": lambda alpha, beta, a, b: scalar._inside(alpha, beta),
    "right": lambda alpha, beta, a, b: scalar._side(a, beta),
    "top": lambda alpha, beta, a, b: scalar._side(b, alpha),
    "corner": lambda alpha, beta, a, b: scalar._corner(a, b),
}


@pytest.mark.parametrize("region", ENCLOSURES)
def test_every_enclosure_holds_the_quotient_at_points_of_its_box(region):
    """At any box, whatever the margin: a wrong formula that happens to be lower is no enclosure either."""
    rng = np.random.default_rng(2)
    with mpmath.workdps(60):
        half, interval = mpmath.pi / 2, mpmath.iv.pi / 2
        for size in [2.0**-6] * 20 + [2.0**-3] * 10:
            corner = np.floor(rng.uniform(0.125, 1 - size, 2) / size) * size
            box = corner[0], corner[0] + size, corner[1], corner[1] + size
            alpha, beta = interval * mpmath.iv.mpf(box[:2]), interval * mpmath.iv.mpf(box[2:])
            a = interval * mpmath.iv.mpf([1 - box[1], 1 - box[0]])
            b = interval * mpmath.iv.mpf([1 - box[3], 1 - box[2]])
            found = ENCLOSURES[region](alpha, beta, a, b)
            low, high, c, d = hull(np.array(box), region)
            for s, t in rng.random((3, 2)):
                value = QUOTIENTS[region]((low + (high - low) * s) * half, (c + (d - c) * t) * half)
                assert found.a <= value + mpmath.mpf("1e-15") and value <= found.b + mpmath.mpf("1e-15")


def test_lower_ends_are_those_of_the_monotone_parts():
    """All of the proof is its lower ends, and each is known: every sine, cosine and sinc is monotone where it is used.

    On a hull a runs from 0 to its upper end, so the cosine beside it is least at beta's upper end, and in the corner
    c = a + b - 2ab/pi, as intervals are added, is at most the sum of the upper ends.
    """
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
        for xx, yy in rng.uniform(0, half / 2, (20, 2)):
            factor = (1 - share * xx) * (1 - share * yy)
            corner = mpmath.cos(xx + yy) * factor - share * mpmath.sin(xx + yy)
            found = scalar._corner(mpmath.iv.mpf([0, float(xx)]), mpmath.iv.mpf([0, float(yy)]))
            assert abs(found.a - corner) < 1e-14
