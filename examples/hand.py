# SPDX-License-Identifier: Apache-2.0
"""A hand takes a soft ball from the table, lifts it and kneads it: python examples/hand.py [s] [x.h5]

The scene gives the hand a path and a script of its own; here a program commands both, step by step:
the hand as a velocity, from which the arm follows by inverse kinematics, and each finger by angles.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import lithe

FINGERS = ("index", "middle", "ring", "thumb")
OPEN = np.radians([-30, 30, 0])  # angles of the three joints that bend a finger
CLOSED = np.radians([20, 40, 30])
DOWN = 0.165  # height of the hand around the ball [m]
SPEED = 0.3  # of the hand [m/s]
PERIOD = 0.01  # of the controller [s]


def grip(time: float) -> float:
    """How far the fingers are closed: 0 open, 1 closed; from 3.6 s on they knead twice per second."""
    if time < 3.6:
        return float(np.clip(time - 1.4, 0, 1))
    return 0.8 + 0.2 * float(np.cos(4 * np.pi * (time - 3.6)))


def control(sim: lithe.Simulation) -> None:
    """Lowers the hand, closes the fingers and lifts the ball."""
    hand, time = sim.pose_drives["hand"], sim.time
    height = DOWN if time < 2.6 else 0.4
    speed = np.clip((height - hand.target[2]) / PERIOD, -SPEED, SPEED)
    hand.move(velocity=[0, 0, speed])
    for finger in FINGERS:
        for k, angle in enumerate(OPEN + grip(time) * (CLOSED - OPEN)):
            sim.actuators[f"{finger}-{k + 1}"].target = angle


if __name__ == "__main__":
    until = float(sys.argv[1]) if len(sys.argv) > 1 else 6.0
    record = sys.argv[2] if len(sys.argv) > 2 else None
    scene = lithe.load(Path(__file__).parent.parent / "scenes" / "hand.yaml")
    sim = scene.simulate()
    print("  time  height of the ball  widest  contacts")
    for frame in sim.run(until, every=0.2, controller=control, period=PERIOD, record=record):
        ball = sim.solids["ball"].position
        width = np.ptp(ball, axis=0).max()
        print(
            f"{frame.time:6.2f} {1e3 * ball[:, 2].mean():16.1f} mm {1e3 * width:5.1f} mm "
            f"{len(sim.contacts):9d}"
        )
