"""The command `lifelong`: what it prints, and what it returns to the shell."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
from dataclasses import replace
from http.server import ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

import lifelong_book.press.command_line as command
from lifelong_book.press.ledger import KINDS, LEDGER, Check, Finding
from lifelong_book.press.serve import address, server


def without_seconds(thing):
    """Data without its timings and its date, wherever they are."""
    if isinstance(thing, dict):
        return {key: without_seconds(value) for key, value in thing.items() if key not in ("seconds", "date")}
    return [without_seconds(value) for value in thing] if isinstance(thing, list) else thing


def as_json(capsys, *arguments: str) -> tuple[int, dict]:
    code = command.main(["verify", *arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_as_a_command():
    arguments = [sys.executable, "-m", "lifelong_book", "verify", "lem-one-vec-sine", "--instances", "200", "--json"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
    record = json.loads(done.stdout)
    assert record["command"] == "lifelong verify lem-one-vec-sine --seed 0 --instances 200 --json"
    assert record["agrees"] is True
    (claim,) = record["claims"]
    assert claim["label"] == "lem-one-vec-sine"
    assert claim["evidence"][0]["instances"] == 200


@pytest.mark.parametrize("name", ["lemma 3", "lem:subspace"])
def test_other_names_of_a_claim(capsys, name):
    code, record = as_json(capsys, name, "--instances", "60")
    assert code == 0
    assert [claim["label"] for claim in record["claims"]] == ["lem-subspace"]
    assert record["claims"][0]["verdict"] == "refuted"
    assert "lem-subspace" in record["command"]


def test_seeds_and_jobs(capsys):
    arguments = ["lem-one-vec-sine", "--instances", "10500"]  # two chunks
    one, same, two, other = (
        without_seconds(as_json(capsys, *arguments, *more)[1]["claims"])
        for more in ([], ["--seed", "0"], ["--jobs", "2"], ["--seed", "1"])
    )
    assert one == same == two
    assert one != other


def test_bite(capsys):
    claim = next(c for c in LEDGER.values() if any(check.knobs for check in c.checks))
    plain, bitten = (as_json(capsys, claim.label, "--instances", "60", *more)[1] for more in ([], ["--bite"]))
    assert bitten["command"].endswith("--bite --json")
    knobs = {name for check in claim.checks for name in check.knobs}
    assert knobs <= set(bitten["claims"][0]["bites"]) and not knobs & set(plain["claims"][0]["bites"])


def test_discrepancies_are_listed_with_their_kinds(capsys):
    assert command.main(["discrepancies"]) == 0
    printed = capsys.readouterr().out
    for claim in LEDGER.values():
        assert bool(claim.discrepancies) == (f"│ {claim.label} " in printed), claim.label
    for kind, (sign, meaning) in KINDS.items():
        number = sum(d.kind == kind for claim in LEDGER.values() for d in claim.discrepancies)
        assert f"{number} {sign} {kind}: {meaning}" in printed


def test_an_unknown_label(capsys):
    assert command.main(["verify", "lem-one-vec", "lem-nothing"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "lem-nothing" in printed.err
    assert "lem-one-vec" in printed.err


def spoiled(monkeypatch, *checks: Check):
    claim = replace(LEDGER["fig-perturbation"], checks=checks)
    monkeypatch.setattr(command, "find", lambda name: claim)


def test_contradicting_evidence(capsys, monkeypatch):
    spoiled(monkeypatch, Check("never true", "exact", lambda count, rng: Finding(1, 1, witness="here")))
    assert command.main(["verify", "fig-perturbation"]) == 1
    printed = capsys.readouterr()
    assert "CONTRADICTS" in printed.out
    assert "fig-perturbation: never true: expected holds, found Finding(instances=1, violations=1" in printed.err
    code, record = as_json(capsys, "fig-perturbation")
    assert code == 1
    assert record["agrees"] is False
    assert record["complete"] is True


def test_a_check_that_raises_is_named_and_is_no_contradiction(capsys, monkeypatch):
    spoiled(monkeypatch, Check("broken", "exact", lambda count, rng: Finding(1 // 0, 0)))
    assert command.main(["verify", "fig-perturbation"]) == 4
    printed = capsys.readouterr()
    assert "a check did not run" in printed.out and "CONTRADICTS" not in printed.out
    assert "fig-perturbation: broken: expected holds, found ZeroDivisionError: " in printed.err


def needs_sklearn(count, rng):
    try:
        raise ModuleNotFoundError("No module named 'sklearn'", name="sklearn")
    except ModuleNotFoundError as error:
        raise ImportError("how to get it") from error


def test_what_needs_an_extra_is_skipped_by_name_and_agrees_with_nothing(capsys, monkeypatch):
    kept = LEDGER["fig-perturbation"].checks[0]
    spoiled(monkeypatch, kept, Check("fits", "random", needs_sklearn, scales=True, instances=20, chunk=10))
    assert command.main(["verify", "fig-perturbation"]) == 3
    printed = capsys.readouterr()
    assert "1 of 3 skipped: needs lifelong[learners]" in printed.out
    assert printed.err == "fig-perturbation: fits: skipped, needs lifelong[learners]\n"
    assert not re.search("as recorded|CONTRADICTS|agree", printed.out + printed.err)
    code, record = as_json(capsys, "fig-perturbation")
    assert (code, record["agrees"], record["complete"]) == (3, False, True)
    first, skipped = record["claims"][0]["evidence"]
    assert first["agrees"] and not skipped["agrees"]
    assert (skipped["needs"], skipped["error"], skipped["instances"]) == ("lifelong[learners]", "", 0)


def test_an_interrupt_prints_what_is_there(capsys, monkeypatch):
    def stop(count, rng):
        raise KeyboardInterrupt

    kept = LEDGER["fig-perturbation"].checks[0]
    spoiled(monkeypatch, kept, Check("stopped", "exact", stop))
    assert command.main(["verify", "fig-perturbation"]) == 130
    assert "interrupted" in capsys.readouterr().out
    code, record = as_json(capsys, "fig-perturbation")
    assert code == 130
    assert record["complete"] is False and record["agrees"] is False
    assert [e["check"] for e in record["claims"][0]["evidence"]] == [kept.name]
    assert record["claims"][0]["agrees"] is False  # on a check that never ran


@pytest.mark.parametrize(
    "arguments",
    [
        ["prove"],
        ["verify", "--instances", "2.5"],
        ["verify", "rem-dimension", "--seed", "-1"],
        ["verify", "rem-dimension", "--jobs", "0"],
    ],
    ids=" ".join,
)
def test_bad_arguments(capsys, arguments):
    with pytest.raises(SystemExit) as caught:
        command.main(arguments)
    assert caught.value.code == 2
    assert "usage: lifelong" in capsys.readouterr().err


# --- serve


def test_serve_needs_a_built_book(tmp_path, capsys):
    assert command.main(["serve", str(tmp_path / "nowhere"), "--no-browser"]) == 2
    assert "no built book in" in (said := capsys.readouterr().err) and "README" in said


def test_serve_opens_the_browser_unless_told_not_to(tmp_path, monkeypatch, capsys):
    (tmp_path / "index.html").write_text("a book")
    opened = []
    monkeypatch.setattr(command.webbrowser, "open", opened.append)

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ThreadingHTTPServer, "serve_forever", interrupted)
    assert command.main(["serve", str(tmp_path), "--no-browser"]) == 0 and opened == []
    assert command.main(["serve", str(tmp_path)]) == 0 and len(opened) == 1
    assert opened[0] in capsys.readouterr().out


def test_what_is_served_has_the_types_that_a_browser_insists_on(tmp_path):
    names = {"index.html": "text/html", "a.mjs": "text/javascript", "a.wasm": "application/wasm"}
    for name in names:
        (tmp_path / name).write_text("x")
    with server(tmp_path) as opened:
        threading.Thread(target=opened.serve_forever, daemon=True).start()
        for name, kind in names.items():
            with urlopen(address(opened) + name) as answer:
                assert answer.headers["content-type"] == kind and answer.headers["cache-control"] == "no-cache"
        with pytest.raises(HTTPError, match="404"):
            urlopen(address(opened) + "nothing")
        opened.shutdown()


def test_only_this_machine_by_its_own_name_is_answered_and_no_folder_is_listed(tmp_path):
    (tmp_path / "index.html").write_text("a book")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "page.html").write_text("a page")
    with server(tmp_path) as opened:
        threading.Thread(target=opened.serve_forever, daemon=True).start()
        for host in ("localhost", "LOCALHOST:8000", f"127.0.0.1:{opened.server_port}", "[::1]:80"):
            with urlopen(Request(address(opened) + "folder/page.html", headers={"Host": host})) as answer:
                assert answer.read() == b"a page"
        for host in ("evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "127x0.0.1", ""):
            with pytest.raises(HTTPError, match="403"):
                urlopen(Request(address(opened), headers={"Host": host}))
        for folder in ("folder", "folder/"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(address(opened) + folder)
        opened.shutdown()


def test_a_record_is_renewed_claim_by_claim(tmp_path, capsys):
    record = tmp_path / "ledger.json"
    labels = ["lem-one-vec", "ineq-scalar"]
    old = {"command": "as before", "claims": [{"label": labels[1], "old": 1}, {"label": labels[0], "old": 1}]}
    record.write_text(json.dumps(old), encoding="utf-8")
    assert command.main(["verify", "ineq-scalar", "--bite", "--into", str(record)]) == 0
    made = json.loads(record.read_text(encoding="utf-8"))
    assert made["command"] == "as before"
    by = {claim["label"]: claim for claim in made["claims"]}
    assert set(by) == set(labels) and by["lem-one-vec"] == {"label": "lem-one-vec", "old": 1}
    assert by["ineq-scalar"]["agrees"] and by["ineq-scalar"]["bites"]
    assert list(by) == [label for label in LEDGER if label in labels]
