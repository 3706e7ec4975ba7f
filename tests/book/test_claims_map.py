"""The numbers of the pages, what rests on what, the map that draws it, and the concordance."""

from __future__ import annotations

import json
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
import yaml

from lifelong_book.press.claims_map import claims_map, concordance, exercise_list
from lifelong_book.press.contents import Printed, contents, printed
from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.dependencies import RESTS_ON

BOOK = Path(__file__).parents[2] / "book"
TEXT = "".join(path.read_text(encoding="utf-8") for path in BOOK.rglob("[!.]*.ipynb"))


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
    assert "lem-one-vec" in {label for e in found.values() for label in e.links}
    listed = exercise_list(found, contents(BOOK.parent))
    assert all(listed.count(f"<{label}>") == 2 for label in found)
    assert len(listed.splitlines()) == 2 + len({e.page for e in found.values()})


def test_no_proof_goes_in_circles_and_nothing_proved_rests_on_a_refuted_claim():
    assert set(RESTS_ON) | {b for below in RESTS_ON.values() for b in below} <= set(LEDGER)
    assert len([*TopologicalSorter(RESTS_ON).static_order()]) == len(set(RESTS_ON).union(*RESTS_ON.values()))
    refuted = {label for label, claim in LEDGER.items() if claim.verdict == "refuted"}
    relying = {label for label, below in RESTS_ON.items() if refuted & set(below)}
    assert relying <= refuted and relying


def test_what_a_proof_links_to_is_in_the_map():
    for label, claim in LEDGER.items():
        cells = json.loads((BOOK / f"{claim.page}.ipynb").read_text(encoding="utf-8"))["cells"]
        text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
        rest = text.partition(f"({label})=")[2]  # up to the next claim
        rest = rest[: min((at for other in LEDGER if (at := rest.find(f"({other})=")) >= 0), default=len(rest))]
        proofs = "".join(m[1] for m in re.findall(r"^(`{3,}|:{3,})\{prf:proof\}(.*?)^\1$", rest, re.S | re.M))
        links = re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([a-z0-9-]+?)(?:-box)?>?`", proofs)
        if claim.verdict != "refuted":  # of those the map shows the printed proof
            assert {name for name in links if name in LEDGER} - {label} <= set(RESTS_ON.get(label, ())), label


def below(label: str, arrows: dict[str, set[str]]) -> set[str]:
    """Everything that paths of arrows reach from a claim."""
    return arrows[label].union(*(below(b, arrows) for b in arrows[label]))


def test_the_map_draws_every_claim_once_and_its_arrows_tell_all_that_a_claim_rests_on():
    drawn = claims_map(LEDGER.values(), "all")
    boxes = re.findall(r'#claim-([a-z-]+)" class.*?<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', drawn)
    assert sorted(re.findall(r'href="ledger\.html#claim-([a-z0-9-]+)"', drawn)) == sorted(LEDGER)
    left = {(int(x), int(y) + int(h) // 2): label for label, x, y, _, h in boxes}
    right = {(int(x) + int(w), int(y) + int(h) // 2): label for label, x, y, w, h in boxes}
    arrows: dict[str, set[str]] = {label: set() for label in LEDGER}
    for x, y, u, v in re.findall(r'<path d="M(\d+) (\d+) C[^"]* (\d+) (\d+)" marker', drawn):
        arrows[left[int(u) + 1, int(v)]].add(right[int(x), int(y)])
        assert int(x) < int(u)
    told = {label: set(RESTS_ON.get(label, ())) for label in LEDGER}
    for label in LEDGER:
        assert below(label, arrows) == below(label, told)
        assert all(b not in below(other, arrows) for b in arrows[label] for other in arrows[label])  # none twice


def test_a_part_of_the_map_shows_what_it_rests_on_beside_it():
    drawn = claims_map([LEDGER["thm-halfspaces"], LEDGER["lem-holdout"]], "a part")
    pale = re.findall(r'#claim-([a-z-]+)" class="\w* beside"', drawn)
    assert sorted(pale) == sorted(RESTS_ON["thm-halfspaces"]) and "lem-holdout" not in pale
    assert drawn.count("marker-end") == len(pale)


def test_the_concordance_has_a_line_for_each_claim():
    about = Printed("a", "Half", "Break {ref}`it <lem-subspace>`.", "")
    lines = concordance(LEDGER.values(), {"ex-a": about}, contents(BOOK.parent)).splitlines()
    assert len(lines) == len(LEDGER) + 2
    (line,) = [line for line in lines if "#claim-lem-subspace" in line]
    assert "✗ refuted" in line and "{prf:ref}`lem-subspace-box`" in line and "{numref}`{number} <ex-a>`" in line
    assert "lifelong.halfspaces.bounds.subspace_printed" in line
    assert any("#claim-fig-perturbation" in line and "{ref}`Chapter 3.2 <fig-perturbation>`" in line for line in lines)
    assert {label for label in LEDGER if f":label: {label}-box" not in TEXT} == {"fig-perturbation"}
