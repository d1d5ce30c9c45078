#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_headers.sh - the public headers compile as C++ and document every item
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

cat >"$scratch/plus.cc" <<'TEXT'
#include <lithe/lithe.h>

#include <cstdio>
#include <cstring>

// names of C: they link only if the headers say so
int main() {
    LitheContext *context = lithe_context_create(nullptr);
    LitheScene *scene = lithe_scene_create(context);
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rod";
    lithe_scene_add_rod(scene, &rod);
    LitheError error;
    LitheStatus status = lithe_scene_check(scene, &error); // it has no material
    std::puts(error.text);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return status == LITHE_BAD_INPUT && std::strstr(error.text, "rod 'rod'") ? 0 : 1;
}
TEXT

# the library has C dependencies: the shared library links them
library=$(find "$root/build" -maxdepth 1 -name 'liblithe.so' | head -n 1)
cxx() {
    local standard=$1
    g++ "-std=$standard" -pedantic -Wall -Wextra -Werror -I "$root/include" "$scratch/plus.cc" \
        -o "$scratch/plus" "$library" || return 1
    LD_LIBRARY_PATH=$(dirname "$library") "$scratch/plus"
}
claim a_program_in_cxx11_compiles_links_and_runs cxx c++11
claim a_program_in_cxx20_compiles_links_and_runs cxx c++20

each_header_alone_in_cxx() {
    local header
    for header in "$root"/include/lithe/*.h; do
        echo "#include <lithe/$(basename "$header")>" |
            g++ -std=c++11 -pedantic -Wall -Wextra -Werror -I "$root/include" -fsyntax-only \
                -x c++ - || return 1
    done
}
claim each_header_compiles_alone_in_cxx each_header_alone_in_cxx

# a block of lines that declares a type, a function or a constant has a /// comment; guards aside
undocumented() {
    awk 'BEGIN { RS = "" }
        /^#ifndef LITHE_[A-Z_]*H\n#define/ { next }
        /(^|\n)(LITHE_API|typedef|#define) ?/ && !/\/\/\// { print FILENAME ":\n" $0; bad = 1 }
        END { exit bad }' "$@"
}
claim every_public_item_has_a_comment undocumented "$root"/include/lithe/*.h

# and the scan sees one that has none
printf '#ifndef LITHE_X_H\n#define LITHE_X_H\n\nLITHE_API int lithe_x(void);\n\n/// A y.\nLITHE_API int lithe_y(void);\n' \
    >"$scratch/bare.h"
finds_a_bare_item() {
    local found
    found=$(undocumented "$scratch/bare.h")
    [[ $found == *lithe_x* && $found != *lithe_y* ]]
}
claim an_item_without_comment_is_found finds_a_bare_item
finish
