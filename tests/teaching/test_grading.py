"""A submission is asked within limits, and whatever it returns is read or refused in a sentence."""

from __future__ import annotations

import threading
from contextlib import suppress
from fractions import Fraction
from time import process_time, sleep

import numpy as np
import pytest

from lifelong_book.press import grading
from lifelong_book.press.grading import Submission, Wrong
from lifelong_book.press.teaching import check, exercises, hint, stub

STUB = 'def f(x):\n    """Return something."""\n    ...\n'
VALUE = STUB.replace("x", "")


def forever(x):
    while True:
        with suppress(Exception):
            x = x + 1


def interrupted(x):
    raise KeyboardInterrupt


def test_a_loop_without_end_and_what_only_waits_are_stopped():
    begin = process_time()
    with pytest.raises(Wrong, match=r"f\(x=1\) was stopped: all calls together may take 0.2 seconds"):
        Submission(forever, STUB, seconds=0.2).number(1)
    with pytest.raises(Wrong, match="was stopped"):
        Submission(lambda x: sleep(1000), STUB, seconds=0.05).number(1)
    assert process_time() - begin < 5
    with pytest.raises(KeyboardInterrupt):  # an interrupt of the student is no wrong answer
        Submission(interrupted, STUB).number(1)


def test_calls_are_timed_together_without_the_checker(monkeypatch):
    answer, begin = Submission(lambda x: x, STUB, seconds=0.2), process_time()
    answer.number(1)
    while process_time() - begin < 0.3:
        pass
    assert answer.number(2) == 2
    monkeypatch.setattr(grading, "SECONDS", 0.3)
    answer = Submission(lambda x: float(sum(range(10**5 * x))), STUB)
    with pytest.raises(Wrong, match="was stopped"):
        [answer.number(10) for _ in range(10**4)]


def test_a_check_in_another_thread_has_no_alarm_and_works():
    found = []
    thread = threading.Thread(target=lambda: found.append(check("ex-angles-heavy", lambda alpha, g: g / (alpha - 1))))
    thread.start()
    thread.join()
    assert found[0]


def test_arguments_are_copies_and_a_value_stands_for_a_function_without_arguments_only():
    given = np.ones(3)
    Submission(lambda x: float(x.fill(0) is None), STUB).number(given)
    assert given.tolist() == [1, 1, 1]
    assert Submission(lambda: 3, VALUE).number() == 3
    with pytest.raises(Wrong, match=r"expected a function f\(x\) as in the stub, got a int"):
        Submission(3, STUB).number(1)


def test_numbers_and_families_of_all_kinds_are_read():
    for value in (2, 2.0, np.int8(2), np.float32(2), Fraction(2), np.array(2)):
        assert Submission(value, VALUE).number() == Submission(value, VALUE).whole() == 2
    for value in ([[0, 1]], [[False, True]], np.array([[0.0, 1.0]]), ((0, 1),)):
        family = Submission(value, VALUE).family(shape=(None, 2))
        assert family.dtype == np.bool_ and family.tolist() == [[False, True]]


@pytest.mark.parametrize("value", ["2", True, [2], None, ..., float("nan"), 2j, np.array([2]), object(), {2}])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(Wrong, match="the answer"):
        Submission(value, VALUE).number()


@pytest.mark.parametrize("value", [[[0, 2]], [[0.5, 1]], [0, 1], [[0, 1, 1]], [["0", "1"]], [[0], [0, 1]], [[]], "01"])
def test_what_is_no_family_is_refused(value):
    with pytest.raises(Wrong, match=r"expected .*(got|only)"):
        Submission(value, VALUE).family(shape=(None, 2))


def test_other_shapes_are_refused():
    for read, value in ((lambda s: s.whole(), 1.5), (lambda s: s.parts(count=2), [1]), (lambda s: s.parts(count=1), 1)):
        with pytest.raises(Wrong, match=r"expected .*, got"):
            read(Submission(value, VALUE))


def test_a_result_has_the_arguments_of_the_call_that_it_names():
    result = check("ex-holdout", lambda k, C: 0.5)
    assert not result and result.arguments == (10, 10.0)
    assert "sharpness(k=10, C=10)" in str(result) == repr(result)


@pytest.mark.parametrize("function", [hint, stub, lambda label: check(label, 1)])
def test_an_unknown_label_is_refused_by_name(function):
    one_of = "one (of ex-|that `lifelong exercise` lists).*"
    expected = {"ex-never": one_of, "threshold": "one of .*ex-threshold.*", "": one_of, None: one_of}
    for label, named in (expected | {"ex-wrong": "one of ex-levels-wrong, ex-ss-wrong"}).items():
        with pytest.raises(ValueError, match=f"label: expected {named}, got"):
            function(label)
    if function is not hint:
        with pytest.raises(ValueError, match="expected an exercise that can be checked, got 'ex-swap'"):
            function("ex-swap")


def test_exercises_by_name_and_by_page():
    assert hint("ex-consistency-hexagrams") == hint("ex-consistency-hexagrams-box")  # with the line above it
    assert exercises(page="polynomials") == [e for e in exercises() if e.page.startswith("polynomials")]
    assert exercises(page="nowhere") == []
