"""Run the cells of the built pages in Chromium, each page in its own interpreter, and compare what they show.

    python book/live/check.py [PAGE ...] [--write | --start]

A page is named as in the contents, `book/preliminaries`, or by a part of that; without names, every page. Names of
other machines cannot be resolved, and a request to one is a fault. With `--write` all cells are tried, those too that
`cells.json` says cannot run, and the list is made anew for these pages. The status is 1 if an output is not the
book's, or the list is not right. With `--start` the first cell of each page is pressed twice, three times over, each
time in a browser that has loaded nothing yet: printed are the seconds until its output is compared, medians.
"""

import argparse
import json
import re
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser, sync_playwright

LIVE = Path(__file__).resolve().parent
ROOT = LIVE.parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests"), str(LIVE / "page"), str(LIVE.parent / "_ext")]

import sitecheck  # noqa: E402

from lifelong_book.press.serve import address, server  # noqa: E402

SITE, LIST = ROOT / "_build" / "html", LIVE / "cells.json"
OPTIONS = ["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
#: The names of packages in Pyodide, by what a cell imports.
PACKAGES = {"scipy": "scipy", "sklearn": "scikit-learn", "cvxpy": "cvxpy"}

# Every cell of the page in order, the hidden ones too; with `left`, all but these, whatever the list says.
RUN_ALL = """async ([base, page, left]) => {
  const { open } = await import(`${base}_static/live/page.mjs`);
  const live = globalThis.livePage ?? await open({ base: `${base}_static/live/`, page });
  if (left) for (const cell of live.cells)
    Object.assign(cell, { missing: left[cell.id] ?? [], needs: [], draws: false });
  await live.all();
  return { words: live.words.textContent, cells: live.cells.map(({ id, kind, number, missing, done }) =>
    ({ id, kind, number, missing, done: done && { ...done, outputs: done.outputs.map(o => o.slice(0, 2)) } })) };
}"""


@dataclass
class Look:
    """What came of one page whose cells ran in the browser."""

    page: str
    cells: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0
    outside: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def shown(self) -> list[dict[str, Any]]:
        """The cells whose code a reader sees, or can unfold."""
        return [cell for cell in self.cells if cell["number"]]

    @property
    def ran(self) -> list[dict[str, Any]]:
        return [cell for cell in self.cells if cell["done"] and not cell["done"].get("error")]


@contextmanager
def served() -> Iterator[str]:
    """The built book at an address, for the check of cells that run in the page."""
    opened = server(SITE)
    threading.Thread(target=opened.serve_forever, daemon=True).start()
    try:
        yield address(opened)
    finally:
        opened.shutdown()
        opened.server_close()


@contextmanager
def browser() -> Iterator[Browser]:
    """Chromium for the check of cells that run in the page, cut off from every other machine."""
    with sync_playwright() as play:
        opened = play.chromium.launch(executable_path=sitecheck.chromium(), args=OPTIONS, timeout=sitecheck.TIMEOUT)
        try:
            yield opened
        finally:
            opened.close()


def look(of: Browser, base: str, page: str, *, left: dict[str, list[str]] | None = None) -> Look:
    """Run a page's cells in the browser; with `left`, all but these, which need what they name, whatever is listed."""
    found, start = Look(page), time.perf_counter()
    tab = of.new_page()
    tab.set_default_timeout(0)
    tab.on("pageerror", lambda error: found.faults.append(f"script error: {error}"))
    asked: list[str] = []
    tab.on("request", lambda request: asked.append(request.url))
    tab.goto(f"{base}{page}.html")
    seen = tab.evaluate(RUN_ALL, [base, page, left])
    found.cells, found.seconds = seen["cells"], time.perf_counter() - start
    found.outside = sum(not url.startswith((base, "data:", "blob:")) for url in asked)
    if seen["words"].startswith("Python did not run"):
        found.faults.append(seen["words"])
    tab.close()
    return found


def problems(seen: Look) -> list[str]:
    """Faults of a page whose cells ran in it: what is not as the list and the book say."""
    found = [*seen.faults, *([f"{seen.outside} requests to other machines"] if seen.outside else [])]
    for cell in seen.cells:
        done = cell["done"]
        if done is None and not cell["missing"]:
            found.append(f"{cell['id']}: did not run")
        elif done and done.get("error"):
            error = done["error"]
            line = error["lines"][-1]["text"].strip() if error["lines"] else ""
            found.append(f"{cell['id']}: {error['name']}: {error['words']} ({line}; {error['where']})")
        elif done:
            found += [
                f"{cell['id']}: {d['kind']}: {d['book']!r} in the book, {d['here']!r} here" for d in done["differs"]
            ]
    return found


def entry(seen: Look, left: dict[str, list[str]] | None = None) -> dict[str, Any]:
    """A page's entry in the list of cells that run: what every shown cell does, hidden ones that do not, what differs.

    Below a cell that cannot run another one may run and show less than in the book: that one cannot, either.
    """
    verdicts: dict[str, Any] = {}
    needs: set[str] = set()
    differ: list[str] = []
    for cell in seen.cells:
        if left and cell["id"] in left:
            needs |= set(left[cell["id"]])
            verdicts[cell["id"]] = {"needs": left[cell["id"]]}
            continue
        error = (cell["done"] or {}).get("error")
        if error:
            needs |= {package for name, package in PACKAGES.items() if re.search(rf"\b{name}\b", error["words"])}
        parts = bool((cell["done"] or {}).get("differs"))
        if (error or parts) and needs:
            verdicts[cell["id"]] = {"needs": sorted(needs)}
            continue
        if cell["number"]:
            verdicts[cell["id"]] = "runs"
        if error or parts:
            differ.append(cell["id"])
    drawing = next((cell["id"] for cell in seen.cells if cell["done"] and cell["done"].get("drew")), None)
    return {"drawing": drawing, "cells": verdicts, **({"differ": differ} if differ else {})}


def tried(of: Browser, base: str, page: str) -> tuple[Look, dict[str, Any]]:
    """Run the cells of one page again and again until none fails that is tried, and its entry of the list.

    A cell that cannot run may have defined something before it failed; the page leaves it out as a whole, and so what
    needs that fails at the next run.
    """
    left: dict[str, list[str]] = {}
    while True:
        seen = look(of, base, page, left=left)
        made = entry(seen, left)
        found = {name: verdict["needs"] for name, verdict in made["cells"].items() if verdict != "runs"}
        if found == left:
            return seen, made
        left = found


def row(seen: Look) -> str:
    """A line of the check of cells that run: how many a page has, ran, and show what is stored."""
    same = sum(not cell["done"]["differs"] for cell in seen.ran)
    runs = sum(bool(cell["done"]) and not cell["done"].get("error") for cell in seen.shown)
    missing = Counter(name for cell in seen.shown for name in cell["missing"])
    why = ", ".join(f"{count} {name}" for name, count in missing.items())
    counts = "".join(f"{count:7}" for count in (len(seen.shown), runs, len(seen.cells), len(seen.ran), same))
    return f"{seen.page:44}{counts}{seen.seconds:8.1f}  {why}"


# The first button of a page, which may be in a part that is folded: until the cell has run and its output is compared.
PRESS = """async () => {
  const started = performance.now();
  document.querySelector('.live-run').click();
  for (;;) {
    await new Promise(done => setTimeout(done, 20));
    const live = globalThis.livePage;
    if (!live || live.busy) continue;
    if (!live.words.textContent.startsWith('Done')) throw Error(live.words.textContent);
    return (performance.now() - started) / 1000;
  }
}"""


def pressed(of: Browser, base: str, page: str) -> tuple[float, ...]:
    """Seconds of the first press on a page and of the second, or nothing if it has no button."""
    context = of.new_context()
    tab = context.new_page()
    tab.set_default_timeout(0)
    tab.goto(f"{base}{page}.html")
    times = tuple(float(tab.evaluate(PRESS)) for _ in range(2)) if tab.locator(".live-run").count() else ()
    context.close()
    return times


def starts(pages: list[str]) -> int:
    """Print how long the first press takes on each page, and the second."""
    print(f"{'page':44}{'first, s':>11}{'second, s':>11}")
    with served() as base, browser() as opened:
        for page in pages:
            if times := [t for t in (pressed(opened, base, page) for _ in range(3)) if t]:
                print(f"{page:44}" + "".join(f"{median(t):11.2f}" for t in zip(*times, strict=True)), flush=True)
    return 0


def main(arguments: list[str] | None = None) -> int:
    """Check the cells that run in pages: the command; returns its status."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("pages", nargs="*", metavar="PAGE")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--write", action="store_true", help="make the list anew for these pages")
    how.add_argument("--start", action="store_true", help="time the first press on these pages")
    options = parser.parse_args(arguments)
    folder = SITE / "_static" / "live" / "pages"
    pages = [path.relative_to(folder).with_suffix("").as_posix() for path in sorted(folder.rglob("*.json"))]
    pages = [page for page in pages if not options.pages or any(name in page for name in options.pages)]
    if not pages:
        parser.error("no such page, or no built book with book/live/runtime")
    if options.start:
        return starts(pages)
    listed: dict[str, Any] = json.loads(LIST.read_text(encoding="utf-8"))
    heads = "".join(f"{head:>7}" for head in ("shown", "run", "cells", "run", "same"))
    print(f"{'page':44}{heads}{'seconds':>8}  needed for those that do not run")
    faults: list[str] = []
    totals: Counter[str] = Counter()
    with served() as base, browser() as opened:
        for page in pages:
            seen, verdicts = tried(opened, base, page) if options.write else (look(opened, base, page), {})
            print(row(seen), flush=True)
            # a page without shown cells has boxes for answers alone, and nobody runs its hidden cells
            found = problems(seen) if seen.shown else seen.faults
            totals.update(shown=len(seen.shown), run=sum(cell in seen.ran for cell in seen.shown))
            if options.write:
                found = [fault for fault in found if verdicts["cells"].get(fault.split(":")[0], "runs") == "runs"]
                listed.pop(page, None)
                listed |= {page: verdicts} if seen.shown else {}  # boxes for answers alone are no cells
                LIST.write_text(json.dumps(dict(sorted(listed.items())), indent=1) + "\n", encoding="utf-8")
            for fault in found:
                print(f"    {fault}"[:300], flush=True)
            faults += found
    print(f"{totals['run']} of {totals['shown']} shown cells run, {len(faults)} faults")
    if options.write:
        print(f"{LIST.name} is written: build the book again, then run this without --write")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
