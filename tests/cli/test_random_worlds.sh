#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_random_worlds.sh - random worlds of all kinds that stop leave what repeats their stop
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# a rope of the world of seed 253 cannot be met; its scene file names command and end, and runs to the same one
a_world_that_stops_leaves_a_file_that_stops_alike() {
    local file=w/worlds/mixed-253.yaml code=0 why
    "$LITHE" validate worlds_mixed --seeds 253-253 --out w >report 2>&1
    grep -q "lithe run $file" report && grep -q 'lithe run THIS-FILE' $file || { cat report && return 1; }
    why=$(sed -n 's/^# stopped.* after [0-9]* steps: //p' $file)
    "$LITHE" run $file -q -o stop.h5 2>text || code=$?
    cat text
    [[ -n $why && $code == 3 ]] && grep -qF "$why" text
}

# the world of seed 336 runs for minutes; its process gets a signal
tally_of_signal() {
    local child='' k
    "$LITHE" validate worlds_mixed --seeds 336-336 --out s >"tally$1" 2>&1 &
    for ((k = 0; k < 600; k++)); do
        child=$(pgrep -P $! | head -1)
        [[ -n $child ]] && break
        sleep 0.05
    done
    sleep 0.3
    kill "-$1" "$child"
    wait $!
    cat "tally$1"
}

a_world_that_crashes_is_not_one_that_takes_too_long() {
    tally_of_signal ABRT
    tally_of_signal XCPU
    grep -q '^ *crashes  *1 .*FAIL' tallyABRT && grep -q '^ *took_too_long  *0 .*pass' tallyABRT &&
        grep -q 'crashed after .* signal 6 (Aborted)' tallyABRT &&
        grep -q '^ *crashes  *0 .*pass' tallyXCPU && grep -q '^ *took_too_long  *1 .*FAIL' tallyXCPU &&
        grep -q 'took too long after .* more than 300 s of the processor' tallyXCPU
}

claim a_world_that_crashes_is_not_one_that_takes_too_long a_world_that_crashes_is_not_one_that_takes_too_long
claim a_world_that_stops_leaves_a_file_that_stops_alike a_world_that_stops_leaves_a_file_that_stops_alike
finish
