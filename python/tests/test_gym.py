# SPDX-License-Identifier: Apache-2.0
"""Environments for Gymnasium."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from conftest import rope

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import lithe  # noqa: E402
import lithe.gym  # noqa: E402


SMALL: dict[str, dict[str, Any]] = {
    "lithe/Rope-v0": {"nodes": 9, "render_size": (64, 48)},
    "lithe/Pinch-v0": {"render_size": (64, 48)},
    "lithe/ArmRope-v0": {"render_size": (64, 48)},
}


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("name", lithe.gym.TASKS)
def test_tasks_are_environments_as_gymnasium_wants_them(name: str) -> None:
    env = gymnasium.make(f"lithe.gym:{name}", **SMALL[name])
    check_env(env.unwrapped)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_rope_is_an_environment_as_gymnasium_wants_it() -> None:
    check_env(lithe.gym.RopeEnv(nodes=9, render_mode="rgb_array", render_size=(64, 48)))


def test_tasks_are_registered_by_an_import() -> None:
    program = """
import gymnasium
env = gymnasium.make("lithe.gym:lithe/Rope-v0", nodes=9)
print(env.reset(seed=1)[0].shape)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "(24,)\n", done.stderr


def test_pictures_show_the_state_and_the_goal() -> None:
    env = lithe.gym.PinchEnv(render_mode="rgb_array", render_size=(96, 64))
    env.reset(seed=3)
    first = env.render()
    assert first.shape == (64, 96, 3) and first.dtype == np.uint8
    red = (first == (200, 30, 30)).all(axis=2)
    assert red.sum() > 1
    # the goal is above the middle of the table, in the middle of the picture
    row, column = np.argwhere(red).mean(axis=0)
    assert abs(column - 48) < 3 and 10 < row < 40
    for _ in range(5):
        env.step(np.array([0.0, 1.0]))
    assert (env.render() != first).any()
    assert lithe.gym.PinchEnv().render() is None
    with pytest.raises(lithe.BadInput, match="'human', must be 'rgb_array'"):
        lithe.gym.PinchEnv(render_mode="human")


def test_a_rod_is_pinched_and_lifted_to_the_goal() -> None:
    env = lithe.gym.PinchEnv()
    seen, _ = env.reset(seed=4)
    total, terminated = 0.0, False
    for k in range(60):
        seen, reward, terminated, truncated, _ = env.step(np.array([0.5, float(k > 15)]))
        total += reward
        if terminated:
            break
    assert terminated and reward == 1 and abs(seen[6] - seen[8]) < 0.005


def test_vectors_do_not_depend_on_the_number_of_threads() -> None:
    runs = []
    for threads in (1, 3):
        many = gymnasium.make_vec("lithe/Rope-v0", num_envs=3, threads=threads, nodes=9, horizon=4)
        assert isinstance(many, lithe.gym.VectorEnvironment)
        first, info = many.reset(seed=7)
        random, rows = np.random.default_rng(1), [first]
        for k in range(6):
            step = many.step(random.uniform(-1, 1, (3, 2)))
            rows.append(np.column_stack([step[0], step[1], step[2], step[3]]))
            # the episodes are over after four actions; the fifth step resets
            assert step[3].all() == (k == 3)
            assert (step[4]["time"] == 0).all() == (k == 4)
        runs.append([row.copy() for row in rows])
        many.close()
    assert all((a == b).all() for a, b in zip(*runs))
    one = lithe.gym.RopeEnv(nodes=9, horizon=4)
    assert (one.reset(seed=8)[0] == runs[0][0][1]).all()


def test_vectors_are_rendered_and_checked() -> None:
    options: dict[str, Any] = {"render_mode": "rgb_array", **SMALL["lithe/Rope-v0"]}
    many = gymnasium.make_vec("lithe/Rope-v0", num_envs=2, **options)
    many.reset(seed=[1, None])
    images = many.render()
    assert images is not None and len(images) == 2 and images[0].shape == (48, 64, 3)
    assert many.action_space.shape == (2, 2) and many.observation_space.shape == (2, 24)
    with pytest.raises(lithe.BadInput, match="3 actions for 2"):
        many.step(np.zeros((3, 2)))
    with pytest.raises(lithe.BadInput, match="1 seeds for 2"):
        many.reset(seed=[1])
    many.close()
    with pytest.raises(lithe.BadInput, match="environment 1 has other spaces"):
        lithe.gym.VectorEnvironment([lithe.gym.RopeEnv, lithe.gym.PinchEnv])


def test_episodes_repeat_with_their_seed() -> None:
    env = lithe.gym.RopeEnv(nodes=9, horizon=20)
    runs = []
    for _ in range(2):
        first, _ = env.reset(seed=5)
        random = np.random.default_rng(1)
        seen = [first]
        truncated = terminated = False
        while not (truncated or terminated):
            step = env.step(random.uniform(-1, 1, 2))
            seen.append(step[0])
            terminated, truncated = step[2], step[3]
        runs.append(np.array(seen))
    assert (runs[0] == runs[1]).all() and len(runs[0]) == 21
    # every action moves the hand by at most speed times period
    assert np.abs(np.diff(runs[0][:, 0])).max() <= 1.5 * 0.02 * 1.2


def test_an_episode_ends_when_its_simulation_cannot_go_on() -> None:
    def act(sim: lithe.Simulation, action: np.ndarray) -> None:
        sim.rods["rope"].force[5] = 1e300

    env = lithe.gym.Environment(
        rope(),
        lambda sim: sim.rods["rope"].position[-1],
        act,
        lambda sim: 0.0,
        action_space=gymnasium.spaces.Box(-1, 1, (1,), np.float64),
    )
    env.reset()
    seen, reward, terminated, truncated, info = env.step(np.zeros(1))
    assert terminated and "rope" in info["error"] and np.isfinite(seen).all()


def test_environments_say_what_they_are() -> None:
    env = lithe.gym.RopeEnv(nodes=9)
    env.reset()
    assert repr(env).startswith("<lithe.gym.RopeEnv")
    assert f"actions {env.action_space.shape}" in repr(env)
    many = lithe.gym.VectorEnvironment([lambda: lithe.gym.RopeEnv(nodes=9)] * 2, threads=1)
    assert repr(many).startswith("<lithe.gym.VectorEnvironment: 2 of <lithe.gym.RopeEnv")
    many.close()
