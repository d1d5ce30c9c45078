#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_goals.sh - goals of a scene: in the summary, after a resume, in studies; refused before the run
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# a box falls by 5 mm, and slides by 2 mm under friction: v^2/(2 mu g)
scene() {
    cat <<'YAML'
lithe: 1
time: {step: 1 ms, end: 0.3 s}
materials: {wood: {young: 1 GPa, density: 500 kg/m^3, friction: 0.5}}
bodies:
  floor: {shape: {half-space: {}}, material: wood, fixed: true}
  box: {shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, material: wood, at: [0, 0, 1 cm], velocity: [0.14 m/s, 0, 0]}
goals:
  far: {of: box.position.x, at-least: 1.9 mm, at-most: 2.1 mm}
  flat: {of: box.lowest, take: min, from: 0.1 s, to: 0.2 s, at-least: -0.1 mm}
YAML
    printf '%s\n' "$@"
}
scene >a.yaml
scene '  fast: {of: box.speed, take: at, at: 0.3 s, at-least: 1 m/s}' \
    '  late: {of: box.speed, from: 1 s, at-most: 1 m/s}' \
    'record: {also: [box.speed, box.lowest]}' >b.yaml
sed -i '$a record: {also: [box.lowest]}' a.yaml

says_what_was_reached() {
    "$LITHE" run a.yaml >out || return 1
    grep -q 'goals  *2 of 2 met: success' out && grep -q 'far  *met: 0.0019.* m (at least 0.0019, at most 0.0021)' out
}
says_what_was_missed() {
    "$LITHE" run b.yaml >out || return 1
    grep -q 'goals  *2 of 4 met: failure' out && grep -q 'fast  *not met: .* m/s (at least 1)' out &&
        grep -q 'late  *not met: no frame from 1 s' out
}
has_it_in_json() {
    "$LITHE" run b.yaml --json >out || return 1
    python3 - out <<'PY'
import json, sys
run = json.load(open(sys.argv[1]))
assert run["goals"] == 4 and run["goals_met"] == 2, run
assert run["goal.far.met"] is True and abs(run["goal.far"] - 2e-3) < 1e-4
assert run["goal.late"] is None and run["goal.late.met"] is False
PY
}
is_measured_after_a_resume() {
    # a step a thousand times too short: it is stopped on the way
    "$LITHE" run b.yaml -o d.h5 --set time.step=1us --checkpoint 50ms >/dev/null 2>&1 &
    local run=$!
    for ((i = 0; i < 600; i++)); do
        [[ -s d.h5.checkpoint ]] && break
        sleep 0.1
    done
    kill -INT "$run"
    wait "$run"
    [[ $? == 3 ]] || return 1
    "$LITHE" resume d.h5 --until 60ms >out || return 1
    grep -q 'goals  *[01] of 4 met: failure' out && grep -q 'flat  *not met: no frame from 0.1 s' out
}
measures_them_in_a_study() {
    cat >s.yaml <<'YAML'
lithe: 1
scene: b.yaml
vary: {materials.wood.friction: [0.25, 0.5]}
measure: {success: goals, way: goals.far}
YAML
    "$LITHE" sweep s.yaml --jobs 1 --out s.out >/dev/null || return 1
    head -1 s.out/table.csv | grep -q 'success,way \[m\]' || return 1
    awk -F, 'NR == 2 { near = $3 == 0 && $4 > 3.5e-3 && $4 < 4.5e-3 } NR == 3 { near = near && $3 == 0 && $4 < 2.1e-3 } END { exit !near }' s.out/table.csv || return 1
    sed -i 's/scene: b/scene: a/' s.yaml
    "$LITHE" sweep s.yaml --jobs 1 --out a.out >/dev/null || return 1
    awk -F, 'NR == 2 { good = $3 == 0 } NR == 3 { good = good && $3 == 1 } END { exit !good }' a.out/table.csv
}

