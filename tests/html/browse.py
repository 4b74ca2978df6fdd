#!/usr/bin/env python3
"""browse.py FOLDER: uses the pages as a reader does, in headless Chromium.

Prints "pass NAME" or "fail NAME" and, after a failure, its reason as "# ...".
"""
import http.server
import os
import sys
import threading
import time

from chrome import Chrome

folder = os.path.abspath(sys.argv[1])
LADDER = "03-shuffle-ladder.html"
tests = []


def test(name):
    def keep(function):
        tests.append((name, function))
        return function
    return keep


def url(page):
    return f"file://{folder}/{page}"


def want(condition, reason):
    if not condition:
        raise AssertionError(reason)


def equal(got, wanted, what):
    want(got == wanted, f"{what}: got {got!r}, want {wanted!r}")


FOCUS = """(() => { const el = document.activeElement;
  if (!el || el === document.body) return null;
  const r = el.getBoundingClientRect(), s = getComputedStyle(el);
  return {name: (el.textContent || el.ariaLabel || '').trim().slice(0, 40), tag: el.tagName,
    cls: el.className, shown: s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) > 0,
    seen: r.bottom > 0 && r.top < innerHeight && r.right > 0}; })()"""


@test("Tab reaches all that can be used, in order, with a focus that shows")
def tab_order(chrome):
    page = chrome.page(height=900)
    page.go(url("C-how-made.html"))
    wanted = page.run("""Array.from(document.querySelectorAll(
      'a[href], button, select, summary, [tabindex="0"]')).filter(el => el.offsetParent && !el.closest('dialog'))
      .map(el => (el.textContent || el.ariaLabel || '').trim().slice(0, 40))""")
    got, hidden = [], []
    for _ in range(len(wanted) + 5):
        page.key("Tab")
        at = page.run(FOCUS)
        if at is None:
            break
        got.append(at["name"])
        if not at["shown"] or not at["seen"]:
            hidden.append(at)
    want(len(wanted) > 20, f"only {len(wanted)} places")
    equal([g for g in got if g in wanted], wanted, "places")
    equal(hidden, [], "focus that does not show")


@test("the skip link leads past the bar")
def skip(chrome):
    page = chrome.page()
    page.go(url(LADDER))
    page.key("Tab")
    want("Skip" in page.run(FOCUS)["name"], "the first stop is another")
    page.key("Enter")
    page.key("Tab")
    want(page.run("document.activeElement.closest('main') !== null"), "not in the text")


@test("a chunk opens in place, in it another, and closes")
def expand(chrome):
    page = chrome.page()
    page.go(url(LADDER))
    first = ".chunk.root .plus"
    page.run(f"document.querySelectorAll('{first}')[2].focus()")
    page.key("Enter")
    want(page.until("document.querySelectorAll('.chunk.root .grown').length === 1"), "not open")
    equal(page.run(f"document.querySelectorAll('{first}')[2].getAttribute('aria-expanded')"),
          "true", "aria-expanded")
    text = page.run("document.querySelector('.chunk.root .grown').textContent")
    want("reduce(const float *X" in text, "other text: " + text[:80])
    page.run("document.querySelector('.grown .plus').click()")
    want(page.until("document.querySelectorAll('.grown .grown').length === 1"), "not nested")
    equal(page.run("document.querySelectorAll('.grown [id]').length"), 0, "ids in the copy")
    page.run(f"document.querySelectorAll('{first}')[2].click()")
    equal(page.run("document.querySelectorAll('.grown').length"), 0, "still open")


@test("expand all shows the whole program, as it is compiled")
def expand_all(chrome):
    page = chrome.page()
    page.go(url(LADDER))
    page.run("document.querySelector('.chunk.root .all').click()")
    page.until("document.querySelectorAll('.chunk.root .grown').length >= 8")
    lines = page.run("document.querySelector('.chunk.root pre').innerText").split("\n")
    shown = [" ".join(line.split()) for line in lines if "⟨" not in line and line.strip()]
    with open("tangled/chapter3/reduce.cu", encoding="utf-8") as file:
        wanted = [" ".join(line.split()) for line in file if line.strip()]
    equal(shown, wanted, "the program")
    page.run("document.querySelector('.chunk.root .all').click()")
    equal(page.run("document.querySelectorAll('.grown').length"), 0, "after collapse all")


@test("a chunk on another page of its chapter opens in place too")
def expand_far(chrome):
    page = chrome.page()
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".html") or not os.path.exists(
                f"{folder}/{name[:-5]}.js") or name == "page.html":
            continue
        page.go(url(name))
        at = page.run("""Array.from(document.querySelectorAll('.r')).findIndex(a =>
          a.getAttribute('href')[0] !== '#')""")
        if at >= 0:
            button = f"document.querySelectorAll('.r')[{at}].previousElementSibling"
            page.run(button + ".click()")
            want(page.until(button + ".getAttribute('aria-expanded') === 'true'"), name)
            text = page.run("document.querySelector('.grown').textContent")
            want(len(text.strip()) > 10, "it is empty")
            equal(page.complaints, [], "the console")
            return
    raise AssertionError("no chapter has such a chunk")


