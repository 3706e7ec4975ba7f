"""The built book: no dead link, nothing from outside, every formula rendered, readable by everyone and on a phone.

Reads `_build/html`; the README's build command makes it.
"""

import re
from pathlib import Path

import pytest
import sitecheck

from tests.test_notebooks import BOOK, BOX_CODE_CHECK

SITE = Path(__file__).parent.parent / "_build" / "html"
PARTS = ("halfspaces", "conjunctions", "polynomials")
MATHJAX = Path(__file__).parent.parent / "book" / "_static" / "mathjax" / "tex-svg-full.js"


@pytest.fixture(scope="module")
def site():
    if not (SITE / "index.html").exists():
        pytest.skip("no built book: run `.venv/bin/jupyter-book build -W -n --keep-going .` first")
    return SITE


def listing(faults):
    return "\n".join(f"{page}: {fault}" for page, found in faults.items() for fault in found)


def test_every_page_is_built(site):
    book = SITE.parent.parent / "book"
    chapters = {path.relative_to(book).with_suffix(".html") for path in book.rglob("[!.]*.ipynb")}
    chapters.discard(Path("start.html"))  # of JupyterLab: the page has its contents
    assert chapters <= {path.relative_to(site / "book") for path in (site / "book").rglob("*.html")}


def test_links_loads_alt_texts_and_ids(site):
    faults = sitecheck.static(site)
    assert not faults, "\n" + listing(faults)


@pytest.fixture(scope="module")
def seen(site, browser):
    """Every page, opened once; of the pages of source that Sphinx makes alike, the one with the most lines."""
    return sitecheck.live(site, lambda page: not sitecheck.leads_on(page) and page.name not in alike(site))


def alike(site):
    """Pages of source but the largest: one template, and spans of code."""
    source = sorted((site / "_modules").rglob("*.html"), key=lambda path: path.stat().st_size)
    return {path.relative_to(site).as_posix() for path in source[:-1]}


@pytest.mark.chromium
def test_formulas_width_and_scripts(seen):
    faults = {page: look.faults for page, look in seen.items() if look.faults}
    assert not faults, "\n" + listing(faults)


@pytest.mark.chromium
@pytest.mark.nightly
def test_colours_in_the_dark(site, browser):
    faults = {page: look.faults for page, look in sitecheck.live(site, axe=sitecheck.dark).items() if look.faults}
    assert not faults, "\n" + listing(faults)


# --- Citing: what stands beside a theorem can be copied, and an old link finds it


@pytest.mark.chromium
def test_a_theorem_is_cited_by_keyboard(site, browser):
    address = (site / "book" / "halfspaces" / "perturbation" / "index.html").as_uri()
    with sitecheck.tab(browser, 390) as page:
        with sitecheck.listening(page) as found:
            sitecheck.visit(page, address)
        assert found == []
        page.get_by_role("button", name="Cite Lemma 3.2.3").press("Enter")
        dialog = page.get_by_role("dialog", name="Cite Lemma 3.2.3")
        link, bibtex, plain = dialog.locator("pre").all_inner_texts()
        assert link == f"{address}#lem-one-vec"
        assert bibtex.startswith("@inproceedings{BBV15,")  # the paper's own item: the paper first
        assert "@misc{lifelong:lem-one-vec," in bibtex and "one vector replaced" in bibtex
        assert "title  = {{" in bibtex and "label lem-one-vec, version" in bibtex  # styles leave its capitals alone
        assert plain.startswith("Lemma 2 of Maria-Florina Balcan") and plain.endswith("Label: lem-one-vec")
        assert "See Lemma 3.2.3 (" in plain and re.search(r"version [\d.]+ (commit \w{10}, )?\d{4}-\d\d-\d\d", plain)
        assert "file:" not in bibtex + plain  # nobody else can follow that
        public = "https://example.org/book/a.html#lem-one-vec"
        _, bibtex, plain = page.evaluate(f"Object.values(references({{dataset: {{cite: 'L'}}, href: '{public}'}}))")
        assert f"url    = {{{public}}}" in bibtex and plain.endswith(public)
        dialog.get_by_role("button", name="Copy: BibTeX").press("Enter")
        assert sitecheck.violations(page, "dialog", {}) == []
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")


