"""The package as a whole: light to import, imports one way, every public name documented with its label."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import lifelong
from lifelong.ledger import LEDGER

ROOT = Path(lifelong.__file__).parent
HEAVY = {"matplotlib", "cvxpy", "sklearn", "fontTools", "sympy", "joblib", "tqdm", "rich", "IPython", "scipy"}

#: From the top down: a module imports only from lines below its own. A line is a folder, or a module of a folder.
ORDER = [
    "__main__",
    "command_line",
    "book",
    "ledger",
    "teaching",
    "polynomials.studies",
    "polynomials.algorithm6",
    "polynomials.oracles",
    "polynomials.instances",
    "polynomials.shared_terms",
    "polynomials.schapire_sellie",
    "polynomials.tasks",
    "polynomials.polynomial",
    "polynomials.linear",
    "polynomials.bounds",
    "conjunctions.studies",
    "conjunctions.product_studies",
    "conjunctions.peers",
    "conjunctions.noise",
    "conjunctions.tolerance",
    "conjunctions.rank",
    "conjunctions.concepts",
    "conjunctions.winnow",
    "conjunctions.anchor_studies",
    "conjunctions.autoencoder",
    "conjunctions.rounding",
    "conjunctions.programme",
    "conjunctions.glyphs",
    "conjunctions.anchor_sets",
    "conjunctions.algorithm5",
    "conjunctions.algorithm4",
    "conjunctions.algorithm3",
    "conjunctions.instances",
    "conjunctions.tasks",
    "conjunctions.bounds",
    "halfspaces.studies",
    "halfspaces.sample_studies",
    "halfspaces.digits",
    "halfspaces.algorithm1",
    "halfspaces.level_openings",
    "halfspaces.level_studies",
    "halfspaces.direct_studies",
    "halfspaces.fourth",
    "halfspaces.direct",
    "halfspaces.algorithm2",
    "halfspaces.level_oracles",
    "halfspaces.oracles",
    "halfspaces.peers",
    "halfspaces.sparse",
    "halfspaces.learners",
    "halfspaces.perturbation",
    "halfspaces.instances",
    "halfspaces.outside",
    "halfspaces.tasks",
    "halfspaces.scalar",
    "halfspaces.disagreement",
    "halfspaces.bounds",
    "halfspaces.angles",
    "own_data",
    "loop",
    "laws",
    "_contracts",
    "_counts",
    "_checks",
]


def module_names() -> list[str]:
    return [m.name for m in pkgutil.walk_packages([str(ROOT)], "lifelong.")]


def imports(name: str, *, deferred: bool) -> set[str]:
    """Modules of `lifelong` that a module imports, those within its functions too if `deferred`."""
    spec = import_module(name) if name != "lifelong.__main__" else None
    path = Path(spec.__file__) if spec else ROOT / "__main__.py"
    tree = ast.parse(path.read_text())
    nodes = ast.walk(tree) if deferred else tree.body
    known, found = {"lifelong", *module_names()}, set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name}: relative import"
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & known or {node.module}
    return found & known


def layer(name: str) -> str:
    """The line of `ORDER` that a module stands on."""
    path = name.partition(".")[2]
    return next((line for line in ORDER if path == line or path.startswith(f"{line}.")), path)


# --- imports ----------------------------------------------------------------------------------------


def test_importing_is_light():
    """The package, and in a process of its own each part right after it: forked, so that only that part is imported."""
    names = ["lifelong", *(f"lifelong.{m}" for m in ORDER if m != "__main__")]
    code = f"""
import os, sys, traceback
from importlib import import_module
import lifelong

for name in {names!r}:
    if not os.fork():
        try:
            import_module(name)
            print(name, sorted(set(sys.modules) & {HEAVY!r}), flush=True)
        except BaseException:
            traceback.print_exc()
        os._exit(0)
    os.wait()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [f"{name} []" for name in names], done.stderr


