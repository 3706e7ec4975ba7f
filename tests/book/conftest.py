"""What all tests of the book's pictures share."""

import sys

import matplotlib as mpl
import pytest


@pytest.fixture(autouse=True)
def close_figures():
    """No figure of a test is left for the next one, nor its style."""
    with mpl.rc_context():
        yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
