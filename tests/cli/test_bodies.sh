#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_bodies.sh - rigid bodies and joints at the command: check, warnings, plots, pictures
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >lamp.yaml <<'TEXT'
lithe: 1
title: A lamp falls over
time: {step: 1 ms, end: 0.3 s}
materials:
  steel: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}
bodies:
  floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.1]}
  lamp:
    material: steel
    at: [0.5, 0, 0]
    shapes: [{cylinder: {radius: 1 cm, length: 40 cm}, at: [0, 0, 20 cm]}, {sphere: {radius: 4 cm}, at: [0, 0, 40 cm]}]
joints:
  hinge: {kind: revolute, child: lamp, at: [0.5, 0, 0], axis: [0, 1, 0], position: 20 deg, limits: [-30 deg, 30 deg], damping: 0.01 N m s/rad, effort: 3 N m}
actuators:
  motor: {joint: hinge, kind: force, target: 0.1 N m}
record: {every: 10 ms}
TEXT

cat >top.yaml <<'TEXT'
lithe: 1
title: A top on a ball joint
time: {step: 5 ms, end: 1 s}
materials: {brass: {young: 100 GPa, density: 8500 kg/m^3}}
bodies:
  top:
    material: brass
    shape: {cylinder: {radius: 3 cm, length: 1 cm}, at: [0, 0, 5 cm]}
    rotate: {axis: [0, 1, 0], angle: 30 deg}
    spin: [157.08, 0, 272.07]
joints: {tip: {kind: ball, child: top, at: [0, 0, 0]}}
TEXT

a_mesh_in_millimetres_is_warned_of() {
    cat >wedge.obj <<'OBJ'
v 0 0 0
v 100 0 0
v 0 100 0
v 0 0 100
f 1 3 2
f 1 2 4
f 1 4 3
f 2 3 4
OBJ
    cat >wedge.yaml <<'YAML'
lithe: 1
materials: {steel: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}}
bodies: {wedge: {material: steel, shape: {mesh: {path: wedge.obj}}}}
time: {step: 1 ms, end: 1 ms}
YAML
    local said="body 'wedge': its mesh is 100 m x 100 m x 100 m large: if the file is in millimetres, write scale: 0.001"
    expect 0 "$said" "$LITHE" check wedge.yaml || return 1
    expect 0 "$said" "$LITHE" run wedge.yaml || return 1
    [[ $("$LITHE" check wedge.yaml --set bodies.wedge.shape.mesh.scale=0.001 2>&1) != *millimetres* ]]
}

# farther inside than contacts know: in the middle of a solid, and below the ground
what_starts_inside_of_a_solid_or_below_the_ground_is_warned_of() {
    cat >sunk.yaml <<'YAML'
lithe: 1
gravity: none
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
solids:
  jelly: {material: m, mesh: {box: {size: [20 cm, 20 cm, 20 cm], resolution: 5 cm}}}
  low: {material: m, mesh: {box: {size: [2 cm, 2 cm, 2 cm], divisions: [1, 1, 1]}}, at: [0.4, 0, -0.5]}
rods:
  rod: {material: m, section: {circle: {radius: 3 mm}}, nodes: 8, shape: {line: {from: [0, 4 cm, -2 cm], to: [0, 4 cm, 2 cm]}}}
  deep: {material: m, section: {circle: {radius: 3 mm}}, nodes: 8, shape: {line: {from: [0.3, 0, -0.4], to: [0.4, 0, -0.4]}}}
particles: {grains: {material: m, radius: 2 mm, positions: [[0.03, -0.03, 0.03], [0.3, 0.3, 0.3]]}}
bodies:
  ground: {material: m, fixed: true, shape: {heightfield: {size: [1, 1], heights: [[0, 0], [0, 0]]}}, at: [0, 0, -0.3]}
  ball: {material: m, shape: {sphere: {radius: 1 cm}}, at: [-0.4, 0, -0.35]}
time: {step: 1 ms, end: 1 ms}
YAML
    local text pair
    for verb in check run; do
        text=$("$LITHE" $verb sunk.yaml 2>&1) || { echo "$text" && return 1; }
        for pair in "'rod' is .* deep in 'jelly'" "'grains' is .* deep in 'jelly'" \
            "'deep' is .* deep in 'ground'" "'ball' is .* deep in 'ground'" "'low' is .* deep in 'ground'"; do
            grep -q "$pair" <<<"$text" || { echo "no $pair in $text" && return 1; }
        done
        [[ $(grep -c 'deep in' <<<"$text") == 5 ]] || { echo "$text" && return 1; }
    done
    grep -q "'deep' is 0.1 m deep in 'ground'" <<<"$text" || { echo "$text" && return 1; }
    echo 'ignore: [[rod, jelly], [grains, jelly], [deep, ground], [ball, ground], [low, ground]]' >>sunk.yaml
    [[ $("$LITHE" check sunk.yaml 2>&1) != *'deep in'* ]]
}

