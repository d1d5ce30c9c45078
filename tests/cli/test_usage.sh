#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_usage.sh - help, and messages about wrong usage
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

verbs=(run resume recover sweep compare check modes view export plot init examples bench validate replay schema materials doctor)

help_lists_every_verb() {
    local text verb
    text=$("$LITHE" --help) || return 1
    for verb in "${verbs[@]}"; do
        grep -qE "^  $verb " <<<"$text" || { echo "no line for $verb" && return 1; }
    done
}

every_verb_has_help_with_an_example() {
    local verb text
    for verb in "${verbs[@]}"; do
        text=$("$LITHE" "$verb" --help) || return 1
        [[ $text == *Example*"lithe $verb"* ]] || { echo "$verb: $text" && return 1; }
    done
}

no_command_shows_the_help_and_exit_code_2() { expect 2 'Usage: lithe COMMAND' "$LITHE"; }

a_mistyped_verb_gets_a_suggestion() {
    expect 2 "lithe: no command named 'rn': did you mean 'run'?" "$LITHE" rn &&
        expect 2 "lithe: no command named 'zzzzzz'" "$LITHE" zzzzzz &&
        expect 2 "\`lithe run knot.yaml\` simulates a scene" "$LITHE" knot.yaml &&
        expect 2 "\`lithe view knot.h5\` shows a recording" "$LITHE" knot.h5
}

init_writes_a_scene_that_runs_and_names_its_schema() {
    local schema
    schema=$("$LITHE" schema) && [[ -s $schema ]] || return 1
    expect 0 'mine.yaml' "$LITHE" init mine.yaml &&
        [[ $(head -n 1 mine.yaml) == "# yaml-language-server: \$schema=$schema" ]] &&
        tail -n +2 mine.yaml | cmp - "$root/scenes/start.yaml" &&
        "$LITHE" run mine.yaml --until 5ms -q &&
        expect 2 'mine.yaml: exists' "$LITHE" init mine.yaml &&
        expect 2 'no-folder/a.yaml: cannot write' "$LITHE" init no-folder/a.yaml &&
        expect 2 'the name of one file' "$LITHE" init --out &&
        expect 2 'takes no arguments' "$LITHE" schema x
}

version_is_that_of_the_header() {
    local want
    want=$(sed -n 's/^#define LITHE_VERSION "\(.*\)"$/\1/p' "$root/include/lithe/base.h")
    [[ $("$LITHE" --version) == "lithe $want" ]]
}

wrong_options_exit_with_2() {
    expect 2 "unrecognized option" "$LITHE" run --bogus x.yaml &&
        expect 2 "no scene is given" "$LITHE" run &&
        expect 2 "unexpected argument" "$LITHE" run a.yaml b.yaml &&
        expect 2 "one recording is given, 'a.h5': two are compared" "$LITHE" compare a.h5 &&
        expect 2 "must be a whole number from 1" "$LITHE" run a.yaml --threads 0 &&
        expect 2 "must be a whole number from 1" "$LITHE" run a.yaml --threads x &&
        expect 2 "is a length, a time is expected" "$LITHE" run a.yaml --until '3 m' &&
        expect 2 "must be > 0" "$LITHE" run a.yaml --until=-1 &&
        expect 2 "must be start or equilibrium" "$LITHE" modes a.yaml --at end &&
        expect 2 "no recording is given" "$LITHE" resume &&
        expect 2 "must have the form 1600x1000" "$LITHE" export a.h5 a.png --size big &&
        expect 2 "are for .png and .svg" "$LITHE" export a.h5 a.csv --frame 3
}

every_command_checks_the_form_of_a_set() {
    local verb text
    for verb in run check modes plan compare; do
        for text in time.step =1ms; do
            expect 2 "--set $text: expected PATH=VALUE, such as time.step=1ms" \
                "$LITHE" $verb a.yaml --set "$text" || return 1
        done
    done
}

an_unknown_ending_lists_the_formats() {
    expect 2 'ParaView' "$LITHE" export a.h5 a.doc && expect 2 'ParaView' "$LITHE" export a.h5 a
}

files_that_are_no_recordings_are_refused() {
    echo nonsense >bad.h5
    expect 2 'lithe: gone.h5' "$LITHE" export gone.h5 a.png &&
        expect 2 'lithe: bad.h5' "$LITHE" export bad.h5 a.png &&
        expect 2 'lithe: bad.h5' "$LITHE" plot bad.h5 rope.tension -o a.svg &&
        expect 2 'lithe: gone.h5' "$LITHE" resume gone.h5 &&
        expect 2 'lithe: gone.h5' "$LITHE" recover gone.h5 && [[ ! -e a.png && ! -e a.svg ]]
}

doctor_names_versions_and_kernel() {
    expect 0 'no problems found' "$LITHE" doctor && expect 0 'HDF5' "$LITHE" doctor &&
        expect 0 'kernel' "$LITHE" doctor &&
        expect 0 'separators of meshes' "$LITHE" doctor
}

claim help_lists_every_verb help_lists_every_verb
claim every_verb_has_help_with_an_example every_verb_has_help_with_an_example
claim no_command_shows_the_help_and_exit_code_2 no_command_shows_the_help_and_exit_code_2
claim a_mistyped_verb_gets_a_suggestion a_mistyped_verb_gets_a_suggestion
claim init_writes_a_scene_that_runs_and_names_its_schema init_writes_a_scene_that_runs_and_names_its_schema
claim version_is_that_of_the_header version_is_that_of_the_header
claim wrong_options_exit_with_2 wrong_options_exit_with_2
claim every_command_checks_the_form_of_a_set every_command_checks_the_form_of_a_set
claim an_unknown_ending_lists_the_formats an_unknown_ending_lists_the_formats
claim files_that_are_no_recordings_are_refused files_that_are_no_recordings_are_refused
claim doctor_names_versions_and_kernel doctor_names_versions_and_kernel
finish
