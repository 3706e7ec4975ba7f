"""Metafeatures from targets of which some cells are flipped: what Algorithm 3 becomes under noise (Section 4.1).

Algorithm 3 reads the order of the variables off counts, of the targets that hold two of them. Flips that are
independent, of known rates, spoil these counts in a way that can be undone on average. `noisy_preorder` does that and
comes with a theorem; `noisy_metafeatures` goes further and finds pieces much rarer than the theorem can see; it comes
with measurements.
"""

from collections.abc import Iterable
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, matrix_product, number, real_array

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
    r"""How much one debiased cell varies, and how far one summand of an estimate strays."""
    ones, zeros = _rates(flip_rate)
    keep = 1 - ones - zeros
    below = max(ones * (1 - zeros), zeros * (1 - ones))  # B(1 - B') is between -below and (1 - a)(1 - b), over keep^2
    largest = max((1 - ones) * (1 - zeros), keep**2 + below)
    return max(ones * (1 - ones), zeros * (1 - zeros)) / keep**2, largest / keep**2


def preorder_threshold(m: int, n: int, flip_rate: FlipRate, *, delta: float = 0.01) -> tuple[float, float]:
    r"""From how many exceptions on an estimate speaks against an inclusion, and how many make sure that it does."""
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
    """Pieces, and which of them each target is made of."""

    codes: BoolArray
    pieces: BoolArray

    @property
    def targets(self) -> BoolArray:
        """The unions that the codes name: bool (m, n)."""
        return np.asarray(_cover(self) > 0)


def _cover(found: NoisyPieces) -> Any:
    """How many pieces of its code hold each cell."""
    return matrix_product(found.codes, found.pieces)


def _nats(ones: Any, size: int) -> Any:
    """To say which of so many cells are ones: size times the entropy of their share."""
    share = np.clip(np.asarray(ones, dtype=np.float64) / max(1, size), 1e-15, 1 - 1e-15)
    return -size * (share * np.log(share) + (1 - share) * np.log(1 - share))


def _cost(found: NoisyPieces) -> Any:
    """Nats for each piece: in which targets it is, and which variables it has."""
    (m, _), (_, n) = found.codes.shape, found.pieces.shape
    return _nats(found.codes.sum(axis=0), m) + _nats(found.pieces.sum(axis=1), n)


#: What is tried; of these the move that shortens the description most is made.
MOVES = (
    "grow codes pieces codes pieces drop",
    "codes",
    "pieces drop",
    "close drop",
)


