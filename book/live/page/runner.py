"""Runs the cells of a page as a notebook would, and says how far what they show is what the book shows.

It needs the standard library alone: the page's interpreter loads it first, and the build and the tests import it too,
so that stored outputs and new ones are put into the same form by the same lines. An output is a pair of its kind and
its text, a picture a triple with the drawing itself:

    ("text", ...)       what was printed, or the value of the last line
    ("html", ...)       ("markdown", ...)
    ("figure", digest)  a drawing, by the digest that it carries in the book
    ("glue", ...)       a number that stands in the text of the page, with its name
    ("stderr", ...)     a warning
"""

from __future__ import annotations

import ast
import builtins
import importlib
import io
import linecache
import os
import re
import sys
import threading
import time
import traceback
import types
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, ClassVar

Output = tuple[str, ...]

#: Of a decimal fraction six significant digits are compared, by the rule of tests/nbval.cfg.
SIGNIFICANT = re.compile(
    r"(?<![\d.])(0\.0*[1-9]\d{5}|[1-9]\.\d{5}|[1-9]\d\.\d{4}|[1-9]\d{2}\.\d{3}|[1-9]\d{3}\.\d{2}|[1-9]\d{4}\.\d|[1-9]\d{5,}\.)\d+"
)
DIGEST = re.compile(r"\bdigest ([0-9a-f]{12})\b")
GLUED = "application/papermill.record/"
#: Packages that draw, and those that no page has; the former come later, if a cell asks for them.
DRAWING = {"matplotlib", "mpl_toolkits", "cycler", "PIL", "fontTools"}
ABSENT = {"scipy": "SciPy", "sklearn": "scikit-learn", "cvxpy": "CVXPY"}

#: How the names of code that a reader sees begin, in a traceback.
OWN = ("<cell", "<answer")


# --- The form in which outputs are compared


def compared(text: str) -> str:
    """How a cell is run in the page: what it shows, as text without what another processor may compute otherwise."""
    return SIGNIFICANT.sub(r"\1", text).strip()


def form(data: Mapping[str, Any], name: str = "") -> list[Output]:
    """How a cell is shown in the page: an output, from a bundle of MIME types; `name` is of a glued one."""
    plain = _joined(data.get("text/plain", ""))
    digest = DIGEST.search(plain)
    glued = [_joined(value) for kind, value in data.items() if kind.startswith(GLUED) and "image" not in kind]
    if name and glued:
        return [("glue", f"{name} = {glued[0]}")]
    if digest and plain.startswith("<Figure"):
        return [("figure", digest[1])]
    if "text/html" in data:  # what moves says of itself what it shows
        return [("html", digest[0] if digest else _joined(data["text/html"]))]
    if "text/markdown" in data:
        return [("markdown", _joined(data["text/markdown"]))]
    return [("text", plain)] if plain else []


def stored(outputs: Iterable[Mapping[str, Any]]) -> list[Output]:
    """How a cell is run in the page: the outputs that a notebook's file has, to compare."""
    found: list[Output] = []
    for output in outputs:
        if output["output_type"] == "stream":
            found.append(("stderr" if output["name"] == "stderr" else "text", _joined(output["text"])))
        elif output["output_type"] != "error":
            scrap = output.get("metadata", {}).get("scrapbook", {})
            found += form(output.get("data", {}), scrap.get("name", ""))
    return merged(found)


#: Characters of one output that a page shows at most.
LONGEST = 100_000


