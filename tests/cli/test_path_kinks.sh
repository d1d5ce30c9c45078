#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_path_kinks.sh - paths by arc length round their kinks, and up to constraints that break
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# a cantilever whose tip is pushed up, with what the third argument adds; its forces are the second one
cantilever() {
    cat >"$1.yaml" <<TEXT
lithe: 1
gravity: none
parameters: {friction: 0}
time: {scheme: static, step: 0.05 s, end: 3 s, follow: arc-length}
record: {every: 0}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: friction, strain-limit: 10, contact: {stiffness: 1e4 N/m}}}
rods:
  r: {material: m, section: {circle: {radius: 10 mm}}, nodes: 21, shape: {line: {to: [0.5, 0, 0]}}, clamped: start}
forces: $2
$3
TEXT
}
push='{p: {on: r.end, force: [0, 0, 0.01], profile: {rate: 1}}}'

# The path of $1 by arc length against load steps of $2: the quantities $5.. at its last load, within the part $3 of their
# largest values. The path has to get beyond the load $4.
same_end() {
    local name=$1 fine=$2 tolerance=$3 far=$4 columns=() q
    shift 4
    for q in "$@"; do columns+=(-q "$q"); done
    "$LITHE" run "$name.yaml" --force -q -o arc.h5 && "$LITHE" export arc.h5 arc.csv -q static.load_time "${columns[@]}" &&
        "$LITHE" run "$name.yaml" --force -q --set time.follow=loads --set "time.step=$fine" --set time.end=3.1 -o loads.h5 &&
        "$LITHE" export loads.h5 loads.csv -q static.load_time "${columns[@]}" || return 1
    tail -2 arc.csv
    awk -F, -v tolerance="$tolerance" -v far="$far" 'FNR == 1 { next }
        FILENAME == "arc.csv" { t = $2; for (k = 3; k <= NF; k++) end[k] = $k; next }
        {   for (k = 3; k <= NF; k++) {
                if (last != "" && last <= t && $2 > t) at[k] = was[k] + ($k - was[k]) * (t - last) / ($2 - last)
                size[k] = size[k] > $k ? size[k] : $k; size[k] = size[k] > -$k ? size[k] : -$k
                was[k] = $k }
            last = $2; n = NF }
        END { bad = !(t > far) || t > 3.1
            for (k = 3; k <= n; k++) {
                d = end[k] - at[k]; d = d < 0 ? -d : d
                print t, end[k], at[k], d / size[k]
                bad += !(k in at) || d > tolerance * size[k] }
            exit bad }' arc.csv loads.csv
}

a_rope_that_becomes_taut_is_passed() {
    cantilever rope "$push" 'contact: {enabled: false}
constraints: {rope: {kind: rope, a: {on: world, at: [0.5, 0, -0.1]}, b: r.end, length: 0.13}}'
    same_end rope 5ms 1e-5 2.9 'r.position[10].z' constraints.rope.force.z
}

a_strut_and_a_spring_that_begin_to_act_are_passed() {
    cantilever strut "$push" 'contact: {enabled: false}
constraints:
  strut: {kind: strut, a: {on: world, at: [0.5, 0, 0.1]}, b: r.end, length: 0.08}
  cord: {kind: rope, a: {on: world, at: [0.25, 0, -0.1]}, b: r.middle, length: 0.105, stiffness: 2 N/m}'
    same_end strut 5ms 1e-6 1.8 'r.position[10].z' constraints.strut.force.z constraints.cord.force.z
}

a_joint_that_reaches_its_limit_is_passed() {
    cat >limit.yaml <<'TEXT'
lithe: 1
gravity: none
contact: {enabled: false}
time: {scheme: static, step: 0.05 s, end: 3 s, follow: arc-length}
record: {every: 0}
materials: {m: {young: 1 MPa, density: 1000 kg/m^3, strain-limit: 10}}
bodies:
  one: {material: m, at: [0.1, 0, 0], shape: {sphere: {radius: 2 cm}}}
  two: {material: m, at: [0.2, 0, 0], shape: {sphere: {radius: 2 cm}}}
joints:
  a: {kind: revolute, child: one, at: [0, 0, 0], axis: [0, 1, 0], stiffness: 1, limits: [-0.5, 0.5]}
  b: {kind: revolute, parent: one, child: two, at: [0.1, 0, 0], axis: [0, 1, 0], stiffness: 0.5, limits: [-2, 0.7]}
actuators: {t: {joint: b, kind: force, target: {rate: 0.2}}}
forces: {f: {on: two, force: [0, 0, -2], profile: {rate: 1}}}
TEXT
    same_end limit 5ms 1e-6 1.8 a.position b.position two.position.z
}

