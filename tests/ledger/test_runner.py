"""One scheduler: every call is made once, by its key, and an interrupt keeps what is there."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from lifelong_book.press.ledger.lines import Lines
from lifelong_book.press.ledger.provenance import maker
from lifelong_book.press.ledger.runner import EXTRAS, _keyed, missing_extra, run


def stop():
    raise KeyboardInterrupt


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_results_come_under_their_keys(n_jobs):
    assert run({i: partial(pow, i, 2) for i in range(5)}, n_jobs=n_jobs) == {0: 0, 1: 1, 2: 4, 3: 9, 4: 16}


def test_nothing_to_do():
    assert run({}) == {}


def test_an_interrupt_keeps_what_came_before_it_and_starts_nothing_more():
    made = []
    calls = {"first": lambda: made.append(1), "stopped": stop, "never": lambda: made.append(3)}
    assert run(calls) == {"first": None}
    assert made == [1]


def test_an_error_is_named_and_the_others_still_run():
    done = run({"bad": lambda: 1 // 0, "good": int})
    assert done["good"] == 0
    assert done["bad"].error.startswith("ZeroDivisionError: ") and "1 // 0" in done["bad"].trace
    assert done["bad"].why == f"did not run: {done['bad'].error}"


def die(i: int, fatal: tuple[int, ...], marks: str = "") -> int:
    """Kill the worker that runs a fatal item: always, or the first time if there is a folder for marks."""
    mark = Path(marks, str(i))
    if i in fatal and not (marks and mark.exists()):
        mark.touch() if marks else None
        os.kill(os.getpid(), signal.SIGKILL)
    return i * i


@pytest.mark.parametrize("fatal", [(0,), (5,), (2, 3)], ids=str)
def test_what_a_killed_worker_had_is_run_again(fatal, tmp_path):
    calls = {i: partial(die, i, fatal, str(tmp_path)) for i in range(6)}
    assert run(calls, n_jobs=2) == {i: i * i for i in range(6)}
    assert sorted(path.name for path in tmp_path.iterdir()) == [str(i) for i in fatal]


@pytest.mark.parametrize("fatal", [(3,), (2, 3)], ids=str)
def test_what_kills_twice_is_named_and_the_run_goes_on(fatal):
    done = run({i: partial(die, i, fatal) for i in range(6)}, n_jobs=2)
    assert {i: result for i, result in done.items() if i not in fatal} == {i: i * i for i in range(6) if i not in fatal}
    for i in fatal:
        assert "killed again when it was repeated (" in done[i].error and "SIGKILL" in done[i].error


def test_numbers_of_other_sources_are_refused():
    """A worker that does not have the sources of the process that asked computes nothing."""
    key, result = _keyed("item", int, {**maker(), "sources": "another"})
    assert key == "item" and "another" in result.error
    assert _keyed("item", int, maker()) == ("item", 0)


def test_a_file_of_lines_is_filled_and_read(tmp_path):
    made = []
    calls = {("a", i): partial(lambda i: made.append(i) or i / 7, i) for i in range(3)}
    calls["a", 3] = lambda: 1 // 0
    for again in (False, True):
        with Lines(tmp_path / "lines", {"what": "sevenths"}) as lines:
            done = run(calls, lines=lines)
        assert {key: done[key] for key in list(calls)[:3]} == {("a", i): i / 7 for i in range(3)}
        assert done["a", 3].error and ("a", 3) not in lines.done, "an error is tried again"
        assert made == [0, 1, 2], again


def test_a_bar_on_standard_error_even_if_interrupted(capsys):
    run({"first": int, "stopped": stop}, progress=True, unit="case")
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "cases:" in printed.err and "1/2" in printed.err
    run({"first": int})
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("bad", [0, -2, True, 1.5, "2", None], ids=repr)
def test_numbers_of_processes(bad):
    with pytest.raises(ValueError, match=r"^n_jobs: expected -1 or an integer >= 1, got "):
        run({}, n_jobs=bad)


@pytest.mark.parametrize("module", EXTRAS)
def test_a_missing_module_names_its_extra(module):
    missing = ModuleNotFoundError(f"No module named {module!r}", name=module)
    assert missing_extra(missing) == f"lifelong[{EXTRAS[module]}]"
    told = ImportError("how to get it")
    told.__cause__ = missing
    assert missing_extra(told) == missing_extra(missing)


@pytest.mark.parametrize(
    "error",
    [
        None,
        ValueError("x"),
        ImportError("cannot import name 'HIGHS'", name="cvxpy"),
        ModuleNotFoundError("No module named 'sklearn.nothing'", name="sklearn.nothing"),
        ModuleNotFoundError("No module named 'lifelong.nothing'", name="lifelong.nothing"),
    ],
    ids=repr,
)
def test_other_errors_miss_no_extra(error):
    assert missing_extra(error) == ""
