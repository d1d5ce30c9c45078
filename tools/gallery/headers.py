# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/headers.py - the C reference: items of the public headers with their /// comments."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from pathlib import Path

SECTION = re.compile(r"^// --- (.*?) -*$")


@dataclass
class Item:
    """Declarations that share one comment."""

    comment: list[str] = field(default_factory=list)
    code: list[str] = field(default_factory=list)


@dataclass
class Header:
    name: str
    about: str = ""
    note: list[str] = field(default_factory=list)
    parts: list[tuple[str, list[Item]]] = field(default_factory=list)


def depth(code: list[str]) -> int:
    text = "\n".join(re.sub(r"//.*", "", line) for line in code)
    return sum(text.count(c) for c in "{(") - sum(text.count(c) for c in "})")


def complete(code: list[str]) -> bool:
    """A declaration ends with a semicolon outside of all brackets, a macro without a backslash."""
    last = re.sub(r"//.*", "", code[-1]).rstrip()
    if code[0].startswith("#"):
        return not last.endswith("\\")
    return depth(code) == 0 and last.endswith((";", "}"))


def read(path: Path) -> Header:
    """Sections and items of a header, in its order."""
    header = Header(path.name)
    items: list[Item] = []
    header.parts.append(("", items))
    lines = path.read_text().split("\n")
    about = lines[1].split(" - ", 1)[1]
    header.about = about[:1].upper() + about[1:]
    at = 2
    while at < len(lines) and lines[at].startswith("//"):
        header.note.append(lines[at].lstrip("/ "))
        at += 1
    item = Item()
    while at < len(lines):
        line = lines[at]
        at += 1
        if match := SECTION.match(line):
            items = []
            header.parts.append((match[1], items))
        elif line.startswith("// ---"):
            pass
        elif line.startswith("///"):
            item = Item([line[3:].strip()])
            while lines[at].startswith("///"):
                item.comment.append(lines[at][3:].strip())
                at += 1
            items.append(item)
        elif not line.strip():
            item = Item()  # a blank line ends the scope of a comment
        elif line.startswith(("LITHE_API", "typedef", "#define LITHE", "static inline", "struct")):
            if line.startswith("#define LITHE") and re.match(r"#define LITHE_\w*H$", line):
                continue
            code = [line]
            while not complete(code):
                code.append(lines[at])
                at += 1
            if not item.code and item not in items:
                items.append(item)
            item.code.extend(code)
    header.parts = [(title, found) for title, found in header.parts if any(i.code for i in found)]
    return header


def names(item: Item) -> list[str]:
    """What an item declares: functions, types, macros."""
    text = re.sub(r"//.*", "", "\n".join(item.code))
    found = re.findall(r"\b(lithe_\w+)\(", text)
    found += re.findall(r"^typedef (?:struct|enum|union) (\w+)", text, re.M)
    found += re.findall(r"^typedef \w+ \**(Lithe\w+)\(", text, re.M)
    found += re.findall(r"^#define (LITHE_\w+)", text, re.M)
    return list(dict.fromkeys(found))


def prose(lines: list[str]) -> str:
    text = html.escape(" ".join(lines), quote=False)
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", text)


def declaration(code: list[str]) -> str:
    text = re.sub(r"^LITHE_API ", "", "\n".join(code), flags=re.M)
    text = html.escape(text, quote=False)
    text = re.sub(r"(///?&lt;.*|//.*)$", r"<i>\1</i>", text, flags=re.M)
    text = text.replace("///&lt;", "//")
    return f"<pre><code>{text}</code></pre>\n"


def page(header: Header, index: dict[str, str]) -> str:
    """The HTML of a header; `index` (name to address) makes types in comments and code links."""

    def linked(text: str) -> str:
        def one(match: re.Match[str]) -> str:
            target = index.get(match[0])
            return f'<a href="{target}">{match[0]}</a>' if target else match[0]

        return re.sub(r"\b(?:Lithe[A-Z]\w*|lithe_\w+)\b", one, text)

    out = [f"<h1><code>lithe/{header.name}</code></h1>\n<p>{prose([header.about])}</p>\n"]
    if any(header.note):
        out.append(f"<p>{linked(prose(header.note))}</p>\n")
    for title, items in header.parts:
        if title:
            out.append(f"<h2>{html.escape(title)}</h2>\n")
        for item in items:
            if not item.code:
                continue
            ids = "".join(f'<a id="{name}"></a>' for name in names(item))
            out.append(f'<section class="item">{ids}\n{linked(declaration(item.code))}')
            out.append(f"<p>{linked(prose(item.comment))}</p></section>\n")
    return "".join(out)
