# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/claims.py - what is tested, by name: claims of the tests, cases of validation.

The page of features (docs/features.md) has a table of what works, and one that names what shows each of
its rows; a name that no test and no case has is an error.
"""

from __future__ import annotations

import re
from pathlib import Path

from markdown import table_rows

# where names are defined: folder, files, pattern of a name
SOURCES = (
    ("tests", "**/test_*.c", r"^(?:LONG_)?TEST\((\w+)\)"),
    ("tests", "**/test_*.sh", r"^ *(?:claim|study) (\w+) "),
    ("cli/validate", "validate.c", r"^    \{\"(\w+)\", \""),
    ("python/tests", "test_*.py", r"^ *def (test_\w+)\("),
    ("viewer/tests", "*.test.ts", r"^ *test\(\"(\w+)\""),
)


def known(root: Path) -> dict[str, list[str]]:
    """Every name, and the files that have it."""
    found: dict[str, list[str]] = {}
    for folder, files, pattern in SOURCES:
        for path in sorted((root / folder).glob(files)):
            place = str(path.relative_to(root))
            text = path.read_text()
            here = re.findall(pattern, text, re.M)
            if 'claim "$test"' in text:
                here += " ".join(re.findall(r"^for test in ((?:[\w\s]|\\\n)+);", text, re.M)).split()
            for name in here:
                places = found.setdefault(name, [])
                if place not in places:
                    places.append(place)
    return found


def plain(cell: str) -> str:
    """A cell without its links."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", cell)


def matrix(text: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the matrix: those of the first table, each with its cell of the table whose
    last column is "shown by"."""
    lines = text.split("\n")
    starts = [at for at, line in enumerate(lines) if line.startswith("| |")]
    shown = [at for at in starts if lines[at].rstrip().endswith("| shown by |")]
    if not starts or not shown:
        return [], []
    head, rows, _ = table_rows(lines, starts[0])
    _, tests, _ = table_rows(lines, shown[0])
    by = {plain(row[0]): row[-1] for row in tests}
    joined = [row + [by.pop(plain(row[0]), "")] for row in rows]
    return head + ["shown by"], joined + [[name, "", "", cell] for name, cell in by.items() if cell]


def names(cell: str) -> list[str]:
    return re.findall(r"`(\w+)`", cell)


def wrong(root: Path, page: Path) -> list[str]:
    """Errors of the matrix of a page, one line each."""
    head, rows = matrix(page.read_text())
    if not rows:
        return [f"{page}: no table whose last column is 'shown by'"]
    tests = known(root)
    found = []
    for row in rows:
        if len(row) == len(head) and not row[1]:
            found.append(f"{page}: row '{plain(row[0])}' of 'shown by' is not in the table of features")
        if len(row) != len(head):
            found.append(f"{page}: row '{plain(row[0])}' has {len(row)} cells, the head has {len(head)}")
        elif not names(row[-1]):
            found.append(f"{page}: row '{plain(row[0])}' names nothing that shows it")
        else:
            found += [
                f"{page}: row '{plain(row[0])}': no test and no validation case is called {name}"
                for name in names(row[-1])
                if name not in tests
            ]
    return found
