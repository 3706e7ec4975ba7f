"""D3 on those pages that hold a moving picture, and on no other."""

from typing import Any

from sphinx.application import Sphinx

LIBRARY = "d3/d3.min.js"
SIGN = '<div class="moving"'


def _library(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Adds D3 to a page with a picture that moves: with it marks glide, without it they change at once."""
    if SIGN in context.get("body", ""):
        app.add_js_file(LIBRARY, loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """D3 for pictures that move: called for each page, what is added there is added to that page."""
    app.connect("html-page-context", _library)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
