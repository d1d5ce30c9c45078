# SPDX-License-Identifier: Apache-2.0
"""Tables of studies: columns, charts, Parquet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import lithe

SCENE = """
lithe: 1
parameters: {r: 2 mm, young: 18 MPa}
time: {step: 10 ms, end: 20 ms, scheme: static}
materials: {nylon: {young: young, poisson: 0.4, density: 1000 kg/m^3}}
rods:
  rope: {material: nylon, section: {circle: {radius: r}}, shape: {line: {to: [0, 0, -1 m]}}, nodes: 5, clamped: start}
record: {every: 10 ms}
"""
STUDY = """
lithe: 1
scene: rope.yaml
vary:
  parameters.young: [10 MPa, 20 MPa]
  parameters.r: [1 mm, 2 mm, -1 mm]
measure: {load: "rope.tension[1]", tip: rope.end.position.z}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("study")
    (place / "rope.yaml").write_text(SCENE)
    (place / "study.yaml").write_text(STUDY)
    # two rows fail
    command = [sys.executable, "-m", "lithe", "sweep", "study.yaml", "-q"]
    done = subprocess.run(command, cwd=place, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1, done.stderr
    return place / "study.out"


def test_columns_are_arrays_with_units(folder: Path) -> None:
    table = lithe.table(folder)
    assert table["parameters.r"].tolist() == [0.001, 0.002, -0.001] * 2
    assert (table["young"] == table["parameters.young"]).all() and table.units["load"] == "N"
    assert table["status"].tolist() == ["done", "done", "failed"] * 2
    load = table["load"].astype(float)
    assert load[1] / load[0] == pytest.approx(4) and np.isnan(load[2])
    assert "6 rows, 4 done" in repr(table)
    assert lithe.table(folder / "table.csv")["tip"].shape == (6,)
    with pytest.raises(KeyError, match="no column 'lode', did you mean 'load'"):
        table["lode"]


def test_a_file_that_is_no_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(lithe.FileError, match="table.csv: cannot read"):
        lithe.table(tmp_path)
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    with pytest.raises(lithe.BadInput, match="not the table of a study"):
        lithe.table(tmp_path / "other.csv")
    (tmp_path / "empty.csv").write_text("")
    with pytest.raises(lithe.BadInput, match="not the table of a study"):
        lithe.table(tmp_path / "empty.csv")


def test_parquet_and_pandas_have_the_same_numbers(folder: Path, tmp_path: Path) -> None:
    table = lithe.table(folder)
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert table.to_pandas()["tip"].equals(pandas.Series(table["tip"]))
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    table.to_parquet(tmp_path / "a.parquet")
    again = parquet.read_table(tmp_path / "a.parquet")
    assert again.column_names == list(table)
    assert np.array_equal(again["tip"].to_numpy(), table["tip"], equal_nan=True)
    assert again.schema.field("load").metadata == {b"unit": b"N"}


def test_charts_are_written_as_svg_png_and_pdf(folder: Path, tmp_path: Path) -> None:
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    table = lithe.table(folder)
    axes = table.plot("r", "load", by="young", path=tmp_path / "a.svg", log="y")
    assert len(axes.lines) == 2 and axes.get_xlabel() == "r [m]" and axes.get_yscale() == "log"
    assert len(axes.lines[0].get_xdata()) == 2  # the failed row is left out
    table.scatter("r", "load", colour="tip", path=tmp_path / "b.png")
    table.heatmap("r", "young", "load", path=tmp_path / "c.pdf")
    starts = [(tmp_path / name).read_bytes()[:5] for name in ("a.svg", "b.png", "c.pdf")]
    assert starts == [b"<?xml", b"\x89PNG\r", b"%PDF-"]
    with pytest.raises(lithe.BadInput, match="has texts"):
        table.plot("r", "status")
    with pytest.raises(lithe.BadInput, match="log is 'z'"):
        table.plot("r", "load", log="z")
