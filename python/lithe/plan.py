# SPDX-License-Identifier: Apache-2.0
"""Plans: how an arm turns a ball through contact."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core, expression
from .scene import Scene

_Array = NDArray[np.float64]
_Index = NDArray[np.int32]
# what a nonlinear problem is made of: of an arm or a hand, the scene, terms of the user
_Source = tuple[str, Scene, tuple[Any, ...]]

# places of the variables of a step
_PLACES = {
    "lengths": (0, 9),
    "speeds": (9, 18),
    "quaternion": (18, 22),
    "spin": (22, 25),
    "efforts": (25, 34),
}
# those of a contact; each further one follows after the friction of the one before
_CONTACT = {"normal": (34, 35), "gap": (35, 36), "slip": (36, 38)}
_FRICTION = 39


def _contact_columns(name: str, directions: int, count: int) -> NDArray[np.int64]:
    """Columns of a quantity of all contacts, [contacts, components]."""
    low, high = (_FRICTION, _FRICTION + directions) if name == "friction" else _CONTACT[name]
    every = _FRICTION - _CONTACT["normal"][0] + directions
    return np.arange(count)[:, None] * every + np.arange(low, high)


def _nlp(source: _Source) -> Nlp:
    kind, scene, terms = source
    core = _core.Plan if kind == "arm" else _core.Hand
    return Nlp(core(scene._read(), *terms), source)


def _nlp_again(source: _Source, relaxed: tuple[float, bool] | None, start: _Array) -> Nlp:
    """The same after pickling."""
    made = _nlp(source)
    if relaxed is not None:
        made.relax(*relaxed)
    made.start = start
    return made


class Nlp:
    """The problem for other solvers: minimise f(x) with low <= g(x) <= high, lower <= x <= upper.

    Entries of the Jacobian of g, and of the lower triangle of the Hessian of factor f +
    multipliers' g, are at rows and columns that do not change; entries of the Hessian with the same
    place add. For SciPy: `coo_array((nlp.jacobian(x), (nlp.jacobian_row, nlp.jacobian_column)))`.
    """

    def __init__(self, core: _core.Plan | _core.Hand, source: _Source) -> None:
        self._core = core
        self._source = source
        self._relaxed: tuple[float, bool] | None = None
        sizes, arrays = core.sizes(), core.arrays()
        #: Number of variables.
        self.n: int = sizes["variables"]
        #: Number of constraints.
        self.m: int = sizes["constraints"]
        numbers = {k: np.frombuffer(arrays[k]) for k in ("start", "lower", "upper", "low", "high")}
        #: First guess: the arm at rest; the box on its way, turned about an edge.
        self.start: _Array = numbers["start"].copy()
        #: Bounds of the variables and of the constraints; an equation has low = high = 0.
        self.lower: _Array = numbers["lower"]
        self.upper: _Array = numbers["upper"]
        self.low: _Array = numbers["low"]
        self.high: _Array = numbers["high"]
        #: Places of the entries.
        self.jacobian_row: _Index = np.frombuffer(arrays["jacobian_row"], np.int32)
        self.jacobian_column: _Index = np.frombuffer(arrays["jacobian_column"], np.int32)
        self.hessian_row: _Index = np.frombuffer(arrays["hessian_row"], np.int32)
        self.hessian_column: _Index = np.frombuffer(arrays["hessian_column"], np.int32)

    def relax(self, epsilon: float, dynamic: bool = True) -> None:
        """Sets the bound of the products; without `dynamic` arm and fingers have no equations of
        motion."""
        if not epsilon > 0:
            raise _core.BadInput(f"epsilon is {epsilon}, must be > 0")
        self._core.relax(epsilon, dynamic)
        self._relaxed = (epsilon, dynamic)

    def __reduce__(self) -> tuple[Any, ...]:
        return _nlp_again, (self._source, self._relaxed, self.start)

    def f(self, x: ArrayLike) -> float:
        """The cost."""
        return self._core.evaluate("values", _numbers(x))[0]

    def g(self, x: ArrayLike) -> _Array:
        """The constraints."""
        return np.frombuffer(self._core.evaluate("values", _numbers(x))[1])

    def gradient(self, x: ArrayLike) -> _Array:
        """Gradient of the cost."""
        return np.frombuffer(self._core.evaluate("gradient", _numbers(x))[1])

    def jacobian(self, x: ArrayLike) -> _Array:
        """Entries of the Jacobian of the constraints."""
        return np.frombuffer(self._core.evaluate("jacobian", _numbers(x))[1])

    def hessian(self, x: ArrayLike, multipliers: ArrayLike, factor: float = 1.0) -> _Array:
        """Entries of the lower triangle of the Hessian."""
        return np.frombuffer(self._core.hessian(_numbers(x), factor, _numbers(multipliers)))


@dataclass(frozen=True)
class Plan:
    """A plan that was found."""

    #: All variables, step by step.
    x: _Array
    #: Whether the last level converged.
    converged: bool
    #: A dict for each level: epsilon, end, iterations, cost, infeasibility, error, seconds.
    levels: list[dict[str, Any]]
    #: 1 - (q.target)^2 at the end.
    error: float
    #: Largest product of two complements.
    products: float
    #: Largest residual of the equations.
    residual: float
    #: Steps with a normal force, and those with normal forces of several disks.
    touching: int
    together: int
    #: Time at the end of each step.
    time: _Array
    #: Names of the disks that touch.
    disks: tuple[str, ...]
    #: Directions of friction.
    directions: int

    def __getitem__(self, name: str) -> _Array:
        """`lengths`, `speeds`, `quaternion`, `spin`, `efforts`, `normal`, `gap`, `slip`,
        `friction` by step; with several disks the last four have an axis for them after the
        steps."""
        rows = self.x.reshape(len(self.time), -1)
        if name in _PLACES:
            low, high = _PLACES[name]
            return rows[:, low:high]
        if name not in (*_CONTACT, "friction"):
            raise KeyError(f"{name}; known: {', '.join((*_PLACES, *_CONTACT, 'friction'))}")
        made = rows[:, _contact_columns(name, self.directions, len(self.disks))]
        made = made[:, :, 0] if made.shape[2] == 1 else made
        return made[:, 0] if len(self.disks) == 1 else made


class Quantities:
    """Quantities of a step as expressions, for costs and constraints of a problem.

    `now["efforts"]` and the other names of a plan; of disks of the arm, in the world, `position`,
    `axis`, `rotation`, `velocity` and `angular_velocity`. Where several disks touch, `normal`,
    `gap`, `slip` and `friction` have a row for each.
    """

    def __init__(self, core: _core.Plan, before: bool) -> None:
        sizes = core.sizes()
        self._before = before
        self._directions: int = sizes["directions"]
        self._contacts: tuple[str, ...] = sizes["contacts"]
        self._disks, pose = core.disks()
        self._layout = ("arm", self._directions, self._contacts, tuple(self._disks), bytes(pose))
        numbers = np.frombuffer(pose)
        self._at, self._axes = numbers[:3], numbers[3:].reshape(3, 3)

    def __getitem__(self, name: str) -> Any:
        """An array of expressions; one expression for `normal` and `gap` of one disk. The ball's `quaternion`
        is its turn since the start, it and `spin` in the axes of the arm's base."""
        if name in _PLACES:
            return expression.variables(self._layout, self._before, range(*_PLACES[name]))
        if name not in (*_CONTACT, "friction"):
            raise KeyError(f"{name}; known: {', '.join((*_PLACES, *_CONTACT, 'friction'))}")
        columns = _contact_columns(name, self._directions, len(self._contacts))
        made = expression.variables(self._layout, self._before, [int(i) for i in columns.ravel()])
        made = made.reshape(columns.shape)
        made = made[:, 0] if columns.shape[1] == 1 else made
        return made[0] if len(self._contacts) == 1 else made

    def position(self, disk: str) -> expression.Expressions:
        """Centre of a disk of the arm in the world [m], such as `trunk/tip`: three expressions."""
        made: expression.Expressions = self._at + self._turned(disk, 0)
        return made

    def axis(self, disk: str) -> expression.Expressions:
        """Axis of a disk in the world, away from the root of the arm."""
        return self.rotation(disk)[:, 2]

    def rotation(self, disk: str) -> expression.Expressions:
        """Axes of a disk in the world, as columns of a matrix."""
        rows = expression.disk(self._layout, self._number(disk), 3, 9).reshape(3, 3)
        made: expression.Expressions = self._axes.astype(object) @ rows
        return made

    def velocity(self, disk: str) -> expression.Expressions:
        """Velocity of the centre of a disk in the world [m/s]."""
        return self._turned(disk, 12)

    def angular_velocity(self, disk: str) -> expression.Expressions:
        """Angular velocity of a disk in the world [rad/s]."""
        return self._turned(disk, 15)

    def _turned(self, disk: str, first: int) -> expression.Expressions:
        made: expression.Expressions = self._axes.astype(object) @ expression.disk(
            self._layout, self._number(disk), first, 3
        )
        return made

    def _number(self, disk: str) -> int:
        if self._before:
            raise _core.BadInput("disks are known at the end of a step: problem.now")
        if disk not in self._disks:
            raise _core.BadInput(f"'{disk}' is no disk of the arm; known: {', '.join(self._disks)}")
        return self._disks.index(disk)


