"""The built book: no dead link, nothing from outside, every formula rendered, readable by everyone and on a phone.

Reads `_build/html`; the README's build command makes it.
"""

import re
from html import unescape
from pathlib import Path

import pytest
import sitecheck

from lifelong_book.press.rooms import notebooks

SITE = Path(__file__).parent.parent / "_build" / "html"
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
    chapters = {path.relative_to(book).with_suffix(".html") for path in notebooks(book)}
    chapters.discard(Path("start.html"))  # of JupyterLab: the page has its contents
    assert chapters <= {path.relative_to(site / "book") for path in (site / "book").rglob("*.html")}


def test_links_loads_alt_texts_and_ids(site):
    faults = sitecheck.static(site)
    assert not faults, "\n" + listing(faults)


def one_of_a_kind(site):
    """Every page but old addresses; of the pages of source that Sphinx makes alike, the one with the most lines."""
    source = sorted((site / "_modules").rglob("*.html"), key=lambda path: path.stat().st_size)
    alike = {path.relative_to(site).as_posix() for path in source[:-1]}
    return lambda page: not sitecheck.leads_on(page) and page.name not in alike


#: A page of each kind: these are opened with every commit, all others, and all colours, by night.
OF_EACH_KIND = """
    search genindex book/index book/introduction book/ledger book/notation book/api/halfspaces book/formal/index
    book/halfspaces/perturbation/index book/conjunctions/autoencoders/index
    book/running/quick_start book/teaching/halfspaces book/beyond/learners
""".split()  # noqa: SIM905


@pytest.mark.chromium
@pytest.mark.parametrize("all_of_axe", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_formulas_width_scripts_and_what_axe_finds(all_of_axe, site, browser):
    asked = {f"{name}.html" for name in OF_EACH_KIND}

    def axe(page):
        return sitecheck.accessibility(page) + (sitecheck.colours(page) if all_of_axe else [])

    seen = sitecheck.live(site, one_of_a_kind(site) if all_of_axe else lambda page: page.name in asked, axe=axe)
    faults = {page: found for page, found in seen.items() if found}
    assert not faults and asked <= set(seen), "\n" + listing(faults)


FORMULA = re.compile(r'<span class="math\b[^>]*>\\\((.*?)\\\)</span>', re.DOTALL)  # these scroll on a phone
WIDE_PARTS = re.compile(r'<table\b.*?</table>|<div class="math\b.*?</div>', re.DOTALL)
PUT = """([formulas, parts]) => {
  document.querySelector('article').innerHTML = parts.map(part =>
    `<div style="overflow-x: ${part.startsWith('<table') ? 'auto' : 'visible'}">${part}</div>`).join('');
  return MathJax.typesetPromise().then(() => formulas.filter(tex => /merror/.test(MathJax.tex2mml(tex))));
}"""


@pytest.mark.chromium
def test_formulas_and_tables_of_all_pages_on_one(site, browser):
    """Each once, in the theme: that TeX knows it, and that it fits."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))]
    formulas = [unescape(tex) for tex in dict.fromkeys(tex for text in texts for tex in FORMULA.findall(text))]
    parts = list(dict.fromkeys(part for text in texts for part in WIDE_PARTS.findall(text)))
    with sitecheck.tab(browser, sitecheck.PHONE) as page:
        sitecheck.visit(page, (site / "book" / "index.html").as_uri())
        faults = page.evaluate(PUT, [formulas, parts]) + page.evaluate(sitecheck.FAULTS)
        page.set_viewport_size({"width": sitecheck.WIDE, "height": 900})
        page.evaluate(sitecheck.SETTLED)
        faults += page.evaluate(sitecheck.FAULTS) + page.evaluate(sitecheck.SCROLLING)
    assert faults == [] and len(formulas) > 3000 and len(parts) > 300


# --- Citing: what stands beside a theorem can be copied, and an old link finds it


@pytest.mark.chromium
def test_a_theorem_is_cited_by_keyboard(site, browser):
    address = (site / "book" / "halfspaces" / "perturbation" / "index.html").as_uri()
    with sitecheck.tab(browser, 390) as page:
        page.route("**/mathjax/**", lambda asked: asked.abort())  # the page itself is one of each kind
        page.goto(address)
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
        assert sitecheck.violations(page, "dialog", {}, "dialog") == []
        page.keyboard.press("Escape")
        dialog.wait_for(state="detached")


@pytest.mark.chromium
def test_a_statement_is_found_by_a_link_to_the_page_where_it_was(site, browser):
    chapters = site / "book" / "halfspaces"
    with sitecheck.tab(browser, 1280) as page:
        page.route("**/mathjax/**", lambda asked: asked.abort())  # formulas are not what this is about
        page.goto((chapters / "angles" / "index.html").as_uri() + "#lem-one-vec")
        page.wait_for_url((chapters / "perturbation" / "index.html").as_uri() + "#lem-one-vec")


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
    assert (page.path.parent / next(tag.attrs["href"] for tag in page.article if tag.name == "a")).is_file()


@pytest.mark.chromium
def test_old_links_arrive(site, browser):
    with sitecheck.tab(browser, sitecheck.WIDE) as page:
        page.route("**/mathjax/**", lambda asked: asked.abort())
        for link, place in NAMED.items():
            page.goto((site / "book").resolve().as_uri() + "/" + link)
            page.wait_for_selector("article")
            assert "/" in page.url.partition("/book/")[2] and page.url.endswith(link.partition(".html")[2]), link
            assert place is None or page.locator(f'[id="{place}"]').count() == 1, link


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
    "TeX in the text": r"<p>so <b>x</b> and $\theta_1$ it is</p>",
    "id twin is given 2 times": '<p id="twin">x</p><p id="twin">y</p>',
}
SOUND = """<p id="here">$1 <code>$x_1$</code> <a href="#here">x</a> <a href="other.html#there">x</a>
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
    "axe, light: color-contrast": '<p style="color: #ddd; background: #fff">pale</p>',
    "axe, dark: color-contrast": "<style>[data-theme=dark] b { color: #ddd; background: #fff }</style><b>pale</b>",
    "axe, light: button-name": "<button></button>",
    "axe, light: empty-table-header": "<table><tr><th></th><th>a</th></tr><tr><td>1</td><td>2</td></tr></table>",
}
SOUND_LIVE = SOUND + WIDE_BOX % '<div style="width: 700px">wide</div>'


def folder_of_pages(tmp_path, articles):
    for name, article in articles.items():
        (tmp_path / name).mkdir()
        if name == "sound" or "math" in article or "ignored" in article:  # the others are broken without a formula
            write(tmp_path / name, SOUND_LIVE + SOUND_FORMULA + article, WITH_MATHJAX % MATHJAX.as_uri())
        else:
            write(tmp_path / name, SOUND_LIVE + article)
    return tmp_path


@pytest.fixture(scope="module")
def live_faults(browser, tmp_path_factory):
    """All broken pages and a sound one, in one go."""
    articles = {"sound": ""} | {f"page{number}": article for number, article in enumerate(BROKEN_LIVE.values())}
    return sitecheck.live(
        folder_of_pages(tmp_path_factory.mktemp("live"), articles),
        lambda page: page.path.name == "page.html",
        axe=lambda page: sitecheck.accessibility(page) + sitecheck.colours(page),
    )


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
