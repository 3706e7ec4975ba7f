"""What the build does to the pages of the package: tables of names, fields told together, labels led to the ledger."""

import inspect
from collections.abc import Iterable
from importlib import import_module
from types import ModuleType
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PythonDomain
from sphinx.environment import BuildEnvironment
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_refnode

import lifelong
from lifelong_book.press.ledger import LEDGER

LEDGER_PAGE = "book/ledger"


def _first_line(thing: Any) -> str:
    """What a module, a class or a function says of itself first."""
    return (inspect.getdoc(thing) or "").partition("\n")[0]


def rows(named: Iterable[tuple[str, str]], heading: str) -> list[str]:
    """A table on the package's pages, in reStructuredText: a linked name and one line on it, for each."""
    lines = ["", ".. list-table::", "   :class: names", "   :header-rows: 1", "   :widths: 32 68", ""]
    for name, words in ((heading, "What it is"), *named):
        lines += [f"   * - {name}", f"     - {words}"]
    return [*lines, ""]


def public(home: ModuleType) -> list[str]:
    """The names on a module's page: those of its `__all__`, else the functions and classes that it defines."""
    own = (n for n, x in vars(home).items() if callable(x) and getattr(x, "__module__", None) == home.__name__)
    return getattr(home, "__all__", None) or sorted(name for name in own if not name.startswith("_"))


def names(module: str) -> list[tuple[str, str]]:
    """The public names of a module, each as a link to where it is documented, with the first line of its docstring.

    Those that `import lifelong` gives come first.
    """
    found, home = [], import_module(module)
    told = {name: lines[0] for (_, name), lines in ModuleAnalyzer.for_module(module).find_attr_docs().items()}
    for name in sorted(public(home), key=lambda name: (name not in lifelong.__all__, name.casefold())):
        thing = getattr(home, name)
        place = thing.__module__ if module == "lifelong" and callable(thing) else module
        if callable(thing) or name in told:  # a constant of another module is told there
            found.append((f":py:obj:`{name} <{place}.{name}>`", told.get(name) or _first_line(thing)))
    return found


def add_names(_app: Sphinx, what: str, module: str, *rest: Any) -> None:
    """On the package's pages, below what a module says of itself: how to import it, and its names, if several."""
    lines = rest[-1]
    if what != "module":
        return
    if module == "lifelong":  # the front of the reference says it in tables
        lines.clear()
    elif len(found := names(module)) == 1:
        lines[:1] = [f"Module ``{module}``."]
    else:
        lines.extend(["", f"Module ``{module}``:", *rows(found, "Name")])


def keep_words(_app: Sphinx, what: str, *rest: Any) -> None:
    """On the package's pages a property keeps its words before a colon, which Napoleon takes for its type."""
    lines = rest[-1]
    if what in ("property", "attribute", "data") and lines:
        lines[0] = lines[0].replace(": ", " – ", 1)


def no_arguments(_app: Sphinx, what: str, _name: str, thing: Any, *_rest: Any) -> tuple[str, None] | None:
    """On the package's pages a protocol has no arguments: nobody makes an object of one."""
    return ("", None) if what == "class" and getattr(thing, "_is_protocol", False) else None


def skip_aliases(_app: Sphinx, _what: str, _name: str, member: Any, *_rest: Any) -> bool | None:
    """On the package's pages a field of a named tuple is told once, not again as an alias for a number."""
    return True if str(getattr(member, "__doc__", "")).startswith("Alias for field number") else None


def told_together(_app: Sphinx, doctree: nodes.document) -> None:
    """On the package's pages arguments of one docstring line stand on one line; Napoleon repeats it for each.

    A type that has words of its own is not spelled out below them.
    """
    for words in list(doctree.findall(nodes.paragraph)):
        if words.astext().startswith("alias of ") and len(words.parent) > 1:
            words.parent.remove(words)
    for listed in doctree.findall(nodes.bullet_list):
        if not isinstance(listed.parent, nodes.field_body):
            continue
        first, before = None, ""
        for item in list(listed.children):
            line = item.children[0]
            told = "".join(part.astext() for part in line.children[1:])
            if first is not None and told == before and " -- " in told:
                at = next(i for i, part in enumerate(first.children) if part.astext().startswith((" (", " -- ")))
                first[at:at] = [nodes.Text(", "), line.children[0]]
                listed.remove(item)
            else:
                first, before = line, told


class Modules(SphinxDirective):
    """On the package's pages, a table of the modules named, one a line, each with the first line of its docstring."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        listed = [str(line).strip() for line in self.content if str(line).strip()]
        return self.table(
            ((f":py:mod:`{m.split('.', 2)[-1]} <{m}>`", _first_line(import_module(m))) for m in listed), "Module"
        )

    def table(self, named: Iterable[tuple[str, str]], heading: str) -> list[nodes.Node]:
        """The table itself."""
        parsed = nodes.Element()
        self.state.nested_parse(StringList(rows(named, heading), source=self.name), self.content_offset, parsed)
        return list(parsed.children)


class Names(Modules):
    """On the package's pages, a table of the public names of the module named."""

    has_content = False
    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        return self.table(names(self.arguments[0]), "Name")


def missing(app: Sphinx, env: BuildEnvironment, node: pending_xref, inner: nodes.TextElement) -> nodes.Node | None:
    """On the package's pages the label of a claim leads to the ledger, a short name to the only one that fits."""
    label = str(node.get("reftarget"))
    if label in LEDGER and LEDGER_PAGE in env.found_docs:
        return make_refnode(app.builder, node["refdoc"], LEDGER_PAGE, f"claim-{label}", inner, LEDGER[label].title)
    given = node.get("py:module") == "lifelong" and label in lifelong.__all__
    if node.get("refdomain") == "py" and (given or label.rpartition(".")[2][:1].isupper()):
        domain = env.get_domain("py")
        assert isinstance(domain, PythonDomain)
        known = domain.objects
        found = [name for name in known if name.endswith(f".{label}") and known[name].objtype == "class"]
        if given:  # what the package gives is told where it is defined
            found = [name for name in (f"{getattr(lifelong, label).__module__}.{label}",) if name in known]
        if len(found) == 1:
            place = known[found[0]]
            return make_refnode(app.builder, node["refdoc"], place.docname, place.node_id, inner, found[0])
    return None


def setup(app: Sphinx) -> dict[str, Any]:
    """On the package's pages Napoleon writes attributes of numpydoc as fields, which Sphinx heads "Variables"."""
    for field in PythonDomain.directives["class"].doc_field_types:
        if field.name == "variable":
            field.label = "Attributes"
    app.add_directive("modules", Modules)
    app.add_directive("names", Names)
    app.connect("autodoc-skip-member", skip_aliases)
    app.connect("autodoc-process-signature", no_arguments)
    app.connect("autodoc-process-docstring", keep_words, priority=100)
    app.connect("autodoc-process-docstring", add_names, priority=900)
    app.connect("doctree-read", told_together)
    app.connect("missing-reference", missing)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
