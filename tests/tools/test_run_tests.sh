#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_run_tests.sh - tools/run-tests counts every way in which a program can fail
# shellcheck source=tests/test.sh disable=SC2317,SC2016
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a program of this name and text
program() {
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$scratch/$1"
    chmod +x "$scratch/$1"
}
program good 'echo "3 passed, 0 failed"'
program bad 'echo "FAILED water_flows_uphill"; echo "2 passed, 1 failed"; exit 1'
program crash 'echo "5 passed, 0 failed"; kill -SEGV $$'
program mute 'exit 0'
program idle 'echo "0 passed, 0 failed"'
program skip 'echo "skipped: no such thing here"; echo "0 passed, 0 failed"'
program slow 'sleep 20; echo "1 passed, 0 failed"'
program leak 'echo "1 passed, 0 failed"; echo "2 passed, 0 failed"; echo "leak report"; exit 23'
program litter 'touch "$TMPDIR/x"; [[ $(ls "$TMPDIR") == x ]] && echo "1 passed, 0 failed"'

sum() {
    local want=$1 code=$2
    shift 2
    expect "$code" "$want" "$root/tools/run-tests" "${@/#/$scratch/}"
}
limited() {
    expect 1 "time limit" "$root/tools/run-tests" --limit 1 "$scratch/slow"
}
claim counts_are_added sum "4 passed, 0 failed" 0 good litter
claim a_failed_test_fails_and_is_shown sum "water_flows_uphill" 1 good bad
claim passed_and_failed_are_both_added sum "5 passed, 1 failed" 1 good bad
claim a_crash_after_the_count_fails sum "5 passed, 1 failed" 1 crash
claim an_error_after_the_count_fails sum "2 passed, 1 failed" 1 leak
claim silence_fails sum "0 passed, 1 failed" 1 mute
claim no_tests_fail sum "ran no test" 1 idle
claim a_skip_is_shown_and_does_not_fail sum "skipped: no such thing" 0 good skip
claim a_missing_program_fails sum "0 passed, 1 failed" 1 nowhere
claim a_hanging_program_is_stopped limited
finish
