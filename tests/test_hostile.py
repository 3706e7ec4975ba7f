"""Every public callable under hostile arguments: a right answer, or a refusal that says what was wrong.

`hostile.py` makes the arguments. An answer to another form of the same value (a small integer, another order or
container) is the answer to the plain one, bit for bit. Whatever else is given, the outcome is an answer without NaN or
a ValueError or TypeError that names an argument, what was given and what is expected; and no argument is changed.
"""

from __future__ import annotations

import copy
import inspect
import re
import signal
import warnings
from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from tests import hostile

REFUSAL = re.compile(r"([\w.\[\]]+)(, [\w.\[\]]+)*: expected .+, got .+", re.S)

#: Forms of the same value that a function may refuse, but not answer otherwise.
MAY_BE_REFUSED = {"a list", "DataFrame-like", "sparse-like", "float16", "float32", "float64", "longdouble"}

#: Where an answer takes long, a part of the forms will do.
SLOW = {
    "halfspaces.sample_studies.unlucky_run": 12,
    "halfspaces.sample_studies.compare": 6,
    "halfspaces.sample_studies.in_bands": 4,
    "halfspaces.sample_studies.noisy_run": 4,
    "halfspaces.sample_studies.refusal_rate": 4,
    "halfspaces.level_studies.sparse_success": 6,
    "halfspaces.sparse.enumerated_sparse": 4,
    "halfspaces.sparse.l1_sparse": 4,
    "halfspaces.sparse.margin_sparse": 4,
    "halfspaces.studies.hadamard_run": 4,
    "halfspaces.studies.spectral_run": 4,
}

SECONDS = 20.0  # of the processor: what takes longer than this is a hang


class Hang(BaseException):
    """A call that does not end."""


def ring(*_: Any) -> None:
    raise Hang


@dataclass
class Outcome:
    """What came of one call."""

    path: str
    argument: str
    form: str
    kind: str  # "answer", "refusal" or the fault
    words: str = ""

    def __str__(self) -> str:
        return f"{self.path}({self.argument}: {self.form}): {self.kind} {self.words}"


def judged(
    call: hostile.Call, argument: str, form: str, value: Any, *, same_as: Any = None, plain: Any = None
) -> Outcome:
    """Make one call and say what came of it; `same_as` is the answer that it must give, in a tuple of one."""
    before = hostile._copied(value)

    def came(kind: str, words: str = "") -> Outcome:
        return Outcome(call.path, argument, form, kind, words)

    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        answer = call(**{argument: value})
    except Hang:
        return came("a hang")
    except (ValueError, TypeError) as error:
        named = REFUSAL.fullmatch(str(error))
        if not named:
            return came("a refusal without words", f"{type(error).__name__}: {error}"[:300])
        must = same_as is not None and form not in MAY_BE_REFUSED
        return came("the same value refused", str(error)[:300]) if must else came("refusal", str(error))
    except Exception as error:
        return came("another exception", f"{type(error).__name__}: {error}"[:300])
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    if not hostile.same(value, before):
        return came("a changed argument")
    if hostile.has_nan(answer) and not hostile.has_nan(plain):
        return came("NaN")
    if form == "masked":
        return came("a mask ignored")
    if same_as is not None and not hostile.same(same_as[0], answer):
        return came("another answer")
    return came("answer")


def outcomes(call: hostile.Call) -> list[Outcome]:
    """Every argument of a call spoiled in every way, one at a time."""
    function = hostile.CALLABLES[call.path]
    parameters = inspect.signature(getattr(call.owner, call.path.rpartition(".")[2], function)).parameters
    first, second = call(), call()
    certain = hostile.same(first, second)  # not where it draws random numbers of its own
    found = []
    for name, value in call.arguments.items():
        if name not in parameters or parameters[name].kind in (
            inspect.Parameter.VAR_POSITIONAL,
            inspect.Parameter.VAR_KEYWORD,
        ):
            continue
        forms, bad = hostile.variants(name, value)
        plain = (first,)
        for form, other in forms[:: SLOW.get(call.path, 1)]:
            if form == "plain" and certain:  # for a list the array with its values
                plain = (call(**{name: copy.deepcopy(other)}),)
            found.append(judged(call, name, form, other, same_as=plain if certain else None, plain=first))
        found += [judged(call, name, form, other, plain=first) for form, other in bad[:: SLOW.get(call.path, 1)]]
    return found


