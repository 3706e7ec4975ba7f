"""What nearly every notebook imports, imported once: see `kernels.py`."""

# ruff: noqa: F401

import os

os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"  # as a kernel says before any import
os.environ["JPY_PARENT_PID"] = str(os.getpid())  # no kernel outlives the process it is forked from

import ipykernel.ipkernel
import ipykernel.kernelapp
import jsonschema  # of `glue`: it makes a grammar, for two seconds
import matplotlib.pyplot
import scipy.linalg
import scipy.optimize
import scipy.stats
