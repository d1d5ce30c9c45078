# SPDX-License-Identifier: Apache-2.0
"""Equilibria, paths through limit points, modes and stability."""

from __future__ import annotations

import math

import numpy as np
import pytest

import lithe

TRUSS = """
lithe: 1
gravity: none
time: {step: 0.2 s, end: 40 s, scheme: static%s}
particles: {p: {mass: 1 kg, radius: 1 cm, at: [0, 0, 0.2]}}
holds: {plane: {on: "p[0]", hold: y}}
constraints:
  a: {kind: distance, a: {on: world, at: [-1, 0, 0]}, b: "p[0]", stiffness: 1000 N/m}
  b: {kind: distance, a: {on: world, at: [1, 0, 0]}, b: "p[0]", stiffness: 1000 N/m}
forces: {press: {on: "p[0]", force: [0, 0, -1], profile: {rate: 1}}}
"""


def load_of(z: float) -> float:
    return 2000 * (math.hypot(1, 0.2) - math.hypot(1, z)) * z / math.hypot(1, z)


def test_steps_by_arc_length_pass_a_limit_point() -> None:
    sim = lithe.loads(TRUSS % "").simulate()
    sim.equilibrium()
    path = []
    for _ in range(100):
        load = sim.arc_step(0.005)
        path.append((load, float(sim.particles["p"].position[0, 2]), sim.report.unstable))
    assert max(abs(load - load_of(z)) for load, z, _ in path) < 1e-9
    assert path[-1][1] < -0.2 and sim.load_time == sim.time == path[-1][0]
    assert {u for _, z, u in path if abs(z) < 0.1} == {1}
    with pytest.raises(lithe.BadInput, match="arc length is -1 m"):
        sim.arc_step(-1)


def test_a_scene_that_follows_its_arc_length_does_so_in_steps() -> None:
    sim = lithe.loads(TRUSS % ", follow: arc-length, arc: 5 mm").simulate()
    sim.step(100)
    assert sim.time == pytest.approx(20)
    z = float(sim.particles["p"].position[0, 2])
    assert z < -0.2 and sim.load_time == pytest.approx(load_of(z), abs=1e-9)
    assert sim.report.load_time == sim.load_time
    saved = sim.state
    sim.step(3)
    after = sim.hash
    sim.state = saved
    sim.step(3)
    assert sim.hash == after


def test_modes_about_an_equilibrium_with_contacts() -> None:
    scene = lithe.loads(
        """
lithe: 1
materials: {wood: {young: 10 GPa, density: 700 kg/m^3, contact: {stiffness: 1e6 N/m}}}
bodies:
  floor: {fixed: true, material: wood, shape: {half-space: {}}}
  box: {material: wood, at: [0, 0, 10 cm], shape: {box: {size: [20 cm, 20 cm, 20 cm]}}}
"""
    )
    sim = scene.simulate()
    sim.equilibrium()
    modes = sim.modes(6)
    assert modes.shapes.shape == (6, 6)
    # four contacts of two springs of 1e6 N/m in series
    up = math.sqrt(4 * 0.5e6 / 5.6)
    assert np.min(np.abs(modes.omega - up)) < 1e-4 * up
    assert np.all(modes.frequency > 0) and sim.unstable_count() == 0
    with pytest.raises(lithe.BadInput, match="count is 7"):
        sim.modes(7)


def test_an_unstable_equilibrium_warns_and_is_counted() -> None:
    scene = lithe.loads(
        """
lithe: 1
materials: {wood: {young: 10 GPa, density: 700 kg/m^3}}
bodies: {arm: {material: wood, at: [0, 0, 25 cm], shape: {box: {size: [2 cm, 2 cm, 50 cm]}}}}
joints: {hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0]}}
"""
    )
    sim = scene.simulate()
    with pytest.warns(RuntimeWarning, match="unstable: 1 negative pivot"):
        sim.equilibrium()
    assert sim.report.unstable == 1 and sim.unstable_count() == 1
    assert sim.modes(1).omega[0] < 0


SWING = """
lithe: 1
time: {step: 10 ms, end: 1 s, scheme: %s}
bodies:
  bob: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0, 0, -0.5]}
joints:
  top: {kind: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}
actuators:
  motor: {joint: top, kind: force, target: 0}
"""


def test_a_step_is_linearised_by_its_state_and_its_targets() -> None:
    sim = lithe.loads(SWING % "backward-euler").simulate()
    before = sim.hash
    linear = sim.linearise()
    assert sim.hash == before
    assert linear.changed == 0
    # a pendulum at rest: J v' = J v - h m g l q (weights act at the start), q' = q + h v'
    h, j, k = 0.01, 1e-2 + 0.25, 9.81 * 0.5
    a = np.array([[1 - h * h * k / j, h], [-h * k / j, 1]])
    b = np.array([[h * h / j], [h / j]])
    np.testing.assert_allclose(linear.a, a, rtol=1e-7)
    np.testing.assert_allclose(linear.b, b, rtol=1e-7)


def test_steps_of_other_schemes_are_not_linearised() -> None:
    sim = lithe.loads(SWING % "midpoint").simulate()
    with pytest.raises(lithe.NotSupported, match="backward-euler and linearly-implicit"):
        sim.linearise()
