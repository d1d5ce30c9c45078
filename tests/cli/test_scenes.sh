#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_scenes.sh - every included scene is valid, titled, listed, and runs without a
# warning that it does not expect; with --whole to its end, for half an hour
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

examples_lists_every_scene_with_its_title() {
    local list path title
    list=$("$LITHE" examples) || return 1
    for path in "$root"/scenes/*.yaml; do
        title=$(sed -n 's/^title: //p' "$path")
        [[ -n $title && $list == *"$(basename "$path" .yaml)"*"$title"* ]] ||
            { echo "$path: '$title' is not listed in $list" && return 1; }
    done
}

examples_runs_one_with_options() {
    expect 0 'x.h5' "$LITHE" examples pendulum --until 10ms --out x.h5 && [[ -s x.h5 ]] &&
        expect 2 "did you mean 'pendulum'" "$LITHE" examples pendulm &&
        expect 0 'scenes/knot.yaml' "$LITHE" examples knot --until 1ms &&
        expect 0 'pulled tight' "$LITHE" examples knot --until 1ms && [[ -s knot.h5 ]] &&
        [[ -z $("$LITHE" examples knot --until 1ms --quiet) ]]
}

# a command far from any build; it may find the scenes of an installation, and then lists them
a_command_without_scenes_names_the_folders_that_it_searched() {
    local folder=$scratch/far/from/scenes-of-builds
    mkdir -p "$folder" && cp "$LITHE" "$folder/lithe" || return 1
    "$folder/lithe" examples >/dev/null 2>&1 && return
    expect 2 "tried scenes, ../scenes, ../share/lithe/scenes and ../../scenes, relative to $(realpath "$folder"), and /" \
        "$folder/lithe" examples
}

# in a bare root nothing is mounted at /proc; sanitizers need it
without_proc_scenes_are_found_and_studies_run() {
    local hide='mount -t tmpfs none /proc && "$@"'
    cat >two.yaml <<TEXT
lithe: 1
scene: $root/scenes/pendulum.yaml
vary: {rods.rope.nodes: [11, 21]}
measure: {low: rope.end.position.z}
until: 2 ms
TEXT
    expect 0 'pendulum' unshare --mount sh -c "$hide" - "$LITHE" examples &&
        expect 0 '2 of 2 rows done, 0 failed' unshare --mount sh -c "$hide" - "$LITHE" sweep two.yaml
}

# The warnings of a scene that its head does not name, as a line
#     # Expected warning "TEXT": why
unexpected() {
    local line text known
    # the end of a short run is none of the scene's
    grep 'lithe: warning: ' | grep -v 'is not a whole number of steps' | while IFS= read -r line; do
        known=no
        while IFS= read -r text; do
            if [[ $line == *"$text"* ]]; then known=yes; fi
        done < <(sed -n 's/^# Expected warning "\(.*\)": ..*/\1/p' "$1")
        if [[ $known == no ]]; then echo "$1: $line"; fi
    done
}

# a hundredth of each scene; all of them to their ends: tests/cli/test_scenes.sh --whole
every_scene_is_valid_and_runs_without_unexpected_warnings() {
    local path number=0 wrong until
    for path in "$root"/scenes/*.yaml; do
        # under a sanitizer every fifth one
        ((++number % $(count 1 5) == 0)) || continue
        wrong=$("$LITHE" check "$path" 2>&1 >/dev/null | unexpected "$path")
        [[ -z $wrong ]] || { echo "check: $wrong" && return 1; }
        if [[ ${1-} == whole ]]; then
            "$LITHE" run "$path" --force --out s.h5 >/dev/null 2>warnings.txt || [[ $? == 3 ]] || return 1
        else
            until=$("$LITHE" check "$path" 2>/dev/null | sed -n 's/^time: step .* end //p')
            until=$(awk -v t="$until" -v least="$(count 0.02 0.004)" 'BEGIN { split(t, p, " ")
                s = p[1] * (p[2] == "ms" ? 1e-3 : 1) / 100; print (s < least || least < 0.01 ? least : s) }')
            "$LITHE" run "$path" --until "$until" --force --out s.h5 >/dev/null 2>warnings.txt || return 1
        fi
        wrong=$(unexpected "$path" <warnings.txt)
        [[ -z $wrong ]] || { echo "$wrong" && return 1; }
    done
}

# the ring stays flat below sqrt(3) EI/GJ turns of twist, and leaves its plane above
a_twisted_ring_buckles_above_the_twist_of_michell() {
    local twist height
    for twist in 2.4 3.5; do
        "$LITHE" run "$root/scenes/twisted-ring.yaml" --set "rods.ring.twist=$twist turns" -q \
            --out ring.h5 && "$LITHE" export ring.h5 ring.csv -q ring.start.position.z || return 1
        height=$(tail -n 1 ring.csv | cut -d, -f2)
        awk -v h="$height" -v t="$twist" 'BEGIN { h = h < 0 ? -h : h
            exit !(t < 2.6 ? h < 0.002 : h > 0.02) }' || { echo "$twist turns: $height m" && return 1; }
    done
}

claim examples_lists_every_scene_with_its_title examples_lists_every_scene_with_its_title
claim examples_runs_one_with_options examples_runs_one_with_options
if (($(count 1 5) == 1)) && unshare --mount sh -c 'mount -t tmpfs none /proc' 2>/dev/null; then
    claim without_proc_scenes_are_found_and_studies_run without_proc_scenes_are_found_and_studies_run
fi
claim a_command_without_scenes_names_the_folders_that_it_searched \
    a_command_without_scenes_names_the_folders_that_it_searched
claim every_scene_is_valid_and_runs_without_unexpected_warnings \
    every_scene_is_valid_and_runs_without_unexpected_warnings "${1+${1#--}}"
study a_twisted_ring_buckles_above_the_twist_of_michell a_twisted_ring_buckles_above_the_twist_of_michell
finish
