"""Everything in the book can be cited: link signs, readable titles in the inventory, version and date on every page.

Another Sphinx project finds a statement, exercise, figure or equation by its label with its own `ref`, and reads
"Lemma 3.2.1 (...)" in its text; it finds `lifelong.angle` under the name by which it is imported.
"""

import subprocess
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any, NamedTuple

from docutils import nodes
from quick import tree
from sphinx.application import Sphinx
from sphinx.config import Config
from sphinx.domains.python import ObjectEntry
from sphinx.environment import BuildEnvironment
from sphinx.util.i18n import format_date
from sphinx_exercise.nodes import exercise_enumerable_node
from sphinx_proof.nodes import NODE_TYPES

import lifelong
from lifelong_book.press.ledger import LEDGER

BOX = "-box"  # ends the id of a box whose anchor has the label itself
STATEMENTS = tuple(NODE_TYPES.values())


class Place(NamedTuple):
    """What can be cited: its label, which is its anchor as well, and the title by which it is known elsewhere."""

    label: str
    title: str


def _text_of(node: nodes.Element) -> str:
    """The words of a node, its formulas as they are written: $k$."""
    words = []
    for leaf in node.findall(nodes.Text):
        if not isinstance(leaf.parent, nodes.raw):  # the badge
            words.append(f"${leaf}$" if isinstance(leaf.parent, nodes.math) else str(leaf))
    return " ".join("".join(words).split())


def _numbered(env: BuildEnvironment, page: str, kind: str, counter: str, name: str, title: str = "") -> str:
    number = ".".join(map(str, env.toc_fignumbers.get(page, {}).get(counter, {}).get(name, ())))
    return f"{kind} {number} ({title})" if title else f"{kind} {number}"


def statement(env: BuildEnvironment, page: str, node: nodes.Element) -> Place | None:
    """A theorem or its like, as it is cited; nothing for one without a label."""
    if not node["names"] and not node["ids"][0].endswith(BOX):
        return None
    title = _text_of(node[0]).removeprefix("(").removesuffix(")") if isinstance(node[0], nodes.title) else ""
    kind, box = node["realtype"].capitalize(), node["ids"][0]
    return Place(box.removesuffix(BOX), _numbered(env, page, kind, node["countertype"], box, title))


def exercise(env: BuildEnvironment, page: str, node: nodes.Element) -> Place:
    """An exercise as it is cited; its title is in the second half of its heading."""
    title = _text_of(node[0][1]) if len(node[0]) > 1 else ""
    box = node["label"]
    return Place(box.removesuffix(BOX), _numbered(env, page, "Exercise", "exercise", box, title))


def places(env: BuildEnvironment, page: str, doctree: nodes.document) -> Iterator[tuple[nodes.Element, Place]]:
    """What on a page can be cited and carries its link sign in its heading."""
    for node in doctree.findall(nodes.Element):
        if isinstance(node, STATEMENTS):
            found = statement(env, page, node)
            if found is not None:
                yield node, found
        elif isinstance(node, exercise_enumerable_node):
            yield node, exercise(env, page, node)


def _of_the_paper(label: str) -> str:
    """What an item of the paper is called there, for the sign; nothing for a statement of the book."""
    claim = LEDGER.get(label)
    return "" if claim is None or claim.ours or " " not in claim.item else f' data-paper="{escape(claim.item)}"'


