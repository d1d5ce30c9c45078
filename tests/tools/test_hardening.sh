#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_hardening.sh - the release build is hardened: looked at with readelf
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

if [[ ! -f $root/build/liblithe.so || ! -x $root/build/lithe ]]; then
    echo "skipped: no release build"
    finish
    exit
fi

# has FILE PATTERN OPTION...: a line of readelf's output matches
has() {
    local file=$1 pattern=$2
    shift 2
    if grep -qE "$pattern" <<<"$(readelf -W "$@" "$file")"; then return 0; fi
    echo "  $file: no /$pattern/ in readelf $*"
    return 1
}

both_have() {
    has "$root/build/lithe" "$@" && has "$root/build/liblithe.so" "$@"
}

stack_is_not_executable() {
    both_have 'GNU_STACK .* RW +0x' -l
}

names_of_notice() {
    local library
    # nothing is claimed about the C library, the compiler and the loader
    for library in $(readelf -dW "$root/build/lithe" | sed -n 's/.*NEEDED.*\[lib\([a-z0-9]*\).*/\1/p'); do
        case $library in
        c | m | gcc | pthread | atomic) continue ;;
        z) library=zlib ;;
        hdf5) library=HDF5 ;;
        camd) library=CAMD ;;
        metis) library=METIS ;;
        suitesparseconfig) library=SuiteSparse_config ;;
        png16) library=libpng ;;
        esac
        if ! grep -q "$library" "$root/NOTICE"; then
            echo "  NOTICE does not name $library"
            return 1
        fi
    done
}

claim command_is_position_independent has "$root/build/lithe" 'Type: +DYN' -h
claim symbols_are_bound_at_the_start_and_then_read_only both_have 'BIND_NOW|FLAGS.* NOW' -d
claim relocated_data_is_read_only both_have GNU_RELRO -l
claim stack_is_not_executable stack_is_not_executable
claim stack_frames_are_guarded both_have '__stack_chk_fail' --dyn-syms
claim copies_and_prints_check_their_buffers both_have '__(memcpy|snprintf|vsnprintf|fprintf|printf)_chk' --dyn-syms
claim notice_names_every_library_that_the_command_links names_of_notice
finish
