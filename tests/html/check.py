#!/usr/bin/env python3
"""check.py FOLDER: what can be said of the pages without a browser.

Prints "pass NAME" or "fail NAME" and, after a failure, its reasons as
"# ..." lines. Needs Debian's python3-html5lib.
"""
import os
import re
import sys
from urllib.parse import unquote, urldefrag

import html5lib

LIMIT = 300 * 1000
NOT_HERE = {"../shuffle-ladder.pdf", "../shuffle-ladder.epub"}  # other goals' files

folder = sys.argv[1]
pages = {}
problems = {}


def wrong(kind, page, text):
    problems.setdefault(kind, []).append(f"{page}: {text}")


class Page:
    """One page: its elements in order, as (tag, attributes)."""

    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.name = os.path.relpath(path, folder)
        if self.name == "book.html":
            self.quick()
        else:
            self.strict()
        self.ids = {}
        for _, attributes in self.elements:
            if "id" in attributes:
                self.ids[attributes["id"]] = self.ids.get(attributes["id"], 0) + 1

    def strict(self):
        parser = html5lib.HTMLParser(namespaceHTMLElements=False)
        tree = parser.parse(self.text)
        for (line, column), kind, _ in parser.errors:
            wrong("valid", self.name, f"line {line}, column {column}: {kind}")
        self.elements = [(e.tag, e.attrib) for e in tree.iter() if isinstance(e.tag, str)]

    def quick(self):
        """For a page too large for html5lib: the tags as written."""
        self.elements = []
        for tag, rest in re.findall(r"<([a-z][a-z0-9]*)((?:\s[^<>]*)?)>", self.text):
            found = re.findall(r'([a-z-]+)(?:=("[^"]*"|[^\s>"]+))?', rest)
            self.elements.append((tag, {n: v.strip('"') for n, v in found}))


def load():
    for where, _, names in os.walk(folder):
        for name in sorted(names):
            if name.endswith(".html"):
                page = Page(os.path.join(where, name))
                pages[page.name] = page


def check_ids(page):
    for name, count in page.ids.items():
        if count > 1:
            wrong("ids", page.name, f"#{name} is there {count} times")


def check_links(page):
    count = 0
    for tag, attributes in page.elements:
        href = attributes.get("href") or attributes.get("src")
        if not href or tag in ("use", "image"):
            continue
        if re.match(r"https?:", href):
            if tag != "a":
                wrong("requests", page.name, f"<{tag}> asks for {href}")
            continue
        count += 1
        file, anchor = urldefrag(unquote(href))
        if href in NOT_HERE:
            continue
        target = os.path.normpath(os.path.join(os.path.dirname(page.name), file)) \
            if file else page.name
        if target in pages:
            if anchor and anchor not in pages[target].ids:
                wrong("links", page.name, f"{href}: no such place")
        elif anchor or not os.path.exists(os.path.join(folder, target)):
            wrong("links", page.name, f"{href}: no such file")
    return count


def check_policy(page):
    if page.text.count("Content-Security-Policy") != 1 or \
            "default-src 'none'" not in page.text:
        wrong("policy", page.name, "no Content-Security-Policy")
    for tag, attributes in page.elements:
        if "style" in attributes or tag == "style":
            wrong("policy", page.name, f"style inside <{tag}>")
        if tag == "script" and "src" not in attributes:
            wrong("policy", page.name, "script inside the page")
        for name in attributes:
            if name.startswith("on"):
                wrong("policy", page.name, f"{name} at <{tag}>")


def check_structure(page):
    level = 0
    for tag, attributes in page.elements:
        if re.match(r"h[1-6]$", tag):
            if int(tag[1]) > level + 1:
                wrong("structure", page.name, f"h{tag[1]} after h{level}")
            level = int(tag[1])
        if tag == "th" and "scope" not in attributes:
            wrong("structure", page.name, "a th without scope")
        if tag in ("img", "svg") and attributes.get("role") == "img" and \
                not attributes.get("aria-label"):
            wrong("structure", page.name, f"{tag} without a text")
    for part in ("main", "header", "footer"):
        if sum(tag == part for tag, _ in page.elements) != 1:
            wrong("structure", page.name, f"not one <{part}>")
    if ("html", "en") not in [(t, a.get("lang")) for t, a in page.elements]:
        wrong("structure", page.name, "no lang")


def check_weight(page):
    """The page and what it loads at once."""
    if page.name == "book.html":
        return 0
    size = len(page.text.encode())
    for tag, attributes in page.elements:
        href = attributes.get("src") if tag in ("script", "img") else \
            attributes.get("href") if tag == "link" else None
        if href:
            size += os.path.getsize(os.path.join(folder, os.path.dirname(page.name), href))
    if size >= LIMIT:
        wrong("weight", page.name, f"{size} bytes")
    return size


def check_style():
    for name in os.listdir(folder):
        if name.endswith((".css", ".js")):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                text = file.read()
            if re.search(r"https?://|@import|url\(", text) and name != "search-data.js":
                wrong("requests", name, "it names another address")


def main():
    load()
    links = weight = 0
    for page in pages.values():
        check_ids(page)
        links += check_links(page)
        check_policy(page)
        check_structure(page)
        weight = max(weight, check_weight(page))
    check_style()
    scripts = sum(os.path.getsize(os.path.join(folder, n)) for n in ("page.js", "theme.js"))
    if scripts >= 25000:
        wrong("script", "page.js", f"{scripts} bytes of script")
    if len(pages) < 30 or links < 10000:
        wrong("links", "all", f"only {len(pages)} pages and {links} links were found")
    for kind, text in (
            ("valid", "every page is HTML without a parse error"),
            ("ids", "no id is on a page twice"),
            ("links", f"{links} links on {len(pages)} pages lead somewhere"),
            ("requests", "nothing is asked of another host"),
            ("policy", "every page has a policy and nothing inside that breaks it"),
            ("structure", "landmarks, headings in order, scopes, texts for pictures"),
            ("weight", f"no page weighs 300 KB (the largest: {weight})"),
            ("script", f"the script is small ({scripts} bytes)")):
        print("fail" if kind in problems else "pass", text)
        for line in problems.get(kind, [])[:8]:
            print("#", line)


main()
