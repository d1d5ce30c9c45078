#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_lethal_keys.sh - every key of fibres, goals, knots and faces of solids with values that no key
# has: each is refused with file, line, field and what is wrong, whatever the others are
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

cat >lethal.py <<'PYTHON'
import subprocess, sys
lithe, step = sys.argv[1], int(sys.argv[2])
scene = """lithe: 1
time: {step: 1 ms, end: 20 ms}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
solids:
  bar:
    material: m
    at: [0, 0, 1]
    mesh: {box: {size: [20 cm, 1 cm, 1 cm], divisions: [4, 1, 1]}}
    face-contact: true
rods:
  rope: {material: m, section: {circle: {radius: 1 mm}}, nodes: 101, shape: {overhand-knot: {unknotting: 1, length: 60 cm}}}
fibres:
  inside:
    on: bar
    modulus: 30 MPa
    fraction: 0.1
    along: [1, 0, 0]
    slack: true
  wound:
    on: bar.x-min
    modulus: 1 MPa
    diameter: 0.1 mm
    spacing: 1 mm
    axis: [0, 1, 0]
    centre: [0, 0, 0]
    angle: 0 deg
    crossed: false
  sheet:
    on: bar.x-max
    modulus: 1 MPa
    thickness: 0.1 mm
    along: [0, 1, 0]
knots:
  overhand:
    through: [rope.start, rope.end]
    joined: auto
goals:
  near:
    of: bar.position.x.max
    take: last
    from: 1 ms
    to: 10 ms
    at-least: 0 m
    at-most: 1 m
  then:
    of: bar.position.x.max
    take: at
    at: 5 ms
    at-most: 1 m
"""
lethal = ["1e300", "-1e300", ".nan", ".inf", "[]", "{}", "", "3 K", '"1e400"', "-1", "0", "[1e300, .nan, 0]"]
# what these keys may be
legal = {("angle", "-1"), ("angle", "0"), ("from", "0"), ("to", "1e300"), ("at", "1e300"), ("at-least", "-1e300"),
         ("at-least", "-1"), ("at-least", "0"), ("at-most", "1e300"), ("at-most", "0"),
         ("at-most", "-1"), ("at-most", "-1e300")}

def check(text):
    with open("a.yaml", "w") as file:
        file.write(text)
    run = subprocess.run([lithe, "check", "a.yaml"], capture_output=True, text=True)
    return run.returncode, run.stderr.split("\n")[0]

status, message = check(scene)
if status != 0:
    sys.exit(f"the scene itself: {message}")
lines, section, bad, tried = scene.split("\n"), "", 0, 0
for number, line in enumerate(lines):
    key = line.strip().split(":")[0]
    section = key if line and line[0] != " " else section
    ours = section in ("fibres", "knots", "goals") or key == "face-contact"
    if not line.startswith("    ") or not ours:
        continue
    for value in lethal:
        tried += 1
        if tried % step or (key, value) in legal:
            continue
        status, message = check("\n".join([*lines[:number], f"    {key}: {value}", *lines[number + 1:]]))
        # what a key says may clash with another one, whose line is named then
        at = message.split(":")
        if status != 2 or at[:2] != ["lithe", " a.yaml"] or not at[2].isdigit() or not (
                key in message and int(at[2]) == number + 1 or abs(int(at[2]) - number - 1) <= 6 and len(message) > 40):
            bad += 1
            print(f"  {section}: {key}: {value}: {status}, {message}")
print(f"  {tried} values")
sys.exit(bad > 0 or tried < 200)
PYTHON
every_lethal_value_is_refused_at_its_place() {
    # under a sanitizer every seventh
    python3 lethal.py "$LITHE" "$(count 1 7)"
}
claim every_lethal_value_is_refused_at_its_place every_lethal_value_is_refused_at_its_place
finish
