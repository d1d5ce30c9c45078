#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_files.sh - outputs that are shared, that are inputs, that cannot be written, that
# are damaged
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"

need_command

cd "$scratch" || exit 1
cat >fall.yaml <<'YAML'
lithe: 1
title: Fall
time: {step: 1 ms, end: 0.05 s}
materials:
  rubber: {young: 1 MPa, poisson: 0.5, density: 1000 kg/m^3}
rods:
  rope: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1 m, 0, 0]}}, nodes: 21, clamped: start}
record: {every: 5 ms}
YAML

# the whole of a folder, to see that nothing has changed
sums() {
    find . -type f -exec sha256sum {} + | sort -k 2
}

# the output of a command, which has to end by itself
soon() {
    timeout -k 1 120 "$@"
}

# --- two runs ------------------------------------------------------------------------------------

# At most one of two runs goes on; the other names the process that it lost to.
one_pair() {
    rm -rf pair.h5*
    local a b code_a=0 code_b=0 held='another run is writing to it: process'
    "$LITHE" run fall.yaml -o pair.h5 --set time.step=0.2ms >a.log 2>&1 &
    a=$!
    "$LITHE" run fall.yaml -o pair.h5 --set time.step=0.2ms >b.log 2>&1 &
    b=$!
    wait "$a" || code_a=$?
    wait "$b" || code_b=$?
    if ((code_a != 0)) && ! grep -q "$held $b " a.log; then
        echo "  exit code $code_a:"
        cat a.log
        return 1
    fi
    if ((code_b != 0)) && ! grep -q "$held $a " b.log; then
        echo "  exit code $code_b:"
        cat b.log
        return 1
    fi
    # both succeed if one ended before the other began; the second then reports that it replaces a file
    if ((code_a == 0 && code_b == 0)) && ! grep -q 'is replaced when this run' a.log b.log; then
        echo "  two runs wrote to one output"
        return 1
    fi
    if [[ $(echo pair.h5*) != pair.h5 ]]; then
        echo "  beside the recording: $(echo pair.h5*)"
        return 1
    fi
    cmp pair.h5 alone.h5
}

sixty_pairs() {
    "$LITHE" run fall.yaml -o alone.h5 --set time.step=0.2ms -q || return 1
    for _ in $(seq "$(count 60 10)"); do
        one_pair || return 1
    done
}

claim sixty_pairs_of_runs_with_one_output_make_one_recording_each sixty_pairs

# --- inputs --------------------------------------------------------------------------------------

scene_is_kept() {
    mkdir -p in && cd in || return 1
    cp ../fall.yaml mine.yaml
    ln mine.yaml hard.h5
    ln -s mine.yaml soft.h5
    cp mine.yaml journal.h5.journal
    printf 'lithe: 1\ninclude: [part.yaml]\ntime: {step: 1 ms, end: 5 ms}\n' >whole.yaml
    printf 'lithe: 1\nmaterials: {m: {young: 1 MPa, poisson: 0.5, density: 1000}}\nbodies: {b: {material: m, shape: {mesh: {path: tetra.obj, convex: true}}}}\n' >part.yaml
    printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n' >tetra.obj
    local before
    before=$(sums)
    expect 2 'an input is never overwritten' "$LITHE" run mine.yaml -o mine.yaml || return 1
    expect 2 'an input is never overwritten' "$LITHE" run mine.yaml -o mine.yaml --force || return 1
    expect 2 'an input is never overwritten' "$LITHE" run mine.yaml -o hard.h5 || return 1
    expect 2 'an input is never overwritten' "$LITHE" run mine.yaml -o soft.h5 || return 1
    expect 2 'an input is never overwritten' "$LITHE" run journal.h5.journal -o journal.h5 || return 1
    for name in whole.yaml part.yaml tetra.obj; do
        expect 2 'an input is never overwritten' "$LITHE" run whole.yaml -o "$name" --force ||
            return 1
    done
    if [[ $(sums) != "$before" ]]; then
        echo "  files have changed"
        return 1
    fi
    expect 0 '' "$LITHE" run whole.yaml -o fine.h5
}

