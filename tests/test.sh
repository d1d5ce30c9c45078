# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# tests/test.sh - the shell side of the test framework: claim NAME FUNCTION, then finish
#
# A test is a function that returns 0 when its claim holds; what it prints is shown when it does
# not. root is the source tree, scratch a folder of this program's own. LITHE names the command.
set -uo pipefail
export LC_ALL=C.UTF-8 # numbers with a point, messages of programs in English
# the tests may run in a job of a cluster, but are no ranks of it
unset OMPI_COMM_WORLD_RANK OMPI_COMM_WORLD_SIZE PMI_RANK PMI_SIZE SLURM_PROCID SLURM_STEP_NUM_TASKS SLURM_ARRAY_TASK_ID

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LITHE=${LITHE-$root/build/lithe}
passed=0 failed=0

# LITHE_TEST_TIMES in the environment prints the processor time of every test
claim() {
    local name=$1 output
    shift
    times >"$scratch/.began"
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
    else
        printf 'FAILED %s\n%s\n' "$name" "$output"
        failed=$((failed + 1))
    fi
    if [[ -n ${LITHE_TEST_TIMES-} ]]; then
        times >"$scratch/.ended"
        awk -v n="$name" '{ for (i = 1; i <= 2; i++) { split($i, t, /[ms]/)
                s += (FILENAME ~ /ended/ ? 1 : -1) * (60 * t[1] + t[2]) } }
            END { printf "%8.3f s %s\n", s, n }' "$scratch/.began" "$scratch/.ended"
    fi
}

# study NAME FUNCTION: a claim about the numbers of a long simulation. Under a sanitizer, which is ten
# times slower, it is left out: other tests run the same code.
study() {
    if [[ $(count all none) == all ]]; then claim "$@"; else echo "skipped $1: long under a sanitizer"; fi
}

# exit code and a piece of the output: expect 2 'unknown argument' COMMAND...
expect() {
    local code=$1 part=$2 output got=0
    shift 2
    output=$("$@" 2>&1) || got=$?
    if [[ $got == "$code" && $output == *"$part"* ]]; then return 0; fi
    printf '  %s: exit code %d, expected %d with "%s"\n%s\n' "$*" "$got" "$code" "$part" "$output"
    return 1
}

# Ends the program here where the command has not been built.
need_command() {
    [[ -x $LITHE ]] && return
    echo "skipped: no command at $LITHE"
    finish
    exit
}

# goes_on SCENE OPTION ...: exports a run that was stopped and resumed, and one that was not, with these options
# to part.csv and whole.csv, which have to be equal
goes_on() {
    local scene=$1 run pid i end
    shift
    "$LITHE" run "$scene" --json --out part.h5 --until 100s >stop.json 2>/dev/null &
    pid=$!
    for i in {1..3000}; do
        [[ -e part.h5.journal && $(stat -c %s part.h5.journal) -gt 100000 ]] && break
        sleep 0.02
    done
    kill -INT "$pid"
    wait "$pid"
    end=$(python3 -c 'import json; print(round(json.load(open("stop.json"))["sim_seconds"] + 0.02, 3), "s")') &&
        "$LITHE" run "$scene" -q --out whole.h5 --until "$end" && "$LITHE" resume part.h5 -q --until "$end" || return 1
    for run in whole part; do
        "$LITHE" export "$run.h5" "$run.csv" "$@" || return 1
    done
    cmp whole.csv part.csv
}

# count ALL SOME: a number of repetitions: ALL, or SOME with a sanitizer, which is ten times slower
count() {
    if [[ $LITHE == */sanitize/* || $LITHE == */asan/* || $LITHE == */ubsan/* || $LITHE == */tsan/* ]]; then
        echo "$2"
    else
        echo "$1"
    fi
}

finish() {
    echo "$passed passed, $failed failed"
    ((failed == 0))
}
