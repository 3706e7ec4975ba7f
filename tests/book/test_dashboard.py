"""The pages made from the ledger: what a line says and opens to, and the lists of what is in print."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from lifelong_book.press import ledger_pages as pages
from lifelong_book.press.contents import Chapter, Printed
from lifelong_book.press.dashboard import dashboard, formulas, readable, reference
from lifelong_book.press.ledger import KINDS, LEDGER, Claim, Evidence, Finding, Report, reports

CLAIM = LEDGER["lem-one-vec"]
PAGES = {
    "halfspaces/perturbation/index": Chapter("3.2", "Perturbing"),
    "beyond/exactly_k": Chapter("3.4.1", "Exactly"),
    "halfspaces/repair/index": Chapter("3.4", "Repair"),
}
EXERCISES = {"ex-a": Printed("halfspaces/perturbation/index", "Half", "Break {ref}`it <lem-subspace>`.", "")}


def soup(found):
    return BeautifulSoup(dashboard(found, PAGES, EXERCISES), "html.parser")


@pytest.mark.parametrize(
    ("changed", "bite"),
    [
        ({"bites": {"": 0.996}}, "1.00"),
        ({"bites": {"labels": 0.5, "features": 1.0}}, "0.50"),
        ({"bites": {}}, "–"),
        ({"verdict": "refuted", "worst": 1.2345}, "1.23×"),
        ({"verdict": "refuted", "worst": "inf"}, "inf×"),
        ({"verdict": "refuted", "worst": None}, "–"),
    ],
)
def test_bite_of_a_line(changed, bite):
    evidence = [Evidence("tried", "random", False, "holds", Finding(1234, 0), 0.0)]
    page = soup([{**Report(CLAIM, evidence).as_dict(), **changed}])
    cells = page.select_one("tbody tr.line").find_all("td")[1:]
    assert [cell.get_text() for cell in cells] == ["3.2", "1,234", bite]
    (more,) = page.select("tbody tr.more > td > details")  # without scripts a line opens by itself
    assert more.summary.get_text() == "Statement and evidence" and not more.has_attr("open")
    assert not re.search(r"__[A-Z]+__", dashboard([], {}, {}))


def test_a_line_opens_to_everything_that_is_known():
    claims = [LEDGER["lem-subspace"], LEDGER["thm-subspace-sharp"], Claim("lem-new", "added", "new", "Not yet.")]
    found = [report.as_dict() for report in reports(claims, instances=60)]
    page = soup(found)
    assert [body["id"] for body in page.select("tbody[id]")] == [f"claim-{claim.label}" for claim in claims]
    opened = page.select_one("#claim-lem-subspace tr.more").get_text(" ")
    statement = BeautifulSoup(formulas(claims[0].statement), "html.parser").get_text(" ")
    instead = "errors of many vectors: the sharp theorem"
    for words in (statement, instead, "lem-one-vec", "lifelong verify lem-subspace", "Half"):
        assert words in opened
    assert opened.index("learned (1,0,0,0)") < opened.index("Violated")  # the instance that refutes, above the checks
    assert opened.count("learned (1,0,0,0)") == 1
    for entry in (*found[0]["evidence"], *found[0]["twins"]):
        check = BeautifulSoup(readable(entry["check"]), "html.parser").get_text(" ")
        assert check in opened and f"{entry['instances']:,}" in opened
    assert "unchecked" in page.select_one("#claim-lem-new tr.line").get_text()


def test_the_page_of_the_ledger_has_a_formula_of_its_own():
    cells = nbformat.read(Path(pages.__file__).parents[1] / "ledger.ipynb", as_version=4).cells
    # for a page without one the build leaves out the script that sets the formulas of the lines
    assert any(re.search(r"\$[^$]+\$", cell.source) for cell in cells if cell.cell_type == "markdown")


def test_chapters_to_choose_from_are_in_order_and_pages_below_count_to_their_chapter():
    labels = ("prop-exactly-k", "lem-one-vec", "thm-halfspaces-small-error")
    page = soup([Report(LEDGER[label], []).as_dict() for label in labels])
    chapters = {o["value"]: o.get_text() for o in page.select('select[name="chapter"] option') if o["value"]}
    assert list(chapters.items()) == [("3.2", "3.2 Perturbing"), ("3.4", "3.4 Repair")]
    assert [body["data-chapter"] for body in page.select("tbody[id]")] == ["3.4", "3.2", "3.4"]


def test_a_function_is_linked_where_it_is_documented():
    assert reference("lifelong.laws.Law.draw") == "api/streams.html#lifelong.laws.Law.draw"
    assert reference("lifelong.halfspaces.angles.angle").startswith("api/halfspaces_bounds.html#")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("n^2 + k <= kn", "n<sup>2</sup> + k ≤ kn"),
        ("F_(i-1)^2", "F<sub>i-1</sub><sup>2</sup>"),
        ("a log_a N", "a log<sub>a</sub> N"),
        ("noisy_preorder, s_2 & c_0 > 0", "noisy_preorder, s<sub>2</sub> &amp; c<sub>0</sub> &gt; 0"),
        ("the alphabet, epsilon, betas", "the alphabet, epsilon, betas"),
        ("sqrt(k) sin eps/sigma_k", "√(k) sin ε/σ<sub>k</sub>"),
    ],
)
def test_checks_are_shown_as_one_writes_them(text, shown):
    assert readable(text) == shown


def test_labels_are_links_and_formulas_of_a_claim_stand_between_dollars():
    link = '<a href="#claim-thm-online-sharp"><code>thm-online-sharp</code></a>'
    assert formulas("by thm-online-sharp, not x-y") == f"by {link}, not x-y"
    for claim in LEDGER.values():
        for text in (claim.statement, claim.scope, *claim.loose.values()):
            words = re.sub(r"\$[^$]+\$|`[^`]+`", "", text)
            assert not re.search(r"[$^_\\~]|<=|>=|\bsqrt|\b(eps|tau|gamma|delta|sigma|theta|pi)\b", words), words
            assert formulas(text).count("<span") == text.count("$") / 2


def test_every_discrepancy_is_in_the_lists_and_the_table_leads_to_its_box():
    claims = LEDGER.values()
    boxes, table = (f(iter(claims)) for f in (pages.discrepancy_boxes, pages.discrepancy_table))
    assert len(pages.discrepancy_kinds(iter(claims)).splitlines()) == len(KINDS)
    names = [line.removeprefix(":name: ") for line in boxes.splitlines() if line.startswith(":name: ")]
    assert [line.partition("(#")[2].partition(")")[0] for line in table.splitlines()[2:]] == names
    assert {d.label.replace("found-", "printed-") for c in claims for d in c.discrepancies} == set(names)
    assert all(f'#claim-{c.label}"' in boxes for c in claims if c.discrepancies)
    refuted = sum(claim.verdict == "refuted" for claim in claims)
    assert table.count("✗ refuted") == boxes.count(":::{dropdown} What fails") == refuted
    box = pages.discrepancy_boxes([LEDGER["lem-subspace"]])
    assert "**Proved here.** {ref}`the sharp theorem <thm-subspace-sharp>`" in box and "{acc}$" not in box
    made = {"command": "make", "date": "today", "versions": {"a": 1, "b": 2}}
    assert pages.provenance(made) == "`make`, on today, with a 1, b 2."
