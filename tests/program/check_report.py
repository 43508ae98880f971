#!/usr/bin/python3
"""Reads a report with parsers that this project didn't write, and says what is wrong with it.

usage: check_report.py html|csv FILE [--hostile]
"""
import csv
import io
import re
import sys
import xml.etree.ElementTree
from html.parser import HTMLParser

HEADER = ("run,host,tier,workload,round,sequence,status,started,wall_ns,sync_ns,ops,bytes,value,unit,trust,"
          "rules").split(",")
VOID = {"meta", "link", "br", "hr", "img"}
faults = []


def fault(words):
    faults.append(words)


class Page(HTMLParser):
    """What a browser's parser sees: elements that are closed in order, their attributes, their text."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links, self.text = [], [], [], []

    def handle_starttag(self, tag, attributes):
        self.look(tag, dict(attributes))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.look(tag, dict(attributes))

    def look(self, tag, attributes):
        if tag in ("script", "iframe", "object", "embed", "form", "base", "b"):
            fault(f"an element {tag}")
        for name, value in attributes.items():
            if name.startswith("on") or name in ("src", "srcset", "style", "action"):
                fault(f"an attribute {name} of {tag}")
            if name == "href":
                self.links.append(value)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "th" and "scope" not in attributes:
            fault("a table's heading without scope")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            fault(f"{tag} is closed out of order")

    def handle_data(self, data):
        self.text.append(data)


def check_html(text):
    page = Page()
    page.feed(text)
    page.close()
    if page.open:
        fault(f"not closed: {page.open}")
    if len(set(page.ids)) != len(page.ids):
        fault(f"an id twice: {page.ids}")
    for link in page.links:
        if not (link == "data:," or (link.startswith("#") and link[1:] in page.ids)):
            fault(f"a link to {link}")
    root = xml.etree.ElementTree.fromstring(text.split("\n", 1)[1])
    for image in root.iter("svg"):
        if image.get("role") == "img" and (image.find("title") is None or not image.find("title").text):
            fault("a picture without a title")
    headings = [int(e.tag[1]) for e in root.iter() if re.fullmatch("h[1-6]", e.tag)]
    if headings[:1] != [1] or any(b > a + 1 for a, b in zip(headings, headings[1:])):
        fault(f"headings skip a level: {headings}")
    return "".join(page.text)


def check_csv(text):
    if text.count("\n") != text.count("\r\n"):
        fault("a line without CRLF")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    if rows[0] != HEADER:
        fault(f"the header is {rows[0]}")
    for row in rows[1:]:
        if len(row) != len(HEADER):
            fault(f"{len(row)} cells: {row}")
        for name, cell in zip(HEADER, row):
            number = re.fullmatch(r"-?[0-9.]+(e[-+]?[0-9]+)?", cell)
            if cell[:1] in "=+-@\t\r" and cell and not number:
                fault(f"{name} would be a formula: {cell}")
            if name in ("round", "sequence") and not number:
                fault(f"{name} is no number: {cell}")
    return "\n".join(cell for row in rows for cell in row)


kind, path = sys.argv[1:3]
with open(path, encoding="utf-8", newline="") as file:
    content = file.read()
if re.search("[\x00-\x09\x0b\x0c\x0e-\x1f\x7f\u202a-\u202e\u2066-\u2069]", content):
    fault("a control character")
words = {"html": check_html, "csv": check_csv}[kind](content)
# As everywhere, what a terminal would obey is spelled out; all else is the name itself.
name = "=cmd()|</script><b onload=\"x\" onerror='y'>&amp;]]>`*_[a](javascript:b)\\\\x0a\\x1b[2J\\xe2\\x80\\xae,;"
if "--hostile" in sys.argv and name not in words:
    fault("the hostile name isn't told as it is")
for words in faults:
    print(words)
sys.exit(1 if faults else 0)