def _limit(max_time: float) -> float:
    if not max_time >= 0:
        raise _core.BadInput(f"max_time is {max_time} s, must be >= 0 (0: as the scene says)")
    return max_time


def _problem_again(kind: Any, scene: Scene, terms: expression.Terms | None) -> Any:
    """A problem after pickling."""
    made = kind(scene)
    made._terms, made._stale = terms, terms is not None
    return made


class _Terms:
    """Costs and constraints of the user on quantities of a step."""

    _scene: Scene

    def __init__(self, steps: int, step: float, layout: expression.Layout) -> None:
        self._terms: expression.Terms | None = None
        self._layout = layout
        self._stale = False  # terms that the core does not have
        self._steps = steps
        #: Time at the end of each step.
        self.time: _Array = np.asarray(step * np.arange(1, steps + 1), np.float64)

    def data(self, values: ArrayLike) -> Any:
        """Numbers that differ from step to step, as an expression: [steps], or [steps, n] for an
        array of n expressions."""
        numbers = _numbers(values)
        if numbers.ndim not in (1, 2) or numbers.shape[0] != self._steps:
            raise _core.BadInput(f"data have the shape {numbers.shape}, must have {self._steps} rows")
        if numbers.ndim == 1:
            return expression.data(numbers)
        return expression.array([expression.data(column) for column in numbers.T])

    def minimise(self, cost: Any, *, weight: ArrayLike | None = None, name: str = "cost") -> None:
        """Adds a cost: an expression, or the sum of an array of them. It is summed over all steps,
        times the length of a step, or times `weight`: a number, or one for each step."""
        by = None if weight is None else self._by_step(weight, "weight")
        total = np.sum(np.asarray(cost, object))
        self._add(0, total, by, name)

    def constrain(
        self,
        value: Any,
        *,
        low: ArrayLike | None = None,
        high: ArrayLike | None = None,
        steps: Any = None,
        name: str = "constraint",
    ) -> None:
        """Keeps an expression, or each of an array, from `low` to `high`; where both are the same
        it is that number. steps: where it holds, as an index of an array of all steps (-1,
        slice(10, 20), a list, a mask); None: everywhere. Messages have the name."""
        if low is None and high is None:
            raise _core.BadInput(f"'{name}' has neither low nor high")
        by = None
        if steps is not None:
            by = np.zeros(self._steps)
            by[steps] = 1
            if not by.any():
                raise _core.BadInput(f"'{name}' holds in none of the {self._steps} steps")
        values = np.asarray(value, object)
        lows = np.broadcast_to(np.asarray(-np.inf if low is None else low, float), values.shape)
        highs = np.broadcast_to(np.asarray(np.inf if high is None else high, float), values.shape)
        for i in np.ndindex(values.shape):
            label = name + "".join(f"[{k}]" for k in i)
            if not lows[i] <= highs[i]:
                raise _core.BadInput(f"'{label}' is from {lows[i]} to {highs[i]}, must be in order")
            if lows[i] == highs[i]:
                self._add(1, values[i] - lows[i], by, label)
                continue
            if lows[i] > -np.inf:
                self._add(2, values[i] - lows[i], by, label)
            if highs[i] < np.inf:
                self._add(2, highs[i] - values[i], by, label)

    def _by_step(self, values: ArrayLike, what: str) -> _Array:
        numbers = np.asarray(values, np.float64)
        if numbers.ndim > 1 or (numbers.ndim == 1 and numbers.size != self._steps):
            raise _core.BadInput(f"{what} has the shape {numbers.shape}, must be a number or "
                                 f"{self._steps} numbers")
        return np.ascontiguousarray(np.broadcast_to(numbers, (self._steps,)))

    def _packed(self) -> tuple[Any, ...]:
        """Arguments for the compiled code: none, or the terms."""
        return () if self._terms is None else (self._terms.packed(),)

    def __reduce__(self) -> tuple[Any, ...]:
        return _problem_again, (type(self), self._scene, self._terms)

    def _add(self, kind: int, of: Any, by: _Array | None, name: str) -> None:
        if self._terms is None:
            self._terms = expression.Terms(self._steps, self._layout)
        self._terms.add(kind, of, by, name)
        self._stale = True


