"""The autoencoder of Theorem 5 as an estimator, its network, and what shrinking leaves."""

from __future__ import annotations

import subprocess
import sys
from math import log

import numpy as np
import pytest
import sklearn.base
import sklearn.pipeline
from hypothesis import given
from hypothesis import strategies as st
from set_families import PROPERTY, as_sets, families, missing_one

from lifelong import SparseBooleanAutoencoder, metafeatures
from lifelong.conjunctions import bounds
from lifelong.conjunctions.anchor_sets import anchor_set_candidates
from lifelong.conjunctions.autoencoder import NotFittedError
from lifelong.conjunctions.programme import anchor_programme
from lifelong.conjunctions.rounding import randomised_rounding
from lifelong_book.conjunctions.autoencoders.instances import planted_anchor_sets
from lifelong_book.conjunctions.autoencoders.network import shrink, threshold_network
from lifelong_book.conjunctions.consistency.glyphs import braille, polytonic_greek

# --- the autoencoder --------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["rounding", "exact"])
@pytest.mark.parametrize(("c", "k"), [(1, 3), (2, 3), (2, 4)])
def test_autoencoder_on_planted_instances(method, c, k):
    M, TS = planted_anchor_sets(8, 6, pieces=8 if c == 1 else 20, m=50, c=c, k=k, rng=10 * c + k)
    auto = SparseBooleanAutoencoder(c=c, k=k, method=method, rng=0).fit(TS)
    codes = auto.transform(TS)
    np.testing.assert_array_equal(auto.inverse_transform(codes), TS)
    assert codes.sum(axis=1).max() <= auto.level_ <= bounds.rounded_sparsity(TS.shape[1], k=k, m=len(TS))
    assert auto.satisfies(TS)
    assert auto.lp_value_ <= len(M) + 1e-6
    assert method == "rounding" or (auto.level_ == k and len(auto.metafeatures_) <= len(M))
    assert auto.anchors_.shape == auto.metafeatures_.shape
    assert auto.anchors_.sum(axis=1).max() <= c
    assert not (auto.anchors_ & ~auto.metafeatures_).any()
    network = threshold_network(auto.metafeatures_)
    np.testing.assert_array_equal(network.hidden(TS), codes)
    np.testing.assert_array_equal(network(TS), TS)


def test_fractional_programmes_are_rounded_and_solved_exactly():
    TS = missing_one(12)
    rounded = SparseBooleanAutoencoder(c=2, k=10, rng=0).fit(TS)
    exact = SparseBooleanAutoencoder(c=2, k=10, method="exact").fit(TS)
    assert rounded.lp_value_ == exact.lp_value_ == pytest.approx(6.6)
    assert (len(exact.metafeatures_), exact.level_, exact.roundings_) == (12, 10, 0)
    assert rounded.roundings_ >= 1
    assert rounded.level_ == int(2 * 10 * log(12**3))
    assert rounded.satisfies(TS) and exact.satisfies(TS)
    assert not rounded.satisfies(TS, k=1)


def test_what_cannot_be_done_is_refused():
    with pytest.raises(ValueError, match=r"^k: expected a sparsity level .* c = 1, got 2: "):
        SparseBooleanAutoencoder(c=1, k=2).fit(missing_one(5))
    assert SparseBooleanAutoencoder(c=2, k=2, rng=0).fit(missing_one(5)).lp_value_ == pytest.approx(10 / 3)
    with pytest.raises(ValueError, match=r"^k: expected a sparsity level .* c = 2, got 2: "):
        SparseBooleanAutoencoder(c=2, k=2, method="exact").fit(missing_one(5))


def test_giving_up_after_the_attempts(monkeypatch):
    monkeypatch.setattr("lifelong.conjunctions.bounds.rounding_logarithm", lambda n, m: 0.01)
    made = []

    def counted(solution, *, rng):
        made.append(randomised_rounding(solution, rng=rng))
        return made[-1]

    monkeypatch.setattr("lifelong.conjunctions.autoencoder.randomised_rounding", counted)
    with pytest.raises(RuntimeError, match=r"^attempts: expected a successful rounding within 3, got none"):
        SparseBooleanAutoencoder(c=2, k=18, rng=0, attempts=3).fit(missing_one(20))
    assert len(made) == 3 and not any(rounding.succeeded.any() for rounding in made)