recording_is_kept() {
    "$LITHE" run fall.yaml -o kept.csv -q || return 1
    ln -f kept.csv hard.png
    ln -sf kept.csv soft.svg
    ln -sf kept.csv soft.csv
    local before name
    before=$(sha256sum kept.csv)
    for name in kept.csv soft.csv hard.png soft.svg; do
        expect 2 'is the recording itself' "$LITHE" export kept.csv "$name" || return 1
    done
    expect 2 'is the recording itself' "$LITHE" plot kept.csv rope.tension.max -o soft.svg || return 1
    [[ $(sha256sum kept.csv) == "$before" ]]
}

foreign_is_kept() {
    echo 'my notes' >notes.txt
    expect 2 'not a recording' "$LITHE" run fall.yaml -o notes.txt || return 1
    [[ $(cat notes.txt) == 'my notes' ]] || return 1
    expect 0 '' "$LITHE" run fall.yaml -o notes.txt --force || return 1
    expect 0 '' "$LITHE" export notes.txt notes.csv || return 1
    # a name that mktemp has reserved
    : >empty.h5
    expect 0 '' "$LITHE" run fall.yaml -o empty.h5
}

# a stopped run of 1 s: its journal with some frames
stopped_run() {
    rm -f "$1"*
    "$LITHE" run fall.yaml -q -o "$1" --until 1000s &
    local pid=$! i
    for i in {1..6000}; do
        [[ -e $1.journal && $(stat -c %s "$1.journal") -gt 20000 ]] && break
        sleep 0.02
    done
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    return 0
}

recover_and_resume_keep_what_is_not_of_the_run() {
    stopped_run left.h5
    echo 'my notes' >left.h5
    expect 2 'left.h5: exists and is not a recording that can be read: move it away' "$LITHE" recover left.h5 &&
        expect 2 'left.h5: exists and is not a recording that can be read' "$LITHE" resume left.h5 || return 1
    [[ $(cat left.h5) == 'my notes' ]] || return 1
    expect 0 'other.h5 holds' "$LITHE" recover left.h5 -o other.h5 && [[ $(cat left.h5) == 'my notes' ]] || return 1
    # the recording of another scene
    rm -f left.h5 && "$LITHE" run fall.yaml -q -o other.h5 --set time.step=0.5ms &&
        cp other.h5 left.h5 || return 1
    expect 2 'left.h5: is a recording of another scene' "$LITHE" recover left.h5 &&
        cmp -s left.h5 other.h5 || return 1
    # which the run replaces, as it said when it began
    expect 3 "left.h5: the recording of another scene ('Fall', 11 frames) is replaced" \
        timeout --preserve-status -s INT 2 "$LITHE" resume left.h5 -q || return 1
    # one that was recovered before is of this run
    stopped_run left.h5
    expect 0 'left.h5 holds' "$LITHE" recover left.h5 && expect 0 'left.h5 holds' "$LITHE" recover left.h5
}

a_comparison_keeps_what_is_not_its_own() {
    rm -rf both && mkdir both && echo 'my notes' >both/report.txt
    expect 2 'both/report.txt: exists and is not of a comparison' "$LITHE" compare fall.yaml -o both &&
        [[ $(cat both/report.txt) == 'my notes' ]] || return 1
    rm both/report.txt && echo 'my notes' >both/convex.h5
    expect 2 'both/convex.h5: exists and is not of a comparison' "$LITHE" compare fall.yaml -o both &&
        [[ $(cat both/convex.h5) == 'my notes' ]] || return 1
    rm both/convex.h5
    expect 0 '' "$LITHE" compare fall.yaml -q -o both && expect 0 '' "$LITHE" compare fall.yaml -q -o both
}

a_plan_looks_at_its_output_before_it_solves() {
    echo 'my notes' >plan.h5
    expect 2 'plan.h5: exists and is not a recording that can be read: give the output another name' \
        timeout 20 "$LITHE" plan "$root/scenes/plan-x.yaml" --set plan.steps=400 -o plan.h5 &&
        [[ $(cat plan.h5) == 'my notes' ]] || return 1
    expect 2 'none/plan.h5' timeout 20 "$LITHE" plan "$root/scenes/plan-x.yaml" --set plan.steps=400 -o none/plan.h5
}

