"""What the docstrings promise of single arguments, against what the functions do: defaults, and the ends of ranges.

A constant in a check, or in a signature, is the kind of number that no other test looks at.
"""

from __future__ import annotations

import inspect
import re
import signal
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from lifelong_book.conjunctions.consistency import noise
from tests import hostile


@dataclass(frozen=True)
class Entry:
    """One entry of the section on parameters: a line with the type, and what follows."""

    name: str
    kind: str
    text: str


def entries(thing: Any) -> Iterator[Entry]:
    """The parameters that a docstring in numpydoc's style describes."""
    found = re.search(r"^Parameters\n-+\n(.*?)(?=^\w[\w ]+\n-{3,}$|\Z)", inspect.getdoc(thing) or "", re.M | re.S)
    for head, body in re.findall(r"^(\S[^\n]*)\n((?:[ \n][^\n]*\n?)*)", found[1] + "\n" if found else "", re.M):
        names, _, kind = head.partition(" : ")
        for name in names.split(", "):
            yield Entry(name.strip("*"), kind, " ".join(body.split()))


#: Values that docstrings write in other ways than Python does.
WRITTEN = {
    "1/pi": 1 / np.pi,
    "(1 / pi, 1 / pi)": (1 / np.pi, 1 / np.pi),
    "empty": frozenset(),
    "`CANDIDATES`": noise.CANDIDATES,
}


def stated_default(entry: Entry, head: str) -> Any:
    """What an entry says after "default", for one of the names of its line; the name itself of what is no number."""
    text = entry.kind.rpartition("default ")[2]
    if " and " in text:  # for several names on one line
        text = text.split(" and ")[head.split(", ").index(entry.name)]
    if text in WRITTEN:
        return WRITTEN[text]
    plain = re.fullmatch(r"[-\d_.e/]+|True|False|None|\".*\"|\(.*\)", text)
    return eval(text) if plain else text.strip("`").rpartition(".")[2]


def records() -> Iterator[tuple[str, Any]]:
    """Public classes that only keep what they get, which no hostile argument is tried on."""
    for module in hostile.modules():
        for name in getattr(module, "__all__", ()):
            thing = getattr(module, name)
            path = f"{module.__name__.removeprefix('lifelong.')}.{name}"
            if path in hostile.CALLABLES or not inspect.isclass(thing) or thing.__module__ != module.__name__:
                continue
            if not issubclass(thing, Exception) and not getattr(thing, "_is_protocol", False):
                yield path, thing


def parameters() -> Iterator[tuple[str, Entry, str, inspect.Parameter]]:
    """Every described parameter of a public callable, with the names of its line."""
    for path, thing in (*hostile.CALLABLES.items(), *records()):
        signature = inspect.signature(thing).parameters
        described = list(entries(thing))
        lines = {entry.name: ", ".join(e.name for e in described if e.text == entry.text) for entry in described}
        for entry in described:
            if entry.name in signature:
                yield path, entry, lines[entry.name], signature[entry.name]


def test_defaults_are_those_of_the_docstrings():
    wrong = {}
    for path, entry, head, parameter in parameters():
        if "default " in entry.kind:
            stated, real = stated_default(entry, head), parameter.default
            real = getattr(real, "__name__", real) if callable(real) else real
            if stated != real:
                wrong[path, entry.name] = (stated, real)
    assert wrong == {}


def test_every_default_is_stated():
    silent = [
        f"{path}: {entry.name}={parameter.default}"
        for path, entry, _, parameter in parameters()
        if parameter.default not in (parameter.empty, None)
        and entry.kind
        and not re.search(r"\bdefault\b|\boptional\b", entry.kind)
    ]
    assert silent == []


# --- ranges -------------------------------------------------------------------------------------------------------

#: An interval as docstrings write it, after a comma or where a description begins: "in [0, 1/2)", not "pixels in".
INTERVAL = re.compile(r"(?:^|, |: )in ([\[(])([-\d./pi]+), ([-\d./pi]+)([\])])", re.I)
RAISED = r"`{}` is (?:not a|no) (non-negative|positive) integer"
LEAST, MOST = re.compile(r"(?:^|, )at least (\d+)\b", re.I), re.compile(r"(?:^|, )at most (\d+)\b", re.I)

