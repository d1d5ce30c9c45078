# SPDX-License-Identifier: Apache-2.0
"""Pull an overhand knot tight and watch the pull: python examples/knot.py [seconds]"""

from __future__ import annotations

import sys
from pathlib import Path

import lithe

scenes = Path(__file__).parent.parent / "scenes"
until = float(sys.argv[1]) if len(sys.argv) > 1 else 0.7

scene = lithe.load(scenes / "knot.yaml").set("parameters.mu", 0.1)
sim = scene.simulate()
print("  time   pull  tension  contacts  deepest")
for frame in sim.run(until=until, every=0.02):
    rope = sim.rods["rope"]
    print(
        f"{frame.time:6.3f} {sim.drives['right'].force:6.3f} N {rope.tension.max():6.3f} N "
        f"{len(sim.contacts):7d} {1e6 * sim.report.deepest:8.3f} um"
    )
print(f"{sim.steps} steps, state {sim.hash:016x}")
