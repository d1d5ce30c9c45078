#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_ties.sh - constraints and contact at the command: check, overlaps, static steps
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >tied.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 10 ms}
materials:
  rubber: {young: 5 MPa, density: 1000 kg/m^3}
rods:
  rope: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 0, 1], to: [1, 0, 1]}}, nodes: 21}
bodies:
  floor: {shape: {half-space: {}}, fixed: true}
  crate: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [0, 0, 1.15]}
chains:
  chain: {material: rubber, radius: 4 mm, shape: {line: {from: [0, 1, 1], to: [1, 1, 1]}}, capsules: 12, start: pinned}
constraints:
  grip: {kind: weld, a: {on: crate, at: [0, 0, -0.1]}, b: rope.start, breaks-at: 30 N}
  later: {kind: attach, a: rope.at(0.5), b: world, switch: {table: [[0 s, 0], [1 s, 1]], kind: hold}}
TEXT

check_reports_constraints_chains_and_contact() {
    local text part
    text=$("$LITHE" check tied.yaml 2>/dev/null) || return 1
    for part in "constraint 'grip': weld, body 'crate' at [0, 0, -0.1] m to rod 'rope' at node 0" \
        "50 mm, which is kept" "30 N" "constraint 'later': attach, rod 'rope' at 0.5 of its length" \
        "by a profile of time" "constraint 'chain/joint-..': 10 more, up to 'chain/joint-11'" \
        "bodies 'chain/1' to 'chain/11' (11): same values" "contact: on" "lagged"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    # reported once, then counted
    [[ $(grep -c "^body 'chain/" <<<"$text") == 1 ]] || { echo "$text" && return 1; }
    text=$("$LITHE" check tied.yaml --set contact.enabled=false 2>&1) && [[ $text == *"contact: off"* ]]
}

# the rope overlaps the floor by 2 mm of its 10 mm; 0.2 mm would count as resting
check_names_what_overlaps_at_the_start() {
    local text
    text=$("$LITHE" check tied.yaml 2>&1) && [[ $text != *overlap* ]] || { echo "$text" && return 1; }
    sed 's/0, 0, 1], to: \[1, 0, 1\]/0, 0, 3 mm], to: [1, 0, 3 mm]/' tied.yaml >low.yaml
    text=$("$LITHE" check low.yaml 2>&1 >/dev/null) || return 1
    [[ $text == *"warning: 'rope' and 'floor' overlap at the start by 2 mm, 40 % of the smaller half thickness"* ]] || { echo "$text" && return 1; }
    text=$("$LITHE" check low.yaml --set contact.enabled=false 2>&1) && [[ $text != *overlap* ]] ||
        { echo "$text" && return 1; }
    sed 's/3 mm/4.8 mm/g' low.yaml >rests.yaml
    text=$("$LITHE" check rests.yaml 2>&1) && [[ $text != *overlap* ]] || { echo "$text" && return 1; }
}

a_robot_that_starts_bent_follows_its_path() {
    local text
    text=$("$LITHE" run "$root/scenes/arm-pose.yaml" --until 3s --out pose.h5 2>&1) || return 1
    [[ $text != *"could not follow"* ]] || { echo "$text" && return 1; }
}

# the weld of the rope carries the weight of the hanging part: between that of
# 30 cm and of 60 cm of rope, of 1100 kg/m^3 and 6 mm radius
a_rope_on_a_hand_hangs_by_its_weld() {
    "$LITHE" run "$root/scenes/arm-rope.yaml" --until 0.3s -q --out rope.h5 &&
        "$LITHE" export rope.h5 rope.csv -q constraints.grip.force.z || return 1
    awk -F, 'END { f = $2 < 0 ? -$2 : $2; w = 1100 * 3.14159 * 36e-6 * 9.81
        if (f < 0.3 * w || f > 0.6 * w) { print f, w; exit 1 } }' rope.csv
}