a_scene_may_come_through_a_pipe() {
    expect 0 '' "$LITHE" check <(cat fall.yaml) && cat fall.yaml | expect 0 '' "$LITHE" check /dev/stdin &&
        expect 0 '' "$LITHE" run <(cat fall.yaml) -q -o piped.h5 && [[ -s piped.h5 ]]
}

a_full_disk_is_named() {
    "$LITHE" run fall.yaml -q -o full.h5 && ln -sf /dev/full full.glb &&
        expect 2 'full.glb: cannot write: No space left on device' "$LITHE" export full.h5 full.glb
}

rerun_says_so() {
    rm -f fall.h5
    local first
    first=$("$LITHE" run fall.yaml 2>&1) || return 1
    [[ $first != *replaced* ]] || return 1
    expect 0 'fall.h5: the file of' "$LITHE" run fall.yaml
}

other_ending_warns() {
    local name warns='a run writes a recording, an HDF5 file, also under this name: its usual ending is .h5'
    for name in other.txt other.CSV; do
        expect 0 "warning: $name: $warns" "$LITHE" run fall.yaml -q -o "$name" || return 1
    done
    for name in other.h5 other other.v2 o.txt/other; do
        mkdir -p o.txt && [[ -z $("$LITHE" run fall.yaml -q -o "$name" 2>&1) ]] || return 1
    done
}

claim a_scene_and_all_files_that_it_was_read_from_are_never_overwritten scene_is_kept
claim an_export_never_overwrites_its_recording recording_is_kept
claim a_file_that_is_no_recording_is_replaced_only_with_force foreign_is_kept
claim a_scene_may_come_through_a_pipe a_scene_may_come_through_a_pipe
claim a_full_disk_is_named a_full_disk_is_named
claim recover_and_resume_keep_what_is_not_of_the_run recover_and_resume_keep_what_is_not_of_the_run
claim a_comparison_keeps_what_is_not_its_own a_comparison_keeps_what_is_not_its_own
claim a_plan_looks_at_its_output_before_it_solves a_plan_looks_at_its_output_before_it_solves
claim an_output_that_is_named_as_another_format_is_warned_of other_ending_warns
claim a_rerun_says_that_it_replaces_the_older_recording rerun_says_so

# --- names ---------------------------------------------------------------------------------------

odd_names() {
    local verb
    expect 2 'empty' soon "$LITHE" run fall.yaml -o '' || return 1
    expect 2 'empty' soon "$LITHE" resume '' || return 1
    expect 2 'empty' soon "$LITHE" recover '' || return 1
    expect 2 'empty' soon "$LITHE" validate -o '' rod-cantilever || return 1
    mkfifo pipe.yaml pipe.h5 pipe.csv pipe.mp4
    mkdir -p folder.yaml folder.h5
    "$LITHE" run fall.yaml -q -o ok.h5 || return 1
    for verb in run check modes compare; do
        expect 2 'pipe.yaml: cannot read: a pipe that nobody writes to' soon "$LITHE" "$verb" pipe.yaml || return 1
        expect 2 'folder.yaml: cannot read: Is a directory' soon "$LITHE" "$verb" folder.yaml || return 1
        expect 2 'cannot read: a device' soon "$LITHE" "$verb" /dev/zero || return 1
    done
    expect 2 'a pipe that nobody writes to' soon "$LITHE" sweep pipe.yaml || return 1
    expect 2 'not a device or a pipe' soon "$LITHE" run fall.yaml -o pipe.h5 || return 1
    expect 2 'not a device or a pipe' soon "$LITHE" run fall.yaml -o /dev/null || return 1
    expect 2 'Is a directory' soon "$LITHE" run fall.yaml -o folder.h5 || return 1
    expect 2 'a folder, pipe or device' soon "$LITHE" export pipe.h5 x.csv || return 1
    expect 2 'a folder, pipe or device' soon "$LITHE" export folder.h5 x.csv || return 1
    expect 2 'a pipe that nobody reads' soon "$LITHE" export ok.h5 pipe.csv || return 1
    expect 2 'a pipe that nobody reads' soon "$LITHE" export ok.h5 pipe.mp4 || return 1
    mv pipe.h5 fifo.h5.journal
    expect 2 'not a journal' soon "$LITHE" resume fifo.h5
}

