"""The book cited from outside: what a course's own Sphinx project reads when it links to the built book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("sphinx", reason="the book's own requirements are not installed")

import yaml
from sphinx.application import Sphinx

import lifelong

ROOT = Path(__file__).parent.parent.parent
BUILT = ROOT / "_build" / "html"
INVENTORY = BUILT / "objects.inv"
ADDRESS = "https://example.org/book"

needs_book = pytest.mark.skipif(not INVENTORY.exists(), reason="the book is not built")

LECTURE = """
Lecture
=======

#. :ref:`lem-one-vec`
#. :ref:`ex-threshold`
#. :ref:`fig-height`
#. :ref:`eq-s-and-t`
#. :py:func:`lifelong.subspace_angle`
#. :py:class:`lifelong.SharedSubspace`
#. :ref:`the repaired theorem <thm-subspace-sharp>`
"""


@pytest.fixture(scope="module")
def lecture(tmp_path_factory):
    """Lecture notes of two files that know the book by its inventory only."""
    source = tmp_path_factory.mktemp("lecture")
    (source / "index.rst").write_text(LECTURE, encoding="utf-8")
    setting = {
        "extensions": ["sphinx.ext.intersphinx"],
        "intersphinx_mapping": {"lifelong": (ADDRESS, str(INVENTORY))},
        "nitpicky": True,
    }
    warnings = source / "warnings"
    with warnings.open("w", encoding="utf-8") as stream:
        out = source / "out"
        Sphinx(str(source), None, str(out), str(source / "trees"), "html", setting, None, warning=stream).build()
    said = warnings.read_text(encoding="utf-8").splitlines()
    # Sphinx says so where another project was built in this process before
    assert not [line for line in said if "already registered" not in line]
    html = (out / "index.html").read_text(encoding="utf-8")
    links = re.findall(r'<a class="reference external" href="([^"]*)" title="([^"]*)">(.*?)</a>', html)
    return [(href, title, re.sub("<.*?>", "", text)) for href, title, text in links]


@needs_book
def test_a_lecture_links_to_the_book_and_reads_well(lecture):
    assert [re.sub(r"\d+(\.\d+)+", "N", text) for *_, text in lecture] == [
        "Lemma N (Lemma 2 of the paper: one vector replaced)",
        "Exercise N (How small must the separation be?)",
        "Figure N",
        "Equation (N)",
        "lifelong.subspace_angle()",
        "lifelong.SharedSubspace",
        "the repaired theorem",
    ]


@needs_book
def test_the_numbers_are_those_of_the_pages(lecture):
    for href, _, text in lecture[:3]:
        page, anchor = href.removeprefix(f"{ADDRESS}/").split("#")
        html = (BUILT / page).read_text(encoding="utf-8")
        number = re.search(r'caption-number">(.*?) </span>', html[html.index(f'id="{anchor}"') :])[1]
        assert text.startswith(number)


@needs_book
def test_the_links_say_where_they_lead_and_lead_there(lecture):
    for href, title, _ in lecture:
        assert title == f"(in Efficient Representations for Lifelong Learning v{lifelong.__version__})"
        page, anchor = href.removeprefix(f"{ADDRESS}/").split("#")
        assert f'id="{anchor}"' in (BUILT / page).read_text(encoding="utf-8")


@needs_book
def test_what_has_been_published_is_still_there_and_what_is_new_is_published(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    import labels

    lost, new = labels.published() - labels.places(), labels.current() - labels.published()
    assert not lost, f"labels that others may have cited are gone: {sorted(lost)}; see book/labels.py"
    assert not new, f"`python book/labels.py` publishes {sorted(new)}"


@needs_book
def test_every_published_label_has_a_readable_title(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "book"))
    import labels
    from sphinx.util.inventory import InventoryFile

    with INVENTORY.open("rb") as stream:
        found = InventoryFile.load(stream, "", lambda _, page: page)["std:label"]
    kinds = "Algorithm|Corollary|Definition|Equation|Exercise|Figure|Lemma|Proposition|Theorem"
    for label in sorted(labels.published() & labels.current()):  # a picture that went left its label with its idea
        readable = re.match(rf"({kinds}) (\d|\()", found[label][3]) or label.startswith("fig-")
        assert readable, (label, found[label][3])


@needs_book
def test_every_name_that_the_package_exports_is_in_the_inventory():
    from sphinx.util.inventory import InventoryFile

    with INVENTORY.open("rb") as stream:
        kinds = InventoryFile.load(stream, "", lambda _, page: page)
    known = {name for kind, names in kinds.items() if kind.startswith("py:") for name in names}
    assert {f"lifelong.{name}" for name in lifelong.__all__ if not name.startswith("_")} <= known


@needs_book
def test_every_page_says_its_version_and_its_date():
    for page in sorted((BUILT / "book").rglob("*.html")):
        html = page.read_text(encoding="utf-8")
        if "This page has moved" not in html:
            assert f"Version {lifelong.__version__} (" in html and "Last updated on" in html, page


def test_the_citation_file_names_both_licences_and_this_version():
    facts = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert facts["version"] == facts["preferred-citation"]["version"] == lifelong.__version__
    assert {facts["license"], facts["preferred-citation"]["license"]} == {"BSD-3-Clause", "CC-BY-4.0"}
    assert facts["date-released"].year == facts["preferred-citation"]["year"]
