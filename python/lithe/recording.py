# SPDX-License-Identifier: Apache-2.0
"""Recordings: arrays by name with units, plots, pictures, pages; also of runs that still go on."""

from __future__ import annotations

import math
import os
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from .contacts import force_between, patch_between
from .look import look_of
from .numbers import Number, UnknownName, listed, number
from .recorded import POSE, Column, Kind
from .scene import Scene, loads

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]

Floats = NDArray[np.float64]
Name = str | os.PathLike[str]


def page_file(name: str) -> Path:
    """A file of the viewer's page; raises where this installation has none."""
    path = Path(__file__).parent / "viewer" / name
    if not path.exists():
        raise _core.NotSupported(
            "this installation has no page for the viewer: building it needs node and npm "
            "when the package is built (Debian: nodejs npm)"
        )
    return path


def _image(made: tuple[int, int, bytes]) -> NDArray[np.uint8]:
    width, height, data = made
    pixels = np.frombuffer(data, np.uint8).reshape(height, width, 4)
    return np.ascontiguousarray(pixels[:, :, :3])


def _is_running(path: str) -> bool:
    """Whether a process has locked the output of its run."""
    try:
        lock = os.stat(os.path.realpath(path) + ".lock")
        rows = [row.split() for row in Path("/proc/locks").read_text("ascii").splitlines()]
        return any(row[-3].endswith(f":{lock.st_ino}") for row in rows if "FLOCK" in row)
    except (OSError, IndexError):
        return False


