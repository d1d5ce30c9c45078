# SPDX-License-Identifier: Apache-2.0
"""Scenes: built, read, changed, pickled; messages."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest
from conftest import SCENES, box, rope

import lithe

KNOT = """\
lithe: 1
title: Knot
time: {step: 0.1 ms, end: 0.7 s}
gravity: none
materials:
  nylon: {young: 18 MPa, poisson: 0.5, density: 1000 kg/m^3, damping: {mass: 1 1/s}}
rods:
  rope:
    {material: nylon, section: {circle: {radius: 1.5 mm}}, nodes: 101,
     shape: {overhand-knot: {unknotting: 2, length: 1 m}}}
drives:
  left: {on: rope.start, direction: outward, speed: 0.4 m/s, stiffness: 1e6 N/m, along-only: true}
"""


def built() -> lithe.Scene:
    scene = lithe.Scene(
        title="Knot", time={"step": "0.1 ms", "end": "0.7 s"}, gravity="none"
    )
    scene.materials["nylon"] = lithe.Material(
        young="18 MPa", poisson=0.5, density=1000.0, damping={"mass": "1 1/s"}
    )
    scene.rods["rope"] = lithe.Rod(
        material="nylon",
        section={"circle": {"radius": 0.0015}},
        shape={"overhand-knot": {"unknotting": 2, "length": "1 m"}},
        nodes=101,
    )
    scene.drives["left"] = lithe.Drive(
        on="rope.start", direction="outward", speed="0.4 m/s", stiffness=1e6, along_only=True
    )
    return scene


def test_a_scene_that_is_built_equals_the_file_with_the_same_words() -> None:
    assert built() == lithe.loads(KNOT)
    assert built().to_yaml() == lithe.loads(KNOT).to_yaml()


def test_plain_dicts_serve_as_well_as_classes() -> None:
    scene = built()
    scene.drives["left"] = {
        "on": "rope.start",
        "direction": "outward",
        "speed": "0.4 m/s",
        "stiffness": "1e6 N/m",
        "along-only": True,
    }
    assert scene == built()


def test_what_a_scene_writes_reads_back_as_the_same_scene() -> None:
    scene = lithe.load(SCENES / "arm-rope.yaml")
    assert lithe.loads(scene.to_yaml(), folder=str(SCENES)) == scene


def test_set_changes_one_value_by_its_path() -> None:
    scene = lithe.loads(KNOT)
    assert scene.set("rods.rope.section.circle.radius", "2 mm") != lithe.loads(KNOT)
    assert scene == lithe.loads(KNOT.replace("1.5 mm", "2 mm"))
    assert built().set("rods.rope.nodes", 51) == lithe.loads(KNOT.replace("101", "51"))
    assert lithe.loads(KNOT).set("drives.left.along-only", False).simulate().time == 0


def test_numpy_values_serve_as_numbers() -> None:
    scene = built()
    scene.rods["rope"] = {**scene.rods["rope"], "velocity": np.array([0, 1, 0])}
    scene.rods["rope"] = {**scene.rods["rope"], "nodes": np.int64(101)}
    assert "velocity: [0, 1, 0]" in scene.to_yaml()


def test_messages_name_file_line_column_and_field() -> None:
    with pytest.raises(lithe.BadInput, match=r"knot.yaml:9:.*raduis: unknown key") as caught:
        lithe.loads(KNOT.replace("radius", "raduis"), name="knot.yaml")
    assert caught.value.line == 9 and caught.value.column > 0
    assert caught.value.status == "bad input"
    assert isinstance(caught.value, ValueError) and isinstance(caught.value, lithe.Error)


def test_messages_of_built_scenes_name_the_field_and_no_line() -> None:
    scene = built()
    scene.rods["rope"] = {**scene.rods["rope"], "nodes": -3}
    with pytest.raises(lithe.BadInput, match=r"^rod 'rope': nodes is -3") as caught:
        scene.check()
    assert caught.value.line == 0
    scene.rods["rope"] = {"raduis": 3}
    with pytest.raises(lithe.BadInput, match=r"^rods.rope"):
        scene.simulate()


def test_wrong_overrides_and_values_are_reported() -> None:
    with pytest.raises(lithe.BadInput, match="rods.lace"):
        lithe.loads(KNOT).set("rods.lace.nodes", 3).check()
    with pytest.raises(lithe.BadInput, match="nan"):
        lithe.Scene(gravity=[0, 0, float("nan")]).check()
    with pytest.raises(TypeError, match="object"):
        lithe.Scene(gravity=object()).check()
    with pytest.raises(lithe.BadInput, match="include"):
        read = lithe.loads(KNOT)
        read.rods["more"] = {}
        read.check()


def test_files_that_cannot_be_read_raise_file_errors(tmp_path: Path) -> None:
    with pytest.raises(lithe.FileError, match="no.yaml"):
        lithe.load(tmp_path / "no.yaml")
    with pytest.raises(OSError):
        lithe.load(tmp_path)
    (tmp_path / "latin.yaml").write_bytes(b"title: \xe9")
    with pytest.raises(lithe.BadInput, match="UTF-8"):
        lithe.load(tmp_path / "latin.yaml")


def test_a_built_scene_can_include_a_file(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(KNOT)
    scene = lithe.Scene(include="base.yaml", folder=tmp_path)
    scene.drives["right"] = lithe.Drive(on="rope.end", direction="outward", speed="0.4 m/s")
    assert list(scene.simulate().drives) == ["left", "right"]


def test_scenes_are_pickled_and_copied() -> None:
    for scene in (built(), lithe.loads(KNOT).set("rods.rope.nodes", 51), rope(), box()):
        again = pickle.loads(pickle.dumps(scene))
        assert again == scene
        assert scene.copy() == scene
    scene = built()
    copy = scene.copy()
    copy.rods["rope"]["nodes"] = 7  # type: ignore[index]
    assert scene == built() and copy != scene


def test_names_of_python_become_words_of_the_format() -> None:
    drive = lithe.Drive(on="rope.end", along_only=True)
    assert dict(drive) == {"on": "rope.end", "along-only": True}
    assert "along_only=True" in repr(drive)
    assert list(lithe.Scene(pose_drives={"a_b": {}}).pose_drives) == ["a_b"]


def test_notes_of_importers_are_read() -> None:
    assert isinstance(lithe.load(SCENES / "arm.yaml").notes(), list)


def test_a_wrong_value_can_be_taken_back() -> None:
    scene = lithe.loads(KNOT)
    before = scene.to_yaml()
    scene.set("time.stp", "1 ms").set("time.end", "3 s")
    with pytest.raises(lithe.BadInput, match=r'did you mean step.*scene.unset\("time.stp"\)'):
        scene.check()
    scene.unset("time.stp").unset("time.end")
    assert scene.to_yaml() == before
    with pytest.raises(KeyError, match="'time.end' was not set. No value was set"):
        scene.unset("time.end")


def test_lists_and_arrays_are_set_as_numbers() -> None:
    scene = lithe.loads(KNOT)
    for value in ([0, 0, np.float64(-1.5)], np.array([0, 0, -1.5]), (0, 0, -1.5)):
        scene.set("gravity", value)
        assert "gravity: [0, 0, -1.5]" in scene.to_yaml()


def test_sections_of_a_scene_that_was_read_say_where_its_values_are() -> None:
    scene = lithe.loads(KNOT)
    for read in (scene, scene.copy(), pickle.loads(pickle.dumps(scene))):
        with pytest.raises(KeyError, match=r"'rope' of rods: the scene was read.*scene.set\(\"rods"):
            read.rods["rope"]
        assert "scene.set" in repr(read.rods) and len(read.rods) == 0
