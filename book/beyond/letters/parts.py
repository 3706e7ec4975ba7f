"""Parts of letters: which pixels give a part away, and pieces without the ink that others explain."""

from itertools import combinations
from typing import Any

import numpy as np

from lifelong_book.beyond.rank.cover import Sets, inside


def gives_away(part: Any, users: Any, images: Sets, most: int = 2) -> tuple[int, ...] | None:
    """Which pixels give a part of letters away: a smallest set that no image without it inks; None if none is small."""
    lacking = part & ~images[~users]  # of the other images
    pixels = np.flatnonzero(part)  # one of each kind is enough
    _, first = np.unique(lacking[:, pixels], axis=1, return_index=True)
    for size in range(1, most + 1):
        for y in combinations(pixels[np.sort(first)].tolist(), size):
            if lacking[:, y].any(axis=1).all():
                return y
    return None


def shrink(M: Sets, TS: Sets) -> Sets:
    """Pieces of letters: each gives up the ink that others explain wherever it lies, the smallest first."""
    R, M = inside(M, TS), M.copy()
    for j in np.argsort(M.sum(axis=1), kind="stable"):
        over = R.astype(int) @ M  # pieces over each pixel
        M[j] &= ~(over[R[:, j]] >= 2).all(axis=0)
    return M
