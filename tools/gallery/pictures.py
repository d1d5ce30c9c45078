#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/pictures.py - draws the pictures of the gallery and of the shapes again.

usage: tools/gallery/pictures.py [--out FOLDER] [--list] [--runs FOLDER] [PICTURE ...]

A PICTURE is a file of docs/pictures with or without .png; default: all. Scene and options come from the row of
the picture in docs/gallery/README.md; shapes from their example in docs/guide/shapes.md. Scenes run only as long
as the picture needs. Recordings are kept in FOLDER of --runs (default build/pictures) and used again while neither
the scene nor the command is newer. All scenes together take long: name some. build/lithe (or $LITHE)
runs and draws.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from markdown import cells

ROOT = Path(__file__).resolve().parent.parent.parent
LITHE = Path(os.environ.get("LITHE", ROOT / "build/lithe"))
GALLERY_SIZE, SHAPE_SIZE = "720x450", "320x220"


@dataclass
class Job:
    name: str  # of the picture, without .png
    scene: str  # name of a scene, or the text of one
    run: list[str]  # options of `lithe run`
    draw: list[str]  # options of `lithe export`


def until_of(options: list[str]) -> list[str]:
    """A picture of a moment needs no more than that."""
    at = options[options.index("--frame") + 1] if "--frame" in options else ""
    return ["--until", at] if re.fullmatch(r"[\d.]+ ?m?s", at) else []


def gallery() -> list[Job]:
    jobs: list[Job] = []
    scene = ""
    for line in (ROOT / "docs/gallery/README.md").read_text().split("\n"):
        row = cells(line) if line.startswith("|") else [""]
        image = re.match(r"!\[[^\]]*\]\(\.\./pictures/([^)]+)\.png\)", row[0])
        if not image:
            continue
        named = re.match(r"\*\*\[([\w-]+)\]", row[1])
        scene = named[1] if named else scene
        codes = [shlex.split(code) for code in re.findall(r"`(--[^`]*)`", row[1])]
        # some sets in a row are only advice: those that belong to the picture stand before its options
        draw = codes[-1] if codes and codes[-1][0] != "--set" else []
        sets = codes[-2] if draw and len(codes) > 1 and "`, `--frame" in row[1] else []
        if not named and not draw:
            continue  # put together from others
        if "--size" not in draw:
            draw = [*draw, "--size", GALLERY_SIZE]
        jobs.append(Job(image[1], scene, [*sets, *until_of(draw)], draw))
    return jobs


def shapes() -> list[Job]:
    text = (ROOT / "docs/guide/shapes.md").read_text()
    found = re.findall(r"```yaml\n(.*?)```\s*!\[[^\]]*\]\(\.\./pictures/([^)]+)\.png\)", text, re.S)
    size = ["--frame", "0", "--size", SHAPE_SIZE]
    return [Job(name, scene, ["--until", "1ms"], size) for scene, name in found]


def is_old(run: Path, scene: Path) -> bool:
    return not run.exists() or run.stat().st_mtime < max(scene.stat().st_mtime, LITHE.stat().st_mtime)


def draw(job: Job, out: Path, runs: Path) -> bool:
    scene = ROOT / "scenes" / f"{job.scene}.yaml"
    if "\n" in job.scene:
        scene = runs / f"{job.name}.yaml"
        if not scene.exists() or scene.read_text() != job.scene:
            scene.write_text(job.scene)
    run = runs / f"{job.name}.h5"
    commands = [[LITHE, "export", run, out / f"{job.name}.png", *job.draw]]
    if is_old(run, scene):
        plan = re.search(r"^plan:", scene.read_text(), re.M)
        verb = [LITHE, "plan", scene] if plan else [LITHE, "run", scene, *job.run]
        commands.insert(0, [*verb, "--quiet", "--out", run])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            print(f"FAILED {shlex.join(map(str, command))}\n{done.stderr}", file=sys.stderr)
            return False
    return True


def main() -> int:
    assert __doc__
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1])
    parser.add_argument("pictures", nargs="*")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/pictures")
    parser.add_argument("--runs", type=Path, default=ROOT / "build/pictures")
    parser.add_argument("--list", action="store_true")
    given = parser.parse_args()
    jobs = gallery() + shapes()
    names = {name.removesuffix(".png") for name in given.pictures}
    unknown = sorted(names - {job.name for job in jobs})
    if unknown:
        parser.error(f"no command is known for the picture '{unknown[0]}'; --list shows those that have one")
    given.out.mkdir(parents=True, exist_ok=True)
    given.runs.mkdir(parents=True, exist_ok=True)
    failed = 0
    for job in jobs:
        if names and job.name not in names:
            continue
        if given.list:
            what = "shape" if "\n" in job.scene else job.scene
            print(f"{job.name:24} {what:20} {shlex.join(job.run + job.draw)}")
            continue
        print(job.name, flush=True)
        failed += not draw(job, given.out, given.runs)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
