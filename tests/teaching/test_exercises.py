"""Every exercise of the book has a record, and every checker tells right answers from wrong ones."""

from __future__ import annotations

import ast
import re

import numpy as np
import pytest

from lifelong.conjunctions.algorithm3 import metafeatures
from lifelong_book.conjunctions.consistency.exercises import _MOST_PIECES, _output_sizes
from lifelong_book.conjunctions.consistency.experiments import all_families
from lifelong_book.press.exercise import DIFFICULTIES, KINDS
from lifelong_book.press.teaching import check, exercises, hint, stub
from tests.teaching.answers import ALSO_RIGHT, RIGHT, WRONG
from tests.teaching.book import numbers, printed

EXERCISES = {e.label: e for e in exercises()}
CHECKED = [label for label, e in EXERCISES.items() if e.checked]

#: The exercises without a checker, by why they have none.
UNCHECKED = {
    "an argument is all that is asked, for a statement that is given": [
        "ex-intro-attempt", "ex-simplex", "ex-swap", "ex-two-dimensions", "ex-potential", "ex-unknown-dimension",
        "ex-exactly-power", "ex-direct-line", "ex-beyond-flat", "ex-consistency-two", "ex-noise-lower",
        "ex-online-printed", "ex-online-queries", "ex-product-harmless", "ex-product-rare", "ex-autoencoders-rank",
        "ex-autoencoders-fooling", "ex-discussion-rotation", "ex-discussion-quarter",
    ],
    "an experiment whose numbers hang on the draws, and whose reading is the answer": [
        "ex-same-labels", "ex-beyond-spectral", "ex-one-layer-naive", "ex-discussion-pairs",
    ],
}  # fmt: skip


# --- the records -------------------------------------------------------------------------------------


def test_every_exercise_of_the_book_has_a_record_and_the_other_way_round():
    found = printed()
    assert sorted(EXERCISES) == sorted(found)
    for page in {e.page for e in EXERCISES.values()}:  # a room has its pages' in their order
        assert [e.label for e in EXERCISES.values() if e.page == page] == [
            label for label, text in found.items() if text.page == page
        ]
    assert len(exercises()) == len(EXERCISES)


@pytest.mark.parametrize("label", EXERCISES)
def test_a_record_says_what_the_book_says(label):
    record, book = EXERCISES[label], printed()[label]
    assert record.page == book.page
    assert record.kind in (book.words or KINDS)
    assert record.difficulty in DIFFICULTIES
    assert 5 <= record.minutes <= 60
    assert bool(record.stub) == record.checked


@pytest.mark.parametrize("label", EXERCISES)
def test_goals_and_hints_are_short_and_give_no_number_away(label):
    record, book = EXERCISES[label], printed()[label]
    assert re.fullmatch(r"[A-Z][^.?!]*\.", record.goal), "one sentence"
    assert re.fullmatch(r"[`A-Z].*[.?]", record.hint)
    assert 1 <= len(re.findall(r"[.?](?= [A-Z`]|$)", record.hint)) <= 2, "one or two sentences"
    assert numbers(f"{record.goal} {record.hint}") <= numbers(book.statement)
    assert hint(label) == record.hint


@pytest.mark.parametrize("label", CHECKED)
def test_a_stub_is_a_function_to_complete(label):
    (function,) = ast.parse(stub(label)).body
    assert isinstance(function, ast.FunctionDef) and ast.get_docstring(function).startswith("Return ")
    assert ast.unparse(function.body[-1]) == "..." and len(function.body) == 2
    assert max(map(len, stub(label).splitlines())) <= 120


def test_every_exercise_without_a_checker_says_why():
    assert sorted(label for labels in UNCHECKED.values() for label in labels) == sorted(set(EXERCISES) - set(CHECKED))


# --- right and wrong answers -------------------------------------------------------------------------


def test_every_checker_has_answers_to_try():
    assert sorted(RIGHT) == sorted(CHECKED)
    assert all(len(WRONG[label]) >= 2 for label in CHECKED)
    assert set(ALSO_RIGHT) <= set(CHECKED)


