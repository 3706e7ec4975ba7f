"""Proofs of Section 3.2 step by step: Lemma 2, Lemma 3 as printed, and the chain of inequalities that is true."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import FloatArray, RNGLike, real_array
from lifelong.halfspaces import bounds, instances
from lifelong.halfspaces.angles import angle, angle_to_subspace, orthonormal_rows, subspace_angle, unit
from lifelong_book.halfspaces.perturbation import families
from lifelong_book.halfspaces.perturbation.experiments import figure_vectors, largest_error, one_vec_angles
from lifelong_book.press.moving.proof import Step, Stepper, stepper

Sides = list[tuple[float, float]]

_RIGHT_ANGLE = np.pi / 2


class Spans(NamedTuple):
    """An instance of `lem-subspace`."""

    true: FloatArray
    learned: FloatArray
    gamma: float


def span_instances(*, rng: RNGLike = None) -> dict[str, Spans]:
    """Five instances of `lem-subspace`, all with errors that its precondition admits."""
    true, learned = (np.array(rows, dtype=np.float64) for rows in instances.hand_counterexample())
    gamma, other = float(np.arctan(1 / 4)), 0.1
    rng = np.random.default_rng(rng)
    rows = families.separated_rows(1, 6, 3, gamma, rng=rng)[0]
    moved = families.perturbed(rows, largest_error(3, gamma), rng=rng)
    worst = [
        (families.worst_targets(start, float(largest_error(len(start), g))), g)
        for start, g in (
            (np.eye(3), _RIGHT_ANGLE),
            (instances.chain(2, gamma), gamma),
            (instances.chain(3, other), other),
        )
    ]
    orthonormal, two, three = (Spans(pair.true, pair.learned, g) for pair, g in worst)
    return {
        "whole numbers, k = 3": Spans(true, learned, gamma),
        "orthonormal, k = 3": orthonormal,
        "random, k = 3": Spans(moved, rows, gamma),
        "worst chain, k = 2": two,
        f"worst chain, k = 3, γ = {other:g}": three,
    }


def printed_sides(instance: Spans) -> Sides:
    """Both sides of every step of the printed proof of `lem-subspace`."""
    true, learned, gamma = instance
    k, e = len(learned), float(np.max(angle(true, learned)))
    between = np.vstack([true[:-1], learned[-1:]])  # V_k': the last vector is learned
    whole = float(subspace_angle(true, learned))
    first, second = float(subspace_angle(true, between)), float(subspace_angle(between, learned))
    before = float(subspace_angle(true[:-1], learned[:-1]))
    away, kept = (float(angle_to_subspace(learned[-1], rows[:-1])) for rows in (true, learned))
    claimed = float(bounds.subspace_printed(k - 1, e, gamma))
    last = float(angle(true[-1], learned[-1]))
    return [
        (whole, first + second),
        (first, float(bounds.one_vec(last, away))),
        (second, claimed),
        (kept - before, away),
        (gamma - claimed, kept - before),
        (_RIGHT_ANGLE * e / (gamma - claimed) + claimed, claimed + 2 * e / gamma),
        (whole, float(bounds.subspace_printed(k, e, gamma))),
    ]


_PRINTED = [
    Step(
        "Triangle",
        r"\theta(V_k,\tilde V_k)",
        r"\theta(V_k,V_k')+\theta(V_k',\tilde V_k)",
        r"Between the two, \(V_k'=\operatorname{span}(V_{k-1},\tilde a_k)\) has one learned vector.",
    ),
    Step(
        "Lemma 2",
        r"\theta(V_k,V_k')",
        r"\tfrac\pi2\,\theta(\tilde a_k,a_k)\,/\,\theta(\tilde a_k,V_{k-1})",
        "These two spans differ in one vector.",
    ),
    Step(
        "Induction",
        r"\theta(V_k',\tilde V_k)",
        r"2(k-1)\,\varepsilon/\gamma",
        r"These differ in \(k-1\) vectors, and \(W=\operatorname{span}(\tilde a_k)\) is added to both: now the earlier "
        "vectors would have to be far from a later one.",
    ),
    Step(
        "Triangle",
        r"\theta(\tilde a_k,\tilde V_{k-1})-\theta(V_{k-1},\tilde V_{k-1})",
        r"\theta(\tilde a_k,V_{k-1})",
        "This angle is the divisor in step 2.",
    ),
    Step(
        "Separation",
        r"\gamma-2(k-1)\,\varepsilon/\gamma",
        r"\theta(\tilde a_k,\tilde V_{k-1})-\theta(V_{k-1},\tilde V_{k-1})",
        r"The separation is \(\gamma\) or more; the lemma for \(k-1\) vectors.",
    ),
    Step(
        "Algebra",
        r"\tfrac\pi2\,\varepsilon\big/\bigl(\gamma-\tfrac{2(k-1)\varepsilon}{\gamma}\bigr)+\tfrac{2(k-1)\varepsilon}{\gamma}",
        r"2k\,\varepsilon/\gamma",
        r"Because \(\varepsilon\le\gamma^2/(10(k-1))\), as the paper says.",
    ),
    Step("Conclusion", r"\theta(V_k,\tilde V_k)", r"2k\,\varepsilon/\gamma", "Lemma 3 as printed."),
]


def printed_proof(given: Mapping[str, Spans], *, start: int = 2) -> Stepper:
    """The printed proof of Lemma 3, step by step, on instances: at one of its steps it turns red."""
    sides = {name: printed_sides(instance) for name, instance in given.items()}
    return stepper("printed-proof", _PRINTED, sides, start=start, alt="The printed proof of Lemma 3, step by step.")


def sharp_sides(instance: Spans) -> Sides:
    """Both sides of every step of the proof of `thm-subspace-sharp`."""
    true, gamma = instance.true, instance.gamma
    rows = unit(instance.learned)
    k, e = len(rows), float(np.max(angle(true, rows)))
    F = [float(bounds.amplification(size, gamma)) for size in (k - 1, k)]
    basis = orthonormal_rows(rows)
    outside = basis - basis @ np.linalg.pinv(true) @ true
    u = np.linalg.svd(outside)[0][:, 0] @ basis  # the unit vector of the learned span farthest from the true one
    c = np.linalg.lstsq(rows.T, u, rcond=None)[0]
    distances = np.sin(angle_to_subspace(rows, true))
    total, early = float(np.abs(c).sum()), float(np.abs(c[:-1]).sum())
    rest = float(np.linalg.norm(u - c[-1] * rows[-1]))
    phi = float(angle_to_subspace(rows[-1], rows[:-1]))
    t = float(np.arcsin(min(1.0, abs(c[-1]) * np.sin(phi))))
    sine, distance = float(np.sin(subspace_angle(true, rows))), float(np.sin(angle_to_subspace(u, true)))
    return [
        (sine, distance),
        (distance, float(np.abs(c) @ distances)),
        (float(np.abs(c) @ distances), total * float(np.sin(e))),
        (early, F[0] * rest),
        (rest, float(np.cos(t)) + abs(float(c[-1])) * float(np.cos(phi))),
        (float(F[0] * np.cos(t) + (1 + F[0] * np.cos(phi)) / np.sin(phi) * np.sin(t)), F[1]),
        (sine, F[1] * float(np.sin(e))),
    ]


_SHARP = [
    Step(
        "Farthest vector",
        r"\sin\theta(V_k,\tilde V_k)",
        r"\operatorname{dist}(u,V_k)",
        r"Of the unit vectors \(u=\sum c_j\tilde a_j\) of the learned span the farthest one.",
        "=",
    ),
    Step(
        "Weights",
        r"\operatorname{dist}(u,V_k)",
        r"\textstyle\sum|c_j|\operatorname{dist}(\tilde a_j,V_k)",
        r"The error of \(\tilde a_j\) enters with the weight \(|c_j|\).",
    ),
    Step(
        "Errors",
        r"\textstyle\sum|c_j|\operatorname{dist}(\tilde a_j,V_k)",
        r"\textstyle\sum|c_j|\,\sin\varepsilon",
        r"The line of \(a_j\) lies in \(V_k\).",
    ),
    Step(
        "Induction",
        r"\textstyle\sum_{j<k}|c_j|",
        r"F_{k-1}\,|u-c_k\tilde a_k|",
        r"Without its last part \(u\) lies in \(\tilde V_{k-1}\): nothing is asked of later vectors.",
    ),
    Step(
        "Triangle",
        r"|u-c_k\tilde a_k|",
        r"\cos t+|c_k|\cos\varphi",
        r"The angles of \(u\) and \(\tilde a_k\) to \(\tilde V_{k-1}\) are \(t\) and \(\varphi\), and "
        r"\(\sin t=|c_k|\sin\varphi\) holds.",
    ),
    Step(
        "Separation",
        r"F_{k-1}\cos t+\tfrac{1+F_{k-1}\cos\varphi}{\sin\varphi}\sin t",
        r"F_k",
        r"On the left stands what bounds \(\sum|c_j|\), on the right its most for \(\varphi\ge\gamma\) and any \(t\).",
    ),
    Step(
        "Conclusion", r"\sin\theta(V_k,\tilde V_k)", r"F_k\sin\varepsilon", "The sharp theorem: errors multiply."
    ),
]  # fmt: skip


def sharp_proof(given: Mapping[str, Spans], *, start: int = 3) -> Stepper:
    """The proof of `thm-subspace-sharp`, step by step, on the same instances: it holds everywhere."""
    sides = {name: sharp_sides(instance) for name, instance in given.items()}
    return stepper("sharp-proof", _SHARP, sides, start=start, alt="The proof of the sharp theorem, step by step.")


def one_vector_instances(*, rng: RNGLike = None) -> dict[str, tuple[FloatArray, FloatArray, FloatArray]]:
    """Four instances of `lem-one-vec`: the shared rows U, the vector b and its estimate."""
    v = figure_vectors()
    upright = tuple(x[0] for x in families.tilted_planes([0.5], [_RIGHT_ANGLE]))
    U, b, estimate = (x[0] for x in families.tilted_planes([0.6], [0.9]))
    turned = np.cos(0.3) * b + np.sin(0.3) * np.cross([0, 0, 1], b)  # within its plane
    random = tuple(x[0] for x in families.replaced_vector(1, 6, 3, rng=rng, log_error=-1, log_separation=-1))
    return {
        "Figure 1 (b)": (v["a1"][None], v["b"], v["b~"]),
        "at right angles to U": (upright[0], upright[1], upright[2]),
        "b turned away": (U, turned, estimate),
        "random, U a plane": (random[0], random[1], random[2]),
    }


def one_vector_sides(U: ArrayLike, b: ArrayLike, estimate: ArrayLike) -> Sides:
    """Both sides of every step of the paper's proof of `lem-one-vec`."""
    rows, exact, learned = real_array("U", U, axes=2), real_array("b", b), real_array("estimate", estimate)
    whole, error, kept = (float(x) for x in one_vec_angles(rows, exact, learned))
    basis = orthonormal_rows(rows)
    inside = (exact @ basis.T) @ basis  # the farthest vector of V is orthogonal to U: b without this part
    if np.linalg.norm(inside) < 1e-9 * np.linalg.norm(exact):
        inside = basis[0]
    alpha = float(subspace_angle([inside, exact], [inside, learned]))
    beta = float(angle_to_subspace(learned, [inside]))
    height = float(angle_to_subspace(learned, [inside, exact]))
    product = np.sin(alpha) * np.sin(beta)
    return [
        (whole, alpha),
        (kept, beta),
        (float(product), float(np.sin(height))),
        (height, error),
        (alpha * beta, _RIGHT_ANGLE * float(np.arcsin(product))),
        (whole, float(bounds.one_vec(error, kept))),
    ]


