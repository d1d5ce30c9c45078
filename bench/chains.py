#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# bench/chains.py - how the time of a chain of rings grows with their number
#
# usage: bench/chains.py [ROUNDS]      (5; LITHE: the command)
#
# The clock rate drifts by more than the times of chains differ, in a long run more than in a short one.
# So all lengths are run in turn, short ones several times, in several rounds. Printed are, for each round
# and for the medians of all rounds, processor time per step and node, and the exponent of processor time
# over rings (a line through the logarithms).
import json
import math
import os
import statistics
import subprocess
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
lithe = os.environ.get("LITHE", root + "/build/lithe")
TIMES = {10: 8, 30: 4, 100: 2, 300: 1, 1000: 1}  # runs per round


def run(rings):
    out = subprocess.run([lithe, "bench", f"F6-{rings}", "--json"], check=True, capture_output=True, text=True)
    case = json.loads(out.stdout)
    return case["busy_seconds"], case["steps"] * case["nodes"]


def exponent(seconds):
    x, y = [math.log(n) for n in seconds], [math.log(s) for s in seconds.values()]
    return statistics.linear_regression(x, y).slope


def show(name, seconds, work):
    each = "  ".join(f"{n}: {1e6 * s / work[n]:.2f} us" for n, s in seconds.items())
    print(f"{name}: {each}; exponent {exponent(seconds):.3f}", flush=True)


rounds, work = [], {}
for k in range(int(sys.argv[1]) if len(sys.argv) > 1 else 5):
    times = {n: [] for n in TIMES}
    for i in range(max(TIMES.values())):
        for n, most in TIMES.items():
            if i < most:
                seconds, work[n] = run(n)
                times[n].append(seconds)
    rounds.append({n: statistics.fmean(times[n]) for n in TIMES})
    show(f"round {k + 1}", rounds[-1], work)
show("medians", {n: statistics.median(r[n] for r in rounds) for n in TIMES}, work)
