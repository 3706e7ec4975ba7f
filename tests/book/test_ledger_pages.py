"""The pages made from the ledger: what a cell of a table says, and the lists of what is in print."""

from __future__ import annotations

import pytest

from lifelong.book.ledger_pages import (
    discrepancy_boxes,
    discrepancy_kinds,
    discrepancy_list,
    ledger_bites,
    ledger_table,
    provenance,
)
from lifelong.ledger import KINDS, LEDGER, Evidence, Finding, Report

CLAIM = LEDGER["lem-one-vec"]


def row(**changed) -> str:
    evidence = [Evidence("tried", "random", False, "holds", Finding(1234, 0), 0.0)]
    return ledger_table([{**Report(CLAIM, evidence).as_dict(), **changed}])


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"bites": {"": 0.996}}, "<td>1.00</td>"),
        ({"bites": {"": 0.5}}, "<td>0.50</td>"),
        ({"bites": {"labels": 0.5, "features": 1.0, "angle": 0.25}}, "<td>0.50 (labels)<br>0.25 (angle)</td>"),
        ({"bites": {}}, "<td>–</td>"),
        ({"bites": {}, "evidence": []}, "<td></td><td></td>"),
        ({"verdict": "refuted", "worst": 1.2345}, "<td>exceeded 1.23-fold</td>"),
        ({"verdict": "refuted", "worst": "inf"}, "<td>exceeded inf-fold</td>"),
        ({"verdict": "refuted", "worst": None}, "<td></td>"),
        ({"twins": [{"violations": 1}, {"violations": 0}]}, "<td>1 of 2</td>"),
        ({"replaced_by": ["lem-one-vec"]}, 'see <a href="perturbation.html#lem-one-vec">lem-one-vec</a>'),
    ],
    ids=str,
)
def test_a_row_of_the_table(changed, words):
    assert words in row(**changed)


def test_only_bites_below_nine_tenths_are_explained():
    entry = {"label": "x", "bites": {"": 0.89, "b": 0.9}, "loose": {"": "why"}}
    assert "0.89</td><td>why" in ledger_bites([entry]) and "0.90" not in ledger_bites([entry])


def test_every_discrepancy_is_in_the_lists():
    kinds, listed, boxes = (f(iter(LEDGER.values())) for f in (discrepancy_kinds, discrepancy_list, discrepancy_boxes))
    assert len(kinds.splitlines()) == len(KINDS)
    for claim in LEDGER.values():
        for d in claim.discrepancies:
            assert f"<{claim.label}>" in listed
            assert f":name: {d.label.replace('found-', 'printed-')}\n" in boxes
    refuted = [claim for claim in LEDGER.values() if claim.verdict == "refuted"]
    assert f"* **✗ refuted** ({len(refuted)})" in listed
    assert listed.count("what holds: {ref}") == len(refuted)


def test_what_made_a_record():
    made = {"command": "make", "date": "today", "versions": {"a": 1, "b": 2}}
    assert provenance(made) == "`make`, on today, with a 1, b 2."
