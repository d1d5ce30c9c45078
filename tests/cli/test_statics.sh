#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_statics.sh - load paths and equilibria through the command
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# a shallow arch on hinges, upside down, pushed up in the middle; its limit load is 1.0384 N
cat >arch.yaml <<'TEXT'
lithe: 1
gravity: none
contact: {enabled: false}
time: {step: 0.1 s, end: 10 s, scheme: static, follow: arc-length}
record: {every: 0}
materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}
rods:
  arch: {material: bar, section: {stiffness: {EA: 1e4 N, EI: 1 N m^2, GJ: 1 N m^2, mass-per-length: 1 kg/m, radius: 1 mm}}, shape: {arc: {radius: 4, angle: 15 deg, rotate: {axis: [0, 1, 0], angle: 7.5 deg}}}, nodes: 31}
holds:
  left: {on: arch.start, hold: [position, twist]}
  right: {on: arch.end, hold: position}
forces:
  press: {on: arch.node(15), force: [0, 0, 1], profile: {rate: 1}}
TEXT

# the largest load of the first half of the path, the smallest one, and the last height
path_of() {
    "$LITHE" export "$1" path.csv -q static.load_time -q 'arch.position[15].z' &&
        awk -F, 'NR > 1 { if ($3 < 0 && $2 > top) top = $2; if ($2 < low) low = $2; z = $3 }
            END { printf "%.4f %.4f %.3f\n", top, low, z }' path.csv
}

an_arch_is_followed_through_its_snap() {
    "$LITHE" run arch.yaml -q --set time.step=50ms -o arch.h5 || return 1
    read -r top low z < <(path_of arch.h5)
    echo "top $top low $low z $z"
    awk -v t="$top" -v l="$low" -v z="$z" \
        'BEGIN { exit !(t > 1.035 && t < 1.039 && l < -1.035 && l > -1.039 && z > 0.01) }'
}

hash_of() { grep -o '"hash": *"[0-9a-f]*"' "$1"; }

a_path_is_all_in_the_state() {
    "$LITHE" run arch.yaml --json -o whole.h5 >whole.json &&
        "$LITHE" run arch.yaml --json --drop-work -j 2 -o dropped.h5 >dropped.json || return 1
    echo "$(hash_of whole.json) $(hash_of dropped.json)"
    [[ -n $(hash_of whole.json) && $(hash_of whole.json) == "$(hash_of dropped.json)" ]]
}

the_arc_length_of_a_step_is_a_key() {
    "$LITHE" run arch.yaml -q --set time.arc=0.2mm --set time.end=2s -o arc.h5 || return 1
    read -r top low z < <(path_of arc.h5)
    echo "top $top low $low z $z"
    [[ $(wc -l <path.csv) == 22 ]]
}

keys_that_do_not_fit_are_refused() {
    expect 2 'follow: arc-length needs scheme: static' \
        "$LITHE" run arch.yaml --set time.scheme=midpoint -o no.h5
}

# stands on its head, with a velocity that an equilibrium cannot have
cat >head.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 10 ms, start: equilibrium, scheme: backward-euler}
materials: {wood: {young: 10 GPa, density: 700 kg/m^3}}
bodies: {arm: {material: wood, at: [0, 0, 25 cm], shape: {box: {size: [2 cm, 2 cm, 50 cm]}}}}
joints: {hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0], velocity: 0.5 rad/s}}
TEXT

an_unstable_start_is_reported() {
    "$LITHE" run head.yaml -o head.h5 >head.txt 2>head.log || return 1
    cat head.txt head.log
    grep -q 'warning: the equilibrium at 0 s is unstable: 1 negative pivot' head.log &&
        grep -q 'unstable: 1 negative pivot (equilibrium at the start)' head.txt &&
        "$LITHE" run head.yaml --json -o head.h5 2>/dev/null | grep -q '"unstable": 1'
}

an_initial_velocity_that_is_ignored_is_reported() {
    "$LITHE" run head.yaml -q -o head.h5 2>&1 |
        grep "velocities at the start are ignored (body 'arm' has 0.5 m/s or rad/s)"
}

