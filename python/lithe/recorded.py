# SPDX-License-Identifier: Apache-2.0
"""What a recording has: its columns, and the things that they belong to, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .numbers import UnknownName, listed, meant

if TYPE_CHECKING:
    from .recording import Recording

# parts of a pose: their numbers, unit and axis
POSE = {"position": (slice(0, 3), "m", "xyz"), "orientation": (slice(3, 7), "1", "wxyz")}


@dataclass(frozen=True)
class Column:
    """A quantity of a recording."""

    path: str  #: in the HDF5 file: "rods/rope/tension"
    name: str  #: "rope.tension"
    unit: str  #: "N"; "1" without a unit
    axes: str  #: "time edge"; without "time" for a constant
    shape: tuple[int, ...]  #: of one frame
    kind: str  #: "real", "integer" or "text"
    place: str  #: "frame": per frame; "constant"; "row": of the table of contacts
    index: int  #: in the file


class Recorded:
    """What was recorded of one thing: `.tension` is the array `rec["rope.tension"]`."""

    def __init__(self, recording: Recording, names: dict[str, str]) -> None:
        self._recording = recording
        self._names = names  # in the recording, by attribute

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in self._names:
            known = [word for word in self._names if "." not in word]
            raise AttributeError(f"no '{name}' was recorded of it{meant(name, known)} "
                                 f"There are {listed(known)}")
        return self._recording[self._names[name]]

    def __dir__(self) -> list[str]:
        return [*self._names]


class RecordedThings(Mapping[str, Recorded]):
    """What was recorded of all things of one kind, by name: `rec.rods["rope"].tension`."""

    def __init__(self, recording: Recording, kind: str) -> None:
        self._kind = kind
        found: dict[str, dict[str, str]] = {}
        for column in recording._columns:
            folder, _, rest = column.path.partition("/")
            thing, _, what = rest.rpartition("/")
            shape = folder == "bodies" and thing.rpartition("/")[0].endswith("/shapes")
            if folder != kind or not thing or shape or column.place == "row":
                continue
            names = found.setdefault(thing, {})
            names[what.replace("-", "_")] = column.name
            if what == "pose" and column.shape == (7,):
                for part in POSE:
                    names[part] = f"{column.name.rpartition('.')[0]}.{part}"
        self._all = {thing: Recorded(recording, names) for thing, names in found.items()}

    def __getitem__(self, name: str) -> Recorded:
        if name in self._all:
            return self._all[name]
        raise UnknownName(f"no '{name}' among the {self._kind}{meant(name, self._all)}"
                          f" There are {listed(list(self._all)) if self._all else 'none'}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)


class Kind:
    """The things of a kind as an attribute of a recording."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._folder = name.replace("_", "-")

    def __get__(self, recording: Recording, owner: type | None = None) -> RecordedThings:
        return RecordedThings(recording, self._folder)
