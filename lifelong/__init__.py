"""Life-long learning of representations, after Balcan, Blum and Vempala (COLT 2015).

Examples
--------
>>> print(f"{angle([1, 0], [0, 2]):.4f}")
1.5708
"""

from lifelong.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.autoencoders import SparseBooleanAutoencoder, anchor_set_candidates
from lifelong.factorisation import boolean_rank
from lifelong.monomials import metafeatures, represent, trim
from lifelong.polynomials import Polynomial
from lifelong.queries import learn_polynomial
from lifelong.stream import Run, Step, learn_stream

__version__ = "0.1.0"

__all__ = [
    "Polynomial",
    "Run",
    "SparseBooleanAutoencoder",
    "Step",
    "anchor_set_candidates",
    "angle",
    "angle_to_subspace",
    "boolean_rank",
    "effective_dimension",
    "learn_polynomial",
    "learn_stream",
    "metafeatures",
    "represent",
    "subspace_angle",
    "trim",
]
