#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_materials.sh - lithe materials lists the library, and shows values with their sources
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

all_names_are_listed() {
    "$LITHE" materials >list.txt && [[ $(grep -c '^  [a-z]' list.txt) -ge 50 ]] &&
        grep -q '^  steel-s235  *structural steel S235' list.txt && grep -q '^ropes, cables and hoses$' list.txt
}

one_name_shows_every_value_with_its_source() {
    "$LITHE" materials nylon-66 >one.txt && grep -q 'young *1.59 GPa to 3.79 GPa (taken: 2.69 GPa)' one.txt &&
        grep -q 'poisson *0.39' one.txt && [[ $(grep -c 'Callister, Rethwisch' one.txt) == 4 ]] &&
        "$LITHE" materials dynamic-power-cable | grep -q 'Ocean Engineering 322'
}

programs_get_json() {
    "$LITHE" materials --json >all.json && "$LITHE" materials steel --json >one.json && python3 - <<'PY'
import json
every = {e["name"]: e for e in json.load(open("all.json"))}
steel = json.load(open("one.json"))
assert steel == every["steel"] and steel["kind"] == "material"
assert steel["values"]["young"]["value"] == 210e9 and steel["values"]["young"]["unit"] == "Pa"
assert all(v["source"] and v["low"] <= v["value"] <= v["high"] for e in every.values() for v in e["values"].values())
PY
}

unknown_names_have_three_suggestions() {
    expect 2 "the library has no 'steel-s225'; did you mean steel-s235, steel-s275, steel-s355; \`lithe materials\` lists all" "$LITHE" materials steel-s225 &&
        expect 2 "\`lithe materials\` lists all" "$LITHE" materials qqqqqq
}

# the default of what no source states is said before the run
a_scene_takes_entries_and_notes_what_they_lack() {
    cat >scene.yaml <<'TEXT'
lithe: 1
time: {step: 1, end: 1, scheme: static}
materials: {wire: {from: e-glass-fibre}}
rods:
  wire: {material: wire, section: {circle: {radius: 1 mm}}, shape: {line: {to: [10 cm, 0, 0]}}, nodes: 11, clamped: start}
TEXT
    "$LITHE" run scene.yaml >out.txt 2>&1 && grep -q "materials.wire: the library has no poisson of 'e-glass-fibre': 0.5 is taken" out.txt || return 1
    "$LITHE" run scene.yaml -q --set materials.wire.from=steel --set materials.wire.yield='10 kPa' 2>out.txt
    grep -q "more than its yield of 1e+04 Pa" out.txt
}

claim "all names are listed" all_names_are_listed
claim "one name shows every value with its source" one_name_shows_every_value_with_its_source
claim "programs get JSON" programs_get_json
claim "unknown names have three suggestions" unknown_names_have_three_suggestions
claim "a scene takes entries and notes what they lack" a_scene_takes_entries_and_notes_what_they_lack
finish
