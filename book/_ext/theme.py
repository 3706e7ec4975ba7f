"""Mends of what the theme and its extensions write into every page."""

import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx
from sphinx.config import Config


def _without_thebe(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Drop the theme's scripts of live code: not used, they declare the same constant twice on every page."""
    for kind in ("script_files", "css_files"):
        context[kind] = [file for file in context.get(kind, ()) if "thebe" not in _text(file)]


def _roles(_app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """A mend of the theme: references are items of a list; the role that docutils gives them is deprecated."""
    if "doc-biblioentry" in context.get("body", ""):
        context["body"] = context["body"].replace('role="doc-biblioentry"', 'role="listitem"')


#: Where a notebook of a public repository can be opened.
LAUNCH = {"binderhub_url": "https://mybinder.org", "colab_url": "https://colab.research.google.com"}


def _with_address(_app: Sphinx, config: Config) -> None:
    """Once `repository.url` is configured, the theme's buttons for Binder, Colab, source and counterexamples."""
    options = config.html_theme_options
    if not options.get("repository_url"):
        return
    options["launch_buttons"] = {**(options.get("launch_buttons") or {}), **LAUNCH}
    options["use_repository_button"] = options["use_issues_button"] = True


def _text(file: Any) -> str:
    """Name and body of a script or style sheet in lower case."""
    body = getattr(file, "attributes", {}).get("body", "")
    return f"{getattr(file, 'filename', file)} {body}".lower()


#: An icon in the theme's script: its name, then its size, other names, code and outline.
ICON = re.compile(r'"?([a-z0-9-]+)"?:\[\d+,\d+,\[[^\]]*\],"[0-9a-f]+",(?:"[^"]*"|\[[^\]]*\])\],?')
ICONS = Path("scripts", "fontawesome.js")


def _fewer_icons(app: Sphinx, error: Exception | None) -> None:
    """Of two thousand icons keep those that a page or a script names: half of a page's weight were the others."""
    theme = find_spec("pydata_sphinx_theme")
    made = Path(app.outdir, "_static", ICONS)
    if error or app.builder.format != "html" or theme is None or theme.origin is None or not made.exists():
        return
    source = Path(theme.origin).parent / "theme" / "pydata_sphinx_theme" / "static" / ICONS
    texts = [path for kind in ("*.html", "*.js") for path in Path(app.outdir).rglob(kind) if path.name != ICONS.name]
    named = {name for path in texts for name in re.findall(r"\bfa-([a-z0-9-]+)", path.read_text(encoding="utf-8"))}
    made.write_text(icons_named(source.read_text(encoding="utf-8"), named), encoding="utf-8")


def icons_named(script: str, named: set[str]) -> str:
    """The script of icons without those that are not named."""
    return ICON.sub(lambda icon: icon[0] if icon[1] in named else "", script)


def setup(app: Sphinx) -> dict[str, Any]:
    """Mends of the theme: called for each page, after the extensions of Jupyter Book."""
    app.connect("config-inited", _with_address)
    app.connect("html-page-context", _without_thebe, priority=900)
    app.connect("html-page-context", _roles, priority=900)
    app.connect("build-finished", _fewer_icons)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
