# SPDX-License-Identifier: Apache-2.0
"""Contacts of a simulation as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import overload

import numpy as np
from numpy.typing import NDArray

from . import _core

_NUMBERS, _IDS = 13, 7


@dataclass(frozen=True)
class Contact:
    """One contact. `a` and `b` are names; the force acts on b, a feels the opposite."""

    a: str
    b: str
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    force: NDArray[np.float64]
    gap: float
    slip: float


class Contacts(Sequence[Contact]):
    """All contacts, sorted, as arrays with a row each; copies, which later steps leave alone."""

    def __init__(self, core: _core.Simulation, things: list[str], margin: float) -> None:
        count = core.contact_count(margin)
        numbers = np.empty((count, _NUMBERS))
        ids = np.empty((count, _IDS))
        core.contacts(margin, numbers, ids)
        self._numbers = numbers
        self._ids = ids
        #: Names of all things that can touch; `pairs` counts in it.
        self.things = things

    @property
    def point(self) -> NDArray[np.float64]:
        """[R, 3] midway between the two surfaces [m]."""
        return self._numbers[:, 0:3]

    @property
    def normal(self) -> NDArray[np.float64]:
        """[R, 3] unit, from a to b."""
        return self._numbers[:, 3:6]

    @property
    def force(self) -> NDArray[np.float64]:
        """[R, 3] on b, mean of the last step [N]; 0 where none is known."""
        return self._numbers[:, 6:9]

    @property
    def normal_force(self) -> NDArray[np.float64]:
        """[R] its part along the normal [N]."""
        return self._ids[:, 6]

    @property
    def gap(self) -> NDArray[np.float64]:
        """[R] between the surfaces [m]; negative: pressed in."""
        return self._numbers[:, 9]

    @property
    def slip(self) -> NDArray[np.float64]:
        """[R] speed of sliding at the end of the step [m/s]."""
        return self._numbers[:, 10]

    @property
    def friction(self) -> NDArray[np.float64]:
        """[R] coefficient of the pair."""
        return self._numbers[:, 11]

    @property
    def stiffness(self) -> NDArray[np.float64]:
        """[R] of the pair [N/m]."""
        return self._numbers[:, 12]

    @property
    def pair(self) -> NDArray[np.int64]:
        """[R, 2] what touches, as places in `things`."""
        return self._ids[:, 0:2].astype(np.int64)

    @property
    def part(self) -> NDArray[np.int64]:
        """[R, 2] edge of a rod or shape of a body, from 0."""
        return self._ids[:, 2:4].astype(np.int64)

    @property
    def place(self) -> NDArray[np.float64]:
        """[R, 2] along that edge of a rod, 0 to 1."""
        return self._ids[:, 4:6]

    def between(self, a: str, b: str) -> NDArray[np.bool_]:
        """[R] which of them are between two things, by name, in either order."""
        for name in (a, b):
            if name not in self.things:
                raise KeyError(name)
        wanted = sorted((self.things.index(a), self.things.index(b)))
        matches: NDArray[np.bool_] = (np.sort(self.pair, axis=1) == wanted).all(axis=1)
        return matches

    def __len__(self) -> int:
        return len(self._numbers)

    @overload
    def __getitem__(self, index: int) -> Contact: ...
    @overload
    def __getitem__(self, index: slice) -> list[Contact]: ...
    def __getitem__(self, index: int | slice) -> Contact | list[Contact]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        row = self._numbers[index]
        a, b = self._ids[index, 0:2].astype(int)
        return Contact(
            a=self.things[a],
            b=self.things[b],
            point=row[0:3],
            normal=row[3:6],
            force=row[6:9],
            gap=float(row[9]),
            slip=float(row[10]),
        )

    def __iter__(self) -> Iterator[Contact]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<lithe.Contacts: {len(self)}>"
