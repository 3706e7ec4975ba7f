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
    assert repr(shown).startswith("fig-perturbation: proved\n")
    assert all(check.name in repr(shown) for check in (*CLAIM.checks, *CLAIM.twins))
    html = shown._repr_html_()
    assert "✓ proved</span> Numerical check: 1 instance</summary>" in html and "broken version: " in html
    holdout = evidence("lem-holdout", 10)
    assert "</span> Numerical check: 688 instances of 2 kinds<" in holdout._repr_html_()
    unproved = replace(holdout.report, claim=replace(holdout.report.claim, verdict="exhaustive"))
    assert "only checked, not proved: 688" in notebook.Shown(unproved)._repr_html_()
    assert "</span> Counterexamples and others: " in evidence("lem-subspace", 10)._repr_html_()


def without(count, rng):
    raise ModuleNotFoundError("No module named 'cvxpy'", name="cvxpy")


@pytest.mark.parametrize(
    ("run", "words"),
    [
        (lambda count, rng: Finding(2, 1), "1 of 2 violated"),
        (lambda count, rng: Finding(1 // 0, 0), "did not run: ZeroDivisionError: "),
        (without, r"skipped, needs lifelong\[learners\]"),
    ],
)
def test_a_cell_stops_at_evidence_that_does_not_agree(run, words, monkeypatch):
    monkeypatch.setattr(notebook, "find", lambda name: replace(CLAIM, checks=(Check("new", "exact", run),)))
    with pytest.raises(AssertionError, match=rf"^fig-perturbation: .*\n(.*\n)*  new\n +{words}"):
        evidence("fig-perturbation")


def test_stored_tables_words_and_sets(tmp_path, monkeypatch):
    rows = family("13 2 123")
    assert names(rows) == "13 2 123"
    assert monomials(np.vstack([rows, np.zeros((1, 3), dtype=bool)])) == "x1x3 x2 x1x2x3 1"
    assert places(rows, rows[::-1]).tolist() == [2, 1, 0] and places(rows, rows[:1]).tolist() == [0, -1, -1]
    monkeypatch.chdir(tmp_path)
    (tmp_path / "records").mkdir()
    (tmp_path / "records" / "toy.json").write_text(json.dumps({"rows": [{"x": 1}]}), encoding="utf-8")
    assert record("toy")["rows"] == [{"x": 1}]


def test_a_table_is_markdown_on_a_page_and_columns_in_a_terminal():
    shown = table(["$k$", "law"], [(2, "Gaussian"), (10, "cube")], ["d", ""])
    assert shown._repr_markdown_() == "| $k$ | law |\n| --: | :-- |\n| 2 | Gaussian |\n| 10 | cube |"
    assert repr(shown) == "$k$  law\n  2  Gaussian\n 10  cube"


NO_SETS, SETS = [[1, 0]], [[True]]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        *((lambda bad=bad: family(bad), "^text: expected words of the") for bad in ("", "  ", "10", "12,13", "ab")),
        *((lambda read=read: read(NO_SETS), "expected a boolean array with 2 axes") for read in (names, monomials)),
        (lambda: places(NO_SETS, SETS), "expected a boolean array with 2 axes"),
        (lambda: places(SETS, NO_SETS), "expected a boolean array with 2 axes"),
        (lambda: record("other"), "^name: expected a table in the folder records, got 'other'$"),
        (lambda: table(["a", "b"], [(1,)]), r"rows\[0\]: expected 2 entries"),
        (lambda: table(["a", "b"], [(1, 2)], ["d"]), "formats: expected 2 entries"),
        (lambda: table(["", "labels"], [("Gaussian", 1)]), "headings: expected a word for each column"),
    ],
)
def test_refusals(call, words):
    with pytest.raises(ValueError, match=words):
        call()