@pytest.mark.chromium
def test_a_statement_is_found_by_a_link_to_the_page_where_it_was(site, browser):
    chapters = site / "book" / "halfspaces"
    with sitecheck.tab(browser, 1280) as page:
        page.goto((chapters / "angles" / "index.html").as_uri() + "#lem-one-vec")
        page.wait_for_url((chapters / "perturbation" / "index.html").as_uri() + "#lem-one-vec")


# --- How long a page is and what it is made of

#: The most, or the least, of what `python tests/sitecheck.py shares` prints, for core pages and for detail pages.
LIMITS = {
    "core": {"height": 12_500, "logs": 3, "pictures": -15},  # a minus: at least
    "detail": {"height": 17_500, "logs": 7},
    "box, code, check": {"height": 19_000, "logs": 9, "pictures": -15},
}
#: The pages of the last form, which are core pages.
OPEN = {path.relative_to(BOOK).with_suffix("").as_posix() for path in BOX_CODE_CHECK}
#: No chapters: what opens the book or a part, and the evidence.
APART = {"index", "reading", "ledger", "concordance", "printed_and_true", "api", *(f"{part}/index" for part in PARTS)}
#: How many pictures a core page, or one that opens the book or a part, has at least for 1,000 words.
PICTURES_PER_THOUSAND = 2
#: The evidence: tables, and no prose to speak of.
TABLES = {"ledger", "concordance", "printed_and_true", "api", "reading"}
#: How many display formulas and tables of a page may scroll, each in its own box, on a phone.
SCROLL_ON_A_PHONE = {"formula": 6, "table": 4}


def is_detail(name):
    """Whether a page stands below a chapter, or beside the paper."""
    return re.fullmatch(r"\w+/\w+/(?!index$)\w+|(?:beyond|running)/\w+", name) is not None


def beyond(name, measured):
    """Which limits a page breaks."""
    found = []
    form = "detail" if is_detail(name) else "box, code, check" if name in OPEN else "core"
    for kind, limit in LIMITS[form].items():
        value = measured[kind]
        if value > limit if limit > 0 else value < -limit:
            found.append(f"{kind} is {value:.4g}, the limit is {abs(limit)}")
    return found


def name_of(page):
    return page.removeprefix("book/").removesuffix(".html")


@pytest.fixture(scope="module")
def notebooks(seen, site):
    """What was seen of each page that was made from a notebook, by its name in the contents."""
    named = {page.name for page in sitecheck.pages(site).values() if sitecheck.is_notebook(page)}
    return {name_of(page): look for page, look in seen.items() if page in named}


@pytest.mark.chromium
def test_length_and_shares(notebooks):
    faults = {name: beyond(name, look.made_of) for name, look in notebooks.items() if name not in APART}
    assert len(faults) > 50 and not any(faults.values()), "\n" + listing(faults)


@pytest.mark.parametrize(
    ("name", "changed", "words"),
    [
        ("halfspaces/index", {"height": 12_501}, "height is"),
        ("a/b/index", {"pictures": 14.9}, "pictures is 14.9, the limit is 15"),
        ("a/b/detail", {"logs": 7.1}, "logs is"),
        ("a/b/detail", {"height": 17_501}, "height is"),
        ("a/b/detail", {"height": 17_500, "pictures": 0}, ""),
        ("a/b/index", {}, ""),
        ("halfspaces/perturbation/index", {"logs": 9, "height": 19_000}, ""),
        ("halfspaces/perturbation/index", {"logs": 9.1}, "logs is"),
    ],
)
def test_limits_see(name, changed, words):
    found = beyond(name, {"height": 12_000, "logs": 3, "pictures": 15, **changed})
    assert len(found) == bool(words) and all(fault.startswith(words) for fault in found)


