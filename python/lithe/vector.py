# SPDX-License-Identifier: Apache-2.0
"""Many environments of Gymnasium on the threads of one process: steps release the interpreter."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import _core

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Env = gymnasium.Env[Floats, Floats]


class VectorEnvironment(VectorEnv[Floats, Floats, NDArray[Any]]):
    """Environments that step at the same time, each on its own thread.

    make: functions that make the environments, whose spaces are equal.
    threads: number of threads; default: the number of cores that this process may use.

    An environment whose episode has ended is reset by the next step (Gymnasium's mode
    "next-step"). Results do not depend on the number of threads, to the bit.
    """

    def __init__(self, make: Sequence[Callable[[], Env]], *, threads: int | None = None) -> None:
        super().__init__()
        workers = threads if threads is not None else len(os.sched_getaffinity(0))
        if workers < 1 or len(make) < 1:
            raise _core.BadInput(
                f"{len(make)} environments on {workers} threads, both must be at least 1"
            )
        self.envs = [one() for one in make]
        first = self.envs[0]
        for i, env in enumerate(self.envs):
            if (env.observation_space, env.action_space) != (
                first.observation_space,
                first.action_space,
            ):
                raise _core.BadInput(f"environment {i} has other spaces than environment 0")
        self.num_envs = len(self.envs)
        self.metadata = {**first.metadata, "autoreset_mode": AutoresetMode.NEXT_STEP}
        self.render_mode = first.render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, self.num_envs)
        self.action_space = batch_space(first.action_space, self.num_envs)
        self._over = np.zeros(self.num_envs, dtype=np.bool_)
        self._pool = ThreadPoolExecutor(max_workers=min(workers, self.num_envs))

    def __repr__(self) -> str:
        return f"<lithe.gym.VectorEnvironment: {self.num_envs} of {self.envs[0]!r}>"

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Floats, dict[str, Any]]:
        """Resets all; a number seeds them with seed, seed + 1, ..; see Gymnasium."""
        count = self.num_envs
        seeds: Sequence[int | None]
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + i for i in range(count)]
        else:
            seeds = seed
        if len(seeds) != count:
            raise _core.BadInput(f"{len(seeds)} seeds for {count} environments")

        def one(i: int) -> tuple[Floats, dict[str, Any]]:
            return self.envs[i].reset(seed=seeds[i], options=options)

        results = list(self._pool.map(one, range(count)))
        self._over[:] = False
        infos: dict[str, Any] = {}
        for i, (_, info) in enumerate(results):
            infos = self._add_info(infos, info, i)
        return np.stack([seen for seen, _ in results]), infos

    def step(self, actions: Floats) -> tuple[Floats, Floats, Bools, Bools, dict[str, Any]]:
        """One action each; see Gymnasium."""
        if len(actions) != self.num_envs:
            raise _core.BadInput(f"{len(actions)} actions for {self.num_envs} environments")

        def one(i: int) -> tuple[Floats, float, bool, bool, dict[str, Any]]:
            if self._over[i]:
                seen, info = self.envs[i].reset()
                return seen, 0.0, False, False, info
            seen, reward, terminated, truncated, info = self.envs[i].step(actions[i])
            return seen, float(reward), terminated, truncated, info

        results = list(self._pool.map(one, range(self.num_envs)))
        infos: dict[str, Any] = {}
        for i, result in enumerate(results):
            infos = self._add_info(infos, result[4], i)
        terminated = np.array([result[2] for result in results], dtype=np.bool_)
        truncated = np.array([result[3] for result in results], dtype=np.bool_)
        self._over = terminated | truncated
        rewards = np.array([result[1] for result in results])
        return np.stack([result[0] for result in results]), rewards, terminated, truncated, infos

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each environment."""
        if self.render_mode is None:
            return None
        return tuple(self._pool.map(lambda env: env.render(), self.envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Ends the threads and closes the environments."""
        self._pool.shutdown()
        for env in self.envs:
            env.close()
