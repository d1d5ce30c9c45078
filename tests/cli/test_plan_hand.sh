#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_plan_hand.sh - two fingers turn a box: plan, playback, refusals by name
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

scene=$root/scenes/plan-hand.yaml

a_hand_turns_a_box_in_the_plan_and_in_the_simulation() {
    "$LITHE" plan "$scene" --play convex --json -o hand.h5 >hand.json || return 1
    python3 - <<'PY'
import csv, json, math
r = json.load(open("hand.json"))
assert r["converged"] and r["products"] <= 1.02e-6 and r["residual"] <= 1e-8, r
for prefix in ("", "played_convex_"):
    assert r[prefix + "place"] < 5e-3 and r[prefix + "angle"] < math.radians(2), r
rows = list(csv.DictReader(open("hand.csv")))
assert len(rows) == 50 and abs(float(rows[-1]["angle [deg]"]) + 90) < 2, rows[-1]
# the weight is carried, and a tip has pushed
assert max(float(row["left-normal [N]"]) for row in rows) > 0.1, rows
last = rows[-1]
carried = sum(float(last[f"corner-{i}-normal [N]"]) for i in range(1, 5))
assert carried > 1, last
PY
    # the recording has the forces of the plan
    "$LITHE" export hand.h5 hand-out.csv >/dev/null || return 1
    python3 - <<'PY' || return 1
import csv, math
plan, frames = list(csv.DictReader(open("hand.csv"))), list(csv.DictReader(open("hand-out.csv")))[1:]
for step, frame in zip(plan, frames, strict=True):
    for name, body in (("left", "left-lower"), ("right", "right-lower")):
        normal = float(step[f"{name}-normal [N]"])
        force = math.hypot(normal, float(step[f"{name}-friction [N]"])) if normal > 1e-3 else 0
        assert abs(float(frame[f"|{body}.contact| [N]"]) - force) <= 1e-6 * (1 + force), (step, frame)
# the forces on the box are those of its motion (0.2 kg, steps of 40 ms); below 1 mN they are left out
h, mass = 0.04, 0.2
at = [(float(step["x [m]"]), float(step["z [m]"])) for step in plan]
for k in range(2, len(plan)):
    x, z = ((at[k][i] - 2 * at[k - 1][i] + at[k - 2][i]) / h**2 for i in (0, 1))
    force = mass * math.hypot(x, z + 9.81)
    assert abs(float(frames[k]["|crate.contact| [N]"]) - force) < 1e-2, (k, force, frames[k])
PY
    "$LITHE" export hand.h5 hand.png && test -s hand.png
}

a_playback_that_loses_the_box_is_warned_of() {
    local set=() name
    for name in left-1 left-2 right-1 right-2; do
        set+=(--set "actuators.$name.kind=force" --set "actuators.$name.stiffness=0"
            --set "actuators.$name.damping=0")
    done
    local text code=0
    text=$("$LITHE" plan "$scene" "${set[@]}" --set plan.steps=25 --play convex --json -o lost.h5 2>&1) || code=$?
    printf '%s\n' "$text"
    [[ $code == 1 && $text == *'"played_convex_follows": false'* && $text == *'warning: '*'the playback with convex ends '*'from the target'* ]]
}

bad_hands_are_refused_by_name() {
    local plan=("$LITHE" plan "$scene")
    expect 2 "plan.hand.left: body 'crate' must be the second link" \
        "${plan[@]}" --set plan.hand.left=crate || return 1
    expect 2 "plan.hand.box: body 'palm' must have one shape that touches, a box" \
        "${plan[@]}" --set plan.hand.box=palm || return 1
    expect 2 'the box turns in the plane of the fingers: the axis must be (0, -1, 0), or opposite to it' \
        "${plan[@]}" --set 'plan.target={axis: [1, 0, 0], angle: 90 deg}' || return 1
    expect 2 'the first lower corner overlaps the ground by 0.01 m' \
        "${plan[@]}" --set 'joints.slide.at=[-5 cm, 0, 4 cm]' --set 'bodies.crate.at=[-5 cm, 0, 4 cm]' || return 1
    expect 2 'the left tip overlaps the box by ' \
        "${plan[@]}" --set 'joints.left-knuckle.position=-30 deg' || return 1
    expect 2 'hand.bounds.force is -1 N, must be > 0' \
        "${plan[@]}" --set 'plan.hand.bounds.force=-1 N' || return 1
    expect 2 'there is no gravity' "${plan[@]}" --set 'gravity=[0, 0, 0]' || return 1
    expect 2 'plan.hand.at: the box would be 0.02 m below the ground at the end' \
        "${plan[@]}" --set 'plan.hand.at=[5 cm, 0, 3 cm]' || return 1
    expect 0 'the plan is coarse, more plan.steps are needed' "${plan[@]}" --set plan.steps=2 -o coarse.h5 || return 1
    expect 2 "hand.left and hand.right are the same body, 'left-lower'" \
        "${plan[@]}" --set plan.hand.right=left-lower || return 1
    expect 2 'plan.hand.at: is 0.03 m beside the plane in which the centre of the box slides' \
        "${plan[@]}" --set 'plan.hand.at=[5 cm, 3 cm, 5 cm]' || return 1
    expect 3 'a plan takes the shorter way to this orientation, 90 degrees about the opposite axis' \
        "${plan[@]}" --set 'plan.target={axis: [0, 1, 0], angle: 270 deg}' --max-time 0.01s -o way.h5 || return 1
    expect 2 "plan.rounding is 0.007 m, must be at most 0.006 m, half of the least of the tips' radii" \
        "${plan[@]}" --set plan.rounding=7mm || return 1
    expect 2 'are for arms, not for hands' "${plan[@]}" --play convex --replan 20
}

study "A hand turns a box in the plan and in the simulation" a_hand_turns_a_box_in_the_plan_and_in_the_simulation
claim "A playback that loses the box is warned of" a_playback_that_loses_the_box_is_warned_of
# They are for arms.
settings_that_do_nothing_are_warned_of() {
    local text set=(--set plan.steps=3 --max-time 1s -o idle.h5)
    text=$("$LITHE" plan "$scene" "${set[@]}" --set plan.press=1N --set plan.cost.error=3 --set plan.end=exact \
        --set 'plan.epsilon=[1e-2, 1e-3, 1e-6]' 2>&1)
    printf '%s\n' "$text"
    [[ $(grep -c 'does nothing in a plan of a hand' <<<"$text") == 3 ]] &&
        [[ $text == *'warning: --set plan.press: plan.press does nothing in a plan of a hand'* ]] &&
        [[ $text == *'plan.cost does nothing in a plan of a hand: see plan.hand'* ]] &&
        [[ $text == *'plan.end does nothing in a plan of a hand'* ]] &&
        [[ $text == *'plan.epsilon has 3 numbers: a plan of a hand is one solve'* ]] || return 1
    text=$("$LITHE" plan "$scene" "${set[@]}" 2>&1)
    printf '%s\n' "$text"
    [[ $text != *'does nothing'* && $text != *'plan.epsilon'* ]]
}

claim "Settings that do nothing are warned of" settings_that_do_nothing_are_warned_of
claim "Bad hands are refused by name" bad_hands_are_refused_by_name
finish
