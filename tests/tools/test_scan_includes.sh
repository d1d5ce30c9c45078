#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_scan_includes.sh - tools/scan-includes finds what breaks the table
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a small house in order; then one file more, given as path and text, and the scan of it
scan_with() {
    local code=$1 part=$2 path=$3 text=$4 house
    house=$(mktemp -d -p "$scratch")
    mkdir -p "$house"/{include/lithe,src/{base,math,law,solve}}
    add() {
        mkdir -p "$house/$(dirname "$1")"
        printf '// SPDX-License-Identifier: Apache-2.0\n// %s - a file\n%b\n' "$1" "$2" \
            >"$house/$1"
    }
    add include/lithe/base.h '#include <stddef.h>\ntypedef size_t LitheSize;'
    add src/base/memory.h '#include "lithe/base.h"'
    add src/math/vec3.h '#include "base/memory.h"\n#include <math.h>'
    add src/law/bend.c '#include "math/vec3.h"\n#include "law/bend.h"'
    add "$path" "$text"
    expect "$code" "$part" "$root/tools/scan-includes" "$house"
}
lines_601=$(printf 'int x;\\n%.0s' {1..601})

claim order_passes scan_with 0 "0 failed" src/solve/newton.c '#include "law/bend.h"'
claim upward_fails scan_with 1 'src/law/x.c:3: "solve/newton.h"' src/law/x.c '#include "solve/newton.h"'
claim sideways_fails scan_with 1 'src/math/x.h:4' src/math/x.h '\n #  include "law/bend.h" // why not'
claim one_bad_folder_is_one_failure scan_with 1 ", 1 failed" src/base/x.c \
    '#include "math/vec3.h"\n#include "law/bend.h"'
claim the_way_around_fails scan_with 1 '"../law/bend.h"' src/math/x.h '#include "../law/bend.h"'
claim src_may_not_include_the_command scan_with 1 '"cli/main.h"' src/solve/x.c '#include "cli/main.h"'
claim unknown_folder_fails scan_with 1 "src/attic/x.c: no such folder" src/attic/x.c 'int x;'
claim file_beside_the_folders_fails scan_with 1 "src/x.c: no such folder" src/x.c 'int x;'
claim public_header_stays_public scan_with 1 '"base/memory.h": a public header' \
    include/lithe/x.h '#include "base/memory.h"'
claim public_header_must_compile_alone scan_with 1 "include/lithe/x.h compiles alone" \
    include/lithe/x.h 'int lithe_x(uint32_t);'
claim long_file_warns_and_passes scan_with 0 "warning: src/law/long.c has 60" src/law/long.c "$lines_601"
finish
