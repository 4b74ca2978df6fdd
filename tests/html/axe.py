#!/usr/bin/env python3
"""axe.py FOLDER AXE.JS PAGE...: axe-core's rules on pages, light and dark.

Prints "pass NAME" or "fail NAME" and what was found as "# ..." lines.
"""
import os
import sys
import time

from chrome import Chrome

folder, axe = os.path.abspath(sys.argv[1]), sys.argv[2]
RUN = """axe.run(document, {resultTypes: ['violations'], selectors: false, preload: false, iframes: false,
  %s}).then(r =>
  [r.violations.map(v => v.id + ': ' + v.nodes.length + ' times, ' +
    v.nodes[0].html.slice(0, 160) + ' ' + (v.nodes[0].failureSummary || '').replace(/\\s+/g, ' ')),
   r.passes ? r.passes.length : 0])"""


CONTRAST = "runOnly: ['color-contrast']"

# Contrast is measured on the first of each kind: the others have the same style.
FEWER = """(() => { for (const [kind, most] of [['.chunk', 25], ['tbody tr', 40],
  ['.names > *', 80], ['.whole pre span', 120]])
    document.querySelectorAll(kind).forEach((el, i) => { if (i >= most) el.remove(); }); })()"""

# What a reader may have open, on the page of chapter 3.
STATES = {
    "a chunk in place": "document.querySelector('.chunk.root .all').click()",
    "a file beside the text": "document.querySelector('.w').click()",
    "the search": "document.querySelector('.tools button').click();"
                  "document.querySelector('.find input').value = 'warp'",
}


def states(chrome, source):
    for name, open_it in STATES.items():
        page = chrome.page(width=1280)
        page.go(f"file://{folder}/03-shuffle-ladder.html")
        page.run(open_it)
        chrome.pump(0.7)
        page.run("if (document.querySelector('dialog[open]')) window.ladder.refresh()")
        page.run("document.querySelectorAll('main > :not(.chunk.root)').forEach("
                 "el => el.remove()); 1")
        page.run(source + "; 1")
        found = page.run(RUN % "")[0]
        page.close()
        found = [v for v in found if not v.startswith("page-has-heading-one")]
        print("fail" if found else "pass", f"axe-core finds nothing with {name} open")
        for line in found:
            print("#", line[:600])


def guard(chrome, source):
    """A page with two faults: a check that finds none of them checks nothing."""
    page = chrome.page()
    page.go("data:text/html,<html lang=en><title>t</title><main><h1>t</h1><img src=x>"
            "<p style='color:%23999;background:%23aaa'>faint</p></main>")
    page.run(source + "; 1")
    found = " ".join(page.run(RUN % "")[0])
    page.close()
    seen = "image-alt" in found and "color-contrast" in found
    print("pass" if seen else "fail", "axe-core finds what is wrong with a wrong page")


def main():
    with open(axe, encoding="utf-8") as file:
        source = file.read()
    with Chrome() as chrome:
        guard(chrome, source)
        for name in sys.argv[3:]:
            found, begun = [], time.time()
            page = chrome.page(width=1280)
            page.go(f"file://{folder}/{name}")
            page.run(source + "; 1")
            for mode, rules in (("any", "rules: {'color-contrast': {enabled: false}}"),
                                ("light", CONTRAST), ("dark", CONTRAST)):
                page.colours(mode == "dark")
                if mode == "light":
                    page.run(FEWER)
                violations, passed = page.run(RUN % rules)
                found += [f"{mode}: {v}" for v in violations]
                if passed == 0:
                    found.append(f"{mode}: no rule was tried")
            page.close()
            if name == "03-shuffle-ladder.html":
                states(chrome, source)
            print("fail" if found else "pass", f"{name}: axe-core finds nothing")
            for line in found[:8]:
                print("#", line[:600])
            if os.environ.get("TIMES"):
                print(f"# {time.time() - begun:.1f} s")
            sys.stdout.flush()


main()
