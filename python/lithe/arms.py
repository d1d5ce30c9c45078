# SPDX-License-Identifier: Apache-2.0
"""Inverse kinematics and statics of soft arms, and their workspace.

    arm = lithe.arms.Kinematics([0.15, 0.15], [0.03, 0.03], masses=[0.4, 0.3], stiffness=300)
    found = arm.reach([0.1, 0.05, 0.25])        # elongations with which the tip is there
    forces = arm.forces(found.elongations)      # of the chambers, with which it is at rest there

Equations: docs/theory/arms.md. Contact and drives of the scene take no part.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array = NDArray[np.float64]
_Any = NDArray[np.complex128]

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(8)


@dataclass(frozen=True)
class Reach:
    """What `Kinematics.reach` found."""

    #: [sections, 3] elongations of the chambers [m].
    elongations: _Array
    #: Distance of the tip from the target [m].
    distance: float
    iterations: int


def _functions(sigma: np.complex128) -> tuple[np.complex128, np.complex128]:
    """f1 and f2 of (X3), by series near the straight shape."""
    if abs(sigma) < 1e-2:
        f1 = 1 - sigma / 6 * (1 - sigma / 20 * (1 - sigma / 42 * (1 - sigma / 72)))
        f2 = 0.5 - sigma / 24 * (1 - sigma / 30 * (1 - sigma / 56 * (1 - sigma / 90)))
        return np.complex128(f1), np.complex128(f2)
    x = np.sqrt(sigma)
    return np.complex128(np.sin(x) / x), np.complex128((1 - np.cos(x)) / sigma)


class Kinematics:
    """An arm of sections with three chambers each: where it is for given elongations.

    `lengths`, `radii` and, for forces, `masses` and `stiffness` as in scenes; `at` and `rotation`
    [3, 3] are those of its base in the world.
    """

    def __init__(self, lengths: Sequence[float], radii: Sequence[float], *,
                 masses: Sequence[float] | None = None, stiffness: float = 0.0,
                 at: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike | None = None,
                 limits: tuple[float, float] | None = None) -> None:
        self.lengths, self.radii = np.asarray(lengths, float), np.asarray(radii, float)
        self.masses = np.zeros(len(self.lengths)) if masses is None else np.asarray(masses, float)
        if not len(self.lengths) == len(self.radii) == len(self.masses) or not len(self.lengths):
            raise ValueError(f"{len(self.lengths)} lengths, {len(self.radii)} radii and "
                             f"{len(self.masses)} masses: one each per section is expected")
        every = np.concatenate([self.lengths, self.radii, self.masses, [stiffness]])
        if not np.isfinite(every).all() or np.any(self.lengths <= 0) or np.any(self.radii <= 0) \
                or np.any(self.masses < 0) or stiffness < 0:
            raise ValueError("lengths and radii must be > 0, masses and stiffness >= 0, all finite")
        self.stiffness, self.at = stiffness, np.asarray(at, float)
        self.rotation = np.eye(3) if rotation is None else np.asarray(rotation, float)
        if self.at.shape != (3,) or self.rotation.shape != (3, 3):
            raise ValueError("at has three numbers, rotation three by three")
        if not np.isfinite(self.at).all() or not np.isfinite(self.rotation).all() \
                or np.abs(self.rotation @ self.rotation.T - np.eye(3)).max() > 1e-6 \
                or np.linalg.det(self.rotation) < 0:
            raise ValueError("at must be finite and rotation a rotation matrix")
        if limits is not None and not limits[0] <= limits[1]:
            raise ValueError(f"limits are {limits}, must be in order")
        self.limits = limits

    def _section(self, l: _Any, i: int, xi: float) -> tuple[_Any, _Any]:
        """Place and rotation at xi of section i in the frame of its base (X1), (X2)."""
        s = self.lengths[i] + l.sum() / 3
        a = xi * (l[1] + l[2] - 2 * l[0]) / (3 * self.radii[i])
        b = xi * (l[2] - l[1]) / (np.sqrt(3) * self.radii[i])
        f1, f2 = _functions(np.complex128(a * a + b * b))
        k = np.array([[0, 0, a], [0, 0, b], [-a, -b, 0]])  # k x, k = (-b, a, 0)
        return xi * s * np.array([a * f2, b * f2, f1]), np.eye(3) + f1 * k + f2 * (k @ k)

    def _run(self, l: _Any) -> tuple[_Any, _Any]:
        """Place of the tip; mass times place, summed over the centre lines [kg m]."""
        at, turn = self.at.astype(complex), self.rotation.astype(complex)
        moment = np.zeros(3, complex)
        for i, own in enumerate(l):
            for node, weight in zip(_NODES, _WEIGHTS):
                p, _ = self._section(own, i, 0.5 * (1 + node))
                moment += 0.5 * weight * self.masses[i] * (at + turn @ p)
            p, r = self._section(own, i, 1)
            at, turn = at + turn @ p, turn @ r
        return at, moment

    def _shape(self, elongations: ArrayLike) -> _Array:
        l = np.asarray(elongations, float)
        if l.size != 3 * len(self.lengths):
            raise ValueError(f"{l.size} elongations, {3 * len(self.lengths)} are expected: three "
                             "per section")
        if not np.isfinite(l).all():
            raise ValueError("elongations must be finite")
        return l.reshape(-1, 3)

    def tip(self, elongations: ArrayLike) -> _Array:
        """Place of the tip in the world [m]."""
        place: _Array = self._run(self._shape(elongations).astype(complex))[0].real.copy()
        return place

    def _slopes(self, l: _Array) -> tuple[_Array, _Array]:
        """Derivatives of the tip and of the moment of mass, [3, 3 sections], by complex steps."""
        tip, moment = np.empty((3, l.size)), np.empty((3, l.size))
        for k in range(l.size):
            moved = l.astype(complex)
            moved.flat[k] += 1e-30j
            at, mass = self._run(moved)
            tip[:, k], moment[:, k] = at.imag / 1e-30, mass.imag / 1e-30
        return tip, moment

    def jacobian(self, elongations: ArrayLike) -> _Array:
        """[3, 3 sections] motion of the tip for unit rates of the elongations."""
        return self._slopes(self._shape(elongations))[0]

    def reach(self, target: ArrayLike, *, start: ArrayLike | None = None,
              tolerance: float = 1e-9, max_iterations: int = 200) -> Reach:
        """Elongations with which the tip is at `target`, near those of `start` (0); within
        `limits`, and no chamber shorter than a tenth of its length. A target out of reach: the
        nearest place that was found, see `distance`."""
        goal = np.asarray(target, float)
        if goal.shape != (3,) or not np.all(np.isfinite(goal)):
            raise ValueError("target has three finite numbers")
        l = np.zeros((len(self.lengths), 3)) if start is None else self._shape(start).copy()
        low, high = (-np.inf, np.inf) if self.limits is None else self.limits
        shortest = np.maximum(low, -0.9 * self.lengths)[:, None]
        l = np.clip(l, shortest, np.maximum(shortest, high))
        damping, off, count = 1e-3, goal - self.tip(l), 0
        for count in range(1, max_iterations + 1):
            if np.linalg.norm(off) <= tolerance:
                break
            j = self.jacobian(l)
            scale = float(np.trace(j @ j.T)) / 3
            move = j.T @ np.linalg.solve(j @ j.T + damping * scale * np.eye(3), off)
            # chambers that are at a bound and would go beyond it stay there
            trial = l + move.reshape(l.shape)
            free = ((trial >= shortest) | (l > shortest)) & ((trial <= high) | (l < high))
            if not free.all():
                j = j * free.ravel()
                move = j.T @ np.linalg.solve(j @ j.T + damping * scale * np.eye(3), off)
                trial = l + move.reshape(l.shape)
            trial = np.clip(trial, shortest, np.maximum(shortest, high))
            left = goal - self.tip(trial)
            if np.linalg.norm(left) < np.linalg.norm(off):
                l, off, damping = trial, left, max(0.1 * damping, 1e-12)
            elif damping > 1e8:
                break
            else:
                damping *= 10
        return Reach(l, float(np.linalg.norm(off)), count)

    def forces(self, elongations: ArrayLike, *, gravity: ArrayLike = (0.0, 0.0, -9.81),
               load: ArrayLike = (0.0, 0.0, 0.0)) -> _Array:
        """[sections, 3] forces of the chambers [N] that hold the arm at rest against its springs,
        its weight and a force `load` at its tip [N]. Warns where this equilibrium is unstable."""
        l, pull, end = self._shape(elongations), np.asarray(gravity, float), np.asarray(load, float)
        held = self._forces(l, pull, end)
        # stiffness [N/m]: how they change with each elongation
        step = 1e-4 * self.lengths.min()
        slopes = np.empty((l.size, l.size))
        for k in range(l.size):
            move = np.zeros_like(l)
            move.flat[k] = step
            change = self._forces(l + move, pull, end) - self._forces(l - move, pull, end)
            slopes[k] = change.ravel() / (2 * step)
        stiffness = np.linalg.eigvalsh(0.5 * (slopes + slopes.T))
        if self.stiffness > 0 and stiffness[0] < -1e-6 * np.abs(stiffness).max():
            warnings.warn("the arm is at rest with these forces, but unstable: its least stiffness "
                          f"is {stiffness[0]:.3g} N/m, below 0, and it leaves this shape unless it "
                          "is controlled", RuntimeWarning, stacklevel=2)
        return held

    def _forces(self, l: _Array, gravity: _Array, load: _Array) -> _Array:
        tip, moment = self._slopes(l)
        held: _Array = self.stiffness * l - (moment.T @ gravity + tip.T @ load).reshape(l.shape)
        return held

    def _along(self, i: int, xi: float) -> _Array:
        """Place at xi of section i with all chambers at zero."""
        z = self.lengths[:i].sum() + xi * self.lengths[i]
        place: _Array = self.at + self.rotation[:, 2] * z
        return place

    def _sampled(self, low: float, high: float, count: int, seed: int) -> _Array:
        if not (np.isfinite([low, high]).all() and low < high and count > 0):
            raise ValueError(f"elongations from {low:g} to {high:g} m and {count} places: must be "
                             "finite, in order and at least one")
        if self.lengths.min() + low <= 0:
            raise ValueError(f"low is {low:g} m, must be above -{self.lengths.min():g} m: a section "
                             "would have no length")
        random = np.random.default_rng(seed)
        share = np.clip(random.uniform(-0.5, 1.5, (count, len(self.lengths), 3)), 0, 1)
        shapes: _Array = low + (high - low) * share
        return shapes

    def workspace(self, low: float, high: float, count: int = 2000, seed: int = 0) -> _Array:
        """[count, 3] places of the tip for random elongations from `low` to `high` [m]: most at
        the limits, which bound the workspace."""
        return np.array([self.tip(one) for one in self._sampled(low, high, count, seed)])

    def plot_workspace(self, low: float, high: float, count: int = 2000, seed: int = 0) -> Any:
        """A figure of matplotlib of the `workspace`: from the side (x, z) and from above (x, y), with
        the centre line at rest. Colours are the largest force of a chamber [N] that holds the tip
        there at rest, where the arm has a stiffness."""
        try:
            from matplotlib import pyplot
        except ImportError as error:
            raise ImportError("plot_workspace needs the package matplotlib: pip install "
                              "matplotlib") from error
        shapes = self._sampled(low, high, count, seed)
        places = np.array([self.tip(one) for one in shapes])
        weight = np.array((0.0, 0.0, -9.81))
        held = ([np.abs(self._forces(one, weight, np.zeros(3))).max() for one in shapes]
                if self.stiffness > 0 else None)
        line = np.array([self._along(i, xi) for i in range(len(self.lengths))
                         for xi in np.linspace(0, 1, 9)])
        figure, views = pyplot.subplots(1, 2, figsize=(7.2, 3.6), layout="constrained")
        for view, (a, b), title in zip(views, ((0, 2), (0, 1)), ("from the side", "from above")):
            dots = view.scatter(places[:, a], places[:, b], s=3, c=held, cmap="viridis")
            view.plot(line[:, a], line[:, b], color="black", linewidth=2)
            view.set(xlabel=f"{'xyz'[a]} [m]", ylabel=f"{'xyz'[b]} [m]", title=title)
            view.set_aspect("equal", "datalim")
        if held is not None:
            figure.colorbar(dots, ax=views, label="largest force of a chamber [N]")
        return figure