a_constraint_that_is_switched_is_passed() {
    cantilever switch "$push" 'contact: {enabled: false}
constraints:
  on: {kind: distance, a: {on: world, at: [0.5, 0, -0.4]}, b: r.end, stiffness: 1 N/m, switch: {table: [[0 s, 0], [2 s, 1]]}}
  off: {kind: distance, a: {on: world, at: [0.25, 0, -0.4]}, b: r.middle, stiffness: 1 N/m, switch: {table: [[0 s, 1], [2.5 s, 0]]}}'
    # load steps note the length of what is switched on at the start of the step
    same_end switch 1ms 1e-3 2.8 r.end.position.z constraints.on.force.z
}

corners_of_load_tables_are_passed() {
    cantilever table '{p: {on: r.end, force: [0, 0, 0.01], profile: {table: [[0 s, 0], [1 s, 1], [2 s, 1.2], [4 s, -1]]}},
  q: {on: r.middle, force: [0, 0.01, 0], profile: {table: [[0 s, 0], [1.5 s, 0], [4 s, 2]]}}}' 'contact: {enabled: false}'
    same_end table 10ms 1e-5 2.8 r.end.position.z r.end.position.y || return 1
    # and one with a time in which the loads stay
    cantilever plateau '{p: {on: r.end, force: [0, 0, 0.01], profile: {table: [[0 s, 0], [1 s, 1], [2 s, 1], [4 s, -1]]}}}' \
        'contact: {enabled: false}'
    same_end plateau 10ms 1e-5 2.8 r.end.position.z
}

a_contact_that_closes_is_passed() {
    cantilever contact "$push" 'bodies: {f: {fixed: true, material: m, at: [0.25, 0, 0.08], shape: {sphere: {radius: 5 cm}}}}'
    same_end contact 5ms 1e-6 2.5 r.end.position.z || return 1
    sed -i 's/friction: 0}/friction: 0.5}/' contact.yaml
    same_end contact 5ms 2e-4 2.5 r.end.position.z
}

a_contact_of_a_solid_and_a_corner_of_its_pressure_are_passed() {
    cat >solid.yaml <<'TEXT'
lithe: 1
gravity: none
time: {scheme: static, step: 0.1 s, end: 3 s, follow: arc-length}
record: {every: 0}
materials: {m: {young: 100 kPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0, contact: {stiffness: 1e6 N/m}}}
bodies: {f: {fixed: true, material: m, at: [0.18, 0, 0.035], shape: {box: {size: [3 cm, 10 cm, 2 cm]}}}}
solids: {s: {material: m, mesh: {box: {size: [0.2, 0.04, 0.04], divisions: [8, 2, 2]}}, at: [0.1, 0, 0]}}
holds: {w: {on: s.x-min}}
forces: {p: {on: s.x-max, force: [0, 0, 0.2], profile: {table: [[0, 0], [1, 1], [1.5, 1.2], [3, 4]]}}}
TEXT
    same_end solid 10ms 1e-4 1.6 's.position[80].z' 's.position[40].z'
}

what_is_prescribed_moves_along_a_path() {
    cantilever motion '{p: {on: r.middle, force: [0, 0.01, 0], profile: {rate: 0.5}}}' 'contact: {enabled: false}
drives: {d: {on: r.end, direction: [0, 0, 1], motion: {table: [[0, 0], [1, 5 cm], [1.5, 5 cm], [3, -5 cm]]}}}'
    same_end motion 5ms 1e-5 2.5 r.end.position.z r.end.position.y || return 1
    cat >prescribed.yaml <<'TEXT'
lithe: 1
contact: {enabled: false}
time: {scheme: static, step: 0.05 s, end: 3 s, follow: arc-length}
record: {every: 0}
materials: {m: {young: 1 MPa, density: 1000 kg/m^3}}
bodies:
  one: {material: m, at: [0.1, 0, 0], shape: {sphere: {radius: 2 cm}}}
  two: {material: m, at: [0.2, 0, 0], shape: {sphere: {radius: 2 cm}}}
joints:
  a: {kind: revolute, child: one, at: [0, 0, 0], axis: [0, 1, 0], stiffness: 1}
  b: {kind: revolute, parent: one, child: two, at: [0.1, 0, 0], axis: [0, 1, 0]}
actuators: {t: {joint: b, kind: prescribed, target: {table: [[0, 0], [1, 0.5], [1.5, 0.5], [3, -1]]}}}
TEXT
    same_end prescribed 5ms 1e-5 2.5 two.position.z a.position
}

loads_that_turn_smoothly_are_followed() {
    cantilever sine '{p: {on: r.end, force: [0, 0, 0.01], profile: {amplitude: 1, frequency: 0.4}}}' 'contact: {enabled: false}'
    same_end sine 5ms 1e-5 2 r.end.position.z
}

