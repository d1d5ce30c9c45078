#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_compare_recordings.sh - two recordings in numbers, and in one chart
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

# a crate under a push of known size: x = F t^2 / 2 m, exactly under backward Euler up to F t h / 2 m
cat >push.yaml <<'TEXT'
lithe: 1
title: A crate is pushed
parameters: {push: 1 N}
time: {step: 1 ms, end: 40 ms, scheme: backward-euler}
gravity: none
materials: {water: {young: 1 MPa, density: 1000 kg/m^3}}
bodies:
  crate: {shape: {box: {size: [10 cm, 10 cm, 5 cm]}}, material: water}
forces:
  hand: {on: crate, force: [push, 0, 0]}
record: {every: 10 ms, also: [crate.velocity]}
TEXT
for push in 1 2; do "$LITHE" run push.yaml -q --set parameters.push=${push}N -o p$push.h5 || exit 1; done
"$LITHE" run push.yaml -q --set record.every=4ms -o often.h5 || exit 1
"$LITHE" run push.yaml -q --until 20ms -o short.h5 || exit 1

differences_have_their_size_time_and_place() {
    "$LITHE" compare p1.h5 p2.h5 --json >all.json || return 1
    python3 - <<'PY'
import json, math
rows = {r["quantity"]: r for r in map(json.loads, open("all.json"))}
v, x = rows["crate.velocity"], rows["crate.position"]
assert abs(v["largest"] - 0.08) < 1e-9 and v["time"] == 0.04 and v["place"] == "crate.velocity.x", v
assert abs(v["relative"] - 0.5) < 1e-9 and abs(v["scale"] - 0.16) < 1e-9, v
# frames at 0, 10, .. 40 ms, three components
assert abs(v["rms"] - 0.02 * math.sqrt((1 + 4 + 9 + 16) / 15)) < 1e-9, v
assert abs(x["largest"] - (0.04**2 + 0.04 * 0.001)) < 1e-9 and x["unit"] == "m", x
assert rows["crate.orientation"]["largest"] == 0 and not any(q.startswith("report.") for q in rows), list(rows)
PY
}

the_table_begins_with_what_differs_most() {
    "$LITHE" compare p1.h5 p2.h5 >table.txt || return 1
    grep -q '^compared 5 moments to 0.04 s' table.txt && grep -q 'crate.velocity  .* 0.08 .*m/s' table.txt &&
        ! grep -q 'crate.orientation' table.txt && "$LITHE" compare p1.h5 p2.h5 --all | grep -q 'crate.orientation'
}

a_tolerance_decides() {
    expect 0 '' "$LITHE" compare p1.h5 p1.h5 --tolerance 0 -q &&
        expect 1 'the most: crate.velocity.x by 0.08 m/s (0.5 of its largest value) at 0.04 s' \
            "$LITHE" compare p1.h5 p2.h5 crate.velocity --tolerance 0.49 -q &&
        expect 0 '' "$LITHE" compare p1.h5 p2.h5 crate.velocity --tolerance 0.51 -q &&
        expect 0 '' "$LITHE" compare p1.h5 p2.h5 crate.velocity.y --tolerance 0 -q &&
        expect 2 "--tolerance is '-1'" "$LITHE" compare p1.h5 p2.h5 --tolerance=-1
}

only_common_moments_are_compared() {
    expect 0 'compared 3 moments to 0.04 s' "$LITHE" compare p1.h5 often.h5 --tolerance 1e-12 &&
        expect 1 'end at different times: compared up to 0.02 s' "$LITHE" compare p1.h5 short.h5 --tolerance 1
}

what_one_of_them_lacks_is_named() {
    "$LITHE" run push.yaml -q --set 'record.also=[]' -o less.h5 || return 1
    expect 1 '1 quantities could not be compared; the first: crate.velocity' "$LITHE" compare p1.h5 less.h5 --tolerance 1 &&
        expect 0 'only in the second recording' "$LITHE" compare less.h5 p1.h5
}

wrong_arguments_are_explained() {
    expect 2 "one recording is given, 'p1.h5'" "$LITHE" compare p1.h5 &&
        expect 2 "'often.h5' is a third" "$LITHE" compare p1.h5 p2.h5 often.h5 &&
        expect 2 "did you mean 'crate.velocity'" "$LITHE" compare p1.h5 p2.h5 crate.velocty &&
        expect 2 'none.h5' "$LITHE" compare p1.h5 none.h5
}

curves_of_several_recordings_share_a_chart() {
    "$LITHE" plot p1.h5 p2.h5 crate.velocity energy.kinetic -o both.svg || return 1
    grep -q '>|crate.velocity|, p1.h5<' both.svg && grep -q '>|crate.velocity|, p2.h5<' both.svg || return 1
    # charts below each other have the same sides
    [[ $(grep -o '<clipPath id="frame[0-9]*"><rect x="[0-9.]*" y="[0-9.]*" width="[0-9.]*"' both.svg |
        sed 's/.*rect //; s/y="[^"]*"//' | sort -u | wc -l) == 1 && $(grep -c clipPath both.svg) == 2 ]] ||
        { grep clipPath both.svg && return 1; }
    expect 2 "'p2.h5' is a second file" "$LITHE" plot p1.h5 p2.h5 --list
}

for test in differences_have_their_size_time_and_place the_table_begins_with_what_differs_most \
    a_tolerance_decides only_common_moments_are_compared what_one_of_them_lacks_is_named \
    wrong_arguments_are_explained curves_of_several_recordings_share_a_chart; do
    claim "$test" "$test"
done
finish