def test_every_module_imports_without_the_heavy_packages():
    """A browser has no SciPy and no learners: who needs them asks for them when called."""
    names = [name for name in module_names() if name != "lifelong.__main__"]
    code = f"""
import sys
from importlib import import_module

sys.modules.update(dict.fromkeys({HEAVY!r}))  # None: an import raises ModuleNotFoundError
for name in {names!r}:
    import_module(name)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_importing_needs_no_ledger():
    code = "import sys, lifelong; print([m for m in sys.modules if m.startswith('lifelong.ledger')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_list_of_layers_is_complete():
    folders = {"lifelong.halfspaces", "lifelong.conjunctions", "lifelong.polynomials"}
    assert {layer(name) for name in module_names() if name not in folders} == set(ORDER)


def test_the_parts_of_section_3_and_4_do_not_know_each_other():
    for name in module_names():
        parts = {other.split(".")[1] for other in imports(name, deferred=True)}
        if name.startswith("lifelong.halfspaces"):
            assert not parts & {"conjunctions", "polynomials"}, name
        if name.startswith("lifelong.conjunctions"):
            assert not parts & {"halfspaces", "polynomials"}, name


@pytest.mark.parametrize("name", module_names())
def test_imports_point_down(name):
    below = ORDER[ORDER.index(layer(name)) + 1 :] if layer(name) in ORDER else []
    for other in imports(name, deferred=True):
        assert layer(other) == layer(name) in ("ledger", "book", "teaching") or layer(other) in below, (
            f"{name} imports {other}"
        )


def test_no_import_cycles():
    edges = {name: imports(name, deferred=False) - {"lifelong"} for name in module_names()}
    while edges:
        leaves = {name for name, others in edges.items() if not others & set(edges)}
        assert leaves, f"cycle among {sorted(edges)}"
        edges = {name: others for name, others in edges.items() if name not in leaves}


def test_the_init_holds_names_and_nothing_else():
    tree = ast.parse((ROOT / "__init__.py").read_text())
    assert all(isinstance(node, ast.Expr | ast.ImportFrom | ast.Assign) for node in tree.body)
    assert set(lifelong.__all__) <= set(vars(lifelong))
    assert sorted(lifelong.__all__) == lifelong.__all__


def test_the_names_that_others_rely_on():
    promised = "angle angle_to_subspace subspace_angle effective_dimension metafeatures represent learn_stream"
    assert set(promised.split()) <= set(lifelong.__all__)


# --- documentation ----------------------------------------------------------------------------------

VALIDATORS = re.compile(
    r"\b(raise ValueError|real_array|bool_array|integer|number|nonzero|same_dimension)\b"
    r"|\b(_angles|_subspace_arguments|_variables)\b"
)
LABEL = re.compile("|".join([r"\bSections? \d", *(rf"\b{re.escape(label)}\b" for label in LEDGER)]))


def public() -> dict[str, object]:
    """Functions and classes in the `__all__` of each module, where they are defined."""
    found = {}
    for name in module_names():
        if name == "lifelong.__main__":
            continue
        module = import_module(name)
        for key in getattr(module, "__all__", ()):
            thing = getattr(module, key)
            if (inspect.isclass(thing) or inspect.isfunction(thing)) and thing.__module__ == name:
                found[f"{name}.{key}"] = thing
    return found


def methods() -> dict[str, object]:
    """Public methods and properties, written in the class itself."""
    found = {}
    for path, thing in public().items():
        if inspect.isclass(thing):
            for key, member in vars(thing).items():
                member = member.__func__ if isinstance(member, classmethod | staticmethod) else member
                if not key.startswith("_") and (inspect.isfunction(member) or isinstance(member, property)):
                    found[f"{path}.{key}"] = member
    return found


def section(thing, title: str) -> bool:
    return re.search(rf"^{title}\n-{{{len(title)}}}$", inspect.getdoc(thing) or "", re.MULTILINE) is not None


def parameters(function) -> list[str]:
    return [p for p in inspect.signature(function).parameters if p not in ("self", "cls")]


def returns(function) -> bool:
    return inspect.signature(function).return_annotation not in ("None", None, inspect.Signature.empty)


def validates(thing) -> bool:
    """Whether it checks what it is given, here or in its `__init__`."""
    return VALIDATORS.search(re.sub(r'r?""".*?"""', "", inspect.getsource(thing), flags=re.DOTALL)) is not None


def undocumented_parameters(thing, names: list[str]) -> list[str]:
    doc = inspect.getdoc(thing) or ""
    listed = re.findall(r"^(\w[\w, *]*?)(?: : .*)?$", doc.partition("Parameters\n")[2], re.MULTILINE)
    return [n for n in names if n not in {x.strip(" *") for line in listed for x in line.split(",")}]


FUNCTIONS = {path: thing for path, thing in public().items() if inspect.isfunction(thing)}
CLASSES = {path: thing for path, thing in public().items() if inspect.isclass(thing)}


def gaps(path: str, thing) -> list[str]:
    """What the docstring of a function, class or method lacks."""
    if not inspect.getdoc(thing):
        return ["docstring"]
    missing = []
    if inspect.isclass(thing):
        protocol = getattr(thing, "_is_protocol", False)
        own = "__init__" in vars(thing) or hasattr(thing, "_fields")
        names = parameters(thing) if own and not protocol else []
        checks = [vars(thing)[key] for key in ("__init__", "__post_init__") if key in vars(thing)]
        checks = [f for f in checks if f.__code__.co_filename == inspect.getsourcefile(thing)]  # not made by dataclass
        wanted = {"Parameters": bool(names), "Examples": not protocol, "Raises": any(map(validates, checks))}
    elif isinstance(thing, property):
        return []
    else:
        names = parameters(thing)
        result = "Yields" if section(thing, "Yields") else "Returns"
        wanted = {"Parameters": bool(names), result: returns(thing), "Raises": validates(thing)}
        wanted["Examples"] = path in FUNCTIONS
    missing += [title for title, needed in wanted.items() if needed and not section(thing, title)]
    if section(thing, "Parameters"):
        missing += [f"parameter {name}" for name in undocumented_parameters(thing, names)]
    if section(thing, "Examples") and ">>> " not in inspect.getdoc(thing):
        missing.append("a doctest")
    if path in public() and not path.startswith("lifelong.book.") and not LABEL.search(inspect.getdoc(thing)):
        missing.append("a label of the ledger or a section")
    return missing


@pytest.mark.parametrize("path", FUNCTIONS)
def test_functions_are_documented(path):
    assert gaps(path, FUNCTIONS[path]) == []


@pytest.mark.parametrize("path", CLASSES)
def test_classes_are_documented(path):
    assert gaps(path, CLASSES[path]) == []


@pytest.mark.parametrize("path", methods())
def test_methods_are_documented(path):
    assert gaps(path, methods()[path]) == []


@pytest.mark.parametrize("name", module_names())
def test_modules_say_what_they_are(name):
    if name != "lifelong.__main__":
        assert import_module(name).__doc__


@pytest.mark.parametrize("label", [label for label, claim in LEDGER.items() if claim.functions])
def test_functions_of_a_claim_name_its_label(label):
    sources = []
    for path in LEDGER[label].functions:
        thing = lifelong
        for name in path.split("."):
            thing = getattr(thing, name) if hasattr(thing, name) else import_module(f"{thing.__name__}.{name}")
        owner = getattr(import_module(thing.__module__), thing.__qualname__.split(".")[0])
        sources.append(f"{thing.__doc__} {owner.__doc__} {import_module(thing.__module__).__doc__}")
    assert any(label in text for text in sources)
