r"""The scalar inequality behind `lem-one-vec`, proved over the whole square by interval arithmetic.

With :math:`f(\alpha, \beta) = \sin\alpha\sin\beta - \sin(\tfrac{2}{\pi}\alpha\beta)` the inequality says that f
is nowhere negative on :math:`[0, \pi/2]^2`. Since f vanishes on all four sides, no enclosure of f itself
can show that. Four quotients can, each positive on its part of the square, with
:math:`a = \pi/2 - \alpha` and :math:`b = \pi/2 - \beta`:

* inside, :math:`f / (\alpha\beta)`;
* towards :math:`\alpha = \pi/2`, :math:`-\partial_\alpha f / \beta`, whose integral over a is :math:`f / \beta`;
* towards :math:`\beta = \pi/2`, the mirror image;
* in the corner, :math:`\partial_a \partial_b f`, whose double integral is f.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from mpmath import iv

from lifelong._checks import FloatArray, integer

_C = 2 / iv.pi  # encloses 2 / pi


@dataclass(frozen=True)
class Certificate:
    """Proof of the scalar inequality inside Lemma 2: boxes that cover the square, each with the quotient for it."""

    boxes: FloatArray
    regions: tuple[str, ...]
    margins: FloatArray
    open_boxes: int


def _sinc(x: Any) -> Any:
    """Enclosure of sin(x)/x, which decreases on [0, pi]."""
    low, high = iv.mpf(x.a), iv.mpf(x.b)
    above = iv.one if x.a == 0 else iv.sin(low) / low
    below = iv.one if x.b == 0 else iv.sin(high) / high
    return iv.mpf([below.a, above.b])


def _inside(alpha: Any, beta: Any) -> Any:
    return _sinc(alpha) * _sinc(beta) - _C * _sinc(_C * alpha * beta)


def _side(a: Any, beta: Any) -> Any:
    """On the hull of the box and the side a = 0."""
    a = iv.mpf([0, a.b])
    return _C * iv.cos(beta * (1 - _C * a)) - iv.sin(a) * _sinc(beta)


def _corner(a: Any, b: Any) -> Any:
    """On the hull of the box and the corner a = b = 0."""
    a, b = iv.mpf([0, a.b]), iv.mpf([0, b.b])
    c = a + b - _C * a * b
    return iv.sin(a) * iv.sin(b) + iv.cos(c) * (1 - _C * a) * (1 - _C * b) - _C * iv.sin(c)


def _proof(box: tuple[float, float, float, float]) -> tuple[str, float]:
    """The quotient with the largest certified lower bound on a box."""
    half = iv.pi / 2
    alpha, beta = half * iv.mpf(box[:2]), half * iv.mpf(box[2:])
    a, b = half * iv.mpf([1 - box[1], 1 - box[0]]), half * iv.mpf([1 - box[3], 1 - box[2]])
    bounds = {"inside": _inside(alpha, beta), "right": _side(a, beta), "top": _side(b, alpha), "corner": _corner(a, b)}
    region = max(bounds, key=lambda name: bounds[name].a)
    return region, float(bounds[region].a)


def _quarters(box: tuple[float, float, float, float]) -> list[tuple[float, float, float, float]]:
    x, y = (box[0] + box[1]) / 2, (box[2] + box[3]) / 2
    return [(p, q, r, s) for p, q in ((box[0], x), (x, box[1])) for r, s in ((box[2], y), (y, box[3]))]


def certify_scalar_inequality(*, depth: int = 8) -> Certificate:
    r"""Prove :math:`\alpha\beta \le \frac{\pi}{2}\arcsin(\sin\alpha\sin\beta)` on the whole square."""
    todo, proved, left = [(0.0, 1.0, 0.0, 1.0)], [], 0
    for level in range(integer("depth", depth, least=0, most=12) + 1):
        cut = []
        for box in todo:
            region, margin = _proof(box)
            if margin > 0:
                proved.append((box, region, margin))
            elif level < depth:
                cut += _quarters(box)
            else:
                left += 1
        todo = cut
    boxes = np.array([box for box, _, _ in proved]).reshape(-1, 4)
    margins = np.array([margin for _, _, margin in proved])
    return Certificate(boxes, tuple(region for _, region, _ in proved), margins, left)
