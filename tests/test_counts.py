"""Products whose flags say nothing: the right numbers, and no warning of what is in no product."""

import re
from pathlib import Path

import numpy as np
import pytest

from lifelong._checks import matrix_product

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("shape", [(0, 3, 2), (1, 1, 1), (7, 300, 1), (40, 33, 65)])
def test_booleans_are_counted(shape):
    m, k, n = shape
    rng = np.random.default_rng(m)
    A, B = rng.random((m, k)) < 0.5, rng.random((n, k)).T < 0.5
    found = matrix_product(A, B)
    assert found.dtype == np.float32 and (found == A.astype(int) @ B.astype(int)).all()
    assert (matrix_product(A.astype(float), B) == found).all()


def test_a_flag_is_no_warning():
    """An operand that raises the flag stands for the memory beside the operands, which a test cannot choose."""
    raising = np.array([[np.inf]], dtype=np.float32), np.array([[0]], dtype=np.float32)
    with np.errstate(all="raise"):
        with pytest.raises(FloatingPointError):
            raising[0] @ raising[1]
        assert np.isnan(matrix_product(*raising))


def test_no_other_product_is_in_single_precision():
    files = [
        path for folder in ("lifelong", "book") for path in (ROOT / folder).rglob("*.py") if path.name != "_counts.py"
    ]
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in files
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"float32.* @ | @ .*float32", line)
    ]
    assert len(files) > 100 and not found