check_names_a_body_that_rotates_too_far_per_step() {
    "$LITHE" check top.yaml >text || return 1
    grep -q "'top' rotates by 1.57 rad per step at the start" text && grep -q 'of 954.9 us or less' text || return 1
    "$LITHE" check top.yaml --set time.step=0.9ms >text || return 1
    ! grep -q rotates text || { cat text && return 1; }
}

check_reports_bodies_joints_and_actuators() {
    local text part
    text=$("$LITHE" check lamp.yaml 2>/dev/null) || return 1
    for part in "body 'floor', fixed" "half-space" "body 'lamp'" "sphere, cylinder" \
        "joint 'hinge': revolute, body 'lamp' on the world" "-0.5236 to 0.5236 rad" \
        "0.01 N m s/rad" "3 N m" "actuator 'motor': force, on joint 'hinge'" \
        "degrees of freedom: 1 free, 0 held"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    expect 0 "joint 'arm/joint1': revolute, body 'arm/link1' on body 'arm/base', which is fixed" "$LITHE" check "$root/scenes/arm.yaml" || return 1
    # steel: pi r^2 L + 4/3 pi R^3, times its density
    awk -v m="$(awk '$1 == "mass" { print $2 }' <<<"$text")" 'BEGIN {
        pi = atan2(0, -1); w = 7850 * (pi * 1e-4 * 0.4 + 4 / 3 * pi * 6.4e-5)
        exit !(m > w * 0.999 && m < w * 1.001) }' || { echo "$text" && return 1; }
}

a_joint_at_its_limit_is_named_once() {
    local text
    text=$("$LITHE" run lamp.yaml 2>&1) || return 1
    [[ $(grep -c "at .* joint 'hinge' reaches its upper limit, which stops it" \
        <<<"$text") == 1 ]] || { echo "$text" && return 1; }
    text=$("$LITHE" run lamp.yaml --until 10ms 2>&1) && [[ $text != *"joint 'hinge'"* ]]
}

# its numbers: python/tests/test_recording.py
the_force_of_a_pose_drive_is_recorded_on_request() {
    cat >route.yaml <<'TEXT'
lithe: 1
time: {step: 2 ms, end: 0.4 s}
materials: {wood: {young: 10 MPa, density: 500 kg/m^3, friction: 0.4}}
bodies:
  floor: {fixed: true, material: wood, shape: {half-space: {}}}
  block: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: [1 mm, 0, 5 cm]}
  hand: {material: wood, shape: {box: {size: [2 cm, 10 cm, 4 cm]}}, at: [-6 cm, 0, 5 cm]}
pose-drives:
  route: {body: hand, kind: smooth, path: [{time: 0 s, at: [-6 cm, 0, 5 cm]}, {time: 0.5 s, at: [4 cm, 0, 5 cm]}]}
record: {every: 20 ms, also: [route.force, hand.velocity]}
TEXT
    "$LITHE" run route.yaml -q --until 0.02s && "$LITHE" plot route.h5 --list | grep -qx route.force &&
        "$LITHE" plot route.h5 route.force.x -o route.svg || return 1
    sed "s|also: .*|also: [reach.force]}|; s|^pose-drives:|joints: {slide: {kind: prismatic, child: hand, axis: [1, 0, 0], at: [-6 cm, 0, 5 cm]}}\n&|; s|  route: {body|  reach: {body|" route.yaml >arm.yaml
    expect 2 "pose drive 'reach' has no 'force': it moves joints, whose efforts are recorded" "$LITHE" run arm.yaml -q
}