# ends tied to the world are held, ends tied to what moves are not free
check_knows_ties_and_undriven_joints() {
    local text part
    cat >ends.yaml <<'TEXT'
lithe: 1
materials: {rubber: {young: 5 MPa, density: 1000 kg/m^3}}
rods:
  a: {repeat: {i: 20}, material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, i*1 m, 1], to: [1, i*1 m, 1]}}, nodes: 21}
  b: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 0, 3], to: [1, 0, 3]}}, nodes: 21}
bodies:
  crate: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [1.1, 0, 3]}
  door: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [5, 0, 3]}
  lid: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [7, 0, 3]}
joints:
  hinge: {kind: revolute, child: door}
  axle: {kind: revolute, child: lid}
actuators:
  motor: {joint: axle, kind: force}
constraints:
  hook: {kind: attach, a: b.start, b: world}
  knot: {kind: weld, a: b.at(1), b: crate}
TEXT
    text=$("$LITHE" check ends.yaml 2>/dev/null) || return 1
    for part in "start pinned by 'hook', end tied by 'knot'" "rods 'a/1' to 'a/19' (19): same values" \
        "none: it moves freely"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    # motions slower than the run need no advice
    text=$("$LITHE" check ends.yaml --set materials.rubber.young=1kPa --set time.scheme=midpoint --set gravity=none 2>/dev/null) &&
        [[ $text == *"any step of this run"* ]] || { echo "$text" && return 1; }
    text=$("$LITHE" check ends.yaml 2>/dev/null)
    [[ $(grep -c 'moves freely' <<<"$text") == 1 && $(wc -l <<<"$text") -lt 90 ]] || { echo "$text" && return 1; }
}

# equal things are one table wherever they stand; numbered ones that differ are counted
check_groups_all_equal_things() {
    local text part
    cat >equal.yaml <<'TEXT'
lithe: 1
materials: {rubber: {young: 5 MPa, density: 1000 kg/m^3}}
rods:
  a: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 0, 1], to: [1, 0, 1]}}, nodes: 21}
  b: {material: rubber, section: {circle: {radius: 6 mm}}, shape: {line: {from: [0, 1, 1], to: [1, 1, 1]}}, nodes: 21}
  c: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 2, 1], to: [1, 2, 1]}}, nodes: 21}
  d: {repeat: {i: 5}, material: rubber, section: {circle: {radius: 6 mm}}, shape: {line: {from: [0, 3 + i, 1], to: [1, 3 + i, 1]}}, nodes: 21}
  e: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, -2, 1], to: [1, -2, 1]}}, nodes: 21, clamped: start}
  f: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, -3, 1], to: [1, -3, 1]}}, nodes: 21}
bodies:
  crate: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [1.1, 0, 3]}
  plank: {material: rubber, shape: {box: {size: [0.4, 0.2, 0.1]}}, at: [3, 0, 3]}
  ball: {material: rubber, shape: {sphere: {radius: 0.1}}, at: [5, 0, 3]}
  lid: {material: rubber, shape: {box: {size: [0.2, 0.2, 0.2]}}, at: [7, 0, 3]}
  stones: {repeat: {i: 6}, material: rubber, shape: {sphere: {radius: 0.05 + 0.01*i}}, at: [9 + i, 0, 3]}
joints:
  hinge: {kind: revolute, child: crate}
  slide: {kind: prismatic, child: ball}
  axle: {kind: revolute, child: lid}
actuators:
  motor: {joint: axle, kind: force}
  other: {joint: hinge, kind: force}
TEXT
    text=$("$LITHE" check equal.yaml 2>/dev/null) || return 1
    for part in "rods 'c', 'f' (2): same values" "rods 'd/0' to 'd/4' (5): same values" "body 'lid': same values, elsewhere" \
        "body 'plank'" "bodies 'stones/..': 4 with other values, up to 'stones/4'" "joint 'axle': same values" \
        "actuator 'motor': same values"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    # the tables of a, b and e
    [[ $(grep -c "^  mesh " <<<"$text") == 3 ]] || { echo "$text" && return 1; }
}

# two attachments of one place: the second one is redundant; if it wants another place, they contradict
redundant_constraints_under_lcp_are_warned_of_only_if_they_disagree() {
    local text
    cat >two.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 20 ms}
