"""Long runs of the command `lifelong`: interrupted, on several processes; what they return when something breaks."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from dataclasses import replace

import pytest

import lifelong_book.press.command_line as command
from lifelong_book.press.ledger import LEDGER, Check, Finding
from lifelong_book.press.table import Experiment

ENDLESS = """
import sys, time
from dataclasses import replace
import lifelong_book.press.command_line as command
from lifelong_book.press.ledger import LEDGER, Check
def run(count, rng):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(3600)
claim = LEDGER["lem-one-vec"]
command.find = lambda name: replace(claim, checks=(claim.checks[0], Check("endless", "exact", run)))
sys.exit(command.main(["verify", "lem-one-vec", "--instances", "10", "--json"]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT")
def test_an_interrupt_from_the_keyboard_prints_what_is_there():
    line = [sys.executable, "-c", ENDLESS]
    # a shell that starts it in the background would have it ignore the signal
    process = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=listening)
    assert process.stderr is not None and process.stderr.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    record = json.loads(process.communicate()[0])
    assert process.returncode == 130
    assert record["complete"] is record["agrees"] is False
    (claim,) = record["claims"]
    assert not claim["agrees"] and [e["instances"] for e in claim["evidence"]] == [10]


def listening():
    signal.signal(signal.SIGINT, signal.default_int_handler)


def killed(count, rng):
    os.kill(os.getpid(), signal.SIGKILL)
    return Finding(count, 0)


def spoiled(monkeypatch, *checks: Check):
    claim = replace(LEDGER["ineq-scalar"], checks=checks)
    monkeypatch.setattr(command, "find", lambda name: claim)


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_a_killed_worker_is_no_refutation(monkeypatch, capsys):
    spoiled(monkeypatch, Check("fatal", "exact", killed))
    assert command.main(["verify", "ineq-scalar", "--jobs", "2", "--json"]) == 4
    printed = capsys.readouterr()
    record = json.loads(printed.out)
    assert record["complete"] and not record["agrees"]
    lost, *_ = record["claims"][0]["evidence"]
    assert lost["instances"] == 0 and not lost["agrees"]
    assert "ineq-scalar: fatal: expected holds, found lost: a worker process was killed" in printed.err


def one_fails(case, rng):
    if case["x"] == 1:
        raise RuntimeError("one is not welcome")
    return {"half": case["x"] / 2}


def test_a_line_that_raises_leaves_the_others(monkeypatch, capsys):
    toy = Experiment("toy", "toy", tuple({"x": x} for x in range(3)), one_fails)
    monkeypatch.setitem(command.EXPERIMENTS, "toy", toy)
    assert command.main(["table", "toy", "--json"]) == 4
    printed = capsys.readouterr()
    record = json.loads(printed.out)
    assert record["rows"] == [{"x": 0, "half": 0.0}, {"x": 2, "half": 1.0}] and not record["complete"]
    assert "toy: line 1: did not run: RuntimeError: one is not welcome" in printed.err


def refuting(count, rng):
    return Finding.of_ratios([0.5, 1.5, 1.25], witness="the second")


def raising(count, rng):
    raise ArithmeticError("out of digits")


def skipping(count, rng):
    raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")


def stopping(count, rng):
    raise KeyboardInterrupt


STATUSES = {"refuted": (refuting, 1), "crashed": (raising, 4), "skipped": (skipping, 3), "interrupted": (stopping, 130)}


@pytest.mark.parametrize(("run", "status"), STATUSES.values(), ids=STATUSES)
def test_what_went_wrong_is_told_by_the_status(run, status, monkeypatch, capsys):
    spoiled(monkeypatch, Check("toy", "random", run, 3, scales=True))
    assert command.main(["verify", "ineq-scalar"]) == status
    printed = capsys.readouterr()
    assert "as recorded" not in printed.out
    assert command.main(["verify", "ineq-scalar", "--json", "--instances", "3"]) == status
    record = json.loads(capsys.readouterr().out)
    assert record["agrees"] is False and (record["complete"] is False or status != 130)
