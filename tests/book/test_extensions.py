"""What the build adds to the pages: numbers of pages, the standing of claims, headings of proofs."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

pytest.importorskip("sphinx_proof", reason="the book's own requirements are not installed")

from docutils import nodes
from sphinx.application import Sphinx

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


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A small book of pages that hold headings and stand below each other."""
    source = tmp_path_factory.mktemp("source")
    for name, text in PAGES.items():
        label = ".. _label:\n\n" if name == "deeper" else ""
        (source / f"{name}.rst").write_text(f"{label}Page {name}\n=========\n\n{text}", encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXTENSIONS))
        from sphinx.environment.collectors.toctree import TocTreeCollector

        patch.setattr(TocTreeCollector, "assign_section_numbers", TocTreeCollector.assign_section_numbers)
        setting = {
            "extensions": ["numbering"],
            "numfig": True,
            "numfig_secnum_depth": 2,
            "numfig_format": {"section": "Chapter %s"},
            "suppress_warnings": ["image.not_readable"],
        }
        out = source / "out"
        Sphinx(str(source), None, str(out), str(source / "trees"), "html", setting, status=None, warning=None).build()
    return {name: (out / f"{name}.html").read_text(encoding="utf-8") for name in PAGES}


@pytest.mark.parametrize(
    ("page", "number"), [("one", "1. "), ("two", "2. "), ("deep", "2.1. "), ("deeper", "2.1.1. "), ("apart", "")]
)
def test_pages_have_numbers_and_headings_have_none(page, number, built):
    (title,) = re.findall(r"<h1>(.*?)<a", built[page])
    assert re.sub("<.*?>", "", title) == f"{number}Page {page}"
    assert re.findall(r"<h2>(.*?)<a", built[page])[0] == "Heading"


def test_references_and_figures_are_numbered_from_pages(built):
    assert "Chapter 2.1.1" in built["one"]
    assert re.search(r'caption-number">Fig. 2\.1\.1 ', built["deeper"])