# the way to the equilibrium, pressed against the floor, is no motion
the_energy_balance_begins_at_the_equilibrium() {
    cat >pressed.yaml <<'TEXT'
lithe: 1
time: {step: 10 ms, end: 100 ms, start: equilibrium}
gravity: none
materials: {soft: {young: 100 kPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5}}
bodies: {floor: {fixed: true, material: soft, shape: {half-space: {}}}}
solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.08, 0.06], divisions: [3, 3, 3]}}, at: [0, 0, 30 mm], rotate: [0.2, 0, 0]}}
holds: {wall: {on: block.x-min}}
TEXT
    "$LITHE" run pressed.yaml -o pressed.h5 >pressed.txt 2>pressed.log || return 1
    cat pressed.txt pressed.log
    "$LITHE" export pressed.h5 pressed.csv -q energy.contact -q energy.friction -q energy.elastic || return 1
    head -2 pressed.csv
    awk -F, 'NR == 2 { ok = $2 == 0 && $3 == 0 && $4 > 1e-3 } END { exit !ok }' pressed.csv &&
        grep 'energy drift .*: small' pressed.txt
}

a_column_above_its_euler_load_is_reported() {
    cat >column.yaml <<'TEXT'
lithe: 1
gravity: none
contact: {enabled: false}
time: {step: 1 s, end: 4 s, scheme: static}
record: {every: 0}
materials: {steel: {young: 200 GPa, density: 7800 kg/m^3}}
rods:
  column: {material: steel, section: {stiffness: {EA: 1e6 N, EI: 1 N m^2, GJ: 1 N m^2, mass-per-length: 1 kg/m, radius: 5 mm}}, shape: {line: {to: [0, 0, 1]}}, nodes: 31, clamped: start}
forces: {weight: {on: column.end, force: [0, 0, -1 N], profile: {rate: 1}}}
TEXT
    "$LITHE" run column.yaml -o column.h5 >column.txt 2>column.log || return 1
    cat column.txt column.log
    [[ $(grep -c 'warning: the equilibrium at 3 s is unstable: 2 negative pivots' column.log) == 1 ]] &&
        grep -q 'unstable: 2 negative pivots (last equilibrium), 2 steps unstable' column.txt
}

a_load_step_that_slides_far_is_reported() {
    cat >drag.yaml <<'TEXT'
lithe: 1
time: {step: 0.1 s, end: 0.4 s, scheme: static}
materials: {rough: {young: 1 GPa, density: 2000 kg/m^3, friction: 0.4, contact: {stiffness: 1e7 N/m}}}
bodies:
  table: {fixed: true, material: rough, shape: {half-space: {}}}
  box: {material: rough, at: [0, 0, 1 cm], shape: {box: {size: [20 cm, 20 cm, 2 cm]}}}
  hand: {material: rough, at: [50 cm, 0, 1 cm], shape: {sphere: {radius: 4 cm}}}
joints: {slide: {kind: prismatic, child: hand, axis: [1, 0, 0]}}
actuators: {pull: {joint: slide, kind: prescribed, target: {rate: 30 cm/s}}}
constraints: {rope: {kind: distance, a: box, b: hand, stiffness: 1000 N/m}}
ignore: [[hand, table], [hand, box]]
TEXT
    "$LITHE" run drag.yaml -q -o drag.h5 2>coarse.log && "$LITHE" run drag.yaml -q --set time.step=10ms \
        -o drag.h5 2>fine.log || return 1
    cat coarse.log fine.log
    grep -q "'table' and 'box' slid on each other by .* of the smaller half thickness" coarse.log &&
        ! grep -q 'slid' fine.log
}

# a strip pressed along its axis: Euler's load is pi^2 EI/L^2 = 3.553 N
cat >strip.yaml <<'TEXT'
lithe: 1
gravity: none
contact: {enabled: false}
parameters: {bump: 0 N}
time: {step: 0.1 s, end: 8 s, scheme: static, follow: arc-length}
record: {every: 0}
materials: {bar: {young: 1 GPa, density: 1000 kg/m^3}}
rods:
  strip: {material: bar, section: {rectangle: {width: 20 mm, height: 6 mm}}, shape: {line: {to: [1, 0, 0]}}, director: [0, 1, 0], nodes: 41}
