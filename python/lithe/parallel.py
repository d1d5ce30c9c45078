# SPDX-License-Identifier: Apache-2.0
"""Many runs at once: on the threads of one process, since steps release the interpreter lock, or by
any executor."""

from __future__ import annotations

import operator
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .numbers import Number
from .scene import Scene, _override
from .simulation import Controller, Simulation
from .state import State

#: Longest time until an interrupt is handled [s].
_WAKE = 0.1

#: Returns what is stored of a frame: an array, or several by name.
Observer = Callable[[Simulation], "ArrayLike | Mapping[str, ArrayLike]"]


@dataclass(repr=False)
class Rollout:
    """Results of many runs. The rows of a failed run are NaN from its failure on."""

    #: [T] times of the frames of the longest run, including the start [s].
    time: NDArray[np.float64]
    #: Observations by name, [n, T, ...].
    values: dict[str, NDArray[np.float64]]
    #: [n] the last state of each run.
    states: list[State]
    #: [n] why a run failed, or None.
    errors: list[_core.Error | None]
    #: [n, T] times of the frames of each run [s]: other than `time` where steps or `every` differ.
    times: NDArray[np.float64]

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        return self.values[name]

    def __len__(self) -> int:
        return len(self.states)

    def __repr__(self) -> str:
        failed = sum(error is not None for error in self.errors)
        values = ", ".join(f"{name} {list(array.shape)}" for name, array in self.values.items())
        return f"<lithe.Rollout of {len(self)} runs, {failed} failed: {values}>"


def _everything(sim: Simulation) -> dict[str, ArrayLike]:
    """Positions of rods, poses of bodies, positions of joints."""
    seen: dict[str, ArrayLike] = {}
    for name, rod in sim.rods.items():
        seen[f"{name}.position"] = rod.position
    for name, body in sim.bodies.items():
        seen[f"{name}.pose"] = body.pose
    for name, joint in sim.joints.items():
        seen[f"{name}.position"] = joint.position
    return seen


@dataclass
class _Outcome:
    times: list[float] = field(default_factory=list)
    rows: list[dict[str, NDArray[np.float64]]] = field(default_factory=list)
    state: State | None = None
    error: _core.Error | None = None


class _Pool:
    """Active runs, so that all can be stopped."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: set[Simulation] = set()
        self.stopped = False

    def enter(self, sim: Simulation) -> None:
        with self._lock:
            self._running.add(sim)

    def leave(self, sim: Simulation) -> None:
        with self._lock:
            self._running.discard(sim)

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            for sim in self._running:
                sim.stop()


def _observe(observe: Observer, sim: Simulation) -> dict[str, NDArray[np.float64]]:
    seen = observe(sim)
    named = seen if isinstance(seen, Mapping) else {"value": seen}
    return {name: np.array(value, dtype=np.float64) for name, value in named.items()}


class _Base:
    """A scene of several runs, which differ in overrides: what they have in common is made once."""

    def __init__(self, scene: Scene) -> None:
        self._scene = scene.copy()  # nobody else has it: runs may share it
        self._lock = Lock()
        self._document: str | None = None
        self._core: _core.Scene | None = None

    def read(self, more: list[str]) -> _core.Scene:
        with self._lock:
            if self._document is None:
                self._document = self._scene._document()
            if not more and self._core is None:
                self._core = self._scene._read(self._document)
        if not more and self._core is not None:
            return self._core
        return self._scene._read(self._document, more)

    def scene(self, more: list[str]) -> Scene:
        own = self._scene.copy()
        own._overrides.extend(more)
        return own


@dataclass
class _Job:
    """What one run simulates."""

    base: _Base
    overrides: list[str]

    def simulate(self) -> Simulation:
        read = self.base.read(self.overrides)
        return Simulation._of(read, lambda: self.base.scene(self.overrides))


def _run_one(
    job: _Job,
    index: int,
    pool: _Pool,
    until: Number | None,
    every: Number | None,
    observe: Observer,
    prepare: Callable[[Simulation, int], Any] | None,
    controller: Controller | None,
    period: Number | None,
) -> _Outcome:
    outcome = _Outcome()
    if pool.stopped:
        return outcome
    try:
        sim = job.simulate()
    except Exception as error:
        error.add_note(f"in run {index} of the rollout")
        raise
    pool.enter(sim)
    try:
        if prepare is not None:
            prepare(sim, index)
        if pool.stopped:  # meanwhile: nobody waits for this run any more
            return outcome
        outcome.times.append(sim.time)
        outcome.rows.append(_observe(observe, sim))
        for frame in sim.run(until, every=every, controller=controller, period=period):
            if pool.stopped:
                break
            outcome.times.append(frame.time)
            outcome.rows.append(_observe(observe, sim))
    except (_core.CannotGoOn, _core.Interrupted) as error:
        outcome.error = error
    except Exception as error:
        error.add_note(f"in run {index} of the rollout, at {sim.time:g} s")
        raise
    finally:
        pool.leave(sim)
    outcome.state = sim.state
    return outcome


def _run_elsewhere(scene: Scene, overrides: list[str], index: int, *rest: Any) -> _Outcome:
    """A run in another process: everything that it needs is sent, and its outcome is sent back."""
    return _run_one(_Job(_Base(scene), overrides), index, _Pool(), *rest)


class _RayFuture:
    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray, self._reference = ray, reference

    def result(self) -> Any:
        return self._ray.get(self._reference)

    def cancel(self) -> None:
        self._ray.cancel(self._reference)


class _RayExecutor:
    """Ray has no executor of its own: its module is given in place of one."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray

    def submit(self, function: Callable[..., Any], *rest: Any) -> _RayFuture:
        return _RayFuture(self._ray, self._ray.remote(function).remote(*rest))


