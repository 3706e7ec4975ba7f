"""The ledger's page: what a line says, what it opens to, and that the filters filter."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup

from lifelong_book.press.contents import Chapter
from lifelong_book.press.dashboard import dashboard, formulas, home, readable
from lifelong_book.press.ledger import LEDGER, Claim, Evidence, Finding, Report, reports

CLAIM = LEDGER["lem-one-vec"]
PAGES = {
    "halfspaces/perturbation/index": Chapter("3.2", "Perturbing"),
    "beyond/exactly_k": Chapter("3.4.1", "Exactly"),
    "halfspaces/repair/index": Chapter("3.4", "Repair"),
}


def line(**changed):
    evidence = [Evidence("tried", "random", False, "holds", Finding(1234, 0), 0.0)]
    page = dashboard([{**Report(CLAIM, evidence).as_dict(), **changed}], PAGES)
    return BeautifulSoup(page, "html.parser").select_one("tbody tr.line")


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
    ids=str,
)
def test_bite_of_a_line(changed, bite):
    assert [cell.get_text() for cell in line(**changed).find_all("td")][1:] == ["3.2", "1,234", bite]


def test_a_line_opens_to_everything_that_is_known():
    claims = [LEDGER["lem-subspace"], LEDGER["thm-subspace-sharp"], Claim("lem-new", "added", "", "new", "Not yet.")]
    found = [report.as_dict() for report in reports(claims, instances=60)]
    page = BeautifulSoup(dashboard(found, PAGES), "html.parser")
    assert [body["id"] for body in page.select("tbody[id]")] == [f"claim-{claim.label}" for claim in claims]
    opened = page.select_one("#claim-lem-subspace tr.more").get_text(" ")
    statement = BeautifulSoup(formulas(claims[0].statement), "html.parser").get_text(" ")
    for words in (
        statement,
        "thm-subspace-sharp",
        "lem-one-vec",
        "lifelong verify lem-subspace",
    ):
        assert words in opened
    for entry in (*found[0]["evidence"], *found[0]["twins"]):
        check = BeautifulSoup(readable(entry["check"]), "html.parser").get_text(" ")
        assert check in opened and f"{entry['instances']:,}" in opened
    assert "unchecked" in page.select_one("#claim-lem-new tr.line").get_text()


def test_chapters_to_choose_from_are_in_order_and_pages_below_count_to_their_chapter():
    labels = ("prop-exactly-k", "lem-one-vec", "thm-halfspaces-small-error")
    found = [Report(LEDGER[label], []).as_dict() for label in labels]
    page = BeautifulSoup(dashboard(found, PAGES), "html.parser")
    chapters = {o["value"]: o.get_text() for o in page.select('select[name="chapter"] option') if o["value"]}
    assert list(chapters.items()) == [("3.2", "3.2 Perturbing"), ("3.4", "3.4 Repair")]
    assert [body["data-chapter"] for body in page.select("tbody[id]")] == ["3.4", "3.2", "3.4"]


def test_a_function_is_linked_where_it_is_documented():
    assert home("lifelong.laws.IsotropicLaw.planar_rate") == "lifelong.laws.Law.planar_rate"
    with pytest.raises((ModuleNotFoundError, AttributeError)):
        home("lifelong.halfspaces.nothing")


def test_nothing_in_the_page_is_left_to_fill_in():
    assert not re.search(r"__[A-Z]+__", dashboard([], {}))


def test_without_scripts_a_line_opens_by_itself():
    found = [Report(CLAIM, []).as_dict()]
    page = BeautifulSoup(dashboard(found, PAGES), "html.parser")
    (more,) = page.select("tbody tr.more > td > details")
    assert more.summary.get_text() == "Statement and evidence" and not more.has_attr("open")


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


def test_a_label_in_a_text_is_a_link():
    assert formulas("by thm-online-sharp, not x-y") == (
        'by <a href="#claim-thm-online-sharp"><code>thm-online-sharp</code></a>, not x-y'
    )


@pytest.mark.parametrize("label", LEDGER)
def test_formulas_of_a_claim_stand_between_dollars(label):
    """Outside of them no power, index or Greek letter is left, and the page gets every pair of dollars."""
    claim = LEDGER[label]
    for text in (claim.statement, claim.scope, *claim.loose.values()):
        words = re.sub(r"\$[^$]+\$|`[^`]+`", "", text)
        assert not re.search(r"[$^_\\~]|<=|>=|\bsqrt|\b(eps|tau|gamma|delta|sigma|theta|pi)\b", words), words
        assert formulas(text).count("<span") == text.count("$") / 2
