# SPDX-License-Identifier: Apache-2.0
"""Environments for Gymnasium: `pip install .[gym]` in the folder of Lithe.

`Environment` makes one from any scene and a few functions. `RopeEnv` is a small example: a hand
swings a rope so that its free end reaches a target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:  # pragma: no cover
    raise ImportError("lithe.gym needs the package gymnasium: pip install .[gym] in the folder of Lithe") from error

from ._core import CannotGoOn
from .scene import Material, Rod, Scene
from .simulation import Simulation

Floats = NDArray[np.float64]


class Environment(gymnasium.Env[Floats, Floats]):
    """A scene as an environment.

    observe: sim -> array.
    act: (sim, action) -> None, sets drives, actuators or forces.
    reward: sim -> number, after each action.
    action_space, observation_space: of Gymnasium; the latter is unbounded by default.
    period: simulated time of one action [s].
    horizon: number of actions after which an episode is truncated.
    done: sim -> bool, whether the episode has ended; default: never.
    prepare: (sim, random generator) -> None, called at each reset; default: no change.
    threads: of one simulation.

    An episode whose simulation cannot continue is terminated, with the reason in info["error"].
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(
        self,
        scene: Scene,
        observe: Callable[[Simulation], Floats],
        act: Callable[[Simulation, Floats], None],
        reward: Callable[[Simulation], float],
        *,
        action_space: spaces.Space[Floats],
        observation_space: spaces.Space[Floats] | None = None,
        period: float = 0.02,
        horizon: int = 200,
        done: Callable[[Simulation], bool] | None = None,
        prepare: Callable[[Simulation, np.random.Generator], None] | None = None,
        threads: int = 1,
    ) -> None:
        self.sim = scene.simulate(threads=threads)
        self._start = self.sim.state
        self._observe, self._act, self._reward = observe, act, reward
        self._done, self._prepare = done, prepare
        self._period, self._horizon = period, horizon
        self._count = 0
        self._last = np.asarray(observe(self.sim), dtype=np.float64)
        self.action_space = action_space
        self.observation_space = observation_space or spaces.Box(
            -np.inf, np.inf, self._last.shape, np.float64
        )

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Floats, dict[str, Any]]:
        """Returns to the start; see Gymnasium."""
        super().reset(seed=seed)
        self.sim.state = self._start
        self._count = 0
        if self._prepare is not None:
            self._prepare(self.sim, self.np_random)
        self._last = np.array(self._observe(self.sim), dtype=np.float64)
        return self._last.copy(), {"time": self.sim.time}

    def step(self, action: Floats) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
        """One action; see Gymnasium."""
        info: dict[str, Any] = {}
        self._act(self.sim, np.asarray(action, dtype=np.float64))
        self._count += 1
        terminated = False
        try:
            self.sim.advance(self.sim.time + self._period, every=self._period)
            self._last = np.array(self._observe(self.sim), dtype=np.float64)
            terminated = bool(self._done is not None and self._done(self.sim))
        except CannotGoOn as error:
            info["error"] = str(error)
            terminated = True
        info["time"] = self.sim.time
        reward = float(self._reward(self.sim))
        return self._last.copy(), reward, terminated, self._count >= self._horizon, info


def _rope_scene(length: float, nodes: int) -> Scene:
    scene = Scene(
        title="A hand swings a rope",
        time={"step": "2 ms", "end": "1000 s"},
        contact={"enabled": False},
        record={"every": "20 ms"},
    )
    scene.materials["rope"] = Material(
        young="2 MPa", density="1100 kg/m^3", damping={"stiffness": "2 ms"}
    )
    scene.rods["rope"] = Rod(
        material="rope",
        section={"circle": {"radius": "5 mm"}},
        shape={"line": {"from": [0, 0, 0], "to": [0, 0, -length]}},
        nodes=nodes,
    )
    for axis, direction in (("x", [1, 0, 0]), ("z", [0, 0, 1])):
        scene.drives[axis] = {
            "on": "rope.start",
            "direction": direction,
            "stiffness": "2e4 N/m",
            "damping": "50 N s/m",
            "along-only": True,
        }
    scene.holds["plane"] = {"on": "rope.start", "hold": "y"}
    return scene


class RopeEnv(Environment):
    """A hand moves the upper end of a rope in a plane; its free end has to reach a target.

    Action: velocity of the hand along x and z, in units of `speed`, from -1 to 1. Observation:
    position of the hand, then x, z and their rates at `points` places along the rope, then the
    target. Reward: minus the distance of the free end to the target, per second. The episode ends
    when the distance is below `reach`.
    """

    def __init__(
        self,
        *,
        length: float = 1.0,
        nodes: int = 21,
        points: int = 5,
        speed: float = 1.5,
        reach: float = 0.05,
        period: float = 0.02,
        horizon: int = 250,
    ) -> None:
        self.target: Floats = np.array([0.5 * length, 0.0, -0.3 * length])
        places = np.linspace(0, nodes - 1, points + 1).round().astype(int)[1:]
        dt = period

        def observe(sim: Simulation) -> Floats:
            rope = sim.rods["rope"]
            return np.concatenate(
                [
                    rope.position[0, ::2],
                    rope.position[places][:, ::2].ravel(),
                    rope.velocity[places][:, ::2].ravel(),
                    self.target[::2],
                ]
            )

        def act(sim: Simulation, action: Floats) -> None:
            for drive, value in zip(("x", "z"), np.clip(action, -1, 1)):
                at = sim.drives[drive].position
                # the hand stays within one rope length of its start
                ahead = np.clip(at + speed * value * dt, -length, length)
                sim.drives[drive].speed = float(ahead - at) / dt

        def gap(sim: Simulation) -> float:
            return float(np.linalg.norm(sim.rods["rope"].position[-1] - self.target))

        def prepare(sim: Simulation, random: np.random.Generator) -> None:
            angle = random.uniform(-0.4 * np.pi, 0.4 * np.pi)
            away = random.uniform(0.5, 0.9) * length
            self.target = away * np.array([np.sin(angle), 0.0, -np.cos(angle)])

        super().__init__(
            _rope_scene(length, nodes),
            observe,
            act,
            lambda sim: -gap(sim) * dt,
            action_space=spaces.Box(-1.0, 1.0, (2,), np.float64),
            period=period,
            horizon=horizon,
            done=lambda sim: gap(sim) < reach,
            prepare=prepare,
        )
