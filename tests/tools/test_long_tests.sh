#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_long_tests.sh - long tests run to their end, under a sanitizer only for a second
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >studies.c <<'TEXT'
#include "test.h"
#include <time.h>

// s of processor time
static void work_for(double seconds) {
    clock_t start = clock();
    while ((double)(clock() - start) < seconds * CLOCKS_PER_SEC)
        ;
}

TEST(short_one) {
    CHECK(true);
}

LONG_TEST(long_one) {
    work_for(1.5);
    CHECK(getenv("GOOD"));
}

LONG_TEST(soon_wrong) {
    CHECK(getenv("GOOD"));
}

LONG_TEST(beyond_the_end) {
    volatile char *text = malloc(4);
    text[getenv("GOOD") ? 3 : 4] = 1;
    free((void *)text);
}
TEXT
compile() {
    gcc -std=gnu17 -O1 -w -DTEST_LONG_SECONDS=1 "-I$root/tests" "$@" studies.c -lm
}

# the sanitizers of gcc 12 fail with strongly randomised addresses: switch that off if allowed
prefix=()
if setarch "$(uname -m)" -R true 2>/dev/null; then prefix=(setarch "$(uname -m)" -R); fi

a_plain_build_runs_long_tests_to_their_end() {
    compile -o plain && expect 1 'FAILED long_one' ./plain long_one
}

a_sanitizer_cuts_them_names_them_and_sees_what_came_before() {
    local kind=$1
    compile "-fsanitize=$kind" -o cut && GOOD=1 expect 0 'skipped the rest of long_one' "${prefix[@]}" ./cut &&
        expect 1 'FAILED soon_wrong' "${prefix[@]}" ./cut soon_wrong
}

the_address_sanitizer_cuts_them_and_sees_what_came_before() {
    a_sanitizer_cuts_them_names_them_and_sees_what_came_before address &&
        expect 1 'FAILED beyond_the_end' "${prefix[@]}" ./cut beyond
}

the_environment_picks_tests_by_name() {
    LITHE_TESTS=short expect 0 '1 passed, 0 failed' ./plain
}

claim a_plain_build_runs_long_tests_to_their_end a_plain_build_runs_long_tests_to_their_end
claim the_address_sanitizer_cuts_long_tests the_address_sanitizer_cuts_them_and_sees_what_came_before
claim the_thread_sanitizer_cuts_long_tests a_sanitizer_cuts_them_names_them_and_sees_what_came_before thread
claim the_environment_picks_tests_by_name the_environment_picks_tests_by_name
finish
