# SPDX-License-Identifier: Apache-2.0
"""Contacts, distances and rays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from conftest import SCENES, box

import lithe
from lithe import _core


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
