"""The pages made from the ledger: its tables, its boxes of discrepancies."""

from collections.abc import Iterable
from typing import Any

from lifelong_book.press.claim import KINDS, Claim, Discrepancy
from lifelong_book.press.dashboard import plain
from lifelong_book.press.ledger import LEDGER


def provenance(record: dict[str, Any]) -> str:
    """What made the record of the ledger, as Markdown: the command, the date, the versions."""
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return f"`{record['command']}`, on {record['date']}, with {versions}."


def discrepancy_kinds(claims: Iterable[Claim]) -> str:
    """On pages of the ledger: how many discrepancies of each kind are in print, as a list in Markdown."""
    found: list[str] = [d.kind for claim in claims for d in claim.discrepancies]
    return "\n".join(f"* **{sign} {kind}** ({found.count(kind)}): {words}." for kind, (sign, words) in KINDS.items())


#: What becomes of the statement where something was found.
_STANDS = {
    "refuted": "false as printed",
    "gap": "the statement stands",
    "misprint": "the statement stands, with one line read as meant",
    "reading": "the statement stands; a sentence near it, in one reading",
}


def discrepancy_table(claims: Iterable[Claim]) -> str:
    """On pages of the ledger: discrepancies in print, one line each, as a table whose lines lead to the boxes."""
    listed = list(claims)
    lines = ["| Item | What it is about | Found |", "|:--|:--|:--|"]
    for kind, (sign, _) in KINDS.items():
        for c in listed:
            lines += [
                f"| [{_bound(c.item)}](#{_name(d)}) | {_plain(c)} | {sign} {_kind(d)}: {_STANDS[kind]}{_instead(d)} |"
                for d in c.discrepancies
                if d.kind == kind
            ]
    return "\n".join(lines)


def _bound(item: str) -> str:
    """An item whose number stays on its line."""
    return item.replace(" ", "\u00a0")


def _instead(d: Discrepancy) -> str:
    """What of a refuted statement stands, and the first of those that hold in its place; the boxes have them all."""
    stands = f" but for {d.stands}" if d.stands else ""
    return f"{stands}; instead: {_proved(d.repaired_by[:1])}" if d.kind == "refuted" else ""


def _plain(claim: Claim) -> str:
    """A title for a page, with its powers set."""
    return plain(claim.title.removesuffix(", as printed"))


def _kind(d: Discrepancy) -> str:
    return f"{d.kind} in part" if d.stands else d.kind


def _name(d: Discrepancy) -> str:
    return d.label.replace("found-", "printed-")


def _proved(labels: Iterable[str]) -> str:
    """Links to statements of this book, each by what its title says after the colon."""
    titles = {label: _plain(LEDGER[label]).rpartition(": ")[2] for label in labels}
    return "; ".join(f"{{ref}}`{title} <{label}>`" for label, title in titles.items())


def discrepancy_boxes(claims: Iterable[Claim]) -> str:
    """On pages of the ledger: all discrepancies in print as MyST Markdown, one box each, the refuted first."""
    listed = list(claims)
    entries = [(c, d) for kind in KINDS for c in listed for d in c.discrepancies if d.kind == kind]
    return "\n\n".join(_discrepancy_box(claim, d) for claim, d in entries)


def _discrepancy_box(claim: Claim, d: Discrepancy) -> str:
    fails = ("What fails" if d.kind != "reading" else "The readings", d.fails)
    printed = f"**Printed** ({d.where}). {d.printed}"
    free = d.cost == "Nothing."
    after = [
        ("Smallest example that we know", d.example),
        ("What is true", d.repair + (" It costs nothing." if free else "")),
        ("Proved here", _proved(d.repaired_by)),
        ("What it costs", "" if free else d.cost),
        ("More", f"{{ref}}`where the book tells it <{d.label}>`; evidence and label: {_evidence(claim)}"),
    ]
    title = f"{claim.item}, {_plain(claim)}: {_kind(d)}"
    fold = f":::{{dropdown}} What fails in the proof, and what does not help\n{d.fails}\n:::"
    shown = [printed, fold, _rows(after)] if d.kind == "refuted" else [printed, _rows([fails, *after])]
    text = "\n\n".join(shown).replace("_{acc}", r"_{\mathrm{acc}}")
    return f"::::{{admonition}} {title}\n:class: found-{d.kind}\n:name: {_name(d)}\n{text}\n::::"


def _rows(rows: Iterable[tuple[str, str]]) -> str:
    return "\n\n".join(f"**{name}.** {words}" for name, words in rows if words)


def _evidence(claim: Claim) -> str:
    return f'<a href="ledger.html#claim-{claim.label}"><code>{claim.label}</code></a>'
