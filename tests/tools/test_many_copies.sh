#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_many_copies.sh - what `lithe check` does grows with the number of copies, not with its square:
# instructions of its stages, counted by valgrind, for 100 and for 400 copies of each kind
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
if ! command -v valgrind >/dev/null; then skip 'the work of many copies: valgrind is not installed'; fi

# counted COPIES: leaves "instructions stage" in COPIES.txt
counted() {
    cat >"$1.yaml" <<YAML
lithe: 1
time: {step: 1 ms, end: 10 ms}
materials: {m: {young: 100 MPa, density: 2000, friction: 0.5}}
particles:
  grain: {repeat: {i: $1}, material: m, radius: 1 mm, at: [3 mm*i, 5 cm, 0]}
rods:
  rod: {repeat: {i: $1}, material: m, section: {circle: {radius: 1 mm}}, shape: {line: {from: [3 mm*i, 0, 0], to: [3 mm*i, 0, 4 cm]}}, nodes: 3}
holds: {held: {repeat: {i: $1}, on: "rod/{i}.start"}}
drives: {drive: {repeat: {i: $1}, on: "rod/{i}.middle", kind: position, direction: [1, 0, 0], motion: 0 mm}}
forces:
  of-rod: {repeat: {i: $1}, on: "rod/{i}.end", force: [1 N, 0, 0]}
  of-body: {repeat: {i: $1}, on: "ball/{i}", force: [1 N, 0, 0]}
bodies:
  ball: {repeat: {i: $1}, material: m, shape: {sphere: {radius: 1 mm}}, at: [3 mm*i, 10 cm, 0]}
joints: {hinge: {repeat: {i: $1}, kind: revolute, parent: world, child: "ball/{i}", axis: [0, 0, 1]}}
actuators: {motor: {repeat: {i: $1}, joint: "hinge/{i}", kind: force, target: 0 N*m}}
goals: {near: {repeat: {i: $1}, of: "ball/{i}.position.x", at-most: 1 m}}
YAML
    valgrind --tool=callgrind --callgrind-out-file="$1.out" "$LITHE" check "$1.yaml" >"$1.log" 2>&1 || { cat "$1.log"; return 1; }
    callgrind_annotate --inclusive=yes --threshold=100 "$1.out" | tr -d , |
        sed -nE 's/^ *([0-9]+).*:(lithe_[a-z_]+)( .*)?$/\1 \2/p' >"$1.txt"
}
ready() {
    counted 100 && counted 400
}
# a stage whose work were that of pairs would grow sixteen times
linear() {
    awk -v stage="$1" '$2 == stage { if (FNR == NR) few = $1 > few ? $1 : few; else many = $1 > many ? $1 : many }
        END { printf "  %s: %.0f, %.0f instructions\n", stage, few, many; exit !(few > 1e4 && many < 5 * few) }' 100.txt 400.txt
}
claim valgrind_counts_instructions_of_stages ready
for stage in lithe_scene_load lithe_scene_check lithe_compile lithe_recorded_check lithe_cli_check_bodies; do
    claim "work_of_${stage}_is_linear_in_copies" linear "$stage"
done
finish
