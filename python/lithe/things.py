# SPDX-License-Identifier: Apache-2.0
"""The things of a simulation by name: rods, particles, bodies, joints, drives, constraints ..

Views are arrays of the simulation itself, without copies: they follow it from step to step and stay
valid as long as they are referenced (an array keeps the simulation alive). "Computed" means a new
array at each access.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

Floats = NDArray[np.float64]


def _view(array: _core.Array) -> Floats:
    return np.asarray(cast(Any, array))


class Thing:
    """A named part of a simulation."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        self._core = core
        self._index = index
        #: Its name in the scene.
        self.name = name

    def __repr__(self) -> str:
        return f"<lithe {type(self).__name__} '{self.name}'>"


T = TypeVar("T", bound=Thing)


class Things(Mapping[str, T], Generic[T]):
    """All parts of one kind, by name and in the order of the scene."""

    def __init__(self, core: _core.Simulation, kind: str, make: type[T]) -> None:
        self._kind = kind
        self._all: dict[str, T] = {
            name: make(core, i, name) for i, name in enumerate(core.names(kind))
        }

    def __getitem__(self, name: str) -> T:
        try:
            return self._all[name]
        except KeyError:
            known = ", ".join(self._all) if self._all else "the scene defines none"
            raise KeyError(f"no '{name}' among the {self._kind}: {known}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"<{self._kind}: {', '.join(self._all)}>"


class PointsView(Thing):
    """A thing that moves as N points: the nodes of a rod, for example."""

    def __init__(
        self,
        core: _core.Simulation,
        index: int,
        name: str,
        position: Floats,
        velocity: Floats,
        force: Floats,
    ) -> None:
        super().__init__(core, index, name)
        self._position = position
        self._velocity = velocity
        self._force = force

    @property
    def position(self) -> Floats:
        """View [N, 3] of the points [m]; read-only."""
        return self._position

    @property
    def velocity(self) -> Floats:
        """View [N, 3] of the points [m/s]; may be written, for initial velocities."""
        return self._velocity

    @property
    def force(self) -> Floats:
        """View [N, 3] of external forces on the points [N]; may be written."""
        return self._force


class RodView(PointsView):
    """A rod of N nodes, its points, and E edges (N - 1, or N when it is closed)."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        nodes, edges, closed = core.rod_size(index)
        q, v = _view(core.rod_q(index)), _view(core.rod_v(index))
        force = _view(core.rod_force(index))
        super().__init__(core, index, name, q[:, :3], v[:, :3], force)
        #: Number of nodes N.
        self.node_count = nodes
        #: Number of edges E.
        self.edge_count = edges
        #: Whether it is a closed loop.
        self.closed = closed
        self._twist, self._spin = q[:edges, 3], v[:edges, 3]

    @property
    def twist(self) -> Floats:
        """View [E]: twist angle of each edge against its reference frame [rad]; read-only."""
        return self._twist

    @property
    def spin(self) -> Floats:
        """View [E]: rate of the twist angles [rad/s]; may be written."""
        return self._spin

    def _compute(self, what: str, *shape: int) -> Floats:
        out = np.empty(shape)
        self._core.rod_read(self._index, what, out)
        return out

    @property
    def tension(self) -> Floats:
        """Computed [E]: axial force [N], positive in tension."""
        return self._compute("tension", self.edge_count)

    @property
    def director(self) -> Floats:
        """Computed [E, 3]: director m1 of each edge, the orientation of the section."""
        return self._compute("director", self.edge_count, 3)

    @property
    def curvature(self) -> Floats:
        """Computed [N, 2]: towards m1 and m2 [1/m]; 0 at free ends."""
        return self._compute("curvature", self.node_count, 2)

    @property
    def twist_rate(self) -> Floats:
        """Computed [N]: twist per length [rad/m]."""
        return self._compute("twist-rate", self.node_count)

    @property
    def moment(self) -> Floats:
        """Computed [N, 2]: bending moment [N m]."""
        return self._compute("moment", self.node_count, 2)

    @property
    def torque(self) -> Floats:
        """Computed [N]: twisting moment [N m]."""
        return self._compute("torque", self.node_count)

    @property
    def length(self) -> float:
        """Computed: length along the nodes [m]."""
        x = np.vstack([self.position, self.position[:1]]) if self.closed else self.position
        return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())

    @property
    def section(self) -> dict[str, Any]:
        """Its `kind` ("circle", ...), `radius`, `width` and `height` [m]."""
        return self._core.rod_section(self._index)


class ParticlesView(PointsView):
    """A set of N particles, each of them a point without rotation."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        position, velocity, force, radius, mass = (
            _view(core.particles_array(index, what)) for what in range(5)
        )
        super().__init__(core, index, name, position, velocity, force)
        #: Number of particles N.
        self.count = len(radius)
        self._radius, self._mass = radius, mass

    @property
    def radius(self) -> Floats:
        """View [N] of their radii [m]; read-only."""
        return self._radius

    @property
    def mass(self) -> Floats:
        """View [N] of their masses [kg]; read-only."""
        return self._mass

    def set_force(self, force: ArrayLike) -> None:
        """Sets external forces: [N, 3], or [3] the same on each [N]; they act until changed."""
        self._force[:] = force


