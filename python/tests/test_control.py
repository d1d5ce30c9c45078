# SPDX-License-Identifier: Apache-2.0
"""Control: drives, actuators, pose drives, forces, constraints, controllers."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import SCENES, box, rope

import lithe


def test_a_drive_with_a_speed_moves_as_one_of_the_scene() -> None:
    scene = rope()
    scene.drives["hand"]["speed"] = "0.25 m/s"  # type: ignore[index]
    given, own = scene.simulate(), rope().simulate()
    own.drives["hand"].speed = 0.25
    given.step(50)
    own.step(50)
    assert (given.rods["rope"].position == own.rods["rope"].position).all()
    assert own.drives["hand"].position == pytest.approx(0.0125)
    assert own.drives["hand"].force == given.drives["hand"].force != 0


def test_a_drive_follows_commands_until_it_is_released() -> None:
    sim = rope().simulate()
    hand = sim.drives["hand"]
    hand.position = 0.001
    sim.step()
    assert sim.rods["rope"].position[0, 2] == pytest.approx(0.001)
    hand.speed = 0.1
    sim.step(10)
    assert sim.rods["rope"].position[0, 2] == pytest.approx(0.002)
    hand.release()
    sim.step()
    assert sim.rods["rope"].position[0, 2] == pytest.approx(0)
    with pytest.raises(lithe.BadInput, match="drive 'hand'"):
        hand.speed = float("nan")
    with pytest.raises(lithe.BadInput, match="clamp"):
        hand.turn(0.1)


def test_forces_on_nodes_and_bodies_act() -> None:
    sim = rope(gravity="none", contact={"enabled": False}).simulate()
    sim.rods["rope"].force[-1] = [0, 0.01, 0]
    sim.step(20)
    assert sim.rods["rope"].velocity[-1, 1] > 0.05
    scene = box()
    scene.settings["gravity"] = "none"
    sim = scene.simulate()
    sim.bodies["box"].force = [0, 0, 8]
    sim.bodies["box"].torque[:] = [0, 0, 0.1]
    sim.step(100)
    assert sim.bodies["box"].velocity == pytest.approx([0, 0, 0.2])
    assert sim.bodies["box"].spin[2] == pytest.approx(0.1 * 0.1 / (4 * 0.04 / 6))
    with pytest.raises(lithe.BadInput, match="'floor' is fixed"):
        sim.bodies["floor"].force = [0, 0, 1]


def test_an_actuator_follows_its_target() -> None:
    sim = lithe.load(SCENES / "arm-rope.yaml").simulate()
    servo, joint = sim.actuators["servo7"], sim.joints["arm/joint7"]
    start = float(joint.position[0])
    servo.rate = 0.5
    sim.step(100)
    assert servo.target == pytest.approx(start + 0.05)
    assert joint.position[0] == pytest.approx(start + 0.05, abs=0.02)
    assert joint.effort.shape == joint.velocity.shape == (1,)
    servo.release()
    assert servo.target == 0


def test_a_velocity_limit_slows_a_joint_and_reports_its_effort() -> None:
    scene = lithe.loads(
        """
lithe: 1
gravity: none
time: {step: 1 ms, end: 1 s}
bodies: {wheel: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}
joints: {axle: {kind: revolute, child: wheel, axis: [0, 0, 1], speed: 2 rad/s}}
actuators: {motor: {joint: axle, kind: force, target: 1000 N m}}
"""
    )
    sim = scene.simulate()
    axle = sim.joints["axle"]
    assert axle.limit_effort == pytest.approx([0])
    sim.step(10)
    assert axle.velocity[0] == pytest.approx(2, abs=1e-6)
    assert axle.limit_effort == pytest.approx([-1000], rel=1e-6)


def test_a_pose_drive_follows_commands() -> None:
    sim = lithe.load(SCENES / "arm-pose.yaml").simulate()
    hand = sim.pose_drives["draw"]
    start = hand.target
    hand.move(velocity=[0, 0.1, 0])
    sim.step(100)
    assert hand.target[:3] == pytest.approx(start[:3] + [0, 0.02, 0])
    assert sim.bodies["arm/hand"].position == pytest.approx(hand.target[:3], abs=1e-6)
    with pytest.raises(lithe.BadInput, match="draw"):
        hand.move(rotation=[0, 0, 0, 0])
    hand.release()
    assert hand.target[:3] == pytest.approx(start[:3])


def test_constraints_are_read_and_switched() -> None:
    sim = lithe.load(SCENES / "arm-rope.yaml").simulate()
    grip = sim.constraints["grip"]
    sim.step(20)
    assert grip.active and not grip.broken
    assert np.linalg.norm(grip.force) > 0.1
    assert grip.place_a[:3] == pytest.approx(grip.place_b[:3], abs=1e-4)
    grip.active = False
    sim.step(20)
    assert not grip.active and np.linalg.norm(grip.force) == 0


def test_a_controller_is_called_before_each_step_or_each_period() -> None:
    times: list[float] = []
    sim = rope().simulate()
    sim.advance(0.01, controller=lambda sim: times.append(sim.time))
    assert times == pytest.approx([0.001 * k for k in range(10)])
    times.clear()
    sim = rope().simulate()
    sim.advance(0.02, period=0.004, controller=lambda sim: times.append(sim.time))
    assert times == pytest.approx([0, 0.004, 0.008, 0.012, 0.016])


def test_a_controller_closes_a_loop() -> None:
    def hold_still(sim: lithe.Simulation) -> None:
        # the middle of the rope must not move
        at = sim.rods["rope"].position[10]
        v = sim.rods["rope"].velocity[10]
        sim.rods["rope"].force[10] = 200 * (np.array([0.5, 0, 0]) - at) - 2 * v

    free, held = rope().simulate(), rope().simulate()
    free.advance()
    held.advance(controller=hold_still)
    assert abs(held.rods["rope"].position[10, 2]) < 0.2 * abs(free.rods["rope"].position[10, 2])


def test_what_a_controller_raises_comes_out() -> None:
    def fail(sim: lithe.Simulation) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        rope().simulate().advance(controller=fail)
