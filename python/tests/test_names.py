# SPDX-License-Identifier: Apache-2.0
"""One thing has one name in simulations and recordings."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import lithe

SCENE = """
lithe: 1
time: {step: 1 ms, end: 10 ms}
materials: {nylon: {young: 2 GPa, poisson: 0.35, density: 1100 kg/m^3}}
rods:
  rope: {section: {circle: {radius: 1 mm}}, material: nylon, nodes: 11, shape: {line: {from: [0,0,0], to: [60 cm,0,0]}}}
holds: {wall: {on: rope.start, hold: clamp}}
bodies:
  ball: {shape: {sphere: {radius: 5 cm}}, material: nylon, at: [0,0,1], angular-velocity: [0,0,3]}
  bob: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [2, 0, -0.5]}
joints: {hinge: {kind: revolute, child: bob, at: [2, 0, 0], axis: [0, 1, 0]}}
actuators: {motor: {joint: hinge, kind: force, target: 0.2 N m}}
constraints: {cord: {kind: distance, a: ball, b: world}}
record: {every: 5 ms, also: [ball.angular_velocity, ball.speed, rope.speed]}
"""

NAMES = {
    "rope.tension": ("rods", "rope", "tension"),
    "rope.speed": ("rods", "rope", "speed"),
    "ball.position": ("bodies", "ball", "position"),
    "ball.orientation": ("bodies", "ball", "orientation"),
    "ball.angular_velocity": ("bodies", "ball", "angular_velocity"),
    "ball.speed": ("bodies", "ball", "speed"),
    "hinge.position": ("joints", "hinge", "position"),
    "hinge.effort": ("joints", "hinge", "effort"),
    "actuators.motor.effort": ("actuators", "motor", "effort"),
    "holds.wall.force": ("holds", "wall", "force"),
    "constraints.cord.force": ("constraints", "cord", "force"),
}


def test_names_of_recordings_and_simulations_are_the_same(tmp_path: Path) -> None:
    sim = lithe.loads(SCENE).simulate()
    sim.advance(0.01, record=tmp_path / "a.h5")
    rec = lithe.open(tmp_path / "a.h5")
    for name, (kind, thing, what) in NAMES.items():
        now = getattr(getattr(sim, kind)[thing], what)
        then = getattr(getattr(rec, kind)[thing], what)
        assert np.array_equal(sim[name], now), name
        assert np.array_equal(rec[name], then), name
        assert np.allclose(then[-1], now, rtol=1e-12, atol=1e-15), name
    assert sim["energy.kinetic"] == sim.energy.kinetic
    assert rec.rods["rope"].radius == rec["rope.radius"]
    assert list(rec.bodies) == ["ball", "bob"] and len(rec.particles) == 0
    assert sim.actuators["motor"].effort == 0.2


def test_wrong_names_say_what_there_is(tmp_path: Path) -> None:
    sim = lithe.loads(SCENE).simulate()
    sim.advance(0.005, record=tmp_path / "a.h5")
    rec = lithe.open(tmp_path / "a.h5")
    with pytest.raises(lithe.UnknownName, match="did you mean 'tension'"):
        sim["rope.tensio"]
    with pytest.raises(lithe.UnknownName, match="did you mean 'rope'"):
        sim["rop.tension"]
    with pytest.raises(lithe.UnknownName, match="a name such as"):
        sim["rope"]
    with pytest.raises(AttributeError, match="did you mean 'tension'"):
        rec.rods["rope"].tensio  # noqa: B018
    with pytest.raises(lithe.UnknownName, match="did you mean 'rope'"):
        rec.rods["rop"]


def test_a_schedule_of_an_actuator_of_an_arm() -> None:
    scene = lithe.Scene()
    scene.arms["trunk"] = lithe.Arm(
        lengths=[0.15], masses=[0.4], radii=[0.03], stiffness=300, damping=20,
        disk_radius=0.04, drive="pressure", area="3 cm^2",
    )
    scene.actuators["trunk/1-1"] = lithe.Actuator(target="20 kPa")
    sim = scene.simulate()
    sim.step()
    assert sim.actuators["trunk/1-1"].effort == pytest.approx(6)
    assert sim.actuators["trunk/1-2"].effort == 0
