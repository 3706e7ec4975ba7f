"""The pages made from the ledger: its tables, its boxes of discrepancies."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lifelong.ledger.claim import KINDS, Claim, Discrepancy

__all__ = [
    "discrepancy_boxes",
    "discrepancy_kinds",
    "discrepancy_list",
    "ledger_bites",
    "ledger_evidence",
    "ledger_table",
    "provenance",
]


_MARKS = {
    "proved": "✓ proved",
    "holds on all instances tried": "≈ holds on all instances tried",
    "exhaustive": "∀ exhaustive",
    "unchecked": "… unchecked",
}


def _kind_mark(kind: str) -> str:
    return f'<span class="found-{kind}">{KINDS[kind][0]} {kind}</span>'


def _standing(claim: dict[str, Any], page: str) -> str:
    """The verdict, and below it each thing found in print, linked to the box that tells it."""
    found = [
        f'<a href="{d["page"] or page}.html#{d["label"]}">{_kind_mark(d["kind"])}</a>' for d in claim["discrepancies"]
    ]
    return "<br>".join([*([_MARKS[claim["verdict"]]] if claim["verdict"] in _MARKS else []), *dict.fromkeys(found)])


def _bites(claim: dict[str, Any]) -> str:
    """Each bite below 0.995 under its name, or that all are above; of a refuted claim the excess."""
    if claim["verdict"] == "refuted":
        return f"exceeded {float(claim['worst']):.3g}-fold" if claim["worst"] else ""
    if not claim["bites"]:
        return "–" if claim["evidence"] else ""
    low = {name: bite for name, bite in claim["bites"].items() if float(bite) < 0.995}
    if not low:
        return "1.00"
    return "<br>".join(f"{float(bite):.2f}{f' ({name})' if name else ''}" for name, bite in low.items())


def _html_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    head = "".join(f'<th scope="col">{h}</th>' for h in headings)
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f'<div class="wide"><table class="table"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _ratio(worst: float | str | None) -> str:
    return f"{worst:.6g}" if isinstance(worst, float) else str(worst or "")


def ledger_table(claims: list[dict[str, Any]]) -> str:
    """HTML table of claims: verdict, what was found in print, instances, bite, twins, what replaces a refuted one.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.ledger import LEDGER, reports
    >>> "✗ refuted" in ledger_table([r.as_dict() for r in reports([LEDGER["lem-subspace"]], instances=60)])
    True
    """
    pages = {c["label"]: c["page"].removeprefix("book/") for c in claims}
    rows: list[tuple[str, ...]] = []
    for c in claims:
        twins = [t["violations"] > 0 for t in c["twins"]]
        see = ", ".join(f'<a href="{pages[r]}">{r}</a>' for r in c["replaced_by"] if r in pages)
        standing = _standing(c, pages[c["label"]].partition(".html")[0])
        rows.append(
            (
                f'{c["item"]}<br><a href="{pages[c["label"]]}"><code>{c["label"]}</code></a><br>{c["title"]}',
                "<br>".join(note for note in (standing, c["scope"], f"see {see}" if see else "") if note),
                f"{c['instances']:,}" if c["evidence"] else "",
                _bites(c),
                f"{sum(twins)} of {len(twins)}" if twins else "",
            )
        )
    headings = ("Item", "Verdict", "Instances", "Bite", "Twins violated")
    return _html_table(headings, rows)


def ledger_evidence(claims: list[dict[str, Any]]) -> str:
    """HTML table of every check and every broken twin.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` on.

    Examples
    --------
    >>> from lifelong.ledger import LEDGER, reports
    >>> "hand counterexample" in ledger_evidence([r.as_dict() for r in reports([LEDGER["lem-subspace"]], instances=60)])
    True
    """
    rows: list[tuple[str, ...]] = [
        (
            f"<code>{c['label']}</code>",
            f"broken twin: {e['check']}<br>({e['spoiling']})" if twin else e["check"],
            e["kind"],
            f"{e['instances']:,}",
            f"{e['violations']:,}",
            "<br>".join(f"{_ratio(r)} {name}" for name, r in e["ratios"].items()) or _ratio(e["worst"]),
        )
        for c in claims
        for twin in (False, True)
        for e in c["twins" if twin else "evidence"]
    ]
    return _html_table(("Label", "Check", "Kind", "Instances", "Violations", "Worst ratio"), rows)


def ledger_bites(claims: list[dict[str, Any]]) -> str:
    """HTML table of every inequality whose evidence would let a constant go below 0.9, and why.

    Parameters
    ----------
    claims : list of dict
        As in the JSON of `python -m lifelong verify --bite --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If an entry lacks a field.

    Notes
    -----
    The page of the claims, from `lem-angle` on.

    Examples
    --------
    >>> entry = {"label": "lem-x", "bites": {"labels": 0.5}, "loose": {"labels": "a Chernoff bound"}}
    >>> "0.50" in ledger_bites([entry])
    True
    """
    rows: list[tuple[str, ...]] = [
        (f"<code>{c['label']}</code>", name or "its bound", f"{float(bite):.2f}", c["loose"].get(name, ""))
        for c in claims
        for name, bite in c["bites"].items()
        if float(bite) < 0.9
    ]
    return _html_table(("Label", "Inequality", "Bite", "Why no more"), rows)


def provenance(record: dict[str, Any]) -> str:
    """What made a record, as Markdown: the command, the date, the versions.

    Parameters
    ----------
    record : dict
        As in the JSON of `python -m lifelong verify --json` or `python -m lifelong table NAME --json`.

    Returns
    -------
    str

    Raises
    ------
    KeyError
        If the record lacks a field.

    Examples
    --------
    >>> made = {"command": "python -m lifelong table noise", "date": "2026-11-21", "versions": {"numpy": "2.4"}}
    >>> provenance(made)
    '`python -m lifelong table noise`, on 2026-11-21, with numpy 2.4.'
    """
    versions = ", ".join(f"{name} {number}" for name, number in record["versions"].items())
    return f"`{record['command']}`, on {record['date']}, with {versions}."


def discrepancy_kinds(claims: Iterable[Claim]) -> str:
    """How many places of each kind are in print, as a list in Markdown.

    Parameters
    ----------
    claims : iterable of Claim
        Entries of the ledger.

    Returns
    -------
    str

    Notes
    -----
    The page "What is printed, what is true", from `lem-subspace` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.ledger import LEDGER
    >>> print(discrepancy_kinds([LEDGER["lem-subspace"]]).splitlines()[0])
    * **✗ refuted** (1): an instance meets every hypothesis and violates the conclusion.
    """
    found: list[str] = [d.kind for claim in claims for d in claim.discrepancies]
    return "\n".join(f"* **{sign} {kind}** ({found.count(kind)}): {words}." for kind, (sign, words) in KINDS.items())


def discrepancy_list(claims: Iterable[Claim]) -> str:
    """The claims by the kinds of what is in print, as a list in MyST Markdown; each refuted one with what holds.

    Parameters
    ----------
    claims : iterable of Claim
        Entries of the ledger.

    Returns
    -------
    str

    Notes
    -----
    The front page, from `lem-subspace` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.ledger import LEDGER
    >>> print(discrepancy_list([LEDGER["lem-subspace"]]).splitlines()[1])  # doctest: +ELLIPSIS
      * {ref}`Lemma 3 <lem-subspace>`, errors of many vectors, as printed; what holds: {ref}`thm-subspace-sharp <...
    """
    listed, lines = list(claims), []
    for kind, (sign, meaning) in KINDS.items():
        found = [claim for claim in listed if kind in {d.kind for d in claim.discrepancies}]
        names = "" if kind == "refuted" else ": " + ", ".join(f"{{ref}}`{c.item} <{c.label}>`" for c in found)
        lines.append(f"* **{sign} {kind}** ({len(found)}), {meaning}{names}")
        lines += [_refuted_entry(claim) for claim in found if kind == "refuted"]
    return "\n".join(lines)


def _refuted_entry(claim: Claim) -> str:
    repairs = next(d.repaired_by for d in claim.discrepancies if d.kind == "refuted")
    held = ", ".join(f"{{ref}}`{label} <{label}>`" for label in repairs)
    return f"  * {{ref}}`{claim.item} <{claim.label}>`, {claim.title}; what holds: {held}"


def discrepancy_boxes(claims: Iterable[Claim]) -> str:
    """Everything in print that is not quite true, as MyST Markdown: one box each, the refuted ones first.

    Parameters
    ----------
    claims : iterable of Claim
        Entries of the ledger.

    Returns
    -------
    str

    Notes
    -----
    The page "What is printed, what is true", from `lem-subspace` to `thm-polynomials`.

    Examples
    --------
    >>> from lifelong.ledger import LEDGER
    >>> "found-refuted" in discrepancy_boxes([LEDGER["lem-subspace"]])
    True
    """
    listed = list(claims)
    entries = [(c, d) for kind in KINDS for c in listed for d in c.discrepancies if d.kind == kind]
    return "\n\n".join(_discrepancy_box(claim, d) for claim, d in entries)


def _discrepancy_box(claim: Claim, d: Discrepancy) -> str:
    repaired = ", ".join(f"{{ref}}`{label} <{label}>`" for label in d.repaired_by)
    rows = (
        ("Printed", d.printed),
        ("What fails" if d.kind != "reading" else "The readings", d.fails),
        ("Smallest example", d.example),
        ("What is true", d.repair + (f" ({repaired})" if repaired else "")),
        ("What it costs", d.cost),
        ("More", f"{{ref}}`where the book tells it <{d.label}>`; `{claim.label}` in {{doc}}`the ledger <ledger>`"),
    )
    title = f"{d.kind.capitalize()}: {claim.item}, {claim.title} ({d.where})"
    text = "\n\n".join(f"**{name}.** {words}" for name, words in rows)
    name = d.label.replace("found-", "printed-")
    return f":::{{admonition}} {title}\n:class: found-{d.kind}\n:name: {name}\n{text}\n:::"
