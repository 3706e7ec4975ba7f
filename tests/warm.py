"""What nearly every notebook imports, imported once: see `kernels.py`."""

# ruff: noqa: E402, F401

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
import scipy.linalg
import scipy.optimize
import scipy.stats
