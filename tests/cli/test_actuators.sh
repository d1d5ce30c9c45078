#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_actuators.sh - schedules of actuators that arms and robots have made, recorded efforts
# and targets, names that are taken, quantities that a thing has not
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# arm.yaml with an entry of `actuators`: arm_with TEXT
arm_with() {
    cat >arm.yaml <<TEXT
lithe: 1
time: {step: 1 ms, end: 20 ms}
arms:
  trunk: {lengths: [15 cm], masses: [0.4 kg], radii: [3 cm], stiffness: 300 N/m, damping: 20 N s/m, disk-radius: 4 cm, drive: pressure, area: 3 cm^2, pressure: 30 kPa}
actuators:
  $1
record: {every: 5 ms, also: [actuators.trunk/1-1.target]}
TEXT
}

# the last row of a table has these values: last_row FILE VALUE...
last_row() {
    local file=$1 row
    shift
    row=$(tail -n 1 "$file")
    awk -v row="$row" -v wanted="$*" 'BEGIN {
        n = split(row, a, ","); m = split(wanted, b, " "); bad = n != m
        for (i = 1; i <= m; i++) bad = bad || (a[i] - b[i]) ^ 2 > 1e-18 * (1 + b[i] ^ 2)
        exit bad }' || { echo "$row, expected $*" && return 1; }
}

an_actuator_of_an_arm_gets_a_schedule() {
    arm_with 'trunk/1-1: {target: {table: [[0, 0 kPa], [10 ms, 20 kPa]]}}'
    "$LITHE" run arm.yaml -q && "$LITHE" export arm.h5 arm.csv -q actuators.trunk/1-1.target \
        -q actuators.trunk/1-1.effort -q 'trunk/section-1.effort[0]' -q actuators.trunk/1-2.effort || return 1
    grep -q 'actuators.trunk/1-1.target \[Pa\],actuators.trunk/1-1.effort \[N\]' arm.csv || { head -1 arm.csv && return 1; }
    last_row arm.csv 0.02 20000 6 6 0 || return 1
    # beyond the largest pressure of the arm
    "$LITHE" run arm.yaml -q --set 'actuators.trunk/1-1.target=50 kPa' -o more.h5 &&
        "$LITHE" export more.h5 more.csv -q actuators.trunk/1-1.effort && last_row more.csv 0.02 9
}

wrong_changes_of_actuators_are_refused() {
    arm_with 'trunk/1-1: {target: 3 N}'
    expect 2 "arm.yaml:6:23: actuators.trunk/1-1.target: '3 N' is a force, a pressure is expected" "$LITHE" check arm.yaml || return 1
    arm_with 'trunk/1-1: {kind: position}'
    expect 2 "arm.yaml:6:21: actuator 'trunk/1-1': kind must be force where area is given" "$LITHE" check arm.yaml || return 1
    arm_with 'trunk/1-1: {target: }'
    expect 2 "arm.yaml:6:15: actuators.trunk/1-1.target: has no value, a pressure is expected" "$LITHE" check arm.yaml || return 1
    arm_with 'trunk/1-4: {target: 3 kPa}'
    expect 2 "arm.yaml:6:3: actuators.trunk/1-4: joint is missing, and no robot or arm has an actuator of this name; did you mean trunk/1-1?" "$LITHE" check arm.yaml || return 1
    arm_with 'trunk/1-1: {joint: trunk/section-1, chamber: 1, kind: force, target: 3 N}'
    expect 2 "arm.yaml:6:3: actuator 'trunk/1-1': the name is already taken by actuator 1 of arm 'trunk' (arm.yaml:4:3)" "$LITHE" check arm.yaml
}

# a schedule that is written into another file is there when that is read
a_changed_actuator_of_a_robot_runs_by_its_schedule() {
    cat >bob.xml <<'TEXT'
<mujoco><worldbody><body name="bob" pos="0 0 -0.5"><joint name="hinge" axis="0 1 0" pos="0 0 0.5"/>
<inertial pos="0 0 0" mass="1" diaginertia="0.001 0.001 0.001"/></body></worldbody>
<actuator><motor name="motor" joint="hinge" gear="2"/></actuator></mujoco>
TEXT
    cat >robot.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 20 ms}
robots: {r: {path: bob.xml}}
actuators: {r/motor: {target: {value: 1 N m}}}
record: {every: 5 ms}
TEXT
    "$LITHE" run robot.yaml -q && "$LITHE" export robot.h5 robot.csv -q actuators.r/motor.effort -q r/hinge.effort &&
        last_row robot.csv 0.02 1 2
}

