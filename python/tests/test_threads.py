# SPDX-License-Identifier: Apache-2.0
"""Threads and signals."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import pytest
from conftest import SCENES, interruptible, rope

import lithe


def test_two_threads_cannot_step_one_simulation_at_once() -> None:
    sim = rope(nodes=401).simulate()
    failed: list[BaseException] = []

    def steps() -> None:
        try:
            sim.step(10**9)
        except lithe.Interrupted as error:
            failed.append(error)

    thread = threading.Thread(target=steps)
    thread.start()
    deadline = time.monotonic() + 100
    while sim.steps == 0 and time.monotonic() < deadline:
        time.sleep(0.001)
    with pytest.raises(RuntimeError, match="another thread"):
        sim.step()
    sim.stop()
    thread.join(100)
    assert not thread.is_alive() and len(failed) == 1
    # between two calls: a stop is not lost, and counts once
    sim.stop()
    with pytest.raises(lithe.Interrupted):
        sim.step()
    sim.step()


def test_control_c_ends_a_run_and_keeps_the_recording(tmp_path: Path) -> None:
    program = f"""
import lithe, threading, time
sim = lithe.load({str(SCENES / "rope-coiling.yaml")!r}).simulate()
def tell():
    while sim.steps < 10:
        time.sleep(0.01)
    print("ready", flush=True)

threading.Thread(target=tell).start()
try:
    sim.advance(record={str(tmp_path / "x.h5")!r})
except KeyboardInterrupt:
    print("stopped", sim.time > 0, flush=True)
"""
    process = interruptible(program)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped True\n"
    assert process.wait(100) == 0
    assert (tmp_path / "x.h5").exists()


def test_ctrl_c_ends_a_long_step_and_what_follows_has_the_same_bits() -> None:
    scene = lithe.Scene(time={"step": "1 ms", "end": "1 s", "scheme": "backward-euler"})
    scene.materials["jelly"] = lithe.Material(young="1 MPa", poisson=0.3, density=1000)
    scene.solids["block"] = {
        "material": "jelly",
        "mesh": {"box": {"size": ["20 cm"] * 3, "divisions": [16, 16, 16]}},
    }
    scene.holds["wall"] = {"on": "block.x-min"}
    sim, other = scene.simulate(), scene.simulate()
    main = time.pthread_getcpuclockid(threading.get_ident())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def send(at: float) -> None:
        while time.clock_gettime(main) < at:
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    try:
        for after in (0.3, 0.7):  # of a step that takes a second
            began = time.clock_gettime(main)
            sender = threading.Thread(target=send, args=(began + after,))
            sender.start()
            with pytest.raises(KeyboardInterrupt):
                sim.step(100)
            assert time.clock_gettime(main) - began - after < 1
            sender.join()
    finally:
        signal.signal(signal.SIGINT, before)
    done = sim.steps
    sim.step()
    other.step(done + 1)
    assert sim.hash == other.hash
