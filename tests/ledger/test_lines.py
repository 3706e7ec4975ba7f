"""A file of finished lines: what stands in it is safe, and it is one run's and one process's at a time."""

from __future__ import annotations

import json
import math
import os
import resource
import sys
from contextlib import contextmanager

import pytest

from lifelong_book.press.ledger.lines import Lines, LinesError

RUN = {"what": "test", "seed": 0, "instances": None}


@pytest.fixture
def path(tmp_path):
    with Lines(tmp_path / "lines.jsonl", RUN) as lines:
        lines.add(("a", 0), {"x": 0.1})
        lines.add(("a", 1), {"x": 0.2})
    return tmp_path / "lines.jsonl"


def held(path):
    with Lines(path, RUN) as lines:
        return dict(lines.done)


@pytest.mark.parametrize(
    "result",
    [1 / 3, -0.0, math.inf, {"nested": [math.nan, {"deep": -math.inf}]}, {"text": "θ ≤ π/2\n"}, None, [1, True, 2**70]],
    ids=repr,
)
def test_what_is_read_is_what_was_written_to_the_last_digit(tmp_path, result):
    with Lines(tmp_path / "lines", RUN) as lines:
        told = lines.add(("one",), result)
    assert repr(told) == repr(held(tmp_path / "lines")["one",]) == repr(result)


def test_every_line_is_json(path):
    for line in path.read_text().splitlines():
        json.loads(line, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))


def test_a_kill_at_any_byte_loses_the_line_that_was_being_written_and_no_other(path):
    """Every file that a kill can leave: a prefix of this one."""
    whole = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == ord("\n")]
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        assert len(held(path)) == max(0, sum(end <= size for end in ends) - 1), size
        with Lines(path, RUN) as lines:
            if ("a", 0) not in lines.done:
                lines.add(("a", 0), {"x": 0.1})
            if ("a", 1) not in lines.done:
                lines.add(("a", 1), {"x": 0.2})
        assert path.read_bytes() == whole


@pytest.mark.parametrize(("name", "value"), [("seed", 1), ("instances", 100), ("what", "other"), ("more", "x")])
def test_lines_of_another_run_are_refused_as_they_are(path, name, value):
    before = path.read_bytes()
    with pytest.raises(LinesError, match=rf"of another run: {name} .*, not {value}; name another file$"):
        Lines(path, {**RUN, name: value})
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["python", "lifelong", "numpy", "scipy", "sources"])
def test_lines_of_another_version_are_refused(path, name):
    first, *others = path.read_text().splitlines()
    made = json.loads(first)
    made["made_by"][name] = "before"
    path.write_text("\n".join([json.dumps(made), *others]) + "\n")
    with pytest.raises(LinesError, match=f"of another run: {name} before, not "):
        Lines(path, RUN)


@pytest.mark.parametrize("text", ["no lines", "no lines\n", "{}\n", "[1]\n", "\n", '{"run":1,"made_by":2}\n', "\0\0"])
def test_a_file_of_something_else_is_refused_as_it_is(tmp_path, text):
    path = tmp_path / "letter.txt"
    path.write_text(text)
    with pytest.raises(LinesError, match="something other than the lines of a run"):
        Lines(path, RUN)
    assert path.read_text() == text


@pytest.mark.parametrize(
    "line", ["nothing", "{}", '{"key":1,"result":2}', '{"key":["b"]}', '{"key":["a",0],"result":0}']
)
def test_a_line_that_is_none_is_named(path, line):
    with path.open("a") as file:
        file.write(f"{line}\n")
    with pytest.raises(LinesError, match=r"line 4 (is no line of a run|repeats \['a', 0\])"):
        Lines(path, RUN)


def test_two_runs_at_once(path):
    with Lines(path, RUN), pytest.raises(LinesError, match="another run is writing to it"):
        Lines(path, RUN)
    assert len(held(path)) == 2, "the first one has let go"


def test_a_folder_and_a_place_that_is_not_there(tmp_path):
    with pytest.raises(LinesError, match="is a directory"):
        Lines(tmp_path, RUN)
    with pytest.raises(LinesError, match="no such file or directory"):
        Lines(tmp_path / "nowhere" / "lines", RUN)


@contextmanager
def nobody():
    """For the superuser nothing is read-only."""
    mine = os.geteuid()
    if mine == 0:
        os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(mine)


@pytest.mark.skipif(sys.platform == "win32", reason="has other permissions")
def test_a_folder_and_a_file_that_are_read_only(tmp_path, path):
    for folder in (tmp_path, *tmp_path.parents[:2]):
        folder.chmod(0o555)
    path.chmod(0o444)
    try:
        with nobody():
            for name in (path, tmp_path / "new"):
                with pytest.raises(LinesError, match="permission denied"):
                    Lines(name, RUN)
    finally:
        for folder in (*tmp_path.parents[:2][::-1], tmp_path):
            folder.chmod(0o700)


@pytest.mark.skipif(sys.platform == "win32", reason="has no limit on the size of files")
def test_a_full_disk_is_told_and_loses_the_line_that_did_not_fit(path):
    size, before = path.stat().st_size, resource.getrlimit(resource.RLIMIT_FSIZE)
    with Lines(path, RUN) as lines:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, before[1]))
        try:
            with pytest.raises(OSError, match=rf"{path.name}"):
                lines.add(("a", 2), "x" * 100)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert path.stat().st_size == size + 20
    assert list(held(path)) == [("a", 0), ("a", 1)]
    assert path.stat().st_size == size
