"""The pages made from the ledger: what a cell of a table says, and the lists of what is in print."""

from __future__ import annotations

from lifelong_book.press.ledger import KINDS, LEDGER
from lifelong_book.press.ledger_pages import (
    discrepancy_boxes,
    discrepancy_kinds,
    discrepancy_list,
    discrepancy_table,
    provenance,
)


def test_every_discrepancy_is_in_the_lists():
    kinds, listed, boxes = (f(iter(LEDGER.values())) for f in (discrepancy_kinds, discrepancy_list, discrepancy_boxes))
    assert len(kinds.splitlines()) == len(KINDS)
    for claim in LEDGER.values():
        for d in claim.discrepancies:
            assert f"<{claim.label}>" in listed
            assert f":name: {d.label.replace('found-', 'printed-')}\n" in boxes
    refuted = [claim for claim in LEDGER.values() if claim.verdict == "refuted"]
    assert f"* **✗ refuted** ({len(refuted)})" in listed
    assert listed.count("what holds: ") == len(refuted)
    assert listed.count("what holds: its bound on labels, and {ref}`the volume bound") == 1


def test_what_made_a_record():
    made = {"command": "make", "date": "today", "versions": {"a": 1, "b": 2}}
    assert provenance(made) == "`make`, on today, with a 1, b 2."


def test_the_table_leads_to_every_box():
    boxes, table = discrepancy_boxes(LEDGER.values()), discrepancy_table(LEDGER.values())
    names = [line.removeprefix(":name: ") for line in boxes.splitlines() if line.startswith(":name: ")]
    assert [line.partition("(#")[2].partition(")")[0] for line in table.splitlines()[2:]] == names
    assert table.count("false as printed") == table.count("✗ refuted") == 4


def test_a_box_speaks_of_a_repair_by_its_title():
    box = discrepancy_boxes([LEDGER["lem-subspace"]])
    assert "**Proved here.** {ref}`the sharp theorem <thm-subspace-sharp>`" in box and "{acc}$" not in box


def test_a_refuted_box_folds_the_proof_and_no_box_speaks_of_opening():
    boxes = discrepancy_boxes(LEDGER.values())
    assert boxes.count(":::{dropdown} What fails") == 4
    assert "opens" not in boxes and "opened" not in boxes
    for claim in LEDGER.values():
        assert all(f'#claim-{claim.label}"' in boxes for _ in claim.discrepancies)
