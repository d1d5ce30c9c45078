# SPDX-License-Identifier: Apache-2.0
"""An arm draws a circle with the free end of a rope: python examples/controller.py [s] [x.h5]

The arm holds the upper end. A controller measures where the lower end is, 100 times per second,
and commands the hand; without it the rope swings and its end leaves the circle.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import lithe

LENGTH = 0.3  # of the rope [m]
RADIUS = 0.10  # of the circle [m]
TURN = 2 * np.pi / 1.6  # a round in 1.6 s [rad/s]
PERIOD = 0.01  # of the controller [s]
GRIP = np.array([0.4845, 0.0, 0.395])  # where the fingers are at the start
HAND = GRIP + [0, 0, 0.0996]  # and the hand
# a hanging rope swings like a pendulum of this frequency [rad/s]
SWING = 1.2 * np.sqrt(9.81 / LENGTH)
DAMP = 0.04  # damping of the swing by the hand [s]
LEARN = 0.3  # learning rate of the correction [1/s]


def build() -> lithe.Scene:
    """The arm, and a rope that hangs from its hand."""
    scene = lithe.Scene(
        folder=Path(__file__).parent.parent / "scenes",
        title="An arm draws a circle with the end of a rope",
        time={"step": "2 ms", "end": "8 s"},
        record={"every": "20 ms"},
    )
    scene.materials["rope"] = lithe.Material(
        young="0.5 MPa", density="1100 kg/m^3", damping={"stiffness": "3 ms"}
    )
    scene.robots["arm"] = lithe.Robot(
        path="robots/arm7.urdf",
        positions={
            "joint2": "20 deg",
            "joint4": "-80 deg",
            "joint6": "80 deg",
            "finger_joint_left": "5 mm",
            "finger_joint_right": "5 mm",
        },
    )
    for side in ("left", "right"):
        scene.actuators[side] = lithe.Actuator(
            joint=f"arm/finger_joint_{side}", kind="prescribed", target="5 mm"
        )
    scene.rods["rope"] = lithe.Rod(
        material="rope",
        section={"circle": {"radius": "5 mm"}},
        shape={"line": {"from": GRIP, "to": GRIP - [0, 0, LENGTH]}},
        nodes=31,
    )
    scene.constraints["grip"] = lithe.Constraint(
        kind="attach", a={"on": "arm/hand", "at": [0, 0, 0.0996]}, b="rope.start"
    )
    scene.pose_drives["hand"] = lithe.PoseDrive(
        body="arm/hand", path=[{"time": 0, "at": HAND, "rotate": [0, "180 deg", 0]}]
    )
    return scene


def circle(time: float) -> tuple[NDArray[np.float64], ...]:
    """Target of the end of the rope: position, velocity, acceleration; eased in over 2 s."""
    s = min(time / 2, 1.0)
    grown, rate = s * s * (3 - 2 * s), 3 * s * (1 - s)
    c, d = np.cos(TURN * time), np.sin(TURN * time)
    x = RADIUS * grown * np.array([c, d, 0])
    v = RADIUS * (grown * TURN * np.array([-d, c, 0]) + rate * np.array([c, d, 0]))
    a = -(TURN**2) * x
    return x + GRIP - [0, 0, LENGTH], v, a


class Follower:
    """Moves the hand such that the end of the rope follows its target.

    The end swings as x'' = -swing^2 (x - hand), so the circle needs hand = x + x''/swing^2: this
    part is open loop. Measurements do the rest: the mean velocity of the rope is used to damp its
    swing, and the error of its end, in a frame that turns with the target, is integrated into a
    correction.
    """

    def __init__(self) -> None:
        self.trim = 0j  # correction of the hand, along and across the direction of the target

    def __call__(self, sim: lithe.Simulation) -> None:
        rope, hand = sim.rods["rope"], sim.pose_drives["hand"]
        target, speed, _ = circle(sim.time)
        gap = rope.position[-1] - target
        drift = rope.velocity.mean(axis=0) - speed

        turned = np.exp(1j * TURN * sim.time)
        self.trim -= LEARN * PERIOD * complex(gap[0], gap[1]) / turned
        trim = self.trim * turned

        ahead, _, bend = circle(sim.time + PERIOD)
        place = ahead + bend / SWING**2 - DAMP * drift + [trim.real, trim.imag, 0]
        shift = place - hand.target[:3]
        shift[2] = 0  # the hand keeps its height
        limit = 0.6 * PERIOD  # 0.6 m/s
        hand.move(velocity=shift * min(1, limit / max(float(np.linalg.norm(shift)), 1e-9)) / PERIOD)


def lead(sim: lithe.Simulation) -> None:
    """Without measurement: the hand itself follows the circle."""
    _, speed, _ = circle(sim.time)
    sim.pose_drives["hand"].move(velocity=speed)


def miss(controller: lithe.simulation.Controller, until: float, out: str | None) -> float:
    """Runs; root mean square of the horizontal error of the end after 4 s [m]."""
    sim = build().simulate()
    gaps = []
    for frame in sim.run(until, controller=controller, period=PERIOD, record=out):
        if frame.time > min(4.0, 0.5 * until):
            gap = sim.rods["rope"].position[-1] - circle(frame.time)[0]
            gaps.append(np.hypot(gap[0], gap[1]))
    return float(np.sqrt(np.mean(np.square(gaps))))


if __name__ == "__main__":
    end = float(sys.argv[1]) if len(sys.argv) > 1 else 8.0
    missed = miss(lead, end, None)
    print(f"hand goes round:     the end misses its circle by {1e3 * missed:.1f} mm")
    record = sys.argv[2] if len(sys.argv) > 2 else None
    missed = miss(Follower(), end, record)
    print(f"controller measures: the end misses its circle by {1e3 * missed:.1f} mm")
