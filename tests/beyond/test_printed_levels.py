"""The printed counts of Theorem 2."""

from __future__ import annotations

import numpy as np
import pytest

from lifelong_book.beyond.printed_levels import claims


def test_a_plane_turned_out_of_another():
    turned = [[np.cos(0.5), 0, np.sin(0.5), 0], [0, np.cos(0.5), 0, np.sin(0.5)]]
    assert claims.two_features(np.array([turned]), 0.5 / np.pi) == (pytest.approx(np.tan(0.5)),) * 2