def _submit(executor: Any, pool: _Pool, job: _Job, index: int, *rest: Any) -> Future[_Outcome]:
    # threads share scenes, and can be stopped
    if isinstance(executor, ThreadPoolExecutor):
        return executor.submit(_run_one, job, index, pool, *rest)
    scene = job.base.scene([])
    future: Future[_Outcome] = executor.submit(_run_elsewhere, scene, job.overrides, index, *rest)
    return future


def _wait(futures: list[Future[_Outcome]]) -> None:
    """Waits for all runs or for the first that raises. A signal may reach any thread, but only this
    one handles it, and only while it is awake: it wakes up now and then.

    An interrupt that arrives while this thread takes the lock of a future may leave it locked, and
    its run could never end: so the locks of those that have not ended are not taken again and again,
    as by `concurrent.futures.wait`."""
    ended: SimpleQueue[Future[_Outcome]] = SimpleQueue()
    for future in futures:
        future.add_done_callback(ended.put)
    left = len(futures)
    while left > 0:
        try:
            done = ended.get(timeout=_WAKE)
        except Empty:
            continue
        if done.exception() is not None:
            return
        left -= 1


def _collect(executor: Any, jobs: list[_Job], *rest: Any) -> list[_Outcome]:
    pool = _Pool()
    futures: list[Future[_Outcome]] = []
    try:
        for i, job in enumerate(jobs):
            futures.append(_submit(executor, pool, job, i, *rest))
        # executors of other libraries may have futures of their own
        if all(isinstance(future, Future) for future in futures):
            _wait(futures)
        return [future.result() for future in futures]
    except BaseException as error:
        for future in futures:
            future.cancel()
        pool.stop()
        if "pickle" in f"{type(error).__name__} {error}".lower():
            error.add_note(
                "this executor sends runs to other processes: scene, observe, prepare and "
                "controller must be picklable, for example functions of a module, not lambdas"
            )
        raise


def _length(path: str, values: Any) -> int:
    """Number of values of a parameter."""
    try:
        if not isinstance(values, str):
            return len(values)
    except TypeError:
        pass
    raise _core.BadInput(f"parameters: {path} is {values!r}, must be a list with a value per run")


def _whole(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise _core.BadInput(f"{name} is {value!r}, must be a whole number") from None


def _jobs(
    scene: Scene | Sequence[Scene],
    n: int | None,
    parameters: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Any]] | None,
) -> list[_Job]:
    many = [scene] if isinstance(scene, Scene) else list(scene)
    if not many:
        raise _core.BadInput("scene is an empty list, must have at least one scene")
    if isinstance(parameters, Mapping):
        lengths = {_length(path, values) for path, values in parameters.items()}
        if len(lengths) > 1:
            raise _core.BadInput(f"lists of parameters have different lengths: {sorted(lengths)}")
        count = lengths.pop() if lengths else 0
        sets = [{path: values[i] for path, values in parameters.items()} for i in range(count)]
    else:
        sets = [dict(one) for one in parameters] if parameters is not None else [{}]
    if not sets:
        raise _core.BadInput("parameters is empty, must have the values of at least one run")
    if len(many) > 1 and len(sets) > 1 and len(many) != len(sets):
        raise _core.BadInput(f"{len(many)} scenes and {len(sets)} sets of parameters do not match")
    count = _whole("n", n) if n is not None else max(len(many), len(sets))
    if count < 1 or (max(len(many), len(sets)) > 1 and count != max(len(many), len(sets))):
        raise _core.BadInput(
            f"n is {count}, there are {len(many)} scenes and {len(sets)} sets of parameters"
        )
    bases = [_Base(one) for one in many]
    overrides = [[_override(path, value) for path, value in one.items()] for one in sets]
    return [_Job(bases[i % len(bases)], overrides[i % len(sets)]) for i in range(count)]


