#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_input.sh - bad input: exit code 2 and one message that names place, limit and value
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >good.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 5 ms}
materials:
  nylon: {young: 18 MPa, poisson: 0.4, density: 1000 kg/m^3}
rods:
  rope:
    material: nylon
    section: {circle: {radius: 2 mm}}
    shape: {line: {to: [1 m, 0, 0]}}
    nodes: 11
holds:
  left: {on: rope.start}
TEXT

# bad FROM TO PART: run and check must refuse good.yaml with a text replaced, with one line of message
# that begins with file and line, and without a recording
bad() {
    local from=$1 to=$2 part=$3 text verb
    text=$(<good.yaml)
    [[ $text == *"$from"* ]] || { echo "'$from' is not in the scene" && return 1; }
    printf '%s\n' "${text/"$from"/"$to"}" >bad.yaml
    for verb in run check; do
        expect 2 "$part" "$LITHE" "$verb" bad.yaml || return 1
        text=$("$LITHE" "$verb" bad.yaml 2>&1)
        [[ $text =~ ^lithe:\ bad.yaml:[0-9]+:[0-9]+:\  ]] || { echo "no place: $text" && return 1; }
        [[ $(wc -l <<<"$text") == 1 ]] || { echo "more than a line: $text" && return 1; }
    done
    [[ ! -e bad.h5 && ! -e bad.h5.journal ]] || { echo "something was written" && return 1; }
}

the_good_scene_is_good() { expect 0 'valid' "$LITHE" check good.yaml && "$LITHE" run good.yaml -q; }

radius_must_be_positive() {
    bad 'radius: 2 mm' 'radius: 0 mm' 'radius is 0 m, must be > 0' &&
        bad 'radius: 2 mm' 'radius: -2 mm' "rod 'rope': radius is -0.002 m, must be > 0"
}

modulus_must_be_positive() {
    bad 'young: 18 MPa' 'young: 0' 'young is 0 Pa, must be > 0' &&
        bad 'young: 18 MPa' 'young: -18 MPa' 'must be > 0'
}

density_must_be_positive() {
    bad 'density: 1000 kg/m^3' 'density: 0' 'must be > 0' &&
        bad 'density: 1000 kg/m^3' 'density: -1' 'must be > 0'
}

step_and_end_must_be_positive() {
    bad 'step: 1 ms' 'step: 0 s' 'must be > 0' && bad 'step: 1 ms' 'step: -1 ms' 'must be > 0' &&
        bad 'end: 5 ms' 'end: 0 s' 'must be > 0'
}

nan_and_infinity_are_refused() {
    bad 'young: 18 MPa' 'young: .nan' 'a number is expected' &&
        bad 'young: 18 MPa' 'young: .inf' 'a number is expected' &&
        bad 'young: 18 MPa' 'young: nan' "'nan' is no number" &&
        bad 'young: 18 MPa' 'young: 1e999' 'too large' &&
        bad 'to: [1 m, 0, 0]' 'to: [.inf, 0, 0]' 'a number is expected' &&
        bad 'step: 1 ms' 'step: .nan' 'a number is expected'
}

coincident_nodes_are_refused() {
    bad 'line: {to: [1 m, 0, 0]}' 'line: {to: [0, 0, 0]}' 'the same point' &&
        bad 'line: {to: [1 m, 0, 0]}' 'polyline: {points: [[0, 0, 0], [0, 0, 0], [1, 0, 0]]}' \
            'points[0] and points[1] are the same point'
}

folded_edges_are_refused() {
    bad 'shape: {line: {to: [1 m, 0, 0]}}
    nodes: 11' 'shape: {polyline: {points: [[0, 0, 0], [1, 0, 0], [0, 0, 0], [-1, 0, 0]]}}' \
        'folds back on itself at node 1'
}

too_few_nodes_are_refused() {
    bad 'nodes: 11' 'nodes: 1' 'nodes is 1' && bad 'nodes: 11' 'nodes: 0.5' 'a whole number is expected' &&
        bad 'nodes: 11' 'nodes: -3' 'nodes is -3'
}

an_unknown_material_gets_a_suggestion() { bad 'material: nylon' 'material: nylo' 'nylon'; }
an_unknown_key_gets_a_suggestion() { bad 'radius: 2 mm' 'raduis: 2 mm' 'did you mean radius?'; }

a_unit_of_the_wrong_dimension_is_named() {
    bad 'radius: 2 mm' 'radius: 2 s' "'2 s' is a time, a length is expected" &&
        bad 'young: 18 MPa' 'young: 18 m' 'a length' && bad 'radius: 2 mm' 'radius: 2 parsnips' "'parsnips' is no unit"
}

