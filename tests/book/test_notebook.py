"""What the notebooks share: evidence that fails loudly, stored tables, sets as words."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from lifelong_book.press import notebook
from lifelong_book.press.ledger import LEDGER, Check, Finding
from lifelong_book.press.notebook import evidence, family, monomials, names, places, record, table

CLAIM = LEDGER["fig-perturbation"]


def test_evidence_shows_the_verdict_and_every_check():
    shown = evidence("Figure 1")
    assert repr(shown).splitlines()[0] == "fig-perturbation: proved"
    assert all(check.name in repr(shown) for check in (*CLAIM.checks, *CLAIM.twins))
    html = shown._repr_html_()
    assert "✓ proved</span> Numerical check: 1 instance</summary>" in html and "broken version: " in html


def test_evidence_says_what_the_checks_are():
    words = {
        "lem-holdout": "Numerical check: 688 instances of 2 kinds<",
        "algo-one": "Numerical check: 240 instances of 2 kinds<",
    }
    words["lem-subspace"] = "Counterexamples and others: "
    for label, said in words.items():
        assert f"</span> {said}" in evidence(label, 10)._repr_html_()
    report = evidence("lem-holdout").report
    unproved = replace(report, claim=replace(report.claim, verdict="exhaustive"))
    assert "only checked, not proved: 688" in notebook.Shown(unproved)._repr_html_()


def broken(count, rng):
    return Finding(1 // 0, 0)


def without(count, rng):
    raise ModuleNotFoundError("No module named 'cvxpy'", name="cvxpy")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda count, rng: Finding(2, 1), "1 of 2 violated"),
        (broken, "did not run: ZeroDivisionError: "),
        (without, r"skipped, needs lifelong\[learners\]"),
    ],
)
def test_a_cell_stops_at_evidence_that_does_not_agree(run, words, monkeypatch):
    monkeypatch.setattr(notebook, "find", lambda name: replace(CLAIM, checks=(Check("new", "exact", run),)))
    with pytest.raises(AssertionError, match=rf"^fig-perturbation: .*\n(.*\n)*  new\n +{words}"):
        evidence("fig-perturbation")


def test_a_stored_table(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "toy.json").write_text(json.dumps({"rows": [{"x": 1}]}), encoding="utf-8")
    assert record("toy")["rows"] == [{"x": 1}]
    with pytest.raises(ValueError, match=r"^name: expected a table in the folder records, got 'other'$"):
        record("other")


def test_words_and_sets():
    rows = family("13 2 123")
    assert names(rows) == "13 2 123"
    assert monomials(np.vstack([rows, np.zeros((1, 3), dtype=bool)])) == "x1x3 x2 x1x2x3 1"
    assert places(rows, rows[::-1]).tolist() == [2, 1, 0]
    assert places(rows, rows[:1]).tolist() == [0, -1, -1]


@pytest.mark.parametrize("bad", ["", "  ", "10", "12,13", "ab"])
def test_words_that_are_no_sets(bad):
    with pytest.raises(ValueError, match=r"^text: expected words of the digits 1 to 9, got "):
        family(bad)


@pytest.mark.parametrize("call", [names, monomials, lambda rows: places(rows, [[True]]), lambda r: places([[True]], r)])
def test_rows_that_are_no_sets(call):
    with pytest.raises(ValueError, match="expected a boolean array with 2 axes"):
        call([[1, 0]])


def test_a_table_is_markdown_on_a_page_and_columns_in_a_terminal():
    shown = table(["$k$", "law"], [(2, "Gaussian"), (10, "cube")], ["d", ""])
    assert shown._repr_markdown_() == "| $k$ | law |\n| --: | :-- |\n| 2 | Gaussian |\n| 10 | cube |"
    assert repr(shown) == "$k$  law\n  2  Gaussian\n 10  cube"


@pytest.mark.parametrize(
    ("rows", "formats", "words"),
    [([(1,)], (), r"rows\[0\]: expected 2 entries"), ([(1, 2)], ["d"], "formats: expected 2 entries")],
)
def test_a_table_refuses_rows_of_another_length(rows, formats, words):
    with pytest.raises(ValueError, match=words):
        table(["a", "b"], rows, formats)


def test_a_table_refuses_a_column_without_a_name():
    with pytest.raises(ValueError, match="headings: expected a word for each column"):
        table(["", "labels"], [("Gaussian", 1)])