class Recording:
    """A recording: `lithe.open` makes one.

    `rec["rope.tension"]` is an array [T, ...] with one row per frame, read on request;
    `rec.names` lists what there is, `rec.units(name)` gives units. Names of `lithe plot` with
    places, components and reductions work as well: `rec["rope.end.position.z"]`,
    `rec["rope.tension.max"]`. Constants have no time: `rec["rope.rest_length"]`.
    `rec.rods["rope"].tension` is the same as `rec["rope.tension"]`, with the names of a simulation:
    `rods`, `bodies`, `particles`, `solids`, `joints`, `cavities`, `drives`, `holds`, `actuators`,
    `pose_drives`, `constraints`, `knots`.

    `len(rec)` is the number of frames; a slice is a recording of these frames: `rec[-10:]`,
    `rec[::5]["rope.position"]`. `rec.between("0.2 s", "0.4 s")` selects by time.
    """

    rods, bodies, particles, solids, joints = Kind(), Kind(), Kind(), Kind(), Kind()
    cavities, drives, holds, actuators = Kind(), Kind(), Kind(), Kind()
    pose_drives, constraints, knots = Kind(), Kind(), Kind()

    def __init__(self, core: _core.Recording, path: str, *, journal: bool = False) -> None:
        self._core = core
        self._head = core.head()
        self._frames = range(core.frame_count)
        #: Name of the file that was opened.
        self.path = path
        #: Whether frames come from the journal of a run that has not finished its recording.
        self.from_journal = journal
        self._columns = [Column(*row, i) for i, row in enumerate(core.columns())]
        self._by_name: dict[str, Column] = {}
        for column in self._columns:
            for key in (column.name, column.path):
                self._by_name.setdefault(key, column)
        times = np.empty(core.frame_count)
        core.read(self._by_name["time"].index, 0, core.frame_count, times)
        times.flags.writeable = False
        self._time = times

    # --- what is in it ---

    @property
    def time(self) -> Floats:
        """[T] times of the frames [s]; read-only."""
        times = self._time[self._index]
        times.flags.writeable = False
        return times

    @property
    def names(self) -> list[str]:
        """Names of all quantities per frame: "rope.position", "energy.kinetic", .."""
        return self._core.names()

    @property
    def constants(self) -> list[str]:
        """Names of what does not change: "rope.radius", "rope.rest_length", .."""
        return [column.name for column in self._columns if column.place == "constant"]

    @property
    def title(self) -> str:
        """Of the scene."""
        return str(self._head["title"])

    @property
    def scene(self) -> Scene:
        """The scene of the run, which can be run again."""
        return loads(self._head["scene"], name=f"{self.path}: scene")

    @property
    def summary(self) -> dict[str, Any]:
        """How the run ended, by the names of the file's attributes: complete, stopped, steps, .."""
        return {key: value for key, value in self._head.items() if key != "scene"}

    @property
    def complete(self) -> bool:
        """Whether the run reached its end."""
        return bool(self._head["complete"])

    @property
    def stopped(self) -> str:
        """Why the run stopped early, where it could say so; else empty."""
        return str(self._head["stopped"])

    @property
    def running(self) -> bool:
        """Whether the run still goes on: `reload()` then gives more frames."""
        return self.from_journal and _is_running(self.path.removesuffix(".journal"))

    def reload(self) -> Recording:
        """The same recording as it is now: of a run that goes on, with more frames."""
        return open(self.path)

    def _part_of_pose(self, name: str) -> tuple[Column, slice, str, str] | None:
        """The pose that a position or orientation of a body is part of, its numbers, their unit
        and axis."""
        thing, _, what = name.rpartition(".")
        pose = self._by_name.get(f"{thing}.pose")
        if pose is None or pose.shape != (7,) or what not in POSE:
            return None
        return (pose, *POSE[what])

    def units(self, name: str) -> str:
        """Unit of a quantity: "N", "m/s"; "1" for plain numbers and counts."""
        column, part = self._by_name.get(name), self._part_of_pose(name)
        if column is not None:
            return column.unit
        return part[2] if part is not None else self._series(name)[0]

    def axes(self, name: str) -> tuple[str, ...]:
        """Names of the dimensions of a quantity: ("time", "node", "xyz")."""
        column, part = self._by_name.get(name), self._part_of_pose(name)
        if column is not None:
            return tuple(column.axes.split())
        if part is not None:
            return (*(["time"] if part[0].place == "frame" else []), part[3])
        return ("time",) if len(self._series(name)[2]) == 1 else ("time", "number")

    def __contains__(self, name: object) -> bool:
        if not isinstance(name, str):
            return False
        try:
            known = name in self._by_name or self._part_of_pose(name) is not None
            return known or bool(self._series(name))
        except UnknownName:
            return False

    def __len__(self) -> int:
        return len(self._frames)

    def __iter__(self) -> Iterator[Any]:
        raise TypeError("a recording is read by name: rec['rope.tension'], rec.names, rec.time")

    # --- values ---

    @overload
    def __getitem__(self, key: str) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> Recording: ...
    def __getitem__(self, key: str | slice) -> Any:
        if isinstance(key, slice):
            return self._of_frames(self._frames[key])
        if not isinstance(key, str):
            raise TypeError(
                f"rec[{key!r}]: a name or a slice of frames is expected, such as "
                "rec['rope.tension'] or rec[10:20]"
            )
        column, part = self._by_name.get(key), self._part_of_pose(key)
        if column is None and part is not None:
            return self[part[0].path][..., part[1]]
        if column is None or column.place == "row":
            curves = self._series(key)[2]
            all_frames = [np.frombuffer(data)[self._index] for _, data in curves]
            return all_frames[0].copy() if len(curves) == 1 else np.stack(all_frames, axis=1)
        if column.place == "constant":
            return self._constant(column)
        return self._read(column)

    def _of_frames(self, frames: range) -> Recording:
        part = object.__new__(Recording)
        part.__dict__.update(self.__dict__)
        part._frames = frames
        return part

    @property
    def _index(self) -> NDArray[np.int64]:
        return np.arange(self._frames.start, self._frames.stop, self._frames.step)

    def _series(self, name: str) -> tuple[str, str, list[tuple[str, bytes]]]:
        """Unit, label and curves over all frames of the file."""
        try:
            return self._core.series(name)
        except _core.BadInput as error:
            raise UnknownName(str(error)) from None

    def _constant(self, column: Column) -> Any:
        value = self._core.constant(column.index)
        if isinstance(value, str):
            return value
        array = np.frombuffer(value).reshape(column.shape).copy()
        if column.kind == "integer":
            return array.astype(np.int64) if column.shape else int(array)
        return array if column.shape else float(array)

    def _read(self, column: Column) -> NDArray[Any]:
        frames = self._frames
        values = np.empty((len(frames), *column.shape))
        if frames.step == 1:
            self._core.read(column.index, frames.start, len(frames), values)
        else:
            for row, frame in enumerate(frames):
                self._core.read(column.index, frame, 1, values[row : row + 1])
        return values.astype(np.int64) if column.kind == "integer" else values

    def contacts(self, at: Number | None = None, *, frame: int | None = None) -> dict[str, Any]:
        """Contacts of one frame as arrays with a row per contact: position, normal, force, gap,
        slip, part_a, part_b, and the names of the two things, a and b. `at`, `frame`: as in
        `picture`."""
        chosen = self._frame(at, frame)
        rows = [column for column in self._columns if column.place == "row"]
        if not rows:
            return {}
        ends = np.empty((2, 1))
        for k, path in enumerate(("contacts/first", "contacts/count")):
            self._core.read(self._by_name[path].index, chosen, 1, ends[k])
        first, count = int(ends[0, 0]), int(ends[1, 0])
        things = self["contacts/things"].split("\n")
        found: dict[str, Any] = {}
        for column in rows:
            values = np.empty((count, *column.shape))
            self._core.read(column.index, first, count, values)
            word = column.path.rsplit("/", 1)[1]
            whole = column.kind == "integer"
            found[word] = values.astype(np.int64) if whole else values
            if word in ("a", "b"):
                found[word] = [things[i] for i in found[word]]
        return found

    def contact_force(self, a: str, b: str) -> NDArray[np.float64]:
        """[T, 3] force of all contacts between two things on b at each frame [N]: the mean over the
        step before the frame. Names are those of `contacts`."""
        return force_between(self, a, b)

    def contact_patch(
        self, a: str, b: str, *, about: str | ArrayLike | None = None
    ) -> dict[str, NDArray[np.float64]]:
        """Resultants of all contacts between two things on b at each frame: force [T, 3] [N],
        centre [T, 3] [m] (NaN without contact), torque [T, 3] [N m], area [T] [m^2]. The torque is
        about the centre, or with `about` about a point of the world or the origin of a body, by
        its name: that of a pulley about its axle."""
        return patch_between(self, a, b, about)

    # --- frames ---

    def between(self, start: Number, end: Number) -> Recording:
        """The frames from one time to another, both included."""
        low, high = number(start, "s", "start"), number(end, "s", "end")
        inside = np.flatnonzero((self.time >= low - 1e-12) & (self.time <= high + 1e-12))
        first, last = (int(inside[0]), int(inside[-1]) + 1) if len(inside) else (0, 0)
        return self[first:last]

    def frame_at(self, time: Number) -> int:
        """Number of the frame nearest to a time; raises outside of the recording."""
        wanted, times = number(time, "s", "the time"), self.time
        if len(times) == 0:
            raise _core.BadInput(f"{self.path}: has no frames")
        nearest = int(np.argmin(np.abs(times - wanted)))
        gap = 0.5 * float(np.diff(times).max()) if len(times) > 1 else 0.0
        if not abs(times[nearest] - wanted) <= gap + 1e-9 * abs(wanted):
            raise _core.BadInput(
                f"{self.path}: the time is {wanted:g} s, the recording has {times.min():g} to "
                f"{times.max():g} s"
            )
        return nearest

    def _frame(self, at: Number | None, frame: int | None) -> int:
        """The frame of the file that a user means; default: the last one."""
        if at is not None and frame is not None:
            raise _core.BadInput("give either at= (a time) or frame= (a number), not both")
        if len(self) == 0:
            raise _core.BadInput(f"{self.path}: has no frames")
        chosen = self.frame_at(at) if at is not None else -1 if frame is None else frame
        try:
            return self._frames[chosen]
        except IndexError:
            raise _core.BadInput(
                f"{self.path}: frame is {chosen}, there are frames 0 to {len(self) - 1}"
            ) from None

    # --- plots and tables ---

    def plot(
        self,
        *names: str,
        at: Number | Sequence[Number] | None = None,
        ax: Any = None,
        path: Name | None = None,
        log: bool = False,
    ) -> list[Any]:
        """Draws quantities over time, or along a rod at one or more moments, with matplotlib.

        names: as of `lithe plot`: "rope.tension" (max and mean), "rope.end.position.z", ...
        at: a time [s] or a list of times: values along the rod, over the arc length.
        ax: axes of matplotlib to draw in, for quantities of one unit.
        path: also writes the figure to this file (.png, .pdf, .svg).
        log: logarithmic vertical axes.

        Quantities of different units are in charts one above the other. Returns the axes, one per
        unit.
        """
        from .plot import plot

        return plot(self, names, at=at, ax=ax, path=path, log=log)

    def to_pandas(self, *names: str, whole: bool = False) -> pandas.DataFrame:
        """A table with a row per frame, indexed by time; columns are the curves of `plot`, by
        default of all quantities. `attrs["units"]` of the table has the unit of each column.

        whole: all values instead, a column each: "rope.tension[0]", "rope.position[3].z",
        "box.velocity.x".
        """
        try:
            import pandas
        except ImportError:
            raise ImportError(
                "rec.to_pandas needs the package pandas: pip install pandas"
            ) from None
        columns: dict[str, Floats] = {}
        units: dict[str, str] = {}
        for name in names or self.names:
            unit, _, curves = self._series(name)
            arrays = {curve: np.frombuffer(data)[self._index] for curve, data in curves}
            if whole:
                arrays = self._single(name) or arrays
            columns.update(arrays)
            units.update(dict.fromkeys(arrays, unit))
        table = pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"))
        table.attrs["units"] = units
        return table

    def _single(self, name: str) -> dict[str, Floats]:
        """Every number of a quantity over time, by its name; none for a place or component."""
        column = self._by_name.get(name)
        if column is None or column.place != "frame" or not column.shape:
            return {}
        values, letters = self._read(column), _LETTERS.get(column.axes.split()[-1], ())
        numbers = {}
        for index in np.ndindex(column.shape):
            place = index[:-1] if letters else index
            text = "".join(f"[{i}]" for i in place) + (f".{letters[index[-1]]}" if letters else "")
            numbers[name + text] = values[(slice(None), *index)]
        return numbers

    # --- exports, by the code of `lithe export` ---

    @overload
    def picture(
        self,
        path: None = None,
        *,
        at: Number | None = None,
        frame: int | None = None,
        **look: Any,
    ) -> NDArray[np.uint8]: ...
    @overload
    def picture(
        self, path: Name, *, at: Number | None = None, frame: int | None = None, **look: Any
    ) -> None: ...
    def picture(
        self,
        path: Name | None = None,
        *,
        at: Number | None = None,
        frame: int | None = None,
        **look: Any,
    ) -> NDArray[np.uint8] | None:
        """Writes a picture of one frame, .png or .svg; without a path, returns it as an array
        [height, width, 3] of bytes, red green blue.

        at: a time [s]; default: the last frame.
        frame: instead of a time, the number of a frame; negative from the end.
        size: pixels; default (1600, 1000).
        colour: quantity that gives the colours: "tension", "curvature", ...
        range: values of the first and the last colour.
        camera: direction of view in degrees: about z from x, and above the horizon.
        eye: position of the eye and the point that it looks at [m], instead of a view of all.
        ground: with `eye`, height of a floor where the scene has none [m]; default: no floor.
        forces: arrows for the forces of contacts and constraints.
        dark: dark background.
        quick: six to nine times faster, with coarser shadows.
        """
        chosen, options = self._frame(at, frame), look_of(look)
        if path is None:
            return _image(self._core.image(chosen, options.core))
        self._core.picture(chosen, os.fspath(path), options.core)
        return None

    def _whole(self, what: str) -> None:
        if self._frames != range(self._core.frame_count):
            raise _core.NotSupported(f"{what} shows all frames of a recording, not a slice of them")
        if len(self) == 0:
            raise _core.BadInput(f"{self.path}: has no frames")

    def video(self, path: Name, *, rate: float = 30, **look: Any) -> None:
        """Writes a video (.mp4) with the program ffmpeg; `rate`: recorded frames per second;
        other keywords as in `picture`; size: default (1280, 800), even numbers."""
        self._whole("a video")
        if not (math.isfinite(rate) and 1 <= rate <= 1000):
            raise _core.BadInput(f"rate is {rate:g}, must be from 1 to 1000")
        self._core.video(os.fspath(path), float(rate), look_of({"size": (1280, 800), **look}).core)

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: Name) -> None: ...
    def to_html(self, path: Name | None = None) -> str | None:
        """A page that plays the recording in any browser, all in one file; without a path its
        text is returned."""
        self._whole("a page")
        page = str(page_file("standalone.html"))
        if path is not None:
            self._core.html(os.fspath(path), page)
            return None
        with tempfile.TemporaryDirectory(prefix="lithe-") as folder:
            file = Path(folder) / "page.html"
            self._core.html(str(file), page)
            return file.read_text(encoding="utf-8")

    def to_csv(self, path: Name, *names: str) -> None:
        """Writes a table for spreadsheets, a row per frame."""
        self._whole("a table")
        self._core.csv(os.fspath(path), list(names))

    def export(self, path: Name, **options: Any) -> None:
        """Writes a file whose ending gives the format, as `lithe export` does: .csv, .pvd, .png,
        .svg, .html, .glb or .mp4. Options are those of `picture` and `video`."""
        name = os.fspath(path)
        ending = os.path.splitext(name)[1].lower()
        if ending in (".png", ".svg"):
            at, frame = options.pop("at", None), options.pop("frame", None)
            self._core.picture(self._frame(at, frame), name, look_of(options).core)
        elif ending == ".mp4":
            self.video(name, **options)
        elif ending in _PLAIN and options:
            raise _core.BadInput(f"{name}: {listed(list(options))}: only pictures take options")
        elif ending in _PLAIN:
            self._whole(f"{ending}")
            getattr(self, _PLAIN[ending])(name)
        else:
            raise _core.BadInput(
                f"{name}: unknown ending; supported are .csv, .pvd, .png, .svg, .html, .glb, .mp4"
            )

    def to_glb(self, path: Name) -> None:
        """Writes an animated glTF 2.0 scene (.glb)."""
        self._whole("a scene")
        self._core.glb(os.fspath(path))

    def to_paraview(self, path: Name) -> None:
        """Writes files for ParaView: an index (.pvd), and a folder of .vtp files beside it."""
        self._whole("ParaView")
        self._core.vtk(os.fspath(path))

    # --- display ---

    def _status(self) -> str:
        if self.complete:
            return "complete"
        if self.stopped:
            return f"stopped: {self.stopped}"
        if self.from_journal:
            return "the run goes on" if self.running else "the run was interrupted"
        return "not complete"

    def _things(self) -> dict[str, list[str]]:
        """Quantities by thing, with shapes and units."""
        things: dict[str, list[str]] = {}
        for name in self.names:
            thing, _, what = name.rpartition(".")
            column = self._by_name.get(name)
            unit = self.units(name)
            shape = f" {list(column.shape)}" if column is not None and column.shape else ""
            things.setdefault(thing, []).append(what + shape + ("" if unit == "1" else f" {unit}"))
        return things

    def _about(self) -> str:
        times = self.time
        span = f", {times[0]:g} to {times[-1]:g} s" if len(times) else ""
        return f"{len(self)} frames{span}, {self._status()}"

    def __repr__(self) -> str:
        title = f" '{self.title}'" if self.title else ""
        lines = [f"<lithe.Recording {self.path}{title}: {self._about()}"]
        things = self._things()
        for thing, quantities in list(things.items())[:_THINGS_SHOWN]:
            lines.append(f"  {thing}: {', '.join(quantities)}")
        if len(things) > _THINGS_SHOWN:
            lines.append(f"  ... and {len(things) - _THINGS_SHOWN} more: see rec.names")
        return "\n".join(lines) + ">"

    def _repr_html_(self) -> str:
        from .notebook import player

        return player(self, f"{self.title or os.path.basename(self.path)}: {self._about()}")


