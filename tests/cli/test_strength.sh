#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_strength.sh - strains and stresses beyond the limits of a rod are warned of with their numbers
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

# 10 cm of nylon are pulled to 30 cm within a second
cat >nylon.yaml <<'TEXT'
lithe: 1
time: {step: 10 ms, end: 1 s}
gravity: none
materials:
  nylon: {young: 3 GPa, poisson: 0.4, density: 1140, damping: {stiffness: 1 ms}}
rods:
  cord: {material: nylon, section: {circle: {radius: 1 mm}}, shape: {line: {to: [10 cm, 0, 0]}}, nodes: 11}
holds: {left: {on: cord.start}}
drives:
  right: {on: cord.end, direction: [1, 0, 0], motion: {rate: 0.2}}
record: {every: 100 ms}
TEXT

# a moment bends an aluminium wire to 8 times its yield curvature: M = 8 yield pi r^3/4
cat >wire.yaml <<'TEXT'
lithe: 1
time: {step: 1, end: 1, scheme: static}
gravity: none
materials:
  aluminium: {young: 69 GPa, poisson: 0.33, density: 2700, yield: 35 MPa}
rods:
  wire: {material: aluminium, section: {circle: {radius: 1 mm}}, shape: {line: {to: [20 cm, 0, 0]}}, nodes: 41, clamped: start}
forces:
  bend: {on: wire.end, moment: [0, 0.21991 N m, 0]}
TEXT

# a torsional stiffness of a thousandth of that in bending does not keep a bend
too_little_torsional_stiffness_is_warned_of() {
    sed '/^drives:/,/^  right:/d; s/material: nylon, section: {circle: {radius: 1 mm}}/section: {stiffness: {EA: 1 kN, EI: 1e-3, GJ: 1e-6, mass-per-length: 1 g\/m, radius: 1 mm}}/' nylon.yaml >soft.yaml
    "$LITHE" run soft.yaml -q 2>out.txt || { cat out.txt; return 1; }
    grep -q "rod 'cord': GJ is 1e-06 N m^2, EI 0.001 N m^2: where it turns by more than 3.6. degrees at a node, it would twist and lose its stiffness in bending" out.txt ||
        { cat out.txt; return 1; }
}

stretched_nylon_is_warned_of() {
    "$LITHE" run nylon.yaml -q 2>out.txt || return 1
    grep -q "warning: at .* s the strain of rod 'cord' is 2[0-9]\.*[0-9]* % at node [0-9]*, more than the 20 %: " out.txt &&
        [[ $(grep -c warning: out.txt) == 1 ]] || { cat out.txt; return 1; }
    "$LITHE" run nylon.yaml --json 2>/dev/null >out.json || return 1
    python3 - out.json <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
assert abs(run["strain_max"] - 2) < 1e-3 and run["strain_limit"] == 0.2, run["strain_max"]
assert run["strain_rod"] == "cord" and run["strain_unit"] == "1" and abs(run["strain_time"] - 1) < 1e-9
assert run["stress_max"] is None and run["stress_rod"] is None
PY
}

# a limit of its own: not above it, and above it
limits_of_the_material_replace_it() {
    "$LITHE" run nylon.yaml -q --set materials.nylon.strain-limit=2.1 2>out.txt && [[ ! -s out.txt ]] || return 1
    "$LITHE" run nylon.yaml -q --set materials.nylon.strain-limit=0.05 2>out.txt
    grep -q "the strain of rod 'cord' is 1[0-9.]* % at node .*more than its strain-limit of 5 %" out.txt
}

every_scheme_warns() {
    local scheme
    for scheme in backward-euler midpoint tr-bdf2 static; do
        "$LITHE" run nylon.yaml -q --set time.scheme=$scheme --set materials.nylon.strain-limit=1.53 2>out.txt
        grep -q "the strain of rod 'cord' is 1[56][0-9.]* % at node .*strain-limit of 153 %" out.txt ||
            { echo $scheme; cat out.txt; return 1; }
    done
    sed 's/step: 10 ms/step: {adaptive: {min: 10 us, max: 20 ms}}/' nylon.yaml >adaptive.yaml
    "$LITHE" run adaptive.yaml -q --set materials.nylon.strain-limit=1.53 2>out.txt
    grep -q "the strain of rod 'cord' is 15[0-9.]* % at node" out.txt || { cat out.txt; return 1; }
}

