#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# bench/view-clients.py - cost of pages for a live run: time of the simulation thread
#
# usage: bench/view-clients.py [SCENE [UNTIL [RUNS]]]      (a slow knot, 20s, 5; LITHE: the command)
#        bench/view-clients.py --count [SCENE [UNTIL]]     (scenes/knot.yaml 4ms; needs valgrind)
#
# Clock rates drift by more than pages cost, so all is measured within one run, in short windows in turn:
# no page, a page that reads nothing, a page that reads every frame at once, then the same in reverse.
# Each window begins with a page that requests one frame, which contains the number of steps so far. Printed are,
# for each run and as medians of the runs, how much longer a step takes than in windows without a page:
# processor time of the simulation thread, which is the cost on a machine with a free core, and wall
# time, which other programs disturb. --count counts instructions of that thread with callgrind instead,
# without noise.
import glob
import itertools
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, root + "/tests/view")
os.environ.setdefault("LITHE", root + "/build/lithe")
from stream import Command, Stream, head  # noqa: E402

WAYS = ["alone", "reads nothing", "reads everything"]
WINDOW = 0.2  # s


def read_all(stream, frames):
    try:
        while True:
            frames[0] += isinstance(stream.receive(), bytes)
    except (EOFError, OSError):
        pass


class Run:
    """A run with pages that connect and disconnect."""

    def __init__(self, words, page):
        self.command = Command([*words, "--view", "--no-wait", "--speed", "0"], page)

    def ask(self):
        """A page, and the progress of the run: step, seconds of its thread, wall time."""
        stream = Stream(self.command.port, self.command.token)
        stream.frame()  # the last frame, perhaps made for another page
        number = head(stream.frame())[0]
        with open(f"/proc/{self.command.process.pid}/schedstat") as file:
            own = int(file.read().split()[0]) * 1e-9
        return stream, (number, own, time.monotonic())

    def windows(self, frames):
        """Yields (one of WAYS, seconds of the thread, wall time, steps) until the run ends."""
        try:
            stream, start = self.ask()
            for way in itertools.cycle(WAYS + WAYS[::-1]):
                reader = threading.Thread(target=read_all, args=(stream, frames))
                if way == "alone":
                    stream.close()
                if way == "reads everything":
                    reader.start()
                time.sleep(WINDOW)
                if way == "reads everything":
                    stream.socket.shutdown(socket.SHUT_RDWR)
                    reader.join()
                stream.close()
                stream, end = self.ask()
                yield way, end[1] - start[1], end[2] - start[2], end[0] - start[0]
                start = end
        except (EOFError, OSError):
            pass  # the run has ended


def measure(words, runs, page):
    ratios = {way: [] for way in WAYS[1:]}
    for _ in range(runs):
        sums, frames, block = {way: [0, 0, 0] for way in WAYS}, [0], []
        run = Run(words, page)
        for window in run.windows(frames):
            block.append(window)
            if len(block) == 2 * len(WAYS):  # whole blocks only: drift affects all ways
                for way, *values in block:
                    sums[way] = [a + b for a, b in zip(sums[way], values)]
                block = []
        run.command.finish()
        line = f"  {1e6 * sums['alone'][0] / sums['alone'][2]:.1f} us per step alone, {sums['alone'][2]} of them"
        for way in WAYS[1:]:
            ratio = [100 * (sums[way][i] / sums[way][2] * sums["alone"][2] / sums["alone"][i] - 1)
                     for i in range(2)]
            ratios[way].append(ratio)
            line += f"; {way}: thread {ratio[0]:+.2f} %, clock {ratio[1]:+.2f} %"
        print(line + f" ({frames[0]} frames)", flush=True)
    for way in WAYS[1:]:
        own, clock = (statistics.median(r[i] for r in ratios[way]) for i in range(2))
        print(f"median, a page that {way}: thread of the simulation {own:+.2f} %, clock {clock:+.2f} %")


def looked_on(way, words, page, before):
    """Runs with a page or without; returns the process, its output and the number of frames."""
    frames = [0]
    c = Command([*words, "--view", "--no-wait", "--speed", "0"], page, before)
    s = Stream(c.port, c.token) if way != "alone" else None
    reader = threading.Thread(target=read_all, args=(s, frames))
    if way == "reads everything":
        reader.start()
    text = c.process.stdout.read()
    if s:
        s.close()
    if way == "reads everything":
        reader.join()
    return c.process, text, frames[0]


def count(scene, until, folder, page):
    words = ["run", scene, "--until", until, "--out", folder + "/x.h5", "--json"]
    steps = 0
    for way in WAYS:
        name = folder + "/" + way.replace(" ", "-")
        before = ["valgrind", "-q", "--tool=callgrind", "--separate-threads=yes", "--fair-sched=yes",
                  f"--callgrind-out-file={name}"]
        process, text, frames = looked_on(way, words, page, before)
        assert process.wait() == 0
        steps = json.loads(text)["steps"]
        file = next(iter(glob.glob(name + "-01")), name)
        lines = subprocess.run(["callgrind_annotate", "--inclusive=yes", "--threshold=100", file],
                               check=True, capture_output=True, text=True).stdout.splitlines()
        # all steps, and the work for pages between them
        found = {key: int(x.split()[0].replace(",", "")) for x in lines
                 for key in ("step.c:lithe_step ", "live.c:look ") if key in x}
        own, more = found["step.c:lithe_step "], found.get("live.c:look ", 0)
        print(f"{way}: {own / 1e6:.2f} million instructions in {steps} steps, "
              f"{more / 1e6:.2f} million between them for pages that received {frames} frames",
              flush=True)
    print("(under valgrind steps are about fifty times slower, so far more of them have frames)")


arguments = [word for word in sys.argv[1:] if word != "--count"]
knot = root + "/scenes/knot.yaml"
with tempfile.TemporaryDirectory() as folder:
    page = folder + "/page"
    os.mkdir(page)
    open(page + "/index.html", "w").close()
    if "--count" in sys.argv[1:]:
        count(arguments[0] if arguments else knot, arguments[1] if len(arguments) > 1 else "4ms",
              folder, page)
    else:
        words = ["run", arguments[0] if arguments else knot, "--until",
                 arguments[1] if len(arguments) > 1 else "20s", "--out", folder + "/x.h5"]
        if not arguments:  # slow pulling: steps cost the same for long
            words += ["--set", "parameters.speed=0.01 m/s", "--set", "time.end=20 s"]
        measure(words, int(arguments[2]) if len(arguments) > 2 else 5, page)
