# SPDX-License-Identifier: Apache-2.0
"""Charts of recordings, with matplotlib: over time, or along a rod at a moment."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _core
from .numbers import Number, UnknownName, number
from .recorded import Column
from .recording import Recording

Floats = NDArray[np.float64]

#: Components of vectors by the number of them.
_COMPONENTS = {2: ("m1", "m2"), 3: ("x", "y", "z")}


@dataclass
class Chart:
    """Curves of one unit."""

    unit: str
    labels: list[str] = field(default_factory=list)
    curves: list[tuple[str, Floats, Floats]] = field(default_factory=list)

    def title(self) -> str:
        """Of the vertical axis."""
        if len(set(self.labels)) == 1:
            return self.labels[0]
        return f"[{self.unit}]" if self.unit != "1" else ""


def _chart(charts: dict[str, Chart], unit: str, label: str) -> Chart:
    chart = charts.setdefault(unit, Chart(unit))
    chart.labels.append(label)
    return chart


def _over_time(rec: Recording, names: Sequence[str]) -> dict[str, Chart]:
    charts: dict[str, Chart] = {}
    for name in names:
        unit, label, curves = rec._series(name)
        chart = _chart(charts, unit, label)
        for curve, data in curves:
            chart.curves.append((curve, rec.time, np.frombuffer(data)[rec._index]))
    return charts


# --- along a rod ---


def _column_along(rec: Recording, name: str) -> tuple[Column, str]:
    """The column with values along a thing, and the component that the name ends with."""
    base, _, last = name.rpartition(".")
    for wanted, component in ((name, ""), (base, last)):
        column = rec._by_name.get(wanted)
        along = column is not None and column.place == "frame" and (
            column.axes.split()[1:2] in (["node"], ["edge"])
        )
        if column is not None and along:
            known = _COMPONENTS.get(column.shape[1], ()) if len(column.shape) > 1 else ()
            if component and component not in known:
                break
            return column, component
    known_names = sorted(
        column.name
        for column in rec._columns
        if column.place == "frame" and column.axes.split()[1:2] in (["node"], ["edge"])
    )
    rec._series(name)  # an unknown name has its own message
    raise UnknownName(
        f"{rec.path}: '{name}' has no values along a rod; there are {', '.join(known_names)}"
        if known_names
        else f"{rec.path}: nothing has values along a rod"
    )


def _places(rec: Recording, column: Column) -> tuple[Floats, str]:
    """Unstressed arc length of the nodes or the middles of the edges; label of the axis."""
    thing = column.path.rsplit("/", 1)[0]
    lengths = rec._by_name.get(f"{thing}/rest_length")
    count = column.shape[0]
    if lengths is None:
        return np.arange(count, dtype=np.float64), "number"
    rest = rec[lengths.path]
    ends = np.concatenate([[0.0], np.cumsum(rest)])
    if column.axes.split()[1] == "edge":
        return 0.5 * (ends[1:] + ends[:-1])[:count], "arc length [m]"
    return ends[:count], "arc length [m]"


def _components(values: Floats, column: Column, component: str) -> list[tuple[str, Floats]]:
    """Curves of one frame: a component, the length of vectors, or all three of positions."""
    if values.ndim == 1:
        return [("", values)]
    words = _COMPONENTS.get(values.shape[1], tuple(map(str, range(values.shape[1]))))
    if component:
        return [("", values[:, words.index(component)])]
    if column.path.endswith(("/position", "/director")):
        return [(f".{word}", values[:, k]) for k, word in enumerate(words)]
    return [("", np.linalg.norm(values, axis=1))]


def _along(rec: Recording, names: Sequence[str], times: Sequence[Number]) -> dict[str, Chart]:
    charts: dict[str, Chart] = {}
    for name in names:
        column, component = _column_along(rec, name)
        places, _ = _places(rec, column)
        what = column.path.rsplit("/", 1)[1].replace("_", " ")
        label = what if column.unit == "1" else f"{what} [{column.unit}]"
        chart = _chart(charts, column.unit, label)
        for time in times:
            frame = rec.frame_at(time)
            values = rec[frame : frame + 1]._read(column)[0]
            for part, curve in _components(values, column, component):
                moment = f", {rec.time[frame]:g} s" if len(times) > 1 else ""
                chart.curves.append((name + part + moment, places, curve))
    return charts


# --- drawing ---


def _axes(charts: dict[str, Chart], ax: Any) -> list[Any]:
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError(
            "rec.plot needs the package matplotlib: pip install matplotlib "
            "(the command `lithe plot` draws without it)"
        ) from None
    if ax is None:
        _, axes = matplotlib.pyplot.subplots(
            len(charts),
            1,
            sharex=True,
            squeeze=False,
            layout="constrained",
            figsize=(6.4, 1.4 + 2.6 * len(charts)),
        )
        return list(axes[:, 0])
    if len(charts) > 1:
        units = " and ".join(unit for unit in charts)
        raise _core.BadInput(f"one axes cannot show {units}: leave out ax=, or plot one unit")
    return [ax]


def plot(
    rec: Recording,
    names: Sequence[str],
    *,
    at: Number | Sequence[Number] | None,
    ax: Any,
    path: str | os.PathLike[str] | None,
    log: bool,
) -> list[Any]:
    """See `Recording.plot`."""
    if not names:
        raise _core.BadInput("no quantity is given: rec.names lists them")
    if at is None:
        charts, below = _over_time(rec, names), "time [s]"
    else:
        several = isinstance(at, (list, tuple)) or (isinstance(at, np.ndarray) and at.size > 1)
        times: Sequence[Number] = at if several else [at]  # type: ignore[assignment,list-item]
        charts = _along(rec, names, times)
        below = _places(rec, _column_along(rec, names[0])[0])[1]
    axes = _axes(charts, ax)
    for axis, chart in zip(axes, charts.values()):
        for name, x, y in chart.curves:
            axis.plot(x, y, label=name)
        axis.set_ylabel(chart.title())
        axis.grid(alpha=0.3)
        axis.legend()
        if log:
            axis.set_yscale("log")
    axes[-1].set_xlabel(below)
    moment = ""
    if at is not None and not several:
        moment = f" at {rec.time[rec.frame_at(number(times[0], 's', 'at'))]:g} s"
    if rec.title or moment:
        axes[0].set_title((rec.title + moment).strip(), wrap=True)
    if path is not None:
        axes[0].figure.savefig(os.fspath(path))
    return axes
