# SPDX-License-Identifier: Apache-2.0
"""Expressions of quantities of a plan: recorded once, with exact derivatives."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray

from . import _core

_CONSTANT, _NOW, _BEFORE, _DATA, _DISK, _ADD, _SUBTRACT, _MULTIPLY, _FUNCTION = range(9)
_RECIPROCAL, _ROOT, _SINE, _COSINE = range(4)

_NODE = np.dtype(
    {
        "names": ["op", "a", "b", "value"],
        "formats": ["i4", "i4", "i4", "f8"],
        "offsets": [0, 4, 8, 16],
        "itemsize": 24,
    }
)

#: Arrays of expressions, such as `problem.now["efforts"]`.
Expressions = NDArray[np.object_]

#: What the variables of a problem are: expressions are only for problems with the same.
Layout = tuple[Any, ...]


class Expression:
    """A number that depends on the variables of a step: `problem.now["normal"]`, and what
    + - * / ** and numpy's sqrt, sin and cos make of it. It has a value only in a plan."""

    __slots__ = ("_op", "_a", "_b", "_value")

    def __init__(self, op: int, a: Any = 0, b: Any = 0, value: Any = 0.0) -> None:
        self._op, self._a, self._b, self._value = op, a, b, value

    def __add__(self, other: Any) -> Any:
        return _binary(_ADD, self, other)

    def __radd__(self, other: Any) -> Any:
        return _binary(_ADD, other, self)

    def __sub__(self, other: Any) -> Any:
        return _binary(_SUBTRACT, self, other)

    def __rsub__(self, other: Any) -> Any:
        return _binary(_SUBTRACT, other, self)

    def __mul__(self, other: Any) -> Any:
        return _binary(_MULTIPLY, self, other)

    def __rmul__(self, other: Any) -> Any:
        return _binary(_MULTIPLY, other, self)

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Expression):
            return self * Expression(_FUNCTION, other, _RECIPROCAL)
        return _binary(_MULTIPLY, self, 1 / other)

    def __rtruediv__(self, other: Any) -> Any:
        return _binary(_MULTIPLY, other, Expression(_FUNCTION, self, _RECIPROCAL))

    def __neg__(self) -> Expression:
        return constant(-1.0) * self  # type: ignore[no-any-return]

    def __pos__(self) -> Expression:
        return self

    def __pow__(self, power: Any) -> Expression:
        doubled = 2 * float(power)
        if not doubled.is_integer() or abs(doubled) > 64:
            raise _core.BadInput(f"power is {power}, must be a whole number or half of one")
        whole, half = divmod(int(abs(doubled)), 2)
        made: Any = constant(1.0)
        square: Any = self
        while whole:
            if whole & 1:
                made = made * square
            whole >>= 1
            if whole:
                square = square * square
        if half:
            made = made * self.sqrt()
        return 1 / made if doubled < 0 else made  # type: ignore[no-any-return]

    def sqrt(self) -> Expression:
        """The square root; it must stay away from 0, where it has no derivative."""
        return Expression(_FUNCTION, self, _ROOT)

    def sin(self) -> Expression:
        """The sine."""
        return Expression(_FUNCTION, self, _SINE)

    def cos(self) -> Expression:
        """The cosine."""
        return Expression(_FUNCTION, self, _COSINE)

    def _compare(self, other: Any) -> NoReturn:
        raise TypeError("an expression has no value: problem.constrain(expression, low=.., high=..)")

    __lt__ = __le__ = __gt__ = __ge__ = _compare

    def __bool__(self) -> bool:
        raise TypeError("an expression has no value: problem.constrain(expression, low=.., high=..)")


def constant(value: float) -> Expression:
    """A number as an expression."""
    if not math.isfinite(value):
        raise _core.BadInput(f"{value} is in an expression, must be finite")
    return Expression(_CONSTANT, value=float(value))


def _expression(of: Any) -> Expression:
    return of if isinstance(of, Expression) else constant(float(of))


def _binary(op: int, a: Any, b: Any) -> Any:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return NotImplemented
    return Expression(op, _expression(a), _expression(b))


def variables(layout: Layout, before: bool, places: Iterable[int]) -> Expressions:
    """Variables of the step, or of the one before."""
    op = _BEFORE if before else _NOW
    return array([Expression(op, place, value=layout) for place in places])


def disk(layout: Layout, number: int, first: int, count: int) -> Expressions:
    """Components of a disk of the arm, in the axes of its base."""
    return array([Expression(_DISK, number, first + i, layout) for i in range(count)])


def data(values: NDArray[np.float64]) -> Expression:
    """A number for each step."""
    return Expression(_DATA, value=values)


def array(items: list[Expression]) -> Expressions:
    """An array of expressions."""
    made = np.empty(len(items), object)
    made[:] = items
    return made


class Terms:
    """Costs and constraints: expressions as numbered nodes, rows, and data of the steps."""

    def __init__(self, steps: int, layout: Layout) -> None:
        self._steps, self._layout = steps, layout
        self._nodes: list[tuple[int, int, int, float]] = []
        self._number: dict[int, int] = {}
        self._kept: list[Expression] = []  # their ids stay theirs
        self._rows: list[tuple[int, int, int]] = []
        self._names: list[str] = []
        self._data: list[NDArray[np.float64]] = []

    def add(self, kind: int, of: Any, by: NDArray[np.float64] | None, name: str) -> None:
        """kind: 0 cost, 1 equation, 2 inequality >= 0; by: weight of a cost, or where it holds."""
        self._rows.append((kind, self._put(_expression(of)), -1 if by is None else self._column(by)))
        self._names.append(name)

    def __getstate__(self) -> dict[str, Any]:
        # numbers of expressions are known by their ids, which another process does not have
        return {**self.__dict__, "_number": {}, "_kept": []}

    def packed(self) -> tuple[bytes, bytes, tuple[str, ...], bytes, int]:
        """For the compiled code."""
        table = np.stack(self._data, axis=1) if self._data else np.zeros((self._steps, 0))
        return (
            np.array(self._nodes, _NODE).tobytes(),
            np.array(self._rows, np.int32).tobytes(),
            tuple(self._names),
            np.ascontiguousarray(table, np.float64).tobytes(),
            self._steps,
        )

    def _column(self, values: NDArray[np.float64]) -> int:
        self._data.append(values)
        return len(self._data) - 1

    # operands first, without recursion: sums of many terms are deep
    def _put(self, root: Expression) -> int:
        stack = [root]
        while stack:
            at = stack[-1]
            if id(at) in self._number:
                stack.pop()
                continue
            operands = [] if at._op < _ADD else [at._a] if at._op == _FUNCTION else [at._a, at._b]
            missing = [o for o in operands if id(o) not in self._number]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            a, b, value = at._a, at._b, 0.0
            if at._op >= _ADD:
                a = self._number[id(at._a)]
                b = at._b if at._op == _FUNCTION else self._number[id(at._b)]
            elif at._op == _DATA:
                a = self._column(at._value)
            elif at._op == _CONSTANT:
                value = at._value
            elif at._value != self._layout:
                raise _core.BadInput(
                    "a quantity of another problem is in an expression, must be one of `now` or "
                    "`before` of this problem"
                )
            self._number[id(at)] = len(self._nodes)
            self._nodes.append((at._op, a, b, value))
            self._kept.append(at)
        return self._number[id(root)]
