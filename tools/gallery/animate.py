#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/animate.py - frames of a recording as one moving picture (APNG), small enough for a page.

usage: tools/gallery/animate.py RUN.h5 OUT.png [--frames N] [--size WxH] [--colours N] [-- OPTION ...]

build/lithe (or $LITHE) draws the frames; OPTIONs are those of `lithe export`. Colours are reduced to one
palette, so that the file is some ten times smaller than its frames. Needs nothing but Python.
"""

from __future__ import annotations

import argparse
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SIGNATURE = b"\x89PNG\r\n\x1a\n"


def chunks(data: bytes) -> list[tuple[bytes, bytes]]:
    at, out = 8, []
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        out.append((data[at + 4 : at + 8], data[at + 8 : at + 8 + length]))
        at += 12 + length
    return out


def pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows of a PNG of 8 bits per channel, as RGB."""
    parts = chunks(data)
    width, height, depth, kind = struct.unpack(">IIBB", dict(parts)[b"IHDR"][:10])
    size = {2: 3, 6: 4}.get(kind)
    if depth != 8 or size is None:
        sys.exit("a frame is not a PNG with three or four channels of 8 bits")
    raw = zlib.decompress(b"".join(body for name, body in parts if name == b"IDAT"))
    rows, last = [], bytes(width * size)
    for y in range(height):
        start = y * (width * size + 1)
        method, row = raw[start], bytearray(raw[start + 1 : start + 1 + width * size])
        for x in range(len(row) if method else 0):
            left = row[x - size] if x >= size else 0
            up, corner = last[x], last[x - size] if x >= size else 0
            if method == 1:
                row[x] = row[x] + left & 255
            elif method == 2:
                row[x] = row[x] + up & 255
            elif method == 3:
                row[x] = row[x] + (left + up) // 2 & 255
            else:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[x] = row[x] + near[2] & 255
        last = bytes(row)
        rows.append(b"".join(last[i : i + 3] for i in range(0, len(last), size)))
    return width, height, rows


def palette_of(frames: list[list[bytes]], count: int) -> tuple[list[bytes], dict[bytes, int]]:
    """A palette, and for every colour, rounded to steps of 8, the number of its nearest in it."""
    seen: Counter[bytes] = Counter()
    for rows in frames:
        for row in rows:
            seen.update(coarse(row))
    # the most frequent ones, and of the rest those that differ most from them
    chosen = [colour for colour, _ in seen.most_common(count // 2)]

    def miss(colour: bytes) -> tuple[int, int]:
        return min((sum((a - b) ** 2 for a, b in zip(colour, own)), k) for k, own in enumerate(chosen))

    rest = {colour: miss(colour)[0] for colour in seen}
    while len(chosen) < count and rest:
        worst = max(rest, key=lambda colour: rest[colour] * seen[colour])
        chosen.append(worst)
        for colour in rest:
            rest[colour] = min(rest[colour], sum((a - b) ** 2 for a, b in zip(colour, worst)))
    return chosen, {colour: miss(colour)[1] for colour in seen}


def coarse(row: bytes) -> list[bytes]:
    low = bytes(v & 0xF8 for v in row)
    return [low[i : i + 3] for i in range(0, len(low), 3)]


def chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def write(path: Path, width: int, height: int, frames: list[list[bytes]], colours: int, delay: int) -> None:
    chosen, table = palette_of(frames, colours)
    out = [SIGNATURE, chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))]
    out.append(chunk(b"acTL", struct.pack(">II", len(frames), 0)))
    out.append(chunk(b"PLTE", b"".join(chosen)))
    number = 0
    for k, rows in enumerate(frames):
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, delay, 1000, 0, 0)
        out.append(chunk(b"fcTL", control))
        number += 1
        lines = []
        for row in rows:
            lines.append(b"\0" + bytes(table[colour] for colour in coarse(row)))
        packed = zlib.compress(b"".join(lines), 9)
        if k == 0:
            out.append(chunk(b"IDAT", packed))
        else:
            out.append(chunk(b"fdAT", struct.pack(">I", number) + packed))
            number += 1
    out.append(chunk(b"IEND", b""))
    path.write_bytes(b"".join(out))


def main() -> None:
    parser = argparse.ArgumentParser(prog="tools/gallery/animate.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("run")
    parser.add_argument("out")
    parser.add_argument("--frames", type=int, default=24, help="number of frames, evenly over the run (24)")
    parser.add_argument("--size", default="360x225", help="pixels (360x225)")
    parser.add_argument("--colours", type=int, default=64, help="of the palette, up to 256 (64)")
    parser.add_argument("--seconds", type=float, default=2.4, help="of one round (2.4)")
    parser.add_argument("--until", type=float, help="last time of the recording to show [s]")
    at = sys.argv.index("--") if "--" in sys.argv else len(sys.argv)
    o, options = parser.parse_args(sys.argv[1:at]), sys.argv[at + 1 :]
    lithe = os.environ.get("LITHE", str(ROOT / "build/lithe"))
    frames, width, height = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        picture = Path(folder) / "frame.png"
        for k in range(o.frames):
            frame = f"{o.until * k / max(o.frames - 1, 1):.6f}s" if o.until else str(k)
            command = [lithe, "export", o.run, str(picture), "--frame", frame, "--size", o.size, *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            width, height, rows = pixels(picture.read_bytes())
            frames.append(rows)
    write(Path(o.out), width, height, frames, min(o.colours, 256), round(1000 * o.seconds / o.frames))


if __name__ == "__main__":
    main()