class _Flipped:
    """Flipped targets and what their rates say: which surprises are noise, and what each cell is worth."""

    def __init__(self, targets: BoolArray, rates: tuple[float, float], delta: float) -> None:
        from scipy.stats import binom

        self.A, self.clean = targets.astype(np.float64), not any(rates)
        self.counts, self.joint = debiased_counts(targets, rates)
        m, n = targets.shape
        cells = np.arange(m + 1)
        # no flip is believed to be impossible, for a piece or code may be wrong as well
        least = 0.0 if self.clean else max(*rates, 1e-9) / 10
        self.ones, self.zeros = (max(rate, least) for rate in rates)
        # more flips than these among so many cells have a chance of at most delta / n^2
        self.false_ones, self.false_zeros = (binom.isf(delta / n**2, cells, rate) for rate in (self.ones, self.zeros))
        share = self.A.sum(axis=0) / max(1, m)
        self.spread = share * (1 - share)  # variance of a cell of each column
        if not self.clean:  # what covering a cell gains: log likelihood, in nats
            zero, one = log((1 - self.ones) / self.zeros), log((1 - self.zeros) / self.ones)
            self.gain = np.where(targets, one, -zero)
            self.turned = np.ascontiguousarray(self.gain.T)

    def length(self, found: NoisyPieces, price: float = 1.0) -> float:
        """Nats of the description, up to a constant; codes and pieces are paid for at this price."""
        return price * float(_cost(found).sum()) - float(self.gain[found.targets].sum())

    def extent(self, z: int) -> BoolArray:
        """The targets with z, by naive Bayes: every variable that z goes along with, or avoids, has a say."""
        if self.clean:
            return np.asarray(self.A[:, z] > 0)
        m, c, joint = len(self.A), self.counts, self.joint[z]
        keep = 1 - self.ones - self.zeros
        often = max(float(c[z]), 1.0)
        rare = max(m - often, 1.0)
        # how often each variable is shown with z, and without it
        shares = np.array([joint / often, (c - joint) / rare])
        seen = self.ones + keep * shares
        with_z, without = np.clip(seen, self.ones, 1 - self.zeros)
        # three standard deviations from independence
        spread = np.sqrt(m * self.spread[z] * self.spread) / keep**2
        heard = np.abs(joint - c[z] * c / m) > 3 * spread
        heard[z] = True
        one = np.log(with_z / without) * heard
        zero = np.log((1 - with_z) / (1 - without)) * heard
        odds = matrix_product(self.A, one - zero) + zero.sum()
        return np.asarray(odds + log(often / rare) > 0)

    def closures(self, codes: BoolArray) -> BoolArray:
        """For each code the variables that its targets lack no oftener than noise explains."""
        size = codes.sum(axis=0)
        shown = matrix_product(codes.T.astype(np.float64), self.A)
        few = size[:, None] - shown <= self.false_zeros[size][:, None]
        return np.asarray((size > 0)[:, None] & few)

    def grow(self, found: NoisyPieces, price: float = 1.0) -> NoisyPieces:
        """Algorithm 3 from the rarest variable on: each with more ones than pieces and noise explain gives a piece."""
        cover, codes, pieces = _cover(found), [found.codes], [found.pieces]
        for z in np.argsort(self.counts, kind="stable"):
            free = cover[:, z] == 0  # 1
            if self.A[free, z].sum() > self.false_ones[free.sum()]:
                codes.append(self.extent(z)[:, None])  # 2
                pieces.append(self.closures(codes[-1]))  # 3
                cover += codes[-1] * pieces[-1]
        return NoisyPieces(np.hstack(codes), np.vstack(pieces))

    def codes(self, found: NoisyPieces, price: float) -> NoisyPieces:
        """Better codes, one piece after the other."""
        return NoisyPieces(_vote(found.codes, found.pieces, self.turned, price), found.pieces)

    def pieces(self, found: NoisyPieces, price: float) -> NoisyPieces:
        """The same with targets and variables exchanged."""
        return NoisyPieces(found.codes, _vote(found.pieces.T, found.codes.T, self.gain, price).T)

    def close(self, found: NoisyPieces, price: float) -> NoisyPieces:
        """Each piece becomes what its targets share, up to noise: the closure of Algorithm 3."""
        return NoisyPieces(found.codes, self.closures(found.codes))

    def drop(self, found: NoisyPieces, price: float = 1.0) -> NoisyPieces:
        """Without the pieces, the worst first, that cost as much as the cells are worth that they alone decide."""
        codes = found.codes.astype(np.float64)
        pieces = found.pieces.astype(np.float64)
        cover = _cover(found)
        alone = self.gain * (cover == 1)  # cells that one piece decides
        worth = (matrix_product(alone, pieces.T) * codes).sum(axis=0)
        net = worth - price * _cost(found)
        while net.min(initial=1.0) <= 0:
            j = int(net.argmin())
            net[j] = np.inf
            rows, columns = found.codes[:, j], found.pieces[j]
            box = np.ix_(rows, columns)
            cover[box] -= 1  # other pieces may be alone there now
            alone = self.gain[box] * (cover[box] == 1)
            each = matrix_product(alone, pieces[:, columns].T)
            net += (each * codes[rows]).sum(axis=0)
        left = net < np.inf
        return NoisyPieces(found.codes[:, left], found.pieces[left])

    def shorten(self, found: NoisyPieces, price: float = 1.0) -> NoisyPieces:
        """The best move, again and again, until no move makes the description shorter."""
        best = self.length(found, price)
        while True:
            tried = []
            for move in MOVES:
                moved = found
                for step in move.split():
                    moved = getattr(self, step)(moved, price)
                tried.append((self.length(moved, price), moved))
            length, moved = min(tried, key=lambda pair: pair[0])
            if not length < best - 1e-9 * abs(best):
                return found
            best, found = length, moved

    def descend(self, found: NoisyPieces) -> NoisyPieces:
        """All codes at once, then all pieces at once, by the likelihood alone, while that helps."""
        best, kept = np.inf, found
        while (length := self.length(found, 0.0)) < best:
            best, kept = length, found
            codes = _majority(found, self.gain)
            turned = NoisyPieces(found.pieces.T, codes.T)
            found = NoisyPieces(codes, _majority(turned, self.turned).T)
        return kept


