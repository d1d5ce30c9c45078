#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_compare_states.sh - tools/compare-states finds one bit that differs
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
build=$(dirname "$LITHE")
compare="$root/tools/compare-states --seconds 0.05"

# a build whose steps are the same except for the last bit of one number, at the ends of steps, from step 3 on
changed=$scratch/changed
mkdir -p "$changed"
cp "$build/CMakeCache.txt" "$changed"
for library in liblithe.a liblithe-plan.a; do ln -s "$(realpath "$build/$library")" "$changed/$library"; done
cat >"$scratch/wrap.c" <<'TEXT'
#include "lithe/lithe.h"
#include <math.h>
LitheStatus __real_lithe_step(const LitheModel *, LitheState *, LitheWork *, LitheReport *, LitheError *);
LitheStatus __wrap_lithe_step(const LitheModel *m, LitheState *s, LitheWork *w, LitheReport *r, LitheError *e) {
    LitheStatus status = __real_lithe_step(m, s, w, r, e);
    double *v = lithe_rod_v_writable(m, s, (LitheRodId){1});
    if (lithe_state_step(s) >= 3)
        v[42] = nextafter(v[42], INFINITY);
    return status;
}
TEXT
gcc -I"$root/include" -c "$scratch/wrap.c" -o "$scratch/wrap.o" || exit 1
sed "s|^  LINK_LIBRARIES = |&-Wl,--wrap=lithe_step $scratch/wrap.o |" "$build/build.ninja" >"$changed/build.ninja"

# the programs are linked once for several claims
same_build_is_the_same() {
    # shellcheck disable=SC2086 # a command and its options
    $compare --case own --case midpoint --case static --case adaptive --case imc "$build" "$build" \
        scenes/pendulum scenes/tumbling >"$scratch/same.txt" 2>&1 ||
        { cat "$scratch/same.txt" && return 1; }
}
# says PART: of the table of the same build
says() {
    grep -F -- "$1" "$scratch/same.txt" || { cat "$scratch/same.txt" && return 1; }
}
claim a_build_is_the_same_as_itself same_build_is_the_same
claim what_happened_in_the_steps_is_counted says pieces
claim what_both_refuse_is_no_difference says "9 same, 0 different, 1 refused"

# shellcheck disable=SC2086 # a command and its options
{
    claim one_bit_of_one_step_is_found expect 1 "first at step 3" $compare --case own "$build" "$changed" scenes/pendulum
    claim one_step_from_the_same_states_shows_the_size_of_a_difference expect 0 'states  at most ' \
        $compare --single 1e-9 --case own "$build" "$changed" scenes/pendulum
    claim a_larger_difference_fails expect 1 'DIFFERS: ' $compare --single 1e-20 --case own "$build" "$changed" scenes/pendulum
    claim the_same_build_has_no_difference expect 0 'states  same' $compare --single 0 --case own "$build" "$build" scenes/pendulum
    claim nothing_compared_is_no_success expect 1 "0 same, 0 different, 1 refused" \
        $compare --case imc "$build" "$build" scenes/tumbling
    claim a_folder_without_a_build_is_named expect 2 "no build.ninja" $compare "$scratch" "$build" scenes/tumbling
}
finish
