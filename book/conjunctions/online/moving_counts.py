"""Proofs of Section 4 step by step, in counts: Lemma 4, and Theorem 3 with the step that its printed proof lacks."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from lifelong._checks import BoolArray, RNGLike, bool_array, same_dimension
from lifelong.conjunctions.algorithm3 import represent
from lifelong.conjunctions.algorithm4 import online_metafeatures
from lifelong.conjunctions.bounds import online_printed
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.press.moving.proof import Step, Stepper, stepper

Sides = list[tuple[float, float]]


class Conjunctions(NamedTuple):
    """Targets, and metafeatures that represent them."""

    targets: BoolArray
    metafeatures: BoolArray


class Round(NamedTuple):
    """A round of Algorithm 3."""

    target: int
    variable: int
    uncovered: BoolArray
    piece: BoolArray


def rounds(targets: BoolArray) -> list[Round]:
    """Algorithm 3, round by round."""
    TS = bool_array("targets", targets, axes=2)
    holders = [frozenset(np.flatnonzero(column).tolist()) for column in TS.T]
    found, pieces = list[Round](), TS[:0]
    for t, T in enumerate(TS):
        while represent(T, pieces) is None:
            uncovered: BoolArray = T & ~pieces[(~pieces | T).all(axis=1)].any(axis=0)
            left = np.flatnonzero(uncovered)
            z = next(int(z) for z in left if not any(holders[y] < holders[z] for y in left))
            piece: BoolArray = np.asarray(TS[TS[:, z]].all(axis=0))
            pieces = np.vstack([pieces, piece])
            found.append(Round(t, z, uncovered, piece))
    return found


def anchors_of(metafeatures: BoolArray) -> list[int]:
    """A variable of each metafeature that is in the fewest others, of least index: an anchor where there is one."""
    M = bool_array("metafeatures", metafeatures, axes=2)
    if not M.any(axis=1).all():
        raise ValueError("metafeatures: expected none that is empty")
    shared = M.sum(axis=0)
    return [int(min(np.flatnonzero(row), key=lambda v: (shared[v], v))) for row in M]


def example_conjunctions(*, rng: RNGLike = None) -> dict[str, Conjunctions]:
    """Instances of Lemma 4 and Theorem 3, and one without anchors."""
    planted = planted_conjunctions(12, k=5, m=40, overlap=0.4, rng=rng)
    edges = _rows("12 13 24", 4)
    return {
        "unions of two or more": Conjunctions(_rows("14789 12347 1234789 123789", 9), _rows("147 789 123", 9)),
        "three strokes": Conjunctions(_rows("14789 12347 123 789", 9), _rows("147 789 123", 9)),
        "seven boards": Conjunctions(_rows("1234 134 14 24 124 3 234", 4), _rows("14 24 3", 4)),
        "random, k = 5": Conjunctions(planted[1], planted[0]),
        "no anchors": Conjunctions(edges, edges),
    }


def _rows(text: str, n: int) -> BoolArray:
    return np.array([[str(v + 1) in word for v in range(n)] for word in text.split()])


def consistency_sides(instance: Conjunctions) -> Sides:
    """Both sides of every step of the proof of `lem-consistency`."""
    TS, M = bool_array("targets", instance.targets, axes=2), bool_array("metafeatures", instance.metafeatures, axes=2)
    same_dimension("targets", TS, M.shape[1], "metafeatures")
    if any(represent(T, M) is None for T in TS):
        raise ValueError("targets: expected unions of the metafeatures")
    y, made = anchors_of(M), rounds(TS)
    inside: BoolArray = np.asarray((~M | TS[:, None]).all(axis=2))  # target, metafeature
    owner = [int(np.flatnonzero(inside[r.target] & M[:, r.variable])[0]) for r in made]
    true, pieces = M[owner], np.array([r.piece for r in made], dtype=np.bool_).reshape(-1, M.shape[1])
    chosen = np.array([r.variable for r in made], dtype=np.intp)
    anchors = np.array([y[t] for t in owner], dtype=np.intp)
    with_true = inside[:, owner]
    with_piece = (~pieces | TS[:, None]).all(axis=2)
    holds_anchor = pieces[:, y]
    holds_all = (~M | pieces[:, None]).all(axis=2)
    sides = [
        (len(made), sum(bool(r.uncovered[a]) for r, a in zip(made, anchors, strict=True))),
        (TS[:, anchors].sum(), TS[:, chosen].sum()),
        (TS[:, chosen].sum(), TS[:, anchors].sum()),
        (true.sum(), (true & pieces).sum()),
        ((true & pieces).sum(), pieces.sum()),
        (with_true.sum(), with_piece.sum()),
        (holds_anchor.sum(), holds_all.sum()),
        (len(made), len(set(owner))),
        (len(set(owner)), len(M)),
    ]
    return [(float(a), float(b)) for a, b in sides]


_CONSISTENCY = [
    Step(
        "Uncovered",
        "q",
        r"\#\{i: y_{t_i}\text{ uncovered}\}",
        r"In round \(i\) the choice \(z_i\) lies in some true \(m_{t_i}\subseteq T\), and its anchor \(y_{t_i}\) is "
        r"uncovered in \(T\) as well.",
    ),
    Step(
        "As rare",
        r"\sum_i|N(y_{t_i})|",
        r"\sum_i|N(z_i)|",
        r"A target with the anchor has all of \(m_{t_i}\), and with it \(z_i\).",
    ),
    Step(
        "Minimal",
        r"\sum_i|N(z_i)|",
        r"\sum_i|N(y_{t_i})|",
        r"No uncovered variable is rarer than \(z_i\). So both are in the same targets, and "
        r"\(\tilde m_i=\mathrm{cl}(z_i)=\mathrm{cl}(y_{t_i})\).",
    ),
    Step(
        "(a)",
        r"\sum_i|m_{t_i}|",
        r"\sum_i|m_{t_i}\cap\tilde m_i|",
        "Nothing of the true metafeature is lost.",
    ),
    Step(
        "Added",
        r"\sum_i|m_{t_i}\cap\tilde m_i|",
        r"\sum_i|\tilde m_i|",
        "What is to spare was added: variables that always come along. By the next step they do no harm.",
    ),
    Step(
        "(b)",
        r"\sum_i|N(m_{t_i})|",
        r"\sum_i|N(\tilde m_i)|",
        r"\(N(m)\) are the targets that contain \(m\). One with \(m_{t_i}\) has \(z_i\), and so all of its closure.",
    ),
    Step(
        "(c)",
        r"\sum_i|Y_i|",
        r"\sum_i|M_i|",
        r"\(Y_i\) are the \(j\) with \(y_j\in\tilde m_i\), \(M_i\) those with \(m_j\subseteq\tilde m_i\). Each target "
        r"with \(z_i\) has \(y_j\), hence \(m_j\), and so has their intersection.",
    ),
    Step("Distinct", "q", r"\#\{t_1,\dots,t_q\}", "Each round makes another metafeature, and the index determines it."),
    Step("At most", r"\#\{t_1,\dots,t_q\}", "k", r"There are only \(k\) indices."),
]


def consistency_proof(instances: Mapping[str, Conjunctions]) -> Stepper:
    """The proof of Lemma 4, with each inclusion as a count of its two sides."""
    values = {name: consistency_sides(instance) for name, instance in instances.items()}
    alt = "The proof of Lemma 4: each piece of Algorithm 3 belongs to a true metafeature of its own."
    return stepper("lemma-four", _CONSISTENCY, values, start=4, alt=alt)


def online_sides(instance: Conjunctions) -> Sides:
    """Both sides of every step of the proof of `thm-online-anchor`, on the stream of the targets."""
    TS, M = bool_array("targets", instance.targets, axes=2), bool_array("metafeatures", instance.metafeatures, axes=2)
    same_dimension("targets", TS, M.shape[1], "metafeatures")
    n, k = TS.shape[1], len(M)
    kept = TS[online_metafeatures(TS).scratch]
    runs = [[(r.variable, r.piece.tobytes()) for r in rounds(kept[:r])] for r in range(len(kept) + 1)]
    longer = [new[: len(old)] == old for old, new in pairwise(runs)]
    arrows = [int((~kept[:r, :, None] | kept[:r, None]).all(axis=0).sum()) for r in range(len(kept) + 1)]
    sizes = [len(run) for run in runs]
    rises = sum(after > before for before, after in pairwise(sizes))
    changed, more = len(kept) - sum(longer), sum(longer)
    sides = [
        (len(kept), changed + more),
        (changed, arrows[0] - arrows[-1]),
        (arrows[0] - arrows[-1], n * n),
        (more, rises),
        (rises, sizes[-1]),
        (sizes[-1], k),
        (len(kept), online_printed(n, k=k)),
    ]
    return [(float(a), float(b)) for a, b in sides]


_ONLINE = [
    Step(
        "First difference",
        "Q",
        "E+C",
        r"Each of the \(Q\) targets that are paid for changes the run of Algorithm 3. For \(E\) of them a round of the "
        r"old run changes; for \(C\) of them the old run is repeated whole and goes on.",
        "=",
    ),
    Step(
        "Arrows",
        "E",
        r"\#\{\text{arrows deleted}\}",
        "Where a round changes, an arrow was deleted. A target may delete several.",
    ),
    Step(
        "All arrows",
        r"\#\{\text{arrows deleted}\}",
        "n^2",
        r"At the start all \(n^2\) arrows are there, and none comes back.",
    ),
    Step(
        "Longer run",
        "C",
        "R",
        r"A run that goes on makes one metafeature more or several. \(R\) targets raise their number.",
    ),
    Step(
        "Never falls (not printed)",
        "R",
        r"|\mathcal M(\mathcal T)|",
        "If the number could fall, it could rise again, more often than there are metafeatures in the end. "
        "The printed proof does not say why it cannot. The lemma of this chapter does.",
    ),
    Step("Lemma 4", r"|\mathcal M(\mathcal T)|", "k", r"With anchors, Algorithm 3 makes at most \(k\) metafeatures."),
    Step("Theorem 3", "Q", "n^2+k", "All of them together."),
]


def online_proof(instances: Mapping[str, Conjunctions]) -> Stepper:
    """The printed proof of Theorem 3 as a chain of counts, with the step that it lacks."""
    values = {name: online_sides(instance) for name, instance in instances.items()}
    alt = "The proof of Theorem 3: payments, deleted arrows, and rises of the number of metafeatures."
    return stepper("theorem-three", _ONLINE, values, start=4, alt=alt)
