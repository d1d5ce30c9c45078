# SPDX-License-Identifier: Apache-2.0
"""Runs that cannot be trusted warn, and stop past a limit."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from conftest import SCENES, rope

import lithe


def helix(scheme: str = "midpoint", limits: dict[str, int] | None = None) -> lithe.Scene:
    """A free rod of 30 edges, bent, naturally straight: nothing does work on it."""
    scene = lithe.Scene(
        time={"step": "10 ms", "end": "1 s", "scheme": scheme, **(limits or {})},
        gravity="none",
        contact={"enabled": False},
    )
    scene.materials["nylon"] = lithe.Material(young="20 MPa", density="1200 kg/m^3")
    scene.rods["rope"] = lithe.Rod(
        material="nylon",
        section={"circle": {"radius": "3 mm"}},
        shape={"helix": {"radius": "60 mm", "pitch": "60 mm", "turns": 2}},
        nodes=31,
    )
    return scene


def test_energy_from_nothing_warns_and_stops() -> None:
    sim = helix(limits={"max-energy-gain": 100}).simulate()
    with (
        pytest.warns(RuntimeWarning, match="energy has grown by"),
        pytest.raises(lithe.CannotGoOn, match="time.max-energy-gain is 100"),
    ):
        sim.step(100)
    assert 0 < sim.steps < 100


def test_a_limit_of_0_allows_it() -> None:
    scene = helix(limits={"max-energy-gain": 0, "max-unconverged": 0})
    sim = scene.simulate()
    start = sim.energy.total
    with pytest.warns(RuntimeWarning, match="energy has grown by"):
        sim.step(20)
    assert sim.energy.total > 2 * start


def test_a_rollout_raises_or_warns() -> None:
    scenes = [helix(), helix("backward-euler"), helix()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(lithe.CannotGoOn, match="energy has grown"):
            lithe.rollout(scenes, until=0.3, threads=2)
    with pytest.warns(RuntimeWarning, match="run 2 of 3: .*energy has grown"):
        result = lithe.rollout(scenes, until=0.3, threads=2, strict=False)
    assert [error is None for error in result.errors] == [False, True, False]
    assert np.isnan(result["rope.position"][0, -1]).all()
    assert not np.isnan(result["rope.position"][1, -1]).any()


def test_steps_that_do_not_converge_warn_and_stop() -> None:
    scene = rope()
    scene.set("time.max-iterations", 1)
    sim = scene.simulate()
    with (
        pytest.warns(RuntimeWarning, match="did not converge"),
        pytest.raises(lithe.CannotGoOn, match="20 steps in a row"),
    ):
        sim.step(50)
    assert sim.steps == 20


def test_friction_that_does_not_settle_warns() -> None:
    scene = lithe.load(SCENES / "capstan.yaml").set("contact.passes", 3)
    with pytest.warns(RuntimeWarning, match="the friction of two steps in a row did not settle"):
        scene.simulate().step(2)


def test_a_recording_with_another_ending_warns(tmp_path: Path) -> None:
    path = tmp_path / "run.txt"
    with pytest.warns(RuntimeWarning, match=r"run.txt: a run writes a recording, an HDF5 file"):
        helix("backward-euler").simulate().advance("10 ms", record=path)
    assert path.read_bytes()[1:4] == b"HDF"


def test_a_warning_can_be_an_exception() -> None:
    sim = helix(limits={"max-energy-gain": 100}).simulate()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*the strain of rod")
        with pytest.raises(RuntimeWarning, match="energy has grown"):
            sim.step(100)


def test_what_a_program_writes_into_the_state_is_no_gain() -> None:
    sim = rope().simulate()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*the strain of rod")
        sim.step(5)
        for speed in (1.0, 5.0, 25.0, 125.0):
            sim.rods["rope"].velocity[:] = [0, 0, speed]
            sim.step(2)
            sim.step(1)


def test_totals_count_the_steps_of_the_guard() -> None:
    sim = helix("tr-bdf2").simulate()
    calmed = euler = 0
    for _ in range(100):
        sim.step()
        calmed += sim.report.calmed > 0
        euler += sim.report.euler > 0
    totals = sim.totals
    assert (totals.scheme, totals.step, totals.steps) == ("tr-bdf2", 0.01, 100)
    assert (totals.steps_calmed, totals.steps_by_euler) == (calmed, euler)
    assert totals.steps_guarded >= max(calmed, euler) and calmed + euler > 0
