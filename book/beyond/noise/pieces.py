"""Metafeatures from targets of which some cells are flipped: what Algorithm 3 becomes under noise (Section 4.1).

Algorithm 3 reads the order of the variables off counts, of the targets that hold two of them. Flips that are
independent, of known rates, spoil these counts in a way that can be undone on average. `noisy_preorder` does that and
comes with a theorem; `noisy_metafeatures` searches for the shortest description of the targets by pieces. It finds much
rarer pieces; that no step lengthens the description is proved, what it finds is measured.
"""

from collections.abc import Iterable
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, matrix_product, number, real_array
from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong_book.beyond.noise.tolerance import fits

#: A flip rate, or two: of false ones (0 read as 1) and of false zeros (1 read as 0).
FlipRate = float | tuple[float, float]


def _rates(flip_rate: Any) -> tuple[float, float]:
    """Rates of false ones and of false zeros, that together stay below 1."""
    if not isinstance(flip_rate, tuple):
        rate = number("flip_rate", flip_rate, "[0, 0.5)")
        return rate, rate
    ones, zeros = (number("flip_rate", rate, "[0, 1)") for rate in flip_rate)
    if ones + zeros >= 1:
        raise ValueError(f"flip_rate: expected a pair with a sum below 1, got {flip_rate!r}")
    return ones, zeros


def _confidence(delta: Any) -> float:
    return number("delta", delta, "(0, 1)")


# the preorder, with a theorem ----------------------------------------------------------------------------


def debiased_counts(targets: ArrayLike, flip_rate: FlipRate) -> tuple[FloatArray, FloatArray]:
    r"""Unbiased estimates of :math:`|N(z)|` and :math:`|N(z)\cap N(w)|` from flipped targets."""
    ones, zeros = _rates(flip_rate)
    A = bool_array("targets", targets, axes=2).astype(np.float64)
    keep, m = 1 - ones - zeros, len(A)
    seen = matrix_product(A.T, A)
    s = np.diag(seen).copy()
    single = (s - ones * m) / keep
    joint = (seen - ones * (s[:, None] + s) + ones**2 * m) / keep**2
    np.fill_diagonal(joint, single)
    return single, joint


def flip_scale(flip_rate: FlipRate) -> tuple[float, float]:
    r"""How much one debiased cell of flipped targets varies, and how far one summand of an estimate strays."""
    ones, zeros = _rates(flip_rate)
    keep = 1 - ones - zeros
    below = max(ones * (1 - zeros), zeros * (1 - ones))  # B(1 - B') is between -below and (1 - a)(1 - b), over keep^2
    largest = max((1 - ones) * (1 - zeros), keep**2 + below)
    return max(ones * (1 - ones), zeros * (1 - zeros)) / keep**2, largest / keep**2


def preorder_threshold(m: int, n: int, flip_rate: FlipRate, *, delta: float = 0.01) -> tuple[float, float]:
    r"""Under noise, from how many exceptions on an estimate speaks against an inclusion, and how many make sure."""
    m, n = integer("m", m, least=0), integer("n", n, least=1)
    L = log(n**2 / _confidence(delta))
    variance, largest = flip_scale(flip_rate)
    if variance == 0:
        return 0.0, 0.0
    threshold = sqrt(2 * L * m * variance * (1 + variance)) + 2 / 3 * L * largest
    half = L * variance / 2
    return threshold, (sqrt(2 * threshold + half) + sqrt(half)) ** 2


class NoisyPreorder(NamedTuple):
    r"""Which variables occur, and which N(z) lie inside which N(w), judged through noise."""

    exceptions: FloatArray
    counts: FloatArray
    threshold: float
    gap: float
    inside: BoolArray
    occurs: BoolArray

    @property
    def pieces(self) -> BoolArray:
        """Closures of the variables that occur with no other strictly below them: bool (k, n), sorted."""
        below = self.inside & ~self.inside.T & self.occurs[:, None]
        lowest = self.occurs & ~below.any(axis=0)
        return np.unique(self.inside[lowest] & self.occurs, axis=0)


def noisy_preorder(targets: ArrayLike, flip_rate: FlipRate, *, delta: float = 0.01) -> NoisyPreorder:
    r"""The order of the variables from flipped targets: N(z) is inside N(w) if few exceptions are estimated."""
    A = bool_array("targets", targets, axes=2)
    threshold, gap = preorder_threshold(len(A), A.shape[1], flip_rate, delta=delta)
    counts, joint = debiased_counts(A, flip_rate)
    exceptions = counts[:, None] - joint
    return NoisyPreorder(exceptions, counts, threshold, gap, exceptions <= threshold, counts > threshold)


# pieces and codes ----------------------------------------------------------------------------------------


class NoisyPieces(NamedTuple):
    """Pieces under noise, and which of them each flipped target is made of."""

    codes: BoolArray
    pieces: BoolArray

    @property
    def cover(self) -> Any:
        """How many pieces of its code hold each cell."""
        return matrix_product(self.codes, self.pieces)

    @property
    def targets(self) -> BoolArray:
        """The unions that the codes name: bool (m, n)."""
        return np.asarray(self.cover > 0)


def nats(ones: Any, size: int) -> Any:
    """In a description by pieces, the code length of which cells are ones: size times the entropy of their share."""
    share = np.clip(np.asarray(ones) / max(1, size), 1e-15, 1 - 1e-15)
    other = 1 - share
    return -size * (share * np.log(share) + other * np.log(other))


