"""Anchor sets of parts, and pieces without the ink of others, against the searches of the chapters."""

from __future__ import annotations

import numpy as np

from lifelong.conjunctions.autoencoder import hitting_set
from lifelong_book.beyond.letters.parts import gives_away, shrink
from lifelong_book.conjunctions.autoencoders import network


def test_anchor_sets_are_smallest():
    rng = np.random.default_rng(0)
    for _ in range(60):
        images = rng.random((8, 7)) < 0.7
        part = images[0] & images[1]
        users = (part <= images).all(axis=1) & (rng.random(8) < 0.7)
        if not part.any():
            continue
        y, smallest = gives_away(part, users, images, most=3), hitting_set(part & ~images[~users], 3)
        assert (y and len(y)) == (None if smallest is None else max(1, len(smallest)))
        assert y is None or users[images[:, y].all(axis=1)].all()


def test_shrinking_loses_nothing():
    rng = np.random.default_rng(1)
    for _ in range(40):
        M = rng.random((4, 9)) < 0.5
        TS = (rng.random((10, 4)) < 0.5) @ M
        small = shrink(M, TS)
        assert np.array_equal(small, network.shrink(M, TS))
