#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_signals.sh - a signal ends a run within a second of work, also within a long step
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

need_command
cd "$scratch" || exit 1

# one factorisation takes a second
cat >block.yaml <<'YAML'
lithe: 1
time: {step: 1 ms, end: 1 s, scheme: backward-euler}
materials: {jelly: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
solids: {block: {material: jelly, mesh: {box: {size: [20 cm, 20 cm, 20 cm], divisions: [22, 22, 22]}}}}
holds: {wall: {on: block.x-min}}
YAML

# a jaw is thrown through a rod: thousands of halvings and iterations in a step
cat >jaw.yaml <<'YAML'
lithe: 1
time: {step: 2 ms, end: 1 s}
materials:
  rubber: {young: 50 MPa, poisson: 0.45, density: 1100 kg/m^3, friction: 0.8, contact: {stiffness: 1e5 N/m, dissipation: 1 s/m}}
rods:
  rod: {material: rubber, section: {circle: {radius: 8 mm}}, shape: {line: {from: [0, -15 cm, 8 mm], to: [0, 15 cm, 8 mm]}}, nodes: 25}
bodies:
  table: {fixed: true, material: rubber, shape: {half-space: {}}}
  jaw: {material: rubber, shape: {box: {size: [1 cm, 3 cm, 7 cm]}}, at: [2.5 cm, 0, 3.6 cm]}
joints: {close: {kind: prismatic, child: jaw, axis: [-1, 0, 0], damping: 20 N s/m}}
actuators: {squeeze: {joint: close, kind: force, target: {table: [[0 s, 0 N], [0.5 s, 4e12 N]]}}}
YAML

# the search of an equilibrium takes many factorisations
sed 's/step: 1 ms, end: 1 s, scheme: backward-euler/step: 1 s, end: 1 s, scheme: static/
    s/material: jelly, mesh/material: jelly, law: neo-hookean, mesh/' block.yaml >still.yaml

# ends_soon SCENE SECONDS SIGNAL: the signal arrives after the seconds of work; processor time until the end
ends_soon() {
    python3 - "$LITHE" "$@" <<'PYTHON'
import os, signal, subprocess, sys, time
lithe, scene, after, name = sys.argv[1], sys.argv[2], float(sys.argv[3]), sys.argv[4]
run = subprocess.Popen([lithe, "run", scene, "-q", "-o", "long.h5"], stderr=subprocess.PIPE, text=True)
def work():
    with open(f"/proc/{run.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
while not os.path.exists("long.h5.journal") or work() < after:
    if run.poll() is not None:
        sys.exit(f"the run ended with {run.returncode} before the signal: {run.stderr.read()}")
    time.sleep(0.01)
began = work()
run.send_signal(getattr(signal, "SIG" + name))
_, status, used = os.wait4(run.pid, 0)
seconds = used.ru_utime + used.ru_stime - began
text = run.stderr.read()
if os.waitstatus_to_exitcode(status) != 3 or seconds > 1 or "stopped at" not in text:
    sys.exit(f"{scene}: status {status} after {seconds:.2f} s of work: {text}")
if "start" not in text and "lithe resume" not in text and "equilibrium" not in text:
    sys.exit(text)
PYTHON
    local code=$?
    rm -f long.h5*
    return "$code"
}

a_factorisation_ends() {
    ends_soon block.yaml 0.9 TERM && ends_soon block.yaml 1.5 INT && ends_soon block.yaml 2.3 TERM
}

a_step_of_many_parts_ends() {
    ends_soon jaw.yaml 0.3 INT && ends_soon jaw.yaml 0.55 TERM && ends_soon jaw.yaml 0.8 INT
}

a_search_of_an_equilibrium_ends() {
    ends_soon still.yaml 0.2 TERM && ends_soon still.yaml 0.5 INT
}

claim 'a factorisation ends' a_factorisation_ends
claim 'a step of many parts ends' a_step_of_many_parts_ends
claim 'a search of an equilibrium ends' a_search_of_an_equilibrium_ends
finish
