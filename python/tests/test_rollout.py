# SPDX-License-Identifier: Apache-2.0
"""Many runs at once."""

from __future__ import annotations

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from conftest import rope

import lithe
from lithe.parallel import _wait


def test_results_do_not_depend_on_the_number_of_threads() -> None:
    speeds = {"drives.hand.speed": [f"{0.1 * k} m/s" for k in range(6)]}
    one = lithe.rollout(rope(), parameters=speeds, until=0.02, threads=1)
    two = lithe.rollout(rope(), parameters=speeds, until=0.02, threads=2)
    assert one["rope.position"].shape == (6, 5, 21, 3)
    assert (one["rope.position"] == two["rope.position"]).all()
    assert one.states == two.states
    assert one.time == pytest.approx([0, 0.005, 0.01, 0.015, 0.02])
    assert one["rope.position"][:, -1, 0, 2] == pytest.approx(0.002 * np.arange(6))


def test_scenes_parameters_preparation_and_observation() -> None:
    scenes = [rope(), rope().set("gravity", "none")]
    result = lithe.rollout(scenes, until=0.01, observe=lambda sim: sim.energy.kinetic)
    assert result["value"].shape == (2, 3) and len(result) == 2
    assert result["value"][0, -1] > 0 and result["value"][1, -1] == 0
    result = lithe.rollout(
        rope(),
        4,
        until=0.005,
        prepare=lambda sim, i: setattr(sim.drives["hand"], "speed", 0.1 * i),
        observe=lambda sim: {"z": sim.rods["rope"].position[0, 2]},
    )
    assert result["z"][:, -1] == pytest.approx([0, 0.0005, 0.001, 0.0015])
    few: dict[str, Any] = {"rods.rope.nodes": 11}
    lists = [few, {**few, "gravity": "none"}]
    assert lithe.rollout(rope(), parameters=lists, until=0.005)["rope.position"].shape[2] == 11


def test_runs_of_one_scene_share_what_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    reads: list[int] = []
    documents: list[int] = []
    read, document = lithe.Scene._read, lithe.Scene._document

    def count_read(scene: lithe.Scene, *rest: Any) -> Any:
        reads.append(1)
        return read(scene, *rest)

    def count_document(scene: lithe.Scene) -> str | None:
        documents.append(1)
        return document(scene)

    monkeypatch.setattr(lithe.Scene, "_read", count_read)
    monkeypatch.setattr(lithe.Scene, "_document", count_document)
    lithe.rollout(rope(), 8, until=0.002, threads=2)
    assert len(reads) == 1 and len(documents) == 1
    del reads[:], documents[:]
    speeds = {"drives.hand.speed": [f"{0.1 * k} m/s" for k in range(6)]}
    lithe.rollout(rope(), parameters=speeds, until=0.002, threads=2)
    assert len(reads) == 6 and len(documents) == 1


def test_the_scene_of_a_run_is_its_own_copy() -> None:
    scenes: list[lithe.Scene] = []

    def prepare(sim: lithe.Simulation, i: int) -> None:
        sim.scene.set("rods.rope.nodes", 5 + i)
        scenes.append(sim.scene)
        assert len(sim.rods["rope"].position) == 11

    few = {"rods.rope.nodes": [11, 11]}
    lithe.rollout(rope(), parameters=few, until=0.002, threads=1, prepare=prepare)
    nodes = [len(scene.simulate().rods["rope"].position) for scene in scenes]
    assert nodes == [5, 6]


def test_runs_that_fail_raise_or_are_reported() -> None:
    def push(sim: lithe.Simulation, i: int) -> None:
        sim.rods["rope"].force[5] = 1e300 * (i == 1)

    with pytest.raises(lithe.CannotGoOn):
        lithe.rollout(rope(), 3, until=0.01, prepare=push)
    result = lithe.rollout(rope(), 3, until=0.01, prepare=push, strict=False)
    assert result.errors[0] is None and isinstance(result.errors[1], lithe.CannotGoOn)
    assert np.isnan(result["rope.position"][1, 1:]).all()
    assert np.isfinite(result["rope.position"][[0, 2]]).all()


