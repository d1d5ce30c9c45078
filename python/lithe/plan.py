# SPDX-License-Identifier: Apache-2.0
"""Plans: how an arm turns a ball through contact."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .scene import Scene

_Array = NDArray[np.float64]
_Index = NDArray[np.int32]

# places of the variables of a step
_PLACES = {
    "lengths": (0, 9),
    "speeds": (9, 18),
    "quaternion": (18, 22),
    "spin": (22, 25),
    "efforts": (25, 34),
    "normal": (34, 35),
    "gap": (35, 36),
    "slip": (36, 38),
}


class Nlp:
    """The problem for other solvers: minimise f(x) with low <= g(x) <= high, lower <= x <= upper.

    Entries of the Jacobian of g, and of the lower triangle of the Hessian of factor f +
    multipliers' g, are at rows and columns that do not change; entries of the Hessian with the same
    place add. For SciPy: `coo_array((nlp.jacobian(x), (nlp.jacobian_row, nlp.jacobian_column)))`.
    """

    def __init__(self, core: _core.Plan) -> None:
        self._core = core
        sizes, arrays = core.sizes(), core.arrays()
        #: Number of variables.
        self.n: int = sizes["variables"]
        #: Number of constraints.
        self.m: int = sizes["constraints"]
        numbers = {k: np.frombuffer(arrays[k]) for k in ("start", "lower", "upper", "low", "high")}
        #: First guess: the arm at rest.
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
        """Sets the bound of the products; without `dynamic` the arm has no equations of motion."""
        if not epsilon > 0:
            raise _core.BadInput(f"epsilon is {epsilon}, must be > 0")
        self._core.relax(epsilon, dynamic)

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
    #: Steps with a normal force.
    touching: int
    #: Time at the end of each step.
    time: _Array

    def __getitem__(self, name: str) -> _Array:
        """`lengths`, `speeds`, `quaternion`, `spin`, `efforts`, `normal`, `gap`, `slip` by step."""
        if name not in _PLACES:
            raise KeyError(f"{name}; known: {', '.join(_PLACES)}")
        low, high = _PLACES[name]
        rows = self.x.reshape(len(self.time), -1)[:, low:high]
        return rows[:, 0] if high == low + 1 else rows


class Problem:
    """The plan of a scene; `lithe.plan` solves it."""

    def __init__(self, scene: Scene) -> None:
        self._core = _core.Plan(scene._read())

    def nlp(self) -> Nlp:
        """The same problem for other solvers, at the last epsilon."""
        return Nlp(self._core)

    def solve(self, max_time: float = 0.0) -> Plan:
        """Solves all levels; `max_time` is wall time in seconds, 0: as the scene says."""
        made = self._core.solve(max_time)
        sizes = self._core.sizes()
        made["x"] = np.frombuffer(made["x"])
        if not made["converged"]:
            end = made["levels"][-1]["end"] if made["levels"] else "no level"
            warnings.warn(f"the plan did not converge: {end}", RuntimeWarning, stacklevel=3)
        return Plan(time=sizes["step"] * np.arange(1, sizes["steps"] + 1), **made)


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
        contacts = rows[:, 18:].reshape(len(rows), _CONTACTS, _PER_CONTACT)
        of_contacts = {"normal": contacts[:, :, 0], "gap": contacts[:, :, 1],
                       "slip": contacts[:, :, 2], "friction": contacts[:, :, 4] - contacts[:, :, 5]}
        if name not in of_contacts:
            raise KeyError(f"{name}; known: {', '.join([*_HAND_PLACES, *of_contacts])}")
        return of_contacts[name]


def plan_hand(scene: Scene, *, max_time: float = 0.0) -> HandPlan:
    """Finds the motion of the scene's `plan: {hand: ...}`, as the command `lithe plan` does;
    `max_time` is wall time in seconds, 0: as the scene says."""
    made = _core.plan_hand(scene._read(), max_time)
    x = np.frombuffer(made.pop("x"))
    step = made.pop("step")
    steps = x.size // (18 + _CONTACTS * _PER_CONTACT)
    return HandPlan(x=x, time=step * np.arange(1, steps + 1), **made)


def _numbers(x: ArrayLike) -> _Array:
    return np.ascontiguousarray(x, np.float64)
