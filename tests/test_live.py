"""Cells that run in the page: the interpreter's side in this interpreter, and the built pages in Chromium."""

from __future__ import annotations

import gzip
import json
import re
import sys
import zipfile
from hashlib import sha256
from pathlib import Path

import pytest
import sitecheck

pytest.importorskip("docutils", reason="the book's own requirements are not installed")

ROOT = Path(__file__).parent.parent
LIVE, SITE = ROOT / "book" / "live", ROOT / "_build" / "html"
sys.path[:0] = [str(LIVE), str(LIVE / "page"), str(ROOT / "book" / "_ext")]

import check  # noqa: E402
import live  # noqa: E402
import lock  # noqa: E402
import runner  # noqa: E402
from compile import ABSENT  # noqa: E402
from playwright import sync_api as playwright_api  # noqa: E402

from lifelong_book.press.rooms import notebooks  # noqa: E402
from lifelong_book.press.teaching.catalogue import find  # noqa: E402

NOTEBOOKS = {
    path.relative_to(ROOT).with_suffix("").as_posix(): json.loads(path.read_text(encoding="utf-8"))
    for path in notebooks(ROOT / "book")
}
LISTED = json.loads((LIVE / "cells.json").read_text(encoding="utf-8"))


# --- The form in which outputs are compared


def test_numbers_are_compared_as_nbval_does():
    (rule,) = re.findall(r"^regex: (.*)$", (ROOT / "tests" / "nbval.cfg").read_text(encoding="utf-8"), re.MULTILINE)
    assert runner.SIGNIFICANT.pattern == rule
    assert runner.compared("0.12345678 and 12345678.9\n") == "0.123456 and 12345678."


@pytest.mark.parametrize(
    ("before", "now", "parts"),
    [
        ([("text", "a\n0.12345678")], [("text", "a\n0.12345612")], []),
        ([("text", "a\n0.1234")], [("text", "a\n0.1235")], [("text", "0.1234", "0.1235")]),
        ([("figure", "aa")], [("figure", "ab", "<svg>")], [("figure", "aa", "ab")]),
        ([("text", "a"), ("glue", "n = 1")], [("text", "a")], [("glue", "n = 1", "")]),
        ([], [("stderr", "careful")], [("stderr", "", "careful")]),
    ],
)
def test_what_differs(before, now, parts):
    found = runner.differences(before, now)
    assert [(d["kind"], d["book"], d["here"]) for d in found] == parts


# --- Cells, run by the interpreter of the tests


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return runner.Session(str(tmp_path))


def test_a_cell_shows_what_a_notebook_shows(session):
    done = session.run("x = 2\nprint('two')\nx + 1")
    assert (done["outputs"], done.get("error")) == ([("text", "two\n3")], None)
    assert session.run("x;")["outputs"] == []
    assert session.run("class A:\n    def _repr_html_(self):\n        return '<b>'\ndisplay(A())\nx")["outputs"] == [
        ("html", "<b>"),
        ("text", "2"),
    ]


def test_a_long_text_is_cut_and_says_so(session):
    most = runner.LONGEST
    said = f"\nCut here: these are the first {most:,} of {most + 1:,} characters.\n"
    assert session.run(f"print('x' * {most})")["outputs"] == [("text", "x" * most + said)]
    assert len(session.run("raise ValueError('x' * 10**6)")["error"]["words"]) < most + 100