# a given length that no load of the run brings about: the loads advance by the time step
a_given_arc_length_passes_a_rope_that_becomes_taut() {
    cantilever given "$push" 'contact: {enabled: false}
constraints: {rope: {kind: rope, a: {on: world, at: [0.5, 0, -0.1]}, b: r.end, length: 0.13}}'
    sed -i 's/follow: arc-length/follow: arc-length, arc: 1 mm/' given.yaml
    "$LITHE" run given.yaml -q --force -o given.h5 && "$LITHE" export given.h5 given.csv -q static.load_time -q r.end.position.z || return 1
    tail -1 given.csv
    awk -F, 'NR > 1 { if ($2 < last) back++; last = $2; z = $3 }
        END { exit !(!back && last > 2 && last < 3 && z > 0.0299 && z < 0.0301) }' given.csv
}

# An arch that has passed its limit point reaches a stop while its load falls: (Q22) turns the load. Out of its plane the
# arch is unstable all the time.
a_stop_on_an_unstable_branch_turns_the_load() {
    cat >stop.yaml <<'TEXT'
lithe: 1
gravity: none
contact: {enabled: false}
time: {step: 50 ms, end: 4 s, scheme: static, follow: arc-length}
record: {every: 0}
materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}
rods:
  arch: {material: bar, section: {stiffness: {EA: 1e4 N, EI: 1 N m^2, GJ: 1 N m^2, mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {arc: {radius: 4, angle: 15 deg, rotate: {axis: [0, 1, 0], angle: 7.5 deg}}}, nodes: 31}
holds:
  left: {on: arch.start, hold: [position, twist]}
  right: {on: arch.end, hold: position}
forces:
  press: {on: arch.node(15), force: [0, 0, 1], profile: {rate: 1}}
constraints: {stop: {kind: rope, a: {on: world, at: [0.522104768880206, 0, -1]}, b: arch.node(15), length: 0.995}}
TEXT
    "$LITHE" run stop.yaml -q && "$LITHE" export stop.h5 stop.csv -q static.load_time -q 'arch.position[15].z' \
        -q constraints.stop.force.z -q static.unstable || return 1
    awk -F, 'NR > 1 { if ($2 > top && !turned) top = $2
            if ($2 < last && top > 1) { fell = 1; low = $2 }
            if (fell && $2 > last) turned = 1
            last = $2; z = $3; f = $4; u = $5 }
        END { print top, low, last, z, f, u
            exit !(top > 1.035 && top < 1.039 && low < 0.9 && last > 2 && z > -0.005001 && z < -0.004999 && f < -1 && u == 1) }' stop.csv
}

a_constraint_breaks_at_its_load() {
    cantilever breaks "$push" 'contact: {enabled: false}
constraints: {rope: {kind: rope, a: {on: world, at: [0.5, 0, -0.1]}, b: r.end, length: 0.13, breaks-at: 0.008 N}}'
    "$LITHE" run breaks.yaml --force -o breaks.h5 >breaks.txt 2>&1 || return 1
    grep 'breaks\|broken' breaks.txt
    "$LITHE" export breaks.h5 breaks.csv -q static.load_time -q r.end.position.z -q constraints.rope.broken &&
        "$LITHE" run breaks.yaml -q --force --set time.follow=loads --set time.step=1ms --set time.end=1.5 -o fine.h5 &&
        "$LITHE" export fine.h5 fine.csv -q static.load_time -q r.end.position.z -q constraints.rope.broken || return 1
    # in load steps it breaks at the end of the step of 1 ms in which it exceeds its strength
    awk -F, 'FNR > 1 && $4 == 1 && !(FILENAME in t) { t[FILENAME] = $2; z[FILENAME] = $3 }
        END { d = t["fine.csv"] - t["breaks.csv"]; e = z["fine.csv"] - z["breaks.csv"]
            print t["breaks.csv"], t["fine.csv"], z["breaks.csv"], z["fine.csv"]
            exit !(d > -1e-5 && d < 0.00101 && e > 0 && e < 1e-4) }' breaks.csv fine.csv &&
        grep -q "constraint 'rope' breaks" breaks.txt && same_end breaks 5ms 1e-5 2.5 r.end.position.z
}

what_nothing_holds_after_a_break_is_named() {
    cat >falls.yaml <<'TEXT'
lithe: 1
contact: {enabled: false}
time: {scheme: static, step: 0.1 s, end: 3 s, follow: arc-length}
particles: {p: {mass: 0.1 kg, radius: 1 cm, at: [0, 0, -1]}}
constraints: {rope: {kind: rope, a: {on: world, at: [0, 0, 0]}, b: "p[0]", stiffness: 100 N/m, length: 0.99, breaks-at: 2.5 N}}
forces: {f: {on: "p[0]", force: [0, 0, -1], profile: {rate: 1}}}
TEXT
    expect 3 "nothing holds particles 'p' at" "$LITHE" run falls.yaml -o falls.h5 || return 1
    "$LITHE" export falls.h5 falls.csv -q static.load_time -q constraints.rope.force.z
    tail -1 falls.csv
    awk -F, 'END { exit !($2 > 1.4 && $2 < 1.52) }' falls.csv
}

