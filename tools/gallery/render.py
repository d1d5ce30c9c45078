# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/render.py - runs of the scenes: players, plots and missing pictures."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
from pathlib import Path

from scenes import Scene


def recording(command: Path, scene: Path, out: Path, seconds: float) -> bool:
    """Runs a scene for a limited wall time and keeps the result; returns whether it reached its end."""
    run = subprocess.Popen(
        [command, "run", scene, "--quiet", "--out", out],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        return run.wait(seconds) == 0
    except subprocess.TimeoutExpired:
        run.send_signal(signal.SIGINT)
        run.wait()
    if not out.exists():
        subprocess.run([command, "recover", out], capture_output=True, check=False)
    return False


def made(command: list[str | Path], what: Path) -> int:
    """Runs a command that makes a file; returns 1 when it fails, to count failures."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  {what.name}: {done.stderr.strip()}")
    return int(done.returncode != 0)


def render(root: Path, site: Path, scene: Scene, command: Path, seconds: float) -> int:
    """The player of a scene, its plots as its comment requests them, a picture when it has none.

    Returns how many of them could not be made. A mark beside the player shows that it ends early."""
    source = root / "scenes" / f"{scene.name}.yaml"
    player = site / "players" / f"{scene.name}.html"
    if player.exists() and player.stat().st_mtime > source.stat().st_mtime:
        return 0
    work = site / "runs"
    work.mkdir(parents=True, exist_ok=True)
    player.parent.mkdir(exist_ok=True)
    h5 = work / f"{scene.name}.h5"
    print(f"  {scene.name}", flush=True)
    early = player.with_suffix(".early")
    early.unlink(missing_ok=True)
    if not recording(command, source, h5, seconds):
        early.touch()
    failed = made([command, "export", h5, player], player)
    if not scene.pictures:
        picture = player.with_suffix(".png")
        failed += made([command, "export", h5, picture, "--size", "720x450"], picture)
    for number, names in enumerate(plots(scene), 1):
        plot = player.with_name(f"{scene.name}-{number}.svg")
        failed += made([command, "plot", h5, *names, "-o", plot], plot)
    shutil.rmtree(work)
    return failed


def plots(scene: Scene) -> list[list[str]]:
    """Quantities of each plot that the comment of a scene proposes; else energies."""
    text = " ".join(scene.comment)
    found = re.findall(rf"lithe plot {re.escape(scene.name)}\.h5 ((?:[\w./-]+ )+?)-o ", text)
    return [names.split() for names in found] or [["energy.kinetic", "energy.elastic"]]
