# SPDX-License-Identifier: Apache-2.0
"""What Python costs: views, the loop around step, threads of rollout. python bench/python.py

Prints times; none of them is a test. Needs the package (pip install .) and build/lithe.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import lithe

ROOT = Path(__file__).parent.parent


def rod(nodes: int, end: float) -> lithe.Scene:
    """A rod that falls from one held end, without contact."""
    scene = lithe.Scene(
        time={"step": "1 ms", "end": end},
        contact={"enabled": False},
        record={"every": end},
    )
    scene.materials["rubber"] = lithe.Material(young="1 MPa", density=1000)
    scene.rods["rod"] = lithe.Rod(
        material="rubber",
        section={"circle": {"radius": "5 mm"}},
        shape={"line": {"to": [1, 0, 0]}},
        nodes=nodes,
    )
    scene.holds["end"] = lithe.Hold(on="rod.start")
    return scene


def seconds(
    call: Callable[[], object], clock: Callable[[], float] = time.perf_counter
) -> float:
    """The best of five."""
    best = float("inf")
    for _ in range(5):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best


def views() -> None:
    sim = rod(1_000_000, 0.001).simulate()
    view = seconds(lambda: [sim.rods["rod"].position for _ in range(1000)]) / 1000
    fresh = seconds(lambda: [np.asarray(sim._core.rod_q(0)) for _ in range(1000)]) / 1000
    copy = seconds(lambda: sim.rods["rod"].position.copy())
    print(f"positions of 10^6 nodes: view {1e6 * view:.2f} us, made anew {1e6 * fresh:.2f} us, "
          f"copy {1e6 * copy:.0f} us")


def loop() -> None:
    """A Python loop around step against the command, both without recording."""
    steps = 1000
    scene = rod(300, steps * 1e-3)
    sim = scene.simulate()
    start = sim.state

    def python() -> None:
        sim.state = start
        for _ in range(steps):
            sim.step()

    def at_once() -> None:
        sim.state = start
        sim.step(steps)

    # processor time says something on a busy machine, too
    many = seconds(python, time.process_time)
    one = seconds(at_once, time.process_time)
    print(f"{steps} calls of step() on a rod of 300 nodes: {many:.3f} s of the processor, "
          f"one call {one:.3f} s ({100 * (many / one - 1):+.1f} %)")
    own = seconds(python)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rod.yaml"
        path.write_text(scene.to_yaml())
        walls = []
        for _ in range(5):
            out = subprocess.run(
                [ROOT / "build" / "lithe", "run", path, "--out", Path(folder) / "x.h5", "--json"],
                check=True, capture_output=True, text=True,
            )
            summary = json.loads(out.stdout)
            if int(summary["hash"], 16) != sim.hash:
                sys.exit("build/lithe and the package are of different sources: build both")
            walls.append(summary["wall_seconds"])
    command = min(walls)
    print(f"{steps} steps of a rod of 300 nodes: python {own:.3f} s, lithe run {command:.3f} s "
          f"({100 * (own / command - 1):+.1f} %)")


def threads() -> None:
    scene = rod(300, 0.1)
    one = seconds(lambda: lithe.rollout(scene, 64, threads=1))
    two = seconds(lambda: lithe.rollout(scene, 64, threads=2))
    print(f"rollout of 64 runs of 100 steps: 1 thread {one:.2f} s, 2 threads {two:.2f} s "
          f"({one / two:.2f} x)")


if __name__ == "__main__":
    views()
    loop()
    threads()