contact: {model: lcp}
bodies: {ball: {mass: 1 kg, inertia: [0.01, 0.01, 0.01, 0, 0, 0]}}
constraints:
  here: {kind: attach, a: ball, b: world}
  there: {kind: attach, as-built: false, a: ball, b: {on: world, at: [0, 0, 0]}}
TEXT
    text=$("$LITHE" run two.yaml --out two.h5 2>&1) || { echo "$text" && return 1; }
    [[ $text != *warning* && $text != *depend* ]] || { echo "$text" && return 1; }
    sed -i 's/at: \[0, 0, 0\]/at: [0, 0, 0.01]/' two.yaml
    text=$("$LITHE" run two.yaml --out other.h5 2>&1)
    [[ $text == *"warning: at "*"depends on other constraints and contradicts them"* ]] || { echo "$text" && return 1; }
}

contradictions_under_lcp_are_named_where_a_run_stops() {
    cat >apart.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.1 s}
contact: {model: lcp}
materials: {m: {young: 1 GPa, density: 1000 kg/m^3}}
bodies:
  a: {material: m, shape: {box: {size: [0.1, 0.02, 0.02]}}, at: [0.05, 0, 0]}
constraints:
  d1: {kind: distance, a: {on: a, at: [0, 0, 0]}, b: {on: world, at: [0, 0, 1]}, length: 1 m}
  d2: {kind: distance, a: {on: a, at: [0, 0, 0]}, b: {on: world, at: [0, 0, 1]}, length: 1.2 m}
TEXT
    expect 3 "constraint 'd1' cannot be met at t = 0.001 s: it requires a length of 1 m, and the least that can be reached is 1.2 m" \
        "$LITHE" run apart.yaml -o apart.h5
}

for test in redundant_constraints_under_lcp_are_warned_of_only_if_they_disagree check_groups_all_equal_things check_knows_ties_and_undriven_joints check_reports_constraints_chains_and_contact check_names_what_overlaps_at_the_start \
    a_robot_that_starts_bent_follows_its_path a_rope_on_a_hand_hangs_by_its_weld \
    contradictions_under_lcp_are_named_where_a_run_stops; do
    claim "$test" "$test"
done

# the hand hangs from its tool, 30 cm above it, at a point 20 cm below the hook
constraints_name_sites_of_robots() {
    cat >robot.xml <<'TEXT'
<mujoco><worldbody><site name='hook' pos='0 0 1'/>
  <body name='hand' pos='0 0 .5'><freejoint/><geom size='.05' mass='1'/>
    <site name='tool' pos='0 0 .3' euler='0 90 0'/></body></worldbody></mujoco>
TEXT
    cat >robot.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.1 s}
robots: {arm: {path: robot.xml}}
constraints: {hang: {kind: attach, a: {on: arm/hook, at: [0, 0, -20 cm]}, b: {on: arm/tool, at: [0 m, 0, 0]}}}
TEXT
    "$LITHE" run robot.yaml -q -o robot.h5 &&
        "$LITHE" export robot.h5 robot.csv --quantity arm/hand.position.z \
            --quantity constraints.hang.force.z >/dev/null || return 1
    tail -n 1 robot.csv | awk -F, '{ z = $2 - 0.5; f = $3 - 9.81
        exit !(z < 1e-6 && z > -1e-6 && f < 1e-4 && f > -1e-4) }' &&
        # along x of the tool, which points down
        "$LITHE" run robot.yaml -q -o robot.h5 --set 'constraints.hang.b.at=[0.1, 0, 0]' \
            --set 'constraints.hang.a.at=[0, 0, -0.3]' &&
        "$LITHE" export robot.h5 robot.csv --quantity arm/hand.position.z >/dev/null &&
        tail -n 1 robot.csv | awk -F, '{ z = $2 - 0.5; exit !(z < 1e-6 && z > -1e-6) }' &&
        expect 2 "no body named 'arm/tol'" "$LITHE" check robot.yaml --set constraints.hang.b.on=arm/tol
}
claim constraints_name_sites_of_robots constraints_name_sites_of_robots
finish
