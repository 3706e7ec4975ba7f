"""Numbers and titles of the pages, and the exercises that stand on them."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from lifelong_book.press.contents import contents, printed
from lifelong_book.press.ledger import LEDGER

ROOT = Path(__file__).parents[2]


def numbered(entries, prefix=(), start=1):
    """The pages of a part and their numbers, from the parsed table of contents."""
    for i, entry in enumerate(entries, start=start):
        number = (*prefix, i)
        yield entry["file"].removeprefix("book/"), ".".join(map(str, number))
        yield from numbered(entry.get("sections", []), number)


def test_pages_and_numbers_are_those_of_the_table_of_contents():
    toc = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
    wanted, before = {}, 0
    for part in toc["parts"]:
        for page, number in numbered(part["chapters"], start=before + 1):
            wanted[page] = number if part.get("numbered") else ""
        before += len(part["chapters"]) if part.get("numbered") else 0
    found = contents(ROOT)
    assert {page: chapter.number for page, chapter in found.items()} == wanted
    assert found["halfspaces/perturbation/index"].number == "3.2"
    assert all(chapter.title[0].isupper() for chapter in found.values())


def test_every_claim_stands_on_a_page_of_the_book():
    assert {claim.page for claim in LEDGER.values()} <= set(contents(ROOT))


def test_contents_are_found_from_any_folder_below(monkeypatch):
    monkeypatch.chdir(ROOT / "book" / "halfspaces")
    assert contents() == contents(ROOT)


def test_a_folder_without_contents_and_a_missing_page_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"folder: expected one with _toc\.yml"):
        contents(tmp_path)
    (tmp_path / "_toc.yml").write_text("chapters:\n  - file: book/nowhere\n")
    with pytest.raises(FileNotFoundError, match="expected a file of the name book/nowhere"):
        contents(tmp_path)


def test_exercises_are_all_found_with_what_they_link_to():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "book").rglob("[!.]*.ipynb"))
    found = printed(ROOT)
    assert len(found) == text.count("{exercise}") > 80
    assert "lem-one-vec" in {label for e in found.values() for label in e.links}
