"""The ledger: every claim of the paper and every corrected one, with the evidence for its verdict."""

from __future__ import annotations

from lifelong_book.beyond.noise import claims as noise
from lifelong_book.beyond.rank import claims as rank
from lifelong_book.conjunctions.applications import claims as product_laws
from lifelong_book.conjunctions.autoencoders import claims as autoencoders
from lifelong_book.conjunctions.consistency import claims as consistency
from lifelong_book.conjunctions.online import claims as online
from lifelong_book.halfspaces.angles import claims as angles
from lifelong_book.halfspaces.assumptions import claims as beyond
from lifelong_book.halfspaces.levels import claims as levels
from lifelong_book.halfspaces.levels import direct_claims as direct
from lifelong_book.halfspaces.perturbation import claims as perturbation
from lifelong_book.halfspaces.repair import claims as repair
from lifelong_book.halfspaces.repair import exactly_k_claims as exactly_k
from lifelong_book.halfspaces.subspace import claims as halfspaces
from lifelong_book.halfspaces.subspace import efficient_claims as efficient
from lifelong_book.polynomials.one_layer import claims as one_layer
from lifelong_book.polynomials.schapire_sellie import claims as schapire_sellie
from lifelong_book.polynomials.shared_monomials import claims as shared_monomials
from lifelong_book.press.claim import KINDS, Check, Claim, Discrepancy, Finding
from lifelong_book.press.ledger.evidence import Evidence, Report, reports

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
    """The claim of a given name."""
    wanted = str(name).lower()
    for claim in LEDGER.values():
        numbered = () if claim.ours else (claim.item.lower(),)
        if wanted and wanted in (claim.label.lower(), claim.paper.lower(), *numbered):
            return claim
    raise ValueError(f"name: expected one of {', '.join(LEDGER)}, got {name!r}")
