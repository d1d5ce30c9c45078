#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/tools/test_scan_words.sh - tools/scan-words finds old words wherever they stand, and no others
# shellcheck source=tests/test.sh disable=SC2317
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

# a folder with one file, given as path and text, and the scan of it
scan_of() {
    local code=$1 part=$2 path=$3 text=$4 house
    house=$(mktemp -d -p "$scratch")
    mkdir -p "$house/$(dirname "$path")"
    printf '%b\n' "$text" >"$house/$path"
    expect "$code" "$part" "$root/tools/scan-words" "$house"
}

claim plain_words_pass scan_of 0 "0 failed" src/a.c '// the solve did not converge\nint active_set;'
claim a_comment_is_searched scan_of 1 'src/a.c:2: "found no end" -> did not converge' src/a.c \
    'int x;\n// the solve found no end'
claim a_text_is_searched scan_of 1 'a.py:1: "passed over" -> ignore' a.py 'warn("input 3 is passed over")'
claim a_name_is_searched_word_by_word scan_of 1 'a.h:1: "bearing" -> active set' a.h 'bool find_bearing(void);'
claim a_type_is_searched_word_by_word scan_of 1 'a.ts:2: "film"' viewer/a.ts '\ntype MyFilmMaker = number;'
claim capitals_are_searched scan_of 1 'a.c:1: "pace"' a.c '#define LITHE_PACE_LEVEL 1'
claim a_phrase_across_lines_is_found_where_it_ends scan_of 1 'a.c:2: "but for" -> except' a.c \
    '    // zero to begin with, but\n    // for the context'
claim a_phrase_of_three_words_across_lines_is_found scan_of 1 'a.c:2: "found no end"' a.c \
    '// which found no\n// end in time'
claim a_word_at_the_end_of_a_line_counts_once scan_of 1 '(1 times)' a.c '// made anew\n// and so on'
claim rates_are_per_step scan_of 1 '"iterations a step" -> per step' a.md 'It takes 3 iterations a step.'
claim rates_of_formats_are_found scan_of 1 '"%.2f a step"' a.c 'printf("Newton %.2f a step", x);'
claim a_step_that_is_no_rate_passes scan_of 0 "0 failed" a.c '// cut a step, make a step, of a node'
claim parts_of_other_words_pass scan_of 0 "0 failed" a.c \
    '// bearable, limpid, leapfrog, space, filmic, wishful, pacemaker'
claim degrees_of_freedom_pass scan_of 0 "0 failed" a.c '// six degrees of freedom; int degree_of_freedom;'
claim freedoms_alone_fail scan_of 1 '"freedoms"' a.c '// a joint with two freedoms'
claim expected_is_not_wanted scan_of 1 '"is wanted" -> is expected' a.c 'fail("a length is wanted");'
claim a_variable_may_be_wanted scan_of 0 "0 failed" a.c 'double wanted = 1;'
claim clients_request scan_of 1 '"asked" -> requests' a.md 'The frames that a page asked for.'
claim public_names_stay scan_of 0 "0 failed" a.c 'report->pairs_unserved = lithe_contact_unserved(all);'
claim other_uses_of_their_words_fail scan_of 1 '"unserved"' a.c 'report->pairs_unserved = unserved_told;'
claim quoted_code_of_a_page_passes scan_of 0 "0 failed" a.md \
    'The line `Newton a step`:\n\n```\n  solver 3 iterations a step, told of\n```'
claim prose_behind_a_quote_fails scan_of 1 'a.md:4: "told of"' a.md '```\nx\n```\nwhat is told of'
claim a_single_file_can_be_named expect 0 "0 failed" "$root/tools/scan-words" "$root/README.md"
claim each_word_is_one_test scan_of 1 " passed, 2 failed" a.c '// limp\n// limp\n// anew'
claim generated_pages_and_the_glossary_are_left_out scan_of 0 "0 failed" docs/theory/words.md '| limp |'

# the prose of the tree says what the field says
claim docs_pass expect 0 "0 failed" "$root/tools/scan-words" "$root/docs" "$root/README.md" \
    "$root/CHANGELOG.md" "$root/CONTRIBUTING.md" "$root/scenes"
finish
