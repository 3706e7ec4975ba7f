"""The book and the package tell the same story: labels, anchors, and the record behind the ledger's page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lifelong.claims import LEDGER, reports

BOOK = Path(__file__).resolve().parent.parent / "book"
RECORD = json.loads((BOOK / "records" / "ledger.json").read_text(encoding="utf-8"))
RECORDED = {claim["label"]: claim for claim in RECORD["claims"]}

# claims of all kinds that take no more than a few seconds at the record's own size
SLICE = ("lem-one-vec", "fig-perturbation", "ineq-scalar", "prop-subspace-exact", "rem-dimension", "lem-consistency")


def targets(page: Path) -> set[str]:
    """Names of the targets, lines such as (lem-angle)=, in the text of a notebook."""
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    return set(re.findall(r"^\(([a-z0-9-]+)\)=$", text, flags=re.MULTILINE))


@pytest.mark.parametrize("label", LEDGER)
def test_every_claim_has_its_anchor_on_its_page(label: str) -> None:
    assert label in targets(BOOK / f"{LEDGER[label].page}.ipynb")


def test_no_label_has_two_anchors() -> None:
    everywhere = [name for page in sorted(BOOK.glob("*.ipynb")) for name in targets(page)]
    assert {name for name in everywhere if everywhere.count(name) > 1} == set()


def test_the_target_finder_can_fail(tmp_path: Path) -> None:
    page = tmp_path / "page.ipynb"
    cell = {"cell_type": "markdown", "source": ["text (lem-angle)= inside a line\n", "(lem-other)=\n", "# Title"]}
    page.write_text(json.dumps({"cells": [cell]}), encoding="utf-8")
    assert targets(page) == {"lem-other"}


def test_the_record_is_of_this_ledger() -> None:
    assert list(RECORDED) == list(LEDGER)
    assert RECORD["complete"] and RECORD["agrees"]
    for label, claim in LEDGER.items():
        seen = RECORDED[label]
        names = [check.name for check in (*claim.checks, *claim.twins)]
        assert (seen["verdict"], seen["statement"], seen["title"]) == (claim.verdict, claim.statement, claim.title)
        assert [e["check"] for e in (*seen["evidence"], *seen["twins"])] == names


@pytest.mark.parametrize("label", SLICE)
def test_a_slice_of_the_record_comes_out_again(label: str) -> None:
    (report,) = reports([LEDGER[label]], seed=RECORD["seed"])
    again = report.as_dict()
    for kind in ("evidence", "twins"):
        for old, new in zip(RECORDED[label][kind], again[kind], strict=True):
            assert (old["instances"], old["violations"]) == (new["instances"], new["violations"]), old["check"]
            if old["worst"] is not None:
                assert new["worst"] == pytest.approx(old["worst"], rel=1e-6), old["check"]
