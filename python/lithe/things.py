# SPDX-License-Identifier: Apache-2.0
"""The things of a simulation by name: rods, particles, solids, bodies, joints.

Views are arrays of the simulation itself, without copies: they follow it from step to step and stay
valid as long as they are referenced (an array keeps the simulation alive). "Computed" means a new
array at each access.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .numbers import Number, Numbers, OneNumber, UnknownName, listed, meant, number, numbers

Floats = NDArray[np.float64]


def _view(array: _core.Array) -> Floats:
    return np.asarray(cast(Any, array))


def _one(array: Floats) -> Floats:
    """Arrays of one number are also numbers."""
    return array.view(OneNumber) if array.size == 1 else array


class Thing:
    """A named part of a simulation."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        self._core = core
        self._index = index
        #: Its name in the scene.
        self.name = name

    if not TYPE_CHECKING:  # type checkers know all names

        def __setattr__(self, name: str, value: Any) -> None:
            # a misspelt command would have no effect
            if self.__dict__.get("_made") and not hasattr(self, name):
                known = [word for word in dir(self) if not word.startswith("_")]
                raise AttributeError(f"{type(self).__name__} has no '{name}'{meant(name, known)}")
            super().__setattr__(name, value)

    def _about(self) -> str:
        """Its current values, for people."""
        return ""

    def __repr__(self) -> str:
        about = self._about()
        return f"<lithe {type(self).__name__} '{self.name}'{': ' if about else ''}{about}>"


def _row(values: ArrayLike, unit: str) -> str:
    """A few numbers for people: "[1, 2.5, 0] m"."""
    words = [f"{value + 0.0:.4g}" for value in np.round(np.ravel(values), 12)]
    return f"{words[0] if len(words) == 1 else '[' + ', '.join(words) + ']'} {unit}".rstrip()


T = TypeVar("T", bound=Thing)


