#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_libraries.sh - lithe-core stands alone: without files, with and without threads
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

build=$root/build
if [[ ! -x $build/core_rope || ! -x $build/core_rope_alone ]]; then
    echo "skipped: no programs of lithe-core in $build"
    finish
    exit
fi

# the state after some steps, the same from both programs and for all numbers of threads
bits_are_the_same() {
    local one two alone
    one=$("$build/core_rope" 1) && two=$("$build/core_rope" 3) && alone=$("$build/core_rope_alone" 3) || return 1
    echo "  $one | $two | $alone"
    [[ $one == "contacts "[1-9]*" state "* && $one == "$two" && $one == "$alone" ]]
}

# names of C functions that a program takes from the system: FILE PATTERN
takes() {
    nm -u "$1" | awk '{ print $2 }' | grep -E "$2"
}

alone_has_no_thread() {
    takes "$build/core_rope" '^pthread_create' && ! takes "$build/core_rope_alone" '^(pthread_|METIS_|sigaction)'
}

core_needs_no_files() {
    ! takes "$build/core_rope" '^(fy_|H5|png_|xml|mg_|deflate|dlopen|socket|fork)'
}

# lithe-core and what it may call, by the programs that have each library as a whole
every_library_links() {
    local part
    for part in core scene io plan; do
        [[ -x $build/links_$part ]] || { echo "  links_$part is missing: its library calls another one" && return 1; }
    done
    "$build/links_core" && ! takes "$build/links_core" '^(fy_|H5|png_|xml|mg_)' && ! takes "$build/links_scene" '^(H5|png_|xml|mg_)'
}

claim a_rope_on_a_floor_has_the_same_bits_with_and_without_threads bits_are_the_same
claim without_threads_nothing_of_them_is_called alone_has_no_thread
claim the_core_needs_no_library_of_files core_needs_no_files
claim every_library_links_with_those_below_it every_library_links
finish