allows_rounding() {
    # the value, with bounds that miss it by a tenth and by three times of the slack
    "$LITHE" run a.yaml --json >out || return 1
    python3 - out >>c.yaml <<'PY'
import json, sys
value = json.load(open(sys.argv[1]))["goal.far"]
print(open("a.yaml").read().split("goals:")[0], end="goals:\n")
print(f"  near: {{of: box.position.x, at-least: {value * (1 + 1e-10)!r} m}}")
print(f"  below: {{of: box.position.x, at-most: {value * (1 - 3e-9)!r} m}}")
PY
    "$LITHE" run c.yaml >out || return 1
    grep -q 'near  *met: .*), within rounding' out && grep -q 'below  *not met: .*)$' out || return 1
    "$LITHE" run c.yaml --json | grep -q '"goal.near.slack": *[12]\.[0-9]*e-12'
}

# goal, part of the message: before the run, and by lithe check
refused() {
    local message command
    { sed '/^record/d' a.yaml; echo "  wrong: $1"; echo "record: {also: [box.lowest]}"; } >w.yaml
    # the goals are a section of the file, the last one
    for command in 'run --quiet -o w.h5' check; do
        # shellcheck disable=SC2086 # several words
        if message=$("$LITHE" $command w.yaml 2>&1); then return 1; fi
        [[ $message == "lithe: w.yaml:11:"*"$2"* && ! -e w.h5 ]] || { echo "  $message"; return 1; }
    done
}
finds_all_mistakes() {
    local message
    sed 's/box.lowest, take/bax.lowest, take/; s/box.position.x/box.velocty.x/' a.yaml >w.yaml
    if message=$("$LITHE" check w.yaml 2>&1); then return 1; fi
    echo "  $message"
    [[ $message == *"w.yaml:8:13: goal 'far': of: no quantity 'box.velocty.x': did you mean 'box.position', 'box.orientation' or"* &&
        $message == *"w.yaml:9:14: goal 'flat': of: no quantity 'bax.lowest': did you mean 'box.lowest'"* ]]
}
finds_what_cannot_be_recorded() {
    local message
    sed 's/also: .*/also: [box.lowst]}/' a.yaml >w.yaml
    if message=$("$LITHE" check w.yaml 2>&1); then return 1; fi
    [[ $message == *"w.yaml:11:"*"record: also: 'box.lowst'"*"did you mean 'lowest'"* ]]
}
claim a_run_says_which_goals_it_met says_what_was_reached
claim a_run_says_which_goals_it_missed_and_why says_what_was_missed
claim goals_are_in_the_json_summary has_it_in_json
claim goals_are_measured_after_a_resume is_measured_after_a_resume
claim a_bound_is_met_within_rounding allows_rounding
claim check_finds_all_goals_that_do_not_exist finds_all_mistakes
claim check_finds_quantities_that_cannot_be_recorded finds_what_cannot_be_recorded
claim goals_are_measures_of_a_study measures_them_in_a_study
claim a_goal_needs_a_recorded_quantity refused '{of: box.speed, at-most: 1}' "goal 'wrong'"
claim a_goal_needs_one_series refused '{of: box.position, at-most: 1}' "selects 3 series"
claim a_goal_needs_a_bound refused '{of: box.lowest}' "at-least and at-most are missing"
claim a_bound_has_the_dimension_of_the_quantity refused '{of: box.lowest, at-most: 1 s}' "a bound is a time, 'box.lowest' is in m"
claim bounds_have_the_same_dimension refused '{of: box.lowest, at-least: 1 s, at-most: 1 m}' "at-least is a time"
claim bounds_are_in_order refused '{of: box.lowest, at-least: 2 m, at-most: 1 m}' "at-most is 1, must be >= at-least"
claim times_are_in_order refused '{of: box.lowest, from: 2 s, to: 1 s, at-most: 1 m}' "to is 1 s, must be >= from"
claim at_needs_its_word refused '{of: box.lowest, at: 2 s, at-most: 1 m}' "needs take: at"
claim take_at_needs_its_time refused '{of: box.lowest, take: at, at-most: 1 m}' "take: at needs at"
finish
