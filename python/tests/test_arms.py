# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics and statics of soft arms against the simulator."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import lithe
from lithe.arms import Kinematics

SCENE = """
lithe: 1
time: {step: 1 ms, end: 1 s}
arms:
  trunk:
    at: [0.1, 0.2, 1]
    rotate: {axis: [1, 0, 0], angle: 180 deg}
    lengths: [15 cm, 18 cm, 12 cm]
    masses: [0.4 kg, 0.3 kg, 0.2 kg]
    radii: [4 cm, 3 cm, 3 cm]
    stiffness: 400 N/m
    damping: 10 N s/m
    disks: 2
    disk-radius: 4 cm
    drive: force
"""


def arm() -> Kinematics:
    return Kinematics([0.15, 0.18, 0.12], [0.04, 0.03, 0.03], masses=[0.4, 0.3, 0.2],
                      stiffness=400, at=[0.1, 0.2, 1], rotation=np.diag([1.0, -1.0, -1.0]))


def test_forces_of_inverse_statics_hold_the_tip_at_its_target() -> None:
    target = np.array([0.22, 0.12, 0.62])
    own = arm()
    found = own.reach(target)
    assert found.distance < 1e-9
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # this equilibrium is stable
        forces = own.forces(found.elongations)
    sim = lithe.loads(SCENE).simulate()
    for i in range(3):
        for k in range(3):
            sim.actuators[f"trunk/{i + 1}-{k + 1}"].target = forces[i, k]
    sim.equilibrium()
    assert np.linalg.norm(sim.bodies["trunk/tip"].position - target) < 1e-6


def test_forces_of_an_unstable_equilibrium_are_warned_of() -> None:
    # upright and straight; elongations (l, -l/2, -l/2) bend it by the angle b = l/r: springs take
    # 3/4 k r^2 b^2, and the tip falls by L b^2/6, so that it is stable up to 4.5 k r^2/L = 14.4 N
    for load, stable in ((14.3, True), (14.5, False)):
        own = Kinematics([0.15], [0.04], masses=[0.0], stiffness=300)
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            own.forces(np.zeros((1, 3)), load=[0, 0, -load])
        assert bool(seen) is not stable
        assert stable or "least stiffness is -" in str(seen[0].message)
    heavy = Kinematics([0.15] * 3, [0.03] * 3, masses=[0.3, 0.2, 0.1], stiffness=300)
    with pytest.warns(RuntimeWarning, match="but unstable"):
        heavy.forces(heavy.reach([0.12, 0.06, 0.38]).elongations)


def test_targets_out_of_reach_and_limits_leave_a_distance() -> None:
    own = arm()
    own.limits = (-0.02, 0.02)
    far = own.reach([0.1, 0.2, 0.3])
    assert np.all(np.abs(far.elongations) <= 0.02)
    assert far.distance == pytest.approx(0.7 - 0.45 - 3 * 0.02, abs=1e-3)
    with pytest.raises(ValueError, match="5 elongations, 9 are expected"):
        own.tip([0] * 5)
    with pytest.raises(ValueError, match="one each per section"):
        Kinematics([0.1, 0.1], [0.03])


def test_no_chamber_gets_a_length_below_zero() -> None:
    short = Kinematics([0.15, 0.15], [0.03, 0.03])
    for target in ([1.0, 0, 0], [0, 0, -0.5], [0, 0, 0.01], [0.3, -0.2, 0.1]):
        found = short.reach(target)
        assert (short.lengths[:, None] + found.elongations > 0.0149).all(), target
        assert np.linalg.norm(short.tip(found.elongations) - target) == pytest.approx(found.distance)
    # a shape that needs no such chamber is found as before
    assert short.reach([0.1, 0.05, 0.25]).distance < 1e-9


def test_workspace_is_bounded_by_the_longest_arm() -> None:
    places = arm().workspace(-0.03, 0.05, count=200)
    away = np.linalg.norm(places - np.array([0.1, 0.2, 1]), axis=1)
    assert places.shape == (200, 3) and away.max() <= 0.45 + 3 * 0.05 and away.min() > 0.05


def test_the_workspace_is_drawn_with_the_forces_that_hold_the_tip() -> None:
    pytest.importorskip("matplotlib").use("Agg")
    own = arm()
    figure = own.plot_workspace(-0.03, 0.05, count=50)
    side, above = figure.axes[0].collections[0], figure.axes[1].collections[0]
    places = own.workspace(-0.03, 0.05, count=50)
    np.testing.assert_allclose(side.get_offsets(), places[:, [0, 2]])
    np.testing.assert_allclose(above.get_offsets(), places[:, [0, 1]])
    assert side.get_array().min() > 0 and len(figure.axes) == 3  # the third has the colours
    with pytest.raises(ValueError, match="a section would have no length"):
        own.workspace(-0.2, 0.05)
    with pytest.raises(ValueError, match="in order"):
        own.workspace(0.05, -0.03)


def test_values_that_no_arm_has_are_refused() -> None:
    with pytest.raises(ValueError, match="all finite"):
        Kinematics([np.nan], [0.03])
    with pytest.raises(ValueError, match="stiffness >= 0"):
        Kinematics([0.1], [0.03], stiffness=-1)
    with pytest.raises(ValueError, match="a rotation matrix"):
        Kinematics([0.1], [0.03], rotation=2 * np.eye(3))
    with pytest.raises(ValueError, match="must be in order"):
        Kinematics([0.1], [0.03], limits=(0.1, -0.1))
    with pytest.raises(ValueError, match="elongations must be finite"):
        Kinematics([0.1], [0.03]).tip([0, np.nan, 0])


def test_targets_of_chambers_with_an_area_are_pressures() -> None:
    text = SCENE.replace("drive: force", "drive: pressure\n    area: 3 cm^2")
    sim = lithe.loads(text).simulate()
    chamber = sim.actuators["trunk/2-1"]
    chamber.target = "20 kPa"
    assert chamber.target == 20e3 and "2e+04 Pa" in repr(chamber)
    chamber.rate = "5 kPa/s"
    assert chamber.rate == 5e3
    with pytest.raises(lithe.BadInput, match=r"target is '6 N', a force; expected is a pressure \[Pa\]"):
        chamber.target = "6 N"
    sim.step()
    assert sim.joints["trunk/section-2"].effort[0] == pytest.approx(20e3 * 3e-4, rel=1e-3)