@pytest.mark.chromium
def test_core_pages_have_pictures(notebooks):
    core = {name: look.made_of for name, look in notebooks.items() if not is_detail(name) and name not in TABLES}
    rates = {name: sitecheck.pictures_per_thousand(made_of) for name, made_of in core.items()}
    assert len(rates) > 15 and {n: f"{rate:.2f}" for n, rate in rates.items() if rate < PICTURES_PER_THOUSAND} == {}


@pytest.mark.chromium
def test_a_page_is_weighed_and_its_first_paint_is_timed(browser, tmp_path):
    (tmp_path / "dot.png").write_bytes(b"0" * 1000)
    (tmp_path / "page.html").write_text('<!doctype html><title>x</title><p>Words.<img src="dot.png" alt="a dot">')
    (page,) = sitecheck.pages(tmp_path).values()
    assert sitecheck.weight_of(page) == 1000 + (tmp_path / "page.html").stat().st_size
    assert 0 < sitecheck.first_paint(browser, page.path.as_uri(), times=1) < float("inf")


def test_moving_pictures_count_and_formulas_do_not(browser, tmp_path):
    formula, drawing = "<mjx-container><svg></svg></mjx-container>", '<div class="moving"><svg></svg></div>'
    still = f'<figure><img alt="a" src=""><figcaption>one two {formula}</figcaption></figure>'
    proof = f'<details><summary>three</summary><div class="moving"><ol><li>{formula}</li></ol></div></details>'
    cells = "".join(f'<div class="cell"><div class="cell_output">{shown}</div></div>' for shown in (drawing, proof))
    (tmp_path / "page.html").write_text(f"<article>{still}{cells}four</article>", encoding="utf-8")
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        made_of = sitecheck.look(page, (tmp_path / "page.html").as_uri(), axe=None).made_of
    assert (made_of["still"], made_of["moving"], made_of["words"]) == (1, 2, 3)
    assert sitecheck.pictures_per_thousand(made_of) == 1000


@pytest.mark.chromium
def test_what_scrolls_on_a_phone(notebooks):
    more = {
        name: look.scrolls
        for name, look in notebooks.items()
        if any(number > SCROLL_ON_A_PHONE[kind] for kind, number in look.scrolls.items())
    }
    assert not more


# --- Old addresses

#: The pages of the book as they were called before they stood in folders.
OLD = """
    angles perturbation halfspaces repair exactly_k levels direct beyond consistency rank noise online product_laws
    autoencoders one_layer schapire_sellie shared_monomials
""".split()  # noqa: SIM905
NAMED = {  # an old link to a named place, and the page where it is now
    "perturbation.html#thm-subspace-sharp": "thm-subspace-sharp",
    "halfspaces.html#ex-halfspaces-nothing": None,  # no such place: the chapter itself
    "repair.html#prop-exactly-k": "prop-exactly-k",  # on a page of its own
}


@pytest.mark.parametrize("name", OLD)
def test_every_old_page_leads_on(name, site):
    page = sitecheck.Page((site / "book" / f"{name}.html").resolve(), site.resolve())
    assert sitecheck.leads_on(page)
    assert (page.path.parent / page.soup.main.a["href"]).is_file()


@pytest.mark.chromium
def test_old_links_arrive(site, browser):
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        for link in [f"{name}.html" for name in OLD] + list(NAMED):
            page.goto((site / "book").resolve().as_uri() + "/" + link)
            page.wait_for_selector("article")
            assert "/" in page.url.partition("/book/")[2] and page.url.endswith(link.partition(".html")[2]), link
            if NAMED.get(link):
                assert page.locator(f'[id="{NAMED[link]}"]').count() == 1, link


# --- Each check must fail on a page that is broken in just its way

