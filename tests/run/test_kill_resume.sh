#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/run/test_kill_resume.sh - a run killed at random moments and resumed ends with the same bytes
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

need_command

cd "$scratch" || exit 1
# some thousand steps (hundreds with a sanitizer): about a second, two rods that swing, frames that do not fall on the end
end=$(count 1503 203)
cat >whip.yaml <<YAML
lithe: 1
title: Whip
time: {step: 0.5 ms, end: $end ms}
materials:
  rubber: {young: 1 MPa, poisson: 0.5, density: 1000 kg/m^3, damping: {mass: 0.5 1/s}}
rods:
  whip: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1 m, 0, 0]}}, nodes: 101, clamped: start}
  tail: {material: rubber, section: {circle: {radius: 3 mm}}, shape: {line: {from: [0, 1 m, 0], to: [0, 2 m, 0]}}, nodes: 61, clamped: start}
record: {every: 10 ms, also: [whip.moment, whip.velocity]}
YAML

# the field of a JSON summary
field() {
    sed -n "s/.*\"$1\": *\"\{0,1\}\([^,\"}]*\).*/\1/p"
}

# our own seeded generator: the same times in every run of this test
seed=20260101
random_below() {
    seed=$(((seed * 1103515245 + 12345) % 2147483648))
    random=$((seed / 65536 % $1))
}

# start COMMAND..., kill it after the given number of ms; false when it had finished before
killed_after() {
    local ms=$1 pid
    shift
    "$@" >run.log 2>&1 &
    pid=$!
    sleep "$(printf '%d.%03d' $((ms / 1000)) $((ms % 1000)))"
    kill -9 "$pid" 2>/dev/null
    wait "$pid" 2>/dev/null
    if [[ $? == 137 ]]; then return 0; fi
    # faster than the reference run was: the next one is killed earlier
    wall=$((wall / 2))
    return 1
}

start=${EPOCHREALTIME/./}
reference=$("$LITHE" run whip.yaml --out whole.h5 --json --quiet) || echo "the reference run failed"
wall=$(((${EPOCHREALTIME/./} - start) / 1000))
hash=$(field hash <<<"$reference")

kills_wanted=$(count 20 5)
kills=0

# Kills until the requested number is reached or a run completes; then lets it finish.
one_chain() {
    rm -f run.h5*
    # no later than a third of the run, so that most runs are killed several times
    random_below $((wall / 3 + 20))
    if killed_after "$random" "$LITHE" run whip.yaml --out run.h5 --checkpoint 10ms --json --quiet; then
        kills=$((kills + 1))
    fi
    for _ in 1 2 3 4; do
        [[ -e run.h5.journal ]] || break
        random_below $((wall / 3 + 20))
        if killed_after "$random" "$LITHE" resume run.h5 --checkpoint 10ms --json --quiet; then
            kills=$((kills + 1))
        fi
    done
    # killed before there was a journal: nothing to resume, which is reported
    if [[ ! -e run.h5.journal && ! -e run.h5 ]]; then
        expect 2 'nothing to resume' "$LITHE" resume run.h5 || return 1
        "$LITHE" run whip.yaml --out run.h5 --quiet || return 1
    fi
    local summary
    summary=$("$LITHE" resume run.h5 --json --quiet) || return 1
    if [[ $(field hash <<<"$summary") != "$hash" ]]; then
        echo "  hash $(field hash <<<"$summary"), expected $hash"
        return 1
    fi
    cmp run.h5 whole.h5 || return 1
    # nothing is left beside it
    if [[ $(echo run.h5*) != run.h5 ]]; then
        echo "  left behind: $(echo run.h5*)"
        return 1
    fi
}

all_chains() {
    local chains=0
    while ((kills < kills_wanted)); do
        one_chain || return 1
        if ((++chains > 60)); then
            echo "  only $kills kills in $chains runs"
            return 1
        fi
    done
    echo "  $kills kills in $chains runs"
}

killed_run_recovers() {
    rm -f run.h5*
    killed_after $((wall / 2 + 20)) "$LITHE" run whip.yaml --out run.h5 --quiet
    [[ -e run.h5.journal ]] || return 0
    expect 0 'run.h5 holds' "$LITHE" recover run.h5 || return 1
    "$LITHE" export run.h5 run.csv || return 1
    "$LITHE" resume run.h5 --quiet || return 1
    cmp run.h5 whole.h5
}

stopped_by_ctrl_c_says_how_to_go_on() {
    rm -f run.h5*
    "$LITHE" run whip.yaml --out run.h5 --quiet >run.log 2>&1 &
    local pid=$! code
    sleep "$(printf '%d.%03d' $((wall / 3000)) $((wall / 3 % 1000)))"
    kill -TERM "$pid"
    wait "$pid"
    code=$?
    # on a very busy machine it may have finished, or not yet handled the signal
    if [[ $code == 0 || $code == 143 ]]; then return 0; fi
    if [[ $code != 3 ]] || ! grep -q 'continue with: lithe resume run.h5' run.log; then
        echo "  exit code $code"
        cat run.log
        return 1
    fi
    "$LITHE" resume run.h5 --quiet && cmp run.h5 whole.h5
}

claim reference_run_has_a_hash test -n "$hash"
claim killed_twenty_times_and_resumed_ends_with_the_same_bytes all_chains
claim killed_run_can_be_recovered_and_still_goes_on killed_run_recovers
claim a_stopped_run_says_how_to_go_on_and_does stopped_by_ctrl_c_says_how_to_go_on
finish
