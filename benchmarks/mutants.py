"""Do the tests notice? Mutants of the mathematics: `python benchmarks/mutants.py [--json FILE] [MODULE ...]`.

A mutant has one small thing changed in one module: a comparison, an operation, a constant, a function for its
opposite, a condition, a statement left out. (Tolerances below a millionth stay.) It is killed if a test fails: first
those of the module's own test file and its doctests, then every other test file that names the module and the one that
holds docstrings to their word, then the ledger's claims that name it. What survives is printed with its line. FILE gets
each result as it comes; a second call goes on where the first one ended.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("halfspaces", "conjunctions", "polynomials")
#: Seconds of processor time for the tests of one mutant; one that needs more hangs, and is killed.
LIMIT = 180

_COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
_OPERATED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.Pow: ast.Mult}
_OPERATED |= {ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}
_OPERATED |= {ast.BitXor: ast.BitOr, ast.MatMult: ast.Mult}
_OPPOSITE = dict(
    pair
    for a, b in [
        ("min", "max"),
        ("argmin", "argmax"),
        ("minimum", "maximum"),
        ("any", "all"),
        ("sin", "cos"),
        ("arcsin", "arccos"),
        ("floor", "ceil"),
        ("sum", "max"),
        ("sqrt", "abs"),
        ("zeros", "ones"),
    ]
    for pair in ((a, b), (b, a))
)


def _mathematics() -> list[str]:
    parts = [path for part in PARTS for path in sorted((ROOT / "lifelong" / part).glob("*.py"))]
    chosen = [*parts, ROOT / "lifelong/laws.py", ROOT / "lifelong/loop.py"]
    return [str(path.relative_to(ROOT)) for path in chosen if path.name != "__init__.py"]


def _changes(node: ast.AST) -> Iterator[tuple[str, ast.AST | None]]:
    """The small changes of one node; None leaves a statement out."""
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            changed = copy.deepcopy(node)
            changed.ops = [_COMPARED[type(op)]()]
            yield "comparison", changed
        case ast.BinOp(op=op) | ast.AugAssign(op=op) if type(op) in _OPERATED:
            changed = copy.deepcopy(node)
            changed.op = _OPERATED[type(op)]()
            yield "operation", changed
        case ast.BoolOp(op=op):
            changed = copy.deepcopy(node)
            changed.op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield "and, or", changed
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert()):
            yield "sign", node.operand
        case ast.Constant(value=bool(value)):
            yield "constant", ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield "constant", ast.Constant(value + 1)
            if value > 1:
                yield "constant", ast.Constant(value - 1)
        case ast.Constant(value=float(value)) if value == 0 or abs(value) > 1e-6:
            yield "constant", ast.Constant(value * 1.05 if value else 0.01)
        case ast.Attribute(attr=name) if name in _OPPOSITE:
            yield "opposite", ast.Attribute(node.value, _OPPOSITE[name], node.ctx)
        case ast.Name(id=name) if name in _OPPOSITE:
            yield "opposite", ast.Name(_OPPOSITE[name], node.ctx)
        case ast.If() | ast.IfExp() | ast.While():
            changed = copy.deepcopy(node)
            changed.test = ast.UnaryOp(ast.Not(), node.test)
            yield "condition", changed
        case ast.AugAssign() | ast.Expr(value=ast.Call()):
            yield "left out", None


class _Sites(ast.NodeVisitor):
    """All changes of a module, away from docstrings, annotations, decorators, and what only words an error."""

    def __init__(self) -> None:
        self.found: list[tuple[ast.AST, str, ast.AST | None]] = []

    def visit(self, node: ast.AST) -> None:
        if isinstance(node, ast.Raise | ast.Import | ast.ImportFrom | ast.JoinedStr):
            return
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return
        self.found += [(node, kind, changed) for kind, changed in _changes(node)]
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list", "type_params"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    self.visit(child)


def _sites(source: str) -> list[tuple[ast.AST, str, ast.AST | None]]:
    sites = _Sites()
    sites.visit(ast.parse(source))
    return sites.found


def _mutated(source: str, number: int) -> tuple[str, str, str]:
    """The source with one change, and what was changed into what."""
    tree = ast.parse(source)
    sites = _Sites()
    sites.visit(tree)
    old, kind, new = sites.found[number]
    before, line = ast.unparse(old).split("\n")[0], getattr(old, "lineno", 0)
    after = "" if new is None else ast.unparse(ast.fix_missing_locations(new)).split("\n")[0]

    class Change(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if node is old:
                return ast.copy_location(new or ast.Pass(), old)
            return self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Change().visit(tree))), f"line {line}, {kind}", f"{before} -> {after}"


def _tests(module: str) -> list[list[str]]:
    """The commands that look at a module, the quickest first."""
    path = Path(module)
    own = ROOT / "tests" / path.relative_to("lifelong").with_name(f"test_{path.name}")
    first = [module, *([str(own.relative_to(ROOT))] if own.exists() else [])]
    dotted = ".".join(path.with_suffix("").parts)
    words = (f"{dotted} ", f"{dotted}\n", f"{dotted}.", f"from {'.'.join(path.parent.parts)} import")
    others = [
        str(file.relative_to(ROOT))
        for file in sorted((ROOT / "tests").rglob("test_*.py"))
        if file.parent.name in (*PARTS, "ledger", "tests") and file != own and _names(file, words, path.stem)
    ]
    others.append("tests/test_promises.py")  # of every public callable
    claims = subprocess.run(
        [sys.executable, "-c", _CLAIMS, f"{path.parent.name}.{path.stem}."], cwd=ROOT, capture_output=True, text=True
    ).stdout.split()
    pytest = ["-m", "pytest", "-x", "-q", "-n", "0", "-p", "no:cacheprovider", "--no-header"]
    commands = [[*pytest, *first]]
    commands.append([*pytest, *others])
    if claims:
        commands.append(["-m", "lifelong", "verify", *claims, "--jobs", "1"])
    return commands


_CLAIMS = """
import sys
from lifelong_book.press.ledger import LEDGER
print(*(c.label for c in LEDGER.values() if any(f.startswith(sys.argv[1]) for f in c.functions)))
"""


def _names(file: Path, words: tuple[str, ...], stem: str) -> bool:
    text = file.read_text(encoding="utf-8")
    return any(word in text for word in words[:3]) or (words[3] in text and f" {stem}" in text)


def _limited() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
    resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
    os.setsid()


def _verdict(folder: Path, module: str, commands: list[list[str]], number: int) -> dict[str, Any]:
    """Killed by which command, or survived."""
    source = (ROOT / module).read_text(encoding="utf-8")
    text, where, change = _mutated(source, number)
    found = {"module": module, "number": number, "where": where, "change": change, "killed": None}
    (folder / module).write_text(text, encoding="utf-8")
    clean = {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1", "CHROMIUM": os.devnull}
    try:
        for stage, command in enumerate(commands):
            process = subprocess.Popen(
                [sys.executable, *command],
                cwd=folder,
                env={**os.environ, **clean, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                preexec_fn=_limited,
            )
            try:
                process.wait(timeout=20 * LIMIT)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
            if process.returncode:
                found["killed"] = ("own tests", "other tests", "ledger")[stage if command[1] == "pytest" else 2]
                break
    finally:
        (folder / module).write_text(source, encoding="utf-8")
    return found


def main() -> None:
    """Draw mutants, test them, print the score and the survivors."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="such as lifelong/halfspaces/angles.py; all of the mathematics")
    parser.add_argument("--sample", type=int, default=600)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", type=Path, help="a line for each result")
    arguments = parser.parse_args()
    modules = arguments.modules or _mathematics()
    every = [(m, i) for m in modules for i in range(len(_sites((ROOT / m).read_text(encoding="utf-8"))))]
    chosen = random.Random(arguments.seed).sample(every, min(arguments.sample, len(every)))
    results: list[dict[str, Any]] = []
    if arguments.json and arguments.json.exists():
        results = [json.loads(line) for line in arguments.json.read_text(encoding="utf-8").splitlines()]
    done = {(r["module"], r["number"]) for r in results}
    lock, folders = Lock(), []
    for _ in range(arguments.jobs):
        folder = Path(tempfile.mkdtemp(prefix="mutants-"))
        for name in ("lifelong", "tests", "book", "benchmarks", "README.md", "pyproject.toml"):
            source = ROOT / name
            skip = shutil.ignore_patterns("__pycache__", "_build", "runtime", "wheels")
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=skip)
            else:
                shutil.copy(source, folder / name)
        folders.append(folder)
    commands: dict[str, list[list[str]]] = {}

    def run(job: tuple[str, int]) -> None:
        with lock:
            folder = folders.pop()
            if job[0] not in commands:
                commands[job[0]] = _tests(job[0])
        try:
            found = _verdict(folder, job[0], commands[job[0]], job[1])
        finally:
            with lock:
                folders.append(folder)
        with lock:
            results.append(found)
            if not found["killed"]:
                print(f"survives: {found['module']}, {found['where']}: {found['change']}", flush=True)
            if arguments.json:
                with arguments.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(found) + "\n")

    try:
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for _ in pool.map(run, [job for job in chosen if job not in done]):
                pass
    finally:
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
    killed = sum(bool(r["killed"]) for r in results)
    print(f"{killed} of {len(results)} killed ({killed / max(1, len(results)):.1%}); {len(every)} mutants in all")


if __name__ == "__main__":
    main()