def test_runs_with_other_steps_have_their_own_times() -> None:
    steps = {"time.step": ["1 ms", "2 ms", "8 ms"]}
    with pytest.warns(RuntimeWarning, match="frames of run 2 are at other times"):
        result = lithe.rollout(
            rope(), parameters=steps, until=0.04, every=0.002, observe=lambda sim: sim.time
        )
    assert np.array_equal(result.times, result["value"], equal_nan=True)
    assert result.times[2, :4] == pytest.approx([0, 0.008, 0.016, 0.024])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = lithe.rollout(rope(), parameters=steps, until=0.04, every=0.008)
    assert result.times == pytest.approx(np.tile(result.time, (3, 1)))


def test_an_exception_names_its_run() -> None:
    def fail(sim: lithe.Simulation) -> float:
        return 1 / (len(sim.rods["rope"].position) - 12)

    with pytest.raises(ZeroDivisionError) as caught:
        lithe.rollout(rope(), parameters={"rods.rope.nodes": [11, 12]}, until=0.005, observe=fail)
    assert caught.value.__notes__ == ["in run 1 of the rollout, at 0 s"]
    with pytest.raises(lithe.BadInput, match="step is -1") as wrong:
        lithe.rollout(rope(), parameters={"time.step": ["1 ms", "1 ms", -1]}, until=0.005)
    assert wrong.value.__notes__ == ["in run 2 of the rollout"]


def caller_waits() -> bool:
    """Whether the main thread is in the function that waits for runs."""
    caller = threading.main_thread().ident
    return caller is not None and sys._current_frames()[caller].f_code is _wait.__code__


@pytest.mark.parametrize("thread", ["any thread", "a thread of a run"])
def test_an_interrupt_ends_all_runs(thread: str) -> None:
    sims: list[lithe.Simulation] = []

    def interrupt(sim: lithe.Simulation, i: int) -> None:
        sims.append(sim)
        # while runs are submitted, it may leave a lock of Python's pool of threads locked
        end = time.monotonic() + 100
        while i == 1 and not caller_waits() and time.monotonic() < end:
            time.sleep(0.001)
        if i == 1 and thread == "any thread":
            os.kill(os.getpid(), signal.SIGINT)
        elif i == 1:
            signal.pthread_kill(threading.get_ident(), signal.SIGINT)

    # a shell that runs the tests in the background has the signal ignored
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            lithe.rollout(rope(), 8, until=100, every=100, threads=2, prepare=interrupt)
    finally:
        signal.signal(signal.SIGINT, before)
    for worker in threading.enumerate():
        if "ThreadPool" in worker.name:  # one that is just being started ends by itself
            worker.join(60)
            assert not worker.is_alive()
    # no thread is left that steps them, and those that waited never began
    assert all(sim.time < 100 for sim in sims) and len(sims) < 8


class CountedLock:
    """Counts how often the thread that made it takes it."""

    def __init__(self) -> None:
        self.lock, self.owner, self.taken = threading.RLock(), threading.get_ident(), 0

    def __enter__(self) -> bool:
        return self.acquire()

    def __exit__(self, *error: object) -> None:
        self.lock.release()

    def acquire(self, *how: Any) -> bool:
        self.taken += threading.get_ident() == self.owner
        return self.lock.acquire(*how)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.lock, name)


