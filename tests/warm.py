"""What nearly every notebook imports, imported once: see `kernels.py`."""

# ruff: noqa: E402, F401

import io
import os
import sys

os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as a kernel says before any import
os.environ["JPY_PARENT_PID"] = str(os.getpid())  # no kernel outlives the process it is forked from
sys.modules["debugpy"] = None  # nobody debugs them

import ipykernel.ipkernel
import ipykernel.kernelapp
import jsonschema
import matplotlib.pyplot
import mpmath
import PIL.Image
import scipy.linalg
import scipy.optimize
import scipy.stats
from IPython.core import pylabtools

PIL.Image.new("1", (1, 1)).save(DOT := io.BytesIO(), "PNG")


def retina_figure(figure, **_):
    """Laid out, and not painted: nobody compares pictures, but the digests beside them."""
    figure.draw_without_rendering()
    return DOT.getvalue(), {"width": 1, "height": 1}
