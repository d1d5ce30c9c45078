# SPDX-License-Identifier: Apache-2.0
"""The state of a simulation: everything that changes and that the future depends on."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


class State:
    """A saved state: it does not follow its simulation.

    `saved = sim.state` saves it, `sim.state = saved` restores it bitwise. States are equal
    when all bits are, hashable, and can be pickled.
    """

    __slots__ = ("_data", "_form", "_layout")

    def __init__(self, data: bytes, form: str, layout: int = 1) -> None:
        # states that were pickled before layouts existed have layout 1
        self._data = data
        self._form = form
        self._layout = layout

    @property
    def form(self) -> str:
        """Names and sizes of its things: simulations of the same form can exchange states."""
        return self._form

    @property
    def layout(self) -> int:
        """Version of the order of its numbers; earlier ones can be restored as well."""
        return self._layout

    @property
    def time(self) -> float:
        """Simulated time [s]."""
        return float(self.array[0])

    @property
    def array(self) -> NDArray[np.float64]:
        """All numbers, flat and read-only."""
        return np.frombuffer(self._data, dtype=np.float64)

    def copy(self) -> State:
        """A copy."""
        return State(self._data, self._form, self._layout)

    def __bytes__(self) -> bytes:
        return self._data

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return (self._form, self._layout, self._data) == (other._form, other._layout, other._data)

    def __hash__(self) -> int:
        return hash((self._form, self._layout, self._data))

    def __reduce__(self) -> tuple[type[State], tuple[bytes, str, int]]:
        return State, (self._data, self._form, self._layout)

    def __repr__(self) -> str:
        return f"<lithe.State at {self.time:g} s, {len(self._data) // 8} numbers>"
