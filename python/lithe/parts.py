# SPDX-License-Identifier: Apache-2.0
"""Parts of built scenes: a class for each kind of object, with the names of the scene format."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Union

import numpy as np

from . import _core
from .numbers import listed, meant

#: A number in SI units, or a text with a unit: 0.002 or "2 mm".
Quantity = Union[float, int, str]

#: A value in a scene: a quantity, a word, a list, a mapping.
Value = Any


def _plain(value: Value) -> Value:
    """Types of JSON: dicts, lists, numbers, texts."""
    if isinstance(value, _Part):
        return _plain(value._fields)
    if isinstance(value, Mapping):
        return {str(key): _plain(part) for key, part in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, (str, bool)) or value is None:
        return value
    if isinstance(value, (int, float)):
        if isinstance(value, float) and not np.isfinite(value):
            raise _core.BadInput(f"a number of the scene is {value}, must be finite")
        return value
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Sequence):
        return [_plain(part) for part in value]
    raise TypeError(f"a scene cannot hold a {type(value).__name__}: {value!r}")


def _word(name: str) -> str:
    """The name in the scene format of a Python keyword: along_only is along-only."""
    return name.rstrip("_").replace("_", "-")


def refuse_unknown(what: str, given: Iterable[str], known: Sequence[str]) -> None:
    """Raises at a name that is not known, with a suggestion."""
    for name in given:
        if name not in known:
            raise _core.BadInput(
                f"{what} has no '{name}'{meant(name, known)} There are {listed(known, 40)}"
            )


class _Part(MutableMapping[str, Value]):
    """A mapping of the scene format. Fields are keyword arguments, with _ for -."""

    _section = ""

    def __init__(self, **fields: Value) -> None:
        self._check(_word(key) for key in fields)
        self._fields: dict[str, Value] = {
            _word(key): value for key, value in fields.items() if value is not None
        }

    def _check(self, keys: Iterable[str]) -> None:
        refuse_unknown(f"lithe.{type(self).__name__}", keys, _core.scene_keys[self._section])

    def __getitem__(self, key: str) -> Value:
        return self._fields[key]

    def __setitem__(self, key: str, value: Value) -> None:
        self._check([key])
        self._fields[key] = value

    def __delitem__(self, key: str) -> None:
        del self._fields[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._fields)

    def __len__(self) -> int:
        return len(self._fields)

    def __repr__(self) -> str:
        inside = ", ".join(f"{key.replace('-', '_')}={value!r}" for key, value in self.items())
        return f"{type(self).__name__}({inside})"


class Material(_Part):
    """A material: `young`, `density`, `poisson`, `friction`, ..; `from_` takes those of the library."""

    _section = "materials"

    def __init__(
        self,
        *,
        young: Quantity | None = None,
        density: Quantity | None = None,
        poisson: float | None = None,
        friction: Quantity | None = None,
        damping: Mapping[str, Value] | None = None,
        contact: Mapping[str, Value] | None = None,
        **more: Value,
    ) -> None:
        super().__init__(
            young=young,
            density=density,
            poisson=poisson,
            friction=friction,
            damping=damping,
            contact=contact,
            **more,
        )


class MaterialPair(_Part):
    """Contact parameters of two materials `a` and `b`, instead of the means: `friction`, ..."""

    _section = "material-pairs"

    def __init__(
        self,
        *,
        a: str | None = None,
        b: str | None = None,
        friction: Quantity | None = None,
        stiffness: Quantity | None = None,
        dissipation: Quantity | None = None,
        **more: Value,
    ) -> None:
        super().__init__(
            a=a, b=b, friction=friction, stiffness=stiffness, dissipation=dissipation, **more
        )


class Rod(_Part):
    """A rod: `section={"circle": {"radius": "2 mm"}}`, `shape={"line": {...}}`, `nodes`, ..."""

    _section = "rods"

    def __init__(
        self,
        *,
        material: str | None = None,
        section: Mapping[str, Value] | None = None,
        shape: Mapping[str, Value] | None = None,
        nodes: int | None = None,
        **more: Value,
    ) -> None:
        super().__init__(material=material, section=section, shape=shape, nodes=nodes, **more)


class Particles(_Part):
    """A set of balls without rotation: `radius`, `positions` or `fill={"box": {...}}`, ..."""

    _section = "particles"

    def __init__(
        self,
        *,
        material: str | None = None,
        radius: Quantity | None = None,
        positions: Sequence[Sequence[Quantity]] | None = None,
        fill: Mapping[str, Value] | None = None,
        **more: Value,
    ) -> None:
        super().__init__(
            material=material, radius=radius, positions=positions, fill=fill, **more
        )


class Solid(_Part):
    """A soft solid: `material`, `law`, `mesh={"box": {"size": [...], "divisions": [...]}}`, ..."""

    _section = "solids"

    def __init__(
        self,
        *,
        material: str | None = None,
        law: str | None = None,
        mesh: Mapping[str, Value] | None = None,
        **more: Value,
    ) -> None:
        super().__init__(material=material, law=law, mesh=mesh, **more)


class Body(_Part):
    """A rigid body: `shape={"box": {"size": [...]}}` or `shapes=[...]`, `material`, `at`, ..."""

    _section = "bodies"

    def __init__(
        self,
        *,
        shape: Mapping[str, Value] | None = None,
        material: str | None = None,
        at: Sequence[Quantity] | None = None,
        fixed: bool | None = None,
        **more: Value,
    ) -> None:
        super().__init__(shape=shape, material=material, at=at, fixed=fixed, **more)


class Joint(_Part):
    """Connects `child` to `parent` (default: the world): `kind`, `at`, `axis`, `position`, ..."""

    _section = "joints"

    def __init__(
        self,
        *,
        kind: str | None = None,
        child: str | None = None,
        parent: str | None = None,
        **more: Value,
    ) -> None:
        super().__init__(kind=kind, child=child, parent=parent, **more)


class Drive(_Part):
    """Moves a place `on` a rod: `direction`, `speed` or `motion`, `stiffness`, ..."""

    _section = "drives"

    def __init__(self, *, on: str | None = None, **more: Value) -> None:
        super().__init__(on=on, **more)


class Hold(_Part):
    """Keeps a place `on` a rod fixed."""

    _section = "holds"

    def __init__(self, *, on: str | None = None, **more: Value) -> None:
        super().__init__(on=on, **more)


class Force(_Part):
    """A force or moment `on` a place of a rod, particle or solid, or `at` a point of a body."""

    _section = "forces"

    def __init__(
        self, *, on: str | None = None, force: Sequence[Quantity] | None = None, **more: Value
    ) -> None:
        super().__init__(on=on, force=force, **more)


class Pressure(_Part):
    """A `pressure` `on` faces of a solid: a group, or a set of nodes."""

    _section = "pressures"

    def __init__(
        self, *, on: str | None = None, pressure: Value = None, **more: Value
    ) -> None:
        super().__init__(on=on, pressure=pressure, **more)


class Cavity(_Part):
    """A hollow with closed faces `on` a solid, with a `pressure` or a `gas`."""

    _section = "cavities"

    def __init__(
        self, *, on: str | None = None, pressure: Value = None, gas: Value = None, **more: Value
    ) -> None:
        super().__init__(on=on, pressure=pressure, gas=gas, **more)


class Swell(_Part):
    """Changes the natural size of a solid or of a part of it (`on`) by a `factor` over time."""

    _section = "swells"

    def __init__(self, *, on: str | None = None, factor: Value = None, **more: Value) -> None:
        super().__init__(on=on, factor=factor, **more)


class Fibre(_Part):
    """Fibres in or on a solid (`on`): `modulus`, `fraction` or `diameter`, `along` or `axis`, ..."""

    _section = "fibres"

    def __init__(self, *, on: str | None = None, modulus: Value = None, **more: Value) -> None:
        super().__init__(on=on, modulus=modulus, **more)


class Actuator(_Part):
    """Drives a `joint`: `kind`, `target`, `stiffness`, `damping`, ..."""

    _section = "actuators"

    def __init__(
        self, *, joint: str | None = None, kind: str | None = None, **more: Value
    ) -> None:
        super().__init__(joint=joint, kind=kind, **more)


class PoseDrive(_Part):
    """A pose drive: an end effector or a free body (`body`) follows a `path`."""

    _section = "pose-drives"

    def __init__(
        self, *, body: str | None = None, path: Sequence[Value] | None = None, **more: Value
    ) -> None:
        super().__init__(body=body, path=path, **more)


class Constraint(_Part):
    """Constrains place `b` to place `a`: `kind` is attach, weld, distance, ..."""

    _section = "constraints"

    def __init__(
        self, *, kind: str | None = None, a: Value = None, b: Value = None, **more: Value
    ) -> None:
        super().__init__(kind=kind, a=a, b=b, **more)


class Robot(_Part):
    """A robot from a file: `path`, `positions`, `material`, ..."""

    _section = "robots"

    def __init__(self, *, path: str | os.PathLike[str] | None = None, **more: Value) -> None:
        super().__init__(path=path, **more)


class Arm(_Part):
    """A soft arm of sections with chambers: `lengths`, `masses`, `radii`, `stiffness`, ..."""

    _section = "arms"

    def __init__(
        self,
        *,
        lengths: Value = None,
        masses: Value = None,
        radii: Value = None,
        stiffness: Value = None,
        **more: Value,
    ) -> None:
        super().__init__(
            lengths=lengths, masses=masses, radii=radii, stiffness=stiffness, **more
        )
