# SPDX-License-Identifier: Apache-2.0
"""The state of a simulation: everything that changes and that the future depends on."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from . import _core


class State:
    """A saved state: it does not follow its simulation.

    `saved = sim.state` saves it, `sim.state = saved` restores it bitwise. States are equal
    when all bits are, hashable, and can be pickled: with a checksum, by which damage is found.
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

    def _checksum(self) -> int:
        head = f"{self._layout};{self._form}".encode()
        return _core.checksum(self._data, _core.checksum(head, 0))

    def __reduce__(self) -> tuple[Callable[..., State], tuple[bytes, str, int, int]]:
        return _unpickled, (self._data, self._form, self._layout, self._checksum())

    def __repr__(self) -> str:
        return f"<lithe.State at {self.time:g} s, {len(self._data) // 8} numbers>"


# Pickles of earlier versions have no checksum: they call State itself.
def _unpickled(data: bytes, form: str, layout: int, checksum: int) -> State:
    state = State(data, form, layout)
    found = state._checksum()
    if found != checksum:
        raise _core.BadInput(
            f"a damaged state: its checksum is {found:016x}, but {checksum:016x} was saved with it"
        )
    return state
