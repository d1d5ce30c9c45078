# SPDX-License-Identifier: Apache-2.0
"""The library of materials, ropes, cables and hoses: published values with their sources.

    lithe.materials()["steel-s235"].values["yield"].source
    scene.materials["wire"] = {"from": "steel-s235", "friction": 0.2}
"""

from __future__ import annotations

from dataclasses import dataclass

from . import _core


@dataclass(frozen=True)
class LibraryValue:
    """One value of an entry of the library."""

    value: float  #: that `from` takes: the middle of a range [SI]
    unit: str
    low: float  #: the published range
    high: float
    source: str  #: citation


@dataclass(frozen=True)
class LibraryEntry:
    """A material, or a rope, cable or hose, of the library."""

    name: str
    kind: str  #: "material", or "line": a section of measured stiffnesses
    about: str
    values: dict[str, LibraryValue]  #: by the keys of scene files: "young", "EA", ..


def materials() -> dict[str, LibraryEntry]:
    """The library of materials, ropes, cables and hoses, by name.

    A scene takes an entry by `{"from": name}` as a material, or as the stiffness of a section.
    """
    return {
        name: LibraryEntry(name, kind, about, {key: LibraryValue(*v) for key, v in values.items()})
        for name, kind, about, values in _core.library()
    }
