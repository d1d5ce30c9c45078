# SPDX-License-Identifier: Apache-2.0
"""Contacts of a simulation as arrays; forces between things of a recording."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .numbers import UnknownName, listed, meant

if TYPE_CHECKING:
    from .recording import Recording

#: A row of contacts, as the extension fills it.
_ROW = np.dtype(
    [
        (name, kind) if count == 1 else (name, kind, (count,))
        for name, kind, count in _core.contact_fields
    ]
)


@dataclass(frozen=True)
class Contact:
    """One contact. `a` and `b` are names; the force acts on b, and its opposite on a."""

    a: str
    b: str
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    force: NDArray[np.float64]
    gap: float
    slip: float


class Contacts(Sequence[Contact]):
    """All contacts, sorted, as arrays with one row per contact; copies that steps do not change."""

    def __init__(self, core: _core.Simulation, things: list[str], margin: float) -> None:
        rows = np.empty(core.contact_count(margin), _ROW)
        core.contacts(margin, rows)
        #: The contacts as a structured array: `rows["gap"]`, `rows[rows["gap"] < 0]["force"]`.
        self.rows = rows
        #: Names of all objects that can touch; `pair` has indices into it.
        self.things = things

    def _floats(self, field: str) -> NDArray[np.float64]:
        column: NDArray[np.float64] = self.rows[field]
        return column

    def _integers(self, field: str) -> NDArray[np.int64]:
        column: NDArray[np.int64] = self.rows[field]
        return column

    @property
    def point(self) -> NDArray[np.float64]:
        """[R, 3] points midway between the two surfaces [m]."""
        return self._floats("point")

    @property
    def normal(self) -> NDArray[np.float64]:
        """[R, 3] unit normals, from a to b."""
        return self._floats("normal")

    @property
    def force(self) -> NDArray[np.float64]:
        """[R, 3] forces on b, means over the last step (of tr-bdf2: over its last stage) [N]; 0 for
        contacts it did not detect."""
        return self._floats("force")

    @property
    def normal_force(self) -> NDArray[np.float64]:
        """[R] normal components of the forces [N]."""
        return self._floats("normal_force")

    @property
    def gap(self) -> NDArray[np.float64]:
        """[R] distances between the surfaces [m]; negative: overlap."""
        return self._floats("gap")

    @property
    def slip(self) -> NDArray[np.float64]:
        """[R] sliding speeds at the end of the step [m/s]."""
        return self._floats("slip")

    @property
    def friction(self) -> NDArray[np.float64]:
        """[R] friction coefficients of the pairs."""
        return self._floats("friction")

    @property
    def stiffness(self) -> NDArray[np.float64]:
        """[R] contact stiffnesses of the pairs [N/m]."""
        return self._floats("stiffness")

    @property
    def area(self) -> NDArray[np.float64]:
        """[R] shares of the areas of patches [m^2]; 0 for contacts at points."""
        return self._floats("area")

    @property
    def pair(self) -> NDArray[np.int64]:
        """[R, 2] indices into `things`."""
        return self._integers("pair")

    @property
    def part(self) -> NDArray[np.int64]:
        """[R, 2] numbers of the edge of a rod or of the shape of a body, from 0."""
        return self._integers("part")

    @property
    def place(self) -> NDArray[np.float64]:
        """[R, 2] positions along that edge of a rod, 0 to 1."""
        return self._floats("place")

    def between(self, a: str, b: str) -> NDArray[np.bool_]:
        """[R] mask of the contacts between two objects, by name, in either order."""
        self._check(a, b)
        wanted = sorted((self.things.index(a), self.things.index(b)))
        matches: NDArray[np.bool_] = (np.sort(self.pair, axis=1) == wanted).all(axis=1)
        return matches

    def force_on(self, thing: str, by: str | None = None) -> NDArray[np.float64]:
        """[3] force of all contacts on an object, or of those with the object `by` [N]."""
        total: NDArray[np.float64] = self._forces_on(thing, by).sum(axis=0)
        return total

    def torque_on(
        self, thing: str, about: ArrayLike, by: str | None = None
    ) -> NDArray[np.float64]:
        """[3] torque of all contacts on an object, or of those with the object `by`, about a point
        of the world [N m]. The torque of a joint's axis is its component along the axis, about
        any point of the axis."""
        arms = self.point - point_of(about)
        total: NDArray[np.float64] = np.cross(arms, self._forces_on(thing, by)).sum(axis=0)
        return total

    def _forces_on(self, thing: str, by: str | None) -> NDArray[np.float64]:
        """[R, 3] forces on the object; 0 for contacts of others. Of contacts with itself both
        forces act on it: 0."""
        self._check(thing, *([] if by is None else [by]))
        own = self.pair == self.things.index(thing)
        sign = 1.0 * own[:, 1] - 1.0 * own[:, 0]
        if by is not None:
            sign *= self.between(thing, by)
        made: NDArray[np.float64] = sign[:, None] * self.force
        return made

    def _check(self, *names: str) -> None:
        for name in names:
            if name not in self.things:
                raise UnknownName(
                    f"'{name}' touches nothing{meant(name, self.things)} "
                    f"There are {listed(self.things, 40)}"
                )

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, index: int) -> Contact: ...
    @overload
    def __getitem__(self, index: slice) -> list[Contact]: ...
    def __getitem__(self, index: int | slice) -> Contact | list[Contact]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        row = self.rows[index]
        a, b = row["pair"]
        return Contact(
            a=self.things[a],
            b=self.things[b],
            point=row["point"],
            normal=row["normal"],
            force=row["force"],
            gap=float(row["gap"]),
            slip=float(row["slip"]),
        )

    def __iter__(self) -> Iterator[Contact]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        active = int((self.normal_force != 0).sum())
        force = float(self.normal_force.sum())
        return f"<lithe.Contacts: {len(self)}, {active} with force, {force:.4g} N normal in all>"


def point_of(about: ArrayLike) -> NDArray[np.float64]:
    """A point of the world as an array."""
    try:
        point = np.asarray(about, np.float64)
    except (TypeError, ValueError):  # a text, or a list that is none of numbers
        point = np.empty(0)
    if point.shape != (3,) or not np.isfinite(point).all():
        raise _core.BadInput(f"about is {about!r}, must be a point of the world: three numbers [m]")
    return point


def _check_names(rec: Recording, a: str, b: str) -> None:
    things = rec["contacts/things"].split("\n") if "contacts/things" in rec else []
    for name in (a, b):
        if name not in things:
            known = f"There are {listed(things, 40)}" if things else "It has no contacts"
            raise UnknownName(f"{rec.path}: '{name}' touches nothing{meant(name, things)} {known}")


def _between(
    rec: Recording, frame: int, a: str, b: str
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Places, forces on b and areas of the contacts of two things in a frame."""
    rows = rec.contacts(frame=frame)
    first, second = np.array(rows["a"], dtype=object), np.array(rows["b"], dtype=object)
    forward, back = (first == a) & (second == b), (first == b) & (second == a)
    # the recorded force acts on the second of a row
    sign = np.where(forward, 1.0, -1.0)[:, None]
    chosen = forward | back
    area = rows["area"] if "area" in rows else np.zeros(len(first))
    return rows["position"][chosen], (sign * rows["force"])[chosen], area[chosen]


