# SPDX-License-Identifier: Apache-2.0
"""What moves and holds the things of a simulation, by name: drives, holds, actuators, pose drives
and constraints."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .numbers import Number, number, numbers
from .things import Floats, Thing, _row


class HoldView(Thing):
    """A hold, or a clamped end of a rod by the name `ROD/start` or `ROD/end`."""

    @property
    def point(self) -> Floats:
        """Computed [3]: middle of the nodes that it holds [m]."""
        return np.array(self._core.reaction(self._index, 0)[0])

    @property
    def force(self) -> Floats:
        """Computed [3]: what it exerts on its thing in the last step, world axes [N]."""
        return np.array(self._core.reaction(self._index, 0)[1])

    @property
    def torque(self) -> Floats:
        """Computed [3]: about its point in the last step, world axes [N m]."""
        return np.array(self._core.reaction(self._index, 0)[2])

    def _about(self) -> str:
        return f"force {_row(self.force, 'N')}, torque {_row(self.torque, 'N m')}"


class DriveView(Thing):
    """A drive of a rod or a solid. Setting `position` or `speed` overrides the scene; values are
    numbers in SI units or texts with a unit."""

    def _number(self, value: Number, rate: bool, what: str) -> float:
        unit = self._core.drive_units(self._index)[rate]
        return number(value, unit, f"drive '{self.name}': {what}")

    @property
    def force(self) -> float:
        """Force along its direction in the last step, without a direction its size [N]; a twist
        drive: torque [N m]."""
        return self._core.drive_read(self._index)[0]

    @property
    def torque(self) -> float:
        """Torque of a clamp about its axis in the last step [N m]."""
        return self._core.drive_read(self._index)[1]

    @property
    def force_vector(self) -> Floats:
        """Computed [3]: what it exerts in the last step, world axes [N]."""
        return np.array(self._core.reaction(self._index, 1)[1])

    @property
    def torque_vector(self) -> Floats:
        """Computed [3]: about its point in the last step, world axes [N m]."""
        return np.array(self._core.reaction(self._index, 1)[2])

    @property
    def point(self) -> Floats:
        """Computed [3]: middle of the nodes that it moves [m]."""
        return np.array(self._core.reaction(self._index, 1)[0])

    @property
    def position(self) -> float:
        """Displacement along its direction [m]; a twist drive: angle [rad].

        Set it to move the drive there in the next step: a drive without stiffness jumps there.
        """
        return self._core.drive_command(self._index)[0]

    @position.setter
    def position(self, value: Number) -> None:
        self._core.set_drive(self._index, self._number(value, False, "position"), 0.0, False)

    @property
    def speed(self) -> float:
        """Its speed [m/s or rad/s]. Set it to move the drive on from its current position."""
        return self._core.drive_command(self._index)[1]

    @speed.setter
    def speed(self, value: Number) -> None:
        speed = self._number(value, True, "speed")
        self._core.set_drive(self._index, self.position, speed, False)

    def turn(self, angle: Number, rate: Number = 0.0) -> None:
        """Sets the angle of a clamp about its axis [rad], and its rate from then on [rad/s]."""
        what = f"drive '{self.name}': "
        to, per_time = number(angle, "rad", what + "angle"), number(rate, "rad/s", what + "rate")
        self._core.set_drive(self._index, to, per_time, True)

    def _about(self) -> str:
        unit, rate = self._core.drive_units(self._index)
        force = _row(self.force, "N m" if unit == "rad" else "N")
        motion = f"position {_row(self.position, unit)}, speed {_row(self.speed, rate)}"
        return f"{motion}, force {force}"

    def release(self) -> None:
        """Returns it to the profile of the scene."""
        self._core.release_drive(self._index)


class ActuatorView(Thing):
    """An actuator of a joint. Setting `target` overrides the scene; values are numbers in SI units
    or texts with a unit."""

    def _number(self, value: Number, rate: bool, what: str) -> float:
        unit = self._core.actuator_units(self._index)[rate]
        return number(value, unit, f"actuator '{self.name}': {what}")

    @property
    def target(self) -> float:
        """Effort, position or velocity, depending on its kind; with an `area` a pressure."""
        return self._core.actuator_command(self._index)[0]

    @target.setter
    def target(self, value: Number) -> None:
        self._core.set_actuator(self._index, self._number(value, False, "target"), 0.0)

    @property
    def rate(self) -> float:
        """Rate of the target. Set it to change the target from its current value."""
        return self._core.actuator_command(self._index)[1]

    @rate.setter
    def rate(self, value: Number) -> None:
        self._core.set_actuator(self._index, self.target, self._number(value, True, "rate"))

    @property
    def effort(self) -> float:
        """What it exerts now, before its gear [N m; of a joint that slides, a chamber or a tendon:
        N]. Of a prescribed one: of its joint in the last step, less that of others."""
        return self._core.actuator_effort(self._index)

    def _about(self) -> str:
        return f"target {_row(self.target, self._core.actuator_units(self._index)[0])}"

    def release(self) -> None:
        """Returns it to the profile of the scene."""
        self._core.release_actuator(self._index)


class PoseDriveView(Thing):
    """A pose drive: an end effector that follows a path. `move` overrides the scene."""

    @property
    def target(self) -> Floats:
        """[7] target pose of the driven frame: x y z [m], unit quaternion w x y z."""
        return np.array(self._core.pose_drive_target(self._index))

    def move(
        self,
        position: Sequence[Number] | Floats | None = None,
        rotation: Sequence[float] | Floats | None = None,
        *,
        velocity: Sequence[Number] | Floats = (0.0, 0.0, 0.0),
        spin: Sequence[Number] | Floats = (0.0, 0.0, 0.0),
    ) -> None:
        """Sets the target pose (default: the current one), and its velocities from then on."""
        now, what = self.target, f"pose drive '{self.name}': "
        to = now[:3] if position is None else numbers(position, "m", what + "position")
        pose = np.concatenate([np.ravel(to), now[3:] if rotation is None else np.ravel(rotation)])
        motion = np.concatenate(
            [
                np.ravel(numbers(velocity, "m/s", what + "velocity")),
                np.ravel(numbers(spin, "rad/s", what + "spin")),
            ]
        )
        if pose.shape != (7,) or motion.shape != (6,):
            raise ValueError("a position needs 3 numbers, a rotation 4, each rate 3")
        self._core.set_pose_drive(
            self._index, tuple(map(float, pose)), tuple(map(float, motion))
        )

    def release(self) -> None:
        """Returns it to the profile of the scene."""
        self._core.release_pose_drive(self._index)

    def _about(self) -> str:
        return f"target {_row(self.target[:3], 'm')}"


class ConstraintView(Thing):
    """A constraint between two places."""

    @property
    def active(self) -> bool:
        """Whether it acts; set it to switch it (switching a broken one on repairs it)."""
        return self._core.constraint_read(self._index)[0]

    @active.setter
    def active(self, value: bool) -> None:
        self._core.set_constraint(self._index, value)

    @property
    def broken(self) -> bool:
        """Whether it is broken."""
        return self._core.constraint_read(self._index)[1]

    @property
    def force(self) -> Floats:
        """Computed [3]: on place b in the last step, world axes [N]."""
        return np.array(self._core.constraint_read(self._index)[2])

    @property
    def torque(self) -> Floats:
        """Computed [3]: on place b in the last step, world axes [N m]."""
        return np.array(self._core.constraint_read(self._index)[3])

    @property
    def place_a(self) -> Floats:
        """Computed [7]: of place a in the world, x y z and quaternion w x y z."""
        return np.array(self._core.constraint_read(self._index)[4])

    @property
    def place_b(self) -> Floats:
        """Computed [7]: of place b."""
        return np.array(self._core.constraint_read(self._index)[5])

    def _about(self) -> str:
        status = "broken" if self.broken else "active" if self.active else "switched off"
        return f"{status}, force {_row(self.force, 'N')}"
