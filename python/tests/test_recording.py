# SPDX-License-Identifier: Apache-2.0
"""Recordings: arrays by name, runs that go on, plots, exports."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import box, rope

import lithe


@pytest.fixture(scope="module")
def swing(tmp_path_factory: pytest.TempPathFactory) -> lithe.Recording:
    """A rope of 21 nodes that falls for 0.1 s, recorded each 5 ms."""
    path = tmp_path_factory.mktemp("swing") / "swing.h5"
    rope().simulate().advance(record=path)
    return lithe.open(path)


@pytest.fixture(scope="module")
def resting(tmp_path_factory: pytest.TempPathFactory) -> lithe.Recording:
    """A box of 4 kg at rest on a floor."""
    path = tmp_path_factory.mktemp("rest") / "box.h5"
    box().simulate().advance(0.05, every=0.01, record=path)
    return lithe.open(path)


def test_arrays_have_the_values_of_the_simulation_by_name(tmp_path: Path) -> None:
    sim = rope().simulate()
    seen: dict[str, list[np.ndarray]] = {"position": [], "tension": []}
    for _ in sim.run(record=tmp_path / "a.h5"):
        for what, rows in seen.items():
            rows.append(np.array(getattr(sim.rods["rope"], what)))
    rec = lithe.open(tmp_path / "a.h5")
    assert len(rec) == 21 and rec.time == pytest.approx(0.005 * np.arange(21))
    assert rec["rope.position"].shape == (21, 21, 3) and rec["rope.tension"].shape == (21, 20)
    assert (rec["rope.position"][1:] == np.array(seen["position"])).all()
    assert (rec["rods/rope/tension"][1:] == np.array(seen["tension"])).all()
    assert rec.complete and not rec.running and rec.stopped == ""


def test_names_units_axes_and_constants_are_listed(swing: lithe.Recording) -> None:
    assert {"rope.position", "hand.force", "energy.kinetic"} <= set(swing.names)
    assert swing.units("rope.tension") == "N" and swing.units("rope.end.position.z") == "m"
    assert swing.axes("rope.position") == ("time", "node", "xyz")
    assert swing["rope.radius"] == pytest.approx(0.005)
    assert swing["rope.section"] == "circle" and swing["rope.closed"] == 0
    assert swing["rope.rest_length"].sum() == pytest.approx(1)
    assert "rope.rest_length" in swing.constants and "rope.tension" in swing
    assert swing["report.newton_iterations"].dtype == np.int64
    assert swing.title == "rope" and swing.scene == rope()
    assert swing.summary["complete"] and swing.summary["steps"] == 100


def test_places_components_and_reductions_work_as_in_plots(swing: lithe.Recording) -> None:
    x, tension = swing["rope.position"], swing["rope.tension"]
    assert (swing["rope.end.position.z"] == x[:, -1, 2]).all()
    assert (swing["rope.end.position"] == x[:, -1]).all()
    assert (swing["rope.tension.max"] == tension.max(axis=1)).all()
    assert (swing["rope.tension[3]"] == tension[:, 3]).all()


def test_bodies_have_a_pose_a_position_and_an_orientation(resting: lithe.Recording) -> None:
    pose = resting["box.pose"]
    assert pose.shape == (6, 7)
    assert (resting["box.position"] == pose[:, :3]).all()
    assert (resting["box.orientation"] == pose[:, 3:]).all()
    assert (resting["box.position.z"] == pose[:, 2]).all()
    assert resting.units("box.position") == "m" and resting.units("box.orientation") == "1"
    assert resting.axes("box.position") == ("time", "xyz")
    # a body that never moves has a constant pose
    assert resting["floor.position"].shape == (3,) and resting.axes("floor.position") == ("xyz",)
    assert "floor.orientation" in resting and "floor.posture" not in resting


def test_slices_are_recordings_of_some_frames(swing: lithe.Recording) -> None:
    x = swing["rope.position"]
    for part in (slice(5, 10), slice(None, None, 4), slice(None, None, -1), slice(-3, None)):
        some = swing[part]
        assert len(some) == len(x[part]) and (some.time == swing.time[part]).all()
        assert (some["rope.position"] == x[part]).all()
        assert (some["rope.end.position.z"] == x[part][:, -1, 2]).all()
    assert (swing[4:][::3]["rope.position"] == x[4:][::3]).all()
    between = swing.between("20 ms", 0.04)
    assert between.time == pytest.approx([0.02, 0.025, 0.03, 0.035, 0.04])
    assert len(swing.between(3, 4)) == 0
    with pytest.raises(lithe.NotSupported, match="slice"):
        swing[3:].to_html()


def test_contacts_of_a_frame_are_arrays(resting: lithe.Recording) -> None:
    found = resting.contacts(at="50 ms")
    assert sorted(set(found["a"] + found["b"])) == ["box", "floor"]
    signs = np.array([1 if b == "box" else -1 for b in found["b"]])
    on_box = (signs[:, None] * found["force"]).sum(axis=0)
    assert on_box == pytest.approx(resting["box.contact"][-1]) and on_box[2] > 20
    assert found["position"].shape == (len(found["a"]), 3)
    assert len(resting.contacts(frame=0)["a"]) == 0


def test_the_force_between_two_things_is_that_on_the_second(resting: lithe.Recording) -> None:
    force = resting.contact_force("floor", "box")
    assert force.shape == (len(resting), 3)
    # nothing else touches the box
    assert force == pytest.approx(resting["box.contact"])
    assert (resting.contact_force("box", "floor") == -force).all()
    assert (resting[3:].contact_force("floor", "box") == force[3:]).all()
    with pytest.raises(KeyError, match="'boks' touches nothing, did you mean 'box'"):
        resting.contact_force("floor", "boks")


def test_the_torque_of_a_patch_is_about_a_point_of_choice(resting: lithe.Recording) -> None:
    own = resting.contact_patch("floor", "box")
    force, centre = own["force"][-1], own["centre"][-1]
    axle = np.array([-1.0, 0.5, 0.2])
    moved = resting.contact_patch("floor", "box", about=axle)
    assert moved["torque"][-1] == pytest.approx(own["torque"][-1] + np.cross(centre - axle, force))
    origin = resting["box.position"][-1]
    named = resting.contact_patch("floor", "box", about="box")
    about = own["torque"][-1] + np.cross(centre - origin, force)
    assert named["torque"][-1] == pytest.approx(about)
    with pytest.raises(lithe.BadInput, match="must be a point of the world"):
        resting.contact_patch("floor", "box", about=[1, 2])


def test_the_repr_says_what_is_in_it(swing: lithe.Recording) -> None:
    text = repr(swing)
    assert "21 frames, 0 to 0.1 s, complete" in text
    assert re.search(r"  rope: .*position \[21, 3\] m, tension \[20\] N", text)
    assert "hand: force N" in text


def test_errors_name_the_file_and_what_is_meant(
    swing: lithe.Recording, tmp_path: Path
) -> None:
    with pytest.raises(lithe.UnknownName, match=r"swing.h5.*did you mean 'rope.tension'"):
        swing["rope.tenson"]
    with pytest.raises(KeyError):
        swing["lace.tension"]
    assert "rope.tenson" not in swing
    with pytest.raises(lithe.BadInput, match=r"swing.h5.*0 to 0.1 s"):
        swing.frame_at(7)
    with pytest.raises(lithe.BadInput, match="'5 mm', a length; expected is a time"):
        swing.frame_at("5 mm")
    with pytest.raises(lithe.BadInput, match="frames 0 to 20"):
        swing.picture(frame=21)
    with pytest.raises(TypeError, match="name or a slice"):
        swing[3]  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="read by name"):
        list(swing)
    with pytest.raises(lithe.FileError, match="none.h5"):
        lithe.open(tmp_path / "none.h5")
    (tmp_path / "scene.yaml").write_text("lithe: 1\n")
    with pytest.raises(lithe.BadInput, match="lithe.load"):
        lithe.open(tmp_path / "scene.yaml")
    with pytest.raises(lithe.BadInput, match="lithe.open"):
        lithe.load(swing.path)


# --- runs that have not ended ---


def test_a_run_that_goes_on_is_read_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "run.h5"
    run = rope().simulate().run(record=path)
    next(run), next(run)
    rec = lithe.open(path)
    assert rec.from_journal and rec.running and not rec.complete
    assert len(rec) == 3 and rec["rope.position"].shape == (3, 21, 3)
    assert "the run goes on" in repr(rec)
    next(run)
    assert len(rec) == 3 and len(rec.reload()) == 4
    x = rec.reload()["rope.position"]
    for _ in run:
        pass
    done = rec.reload()
    assert done.complete and not done.from_journal and len(done) == 21
    assert (done["rope.position"][:4] == x).all()
    # what was opened stays readable, although the journal is gone
    assert (rec["rope.position"] == x[:3]).all()


def test_a_run_without_frames_is_opened(tmp_path: Path) -> None:
    sim = rope().simulate()
    sim._core.record(str(tmp_path / "empty.h5"))
    rec = lithe.open(tmp_path / "empty.h5")
    assert len(rec) == 0 and rec["rope.tension"].shape == (0, 20) and "0 frames" in repr(rec)
    for call in (rec.picture, rec.to_html, lambda: rec.frame_at(0)):
        with pytest.raises(lithe.BadInput, match="empty.h5: has no frames"):
            call()


def test_a_killed_run_is_read_from_its_journal(tmp_path: Path) -> None:
    path = tmp_path / "killed.h5"
    program = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
from conftest import box
for frame in box().simulate().run(every=0.01, record={str(path)!r}):
    if frame.index == 4:
        print("now", flush=True)
        time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as run:
        assert run.stdout is not None
        run.stdout.readline()
        run.send_signal(signal.SIGKILL)
    # a record that is cut off is ignored
    with open(f"{path}.journal", "ab") as file:
        file.write(b"\1\0\0\0\0\0\0\0")
    rec = lithe.open(path)
    assert rec.from_journal and not rec.running and len(rec) == 6
    assert "interrupted" in repr(rec)
    whole = box().simulate()
    whole.advance(0.05, every=0.01, record=tmp_path / "whole.h5")
    other = lithe.open(tmp_path / "whole.h5")
    for name in rec.names:
        assert np.array_equal(rec[name], other[name]), name
    for k in range(6):
        found, wanted = rec.contacts(frame=k), other.contacts(frame=k)
        assert found["a"] == wanted["a"] and (found["force"] == wanted["force"]).all()
    rec.picture(tmp_path / "a.png", size=(160, 100), quick=True)
    other.picture(tmp_path / "b.png", size=(160, 100), quick=True)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_an_older_recording_is_read_on_request(tmp_path: Path) -> None:
    path = tmp_path / "twice.h5"
    rope().simulate().advance(record=path)
    run = rope().simulate().run(record=path)
    next(run)
    assert len(lithe.open(path)) == 2
    assert len(lithe.open(path, journal=False)) == 21
    assert len(lithe.open(f"{path}.journal")) == 2
    run.close()
    with pytest.raises(lithe.FileError, match="journal"):
        lithe.open(path, journal=True)
    assert lithe.open(path).stopped == "the program left the run"


def test_recordings_of_the_command_are_read(command: str, tmp_path: Path) -> None:
    (tmp_path / "rope.yaml").write_text(rope().to_yaml())
    subprocess.run([command, "run", "-q", "rope.yaml"], check=True, cwd=tmp_path)
    rec = lithe.open(tmp_path / "rope.h5")
    sim = rope().simulate().advance()
    assert rec.summary["hash"] == sim.hash
    assert (rec["rope.position"][-1] == sim.rods["rope"].position).all()


# --- plots and tables ---


def test_plots_have_one_chart_per_unit(swing: lithe.Recording, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    axes = swing.plot("rope.tension", "hand.force", "energy.kinetic", path=tmp_path / "a.png")
    assert [axis.get_ylabel() for axis in axes] == ["[N]", "kinetic [J]"]
    names = [line.get_label() for line in axes[0].lines]
    assert names == ["rope.tension.max", "rope.tension.mean", "hand.force"]
    assert (axes[0].lines[0].get_ydata() == swing["rope.tension.max"]).all()
    assert axes[-1].get_xlabel() == "time [s]"
    assert (tmp_path / "a.png").stat().st_size > 1000
    with pytest.raises(lithe.UnknownName, match="did you mean"):
        swing.plot("rope.tensin")
    with pytest.raises(lithe.BadInput, match="N and J"):
        swing.plot("rope.tension", "energy.kinetic", ax=axes[0])
    with pytest.raises(lithe.BadInput, match="no quantity"):
        swing.plot()


def test_plots_run_along_a_rod_at_a_moment(swing: lithe.Recording) -> None:
    pytest.importorskip("matplotlib")
    (axis,) = swing.plot("rope.tension", at="50 ms")
    x, y = axis.lines[0].get_data()
    assert x == pytest.approx(0.025 + 0.05 * np.arange(20))
    assert (y == swing["rope.tension"][10]).all()
    assert axis.get_xlabel() == "arc length [m]" and "0.05 s" in axis.get_title()
    (axis,) = swing.plot("rope.position.z", at=[0, 0.1])
    assert (axis.lines[1].get_ydata() == swing["rope.position"][-1, :, 2]).all()
    assert axis.lines[1].get_xdata() == pytest.approx(np.linspace(0, 1, 21))
    first, second = swing.plot("rope.tension", "rope.curvature", at=0.1)
    assert second.get_ylabel() == "curvature [1/m]"
    with pytest.raises(lithe.UnknownName, match="no values along a rod"):
        swing.plot("hand.force", at=0.1)


def test_a_missing_matplotlib_or_pandas_is_named(
    swing: lithe.Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("matplotlib", "matplotlib.pyplot", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match="pip install matplotlib"):
        swing.plot("rope.tension")
    with pytest.raises(ImportError, match="pip install pandas"):
        swing.to_pandas()


def test_tables_of_pandas_have_times_and_units(swing: lithe.Recording) -> None:
    pytest.importorskip("pandas")
    table = swing.to_pandas("rope.tension", "rope.end.position")
    assert list(table.columns)[:2] == ["rope.tension.max", "rope.tension.mean"]
    assert (table.index == swing.time).all() and table.index.name == "time"
    assert table.attrs["units"]["rope.end.position.z"] == "m"
    assert len(swing[::2].to_pandas().columns) > 20


def test_tables_of_pandas_have_all_values_on_request(swing: lithe.Recording) -> None:
    pytest.importorskip("pandas")
    table = swing.to_pandas("rope.tension", "rope.position", "hand.force", whole=True)
    assert table.shape == (21, 20 + 63 + 1)
    assert (table["rope.tension[19]"] == swing["rope.tension"][:, 19]).all()
    assert (table["rope.position[3].z"] == swing["rope.position"][:, 3, 2]).all()
    assert (table["hand.force"] == swing["hand.force"]).all()
    assert table.attrs["units"]["rope.tension[19]"] == "N"
    # names of columns are names of the recording
    assert (swing["rope.position[3].z"] == table["rope.position[3].z"]).all()


def test_what_moves_a_body_along_its_path_is_recorded(tmp_path: Path) -> None:
    (tmp_path / "route.yaml").write_text("""