def short(text: str) -> str:
    """How a cell is shown in the page: no more of a text than fits at once; where it is cut, it says so."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST]}\nCut here: these are the first {LONGEST:,} of {len(text):,} characters.\n"


def merged(outputs: Iterable[Output]) -> list[Output]:
    """How a cell is shown in the page: outputs, texts that follow each other made one."""
    found: list[Output] = []
    for output in outputs:
        if found and output[0] == found[-1][0] and output[0] in ("text", "stderr"):
            found[-1] = (output[0], found[-1][1].rstrip("\n") + "\n" + output[1])
        elif output[1] or output[0] == "figure":
            found.append(tuple(output))
    return found


def differences(before: Iterable[Output], now: Iterable[Output]) -> list[dict[str, str]]:
    """How a cell is run in the page, what it shows otherwise: kinds of outputs and, of words, first lines that part."""
    old, new = ([(o[0], compared(o[1])) for o in outputs] for outputs in (before, now))
    found = []
    for i in range(max(len(old), len(new))):
        a, b = old[i] if i < len(old) else ("", ""), new[i] if i < len(new) else ("", "")
        if a != b:
            found.append({"kind": b[0] or a[0], **_parting(a[1], b[1])})
    return found


def _parting(before: str, now: str) -> dict[str, str]:
    lines = [text.splitlines() for text in (before, now)]
    at = next((i for i, (a, b) in enumerate(zip(*lines, strict=False)) if a != b), min(map(len, lines)))
    return {
        name: (part[at] if at < len(part) else "")[:200] for name, part in zip(("book", "here"), lines, strict=True)
    }


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


# --- Stand-ins for what a notebook has around it


class _Shown:
    """What `IPython.display` wraps."""

    kind = "text/plain"

    def __init__(self, data: str = "", **_: Any) -> None:
        self.data = data

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {self.kind: self.data, "text/plain": f"<IPython.core.display.{type(self).__name__} object>"}


class HTML(_Shown):
    """How a cell is shown in the page: as in IPython."""

    kind = "text/html"


class Markdown(_Shown):
    """How a cell is shown in the page: as in IPython."""

    kind = "text/markdown"


class _Absent:
    """A name from a package that the page has not: importing it is no fault, using it is."""

    def __init__(self, name: str) -> None:
        self.__dict__["name"] = name

    def _refuse(self, *_: Any, **__: Any) -> Any:
        raise ModuleNotFoundError(absence(self.name), name=self.name.split(".")[0])

    __call__ = __iter__ = __len__ = __bool__ = __getitem__ = __add__ = __mul__ = __matmul__ = _refuse

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return self._refuse()


class _AbsentModule(types.ModuleType):
    """Of an absent package: it gives a stand-in for whatever is asked of it."""

    __path__: ClassVar[list[str]] = []  # type: ignore[misc]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Absent(f"{self.__name__}.{name}")


class _Later:
    """A name from a package that draws: it is looked up when it is used, and by then the package may have come."""

    def __init__(self, name: str) -> None:
        self.__dict__["name"] = name

    def _found(self) -> Any:
        found = importlib.import_module(self.name.split(".")[0])
        for depth, part in enumerate(self.name.split(".")[1:], 2):
            if not hasattr(found, part):
                importlib.import_module(".".join(self.name.split(".")[:depth]))
            found = getattr(found, part)
        return found

    def __call__(self, *values: Any, **named: Any) -> Any:
        return self._found()(*values, **named)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return getattr(self._found(), name)
        except ModuleNotFoundError:
            return _Later(f"{self.name}.{name}")


def absence(name: str) -> str:
    """How cells are run in a page: why a name cannot be used, and what to do."""
    package = ABSENT.get(name.split(".")[0], name.split(".")[0])
    return f"{name}: {package} does not run in this page; open the notebook in JupyterLab for this cell"


def _modules(session: Session) -> dict[str, types.ModuleType]:
    """IPython and myst_nb, as far as the book's cells use them."""
    ipython, display, myst = (types.ModuleType(name) for name in ("IPython", "IPython.display", "myst_nb"))
    vars(display).update(HTML=HTML, Markdown=Markdown, display=session.display)
    vars(ipython).update(display=display, get_ipython=lambda: None, version_info=(9, 0), __version__="9.0", __path__=[])
    vars(myst)["glue"] = session.glue
    return {"IPython": ipython, "IPython.display": display, "myst_nb": myst}


# --- A page's cells, one after the other


