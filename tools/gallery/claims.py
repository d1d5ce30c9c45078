# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/claims.py - what is tested, by name: claims of the tests, cases of validation.

The matrix of features (docs/features.md) names in its last column what shows each row; a name that no
test and no case has is an error.
"""

from __future__ import annotations

import re
from pathlib import Path

from markdown import table_rows

# where names are defined: folder, files, pattern of a name
SOURCES = (
    ("tests", "**/test_*.c", r"^(?:LONG_)?TEST\((\w+)\)"),
    ("tests", "**/test_*.sh", r"^ *claim (\w+) "),
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


def matrix(text: str) -> tuple[list[str], list[list[str]]]:
    """Head and rows of the matrix: the first table of the page that ends with "shown by"."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.rstrip().endswith("| shown by |"):
            head, rows, _ = table_rows(lines, at)
            return head, rows
    return [], []


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
        if len(row) != len(head):
            found.append(f"{page}: row '{row[0]}' has {len(row)} cells, the head has {len(head)}")
        elif not names(row[-1]):
            found.append(f"{page}: row '{row[0]}' names nothing that shows it")
        else:
            found += [
                f"{page}: row '{row[0]}': no test and no validation case is called {name}"
                for name in names(row[-1])
                if name not in tests
            ]
    return found