# endings of exports without options, and their methods
_PLAIN = {".csv": "to_csv", ".pvd": "to_paraview", ".html": "to_html", ".glb": "to_glb"}
_THINGS_SHOWN = 20
# names of the numbers of an axis
_LETTERS: dict[str, tuple[str, ...]] = {"xyz": ("x", "y", "z"), "m1m2": ("m1", "m2")}


def open(path: Name, *, journal: bool | None = None) -> Recording:  # noqa: A001
    """Opens a recording; of a run that still goes on or was killed, its journal.

    journal: True: only the journal beside the file; False: only the file itself, for example the
    result of an earlier run; default: the journal where there is one, since it is newer.
    """
    name = os.fspath(path)
    if name.endswith(".journal"):
        return Recording(_core.Recording.open(name, True), name, journal=True)
    beside = name + ".journal"
    if journal or (journal is None and os.path.exists(beside)):
        try:
            return Recording(_core.Recording.open(beside, True), name, journal=True)
        except _core.FileError:
            # the run may have ended in the meantime
            if journal or not os.path.exists(name):
                raise
    try:
        return Recording(_core.Recording.open(name, False), name)
    except _core.BadInput as error:
        if os.path.splitext(name)[1].lower() in (".yaml", ".yml", ".json"):
            raise _core.BadInput(f"{error}; lithe.load reads scenes") from None
        raise
