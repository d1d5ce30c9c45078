# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/markdown.py - the Markdown of our own pages to HTML: no more than they use.

Headings with the ids of GitHub, paragraphs, nested lists, tables, fenced and indented blocks, quotes,
rules; code, emphasis, links and images within a line. A line "(B4) ..." of an indented block is a
numbered equation, and "(B4)" in the text of the same page leads to it.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from formulas import typeset

Link = Callable[[str], str]  # maps the target of a link in the source to that of the site

EQUATION = re.compile(r"^ *\(([A-Z]\d+)\) ")
ITEM = re.compile(r"^( *)([-*]|\d+\.) +(.*)$")


def slug(text: str) -> str:
    """The id of a heading, as GitHub makes it."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("`", "").strip().lower()
    return re.sub(r"[^\w\- ]", "", plain).replace(" ", "-")


def plain(text: str) -> str:
    """A line of Markdown as bare text."""
    return re.sub(r"[`*]", "", re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text))


def coloured(code: str, language: str) -> str:
    """Comments, and the keys of scene files, marked for the style sheet."""
    out = []
    for line in code.split("\n"):
        text = html.escape(line, quote=False)
        if language in ("yaml", "yml", "python", "sh", ""):
            text = re.sub(r"(^|\s)(#.*)$", r"\1<i>\2</i>", text)
        elif language in ("c", "cpp"):
            text = re.sub(r"(//.*)$", r"<i>\1</i>", text)
        if language in ("yaml", "yml"):
            text = re.sub(r"^( *(?:- )?)([\w-]+)(:)(?= |$)", r"\1<b>\2</b>\3", text)
        out.append(text)
    return "\n".join(out)


def block(code: str, language: str = "") -> str:
    return f"<pre><code>{coloured(code, language)}</code></pre>\n"


class Page:
    """One page: `html`, its `title`, and `headings` as (level, id, text)."""

    def __init__(self, text: str, link: Link = lambda target: target) -> None:
        self.link = link
        self.title = ""
        self.headings: list[tuple[int, str, str]] = []
        self.ids: dict[str, int] = {}
        lines = text.expandtabs(4).split("\n")
        self.equations = {match[1] for line in lines if (match := EQUATION.match(line))}
        self.html = self.blocks(lines)

    # --- within a line ---------------------------------------------------------------------------
    def inline(self, text: str) -> str:
        kept: list[str] = []

        def keep(piece: str) -> str:
            kept.append(piece)
            return f"\0{len(kept) - 1}\0"

        def code(match: re.Match[str]) -> str:
            return keep(f"<code>{html.escape(match[2].strip(), quote=False)}</code>")

        def image(match: re.Match[str]) -> str:
            source = html.escape(self.link(match[2]))
            return keep(f'<img src="{source}" alt="{html.escape(match[1])}" loading="lazy">')

        def anchor(match: re.Match[str]) -> str:
            return keep(f'<a href="{html.escape(self.link(match[2]))}">') + match[1] + keep("</a>")

        def equation(match: re.Match[str]) -> str:
            if match[1] not in self.equations:
                return match[0]
            return keep(f'<a class="eq" href="#eq-{match[1]}">({match[1]})</a>')

        text = re.sub(r"(`+)(.+?)\1(?!`)", code, text)
        text = re.sub(r"\\([\\`*_{}\[\]()#+.!|<>-])", lambda m: keep(html.escape(m[1])), text)
        text = re.sub(r"<br ?/?>", lambda m: keep("<br>"), text)
        text = re.sub(r"!\[([^\]]*)\]\(([^)\s]+)\)", image, text)
        text = re.sub(r"\[([^\]]+)\]\(([^)\s]+)\)", anchor, text)
        text = re.sub(r"<(https?://[^>]+)>", r"[\1](\1)", text)
        text = re.sub(r"\[([^\]]+)\]\((https?://[^)\s]+)\)", anchor, text)
        text = re.sub(r"\(([A-Z]\d+)\)", equation, text)
        text = html.escape(text, quote=False)
        text = re.sub(r"\*\*(\S(?:.*?\S)??)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![\w*])\*([^\s*](?:[^*]*[^\s*])?)\*(?![\w*])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub(r"\0(\d+)\0", lambda m: kept[int(m[1])], text)
        return text

    # --- blocks ----------------------------------------------------------------------------------
    def blocks(self, lines: list[str]) -> str:
        out: list[str] = []
        at = 0
        while at < len(lines):
            line = lines[at]
            if not line.strip():
                at += 1
            elif match := re.match(r"^ {0,3}(```+|~~~+) *(\w*)", line):
                end = at + 1
                while end < len(lines) and not lines[end].strip().startswith(match[1]):
                    end += 1
                out.append(block("\n".join(lines[at + 1 : end]), match[2]))
                at = end + 1
            elif match := re.match(r"^(#{1,6}) +(.*?)#* *$", line):
                out.append(self.heading(len(match[1]), match[2]))
                at += 1
            elif re.match(r"^ {4}", line):
                at = self.indented(lines, at, out)
            elif re.match(r"^ {0,3}(-{3,}|\*{3,}) *$", line):
                out.append("<hr>\n")
                at += 1
            elif line.startswith(">"):
                end = at
                while end < len(lines) and lines[end].startswith(">"):
                    end += 1
                inner = [re.sub(r"^> ?", "", quoted) for quoted in lines[at:end]]
                out.append(f"<blockquote>\n{self.blocks(inner)}</blockquote>\n")
                at = end
            elif "|" in line and at + 1 < len(lines) and re.match(r"^\|? *:?-{3,}", lines[at + 1]):
                at = self.table(lines, at, out)
            elif ITEM.match(line):
                at = self.items(lines, at, out)
            elif line.startswith("<!--"):
                while at < len(lines) and "-->" not in lines[at]:
                    at += 1
                at += 1
            else:
                at = self.paragraph(lines, at, out)
        return "".join(out)

    def heading(self, level: int, text: str) -> str:
        name = slug(text)
        count = self.ids.get(name, 0)
        self.ids[name] = count + 1
        if count:
            name = f"{name}-{count}"
        if level == 1 and not self.title:
            self.title = plain(text)
        self.headings.append((level, name, plain(text)))
        return f'<h{level} id="{name}">{self.inline(text)}</h{level}>\n'

    def indented(self, lines: list[str], at: int, out: list[str]) -> int:
        end = at
        while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
            end += 1
        rows = [line[4:] for line in lines[at:end]]
        while rows and not rows[-1].strip():
            rows.pop()
        text = []
        numbered = any(EQUATION.match("    " + row) for row in rows)
        for row in rows:
            shown = html.escape(row, quote=False)
            if match := EQUATION.match("    " + row):
                before, _, after = shown.partition(f"({match[1]})")
                shown = f'{before}<span id="eq-{match[1]}">({match[1]})</span>{typeset(after)}'
            elif numbered:
                shown = typeset(shown)
            text.append(shown)
        kind = ' class="formula"' if numbered else ""
        out.append(f"<pre{kind}><code>" + "\n".join(text) + "</code></pre>\n")
        return end

    def paragraph(self, lines: list[str], at: int, out: list[str]) -> int:
        end = at + 1
        while end < len(lines) and lines[end].strip():
            if re.match(r"^(#{1,6} |```|>|\|)", lines[end]) or ITEM.match(lines[end]):
                break
            end += 1
        out.append(f"<p>{self.inline(' '.join(line.strip() for line in lines[at:end]))}</p>\n")
        return end

    def items(self, lines: list[str], at: int, out: list[str]) -> int:
        first = ITEM.match(lines[at])
        assert first
        indent, ordered = len(first[1]), first[2][0].isdigit()
        items: list[list[str]] = []
        while at < len(lines):
            line = lines[at]
            match = ITEM.match(line)
            deeper = len(line) - len(line.lstrip()) > indent
            if match and len(match[1]) == indent:
                if match[2][0].isdigit() != ordered:
                    break
                items.append([match[3]])
            elif not line.strip():
                follows = at + 1 < len(lines) and (
                    re.match(rf"^ {{{indent + 2},}}\S", lines[at + 1])
                    or ((more := ITEM.match(lines[at + 1])) and len(more[1]) == indent)
                )
                if not follows:
                    break
                items[-1].append("")
            elif deeper:
                items[-1].append(line[indent + 2 :] if line.startswith(" " * (indent + 2)) else line)
            elif lines[at - 1].strip() and not re.match(r"^(#|```|\|)", line):
                items[-1].append(line)  # a paragraph that continues without indent
            else:
                break
            at += 1
        tag = "ol" if ordered else "ul"
        out.append(f"<{tag}>\n")
        for item in items:
            inner = self.blocks(item)
            if inner.count("<p>") == 1 and inner.startswith("<p>"):
                inner = inner.replace("<p>", "", 1).replace("</p>", "", 1)
            out.append(f"<li>{inner.strip()}</li>\n")
        out.append(f"</{tag}>\n")
        return at

    def table(self, lines: list[str], at: int, out: list[str]) -> int:
        head, rows, end = table_rows(lines, at)
        out.append('<div class="table" tabindex="0"><table>\n')
        if any(head):
            out.append("<thead><tr>")
            out.extend(f"<th>{self.inline(cell)}</th>" for cell in head)
            out.append("</tr></thead>\n")
        out.append("<tbody>\n")
        for row in rows:
            cells = "".join(f"<td>{self.inline(cell)}</td>" for cell in row)
            out.append(f"<tr>{cells}</tr>\n")
        out.append("</tbody></table></div>\n")
        return end


def cells(line: str) -> list[str]:
    """The cells of a row; bars in code or after a backslash do not separate them."""
    line = re.sub(r"(`+)(.+?)\1(?!`)", lambda m: m[0].replace("\\|", "|").replace("|", "\1"), line)
    line = line.replace("\\|", "\1").strip().removeprefix("|").removesuffix("|")
    return [cell.strip().replace("\1", "|") for cell in line.split("|")]


def table_rows(lines: list[str], at: int) -> tuple[list[str], list[list[str]], int]:
    """Head and rows of the table that begins at a line, and the line after it."""
    end = at + 2
    while end < len(lines) and "|" in lines[end] and lines[end].strip():
        end += 1
    return cells(lines[at]), [cells(line) for line in lines[at + 2 : end]], end
