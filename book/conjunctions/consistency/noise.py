"""Metafeatures from targets of which some cells are flipped: what Algorithm 3 becomes under noise (Section 4.1).

Algorithm 3 reads the order of the variables off counts, of the targets that hold two of them. Flips that are
independent, of known rates, spoil these counts in a way that can be undone on average. `noisy_preorder` does that and
comes with a theorem; `noisy_metafeatures` goes further and finds pieces much rarer than the theorem can see; it comes
with measurements.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import log, sqrt
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, bool_array, integer, number, real_array
from lifelong._counts import matrix_product

__all__ = [
    "NoisyPieces",
    "NoisyPreorder",
    "debiased_counts",
    "estimate_flip_rate",
    "flip_scale",
    "noisy_metafeatures",
    "noisy_preorder",
    "preorder_threshold",
]

#: A flip rate, or two: of false ones (0 read as 1) and of false zeros (1 read as 0).
FlipRate = float | tuple[float, float]


def _rates(flip_rate: Any) -> tuple[float, float]:
    """Rates of false ones and of false zeros, that together stay below 1."""
    if not isinstance(flip_rate, tuple):
        rate = number("flip_rate", flip_rate, low=0.0, high=0.5, open_high=True)
        return rate, rate
    if len(flip_rate) != 2:
        raise ValueError(f"flip_rate: expected a number or a pair of numbers, got {flip_rate!r}")
    ones, zeros = (number("flip_rate", rate, low=0.0, high=1.0, open_high=True) for rate in flip_rate)
    if ones + zeros >= 1:
        raise ValueError(f"flip_rate: expected a pair with a sum below 1, got {flip_rate!r}")
    return ones, zeros


def _confidence(delta: Any) -> float:
    return number("delta", delta, low=0.0, high=1.0, open_low=True, open_high=True)


# the preorder, with a theorem ----------------------------------------------------------------------------


def debiased_counts(targets: ArrayLike, flip_rate: FlipRate) -> tuple[FloatArray, FloatArray]:
    r"""Unbiased estimates of :math:`|N(z)|` and :math:`|N(z)\cap N(w)|` from flipped targets.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row, each cell flipped with the given probability; m may be 0.
    flip_rate : float or tuple of two floats
        Probability of a flip, in [0, 1/2); or those of a false one and of a false zero, with a sum below 1.

    Returns
    -------
    single : float64, shape (n,)
        Unbiased for the number of true targets with z.
    joint : float64, shape (n, n)
        Unbiased for the number of true targets with z and w; its diagonal is `single`.

    Raises
    ------
    ValueError
        If `targets` is no boolean matrix, or a rate is out of range.

    Notes
    -----
    The first step of `prop-noise-preorder`. With rates 0 the counts are exact.

    Examples
    --------
    >>> single, joint = debiased_counts([[True, True], [True, False]], 0.0)
    >>> single, joint.tolist()
    (array([2., 1.]), [[2.0, 1.0], [1.0, 1.0]])
    """
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
    r"""How much one debiased cell varies, and how far one summand of an estimate strays.

    Parameters
    ----------
    flip_rate : float or tuple of two floats
        As for `debiased_counts`: p, or a and b.

    Returns
    -------
    variance : float
        Of a debiased cell, the larger of the two kinds: :math:`p(1-p)/(1-2p)^2`.
    largest : float
        The largest distance of B(1 - B'), for debiased cells B and B', from its mean: :math:`((1-p)/(1-2p))^2`.

    Raises
    ------
    ValueError
        If a rate is out of range.

    Notes
    -----
    What `prop-noise-preorder` puts into Bernstein's inequality.

    Examples
    --------
    >>> flip_scale(0.25)
    (0.75, 2.25)
    """
    ones, zeros = _rates(flip_rate)
    keep = 1 - ones - zeros
    below = max(ones * (1 - zeros), zeros * (1 - ones))  # B(1 - B') is between -below and (1 - a)(1 - b), over keep^2
    largest = max((1 - ones) * (1 - zeros), keep**2 + below)
    return max(ones * (1 - ones), zeros * (1 - zeros)) / keep**2, largest / keep**2


def preorder_threshold(m: int, n: int, flip_rate: FlipRate, *, delta: float = 0.01) -> tuple[float, float]:
    r"""From how many exceptions on an estimate speaks against an inclusion, and how many make sure that it does.

    Parameters
    ----------
    m : int
        Targets, at least 0.
    n : int
        Variables, at least 1.
    flip_rate : float or tuple of two floats
        As for `debiased_counts`.
    delta : float, default 0.01
        Chance of any mistake that is put up with, in (0, 1).

    Returns
    -------
    threshold : float
        An inclusion is believed if the estimate of its exceptions is at most this; 0 without noise.
    gap : float
        Numbers of exceptions that are 0 or at least this are told apart; 0 without noise.

    Raises
    ------
    ValueError
        If an argument is out of range.

    Notes
    -----
    The two numbers of `prop-noise-preorder`.

    Examples
    --------
    >>> [round(x, 1) for x in preorder_threshold(2000, 60, 0.02)]
    [42.2, 91.5]
    >>> preorder_threshold(2000, 60, 0.0)
    (0.0, 0.0)
    """
    m, n = integer("m", m, least=0), integer("n", n, least=1)
    L = log(n**2 / _confidence(delta))
    variance, largest = flip_scale(flip_rate)
    if variance == 0:
        return 0.0, 0.0
    threshold = sqrt(2 * L * m * variance * (1 + variance)) + 2 / 3 * L * largest
    half = L * variance / 2
    return threshold, (sqrt(2 * threshold + half) + sqrt(half)) ** 2


class NoisyPreorder(NamedTuple):
    r"""Which variables occur, and which N(z) lie inside which N(w), judged through noise.

    Parameters
    ----------
    exceptions : float64, shape (n, n)
        Unbiased for :math:`|N(z)\setminus N(w)|`; 0 on the diagonal.
    counts : float64, shape (n,)
        Unbiased for :math:`|N(z)|`.
    threshold : float
        See `preorder_threshold`.
    gap : float
        See `preorder_threshold`.
    inside : bool, shape (n, n)
        Whether N(z) is judged to lie inside N(w).
    occurs : bool, shape (n,)
        Whether N(z) is judged not to be empty.

    Notes
    -----
    What `prop-noise-preorder` speaks of.

    Examples
    --------
    >>> noisy_preorder([[True, True, False], [False, True, True]], 0.0).pieces.astype(int)
    array([[0, 1, 1],
           [1, 1, 0]])
    """

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
    r"""The order of the variables from flipped targets: N(z) is inside N(w) if few exceptions are estimated.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row, each cell flipped with the given probability, all independently; m may be 0.
    flip_rate : float or tuple of two floats
        Probability of a flip, in [0, 1/2); or those of a false one and of a false zero, with a sum below 1.
    delta : float, default 0.01
        Chance of any mistake that is put up with, in (0, 1).

    Returns
    -------
    NoisyPreorder
        With probability at least 1 - delta no true inclusion is missing, and none is believed that has `gap`
        exceptions or more. So if all true numbers :math:`|N(z)|` and :math:`|N(z)\setminus N(w)|` are 0 or at least
        the gap, the order is the true one, and the `pieces` are those of Algorithm 3, on the targets before the
        flips, that lie in no other one.

    Raises
    ------
    ValueError
        If `targets` is no boolean matrix, or another argument is out of range.

    See Also
    --------
    noisy_metafeatures : finds much rarer pieces, without a guarantee.

    Notes
    -----
    `prop-noise-preorder`. The gap grows like the square root of m, so it is of no use for rare variables. With one
    rate p and u targets seen with z and not w, v with w and not z, the estimate of the exceptions is
    :math:`((1-p)u+pv-mp(1-p))/(1-2p)^2`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> clean = np.repeat([[True, True, False], [False, True, True]], 500, axis=0)
    >>> order = noisy_preorder(clean ^ (rng.random(clean.shape) < 0.05), 0.05)
    >>> order.pieces.astype(int)
    array([[0, 1, 1],
           [1, 1, 0]])
    """
    A = bool_array("targets", targets, axes=2)
    threshold, gap = preorder_threshold(len(A), A.shape[1], flip_rate, delta=delta)
    counts, joint = debiased_counts(A, flip_rate)
    exceptions = counts[:, None] - joint
    return NoisyPreorder(exceptions, counts, threshold, gap, exceptions <= threshold, counts > threshold)


# pieces and codes ----------------------------------------------------------------------------------------


class NoisyPieces(NamedTuple):
    """Pieces, and which of them each target is made of.

    Parameters
    ----------
    codes : bool, shape (m, k)
    pieces : bool, shape (k, n)

    Notes
    -----
    What `noisy_metafeatures` returns; without noise see `prop-noise-exact`.

    Examples
    --------
    >>> NoisyPieces(np.eye(2, dtype=bool), np.array([[True, False], [True, True]])).targets.astype(int)
    array([[1, 0],
           [1, 1]])
    """

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
MOVES = ("grow codes pieces codes pieces drop", "codes", "pieces drop", "close drop")


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
        m, often, keep = len(self.A), max(float(self.counts[z]), 1.0), 1 - self.ones - self.zeros
        rare = max(m - often, 1.0)
        shares = np.array([self.joint[z] / often, (self.counts - self.joint[z]) / rare])
        inside, outside = np.clip(self.ones + keep * shares, self.ones, 1 - self.zeros)
        together = self.joint[z] - self.counts[z] * self.counts / m
        heard = np.abs(together) > 3 * np.sqrt(m * self.spread[z] * self.spread) / keep**2  # three standard deviations
        heard[z] = True
        absent = np.log((1 - inside) / (1 - outside)) * heard
        odds = matrix_product(self.A, np.log(inside / outside) * heard - absent) + absent.sum()
        return np.asarray(odds + log(often / rare) > 0)

    def closures(self, codes: BoolArray) -> BoolArray:
        """For each code the variables that its targets lack no oftener than noise explains."""
        size = codes.sum(axis=0)
        lacking = size[:, None] - matrix_product(codes.T.astype(np.float64), self.A)
        return np.asarray((size > 0)[:, None] & (lacking <= self.false_zeros[size][:, None]))

    def grow(self, found: NoisyPieces, price: float = 1.0) -> NoisyPieces:
        """Algorithm 3 from the rarest variable on: each with more ones than pieces and noise explain gives a piece."""
        cover, codes, pieces = _cover(found), [found.codes], [found.pieces]
        for z in np.argsort(self.counts, kind="stable"):
            free = cover[:, z] == 0
            if self.A[free, z].sum() > self.false_ones[free.sum()]:
                codes.append(self.extent(z)[:, None])
                pieces.append(self.closures(codes[-1]))
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
        codes, pieces, cover = found.codes.astype(np.float64), found.pieces.astype(np.float64), _cover(found)
        net = (matrix_product(self.gain * (cover == 1), pieces.T) * codes).sum(axis=0) - price * _cost(found)
        while net.min(initial=1.0) <= 0:
            j = int(net.argmin())
            net[j] = np.inf
            rows, columns = found.codes[:, j], found.pieces[j]
            box = np.ix_(rows, columns)
            cover[box] -= 1  # other pieces may be alone there now
            net += (matrix_product(self.gain[box] * (cover[box] == 1), pieces[:, columns].T) * codes[rows]).sum(axis=0)
        return NoisyPieces(found.codes[:, net < np.inf], found.pieces[net < np.inf])

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
            found = NoisyPieces(codes, _majority(NoisyPieces(found.pieces.T, codes.T), self.turned).T)
        return kept


def _vote(codes: BoolArray, pieces: BoolArray, gain: Any, price: float) -> BoolArray:
    """New codes: the cells that a piece alone decides vote, against the log odds of not being in a code.

    The gain has a row for each variable. The entropy is concave, so its tangent at the old share lies above it, and the
    vote minimises the length with the tangent in its place: the description never becomes longer.
    """
    new = codes.T.copy()
    cover = matrix_product(pieces.T.astype(np.float64), new)
    for j, piece in enumerate(pieces):
        z = np.flatnonzero(piece)
        others = cover[z] - new[j]
        share = min(max(new[j].mean(), 1e-15), 1 - 1e-15) if new[j].size else 0.5
        new[j] = (gain[z] * (others == 0)).sum(axis=0) > price * log((1 - share) / share)
        cover[z] = others + new[j]
    return new.T


def _majority(found: NoisyPieces, gain: Any) -> BoolArray:
    """New codes: each piece stays in a code, or enters it, if the cells that this alone decides are for it."""
    cover, P = _cover(found), found.pieces.T.astype(np.float64)
    leave, enter = matrix_product(gain * (cover == 1), P), matrix_product(gain * (cover == 0), P)
    return np.asarray(np.where(found.codes, leave >= 0, enter > 0))


def noisy_metafeatures(targets: ArrayLike, flip_rate: FlipRate, *, delta: float = 0.01) -> NoisyPieces:
    """Algorithm 3 for targets of which some cells are flipped, at a known rate.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row, each cell flipped with the given probability; m may be 0.
    flip_rate : float or tuple of two floats
        Probability of a flip, in [0, 1/2); or those of a false one and of a false zero, with a sum below 1.
    delta : float, default 0.01
        A new piece is tried, and a variable left out of it, if noise would do the same with a chance below
        delta / n^2; in (0, 1).

    Returns
    -------
    NoisyPieces
        Codes and pieces; their number is found, not given. With flip rate 0 the pieces are those of Algorithm 3, the
        rarest variable first, and each code holds the pieces inside its target. With noise each piece is worth more
        than it costs, but there is no guarantee that it is a true one, and the unions need not be the targets: that is
        what makes them useful.

    Raises
    ------
    ValueError
        If `targets` is no boolean matrix, or another argument is out of range.

    See Also
    --------
    noisy_preorder : a part of the same idea, with a theorem.
    estimate_flip_rate : for when the rate is not known.

    Notes
    -----
    Not in the paper. `prop-noise-exact` says what it is without noise. With noise one number judges every move: the
    nats that it takes to describe the targets by pieces, codes and flips. Pieces grow as in Algorithm 3, their targets
    found with the help of all variables (naive Bayes); codes and pieces are improved in turn; pieces are closed again,
    or dropped. The move that shortens the description most is made, until none does. This is done from two starts, the
    ends of searches in which codes and pieces cost nothing, and the shorter description is returned.

    Examples
    --------
    >>> A = np.array([[1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1]] * 50) > 0
    >>> A[[0, 2, 99], [1, 5, 0]] ^= True  # one false zero, two false ones
    >>> found = noisy_metafeatures(A, 0.01)
    >>> found.pieces.astype(int)
    array([[1, 1, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 1, 1, 1]])
    >>> int((found.targets != A).sum())
    3
    """
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
    """The flip rate, when it is not known: that of the shortest description of the targets.

    Parameters
    ----------
    targets : array_like, shape (m, n), bool
        One conjunction a row, each cell flipped with the same unknown probability; m at least 1.
    candidates : iterable of float, default `CANDIDATES`
        Rates to try, each in [0, 1/2), from the highest down; the rest is left out when the description has become
        twice as long as the shortest.
    delta : float, default 0.01
        As for `noisy_metafeatures`.

    Returns
    -------
    float
        For each candidate the targets are described by pieces, codes and the cells that remain wrong; to say which of
        so many cells are ones takes their number times the entropy of the share of ones. Returned is the share of
        wrong cells of the shortest description: not the candidate itself, but what remained when it was believed.

    Raises
    ------
    ValueError
        If `targets` is no boolean matrix with a row, there is no candidate, or one is out of range.

    See Also
    --------
    noisy_metafeatures : what each candidate is tried with.

    Notes
    -----
    The principle of the minimum description length, which Miettinen and Vreeken brought to Boolean factors (2014); for
    the rate of `prop-noise-preorder` and `prop-noise-exact`. It comes without a guarantee.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> clean = np.array([[1, 1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1]] * 200) > 0
    >>> flips = rng.random(clean.shape) < 0.03
    >>> bool(abs(estimate_flip_rate(clean ^ flips) - flips.mean()) < 0.001)
    True
    >>> estimate_flip_rate(clean)
    0.0
    """
    A = bool_array("targets", targets, axes=2)
    if not len(A):
        raise ValueError("targets: expected at least one target, got none")
    best, rate = np.inf, -1.0
    given = candidates if isinstance(candidates, np.ndarray) else list(candidates)
    for candidate in sorted(real_array("candidates", given, empty=True).tolist(), reverse=True):
        found = noisy_metafeatures(A, candidate, delta=delta)
        wrong = found.targets != A
        length = float(_nats(wrong.sum(), wrong.size) + _cost(found).sum())
        if length < best:
            best, rate = length, float(wrong.mean())
        if length > 2 * best:  # too many pieces, and a lower rate would make more
            break
    if rate < 0:
        raise ValueError("candidates: expected at least one rate, got none")
    return rate
