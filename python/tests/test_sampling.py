# SPDX-License-Identifier: Apache-2.0
"""Commands of actuators by simulations alone."""

from __future__ import annotations

import numpy as np
import pytest

import lithe
from lithe import sampling

HINGE = """
lithe: 1
time: {step: 20 ms, end: 1 s, scheme: backward-euler}
gravity: [0, 0, 0]
bodies:
  bar: {mass: 1 kg, centre: [0.5, 0, 0], inertia: [0.01, 0.08, 0.08, 0, 0, 0]}
joints:
  hinge: {kind: revolute, child: bar}
actuators:
  motor: {joint: hinge, kind: force}
"""


def cost(sim: lithe.Simulation, last: bool) -> float:
    """Ends at rest at half a radian, with little torque."""
    joint = sim.joints["hinge"]
    if last:
        return float((joint.position[0] - 0.5) ** 2 + joint.velocity[0] ** 2)
    return float(1e-4 * sim.actuators["motor"].target ** 2)


@pytest.mark.parametrize("method", sampling.METHODS)
def test_a_search_moves_a_bar_to_its_place(method: str) -> None:
    scene = lithe.loads(HINGE)
    found = sampling.search(scene, ["motor"], cost, until=0.4, spread=2.0, method=method, knots=4,
                            samples=24, iterations=12, low=-8, high=8, seed=3)
    # without torque: 0.25
    assert found.cost < 0.05 and found.runs == 288 and found.failed == 0
    assert found.commands.shape == (4, 1) and (np.abs(found.commands) <= 8).all()
    assert (np.diff(found.costs) <= 0).all()


def test_results_depend_on_the_seed_alone() -> None:
    scene = lithe.loads(HINGE)

    def run(seed: int, threads: int) -> sampling.Search:
        return sampling.search(scene, ["motor"], cost, until=0.2, spread=2.0, knots=3, samples=6,
                               iterations=2, seed=seed, threads=threads)

    assert (run(1, 1).commands == run(1, 2).commands).all()
    assert not (run(1, 1).commands == run(2, 1).commands).all()


def test_bad_settings_are_refused_by_name() -> None:
    scene = lithe.loads(HINGE)
    with pytest.raises(lithe.BadInput, match="method is 'annealing', must be one of"):
        sampling.search(scene, ["motor"], cost, until=0.1, spread=1.0, method="annealing")
    with pytest.raises(lithe.BadInput, match="spread must be > 0"):
        sampling.search(scene, ["motor"], cost, until=0.1, spread=0.0)
    for names in ([], "motor", ["motor", "motor"]):
        with pytest.raises(lithe.BadInput, match="at least one name, each once"):
            sampling.search(scene, names, cost, until=0.1, spread=1.0)
    with pytest.raises(lithe.BadInput, match="no simulation of 4 has a finite cost: the cost is"):
        sampling.search(scene, ["motor"], lambda sim, last: float("nan"), until=0.1, spread=1.0,
                        samples=2, iterations=2)
    with pytest.raises(lithe.BadInput, match="elite is 99"):
        sampling.search(scene, ["motor"], cost, until=0.1, spread=1.0, elite=99)


def test_the_old_names_of_the_bounds_still_work() -> None:
    scene = lithe.loads(HINGE)

    def run(**bounds: float) -> sampling.Search:
        return sampling.search(scene, ["motor"], cost, until=0.1, spread=2.0, knots=2, samples=4,
                               iterations=1, threads=1, **bounds)  # type: ignore[arg-type]

    with pytest.warns(DeprecationWarning, match="is now called") as given:
        old = run(lower=-0.5, upper=0.5)
    assert [str(w.message).split()[-1] for w in given] == ["low", "high"]
    assert (old.commands == run(low=-0.5, high=0.5).commands).all()
    with pytest.raises(lithe.BadInput, match="lower and low are both given"):
        run(lower=-1, low=-1)