bodies_and_joints_plot_and_export() {
    "$LITHE" run lamp.yaml -q && "$LITHE" plot lamp.h5 hinge.position -o h.svg &&
        "$LITHE" plot lamp.h5 lamp.orientation -o o.svg && [[ -s h.svg && -s o.svg ]] &&
        "$LITHE" export lamp.h5 lamp.csv && grep -q 'hinge.effort \[N m\]' lamp.csv &&
        "$LITHE" export lamp.h5 lamp.png --size 160x100 && [[ -s lamp.png ]] &&
        "$LITHE" export lamp.h5 lamp.svg --size 160x100 && grep -q '</svg>' lamp.svg
}

# column FILE NAME: one value per row
column() {
    awk -F, -v name="$2" 'NR == 1 { for (i = 1; i <= NF; i++) if (index($i, name " ") == 1) c = i }
        NR > 1 { print $c }' "$1"
}

# the stem, y of the body, starts along +z, turns to -z and comes back
a_handle_turns_over_about_its_middle_axis() {
    "$LITHE" run "$root/scenes/tumbling.yaml" -q --out t.h5 && "$LITHE" export t.h5 t.csv \
        -q handle.orientation || return 1
    paste -d ' ' <(column t.csv handle.orientation.w) <(column t.csv handle.orientation.x) \
        <(column t.csv handle.orientation.y) <(column t.csv handle.orientation.z) | awk '
        { up = 2 * ($3 * $4 + $1 * $2) }
        NR == 1 && up > 0.999 { state = 1 }
        state == 1 && up < -0.9 { state = 2 }
        state == 2 && up > 0.9 { state = 3 }
        END { exit state != 3 }'
}

a_double_pendulum_keeps_its_energy() {
    "$LITHE" run "$root/scenes/double-pendulum.yaml" --json --out d.h5 >d.json 2>/dev/null &&
        python3 -c 'import json; assert json.load(open("d.json"))["energy_drift"] < 1e-4'
}

# within half a degree at rest, without reaching any limit
the_arm_follows_its_path() {
    local text
    text=$("$LITHE" run "$root/scenes/arm.yaml" --until 2s --out a.h5 2>&1) &&
        [[ $text != *"limit"* ]] && "$LITHE" export a.h5 a.csv -q arm/joint4.position || return 1
    column a.csv arm/joint4.position | awk '
        END { error = $1 + 95 * atan2(0, -1) / 180; exit !(error < 0.009 && error > -0.009) }'
}

# one of two free bodies moves along a path; an arm of 7 joints does, with two prescribed fingers
check_counts_what_pose_drives_move() {
    cat >posed.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.1 s}
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000 kg/m^3}}
bodies:
  a: {material: m, shape: {sphere: {radius: 5 cm}}}
  b: {material: m, shape: {sphere: {radius: 5 cm}}, at: [1, 0, 0]}
pose-drives:
  p: {body: a, path: [{time: 0 s, at: [0, 0, 0]}, {time: 1 s, at: [0, 0, 1]}]}
TEXT
    expect 0 'degrees of freedom: 6 free, 6 held or driven' "$LITHE" check posed.yaml &&
        expect 0 'degrees of freedom: 0 free, 9 held or driven' "$LITHE" check "$root/scenes/arm-pose.yaml"
}

# the spring and the inertia of the second joint oscillate in less than half a step
a_servo_that_the_step_does_not_resolve_is_named() {
    cat >stiff.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.1 s, scheme: tr-bdf2}
bodies:
  a: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0.3, 0, 0]}
  b: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0.9, 0, 0]}
joints:
  j1: {kind: revolute, child: a, axis: [0, 1, 0], at: [0, 0, 0]}
  j2: {kind: revolute, parent: a, child: b, axis: [0, 1, 0], at: [0.6, 0, 0]}
