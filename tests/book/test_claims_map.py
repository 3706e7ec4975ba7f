"""What rests on what, the map that draws it, and the concordance."""

from __future__ import annotations

import json
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from lifelong_book.press.claims_map import claims_map, concordance, coverage, exercise_list
from lifelong_book.press.contents import contents, exercise_titles, exercises
from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.ledger.dependencies import RESTS_ON

BOOK = Path(__file__).parents[2] / "book"


def test_the_claims_that_others_rest_on_exist_and_no_proof_goes_in_circles():
    assert set(RESTS_ON) | {b for below in RESTS_ON.values() for b in below} <= set(LEDGER)
    assert len([*TopologicalSorter(RESTS_ON).static_order()]) == len(set(RESTS_ON).union(*RESTS_ON.values()))


def test_nothing_proved_rests_on_a_refuted_claim():
    refuted = {label for label, claim in LEDGER.items() if claim.verdict == "refuted"}
    relying = {label for label, below in RESTS_ON.items() if refuted & set(below)}
    assert relying <= refuted and relying


def proofs(page: str, label: str) -> str:
    """The proofs that follow a claim on its page, up to the next claim."""
    cells = json.loads((BOOK / f"{page}.ipynb").read_text(encoding="utf-8"))["cells"]
    text = "\n\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    rest = text.partition(f"({label})=")[2]
    ends = [found.start() for other in LEDGER if (found := re.search(re.escape(f"({other})="), rest))]
    rest = rest[: min(ends, default=len(rest))]
    return "".join(found[1] for found in re.findall(r"^(`{3,}|:{3,})\{prf:proof\}(.*?)^\1$", rest, re.S | re.M))


@pytest.mark.parametrize("label", LEDGER)
def test_what_a_proof_links_to_is_in_the_map(label):
    text = proofs(LEDGER[label].page, label)
    links = re.findall(r"\{(?:prf:)?ref\}`(?:[^`<]*<)?([a-z0-9-]+?)(?:-box)?>?`", text)
    linked = {name for name in links if name in LEDGER} - {label}
    if LEDGER[label].verdict != "refuted":  # of those the map shows the printed proof
        assert linked <= set(RESTS_ON.get(label, ()))


def test_the_map_draws_every_claim_once():
    drawn = claims_map(LEDGER.values(), "all")
    for label in LEDGER:
        assert len(re.findall(rf'href="ledger\.html#claim-{label}"', drawn)) == 1


def below(label: str, arrows: dict[str, set[str]]) -> set[str]:
    """Everything that paths of arrows reach from a claim."""
    return arrows[label].union(*(below(b, arrows) for b in arrows[label]))


def test_the_arrows_of_the_map_tell_all_that_a_claim_rests_on_and_none_of_them_twice():
    drawn = claims_map(LEDGER.values(), "all")
    boxes = re.findall(r'#claim-([a-z-]+)" class.*?<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"', drawn)
    left = {(int(x), int(y) + int(h) // 2): label for label, x, y, _, h in boxes}
    right = {(int(x) + int(w), int(y) + int(h) // 2): label for label, x, y, w, h in boxes}
    ends = re.findall(r'<path d="M(\d+) (\d+) C[^"]* (\d+) (\d+)" marker', drawn)
    arrows: dict[str, set[str]] = {label: set() for label in LEDGER}
    for x, y, u, v in ends:
        arrows[left[int(u) + 1, int(v)]].add(right[int(x), int(y)])
    told = {label: set(RESTS_ON.get(label, ())) for label in LEDGER}
    for label in LEDGER:
        assert below(label, arrows) == below(label, told)
        assert all(b not in below(other, arrows) for b in arrows[label] for other in arrows[label])


def test_a_part_of_the_map_shows_what_it_rests_on_beside_it():
    drawn = claims_map([LEDGER["thm-halfspaces"], LEDGER["lem-holdout"]], "a part")
    pale = re.findall(r'#claim-([a-z-]+)" class="\w* beside"', drawn)
    assert sorted(pale) == sorted(RESTS_ON["thm-halfspaces"]) and "lem-holdout" not in pale
    assert drawn.count("marker-end") == len(pale)


def test_claims_stand_right_of_what_they_rest_on():
    drawn = claims_map(LEDGER.values(), "all")
    at = {m[1]: float(m[2]) for m in re.finditer(r'#claim-([a-z-]+)" class.*?<rect x="(\d+)"', drawn)}
    assert all(at[label] > at[below] for label, belows in RESTS_ON.items() for below in belows)


def test_the_concordance_has_a_line_for_each_claim():
    lines = concordance(LEDGER.values(), {"ex-a": ("lem-subspace",)}, contents(BOOK.parent)).splitlines()
    assert len(lines) == len(LEDGER) + 2
    (line,) = [line for line in lines if "#claim-lem-subspace" in line]
    assert "✗ refuted" in line and "{prf:ref}`lem-subspace-box`" in line and "{numref}`{number} <ex-a>`" in line
    assert "lifelong.halfspaces.bounds.subspace_printed" in line
    (line,) = [line for line in lines if "#claim-fig-perturbation" in line]
    assert "{ref}`Chapter 3.2 <fig-perturbation>`" in line


def test_every_claim_of_the_concordance_has_a_number_in_the_book_or_is_a_figure():
    text = "".join(path.read_text(encoding="utf-8") for path in BOOK.rglob("*.ipynb"))
    without = {label for label in LEDGER if f":label: {label}-box" not in text}
    assert without == {"fig-perturbation"}


def test_checks_and_tests_of_each_claim():
    lines = coverage(LEDGER.values(), {"halfspaces.bounds.one_vec": "t.py"}).splitlines()
    assert len(lines) == len(LEDGER) + 2
    (line,) = [line for line in lines if 'claim-lem-one-vec"' in line]
    assert line.endswith("| 4 + 2 | `t.py` |")


def test_every_exercise_is_listed_once_with_its_page():
    titles = exercise_titles(BOOK.parent)
    listed = exercise_list(titles, contents(BOOK.parent))
    assert set(exercises(BOOK.parent)) == {label for named in titles.values() for label in named}
    assert all(listed.count(f"<{label}>") == 2 for label in exercises(BOOK.parent))