def test_codes_of_other_images():
    dots = braille()
    auto = SparseBooleanAutoencoder(c=1, k=8, rng=0).fit(dots.images[:200])
    decoded = auto.inverse_transform(auto.transform(dots.images[200:]))
    assert not (decoded & ~dots.images[200:]).any()


def test_polytonic_greek():
    greek = polytonic_greek()
    auto = SparseBooleanAutoencoder(c=2, k=4, rng=0).fit(greek.images)
    assert auto.roundings_ == 0  # integral
    assert auto.satisfies(greek.images, k=4)
    assert len(auto.metafeatures_) == auto.lp_value_ < len(greek.components) < len(metafeatures(greek.images))
    assert anchor_programme(greek.images, c=2, k=3) is None


@pytest.mark.parametrize("TS", [np.zeros((0, 4), bool), np.zeros((3, 4), bool)], ids=["none", "blank"])
def test_nothing_to_do(TS):
    auto = SparseBooleanAutoencoder(c=2, k=1).fit(TS)
    assert auto.metafeatures_.shape == auto.anchors_.shape == (0, 4)
    assert auto.satisfies(TS)


# --- the estimator ----------------------------------------------------------------------------------


def test_a_seed_gives_the_same_pieces_at_every_fit():
    auto = SparseBooleanAutoencoder(c=2, k=7, rng=0)
    first, again = (auto.fit(missing_one(9)).metafeatures_ for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert auto.roundings_ >= 1  # by chance, not by an integral programme


def test_a_generator_goes_on_where_it_stands():
    auto = SparseBooleanAutoencoder(c=2, k=7, rng=np.random.default_rng(0))
    sizes = [len(auto.fit(missing_one(9)).metafeatures_) for _ in range(2)]
    assert sizes == [34, 32]
    assert sizes[0] == len(SparseBooleanAutoencoder(c=2, k=7, rng=0).fit(missing_one(9)).metafeatures_)


def test_the_constructor_stores_what_it_is_given():
    given = {"c": object(), "k": -1, "method": "lp", "rng": np.random.default_rng(0), "attempts": None}
    auto = SparseBooleanAutoencoder(**given)
    assert all(auto.get_params()[name] is value for name, value in given.items())
    assert {name for name in vars(auto) if name.endswith("_")} == set()
    with pytest.raises(TypeError, match="positional"):
        SparseBooleanAutoencoder(1, 2)


def test_a_clone_has_the_arguments_and_none_of_the_pieces():
    auto = SparseBooleanAutoencoder(c=2, k=7, rng=3, attempts=10).fit(missing_one(9))
    copy = sklearn.base.clone(auto)
    assert copy.get_params() == auto.get_params() == {"c": 2, "k": 7, "method": "rounding", "rng": 3, "attempts": 10}
    assert not hasattr(copy, "metafeatures_")
    np.testing.assert_array_equal(copy.fit(missing_one(9)).metafeatures_, auto.metafeatures_)
    assert repr(copy) == "SparseBooleanAutoencoder(c=2, k=7, method='rounding', rng=3, attempts=10)"


def test_parameters_are_set_by_name():
    auto = SparseBooleanAutoencoder(c=2, k=10, rng=0).fit(missing_one(12))
    assert auto.set_params(method="exact") is auto
    assert auto.roundings_ >= 1  # until the next fit
    assert auto.fit(missing_one(12)).roundings_ == 0
    with pytest.raises(ValueError, match=r"^params: expected names among \['c', .*, got \['gamma'\]"):
        auto.set_params(gamma=1, k=3)
    assert auto.k == 10


def test_a_fit_that_fails_leaves_the_last_one(monkeypatch):
    auto = SparseBooleanAutoencoder(c=2, k=10, rng=0, attempts=50).fit(missing_one(12))
    before = {name: value for name, value in vars(auto).items() if name.endswith("_")}
    monkeypatch.setattr("lifelong.conjunctions.bounds.rounding_logarithm", lambda n, m: 0.01)
    with pytest.raises(RuntimeError):
        auto.fit(missing_one(13))
    assert all(getattr(auto, name) is value for name, value in before.items())


@pytest.mark.parametrize("ask", ["transform", "inverse_transform", "satisfies"])
def test_before_fit_there_is_nothing_to_ask(ask):
    auto = SparseBooleanAutoencoder(c=1, k=1)
    for kind in (NotFittedError, ValueError, AttributeError):
        with pytest.raises(kind, match=r"^this SparseBooleanAutoencoder has no pieces yet: call fit first$"):
            getattr(auto, ask)(TWO)


def test_fit_and_transform_at_once():
    targets = missing_one(12)
    auto = SparseBooleanAutoencoder(c=2, k=10, rng=0)
    codes = auto.fit_transform(targets, None)
    np.testing.assert_array_equal(codes, auto.fit(targets, None).transform(targets))


def test_in_a_pipeline():
    targets = missing_one(12)
    pipeline = sklearn.pipeline.make_pipeline(SparseBooleanAutoencoder(c=2, k=10, rng=0))
    codes = pipeline.fit_transform(targets)
    np.testing.assert_array_equal(pipeline.transform(targets), codes)
    np.testing.assert_array_equal(pipeline.inverse_transform(codes), targets)


def test_importing_needs_no_sklearn():
    code = "import sys, lifelong.conjunctions.autoencoder; sys.exit('sklearn' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# --- the network and smaller pieces -----------------------------------------------------------------


@given(families(), families())
@PROPERTY
def test_network_is_and_then_or(M, X):
    n = min(M.shape[1], X.shape[1])
    M, X = M[:, :n], X[:, :n]
    network = threshold_network(M)
    hidden = [[m <= x for m in as_sets(M)] for x in as_sets(X)]
    assert network.hidden(X).tolist() == hidden
    out = [frozenset().union(*(m for m in as_sets(M) if m <= x)) for x in as_sets(X)]
    assert as_sets(network(X)) == out


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


def test_small_pieces_give_first():
    TS = np.array([[True, True, True]])
    for M in ([[1, 1, 1], [1, 1, 0]], [[1, 1, 0], [1, 1, 1]]):
        pieces = np.array(M, dtype=bool)
        np.testing.assert_array_equal(shrink(pieces, TS), pieces & pieces.all(axis=1)[:, None])


# --- bad input --------------------------------------------------------------------------------------


TWO, THREE = np.eye(2, dtype=bool), np.eye(3, dtype=bool)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: shrink(TWO, THREE), "metafeatures: expected dimension 3"),
        (lambda: shrink(TWO[:1], TWO), "targets: expected unions of the metafeatures"),
        (lambda: SparseBooleanAutoencoder(c=0, k=1).fit(TWO), "c: expected an integer >= 1"),
        (lambda: SparseBooleanAutoencoder(c=1, k=0).fit(TWO), "k: expected an integer >= 1"),
        (
            lambda: SparseBooleanAutoencoder(c=1, k=1, method="lp").fit(TWO),
            "method: expected 'rounding' or 'exact', got 'lp'",
        ),
        (lambda: SparseBooleanAutoencoder(c=1, k=1, attempts=0).fit(TWO), "attempts: expected an integer >= 1"),
        (lambda: SparseBooleanAutoencoder(c=1, k=1).fit(TWO).transform(THREE), "targets: expected dimension 2"),
        (lambda: SparseBooleanAutoencoder(c=1, k=1).fit(TWO).inverse_transform(THREE), "codes: expected dimension 2"),
        (lambda: SparseBooleanAutoencoder(c=1, k=1).fit(TWO).satisfies(TWO, k=-1), "k: expected an integer >= 0"),
        (lambda: threshold_network([1]), "metafeatures: expected a boolean array"),
        (lambda: threshold_network(TWO)(THREE), "images: expected dimension 2"),
    ],
)
def test_bad_input_is_refused(call, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        call()
