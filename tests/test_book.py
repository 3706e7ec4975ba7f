"""The book and the package tell the same story: labels, anchors, and the record behind the ledger's page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.evidence import reports
from lifelong_book.press.rooms import notebooks

BOOK = Path(__file__).resolve().parent.parent / "book"
RECORD = json.loads((BOOK / "records" / "ledger.json").read_text(encoding="utf-8"))
RECORDED = {claim["label"]: claim for claim in RECORD["claims"]}


def markdown(page: Path) -> str:
    cells = json.loads(page.read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def targets(page: Path) -> set[str]:
    """Names of the targets, lines such as (lem-angle)=, in the text of a notebook."""
    return set(re.findall(r"^\(([a-z0-9-]+)\)=$", markdown(page), flags=re.MULTILINE))


@pytest.mark.parametrize("label", LEDGER)
def test_every_claim_has_its_anchor_on_its_page(label: str) -> None:
    assert label in targets(BOOK / f"{LEDGER[label].page}.ipynb")


def test_no_label_has_two_anchors() -> None:
    everywhere = [name for page in notebooks(BOOK) for name in targets(page)]
    assert {name for name in everywhere if everywhere.count(name) > 1} == set()


# --- What is printed, what is true: one source, and no page that disagrees with it

PAGES = {page.relative_to(BOOK).with_suffix("").as_posix(): page for page in notebooks(BOOK)}
FOUND = {d.label: (d, d.page or claim.page) for claim in LEDGER.values() for d in claim.discrepancies}


def boxes(text: str) -> list[tuple[str, str]]:
    """Label and kind of every box that tells of something found in print; the label may be missing."""
    box = re.compile(
        r"(?:^\((found-[a-z0-9-]+)\)=\n+)?^[:`]{3,}\{admonition\}[^\n]*\n:class:[^\n]*?(what-fails|found-[a-z]+)", re.M
    )
    return [(m[1] or "", m[2].removeprefix("found-")) for m in box.finditer(text)]


@pytest.mark.parametrize("page", PAGES)
def test_every_box_is_in_the_ledger_and_every_discrepancy_has_its_box(page: str) -> None:
    wanted = sorted((label, d.kind) for label, (d, where) in FOUND.items() if where == page)
    if page == "reading":  # shows one of them as an example
        assert boxes(markdown(PAGES[page])) == [("", "refuted")]
    else:
        assert sorted(boxes(markdown(PAGES[page]))) == wanted


ITEM = r"(?:Algorithm|Corollary|Definition|Figure|Lemma|Note|Theorem) \d"
WORDS = {
    "refuted": r"\brefut(?:ed|es|ation)\b|\b(?:false|fails?) as printed\b",
    "gap": r"\bgaps? in (?:the|its|a) (?:printed )?proof\b",
    "misprint": r"\bmisprint(?:s|ed)?\b",
    "reading": r"\btwo readings\b",
}
STANDING = {c.item: {"refuted"} & {c.verdict} | {d.kind for d in c.discrepancies} for c in LEDGER.values()}


def verdict_words(text: str) -> list[tuple[str, set[str], str]]:
    """Each verdict word with the items of the paper that its sentence names, and the sentence."""
    plain = re.sub(r"\{(?:ref|doc|prf:ref)\}`([^<`]*)(?:<[^>]*>)?`", r"\1", text)
    found = []
    for sentence in re.split(r"(?<=[.?!:])\s+|\n\n|\n(?=[*#:|])", plain):
        items = set(re.findall(ITEM, sentence))
        found += [
            (kind, items, sentence) for kind, words in WORDS.items() if items and re.search(words, sentence, re.I)
        ]
    return found


@pytest.mark.parametrize("page", [*PAGES, "README"])
def test_every_verdict_word_agrees_with_the_ledger(page: str) -> None:
    text = markdown(PAGES[page]) if page != "README" else (BOOK.parent / "README.md").read_text(encoding="utf-8")
    for kind, items, sentence in verdict_words(text):
        assert any(kind in STANDING.get(item, set()) for item in items), sentence


def test_the_verdict_words_can_fail() -> None:
    (found,) = verdict_words("It is so. {ref}`Theorem 6 <thm-polynomials>` is refuted. Lemma 3 is not named here.")
    assert found[:2] == ("refuted", {"Theorem 6"})
    assert "refuted" not in STANDING["Lemma 2"]


def test_the_record_is_of_this_ledger() -> None:
    assert list(RECORDED) == list(LEDGER)
    assert RECORD["complete"] and RECORD["agrees"]
    for label, claim in LEDGER.items():
        seen = RECORDED[label]
        kinds = [(check.name, check.kind) for check in (*claim.checks, *claim.twins)]
        assert (seen["verdict"], seen["statement"], seen["title"]) == (claim.verdict, claim.statement, claim.title)
        assert (seen["standing"], seen["scope"], seen["loose"]) == (claim.standing, claim.scope, dict(claim.loose))
        assert [(e["check"], e["kind"]) for e in (*seen["evidence"], *seen["twins"])] == kinds


@pytest.mark.parametrize("label", LEDGER)
def test_a_bite_below_nine_tenths_is_explained_and_nothing_else_is(label: str) -> None:
    low = {name for name, bite in RECORDED[label]["bites"].items() if float(bite) < 0.9}
    assert low == set(LEDGER[label].loose), RECORDED[label]["bites"]


@pytest.mark.nightly  # by day tests/ledger/test_claim.py compares it with what pages print
@pytest.mark.parametrize("label", LEDGER)
def test_the_record_comes_out_again(label: str) -> None:
    (report,) = reports([LEDGER[label]], seed=RECORD["seed"])
    again = report.as_dict()
    for kind in ("evidence", "twins"):
        for old, new in zip(RECORDED[label][kind], again[kind], strict=True):
            assert (old["instances"], old["violations"]) == (new["instances"], new["violations"]), old["check"]
            for name, ratio in {"": old["worst"], **old["ratios"]}.items():
                found = {"": new["worst"], **new["ratios"]}[name]
                assert found == ratio or float(found) == pytest.approx(float(ratio), rel=1e-6), (old["check"], name)