def _times(outcomes: list[_Outcome], longest: _Outcome) -> NDArray[np.float64]:
    """Times of the frames of each run; warns where they are not those of the longest run."""
    times = np.full((len(outcomes), len(longest.times)), np.nan)
    for i, outcome in enumerate(outcomes):
        times[i, : len(outcome.times)] = outcome.times
    apart = np.nanmax(np.abs(times - np.array(longest.times)), axis=1)
    worst = int(np.argmax(apart))
    if apart[worst] > 1e-9 * max(longest.times):
        warnings.warn(
            f"frames of run {worst} are at other times than those of the longest run, by up to "
            f"{apart[worst]:.3g} s: `times` has the times of each run; `every` as a multiple of "
            "all time steps makes them equal",
            RuntimeWarning,
            4,
        )
    return times


def _gather(outcomes: list[_Outcome]) -> Rollout:
    longest = max(outcomes, key=lambda outcome: len(outcome.times))
    frames = len(longest.times)
    names = longest.rows[0].keys()
    for i, outcome in enumerate(outcomes):
        for row in outcome.rows:
            if row.keys() != names:
                raise _core.BadInput(
                    f"observe returned {sorted(row)} in run {i}, {sorted(names)} in others"
                )
    values = {}
    for name, first in longest.rows[0].items():
        stacked = np.full((len(outcomes), frames, *first.shape), np.nan)
        for i, outcome in enumerate(outcomes):
            for k, row in enumerate(outcome.rows):
                if row[name].shape != first.shape:
                    raise _core.BadInput(
                        f"'{name}' has shape {row[name].shape} in run {i}, {first.shape} in others"
                    )
                stacked[i, k] = row[name]
        values[name] = stacked
    states = [outcome.state for outcome in outcomes]
    return Rollout(
        time=np.array(longest.times),
        values=values,
        states=[state for state in states if state is not None],
        errors=[outcome.error for outcome in outcomes],
        times=_times(outcomes, longest),
    )


def rollout(
    scene: Scene | Sequence[Scene],
    n: int | None = None,
    *,
    parameters: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Any]] | None = None,
    until: Number | None = None,
    every: Number | None = None,
    threads: int | None = None,
    executor: Executor | ModuleType | None = None,
    observe: Observer | None = None,
    prepare: Callable[[Simulation, int], Any] | None = None,
    controller: Controller | None = None,
    period: Number | None = None,
    strict: bool = True,
) -> Rollout:
    """Runs many simulations on the threads of this process, or by an executor, and collects arrays.

    scene: one for all, or a list of them.
    n: number of runs; default: the number of scenes or of sets of parameters.
    parameters: overrides as in `Scene.set`: a list of dicts, or a dict of lists.
    until, every: as in `Simulation.run`.
    threads: number of threads; default: the number of cores that this process may use.
    executor: anything with the `submit` of `concurrent.futures.Executor`: a pool of processes,
        `mpi4py.futures.MPIPoolExecutor`, `dask.distributed.Client.get_executor()`; or the module
        `ray` after `ray.init()`. It stays open.
        Except for a pool of threads, scene, observe, prepare and controller must be picklable.
    observe: called as observe(sim) at each frame; returns an array, or a dict of arrays.
        Default: positions of rods and joints, poses of bodies.
    prepare: called as prepare(sim, i) before run i.
    controller, period: as in `Simulation.run`.
    strict: raises when a run cannot continue; otherwise a `RuntimeWarning` is given, the rows of
        that run are NaN from there on, and `errors` has the reason.

    Results do not depend on the number of threads or on the executor, to the bit.
    """
    jobs = _jobs(scene, n, parameters)
    if executor is not None and threads is not None:
        raise _core.BadInput("threads and executor are given, only one of them is possible")
    chosen: Any = executor
    if isinstance(executor, ModuleType) and executor.__name__ == "ray":
        chosen = _RayExecutor(executor)
    if chosen is not None and not callable(getattr(chosen, "submit", None)):
        raise _core.BadInput(
            f"executor is {executor!r}, must have the method submit of concurrent.futures.Executor"
        )
    workers = len(os.sched_getaffinity(0)) if threads is None else _whole("threads", threads)
    if workers < 1:
        raise _core.BadInput(f"threads is {workers}, must be at least 1")
    observer = observe if observe is not None else _everything
    with ExitStack() as stack:
        if chosen is None:
            chosen = stack.enter_context(ThreadPoolExecutor(min(workers, len(jobs))))
        rest = (until, every, observer, prepare, controller, period)
        outcomes = _collect(chosen, jobs, *rest)
    for i, outcome in enumerate(outcomes):
        if strict and outcome.error is not None:
            outcome.error.add_note(f"in run {i} of {len(outcomes)}")
            raise outcome.error
        if outcome.error is not None:
            warnings.warn(f"run {i} of {len(outcomes)}: {outcome.error}", RuntimeWarning, 2)
    return _gather(outcomes)
