"""Every exercise of the book has a record, and every checker tells right answers from wrong ones."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest

from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong_book.conjunctions.consistency.exercises import _MOST_PIECES
from lifelong_book.press.exercise import DIFFICULTIES
from lifelong_book.press.teaching import check, exercises, stub
from tests.teaching.answers import ALSO_RIGHT, RIGHT, WRONG
from tests.teaching.book import EXERCISES, numbers, printed

CHECKED = [label for label, e in EXERCISES.items() if e.checked]


def test_every_exercise_of_the_book_has_a_record_and_every_checker_has_answers():
    found = printed()
    assert sorted(EXERCISES) == sorted(found) and len(exercises()) == len(EXERCISES)
    for page in {e.page for e in EXERCISES.values()}:  # a room has its pages' in their order
        assert [e.label for e in EXERCISES.values() if e.page == page] == [s for s in found if found[s].page == page]
    assert sorted(RIGHT) == sorted(CHECKED) and set(ALSO_RIGHT) <= set(CHECKED)
    assert all(len(WRONG[label]) >= 2 for label in CHECKED)


@pytest.mark.parametrize("label", EXERCISES)
def test_a_record_says_what_the_book_says_and_gives_no_number_away(label):
    record, book = EXERCISES[label], printed()[label]
    assert record.asks.kind in (book.words or ("prove", "compute", "break", "explore"))
    assert record.asks.difficulty in DIFFICULTIES and bool(record.stub) == record.checked
    assert numbers(f"{record.goal} {record.hint}") <= numbers(book.statement)


@pytest.mark.parametrize("label", CHECKED)
def test_a_right_answer_passes_and_the_stub_does_not(label):
    for answer in [RIGHT[label], *ALSO_RIGHT.get(label, [])]:
        assert repr(check(label, answer)) == "Right."
    (function,) = ast.parse(stub(label)).body
    assert ast.unparse(function.body[-1]) == "..." and len(function.body) == 2
    exec(stub(label), names := {})
    result = check(label, names[function.name])
    assert not result and "completed" in result.message


@pytest.mark.parametrize("label", CHECKED)
def test_wrong_answers_fail_without_giving_the_right_one_away(label):
    book, value = printed()[label], RIGHT[label]
    given_away = numbers(book.solution) - numbers(book.statement) - numbers(stub(label))
    if callable(value):
        given_away -= {"0", "1", "2"}  # a message names seeds and places
    for answer in WRONG[label]:
        result = check(label, answer)
        assert not result and str(result).startswith("Not yet: ") and " raised " not in result.message, answer
        said = re.sub(r"^\w+\(.*?\)(?=:| returned| was stopped)", "", result.message)  # without the call
        assert not re.search("too (large|small|high|low|many|few)", said)
        assert not isinstance(value, float) or f"{value:g}"[:5] not in said
        if not re.search("expected an? .*, got|expected \\d+ things|finds|has \\d+ metaf|only \\d+ of", said):
            assert not numbers(said) & given_away, said


#: Equal to everything.
LIAR = type("Liar", (), {"__hash__": object.__hash__, "__eq__": lambda self, other: True})()


def raising(*arguments):
    raise RuntimeError("I give up")


def leaving(*arguments):
    raise SystemExit


RUBBISH = [
    "seven", b"7", 1j, float("nan"), float("inf"), 10**400, True, [], (), {}, [[]], [[1], [1, 2]], [None] * 3, object(),
    LIAR, np.zeros((2, 2, 2)), np.array(["a"]), ["a", "b"], [float("nan")] * 4, ({1}, {2}), {1: 2}, range(3), -1, 0.5,
    [np.nan, 1], np.datetime64("2020-01-01"), [[np.inf, 1.0]], ("a", "b", "c"), [[0, 1], [1, 0]], [1, 2, 3, 4],
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("label", CHECKED)
def test_rubbish_is_refused_and_never_a_traceback(label):
    functions = [lambda *arguments, thing=thing: thing for thing in RUBBISH]
    for answer in (*RUBBISH, *functions, raising, leaving, lambda a, b, c, d, e: 0, check, print, int):
        result = check(label, answer)
        assert not result and len(result.message) < 500


def test_an_error_is_told_in_the_words_of_the_submission():
    assert check("ex-threshold", raising).message == "threshold(k=3) raised RuntimeError: I give up"


# --- the oracles


def test_no_family_with_fewer_cells_changes_its_number_of_pieces_when_it_is_transposed():
    for m, n in ((2, 5), (3, 3), (5, 2)):  # with a single row or column nothing can happen
        for mask in range(1 << m * n):
            A = (mask >> np.arange(m * n)).reshape(m, n) & 1 > 0
            assert len(metafeatures(A)) == len(metafeatures(np.ascontiguousarray(A.T)))


def test_no_three_or_four_targets_have_more_pieces():
    for r, most in _MOST_PIECES.items():
        sets = range(1, 2**r)  # a variable is the set of the targets that contain it
        inside = np.array([[w & z == w and w != z for z in sets] for w in sets])
        families = (np.arange(1 << len(sets))[:, None] >> np.arange(len(sets))) & 1 > 0
        pieces = np.zeros(len(families), dtype=int)
        for z, members in enumerate(sets):
            below = families[:, inside[:, z]] * np.array(sets)[inside[:, z]]
            pieces += families[:, z] & (np.bitwise_or.reduce(below, axis=1, initial=0) != members)
        assert pieces.max() == most
