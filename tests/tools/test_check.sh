#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_check.sh - what tools/check prints of its stages
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# the functions of tools/check that run stages, with stages of this test
sed -n '/^began=/,/^# --- what the stages do/p' "$root/tools/check" >"$scratch/frame.sh"
cat >"$scratch/own.sh" <<'TEXT'
set -euo pipefail
source "$1"
some() { echo '5 passed, 0 failed'; }
stage 'a short part' true || true
stage 'a part that counts' some || true
if [[ $2 == bad ]]; then stage 'a bad part' false || true; fi
hang() { sleep 600 & wait; }
if [[ $2 == hung ]]; then stage 'a part that hangs' hang || true; fi
leave() { sleep 600 & echo $! >"$left"; }
if [[ $2 == left ]]; then stage 'a part that leaves a program' leave || true; fi
finish
TEXT

# the last lines: one per part with its seconds, their total, the counts
times_are_listed() {
    local output
    output=$(bash "$scratch/own.sh" "$scratch/frame.sh" good) || return 1
    grep -qE '^ +[0-9]+\.[0-9] +a short part$' <<<"$output" &&
        grep -qE '^ +[0-9]+\.[0-9] +a part that counts$' <<<"$output" &&
        tail -n 2 <<<"$output" | head -n 1 | grep -qE '^ +[0-9]+\.[0-9] +total$' &&
        [[ $(tail -n 1 <<<"$output") == '6 passed, 0 failed' ]]
}

# what a part left running ends with the part; a zombie has ended
nothing_is_left() {
    local pid state i
    left=$scratch/left expect 0 '7 passed, 0 failed' bash "$scratch/own.sh" "$scratch/frame.sh" left || return 1
    pid=$(<"$scratch/left")
    for i in {1..6000}; do
        state=$(sed 's/.*) \(.\) .*/\1/' "/proc/$pid/stat" 2>/dev/null)
        [[ -z $state || $state == [ZX] ]] && return 0
        sleep 0.02
    done
    echo "  process $pid is still there: $state"
    return 1
}

claim seconds_of_every_part_and_their_total_are_listed times_are_listed
claim a_failed_part_fails_the_check expect 1 '6 passed, 1 failed' bash "$scratch/own.sh" "$scratch/frame.sh" bad
claim a_part_that_hangs_is_stopped_and_fails expect 1 'time limit of a stage, 2 s' \
    env LITHE_STAGE_LIMIT=2 bash "$scratch/own.sh" "$scratch/frame.sh" hung
claim what_a_part_left_running_is_ended nothing_is_left
finish
