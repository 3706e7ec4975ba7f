"""Claims of Section 5: polynomials. Not reached yet."""

from lifelong.claims.ledger import Claim

CLAIMS = (
    Claim(
        "algo-polynomials",
        "Algorithm 6",
        "algo-polynomials",
        "life-long learning of polynomials",
        "Every task ends with a hypothesis of low mean squared error, and the metafeatures are found again "
        "at every failure.",
    ),
    Claim(
        "thm-polynomials",
        "Theorem 6",
        "",
        "polynomials learned from scratch",
        "At most n^2 + k problems are learned from scratch, with at most k metafeatures at any time.",
    ),
)
