"""Reads a document from standard input with the format's own parser, and prints its content as JSON.

Usage: read_format.py csv|toml|html
"""

import csv
import html.parser
import io
import json
import sys
import tomllib


class Elements(html.parser.HTMLParser):
    """Collects every tag with its attributes, and the text of each list item."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags = []
        self.items = []
        self.item = None

    def handle_starttag(self, tag, attrs):
        self.tags.append([tag, dict(attrs)])
        if tag == "li":
            self.item = ""

    def handle_endtag(self, tag):
        if tag == "li":
            self.items.append(self.item)
            self.item = None

    def handle_data(self, data):
        if self.item is not None:
            self.item += data

    def handle_comment(self, data):
        self.tags.append(["!--", {}])

    def handle_decl(self, decl):
        self.tags.append(["!", {}])

    def handle_pi(self, data):
        self.tags.append(["?", {}])


def read_html(text):
    parser = Elements()
    parser.feed(text)
    parser.close()
    return {"tags": parser.tags, "items": parser.items}


READERS = {
    "csv": lambda text: list(csv.reader(io.StringIO(text, newline=""), strict=True)),
    "toml": tomllib.loads,
    "html": read_html,
}

text = sys.stdin.buffer.read().decode("utf-8")
print(json.dumps(READERS[sys.argv[1]](text)))
