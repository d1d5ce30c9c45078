# SPDX-License-Identifier: Apache-2.0
"""Simulations: views, states, steps, runs, recordings."""

from __future__ import annotations

import gc
import json
import os
import pickle
import signal
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SCENES, box, interruptible, rope

import lithe
from lithe import _core


# --- views ---


def test_positions_of_a_million_nodes_are_no_copy() -> None:
    scene = rope(nodes=1_000_000, contact={"enabled": False})
    sim = scene.simulate()
    a, b = sim.rods["rope"].position, sim.rods["rope"].position
    assert a.shape == (1_000_000, 3)
    fresh = np.asarray(sim._core.rod_q(0))
    assert np.shares_memory(a, fresh)
    assert a.__array_interface__["data"][0] == b.__array_interface__["data"][0]
    assert a.__array_interface__["data"][0] == fresh.__array_interface__["data"][0]
    assert not a.flags.owndata and a[-1, 0] == 1.0


def test_views_follow_the_simulation() -> None:
    sim = rope().simulate()
    position, velocity = sim.rods["rope"].position, sim.rods["rope"].velocity
    before = position.copy()
    sim.step(10)
    assert (position[1:, 2] < before[1:, 2]).all()
    assert (velocity[1:, 2] < 0).all()
    sim.state = rope().simulate().state
    assert (position == before).all()


def test_views_outlive_the_simulation_that_gave_them() -> None:
    position = rope().simulate().rods["rope"].position
    gc.collect()
    assert position[-1, 0] == 1.0


def test_all_memory_is_given_back() -> None:
    gc.collect()
    before = _core.memory_bytes()
    sim = rope().simulate()
    sim.step(3)
    view = sim.rods["rope"].position
    assert _core.memory_bytes() > before
    del sim, view
    gc.collect()
    assert _core.memory_bytes() == before


def test_positions_cannot_be_written_and_velocities_can() -> None:
    sim = rope(gravity="none").simulate()
    with pytest.raises(ValueError, match="read-only"):
        sim.rods["rope"].position[0, 0] = 1
    sim.rods["rope"].velocity[:] = [0.5, 0, 0]
    assert sim.momentum[0] == pytest.approx(0.5 * 1000 * np.pi * 0.005**2)


def test_shapes_are_those_of_recordings() -> None:
    sim = rope().simulate()
    r = sim.rods["rope"]
    assert (r.node_count, r.edge_count, r.closed) == (21, 20, False)
    shapes = {
        "position": (21, 3),
        "velocity": (21, 3),
        "twist": (20,),
        "spin": (20,),
        "tension": (20,),
        "director": (20, 3),
        "curvature": (21, 2),
        "twist_rate": (21,),
        "moment": (21, 2),
        "torque": (21,),
        "strain": (21,),
        "stress": (21,),
        "force": (21, 3),
    }
    for name, shape in shapes.items():
        assert getattr(r, name).shape == shape, name
    assert r.length == pytest.approx(1.0)
    assert r.section["kind"] == "circle" and r.section["radius"] == 0.005


def test_a_stretched_rod_has_its_strain_and_stress_and_warns() -> None:
    scene = rope(contact={"enabled": False}, gravity="none")
    scene.rods["rope"]["natural"] = {"stretch": 0.8}  # type: ignore[index]
    sim = scene.simulate()
    assert sim.rods["rope"].strain == pytest.approx(0.25)
    assert sim.rods["rope"].stress == pytest.approx(0.25e6)
    with pytest.warns(RuntimeWarning, match="strain of rod 'rope' is .* more than the 20 %"):
        sim.step()


def test_tension_of_a_hanging_rope_is_the_weight_below() -> None:
    scene = rope(contact={"enabled": False})
    scene.rods["rope"]["shape"] = {"line": {"to": [0, 0, -1]}}  # type: ignore[index]
    sim = scene.simulate()
    sim.equilibrium()
    mass = 1000 * np.pi * 0.005**2 / 20
    below = mass * 9.81 * (np.arange(20, 0, -1) - 0.5)
    below[0] += 0.5 * mass * 9.81  # of the outermost edge that at the end
    assert sim.rods["rope"].tension == pytest.approx(below, rel=1e-6)


# --- states ---