def force_between(rec: Recording, a: str, b: str) -> NDArray[np.float64]:
    """[T, 3] force of all contacts between two things on b at each frame of a recording [N]."""
    _check_names(rec, a, b)
    force = np.zeros((len(rec), 3))
    for k in range(len(rec)):
        force[k] = _between(rec, k, a, b)[1].sum(axis=0)
    return force


def _axis_points(rec: Recording, about: str | ArrayLike) -> NDArray[np.float64]:
    """[T, 3] a point of the world, or the origin of a body, at each frame."""
    if not isinstance(about, str):
        return np.tile(point_of(about), (len(rec), 1))
    points: NDArray[np.float64] = rec[f"{about}.position"]
    if points.shape != (len(rec), 3):
        raise _core.BadInput(f"about is '{about}', must be a body that moves, or a point")
    return points


def patch_between(
    rec: Recording, a: str, b: str, about: str | ArrayLike | None = None
) -> dict[str, NDArray[np.float64]]:
    """Resultants of all contacts between two things on b at each frame: force [T, 3] [N], centre
    [T, 3] [m], the mean of their places weighted by force (NaN without contact), torque [T, 3]
    about it or about `about` [N m], area [T] [m^2]."""
    _check_names(rec, a, b)
    count = len(rec)
    points = None if about is None else _axis_points(rec, about)
    out = {
        "force": np.zeros((count, 3)),
        "centre": np.full((count, 3), np.nan),
        "torque": np.zeros((count, 3)),
        "area": np.zeros(count),
    }
    for k in range(count):
        place, force, area = _between(rec, k, a, b)
        weight = np.linalg.norm(force, axis=1)
        out["force"][k], out["area"][k] = force.sum(axis=0), area.sum()
        if weight.sum() > 0:
            centre = (weight[:, None] * place).sum(axis=0) / weight.sum()
            out["centre"][k] = centre
            arms = place - (centre if points is None else points[k])
            out["torque"][k] = np.cross(arms, force).sum(axis=0)
    return out