def test_who_waits_for_runs_does_not_take_their_locks_again_and_again() -> None:
    # an interrupt that arrives at that moment may leave a run locked, so that it never ends
    lock: Any = CountedLock()
    future: Future[Any] = Future()
    future._condition = threading.Condition(lock)
    end = threading.Timer(0.5, future.set_result, [None])
    end.start()
    _wait([future])
    end.join()
    assert future.done() and lock.taken <= 3


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(lithe.BadInput, match="threads"):
        lithe.rollout(rope(), 2, threads=0)
    for threads in (1.5, "2"):
        with pytest.raises(lithe.BadInput, match="threads is .*, must be a whole number"):
            lithe.rollout(rope(), 2, threads=threads)  # type: ignore[arg-type]
    with pytest.raises(lithe.BadInput, match="n is 2.5, must be a whole number"):
        lithe.rollout(rope(), 2.5)  # type: ignore[arg-type]
    with pytest.raises(lithe.BadInput, match="empty list"):
        lithe.rollout([])
    nothing: list[Any] = [[], {}, {"time.step": []}]
    for parameters in nothing:
        with pytest.raises(lithe.BadInput, match="parameters is empty"):
            lithe.rollout(rope(), parameters=parameters)
    single: list[Any] = ["1 ms", 0.001]
    for value in single:
        with pytest.raises(lithe.BadInput, match="time.step is .*, must be a list"):
            lithe.rollout(rope(), parameters={"time.step": value})
    with pytest.raises(lithe.BadInput, match=r"observe returned \['late'\] in run 0, \['early'\]"):
        lithe.rollout(
            rope(), until=0.005, observe=lambda sim: {"late" if sim.time > 0 else "early": [1.0]}
        )
    with pytest.raises(lithe.BadInput, match="n is 3"):
        lithe.rollout([rope(), rope()], 3)
    with pytest.raises(lithe.BadInput, match="different lengths"):
        lithe.rollout(rope(), parameters={"a": [1, 2], "b": [1]})
    with pytest.raises(lithe.BadInput, match="shape"):
        lithe.rollout(rope(), parameters={"rods.rope.nodes": [11, 12]}, until=0.005)
    with pytest.raises(lithe.BadInput, match="rods.lace"):
        lithe.rollout(rope(), parameters={"rods.lace.nodes": [11, 12]}, until=0.005)


def test_results_are_pickled() -> None:
    result = lithe.rollout(rope(), 2, until=0.005)
    again = pickle.loads(pickle.dumps(result))
    assert (again["rope.position"] == result["rope.position"]).all()


# --- executors ---


@contextmanager
def processes() -> Iterator[Executor]:
    # a fork of a process with threads may hang
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@contextmanager
def loky() -> Iterator[Executor]:
    library = pytest.importorskip("loky", reason="loky is not installed")
    with library.ProcessPoolExecutor(2) as executor:
        yield executor


SPEEDS = {"drives.hand.speed": [f"{0.01 * k} m/s" for k in range(64)]}


@pytest.mark.parametrize("make", [processes, lambda: ThreadPoolExecutor(2), loky])
def test_any_executor_gives_the_same_bits(make: Any) -> None:
    alone = lithe.rollout(rope(), parameters=SPEEDS, until=0.01, threads=1)
    with make() as executor:
        result = lithe.rollout(rope(), parameters=SPEEDS, until=0.01, executor=executor)
        assert (result["rope.position"] == alone["rope.position"]).all()
        assert result.states == alone.states
        assert len({state.time for state in result.states}) == 1
        # the executor stays open
        assert len(lithe.rollout(rope(), 2, until=0.005, executor=executor)) == 2


PROGRAM = """
import pickle, sys
import lithe
{imports}
if __name__ == "__main__":
    scene, parameters = pickle.load(open(sys.argv[1], "rb"))
    with {executor} as executor:
        result = lithe.rollout(scene, parameters=parameters, until=0.01, executor=executor)
    pickle.dump((result["rope.position"], result.states), open(sys.argv[2], "wb"))
"""
RAY = """
import contextlib, ray
@contextlib.contextmanager
def cluster():
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        yield ray
    finally:
        ray.shutdown()
"""
DASK = """
import contextlib, distributed
@contextlib.contextmanager
def cluster():
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local:
        with distributed.Client(local) as client:
            yield client.get_executor()
"""
MPI = "from mpi4py.futures import MPIPoolExecutor as cluster"


def check_program(imports: str, before: list[str], tmp_path: Path) -> None:
    """Runs a program with its own cluster; the whole group of processes ends with it."""
    (tmp_path / "program.py").write_text(PROGRAM.format(imports=imports, executor="cluster()"))
    (tmp_path / "in").write_bytes(pickle.dumps((rope(), SPEEDS)))
    command = [*before, "program.py", "in", "out"]
    running = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    try:
        assert running.wait(timeout=300) == 0
    finally:
        with suppress(ProcessLookupError):
            os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    positions, states = pickle.loads((tmp_path / "out").read_bytes())
    alone = lithe.rollout(rope(), parameters=SPEEDS, until=0.01, threads=1)
    assert (positions == alone["rope.position"]).all() and states == alone.states


