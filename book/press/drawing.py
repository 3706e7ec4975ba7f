"""Matplotlib for the pictures: pyplot is imported when something is drawn, and types by those who check them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

__all__ = ["Axes", "Figure", "plt"]

if TYPE_CHECKING:
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
else:

    class _Later:
        """`matplotlib.pyplot`, from the moment it is asked for anything."""

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            return getattr(import_module("matplotlib.pyplot"), name)

    plt, Axes, Figure = _Later(), Any, Any
