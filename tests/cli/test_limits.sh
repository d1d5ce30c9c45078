#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_limits.sh - small scenes that would take much memory or time are refused or bounded
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

need_command

cd "$scratch" || exit 1

# a few hundred rods in one place: all their pairs are near each other
cat >pile.yaml <<'YAML'
lithe: 1
time: {step: 1 ms, end: 2 ms}
gravity: none
contact: {start-overlap: any}
materials: {r: {young: 1 MPa, density: 1000}}
rods:
  a: {material: r, section: {circle: {radius: 2 mm}}, shape: {line: {to: [1, 0, 0]}}, nodes: 2, repeat: {i: 300}}
YAML

pairs_are_limited() {
    local verb
    for verb in check run; do
        expect 2 "more than contact.max-pairs = 1000 pairs of edges, shapes and particles are near each other, the last ones of 'a/" \
            "$LITHE" "$verb" pile.yaml --set contact.max-pairs=1000 || return 1
    done
    expect 2 'max-pairs is 0, must be >= 1' "$LITHE" check pile.yaml --set contact.max-pairs=0
}

# the default is enough for these 44 850 pairs
more_pairs_are_allowed_by_their_key() {
    expect 0 'more pairs overlap' "$LITHE" check pile.yaml &&
        expect 0 'more pairs overlap' "$LITHE" check pile.yaml --set contact.max-pairs=50000
}

# thousands of rods: 12 million pairs, 12 GB of contacts
default_limit_is_below_the_memory_of_a_machine() {
    expect 2 'contact.max-pairs = 2000000' "$LITHE" check pile.yaml --set rods.a.repeat.i=5000
}

claim pairs_near_each_other_are_limited_in_check_and_run pairs_are_limited
claim a_larger_limit_of_pairs_allows_more more_pairs_are_allowed_by_their_key
claim thousands_of_rods_in_one_place_are_refused_before_they_fill_the_memory default_limit_is_below_the_memory_of_a_machine
finish
