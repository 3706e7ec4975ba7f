"""Packages that not everybody installs."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs(package: str, *, extra: str) -> Iterator[None]:
    """Imports of an extra, which not everybody installs: where it is missing, the error says how to get it."""
    try:
        yield
    except ImportError as error:
        folder = "./book" if extra == "figures" else "."
        wanted = f"`pip install '{folder}[{extra}]'` in the folder of the README"
        raise ImportError(f"{package} is missing or too old: this needs {wanted}") from error
