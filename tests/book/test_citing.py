"""The book cited from outside: what a course's own Sphinx project reads when it links to the built book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the book's own requirements are not installed")

import yaml
from sphinx.application import Sphinx
from sphinx.util.inventory import InventoryFile

import lifelong

ROOT = Path(__file__).parent.parent.parent
BUILT = ROOT / "_build" / "html"
INVENTORY = BUILT / "objects.inv"
ADDRESS = "https://example.org/book"

needs_book = pytest.mark.skipif(not INVENTORY.exists(), reason="the book is not built")

LINKS = {
    ":ref:`lem-one-vec`": "Lemma N (Lemma 2 of the paper: one vector replaced)",
    ":ref:`ex-threshold`": "Exercise N (How small must the separation be?)",
    ":ref:`fig-height`": "Figure N",
    ":ref:`eq-s-and-t`": "Equation (N)",
    ":py:func:`lifelong.subspace_angle`": "lifelong.subspace_angle()",
    ":py:class:`lifelong.SharedSubspace`": "lifelong.SharedSubspace",
    ":ref:`the repaired theorem <thm-subspace-sharp>`": "the repaired theorem",
}


@needs_book
def test_a_lecture_that_knows_the_inventory_only_links_to_the_book_and_reads_well(tmp_path):
    lines = ["Lecture", "=======", "", *(f"#. {link}" for link in LINKS)]
    (tmp_path / "index.rst").write_text("\n".join(lines), encoding="utf-8")
    mapping = {"lifelong": (ADDRESS, str(INVENTORY))}
    setting = {"extensions": ["sphinx.ext.intersphinx"], "intersphinx_mapping": mapping, "nitpicky": True}
    out, warnings = tmp_path / "out", tmp_path / "warnings"
    with warnings.open("w", encoding="utf-8") as stream:
        Sphinx(str(tmp_path), None, str(out), str(tmp_path / "trees"), "html", setting, None, warning=stream).build()
    # Sphinx says so where another project was built in this process before
    assert not [line for line in warnings.read_text("utf-8").splitlines() if "already registered" not in line]
    html = (out / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a class="reference external" href="([^"]*)" title="([^"]*)">(.*?)</a>', html)
    texts = [re.sub("<.*?>", "", text) for *_, text in links]
    assert [re.sub(r"\d+(\.\d+)+", "N", text) for text in texts] == list(LINKS.values())
    for n, (href, title, _) in enumerate(links):
        assert title == f"(in Efficient Representations for Lifelong Learning v{lifelong.__version__})"
        page, anchor = href.removeprefix(f"{ADDRESS}/").split("#")
        _, found, rest = (BUILT / page).read_text(encoding="utf-8").partition(f'id="{anchor}"')
        assert found and (n > 2 or texts[n].startswith(re.search(r'caption-number">(.*?) </span>', rest)[1]))


@needs_book
def test_what_has_been_published_is_there_with_a_readable_title_and_what_is_new_is_published(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    import labels

    lost, new = labels.published() - set(labels.built()), labels.current() - labels.published()
    assert not lost, f"labels that others may have cited are gone: {sorted(lost)}; see book/labels.py"
    assert not new, f"`python book/labels.py` publishes {sorted(new)}"
    with INVENTORY.open("rb") as stream:
        kinds = InventoryFile.load(stream, "", lambda _, page: page)
    named = "Algorithm|Corollary|Definition|Equation|Exercise|Figure|Lemma|Proposition|Theorem"
    for label in labels.published() & labels.current():  # what went left its label with its idea
        title = kinds["std:label"][label][3]
        assert re.match(rf"({named}) (\d|\()", title) or label.startswith("fig-"), (label, title)
    known = {name for kind, names in kinds.items() if kind.startswith("py:") for name in names}
    assert {f"lifelong.{name}" for name in lifelong.__all__ if not name.startswith("_")} <= known


@needs_book
def test_every_page_says_its_version_and_its_date():
    for page in sorted((BUILT / "book").rglob("*.html")):
        html = page.read_text(encoding="utf-8")
        if "This page has moved" not in html:
            assert f"Version {lifelong.__version__} (" in html and "Last updated on" in html, page


@needs_book
def test_on_paper_the_front_page_begins_with_a_title_page():
    html = (BUILT / "book" / "index.html").read_text(encoding="utf-8")
    (sheet,) = re.findall(r'<div class="title-page">(.*?)</div>', html)
    facts = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    named = [author["family-names"] for author in facts["references"][0]["authors"]]
    for words in (*facts["title"].split(": "), facts["references"][0]["title"], *named, facts["authors"][0]["name"]):
        assert words in sheet, words
    assert re.search(rf"Version {re.escape(lifelong.__version__)} \(.*\d{{4}}-\d\d-\d\d\)", sheet)


def test_the_citation_file_names_both_licences_and_this_version():
    facts = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert facts["version"] == facts["preferred-citation"]["version"] == lifelong.__version__
    assert {facts["license"], facts["preferred-citation"]["license"]} == {"BSD-3-Clause", "CC-BY-4.0"}
    assert facts["date-released"].year == facts["preferred-citation"]["year"]
