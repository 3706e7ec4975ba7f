"""What all tests of the book's pictures share."""

import sys

import pytest


@pytest.fixture(autouse=True)
def close_figures():
    """No figure of a test is left for the next one."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
