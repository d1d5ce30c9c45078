# SPDX-License-Identifier: Apache-2.0
"""The library of materials and cables from Python."""

import pytest

import lithe


def test_entries_have_values_with_units_and_sources() -> None:
    library = lithe.materials()
    assert sum(e.kind == "material" for e in library.values()) >= 30
    steel = library["steel-s235"]
    assert steel.values["young"].value == 210e9 and steel.values["young"].unit == "Pa"
    assert "EN 1993" in steel.values["yield"].source
    nylon = library["nylon-66"].values["young"]
    assert nylon.low < nylon.value < nylon.high
    assert all(v.source for e in library.values() for v in e.values.values())


def test_scenes_take_entries_with_keys_of_their_own() -> None:
    scene = lithe.Scene(time={"step": "1 ms", "end": "1 s"}, gravity="none")
    scene.materials["wire"] = {"from": "aluminium", "friction": 0.2}
    scene.rods["wire"] = {"material": "wire", "section": {"circle": {"radius": "1 mm"}}, "shape": {"line": {"to": [1, 0, 0]}}}
    scene.rods["cable"] = {
        "section": {"stiffness": {"from": "model-power-cable", "GJ": 1e-3}},
        "shape": {"line": {"from": [0, 1, 0], "to": [1, 1, 0]}},
        "natural": {"stretch": 0.9},
    }
    sim = scene.simulate()
    assert sim.rods["cable"].tension == pytest.approx(65500 / 9)
    scene.materials["wire"] = {"from": "aluminum"}
    with pytest.raises(lithe.BadInput, match="did you mean aluminium"):
        scene.simulate()
