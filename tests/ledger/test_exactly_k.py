"""What exactly k features cost: the claim."""

from __future__ import annotations

from lifelong.ledger import reports
from lifelong.ledger.claims import exactly_k


def test_the_claim():
    for seed in range(2):
        (report,) = reports(exactly_k.CLAIMS, instances=300, seed=seed)
        assert report.agrees, report.summary()
        assert min(report.bites.values()) >= 0.9
