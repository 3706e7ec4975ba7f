"""Old addresses: where each named place of the book is now, for the pages that lead on from an old address.

sphinx-reredirects writes those pages, from `redirects` in the configuration and the template `moved.html`; they read
the table that is written here, so that a theorem which moved to a page of its own is still found by its old link.
A notebook's links to other pages become roles here.
"""

import json
from collections import Counter
from pathlib import Path
from typing import Any

from docutils import nodes
from quick import tree
from sphinx.application import Sphinx

from lifelong_book.press.contents import roles

FOLDER = "book/"  # where the old pages were


def _places(app: Sphinx) -> dict[str, str]:
    """For redirects: the page of each id that only one page has, as seen from the folder of the old pages."""
    ids = {
        page: {name for node in tree(app.env, page).findall(nodes.Element) for name in node.get("ids", ())}
        for page in app.env.found_docs
        if page.startswith(FOLDER)
    }
    times = Counter(name for names in ids.values() for name in names)
    return {
        name: app.builder.get_target_uri(page).removeprefix(FOLDER)
        for page in sorted(ids)
        for name in sorted(ids[page])
        if times[name] == 1
    }


def _write_places(app: Sphinx, failure: Exception | None) -> None:
    """The table for redirects as a script, which a page can read without a server."""
    if failure is None and app.builder.format == "html":
        table = json.dumps(_places(app), indent=0)
        (Path(app.outdir) / "_static" / "anchors.js").write_text(f"const ANCHORS = {table};\n", encoding="utf-8")
        for page in app.config.redirects:
            up = "../" * (page.count("/") - 1)  # from a folder of the book to the book
            path = Path(app.outdir) / f"{page}.html"
            text = path.read_text(encoding="utf-8").replace('"../_static', f'"{up}../_static')
            path.write_text(text.replace('const book = ""', f'const book = "{up}"'), encoding="utf-8")


def _roles_again(app: Sphinx, _page: str, source: list[str]) -> None:
    """Turn the links to other pages, which notebooks have for JupyterLab, into roles, which must have a target."""
    try:
        notebook = json.loads(source[0])
    except ValueError:
        return
    for cell in notebook["cells"]:
        if cell["cell_type"] == "markdown":
            cell["source"] = roles("".join(cell["source"]))
    source[0] = json.dumps(notebook)


def setup(app: Sphinx) -> dict[str, Any]:
    """For redirects: runs when a page is read, and when everything else is written."""
    app.connect("source-read", _roles_again)
    app.connect("build-finished", _write_places)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