@pytest.mark.parametrize("label", CHECKED)
def test_a_right_answer_passes(label):
    for answer in [RIGHT[label], *ALSO_RIGHT.get(label, [])]:
        result = check(label, answer)
        assert result, result.message
        assert repr(result) == "Right."


@pytest.mark.parametrize("label", CHECKED)
def test_the_stub_itself_fails_with_a_word_that_helps(label):
    names: dict[str, object] = {}
    exec(stub(label), names)
    (function,) = (thing for name, thing in names.items() if not name.startswith("__"))
    result = check(label, function)
    assert not result
    assert "completed" in result.message


def own_words(result) -> str:
    """A message without the call that it names."""
    return re.sub(r"^\w+\(.*?\)(?=:| returned| raised| was stopped)", "", result.message)


@pytest.mark.parametrize("label", CHECKED)
def test_wrong_answers_fail_without_giving_the_right_one_away(label):
    book = printed()[label]
    given_away = numbers(book.solution) - numbers(book.statement) - numbers(stub(label))
    if callable(RIGHT[label]):
        given_away -= {"0", "1", "2"}  # a message names seeds and places
    for answer in WRONG[label]:
        result = check(label, answer)
        assert not result, answer
        assert str(result).startswith("Not yet: ")
        assert not re.search("too (large|small|high|low|many|few)", result.message)
        said = own_words(result)
        if not re.search("expected an? .*, got|expected \\d+ things|finds|has \\d+ metaf|only \\d+ of", said):
            assert not numbers(said) & given_away, said


def test_the_answers_themselves_are_in_no_message():
    values = {label: RIGHT[label] for label in CHECKED if isinstance(RIGHT[label], int | float)}
    assert values
    for label, value in values.items():
        for answer in WRONG[label]:
            assert f"{value:g}"[:5] not in own_words(check(label, answer))


# --- submissions that are none -----------------------------------------------------------------------


def raising(*arguments):
    raise RuntimeError("I give up")


def leaving(*arguments):
    raise SystemExit


class Liar:
    """Equal to everything."""

    def __eq__(self, other):
        return True

    def __hash__(self):
        return 0


RUBBISH = [
    "seven", b"7", 1j, float("nan"), float("inf"), 10**400, True, [], (), {}, [[]], [[1], [1, 2]], [None] * 3, object(),
    Liar(), np.zeros((2, 2, 2)), np.array(["a"]), ["a", "b"], [float("nan")] * 4, ({1}, {2}), {1: 2}, range(3), -1, 0.5,
    [np.nan, 1], np.datetime64("2020-01-01"), [[np.inf, 1.0]], ("a", "b", "c"), [[0, 1], [1, 0]], [1, 2, 3, 4],
]  # fmt: skip


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("label", CHECKED)
def test_rubbish_is_refused_and_never_a_traceback(label):
    for thing in RUBBISH:
        for answer in (thing, lambda *arguments, thing=thing: thing):
            result = check(label, answer)
            assert not result, thing
            assert len(result.message) < 500
    for answer in (raising, leaving, lambda a, b, c, d, e: 0, check, print, int):
        assert not check(label, answer)


def test_an_error_is_told_in_the_words_of_the_submission():
    assert check("ex-threshold", raising).message == "threshold(k=3) raised RuntimeError: I give up"


# --- the oracles -------------------------------------------------------------------------------------


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
            filled = np.zeros(len(families), dtype=int)
            for w in np.flatnonzero(inside[:, z]):
                filled |= families[:, w] * sets[w]
            pieces += families[:, z] & (filled != members)
        assert pieces.max() == most


def test_output_sizes_by_masks_are_those_of_the_algorithm():
    sizes = _output_sizes()
    for i, targets in enumerate(all_families(4)):
        if i % 37 == 0:
            assert sizes[i] == len(metafeatures(targets))
