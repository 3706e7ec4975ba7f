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
    assert run({}, n_jobs=n_jobs) == {}


def test_an_interrupt_keeps_what_came_before_it_and_starts_nothing_more(capsys):
    made = []
    calls = {"first": lambda: made.append(1), "stopped": stop, "never": lambda: made.append(3)}
    assert run(calls) == {"first": None} and made == [1]
    assert capsys.readouterr() == ("", "")
    run(calls, progress=True, unit="case")
    printed = capsys.readouterr()
    assert printed.out == "" and "cases:" in printed.err and "1/3" in printed.err


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


def test_a_missing_module_names_its_extra_and_other_errors_none():
    for module, extra in EXTRAS.items():
        missing, told = ModuleNotFoundError("No module", name=module), ImportError("how to get it")
        told.__cause__ = missing
        assert missing_extra(told) == missing_extra(missing) == extra
    others = [ModuleNotFoundError("No module", name=name) for name in ("sklearn.nothing", "lifelong.nothing")]
    for error in (None, ValueError("x"), ImportError("cannot import name 'HIGHS'", name="cvxpy"), *others):
        assert missing_extra(error) == ""