@pytest.fixture
def statements(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    import statements

    return statements


@pytest.mark.parametrize(
    ("ids", "label"), [(["lem-angle-box"], "lem-angle"), (["x", "lem-angle"], "lem-angle"), (["lem-angles"], None)]
)
def test_a_statement_is_known_by_its_labels(ids, label, statements):
    claim = statements.claim_of(nodes.admonition(ids=ids))
    assert (claim and claim.label) == label


def test_the_badge_shows_every_kind(statements):
    for claim in LEDGER.values():
        shown = statements.badge(claim, "ledger.html")
        kinds = (
            {d.kind for d in claim.discrepancies}
            | {claim.verdict.split()[0]}
            | ({"machine"} if claim.label in MACHINE else set())
        )
        assert set(re.findall(r"mark-(\w+)", shown)) == kinds


def test_a_statement_of_which_one_conclusion_holds_is_refuted_in_part(statements):
    assert "✗ refuted in part<" in statements.badge(LEDGER["thm-halfspaces"], "ledger.html")
    assert "✗ refuted<" in statements.badge(LEDGER["lem-subspace"], "ledger.html")


def test_below_an_algorithm_stands_what_is_proved_of_it(statements):
    shown = statements.asserted(LEDGER["algo-one"], "../ledger.html#claim-algo-one")
    assert shown.startswith('<p class="asserted"><a class="standing" href="../ledger.html#claim-algo-one"')
    assert "✓ proved</span></a> With exact oracles" in shown and "\\(\\varepsilon" in shown
    assert shown.endswith("Limits: exact oracles; Gaussian law in the checks.</p>")


def test_evidence_leads_to_the_proof_and_to_the_record(statements, monkeypatch):
    monkeypatch.setattr(statements, "_line", lambda app, page, claim: f"ledger.html#claim-{claim}")
    shown = statements.links(None, "page", "ineq-scalar", "proof-2")
    assert '<a href="#proof-2">the proof</a>' in shown and f"{statements.RECORDED['ineq-scalar']:,} instances" in shown
    assert "proof" not in statements.links(None, "page", "ineq-scalar", "")
    refuted = statements.links(None, "page", "lem-subspace", "proof-2")
    assert "the proof" not in refuted and "true for" in refuted


def test_a_stop_stays_with_its_formula(statements):
    from sphinx.util.docutils import new_document

    document = new_document("")
    document += nodes.paragraph(
        "", "", nodes.math("", "x"), nodes.Text("), so"), nodes.math("", "y"), nodes.Text(" is")
    )
    statements._keep_stops(document)
    (bound,) = document.findall(nodes.inline)
    assert bound.astext() == "x)," and document.astext() == "x), soy is"


def test_proofs_have_headings_and_ids_of_their_own(statements):
    text = nodes.paragraph("", "Proof. By ", nodes.emphasis("", "x"))
    proof = nodes.Element("", nodes.admonition("", text, ids=["proof"]))
    statements._head_proof(proof, 7)
    assert proof[0]["ids"] == ["proof-7"] and [child.astext() for child in proof[0]] == ["Proof.", "By x"]


def test_a_step_is_proved_by_the_next_proof_unless_another_statement_comes_first(statements):
    from sphinx.util.docutils import new_document

    def stated(kind, name):
        return nodes.admonition("", nodes.title("", kind), classes=["proof", kind], ids=[f"{name}-box"])

    def proved(name):
        return nodes.Element("", nodes.admonition("", ids=[name]))

    document, proofs = new_document(""), [proved("proof-1"), proved("proof-2")]
    first, second, third = stated("lemma", "one"), stated("corollary", "two"), stated("theorem", "three")
    document += [first, nodes.section("", proofs[0]), second, third, nodes.paragraph(), proofs[1]]
    all_three = [first, second, third]
    assert [statements.proof_below(x, proofs, all_three) for x in all_three] == ["proof-1", "", "proof-2"]
    document += nodes.section("", ids=["proof-of-two"])
    assert [statements.proof_below(x, proofs, all_three) for x in all_three] == ["proof-1", "proof-of-two", "proof-2"]
    assert all(map(statements.is_claimed, all_three))
    assert not statements.is_claimed(stated("definition", "four"))
    assert statements.is_claimed(stated("definition", "lem-angle"))  # what is in the ledger


def test_only_the_icons_that_are_named_are_kept(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    theme = import_module("theme")
    car, sun = '"fast-car":[1,2,[],"f1",["M1","M2"]],', 'sun:[5,5,[],"f185","M3"]'
    script = 'x={bars:[448,512,["navicon"],"f0c9","M0 96"],' + car + sun + "};y()"
    assert theme.only(script, {"bars"}) == 'x={bars:[448,512,["navicon"],"f0c9","M0 96"],};y()'
    assert theme.only(script, {"bars", "fast-car", "sun"}) == script


@pytest.fixture
def reference(monkeypatch):
    monkeypatch.syspath_prepend(str(EXTENSIONS))
    return import_module("reference")


@pytest.mark.parametrize(
    "module", ["lifelong", "lifelong.halfspaces.algorithm1", "lifelong.laws", "lifelong_book.press.ledger"]
)
def test_every_public_name_is_in_its_table_with_a_line_on_it(module, reference):
    listed = {re.match(":py:obj:`(\\w+) <", link)[1]: words for link, words in reference.names(module)}
    constants = {"KINDS"}  # told where it is defined
    assert set(listed) == set(reference.public(import_module(module))) - constants
    assert all(listed.values())


def test_names_of_the_package_lead_to_where_they_are_documented(reference):
    links = dict(re.match(r":py:obj:`(\w+) <(.*)>`", link).groups() for link, _ in reference.names("lifelong"))
    assert links["SharedSubspace"] == "lifelong.halfspaces.algorithm1.SharedSubspace"


def test_arguments_that_are_told_together_stand_on_one_line(reference):
    from docutils.frontend import get_default_settings
    from docutils.utils import new_document

    document = new_document("api", get_default_settings())
    body, listed = nodes.field_body(), nodes.bullet_list()
    document += body
    body += listed
    said = {"u": "Vectors.", "v": "Vectors.", "w": "Vectors.", "n": "Variables.", "k": "", "m": ""}
    for name, rest in said.items():
        line = nodes.paragraph("", "", nodes.strong(name, name), nodes.Text(" ("), nodes.emphasis("", "int"))
        line += nodes.Text(")")
        line += [nodes.Text(" -- "), nodes.Text(rest)] if rest else []
        listed += nodes.list_item("", line)
    document += nodes.paragraph("", "alias of Callable[[Any], Any]")
    reference.told_together(None, document)
    assert "alias" not in document.astext()
    told = ["u, v, w (int) -- Vectors.", "n (int) -- Variables.", "k (int)", "m (int)"]
    assert [item.astext() for item in listed] == told


def test_a_label_between_backticks_leads_to_the_ledger(reference):
    from types import SimpleNamespace

    app = SimpleNamespace(builder=SimpleNamespace(get_relative_uri=lambda here, there: there))
    env = SimpleNamespace(found_docs={"book/ledger"})
    for label, leads in (("lem-angle", True), ("lem-angles", False)):
        node = {"reftarget": label, "refdoc": "book/api"}
        found = reference.missing(app, env, node, nodes.literal("", label))
        assert (found is not None) == leads and (found is None or found["refuri"].endswith("#claim-lem-angle"))
