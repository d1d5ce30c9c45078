#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_validate.sh - the validation suite: every quantity of every case is one claim
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

json=$scratch/quantities.json
report=$scratch/report

# with a sanitizer, which is ten times slower: a few cases, one of each kind
chosen=()
if [[ $LITHE == */sanitize/* || $LITHE == */asan/* || $LITHE == */ubsan/* || $LITHE == */tsan/* ]]; then
    chosen=(rod_rollup rod_catenary free_rod_momentum dzhanibekov slide_stop rolling_incline)
fi

# the cases that run unless others are named
names() {
    if ((${#chosen[@]} > 0)); then
        printf '%s\n' "${chosen[@]}"
    else
        "$LITHE" validate --list | awk '!/\[slow/ { print $1 }'
    fi
}

passes() {
    if [[ $1 == *'"passed": true'* ]]; then return 0; fi
    echo "$1"
    return 1
}

every_case_speaks() {
    local name
    for name in $(names); do
        if ! grep -q "\"case\": \"$name\"" "$json"; then
            echo "no line from $name"
            return 1
        fi
    done
}

# programs rely on the fields of a line
lines_are_complete() {
    awk '{ for (k = 1; k <= n; k++) if (index($0, "\"" key[k] "\": ") == 0) { print; bad = 1 } }
         BEGIN { n = split("case quantity measured reference tolerance passed seconds", key, " ") }
         END { exit bad || NR == 0 }' "$json"
}

report_has_every_plot() {
    local name
    for name in $(names); do
        if ! grep -q "$name.svg" "$report"-*/index.html || ! test -s "$report"-*/"$name.svg"; then
            echo "$name is missing"
            return 1
        fi
    done
}

exit_code_is_0() {
    [[ $code == 0 ]] || {
        echo "exit code $code"
        return 1
    }
}

# the cases, every other one in a process of its own: together they take longer than any other test
code=0
mapfile -t even < <(names | awk 'NR % 2 == 0')
mapfile -t odd < <(names | awk 'NR % 2 == 1')
"$LITHE" validate "${even[@]}" --json --out "$report-even" >"$scratch/even.json" &
"$LITHE" validate "${odd[@]}" --json --out "$report-odd" >"$scratch/odd.json" || code=$?
wait $! || code=$?
cat "$scratch/odd.json" "$scratch/even.json" >"$json"
while IFS= read -r line; do
    claim "$(sed 's/"measured.*//' <<<"$line")" passes "$line"
done <"$json"
claim every_case_gives_quantities every_case_speaks
claim json_lines_are_complete lines_are_complete
claim report_shows_a_plot_of_every_case report_has_every_plot
claim exit_code_is_0_when_all_pass exit_code_is_0
claim unknown_case_is_refused_with_a_suggestion \
    expect 2 "did you mean 'rod_rollup'?" "$LITHE" validate rod_rolup
claim an_experiment_that_is_not_there_says_so \
    expect 2 "R1, a ring on an inclined bar, is not in this version" "$LITHE" validate R1
claim experiments_are_known_in_any_case \
    expect 2 "R5, a net with tethers, is not in this version" "$LITHE" validate r5
claim unknown_option_is_refused expect 2 "unrecognized option '--nope'" "$LITHE" validate --nope
claim folder_that_cannot_be_made_is_named \
    expect 2 '/dev/null/x: cannot create this folder' "$LITHE" validate rod_catenary --out /dev/null/x
finish