def cost(codes: BoolArray, pieces: BoolArray) -> Any:
    """The code length of each piece under noise: in which targets it is, and which variables it has."""
    m, n = len(codes), pieces.shape[1]
    return nats(codes.sum(axis=0), m) + nats(pieces.sum(axis=1), n)


def gains(A: BoolArray, false_ones: float, false_zeros: float) -> Any:
    """What it adds to the log likelihood of flipped targets to cover each cell."""
    one = log((1 - false_zeros) / false_ones)
    zero = log((1 - false_ones) / false_zeros)
    return np.where(A, one, -zero)


def vote(codes: BoolArray, pieces: BoolArray, gain: Any) -> BoolArray:
    """New codes of flipped targets, piece after piece: the cells that it alone decides vote, against its price."""
    codes = codes.copy()
    for j, piece in enumerate(pieces):
        share = np.clip(codes[:, j].mean(), 1e-15, 1 - 1e-15)
        price = log((1 - share) / share)
        cover = NoisyPieces(codes, pieces[:, piece]).cover
        alone = cover == codes[:, [j]]  # no other piece is there
        codes[:, j] = (gain[:, piece] * alone).sum(axis=1) > price
    return codes


class Flipped:
    """Flipped targets, their unbiased counts, and what covering each cell gains."""

    def __init__(self, A: BoolArray, false_ones: float, false_zeros: float) -> None:
        self.A, self.rate = A, false_ones
        self.counts, self.joint = debiased_counts(A, (false_ones, false_zeros))
        self.gain = gains(A, false_ones, false_zeros)

    def length(self, found: NoisyPieces) -> float:
        """Nats of the description, up to a constant."""
        return float(cost(*found).sum() - self.gain[found.targets].sum())

    def grow(self, found: NoisyPieces) -> NoisyPieces:
        """A piece for each variable, from the rarest on, that shows more ones than pieces and noise explain."""
        codes, pieces = found
        cover, c, p = found.cover, np.maximum(self.counts, 1), self.rate
        for z in np.argsort(c, kind="stable"):  # the rarest first
            free = cover[:, z] == 0
            mean = p * free.sum()
            if self.A[free, z].sum() <= mean + 3 * np.sqrt(mean * (1 - p)):
                continue
            piece = self.joint[z] > c[z] * (1 + c / len(self.A)) / 2
            piece[z] = True
            won = (self.gain * (cover == 0))[:, piece].sum(axis=1) > 0
            cover += np.outer(won, piece)
            codes, pieces = np.c_[codes, won], np.r_[pieces, piece[None]]
        return NoisyPieces(codes, pieces)

    def drop(self, found: NoisyPieces) -> NoisyPieces:
        """Without the pieces, the worst first, that cost what the cells are worth that they alone decide."""
        codes, pieces = found
        while len(pieces):
            alone = self.gain * (NoisyPieces(codes, pieces).cover == 1)
            worth = ((alone @ pieces.T) * codes).sum(axis=0)
            net = worth - cost(codes, pieces)
            if net.min() > 0:
                break
            stay = np.arange(len(net)) != net.argmin()
            codes, pieces = codes[:, stay], pieces[stay]
        return NoisyPieces(codes, pieces)

    def shorten(self, found: NoisyPieces) -> NoisyPieces:
        """Grow, drop, vote on codes, vote on pieces, drop, again and again, while the description gets shorter."""
        best, new = np.inf, found
        while (length := self.length(new)) < best - 1e-9 * abs(length):
            best, found = length, new
            codes, pieces = self.drop(self.grow(found))
            codes = vote(codes, pieces, self.gain)
            pieces = vote(pieces.T, codes.T, self.gain.T).T
            new = self.drop(NoisyPieces(codes, pieces))
        return found


def noisy_metafeatures(targets: ArrayLike, flip_rate: FlipRate) -> NoisyPieces:
    """Pieces and codes for targets of which some cells are flipped, at known rates; at rate 0 those of Algorithm 3."""
    A, rates = bool_array("targets", targets, axes=2), _rates(flip_rate)
    if not any(rates):
        M = metafeatures(A)
        return NoisyPieces(fits(A, M), M)
    # no flip is believed to be impossible, for a piece or code may be wrong as well
    flipped = Flipped(A, *(max(rate, max(*rates, 1e-9) / 10) for rate in rates))
    nothing = NoisyPieces(np.zeros((len(A), 0), dtype=np.bool_), np.zeros((0, A.shape[1]), dtype=np.bool_))
    return flipped.shorten(nothing)


#: Flip rates that `estimate_flip_rate` tries.
CANDIDATES = (0.0, 0.005, 0.008, 0.012, 0.0175, 0.025, 0.035, 0.05, 0.07, 0.1, 0.15, 0.2)


def estimate_flip_rate(targets: ArrayLike, *, candidates: Iterable[float] = CANDIDATES) -> float:
    """The flip rate, when it is not known: that of the shortest description of the targets."""
    A = bool_array("targets", targets, axes=2)
    best, rate = np.inf, -1.0
    given = candidates if isinstance(candidates, np.ndarray) else list(candidates)
    for candidate in sorted(real_array("candidates", given).tolist(), reverse=True):
        found = noisy_metafeatures(A, candidate)
        wrong = found.targets != A
        length = float(nats(wrong.sum(), wrong.size) + cost(*found).sum())
        if length < best:
            best, rate = length, float(wrong.mean())
        if length > 2 * best:  # too many pieces, and a lower rate would make more
            break
    return rate
