#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_install.sh - the installed library serves a C program through pkg-config
# shellcheck source=tests/test.sh disable=SC2317,SC2016
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

prefix=$scratch/first
install_release() {
    cmake --install "$root/build" --prefix "$prefix"
}
claim installs_to_a_prefix install_release

# move it: nothing inside may remember where it was installed
mv "$prefix" "$scratch/moved" && prefix=$scratch/moved
PKG_CONFIG_PATH=$(find "$prefix" -type d -name pkgconfig | head -n 1)
export PKG_CONFIG_PATH
library=$(pkg-config --variable=libdir lithe)

cat >"$scratch/version.c" <<'TEXT'
#include <lithe/base.h>
#include <stdio.h>

int main(void) {
    return puts(lithe_version()) < 0;
}
TEXT

# compile a program against the shared or the static library, and run it
compile() {
    local kind=$1 source=$2 cflags libs
    cflags=$(pkg-config --cflags lithe) || return 1
    if [[ $kind == shared ]]; then
        libs=$(pkg-config --libs lithe)
    else
        libs=$(pkg-config --static --libs lithe | sed 's/-llithe/-l:liblithe.a/')
    fi
    # shellcheck disable=SC2086 # flags are words
    gcc -std=c17 -Wall -Wextra -Werror $cflags "$source" -o "$scratch/$kind" $libs || return 1
    (cd "$scratch" && LD_LIBRARY_PATH=$library "./$kind")
}
version_through() {
    local wanted got
    wanted=$(pkg-config --modversion lithe)
    got=$(compile "$1" "$scratch/version.c")
    if [[ -n $got && $got == "$wanted" ]]; then return 0; fi
    echo "  got '$got', pkg-config says '$wanted'"
    return 1
}
claim shared_library_has_the_version_of_its_pkg_config_file version_through shared
claim static_library_has_the_version_of_its_pkg_config_file version_through static

static_needs_no_liblithe() {
    ! ldd "$scratch/static" | grep liblithe
}
claim static_program_runs_without_the_shared_library static_needs_no_liblithe

# an empty element of the search path is the current folder: libraries lying there would be loaded
no_library_from_the_current_folder() {
    local file
    for file in "$root/build/lithe" "$root/build/liblithe.so" "$prefix/bin/lithe" \
        "$library/liblithe.so"; do
        if readelf -d "$file" | grep -E '(RUNPATH|RPATH)' | grep -E '\[:|::|:\]|\[\]|\[\.'; then
            echo "  $file" && return 1
        fi
    done
}
claim no_library_is_loaded_from_the_current_folder no_library_from_the_current_folder

only_public_symbols() {
    local foreign
    foreign=$(nm -D --defined-only "$library/liblithe.so" | awk '$3 !~ /^lithe_/')
    [[ -z $foreign ]] || { echo "$foreign" && false; }
}
claim shared_library_exports_only_lithe_names only_public_symbols

for source in "$root"/docs/guide/*.c; do
    name=$(basename "$source" .c)
    claim "${name}_runs_against_the_shared_library" compile shared "$source"
    claim "${name}_runs_against_the_static_library" compile static "$source"
done

if [[ -x $root/build/lithe ]]; then
    claim installed_command_starts "$prefix/bin/lithe" --help
fi
finish
