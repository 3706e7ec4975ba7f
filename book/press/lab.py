"""What the built page shows and JupyterLab would not, written into the notebooks: python -m lifelong_book.press.weave.

JupyterLab knows one notebook at a time. So a link to another page names its notebook (`[Lemma 1](../angles/index.ipynb#
lem-angle)`), and a citation the address of the paper; the build turns both back into roles. Below a figure a
cell that the page removes repeats its caption; below a box, what the ledger says; below exercises, their hints. Code
that the page does not show is folded, and boxes have no numbers (`:enumerated: false`), as Lab would count from 1.
"""

import os
import re
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
from pybtex.database import parse_file
from pybtex.richtext import Text

from lifelong_book.press.contents import places, roles
from lifelong_book.press.ledger import LEDGER
from lifelong_book.press.teaching.catalogue import EXERCISES

PAGES = Path(__file__).parents[1]
#: Kind and label of a box, or of an exercise.
BOX = re.compile(r"\{prf:(\w+)\}.*\n(?:[ ]*:\w+:.*\n)*?[ ]*:label: ([a-z0-9-]+?)(?:-box)?\n")
EXERCISE = re.compile(r"\{exercise\} *(.*)\n:label: (\S+)\n")
#: The label of a box that is not yet told to have no number.
UNTOLD = re.compile(r"(\{prf:(?!proof|ref)\w+\}.*\n)([ ]*)(:label: .+\n)(?! *:enumerated:)")
#: Where a proof stands on another page.
PROOFS = {
    "lem-angle": "prop-angle-constants",
    "thm-canonical": "consistency-proofs",
    "thm-online-sharp": "sec-online-potential",
    "thm-product-anchor-repaired": "sec-product-proof",
    "thm-sparse-auto": "sec-autoencoders-rounding",
    "thm-subspace-sharp": "sec-sharp",
    "thm-two-levels-repaired": "sec-levels-proof",
}
#: What is said of boxes whose page states the claim later, where its words are known.
LATER = {
    "algo-polynomials": "**Proved**, as the two theorems below say.",
    "def-anchor-set": "**Proved below:** the relevant metafeatures are those inside a target.",
}

REFERENCE = re.compile(r"\{ref\}`([^`<\[\]]+?)\s*<([\w-]+)>`")
CITATION = re.compile(r"\{(cite|cite:[tp])\}`([\w,]+)`")
NUMBER = re.compile(r"\{(eq|numref|prf:ref)\}`([\w-]+)`")
#: What JupyterLab says in place of a number that it does not know.
WORDS = {"eq": "this formula", "fig": "this figure", "ex": "this exercise"}


def linked(text: str, page: str) -> str:
    """A text of a page, its links and citations as JupyterLab can follow them."""
    ours, here = places(), os.path.dirname(page)

    def address(label: str) -> str:
        there = ours.get(label, page)
        kind = "ipynb" if (PAGES / f"{there}.ipynb").is_file() else "md"
        return f"{os.path.relpath(there, here or '.')}.{kind}" * (there != page) + f"#{label}"

    def link(found: re.Match[str]) -> str:
        return f"[{found[1]}]({to})" if (to := address(found[2])).find("#") else found[0]

    def number(found: re.Match[str]) -> str:
        to = address(found[2].removesuffix("-box"))
        word = WORDS.get(found[2].partition("-")[0], "this statement")
        return found[0] if found[1] == "eq" and to[0] == "#" else f'[{word}]({to} "{found[1]} {found[2]}")'

    def paper(found: re.Match[str]) -> str:
        papers = [papers_of()[key] for key in found[2].split(",")]
        names, to = "; ".join(name for name, _ in papers), papers[0][1]
        names = re.sub(r", (\d+)", r" (\1)", names) if found[1] == "cite:t" else f"({names})"
        return f'[{names}]({to or os.path.relpath("references.bib", here or ".")} "{found[1]} {found[2]}")'

    return NUMBER.sub(number, CITATION.sub(paper, REFERENCE.sub(link, roles(text))))


