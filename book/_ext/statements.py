"""What the build adds to statements: the standing of a claim beside its title, a heading to every proof.

A statement is a claim when one of its labels is in the ledger of the package; nothing is written into the notebooks.
An algorithm or a definition asserts nothing: below its box stands the sentence that is proved of it.
"""

import json
import re
from html import escape
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx_proof.directive import ElementDirective
from sphinx_proof.nodes import NODE_TYPES, proof_node, unenumerable_node

from lifelong_book.press.badges import MACHINE, marks_html
from lifelong_book.press.dashboard import formulas
from lifelong_book.press.lab import PROOFS
from lifelong_book.press.ledger import LEDGER, Claim

LEDGER_PAGE = "book/ledger"
STATEMENTS = (*NODE_TYPES.values(), unenumerable_node)
STOP = re.compile(r"[.,;:!?)\]’”]+")
#: What checks found; it stands open in a notebook, and a page folds it.
EVIDENCE = re.compile(r'(<details class="evidence" data-claim="([a-z0-9-]+)") open(>.*?</details>)', re.DOTALL)
NUMBER = re.compile(r'<span class="statement-number" data-claim="([a-z0-9-]+)">')


#: The badge of a step on the way to a claim, which has no line of its own in the ledger.
PROVED_HERE = (
    '<a class="standing" href="#{}" title="to its proof; it has no line of its own in the ledger">'
    '<span class="mark mark-proved">✓ proved</span></a>'
)
#: What says that something is so, and does not only name it.
CLAIMED = {"theorem", "lemma", "proposition", "corollary"}
#: What asserts nothing.
GIVEN = {"algorithm", "definition"}
#: How often each claim was checked for the ledger.
RECORD = json.loads((Path(__file__).parent.parent / "records" / "ledger.json").read_text(encoding="utf-8"))
RECORDED = {claim["label"]: claim["instances"] for claim in RECORD["claims"]}


def is_claimed(statement: nodes.Element) -> bool:
    """Whether a statement on a page is in the ledger, or of a kind that needs a proof."""
    titled = bool(statement.children) and isinstance(statement[0], nodes.title)
    return titled and (claim_of(statement) is not None or bool(CLAIMED & set(statement["classes"])))


def claim_of(statement: nodes.Element) -> Claim | None:
    """The claim that a statement states; its label may end in "-box", beside the anchor of that name."""
    names = [str(name) for name in (*statement["ids"], *statement["names"])]
    return next((LEDGER[n] for name in names if (n := name.removesuffix("-box")) in LEDGER), None)


def badge(claim: Claim, address: str) -> str:
    """What the build adds beside a statement's title: badges that lead to the ledger and to what Coq has accepted."""
    shown = [(address, f"{claim.label} in the ledger", marks_html(claim, machine=False))]
    if claim.label in MACHINE:
        formal = address.partition("#")[0].removesuffix("ledger.html") + f"formal/index.html#formal-{claim.label}"
        shown += [(formal, "the statement beside that of the proof checker", marks_html(claim, machine=True))]
    return " ".join(f'<a class="standing" href="{escape(to)}" title="{says}">{marks}</a>' for to, says, marks in shown)


def asserted(claim: Claim, address: str) -> str:
    """HTML below an algorithm or a definition: what is claimed of it, and within which limits."""
    ledger, limits = address.partition("#")[0], f" Limits: {claim.scope}." if claim.scope else ""
    words = formulas(claim.statement + limits).replace('href="#claim-', f'href="{escape(ledger)}#claim-')
    return f'<p class="asserted">{badge(claim, address)} {words}</p>'


def proof_below(statement: nodes.Element, proofs: list[nodes.Element], others: list[nodes.Element]) -> str:
    """The id of a statement's proof: of what is named "proof-of-" and its label, or else of the next on the page.

    Empty if there is none, or another statement comes before it.
    """
    ids = {str(name) for node in statement.document.findall(nodes.Element) for name in node["ids"]}
    named = (f"proof-of-{str(name).removesuffix('-box')}" for name in statement["ids"])
    place = {id(node): i for i, node in enumerate(statement.document.findall())}
    here = place[id(statement)]
    ends = min((at for other in others if (at := place[id(other)]) > here), default=len(place))
    below = (str(p[0]["ids"][0]) for p in proofs if here < place[id(p)] < ends)
    return next(iter([*(name for name in named if name in ids), *below, ""]))


def _line(app: Sphinx, page: str, claim: str) -> str:
    """Address of the claim's line in the ledger, as seen from a page."""
    return f"{app.builder.get_relative_uri(page, LEDGER_PAGE)}#claim-{claim}"


