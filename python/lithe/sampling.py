# SPDX-License-Identifier: Apache-2.0
"""Search for commands of actuators by simulations alone: predictive sampling, the cross-entropy
method (CEM) and path integrals (MPPI), over `lithe.rollout`.

No derivatives and no model of contact but the simulator's: a baseline for `lithe.plan`.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from types import ModuleType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .parallel import rollout
from .scene import Scene
from .simulation import Simulation

_Array = NDArray[np.float64]

#: Cost of a frame: a number that is integrated over time; and, given `True`, of the last one.
Cost = Callable[[Simulation, bool], float]

METHODS = ("sampling", "cem", "mppi")


@dataclass(frozen=True)
class Search:
    """What a search found."""

    #: [knots] times of the commands [s].
    time: _Array
    #: [knots, actuators] the best commands that were simulated, linear between the times.
    commands: _Array
    #: Their cost.
    cost: float
    #: [iterations] least cost so far.
    costs: _Array
    #: Simulations made, and those that failed.
    runs: int
    failed: int


class _Commands:
    """Sets the commands of each run; one object serves all threads."""

    def __init__(self, names: Sequence[str], time: _Array, commands: _Array, cost: Cost,
                 begin: Callable[[Simulation], object] | None) -> None:
        self.names, self.time, self.commands, self.cost = list(names), time, commands, cost
        self.begin = begin
        self.runs: dict[int, int] = {}

    def prepare(self, sim: Simulation, index: int) -> None:
        self.runs[id(sim)] = index
        if self.begin is not None:
            self.begin(sim)

    def control(self, sim: Simulation) -> None:
        rows = self.commands[self.runs[id(sim)]]
        for k, name in enumerate(self.names):
            sim.actuators[name].target = float(np.interp(sim.time, self.time, rows[:, k]))

    def observe(self, sim: Simulation) -> dict[str, float]:
        return {"stage": float(self.cost(sim, False)), "last": float(self.cost(sim, True))}


def _bounds(value: ArrayLike | None, otherwise: float, shape: tuple[int, ...]) -> _Array:
    return np.broadcast_to(np.asarray(otherwise if value is None else value, np.float64), shape)


def _renamed(old: str, old_value: ArrayLike | None, new: str,
             value: ArrayLike | None) -> ArrayLike | None:
    """The value of an argument that had another name."""
    if old_value is None:
        return value
    if value is not None:
        raise _core.BadInput(f"{old} and {new} are both given, {old} is the old name of {new}")
    warnings.warn(f"{old} of lithe.sampling.search is now called {new}", DeprecationWarning,
                  stacklevel=3)
    return old_value


def _new_mean(method: str, mean: _Array, spread: _Array, tries: _Array, costs: _Array,
              elite: int, temperature: float, least: _Array) -> tuple[_Array, _Array]:
    order = np.argsort(costs, kind="stable")
    if method == "sampling":
        return tries[order[0]], spread
    if method == "cem":
        best = tries[order[:elite]]
        # half-way: few samples would narrow too soon
        return best.mean(0), np.maximum(0.5 * (spread + best.std(0)), least)
    finite = np.isfinite(costs)
    span = costs[finite].std() if finite.any() else 0.0
    scale = temperature * span if span > 0 else 1.0
    weights = np.where(finite, np.exp(-(costs - costs[order[0]]) / scale), 0.0)
    return np.tensordot(weights / weights.sum(), tries, 1), spread


def search(
    scene: Scene,
    actuators: Sequence[str],
    cost: Cost,
    *,
    until: float,
    spread: ArrayLike,
    method: str = "cem",
    knots: int = 8,
    samples: int = 32,
    iterations: int = 20,
    start: ArrayLike = 0.0,
    low: ArrayLike | None = None,
    high: ArrayLike | None = None,
    begin: Callable[[Simulation], object] | None = None,
    elite: int | None = None,
    temperature: float = 0.3,
    seed: int = 0,
    threads: int | None = None,
    executor: Executor | ModuleType | None = None,
    lower: ArrayLike | None = None,
    upper: ArrayLike | None = None,
) -> Search:
    """Searches commands of actuators that make the cost of a simulation least.

    actuators: their names; commands are linear in time between `knots` times from 0 to `until`.
    cost: called as cost(sim, last) at each step. The sum is cost(sim, False) times the step over
        all steps, and cost(sim, True) at the end.
    spread: standard deviation of the tries; of each actuator, or of all.
    method: sampling takes the best try as the next mean (predictive sampling); cem the mean and the
        deviation of the `elite` best ones, by default a quarter; mppi the mean with weights
        exp(-cost/(temperature times the deviation of the costs)).
    start: commands to begin with, [knots, actuators], [actuators] or a number; low, high: bounds.
    begin: called with each simulation before it starts.
    seed, threads, executor: results depend on the seed, not on threads or executor.
    lower, upper: old names of low and high.

    A run that fails has an infinite cost; a search in which all do raises `BadInput`.
    """
    if method not in METHODS:
        raise _core.BadInput(f"method is {method!r}, must be one of {', '.join(METHODS)}")
    if not knots >= 2 or not samples >= 2 or not iterations >= 1:
        raise _core.BadInput(
            f"knots, samples and iterations are {knots}, {samples} and {iterations}, "
            "must be at least 2, 2 and 1"
        )
    if isinstance(actuators, str) or not actuators or len(set(actuators)) < len(actuators):
        raise _core.BadInput(
            f"actuators are {actuators!r}, must be a list of at least one name, each once"
        )
    elite = max(2, samples // 4) if elite is None else elite
    if not 1 <= elite <= samples:
        raise _core.BadInput(f"elite is {elite}, must be 1 to samples, {samples}")
    shape = (knots, len(actuators))
    lowest = _bounds(_renamed("lower", lower, "low", low), -np.inf, shape)
    highest = _bounds(_renamed("upper", upper, "high", high), np.inf, shape)
    mean = np.clip(np.broadcast_to(np.asarray(start, np.float64), shape), lowest, highest)
    width = np.array(np.broadcast_to(np.asarray(spread, np.float64), shape))
    if not (width > 0).all():
        raise _core.BadInput("spread must be > 0")
    least = 0.1 * width
    time = np.linspace(0, until, knots)
    random = np.random.default_rng(seed)
    best, best_cost, failed = mean.copy(), np.inf, 0
    why = "the cost is not a finite number"
    history = []
    for _ in range(iterations):
        tries = mean + width * random.standard_normal((samples, *shape))
        tries[0] = mean
        if np.isfinite(best_cost):
            tries[1] = best
        tries = np.clip(tries, lowest, highest)
        runs = _Commands(actuators, time, tries, cost, begin)
        made = rollout(scene, samples, until=until, every=0.0, observe=runs.observe,
                       prepare=runs.prepare, controller=runs.control, strict=False,
                       threads=threads, executor=executor)
        costs = np.full(samples, np.inf)
        for i in range(samples):
            if made.errors[i] is not None:
                failed += 1
                why = str(made.errors[i])
                continue
            times, stage, last = made.times[i], made["stage"][i], made["last"][i]
            n = np.count_nonzero(np.isfinite(times))
            costs[i] = np.diff(times[:n]) @ stage[1:n] + last[n - 1]
        costs = np.where(np.isfinite(costs), costs, np.inf)
        k = int(np.argmin(costs))
        if costs[k] < best_cost:
            best, best_cost = tries[k].copy(), float(costs[k])
        history.append(best_cost)
        if np.isfinite(costs).any():
            mean, width = _new_mean(method, mean, width, tries, costs, elite, temperature, least)
    if not np.isfinite(best_cost):
        raise _core.BadInput(f"no simulation of {samples * iterations} has a finite cost: {why}")
    return Search(time, best, best_cost, np.array(history), samples * iterations, failed)