BROKEN = {
    "dead link": '<a href="nowhere.html">x</a>',
    "dead anchor": '<a href="other.html#nowhere">x</a>',
    "dead anchor #": '<a href="#nowhere">x</a>',
    "outside load https://cdn": '<script src="https://cdn.example/x.js"></script>',
    "outside load //cdn": '<link rel="stylesheet" href="//cdn.example/x.css">',
    "outside load http://font": "<style>@font-face { src: url('http://font.example/x.woff') }</style>",
    "outside load https://i": '<img src="https://i.example/x.png" alt="a picture">',
    "outside load https://s": '<img srcset="https://s.example/x.png 2x" alt="a picture">',
    "outside load https://b": '<p style="background: url(https://b.example/x.png)">x</p>',
    "no alt text": '<img src="there.svg">',
    "no alt text: there.svg": '<img src="there.svg" alt=" ">',
    "no alt text: there": '<img src="there.svg" alt="../there.svg">',
    "id twin is given 2 times": '<p id="twin">x</p><p id="twin">y</p>',
}
SOUND = """<p id="here">x <a href="#here">x</a> <a href="other.html#there">x</a>
<a href="https://example.org/">x</a> <img src="there.svg" alt="a dot"></p>"""


def write(folder, article, head=""):
    head = f"<html lang='en'><meta charset='utf-8'><title>A page</title>{head}"
    html = f"<!doctype html>{head}<body><main><h1>A page</h1><article>{article}</article></main>"
    (folder / "page.html").write_text(html, encoding="utf-8")
    (folder / "other.html").write_text("<p id='there'>there</p>", encoding="utf-8")
    (folder / "there.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="4"/></svg>', encoding="utf-8"
    )
    return folder


@pytest.mark.parametrize("fault", BROKEN)
def test_static_check_sees(fault, tmp_path):
    assert any(f.startswith(fault) for f in sitecheck.static(write(tmp_path, SOUND + BROKEN[fault]))["page.html"])


def test_static_check_sees_styles(tmp_path):
    write(tmp_path, SOUND)
    (tmp_path / "x.css").write_text("@import 'https://cdn.example/y.css';", encoding="utf-8")
    assert sitecheck.static(tmp_path) == {"style sheets": ["x.css: outside load https://cdn.example/y.css"]}


def test_static_check_sees_a_heavy_page(tmp_path, monkeypatch):
    monkeypatch.setattr(sitecheck, "WEIGHT", 600)
    assert sitecheck.static(write(tmp_path, SOUND)) == {}
    (tmp_path / "there.svg").write_text("<svg>" + 600 * " ", encoding="utf-8")
    assert "page.html" in sitecheck.static(tmp_path)


def test_static_check_passes_a_sound_page(tmp_path):
    assert sitecheck.static(write(tmp_path, SOUND)) == {}