def links(app: Sphinx, page: str, claim: str, below: str) -> str:
    """What the build adds below a statement's checks: a link to the proof, if it has a place, or what limits the claim.

    `below` is the id of a proof right below the statement, or empty.
    """
    entry, address = LEDGER[claim], escape(_line(app, page, claim))
    count = RECORDED[claim]
    more = f'<a href="{address}">in the ledger</a>: {count:,} instance{"" if count == 1 else "s"}'
    proof = f"#{below}" if below else ""
    if claim in PROOFS:
        there, name = app.env.get_domain("std").anonlabels[PROOFS[claim]]  # type: ignore[attr-defined]
        proof = f"{app.builder.get_relative_uri(page, there)}#{name}"
    if entry.verdict != "proved":
        more += f"<br>Scope: {formulas(entry.scope)}."
    elif proof:
        more = f'<a href="{escape(proof)}">the proof</a> · {more}'
    return f'<p class="evidence-links">{more}</p>'


def _number(app: Sphinx, claim: str) -> str:
    """Its number in the book, "Lemma 3.2.1, "; empty for a claim that is no numbered statement."""
    found = getattr(app.env, "proof_list", {}).get(f"{claim}-box", {})
    numbers = app.env.toc_fignumbers.get(found.get("docname", ""), {}).get(found.get("countertype", ""), {})
    number = ".".join(map(str, numbers.get(f"{claim}-box", ())))
    return f"{found['realtype'].capitalize()} {number}, in " if number else ""


def _head_proof(proof: nodes.Element, number: int) -> None:
    """Turn the word that opens a proof into its heading, so that it can fold; give it an id of its own."""
    (box,) = proof.children
    assert isinstance(box, nodes.Element)
    box["ids"] = [f"proof-{number}"]
    box["classes"].append("proof-text")
    first = next(iter(box.findall(nodes.Text)), None)
    if first is not None and first.startswith("Proof. "):
        first.parent.replace(first, nodes.Text(first.removeprefix("Proof. ")))
    box.insert(0, nodes.title("", "Proof."))


def _keep_stops(doctree: nodes.document) -> None:
    """Bind a stop or a bracket to the formula before it: a browser may break the line between the two."""
    for formula in list(doctree.findall(nodes.math)):
        after = formula.next_node(descend=False, siblings=True)
        stop = STOP.match(after) if isinstance(after, nodes.Text) else None
        if stop is not None:
            parent = formula.parent  # no `replace` for the text: it takes the first that is equal, say another ", "
            place = parent.index(formula)
            bound = nodes.inline("", "", formula, nodes.Text(stop[0]), classes=["with-stop"])
            parent[place : place + 2] = [bound, nodes.Text(after[stop.end() :])]


def _add_to_statements(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Badges beside titles, links below evidence, headings of proofs, stops beside formulas, numbers in the ledger."""
    if app.builder.format != "html" or LEDGER_PAGE not in app.env.found_docs:
        return
    proofs = list(doctree.findall(proof_node))
    for number, proof in enumerate(proofs, 1):
        _head_proof(proof, number)
    statements = [node for node in doctree.findall(lambda node: isinstance(node, STATEMENTS)) if is_claimed(node)]
    proved = {}
    for statement in statements:
        claim, below = claim_of(statement), proof_below(statement, proofs, statements)
        if claim is None:
            statement[0] += nodes.raw("", PROVED_HERE.format(below) if below else "", format="html")
            continue
        address, proved[claim.label] = _line(app, page, claim.label), below
        if GIVEN & set(statement["classes"]):
            place = statement.parent.index(statement) + 1
            statement.parent.insert(place, nodes.raw("", asserted(claim, address), format="html"))
        else:
            statement[0] += nodes.raw("", badge(claim, address), format="html")
    for section in doctree.findall(nodes.section):
        section["ids"] = [name for name in section["ids"] if name not in ("proof-content", "exercise-content")]
    _keep_stops(doctree)
    for shown in list(doctree.findall(nodes.raw)):
        html = EVIDENCE.sub(lambda m: m[1] + m[3] + links(app, page, m[2], proved.get(m[2], "")), shown.astext())
        if page == LEDGER_PAGE:
            html = NUMBER.sub(lambda m: m[0] + _number(app, m[1]), html)
        if html != shown.astext():
            shown.parent.replace(shown, nodes.raw("", html, format="html"))


def setup(app: Sphinx) -> dict[str, Any]:
    """Adds to statements on every page, after its references are resolved."""
    # for JupyterLab alone, which would number the boxes of a page from 1, beside the paper's numbers
    ElementDirective.option_spec["enumerated"] = directives.unchanged
    app.connect("doctree-resolved", _add_to_statements)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
