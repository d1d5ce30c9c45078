# SPDX-License-Identifier: Apache-2.0
"""Views of simulations: what they are, what they keep alive, and what they hold."""

from __future__ import annotations

import gc
import pickle

import numpy as np
import pytest
from conftest import grains, rope

import lithe
from lithe import _core


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


def test_unknown_names_are_reported() -> None:
    sim = rope().simulate()
    with pytest.raises(KeyError, match="no 'lace' among the rods: rope"):
        sim.rods["lace"]


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


def test_knots_say_what_is_tied() -> None:
    scene = lithe.loads(
        """
lithe: 1
gravity: none
time: {step: 1 ms, end: 3 ms}
materials: {soft: {young: 1 MPa, density: 1000 kg/m^3}}
rods:
  rope: {material: soft, section: {circle: {radius: 2 mm}}, nodes: 201, shape: {overhand-knot: {length: 1, unknotting: 1}}}
knots:
  whole: {through: [rope.start, rope.end]}
  part: {through: [rope.start, rope.at(0.2)]}
"""
    )
    sim = scene.simulate()
    whole = sim.knots["whole"]
    assert (whole.determinant, abs(whole.signature)) == (3, 2)
    assert whole.crossings >= 3 and whole.clearance > 0
    assert sim.knots["part"].determinant == 1 and sim.knots["part"].signature == 0
    assert "determinant 3" in repr(whole)