WITH_MATHJAX = """<script>window.MathJax = {tex: {packages: {'[-]': ['noundefined', 'noerrors']}},
options: {ignoreHtmlClass: 'ignored', enableMenu: false}}</script><script defer src="%s"></script>"""
SOUND_FORMULA = r'<span class="math">\(\boldsymbol{x}^2 \ge 0\)</span> <pre>a $x_1$</pre>'
WIDE_BOX = '<div tabindex="0" style="overflow-x: auto">%s</div>'
BROKEN_LIVE = {
    "TeX error": r'<span class="math">\(\undefinedmacro{x}\)</span>',
    "formula not rendered": '<div class="ignored"><span class="math">x^2</span></div>',
    "TeX in the text": r'<p class="ignored">so $\theta_1$ it is</p>',
    "TeX in the text: and \\(": r'<p class="ignored">and \(x\)</p>',
    "page is": '<div style="width: 700px">wide</div>',
    "sticks out": '<div style="overflow: hidden"><div id="wide" style="width: 700px">wide</div></div>',
    "outside load": "<script>fetch('http://outside.example/x').catch(() => {})</script>",
    "picture does not load": '<img src="other.html" alt="no picture">',
    "script error": "<script>nothing.here()</script>",
    "console error": "<script>console.error('no')</script>",
    "a formula is a tab stop": '<span class="math"><mjx-container tabindex="0">x</mjx-container></span>',
    "formula does not fit at 1280": WIDE_BOX % '<div class="math">\\(x\\)<p style="width: 1300px">x</p></div>',
    "table does not fit at 1280": WIDE_BOX % '<table style="width: 1300px"><tr><td>x</td></tr></table>',
    "code does not fit at 1280": WIDE_BOX % '<div class="cell_input"><pre style="width: 1300px">x</pre></div>',
    "axe, light, 1280: color-contrast": '<p style="color: #ddd; background: #fff">pale</p>',
    "axe, dark, 1280: color-contrast": "<style>[data-theme=dark] b { color: #ddd; background: #fff }</style>"
    "<b>pale</b>",
    "axe, light, 1280: color-contrast at ['#faint": '<b>b</b><div style="opacity: 0.3"><b id="faint">faint</b></div>',
    "axe, light, 1280: color-contrast at ['#dim": '<b>b</b><div style="background: #333"><b id="dim">dim</b></div>',
    "axe, light, 1280: color-contrast at ['#over": '<b>b</b><div style="position: relative; height: 2em">'
    '<p style="position: absolute; margin: 0; width: 9em; height: 2em; background: #333"></p>'
    '<b id="over" style="position: absolute">over</b></div>',
    "axe, light, 1280: color-contrast at ['#token": '<div class="highlight"><pre><span>x</span> '
    '<span id="token" style="color: #ddd">pale</span></pre></div>',
    "axe, light, 1280: button-name": "<button></button>",
    "axe, light, 1280: color-contrast at ['#under": '<b>b</b><div style="position: relative"><b id="under">under</b>'
    '<p style="position: absolute; top: 0; margin: 0; width: 9em; height: 2em; background: #333; z-index: -1">'
    "</p></div>",
    "axe, light, 390: scrollable-region-focusable": "<style>@media (max-width: 400px) "
    "{ i { overflow: auto; display: block; height: 50px } }</style>"
    f"<i><span style='display: inline-block; min-width: 700px'>{'word ' * 1500}</span></i>",
    "axe, light, 1280: empty-table-header": "<table><tr><th></th><th>a</th></tr><tr><td>1</td><td>2</td></tr></table>",
    "axe, light, 390: button-name": "<style>@media (min-width: 400px) { i { display: none } }</style>"
    "<i><button></button></i>",
}
SOUND_LIVE = SOUND + SOUND_FORMULA + WIDE_BOX % '<div style="width: 700px">wide</div>'


def folder_of_pages(tmp_path, articles):
    for name, article in articles.items():
        (tmp_path / name).mkdir()
        write(tmp_path / name, SOUND_LIVE + article, WITH_MATHJAX % MATHJAX.as_uri())
    return tmp_path


def both(page):
    """What axe finds in either theme."""
    return sitecheck.accessibility(page) + sitecheck.dark(page)


@pytest.fixture(scope="module")
def live_faults(browser, tmp_path_factory):
    """All broken pages and a sound one, in one go; axe looks at those that are broken for it."""
    articles = {"sound": ""} | {f"page{number}": article for number, article in enumerate(BROKEN_LIVE.values())}
    for_axe = {f"page{number}" for number, fault in enumerate(BROKEN_LIVE) if fault.startswith("axe")} | {"sound"}
    found = sitecheck.live(
        folder_of_pages(tmp_path_factory.mktemp("live"), articles),
        lambda page: page.path.name == "page.html",
        axe=lambda page: both(page) if page.url.split("/")[-2] in for_axe else [],
    )
    return {name: look.faults for name, look in found.items()}


@pytest.mark.chromium
@pytest.mark.parametrize("fault", BROKEN_LIVE)
def test_live_check_sees(fault, live_faults):
    found = live_faults[f"page{list(BROKEN_LIVE).index(fault)}/page.html"]
    assert any(f.startswith(fault) for f in found), found


@pytest.mark.chromium
def test_live_check_passes_a_sound_page(live_faults):
    assert not live_faults["sound/page.html"]


def test_missing_chromium_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        sitecheck.browser().__enter__()