_ONE_VECTOR = [
    Step(
        "Three dimensions",
        r"\theta(V,\tilde V)",
        r"\alpha",
        r"The vector of \(V\) farthest from \(\tilde V\) combines \(b\) and one \(u_1\) of \(U\). The angle of the "
        r"planes \(\operatorname{span}(u_1,b)\) and \(\operatorname{span}(u_1,\tilde b)\) is called \(\alpha\) here.",
    ),
    Step(
        "Nearest in U",
        r"\theta(\tilde b,U)",
        r"\beta",
        r"The angle \(\beta\) of \(\tilde b\) to the line of \(u_1\) is no smaller than that to all of \(U\).",
    ),
    Step(
        "Height",
        r"\sin\alpha\,\sin\beta",
        r"\operatorname{dist}(\tilde b,\operatorname{span}(u_1,b))",
        r"The height of \(\tilde b\) over that plane, for \(\tilde b\) of length one.",
        "=",
    ),
    Step(
        "Nearest in the plane",
        r"\arcsin(\sin\alpha\,\sin\beta)",
        r"\theta(\tilde b,b)",
        r"The vector \(b\) lies in that plane, so it is at least as far.",
    ),
    Step(
        "Scalar inequality",
        r"\alpha\beta",
        r"\tfrac\pi2\arcsin(\sin\alpha\,\sin\beta)",
        "The step that the paper states without proof.",
    ),
    Step(
        "Conclusion",
        r"\theta(V,\tilde V)",
        r"\tfrac\pi2\,\theta(\tilde b,b)\,/\,\theta(\tilde b,U)",
        "The steps put together: Lemma 2.",
    ),
]


def one_vector_proof(
    given: Mapping[str, tuple[FloatArray, FloatArray, FloatArray]], *, start: int = 4
) -> Stepper:  # fmt: skip
    """The paper's proof of Lemma 2, step by step, on instances."""
    sides = {name: one_vector_sides(*vectors) for name, vectors in given.items()}
    return stepper(
        "one-vector-proof", _ONE_VECTOR, sides, start=start, alt="The paper's proof of Lemma 2, step by step."
    )
