# SPDX-License-Identifier: Apache-2.0
"""How pictures look: their size, colours, camera and ground."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from .parts import refuse_unknown


class Look:
    """How a picture looks; the keywords of pictures and videos."""

    def __init__(
        self,
        *,
        size: tuple[int, int] = (1600, 1000),
        colour: str | None = None,
        range: tuple[float, float] | None = None,
        camera: tuple[float, float] | None = None,
        forces: bool = False,
        dark: bool = False,
        quick: bool = False,
        eye: Sequence[Sequence[float]] | None = None,
        ground: float | None = None,
    ) -> None:
        width, height = map(int, size)
        if not (16 <= width <= 16384 and 16 <= height <= 16384):
            raise _core.BadInput(f"size is {width} x {height}, must be from 16 to 16384 each")
        view: tuple[float, float] | None = None
        if camera is not None and eye is not None:
            raise _core.BadInput("give either camera= (angles) or eye= (points), not both")
        if camera is not None:
            azimuth, elevation = map(float, camera)
            if not (math.isfinite(azimuth) and abs(elevation) <= 89.9):
                raise _core.BadInput(
                    f"camera is {azimuth:g}, {elevation:g}: azimuth and elevation in degrees, "
                    "elevation from -89.9 to 89.9"
                )
            view = math.radians(azimuth), math.radians(elevation)
        points: tuple[float, ...] | None = None
        if eye is not None:
            floor = math.nan if ground is None else float(ground)
            points = (*(float(x) for point in eye for x in point), floor)
            if len(points) != 7 or not np.isfinite(points[:6]).all() or points[:3] == points[3:6]:
                raise _core.BadInput(
                    f"eye is {eye!r}, must be two different points of three numbers [m]"
                )
        ends = None if range is None else (float(range[0]), float(range[1]))
        self.core: _core._Look = (width, height, dark, forces, quick, colour, ends, view, points)


def look_of(options: dict[str, Any]) -> Look:
    known = ["size", "colour", "range", "camera", "forces", "dark", "quick", "eye", "ground"]
    if "color" in options:
        options["colour"] = options.pop("color")
    refuse_unknown("a picture", options, known)
    return Look(**options)
