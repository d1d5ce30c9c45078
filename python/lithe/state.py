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

    __slots__ = ("_data", "_form", "_layout")

    def __init__(self, data: bytes, form: str, layout: int = 1) -> None:
        # states pickled before there were layouts name none: theirs is 1
        self._data = data
        self._form = form
        self._layout = layout

    @property
    def form(self) -> str:
        """Names and sizes of what is in it: states go between simulations of the same form."""
        return self._form

    @property
    def layout(self) -> int:
        """Order of the numbers in it, by version; earlier ones can be put back as well."""
        return self._layout

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
