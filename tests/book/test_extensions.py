"""What the build adds to the pages: numbers of pages, the standing of claims, headings of proofs."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

pytest.importorskip("sphinx_proof", reason="the book's own requirements are not installed")

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment.collectors.toctree import TocTreeCollector
from sphinx.util.docutils import new_document

from lifelong_book.press.badges import MACHINE
from lifelong_book.press.ledger import LEDGER

EXTENSIONS = Path(__file__).parent.parent.parent / "book" / "_ext"
PAGES = {
    "index": ".. toctree::\n   :numbered: 3\n\n   one\n   two\n\n.. toctree::\n\n   apart\n",
    "one": "Heading\n-------\n\n:numref:`label`\n",
    "two": "Heading\n-------\n\nAgain\n-----\n\n.. toctree::\n\n   deep\n",
    "deep": "Heading\n-------\n\n.. toctree::\n\n   deeper\n",
    "deeper": "Heading\n-------\n\n.. figure:: dot.png\n   :name: dot\n\n   A dot\n",
    "apart": "Heading\n-------\n",
}


def test_pages_figures_and_references_are_numbered_from_pages_and_headings_are_not(tmp_path, monkeypatch):
    for name, text in PAGES.items():
        label = ".. _label:\n\n" if name == "deeper" else ""
        (tmp_path / f"{name}.rst").write_text(f"{label}Page {name}\n=========\n\n{text}", encoding="utf-8")
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    monkeypatch.setattr(TocTreeCollector, "assign_section_numbers", TocTreeCollector.assign_section_numbers)
    setting = {"extensions": ["numbering"], "numfig": True, "numfig_secnum_depth": 2}
    setting |= {"numfig_format": {"section": "Chapter %s"}, "suppress_warnings": ["image.not_readable"]}
    out, trees = tmp_path / "out", tmp_path / "trees"
    Sphinx(str(tmp_path), None, str(out), str(trees), "html", setting, status=None, warning=None).build()
    built = {name: (out / f"{name}.html").read_text(encoding="utf-8") for name in PAGES}
    for page, number in {"one": "1. ", "two": "2. ", "deep": "2.1. ", "deeper": "2.1.1. ", "apart": ""}.items():
        (title,) = re.findall(r"<h1>(.*?)<a", built[page])
        assert re.sub("<.*?>", "", title) == f"{number}Page {page}"
        assert re.findall(r"<h2>(.*?)<a", built[page])[0] == "Heading"
    assert "Chapter 2.1.1" in built["one"] and re.search(r'caption-number">Fig. 2\.1\.1 ', built["deeper"])


@pytest.fixture(autouse=True)
def _extensions(monkeypatch):
    monkeypatch.setattr(sys, "path", [str(EXTENSIONS), *sys.path])


@pytest.fixture
def statements():
    return import_module("statements")


@pytest.fixture
def reference():
    return import_module("reference")


def test_a_statement_is_known_by_its_labels_and_its_badge_shows_every_kind(statements):
    for ids, label in ((["lem-angle-box"], "lem-angle"), (["x", "lem-angle"], "lem-angle"), (["lem-angles"], None)):
        claim = statements.claim_of(nodes.admonition(ids=ids))
        assert (claim and claim.label) == label
    for claim in LEDGER.values():
        kinds = {d.kind for d in claim.discrepancies} | {claim.verdict.split()[0]}
        kinds |= {"machine"} if claim.label in MACHINE else set()
        assert set(re.findall(r"mark-(\w+)", statements.badge(claim, "ledger.html"))) == kinds
    # of Theorem 1 one conclusion holds
    assert "✗ refuted in part<" in statements.badge(LEDGER["thm-halfspaces"], "ledger.html")
    assert "✗ refuted<" in statements.badge(LEDGER["lem-subspace"], "ledger.html")


def test_below_an_algorithm_stands_what_is_proved_of_it_and_evidence_leads_to_the_proof(statements, monkeypatch):
    shown = statements.asserted(LEDGER["algo-one"], "../ledger.html#claim-algo-one")
    assert shown.startswith('<p class="asserted"><a class="standing" href="../ledger.html#claim-algo-one"')
    assert "✓ proved</span></a> With exact oracles" in shown and "\\(\\varepsilon" in shown
    assert shown.endswith("Limits: exact oracles; Gaussian law in the checks.</p>")
    monkeypatch.setattr(statements, "_line", lambda app, page, claim: f"ledger.html#claim-{claim}")
    shown = statements.links(None, "page", "ineq-scalar", "proof-2")
    assert '<a href="#proof-2">the proof</a>' in shown and f"{statements.RECORDED['ineq-scalar']:,} instances" in shown
    assert "proof" not in statements.links(None, "page", "ineq-scalar", "")
    refuted = statements.links(None, "page", "lem-subspace", "proof-2")
    assert "the proof" not in refuted and "true for" in refuted


def test_a_stop_stays_with_its_formula_and_proofs_have_headings_and_ids(statements):
    document, text = new_document(""), nodes.Text
    document += nodes.paragraph("", "", nodes.math("", "x"), text("), so"), nodes.math("", "y"), text(" is"))
    statements._keep_stops(document)
    (bound,) = document.findall(nodes.inline)
    assert bound.astext() == "x)," and document.astext() == "x), soy is"
    paragraph = nodes.paragraph("", "Proof. By ", nodes.emphasis("", "x"))
    proof = nodes.Element("", nodes.admonition("", paragraph, ids=["proof"]))
    statements._head_proof(proof, 7)
    assert proof[0]["ids"] == ["proof-7"] and [child.astext() for child in proof[0]] == ["Proof.", "By x"]


def test_a_step_is_proved_by_the_next_proof_unless_another_statement_comes_first(statements):
    def stated(kind, name):
        return nodes.admonition("", nodes.title("", kind), classes=["proof", kind], ids=[f"{name}-box"])

    document = new_document("")
    proofs = [nodes.Element("", nodes.admonition("", ids=[name])) for name in ("proof-1", "proof-2")]
    first, second, third = every = [stated("lemma", "one"), stated("corollary", "two"), stated("theorem", "three")]
    document += [first, nodes.section("", proofs[0]), second, third, nodes.paragraph(), proofs[1]]
    assert [statements.proof_below(x, proofs, every) for x in every] == ["proof-1", "", "proof-2"]
    document += nodes.section("", ids=["proof-of-two"])
    assert [statements.proof_below(x, proofs, every) for x in every] == ["proof-1", "proof-of-two", "proof-2"]
    assert all(map(statements.is_claimed, every)) and not statements.is_claimed(stated("definition", "four"))
    assert statements.is_claimed(stated("definition", "lem-angle"))  # what is in the ledger


def test_only_the_icons_that_are_named_are_kept():
    theme = import_module("theme")
    car, sun = '"fast-car":[1,2,[],"f1",["M1","M2"]],', 'sun:[5,5,[],"f185","M3"]'
    script = 'x={bars:[448,512,["navicon"],"f0c9","M0 96"],' + car + sun + "};y()"
    assert theme.icons_named(script, {"bars"}) == 'x={bars:[448,512,["navicon"],"f0c9","M0 96"],};y()'
    assert theme.icons_named(script, {"bars", "fast-car", "sun"}) == script


@pytest.mark.parametrize("module", ["lifelong", "lifelong.halfspaces.algorithm1", "lifelong_book.press.ledger"])
def test_every_public_name_is_in_its_table_with_a_line_on_it(module, reference):
    links = {re.match(":py:obj:`(\\w+) <(.*)>`", link).groups(): words for link, words in reference.names(module)}
    names = dict(list(links))
    assert set(names) == set(reference.public(import_module(module))) - {"KINDS"}  # told where it is defined
    assert all(links.values())
    if module == "lifelong":  # where it is documented
        assert names["SharedSubspace"] == "lifelong.halfspaces.algorithm1.SharedSubspace"


def test_arguments_that_are_told_together_stand_on_one_line(reference):
    document, listed = new_document("api"), nodes.bullet_list()
    document += nodes.field_body("", listed)
    for name, rest in {"u": "Vectors.", "v": "Vectors.", "w": "Vectors.", "n": "Variables.", "k": "", "m": ""}.items():
        line = nodes.paragraph("", "", nodes.strong(name, name), nodes.Text(" ("), nodes.emphasis("", "int"))
        line += nodes.Text(")")
        line += [nodes.Text(" -- "), nodes.Text(rest)] if rest else []
        listed += nodes.list_item("", line)
    document += nodes.paragraph("", "alias of Callable[[Any], Any]")
    reference.told_together(None, document)
    told = ["u, v, w (int) -- Vectors.", "n (int) -- Variables.", "k (int)", "m (int)"]
    assert [item.astext() for item in listed] == told and "alias" not in document.astext()


def test_a_label_between_backticks_leads_to_the_ledger(reference):
    app = SimpleNamespace(builder=SimpleNamespace(get_relative_uri=lambda here, there: there))
    env = SimpleNamespace(found_docs={"book/ledger"})
    known, unknown = (
        reference.missing(app, env, {"reftarget": label, "refdoc": "book/api"}, nodes.literal("", label))
        for label in ("lem-angle", "lem-angles")
    )
    assert unknown is None and known["refuri"].endswith("#claim-lem-angle")
