"""How a claim stands, in signs and words: the badges beside statements, under evidence and in the ledger."""

from html import escape

from lifelong_book.press.claim import KINDS, Claim

#: The sign of each verdict that finds no fault; those of the others are in `KINDS`.
SIGNS = {"proved": "✓", "holds on all instances tried": "≈", "exhaustive": "∀", "unchecked": "…"}
#: What a proof checker has accepted as well, and as which theorem of `book/formal/`; "formal-" leads there.
MACHINE = {
    "lem-subspace": "Lemma3_false",
    "ineq-scalar": "scalar_inequality",
    "lem-one-vec": "Lemma2",
    "thm-halfspaces": "Theorem1_false",
    "algo-consistency-anchor": "algorithm3_stops",
    "lem-consistency": "Lemma4_algorithm",
    "thm-canonical": "optimal",
    "thm-online-anchor": "Theorem3",
    "lem-online-monotone": "monotone",
    "thm-online-sharp": "count",
}


def marks(claim: Claim) -> list[tuple[str, str, str]]:
    """The marks of a claim's badge: its verdict first, then each other kind of what was found in print."""
    found = dict.fromkeys(d.kind for d in claim.discrepancies if d.kind != claim.verdict)
    sign = SIGNS[claim.verdict] if claim.verdict in SIGNS else KINDS[claim.verdict][0]
    words = f"{claim.verdict} in part" if any(d.stands for d in claim.discrepancies) else claim.verdict
    machine = [("machine", "⊢", "checked by machine")] if claim.label in MACHINE else []
    return [(claim.verdict.split()[0], sign, words), *((kind, KINDS[kind][0], kind) for kind in found), *machine]


def marks_html(claim: Claim, *, machine: bool | None = None) -> str:
    """The badge of a claim in HTML: all its marks, or only that of the proof checker, or only the others.

    The style sheet of the book gives them edges and colours.
    """
    return " ".join(
        f'<span class="mark mark-{kind}">{sign} {escape(words)}</span>'
        for kind, sign, words in marks(claim)
        if machine is None or machine == (kind == "machine")
    )
