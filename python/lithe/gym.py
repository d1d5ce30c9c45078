# SPDX-License-Identifier: Apache-2.0
"""Environments for Gymnasium: `pip install .[gym]` in the folder of Lithe.

`Environment` makes one from any scene and a few functions. Three tasks are registered when this
module is imported, also by `gymnasium.make("lithe.gym:lithe/Rope-v0")`:

    lithe/Rope-v0       a hand swings a rope so that its free end reaches a target
    lithe/Pinch-v0      two plates lift a rod by friction to a height
    lithe/ArmRope-v0    an arm drags a rope so that its free end comes to a place on the floor

`VectorEnvironment` steps many of them on threads; `gymnasium.make_vec` uses it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

try:
    import gymnasium
    from gymnasium import spaces
except ImportError as error:  # pragma: no cover
    raise ImportError(
        "lithe.gym needs the package gymnasium: pip install .[gym] in the folder of Lithe"
    ) from error

from ._core import BadInput, CannotGoOn
from .parts import Material, Rod
from .scene import Scene, load
from .simulation import Simulation
from .vector import VectorEnvironment as VectorEnvironment

#: A view of rendered pictures: position of the eye and the point that it looks at [m].
Eye = tuple[tuple[float, float, float], tuple[float, float, float]]

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
    render_mode: None, or "rgb_array": `render` returns a picture of the state.
    render_size: of the picture, in pixels.
    eye: position of the eye and point that it looks at [m]; default: everything is in view, which
        moves the view with the motion.
    ground: height of the floor in such pictures, unless the scene has one [m].
    mark: sim -> point [m] that pictures show as a red disc, for example the goal; needs `eye`.

    An episode whose simulation cannot continue is terminated, with the reason in info["error"].
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 50}

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
        render_mode: str | None = None,
        render_size: tuple[int, int] = (480, 320),
        eye: Eye | None = None,
        ground: float = 0.0,
        mark: Callable[[Simulation], Floats] | None = None,
    ) -> None:
        if render_mode not in (None, "rgb_array"):
            raise BadInput(f"render_mode is '{render_mode}', must be 'rgb_array' or None")
        if mark is not None and eye is None:
            raise BadInput("mark needs eye")
        self.render_mode = render_mode
        self.metadata = {**type(self).metadata, "render_fps": max(1, round(1 / period))}
        self._size, self._eye, self._ground, self._mark = render_size, eye, ground, mark
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

    def __repr__(self) -> str:
        name = type(self).__name__
        title = f" '{self.sim.title}'" if self.sim.title else ""
        return (
            f"<lithe.gym.{name}{title}: {self._count} of {self._horizon} actions of {self._period:g} s, "
            f"observations {self.observation_space.shape}, actions {self.action_space.shape}>"
        )

    def render(self) -> Any:
        """A picture [height, width, 3] of the state, where `render_mode` is "rgb_array"."""
        if self.render_mode is None:
            return None
        look: dict[str, Any] = {"size": self._size, "quick": True}
        if self._eye is None:
            return self.sim.picture(**look)
        image = self.sim.picture(**look, eye=self._eye, ground=self._ground)
        if self._mark is not None:
            _draw_disc(image, self._mark(self.sim), self._eye)
        return image


#: Vertical field of view of rendered pictures [rad].
_FIELD_OF_VIEW = 0.45


def _draw_disc(image: NDArray[np.uint8], point: Floats, eye: Eye) -> None:
    """A red disc at a point of the world, in front of everything."""
    ahead = np.subtract(eye[1], eye[0])
    ahead = ahead / np.linalg.norm(ahead)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    up = np.cross(right, ahead)
    to = np.asarray(point) - eye[0]
    height, width = image.shape[:2]
    scale = 0.5 * height / np.tan(0.5 * _FIELD_OF_VIEW) / (to @ ahead)
    x, y = 0.5 * width + scale * (to @ right), 0.5 * height - scale * (to @ up)
    rows, columns = np.mgrid[:height, :width]
    inside = (columns + 0.5 - x) ** 2 + (rows + 0.5 - y) ** 2 < (0.015 * height) ** 2
    image[inside] = (200, 30, 30)


# --- a rope ---


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
        **more: Any,
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
            eye=((0.0, -6.0 * length, 0.5 * length), (0.0, 0.0, -0.4 * length)),
            ground=-2.0 * length,
            mark=lambda sim: self.target,
            **more,
        )


# --- tasks of shipped scenes ---


def _scene(name: str) -> Scene:
    return load(Path(__file__).parent / "scenes" / name)


class PinchEnv(Environment):
    """Two plates pick up a rod by friction alone and lift it to a height: scenes/pinch.yaml.

    Action: force with which the plates close, in units of 8 N, and speed of the lift, in units of
    0.15 m/s, both from -1 to 1. Observation: position and velocity of the lift and of both plates,
    height of the rod's middle and its rate, and the height of the goal. Reward: minus the
    difference of the heights in metres, per second; 1 at the goal, where the episode ends: the rod
    is within 5 mm of the height.
    """

    def __init__(self, *, period: float = 0.04, horizon: int = 100, **more: Any) -> None:
        self.goal = 0.08
        names = ("lift", "close-left", "close-right")

        def height(sim: Simulation) -> float:
            return float(sim.rods["rod"].position[15, 2])

        def observe(sim: Simulation) -> Floats:
            joints = [sim.joints[name] for name in names]
            motion = [float(value) for j in joints for value in (j.position, j.velocity)]
            rate = float(sim.rods["rod"].velocity[15, 2])
            return np.array([*motion, height(sim), rate, self.goal])

        def act(sim: Simulation, action: Floats) -> None:
            force, speed = np.clip(action, -1, 1) * (8.0, 0.15)
            for name in ("squeeze-left", "squeeze-right"):
                sim.actuators[name].target = force
            lifter = sim.actuators["lifter"]
            at = lifter.target
            # the hand stays between the table and 20 cm above
            lifter.rate = (np.clip(at + speed * period, 0.0, 0.2) - at) / period

        def reached(sim: Simulation) -> bool:
            return abs(height(sim) - self.goal) < 0.005

        def reward(sim: Simulation) -> float:
            return 1.0 if reached(sim) else -abs(height(sim) - self.goal) * period

        def prepare(sim: Simulation, random: np.random.Generator) -> None:
            self.goal = random.uniform(0.05, 0.12)

        super().__init__(
            _scene("pinch.yaml"),
            observe,
            act,
            reward,
            action_space=spaces.Box(-1.0, 1.0, (2,), np.float64),
            period=period,
            horizon=horizon,
            done=reached,
            prepare=prepare,
            eye=((0.65, -0.72, 0.36), (0.0, 0.0, 0.08)),
            mark=lambda sim: np.array([0.0, 0.0, self.goal]),
            **more,
        )


class ArmRopeEnv(Environment):
    """An arm of seven joints drags a rope over the floor: scenes/play-arm.yaml.

    Action: velocity of the hand in units of 0.3 m/s, three numbers from -1 to 1. Observation:
    position of the hand, positions of four places along the rope, and the goal on the floor.
    Reward: minus the distance of the rope's free end to the goal, per second. The episode ends when
    the distance is below `reach`.
    """

    def __init__(
        self, *, reach: float = 0.04, period: float = 0.05, horizon: int = 100, **more: Any
    ) -> None:
        self.target: Floats = np.array([0.6, 0.2, 0.006])
        places = np.array([10, 20, 30, 40])
        low, high = np.array([0.3, -0.4, 0.42]), np.array([0.65, 0.4, 0.7])

        def observe(sim: Simulation) -> Floats:
            rope = sim.rods["rope"].position[places].ravel()
            return np.concatenate([sim.bodies["arm/hand"].position, rope, self.target])

        def act(sim: Simulation, action: Floats) -> None:
            hand = sim.pose_drives["hand"]
            at = hand.target[:3]
            to = np.clip(at + 0.3 * np.clip(action, -1, 1) * period, low, high)
            hand.move(velocity=(to - at) / period)

        def gap(sim: Simulation) -> float:
            return float(np.linalg.norm(sim.rods["rope"].position[-1] - self.target))

        def prepare(sim: Simulation, random: np.random.Generator) -> None:
            self.target = np.array([random.uniform(0.5, 0.8), random.uniform(-0.4, 0.3), 0.006])

        super().__init__(
            _scene("play-arm.yaml"),
            observe,
            act,
            lambda sim: -gap(sim) * period,
            action_space=spaces.Box(-1.0, 1.0, (3,), np.float64),
            period=period,
            horizon=horizon,
            done=lambda sim: gap(sim) < reach,
            prepare=prepare,
            eye=((2.2, -2.2, 1.7), (0.35, 0.0, 0.3)),
            mark=lambda sim: self.target,
            **more,
        )


# --- names of Gymnasium ---


def _many(
    make: type[Environment], num_envs: int, threads: int | None, options: dict[str, Any]
) -> VectorEnvironment:
    def one() -> Environment:
        made: Environment = make(**options)
        return made

    return VectorEnvironment([one] * num_envs, threads=threads)


def many_ropes(
    num_envs: int = 1, *, threads: int | None = None, **options: Any
) -> VectorEnvironment:
    """Several `RopeEnv` on threads."""
    return _many(RopeEnv, num_envs, threads, options)


def many_pinches(
    num_envs: int = 1, *, threads: int | None = None, **options: Any
) -> VectorEnvironment:
    """Several `PinchEnv` on threads."""
    return _many(PinchEnv, num_envs, threads, options)


def many_arms(
    num_envs: int = 1, *, threads: int | None = None, **options: Any
) -> VectorEnvironment:
    """Several `ArmRopeEnv` on threads."""
    return _many(ArmRopeEnv, num_envs, threads, options)


#: Registered tasks: their names, classes and vectors.
TASKS = {
    "lithe/Rope-v0": ("RopeEnv", "many_ropes"),
    "lithe/Pinch-v0": ("PinchEnv", "many_pinches"),
    "lithe/ArmRope-v0": ("ArmRopeEnv", "many_arms"),
}

for _name, (_one, _several) in TASKS.items():
    if _name not in gymnasium.registry:
        gymnasium.register(
            _name,
            entry_point=f"lithe.gym:{_one}",
            vector_entry_point=f"lithe.gym:{_several}",
        )
