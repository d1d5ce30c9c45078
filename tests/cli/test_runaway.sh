#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_runaway.sh - steps in which something runs away end, and the message names it
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

need_command
cd "$scratch" || exit 1

soft='materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.5}}'

# a jaw is pressed by 4e12 N in place of 4 N
cat >jaw.yaml <<'YAML'
lithe: 1
time: {step: 2 ms, end: 1 s}
materials: {m: {young: 50 MPa, poisson: 0.45, density: 1100 kg/m^3, friction: 0.8, contact: {stiffness: 1e5 N/m, dissipation: 1 s/m}}}
rods: {rod: {material: m, section: {circle: {radius: 8 mm}}, shape: {line: {from: [0, -15 cm, 8 mm], to: [0, 15 cm, 8 mm]}}, nodes: 25}}
bodies:
  table: {fixed: true, material: m, shape: {half-space: {}}}
  jaw: {material: m, shape: {box: {size: [1 cm, 3 cm, 7 cm]}}, at: [2.5 cm, 0, 3.6 cm]}
joints: {close: {kind: prismatic, child: jaw, axis: [-1, 0, 0], damping: 20 N s/m}}
actuators: {squeeze: {joint: close, kind: force, target: {table: [[0 s, 0 N], [0.5 s, 4e12 N]]}}}
record: {every: 1 ms}
YAML

# a balloon beyond its limit point, with GPa in place of kPa
cat >balloon.yaml <<YAML
lithe: 1
time: {step: 10 ms, end: 1 s}
$soft
solids: {ball: {material: m, law: neo-hookean, mesh: {hollow-sphere: {radius: 5 cm, inner: 4 cm, resolution: 2 cm}}}}
cavities: {air: {on: ball.inner, pressure: {table: [[0, 0], [1 s, 1e9 Pa]]}}}
bodies: {cup: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -6 cm]}}
YAML

# an arch that snaps through
cat >snap.yaml <<YAML
lithe: 1
time: {step: 10 ms, end: 1 s}
$soft
rods: {arch: {material: m, section: {circle: {radius: 2 mm}}, shape: {arc: {radius: 50 cm, angle: 40 deg}}, natural: {from: shape}, nodes: 41, clamped: both}}
forces: {push: {on: arch.middle, force: [0, 0, -1e6 N]}}
YAML

# a rod that is fed onto itself
cat >fed.yaml <<YAML
lithe: 1
time: {step: 10 ms, end: 1 s}
$soft
rods: {rod: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [50 cm, 0, 0]}}, nodes: 51, clamped: end}}
drives: {feed: {on: rod.start, kind: clamp, direction: [1, 0, 0], motion: {table: [[0, 0], [1 s, 40 m]]}}}
YAML

# a stiff motor against a wall
cat >motor.yaml <<YAML
lithe: 1
time: {step: 5 ms, end: 1 s}
$soft
bodies:
  wall: {fixed: true, material: m, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}, at: [25 cm, 0, 12 cm]}
  bar: {material: m, shape: {box: {size: [50 cm, 2 cm, 2 cm]}}, at: [25 cm, 0, 0]}
joints: {hinge: {kind: revolute, child: bar, at: [0, 0, 0], axis: [0, -1, 0]}}
actuators: {motor: {joint: hinge, kind: position, stiffness: 1e12 N m/rad, target: {table: [[0 s, 0], [0.1 s, 90 deg]]}}}
YAML

# a rod of Pa in place of MPa on a stiff floor
cat >unit.yaml <<'YAML'
lithe: 1
time: {step: 1 ms, end: 20 ms}
materials: {m: {young: 1 Pa, poisson: 0.3, density: 1000 kg/m^3, contact: {stiffness: 1e12 N/m}}}
rods: {rod: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 0, 1 cm], to: [50 cm, 0, 1 cm]}}, nodes: 51}}
bodies: {floor: {fixed: true, material: m, shape: {half-space: {}}}}
YAML

# a ball of 1e9 m/s at a rod
cat >fast.yaml <<YAML
lithe: 1
time: {step: 1 ms, end: 1 s}
$soft
rods: {rod: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, -25 cm, 0], to: [0, 25 cm, 0]}}, nodes: 51, clamped: both}}
bodies: {ball: {material: m, shape: {sphere: {radius: 5 cm}}, at: [-10 cm, 0, 0], velocity: [1e9, 0, 0]}}
YAML

# a block pressed by 1e15 Pa
cat >block.yaml <<YAML
lithe: 1
time: {step: 1 ms, end: 1 s}
$soft
solids: {block: {material: m, law: neo-hookean, mesh: {box: {size: [10 cm, 10 cm, 10 cm], divisions: [3, 3, 3]}}}}
holds: {foot: {on: block.z-min}}
pressures: {press: {on: block.z-max, pressure: {table: [[0, 0], [1 s, 1e15 Pa]]}}}
YAML

