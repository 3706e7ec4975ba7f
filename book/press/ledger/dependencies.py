"""Which claims the proof of a claim rests on: the arrows of the map of the claims."""

#: By label, the labels of the claims that its proof uses; of a claim as printed, those that the printed proof uses.
#: A claim that is not named rests on none.
RESTS_ON: dict[str, tuple[str, ...]] = {
    # halfspaces
    "lem-one-vec": ("ineq-scalar", "lem-one-vec-sine"),
    "lem-subspace": ("lem-one-vec",),
    "prop-subspace-singular": ("prop-subspace-separated",),
    "thm-halfspaces": ("lem-angle", "lem-subspace", "algo-one"),
    "thm-halfspaces-volume": ("lem-angle", "algo-one"),
    "thm-halfspaces-determinant": ("lem-angle", "algo-one", "thm-halfspaces-volume"),
    "thm-halfspaces-exact": ("lem-angle", "algo-one"),
    "thm-halfspaces-small-error": ("lem-angle", "algo-one", "thm-subspace-sharp"),
    "thm-halfspaces-spectral": ("lem-angle",),
    "thm-halfspaces-samples": (
        "lem-angle",
        "lem-holdout",
        "thm-halfspaces-volume",
        "thm-halfspaces-exact",
        "thm-halfspaces-small-error",
    ),
    "note-efficient": ("thm-halfspaces-determinant",),
    "thm-two-levels": ("lem-angle", "lem-subspace", "algo-two"),
    "thm-two-levels-repaired": ("lem-angle", "algo-two", "thm-halfspaces-volume"),
    "prop-two-levels-small": (
        "thm-subspace-sharp",
        "thm-two-levels-repaired",
        "thm-halfspaces-exact",
        "thm-halfspaces-volume",
    ),
    "prop-direct-fourth": ("prop-direct-plane",),
    "prop-exactly-k": ("algo-one",),
    # conjunctions
    "lem-consistency": ("algo-consistency-anchor",),
    "thm-canonical": ("algo-consistency-anchor",),
    "prop-matrix-form": ("thm-canonical",),
    "prop-fooling-certificate": ("algo-boolean-rank", "algo-consistency-anchor"),
    "prop-set-basis-hard": ("thm-canonical",),
    "prop-robust-exact": ("algo-consistency-anchor",),
    "thm-online-anchor": ("lem-consistency", "algo-monomial-anchor-online"),
    "lem-online-monotone": ("thm-canonical",),
    "thm-online-sharp": ("lem-online-monotone", "lem-consistency", "algo-monomial-anchor-online"),
    "cor-equivalence": ("thm-online-sharp",),
    "thm-product-anchor": ("lem-consistency", "algo-monomial-anchor"),
    "thm-product-anchor-repaired": ("lem-consistency", "algo-monomial-anchor"),
    "thm-sparse-auto": ("def-anchor-set",),
    "prop-anchor-program": ("def-anchor-set",),
    "prop-anchor-integral": ("def-anchor-set", "thm-canonical"),
    "prop-anchor-gap": ("prop-anchor-program",),
    "cor-sparse-auto": ("def-anchor-set", "thm-sparse-auto"),
    # polynomials
    "thm-polynomials": (
        "thm-online-anchor",
        "algo-polynomials",
        "lem-consistency",
        "lem-online-monotone",
        "thm-online-sharp",
    ),
    "thm-polynomials-repaired": (
        "lem-consistency",
        "lem-online-monotone",
        "thm-online-sharp",
        "prop-eg",
        "prop-progressive",
        "algo-polynomials",
    ),
}
