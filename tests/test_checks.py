"""Argument checks: what passes unchanged, and what each error says."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong._checks import bool_array, integer, needs, nonzero, number, real_array, same_dimension


@pytest.mark.parametrize("value", [[1, 2], (1.5, 2), np.float32([1, 2]), np.uint8([1, 2]), [True, False], [[1, 2]]])
def test_real_arrays_become_float64(value):
    found = real_array("x", value)
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found, np.asarray(value, dtype=float))


def test_real_array_does_not_share_memory():
    given = np.ones(3)
    real_array("x", given)[0] = 5
    assert given[0] == 1


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "value",
    [
        [np.nan],
        [np.inf],
        [-np.inf],
        [],
        np.empty((3, 0)),
        1.0,
        [[1], [1, 2]],
        ["1"],
        [b"1"],
        [1j],
        [None],
        None,
        {},
        {1.0},
        [10**400],
        np.array([1, 2], dtype=object),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.array([1], dtype="m8[s]"),
        np.array([np.finfo(np.longdouble).max]),
    ],
    ids=repr,
)
def test_real_array_refuses(value):
    with pytest.raises(ValueError, match=r"^weights: expected an array of finite real numbers .*, got .+"):
        real_array("weights", value)


def test_real_array_counts_axes():
    with pytest.raises(ValueError, match=r"at least 2 axes, got shape \(2,\)"):
        real_array("x", [1, 2], axes=2)
    assert real_array("x", np.ones((2, 3, 4)), axes=2).shape == (2, 3, 4)
    assert real_array("x", np.empty((0, 3)), axes=2).shape == (0, 3)


@pytest.mark.parametrize(
    "value", [[1, 0], [1.0], ["True"], [None], [], np.empty(0, bool), [[True]], True, [[True], [True, False]]], ids=repr
)
def test_bool_array_refuses(value):
    with pytest.raises(ValueError, match=r"^target: expected a boolean array with 1 axis, got .+"):
        bool_array("target", value, axes=1)


def test_bool_array_counts_axes():
    with pytest.raises(ValueError, match=r"with 2 axes, got shape \(1,\)"):
        bool_array("x", [True], axes=2)
    assert bool_array("x", np.empty((0, 3), bool), axes=2).shape == (0, 3)


def test_bool_array_says_how_to_convert():
    with pytest.raises(ValueError, match=r"got dtype int64; convert with \.astype\(bool\)"):
        bool_array("x", np.int64([0, 1]), axes=1)


def test_nonzero_and_same_dimension():
    rows = np.array([[1.0, 0.0], [0.0, 1.0]])
    assert nonzero("x", rows) is rows
    with pytest.raises(ValueError, match=r"^x: expected nonzero vectors, got a zero vector"):
        nonzero("x", np.array([[1.0], [0.0]]))
    same_dimension("x", rows, 2, "y")
    with pytest.raises(ValueError, match=r"^x: expected dimension 3 as in y, got dimension 2"):
        same_dimension("x", rows, 3, "y")


@pytest.mark.parametrize("value", [3, np.int8(3), np.uint64(3)])
def test_integers(value):
    found = integer("k", value, least=1, most=3)
    assert type(found) is int
    assert found == 3


@pytest.mark.parametrize("value", [0, 4, True, np.True_, 2.0, np.float64(2), "2", None, [2], np.array([2]), np.nan])
def test_integer_refuses(value):
    with pytest.raises(ValueError, match=r"^k: expected an integer >= 1 and <= 3, got .+"):
        integer("k", value, least=1, most=3)


@pytest.mark.parametrize("value", [0, 1, 0.5, np.float32(0.5), np.int64(1)])
def test_numbers(value):
    found = number("gamma", value, low=0, high=1)
    assert type(found) is float
    assert found == value


@pytest.mark.parametrize("value", [-1e-9, 1 + 1e-9, np.nan, np.inf, -np.inf, True, np.True_, "0.5", None, 0.5j, [0.5]])
def test_number_refuses(value):
    with pytest.raises(ValueError, match=r"^gamma: expected a number in \[0, 1\], got .+"):
        number("gamma", value, low=0, high=1)


def test_open_ends():
    for value, flag, interval in ((0, "open_low", r"\(0, 1\]"), (1, "open_high", r"\[0, 1\)")):
        with pytest.raises(ValueError, match=rf"^x: expected a number in {interval}, got {value}"):
            number("x", value, low=0, high=1, **{flag: True})


def test_what_is_missing_says_how_to_get_it():
    wanted = r"^sky is missing or too old: this needs `pip install '\.\[learners\]'` in the folder of the book$"
    with pytest.raises(ImportError, match=wanted), needs("sky", extra="learners"):
        from lifelong import no_such_name  # noqa: F401
    with needs("numpy", extra="learners"):
        import numpy  # noqa: F401