# a ball with friction slides along a rod and off it: where the tangent explains no step the run stops, and no step ends
# on another branch
a_path_that_makes_no_way_stops_by_name() {
    cat >press.yaml <<'TEXT'
lithe: 1
gravity: none
time: {scheme: static, step: 0.05 s, end: 2 s, follow: arc-length}
record: {every: 0}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.3, strain-limit: 10, contact: {stiffness: 1e4 N/m}}}
rods:
  r: {material: m, section: {circle: {radius: 10 mm}}, nodes: 21, shape: {line: {to: [0.5, 0, 0]}}, clamped: start}
bodies:
  ram: {material: m, at: [0.4, 0.005, 0.05], shape: {sphere: {radius: 3 cm}}}
joints: {s: {kind: prismatic, child: ram, at: [0.4, 0, 0], axis: [0, 0, 1]}}
actuators: {p: {joint: s, kind: prescribed, target: {table: [[0, 0], [1, -0.05], [2, 0], [3, -0.1]]}}}
TEXT
    expect 3 "the path of rod 'r' stands still at t = " "$LITHE" run press.yaml --force -o press.h5 || return 1
    "$LITHE" run press.yaml -q --force --set time.follow=loads --set time.step=5ms --set time.end=0.5 -o loads.h5 &&
        "$LITHE" export loads.h5 loads.csv -q static.load_time -q r.end.position.z || return 1
    "$LITHE" export press.h5 press.csv -q static.load_time -q r.end.position.z || return 1
    tail -1 press.csv
    awk -F, 'FNR == 1 { next } FILENAME == "press.csv" { t = $2; z = $3; next }
        last <= t && $2 > t { at = was + ($3 - was) * (t - last) / ($2 - last) }
        { last = $2; was = $3 }
        END { print t, z, at; exit !(t > 0.1 && z - at < 1e-4 && at - z < 1e-4) }' press.csv loads.csv
}

# a path that is resumed in the middle of its kinks has the same bits
a_path_with_kinks_is_all_in_the_state() {
    cantilever whole "$push" 'constraints: {rope: {kind: rope, a: {on: world, at: [0.5, 0, -0.1]}, b: r.end, length: 0.13, breaks-at: 0.008 N}}
bodies: {f: {fixed: true, material: m, at: [0.25, 0, 0.1], shape: {sphere: {radius: 5 cm}}}}'
    local way
    for way in '' '--drop-work -j 2'; do
        # shellcheck disable=SC2086 # two words
        "$LITHE" run whole.yaml --force --json $way -o whole.h5 2>/dev/null | grep -o '"hash": *"[0-9a-f]*"' >>hashes || return 1
    done
    cat hashes
    [[ $(sort -u hashes | wc -l) == 1 && $(wc -l <hashes) == 2 ]]
}

claim a_rope_that_becomes_taut_is_passed a_rope_that_becomes_taut_is_passed
study a_strut_and_a_spring_that_begin_to_act_are_passed a_strut_and_a_spring_that_begin_to_act_are_passed
claim a_joint_that_reaches_its_limit_is_passed a_joint_that_reaches_its_limit_is_passed
claim a_constraint_that_is_switched_is_passed a_constraint_that_is_switched_is_passed
study corners_of_load_tables_are_passed corners_of_load_tables_are_passed
claim a_contact_that_closes_is_passed a_contact_that_closes_is_passed
claim a_contact_of_a_solid_and_a_corner_of_its_pressure_are_passed a_contact_of_a_solid_and_a_corner_of_its_pressure_are_passed
study what_is_prescribed_moves_along_a_path what_is_prescribed_moves_along_a_path
study loads_that_turn_smoothly_are_followed loads_that_turn_smoothly_are_followed
study a_given_arc_length_passes_a_rope_that_becomes_taut a_given_arc_length_passes_a_rope_that_becomes_taut
study a_stop_on_an_unstable_branch_turns_the_load a_stop_on_an_unstable_branch_turns_the_load
claim a_constraint_breaks_at_its_load a_constraint_breaks_at_its_load
claim what_nothing_holds_after_a_break_is_named what_nothing_holds_after_a_break_is_named
claim a_path_that_makes_no_way_stops_by_name a_path_that_makes_no_way_stops_by_name
claim a_path_with_kinks_is_all_in_the_state a_path_with_kinks_is_all_in_the_state
finish
