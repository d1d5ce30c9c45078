# SPDX-License-Identifier: Apache-2.0
"""Overhead of Python: views, the loop around step, threads of rollout. python bench/python.py

Prints times; none of them is a test. Needs the package (pip install .) and build/lithe.
"""

from __future__ import annotations

import json
import os
import statistics
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
    """A rod that falls, held at one end, without contact."""
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


def seconds(call: Callable[[], object]) -> float:
    """The best of five."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def paired(a: Callable[[], float], b: Callable[[], float], pairs: int) -> tuple[float, float]:
    """Median seconds of a, and of the ratio a/b; in both orders, since clock rates drift."""
    times, ratios = [], []
    for k in range(pairs):
        if k % 2:
            second, first = b(), a()
        else:
            first, second = a(), b()
        times.append(first)
        ratios.append(first / second)
    return statistics.median(times), statistics.median(ratios)


def views() -> None:
    sim = rod(1_000_000, 0.001).simulate()
    view = seconds(lambda: [sim.rods["rod"].position for _ in range(1000)]) / 1000
    fresh = seconds(lambda: [np.asarray(sim._core.rod_q(0)) for _ in range(1000)]) / 1000
    copy = seconds(lambda: sim.rods["rod"].position.copy())
    print(f"positions of 10^6 nodes: view {1e6 * view:.2f} us, created again {1e6 * fresh:.2f} us, "
          f"copy {1e6 * copy:.0f} us")


def loop() -> None:
    """A Python loop around step against the command, both without recording."""
    steps = 1000
    scene = rod(300, steps * 1e-3)
    sim = scene.simulate()
    start = sim.state

    # processor time of this thread is meaningful on a busy machine, too
    def python() -> float:
        sim.state = start
        began = time.thread_time()
        for _ in range(steps):
            sim.step()
        return time.thread_time() - began

    def at_once() -> float:
        sim.state = start
        began = time.thread_time()
        sim.step(steps)
        return time.thread_time() - began

    many, ratio = paired(python, at_once, 9)
    print(f"{steps} calls of step() on a rod of 300 nodes: {many:.3f} s, "
          f"{100 * (ratio - 1):+.1f} % against one call")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rod.yaml"
        path.write_text(scene.to_yaml())

        def used(end: str) -> float:
            """Processor time of the command, which has one thread."""
            words = [str(ROOT / "build" / "lithe"), "run", str(path), "--until", end, "--json"]
            process = subprocess.Popen(
                [*words, "--out", f"{folder}/x.h5", "--force"], stdout=subprocess.PIPE, text=True
            )
            assert process.stdout is not None
            text = process.stdout.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            hashes.append(int(json.loads(text)["hash"], 16))
            return usage.ru_utime + usage.ru_stime

        def command() -> float:
            """Processor time of the steps of the command, without its start and end."""
            nothing = used("1ms")
            return used("1s") - nothing

        hashes: list[int] = []
        many, ratio = paired(python, command, 31)  # each command starts a process: more noise
        if hashes[-1] != sim.hash:
            sys.exit("build/lithe and the package differ in their sources: build both")
    print(f"{steps} calls of step() on a rod of 300 nodes: {100 * (ratio - 1):+.1f} % against "
          "lithe run")
    still = lithe.Scene(time={"step": "1 ms", "end": "1 s"})
    still.materials["wood"] = lithe.Material(young="1 MPa", density=500)
    still.bodies["ball"] = lithe.Body(shape={"sphere": {"radius": 0.1}}, material="wood")
    ball = still.simulate()

    def ball_by_ball() -> float:
        began = time.thread_time()
        for _ in range(steps):
            ball.step()
        return time.thread_time() - began

    def balls() -> float:
        began = time.thread_time()
        ball.step(steps)
        return time.thread_time() - began

    one, ratio = paired(ball_by_ball, balls, 9)
    print(f"a call of step() for a single ball: {1e6 * one / steps:.2f} us, of which "
          f"{1e6 * one / steps * (1 - 1 / ratio):.2f} us are Python's")


def threads() -> None:
    scene = rod(300, 0.1)

    def clock(count: int) -> float:
        began = time.perf_counter()
        lithe.rollout(scene, 64, threads=count)
        return time.perf_counter() - began

    one, ratio = paired(lambda: clock(1), lambda: clock(2), 5)
    print(f"rollout of 64 runs of 100 steps: 1 thread {one:.2f} s, 2 threads {ratio:.2f} x as fast")


if __name__ == "__main__":
    views()
    loop()
    threads()
