# SPDX-License-Identifier: Apache-2.0
# tests/view/packed.py - unpacks a single HTML file, written from docs/viewer-stream.md alone
import base64
import json
import struct
import zlib


def unfold(data, at, rows, channel):
    """Values [rows][count] of a channel, and where the next one begins."""
    count, size = channel["count"], channel["bytes"]
    total = rows * count
    planes = [data[at + b * total:at + (b + 1) * total] for b in range(size)]
    top = 1 << (8 * size)
    before, out = [[0] * count, [0] * count], []
    for k in range(rows):
        row = []
        for i in range(count):
            z = sum(plane[k * count + i] << (8 * b) for b, plane in enumerate(planes))
            s = z >> 1 if z % 2 == 0 else -(z + 1) // 2
            guess = {0: 0, 1: before[0][i], 2: 2 * before[0][i] - before[1][i]}[channel["order"]]
            row.append((guess + s) % top)
        before = [row, before[0]]
        out.append([channel["low"] + channel["step"] * q for q in row])
    return out, at + size * total


def unpack(text):
    """The description, and of each frame its words and its contacts."""
    data = zlib.decompress(base64.b64decode(text, validate=True))
    magic, length = struct.unpack("<4sI", data[:8])
    assert magic == b"LVP1" and length % 4 == 0
    head = json.loads(data[8:8 + length])
    at = 8 + length
    frames = [([], []) for _ in range(head["frames"])]
    for channel in head["channels"]:
        values, at = unfold(data, at, head["frames"], channel)
        for frame, row in zip(frames, values):
            frame[0].extend(row)
    counts = head["contacts"]["counts"]
    columns = []
    for channel in head["contacts"]["channels"]:
        values, at = unfold(data, at, sum(counts), channel)
        columns.append([row[0] for row in values])
    assert at == len(data) and all(len(f[0]) == head["words"] for f in frames)
    first = 0
    for frame, count in zip(frames, counts):
        for i in range(first, first + count):
            row = [column[i] for column in columns]
            frame[1].append(row[:8] + [round(x) for x in row[8:]])
        first += count
    return head["scene"], frames


def parts(scene):
    """Name, first and last word of each part of a frame, and its allowed error."""
    at, out = 0, []

    def add(name, count, share):
        nonlocal at
        out.append((name, at, at + count, share))
        at += count

    for one in scene["tubes"] + scene["surfaces"] + scene["balls"]:
        add(one["name"] + " positions", 3 * one["points"], 1e-5)
        if "edges" in one:
            add(one["name"] + " directors", 3 * one["edges"], 1e-3)
        for field in one["fields"]:
            add(one["name"] + " " + scene["fields"][field]["name"], one["points"], 1e-5)
    for body in scene["bodies"]:
        if body["moves"]:
            add(body["name"] + " place", 3, 1e-5)
            add(body["name"] + " turn", 4, 1e-3)
    for tie in scene["constraints"]:
        add(tie["name"] + " acts", 1, 1e-5)
        add(tie["name"] + " place", 3, 1e-5)
        add(tie["name"] + " force", 3, 1e-5)
    for series in scene["series"]:
        add(series["name"], 1, 1e-5)
    return out
