# SPDX-License-Identifier: Apache-2.0
"""Environments for Gymnasium."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import rope

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402

import lithe  # noqa: E402
import lithe.gym  # noqa: E402


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_the_rope_is_an_environment_as_gymnasium_wants_it() -> None:
    check_env(lithe.gym.RopeEnv(nodes=9), skip_render_check=True)


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
