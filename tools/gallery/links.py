# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/links.py - check that every link and picture of a site exists, without a network."""

from __future__ import annotations

import posixpath
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Reader(HTMLParser):
    """Ids of a page, and (line, target) of what it links to or loads."""

    def __init__(self) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[tuple[int, str]] = []
        self.loads: list[tuple[int, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif name == "href" and value is not None:
                (self.loads if tag == "link" else self.links).append((self.getpos()[0], value))
            elif name == "src" and value is not None:
                self.loads.append((self.getpos()[0], value))


def dead(site: Path, closed: tuple[str, ...] = ()) -> list[str]:
    """Broken links, one line each. Pages in the folders `closed` are not searched."""
    pages: dict[str, Reader] = {}
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        if name.split("/")[0] not in closed:
            pages[name] = Reader()
            pages[name].feed(path.read_text())
    found = []
    for name, page in pages.items():
        for line, target in page.loads + page.links:
            parts = urlsplit(target)
            if parts.scheme or parts.netloc:
                if (line, target) in page.loads:
                    found.append(f"{name}:{line}: {target} needs a network")
                continue
            to = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(parts.path)))
            to = to if parts.path else name
            if to.startswith("../") or not (site / to).is_file():
                found.append(f"{name}:{line}: {target} does not exist")
            elif parts.fragment and to in pages and parts.fragment not in pages[to].ids:
                found.append(f"{name}:{line}: {target}: the page has no such place")
    return found
