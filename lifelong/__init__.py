"""Life-long learning of representations, after Balcan, Blum and Vempala (COLT 2015).

Examples
--------
>>> print(f"{angle([1, 0], [0, 2]):.4f}")
1.5708
"""

from lifelong.conjunctions.algorithm3 import metafeatures, represent, trim
from lifelong.conjunctions.anchor_sets import anchor_set_candidates
from lifelong.conjunctions.autoencoder import SparseBooleanAutoencoder
from lifelong.conjunctions.rank import boolean_rank
from lifelong.halfspaces.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.loop import Run, Step, learn_stream
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.schapire_sellie import learn_polynomial

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
