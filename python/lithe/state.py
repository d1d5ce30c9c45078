# SPDX-License-Identifier: Apache-2.0
"""The state of a simulation: everything that changes and that the future depends on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class State:
    """A state, kept: it does not follow the simulation it came from.

    `saved = sim.state` keeps it, `sim.state = saved` puts it back to the last bit. Equal when all
    bits are, hashable, and pickled as it is.
    """

    __slots__ = ("_data", "_form")

    def __init__(self, data: bytes, form: str) -> None:
        self._data = data
        self._form = form

    @property
    def form(self) -> str:
        """Names and sizes of what is in it: states go between simulations of the same form."""
        return self._form

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self.array[0])

    @property
    def array(self) -> NDArray[np.float64]:
        """All of it, flat and read-only."""
        return np.frombuffer(self._data, dtype=np.float64)

    def copy(self) -> State:
        """Another one, equal to this."""
        return State(self._data, self._form)

    def __bytes__(self) -> bytes:
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self._form == other._form and self._data == other._data

    def __hash__(self) -> int:
        return hash((self._form, self._data))

    def __reduce__(self) -> tuple[type[State], tuple[bytes, str]]:
        return State, (self._data, self._form)

    def __repr__(self) -> str:
        return f"<lithe.State at {self.time:g} s, {len(self._data) // 8} numbers>"
