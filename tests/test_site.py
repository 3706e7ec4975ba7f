"""The built book: no dead link, nothing from outside, every formula rendered, readable on a phone.

Reads `_build/html`; the README's build command makes it.
"""

import os
from pathlib import Path

import pytest
import sitecheck

SITE = Path(__file__).parent.parent / "_build" / "html"
MATHJAX = Path(__file__).parent.parent / "book" / "_static" / "mathjax" / "tex-svg-full.js"


@pytest.fixture(scope="module")
def site():
    if not (SITE / "index.html").exists():
        pytest.skip("no built book: run `.venv/bin/jupyter-book build -W -n --keep-going .` first")
    return SITE


@pytest.fixture(scope="module")
def browser():
    if sitecheck.chromium() is None:
        if os.environ.get("CI", "").lower() in ("1", "true"):
            pytest.fail(sitecheck.GET_CHROMIUM)
        pytest.skip(sitecheck.GET_CHROMIUM)


def listing(faults):
    return "\n".join(f"{page}: {fault}" for page, found in faults.items() for fault in found)


def test_every_page_is_built(site):
    chapters = {path.stem for path in (SITE.parent.parent / "book").glob("*.ipynb")}
    assert chapters <= {path.stem for path in (site / "book").glob("*.html")}


def test_links_loads_alt_texts_and_ids(site):
    faults = sitecheck.static(site)
    assert not faults, "\n" + listing(faults)


@pytest.mark.chromium
def test_formulas_width_and_scripts(site, browser):
    faults = sitecheck.live(site)
    assert not faults, "\n" + listing(faults)


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
    html = f"<!doctype html><meta charset='utf-8'>{head}<body><article>{article}</article>"
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


def test_static_check_passes_a_sound_page(tmp_path):
    assert sitecheck.static(write(tmp_path, SOUND)) == {}


WITH_MATHJAX = """<script>window.MathJax = {tex: {packages: {'[-]': ['noundefined', 'noerrors']}},
options: {ignoreHtmlClass: 'ignored'}}</script><script defer src="%s"></script>"""
SOUND_FORMULA = r'<span class="math">\(\boldsymbol{x}^2 \ge 0\)</span> <pre>a $x_1$</pre>'
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
}
SOUND_LIVE = SOUND + SOUND_FORMULA + '<div style="overflow-x: auto"><div style="width: 700px">wide</div></div>'


def folder_of_pages(tmp_path, articles):
    for name, article in articles.items():
        (tmp_path / name).mkdir()
        write(tmp_path / name, SOUND_LIVE + article, WITH_MATHJAX % MATHJAX.as_uri())
    return tmp_path


@pytest.fixture(scope="module")
def live_faults(browser, tmp_path_factory):
    """All broken pages and a sound one, in one go."""
    articles = {"sound": ""} | {f"page{number}": article for number, article in enumerate(BROKEN_LIVE.values())}
    return sitecheck.live(folder_of_pages(tmp_path_factory.mktemp("live"), articles))


@pytest.mark.chromium
@pytest.mark.parametrize("fault", BROKEN_LIVE)
def test_live_check_sees(fault, live_faults):
    found = live_faults[f"page{list(BROKEN_LIVE).index(fault)}/page.html"]
    assert any(f.startswith(fault) for f in found), found


@pytest.mark.chromium
def test_live_check_passes_a_sound_page(live_faults):
    assert "sound/page.html" not in live_faults


def test_missing_chromium_is_said(monkeypatch, tmp_path):
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nothing"))
    with pytest.raises(FileNotFoundError, match="apt-get install chromium"):
        sitecheck.open_in_chromium(tmp_path)
