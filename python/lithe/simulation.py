# SPDX-License-Identifier: Apache-2.0
"""A simulation: steps, runs, frames, and everything that can be read and controlled."""

from __future__ import annotations

import math
import os
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NoReturn, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from .contacts import Contacts
from .drives import ActuatorView, ConstraintView, DriveView, HoldView, PoseDriveView
from .numbers import Number, UnknownName, listed, meant, number
from .recording import Recording, open as open_recording
from .results import (
    Energy as Energy,
    Frame as Frame,
    Linearisation as Linearisation,
    Modes as Modes,
    Nearest as Nearest,
    RayHit as RayHit,
    Report as Report,
    Totals as Totals,
)
from .scene import Scene, load
from .state import State
from .things import BodyView, CavityView, JointView, KnotView, ParticlesView, RodView, SolidView, Things

#: Called between steps, to control the simulation.
Controller = Callable[["Simulation"], Any]

_MANY = sys.maxsize
# tolerance, as a fraction of a step, within which a time counts as reached
_REACHED = 1e-6


class Run(Iterator[Frame]):
    """Frames of a run, computed on demand; see `Simulation.run`."""

    def __init__(self, frames: Iterator[Frame]) -> None:
        self._frames = frames
        self._begun = False

    def __iter__(self) -> Run:
        return self

    def __next__(self) -> Frame:
        self._begun = True
        return next(self._frames)

    def __repr__(self) -> str:
        return f"<lithe.Run, {'begun' if self._begun else 'not begun: iterate over it'}>"

    def close(self) -> None:
        """Ends the run here; its recording has the frames so far."""
        self._begun = True
        close = getattr(self._frames, "close", None)
        if close is not None:
            close()

    def __del__(self) -> None:
        if not self._begun:
            warnings.warn(
                "nothing was simulated: sim.run(...) only steps while it is iterated over; "
                "sim.advance(...) runs immediately",
                RuntimeWarning,
                stacklevel=2,
            )


