"""What made a number: versions and the sources themselves, so that numbers of two makers are never mixed."""

from __future__ import annotations

import platform
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import lifelong

__all__ = ["maker", "version_of"]


def version_of(package: str) -> str:
    """The installed version of a package.

    Parameters
    ----------
    package : str
        As the registry calls it.

    Returns
    -------
    str
        "not installed" where there is none.

    Notes
    -----
    For the evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> version_of("no-such-package")
    'not installed'
    """
    try:
        return version(package)
    except PackageNotFoundError:  # run from a folder, without an installation
        return "not installed"


@cache
def maker() -> dict[str, str]:
    """Everything of this process that a computed number depends on, but for its arguments.

    Returns
    -------
    dict of str to str
        Versions of Python and of the packages that compute, and a digest of the sources of this one.

    Notes
    -----
    The version of a package under work stays the same while its sources change, so the sources are read. For the
    evidence of all claims, `lem-angle` to `thm-polynomials`.

    Examples
    --------
    >>> list(maker())
    ['python', 'lifelong', 'numpy', 'scipy', 'sources']
    """
    digest = sha256()
    for root in (Path(lifelong.__file__).parent, Path(__file__).parents[2]):
        for path in sorted(root.rglob("*.py")):
            digest.update(f"{path.relative_to(root).as_posix()}\n".encode() + path.read_bytes())
    packages = {package: version_of(package) for package in ("lifelong", "numpy", "scipy")}
    return {"python": platform.python_version(), **packages, "sources": digest.hexdigest()[:16]}
