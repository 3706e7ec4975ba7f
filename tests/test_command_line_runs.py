"""Long runs of the command `lifelong`: killed, resumed, refused, on several processes; what they return."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

import lifelong_book.press.command_line as command
from lifelong_book.press.ledger import LEDGER, Check, Finding
from lifelong_book.press.tables import Experiment

#: Runs of a second or two with several lines each.
RUNS = {
    "verify": ["verify", "lem-one-vec", "ineq-scalar", "--instances", "40000"],
    "table": ["table", "unlucky_order", "--cases", "0", "1", "3"],
    "sweep": ["sweep", "lem-subspace", "--instances", "20000", "--block", "1000"],
    "sweep --jobs 2": ["sweep", "lem-subspace", "--instances", "20000", "--block", "1000", "--jobs", "2"],
}


def without_seconds(thing):
    """Data without its timings, wherever they are."""
    if isinstance(thing, dict):
        return {key: without_seconds(value) for key, value in thing.items() if not key.endswith("seconds")}
    return [without_seconds(value) for value in thing] if isinstance(thing, list) else thing


def started(*arguments, **how) -> subprocess.Popen:
    line = [sys.executable, "-m", "lifelong_book", *map(str, arguments)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)


def finished(*arguments) -> tuple[int, str, str]:
    process = started(*arguments)
    out, err = process.communicate()
    return process.returncode, out, err


def lines_in(path: Path) -> int:
    """How many whole lines, the first one not counted."""
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


def wait_for_a_line(path: Path, process: subprocess.Popen) -> None:
    while lines_in(path) == 0 and process.poll() is None:
        time.sleep(0.005)


@pytest.fixture(scope="module")
def uninterrupted():
    """What each run prints when nothing happens to it, and no file is kept."""
    known = {}

    def result(arguments):
        key = tuple(a for a in arguments if a not in ("--jobs", "2"))
        if key not in known:
            code, out, err = finished(*key, "--json")
            assert (code, err) == (0, "")
            known[key] = without_seconds(json.loads(out))
        return known[key]

    return result


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
@pytest.mark.parametrize("arguments", RUNS.values(), ids=RUNS)
def test_a_run_that_was_killed_goes_on_and_finds_the_same(arguments, tmp_path, uninterrupted):
    path = tmp_path / "lines.jsonl"
    process = started(*arguments, "--out", path, "--json", start_new_session=True)
    wait_for_a_line(path, process)
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    before = path.read_bytes()[: path.read_bytes().rfind(b"\n") + 1]
    assert lines_in(path) >= 1
    code, out, err = finished(*arguments, "--out", path, "--json")
    assert (code, err) == (0, "")
    assert path.read_bytes().startswith(before), "what was found is not found again"
    assert without_seconds(json.loads(out)) == uninterrupted(arguments)
    whole = path.read_bytes()
    assert without_seconds(json.loads(finished(*arguments, "--out", path, "--json")[1])) == uninterrupted(arguments)
    assert path.read_bytes() == whole, "a third call has nothing to do"
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)  # workers that have lost their process would wait for some minutes


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT")
def test_an_interrupt_from_the_keyboard_prints_what_is_there(tmp_path):
    path = tmp_path / "lines.jsonl"
    # a shell that starts it in the background would have it ignore the signal
    process = started(*RUNS["verify"], "--out", path, "--json", preexec_fn=restore_interrupt)
    wait_for_a_line(path, process)
    process.send_signal(signal.SIGINT)
    record = json.loads(process.communicate()[0])
    assert process.returncode == 130
    assert record["complete"] is record["agrees"] is False
    assert not all(claim["agrees"] for claim in record["claims"])


def restore_interrupt():
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["verify", "ineq-scalar", "--instances", "100", "--seed", "1"], "seed 0, not 1"),
        (["verify", "ineq-scalar", "--instances", "200"], "instances 100, not 200"),
        (["verify", "ineq-scalar", "--instances", "100", "--bite"], "bite False, not True"),
        (["table", "unlucky_order", "--cases", "0"], "command verify, not table"),
        (["sweep", "ineq-scalar", "--instances", "100"], "command verify, not sweep"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_lines_of_another_run_are_not_mixed_in(arguments, words, tmp_path, capsys):
    out = ["--out", str(tmp_path / "lines")]
    assert command.main(["verify", "ineq-scalar", "--instances", "100", *out]) == 0
    before = (tmp_path / "lines").read_bytes()
    capsys.readouterr()
    assert command.main([*arguments, *out]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and words in printed.err and "name another file" in printed.err
    assert (tmp_path / "lines").read_bytes() == before


def test_a_file_that_cannot_be_used(tmp_path, capsys):
    assert command.main(["verify", "ineq-scalar", "--out", str(tmp_path)]) == 2
    assert capsys.readouterr() == ("", f"{tmp_path}: is a directory\n")


@pytest.mark.skipif(sys.platform == "win32", reason="has no such files")
def test_what_is_no_regular_file_is_refused_unread(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe")
    for out in ("/dev/full", "/dev/zero", str(tmp_path / "pipe")):
        assert command.main(["verify", "ineq-scalar", "--out", out]) == 2
        assert capsys.readouterr() == ("", f"{out}: is no regular file; name another\n")


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGSTOP")
def test_two_runs_at_once_on_one_file(tmp_path):
    path = tmp_path / "lines"
    first = started(*RUNS["sweep"], "--out", path)
    wait_for_a_line(path, first)
    first.send_signal(signal.SIGSTOP)  # so that it cannot end before the other one begins
    code, out, err = finished(*RUNS["sweep"], "--out", path)
    first.send_signal(signal.SIGCONT)
    assert (code, out) == (2, "") and "another run is writing to it" in err
    first.communicate()
    assert first.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
def test_a_full_disk_is_a_crash_that_can_be_resumed(tmp_path, uninterrupted):
    path = tmp_path / "lines"
    line = " ".join([sys.executable, "-m", "lifelong_book", *RUNS["sweep"], "--out", str(path), "--json"])
    limited = subprocess.run(["bash", "-c", f"ulimit -f 2; {line}"], capture_output=True, text=True, check=False)
    assert limited.returncode == 4 and limited.stdout == ""
    assert limited.stderr == f"{path}: File too large; its lines are whole, and the same command goes on\n"
    assert lines_in(path) >= 1
    code, out, _ = finished(*RUNS["sweep"], "--out", path, "--json")
    assert code == 0 and without_seconds(json.loads(out)) == uninterrupted(RUNS["sweep"])


def killed(count, rng):
    os.kill(os.getpid(), signal.SIGKILL)
    return Finding(count, 0)


def spoiled(monkeypatch, *checks: Check):
    claim = replace(LEDGER["ineq-scalar"], checks=checks)
    monkeypatch.setattr(command, "find", lambda name: claim)


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGKILL")
def test_a_killed_worker_is_no_refutation(monkeypatch, capsys):
    spoiled(monkeypatch, *LEDGER["ineq-scalar"].checks[:1], Check("fatal", "exact", killed))
    assert command.main(["verify", "ineq-scalar", "--jobs", "2", "--json"]) == 4
    printed = capsys.readouterr()
    record = json.loads(printed.out)
    assert record["complete"] and not record["agrees"]
    fine, lost = record["claims"][0]["evidence"]
    assert fine["agrees"] and lost["instances"] == 0 and not lost["agrees"]
    assert "ineq-scalar: fatal: expected holds, found lost: its worker was killed, and killed again" in printed.err


def seconds_to_none(case, rng):
    if case["x"] == 1:
        raise RuntimeError("one is not welcome")
    return {"half": case["x"] / 2}


def test_a_line_that_raises_leaves_the_others(monkeypatch, capsys, tmp_path):
    toy = Experiment("toy", "toy", tuple({"x": x} for x in range(3)), seconds_to_none)
    monkeypatch.setitem(command.EXPERIMENTS, "toy", toy)
    for _ in range(2):  # a second call tries the line again
        assert command.main(["table", "toy", "--json", "--out", str(tmp_path / "lines")]) == 4
        printed = capsys.readouterr()
        record = json.loads(printed.out)
        assert record["rows"] == [{"x": 0, "half": 0.0}, {"x": 2, "half": 1.0}] and not record["complete"]
        assert "toy: line 1: did not run: RuntimeError: one is not welcome" in printed.err
    assert lines_in(tmp_path / "lines") == 2


def refuting(count, rng):
    return Finding.of_ratios([0.5, 1.5, 1.25], witness="the second")


def raising(count, rng):
    raise ArithmeticError("out of digits")


def skipping(count, rng):
    raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")


def stopping(count, rng):
    raise KeyboardInterrupt


STATUSES = {"refuted": (refuting, 1), "crashed": (raising, 4), "skipped": (skipping, 3), "interrupted": (stopping, 130)}


@pytest.mark.parametrize("verb", ["verify", "sweep"])
@pytest.mark.parametrize(("run", "status"), STATUSES.values(), ids=STATUSES)
def test_what_went_wrong_is_told_by_the_status(verb, run, status, monkeypatch, capsys):
    spoiled(monkeypatch, Check("toy", "random", run, 3, scales=True))
    assert command.main([verb, "ineq-scalar", *(["--instances", "3"] if verb == "sweep" else [])]) == status
    printed = capsys.readouterr()
    assert "as recorded" not in printed.out
    assert command.main([verb, "ineq-scalar", "--json", "--instances", "3"]) == status
    record = json.loads(capsys.readouterr().out)
    assert record["agrees"] is False and (record["complete"] is False or status != 130)


def test_no_cluster_at_that_address(capsys, monkeypatch):
    distributed = pytest.importorskip("distributed", reason="needs lifelong[dask]")
    import dask

    with dask.config.set({"distributed.comm.timeouts.connect": "100ms"}):
        assert command.main(["verify", "ineq-scalar", "--dask", "tcp://127.0.0.1:9"]) == 2
    assert capsys.readouterr().err.startswith("--dask tcp://127.0.0.1:9: ")
    assert distributed
