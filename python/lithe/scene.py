# SPDX-License-Identifier: Apache-2.0
"""Scenes: read from files, or built with the same names.

A built scene holds nested dicts of the scene format and passes them to the reader of files, so that
every field is supported and every message is the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from . import _core
from .numbers import UnknownName, listed, meant
from .parts import (
    Actuator as Actuator,
    Arm as Arm,
    Body as Body,
    Cavity as Cavity,
    Constraint as Constraint,
    Drive as Drive,
    Fibre as Fibre,
    Force as Force,
    Hold as Hold,
    Joint as Joint,
    Material as Material,
    MaterialPair as MaterialPair,
    Particles as Particles,
    PoseDrive as PoseDrive,
    Pressure as Pressure,
    Quantity as Quantity,
    refuse_unknown as refuse_unknown,
    Robot as Robot,
    Rod as Rod,
    Solid as Solid,
    Swell as Swell,
    Value as Value,
    _plain,
    _word,
)

if TYPE_CHECKING:
    from .simulation import Simulation


def _override(path: str, value: Value) -> str:
    """A value by its path, as `lithe run --set` takes it."""
    plain = _plain(value)
    return f"{path}={plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)}"


#: Sections with named objects.
_SECTIONS = (
    "parameters",
    "materials",
    "material-pairs",
    "rods",
    "particles",
    "solids",
    "sets",
    "holds",
    "drives",
    "forces",
    "pressures",
    "cavities",
    "swells",
    "fibres",
    "natural-drives",
    "bodies",
    "robots",
    "joints",
    "actuators",
    "pose-drives",
    "constraints",
    "chains",
    "arms",
    "knots",
    "controls",
    "goals",
)


class _FileSection(dict[str, Any]):
    """A section of a scene that was read: its contents are in the file."""

    def __init__(self, section: str, name: str) -> None:
        super().__init__()
        self._section, self._name = section, name

    def __missing__(self, key: str) -> NoReturn:
        raise UnknownName(
            f"{self._name}: '{key}' of {self._section}: the scene was read, its values are not here; "
            f'scene.set("{self._section}.{key}...", value) changes them, scene.to_yaml() shows them'
        )

    def __repr__(self) -> str:
        return f"<{self._section} of {self._name}: scene.set changes them, scene.to_yaml shows them>"


class Scene:
    """Description of a simulation.

    `Scene(title=..., time=..., ...)` builds one with the names of the scene format: each section is
    a dict (`scene.rods["rope"] = lithe.Rod(...)` or a plain dict with the same names), and the rest
    are keywords (`time={"step": "1 ms", "end": "2 s"}`, `gravity="none"`, `include="base.yaml"`).
    `lithe.load` and `lithe.loads` read one; `set` changes it.
    """

    parameters: dict[str, Value]
    materials: dict[str, Material | Mapping[str, Value]]
    material_pairs: dict[str, MaterialPair | Mapping[str, Value]]
    rods: dict[str, Rod | Mapping[str, Value]]
    particles: dict[str, Particles | Mapping[str, Value]]
    solids: dict[str, Solid | Mapping[str, Value]]
    sets: dict[str, Mapping[str, Value]]
    holds: dict[str, Hold | Mapping[str, Value]]
    drives: dict[str, Drive | Mapping[str, Value]]
    forces: dict[str, Force | Mapping[str, Value]]
    pressures: dict[str, Pressure | Mapping[str, Value]]
    cavities: dict[str, Cavity | Mapping[str, Value]]
    swells: dict[str, Swell | Mapping[str, Value]]
    fibres: dict[str, Fibre | Mapping[str, Value]]
    natural_drives: dict[str, Mapping[str, Value]]
    bodies: dict[str, Body | Mapping[str, Value]]
    robots: dict[str, Robot | Mapping[str, Value]]
    joints: dict[str, Joint | Mapping[str, Value]]
    actuators: dict[str, Actuator | Mapping[str, Value]]
    pose_drives: dict[str, PoseDrive | Mapping[str, Value]]
    constraints: dict[str, Constraint | Mapping[str, Value]]
    chains: dict[str, Mapping[str, Value]]
    arms: dict[str, Arm | Mapping[str, Value]]
    knots: dict[str, Mapping[str, Value]]
    controls: dict[str, Mapping[str, Value]]
    goals: dict[str, Mapping[str, Value]]
    #: Everything else: title, allow-unusual, time, gravity, contact, record, include, ignore.
    settings: dict[str, Value]

    def __init__(
        self, *, folder: str | os.PathLike[str] | None = ".", **settings: Value
    ) -> None:
        self._text: str | None = None
        self._name = "scene"
        self._folder = None if folder is None else os.fspath(folder)
        self._overrides: list[str] = []
        self.settings = {}
        for section in _SECTIONS:
            setattr(self, section.replace("-", "_"), {})
        refuse_unknown("lithe.Scene", map(_word, settings), _core.scene_keys[""])
        for key, value in settings.items():
            word = _word(key)
            if word in _SECTIONS:
                getattr(self, key).update(value)
            elif value is not None:
                self.settings[word] = value

    @classmethod
    def _of_text(cls, text: str, name: str, folder: str | None) -> Scene:
        scene = cls(folder=folder)
        scene._text = text
        scene._name = name
        scene._close_sections()
        return scene

    def _close_sections(self) -> None:
        """Sections of a scene that was read say where its values are."""
        for section in _SECTIONS:
            word = section.replace("-", "_")
            if not getattr(self, word):
                setattr(self, word, _FileSection(section, self._name))

    # --- changing ---

    def set(self, path: str, value: Value) -> Scene:
        """Sets one value by its path, as `lithe run --set` does; returns the scene.

        `scene.set("rods.rope.section.circle.radius", "2 mm")`. Errors are found when the
        scene is checked or simulated; `unset` takes a value back.
        """
        self._overrides.append(_override(path, value))
        return self

    def unset(self, path: str) -> Scene:
        """Takes back what `set` did to this path; returns the scene."""
        known = [text.split("=", 1)[0] for text in self._overrides]
        if path not in known:
            there = f"There are {listed(known)}" if known else "No value was set"
            raise UnknownName(f"'{path}' was not set{meant(path, known)} {there}")
        self._overrides = [text for text, own in zip(self._overrides, known) if own != path]
        return self

    def copy(self) -> Scene:
        """A copy of this scene."""
        other: Scene = Scene.__new__(Scene)
        other.__setstate__(self.__getstate__())
        return other

    # --- reading ---

    def _dict(self) -> dict[str, Value]:
        """Content of a built scene, in plain Python."""
        document: dict[str, Value] = {"lithe": 1, **_plain(self.settings)}
        for section in _SECTIONS:
            inside = getattr(self, section.replace("-", "_"))
            if inside:
                document[section] = _plain(inside)
        return document

    def _has_sections(self) -> bool:
        return bool(self.settings) or any(
            getattr(self, section.replace("-", "_")) for section in _SECTIONS
        )

    def _document(self) -> str | None:
        """Text of a built scene; None of a scene that was read."""
        if self._text is not None:
            return None
        return json.dumps(self._dict(), ensure_ascii=False, allow_nan=False, indent=0)

    def _read(self, document: str | None = None, more: Sequence[str] = ()) -> _core.Scene:
        """With more overrides, and with the `_document` if the caller has it already."""
        try:
            return self._parse(document, [*self._overrides, *more])
        except _core.Error as error:
            # a wrong value would stay, and be reported again and again
            for text in self._overrides:
                path = text.split("=", 1)[0]
                if str(error).startswith(f"--set {path}: "):
                    raised = type(error)(f'{error} (scene.unset("{path}") takes it back)')
                    raised.status = error.status
                    raise raised from None
            raise

    def _parse(self, document: str | None, overrides: list[str]) -> _core.Scene:
        if self._text is not None:
            if self._has_sections():
                raise _core.BadInput(
                    f"{self._name}: use set() to change a scene that was read; to add to a file, "
                    "start from lithe.Scene(include=...)"
                )
            return _core.Scene.parse(self._text, self._name, self._folder, overrides)
        text = document if document is not None else self._document()
        try:
            return _core.Scene.parse(text or "", "scene", self._folder, overrides)
        except _core.Error as error:
            # lines and columns of generated text are removed
            start = f"scene:{error.line}:{error.column}: "
            if error.line and str(error).startswith(start):
                bare = type(error)(str(error)[len(start) :])
                bare.status = error.status
                raise bare from None
            raise

    def check(self) -> Scene:
        """Reads the whole scene; raises `lithe.BadInput` at the first wrong value."""
        self._read()
        return self

    def notes(self) -> list[str]:
        """What importers of robots ignored, one line each."""
        return self._read().notes()

    def to_yaml(self) -> str:
        """The complete scene as YAML in SI units: reading it gives the same scene."""
        return self._read().write()

    def simulate(self, *, threads: int = 1) -> Simulation:
        """Compiles the scene and returns a simulation, at its equilibrium if requested."""
        from .simulation import Simulation

        return Simulation(self, threads=threads)

    def __eq__(self, other: object) -> bool:
        """Whether both describe the same simulation."""
        if not isinstance(other, Scene):
            return NotImplemented
        return self.to_yaml() == other.to_yaml()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        if self._text is not None:
            changed = f", {len(self._overrides)} values set" if self._overrides else ""
            return f"<lithe.Scene {self._name}{changed}>"
        title = f" '{self.settings['title']}'" if "title" in self.settings else ""
        found = [
            f"{len(getattr(self, section.replace('-', '_')))} {section}"
            for section in _SECTIONS
            if getattr(self, section.replace("-", "_"))
        ]
        return f"<lithe.Scene{title}: {', '.join(found) or 'empty'}>"

    # --- pickling ---

    def __getstate__(self) -> dict[str, Any]:
        state = {key: getattr(self, key) for key in ("_text", "_name", "_folder")}
        state["_overrides"] = list(self._overrides)
        # parts and arrays become plain dicts and lists, which describe the same scene
        state["settings"] = _plain(self.settings)
        for section in _SECTIONS:
            name = section.replace("-", "_")
            state[name] = _plain(getattr(self, name))
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        if self._text is not None:
            self._close_sections()


def load(path: str | os.PathLike[str]) -> Scene:
    """Reads a scene file. Raises `lithe.BadInput` with file, line and column, or FileError."""
    name = os.fspath(path)
    try:
        with open(name, encoding="utf-8") as file:
            text = file.read()
    except UnicodeDecodeError:
        hint = "; lithe.open reads recordings" if name.endswith((".h5", ".hdf5")) else ""
        raise _core.BadInput(f"{name}: is not UTF-8{hint}") from None
    except OSError as error:
        raise _core.FileError(f"{name}: cannot read: {error.strerror}") from None
    scene = Scene._of_text(text, name, os.path.dirname(name) or ".")
    return scene.check()


def loads(text: str, *, name: str = "scene", folder: str | None = None) -> Scene:
    """Reads a scene from text; `folder` is searched for files that it names."""
    return Scene._of_text(text, name, folder).check()
