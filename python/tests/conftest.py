# SPDX-License-Identifier: Apache-2.0
"""Shared by the tests: the scenes, the command, a rope, grains and a box."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import lithe

ROOT = Path(__file__).resolve().parents[2]
SCENES = ROOT / "scenes"


def reset_interrupt() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interruptible(program: str) -> subprocess.Popen[str]:
    """Python that handles Ctrl-C also when the tests run in the background of a shell."""
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=reset_interrupt,
    )


def rope(nodes: int = 21, **more: Any) -> lithe.Scene:
    """A rope of 1 m along x, driven at its start along z, falling."""
    scene = lithe.Scene(
        title="rope", time={"step": "1 ms", "end": "0.1 s"}, record={"every": "5 ms"}, **more
    )
    scene.materials["rubber"] = lithe.Material(
        young="1 MPa", density="1000 kg/m^3", damping={"mass": "1 1/s"}
    )
    scene.rods["rope"] = lithe.Rod(
        material="rubber",
        section={"circle": {"radius": "5 mm"}},
        shape={"line": {"to": [1, 0, 0]}},
        nodes=nodes,
    )
    scene.drives["hand"] = lithe.Drive(on="rope.start", direction=[0, 0, 1])
    return scene


def grains() -> lithe.Scene:
    """Three balls of 5 mm above a floor, the last of them pushed."""
    scene = lithe.Scene(title="grains", time={"step": "1 ms", "end": "1 s"})
    scene.materials["glass"] = lithe.Material(young="1 MPa", density=2500, friction=0.3)
    scene.particles["grains"] = lithe.Particles(
        material="glass", radius="5 mm", positions=[[0, 0, 0.1], [0.1, 0, 0.1], [0.2, 0, 0.005]]
    )
    scene.bodies["floor"] = lithe.Body(shape={"half-space": {}}, material="glass", fixed=True)
    return scene


def box() -> lithe.Scene:
    """A box of 4 kg on a floor."""
    scene = lithe.Scene(title="box", time={"step": "1 ms", "end": "1 s"})
    scene.materials["wood"] = lithe.Material(young="1 MPa", density=500, friction=0.5)
    scene.bodies["box"] = lithe.Body(
        shape={"box": {"size": [0.2, 0.2, 0.2]}}, material="wood", at=[0, 0, 0.1]
    )
    scene.bodies["floor"] = lithe.Body(shape={"half-space": {}}, material="wood", fixed=True)
    return scene


@pytest.fixture
def command() -> str:
    """The command, built beside the package."""
    path = os.environ.get("LITHE", str(ROOT / "build" / "lithe"))
    if not os.access(path, os.X_OK):
        pytest.skip("the command lithe is not built")
    return path