class Problem(_Terms):
    """The plan of a scene; `lithe.plan` solves it. Costs and constraints can be added. The scene
    is that of now: its later changes do not count."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene.copy()
        self._core = _core.Plan(scene._read())
        sizes = self._core.sizes()
        #: Quantities at the end of a step, and at its start, as expressions. Before the first step
        #: the arm is at rest: efforts and forces are 0.
        self.now = Quantities(self._core, False)
        self.before = Quantities(self._core, True)
        super().__init__(sizes["steps"], sizes["step"], self.now._layout)

    def _made(self) -> _core.Plan:
        if self._stale and self._terms is not None:
            self._core = _core.Plan(self._scene._read(), self._terms.packed())
            self._stale = False
        return self._core

    def nlp(self) -> Nlp:
        """The same problem for other solvers, at the last epsilon."""
        return Nlp(self._made(), ("arm", self._scene, self._packed()))

    def solve(self, max_time: float = 0.0) -> Plan:
        """Solves all levels; `max_time` is wall time in seconds, 0: as the scene says. Ctrl-C ends
        it with a warning and the best plan so far."""
        core = self._made()
        made = core.solve(_limit(max_time))
        made["x"] = np.frombuffer(made["x"])
        violated = made.pop("violated", "")
        if not made["converged"]:
            end = made["levels"][-1]["end"] if made["levels"] else "no level"
            warnings.warn(
                f"the plan did not converge: {end}{violated}", RuntimeWarning, stacklevel=3
            )
        entered = made.pop("entered", "")
        if entered:
            warnings.warn(entered, RuntimeWarning, stacklevel=3)
        sizes = core.sizes()
        return Plan(
            time=self.time, disks=sizes["contacts"], directions=sizes["directions"], **made
        )


def plan(scene: Scene, *, max_time: float = 0.0) -> Plan:
    """Finds the motion of the scene's `plan`, as the command `lithe plan` does."""
    return Problem(scene).solve(max_time)