def test_a_state_is_kept_put_back_and_compared() -> None:
    sim = rope().simulate()
    sim.step(5)
    saved, number = sim.state, sim.hash
    sim.step(5)
    after = sim.hash
    assert sim.state != saved and saved.time == pytest.approx(0.005)
    sim.state = saved
    assert sim.hash == number and sim.state == saved and hash(sim.state) == hash(saved)
    assert saved.copy() == saved and len({saved, saved.copy()}) == 1
    sim.step(5)
    assert sim.hash == after


def test_a_state_is_pickled_and_goes_on_elsewhere_with_the_same_bits() -> None:
    sim = rope().simulate()
    sim.drives["hand"].speed = 0.3
    sim.step(5)
    other = rope().simulate()
    other.state = pickle.loads(pickle.dumps(sim.state))
    sim.step(10)
    other.step(10)
    assert sim.hash == other.hash
    assert sim.copy().hash == sim.hash


def test_a_pickled_state_with_a_wrong_bit_is_refused() -> None:
    sim = rope().simulate()
    sim.step(5)
    saved = sim.state
    text = pickle.dumps(saved)
    assert pickle.loads(text) == saved
    data = text.index(bytes(saved))
    form = text.index(saved.form.encode())
    for at in (data, data + len(bytes(saved)) // 2, data + len(bytes(saved)) - 1, form):
        for bit in (0, 3):
            wrong = bytearray(text)
            wrong[at] ^= 1 << bit
            with pytest.raises(lithe.BadInput, match="a damaged state: its checksum is"):
                pickle.loads(bytes(wrong))
    # one of another layout than that of its checksum, and one of a version without checksums
    make, (numbers, names, layout, checksum) = saved.__reduce__()
    with pytest.raises(lithe.BadInput, match="a damaged state"):
        make(numbers, names, layout + 1, checksum)
    assert make(numbers, names, layout, checksum) == lithe.State(numbers, names, layout)


def test_a_state_without_a_layout_has_the_first_and_an_unknown_one_is_refused() -> None:
    sim = rope().simulate()
    data, form = bytes(sim.state), sim.state.form
    assert sim.state.layout == _core.state_layout
    assert lithe.State(data, form).layout == 1
    with pytest.raises(ValueError, match="in layout 1000"):
        sim.state = lithe.State(data, form, 1000)
    with pytest.raises(ValueError, match="in layout"):
        sim.state = lithe.State(data[:-4], form, _core.state_layout)


def test_a_state_of_another_scene_is_refused() -> None:
    with pytest.raises(lithe.BadInput, match="another scene"):
        rope(nodes=11).simulate().state = rope(nodes=12).simulate().state


# --- runs ---


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


# --- contacts ---


def test_contacts_of_a_resting_box_carry_its_weight() -> None:
    sim = box().simulate()
    sim.step(800)
    contacts = sim.contacts
    assert len(contacts) == 8 and contacts.things == ["box", "floor"]
    assert contacts.between("floor", "box").all()
    on_box = np.where(contacts.pair[:, :1] == 0, -contacts.force, contacts.force)
    assert on_box.sum(axis=0) == pytest.approx([0, 0, 4 * 9.81], abs=1e-3)
    assert contacts.normal_force.sum() == pytest.approx(4 * 9.81, abs=1e-3)
    assert {contacts[0].a, contacts[0].b} == {"box", "floor"}
    assert contacts.gap.max() < 0 and np.abs(contacts.normal[:, 2]) == pytest.approx(1)
    assert len(sim.find_contacts(1e-3)) == 8
    assert sim.report.contacts == 8 and sim.report.pieces == 1


def test_contacts_sum_to_force_and_torque_on_a_thing() -> None:
    sim = box().simulate()
    sim.step(800)
    contacts, weight = sim.contacts, 4 * 9.81
    # on the thing that is named, whichever comes first in a pair
    assert contacts.force_on("box") == pytest.approx([0, 0, weight], abs=1e-3)
    assert contacts.force_on("floor", by="box") == pytest.approx([0, 0, -weight], abs=1e-3)
    centre = sim.bodies["box"].position
    assert contacts.torque_on("box", about=centre) == pytest.approx([0, 0, 0], abs=1e-3)
    # a metre away along x the weight turns it about y
    away = contacts.torque_on("box", about=centre - [1, 0, 0], by="floor")
    assert away == pytest.approx([0, -weight, 0], abs=1e-3)
    with pytest.raises(KeyError, match="'boks' touches nothing, did you mean 'box'"):
        contacts.force_on("boks")
    with pytest.raises(KeyError, match="'flor' touches nothing, did you mean 'floor'"):
        contacts.between("box", "flor")
    with pytest.raises(lithe.BadInput, match="about is 3, must be a point"):
        contacts.torque_on("box", about=3)
    name: Any = "floor"
    with pytest.raises(lithe.BadInput, match="about is 'floor', must be a point of the world"):
        contacts.torque_on("box", about=name)


def test_contacts_are_rows_of_named_fields() -> None:
    sim = box().simulate()
    sim.step(800)
    contacts = sim.contacts
    assert contacts.rows.dtype.names == tuple(name for name, _, _ in _core.contact_fields)
    for name in contacts.rows.dtype.names:
        assert np.array_equal(contacts.rows[name], getattr(contacts, name))
    along = np.einsum("ij,ij->i", contacts.force, contacts.normal)
    assert contacts.normal_force == pytest.approx(along)
    pressed = contacts.rows[contacts.rows["gap"] < 0]
    assert len(pressed) == 8 and pressed["pair"].dtype == np.int64
    with pytest.raises(ValueError, match="8 rows of"):
        sim._core.contacts(-1.0, contacts.rows[:2])


def grains() -> lithe.Scene:
    """Three balls of 5 mm above a floor, the last of them pushed."""
    scene = lithe.Scene(title="grains", time={"step": "1 ms", "end": "1 s"})
    scene.materials["glass"] = lithe.Material(young="1 MPa", density=2500, friction=0.3)
    scene.particles["grains"] = lithe.Particles(
        material="glass", radius="5 mm", positions=[[0, 0, 0.1], [0.1, 0, 0.1], [0.2, 0, 0.005]]
    )
    scene.bodies["floor"] = lithe.Body(shape={"half-space": {}}, material="glass", fixed=True)
    return scene


def test_particles_are_points_with_radius_and_mass() -> None:
    sim = grains().simulate()
    set = sim.particles["grains"]
    assert set.count == 3 and set.position.shape == (3, 3)
    assert set.radius == pytest.approx(0.005)
    assert set.mass == pytest.approx(2500 * 4 / 3 * np.pi * 0.005**3)
    set.velocity[0] = [0.1, 0, 0]
    set.set_force([[0, 0, 0], [0, 0, 9.81 * set.mass[1]], [0, 0, 0]])
    sim.step(50)
    # thrown, carried and resting
    assert set.position[0] == pytest.approx([0.005, 0, 0.1 - 9.81 / 2 * 0.05 * 0.05], abs=1e-9)
    assert set.position[1] == pytest.approx([0.1, 0, 0.1], abs=1e-9)
    assert set.position[2, 2] == pytest.approx(0.005, abs=1e-4)
    assert sim.contacts.things == ["floor", "grains"] and len(sim.contacts) == 1
    assert {sim.contacts[0].a, sim.contacts[0].b} == {"floor", "grains"}
    assert (sim.contacts.part[sim.contacts.pair == 1] == 2).all()
    for array in (set.position, set.radius, set.mass):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 0


def bar() -> lithe.Scene:
    scene = lithe.Scene(time={"step": "5 ms", "end": "1 s"}, gravity="none")
    scene.materials["rubber"] = lithe.Material(young="1 MPa", poisson=0.3, density="1000 kg/m^3")
    scene.solids["bar"] = lithe.Solid(
        material="rubber",
        law="neo-hookean",
        mesh={"box": {"size": [0.2, 0.02, 0.02], "divisions": [5, 1, 1]}},
    )
    scene.holds["wall"] = lithe.Hold(on="bar.x-min")
    return scene


def test_solids_are_nodes_and_tetrahedra_with_stresses() -> None:
    sim = bar().simulate()
    solid = sim.solids["bar"]
    assert solid.node_count == 24 and solid.elements.shape == (25, 4)
    assert solid.triangles.shape[1] == 3 and solid.triangles.max() < 24
    assert solid.mass.sum() == pytest.approx(1000 * 0.2 * 0.02**2)
    assert solid.von_mises == pytest.approx(0, abs=1e-3)
    force = np.zeros((24, 3))
    force[solid.position[:, 0] > 0.099] = [0.01, 0, 0]
    solid.set_force(force)
    sim.step(40)
    assert solid.stress.shape == (25, 6) and solid.strain[:, 0].mean() > 0
    assert solid.von_mises.mean() > 0
    assert solid.mesh_error.shape == (25,) and 0.001 < solid.mesh_error.sum() < 0.9
    assert "24 nodes" in repr(solid) and "1 solids" in repr(sim)
    middle = sim.state
    sim.step(5)
    end = sim.state
    sim.state = pickle.loads(pickle.dumps(middle))
    sim.step(5)
    assert sim.state == end


def test_a_state_of_particles_is_put_back() -> None:
    sim = grains().simulate()
    sim.step(10)
    middle = sim.state
    sim.step(10)
    end = sim.state
    sim.state = pickle.loads(pickle.dumps(middle))
    sim.step(10)
    assert sim.state == end
    fewer = grains()
    fewer.particles["grains"] = lithe.Particles(material="glass", radius=0.005, positions=[[0, 0, 1]])
    with pytest.raises(lithe.BadInput):
        fewer.simulate().state = middle


def test_what_can_touch_is_named_by_one_list() -> None:
    sim = lithe.load(SCENES / "rope-over-bar.yaml").simulate()
    assert sim._core.names("things") == [*sim.rods, *sim.bodies]
    hit = sim.cast_ray((0.3, 0.3, 1.0), (0.0, 0.0, -1.0))
    assert hit is not None and hit.thing == "floor"
    with pytest.raises(ValueError, match="no such kind: shells"):
        sim._core.names("shells")


def test_the_report_counts_contacts_that_act_with_more_than_their_stiffness() -> None:
    for depth, stiffened in ((0.9e-3, False), (1.5e-3, True)):
        scene = lithe.loads(f"""lithe: 1
time: {{step: 1 ms, end: 1 s}}
gravity: none
materials: {{cord: {{young: 10 MPa, density: 1000, contact: {{stiffness: 100}}}}}}
rods:
  above: {{material: cord, section: {{circle: {{radius: 1 mm}}}}, nodes: 21,
    shape: {{line: {{from: [-0.05, 0, {2e-3 - depth}], to: [0.05, 0, {2e-3 - depth}]}}}}}}
  below: {{material: cord, section: {{circle: {{radius: 1 mm}}}}, nodes: 22,
    shape: {{line: {{from: [0, -0.05, 0], to: [0, 0.05, 0]}}}}, clamped: both}}
""")
        sim = scene.simulate()
        sim.step()
        assert sim.report.contacts > 0 and (sim.report.stiffened > 0) == stiffened
        assert sim.report.worst in ("above", "below")


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


def test_distances_and_rays_find_things() -> None:
    scene = box()
    scene.bodies["box"]["at"] = [0, 0, 0.5]  # type: ignore[index]
    sim = scene.simulate()
    assert sim.distance("box", "floor").distance == pytest.approx(0.4)
    hit = sim.cast_ray([0, 0, 2], [0, 0, -1])
    assert hit is not None and hit.thing == "box" and hit.distance == pytest.approx(1.4)
    assert sim.cast_ray([0, 0, 2], [0, 0, 1]) is None
    with pytest.raises(lithe.BadInput, match="sphere"):
        sim.distance("box", "sphere")


def test_energy_is_accounted_for() -> None:
    sim = rope(contact={"enabled": False}).simulate()
    start = sim.energy.total
    sim.advance()
    e = sim.energy
    assert e.kinetic > 0 and e.dissipated > 0
    assert e.total + e.dissipated - e.work <= start + 1e-9


def test_unknown_names_are_reported() -> None:
    sim = rope().simulate()
    with pytest.raises(KeyError, match="no 'lace' among the rods: rope"):
        sim.rods["lace"]


# --- threads and signals ---


def test_two_threads_cannot_step_one_simulation_at_once() -> None:
    sim = rope(nodes=401).simulate()
    failed: list[BaseException] = []

    def steps() -> None:
        try:
            sim.step(10**9)
        except lithe.Interrupted as error:
            failed.append(error)

    thread = threading.Thread(target=steps)
    thread.start()
    deadline = time.monotonic() + 100
    while sim.steps == 0 and time.monotonic() < deadline:
        time.sleep(0.001)
    with pytest.raises(RuntimeError, match="another thread"):
        sim.step()
    sim.stop()
    thread.join(100)
    assert not thread.is_alive() and len(failed) == 1
    # between two calls: a stop is not lost, and counts once
    sim.stop()
    with pytest.raises(lithe.Interrupted):
        sim.step()
    sim.step()


def test_control_c_ends_a_run_and_keeps_the_recording(tmp_path: Path) -> None:
    program = f"""
import lithe, threading, time
sim = lithe.load({str(SCENES / "rope-coiling.yaml")!r}).simulate()
def tell():
    while sim.steps < 10:
        time.sleep(0.01)
    print("ready", flush=True)

threading.Thread(target=tell).start()
try:
    sim.advance(record={str(tmp_path / "x.h5")!r})
except KeyboardInterrupt:
    print("stopped", sim.time > 0, flush=True)
"""
    process = interruptible(program)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped True\n"
    assert process.wait(100) == 0
    assert (tmp_path / "x.h5").exists()


def test_ctrl_c_ends_a_long_step_and_what_follows_has_the_same_bits() -> None:
    scene = lithe.Scene(time={"step": "1 ms", "end": "1 s", "scheme": "backward-euler"})
    scene.materials["jelly"] = lithe.Material(young="1 MPa", poisson=0.3, density=1000)
    scene.solids["block"] = {
        "material": "jelly",
        "mesh": {"box": {"size": ["20 cm"] * 3, "divisions": [16, 16, 16]}},
    }
    scene.holds["wall"] = {"on": "block.x-min"}
    sim, other = scene.simulate(), scene.simulate()
    main = time.pthread_getcpuclockid(threading.get_ident())
    before = signal.signal(signal.SIGINT, signal.default_int_handler)

    def send(at: float) -> None:
        while time.clock_gettime(main) < at:
            time.sleep(0.005)
        os.kill(os.getpid(), signal.SIGINT)

    try:
        for after in (0.3, 0.7):  # of a step that takes a second
            began = time.clock_gettime(main)
            sender = threading.Thread(target=send, args=(began + after,))
            sender.start()
            with pytest.raises(KeyboardInterrupt):
                sim.step(100)
            assert time.clock_gettime(main) - began - after < 1
            sender.join()
    finally:
        signal.signal(signal.SIGINT, before)
    done = sim.steps
    sim.step()
    other.step(done + 1)
    assert sim.hash == other.hash


def test_a_simulation_that_is_pickled_says_what_can_be() -> None:
    sim = box().simulate()
    with pytest.raises(TypeError, match="pickle sim.scene and sim.state"):
        pickle.dumps(sim)


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


def test_holds_and_drives_tell_what_they_exert() -> None:
    scene = lithe.loads("""
        lithe: 1
        time: {scheme: static, step: 1 s, end: 1 s}
        materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}
        rods:
          a: {material: m, nodes: 21, clamped: start, shape: {line: {to: [1, 0, 0]}},
              section: {rectangle: {width: 1 cm, height: 2.5 cm}}}
          b: {material: m, nodes: 21, shape: {line: {from: [0, 1, 0], to: [1, 1, 0]}},
              section: {rectangle: {width: 1 cm, height: 2.5 cm}}}
        drives: {wall: {on: b.start, kind: clamp}}
        """)
    sim = scene.simulate()
    sim.step()
    weight = 0.25 * 9.81
    for by, force, torque, y in (
        (sim.holds["a/start"], sim.holds["a/start"].force, sim.holds["a/start"].torque, 0),
        (sim.drives["wall"], sim.drives["wall"].force_vector, sim.drives["wall"].torque_vector, 1),
    ):
        assert by.point == pytest.approx([0, y, 0], abs=1e-9)
        assert force == pytest.approx([0, 0, weight], abs=1e-9)
        assert torque == pytest.approx([0, -weight / 2, 0], rel=1e-3)
    assert sim.drives["wall"].force == pytest.approx(weight)
    assert "force [" in str(sim.holds["a/start"])
