"""The autoencoder of Theorem 5, its network, and what shrinking leaves."""

from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, families, missing_one

from lifelong import SparseBooleanAutoencoder
from lifelong.conjunctions import bounds
from lifelong.conjunctions.autoencoder import anchor_set_candidates, randomised_rounding
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.autoencoders.network import shrink

NINE, TWELVE = missing_one(9), missing_one(12)


@pytest.mark.parametrize("method", ["rounding", "exact"])
@pytest.mark.parametrize(("c", "k"), [(1, 3), (2, 4)])
def test_autoencoder_on_planted_instances(method, c, k):
    M, TS = planted_anchor_sets(8, 6, pieces=8 if c == 1 else 20, m=50, c=c, k=k, rng=10 * c + k)
    auto = SparseBooleanAutoencoder(c=c, k=k, method=method, rng=0).fit(TS)
    codes = auto.transform(TS)
    np.testing.assert_array_equal(auto.inverse_transform(codes), TS)
    assert codes.sum(axis=1).max() <= auto.level_ <= bounds.rounded_sparsity(TS.shape[1], k=k, m=len(TS))
    assert auto.satisfies(TS) and auto.lp_value_ <= len(M) + 1e-6
    assert method == "rounding" or (auto.level_ == k and len(auto.metafeatures_) <= len(M))
    assert auto.anchors_.shape == auto.metafeatures_.shape and auto.anchors_.sum(axis=1).max() <= c
    assert not (auto.anchors_ & ~auto.metafeatures_).any()


def test_fractional_programmes_are_rounded_and_solved_exactly():
    auto = SparseBooleanAutoencoder(c=2, k=10, rng=0).fit(TWELVE)
    assert auto.lp_value_ == pytest.approx(6.6)  # n (n - 1) / (2 (n - 2))
    assert auto.roundings_ >= 1 and auto.level_ == int(2 * 10 * log(12**3))
    assert auto.satisfies(TWELVE) and not auto.satisfies(TWELVE, k=1)
    auto = SparseBooleanAutoencoder(c=2, k=10, method="exact").fit(TWELVE)
    assert (len(auto.metafeatures_), auto.level_, auto.roundings_) == (12, 10, 0)
    assert auto.lp_value_ == pytest.approx(6.6) and auto.satisfies(TWELVE)


def test_what_cannot_be_done_is_refused():
    assert SparseBooleanAutoencoder(c=2, k=2, rng=0).fit(missing_one(5)).lp_value_ == pytest.approx(10 / 3)
    for c, method in ((1, "rounding"), (2, "exact")):
        with pytest.raises(ValueError, match=r"^k: .* feasible"):
            SparseBooleanAutoencoder(c=c, k=2, method=method, attempts=1).fit(missing_one(5))


def test_giving_up_after_the_attempts_leaves_the_last_fit(monkeypatch):
    auto = SparseBooleanAutoencoder(c=2, k=18, rng=0, attempts=3).fit(TWELVE)
    before = {name: value for name, value in vars(auto).items() if name.endswith("_")}
    for module in ("autoencoder", "bounds"):
        monkeypatch.setattr(f"lifelong.conjunctions.{module}.rounding_logarithm", lambda n, m: 0.01)
    made = []

    def counted(solution, *, rng):
        made.append(randomised_rounding(solution, rng=rng))
        return made[-1]

    monkeypatch.setattr("lifelong.conjunctions.autoencoder.randomised_rounding", counted)
    with pytest.raises(RuntimeError, match=r"^attempts"):
        auto.fit(missing_one(20))
    assert len(made) == 3 and not any(rounding.succeeded.any() for rounding in made)
    assert all(getattr(auto, name) is value for name, value in before.items())


def test_a_seed_gives_the_same_pieces_at_every_fit_and_a_generator_goes_on():
    auto = SparseBooleanAutoencoder(c=2, k=7, rng=0)
    first, again = (auto.fit(NINE).metafeatures_ for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert auto.roundings_ >= 1  # by chance, not by an integral programme
    auto = SparseBooleanAutoencoder(c=2, k=7, rng=np.random.default_rng(0))
    np.testing.assert_array_equal(auto.fit(NINE).metafeatures_, first)
    assert not np.array_equal(auto.fit(NINE).metafeatures_, first)


@given(families(), st.integers(1, 3))
@PROPERTY
def test_shrunk_pieces_still_explain_and_none_can_give_more(TS, c):
    M = anchor_set_candidates(TS, c=c)
    small = shrink(M, TS)
    assert not (small & ~M).any()
    inside = (TS[:, None] | ~M).all(axis=2)

    def explains(rows):
        return all(np.array_equal(rows[code].any(axis=0), T) for code, T in zip(inside, TS, strict=True))

    assert explains(small)
    for j, i in zip(*np.nonzero(small), strict=True):
        less = small.copy()
        less[j, i] = False
        assert not explains(less)