def _vote(codes: BoolArray, pieces: BoolArray, gain: Any, price: float) -> BoolArray:
    """New codes: the cells that a piece alone decides vote, against the log odds of not being in a code."""
    new = codes.T.copy()
    cover = matrix_product(pieces.T.astype(np.float64), new)
    for j, piece in enumerate(pieces):
        z = np.flatnonzero(piece)
        others = cover[z] - new[j]
        share = new[j].mean() if new[j].size else 0.5
        share = min(max(share, 1e-15), 1 - 1e-15)
        against = price * log((1 - share) / share)
        new[j] = (gain[z] * (others == 0)).sum(axis=0) > against
        cover[z] = others + new[j]
    return new.T


def _majority(found: NoisyPieces, gain: Any) -> BoolArray:
    """New codes: each piece stays in a code, or enters it, if the cells that this alone decides are for it."""
    cover, P = _cover(found), found.pieces.T.astype(np.float64)
    leave = matrix_product(gain * (cover == 1), P)
    enter = matrix_product(gain * (cover == 0), P)
    return np.asarray(np.where(found.codes, leave >= 0, enter > 0))


def noisy_metafeatures(targets: ArrayLike, flip_rate: FlipRate, *, delta: float = 0.01) -> NoisyPieces:
    """Algorithm 3 for targets of which some cells are flipped, at a known rate."""
    A = bool_array("targets", targets, axes=2)
    flipped = _Flipped(A, _rates(flip_rate), _confidence(delta))
    nothing = NoisyPieces(np.zeros((len(A), 0), dtype=np.bool_), np.zeros((0, A.shape[1]), dtype=np.bool_))
    grown = flipped.grow(nothing)
    if flipped.clean:
        return grown
    starts = flipped.shorten(nothing, price=0.0), flipped.descend(grown)
    return flipped.drop(min((flipped.shorten(start) for start in starts), key=flipped.length))


#: Flip rates that `estimate_flip_rate` tries.
CANDIDATES = (0.0, 0.005, 0.008, 0.012, 0.0175, 0.025, 0.035, 0.05, 0.07, 0.1, 0.15, 0.2)


def estimate_flip_rate(targets: ArrayLike, *, candidates: Iterable[float] = CANDIDATES, delta: float = 0.01) -> float:
    """The flip rate, when it is not known: that of the shortest description of the targets."""
    A = bool_array("targets", targets, axes=2)
    best, rate = np.inf, -1.0
    given = candidates if isinstance(candidates, np.ndarray) else list(candidates)
    for candidate in sorted(real_array("candidates", given).tolist(), reverse=True):
        found = noisy_metafeatures(A, candidate, delta=delta)
        wrong = found.targets != A
        length = float(_nats(wrong.sum(), wrong.size) + _cost(found).sum())
        if length < best:
            best, rate = length, float(wrong.mean())
        if length > 2 * best:  # too many pieces, and a lower rate would make more
            break
    return rate