@pytest.fixture(scope="module")
def calls() -> dict[str, hostile.Call]:
    return hostile.recorded()


@pytest.fixture(scope="module")
def everything(calls):
    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return [
                outcome for path in sorted(calls) if path not in hostile.NOT_TRIED for outcome in outcomes(calls[path])
            ]
    finally:
        signal.signal(signal.SIGVTALRM, before)


def test_every_public_callable_is_tried(calls):
    assert set(hostile.CALLABLES) - set(calls) <= set(hostile.NOT_TRIED) <= set(hostile.CALLABLES)
    assert set(SLOW) <= set(calls)


@pytest.mark.parametrize(
    "fault",
    [
        "a refusal without words",
        "another exception",
        "a hang",
        "NaN",
        "a mask ignored",
        "a changed argument",
        "the same value refused",
        "another answer",
    ],
)
def test_no_fault(everything, fault):
    assert [str(outcome) for outcome in everything if outcome.kind == fault] == []


def test_there_are_many_answers_and_many_refusals(everything):
    count = Counter(outcome.kind for outcome in everything)
    assert set(count) == {"answer", "refusal"}
    assert count["answer"] > 8_000 and count["refusal"] > 15_000


# --- the judge can say no -----------------------------------------------------------------------------------------


def for_ever(x: Any) -> None:
    while True:
        pass


def greedy(x: Any) -> float:
    x[0] = 7.0
    return 1.0


def fussy(x: Any) -> None:
    raise ValueError(f"x: expected something else, got {x}")


#: A function that is wrong in one way, an argument that shows it, and the answer to the plain form.
CULPRITS = {
    "a refusal without words": (lambda x: int("x"), 1, None),
    "another exception": (lambda x: [][x], 1, None),
    "a hang": (for_ever, 1, None),
    "NaN": (lambda x: {"mean": [np.float32("nan")]}, 1, None),
    "a mask ignored": (lambda x: 1.0, np.ma.array([1.0, 2.0], mask=[True, False]), None),
    "a changed argument": (greedy, np.ones(2), None),
    "another answer": (lambda x: x * x, np.int8(100), (10_000,)),
    "the same value refused": (fussy, np.int8(100), (10_000,)),
}


@pytest.mark.parametrize("fault", CULPRITS)
@pytest.mark.filterwarnings("ignore")
def test_the_judge_sees(fault, monkeypatch):
    function, value, same_as = CULPRITS[fault]
    monkeypatch.setitem(hostile.CALLABLES, "culprit", function)
    monkeypatch.setattr(f"{__name__}.SECONDS", 0.05)
    before = signal.signal(signal.SIGVTALRM, ring)
    try:
        form = "masked" if fault == "a mask ignored" else "int8"
        found = judged(hostile.Call("culprit", {"x": value}), "x", form, value, same_as=same_as)
    finally:
        signal.signal(signal.SIGVTALRM, before)
    assert found.kind == fault


@pytest.mark.parametrize("path", ["halfspaces.angles.angle", "conjunctions.algorithm3.metafeatures"])
def test_the_arguments_are_hostile(calls, path):
    (name, value), *_ = calls[path].arguments.items()
    same, bad = hostile.variants(name, value)
    assert {"Fortran order", "read-only", "strided", "backwards", "plain"} <= {form for form, _ in same}
    assert {"NaN", "infinity", "empty", "ragged", "masked", "object dtype", "all 1e-310", "1e300"} <= {
        f for f, _ in bad
    }
    for form, other in same:
        read = getattr(other, "to_numpy", getattr(other, "toarray", lambda other=other: other))()
        assert (np.asarray(read) == np.asarray(value)).all(), form
