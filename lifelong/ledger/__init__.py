"""The ledger: every claim of the paper and every corrected one, with the evidence for its verdict.

Examples
--------
>>> LEDGER["lem-subspace"].verdict, LEDGER["lem-subspace"].replaced_by[0]
('refuted', 'thm-subspace-sharp')
>>> find("Lemma 3").label, find("lem:subspace").label
('lem-subspace', 'lem-subspace')
"""

from __future__ import annotations

from lifelong.ledger.claim import KINDS, Check, Claim, Discrepancy, Finding
from lifelong.ledger.claims import (
    angles,
    autoencoders,
    beyond,
    consistency,
    direct,
    efficient,
    exactly_k,
    halfspaces,
    levels,
    noise,
    one_layer,
    online,
    perturbation,
    product_laws,
    rank,
    repair,
    schapire_sellie,
    shared_monomials,
)
from lifelong.ledger.evidence import Evidence, Report, reports

__all__ = ["KINDS", "LEDGER", "Check", "Claim", "Discrepancy", "Evidence", "Finding", "Report", "find", "reports"]

#: All claims by label, in the order of the paper.
LEDGER: dict[str, Claim] = {
    claim.label: claim
    for chapter in (
        angles,
        perturbation,
        halfspaces,
        repair,
        efficient,
        levels,
        beyond,
        exactly_k,
        direct,
        consistency,
        rank,
        noise,
        online,
        product_laws,
        autoencoders,
        one_layer,
        schapire_sellie,
        shared_monomials,
    )
    for claim in chapter.CLAIMS
}


def find(name: str) -> Claim:
    """The claim of a given name.

    Parameters
    ----------
    name : str
        Our label, the label in the paper's source, or the printed number, such as "Lemma 3".

    Returns
    -------
    Claim

    Raises
    ------
    ValueError
        If no claim has that name.

    Examples
    --------
    >>> find("lem-one-vec").item
    'Lemma 2'
    """
    wanted = str(name).lower()
    for claim in LEDGER.values():
        numbered = () if claim.ours else (claim.item.lower(),)
        if wanted and wanted in (claim.label.lower(), claim.paper.lower(), *numbered):
            return claim
    raise ValueError(f"name: expected one of {', '.join(LEDGER)}, got {name!r}")
