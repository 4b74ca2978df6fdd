"""Looks into a PDF with qpdf's help: python3 look.py WHAT FILE.

links FILE     of a PDF that qpdf has unpacked (--qdf): the names that links
               lead to and that no destination has, one a line
outline FILE   of qpdf's JSON (--json-key=outlines): the outline's titles
"""
import json
import re
import sys

what, path = sys.argv[1:]
STRING = rb"(\((?:\\.|[^\\()])*\)|<[0-9a-fA-F]*>)"


def titles(items):
    for item in items:
        yield item["title"]
        yield from titles(item["kids"])


def links():
    with open(path, "rb") as file:
        data = file.read()
    wanted = {m[1] for m in re.finditer(rb"/D " + STRING, data)}
    names = set()
    for block in re.finditer(rb"/Names \[(.*?)\]", data, re.S):
        names |= {m[0] for m in re.finditer(STRING, block[1])}
    print(len(wanted), "anchors linked to,", len(names), "there", file=sys.stderr)
    return sorted(name.decode("latin-1") for name in wanted - names)


if what == "links":
    print("\n".join(links()), end="")
else:
    with open(path, encoding="utf-8") as file:
        print("\n".join(titles(json.load(file)["outlines"])))
