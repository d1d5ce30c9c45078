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

claim seconds_of_every_part_and_their_total_are_listed times_are_listed
claim a_failed_part_fails_the_check expect 1 '6 passed, 1 failed' bash "$scratch/own.sh" "$scratch/frame.sh" bad
claim a_part_that_hangs_is_stopped_and_fails expect 1 'time limit of a stage, 2 s' \
    env LITHE_STAGE_LIMIT=2 bash "$scratch/own.sh" "$scratch/frame.sh" hung
finish
