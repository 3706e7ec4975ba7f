"""The rooms of the book in its order. What they hold is found when it is asked for: no room is named elsewhere."""

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

#: A chapter is a room, a folder of the book.
ROOMS = (
    "introduction",
    "preliminaries",
    "halfspaces.angles",
    "halfspaces.perturbation",
    "halfspaces.subspace",
    "halfspaces.repair",
    "halfspaces.levels",
    "halfspaces.assumptions",
    "conjunctions.consistency",
    "conjunctions.online",
    "conjunctions.applications",
    "conjunctions.autoencoders",
    "polynomials",
    "polynomials.one_layer",
    "polynomials.schapire_sellie",
    "polynomials.shared_monomials",
    "discussion",
    "beyond.features",
    "beyond.labels",
    "beyond.exactly_k",
    "beyond.two_levels",
    "beyond.rank",
    "beyond.noise",
    "running",
)


def notebooks(book: Path) -> list[Path]:
    """The notebooks of the rooms under a folder, by their paths; the copies that JupyterLab keeps are none."""
    found = book.rglob("[!.]*.ipynb")
    return sorted(path for path in found if ".ipynb_checkpoints" not in path.parts)


def modules(kind: str) -> Iterator[ModuleType]:
    """What is called "claims", "exercises" or "tables", or `..._claims`, room by room."""
    for room in ROOMS:
        place = f"lifelong_book.{room}"
        names = [module.name for module in iter_modules(import_module(place).__path__)]
        for name in sorted(names, key=lambda name: (name != kind, name)):
            if name == kind or name.endswith(f"_{kind}"):
                yield import_module(f"{place}.{name}")
