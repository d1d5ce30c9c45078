# SPDX-License-Identifier: Apache-2.0
"""Numbers of users: plain ones in SI units, texts with a unit, arrays of one number."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, SupportsFloat, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core

#: A number in SI units, a text with a unit ("2 mm"), or an array of one number.
Number = Union[SupportsFloat, str, NDArray[np.float64]]


#: An array of numbers, or a list in which texts have units.
Numbers = Union[ArrayLike, Sequence[Any]]


class UnknownName(_core.BadInput, KeyError):
    """A name that a recording or a scene does not have."""

    __str__ = Exception.__str__


def number(value: Any, unit: str, what: str) -> float:
    """The number of a user in this SI unit; `what` names it in messages."""
    if isinstance(value, str):
        return _core.quantity(value, unit, what)
    if isinstance(value, np.ndarray) and value.size == 1:
        return float(value.reshape(-1)[0])
    try:
        return float(value)
    except (TypeError, ValueError):
        raise _core.BadInput(
            f"{what} is {value!r}: a number [{unit}] or a text with a unit is expected"
        ) from None


def numbers(values: Any, unit: str, what: str) -> ArrayLike:
    """The same for lists, whose texts are replaced; other values are unchanged."""
    if isinstance(values, str):
        return number(values, unit, what)
    if isinstance(values, (list, tuple)):
        values = [numbers(value, unit, what) for value in values]
    plain: ArrayLike = values
    return plain


def meant(wrong: str, known: Iterable[str]) -> str:
    """", did you mean 'right'?" for a name that is nearly known, else "."."""
    right = _core.suggest(wrong, list(known))
    return "." if right is None else f", did you mean '{right}'?"


def listed(names: Sequence[str], most: int = 20) -> str:
    """Names for a message, not too many."""
    more = [f"... and {len(names) - most} more"] if len(names) > most else []
    return ", ".join([*names[:most], *more])


class OneNumber(np.ndarray[Any, np.dtype[np.float64]]):
    """An array of one number that is used as a number: float(x), f"{x:.3f}", x + 0.1."""

    def __float__(self) -> float:
        if self.size != 1:
            raise TypeError(f"an array of {self.size} numbers is not a number")
        return float(self.reshape(-1)[0])

    def __int__(self) -> int:
        return int(float(self))

    def __format__(self, spec: str) -> str:
        return format(float(self), spec) if spec and self.size == 1 else super().__format__(spec)
