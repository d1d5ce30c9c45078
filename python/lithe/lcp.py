# SPDX-License-Identifier: Apache-2.0
"""Linear complementarity problems: w = A z + b with z >= 0, w >= 0 and z'w = 0.

    sim = lithe.load("soft-arm-slope.yaml").simulate()
    sim.advance(until=0.6)
    problem = lithe.lcp.problem(sim)            # as the last step posed it
    found = lithe.lcp.solve(problem.A, problem.b)
    print(found.outcome, found.residual)

Equations: docs/theory/lcp.md.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .simulation import Simulation

_Array = NDArray[np.float64]
METHODS = ("newton", "lemke")


@dataclass(frozen=True)
class Problem:
    """Matrix and vector of a problem."""

    #: [n, n]
    A: _Array
    #: [n]
    b: _Array


@dataclass(frozen=True)
class Solution:
    """What `solve` found."""

    #: [n]; of an unsolved problem the last iterate.
    z: _Array
    #: "solved", "unconverged", or "ray": Lemke's method found no solution along its paths.
    outcome: str
    #: Of the methods tried, together.
    iterations: int
    #: Natural residual by (L12), of the problem as it was given.
    residual: float
    #: Whether Lemke's method followed where Newton did not converge.
    fell_back: bool


def problem(simulation: Simulation) -> Problem | None:
    """The problem of the last step under the contact model `lcp`, as it was posed to the solver,
    in SI units: impulses and sliding speeds z, velocities and bounds of friction w. Contacts that the
    rank stage dropped are missing; where several islands were solved, it is that of the last one.
    None where the last step had no contact, limit or drive to solve for."""
    core = simulation._core
    n = core.lcp_size()
    if n == 0:
        return None
    found = Problem(np.empty((n, n)), np.empty(n))
    core.lcp_problem(found.A, found.b)
    return found


def solve(A: ArrayLike, b: ArrayLike, method: str = "newton", *, start: ArrayLike | None = None,
          fall_back: bool = True) -> Solution:
    """Solves a problem by semismooth Newton ("newton") or by Lemke's method ("lemke") on the scaled
    matrix. With `fall_back` Lemke's method follows where Newton does not converge."""
    matrix, vector = np.array(A, float, order="C"), np.array(b, float, order="C")
    n = len(vector) if vector.ndim == 1 else -1
    if matrix.shape != (n, n):
        raise _core.BadInput(f"A is {matrix.shape} and b {vector.shape}, must be [n, n] and [n]")
    if not np.isfinite(matrix).all() or not np.isfinite(vector).all():
        raise _core.BadInput("A or b has an entry that is not finite")
    if method not in METHODS:
        raise _core.BadInput(f"method is {method!r}, must be one of {', '.join(METHODS)}")
    z = np.zeros(n) if start is None else np.array(start, float, order="C")
    if z.shape != (n,) or not np.isfinite(z).all():
        raise _core.BadInput(f"start is {z.shape}, must be [{n}] and finite")
    return Solution(z, *_core.lcp_solve(n, matrix, vector, z, method == "lemke", fall_back))
