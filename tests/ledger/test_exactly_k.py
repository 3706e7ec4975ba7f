"""What exactly k features cost: the claim."""

from __future__ import annotations

from lifelong_book.halfspaces.repair import exactly_k_claims as exactly_k
from lifelong_book.press.ledger import reports


def test_the_claim():
    for seed in range(2):
        (report,) = reports(exactly_k.CLAIMS, instances=300, seed=seed)
        assert report.agrees, report.summary()
        assert min(report.bites.values()) >= 0.9
