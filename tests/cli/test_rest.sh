#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_rest.sh - how deep things rest: check, warnings of a run, contacts of a summary
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >heavy.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.4 s}
materials:
  steel: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}
bodies:
  floor: {fixed: true, material: steel, shape: {half-space: {}}}
  ball: {material: steel, shape: {sphere: {radius: 25 cm}}, at: [0, 0, 0.2501]}
rods:
  bar: {material: steel, section: {circle: {radius: 1 cm}}, shape: {line: {from: [1, 0, 0.0101], to: [2, 0, 0.0101]}}, nodes: 11}
TEXT

check_prints_how_deep_things_rest_and_warns_where_that_is_not_small() {
    local text part
    text=$("$LITHE" check heavy.yaml 2>&1) || return 1
    for part in "'ball' 183.5 nm deep on 'floor' (1 contact of 2.75e+10 N/m)" "'bar' " "(11 contacts of"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    [[ $text != *warning* ]] || { echo "$text" && return 1; }
    text=$("$LITHE" check heavy.yaml --set materials.steel.contact.stiffness=1e5 2>&1 >/dev/null) || return 1
    [[ $text == *"warning: 'ball' will rest 100.8 mm deep on 'floor', 20 % of its thickness (small is below 1 %)"* ]] ||
        { echo "$text" && return 1; }
}

a_run_warns_of_an_overlap_that_is_not_small() {
    local text
    text=$("$LITHE" run heavy.yaml -o a.h5 2>&1 >/dev/null) && [[ -z $text ]] || { echo "$text" && return 1; }
    text=$("$LITHE" run heavy.yaml -o b.h5 --set materials.steel.contact.stiffness=1e5 2>&1 >/dev/null) || return 1
    [[ $text == *"'floor' and 'ball' overlap by "*"% of the smaller half thickness (small is below 20 %)"* ||
        $text == *"'ball' and 'floor' overlap by "*"% of the smaller half thickness (small is below 20 %)"* ]] ||
        { echo "$text" && return 1; }
    [[ $(grep -c "overlap by" <<<"$text") == 1 ]] || { echo "$text" && return 1; }
}

a_summary_names_what_it_counts() {
    local text part
    text=$("$LITHE" run heavy.yaml -o c.h5) || return 1
    for part in "those within reach included" "energy drift " " of the largest energy: "; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    [[ $text != *"Newton 0.00"* && $text != *waiting* ]] || { echo "$text" && return 1; }
}

for test in check_prints_how_deep_things_rest_and_warns_where_that_is_not_small \
    a_run_warns_of_an_overlap_that_is_not_small a_summary_names_what_it_counts; do
    claim "$test" "$test"
done
finish