full_stdout() {
    "$LITHE" run fall.yaml -q -o ok.h5 || return 1
    local verb code
    for verb in "--help" "--version" "help run" "run --help" "run fall.yaml" "run fall.yaml --json" \
        "check fall.yaml" "modes fall.yaml" "modes fall.yaml --json" "doctor" "plot ok.h5 --list" \
        "examples" "bench --list" "validate --list" "validate --help" "sweep --help" "resume ok.h5 --json"; do
        code=0
        # shellcheck disable=SC2086 # words of a command
        "$LITHE" $verb >/dev/full 2>error.log || code=$?
        if [[ $code == 0 || $code -gt 3 ]] || ! grep -q 'could not be written' error.log; then
            echo "  lithe $verb: exit code $code: $(cat error.log)"
            return 1
        fi
    done
}

claim empty_names_pipes_folders_and_devices_are_refused_at_once odd_names
claim a_full_standard_output_is_an_error_of_every_verb full_stdout

# --- signals -------------------------------------------------------------------------------------

# begin_long [COMMAND...]: starts a long run in the background, by that command, and waits until it has
# begun to write: its number in pid.
begin_long() {
    rm -f long.h5*
    "$@" "$LITHE" run fall.yaml -o long.h5 --until 100000s >long.log 2>&1 &
    pid=$!
    for _ in {1..6000}; do
        [[ -e long.h5.checkpoint ]] && return 0
        sleep 0.02
    done
    echo "  no checkpoint"
    return 1
}

stopped() {
    local code=0
    wait "$1" || code=$?
    [[ $code == 3 ]] && grep -q 'continue with: lithe resume long.h5' long.log && return 0
    echo "  exit code $code"
    cat long.log
    return 1
}

# the pairs of above may never meet where there is one core
refused() {
    local pid code=0
    begin_long || return 1
    expect 2 "another run is writing to it: process $pid " "$LITHE" run fall.yaml -o long.h5 || code=1
    kill -TERM "$pid"
    stopped "$pid" && return "$code"
}

hangup() {
    local pid
    # these tests may themselves run under nohup
    begin_long env --default-signal=HUP || return 1
    kill -HUP "$pid"
    stopped "$pid" || return 1
    # as under nohup: the run goes on, and is stopped by another signal
    begin_long env --ignore-signal=HUP || return 1
    kill -HUP "$pid"
    sleep 0.3
    if ! kill -0 "$pid" 2>/dev/null; then
        echo "  the ignored signal ended the run"
        return 1
    fi
    kill -TERM "$pid"
    stopped "$pid"
}

claim a_second_run_is_refused_and_names_the_one_that_writes refused
claim a_hangup_saves_as_a_termination_does hangup

# --- damage --------------------------------------------------------------------------------------

# Flips a bit at 200 places; an export that succeeds has the same numbers.
flips() {
    "$LITHE" run fall.yaml -q -o whole.h5 || return 1
    "$LITHE" export whole.h5 whole.csv || return 1
    local size at i byte other=0 refused=0 places
    places=$(count 200 40)
    size=$(stat -c %s whole.h5)
    for ((i = 0; i < places; i++)); do
        at=$((i * size / places + i % 8))
        ((at < size)) || continue
        cp whole.h5 hurt.h5
        byte=$(od -An -tu1 -j "$at" -N 1 whole.h5)
        # shellcheck disable=SC2059 # an octal byte
        printf "\\$(printf %03o $((byte ^ (1 << i % 8))))" |
            dd of=hurt.h5 bs=1 seek="$at" conv=notrunc status=none
        if "$LITHE" export hurt.h5 hurt.csv 2>/dev/null; then
            cmp -s hurt.csv whole.csv || other=$((other + 1))
        else
            refused=$((refused + 1))
        fi
    done
    echo "  $other of $places exported other numbers, $refused refused"
    ((other == 0 && refused > 0))
}

claim two_hundred_damaged_recordings_export_no_other_numbers flips
finish