a_place_that_is_not_there_is_named() {
    bad 'on: rope.start' 'on: lace.start' 'lace' && bad 'on: rope.start' 'on: rope.node(99)' '99'
}

a_missing_file_is_named() {
    expect 2 'lithe: gone.yaml: cannot read: No such file' "$LITHE" run gone.yaml &&
        expect 2 'gone.yaml' "$LITHE" check gone.yaml && expect 2 'gone.yaml' "$LITHE" modes gone.yaml &&
        expect 2 'lithe: .: ' "$LITHE" run .
}

truncated_files_are_refused() {
    local size
    for size in 0 5 30 90 200; do
        head -c "$size" good.yaml >cut.yaml
        expect 2 'lithe: cut.yaml' "$LITHE" run cut.yaml || return 1
    done
}

binary_files_are_refused() {
    head -c 3000 "$LITHE" >binary.yaml
    expect 2 'lithe: binary.yaml' "$LITHE" run binary.yaml || return 1
    printf 'lithe: 1\ntitle: "a\0b"\n' >zero.yaml
    expect 2 'lithe: zero.yaml' "$LITHE" run zero.yaml
}

deep_nesting_is_refused() {
    { echo 'lithe: 1' && printf 'title: ' && printf '[%.0s' {1..20000} && echo; } >deep.yaml
    expect 2 'lithe: deep.yaml' timeout 120 "$LITHE" run deep.yaml || return 1
    { printf '{"a": %.0s' {1..5000} && echo; } >deep.yaml
    expect 2 'lithe: deep.yaml' timeout 120 "$LITHE" run deep.yaml
}

an_alias_bomb_is_refused() {
    {
        echo 'lithe: 1' && echo 'a0: &a0 [x, x, x, x, x, x, x, x, x, x]'
        for i in {1..12}; do
            printf 'a%d: &a%d [' "$i" "$i" && printf '*a%d, %.0s' {1..9} | sed "s/a[0-9]*/a$((i - 1))/g"
            echo "*a$((i - 1))]"
        done
    } >bomb.yaml
    expect 2 'lithe: bomb.yaml' timeout 120 "$LITHE" run bomb.yaml
}

overrides_are_checked_like_the_file() {
    expect 2 'must be > 0' "$LITHE" run good.yaml --set time.step=-1ms &&
        expect 2 'raduis' "$LITHE" run good.yaml --set rods.rope.section.circle.raduis=2mm &&
        expect 2 'lace' "$LITHE" run good.yaml --set rods.lace.nodes=4 &&
        expect 2 'a length is expected' "$LITHE" run good.yaml --set rods.rope.section.circle.radius=2s
}

# address and thread sanitizers need the address space themselves
lack_of_memory_is_reported() {
    sed 's/nodes: 11/nodes: 1000000/' good.yaml >large.yaml
    if [[ $LITHE == */asan/* || $LITHE == */sanitize/* || $LITHE == */tsan/* ]]; then
        echo skipped
        return 0
    fi
    (ulimit -v 300000 && expect 2 'lithe: out of memory' "$LITHE" run large.yaml --until 1ms) &&
        [[ ! -e large.h5 && ! -e large.h5.journal ]]
}

# from the least memory with which the command starts on: libhdf5 is refused some of what it wants
want_of_memory_is_no_crash() {
    local least kilobytes code
    if [[ $LITHE == */asan/* || $LITHE == */sanitize/* || $LITHE == */tsan/* ]]; then
        echo skipped
        return 0
    fi
    for ((least = 20000; least < 400000; least += 1000)); do
        (ulimit -v "$least" && "$LITHE" --version) >/dev/null 2>&1 && break
    done
    for ((kilobytes = least; kilobytes < least + 8000; kilobytes += 250)); do
        code=0
        (ulimit -v "$kilobytes" && ulimit -c 0 && "$LITHE" run good.yaml --until 1ms -q -o want.h5) >want.log 2>&1 || code=$?
        ((code < 128)) || { echo "$kilobytes kB: exit code $code" && cat want.log && return 1; }
        [[ $code == 0 ]] || grep -qE 'out of memory|libhdf5 refused|Cannot allocate memory' want.log || { echo "$kilobytes kB:" && cat want.log && return 1; }
    done
}

a_run_until_a_time_within_a_step_says_where_it_ends() {
    expect 0 'until 3 s is not a whole number of steps of 5 s: the run ends at 5 s' \
        "$LITHE" run good.yaml -q -o step.h5 --set time.step=5s --until 3s --set time.max-unconverged=0
}

for test in $(declare -F | awk '{ print $3 }'); do
    case $test in
    bad | claim | count | expect | finish | goes_on | need_command | study) ;;
    *) claim "$test" "$test" ;;
    esac
done
finish