def test_dataclasses_find_their_module(session, monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", session.main)
    done = session.run("from dataclasses import dataclass\n@dataclass\nclass P:\n    x: 'int' = 1\nP()")
    assert done["outputs"] == [("text", "P(x=1)")]


@pytest.mark.parametrize(
    ("source", "name", "line", "text"),
    [
        ("x = 1\nx / 0", "ZeroDivisionError", 2, "x / 0"),
        ("def f():\n    return [][1]\n\nf()", "IndexError", 2, "return [][1]"),
        ("x = (", "SyntaxError", 1, "x = ("),
        ("raise SystemExit(3)", "SystemExit", 1, "raise SystemExit(3)"),
    ],
)
def test_an_error_is_readable(session, source, name, line, text):
    error = session.run(source, "cell 4")["error"]
    assert error["name"] == name
    assert (error["lines"][-1]["cell"], error["lines"][-1]["line"]) == ("cell 4", line)
    assert error["lines"][-1]["text"].strip() == text


def test_an_absent_package_is_an_error_only_when_it_is_used(session, monkeypatch):
    monkeypatch.setitem(runner.ABSENT, "nowhere", "Nowhere")
    assert "error" not in session.run("import nowhere.stats\nfrom nowhere.stats import binom\nimport nowhere as n")
    error = session.run("binom(3)")["error"]
    assert error["name"] == "ModuleNotFoundError" and "Nowhere does not run in this page" in error["words"]
    assert session.run("nowhere.stats.norm.cdf(1)")["error"]["name"] == "ModuleNotFoundError"
    assert "No module named 'missing'" in session.run("import missing")["error"]["words"]


def test_what_draws_may_come_later(session, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)  # as if it were not there
    assert "error" not in session.run("import matplotlib.pyplot as plt\nfrom matplotlib import colors")
    assert session.run("figure, axis = plt.subplots()")["wants"] == "drawing"
    monkeypatch.undo()
    assert "wants" not in session.run("norm = colors.Normalize(0, 1)")


# --- The list of cells, the files beside the pages


def shown(page):
    return [cell["id"] for cell in live.cells_of(NOTEBOOKS[page], {}) if cell["kind"] in ("open", "folded")]


def test_the_list_names_every_shown_cell():
    pages = {page for page in NOTEBOOKS if shown(page)}
    assert set(LISTED) == pages
    for page, entry in LISTED.items():
        ids = {cell["id"] for cell in NOTEBOOKS[page]["cells"] if cell["cell_type"] == "code"}
        assert set(shown(page)) <= set(entry["cells"]) <= ids, f"build, then book/live/check.py {page} --write"
        assert entry["drawing"] is None or entry["drawing"] in ids
        assert all(v == "runs" or v["needs"] for v in entry["cells"].values())


def test_a_press_runs_what_belongs_to_the_cell():
    cells = live.cells_of(NOTEBOOKS["book/halfspaces/perturbation/index"], {})
    ids = [cell["id"] for cell in cells]
    last = live.last_of_lesson(cells, ids.index("cec07966"))
    assert "pert-families" in ids[: last + 1]  # the picture below the cell that the reader changes
    assert len({cell["section"] for cell in cells[ids.index("cec07966") : last + 1]}) == 1


def test_missing_packages_are_asked_of_the_runtime():
    code = {"cell_type": "code", "id": "a", "source": "x", "metadata": {}, "outputs": []}
    listed = {"cells": {"a": {"needs": ["scipy"]}}}
    assert [live.cells_of({"cells": [code]}, listed, known)[0]["missing"] for known in ((), ("scipy",))] == [
        ["scipy"],
        [],
    ]


def test_archives_are_the_same_every_time(tmp_path):
    for name in ("one.zip", "two.zip"):
        live.pack(live.files_of_package(), tmp_path / name)
    assert (tmp_path / "one.zip").read_bytes() == (tmp_path / "two.zip").read_bytes()
    names = zipfile.ZipFile(tmp_path / "one.zip").namelist()
    assert "lifelong/__init__.py" in names and not any("__pycache__" in name for name in names)


def test_a_book_without_the_runtime_has_no_buttons(tmp_path, monkeypatch):
    monkeypatch.setattr(live, "LIVE", tmp_path)
    monkeypatch.setattr(live, "there", lambda: False)

    class App:  # it would be asked for its folder, and told of scripts
        builder = type("Builder", (), {"format": "html"})

    live.put(App())
    live.add(App(), "book/preliminaries", "page.html", {}, object())
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def runtime():
    if not live.there():
        pytest.skip("no book/live/runtime here")
    if "micropip" in live._known():
        pytest.skip("a distribution of Pyodide lies in book/live/runtime, with a list of its own")
    return LIVE / "runtime"


def test_every_file_is_the_one_that_the_readme_names(runtime):
    table = (LIVE / "README.md").read_text(encoding="utf-8")
    told = dict(re.findall(r"^\| `([^`]+)` \|.*`([0-9a-f]{64})`", table, re.MULTILINE))
    files = [*runtime.iterdir(), *(LIVE / "wheels").iterdir(), LIVE / "page" / "editor.mjs"]
    found = {path.relative_to(LIVE).as_posix(): sha256(path.read_bytes()).hexdigest() for path in files}
    found.pop("runtime/pyodide-lock.json")
    assert told == found


def compressed(path):
    """Bytes of a file as a server sends it; what is packed already gains nothing."""
    content = path.read_bytes()
    return len(content) if path.suffix in {".whl", ".zip"} else len(gzip.compress(content, 6))


def test_the_build_puts_what_the_cells_use_beside_the_pages(runtime, tmp_path):
    class App:
        builder = type("Builder", (), {"format": "html"})
        outdir = tmp_path

    target = tmp_path / "_static" / "live"
    (target / "runtime").mkdir(parents=True)
    (target / "runtime" / "old-1.0-py3-none-any.whl").write_text("of an earlier build")
    live.put(App())
    packages = json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8"))["packages"]
    found = {path.name for path in (target / "runtime").iterdir()}
    assert found == {*live.INTERPRETER, *(packages[name]["file_name"] for name in packages)}
    told = json.loads((target / "live.json").read_text(encoding="utf-8"))
    assert {wheel["name"] for wheel in told["wheels"]} == {"bitsets", "concepts", "graphviz"}
    assert told["sizes"]["start"] < 20_000_000 and told["sizes"]["drawing"] < 10_000_000
    # compressed, as a server sends them: at most 11 MB without pictures, 20 MB with them
    first, later = (live.with_what_they_need(told[kind], packages) for kind in ("packages", "drawing"))
    page = [name for name in live.PAGE if name not in ("editor.mjs", "fontlist.json")]
    start = [
        *page,
        "live.json",
        "lifelong.zip",
        "records.zip",
        *(f"wheels/{wheel['file']}" for wheel in told["wheels"]),
    ]
    start += [f"runtime/{name}" for name in (*live.INTERPRETER, *(packages[name]["file_name"] for name in first))]
    drawing = ["fontlist.json", *(f"runtime/{packages[name]['file_name']}" for name in later - first)]
    first, drawing = (sum(compressed(target / name) for name in names) for names in (start, drawing))
    assert first < 11_000_000 and first + drawing < 20_000_000
    assert all((target / name).is_file() for name in live.PAGE)


def test_a_distribution_of_pyodide_may_lie_in_its_place(tmp_path, monkeypatch):
    """A folder in Pyodide's own layout: more packages than any cell needs, names that have their tests apart."""
    usual = {"numpy", "mpmath", "tqdm", "matplotlib", "fonttools"}
    depends = {"scipy": ["numpy", "openblas"], "matplotlib": ["pillow"], "scikit-learn": ["scipy", "joblib"]}
    names = {*usual, "scipy", "openblas", "pillow", "scikit-learn", "joblib", "scipy-tests", "micropip", "zarr"}
    packages = {
        name: {"name": name, "depends": depends.get(name, []), "file_name": f"{name}-1.0-py3-none-any.whl"}
        for name in names
    }
    runtime = tmp_path / "there" / "runtime"
    runtime.mkdir(parents=True)
    for name in [*live.INTERPRETER, *(entry["file_name"] for entry in packages.values()), "python", "pyodide.d.ts"]:
        (runtime / name).write_bytes(b"0" * 100)
    (runtime / "pyodide-lock.json").write_text(json.dumps({"info": {}, "packages": packages}), encoding="utf-8")
    for name in ("page", "wheels", "cells.json"):
        (tmp_path / "there" / name).symlink_to(LIVE / name)
    monkeypatch.setattr(live, "LIVE", tmp_path / "there")

    class App:
        builder = type("Builder", (), {"format": "html"})
        outdir = tmp_path / "out"

    live.put(App())
    found = {path.name for path in (App.outdir / "_static" / "live" / "runtime").iterdir()}
    used = names - {"scipy-tests", "micropip", "zarr"}
    assert found == {*live.INTERPRETER, *(packages[name]["file_name"] for name in used)}
    # SciPy and scikit-learn are there now, so what needs them gets its button; CVXPY is not
    page = "book/beyond/labels"
    before, now = (
        {name for cell in live.cells_of(NOTEBOOKS[page], LISTED[page], known) for name in cell["missing"]}
        for known in ((), live._known())
    )
    assert before == {"cvxpy", "scikit-learn"} and now == {"cvxpy"}


def test_the_lock_is_that_of_the_wheels(runtime):
    assert json.loads((runtime / "pyodide-lock.json").read_text(encoding="utf-8")) == lock.lock(runtime)


def test_what_is_compiled_is_made_of_the_originals(runtime):
    assert set(lock.originals()) == {"python_stdlib.zip", *(path.name for path in runtime.glob("*.whl"))}
    for name, told in lock.originals().items():
        files = zipfile.ZipFile(runtime / name).namelist()
        (note,) = (file for file in files if file.endswith("COMPILED.txt"))
        assert f"{name}, SHA-256 {told}," in zipfile.ZipFile(runtime / name).read(note).decode()
        assert not any(ABSENT.match(file) or (file.endswith(".py") and "whl" in name) for file in files)


# --- In Chromium


@pytest.fixture(scope="module")
def chromium(base, has_chromium):
    with check.browser() as opened:
        yield opened


@pytest.fixture
def tab(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    context.add_init_script("localStorage.setItem('mode', 'light'); localStorage.setItem('theme', 'light')")
    page = context.new_page()
    page.set_default_timeout(sitecheck.TIMEOUT)
    page.faults = []
    page.on("pageerror", lambda error: page.faults.append(str(error)))
    yield page
    context.close()
    assert not page.faults


def idle(page):
    page.wait_for_function("globalThis.livePage && !livePage.busy")


def words(page):
    return page.locator(".live-words").inner_text()


def accessible(page, new):
    """Faults of structure and, in both themes, of contrast in what is new on the page; in the rest by night."""
    assert page.locator(new).count()
    return sitecheck.accessibility(page) + sitecheck.colours(page, f"{new}, .live-strip")


@pytest.mark.chromium
def test_one_page_by_keyboard(base, tab):
    """Edited, run, changed back, with an error, stopped; and what axe says meanwhile."""
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{base}book/preliminaries.html")
    assert not any(re.search(r"\.(mjs|wasm|whl|zip)$|/pages/", url) for url in asked)  # nothing before the first press
    run = tab.get_by_role("button", name="Run cell 5")
    run.focus()
    tab.keyboard.press("Enter")
    tab.wait_for_selector(".live-strip")
    idle(tab)
    assert words(tab).startswith("Done")
    assert tab.locator(".live-amount").get_attribute("aria-hidden") == "true"  # or every megabyte is read aloud
    panels = tab.locator(".live-panel")
    assert "130 labels" in " ".join(panels.all_text_contents())
    assert tab.locator(".live-panel[data-verdict='same']").count() >= 1
    # what was computed stands in the place of the book's output, which a click on its head brings back
    old = tab.locator("div.cell:has(> .live-panel[open]) > .cell_output").first.element_handle()
    assert old.evaluate("e => e.offsetHeight") == 0
    tab.locator(".live-panel[open] > summary").first.click()
    assert old.evaluate("e => e.offsetHeight") > 0
    tab.locator(".live-panel > summary").first.click()

    # another number
    tab.get_by_role("button", name="Edit cell 5").press("Enter")
    tab.wait_for_selector(".cm-content:focus")
    tab.keyboard.press("Control+a")
    tab.keyboard.type("target, guess = [3.0, 4.0], [4.0, 4.0]\ntask = Task(target, laws.Gaussian(2), rng=0)\nprint(50)")
    tab.keyboard.press("Control+Enter")
    tab.wait_for_function("document.querySelector('.live-panel[data-verdict=yours]')")
    idle(tab)
    assert tab.locator(".live-panel[data-verdict='yours'] pre").first.inner_text() == "50"
    tab.keyboard.press("Escape")
    assert run.evaluate("e => e === document.activeElement")
    faults = accessible(tab, "div.cell:has(> .live-panel)")
    tab.set_viewport_size({"width": 390, "height": 900})
    assert faults == [] and tab.evaluate("document.documentElement.scrollWidth") == 390

    # an error names the cell and the line
    tab.locator(".cm-content").focus()
    tab.keyboard.press("Control+End")
    tab.keyboard.type("\n1 / 0")
    tab.keyboard.press("Shift+Enter")
    tab.wait_for_selector(".live-error")
    idle(tab)
    assert "ZeroDivisionError" in tab.locator(".live-error").inner_text()
    assert "cell 5, line 4: 1 / 0" in tab.locator(".live-error").inner_text()

    # what never ends is stopped, and the next press starts anew
    tab.keyboard.press("Control+a")
    tab.keyboard.type("while True: pass")
    tab.keyboard.press("Control+Enter")
    tab.wait_for_function("livePage.busy")
    tab.keyboard.press("Escape")  # leaves the editor
    assert run.evaluate("e => e === document.activeElement")
    tab.keyboard.press("Escape")  # stops
    assert "is gone" in words(tab)
    run.press("Enter")
    stop = tab.get_by_role("button", name="Stop")
    stop.press("Enter")
    idle(tab)
    assert stop.count() == 0 and tab.evaluate("document.activeElement.textContent") == "Run all"  # where Stop was
    tab.get_by_role("button", name="Reset cell 5").click()
    assert tab.locator(".cm-content").count() == 0 and tab.locator(".live-changed").count() == 0
    assert not any(cell["ran"] for cell in tab.evaluate("livePage.cells.map(({ ran }) => ({ ran }))"))


@pytest.mark.chromium
def test_a_press_without_the_interpreter_says_so(base, tab):
    tab.route("**/runtime/**", lambda route: route.fulfill(status=404, body=""))
    tab.goto(f"{base}book/preliminaries.html")
    with pytest.raises(playwright_api.Error, match="Python did not run"):
        tab.evaluate(check.PRESS)
    tab.faults.clear()


@pytest.mark.chromium
def test_a_file_says_how_it_is_served(base, tab):
    tab.goto((SITE / "book" / "preliminaries.html").as_uri())
    tab.get_by_role("button", name="Run cell 1", exact=True).click()
    assert "lifelong serve" in tab.locator(".live-said").first.inner_text()


# --- Boxes below exercises

ANSWERS = (ROOT / "tests" / "teaching" / "answers.py").read_text(encoding="utf-8")
#: What right answers use of SciPy, in a few lines: the checkers themselves need none.
SCIPY = """
import math, sys, types
import numpy as np
def brentq(f, a, b, args=(), **_):
    for _ in range(200):
        c = (a + b) / 2
        a, b = (c, b) if (f(c, *args) > 0) == (f(a, *args) > 0) else (a, c)
    return (a + b) / 2
class norm:
    cdf = staticmethod(np.vectorize(lambda x: math.erfc(-x / math.sqrt(2)) / 2))
    pdf = staticmethod(lambda x: np.exp(-np.square(x) / 2) / math.sqrt(2 * math.pi))
    ppf = staticmethod(lambda q: brentq(lambda x: norm.cdf(x) - q, -40, 40))
class binom:
    def all(n, p):
        ways = np.append(0, np.cumsum(np.log(np.arange(1, n + 1))))
        k = np.arange(n + 1)
        return np.exp(ways[n] - ways - ways[::-1] + k * math.log(p) + (n - k) * math.log1p(-p))
    pmf = staticmethod(lambda k, n, p: binom.all(n, p)[k])
    cdf = staticmethod(lambda k, n, p: float(binom.all(n, p)[: int(k) + 1].sum()))
    sf = staticmethod(lambda k, n, p: 1 - binom.cdf(k, n, p))
    ppf = staticmethod(lambda q, n, p: int(np.searchsorted(np.cumsum(binom.all(n, p)), q)))
for name, held in {"optimize": {"brentq": brentq}, "stats": {"norm": norm, "binom": binom}}.items():
    module = types.ModuleType(f"scipy.{name}")
    vars(module).update(held)
    sys.modules.setdefault("scipy", types.ModuleType("scipy")).__path__ = []
    sys.modules[f"scipy.{name}"] = module
"""
RUN = """async ([base, page, sources]) => {
  const { open } = await import(`${base}_static/live/page.mjs`);
  globalThis.livePage ??= await open({ base: `${base}_static/live/`, page });
  await livePage.start();
  const said = [];
  for (const source of sources) {
    const done = await livePage.call({ verb: "run", source, name: "cell 1", stored: [], known: [] });
    said.push(done.error ? `${done.error.name}: ${done.error.words}` : done.outputs.map(o => o[1]).join("").trim());
  }
  return said;
}"""


def test_an_answer_is_checked_apart_from_the_cells(session):
    source = "def largest_noise(epsilon):\n    print(epsilon)\n    return {}\nprint('hello')"
    right = session.check(source.format("epsilon / 4 / (1 - epsilon)"), "ex-beyond-noise", "answer")
    assert (right["right"], right["words"], right["outputs"]) == (True, "Right.", [["text", "hello\n"]])
    wrong = session.check(source.format("0"), "ex-beyond-noise", "answer")
    assert not wrong["right"] and wrong["words"].startswith("Not yet: largest_noise(epsilon=0.2)")
    assert "largest_noise" not in session.main.__dict__
    missing = session.check("x = 1", "ex-beyond-noise", "answer")
    assert (missing["right"], missing["words"]) == (False, "Not yet: largest_noise is not defined")
    failed = session.check("def largest_noise(:", "ex-beyond-noise", "answer to Exercise 1")
    assert failed["error"]["lines"][0]["line"] == 1 and "right" not in failed


@pytest.mark.chromium
@pytest.mark.nightly
def test_every_checker_runs_in_the_page_and_takes_the_right_answer(base, tab):
    from lifelong_book.press.teaching import exercises

    labels = [e.label for e in exercises() if e.checked]
    tab.set_default_timeout(0)
    tab.goto(f"{base}book/preliminaries.html")
    sources = [SCIPY, ANSWERS, "from lifelong_book.press.teaching import check"]
    sources += [f"print(check({label!r}, RIGHT[{label!r}]))" for label in labels]
    said = tab.evaluate(RUN, [base, "book/preliminaries", sources])
    assert dict(zip(labels, said[3:], strict=True)) == dict.fromkeys(labels, "Right.")


@pytest.mark.chromium
def test_a_box_below_an_exercise_by_keyboard(base, tab):
    """Nothing is loaded before the first press; an answer is wrong, then right, then with an error, then the stub."""
    asked = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{base}book/{find('ex-beyond-noise').page}.html")
    box = tab.locator("details.exercise-answer").first
    box.locator("summary").press("Enter")
    said, check_button = box.locator(".live-said"), box.get_by_role("button", name="Check the answer to Exercise")
    assert said.get_attribute("role") == "status" and said.inner_text() == ""
    assert not any(re.search(r"\.(mjs|wasm|whl|zip)$|/pages/", url) for url in asked)
    check_button.press("Enter")
    tab.wait_for_function("document.querySelector('.exercise-answer .live-said').textContent")
    idle(tab)
    assert "is it completed?" in said.inner_text()
    box.get_by_role("button", name="Edit the answer to Exercise").press("Enter")
    tab.wait_for_selector(".cm-content:focus")
    for code, words in (
        ("largest_noise = lambda epsilon: epsilon / 4 / (1 - epsilon)", "Right."),
        ("1 / 0", "The code ended with an error."),
        ("largest_noise = lambda epsilon: np", "name 'np' is not defined"),
    ):
        tab.locator(".cm-content").focus()
        tab.keyboard.press("Control+a")
        tab.keyboard.type(code)
        assert said.inner_text() == ""
        tab.keyboard.press("Control+Enter")
        tab.wait_for_function("document.querySelector('.exercise-answer .live-said').textContent")
        idle(tab)
        assert words in said.inner_text()
    tab.keyboard.press("Escape")
    assert check_button.evaluate("e => e === document.activeElement")
    faults = accessible(tab, "details.exercise-answer[open]")
    tab.set_viewport_size({"width": 390, "height": 900})
    assert faults == [] and tab.evaluate("document.documentElement.scrollWidth") == 390
    box.get_by_role("button", name="Reset the answer to Exercise").press("Enter")
    assert tab.locator(".cm-content").count() == 0 and said.inner_text() == ""
    assert "..." in box.locator("pre").first.inner_text()
