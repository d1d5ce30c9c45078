# SPDX-License-Identifier: Apache-2.0
"""The schema of scene files serves editors: strict JSON, valid itself, and all scenes follow it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import ROOT, SCENES
from ruamel.yaml import YAML

SCHEMA: Any = json.loads((ROOT / "docs" / "lithe-scene.schema.json").read_text())
FILES = sorted(path for path in SCENES.rglob("*.yaml") if path.parent.name != "studies")
GUIDES = sorted((ROOT / "docs").rglob("*.md"))


def read(text: str) -> Any:
    """A file of YAML 1.2, in which `on` is a word."""
    return YAML(typ="safe", pure=True).load(text)


def errors(scene: Any) -> list[str]:
    found = jsonschema.Draft202012Validator(SCHEMA).iter_errors(scene)
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message}" for e in found]


def scenes_of(page: Path) -> list[str]:
    blocks = re.findall(r"^```yaml\n(.*?)^```", page.read_text(), flags=re.M | re.S)
    return [block for block in blocks if block.startswith("lithe: 1\n")]


def test_the_schema_is_valid() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.stem))
def test_every_scene_follows_the_schema(path: Path) -> None:
    assert errors(read(path.read_text())) == []


def test_every_whole_scene_of_the_docs_follows_the_schema() -> None:
    scenes = [(page.name, text) for page in GUIDES for text in scenes_of(page)]
    assert len(scenes) >= 5
    assert [(name, errors(read(text))) for name, text in scenes if errors(read(text))] == []


@pytest.mark.parametrize(
    "change",
    [
        {"rod": {}},  # misspelt section
        {"lithe": 2},
        {"time": {"step": "1 ms", "stop": "1 s"}},
        {"rods": {"a": {"nodes": [1]}}},
    ],
    ids=["section", "version", "key", "type"],
)
def test_the_schema_refuses_what_the_reader_refuses(change: dict[str, Any]) -> None:
    scene: Any = read((SCENES / "demo.yaml").read_text())
    assert errors({**scene, **change}) != []
