"""The numbers of the pages, the exercises on them, and what rests on what."""

from __future__ import annotations

import json
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import yaml

from lifelong_book.press.contents import contents, exercise_list, printed
from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.dependencies import RESTS_ON
from lifelong_book.press.rooms import notebooks

BOOK = Path(__file__).parents[2] / "book"
TEXT = "".join(path.read_text(encoding="utf-8") for path in notebooks(BOOK))


def numbered(entries, prefix=(), start=1):
    """The pages of a part and their numbers, from the parsed table of contents."""
    for i, entry in enumerate(entries, start=start):
        number = (*prefix, i)
        yield entry["file"].removeprefix("book/"), ".".join(map(str, number))
        yield from numbered(entry.get("sections", []), number)


def test_pages_and_numbers_are_those_of_the_table_of_contents(monkeypatch):
    toc = yaml.safe_load((BOOK.parent / "_toc.yml").read_text(encoding="utf-8"))
    wanted, before = {}, 0
    for part in toc["parts"]:
        for page, number in numbered(part["chapters"], start=before + 1):
            wanted[page] = number if part.get("numbered") else ""
        before += len(part["chapters"]) if part.get("numbered") else 0
    found = contents(BOOK.parent)
    assert {page: chapter.number for page, chapter in found.items()} == wanted
    assert found["halfspaces/perturbation/index"].number == "3.2"
    assert {claim.page for claim in LEDGER.values()} <= set(found)
    monkeypatch.chdir(BOOK / "halfspaces")
    assert contents() == found


def test_a_folder_without_contents_and_a_missing_page_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"folder: expected one with _toc\.yml"):
        contents(tmp_path)
    (tmp_path / "_toc.yml").write_text("chapters:\n  - file: book/nowhere\n")
    with pytest.raises(FileNotFoundError, match="expected a file of the name book/nowhere"):
        contents(tmp_path)


def test_every_exercise_is_found_and_listed_once_with_its_page():
    found = printed(BOOK.parent)
    assert len(found) == TEXT.count("{exercise}") > 80
    assert "thm-subspace-sharp" in {label for e in found.values() for label in e.links}
    listed = exercise_list(found, contents(BOOK.parent))
    assert all(listed.count(f"<{label}>") == 2 for label in found)
    assert len(listed.splitlines()) == 2 + len({e.page for e in found.values()})


def test_no_proof_goes_in_circles_and_nothing_proved_rests_on_a_refuted_claim():
    assert set(RESTS_ON) | {b for below in RESTS_ON.values() for b in below} <= set(LEDGER)
    assert len([*TopologicalSorter(RESTS_ON).static_order()]) == len(set(RESTS_ON).union(*RESTS_ON.values()))
    refuted = {label for label, claim in LEDGER.items() if claim.verdict == "refuted"}
    relying = {label for label, below in RESTS_ON.items() if refuted & set(below)}
    assert relying <= refuted and relying


def test_what_a_proof_links_to_is_what_its_claim_rests_on():
    for label, claim in LEDGER.items():
        cells = json.loads((BOOK / f"{claim.page}.ipynb").read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        rest = text.partition(f"({label})=")[2]  # up to the next claim
        rest = rest[: min((at for other in LEDGER if (at := rest.find(f"({other})=")) >= 0), default=len(rest))]
        proofs = "".join(m[1] for m in re.findall(r"^(`{3,}|:{3,})\{prf:proof\}(.*?)^\1$", rest, re.S | re.M))
        links = re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([a-z0-9-]+?)(?:-box)?>?`", proofs)
        if claim.verdict != "refuted":  # those rest on what the printed proof uses
            assert {name for name in links if name in LEDGER} - {label} <= set(RESTS_ON.get(label, ())), label
