#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# bench/view-clients.py - what pages cost a live run: processor time of the whole command
#
# usage: bench/view-clients.py [SCENE [UNTIL [PAIRS]]]     (scenes/knot.yaml 0.1s 5; LITHE: the command)
#
# Each round runs the scene without a viewer, then with one page that reads nothing, then with one
# that reads every frame as fast as they come. Medians of the ratios of each round are printed.
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

scene = sys.argv[1] if len(sys.argv) > 1 else root + "/scenes/knot.yaml"
until = sys.argv[2] if len(sys.argv) > 2 else "0.1s"
pairs = int(sys.argv[3]) if len(sys.argv) > 3 else 5


def ended(process):
    """Processor time of a command, s, all its threads."""
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return usage.ru_utime + usage.ru_stime


def alone(out):
    return ended(subprocess.Popen([os.environ["LITHE"], "run", scene, "--until", until, "--out", out,
                                   "--quiet"]))


def watched(out, page, reads):
    c = Command(["run", scene, "--until", until, "--out", out, "--quiet", "--view", "--no-wait",
                 "--speed", "0"], page)
    s = Stream(c.port, c.token)
    frames = 0

    def read():
        nonlocal frames
        try:
            while True:
                frames += isinstance(s.receive(), bytes)
        except (EOFError, OSError):
            pass

    reader = threading.Thread(target=read)
    if reads:
        reader.start()
    seconds = ended(c.process)
    s.close()
    if reads:
        reader.join()
    return seconds, frames


with tempfile.TemporaryDirectory() as folder:
    page = folder + "/page"
    os.mkdir(page)
    open(page + "/index.html", "w").close()
    out = folder + "/x.h5"
    idle, busy = [], []
    for k in range(pairs):
        plain = alone(out)
        nothing, _ = watched(out, page, False)
        everything, frames = watched(out, page, True)
        idle.append(nothing / plain - 1)
        busy.append(everything / plain - 1)
        print(f"  {plain:.3f} s alone; reads nothing {100 * idle[-1]:+.1f} %; "
              f"reads {frames} frames {100 * busy[-1]:+.1f} %", flush=True)
    print(f"median: a page that reads nothing {100 * statistics.median(idle):+.1f} %, "
          f"one that reads everything {100 * statistics.median(busy):+.1f} %")
