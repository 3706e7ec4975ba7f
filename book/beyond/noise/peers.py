"""Instances and scores for "Pieces under noise", and the other factorisations there."""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, RNGLike, bool_array, integer, matrix_product, random_generator
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.press.extras import needs
from lifelong_book.press.table import Case


class _Setting(NamedTuple):
    """What is planted for the methods of "Pieces under noise"."""

    title: str
    n: int
    k: int
    m: int
    overlap: float
    per_target: float
    zipf: bool = False


#: What the table compares the methods on.
SETTINGS: dict[str, _Setting] = {
    "easy": _Setting("a few anchored metafeatures", 60, 10, 400, 0.05, 3.0),
    "wide": _Setting("many more variables", 600, 20, 600, 0.1, 4.0),
    "zipf": _Setting("Zipf frequencies", 120, 20, 2000, 0.1, 2.5, zipf=True),
    "large": _Setting("80 metafeatures", 400, 80, 2000, 0.05, 6.0),
}


class _PeerInstance(NamedTuple):
    """Flipped targets with a known basis, for the peers under noise."""

    metafeatures: BoolArray
    targets: BoolArray
    given: BoolArray


def _usage(case: Case) -> FloatArray:
    """With what chance a target uses each piece, in a setting for the peers under noise."""
    setting = SETTINGS[case["setting"]]
    share = 1 / np.arange(1, setting.k + 1) if setting.zipf else np.ones(setting.k)
    often: FloatArray = case.get("per_target", setting.per_target) * share / share.sum()
    return often


def flipped_instance(case: Case, rng: np.random.Generator) -> _PeerInstance:
    """Planted metafeatures and flipped unions of them for the peers under noise; a case may change its setting."""
    setting = SETTINGS[case["setting"]]
    M, _ = planted_conjunctions(setting.n, k=setting.k, m=0, overlap=case.get("overlap", setting.overlap), rng=rng)
    chosen = rng.random((case.get("m", setting.m), setting.k)) < _usage(case)
    targets: BoolArray = matrix_product(chosen, M) > 0
    given = targets ^ (rng.random(targets.shape) < np.where(targets, case["zeros"], case["ones"]))
    return _PeerInstance(M, targets, given)


def planted_instance(name: str, *, rng: RNGLike = 0) -> _PeerInstance:
    """An instance for the peers under noise: planted metafeatures and unions of them, without flips."""
    return flipped_instance({"setting": name, "ones": 0.0, "zeros": 0.0}, random_generator(rng))


def recovered(found: ArrayLike, true: ArrayLike) -> int:
    """The score of the peers under noise: how many true metafeatures are found, variable for variable."""
    M = bool_array("true", true, axes=2)
    P = bool_array("found", found, axes=2)
    rows = {row.tobytes() for row in P}
    return sum(row.tobytes() in rows for row in M)


def thresholded_nmf(given: ArrayLike, *, k: int) -> tuple[BoolArray, BoolArray]:
    """A peer under noise: nonnegative matrix factorisation, cut to 0 and 1 where the fewest cells are wrong."""
    import warnings

    with needs("scikit-learn", extra="learners"):
        from sklearn.decomposition import NMF

    A = bool_array("given", given, axes=2)
    model = NMF(integer("k", k, least=1), init="nndsvda", max_iter=400, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # 400 rounds need not be enough
        W = model.fit_transform(A.astype(np.float64))
    H = model.components_
    scale = np.maximum(H.max(axis=1), 1e-12)
    cuts = [(W * scale >= w, H / scale[:, None] >= h) for w in (0.2, 0.35, 0.5, 0.65) for h in (0.2, 0.35, 0.5, 0.65)]
    return min(cuts, key=lambda cut: _wrong_cells(cut[0], cut[1], A))


def asso(given: ArrayLike, *, k: int, tau: float) -> BoolArray:
    """A peer under noise, Asso: of the variables' companions of confidence tau, k times those that win most cells."""
    A = bool_array("given", given, axes=2)
    F, often = A.astype(np.float32), A.sum(axis=0)
    candidates = (F.T @ F >= tau * often[:, None] - 1e-6) & (often > 0)[:, None]
    weights, columns, chosen = np.where(A, np.float32(1), np.float32(-1)), candidates.T.astype(np.float32), []
    for _ in range(integer("k", k, least=1)):
        score = weights @ columns  # each candidate in each target; what is covered counts no more
        j = int(np.maximum(score, 0).sum(axis=0).argmax())
        weights[np.ix_(score[:, j] > 0, candidates[j])] = 0
        chosen.append(j)
    return np.unique(candidates[chosen], axis=0)


def _wrong_cells(codes: ArrayLike, pieces: ArrayLike, targets: ArrayLike) -> int:
    """How many cells differ between the unions that the codes name and the targets."""
    P, T = bool_array("pieces", pieces, axes=2), bool_array("targets", targets, axes=2)
    C = bool_array("codes", codes, axes=2) if np.size(codes) else np.zeros((len(T), 0), dtype=np.bool_)
    return int(((matrix_product(C, P) > 0) != T).sum())
