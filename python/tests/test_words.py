# SPDX-License-Identifier: Apache-2.0
"""Numbers, texts with units and names of users; what objects say about themselves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from conftest import SCENES, box, rope

import lithe

WHEEL = """
lithe: 1
gravity: none
time: {step: 1 ms, end: 1 s}
bodies:
  wheel: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
  cart: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}
joints:
  axle: {kind: revolute, child: wheel, axis: [0, 0, 1], position: 0.3 rad}
  rail: {kind: prismatic, child: cart, axis: [1, 0, 0]}
actuators:
  motor:
    {joint: axle, kind: position, stiffness: 100 N m/rad, damping: 10 N m s/rad, target: 0.3 rad}
  winch: {joint: rail, kind: force}
"""


def test_a_joint_with_one_degree_of_freedom_is_a_number() -> None:
    sim = lithe.loads(WHEEL).simulate()
    axle, motor = sim.joints["axle"], sim.actuators["motor"]
    motor.target = axle.position + 0.1
    assert motor.target == pytest.approx(0.4)
    assert float(axle.position) == math.sin(math.asin(float(axle.position))) == axle.position[0]
    assert f"{axle.position:.2f}" == "0.30" and "%.1f" % axle.position == "0.3"
    assert math.cos(axle.position) == pytest.approx(math.cos(0.3))
    before = axle.position
    sim.step(50)
    # it remains a view and an array, as it always was
    assert before[0] == axle.position[0] > 0.3
    assert isinstance(axle.position, np.ndarray) and axle.velocity.shape == (1,)
    assert float(axle.velocity) > 0 and float(axle.effort) > 0 and float(axle.limit_effort) == 0
    motor.target = np.array([0.5])
    motor.rate = np.float64(1)
    assert motor.target == pytest.approx(0.5)


def test_a_joint_is_set_as_in_the_scene() -> None:
    scene = lithe.load(SCENES / "double-pendulum.yaml")
    scene.set("joints.shoulder.position", "40 deg").set("joints.elbow.position", 0.2)
    given = scene.simulate()
    own = lithe.load(SCENES / "double-pendulum.yaml").simulate()
    own.joints["shoulder"].position = "40 deg"
    own.joints["elbow"].position = given.joints["elbow"].position
    assert (own.bodies["lower"].pose == given.bodies["lower"].pose).all()
    own.joints["elbow"].velocity = given.joints["elbow"].velocity[:] = 0.5
    assert own.hash == given.hash
    own.step(50)
    given.step(50)
    assert own.hash == given.hash and own.totals.energy_gain < 1e-6
    with pytest.raises(lithe.BadInput, match="'elbow': its position can be set before the first"):
        own.joints["elbow"].position = 0
    own.joints["elbow"].velocity = "-1 rad/s"
    assert own.joints["elbow"].velocity[0] == -1
    with pytest.raises(lithe.BadInput, match="velocity is '1 m/s', a speed; expected is an ang"):
        own.joints["elbow"].velocity = "1 m/s"
    with pytest.raises(lithe.BadInput, match="must be finite"):
        own.joints["elbow"].velocity = float("nan")


def test_quantities_may_be_texts_with_units() -> None:
    sim = rope().simulate()
    hand = sim.drives["hand"]
    hand.position = "5 mm"
    assert hand.position == pytest.approx(0.005)
    hand.speed = "20 cm/s"
    assert hand.speed == pytest.approx(0.2)
    sim.advance("10 ms", every="5 ms")
    assert sim.time == pytest.approx(0.01)
    sim.advance("15 ms", controller=lambda sim: None, period="1 ms")
    sim.rods["rope"].force = ["0 N", 0, "5 mN"]
    assert (sim.rods["rope"].force == [0, 0, 0.005]).all()
    assert len(sim.find_contacts("1 mm")) == 0
    assert sim.cast_ray(["50 cm", 0, 1], [0, 0, -1], "2 m") is not None
    sim = lithe.loads(WHEEL).simulate()
    sim.actuators["motor"].target = "90 deg"
    assert sim.actuators["motor"].target == pytest.approx(math.pi / 2)
    sim.actuators["winch"].target = "2 kN"
    assert sim.actuators["winch"].target == pytest.approx(2000)
    sim.bodies["wheel"].torque = ["1 N m", 0, 0]
    assert sim.bodies["wheel"].torque[0] == 1
    sim = lithe.load(SCENES / "arm-pose.yaml").simulate()
    start = sim.pose_drives["draw"].target
    sim.pose_drives["draw"].move(velocity=["10 cm/s", 0, 0])
    sim.step(10)
    assert sim.pose_drives["draw"].target[0] > start[0]


def test_wrong_units_and_texts_are_refused() -> None:
    sim = rope().simulate()
    wrong = r"drive 'hand': position is '5 N', a force; expected is a length \[m\]"
    with pytest.raises(lithe.BadInput, match=wrong):
        sim.drives["hand"].position = "5 N"
    with pytest.raises(lithe.BadInput, match="until is '1 m', a length; expected is a time"):
        sim.run("1 m")
    with pytest.raises(lithe.BadInput, match="every is 'often'"):
        sim.run(1, every="often")
    with pytest.raises(lithe.BadInput, match="force is '1 m', a length"):
        sim.rods["rope"].force = [0, 0, "1 m"]
    with pytest.raises(lithe.BadInput, match="position is None"):
        sim.drives["hand"].position = None  # type: ignore[assignment]
    wheel = lithe.loads(WHEEL).simulate()
    with pytest.raises(lithe.BadInput, match="'motor': target is '5 mm', a length; .* an angle"):
        wheel.actuators["motor"].target = "5 mm"
    with pytest.raises(lithe.BadInput, match="'winch': rate is '5 N', .* is a force per time"):
        wheel.actuators["winch"].rate = "5 N"


def test_misspelt_words_are_refused_at_once() -> None:
    with pytest.raises(lithe.BadInput, match="lithe.Rod has no 'materil', did you mean 'material'"):
        lithe.Rod(materil="rubber")
    with pytest.raises(lithe.BadInput, match="lithe.Scene has no 'titel', did you mean 'title'"):
        lithe.Scene(titel="a")
    rod = lithe.Rod(material="rubber")
    with pytest.raises(lithe.BadInput, match="did you mean 'nodes'"):
        rod["node"] = 3
    with pytest.raises(lithe.BadInput, match="did you mean 'along-only'"):
        lithe.Drive(on="rope.start", along_onyl=True)
    sim = rope().simulate()
    with pytest.raises(AttributeError, match="DriveView has no 'positon', did you mean 'position'"):
        sim.drives["hand"].positon = 1  # type: ignore[attr-defined]
    with pytest.raises(lithe.UnknownName, match="no 'hnad' among the drives, did you mean 'hand'"):
        sim.drives["hnad"]


def test_every_field_of_the_format_is_accepted() -> None:
    parts: list[tuple[str, Any]] = [("rods", lithe.Rod), ("bodies", lithe.Body)]
    for section, part in parts:
        for key in lithe._core.scene_keys[section]:
            part(**{key.replace("-", "_"): 1})


def test_objects_say_what_they_are() -> None:
    sim = rope().simulate()
    sim.step(10)
    assert repr(sim.rods["rope"]).startswith("<lithe RodView 'rope': 21 nodes, length 1")
    assert "position 0 m, speed 0 m/s, force" in repr(sim.drives["hand"])
    assert repr(sim.joints) == "<joints: none>" and repr(sim.rods) == "<rods: rope>"
    wheel = lithe.loads(WHEEL).simulate()
    assert "position 0.3, velocity 0" in repr(wheel.joints["axle"])
    assert "target 0.3 rad" in repr(wheel.actuators["motor"])
    assert repr(wheel.bodies["wheel"]) == "<lithe BodyView 'wheel': at [0, 0, 0] m>"
    arm = lithe.load(SCENES / "arm-rope.yaml").simulate()
    assert "active, force [" in repr(arm.constraints["grip"])
    assert repr(rope()) == "<lithe.Scene 'rope': 1 materials, 1 rods, 1 drives>"
    standing = box().simulate()
    standing.step(30)
    assert "with force" in repr(standing.contacts)
    run = sim.run()
    assert repr(run) == "<lithe.Run, not begun: iterate over it>"
    run.close()
    assert "1 rods, 1 drives" in repr(sim) and "at 0.01 of 0.1 s, 10 steps" in repr(sim)
    result = lithe.rollout(rope(), 2, until=0.005)
    assert repr(result) == "<lithe.Rollout of 2 runs, 0 failed: rope.position [2, 2, 21, 3]>"


def test_the_report_has_the_energy_in_the_springs_of_contacts() -> None:
    sim = box().simulate()
    assert sim.report.stored == 0
    sim.step(30)
    assert sim.report.stored > 0 and sim.report.friction_astray == 0
