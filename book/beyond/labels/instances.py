"""Streams on which Algorithm 1 and its peers get as many labels."""

from typing import Literal

import numpy as np

from lifelong._checks import RNGLike
from lifelong.halfspaces.tasks import HalfspaceTask
from lifelong.laws import Gaussian


def stream_tasks(
    kind: Literal["random", "rare"], n: int, k: int, m: int, *, rng: RNGLike = None
) -> list[HalfspaceTask]:
    """A stream for peers with as many labels: Gaussian tasks in a common space."""
    rng = np.random.default_rng(rng)
    basis = np.linalg.qr(rng.standard_normal((n, k)))[0].T
    codes = rng.standard_normal((m, k))
    if kind == "rare":
        codes[:-1, -1] = 0.0
        codes[-1] = np.eye(k)[-1]
    pairs = zip(codes @ basis, rng.spawn(m), strict=True)
    return [HalfspaceTask(w, Gaussian(n), rng=r) for w, r in pairs]