@test("whole file: beside the text, the chunk's lines lit, Escape closes")
def whole_file(chrome):
    page = chrome.page()
    page.go(url(LADDER))
    chunk = "#ch3-chunk-fold-the-warp .w"
    page.click(chunk)
    want(page.until("document.querySelector('.panel iframe') !== null"), "no panel")
    chrome.pump(0.5)
    frames = page.call("Page.getFrameTree")["frameTree"]["childFrames"]
    want(frames[0]["frame"]["url"].endswith("chapter3-reduce.cu.html"), "another file")
    context = page.call("Page.createIsolatedWorld",
                        frameId=frames[0]["frame"]["id"])["executionContextId"]
    lit = page.call("Runtime.evaluate", contextId=context, returnByValue=True, expression="""
      Array.from(document.querySelectorAll('.lit')).map(e => e.textContent).join('')""")
    want("fold_warp" in lit["result"]["value"], "other lines: " + lit["result"]["value"])
    want("reduce(" not in lit["result"]["value"], "too many lines")
    equal(page.run("document.activeElement.textContent"), "Close", "focus")
    page.key("Escape")
    equal(page.run("document.querySelector('.panel')"), None, "after Escape")
    want(page.run(f"document.activeElement === document.querySelector('{chunk}')"),
         "the focus is lost")


@test("lines of one source line light up together, under the mouse and the focus")
def side_by_side(chrome):
    page = chrome.page(width=1400)
    page.go(url(LADDER))
    equal(page.run("document.querySelector('.side').children.length"), 3, "columns")
    tops = page.run("""Array.from(document.querySelector('.side').children)
      .map(e => e.getBoundingClientRect().top)""")
    want(max(tops) - min(tops) < 2, "the columns are not side by side")
    lit = """Array.from(document.querySelectorAll('.row.lit')).map(e =>
      e.closest('.listing').className.split(' ')[1])"""
    page.hover(".side .cuda .row:nth-of-type(2)")
    want(page.until(f"{lit}.length"), "nothing is lit under the mouse")
    equal(sorted(set(page.run(lit))), ["cuda", "ptx", "sass"], "lit")
    page.run("document.querySelector('.side .sass .row').focus()")
    equal(sorted(set(page.run(lit))), ["cuda", "ptx", "sass"], "lit by focus")
    before = page.run("document.activeElement.textContent")
    page.key("ArrowDown")
    equal(page.run("document.activeElement.textContent"), before, "focus after an arrow key")
    page.key("Tab")
    want(page.run("document.activeElement.className") == "row lit", "Tab leaves the rows")


@test("search: /, results, arrows, Enter goes there, Escape closes")
def search(chrome):
    page = chrome.page()
    page.go(url(LADDER))
    page.key("/")
    want(page.until("document.querySelector('dialog').open"), "/ does not open it")
    page.type("fold the")
    want(page.until("document.querySelectorAll('[role=option]').length > 1"), "no results")
    first = page.run("document.querySelector('[aria-selected=true] b').textContent")
    page.key("ArrowDown")
    second = page.run("document.querySelector('[aria-selected=true] b').textContent")
    want(page.run("document.querySelector('[aria-selected=true]').id ==="
                  "document.activeElement.getAttribute('aria-activedescendant')"), "not told")
    page.key("ArrowUp")
    equal(page.run("document.querySelector('[aria-selected=true] b').textContent"), first, "back")
    want(first.startswith("fold the") and second.startswith("fold the"), first + second)
    page.key("Escape")
    equal(page.run("document.querySelector('dialog').open"), False, "after Escape")
    page.run("document.querySelector('select').focus()")
    page.key("/")
    equal(page.run("document.querySelector('dialog').open"), False, "/ in a field")
    page.run("document.activeElement.blur()")
    page.key("/")
    page.run("document.querySelector('.find input').value = ''")
    page.type("member mask")
    page.until("document.querySelector('[aria-selected=true] b').textContent === 'member mask'")
    page.loaded = False
    page.key("Enter")
    page.wait_load()
    equal(page.run("location.href.split('/').pop()"), "E-glossary.html#term-member-mask", "there")


@test("the colours follow the system, or the reader, from the first moment")
def colours(chrome):
    page = chrome.page(dark=True)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    page.go(url(LADDER))
    dark = page.run(paper)
    page.colours(False)
    light = page.run(paper)
    want(dark != light, "the system's choice changes nothing")
    page.run("""(() => { const s = document.querySelector('.tools select'); s.value = 'dark';
      s.dispatchEvent(new Event('change')); })()""")
    equal(page.run(paper), dark, "after the choice of dark")
    page.call("Page.addScriptToEvaluateOnNewDocument", source="""
      addEventListener('DOMContentLoaded', () => {
        window.first = getComputedStyle(document.documentElement).backgroundColor; });""")
    page.go(url("E-glossary.html"))
    equal(page.run("window.first"), dark, "the next page begins")
    page.run("""(() => { const s = document.querySelector('.tools select'); s.value = '';
      s.dispatchEvent(new Event('change')); })()""")
    equal(page.run(paper), light, "after the choice of system")


