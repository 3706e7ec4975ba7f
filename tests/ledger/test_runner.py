"""One scheduler: every call is made once, by its key, and an interrupt keeps what is there."""

from __future__ import annotations

import os
import signal
import threading
from functools import partial

import joblib
import pytest

from lifelong_book.press.ledger.runner import EXTRAS, missing_extra, run


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


def kill_myself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.skipif(os.name == "nt", reason="has no SIGKILL")
def test_when_a_worker_is_killed_what_is_not_there_is_named():
    calls = {"fatal": kill_myself, **{i: partial(pow, i, 2) for i in range(40)}}
    done = run(calls, n_jobs=2)
    assert set(done) == set(calls)
    assert done["fatal"].error.startswith("lost: a worker process was killed") and "SIGKILL" in done["fatal"].error
    assert all(done[i] == i * i or done[i].error == done["fatal"].error for i in range(40))


def test_another_backend_of_joblib_makes_the_calls():
    with joblib.parallel_config(backend="threading"):
        done = run(dict.fromkeys(range(3), threading.get_ident), n_jobs=2)
    assert threading.get_ident() not in done.values()


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
    assert missing_extra(missing) == EXTRAS[module]
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
