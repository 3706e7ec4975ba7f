"""The changes that a chapter proposes: made in the page, each does what the page says, and *Reset* mends it."""

from __future__ import annotations

import json

import pytest
import sitecheck

from tests.test_notebooks import BOOK, BOX_CODE_CHECK, HIDDEN

CHAPTERS = [path for path in sorted(BOX_CODE_CHECK) if path.parent == BOOK or path.stem == "index"]
PAGES = {path.relative_to(BOOK).with_suffix("").as_posix(): path for path in CHAPTERS}
NOTEBOOKS = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in PAGES.items()}
EDITS = {name: notebook["metadata"].get("edits", []) for name, notebook in NOTEBOOKS.items()}
#: One page is tried with every commit, the others by night.
FIRST = "preliminaries"


@pytest.mark.parametrize("name", PAGES)
def test_a_chapter_proposes_three_changes_of_cells_that_its_reader_sees(name):
    cells = [cell for cell in NOTEBOOKS[name]["cells"] if cell["cell_type"] == "code"]
    seen = [cell["id"] for cell in cells if not HIDDEN & set(cell["metadata"].get("tags", []))]
    source = {cell["id"]: "".join(cell["source"]) for cell in cells}
    assert len(EDITS[name]) == 3
    for edit in EDITS[name]:
        assert set(edit) == {"cell", "replace", "with", "then", "shows"}
        assert seen.index(edit["cell"]) <= seen.index(edit["then"])
        assert source[edit["cell"]].count(edit["replace"]) == 1 and edit["replace"] != edit["with"]
        assert len(edit["shows"]) >= 4


# A cell is changed as its editor would, and is run; then what shows it, if that stands below; then it is reset, and
# that is run again.
MAKE = """async ([base, page, edits]) => {
  const { open } = await import(`${base}_static/live/page.mjs`);
  const live = globalThis.livePage ?? await open({ base: `${base}_static/live/`, page });
  const found = [], at = id => live.cells.find(cell => cell.id === id);
  const said = ({ done }) => done ? done.outputs.map(o => o[1]).join("\\n") +
    (done.error ? `\\n${done.error.name}: ${done.error.words}` : "") : "it did not run";
  for (const edit of edits) {
    const cell = at(edit.cell), then = at(edit.then), missing = [...cell.missing, ...then.missing];
    const started = performance.now();
    cell.text = cell.source.replace(edit.replace, () => edit.with);
    cell.ran = false;
    live.mark(cell);
    for (const below of live.cells.slice(cell.index)) below.done = undefined;
    await live.work(cell);
    if (!then.done) await live.work(then);
    const changed = said(then), words = live.words.textContent;
    live.reset(cell.place);
    then.done = undefined;
    await live.work(then);
    found.push({ missing, changed, words, error: then.done?.error ?? null, differs: then.done?.differs ?? ["nothing"],
      seconds: (performance.now() - started) / 1000 });
  }
  return found;
}"""


@pytest.mark.chromium
@pytest.mark.parametrize(
    "name",
    [name if name == FIRST else pytest.param(name, marks=pytest.mark.nightly) for name in PAGES],
)
def test_each_change_does_what_the_page_says_and_reset_mends_it(name, base, browser):
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        page.context.set_offline(False)  # the page has an address of this machine
        page.set_default_timeout(0)
        page.goto(f"{base}book/{name}.html")
        found = page.evaluate(MAKE, [base, f"book/{name}", EDITS[name]])
    for edit, came in zip(EDITS[name], found, strict=True):
        assert came["missing"] == [], edit  # a change that the page cannot run is no change that it may propose
        assert edit["shows"] in came["changed"], (edit, came["words"], came["changed"][-500:])
        assert came["error"] is None and came["differs"] == [], (edit, came)
