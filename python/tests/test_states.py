# SPDX-License-Identifier: Apache-2.0
"""States of simulations: kept, put back, compared, pickled."""

from __future__ import annotations

import pickle

import pytest
from conftest import box, grains, rope

import lithe
from lithe import _core


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


def test_a_simulation_that_is_pickled_says_what_can_be() -> None:
    sim = box().simulate()
    with pytest.raises(TypeError, match="pickle sim.scene and sim.state"):
        pickle.dumps(sim)
