#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_scan_includes.sh - tools/scan-includes finds violations of the table
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a small tree in order; then one more file, given as path and text, and the scan of it
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

# the same tree with objects of a build: calls that no include shows
scan_built() {
    local code=$1 part=$2 path=$3 text=$4 house
    house=$(mktemp -d -p "$scratch")
    mkdir -p "$house/include/lithe"
    object_of() {
        mkdir -p "$house/$(dirname "$1")" "$house/build/CMakeFiles/lithe_${library-core}.dir/$(dirname "$1")"
        printf '// SPDX-License-Identifier: Apache-2.0\n// %s - a file\n%b\n' "$1" "$2" >"$house/$1"
        gcc -c "$house/$1" -o "$house/build/CMakeFiles/lithe_${library-core}.dir/$1.o"
    }
    object_of src/base/log.c 'void lithe_log(void);\nvoid lithe_log(void) {}'
    object_of src/data/state.c 'void lithe_log(void);\nvoid lithe_log_file(void);\nint lithe_time(void) { lithe_log(); lithe_log_file(); return 1; }'
    object_of src/advance/step.c 'int lithe_time(void);\nint lithe_step(void) { return lithe_time(); }'
    library=${6-core} object_of "$path" "$text"
    if [[ ${5-} == gone ]]; then rm "$house/$path"; fi
    expect "$code" "$part" "$root/tools/scan-includes" "$house"
}

# "folder: what it may include" of both tables, in one form
tables_agree() {
    local enforced written
    enforced=$(sed -n "/^table='/,/^'/p" "$root/tools/scan-includes" | awk -F ' *: *' 'NF == 2 { print $1 ":" $2 }')
    written=$(sed -n 's/^| `src\/\([a-z]*\)` |.*| \([^|]*\) |$/\1:\2/p' "$root/CONTRIBUTING.md" | sed 's/:-$/:/')
    written=${written/run:everything above except plan/$(grep '^run:' <<<"$enforced")}
    [[ -n $enforced ]] && diff <(echo "$enforced" | sort) <(echo "$written" | sort)
}
upward='int lithe_step(void);\nint lithe_write(void) { return lithe_step(); }'
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
claim the_core_has_no_system_header scan_with 1 "src/law/x.c:3: <pthread.h>: lithe-core meets the system" \
    src/law/x.c '#include <pthread.h>'
claim base_meets_the_system scan_with 0 "0 failed" src/base/x.c '#include <pthread.h>'
claim long_file_warns_and_passes scan_with 0 "warning: src/law/long.c has 60" src/law/long.c "$lines_601"
claim calls_downward_pass scan_built 0 "0 failed" src/record/frame.c \
    'int lithe_time(void);\nint lithe_write(void) { return lithe_time(); }'
claim calls_are_counted_as_tests scan_built 0 "13 passed" src/record/frame.c 'int lithe_frame;'
claim a_call_upward_fails_without_an_include scan_built 1 \
    "src/record/frame.c: calls lithe_step of advance: record may call: base math geom data body" \
    src/record/frame.c "$upward"
claim a_pointer_to_a_higher_folder_fails scan_built 1 "src/base/x.c: calls lithe_step of advance" \
    src/base/x.c 'extern int lithe_step(void);\nint (*lithe_hook)(void) = lithe_step;'
claim a_call_to_a_library_above_fails scan_built 1 \
    "src/data/state.c: calls lithe_log_file of lithe_scene: lithe_core may call: only itself" \
    src/base/file.c 'void lithe_log_file(void);\nvoid lithe_log_file(void) {}' here scene
claim a_stale_object_does_not_count scan_built 0 "0 failed" src/record/frame.c "$upward" gone
claim without_a_build_calls_are_not_checked scan_with 0 "calls between folders are not checked" \
    src/solve/newton.c '#include "law/bend.h"'
claim the_table_of_contributing_is_the_enforced_one tables_agree
finish
