"""What makes the build quick: nothing of it changes a page."""

import gc
import os
from functools import cache
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment


@cache
def tree(env: BuildEnvironment, page: str) -> nodes.document:
    """A page's tree, made once for a quick build, only to look at; `env.get_doctree` makes it anew for every number."""
    return env.get_doctree(page)


class _Looking:
    """The environment of a quick build, with trees that are made once."""

    def __init__(self, env: BuildEnvironment) -> None:
        self._env = env

    def __getattr__(self, name: str) -> Any:
        return getattr(self._env, name)

    def get_doctree(self, page: str) -> nodes.document:
        """The tree of a page."""
        return tree(self._env, page)


class _Domain(StandardDomain):
    """Labels and numbers, as Sphinx resolves them, in a quick build."""

    def _resolve_numref_xref(self, env: Any, *given: Any, **named: Any) -> nodes.Element | None:
        return super()._resolve_numref_xref(_Looking(env), *given, **named)  # type: ignore[arg-type]


def _write_in_two(app: Sphinx, _env: BuildEnvironment) -> None:
    """For a quick build pages are written in parallel, but read in turn: sphinx-proof cannot join what two read."""
    app.parallel = max(app.parallel, os.cpu_count() or 1)


def setup(app: Sphinx) -> dict[str, Any]:
    """A quick build: every node knows the one around it, so garbage is sought seldom, for there is little."""
    gc.set_threshold(100_000, 50, 1000)
    app.connect("env-updated", _write_in_two)
    app.add_domain(_Domain, override=True)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