holds:
  left: {on: strip.start, hold: [position, twist]}
  right: {on: strip.end, hold: [y, z]}
forces:
  press: {on: strip.end, force: [-1 N, 0, 0], profile: {rate: 1}}
  bump: {on: strip.middle, force: [0, 0, bump]}
TEXT

# `arc: auto`: a straight strip stays straight beyond Euler's load, and the branch is reported; a strip with
# an imperfection bends there: at 1.293 times the load its ends are 0.560 L apart (elastica, 80 degrees)
a_strip_is_followed_beyond_its_euler_load() {
    expect 0 'at the load time 3.6 s the number of negative pivots changes from 0 to 1' \
        "$LITHE" run strip.yaml -o straight.h5 &&
        "$LITHE" run strip.yaml --set 'parameters.bump=1e-3 N' -o bent.h5 >/dev/null &&
        "$LITHE" export bent.h5 bent.csv -q static.load_time -q strip.end.position.x -q static.unstable || return 1
    awk -F, 'NR > 1 { p = $2 / 3.5531
        if (p > 1.293 && last < 1.293) x = $3 + (lastx - $3) * (p - 1.293) / (p - last)
        last = p; lastx = $3; u = $4 }
        END { print last, x, u; exit !(last > 1.5 && x > 0.555 && x < 0.565 && u == 0) }' bent.csv
}

# the shallow arch cannot carry more than its limit load: a static step jumps there, in one step or in many
a_jump_of_a_load_step_is_reported_where_it_is() {
    local step
    for step in 0.1 0.5; do
        expect 0 "s rod 'arch' jumps by 0.05" "$LITHE" run arch.yaml --force -o jump.h5 --set time.follow=loads \
            --set "time.step=$step s" --set time.end=2.5 || return 1
    done
    # no jump where the loads bend it by as much
    [[ $("$LITHE" run strip.yaml --set time.follow=loads --set 'parameters.bump=3 N' --set time.end=3 \
        --force -o smooth.h5 2>&1) != *jumps* ]]
}

# nothing is coupled in it: a residual of the coupled solve of inf stood in the report
every_number_of_a_static_run_is_finite() {
    "$LITHE" run strip.yaml -q --force -o finite.h5 --set time.follow=loads --set time.end=1 &&
        "$LITHE" export finite.h5 finite.csv -q report.solve_residual -q report.residual || return 1
    tail -1 finite.csv
    [[ $(wc -l <finite.csv) -gt 2 ]] && ! grep -qiE 'inf|nan' finite.csv && grep -q ',0,' finite.csv
}

# Lee's frame: two rods welded at a right angle, on hinges. Its limit loads are 18.55 and -9.45 EI/L^2. The path of its
# near-rigid weld was not followed.
a_static_run_goes_on_after_its_last_coupling_is_switched_off() {
    cat >switched.yaml <<'TEXT'
lithe: 1
time: {step: 0.1 s, end: 1 s, scheme: static}
materials: {bar: {young: 10 MPa, density: 1000 kg/m^3}}
bodies: {b: {material: bar, shape: {sphere: {radius: 1 cm}}}}
joints: {p: {kind: prismatic, child: b, stiffness: 10 N/m}}
constraints: {w: {kind: attach, a: b, b: world, switch: {table: [[0 s, 1], [0.5 s, 0]]}}}
TEXT
    "$LITHE" run switched.yaml -q --force && "$LITHE" export switched.h5 switched.csv -q b.position.z || return 1
    # before it hangs on the constraint, then on the spring: m g/k
    awk -F, 'NR == 2 { first = $2 } NR > 1 { last = $2 } { print }
        END { exit !(first > -1e-6 && last > -4.10995e-3 && last < -4.10775e-3) }' switched.csv
}
a_welded_frame_is_followed_through_both_limit_points() {
    cat >lee.yaml <<'TEXT'
lithe: 1
time: {scheme: static, step: 0.02 s, end: 3 s, follow: arc-length}
record: {every: 0}
gravity: none
contact: {enabled: false}
materials: {m: {young: 70 GPa, poisson: 0.3, density: 2700 kg/m^3, strain-limit: 10}}
rods:
  c: {material: m, section: {circle: {radius: 10 mm}}, nodes: 41, shape: {line: {to: [0, 0, 1.2]}}}
  b: {material: m, section: {circle: {radius: 10 mm}}, nodes: 41, shape: {line: {from: [0, 0, 1.2], to: [1.2, 0, 1.2]}}}
constraints: {w: {kind: weld, a: c.end, b: b.start}}
holds: {a: {on: c.start, hold: position}, d: {on: b.end, hold: position}, y: {on: c.middle, hold: y}, z: {on: b.middle, hold: y}}
forces: {p: {on: b.node(8), force: [0, 0, -381.77], profile: {rate: 40 1/s}}}
TEXT
    "$LITHE" run lee.yaml -q && "$LITHE" export lee.h5 lee.csv -q static.load_time || return 1
    awk -F, 'NR > 1 { p = 40 * $2
        if (p > top && !low) top = p
        if (p < low) low = p
        last = p }
        END { print top, low, last; exit !(top > 18.45 && top < 18.65 && low > -9.55 && low < -9.35 && last > 20) }' lee.csv
}