class Session:
    """How cells are run in a page: all of them, and their names.

    Parameters
    ----------
    folder : str
        Where the page's notebook stands.
    """

    def __init__(self, folder: str = ".") -> None:
        self.outputs: list[Output] = []
        self.known: list[str] = []
        self.drawing = self.styled = False
        self.main = types.ModuleType("__main__")
        self.main.__dict__.update(__builtins__={**vars(builtins), "__import__": self._import}, display=self.display)
        os.makedirs(folder, exist_ok=True)
        os.chdir(folder)

    def install(self) -> None:
        """Put the stand-ins where imports find them. A test that runs in another interpreter leaves this out."""
        sys.modules.update(_modules(self))
        sys.modules["__main__"] = self.main
        os.environ["MPLBACKEND"] = "module://page_backend"

    def prepare(self) -> None:
        """Import the book's package; its style waits until something draws."""
        importlib.import_module("tqdm").tqdm.monitor_interval = 0  # it would start a thread, and there is none
        style = importlib.import_module("lifelong_book.press.style")
        real = style.use_book_style

        def use_book_style() -> None:
            self.styled = True
            if self.drawing:
                real()

        style.use_book_style = use_book_style  # type: ignore[attr-defined]

    def draw(self) -> None:
        """What draws has come: from now on figures are shown at the end of the cell that makes them."""
        self.drawing = True
        backend = types.ModuleType("page_backend")
        with _no_threads():  # Matplotlib would start one, to say that it looks for fonts
            importlib.import_module("matplotlib.font_manager")
        # words on what each class's `set` takes, which nobody reads in a page, cost a quarter of a second
        artist = importlib.import_module("matplotlib.artist").Artist
        artist._update_set_signature_and_docstring = lambda: None
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        vars(backend).update(FigureCanvas=FigureCanvasSVG, show=lambda *_, **__: self.flush())
        sys.modules["page_backend"] = backend
        if self.styled:
            importlib.import_module("lifelong_book.press.style").use_book_style()

    def _import(self, name: str, variables: Any = None, local: Any = None, wanted: Any = (), level: int = 0) -> Any:
        """`import` within a cell: what cannot be there is an error only when it is used."""
        top = name.split(".")[0]
        if top in DRAWING and not self.drawing:
            return _Later(name if wanted else top)
        try:
            return builtins.__import__(name, variables, local, wanted, level)
        except ModuleNotFoundError as error:
            if top not in ABSENT or (error.name or "").split(".")[0] != top:
                raise
            return _AbsentModule(name if wanted else top)

    # what cells show

    def display(self, *values: Any, **_: Any) -> None:
        """Show values, as a notebook does."""
        for value in values:
            self._print()
            self.outputs += self._shown(value)

    def glue(self, name: str, value: Any, display: bool = True) -> None:
        """Keep a number for the text."""
        self._print()
        bundle = {f"{GLUED}{kind}": text for kind, text in _bundle(value).items()}
        self.outputs += form(bundle, name)
        if display:
            self.display(value)

    def flush(self) -> None:
        """Show the figures that are open, and close them."""
        if self.drawing and "matplotlib.pyplot" in sys.modules:
            plt = sys.modules["matplotlib.pyplot"]
            figures = [plt.figure(number) for number in plt.get_fignums()]
            plt.close("all")  # first: one that cannot be drawn is not tried again by the next cell
            self.display(*figures)

    def close(self) -> None:
        """Forget the figures that are open."""
        if self.drawing and "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")

    def _shown(self, value: Any) -> list[Output]:
        if type(value).__name__ == "Figure" and hasattr(value, "savefig"):
            return [_drawn(value, self.known)]
        bundle = _bundle(value)
        found = form(bundle)
        if found and found[0][0] == "html" and found[0][1] != bundle["text/html"]:
            return [("html", found[0][1], bundle["text/html"])]
        return found

    def _print(self) -> None:
        """What was printed so far comes before what is shown next."""
        for kind, stream in (("text", self._out), ("stderr", self._err)):
            if text := stream.getvalue():
                self.outputs.append((kind, text))
                stream.seek(0)
                stream.truncate()

    _out, _err = io.StringIO(), io.StringIO()

    # running

    def run(
        self, source: str, name: str = "cell", known: Iterable[str] = (), names: dict[str, Any] | None = None
    ) -> dict[str, Any]:
        """Run one cell.

        Parameters
        ----------
        source : str
        name : str
            What a traceback calls it.
        known : iterable of str, optional
            Digests of pictures that need not be drawn, for the page shows them.
        names : dict, optional
            Where its names go; those of the page unless given.

        Returns
        -------
        dict
            "outputs", "seconds" and, if it failed, "error"; "wants" is "drawing" if it can run once that has come.
        """
        self.outputs, self._out, self._err, self.known = [], io.StringIO(), io.StringIO(), list(known)
        file, start = f"<{name}>", time.perf_counter()
        linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
        done: dict[str, Any] = {}
        with redirect_stdout(self._out), redirect_stderr(self._err):
            try:
                self._execute(source, file, self.main.__dict__ if names is None else names)
                self.flush()
            except BaseException as error:  # a cell may raise anything, SystemExit included
                if not self.drawing and _asks_for_drawing(error):
                    done["wants"] = "drawing"
                done["error"] = told(error, file)
                self.close()
        self._print()
        outputs = [(o[0], short(o[1]), *o[2:]) if o[0] in ("text", "stderr") else o for o in merged(self.outputs)]
        return {"outputs": outputs, "seconds": time.perf_counter() - start, **done}

    def check(self, source: str, label: str, name: str) -> dict[str, Any]:
        """Run the completed stub of an exercise, apart from the page's cells, and check what it defines.

        Parameters
        ----------
        source : str
        label : str
            Of the exercise.
        name : str
            What a traceback calls the code; it begins with "answer".

        Returns
        -------
        dict
            As of `run`; with "right" and "words", what the check says, unless the code failed.
        """
        teaching = importlib.import_module("lifelong_book.press.teaching")
        names = {key: self.main.__dict__[key] for key in ("__builtins__", "__name__", "display")}
        done = self.run(source, name, names=names)
        if "error" not in done:
            wanted = teaching.Submission(None, teaching.stub(label)).name
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):  # it is called many times
                said = teaching.check(label, names[wanted]) if wanted in names else f"Not yet: {wanted} is not defined"
            done.update(right=bool(said) and wanted in names, words=str(said))
        return {**done, "outputs": [list(output) for output in done["outputs"]]}

    def _execute(self, source: str, file: str, names: dict[str, Any]) -> None:
        """All statements; the value of the last one is shown, unless a semicolon follows."""
        tree = ast.parse(source, file)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, file, "exec"), names)
        if isinstance(last, ast.Expr):
            value = eval(compile(ast.Expression(last.value), file, "eval"), names)
            if value is not None and not source.rstrip().endswith(";"):
                self.display(value)


