#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_scan_kinds.sh - tools/scan-kinds counts the places that name a kind
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a tree in which src/solve/a.c may name a kind twice; then that file, and the scan of it
scan() {
    local code=$1 part=$2 text=$3 tree
    tree=$(mktemp -d -p "$scratch")
    mkdir -p "$tree"/{tools,src/{solve,body}}
    printf '# a comment\n   2 src/solve/a.c  the reason\n' >"$tree/tools/kinds.txt"
    printf 'int n = model->rod_count + model->tree_count + lithe_rod_find(m, s).number;\n' >"$tree/src/body/rod.c"
    printf '%b\n' "$text" >"$tree/src/solve/a.c"
    expect "$code" "$part" "$root/tools/scan-kinds" "$tree"
}

write_keeps_reasons() {
    local tree=$scratch/write
    mkdir -p "$tree"/{tools,src/solve}
    printf '   9 src/solve/a.c  served by rods alone\n' >"$tree/tools/kinds.txt"
    echo 'int n = model->rod_count;' >"$tree/src/solve/a.c"
    echo 'LitheTree *t = &model->trees[0];' >"$tree/src/solve/b.c"
    "$root/tools/scan-kinds" --write "$tree" && grep -q '^ *1 src/solve/a.c  *served by rods alone$' "$tree/tools/kinds.txt" &&
        grep -q '^ *2 src/solve/b.c ' "$tree/tools/kinds.txt" && "$root/tools/scan-kinds" "$tree"
}

claim as_many_as_allowed_pass scan 0 '1 passed, 0 failed (2 places)' 'int n = model->rod_count + model->tree_count;'
claim one_more_fails scan 1 'src/solve/a.c: 3 places name a kind, 2 are allowed' \
    'int n = model->rod_count;\nconst LitheRod *r = model->rods;'
claim fewer_ask_to_lower_the_number scan 0 '1 places name a kind, 2 are allowed: lower it' 'if (unit->kind == LITHE_UNIT_ROD)'
claim a_smaller_number_must_be_lowered scan 0 '0 places name a kind, 2 are allowed: lower it' 'int n;'
claim comments_do_not_count scan 0 '(2 places)' \
    '// model->rods\nint n = m->rod_count; // lithe_rod_find(m)\nLitheRod r;'
claim strings_do_not_count scan 0 '(2 places)' 'set("parameters.rings=1"); set(m->rod_count + m->tree_count);'
claim parts_of_names_do_not_count scan 0 '(2 places)' \
    'int rod_counts, my_rod_count; LitheRodding r; x->rodset; a = rod_count + tree_count;'
claim each_word_on_a_line_counts scan 1 '4 places' 'f(LITHE_UNIT_TREE,lithe_tree_step(w->trees,LITHE_UNIT_ROD))'
claim write_keeps_reasons write_keeps_reasons
finish