actuators:
  m1: {joint: j1, kind: position, stiffness: 1e7 N m/rad, damping: 1e3 N m s/rad, target: {amplitude: 1, frequency: 2 Hz}}
  m2: {joint: j2, kind: position, stiffness: 1e7 N m/rad, damping: 1e3 N m s/rad, target: {amplitude: 1, frequency: 3 Hz}}
TEXT
    expect 0 "actuator 'm2' is stiffer than the step of 0.001 s resolves. Its spring of 1e+07 and the inertia 0.0456 at joint 'j2' oscillate in 0.00042 s" \
        "$LITHE" run stiff.yaml --out s.h5 || return 1
    local text
    text=$("$LITHE" run stiff.yaml --set actuators.m1.stiffness=1e4 --set actuators.m2.stiffness=1e4 --out s.h5 2>&1) &&
        [[ $text != *"is stiffer than"* ]]
}

# the servo moves in the first 20 ms: the guard acts in 3 steps, which are often among 24, and rare among 40
a_stiff_servo_is_named_only_where_the_guard_acts_in_a_tenth_of_the_steps() {
    cat >short.yaml <<'TEXT'
lithe: 1
gravity: none
time: {step: 1 ms, end: 0.1 s, scheme: tr-bdf2}
bodies:
  a: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0.3, 0, 0]}
  b: {mass: 1 kg, inertia: [1e-2, 1e-2, 1e-2, 0, 0, 0], at: [0.9, 0, 0]}
joints:
  j1: {kind: revolute, child: a, axis: [0, 1, 0], at: [0, 0, 0]}
  j2: {kind: revolute, parent: a, child: b, axis: [0, 1, 0], at: [0.6, 0, 0]}
actuators:
  m1: {joint: j1, kind: position, stiffness: 1e7 N m/rad, damping: 1e3 N m s/rad, target: 0}
  m2: {joint: j2, kind: position, stiffness: 1e7 N m/rad, damping: 1e3 N m s/rad, target: {table: [[0 s, 0], [20 ms, 0.3]], kind: smooth}}
TEXT
    local often rare
    often=$("$LITHE" run short.yaml --until 24ms --out s.h5 2>&1)
    rare=$("$LITHE" run short.yaml --until 40ms --out s.h5 2>&1)
    [[ $often == *"guard            3 of 24 steps"* && $often == *"is stiffer than"* &&
        $rare == *"guard            3 of 40 steps"* && $rare != *"is stiffer than"* ]] ||
        { printf '%s\n%s\n' "$often" "$rare"; return 1; }
}
claim a_mesh_in_millimetres_is_warned_of a_mesh_in_millimetres_is_warned_of
claim what_starts_inside_of_a_solid_or_below_the_ground_is_warned_of what_starts_inside_of_a_solid_or_below_the_ground_is_warned_of
claim a_stiff_servo_is_named_only_where_the_guard_acts_in_a_tenth_of_the_steps a_stiff_servo_is_named_only_where_the_guard_acts_in_a_tenth_of_the_steps

claim a_servo_that_the_step_does_not_resolve_is_named a_servo_that_the_step_does_not_resolve_is_named
claim check_counts_what_pose_drives_move check_counts_what_pose_drives_move
claim check_reports_bodies_joints_and_actuators check_reports_bodies_joints_and_actuators
claim check_names_a_body_that_rotates_too_far_per_step check_names_a_body_that_rotates_too_far_per_step
claim a_joint_at_its_limit_is_named_once a_joint_at_its_limit_is_named_once
claim the_force_of_a_pose_drive_is_recorded_on_request the_force_of_a_pose_drive_is_recorded_on_request
claim bodies_and_joints_plot_and_export bodies_and_joints_plot_and_export
claim a_handle_turns_over_about_its_middle_axis a_handle_turns_over_about_its_middle_axis
claim a_double_pendulum_keeps_its_energy a_double_pendulum_keeps_its_energy
claim the_arm_follows_its_path the_arm_follows_its_path
finish
