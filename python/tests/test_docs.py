# SPDX-License-Identifier: Apache-2.0
"""The documentation is correct: its programs run, its reference is that of the package."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from conftest import ROOT

import lithe

PAGES = ("python", "python-recordings")


def programs(page: str) -> list[str]:
    text = (ROOT / "docs" / "guide" / f"{page}.md").read_text()
    return re.findall(r"^```python\n(.*?)^```", text, flags=re.M | re.S)


def test_the_guides_have_programs() -> None:
    assert len(programs("python")) >= 7 and len(programs("python-recordings")) >= 4


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files that programs write and later ones read; the scenes are there."""
    path = tmp_path_factory.mktemp("guide")
    os.symlink(ROOT / "scenes", path / "scenes")
    return path


@pytest.mark.parametrize(
    "page, number", [(page, i) for page in PAGES for i in range(len(programs(page)))]
)
def test_programs_of_the_guides_run(
    page: str, number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = programs(page)[number]
    if "lithe.gym" in program or "gymnasium" in program:
        pytest.importorskip("gymnasium")
    if ".plot(" in program:
        pytest.importorskip("matplotlib")
    monkeypatch.chdir(folder)
    exec(compile(program, f"{page}.md, program {number}", "exec"), {})


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
