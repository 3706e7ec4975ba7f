"""Instances and scores for the comparison of Algorithm 3 with other factorisations, `running/boolean_peers.py`."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lifelong._checks import BoolArray, RNGLike, bool_array, integer, matrix_product, random_generator
from lifelong.conjunctions.algorithm3 import distinct, metafeatures
from lifelong.conjunctions.instances import planted_conjunctions
from lifelong_book.beyond.noise.tolerance import fits, robust_metafeatures
from lifelong_book.press.extras import needs
from lifelong_book.press.table import Case


class Setting(NamedTuple):
    """What is planted."""

    title: str
    n: int
    k: int
    m: int
    overlap: float
    per_target: float
    zipf: bool = False
    flips: float = 0.0


#: What the table compares the methods on.
SETTINGS: dict[str, Setting] = {
    "easy": Setting("a few anchored metafeatures", 60, 10, 400, 0.05, 3.0),
    "wide": Setting("many more variables", 600, 20, 600, 0.1, 4.0),
    "zipf": Setting("Zipf frequencies", 120, 20, 2000, 0.1, 2.5, zipf=True),
    "large": Setting("80 metafeatures", 400, 80, 2000, 0.05, 6.0),
    "noise": Setting("2 % of the cells flipped", 60, 10, 400, 0.05, 3.0, flips=0.02),
    "noisy zipf": Setting("Zipf frequencies, 2 % flipped", 120, 20, 2000, 0.1, 2.5, zipf=True, flips=0.02),
}


class PeerInstance(NamedTuple):
    """Targets with a known basis."""

    metafeatures: BoolArray
    targets: BoolArray
    given: BoolArray
    flips: float


def flipped_instance(case: Case, rng: np.random.Generator) -> PeerInstance:
    """Planted metafeatures and flipped unions of them, in a setting of which a case may change something."""
    setting = SETTINGS[case["setting"]]
    M, _ = planted_conjunctions(setting.n, k=setting.k, m=0, overlap=case.get("overlap", setting.overlap), rng=rng)
    share = 1 / np.arange(1, setting.k + 1) if setting.zipf else np.ones(setting.k)
    often = case.get("per_target", setting.per_target) * share / share.sum()
    targets: BoolArray = matrix_product(rng.random((case.get("m", setting.m), setting.k)) < often, M) > 0
    given = targets ^ (rng.random(targets.shape) < np.where(targets, case["zeros"], case["ones"]))
    return PeerInstance(M, targets, given, (case["ones"] + case["zeros"]) / 2)


def planted_instance(name: str, *, rng: RNGLike = 0) -> PeerInstance:
    """Draw the instance of a setting."""
    flips = SETTINGS[name].flips
    return flipped_instance({"setting": name, "ones": flips, "zeros": flips}, random_generator(rng))


def recovered(found: ArrayLike, true: ArrayLike) -> int:
    """How many of the true metafeatures are among those found, variable for variable."""
    M = bool_array("true", true, axes=2)
    P = bool_array("found", found, axes=2)
    rows = {row.tobytes() for row in P}
    return sum(row.tobytes() in rows for row in M)


def thresholded_nmf(given: ArrayLike, *, k: int) -> tuple[BoolArray, BoolArray]:
    """Nonnegative matrix factorisation, cut to 0 and 1 at the pair of thresholds with the fewest wrong cells."""
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
    return min(cuts, key=lambda cut: wrong_cells(cut[0], cut[1], A))


def wrong_cells(codes: ArrayLike, pieces: ArrayLike, targets: ArrayLike) -> int:
    """How many cells differ between the unions that the codes name and the targets."""
    P, T = bool_array("pieces", pieces, axes=2), bool_array("targets", targets, axes=2)
    C = bool_array("codes", codes, axes=2) if np.size(codes) else np.zeros((len(T), 0), dtype=np.bool_)
    return int(((matrix_product(C, P) > 0) != T).sum())


def _exact(instance: PeerInstance) -> tuple[BoolArray, BoolArray]:
    pieces = metafeatures(instance.given)
    return fits(instance.given, pieces), pieces


def _robust(instance: PeerInstance) -> tuple[BoolArray, BoolArray]:
    """Told the rate of noise: a variable needs three times the targets that noise alone would give it."""
    support = max(1, round(3 * instance.flips * len(instance.given)))
    tolerance = 0.2 if instance.flips else 0.0
    pieces = robust_metafeatures(instance.given, tolerance=tolerance, support=support)
    return fits(instance.given, pieces, tolerance=tolerance), pieces


def greedy_concepts(targets: ArrayLike) -> BoolArray:
    """Formal concepts, each the best for the cells still uncovered that a search by single variables finds."""
    TS = bool_array("targets", targets, axes=2)
    used, rows = TS.any(axis=0), TS[TS.any(axis=1)]
    if not len(rows):
        return rows
    rows = rows[distinct(rows)[0]]
    columns, place = distinct(rows[:, used].T)  # equal ones count once
    A = rows[:, used][:, columns].astype(np.float32)
    missing, found = A.copy(), []
    while missing.any():
        extent, intent = _best_concept(A, missing)
        found.append(intent)
        missing[np.ix_(extent, intent)] = 0
    basis = np.zeros((len(found), TS.shape[1]), dtype=np.bool_)
    basis[:, used] = np.array(found)[:, place]
    return basis


def _best_concept(A: NDArray[np.float32], missing: NDArray[np.float32]) -> tuple[BoolArray, BoolArray]:
    """Grow an intent variable by variable while that covers more missing cells; ties go to the least variable."""
    extent, intent, best = np.ones(len(A), dtype=np.bool_), np.zeros(A.shape[1], dtype=np.bool_), 0.0
    while True:
        extents = A.T * extent  # row y: the extent after y has joined
        intents = matrix_product(extents, 1 - A) == 0
        gain = (matrix_product(extents, missing) * intents).sum(axis=1)
        y = int(gain.argmax())
        if gain[y] <= best:
            return extent, intent
        extent, intent, best = extents[y] > 0, intents[y], gain[y]


def _greedy(instance: PeerInstance) -> tuple[BoolArray, BoolArray]:
    pieces = greedy_concepts(instance.given)
    return fits(instance.given, pieces), pieces


def _nmf(instance: PeerInstance) -> tuple[BoolArray, BoolArray]:
    return thresholded_nmf(instance.given, k=len(instance.metafeatures))


#: The methods that need no other package, by name: instance -> (codes, pieces).
METHODS: Mapping[str, Callable[[PeerInstance], tuple[BoolArray, BoolArray]]] = {
    "metafeatures": _exact,
    "robust_metafeatures": _robust,
    "greedy_concepts": _greedy,
    "scikit-learn NMF": _nmf,
}
