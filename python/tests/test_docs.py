# SPDX-License-Identifier: Apache-2.0
"""The documentation is correct: its programs run, its reference is that of the package."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

import lithe

GUIDE = (ROOT / "docs" / "guide" / "python.md").read_text()
PROGRAMS = re.findall(r"^```python\n(.*?)^```", GUIDE, flags=re.M | re.S)


def test_the_guide_has_programs() -> None:
    assert len(PROGRAMS) >= 7


@pytest.mark.parametrize("number", range(len(PROGRAMS)))
def test_programs_of_the_guide_run(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if "lithe.gym" in PROGRAMS[number]:
        pytest.importorskip("gymnasium")
    monkeypatch.chdir(ROOT)
    exec(compile(PROGRAMS[number], f"python.md, program {number}", "exec"), {})


def test_the_reference_is_made_from_the_current_docstrings() -> None:
    pytest.importorskip("gymnasium")
    check = subprocess.run(
        [sys.executable, ROOT / "tools" / "python-reference", "--check"],
        capture_output=True,
        text=True,
    )
    assert check.returncode == 0, check.stderr


def test_the_package_has_the_version_of_the_library() -> None:
    project = tomllib.loads((Path(ROOT) / "pyproject.toml").read_text())["project"]
    assert project["version"] == lithe.__version__