# a static load of 1e9 N
cat >load.yaml <<YAML
lithe: 1
time: {step: 0.1 s, end: 1 s, scheme: static}
$soft
rods: {rod: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [50 cm, 0, 0]}}, nodes: 51, clamped: start}}
forces: {push: {on: rod.end, force: [-1e9 N, 1 N, 0], profile: {table: [[0, 0], [1, 1]]}}}
YAML

# a hand that jumps by 1000 km and throws a rod at another one
cat >jump.yaml <<YAML
lithe: 1
time: {step: 1 ms, end: 10 ms}
$soft
rods:
  a: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [50 cm, 0, 0]}}, nodes: 31, clamped: end}
  b: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {from: [25 cm, -25 cm, 2 cm], to: [25 cm, 25 cm, 2 cm]}}, nodes: 31, clamped: both}
drives: {hand: {on: a.start, kind: clamp, direction: [0, 0, 1], motion: {table: [[1 ms, 0], [2 ms, 1e6 m]]}}}
YAML

# ends SCENE: by itself, complete or with exit code 3, a message that names a thing, and a recording
ends() {
    local code=0 limit=${2-4000}
    timeout -k 1 300 "$LITHE" run "$1.yaml" -q -o "$1.h5" --set time.max-work="$limit" >"$1.log" 2>&1 || code=$?
    [[ $code == 0 || $code == 3 ]] || { echo "$1: exit code $code" && tail -3 "$1.log" && return 1; }
    [[ -s $1.h5 ]] || { echo "$1: no recording" && return 1; }
    [[ $code == 0 || -s $1.h5.checkpoint ]] || { echo "$1: no state" && return 1; }
    if [[ $code == 3 ]] && ! grep -qE "(rod|body|solid) '|\((arch|block|ball):" "$1.log"; then
        echo "$1: names nothing" && tail -3 "$1.log" && return 1
    fi
}

every_step_ends() {
    local name failed=0
    for name in jaw balloon snap fed $(count "motor unit fast block load jump" "motor"); do
        ends "$name" || failed=1
    done
    return "$failed"
}

the_message_names_what_runs_away() {
    ends jaw 2000 || return 1
    grep -q "the step of 0.002 s that starts at t = 0 s takes more work than time.max-work = 2000 iterations" jaw.log &&
        grep -qE "(rod 'rod'|body 'jaw') has reached [0-9.e+]+ m/s or rad/s, from 0 at its start" jaw.log || { cat jaw.log && return 1; }
    # the state before the step is kept, and the step is refused again
    expect 3 "takes more work than time.max-work = 2000" "$LITHE" resume jaw.h5 -q || return 1
    # with the same bits on more threads
    grep 'more work' jaw.log >one.log && rm -f jaw.h5*
    "$LITHE" run jaw.yaml -q -o jaw.h5 --set time.max-work=2000 --threads 3 2>jaw.log
    grep 'more work' jaw.log | cmp one.log -
}

a_larger_budget_goes_on_where_the_run_stopped() {
    ends jaw 2000 || return 1
    expect 3 "takes more work than time.max-work = 3000" "$LITHE" resume jaw.h5 -q --max-work 3000 || return 1
    expect 2 "--max-work" "$LITHE" resume jaw.h5 -q --max-work much
}

# a balloon in one step of 0.5 s
a_hollow_that_runs_away_is_named() {
    cat >hollow.yaml <<YAML
lithe: 1
time: {step: 0.5 s, end: 1 s}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, damping: {stiffness: 50 ms}}}
solids: {ball: {material: m, law: neo-hookean, mesh: {hollow-sphere: {radius: 5 cm, inner: 4 cm, resolution: 2 cm}}}}
cavities: {air: {on: ball.inner, pressure: {table: [[0, 0], [1 s, 4e5 Pa]]}}}
YAML
    ends hollow 20 || return 1
    grep -qE "solid 'ball' has reached .*, and the volume of cavity 'air', 0.000[0-9]+ m\^3, changes by 0.0[0-9]+ m\^3/s" hollow.log ||
        { cat hollow.log && return 1; }
}

the_limit_is_checked() {
    expect 2 'max-work is -1, must be >= 0' "$LITHE" check jaw.yaml --set time.max-work=-1 &&
        expect 2 'max-work' "$LITHE" check jaw.yaml --set time.max-work=much
}

claim 'every step ends' every_step_ends
claim 'the message names what runs away' the_message_names_what_runs_away
claim 'a larger budget goes on where the run stopped' a_larger_budget_goes_on_where_the_run_stopped
claim 'a hollow that runs away is named' a_hollow_that_runs_away_is_named
claim 'the limit is checked' the_limit_is_checked
finish