# Nothing but a constraint acts on the load, and its force is zero: forces out of balance were compared with themselves.
# A limit that the load cannot pass is named. A rope ends slack, by 1e-5 m.
a_body_that_only_a_constraint_moves_follows_it() {
    local kind
    for kind in weld attach distance rope; do
        cat >follow.yaml <<TEXT
lithe: 1
gravity: none
contact: {enabled: false}
parameters: {top: 10 m}
time: {step: 0.1 s, end: 1 s, scheme: static}
materials: {m: {young: 1 GPa, density: 1000 kg/m^3}}
bodies:
  hand: {material: m, shape: {sphere: {radius: 2 cm}}}
  load: {material: m, at: [-0.1, 0, 0], shape: {sphere: {radius: 2 cm}}}
joints:
  rail: {kind: prismatic, child: load, at: [-0.1, 0, 0], axis: [1, 0, 0], limits: [-1, top]}
  slide: {kind: prismatic, child: hand, axis: [1, 0, 0]}
actuators: {pull: {joint: slide, kind: prescribed, target: {rate: 30 cm/s}}}
constraints: {c: {kind: $kind, a: hand, b: load}}
TEXT
        "$LITHE" run follow.yaml -q --force && "$LITHE" export follow.h5 follow.csv -q load.position.x || return 1
        tail -1 follow.csv
        awk -F, 'END { exit !($2 > 0.199999 && $2 < 0.20005) }' follow.csv || return 1
        "$LITHE" run follow.yaml -q --force --set parameters.top=0.2 2>stop.txt && return 1
        cat stop.txt
        grep -q "constraint 'c' cannot be met at t = 0.7 s" stop.txt || return 1
    done
}

claim a_body_that_only_a_constraint_moves_follows_it a_body_that_only_a_constraint_moves_follows_it
claim a_welded_frame_is_followed_through_both_limit_points a_welded_frame_is_followed_through_both_limit_points
claim a_static_run_goes_on_after_its_last_coupling_is_switched_off a_static_run_goes_on_after_its_last_coupling_is_switched_off
claim every_number_of_a_static_run_is_finite every_number_of_a_static_run_is_finite
claim a_strip_is_followed_beyond_its_euler_load a_strip_is_followed_beyond_its_euler_load
claim a_jump_of_a_load_step_is_reported_where_it_is a_jump_of_a_load_step_is_reported_where_it_is
claim an_arch_is_followed_through_its_snap an_arch_is_followed_through_its_snap
claim a_path_is_all_in_the_state a_path_is_all_in_the_state
claim the_arc_length_of_a_step_is_a_key the_arc_length_of_a_step_is_a_key
claim keys_that_do_not_fit_are_refused keys_that_do_not_fit_are_refused
claim an_unstable_start_is_reported an_unstable_start_is_reported
claim an_initial_velocity_that_is_ignored_is_reported an_initial_velocity_that_is_ignored_is_reported
claim the_energy_balance_begins_at_the_equilibrium the_energy_balance_begins_at_the_equilibrium
claim a_column_above_its_euler_load_is_reported a_column_above_its_euler_load_is_reported
claim a_load_step_that_slides_far_is_reported a_load_step_that_slides_far_is_reported
finish