class Things(Mapping[str, T], Generic[T]):
    """All parts of one kind, by name and in the order of the scene."""

    def __init__(self, core: _core.Simulation, kind: str, make: type[T]) -> None:
        self._kind = kind
        self._all: dict[str, T] = {
            name: make(core, i, name) for i, name in enumerate(core.names(kind))
        }
        for thing in self._all.values():
            thing.__dict__["_made"] = True

    def __getitem__(self, name: str) -> T:
        try:
            return self._all[name]
        except KeyError:
            if not self._all:
                raise UnknownName(f"no '{name}': the scene has no {self._kind}") from None
            guess, known = meant(str(name), self._all), listed(list(self._all))
            there = f": {known}" if guess == "." else f"{guess} There are {known}"
            raise UnknownName(f"no '{name}' among the {self._kind}{there}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def __repr__(self) -> str:
        return f"<{self._kind}: {listed(list(self._all)) if self._all else 'none'}>"


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
    def speed(self) -> Floats:
        """Computed [N]: size of the velocity of each point [m/s]."""
        return np.asarray(np.linalg.norm(self._velocity, axis=1))

    @property
    def force(self) -> Floats:
        """View [N, 3] of external forces on the points [N]; may be written."""
        return self._force

    @force.setter
    def force(self, value: Numbers) -> None:
        self._force[:] = numbers(value, "N", f"'{self.name}': force")


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
        """Computed [E]: axial force [N], positive in tension; of a held end that at the end."""
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
    def strain(self) -> Floats:
        """Computed [N]: largest principal strain of the section, of tension, bending and twist.

        Of a section of measured stiffnesses that of the axis.
        """
        return self._compute("strain", self.node_count)

    @property
    def stress(self) -> Floats:
        """Computed [N]: largest von Mises stress of the section [Pa].

        NaN for a section of measured stiffnesses.
        """
        return self._compute("stress", self.node_count)

    @property
    def length(self) -> float:
        """Computed: length along the nodes [m]."""
        x = np.vstack([self.position, self.position[:1]]) if self.closed else self.position
        return float(np.linalg.norm(np.diff(x, axis=0), axis=1).sum())

    @property
    def section(self) -> dict[str, Any]:
        """Its `kind` ("circle", ...), `radius`, `width` and `height` [m]."""
        return self._core.rod_section(self._index)

    def _about(self) -> str:
        low, high = self.tension.min(), self.tension.max()
        loop = "closed, " if self.closed else ""
        return (
            f"{self.node_count} nodes, {loop}length {self.length:.4g} m, "
            f"tension {low:.3g} to {high:.3g} N"
        )


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

    def set_force(self, force: Numbers) -> None:
        """Sets external forces: [N, 3], or [3] the same on each [N]; they act until changed."""
        self.force = force

    def _about(self) -> str:
        return f"{self.count} particles, {float(self.mass.sum()):.4g} kg"


class SolidView(PointsView):
    """A soft solid of N nodes and E tetrahedra."""

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        position, velocity, force, mass = (
            _view(core.solid_array(index, what)) for what in range(4)
        )
        super().__init__(core, index, name, position, velocity, force)
        #: Number of nodes N.
        self.node_count = len(mass)
        self._mass = mass
        self._elements, self._triangles = (self._nodes(what) for what in range(2))

    def _nodes(self, what: int) -> NDArray[np.int32]:
        data, width = self._core.solid_nodes(self._index, what)
        return np.frombuffer(data, dtype=np.int32).reshape(-1, width)

    def _read_into(self, what: int, shape: tuple[int, ...]) -> Floats:
        out = np.empty(shape)
        self._core.solid_read(self._index, what, out)
        return out

    @property
    def mass(self) -> Floats:
        """View [N] of the shares of the nodes in the mass [kg]; read-only."""
        return self._mass

    @property
    def elements(self) -> NDArray[np.int32]:
        """Nodes [E, 4 or 10] of the tetrahedra; read-only."""
        return self._elements

    @property
    def triangles(self) -> NDArray[np.int32]:
        """Nodes [T, 3] of the triangles of the surface, counter-clockwise from outside; read-only."""
        return self._triangles

    @property
    def stress(self) -> Floats:
        """Cauchy stress [E, 6] of the elements: xx, yy, zz, yz, zx, xy [Pa]; computed."""
        return self._read_into(0, (len(self._elements), 6))

    @property
    def strain(self) -> Floats:
        """Green strain [E, 6] of the elements: xx, yy, zz, yz, zx, xy; computed."""
        return self._read_into(1, (len(self._elements), 6))

    @property
    def von_mises(self) -> Floats:
        """Von Mises stress [N] of the nodes, means over their elements [Pa]; computed."""
        return self._read_into(2, (self.node_count,))

    @property
    def mesh_error(self) -> Floats:
        """Estimated error of the mesh [E], parts of the elements; computed. Their sum is the share of
        the deflection that is missing: a stiffness is too large by share/(1 - share). NaN without
        strain."""
        return self._read_into(3, (len(self._elements),))

    def set_force(self, force: Numbers) -> None:
        """Sets external forces: [N, 3], or [3] the same on each [N]; they act until changed."""
        self.force = force

    def _about(self) -> str:
        return (
            f"{self.node_count} nodes, {len(self._elements)} tetrahedra, "
            f"{float(self.mass.sum()):.4g} kg"
        )


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
    def orientation(self) -> Floats:
        """The name of `rotation` in recordings."""
        return self.rotation

    @property
    def velocity(self) -> Floats:
        """Computed [3]: of its frame's origin [m/s]."""
        return self._read()[1][:3]

    @property
    def speed(self) -> float:
        """Computed: size of `velocity` [m/s]."""
        return float(np.linalg.norm(self.velocity))

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
    def force(self, value: Numbers) -> None:
        self._push()[:3] = numbers(value, "N", f"body '{self.name}': force")

    @property
    def torque(self) -> Floats:
        """View [3] of the external torque, world axes [N m]; may be written."""
        return self._push()[3:]

    @torque.setter
    def torque(self, value: Numbers) -> None:
        self._push()[3:] = numbers(value, "N m", f"body '{self.name}': torque")

    def _about(self) -> str:
        return f"at {_row(self.position, 'm')}"


class JointView(Thing):
    """A joint; arrays have one number per degree of freedom (ball 4 and free 7 positions).

    The array of a joint with one degree of freedom is also a number: `float(joint.position)`,
    `actuator.target = joint.position + 0.1`; `joint.position[0]` works as well.
    """

    def __init__(self, core: _core.Simulation, index: int, name: str) -> None:
        super().__init__(core, index, name)
        self._arrays = [_one(_view(core.joint_array(index, what))) for what in range(3)]

    @property
    def position(self) -> Floats:
        """View [n]: angle or displacement of each degree of freedom [rad or m].

        With one degree of freedom it can be assigned before the first step, to begin elsewhere;
        things that constraints tie to the moved bodies stay where they are.
        """
        return self._arrays[0]

    @position.setter
    def position(self, value: Number) -> None:
        unit = self._core.joint_units(self._index)[0]
        self._core.set_joint(
            self._index, number(value, unit, f"joint '{self.name}': position")
        )

    @property
    def velocity(self) -> Floats:
        """View [n]: [rad/s or m/s]; may be written."""
        return self._arrays[1]

    @velocity.setter
    def velocity(self, value: Numbers) -> None:
        # degrees of freedom of one joint may have different units: no texts for several
        if self._arrays[1].size == 1:
            unit = self._core.joint_units(self._index)[1]
            value = numbers(value, unit, f"joint '{self.name}': velocity")
        speeds = np.asarray(value, np.float64)
        if not np.isfinite(speeds).all():
            raise _core.BadInput(f"joint '{self.name}': velocity is {speeds}, must be finite")
        self._arrays[1][:] = speeds

    @property
    def effort(self) -> Floats:
        """View [n]: of its actuators in the last step [N m or N]; read-only."""
        return self._arrays[2]

    @property
    def limit_effort(self) -> Floats:
        """Computed [n]: of its limits of position and velocity in the last step [N m or N]."""
        return _one(np.array(self._core.joint_limits(self._index)))

    @property
    def force(self) -> Floats:
        """Computed [3]: what the world exerts on its tree through it in the last step, of the one
        joint that carries the tree, else 0; world axes [N]."""
        return np.array(self._core.reaction(self._index, 2)[1])

    @property
    def torque(self) -> Floats:
        """Computed [3]: the same about its place [N m]."""
        return np.array(self._core.reaction(self._index, 2)[2])

    def _about(self) -> str:
        return f"position {_row(self.position, '')}, velocity {_row(self.velocity, '')}"


class KnotView(Thing):
    """What is tied: the knot of a closed curve through strands of rods."""

    @property
    def determinant(self) -> int:
        """1: nothing, 3 trefoil, 5 figure eight, 9 square and granny knots; 0: undecided."""
        return self._core.knot_read(self._index)[0]

    @property
    def signature(self) -> int:
        """-2 right-handed trefoil, 2 left-handed, 0 square knot, 4 in size granny knot."""
        return self._core.knot_read(self._index)[1]

    @property
    def crossings(self) -> int:
        """Crossings of a view after curls and overlaps were removed."""
        return self._core.knot_read(self._index)[2]

    @property
    def clearance(self) -> float:
        """Least gap between the joining lines and the strands [m]; below 0 a line passes through one."""
        return self._core.knot_read(self._index)[3]

    def _about(self) -> str:
        return f"determinant {self.determinant}, signature {self.signature}"


class CavityView(Thing):
    """A cavity of a solid."""

    @property
    def pressure(self) -> float:
        """Pressure above that outside [Pa]."""
        return self._core.cavity_read(self._index)[0]

    @property
    def volume(self) -> float:
        """Volume of the hollow [m^3]."""
        return self._core.cavity_read(self._index)[1]

    def _about(self) -> str:
        return f"{self.pressure:.4g} Pa, {self.volume:.4g} m^3"