@contextmanager
def _no_threads() -> Iterator[None]:
    """A timer that is started does nothing: the page's interpreter has one thread."""
    real, threading.Timer.start = threading.Timer.start, lambda _: None  # type: ignore[assignment,method-assign]
    try:
        yield
    finally:
        threading.Timer.start = real  # type: ignore[method-assign]


def _bundle(value: Any) -> dict[str, str]:
    """A value by MIME type."""
    if hasattr(value, "_repr_mimebundle_"):
        return dict(value._repr_mimebundle_())
    found = {}
    for method, kind in (("_repr_html_", "text/html"), ("_repr_markdown_", "text/markdown")):
        text = getattr(value, method)() if hasattr(type(value), method) else None
        if text is not None:
            found[kind] = text
    return {**found, "text/plain": _pretty(value)}


def _pretty(value: Any) -> str:
    """As IPython writes it: containers that are too long for a line are broken."""
    text = repr(value)
    if len(text) > 79 and isinstance(value, list | tuple | dict | set):
        from pprint import pformat

        return pformat(value, width=80, sort_dicts=False)
    return text


def _drawn(figure: Any, known: Iterable[str]) -> Output:
    """A figure as the notebook shows it, by its digest, and the drawing; without, if the digest is known."""
    from lifelong_book.press.style import figure_digest

    digest, file = figure_digest(figure), io.StringIO()
    if digest in known:
        return ("figure", digest)
    figure.savefig(file, format="svg", bbox_inches="tight", metadata={"Date": None})
    return ("figure", digest, file.getvalue())


def _asks_for_drawing(error: BaseException | None) -> bool:
    """Whether what draws was asked for and is not there yet."""
    while error is not None:
        if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] in DRAWING:
            return True
        error = error.__cause__ or error.__context__
    return False


def told(error: BaseException, file: str) -> dict[str, Any]:
    """How a cell is run in the page: its error in Python's words, the traceback's lines of cells, where it arose."""
    name, words = type(error).__name__, short(str(error))
    if isinstance(error, SyntaxError) and error.filename == file:
        line = {"cell": file.strip("<>"), "line": error.lineno or 1, "text": (error.text or "").rstrip()}
        return {"name": name, "words": error.msg, "lines": [line], "where": ""}
    if isinstance(error, ImportError) and isinstance(error.__cause__, ModuleNotFoundError):
        top = (error.__cause__.name or "").split(".")[0]
        words = absence(top) if top in ABSENT else words
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f.filename.startswith(OWN)]
    lines = [{"cell": f.filename.strip("<>"), "line": f.lineno or 1, "text": f.line or ""} for f in own]
    where = ""
    if frames and not frames[-1].filename.startswith(OWN) and frames[-1].filename != __file__:
        where = f"{_place(frames[-1].filename)}, line {frames[-1].lineno}, in {frames[-1].name}"
    return {"name": name, "words": words, "lines": lines[-4:], "where": where}


def _place(path: str) -> str:
    """A file by its name within its package."""
    for marker in ("site-packages/", "python314.zip/", "python3.14/", "/book-root/"):
        path = path.rpartition(marker)[2]
    return path


def judged(done: dict[str, Any], before: Iterable[Output]) -> dict[str, Any]:
    """How a cell is run in the page: with what differs from what the book has stored."""
    return {**done, "outputs": [list(o) for o in done["outputs"]], "differs": differences(before, done["outputs"])}
