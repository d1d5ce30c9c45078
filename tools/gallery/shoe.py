#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/shoe.py - a shoe as a closed mesh of triangles, for scenes/shoelace.yaml.

usage: tools/gallery/shoe.py OUT.obj [--stations N] [--rings N]

The shoe stands on the plane z = 0, its toe towards +x, its lacing at x = 0. Its sections across x are
rounded polygons, half a section being the points (y, z): the middle of the sole, the edge of the sole
below and above, the welt, the upper at half height and below its top, and the middle of the top. Their
sizes are smooth functions of x: a waist at the lacing, a round toe and heel, and a heel counter.
Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import math

HEEL, TOE = -0.100, 0.190  # m


def smooth(x: float, points: list[tuple[float, float]]) -> float:
    """Cubic steps between points, level at each."""
    if x <= points[0][0]:
        return points[0][1]
    for (a, p), (b, q) in zip(points, points[1:]):
        if x <= b:
            t = (x - a) / (b - a)
            return p + (q - p) * t * t * (3 - 2 * t)
    return points[-1][1]


def section(x: float) -> list[tuple[float, float]]:
    """Half of the section at x, from the middle below to the middle above."""
    # round ends
    end = min((x - HEEL) / 0.03, (TOE - x) / 0.05, 1)
    round_ = math.sqrt(max(1 - (1 - end) ** 2, 0.02))
    sole = round_ * smooth(x, [(HEEL, 0.036), (0.0, 0.034), (0.10, 0.050), (TOE, 0.044)])
    upper = round_ * smooth(x, [(HEEL, 0.032), (-0.04, 0.020), (0.04, 0.020), (0.11, 0.042), (TOE, 0.036)])
    top = round_ * smooth(x, [(HEEL, 0.026), (-0.04, 0.014), (0.04, 0.014), (0.11, 0.024), (TOE, 0.016)])
    height = smooth(x, [(HEEL, 0.100), (-0.06, 0.092), (-0.035, 0.084), (0.035, 0.082), (0.12, 0.058), (TOE, 0.036)])
    return [
        (0, 0),
        (0.9 * sole, 0),
        (sole, 0.006),
        (sole, 0.016),
        (upper, 0.022),
        (upper, 0.022 + 0.6 * (height - 0.022)),
        (top, height - 0.002),
        (0, height),
    ]


def shoe(stations: int) -> tuple[list[tuple[float, float, float]], list[tuple[int, int, int]]]:
    points: list[tuple[float, float, float]] = []
    triangles: list[tuple[int, int, int]] = []
    for i in range(stations + 1):
        # denser at the ends, which are round
        x = HEEL + (TOE - HEEL) * (1 - math.cos(math.pi * i / stations)) / 2
        half = section(x)
        ring = half + [(-y, z) for y, z in reversed(half[1:-1])]
        points += [(x, y, z) for y, z in ring]
    n = len(points) // (stations + 1)
    for i in range(stations):
        for k in range(n):
            a, b = n * i + k, n * i + (k + 1) % n
            triangles += [(a, b + n, b), (a, a + n, b + n)]
    for first, turn in ((0, False), (n * stations, True)):
        for k in range(1, n - 1):
            b, c = first + k, first + k + 1
            triangles.append((first, c, b) if turn else (first, b, c))
    return points, triangles


def volume(points: list[tuple[float, float, float]], triangles: list[tuple[int, int, int]]) -> float:
    total = 0.0
    for i, j, k in triangles:
        (a, b, c), (d, e, f), (g, h, m) = points[i], points[j], points[k]
        total += a * (e * m - f * h) - b * (d * m - f * g) + c * (d * h - e * g)
    return total / 6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out")
    parser.add_argument("--stations", type=int, default=24)
    options = parser.parse_args()
    points, triangles = shoe(options.stations)
    if volume(points, triangles) < 0:
        triangles = [(a, c, b) for a, b, c in triangles]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("# SPDX-License-Identifier: Apache-2.0\n# a shoe, made by tools/gallery/shoe.py\n")
        for x, y, z in points:
            file.write(f"v {x:.6g} {y:.6g} {z:.6g}\n")
        for a, b, c in triangles:
            file.write(f"f {a + 1} {b + 1} {c + 1}\n")


if __name__ == "__main__":
    main()
