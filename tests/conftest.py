"""How the tests run: all of them on two cores, one thread a process; those that are named, in this process."""

import os
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import settings

# small fits are slower on many threads, and the processes share the cores
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# a hundred processes import the same modules: each is compiled once
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# no test depends on time
settings.register_profile("book", deadline=None)
settings.load_profile("book")


#: What takes long begins early, or one core has nothing to do at the end; the rest as it is collected.
LONGEST = """
    tests/test_site.py tests/test_live.py tests/ledger/test_claim.py tests/test_style.py tests/test_edits.py
    book/conjunctions/autoencoders/index.ipynb tests/book/test_moving.py book/polynomials/shared_monomials/index.ipynb
    book/conjunctions/consistency/index.ipynb tests/ledger/test_tables.py book/halfspaces/repair/index.ipynb
    tests/teaching/test_exercises.py tests/test_teach.py tests/polynomials/test_schapire_sellie.py
    book/conjunctions/online/index.ipynb book/beyond/noise.ipynb book/halfspaces/levels/index.ipynb
    book/polynomials/schapire_sellie/index.ipynb book/conjunctions/online/queries.ipynb
    book/halfspaces/perturbation/index.ipynb book/introduction.ipynb book/halfspaces/subspace/index.ipynb
    book/polynomials/one_layer/index.ipynb tests/polynomials/test_studies.py tests/test_notebooks.py
    tests/book/test_claims.py tests/test_execute.py tests/conjunctions/test_noise.py book/beyond/features.ipynb
    book/polynomials/schapire_sellie/counts.ipynb book/conjunctions/applications/index.ipynb
""".split()  # noqa: SIM905


@pytest.hookimpl(tryfirst=True)  # before xdist looks
def pytest_cmdline_main(config):
    """`pytest` starts two workers; `pytest tests/test_laws.py`, or a debugger, does not, unless `-n` says so."""
    option = config.option
    alone = option.collectonly or option.usepdb or "PYTEST_XDIST_WORKER" in os.environ
    if config.args_source is config.ArgsSource.TESTPATHS and not alone and getattr(option, "numprocesses", 0) is None:
        option.numprocesses, option.dist, option.loadscopereorder = 2, "loadfile", False
    elif getattr(option, "numprocesses", None) and option.dist == "no":
        option.dist = "loadfile"  # the cells of a notebook need each other


@pytest.hookimpl(tryfirst=True)  # before marks are looked at
def pytest_collection_modifyitems(config, items):
    """The same order in both workers; tests of one file stay together. What is named runs by day as well."""
    from kernels import BY_NIGHT

    for item in items:
        name = item.nodeid.partition("::")[0]
        if name in BY_NIGHT and not any(name in arg for arg in config.args):
            item.add_marker("nightly")
    if "PYTEST_XDIST_WORKER" in os.environ:
        places = {name: place for place, name in enumerate(LONGEST)}
        items.sort(key=lambda item: places.get(item.nodeid.partition("::")[0], len(places)))


def pytest_configure(config):
    """Notebooks share one import of numpy, scipy and matplotlib."""
    if getattr(config.option, "nbval", False) and not config.option.collectonly:
        import kernels

        kernels.install()


@pytest.fixture(scope="module")
def has_chromium():
    """Without Chromium tests are skipped, but fail where everything must run."""
    import sitecheck  # not everybody needs what it imports

    if sitecheck.chromium() is None:
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(sitecheck.GET_CHROMIUM)
        pytest.skip(sitecheck.GET_CHROMIUM)


@pytest.fixture(scope="module")
def browser(has_chromium):
    """Chromium, one for a module. Not one for all modules: while it is open no other event loop can run."""
    import sitecheck

    with sitecheck.browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def base():
    """The address of the built book, whose cells run in the page."""
    site = Path(__file__).parent.parent / "_build" / "html"
    if not (site / "_static" / "live" / "runtime").is_dir():
        pytest.skip("no built book with book/live/runtime")
    from lifelong_book.press.serve import address, server

    opened = server(site)
    threading.Thread(target=opened.serve_forever, daemon=True).start()
    yield address(opened)
    opened.shutdown()
    opened.server_close()