# places of the variables of a step of a hand
_HAND_PLACES = {
    "angles": (0, 4),
    "speeds": (4, 8),
    "efforts": (8, 12),
    "box": (12, 15),
    "box_velocity": (15, 18),
}
_CONTACTS, _PER_CONTACT = 6, 6
# those of a contact; friction is the difference of two
_HAND_CONTACT = {"normal": (0,), "gap": (1,), "slip": (2,), "friction": (4, 5)}


@dataclass(frozen=True)
class HandPlan:
    """A plan of two fingers that turn a box, in their plane: x to the right, z up."""

    #: All variables, step by step.
    x: _Array
    #: Whether it converged, and how it ended.
    converged: bool
    end: str
    iterations: int
    cost: float
    #: Distance of the box from its target at the end [m], [rad].
    place: float
    angle: float
    #: Largest product of two complements.
    products: float
    #: Largest residual of the equations.
    residual: float
    #: Wall time [s].
    seconds: float
    #: Time at the end of each step.
    time: _Array

    def __getitem__(self, name: str) -> _Array:
        """By step: `angles`, `speeds` and `efforts` of the joints (left finger first), `box` (x, z,
        angle), `box_velocity`; of the contacts (left tip, right tip, four corners) `normal`, `gap`,
        `slip` and `friction`."""
        rows = self.x.reshape(len(self.time), -1)
        if name in _HAND_PLACES:
            low, high = _HAND_PLACES[name]
            return rows[:, low:high]
        if name not in _HAND_CONTACT:
            raise KeyError(f"{name}; known: {', '.join([*_HAND_PLACES, *_HAND_CONTACT])}")
        end = 18 + _CONTACTS * _PER_CONTACT
        contacts = rows[:, 18:end].reshape(len(rows), _CONTACTS, _PER_CONTACT)
        parts = [contacts[:, :, place] for place in _HAND_CONTACT[name]]
        return parts[0] if len(parts) == 1 else parts[0] - parts[1]


