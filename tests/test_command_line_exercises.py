"""The command `lifelong exercise`."""

from __future__ import annotations

import pytest

import lifelong_book.press.command_line as command
from lifelong_book.press.exercise import DIFFICULTIES
from lifelong_book.press.teaching import exercises, hint, stub


def test_all_exercises_are_listed_with_the_scale_of_difficulty(capsys):
    assert command.main(["exercise"]) == 0
    printed = capsys.readouterr().out
    assert [e.label for e in exercises() if f" {e.label} " not in printed] == []
    for level, meaning in DIFFICULTIES.items():
        assert f"difficulty {level}: {meaning}" in printed
    assert max(map(len, printed.splitlines())) <= 160


def test_the_exercises_of_a_chapter(capsys):
    assert command.main(["exercise", "--page", "halfspaces/angles"]) == 0
    printed = capsys.readouterr().out
    assert {e.label for e in exercises() if f" {e.label} " in printed} == {
        e.label for e in exercises() if e.page.startswith("halfspaces/angles/")
    }


def test_one_exercise(capsys):
    assert command.main(["exercise", "ex-threshold"]) == 0
    plain = capsys.readouterr().out
    assert command.main(["exercise", "ex-threshold", "--hint"]) == 0
    hinted = capsys.readouterr().out
    assert (
        "halfspaces/perturbation/index" in plain
        and 'lifelong_book.press.teaching.check("ex-threshold", answer)' in plain
    )
    assert hint("ex-threshold") not in plain and hint("ex-threshold") in hinted


def test_the_stub_alone(capsys):
    assert command.main(["exercise", "ex-threshold", "--stub"]) == 0
    assert capsys.readouterr().out == stub("ex-threshold") + "\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ex-nothing"], "label: expected one of"),
        (["ex-swap", "--stub"], "expected an exercise that can be checked"),
        (["--hint"], "expected a LABEL, got none"),
        (["--page", "angles"], "expected the beginning of a page with exercises, got 'angles'"),
    ],
)
def test_what_is_not_there(capsys, arguments, words):
    assert command.main(["exercise", *arguments]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and words in printed.err