#: What the algorithms call the error of `afresh`, in whose name it is refused.
ALIASES = {"error": "error|epsilon_acc"}

SECONDS = 0.5  # of the processor: what computes for so long has not refused


@dataclass(frozen=True)
class Range:
    """Numbers that a docstring excludes, and others that it admits, close to the ends."""

    path: str
    name: str
    outside: tuple[float, ...]
    inside: tuple[float, ...]

    def __str__(self) -> str:
        return f"{self.path}({self.name})"


def promised(path: str, entry: Entry, head: str) -> Range | None:
    """The range that one entry states in the usual words."""
    if entry.kind.startswith("float"):
        found = INTERVAL.findall(entry.text)
        names = head.split(", ")
        if len(found) in (1, len(names)):
            opened, low, high, closed = found[names.index(entry.name) if len(found) > 1 else 0]
            a, b = (float(eval(end, {"pi": np.pi})) for end in (low, high))
            near = (b - a) / 1000
            outside = a if opened == "(" else a - near, b if closed == ")" else b + near
            inside = a + near if opened == "(" else a, b - near if closed == ")" else b
            return Range(path, entry.name, outside, inside)
        if re.search(r"(?:^|, )positive\b", entry.text, re.I):
            return Range(path, entry.name, (0.0, -1e-3), (1e-3,))
        if (least := LEAST.search(entry.text)) and head == entry.name:
            return Range(path, entry.name, (int(least[1]) - 1e-3,), (int(least[1]),))
    if entry.kind.startswith("int"):
        said = re.search(RAISED.format(entry.name), inspect.getdoc(hostile.CALLABLES.get(path)) or "")
        least = LEAST.search(entry.text) if head == entry.name else None
        if said or least:
            lowest = int(least[1]) if least else {"non-negative": 0, "positive": 1}[said[1]]
            return Range(path, entry.name, (lowest - 1,), (lowest,))
        if head == entry.name and (most := MOST.search(entry.text)):
            return Range(path, entry.name, (int(most[1]) + 1,), ())
    return None


RANGES = [
    found
    for path, entry, head, _ in parameters()
    if path in hostile.CALLABLES and (found := promised(path, entry, head))
]


class TooLong(BaseException):
    """A call that computes, so it has not refused."""


def refusal(call: hostile.Call, name: str, value: float) -> str:
    """What a call says against one of its arguments, or nothing."""

    def stop(*_: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        call(**{name: value})
    except TooLong:
        return ""
    except (ValueError, TypeError) as error:
        return str(error)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
    return ""


def test_ranges_are_those_of_the_docstrings():
    """Each end of each range, in the call of an example: beyond it a refusal by name, up to it none that names a range.

    Within a range, a function may still refuse what does not go with its other arguments.
    """
    calls, wrong = hostile.recorded(), []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for it in RANGES:
            if it.path in hostile.NOT_TRIED:
                continue
            for value in it.outside:
                named = ALIASES.get(it.name, it.name)
                if not re.match(rf"({named}): expected .+, got", refusal(calls[it.path], it.name, value), re.S):
                    wrong.append(f"{it}: takes {value:g}")
            for value in it.inside:
                words = refusal(calls[it.path], it.name, value)
                if re.match(rf"{it.name}: expected (a number in|an integer >=)", words):
                    wrong.append(f"{it}: refuses {value:g}")
    assert wrong == []


def test_many_ranges_are_tried():
    assert len(RANGES) > 180
    assert len({it.path for it in RANGES}) > 120
    example = promised("p", Entry("x", "float, default 1", "Share of the rest, in (0, 1/2]: pixels in [0, 1]."), "x")
    assert example == Range("p", "x", (0.0, 0.5005), (0.0005, 0.5))
    assert promised("p", Entry("x", "float", "For pixels in [0, 1]."), "x") is None