# by backward Euler the effort of a step is that of its end
efforts_of_actuators_sum_to_that_of_the_joint() {
    cat >bob.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 60 ms, scheme: backward-euler}
bodies:
  bob: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, -0.5]}
joints:
  hinge: {kind: revolute, child: bob, at: [0, 0, 0], axis: [0, 1, 0]}
actuators:
  servo: {joint: hinge, kind: position, target: 60 deg, stiffness: 20 N m/rad, damping: 1 N m s/rad, effort: 3 N m}
  brake: {joint: hinge, kind: velocity, target: 0.1 rad/s, damping: 0.5 N m s/rad, gear: 2}
  push: {joint: hinge, kind: force, target: -0.4 N m}
record: {every: 20 ms, also: [servo.target]}
TEXT
    "$LITHE" run bob.yaml -q && "$LITHE" export bob.h5 bob.csv -q hinge.effort -q actuators.servo.effort \
        -q actuators.brake.effort -q actuators.push.effort || return 1
    awk -F, 'NR > 2 { d = $2 - $3 - 2 * $4 - $5; if (d * d > 1e-18 || $3 != 3 || $4 == 0) bad = 1 } END { exit bad || NR != 5 }' bob.csv || { cat bob.csv && return 1; }
    # a prescribed joint takes what the others do not give
    sed -i 's/  servo: .*/  servo: {joint: hinge, kind: prescribed, target: {amplitude: 5 deg, frequency: 2 Hz}}/' bob.yaml
    "$LITHE" run bob.yaml -q && "$LITHE" export bob.h5 bob.csv -q hinge.effort -q actuators.servo.effort \
        -q actuators.brake.effort -q actuators.push.effort || return 1
    awk -F, 'NR > 2 { d = $2 - $3 - 2 * $4 - $5; if (d * d > 1e-18 || $3 == 0) bad = 1 } END { exit bad || NR != 5 }' bob.csv || { cat bob.csv && return 1; }
}

quantities_that_a_thing_has_not_are_refused_by_name() {
    cat >chain.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 5 ms}
bodies:
  floor: {fixed: true, at: [0, 0, -5]}
  upper: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, -0.2]}
  lower: {mass: 1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], at: [0, 0, -0.4]}
joints:
  top: {kind: revolute, child: upper, at: [0, 0, 0], axis: [0, 1, 0]}
  knee: {kind: revolute, parent: upper, child: lower, at: [0, 0, -0.3], axis: [0, 1, 0]}
actuators: {motor: {joint: knee, kind: force}}
constraints: {pin: {kind: distance, a: lower, b: floor, length: 4.6}}
record: {also: [top.force]}
TEXT
    "$LITHE" run chain.yaml -q && "$LITHE" plot chain.h5 --list | grep -qx top.force || return 1
    local row
    for row in "knee.force|joint 'knee' has no 'force': it is for the one joint that carries a tree of bodies on the world, where no tendons, shared welds or riders act on the tree" \
        "floor.velocity|body 'floor' has no 'velocity': it is fixed" \
        "constraints.pin.tension|constraint 'pin' has no 'tension': it is no tendon" \
        "actuators.motor.effor|an actuator has no 'effor', did you mean 'effort'?" \
        "actuators.moto.effort|also: 'actuators.moto.effort' is not the name of a rod, particles, solid, drive, body, cavity, joint, actuator, pose drive or knot of the scene, did you mean 'motor'?"; do
        sed "s|also: .*|also: [${row%%|*}]}|" chain.yaml >wrong.yaml
        expect 2 "${row#*|}" "$LITHE" run wrong.yaml -q || return 1
    done
    # a tendon over the tree: its forces at the joint are not known
    sed '/^constraints/d; s|^bodies:|constraints: {cord: {kind: tendon, a: floor, b: lower, via: [upper], tension: 3 N}}\n&|' chain.yaml >wrong.yaml
    expect 2 "joint 'top' has no 'force': it is for the one joint that carries a tree of bodies on the world, where no tendons" "$LITHE" run wrong.yaml -q
}

need_command
for test in an_actuator_of_an_arm_gets_a_schedule wrong_changes_of_actuators_are_refused \
    a_changed_actuator_of_a_robot_runs_by_its_schedule efforts_of_actuators_sum_to_that_of_the_joint \
    quantities_that_a_thing_has_not_are_refused_by_name; do
    claim "$test" "$test"
done
finish