class HandQuantities:
    """Quantities of a step of a hand as expressions, in the plane of the fingers: x to the right, z
    up. `now["efforts"]` and the other names of a plan of a hand; of the tips `tip` and
    `tip_velocity`."""

    _layout = ("hand",)

    def __init__(self, before: bool) -> None:
        self._before = before

    def __getitem__(self, name: str) -> Any:
        """An array of expressions; of the contacts a row: left tip, right tip, four corners."""
        if name in _HAND_PLACES:
            return expression.variables(self._layout, self._before, range(*_HAND_PLACES[name]))
        if name not in _HAND_CONTACT:
            raise KeyError(f"{name}; known: {', '.join([*_HAND_PLACES, *_HAND_CONTACT])}")
        first = 18 + _PER_CONTACT * np.arange(_CONTACTS)
        parts = [
            expression.variables(self._layout, self._before, [int(i) for i in first + place])
            for place in _HAND_CONTACT[name]
        ]
        return parts[0] if len(parts) == 1 else parts[0] - parts[1]

    def tip(self, finger: str) -> expression.Expressions:
        """Centre of the tip of the `left` or `right` finger: x and z [m]."""
        return expression.disk(self._layout, self._number(finger), 0, 2)

    def tip_velocity(self, finger: str) -> expression.Expressions:
        """Its velocity [m/s]."""
        return expression.disk(self._layout, self._number(finger), 12, 2)

    def _number(self, finger: str) -> int:
        if self._before:
            raise _core.BadInput("tips are known at the end of a step: problem.now")
        if finger not in ("left", "right"):
            raise _core.BadInput(f"'{finger}' is no finger; known: left, right")
        return 0 if finger == "left" else 1


class HandProblem(_Terms):
    """The plan of a hand; `lithe.plan_hand` solves it. Costs and constraints can be added. The scene
    is that of now: its later changes do not count."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene.copy()
        steps, step = _core.hand_steps(scene._read())
        super().__init__(steps, step, HandQuantities._layout)
        #: Quantities at the end of a step, and at its start, as expressions. Before the first step
        #: the hand is at rest: efforts and forces are 0.
        self.now = HandQuantities(False)
        self.before = HandQuantities(True)

    def nlp(self) -> Nlp:
        """The same problem for other solvers, at the last epsilon."""
        return _nlp(("hand", self._scene, self._packed()))

    def solve(self, max_time: float = 0.0) -> HandPlan:
        """Solves both levels; `max_time` is wall time in seconds, 0: as the scene says. Ctrl-C ends
        it with a warning and the best plan so far."""
        made = _core.plan_hand(self._scene._read(), _limit(max_time), *self._packed())
        x = np.frombuffer(made.pop("x"))
        made.pop("step")
        violated = made.pop("violated")
        if not made["converged"]:
            warnings.warn(
                f"the plan did not converge: {made['end']}{violated}", RuntimeWarning, stacklevel=3
            )
        return HandPlan(x=x, time=self.time, **made)


def plan_hand(scene: Scene, *, max_time: float = 0.0) -> HandPlan:
    """Finds the motion of the scene's `plan: {hand: ...}`, as the command `lithe plan` does;
    `max_time` is wall time in seconds, 0: as the scene says."""
    return HandProblem(scene).solve(max_time)


def _numbers(x: ArrayLike) -> _Array:
    return np.ascontiguousarray(x, np.float64)
