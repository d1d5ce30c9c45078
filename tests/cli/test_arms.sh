#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_arms.sh - soft arms at the command: mistakes in their values, and shapes that no arm
# can have
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# writes arm.yaml with one line replaced: with NUMBER TEXT
with() {
    awk -v n="$1" -v text="$2" 'NR == n { print text; next } { print }' >arm.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 5 ms}
contact: {model: lcp}
materials: {rubber: {young: 1 MPa, poisson: 0.45, density: 1100 kg/m^3, friction: 0.6}}
bodies: {table: {fixed: true, at: [0, 0, -3], shape: {half-space: {}}, material: rubber}}
arms:
  trunk:
    at: [0, 0, 1]
    lengths: [15 cm, 15 cm]
    masses: [0.4 kg, 0.3 kg]
    radii: [4 cm, 4 cm]
    stiffness: 265 N/m
    damping: 125 N s/m
    chambers: 3
    disks: 3
    disk-radius: 5 cm
    material: rubber
TEXT
}

# refused NUMBER TEXT MESSAGE: the file with that line is refused with that message
refused() {
    with "$1" "$2"
    expect 2 "arm.yaml:$3" "$LITHE" run arm.yaml --out arm.h5 && [[ ! -e arm.h5 ]]
}

check_prints_pressures_as_pressures() {
    with 17 '    drive: pressure
    area: 3 cm^2
    pressure: 100 kPa'
    expect 0 'target is a pressure on    0.0003 m^2' "$LITHE" check arm.yaml &&
        expect 0 'largest pressure           1e+05 Pa' "$LITHE" check arm.yaml &&
        expect 0 'largest effort             30 N' "$LITHE" check arm.yaml
}

an_arm_without_sections_is_refused() {
    refused 9 '    lengths: []' '9:5: arms.trunk.lengths: is an empty list' &&
        refused 9 '' '7:3: arms.trunk: lengths is missing' &&
        refused 9 '    lengths: [15 cm, 0 m]' "9:5: arm 'trunk': lengths: number 2 is 0 m, must be > 0"
}

a_radius_of_zero_is_refused() {
    refused 11 '    radii: [4 cm, 0 m]' "11:5: arm 'trunk': radii: number 2 is 0 m, must be > 0" &&
        refused 16 '    disk-radius: 0 m' "16:18: arm 'trunk': disk-radius is 0 m, must be > 0"
}

a_negative_stiffness_is_refused() {
    refused 12 '    stiffness: -265 N/m' \
        "12:16: arm 'trunk': stiffness is -265 N/m, must be >= 0" &&
        refused 13 '    damping: -1 N s/m' "13:14: arm 'trunk': damping is -1 N s/m, must be >= 0"
}

chambers_that_do_not_span_are_refused() {
    refused 14 '    chambers: 2' \
        "14:15: arm 'trunk': chambers is 2, must be 3 to 64: fewer do not span length and bend"
}

fewer_than_three_directions_of_friction_are_refused() {
    refused 3 'contact: {model: lcp, lcp: {directions: 2}}' \
        '3:41: contact: lcp.directions is 2, must be 3 to 32'
}

a_start_that_leaves_no_length_is_refused() {
    refused 14 '    start: [-0.2, -0.2, -0.2, 0, 0, 0]' \
        "14:5: arm 'trunk': start makes section 1 -0.05 m long, must be > 0 (lengths: 0.15 m)"
}

# the box covers both sections: every disk is inside
an_arm_inside_a_box_is_warned_of() {
    with 5 'bodies: {block: {fixed: true, at: [0, 0, 1.1], shape: {box: {size: [0.3, 0.3, 0.3]}}, material: rubber}}'
    local text
    text=$("$LITHE" check arm.yaml 2>&1)
    [[ $text == *"block"*"trunk/1-2"*"overlap"* || $text == *"overlap"*"block"*"trunk/1-2"* ]] ||
        { echo "$text" && return 1; }
    expect 2 'overlap at the start by' "$LITHE" run arm.yaml --until 1ms || return 1
    text=$("$LITHE" run arm.yaml --until 1ms --out arm.h5 --set contact.start-overlap=any 2>&1)
    [[ $text == *"warning: at the start block and trunk/"*" overlap by 0.1"*" m"* ]] ||
        { echo "$text" && return 1; }
}

# forces that shorten a section to nothing, and one that bends it by more than a turn
shapes_that_no_arm_can_have_are_warned_of() {
    local text drive="{joint: trunk/section-2, kind: force, target: {table: [[0, 0 N], [0.2 s, -300 N]]}"
    with 2 'time: {step: 1 ms, end: 0.3 s}'
    printf 'actuators:\n  a: %s, chamber: 1}\n  b: %s, chamber: 2}\n  c: %s, chamber: 3}\n' \
        "$drive" "$drive" "$drive" >>arm.yaml
    text=$("$LITHE" run arm.yaml --out short.h5 2>&1)
    [[ $text == *"joint 'trunk/section-2' is -"*" m long and bent by "*"its inner side folds"* ]] ||
        { echo "$text" && return 1; }
    # warned of once
    [[ $(grep -c 'm long and bent by' <<<"$text") == 1 ]] || { echo "$text" && return 1; }
    with 2 'time: {step: 1 ms, end: 0.6 s}'
    printf 'actuators:\n  a: %s, chamber: 1}\n' "${drive/-300 N/500 N}" >>arm.yaml
    text=$("$LITHE" run arm.yaml --out turn.h5 2>&1)
    [[ $text == *"joint 'trunk/section-2' is "*" rad: it passes through itself beyond 6.28 rad"* ]] ||
        { echo "$text" && return 1; }
    with 1 'lithe: 1'
    text=$("$LITHE" run arm.yaml --out plain.h5 2>&1)
    [[ $text != *"warning"* ]] || { echo "$text" && return 1; }
}

# errors of its constraint are compared with the size of the arm, which is that of its line
a_weld_of_the_tip_to_the_world_is_not_warned_of() {
    local text
    with 2 'time: {step: 1 ms, end: 50 ms}'
    printf 'constraints:\n  hold: {kind: weld, a: trunk/tip, b: world}\n' >>arm.yaml
    text=$("$LITHE" run arm.yaml --out weld.h5 2>&1)
    [[ $text != *"warning"* && $text != *inf* ]] || { echo "$text" && return 1; }
}

for test in check_prints_pressures_as_pressures an_arm_without_sections_is_refused a_radius_of_zero_is_refused a_negative_stiffness_is_refused \
    chambers_that_do_not_span_are_refused fewer_than_three_directions_of_friction_are_refused \
    a_start_that_leaves_no_length_is_refused an_arm_inside_a_box_is_warned_of \
    shapes_that_no_arm_can_have_are_warned_of a_weld_of_the_tip_to_the_world_is_not_warned_of; do
    claim "$test" "$test"
done
finish
