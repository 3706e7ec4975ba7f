"""Each numbered item of the paper is defined in an open cell of its page, and what it gives is asserted in one."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import nbformat
import pytest

from lifelong_book.press.ledger import LEDGER

BOOK = Path(__file__).parents[2] / "book"
HIDDEN = {"hide-input", "hide-cell", "remove-input", "remove-cell"}
#: What an open cell of the page defines for an item: an algorithm, or the two sides of a statement.
DEFINED = {
    "lem-angle": "lemma_1",
    "fig-perturbation": "figure",
    "lem-one-vec": "lemma_2",
    "lem-subspace": "lemma_3",
    "algo-one": "reuse",
    "thm-halfspaces": "theorem_1",
    "note-efficient": "efficient",
    "algo-two": "reuse",
    "thm-two-levels": "theorem_2",
    "algo-consistency-anchor": "algorithm_3",
    "lem-consistency": "lemma_4",
    "algo-monomial-anchor-online": "algorithm_4",
    "thm-online-anchor": "theorem_3",
    "cor-equivalence": "corollary_1",
    "algo-monomial-anchor": "Algorithm5",
    "thm-product-anchor": "theorem_4",
    "def-anchor-set": "definition_1",
    "thm-sparse-auto": "theorem_5",
    "cor-sparse-auto": "AnchorSets",
    "algo-polynomials": "Algorithm6",
    "thm-polynomials": "theorem_6",
}
#: Not beside its statement: the learner of the corollary stands in the chapter, its proof on a page below.
ELSEWHERE = {"cor-sparse-auto": "conjunctions/autoencoders/index"}


def open_cells(page: str) -> list[str]:
    """The programs that a reader of a page sees without a click."""
    cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
    return [c.source for c in cells if c.cell_type == "code" and not HIDDEN & set(c.metadata.get("tags", []))]


def asserted(cells: list[str], name: str) -> tuple[bool, bool]:
    """Whether a name is defined in the cells, and whether an assert looks at it or at what is made with it."""
    defined, known = False, {name}
    for node in (node for cell in cells for node in ast.parse(cell).body):
        inside = list(ast.walk(node))
        defined |= any(getattr(n, "name", None) == name for n in inside)
        if not defined:
            continue
        mentioned = {n.id for n in inside if isinstance(n, ast.Name)}
        if mentioned & known:
            if any(isinstance(n, ast.Assert) and not isinstance(node, ast.FunctionDef) for n in inside):
                return defined, True
            known |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            known |= {node.name} if isinstance(node, ast.ClassDef | ast.FunctionDef) else set()
    return defined, False


def test_every_numbered_item_of_the_paper_is_listed():
    numbered = r"(Lemma|Theorem|Corollary|Definition|Algorithm|Figure|Note) \d"
    assert {label for label, claim in LEDGER.items() if re.fullmatch(numbered, claim.item)} == set(DEFINED)


@pytest.mark.parametrize("label", DEFINED)
def test_an_item_is_defined_and_asserted_in_the_open(label):
    assert asserted(open_cells(ELSEWHERE.get(label, LEDGER[label].page)), DEFINED[label]) == (True, True)


def test_an_assert_on_something_else_does_not_count():
    cells = ["def sides(x):\n    assert x\n    return x, 1", "left, right = sides(0)", "assert {}"]
    for said, found in (("left <= right", True), ("sides(1)", True), ("other", False), ("1 < 2", False)):
        assert asserted([*cells[:2], cells[2].format(said)], "sides") == (True, found)
