#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_fibres.sh - solids with fibres at the command: resume, adaptive steps, modes, messages
# with their place, contact models that have no solids
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

cat >bar.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.2 s, scheme: midpoint}
gravity: none
materials: {m: {young: 1 MPa, poisson: 0, density: 1000 kg/m^3}}
solids:
  bar: {material: m, law: corotated, mesh: {box: {size: [20 cm, 1 cm, 1 cm], divisions: [20, 1, 1]}}, velocity: [0, 0, 0.1]}
fibres:
  f: {on: bar, modulus: 30 MPa, fraction: 0.1, along: [1, 0, 0], slack: true}
holds: {wall: {on: bar.x-min}}
record: {every: 2 ms}
TEXT

a_run_that_stops_goes_on_with_the_same_bits() {
    goes_on bar.yaml -q bar.position.z.max -q energy.elastic && (($(wc -l <whole.csv) > 10))
}

adaptive_steps_end_near_fixed_ones() {
    local run
    "$LITHE" run bar.yaml -q --out fixed.h5 --until 50ms &&
        "$LITHE" run bar.yaml -q --out adaptive.h5 --until 50ms --set 'time.step={adaptive: {min: 1 us, max: 2 ms}}' || return 1
    for run in fixed adaptive; do "$LITHE" export $run.h5 $run.csv -q bar.position.z.max || return 1; done
    awk -F, 'FNR == 1 { file++ } { v[file] = $2 } END { d = (v[2] - v[1]) / (v[1] - 0.005); print "off by " d; exit !(d * d < 0.02 ^ 2) }' \
        fixed.csv adaptive.csv
}

# twice the square of the modulus along the fibres: bending frequencies grow by up to 2
modes_have_the_stiffness_of_fibres() {
    local with without
    with=$("$LITHE" modes bar.yaml --at start -n 1 --json --set fibres.f.slack=false) &&
        without=$("$LITHE" modes bar.yaml --at start -n 1 --json --set fibres.f.modulus=1e-3Pa 2>/dev/null) || return 1
    python3 - "$with" "$without" <<'PY'
import json
import sys

a, b = (next(v for k, v in json.loads(line.splitlines()[0]).items() if "frequency" in k or k == "hz") for line in sys.argv[1:])
print("frequencies", a, b, a / b)
sys.exit(not 1.5 < a / b < 2.001)
PY
}

wrong_values_are_refused_with_their_place() {
    sed 's/fraction: 0.1/fraction: 2/' bar.yaml >a.yaml
    expect 2 "a.yaml:8:43: fibre 'f': fraction is 2, must be <= 1" "$LITHE" check a.yaml || return 1
    sed 's/modulus: 30 MPa, //' bar.yaml >a.yaml
    expect 2 "fibres.f: modulus is missing" "$LITHE" check a.yaml || return 1
    sed 's/modulus: 30 MPa/modulus: 30 mm/' bar.yaml >a.yaml
    expect 2 "a.yaml:8:25: fibres.f.modulus: '30 mm' is a length, a pressure is expected" "$LITHE" check a.yaml || return 1
    sed 's/slack: true/loose: true/' bar.yaml >a.yaml
    expect 2 "fibres.f.loose: unknown key in fibre" "$LITHE" check a.yaml
}

# families fill an element together; where they do not meet, each may fill it
fractions_that_add_up_to_more_than_one_are_refused() {
    local two='  g: {on: bar, modulus: 1 MPa, fraction: 0.5, axis: [1, 0, 0], centre: [0, 1 m, 0], angle: 30 deg, crossed: true}'
    sed "/^  f:/a\\$two" bar.yaml >a.yaml
    expect 2 "a.yaml:9:42: the fractions of the fibres at (-0.095, 0, 0) m of solid 'bar' add up to 1.1, must be <= 1: 'f' 0.1 + 'g' 0.5 + 'g' 0.5" \
        "$LITHE" check a.yaml || return 1
    sed 's/fraction: 0.5/fraction: 0.45/' a.yaml >b.yaml
    "$LITHE" check b.yaml >out.txt || { cat out.txt && return 1; }
    sed 's/on: bar, modulus: 1 MPa, fraction: 0.5/on: bar.x-min, modulus: 1 MPa, fraction: 0.5, thickness: 1 mm/; s/centre: [^]]*], //; s/axis: .1, 0, 0./axis: [0, 0, 1]/' a.yaml >b.yaml
    "$LITHE" check b.yaml >out.txt || { cat out.txt && return 1; }
}

sizes_of_zero_and_places_without_faces_are_refused() {
    local key
    for key in thickness diameter spacing; do
        sed "s/fraction: 0.1/$key: 0/" bar.yaml >a.yaml
        expect 2 "fibres.f.$key: $key is 0, must be > 0" "$LITHE" check a.yaml || return 1
    done
    sed 's/on: bar, modulus/on: "bar[3]", modulus/' bar.yaml >a.yaml
    expect 2 "a.yaml:8:12: fibre 'f': on is a single node, must be a group or a set of nodes of a solid" "$LITHE" check a.yaml
}

models_without_solids_refuse_them() {
    local model
    for model in lcp imc spt; do
        "$LITHE" check bar.yaml --set contact.model=$model --set time.scheme=auto >out.txt 2>&1 && { echo "$model: accepted" && return 1; }
        grep -q "solid" out.txt || { cat out.txt && return 1; }
    done
}

claim a_run_that_stops_goes_on_with_the_same_bits a_run_that_stops_goes_on_with_the_same_bits
claim adaptive_steps_end_near_fixed_ones adaptive_steps_end_near_fixed_ones
claim modes_have_the_stiffness_of_fibres modes_have_the_stiffness_of_fibres
claim wrong_values_are_refused_with_their_place wrong_values_are_refused_with_their_place
claim fractions_that_add_up_to_more_than_one_are_refused fractions_that_add_up_to_more_than_one_are_refused
claim sizes_of_zero_and_places_without_faces_are_refused sizes_of_zero_and_places_without_faces_are_refused
claim models_without_solids_refuse_them models_without_solids_refuse_them
finish
