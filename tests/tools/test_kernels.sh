#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_kernels.sh - kernels are compiled with their flags, in whatever folder they lie
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

commands=$root/build/compile_commands.json
if [[ ! -f $commands ]]; then
    echo "skipped: no $commands"
    finish
    exit
fi

# have FLAG FILE...: the command of each file has the flag; there is at least one file
have() {
    local flag=$1 file missing=0 line
    shift
    (($# > 0)) || return 1
    for file in "$@"; do
        line=$(grep -F '"command"' "$commands" | grep -F -- "-c $root/$file\"" | head -n 1)
        if [[ " $line " != *" $flag "* ]]; then
            echo "  $file: no $flag in its command"
            missing=1
        fi
    done
    return $missing
}

# files of the tree below a folder, by name
named() {
    (cd "$root" && find "$1" -name "$2" | sort)
}

rooms_of_kernels() {
    local room
    for room in law sparse math; do
        mapfile -t files < <(named "src/$room" '*.c')
        have -fno-stack-protector "${files[@]}" || return 1
    done
}

widths() {
    mapfile -t files < <(named src/geom '*_avx2.c' && named src/geom '*_portable.c')
    have -fno-stack-protector "${files[@]}"
}

products() {
    mapfile -t files < <(named src '*_avx512.c')
    have -ffp-contract=off "${files[@]}"
}

# a file outside of these rooms has no such flag: the test sees the difference
others() {
    ! have -fno-stack-protector src/run/run.c
}

claim laws_factors_and_vectors_have_no_guards_of_the_stack rooms_of_kernels
claim kernels_of_shapes_by_width_have_no_guards_of_the_stack widths
claim avx512_has_no_products_with_sums_in_one_rounding products
claim other_files_have_guards others
finish