@pytest.mark.parametrize(("module", "imports"), [("distributed", DASK), ("ray", RAY)])
def test_clusters_give_the_same_bits(module: str, imports: str, tmp_path: Path) -> None:
    pytest.importorskip(module, reason=f"{module} is not installed")
    check_program(imports, [sys.executable], tmp_path)


def test_the_executor_of_mpi4py_gives_the_same_bits(tmp_path: Path) -> None:
    pytest.importorskip("mpi4py", reason="mpi4py is not installed")
    mpirun = shutil.which("mpirun")
    if mpirun is None:
        pytest.skip("mpirun is not installed")
    root = ["--allow-run-as-root", "--oversubscribe", "-n", "3"]
    check_program(MPI, [mpirun, *root, sys.executable, "-m", "mpi4py.futures"], tmp_path)


class FakeRay(ModuleType):
    """The calls of ray that are used, without processes; arguments are pickled as there."""

    def __init__(self) -> None:
        super().__init__("ray")

    def remote(self, function: Any) -> Any:
        def later(*rest: Any) -> Any:
            return lambda: pickle.loads(pickle.dumps(function(*pickle.loads(pickle.dumps(rest)))))

        return SimpleNamespace(remote=later)

    def get(self, reference: Any) -> Any:
        return reference()


def test_the_module_of_ray_is_an_executor() -> None:
    alone = lithe.rollout(rope(), parameters=SPEEDS, until=0.005, threads=1)
    result = lithe.rollout(rope(), parameters=SPEEDS, until=0.005, executor=FakeRay())
    assert result.states == alone.states


def low(sim: lithe.Simulation) -> float:
    return float(sim.rods["rope"].position[-1, 2])


def test_the_table_of_a_study_is_that_of_two_executors(tmp_path: Path) -> None:
    command = Path(lithe.__file__).parent / "lithe"
    if not command.exists():
        pytest.skip("the package has no command")
    (tmp_path / "rope.yaml").write_text(rope().to_yaml())
    speeds = ", ".join(SPEEDS["drives.hand.speed"])
    (tmp_path / "study.yaml").write_text(
        f"lithe: 1\nscene: rope.yaml\nuntil: 10 ms\nkeep: table\n"
        f"vary: {{drives.hand.speed: [{speeds}]}}\nmeasure: {{low: rope.end.position.z}}\n"
    )
    run = [str(command), "sweep", "study.yaml", "-q", "-o", "out"]
    subprocess.run(run, cwd=tmp_path, check=True, timeout=300)
    table = (tmp_path / "out/table.csv").read_text()
    assert len(table.splitlines()) == 65
    with processes() as many, ThreadPoolExecutor(2) as two:
        for executor in (many, two):
            values = lithe.rollout(
                rope(), parameters=SPEEDS, until=0.01, executor=executor, observe=low
            )["value"]
            rows = [line.split(",") for line in table.splitlines()]
            for row, value in zip(rows[1:], values[:, -1], strict=True):
                row[2] = repr(float(value))
            assert "\n".join(",".join(row) for row in rows) + "\n" == table


def test_wrong_executors_are_explained() -> None:
    wrong: Any = "mpi"
    with pytest.raises(lithe.BadInput, match="executor is 'mpi', must have the method submit"):
        lithe.rollout(rope(), 2, executor=wrong)
    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(lithe.BadInput, match="only one of them"):
            lithe.rollout(rope(), 2, executor=executor, threads=2)
    with processes() as executor:
        with pytest.raises(Exception) as caught:
            lithe.rollout(rope(), 2, until=0.005, executor=executor, observe=lambda sim: sim.time)
        assert "must be picklable" in "".join(caught.value.__notes__)


def test_failures_come_back_from_other_processes() -> None:
    with processes() as executor:
        bad = {"rods.rope.nodes": [21, -3]}
        with pytest.raises(lithe.BadInput, match="-3"):
            lithe.rollout(rope(), parameters=bad, until=0.005, executor=executor)