class Simulation:
    """A simulation of a scene: `scene.simulate()` makes one.

    Any thread may call it, but only one at a time; other Python threads continue during steps.
    """

    _make_scene: Callable[[], Scene]

    def __init__(self, scene: Scene, *, threads: int = 1) -> None:
        #: The simulated scene: a copy, which later changes of the scene do not affect.
        self.scene = scene.copy()
        self._begin(scene._read(), threads)

    @classmethod
    def _of(cls, read: _core.Scene, make_scene: Callable[[], Scene]) -> Simulation:
        """A simulation whose `scene` is made at its first use."""
        self = cls.__new__(cls)
        self._make_scene = make_scene
        self._begin(read, 1)
        return self

    def __getattr__(self, name: str) -> Any:
        # called for attributes that are missing
        if name != "scene" or "_make_scene" not in self.__dict__:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        self.scene = self._make_scene()
        return self.scene

    def _begin(self, read: _core.Scene, threads: int) -> None:
        core = _core.Simulation(read, threads)
        self._core = core
        #: Title of the scene.
        self.title = read.title
        #: Time step [s].
        self.time_step = read.step
        #: End of a run [s].
        self.end = read.end
        #: Time between frames [s]; 0: every step.
        self.every = read.every
        self.rods = Things(core, "rods", RodView)
        self.bodies = Things(core, "bodies", BodyView)
        self.particles = Things(core, "particles", ParticlesView)
        self.solids = Things(core, "solids", SolidView)
        self.joints = Things(core, "joints", JointView)
        self.cavities = Things(core, "cavities", CavityView)
        self.drives = Things(core, "drives", DriveView)
        self.holds = Things(core, "holds", HoldView)
        self.actuators = Things(core, "actuators", ActuatorView)
        self.pose_drives = Things(core, "pose-drives", PoseDriveView)
        self.constraints = Things(core, "constraints", ConstraintView)
        self.knots = Things(core, "knots", KnotView)
        self._things = core.names("things")
        self._path: NDArray[np.float64] = np.zeros(core.velocities)

    def __getitem__(self, name: str) -> Any:
        """The present value of a quantity by its name in recordings: `sim["rope.tension"]` is
        `sim.rods["rope"].tension`, `sim["constraints.pin.force"]` `sim.constraints["pin"].force`,
        and `sim["energy.kinetic"]` `sim.energy.kinetic`."""
        kinds: dict[str, Things[Any]] = {
            key: value for key, value in vars(self).items() if isinstance(value, Things)
        }
        words = name.split(".") if isinstance(name, str) else []
        folder = words[0].replace("-", "_") if len(words) == 3 else ""
        chosen = [kinds[folder]] if folder in kinds else list(kinds.values())
        first, what = ".".join(words[:-1]), words[-1].replace("-", "_") if words else ""
        if folder in kinds:
            first = words[1]
        owners = [things[first] for things in chosen if first in things]
        if first in ("energy", "report"):
            owners.append(getattr(self, first))
        for owner in owners:
            # properties of things, and their constants; fields of energies and reports
            own = isinstance(getattr(type(owner), what, None), property) or what in vars(owner)
            if own and not what.startswith("_"):
                return getattr(owner, what)
        if not owners:
            raise UnknownName(f"sim[{name!r}]: a name such as 'rope.tension' is expected, of a thing "
                              f"of the scene{meant(first, [n for k in kinds.values() for n in k])}")
        known = [word for word in dir(owners[0]) if not word.startswith("_")]
        raise UnknownName(f"sim[{name!r}]: '{first}' has no '{what}'{meant(what, known)} "
                          f"It has {listed(known)}")

    # --- status ---

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return self._core.time

    @property
    def load_time(self) -> float:
        """Time whose loads and targets act [s]: that of the state, except with
        `follow: arc-length`."""
        return self._core.load_time

    @property
    def steps(self) -> int:
        """Number of steps since the start."""
        return self._core.steps

    @property
    def dofs(self) -> int:
        """Number of degrees of freedom, free and held."""
        return self._core.dofs

    @property
    def report(self) -> Report:
        """Report of the last step."""
        return Report(**self._core.report())

    @property
    def totals(self) -> Totals:
        """Sums over all steps of this simulation."""
        return Totals(**self._core.totals())

    @property
    def energy(self) -> Energy:
        """Current energies of the whole model."""
        return Energy(**self._core.energy())

    @property
    def momentum(self) -> NDArray[np.float64]:
        """[3] total momentum [kg m/s]."""
        return np.array(self._core.momentum()[0])

    @property
    def angular_momentum(self) -> NDArray[np.float64]:
        """[3] total angular momentum about the origin [kg m^2/s]."""
        return np.array(self._core.momentum()[1])

    @property
    def contacts(self) -> Contacts:
        """Contacts of the last step with their forces, including those without force."""
        return Contacts(self._core, self._things, -1.0)

    def find_contacts(self, margin: Number = 0.0) -> Contacts:
        """Finds contacts of the state with gaps up to `margin` [m]; forces are unknown."""
        gap = number(margin, "m", "margin")
        if not gap >= 0:
            raise _core.BadInput(f"margin is {gap:g} m, must be >= 0")
        return Contacts(self._core, self._things, gap)

    def distance(self, a: str, b: str) -> Nearest:
        """Distance between two different things, by name."""
        distance, on_a, on_b = self._core.distance(a, b)
        return Nearest(distance, np.array(on_a), np.array(on_b))

    def cast_ray(
        self, origin: Sequence[Number], direction: Sequence[float], longest: Number = 1e3
    ) -> RayHit | None:
        """First hit of a ray within `longest` [m]; None: no hit."""
        x, y, z = (number(value, "m", "origin") for value in origin)
        u, v, w = map(float, direction)
        hit = self._core.ray((x, y, z), (u, v, w), number(longest, "m", "longest"))
        if hit is None:
            return None
        return RayHit(hit[0], np.array(hit[1]), np.array(hit[2]), self._things[hit[3]])

    # --- the state ---

    def _form(self) -> str:
        parts = [f"{name}:{rod.node_count}:{rod.closed}" for name, rod in self.rods.items()]
        for kind in ("bodies", "joints", "drives", "actuators", "pose-drives", "constraints"):
            parts.append(f"{kind}={','.join(self._core.names(kind))}")
        # states that were saved before particles existed do not mention them
        parts += [f"particles={name}:{set.count}" for name, set in self.particles.items()]
        parts += [f"solid={name}:{solid.node_count}" for name, solid in self.solids.items()]
        return ";".join(parts)

    @property
    def state(self) -> State:
        """A copy of the complete state; assign to it to restore a state."""
        return State(self._core.state(), self._form(), _core.state_layout)

    @state.setter
    def state(self, state: State) -> None:
        if state.form != self._form():
            raise _core.BadInput("a state of another scene: names or sizes of its objects differ")
        self._core.set_state(bytes(state), state.layout)
        self._path[:] = 0

    @property
    def hash(self) -> int:
        """Hash of the state: equal for bitwise identical states, also in other processes."""
        return self._core.hash()

    def copy(self, *, threads: int = 1) -> Simulation:
        """Another simulation of the same scene in the same state."""
        other = Simulation(self.scene, threads=threads)
        other.state = self.state
        return other

    # --- steps ---

    def step(self, n: int = 1) -> None:
        """Makes n steps. Raises `lithe.CannotGoOn` with the state before the step that failed, or
        after the step with which the limits `time.max-unconverged` or `time.max-energy-gain` were
        exceeded. Gives a `RuntimeWarning` where results are doubtful.
        """
        if n < 0:
            raise _core.BadInput(f"n is {n}, must be >= 0")
        self._core.advance(n, math.inf)

    def equilibrium(self) -> None:
        """Moves to the nearest equilibrium; contacts, constraints and joints take part.

        `report.unstable` counts the directions in which the energy falls from there.
        """
        self._core.equilibrium()
        self._path[:] = 0

    def arc_step(self, length: Number) -> float:
        """One step along the path of equilibria by its arc length, through limit points.

        The state must be an equilibrium, as after `equilibrium`. length: root mean square of the
        displacements, weighted by mass [m]. Returns the time of the loads at the new equilibrium
        [s], which is the time of the state and may fall. Calls keep their direction;
        `equilibrium` and a new state begin a path on which time grows. With `time: {scheme:
        static, follow: arc-length}` in the scene `step` does the same.
        """
        self._core.arc_step(number(length, "m", "length"), self._path)
        return self.load_time

    def modes(self, count: int = 10) -> Modes:
        """Modes of small vibration about the state, which should be an equilibrium: of everything
        together, with closed contacts as springs (friction sticks), constraints and joints."""
        if not 1 <= count <= self._core.velocities:
            raise _core.BadInput(f"count is {count}, must be from 1 to {self._core.velocities}")
        omega, shapes = np.empty(count), np.empty((count, self._core.velocities))
        self._core.modes(count, omega, shapes)
        return Modes(omega, shapes)

    def linearise(self) -> Linearisation:
        """Derivatives of the next step by the state and by the targets of the actuators.

        For controllers. Steps of backward-euler and linearly-implicit only; the state does not
        change. Warns where the step has no derivative: `changed` columns.
        """
        n, inputs = self._core.velocities, len(self.actuators)
        a, b = np.empty((2 * n, 2 * n)), np.empty((2 * n, inputs))
        changed = self._core.linearise(a, b)
        if changed > 0:
            warnings.warn(
                f"contacts change at the state itself: {changed} of {2 * n + inputs} columns "
                "are derivatives to one side",
                RuntimeWarning,
                stacklevel=2,
            )
        return Linearisation(a, b, changed)

    def unstable_count(self, shift: float = 0.0) -> int:
        """Number of directions in which the energy falls at the state: 0 is stable. A shift
        [1/s^2] times the mass is added to the stiffness, so that rigid motions do not count."""
        return self._core.unstable_count(float(shift))

    def stop(self) -> None:
        """Stops the steps of another thread, or its next ones if it is between two calls; they
        raise `lithe.Interrupted`."""
        self._core.stop()

    def run(
        self,
        until: Number | None = None,
        *,
        every: Number | None = None,
        record: str | os.PathLike[str] | None = None,
        controller: Controller | None = None,
        period: Number | None = None,
    ) -> Run:
        """Steps up to a time and yields frames: `for frame in sim.run(until=2):`.

        until: time to reach [s]; default: the end of the scene.
        every: time between frames [s], 0 for every step; default: that of the scene.
        record: file of a recording ("x.h5"), which includes the start.
        controller: called with the simulation before each step, or each `period` [s].
        """
        end = self.end if until is None else number(until, "s", "until")
        gap = self.every if every is None else number(every, "s", "every")
        pause = None if period is None else number(period, "s", "period")
        if not (math.isfinite(end) and end > self.time):
            raise _core.BadInput(f"until is {end:g} s, must be later than now, {self.time:g} s")
        if not (math.isfinite(gap) and gap >= 0):
            raise _core.BadInput(f"every is {gap:g} s, must be >= 0")
        if pause is not None and not (math.isfinite(pause) and pause > 0):
            raise _core.BadInput(f"period is {pause:g} s, must be > 0")
        return Run(self._frames(end, gap, record, controller, pause))

    def advance(
        self,
        until: Number | None = None,
        *,
        every: Number | None = None,
        record: str | os.PathLike[str] | None = None,
        controller: Controller | None = None,
        period: Number | None = None,
    ) -> Simulation:
        """The same as `run`, without iteration; returns the simulation."""
        for _ in self.run(until, every=every, record=record, controller=controller, period=period):
            pass
        return self

    def _after(self, gap: float) -> float:
        """The next multiple of a time."""
        if gap <= 0:
            return self.time
        slack = _REACHED * self.time_step
        return (math.floor((self.time + slack) / gap) + 1) * gap

    def _reached(self, time: float) -> bool:
        return self.time >= time - _REACHED * self.time_step

    def _to_frame(
        self, target: float, control: float, controller: Controller | None, period: float | None
    ) -> float:
        """Steps up to a frame; returns when control is due next."""
        core = self._core
        if controller is None:
            # if the target time is already reached, the next step is the frame
            core.advance(1 if self._reached(target) else _MANY, max(target, self.time + 1e-300))
            return control
        while True:
            if self._reached(control):
                controller(self)
                control = self.time if period is None else self._after(period)
            if period is None:
                core.advance(1, math.inf)
            else:
                core.advance(_MANY, min(target, control))
            if self._reached(target):
                return control

    def _frames(
        self,
        end: float,
        gap: float,
        record: str | os.PathLike[str] | None,
        controller: Controller | None,
        period: float | None,
    ) -> Iterator[Frame]:
        core = self._core
        if record is not None:
            core.record(os.fspath(record))
            core.take_frame()
        control = self.time
        index = 0
        why: str | None = None
        try:
            while not self._reached(end):
                why = None
                target = self._after(gap) if gap > self.time_step else self.time + self.time_step
                control = self._to_frame(min(target, end), control, controller, period)
                if record is not None:
                    core.take_frame()
                why = "the program left the run"
                yield Frame(index, self.time, self.steps)
                index += 1
            why = None
        except GeneratorExit:
            raise
        except BaseException as error:
            why = str(error) or type(error).__name__
            raise
        finally:
            if record is not None:
                core.finish(why)

    # --- display ---

    def snapshot(self) -> Recording:
        """The current state as a recording of one frame, with the names of recordings."""
        return Recording(self._core.snapshot(), "the simulation")

    @overload
    def picture(self, path: None = None, **look: Any) -> NDArray[np.uint8]: ...
    @overload
    def picture(self, path: str | os.PathLike[str], **look: Any) -> None: ...
    def picture(
        self, path: str | os.PathLike[str] | None = None, **look: Any
    ) -> NDArray[np.uint8] | None:
        """A picture of the current state; arguments as of `Recording.picture`."""
        now = self.snapshot()
        return now.picture(**look) if path is None else now.picture(path, **look)

    def _about(self) -> str:
        kinds = (self.rods, self.particles, self.solids, self.bodies, self.joints, self.drives)
        found = [f"{len(things)} {things._kind}" for things in kinds if len(things)]
        return f"at {self.time:g} of {self.end:g} s, {self.steps} steps; {', '.join(found)}"

    def __reduce__(self) -> NoReturn:
        raise TypeError(
            "a simulation cannot be pickled: pickle sim.scene and sim.state, then "
            "again = scene.simulate(); again.state = state"
        )

    def __repr__(self) -> str:
        title = f" '{self.title}'" if self.title else ""
        return f"<lithe.Simulation{title} {self._about()}>"

    def _repr_html_(self) -> str:
        from .notebook import player

        return player(self.snapshot(), f"{self.title or 'Simulation'}: {self._about()}")


def run(
    scene: Scene | str | os.PathLike[str],
    until: Number | None = None,
    *,
    record: str | os.PathLike[str] | None = None,
    every: Number | None = None,
    threads: int = 1,
) -> Recording:
    """Simulates a scene, or a scene file, and returns its recording, as the command `lithe run`.

    until: time to reach [s]; default: the end of the scene.
    record: file of the recording; default: the name of the scene file with .h5, in the current folder.
    every: time between frames [s]; default: that of the scene.

    `lithe.load(file).simulate()` gives a simulation to step, control and change instead.
    """
    if not isinstance(scene, Scene):
        name = os.fspath(scene)
        if record is None:
            record = os.path.splitext(os.path.basename(name))[0] + ".h5"
        scene = load(name)
    if record is None:
        raise _core.BadInput('the scene is no file, so its recording needs a name: record="x.h5"')
    scene.simulate(threads=threads).advance(until, every=every, record=record)
    return open_recording(record)
