#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_structure.sh - tools/structure counts what spreads over the code, against bounds
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a tree with some of everything
tree=$scratch/tree
mkdir -p "$tree"/{tools,src/{advance,solve,law}}
cat >"$tree/src/advance/a.h" <<'TEXT'
#include "solve/b.h"
typedef struct LitheInner {
    int32_t *list;
    int32_t list_capacity, count;
} LitheInner;
struct LitheSystem {
    // int32_t gone;
    LitheInner inner;
    LitheInner *other;
    double *A, *B; /* double *C; */
    void (*watch)(int a, int b);
};
struct LitheWork {
    bool held, slow;
    double *block;
    double margin; // of a search
    int32_t (*count)(void);
    LitheInner inner;
};
TEXT
cat >"$tree/src/solve/b.h" <<'TEXT'
#include "advance/a.h"
#define LIMIT 12
#define NAME other
typedef double Four __attribute__((vector_size(32)));
TEXT
cat >"$tree/src/solve/b.c" <<'TEXT'
#include "b.h"
// model->solids, LITHE_CONSTRAINT_WELD
int sum(int a)
{
    if (a == LITHE_UNIT_ROD || a != LITHE_THING_SOLID)
        return model->solids[0].count;
    return strlen("model->particles") + LITHE_CONSTRAINT_WELD;
}

static void g(const void *a, // (V28)
              int b) {
    switch (b) {
    case LITHE_PART_EDGE: break;
    }
}
TEXT

is() {
    [[ $("$root/tools/structure" "$tree" | awk -v n="$1" '$1 == n { print $2 }') == "$2" ]] ||
        { "$root/tools/structure" "$tree" && return 1; }
}

# a bound of one figure; the others as they are
bounded() {
    "$root/tools/structure" "$tree" | awk -v name="$1" -v bound="$2" '
        $1 !~ /^lines-of-src/ { print $1, $1 == name ? bound : $2 }' >"$tree/tools/structure.txt"
}
check_says() {
    bounded "$1" "$2"
    expect "$3" "$4" "$root/tools/structure" --check "$tree"
}
write_only_lowers() {
    bounded comparisons-with-a-kind 9
    "$root/tools/structure" --write "$tree" && grep -q '^comparisons-with-a-kind  *2$' "$tree/tools/structure.txt" || return 1
    bounded comparisons-with-a-kind 1
    expect 1 'comparisons-with-a-kind: 2 is above its bound 1' "$root/tools/structure" --write "$tree" &&
        grep -q '^comparisons-with-a-kind  *1$' "$tree/tools/structure.txt"
}

claim members_count_those_of_structs_held_by_value is members-of-system 7
claim capacities_are_counted is capacities-of-system 1
claim scalars_of_work_are_its_own_numbers is scalars-of-work 3
claim comparisons_are_lines_with_an_enumerator is comparisons-with-a-kind 2
claim strings_and_comments_do_not_count is files-that-read-solids-or-particles 1
claim uses_of_constraints is uses-of-a-kind-of-constraint 1
claim files_that_include_each_other_are_a_cycle is files-of-the-largest-cycle 2
claim vector_types is files-that-declare-vector-types 1
claim friction_by_its_equations is files-with-the-law-of-friction 1
claim functions_from_name_to_brace is lines-of-a-function-99 6
claim as_large_as_its_bound_passes check_says comparisons-with-a-kind 2 0 '15 passed, 0 failed'
claim above_its_bound_fails check_says comparisons-with-a-kind 1 1 'FAILED comparisons-with-a-kind: 2, at most 1 is allowed'
claim below_its_bound_says_how_to_lower_it check_says comparisons-with-a-kind 5 0 '2 is below its bound 5: lower it with --write'
claim write_only_lowers write_only_lowers
claim unknown_option_is_refused expect 2 'usage:' "$root/tools/structure" --chek "$tree"
finish