lithe: 1
time: {step: 2 ms, end: 0.4 s, scheme: backward-euler}
materials: {wood: {young: 10 MPa, density: 500 kg/m^3, friction: 0.4}}
bodies:
  floor: {fixed: true, material: wood, shape: {half-space: {}}}
  block: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: [1 mm, 0, 5 cm]}
  hand: {material: wood, shape: {box: {size: [2 cm, 10 cm, 4 cm]}}, at: [-6 cm, 0, 5 cm]}
pose-drives:
  route:
    body: hand
    kind: smooth
    path: [{time: 0 s, at: [-6 cm, 0, 5 cm]}, {time: 0.5 s, at: [4 cm, 0, 5 cm]}]
record: {every: 2 ms, also: [route.force, hand.velocity]}
""")
    lithe.load(tmp_path / "route.yaml").simulate().advance(record=tmp_path / "route.h5")
    rec = lithe.open(tmp_path / "route.h5")
    mass = 0.02 * 0.1 * 0.04 * 500
    force, contact = rec["route.force"][1:], rec["hand.contact"][1:]
    # drive, contact and weight make the acceleration; of the path from 0 to 10 cm it is at most
    # 6 x 0.1 m/(0.5 s)^2, and changes by a hundredth of that in a step
    rate = np.diff(rec["hand.velocity"], axis=0) / 0.002
    rest = (force + contact) / mass - rate
    assert abs(rest - [0, 0, 9.81]).max() < 0.03
    assert force[:, 0].max() > 0.4 * 0.5 * 9.81  # the friction of the block


# --- exports ---


def test_pictures_are_those_of_the_command(
    swing: lithe.Recording, command: str, tmp_path: Path
) -> None:
    look: dict[str, Any] = {"size": (200, 120), "colour": "tension", "camera": (30, 20)}
    swing.picture(tmp_path / "a.png", at="50 ms", **look)
    image = swing.picture(at="50 ms", quick=True, **look)
    assert image.shape == (120, 200, 3) and image.dtype == np.uint8 and image.std() > 1
    export = [command, "export", swing.path, str(tmp_path / "b.png"), "--frame", "50ms", "--size"]
    subprocess.run([*export, "200x120", "--colour", "tension", "--camera", "30,20"], check=True)
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
    with pytest.raises(lithe.BadInput, match="did you mean 'colour'"):
        swing.picture(colur="tension")
    with pytest.raises(lithe.BadInput, match="did you mean 'tension'"):
        swing.picture(colour="tensoin", size=(64, 64), quick=True)
    with pytest.raises(lithe.BadInput, match="is the recording itself"):
        os.symlink(swing.path, tmp_path / "link.png")
        swing.picture(tmp_path / "link.png", size=(64, 64), quick=True)


def test_all_formats_are_written(swing: lithe.Recording, tmp_path: Path) -> None:
    swing.export(tmp_path / "a.csv")
    swing.to_csv(tmp_path / "b.csv", "rope.tension.max")
    rows = np.loadtxt(tmp_path / "b.csv", delimiter=",", skiprows=1)
    assert (rows[:, 1] == swing["rope.tension.max"]).all()
    swing.export(tmp_path / "a.svg", at=0.1, size=(200, 100))
    swing.export(tmp_path / "a.glb")
    swing.export(tmp_path / "a.pvd")
    assert (tmp_path / "a.glb").read_bytes()[:4] == b"glTF"
    with pytest.raises(lithe.BadInput, match=r"a.gif: unknown ending; supported are .csv"):
        swing.export(tmp_path / "a.gif")
    with pytest.raises(lithe.BadInput, match="only pictures take options"):
        swing.export(tmp_path / "a.csv", dark=True)


def test_a_video_is_written_or_ffmpeg_is_named(swing: lithe.Recording, tmp_path: Path) -> None:
    try:
        swing.video(tmp_path / "a.mp4", size=(64, 48))
        assert b"ftyp" in (tmp_path / "a.mp4").read_bytes()[:16]
    except lithe.NotSupported as error:
        assert "ffmpeg" in str(error)
    with pytest.raises(lithe.BadInput, match="rate is 0"):
        swing.video(tmp_path / "b.mp4", rate=0)
    with pytest.raises(lithe.BadInput, match=r"c.gif: a video is written as .mp4"):
        swing.video(tmp_path / "c.gif")
    assert not (tmp_path / "c.gif").exists()


def needs_page() -> None:
    if not (Path(lithe.__file__).parent / "viewer" / "standalone.html").exists():
        pytest.skip("the package was built without the viewer's page")


def test_pages_are_those_of_the_command(
    swing: lithe.Recording, command: str, tmp_path: Path
) -> None:
    needs_page()
    page = Path(lithe.__file__).parent / "viewer"
    swing.to_html(tmp_path / "a.html")
    export = [command, "export", swing.path, str(tmp_path / "b.html"), "--page", str(page)]
    subprocess.run(export, check=True)
    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()
    assert swing.to_html() == (tmp_path / "a.html").read_text()


def test_notebooks_show_a_player_or_a_picture(
    swing: lithe.Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = swing._repr_html_()
    assert "21 frames, 0 to 0.1 s" in shown

    def none(name: str) -> Path:
        raise lithe.NotSupported("no page")

    monkeypatch.setattr("lithe.recording.page_file", none)
    assert '<img src="data:image/png;base64,iVBOR' in swing._repr_html_()
    monkeypatch.undo()
    needs_page()
    assert shown.startswith('<iframe srcdoc="') and "&quot;" in shown
    assert "<script" not in shown, "the page is inside of an attribute"


def test_a_simulation_shows_its_current_state() -> None:
    sim = box().simulate()
    sim.step(20)
    now = sim.snapshot()
    assert len(now) == 1 and (now["box.pose"][0] == sim.bodies["box"].pose).all()
    assert now.time == sim.time
    force = now.contacts()["force"][:, 2]
    assert np.abs(force).sum() == pytest.approx(np.abs(sim.contacts.force[:, 2]).sum())
    image = sim.picture(size=(160, 100), forces=True, quick=True)
    assert image.shape == (100, 160, 3) and image.std() > 1
    assert "2 bodies" in repr(sim) and "at 0.02 of 1 s" in repr(sim)
    assert "at 0.02 of 1 s" in sim._repr_html_()


def test_memory_is_returned(tmp_path: Path) -> None:
    path = tmp_path / "a.h5"
    rope().simulate().advance(record=path)
    before = lithe._core.memory_bytes()
    for _ in range(3):
        rec = lithe.open(path)
        rec.picture(size=(64, 64), quick=True), rec["rope.tension.max"], rec.names
        sim = rope().simulate()
        run = sim.run(record=tmp_path / "b.h5")
        next(run)
        part = lithe.open(tmp_path / "b.h5")
        part.picture(size=(64, 64), quick=True)
        run.close()
        sim.snapshot()
        del rec, part, run, sim
    assert lithe._core.memory_bytes() == before