a_wire_beyond_yield_is_warned_of() {
    "$LITHE" run wire.yaml --json 2>out.txt >out.json || { cat out.txt; return 1; }
    grep -q "warning: at 1 s the stress of rod 'wire' is 2.8[0-9]*e+08 Pa at node [0-9]*, more than its yield of 3.5e+07 Pa: " out.txt &&
        [[ $(grep -c warning: out.txt) == 1 ]] || { cat out.txt; return 1; }
    python3 - out.json <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
assert abs(run["stress_max"] / run["stress_limit"] / 8 - 1) < 2e-3 and run["stress_unit"] == "Pa"
PY
}

the_table_shows_the_largest_values() {
    "$LITHE" run wire.yaml >out.txt 2>/dev/null || return 1
    grep -q "largest strain *0.406 % (limit 20 %), rod 'wire' node [0-9]* at 1 s" out.txt &&
        grep -q "largest stress *2.8e+08 Pa (limit 3.5e+07 Pa), rod 'wire' node" out.txt
}

a_measured_rope_is_warned_of_by_its_tension() {
    sed 's/material: nylon, section: {circle: {radius: 1 mm}}/section: {stiffness: {EA: 1 kN, EI: 0, mass-per-length: 1 g\/m, radius: 1 mm, strength: 500 N, strain-limit: 3}}/' nylon.yaml >rope.yaml
    "$LITHE" run rope.yaml -q 2>out.txt
    grep -q "the tension of rod 'cord' is 5[0-9.]* N at node .*, more than its strength of 500 N: it would break" out.txt &&
        [[ $(grep -c warning: out.txt) == 1 ]] || { cat out.txt; return 1; }
}

quantities_are_recorded_on_request() {
    "$LITHE" run wire.yaml -q --out w.h5 --set 'record.also=[wire.strain, wire.stress]' 2>/dev/null || return 1
    "$LITHE" export w.h5 w.csv --quantity wire.stress.max -q 2>/dev/null || "$LITHE" plot w.h5 wire.stress.max wire.strain.max -o w.svg
}

# refused MESSAGE EDIT FILE: the file with this edit of sed
refused() {
    sed "$2" "$3" >bad.yaml
    expect 2 "$1" "$LITHE" check bad.yaml
}

mistakes_are_refused_by_name() {
    expect 2 "strain-limit is -1, must be >= 0" "$LITHE" check nylon.yaml --set materials.nylon.strain-limit=-1 &&
        refused "bad.yaml:5:67: materials.aluminium.yield: '35 kg' is a mass, a pressure is expected" 's/yield: 35 MPa/yield: 35 kg/' wire.yaml &&
        refused "materials.aluminium.yield" 's/yield: 35 MPa/yield: /' wire.yaml &&
        refused "materials.aluminium.strain-limit: '5 mm' is a length" 's/yield: 35 MPa/strain-limit: 5 mm/' wire.yaml &&
        refused "strength: '5 m' is a length, a force is expected" 's/circle: {radius: 1 mm}/stiffness: {EA: 1, radius: 1 mm, mass-per-length: 1, strength: 5 m}/' wire.yaml &&
        refused "unknown key in section circle" 's/circle: {radius: 1 mm}/circle: {radius: 1 mm, strength: 5 N}/' wire.yaml
}

# pulled until 0.5 s, then let back
a_peak_keeps_its_time() {
    sed 's/motion: {rate: 0.2}/motion: {table: [[0, 0], [0.5, 0.1], [1, 0.05]]}/' nylon.yaml >back.yaml
    "$LITHE" run back.yaml -q --out b.h5 2>one.txt || return 1
    "$LITHE" run back.yaml --json 2>/dev/null >whole.json || return 1
    grep -q '"strain_time": 0.5[0-9]*' whole.json && [[ $(grep -c warning one.txt) == 1 ]]
}

claim too_little_torsional_stiffness_is_warned_of too_little_torsional_stiffness_is_warned_of
claim "nylon stretched by 200 % is warned of" stretched_nylon_is_warned_of
claim "the limits of the material replace 20 %" limits_of_the_material_replace_it
claim "every scheme warns" every_scheme_warns
claim "a wire at eight times yield is warned of" a_wire_beyond_yield_is_warned_of
claim "the table shows the largest values" the_table_shows_the_largest_values
claim "a measured rope is warned of by its tension" a_measured_rope_is_warned_of_by_its_tension
claim "a peak in the middle keeps its time" a_peak_keeps_its_time
claim "strain and stress are recorded on request" quantities_are_recorded_on_request
claim "mistakes are refused by name" mistakes_are_refused_by_name
finish
