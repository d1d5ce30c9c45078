# SPDX-License-Identifier: Apache-2.0
"""Tables of studies (`lithe sweep`): columns as arrays, charts, Parquet."""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from . import _core
from .numbers import UnknownName, listed, meant

#: Numbers, or texts where not all values are numbers.
Values = Union[NDArray[np.float64], NDArray[np.str_]]


def _values(texts: list[str]) -> Values:
    try:
        return np.array([float(text) if text else math.nan for text in texts])
    except ValueError:
        return np.array(texts)


class Table(Mapping[str, Values]):
    """The table of a study: `table["sag"]` is a column. A row that failed or was not run has NaN."""

    def __init__(self, path: Path) -> None:
        #: The file.
        self.path = path
        #: Unit of each column; "" for plain numbers and texts.
        self.units: dict[str, str] = {}
        self._columns: dict[str, Values] = {}
        try:
            with open(path, newline="", encoding="utf-8") as file:
                head, *rows = list(csv.reader(file)) or [[]]
        except OSError as error:
            raise _core.FileError(f"{path}: cannot read: {error.strerror}") from None
        except (ValueError, csv.Error) as error:
            raise _core.BadInput(f"{path}: not the table of a study: {error}") from None
        if not {"row", "status", "reason"} <= set(head):
            raise _core.BadInput(f"{path}: not the table of a study: no columns row, status, reason")
        for k, title in enumerate(head):
            name, _, unit = title.partition(" [")
            self.units[name] = unit.rstrip("]")
            texts = [row[k] for row in rows]
            whole = name in ("status", "reason")
            self._columns[name] = np.array(texts, dtype=str) if whole else _values(texts)

    def __getitem__(self, name: str) -> Values:
        if name in self._columns:
            return self._columns[name]
        # the last part of a path is enough where it is clear: young for parameters.young
        short = [known for known in self._columns if known.endswith("." + name)]
        if len(short) == 1:
            return self._columns[short[0]]
        known = list(self._columns)
        raise UnknownName(
            f"{self.path}: no column '{name}'{meant(name, known)} There are {listed(known, 40)}"
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def __repr__(self) -> str:
        rows, done = len(self["row"]), int(np.sum(self["status"] == "done"))
        return f"<lithe.Table {self.path}: {rows} rows, {done} done; {listed(list(self), 12)}>"

    def label(self, name: str) -> str:
        """Name and unit of a column, for axes: "sag [m]"."""
        full = next((key for key in self if key == name or key.endswith("." + name)), name)
        short = full.rpartition(".")[2]
        return f"{short} [{self.units[full]}]" if self.units.get(full) else short

    def _numbers(self, name: str) -> NDArray[np.float64]:
        values = self[name]
        if values.dtype.kind != "f":
            raise _core.BadInput(f"{self.path}: '{name}' has texts, numbers are expected")
        return values.astype(np.float64)

    # --- other forms ---

    def to_pandas(self) -> Any:
        """A pandas.DataFrame, with `units` in its attributes."""
        try:
            import pandas  # type: ignore[import-untyped,import-not-found,unused-ignore]
        except ImportError:
            raise ImportError("to_pandas needs the package pandas: pip install pandas") from None
        frame = pandas.DataFrame(self._columns)
        frame.attrs["units"] = self.units
        return frame

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes a Parquet file; each column has its unit as metadata."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError:
            raise ImportError("to_parquet needs the package pyarrow: pip install pyarrow") from None
        fields, arrays = [], []
        for name, values in self._columns.items():
            array = pyarrow.array(values.tolist())
            arrays.append(array)
            fields.append(pyarrow.field(name, array.type, metadata={"unit": self.units[name]}))
        table = pyarrow.Table.from_arrays(arrays, schema=pyarrow.schema(fields))
        pyarrow.parquet.write_table(table, os.fspath(path))

    # --- charts ---

    def plot(
        self,
        x: str,
        y: str,
        *,
        by: str | None = None,
        ax: Any = None,
        path: str | os.PathLike[str] | None = None,
        log: str = "",
    ) -> Any:
        """Draws curves of y over x, one for each value of the column `by`; returns the axes.

        path: file to write: .svg, .png, .pdf. log: axes with a logarithmic scale: "x", "y", "xy".
        """
        axes = _axes(ax)
        across, up = self._numbers(x), self._numbers(y)
        groups = self[by] if by is not None else np.zeros(len(across))
        for value in dict.fromkeys(groups.tolist()):
            inside = np.flatnonzero((groups == value) & np.isfinite(across) & np.isfinite(up))
            order = inside[np.argsort(across[inside], kind="stable")]
            shown = f"{value:g}" if isinstance(value, float) else str(value)
            label = f"{self.label(by)} = {shown}" if by is not None else None
            axes.plot(across[order], up[order], marker="o", markersize=3, label=label)
        if by is not None:
            axes.legend()
        return self._finish(axes, x, y, path, log)

    def scatter(
        self,
        x: str,
        y: str,
        *,
        colour: str | None = None,
        ax: Any = None,
        path: str | os.PathLike[str] | None = None,
        log: str = "",
    ) -> Any:
        """Draws a point for each row, in the colour of a third column; otherwise as `plot`."""
        axes = _axes(ax)
        across, up = self._numbers(x), self._numbers(y)
        if colour is None:
            axes.scatter(across, up, s=14)
        else:
            points = axes.scatter(across, up, s=14, c=self._numbers(colour))
            axes.figure.colorbar(points, ax=axes, label=self.label(colour))
        return self._finish(axes, x, y, path, log)

    def heatmap(
        self,
        x: str,
        y: str,
        z: str,
        *,
        ax: Any = None,
        path: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Draws z as a colour over a grid of x and y, the mean where several rows are at a point;
        otherwise as `plot`."""
        axes = _axes(ax)
        across, up, values = self._numbers(x), self._numbers(y), self._numbers(z)
        xs, i = np.unique(across, return_inverse=True)
        ys, k = np.unique(up, return_inverse=True)
        if len(xs) * len(ys) > 4 * len(values):
            raise _core.BadInput(
                f"{self.path}: {x} and {y} have {len(xs)} and {len(ys)} values in {len(values)} "
                "rows, which is no grid: scatter(x, y, colour=z) draws it"
            )
        sums, counts = np.zeros((len(ys), len(xs))), np.zeros((len(ys), len(xs)))
        fine = np.isfinite(values)
        np.add.at(sums, (k[fine], i[fine]), values[fine])
        np.add.at(counts, (k[fine], i[fine]), 1)
        means = np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
        # cells of equal size: values of a grid may be logarithmic
        image = axes.imshow(means, origin="lower", aspect="auto", interpolation="nearest")
        axes.set_xticks(range(len(xs)), [f"{value:.4g}" for value in xs], rotation=45)
        axes.set_yticks(range(len(ys)), [f"{value:.4g}" for value in ys])
        axes.figure.colorbar(image, ax=axes, label=self.label(z))
        return self._finish(axes, x, y, path, "", grid=False)

    def _finish(
        self,
        axes: Any,
        x: str,
        y: str,
        path: str | os.PathLike[str] | None,
        log: str,
        grid: bool = True,
    ) -> Any:
        if log not in ("", "x", "y", "xy"):
            raise _core.BadInput(f"log is '{log}', must be '', 'x', 'y' or 'xy'")
        axes.set_xlabel(self.label(x))
        axes.set_ylabel(self.label(y))
        if "x" in log:
            axes.set_xscale("log")
        if "y" in log:
            axes.set_yscale("log")
        if grid:
            axes.grid(alpha=0.3)
        if path is not None:
            axes.figure.savefig(os.fspath(path))
        return axes


def _axes(ax: Any) -> Any:
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot
    except ImportError:
        raise ImportError(
            "charts of tables need the package matplotlib: pip install matplotlib"
        ) from None
    _, axes = matplotlib.pyplot.subplots(layout="constrained")
    return axes


def table(path: str | os.PathLike[str]) -> Table:
    """Reads the table of a study: its folder (`friction.out`), or table.csv in it."""
    given = Path(path)
    return Table(given / "table.csv" if given.is_dir() else given)
