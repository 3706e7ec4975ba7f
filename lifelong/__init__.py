"""Lifelong learning of representations, after Balcan, Blum and Vempala (COLT 2015).

The six algorithms by their names: `SharedSubspace` (Algorithm 1), `TwoLevels` (2), `metafeatures` (3),
`online_metafeatures` and, behind queries, `OnlineMetafeatures` (4), `ProductLawMetafeatures` (5) and `SharedMonomials`
(6). Each is in a file of its number, `halfspaces.algorithm1` to `polynomials.algorithm6`. Beside them are bounds of
the theorems, as printed and as corrected, and the paper's instances (`halfspaces.bounds`, `conjunctions.instances`
and more), Winnow (`conjunctions.winnow`) and the learner of Schapire and Sellie (`polynomials.schapire_sellie`).

Own data come in by four doors: `PoolTask` for samples (X, y), `ConjunctionBox` and `PolynomialBox` for functions, and
`bits` for tables of 0 and 1, whose rows are tasks or images.

Examples
--------
Halfspaces whose normals share a plane of R^4, learned one after the other from labelled examples:

>>> targets = [1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 0]
>>> tasks = [HalfspaceTask(w, Gaussian(4), rng=i) for i, w in enumerate(targets)]
>>> run = learn_stream(tasks, SharedSubspace(4, 0.1))
>>> run.how, run.representation.features.shape
(['scratch', 'scratch', 'reused'], (2, 4))
"""

from lifelong.conjunctions.algorithm3 import metafeatures, represent
from lifelong.conjunctions.algorithm4 import OnlineMetafeatures, online_metafeatures
from lifelong.conjunctions.algorithm5 import ProductLawMetafeatures
from lifelong.conjunctions.autoencoder import SparseBooleanAutoencoder
from lifelong.conjunctions.tasks import ConjunctionBox, ConjunctionTask
from lifelong.halfspaces.algorithm1 import SharedSubspace
from lifelong.halfspaces.algorithm2 import TwoLevels
from lifelong.halfspaces.angles import angle, angle_to_subspace, effective_dimension, subspace_angle
from lifelong.halfspaces.oracles import Exact, Sampled
from lifelong.halfspaces.tasks import HalfspaceTask, PoolTask
from lifelong.laws import BooleanProduct, Gaussian, isotropic_law
from lifelong.loop import Counts, Run, Step, learn_stream, stream
from lifelong.own_data import bits
from lifelong.polynomials.algorithm6 import SharedMonomials
from lifelong.polynomials.polynomial import Polynomial
from lifelong.polynomials.schapire_sellie import learn_polynomial
from lifelong.polynomials.tasks import PolynomialBox, PolynomialTask

__version__ = "0.1.0"

# fmt: off
__all__ = [
    "BooleanProduct", "ConjunctionBox", "ConjunctionTask", "Counts", "Exact", "Gaussian", "HalfspaceTask",
    "OnlineMetafeatures", "Polynomial", "PolynomialBox", "PolynomialTask", "PoolTask", "ProductLawMetafeatures", "Run",
    "Sampled", "SharedMonomials", "SharedSubspace", "SparseBooleanAutoencoder", "Step", "TwoLevels", "angle",
    "angle_to_subspace", "bits", "effective_dimension", "isotropic_law", "learn_polynomial", "learn_stream",
    "metafeatures", "online_metafeatures", "represent", "stream", "subspace_angle",
]
