"""What a teacher takes from the book: the book on paper, slides, the start page; and the way to publish it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
import yaml
from playwright.sync_api import sync_playwright

from lifelong_book.press.teaching import exercises
from tests import sitecheck

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT / "book"))
import paper  # noqa: E402
import slides  # noqa: E402

TABLE = yaml.safe_load((ROOT / "_toc.yml").read_text(encoding="utf-8"))
BUILT = pytest.mark.skipif(not (paper.SITE / "book").is_dir(), reason="no built book: see the README")
BROWSER = pytest.mark.skipif(sitecheck.chromium() is None, reason=sitecheck.GET_CHROMIUM)
PAGES = [("book/beyond/letters", "The paper"), ("book/teaching/index", "To teach")]


# --- on paper ----------------------------------------------------------------------------------------


def test_the_contents_on_paper_are_those_of_the_book():
    names = [name for name, _ in paper.contents()]
    assert names[0] == TABLE["root"] and len(names) == len(set(names))
    assert all(any((ROOT / f"{name}.{kind}").exists() for kind in ("ipynb", "md", "rst")) for name in names)


def test_links_lead_to_the_anchors_of_the_combined_page():
    places = {"book/a/index": 3, "book/b": 4}
    assert paper.leads_to("#x", "book/b", places) == "#p4-x"
    assert paper.leads_to("a/index.html#thm", "book/b", places) == "#p3-thm"
    assert paper.leads_to("../b.html", "book/a/index", places) == "#p4"
    assert paper.leads_to("https://example.org/#x", "book/b", places) == "https://example.org/#x"
    assert paper.leads_to("../elsewhere.html", "book/a/index", places) == "#front"


@BUILT
def test_nothing_that_only_a_browser_can_do_is_printed():
    page = paper.BeautifulSoup(paper.combined(PAGES), "html.parser")
    assert not page.select(".bd-article button, .bd-article a.headerlink, details:not([open]):not(.evidence)")
    assert "Click to show" not in page.get_text()
    ids = [tag["id"] for tag in page.find_all(id=True)]
    assert all(a["href"][1:] in ids for a in page.select(".listing a"))
    assert not page.select("a[href='#front']") and all(a["href"][1:] in ids for a in page.select("a[href^='#p']"))
    assert page.select("#answers div.solution") and not page.select(".page:not(#answers) div.solution")


@pytest.mark.chromium
@BUILT
@BROWSER
def test_two_pages_are_printed_and_nothing_is_cut(tmp_path):
    file = tmp_path / "two.pdf"
    found = paper.make(PAGES, file)
    assert file.read_bytes().startswith(b"%PDF") and paper.count(file) >= 5
    assert b"/Outlines" in file.read_bytes()
    if found:  # with pypdf: the numbers of the contents, and words
        from pypdf import PdfReader

        text = "".join(page.extract_text() for page in PdfReader(file).pages)
        assert found["p0"] < found["p1"] <= found["answers"]
        assert "Angles to the last digit" in text and "Three plans" in text
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=paper.chromium(), args=["--no-sandbox"])
        tab = browser.new_context(offline=True, viewport={"width": 642, "height": 960}).new_page()
        tab.emulate_media(media="print")
        tab.goto((paper.SITE.parent / "paper" / "book.html").as_uri())
        cut = "() => [...document.querySelectorAll('pre')].filter(it => it.scrollWidth > it.clientWidth + 1).length"
        assert tab.locator("pre").count() and tab.evaluate(cut) == 0
        browser.close()


# --- slides ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", slides.decks())
def test_a_deck_shows_what_it_names_and_fetches_nothing(name):
    plan = yaml.safe_load((slides.BOOK / "slides" / f"{name}.yml").read_text(encoding="utf-8"))
    assert 15 <= 1 + len(plan["slides"]) <= 25
    assert all(2 <= len(slide["points"]) <= 5 for slide in plan["slides"])
    page = slides.deck(name)
    head = page[: page.index("window.MathJax")]
    assert not re.search(r"""(?:src|href)=["'](?!data:|#)""", head)
    assert head.count("<section") == 1 + len(plan["slides"])
    assert "{" not in re.sub(
        r"(?s)<style.*?</style>|<script.*?</script>|\\\(.*?\\\)|<pre>.*?</pre>|src=.data:[^\"]*", "", head
    )


@pytest.mark.chromium
@BROWSER
@pytest.mark.parametrize(
    "name", [name if name == "halfspaces" else pytest.param(name, marks=pytest.mark.nightly) for name in slides.decks()]
)
def test_a_slide_fits_a_projector_and_nothing_scrolls(name, tmp_path):
    file = tmp_path / f"{name}.html"
    file.write_text(slides.deck(name), encoding="utf-8")
    hidden = """() => [...document.querySelectorAll('section.now, section.now *')].filter(it =>
      !it.closest('svg, mjx-container') && ['auto', 'scroll'].includes(getComputedStyle(it).overflowY) &&
      it.scrollHeight > it.clientHeight + 2 || it.matches('section') && it.scrollHeight > innerHeight + 2).length"""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=paper.chromium(), args=["--no-sandbox"])
        tab = browser.new_context(offline=True, viewport={"width": 1280, "height": 720}).new_page()
        tab.goto(file.as_uri())
        tab.evaluate("() => MathJax.startup.promise.then(() => true)")
        for slide in range(1, tab.locator("section").count() + 1):
            assert tab.evaluate(hidden) == 0, slide
            tab.keyboard.press("ArrowRight")
        browser.close()


# --- the pages for teachers, the start page ------------------------------------------------------------


def test_every_exercise_stands_in_a_table_for_teachers():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "book" / "teaching").glob("*.md"))
    begins = " ".join(re.findall(r"^```\{exercises\} (.*)$", text, re.MULTILINE)).split()
    assert all(any(e.page.startswith(begin) for begin in begins) for e in exercises())
    labels = {e.label for e in exercises()}
    assert set(re.findall(r"`(ex-[a-z-]+)`", text)) <= labels


def test_the_start_page_has_every_notebook_of_both_parts():
    text = "".join(json.loads((ROOT / "book" / "start.ipynb").read_text(encoding="utf-8"))["cells"][0]["source"])
    begin = [name for name, caption in paper.contents() if caption][2]
    names = [name for name, _ in paper.contents()]
    chapters = [name for name in names[1 : names.index(begin)] if (ROOT / f"{name}.ipynb").exists()]
    assert [f"book/{name}" for name in re.findall(r"\((\S+)\.ipynb\)", text)] == chapters


@pytest.mark.parametrize("path", sorted((ROOT / ".github" / "workflows").glob("*.yml")), ids=lambda path: path.stem)
def test_a_workflow_has_the_shape_that_github_asks_for(path):
    flow = yaml.safe_load(path.read_text(encoding="utf-8"))
    assert {"name", True, "permissions", "jobs"} <= set(flow)  # YAML reads "on" as true
    for name, job in flow["jobs"].items():
        assert {"runs-on", "timeout-minutes", "steps"} <= set(job), name
        assert set(job.get("needs", "").split()) <= set(flow["jobs"])
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            assert "@" in step.get("uses", "@")
            for script in re.findall(r"(?:^|\s)((?:book|\.ci)/[\w./-]+)", step.get("run", "")):
                assert (ROOT / script).exists(), script
