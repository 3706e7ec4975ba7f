"""D3 on those pages that hold a moving picture, and on no other."""

from typing import Any

from sphinx.application import Sphinx

LIBRARY = "d3/d3.min.js"
SIGN = '<div class="moving"'


def library(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """Marks glide where D3 is there; without it a picture changes at once."""
    if SIGN in context.get("body", ""):
        app.add_js_file(LIBRARY, loading_method="defer")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called for each page; what is added there is added to that page."""
    app.connect("html-page-context", library)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
