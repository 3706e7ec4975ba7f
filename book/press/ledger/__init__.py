"""The ledger: every claim of the paper and every corrected one, with the evidence for its verdict."""

from lifelong_book.press.claim import KINDS, Check, Claim, Discrepancy, Finding
from lifelong_book.press.ledger.evidence import Evidence, Report, reports
from lifelong_book.press.rooms import modules

__all__ = ["KINDS", "LEDGER", "Check", "Claim", "Discrepancy", "Evidence", "Finding", "Report", "find", "reports"]

#: All claims by label, in the order of the book.
LEDGER = {x.label: x for module in modules("claims") for x in vars(module).values() if isinstance(x, Claim)}


def find(name: str) -> Claim:
    """The claim of the ledger that has a given name."""
    wanted = str(name).lower()
    for claim in LEDGER.values():
        numbered = () if claim.ours else (claim.item.lower(),)
        if wanted and wanted in (claim.label.lower(), claim.paper.lower(), *numbered):
            return claim
    raise ValueError(f"name: expected one of {', '.join(LEDGER)}, got {name!r}")
