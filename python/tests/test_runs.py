# SPDX-License-Identifier: Apache-2.0
"""Runs: frames, recordings, arguments, energy, reports."""

from __future__ import annotations

import gc
import json
import subprocess
from pathlib import Path

import pytest
from conftest import SCENES, rope

import lithe


def test_a_run_ends_with_the_bits_of_the_command(command: str, tmp_path: Path) -> None:
    for name, until in (("knot", 0.02), ("double-pendulum", 0.1), ("capstan", 0.02)):
        path = SCENES / f"{name}.yaml"
        out = subprocess.run(
            [command, "run", path, "--until", f"{until}s", "--out", tmp_path / "x.h5", "--json"],
            check=True,
            capture_output=True,
            text=True,
        )
        summary = json.loads(out.stdout)
        sim = lithe.load(path).simulate()
        sim.advance(until)
        wanted = summary["hash"]
        assert sim.hash == (int(wanted, 16) if isinstance(wanted, str) else wanted)
        assert sim.steps == summary["steps"]


def test_frames_come_when_recordings_take_them() -> None:
    sim = rope().simulate()
    frames = list(sim.run())
    assert [f.time for f in frames] == pytest.approx([0.005 * k for k in range(1, 21)])
    assert frames[-1].step == 100 and frames[-1].index == 19
    assert [f.step for f in rope().simulate().run(until=0.004, every=0)] == [1, 2, 3, 4]
    # 3 ms by steps of 1 ms, and an end between two frames
    assert [f.step for f in rope().simulate().run(until=0.01, every=0.003)] == [3, 6, 9, 10]
    # frames are multiples, wherever the run begins
    sim = rope().simulate()
    sim.step(2)
    assert [f.step for f in sim.run(until=0.01, every=0.005)] == [5, 10]


def test_wrong_arguments_of_a_run_are_refused() -> None:
    sim = rope().simulate()
    sim.step(5)
    for wrong in ({"until": 0.001}, {"until": float("nan")}, {"every": -1}, {"period": 0.0}):
        with pytest.raises(lithe.BadInput):
            sim.run(**wrong)
    with pytest.raises(lithe.BadInput):
        sim.step(-1)
    with pytest.raises(ValueError):
        rope().simulate(threads=0)


def test_a_run_that_nobody_iterates_warns() -> None:
    with pytest.warns(RuntimeWarning, match="nothing was simulated"):
        rope().simulate().run()


def test_a_recording_is_that_of_the_command(command: str, tmp_path: Path) -> None:
    own, other = tmp_path / "own.h5", tmp_path / "other.h5"
    scene = tmp_path / "rope.yaml"
    scene.write_text(rope().to_yaml())
    rope().simulate().advance(record=own)
    subprocess.run([command, "run", scene, "--out", other, "--quiet"], check=True)
    tables = []
    for path in (own, other):
        table = path.with_suffix(".csv")
        subprocess.run([command, "export", path, table], check=True, capture_output=True)
        tables.append(table.read_text())
    assert tables[0] == tables[1] and len(tables[0].splitlines()) >= 22
    assert sorted(p.suffix for p in tmp_path.glob("own*")) == [".csv", ".h5"]


def test_a_run_that_is_left_or_fails_leaves_a_recording(tmp_path: Path) -> None:
    for name in ("left", "raised"):
        out = tmp_path / f"{name}.h5"
        sim = rope().simulate()
        try:
            for frame in sim.run(record=out):
                if frame.index == 2 and name == "left":
                    break
                if frame.index == 2:
                    raise RuntimeError("enough")
        except RuntimeError:
            pass
        gc.collect()
        assert out.read_bytes()[1:4] == b"HDF"
        assert not (tmp_path / f"{name}.h5.journal").exists()
    sim = rope().simulate()
    with pytest.raises(lithe.FileError):
        sim.advance(record=tmp_path / "no" / "x.h5")


def test_a_simulation_that_cannot_go_on_keeps_its_last_good_state() -> None:
    sim = rope(contact={"enabled": False}).simulate()
    sim.rods["rope"].force[5] = 1e300
    before = sim.state
    with pytest.raises(lithe.CannotGoOn, match="rope"):
        sim.step(3)
    assert sim.state == before


def test_the_report_names_what_limited_an_adaptive_step() -> None:
    fixed = rope().simulate()
    fixed.step()
    report = fixed.report
    assert report.step == pytest.approx(1e-3) and report.limit == "largest"
    assert (report.rejected, report.error, report.contact_error, report.held) == (0, 0, 0, 0)
    scene = rope()
    scene.settings["time"] = {
        "step": {"adaptive": {"min": "1 us", "max": "16 ms"}},
        "end": "1 s",
    }
    sim = scene.simulate()
    limits, now = set(), 0.0
    for _ in range(40):
        sim.step()
        assert sim.report.step == pytest.approx(sim.time - now)
        now = sim.time
        limits.add(sim.report.limit)
        assert 0 <= sim.report.error <= 1 or sim.report.limit != "largest"
    assert "error" in limits


def test_energy_is_accounted_for() -> None:
    sim = rope(contact={"enabled": False}).simulate()
    start = sim.energy.total
    sim.advance()
    e = sim.energy
    assert e.kinetic > 0 and e.dissipated > 0
    assert e.total + e.dissipated - e.work <= start + 1e-9


def test_a_file_runs_in_one_call_into_a_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rec = lithe.run(SCENES / "pendulum.yaml", until="20 ms")
    assert (tmp_path / "pendulum.h5").exists()
    sim = lithe.load(SCENES / "pendulum.yaml").simulate().advance(0.02)
    assert rec.time[-1] == sim.time
    assert (rec["rope.position"][-1] == sim.rods["rope"].position).all()
    assert len(lithe.run(lithe.load(SCENES / "pendulum.yaml"), 0.02, record="b.h5", every=0)) == 21
    with pytest.raises(lithe.BadInput, match='record="x.h5"'):
        lithe.run(lithe.load(SCENES / "pendulum.yaml"))
    (tmp_path / "notes.h5").write_text("not a recording")
    with pytest.raises(lithe.BadInput, match="notes.h5: exists and is not a recording"):
        lithe.run(SCENES / "pendulum.yaml", 0.02, record="notes.h5")
