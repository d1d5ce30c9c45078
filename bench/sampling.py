# SPDX-License-Identifier: Apache-2.0
"""A soft arm turns a ball: searches by simulations alone beside the plan. python bench/sampling.py

Each search has the cost of the plan without its terms of contact forces, the step and the duration
of the scene, and the processor time of the plan, or the requested number of iterations; the plan is
`lithe.plan`, simulated with its efforts. Times are those of the processor, of all threads. Prints a
table; none of the numbers is a test.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import lithe
from lithe import sampling

SCENES = Path(__file__).parent.parent / "scenes"
CHAMBERS = [f"trunk/{i}-{k}" for i in (1, 2, 3) for k in (1, 2, 3)]


class Turn:
    """Start, cost and measures of the scene's plan."""

    def __init__(self, axis: str) -> None:
        self.scene = lithe.load(SCENES / f"plan-{axis}.yaml")
        self.scene.set("plan.directions", 4)
        first = lithe.Problem(self.scene).nlp().start
        self.hold = first[25:34]
        self.scene.set("arms.trunk.start", f"[{', '.join(map(str, first[:9]))}]")
        angle = np.deg2rad(45)
        turn = np.sin(angle) * (1 if axis == "x" else -1)  # as the scenes say
        self.target = np.cos(angle) * np.eye(4)[0] + turn * np.eye(4)["xyz".index(axis) + 1]

    def begin(self, sim: lithe.Simulation) -> None:
        for name, effort in zip(CHAMBERS, self.hold, strict=True):
            sim.actuators[name].target = float(effort)

    def error(self, sim: lithe.Simulation) -> float:
        return float(1 - (sim.bodies["ball"].rotation @ self.target) ** 2)

    def cost(self, sim: lithe.Simulation, last: bool) -> float:
        if last:
            return 100 * self.error(sim)
        efforts = np.array([sim.actuators[name].target for name in CHAMBERS]) - self.hold
        return 10 * self.error(sim) + 1e-2 * float(efforts @ efforts)

    def play(self, times: np.ndarray, rows: np.ndarray) -> tuple[float, float]:
        """Cost and degrees from the target of commands, linear between times."""
        commands = sampling._Commands(CHAMBERS, times, rows[None], self.cost, self.begin)
        made = lithe.rollout(self.scene, 1, until=4.0, every=0.0, observe=commands.observe,
                             prepare=commands.prepare, controller=commands.control)
        stage, last = made["stage"][0], made["last"][0]
        degrees = 2 * np.degrees(np.arcsin(np.sqrt(max(0.0, last[-1] / 100))))
        return float(np.diff(made.times[0]) @ stage[1:] + last[-1]), float(degrees)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("axes", nargs="*", default=["x", "y", "z"])
    arguments.add_argument("--samples", type=int, default=32)
    arguments.add_argument("--iterations", type=int, help="default: as many as the plan has time for")
    chosen = arguments.parse_args()
    print("axis  method     cost  degrees from the target  simulations  processor [s]")
    for axis in chosen.axes:
        turn = Turn(axis)
        began = time.process_time()
        plan = lithe.plan(turn.scene)
        budget = seconds = time.process_time() - began
        step = plan.time[0]
        cost, degrees = turn.play(plan.time - step, plan["efforts"])
        print(f"{axis:4}  plan       {cost:4.3g}  {degrees:23.3g}  {1:11d}  {seconds:13.1f}",
              flush=True)
        for method in sampling.METHODS:

            def search(iterations: int, method: str = method, turn: Turn = turn) -> sampling.Search:
                return sampling.search(turn.scene, CHAMBERS, turn.cost, until=4.0, spread=3.0,
                                       method=method, knots=8, samples=chosen.samples,
                                       iterations=iterations, start=turn.hold, begin=turn.begin,
                                       low=-80, high=80)

            iterations = chosen.iterations
            if iterations is None:  # by the time of one
                began = time.process_time()
                search(1)
                iterations = max(1, round(budget / (time.process_time() - began)))
            began = time.process_time()
            found = search(iterations)
            seconds = time.process_time() - began
            cost, degrees = turn.play(found.time, found.commands)
            print(f"{axis:4}  {method:9}  {cost:4.3g}  {degrees:23.3g}  {found.runs:11d}  "
                  f"{seconds:13.1f}", flush=True)


if __name__ == "__main__":
    main()
