#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# bench/view-clients.py - what pages cost a live run: time of the simulation's own thread
#
# usage: bench/view-clients.py [SCENE [UNTIL [PAIRS]]]     (scenes/knot.yaml 0.4s 5; LITHE: the command)
#        bench/view-clients.py --count [SCENE [UNTIL]]     (scenes/knot.yaml 4ms; needs valgrind)
#
# Each pair runs the scene with a server that nobody asks, with one page that reads nothing, with one
# that reads every frame as fast as they come, then all three again in the opposite order, so that a
# machine that slows down does so for all. Printed are the medians of the ratios: processor time of
# the thread that simulates, which is what a machine with a core to spare takes longer, and time by the
# clock, which others on the machine disturb. --count counts instructions of that thread instead, by
# callgrind: no noise.
import glob
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, root + "/tests/view")
os.environ.setdefault("LITHE", root + "/build/lithe")
from stream import Command, Stream  # noqa: E402

WAYS = ["alone", "reads nothing", "reads everything"]


def looked_on(way, words, page, before=()):
    """Runs it, with a page that looks on or none; process, what it printed and frames received."""
    frames = 0
    c = Command([*words, "--view", "--no-wait", "--speed", "0"], page, before)
    s = Stream(c.port, c.token) if way != "alone" else None

    def read():
        nonlocal frames
        try:
            while True:
                frames += isinstance(s.receive(), bytes)
        except (EOFError, OSError):
            pass

    reader = threading.Thread(target=read)
    if way == "reads everything":
        reader.start()
    text = c.process.stdout.read()
    # a process that has ended and was not waited for still tells of its first thread
    os.waitid(os.P_PID, c.process.pid, os.WEXITED | os.WNOWAIT)
    if s:
        s.close()
    if way == "reads everything":
        reader.join()
    return c.process, text, frames


def timed(way, words, page):
    """Seconds of the simulation's thread, seconds by the clock, frames."""
    process, text, frames = looked_on(way, [*words, "--json"], page)
    with open(f"/proc/{process.pid}/schedstat") as file:
        own = int(file.read().split()[0]) * 1e-9
    assert process.wait() == 0
    return own, json.loads(text)["wall_seconds"], frames


def measure(scene, until, pairs, folder, page):
    words = ["run", scene, "--until", until, "--out", folder + "/x.h5"]
    ratios = {way: [] for way in WAYS[1:]}
    for _ in range(pairs):
        sums = {way: [0, 0, 0] for way in WAYS}
        for way in WAYS + WAYS[::-1]:
            sums[way] = [a + b for a, b in zip(sums[way], timed(way, words, page))]
        line = f"  {sums['alone'][0]:.2f} s alone"
        for way in WAYS[1:]:
            ratio = [100 * (sums[way][i] / sums["alone"][i] - 1) for i in range(2)]
            ratios[way].append(ratio)
            line += f"; {way}: thread {ratio[0]:+.1f} %, clock {ratio[1]:+.1f} %"
        print(line + f" ({sums['reads everything'][2]} frames)", flush=True)
    for way in WAYS[1:]:
        own, clock = (statistics.median(r[i] for r in ratios[way]) for i in range(2))
        print(f"median, a page that {way}: thread of the simulation {own:+.2f} %, clock {clock:+.2f} %")


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
        # all steps, and what is done for pages between them
        found = {key: int(x.split()[0].replace(",", "")) for x in lines
                 for key in ("step.c:lithe_step ", "live.c:look ") if key in x}
        own, more = found["step.c:lithe_step "], found.get("live.c:look ", 0)
        print(f"{way}: {own / 1e6:.2f} million instructions in {steps} steps, "
              f"{more / 1e6:.2f} million between them for pages that received {frames} frames",
              flush=True)
    print("(under valgrind steps are some fifty times slower, and frames fall on far more of them)")


arguments = [word for word in sys.argv[1:] if word != "--count"]
scene = arguments[0] if arguments else root + "/scenes/knot.yaml"
with tempfile.TemporaryDirectory() as folder:
    page = folder + "/page"
    os.mkdir(page)
    open(page + "/index.html", "w").close()
    if "--count" in sys.argv[1:]:
        count(scene, arguments[1] if len(arguments) > 1 else "4ms", folder, page)
    else:
        until = arguments[1] if len(arguments) > 1 else "0.4s"
        measure(scene, until, int(arguments[2]) if len(arguments) > 2 else 5, folder, page)