class BodyView(Thing):
    """A rigid body."""

    def _read(self) -> tuple[Floats, Floats]:
        pose, velocity = np.empty(7), np.empty(6)
        self._core.body_read(self._index, pose, velocity)
        return pose, velocity

    @property
    def pose(self) -> Floats:
        """Computed [7]: x y z of its frame in the world [m], unit quaternion w x y z."""
        return self._read()[0]

    @property
    def position(self) -> Floats:
        """Computed [3]: of its frame's origin [m]."""
        return self._read()[0][:3]

    @property
    def rotation(self) -> Floats:
        """Computed [4]: unit quaternion w x y z."""
        return self._read()[0][3:]

    @property
    def velocity(self) -> Floats:
        """Computed [3]: of its frame's origin [m/s]."""
        return self._read()[1][:3]

    @property
    def angular_velocity(self) -> Floats:
        """Computed [3]: angular velocity, world axes [rad/s]."""
        return self._read()[1][3:]

    @property
    def spin(self) -> Floats:
        """The older name of `angular_velocity`."""
        return self.angular_velocity

    def _push(self) -> Floats:
        push = self._core.body_force(self._index)
        if push is None:
            raise _core.BadInput(f"body '{self.name}' is fixed: a force has no effect")
        return _view(push)

    @property
    def force(self) -> Floats:
        """View [3] of the external force at its frame's origin [N]; may be written."""
        return self._push()[:3]

    @force.setter
    def force(self, value: ArrayLike) -> None:
        self._push()[:3] = value

    @property
    def torque(self) -> Floats:
        """View [3] of the external torque, world axes [N m]; may be written."""
        return self._push()[3:]

    @torque.setter
    def torque(self, value: ArrayLike) -> None:
        self._push()[3:] = value


class JointView(Thing):
    """A joint; arrays have one number per degree of freedom (ball 4 and free 7 positions)."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        super().__init__(core, index, name)
        self._arrays = [_view(core.joint_array(index, what)) for what in range(3)]

    @property
    def position(self) -> Floats:
        """View [n]: angle or displacement of each degree of freedom [rad or m]; read-only."""
        return self._arrays[0]

    @property
    def velocity(self) -> Floats:
        """View [n]: [rad/s or m/s]; read-only."""
        return self._arrays[1]

    @property
    def effort(self) -> Floats:
        """View [n]: of its actuators in the last step [N m or N]; read-only."""
        return self._arrays[2]

    @property
    def limit_effort(self) -> Floats:
        """Computed [n]: of its limits of position and velocity in the last step [N m or N]."""
        return np.array(self._core.joint_limits(self._index))


class DriveView(Thing):
    """A drive of a rod. Setting `position` or `speed` overrides the scene."""

    @property
    def force(self) -> float:
        """Force along its direction in the last step [N]; a twist drive: torque [N m]."""
        return self._core.drive_read(self._index)[0]

    @property
    def torque(self) -> float:
        """Torque of a clamp about its axis in the last step [N m]."""
        return self._core.drive_read(self._index)[1]

    @property
    def position(self) -> float:
        """Displacement along its direction [m]; a twist drive: angle [rad].

        Set it to move the drive there in the next step: a drive without stiffness jumps there.
        """
        return self._core.drive_command(self._index)[0]

    @position.setter
    def position(self, value: float) -> None:
        self._core.set_drive(self._index, float(value), 0.0, False)

    @property
    def speed(self) -> float:
        """Its speed [m/s or rad/s]. Set it to move the drive on from its current position."""
        return self._core.drive_command(self._index)[1]

    @speed.setter
    def speed(self, value: float) -> None:
        self._core.set_drive(self._index, self.position, float(value), False)

    def turn(self, angle: float, rate: float = 0.0) -> None:
        """Sets the angle of a clamp about its axis [rad], and its rate from then on [rad/s]."""
        self._core.set_drive(self._index, float(angle), float(rate), True)

    def release(self) -> None:
        """Returns it to the profile of the scene."""
        self._core.release_drive(self._index)


class ActuatorView(Thing):
    """An actuator of a joint. Setting `target` overrides the scene."""

    @property
    def target(self) -> float:
        """Effort, position or velocity, depending on its kind."""
        return self._core.actuator_command(self._index)[0]

    @target.setter
    def target(self, value: float) -> None:
        self._core.set_actuator(self._index, float(value), 0.0)

    @property
    def rate(self) -> float:
        """Rate of the target. Set it to change the target from its current value."""
        return self._core.actuator_command(self._index)[1]

    @rate.setter
    def rate(self, value: float) -> None:
        self._core.set_actuator(self._index, self.target, float(value))

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
        position: Sequence[float] | Floats | None = None,
        rotation: Sequence[float] | Floats | None = None,
        *,
        velocity: Sequence[float] | Floats = (0.0, 0.0, 0.0),
        spin: Sequence[float] | Floats = (0.0, 0.0, 0.0),
    ) -> None:
        """Sets the target pose (default: the current one), and its velocities from then on."""
        now = self.target
        pose = np.concatenate(
            [now[:3] if position is None else position, now[3:] if rotation is None else rotation]
        )
        motion = np.concatenate([velocity, spin])
        if pose.shape != (7,) or motion.shape != (6,):
            raise ValueError("a position needs 3 numbers, a rotation 4, each rate 3")
        self._core.set_pose_drive(
            self._index, tuple(map(float, pose)), tuple(map(float, motion))
        )

    def release(self) -> None:
        """Returns it to the profile of the scene."""
        self._core.release_pose_drive(self._index)


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