@cache
def papers_of() -> dict[str, tuple[str, str]]:
    """What JupyterLab shows of each paper that the book cites: authors and year, and its address or nothing."""
    found = {}
    for key, entry in parse_file(PAGES / "references.bib").entries.items():
        last = [str(Text.from_latex(" ".join(person.last_names))) for person in entry.persons["author"]]
        who = " and ".join(last) if len(last) < 3 else f"{last[0]} et al."
        doi = f"https://doi.org/{entry.fields['doi']}" if "doi" in entry.fields else ""
        found[key] = f"{who}, {entry.fields['year']}", entry.fields.get("url", doi)
    return found


def below(cell: Any, after: str) -> str:
    """For JupyterLab: what the built page shows below or in a cell, and a notebook does not; captions, claims, hints.

    `after` is the text of the cells that follow.
    """
    if caption := cell.metadata.get("mystnb", {}).get("figure", {}).get("caption"):
        return f"**Figure.** {caption.strip()}"
    if cell.cell_type != "markdown":
        return ""
    proof = re.search(r"\{prf:(\w+)\}", after)
    here = proof is not None and proof[1] == "proof"
    said = [_standing(kind, label, here) for kind, label in BOX.findall(cell.source) if label in LEDGER]
    asked = [(title, EXERCISES[label]) for title, label in EXERCISE.findall(cell.source) if label in EXERCISES]
    hints = [
        f"*{title}* ({e.facts.lower()}). {e.hint}"
        + (f" Check an answer: `lifelong exercise {e.label} --notebook`" if e.checked else "")
        for title, e in asked
    ]
    if hints:
        said.append("```{dropdown} Hints\n" + "\n\n".join(hints) + "\n```")
    return "\n\n".join(said)


def _standing(kind: str, label: str, here: bool) -> str:
    """The verdict on a claim; of an algorithm or a definition, what is proved."""
    if label in LATER:
        return LATER[label]
    claim = LEDGER[label]
    text = f"**{claim.verdict.capitalize()}{' below' if here and claim.verdict == 'proved' else ''}.**"
    given = kind in ("algorithm", "definition")
    if given:
        text += f" {claim.statement}"
    if claim.scope and (given or claim.verdict != "proved"):
        text += f" *{'Limits' if given else 'Scope'}:* {claim.scope}."
    if label in PROOFS:
        text += f" The {{ref}}`proof <{PROOFS[label]}>` has its own place."
    return text


def as_shown(cells: list[Any], page: str) -> list[Any]:
    """For JupyterLab: the cells of a page as it can show them."""
    shown = []
    cells = [cell for cell in cells if "captions" not in cell.metadata]
    for place, cell in enumerate(cells):
        tags = {*cell.metadata.get("tags", [])}
        if cell.cell_type == "code" and {"remove-input", "remove-cell", "hide-cell"} & tags:
            folded = {"source_hidden": True} | ({"outputs_hidden": True} if "hide-cell" in tags else {})
            cell = nbformat.from_dict(cell | {"metadata": cell.metadata | {"jupyter": folded}})  # type: ignore[no-untyped-call]
        if cell.cell_type == "markdown":
            told = UNTOLD.sub(r"\1\2\3\2:enumerated: false\n", cell.source)
            cell = nbformat.from_dict(cell | {"source": linked(told, page)})  # type: ignore[no-untyped-call]
        shown.append(cell)
        after = "\n".join(other.source for other in cells[place + 1 :] if other.cell_type == "markdown")
        if words := linked(below(cell, after), page):
            shown.append(nbformat.v4.new_markdown_cell(words))  # type: ignore[no-untyped-call]
            shown[-1].update(id=f"{cell.id[:56]}-caption", metadata={"captions": cell.id, "tags": ["remove-cell"]})
    return shown