def add_signs(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A link sign behind each heading, and the anchor; the sign carries the title for those who cite it."""
    if app.builder.format != "html":
        return
    anchors = {name for node in doctree.findall(nodes.Element) for name in node.get("ids", ())}
    for node, (label, title) in places(app.env, page, doctree):
        sign = (
            f'<a class="headerlink" href="#{escape(label)}" title="Link to this {title.split()[0].lower()}" '
            f'data-cite="{escape(title)}"{_of_the_paper(label)}>#</a>'
        )
        node[0] += nodes.raw("", sign, format="html")
        if label not in anchors:  # no target line above the box
            node["ids"].append(label)


def _equations(env: BuildEnvironment) -> Iterator[tuple[str, str, str, str]]:
    for label, (page, _) in env.domaindata["math"]["objects"].items():
        anchor = f"equation-{label}"
        yield label, page, anchor, _numbered(env, page, "Equation", "displaymath", anchor).replace(" ", " (") + ")"


def fill_inventory(app: Sphinx) -> list[tuple[str, dict[str, Any], str]]:
    """For citing from elsewhere: readable titles for labels, equations too, and the names that the package exports.

    Called when all pages are written and the inventory is not, so no page changes by it.
    """
    env, labels = app.env, app.env.domaindata["std"]["labels"]
    for page in sorted(env.found_docs):
        for node, (label, title) in places(env, page, tree(env, page)):
            for name in {label, *(old for old in node["ids"] if old in labels)}:  # older labels stand above it
                labels[name] = (page, name, title)
        for name in env.toc_fignumbers.get(page, {}).get("figure", {}):
            labels[name] = (page, name, _numbered(env, page, "Figure", "figure", name))
    for label, page, anchor, title in _equations(env):
        labels[label] = (page, anchor, title)
    objects = env.domaindata["py"]["objects"]
    for name in lifelong.__all__:
        thing = getattr(lifelong, name)
        found = objects.get(f"{thing.__module__}.{thing.__qualname__}")
        if found is not None:
            objects[f"lifelong.{name}"] = ObjectEntry(found.docname, found.node_id, found.objtype, True)
    return []


@cache
def _commit(app: Sphinx) -> str:
    """The commit of the checkout that is built, short; nothing where there is none."""
    try:
        asked = ["git", "-C", str(app.srcdir), "rev-parse", "--short=10", "HEAD"]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return ""


def _copy_of(app: Sphinx) -> str:
    """Which copy of the book this is: the package's version is the book's; the commit and the day tell copies apart."""
    made = " ".join(filter(None, (_commit(app), format_date("%Y-%m-%d", language="en"))))
    return f"Version {lifelong.__version__} ({made})."


def set_version(app: Sphinx, config: Config) -> None:
    """The version by which the book is cited; it stands at the foot of every page."""
    config.version = config.release = lifelong.__version__
    footer = config.html_theme_options.get("extra_footer", "")
    config.html_theme_options["extra_footer"] = f"{_copy_of(app)} {footer}"


#: What the book implements, with its authors, as the title page names it.
PAPER = (
    "An implementation of <cite>Efficient Representations for Lifelong Learning and Autoencoding</cite> "
    "by Maria-Florina Balcan, Avrim Blum and Santosh Vempala (COLT 2015)"
)


def add_title_page(app: Sphinx, page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """The title page for those who cite, the first sheet of the front page on paper; a screen does not show it."""
    if page == "book/index":
        title, _, reading = str(app.config.html_title).partition(": ")
        lines = (f"<b>{escape(title)}</b>", escape(reading), PAPER, escape(app.config.author), escape(_copy_of(app)))
        context["body"] = (
            f'<div class="title-page">{"".join(f"<p>{line}</p>" for line in lines)}</div>{context["body"]}'
        )


def add_meta(app: Sphinx, _page: str, _template: str, context: dict[str, Any], _doctree: Any) -> None:
    """For citing, by scripts as well: who wrote what, when and in which version."""
    facts = {
        "citation_title": app.config.html_title,
        "citation_author": app.config.author,
        "citation_publication_date": format_date("%Y-%m-%d", language="en"),
        "citation_version": lifelong.__version__,
        "citation_commit": _commit(app),
    }
    tags = "".join(f'<meta name="{name}" content="{escape(str(fact))}">\n' for name, fact in facts.items())
    context["metatags"] = context.get("metatags", "") + tags


def setup(app: Sphinx) -> dict[str, Any]:
    """For citing: link signs come after the badges, which stand beside the titles."""
    app.connect("config-inited", set_version, priority=900)
    app.connect("doctree-resolved", add_signs, priority=600)
    app.connect("html-page-context", add_meta)
    app.connect("html-page-context", add_title_page)
    app.connect("html-collect-pages", fill_inventory)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
