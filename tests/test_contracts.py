"""Types that a public function promises are enforced where it is called, and break-downs say for which arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import pytest
from numpy.typing import ArrayLike

from lifelong._checks import BoolArray, FloatArray, RNGLike
from lifelong._contracts import checked, checked_record
from lifelong.laws import Gaussian, Law


@checked
def everything(
    k: int,
    *,
    x: float = 0.0,
    rows: FloatArray | None = None,
    truths: BoolArray | None = None,
    numbers: ArrayLike = (1,),
    rng: RNGLike = None,
    law: Law | None = None,
    rule: Callable[[int], int] = abs,
    way: Literal["up", "down"] = "up",
    flag: bool = False,
    many: Iterable[int] = (),
    free: Any = None,
) -> Any:
    """What it was given."""
    return k, x, rows, truths, numbers


def test_values_come_in_one_form():
    k, x, rows, truths, numbers = everything(
        np.int8(100),
        x=np.float32(0.5),
        rows=np.asfortranarray([[1, 2], [3, 4]]),
        truths=[True],
        numbers=np.uint8([200]),
    )
    assert type(k) is int and type(x) is float and k * k == 10_000
    assert rows.dtype == np.float64 and rows.flags.c_contiguous and truths.dtype == np.bool_
    assert (numbers * numbers).tolist() == [40_000]


def test_what_is_in_its_form_is_not_copied():
    given = np.ones((2, 3))
    assert everything(1, rows=given)[2] is given


BAD: dict[str, list[Any]] = {
    "k": [1.0, True, "1", None, 10**19],
    "x": [np.nan, np.inf, "1", None, 1j, 10**400],
    "rows": [[np.nan], [[1], [1, 2]], "rows", [1j], np.ma.array([1.0, 2.0], mask=[True, False])],
    "truths": [[1, 0], [1.0], ["True"]],
    "numbers": [None, "1", [1j], {}, [np.inf]],
    "rng": [1.5, "a", -1],
    "law": [3, "gaussian", Gaussian],
    "way": ["left", None, ["up"]],
    "flag": [1, None, "no"],
    "many": [3, None, "several"],
}


@pytest.mark.parametrize("name", BAD)
def test_other_types_are_refused_by_name(name):
    for value in BAD[name]:
        with pytest.raises((ValueError, TypeError), match=rf"^{name}: expected .+, got .+"):
            everything(**({"k": 1} | {name: value}))


def test_what_has_no_type_passes():
    assert everything(1, free=object())[0] == 1


@checked
def inverse(x: float, *, shift: int = 0) -> float:
    """One over x; NaN at 7."""
    return float("nan") if x == 7 else 1 / (x - shift)


@checked
def failing(x: float) -> float:
    """Raise what is no break-down of a computation."""
    raise KeyError(x) if x else AssertionError


def test_a_break_down_says_for_which_arguments():
    with pytest.raises(
        ValueError, match=r"^x, shift: expected arguments for which inverse is .+, got x=2.0, shift=2$"
    ) as e:
        inverse(2.0, shift=2)
    assert isinstance(e.value.__cause__, ZeroDivisionError)
    with pytest.raises(ValueError, match=r"^x: expected arguments for which inverse is defined, got x=7.0$"):
        inverse(7.0)


def test_other_errors_pass():
    for x, kind in ((1.0, KeyError), (0.0, AssertionError)):
        with pytest.raises(kind):
            failing(x)


class Named:
    """A class with a checked method."""

    @checked
    def half(self, k: int) -> float:
        """Half of k."""
        return k / 0 if k == 1 else k / 2


def test_methods_are_checked_and_their_errors_pass():
    assert Named().half(np.int8(4)) == 2
    with pytest.raises(ValueError, match=r"^k: expected an integer"):
        Named().half("4")
    with pytest.raises(ZeroDivisionError):
        Named().half(1)


@checked_record
@dataclass(frozen=True)
class Size:
    """A record."""

    n: int


def test_records_are_checked():
    assert type(Size(np.uint8(3)).n) is int
    with pytest.raises(ValueError, match=r"^n: expected an integer"):
        Size("3")