@test("where the reader was is kept, and told on the contents page")
def places(chrome):
    page = chrome.page()
    page.go(url(LADDER + "#ch3-run-it"))
    page.run("scrollBy(0, 5)")
    page.until("localStorage.getItem('ladder-places')")
    chrome.pump(0.4)
    page.go(url("index.html"))
    equal(page.run("document.querySelector('.again a').getAttribute('href')"),
          LADDER + "#ch3-run-it", "the contents page's link")
    page.go(url(LADDER))
    equal(page.run("document.querySelector('.resume a').getAttribute('href')"),
          "#ch3-run-it", "the page's own link")


@test("a phone: nothing is wider than the screen but what scrolls by itself")
def phone(chrome):
    page = chrome.page(width=390, height=800)
    wide = []
    for name in sorted(os.listdir(folder)):
        if name.endswith(".html") and name != "book.html":
            page.go(url(name))
            width = page.run("document.documentElement.scrollWidth")
            if width > 390:
                wide.append(f"{name}: {width}")
            stuck = page.run("""Array.from(document.querySelectorAll('pre, .table, .draw'))
              .filter(e => e.scrollWidth > e.clientWidth + 1 && (e.tabIndex !== 0 ||
                !e.getAttribute('aria-label'))).length""")
            if stuck:
                wide.append(f"{name}: {stuck} boxes scroll and have no stop or label")
    page.go(url("files/sim-core.h.html"))
    if page.run("document.documentElement.scrollWidth") > 390:
        wide.append("files/sim-core.h.html")
    equal(wide, [], "too wide")


@test("a line of 80 columns fits a screen of 1280 without scrolling")
def columns(chrome):
    page = chrome.page(width=1280)
    page.go(url(LADDER))
    fits = page.run("""(() => { const pre = document.querySelector('.chunk pre');
      pre.firstChild.textContent = 'x'.repeat(80); return pre.scrollWidth <= pre.clientWidth; })()""")
    want(fits, "it does not")


@test("without script: text, links, answers and files are there")
def no_script(chrome):
    page = chrome.page(script=False)
    page.go(url(LADDER))
    page.picture("/dev/null")
    equal(page.requests[0], url(LADDER), "the page")
    tree = page.call("DOM.getDocument", depth=-1)["root"]

    def count(selector):
        return len(page.call("DOM.querySelectorAll", nodeId=tree["nodeId"],
                             selector=selector)["nodeIds"])
    want(count("main a[href]") > 50, "links")
    want(count("details.answer") >= 3, "answers")
    want(count("a.w[href^='files/']") > 5, "files")
    equal(count("button"), 0, "buttons that do nothing")
    want(count(".toc a") >= 5, "sections")


@test("from file:// nothing else is asked for, and the console is silent")
def silent(chrome):
    page = chrome.page()
    for name in ("index.html", LADDER, "chunks.html", "identifiers.html", "E-glossary.html",
                 "bibliography.html", "files/chapter3-reduce.cu.html"):
        page.go(url(name))
    chrome.pump(0.3)
    outside = [r for r in page.requests if not r.startswith(f"file://{folder}/")]
    equal(outside, [], "asked for")
    equal(page.complaints, [], "the console")
    equal(page.run("document.cookie"), "", "cookies")


@test("over http the pages work as well")
def over_http(chrome):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def __init__(self, *rest):
            super().__init__(*rest, directory=folder)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Quiet)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        page = chrome.page()
        home = f"http://127.0.0.1:{server.server_port}/"
        page.go(home + LADDER)
        page.key("/")
        page.type("warp")
        want(page.until("document.querySelectorAll('[role=option]').length > 1"), "no results")
        page.key("Escape")
        page.click("#ch3-chunk-fold-the-warp .w")
        want(page.until("document.querySelector('.panel iframe') !== null"), "no panel")
        chrome.pump(0.5)
        equal([r for r in page.requests if not r.startswith(home)], [], "asked for")
        equal(page.complaints, [], "the console")
    finally:
        server.shutdown()


@test("the book on one page loads whole, without a complaint")
def one_page(chrome):
    page = chrome.page()
    page.go(url("book.html"))
    want(page.run("document.querySelectorAll('.chunk').length") > 500, "chunks are missing")
    equal(page.complaints, [], "the console")


def main():
    only = sys.argv[2:]
    with Chrome() as chrome:
        for name, function in tests:
            if only and function.__name__ not in only:
                continue
            begun = time.time()
            try:
                function(chrome)
                print("pass", name)
            except Exception as error:  # a test that breaks has failed
                print("fail", name)
                print("#", str(error).replace("\n", " ")[:1500])
            for page in list(chrome.pages.values()):
                page.close()
            if os.environ.get("TIMES"):
                print(f"# {time.time() - begun:.1f} s")
            sys.stdout.flush()


main()
