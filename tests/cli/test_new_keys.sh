#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_new_keys.sh - keys of budgets, limits, meshes by size, and the library: wrong units,
# missing values, values outside of their limits, and things that cannot have them
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >good.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 20 ms}
materials:
  nylon: {young: 2 GPa, poisson: 0.35, density: 1100 kg/m^3}
rods:
  wire: {section: {circle: {radius: 1 mm}}, material: nylon, nodes: 11, shape: {line: {from: [0,0,0], to: [60 cm, 0,0]}}}
  cable: {section: {stiffness: {radius: 5 mm, EA: 1e5 N, EI: 1 N m^2, mass-per-length: 1 kg/m}}, nodes: 11, shape: {line: {from: [0,1,0], to: [60 cm, 1,0]}}}
solids:
  block: {material: nylon, at: [0, 3, 0], mesh: {box: {size: [10 cm, 10 cm, 10 cm], resolution: 5 cm}}}
bodies:
  ball: {at: [0,0,1], shape: {sphere: {radius: 5 cm}}, material: nylon}
TEXT

# wrong OLD: for each line "NEW | MESSAGE" of stdin the scene with NEW in place of OLD is refused with
# this message, which begins with the place
wrong() {
    local old=$1 row new message bad=0
    while IFS= read -r row; do
        new=${row%% |*} message=${row#*| }
        awk -v old="$old" -v new="$new" '{ i = index($0, old); if (i && !done) { $0 = substr($0, 1, i - 1) new substr($0, i + length(old)); done = 1 } print }' good.yaml >a.yaml
        expect 2 "lithe: a.yaml:$message" "$LITHE" check a.yaml || bad=1
    done
    return "$bad"
}

the_budget_of_work() {
    wrong 'end: 20 ms' <<'TEXT'
end: 20 ms, max-work: 3 m | 2:42: time.max-work: '3 m' is a length, a plain number is expected
end: 20 ms, max-work: | 2:32: time.max-work: has no value, a whole number is expected
end: 20 ms, max-work: -1 | 2:42: time: max-work is -1, must be >= 0
end: 20 ms, max-work: 1.5 | 2:42: time.max-work: '1.5' is 1.5, a whole number is expected
end: 20 ms, max-work: 1e12 | 2:42: time.max-work: '1e12' is too large, the max is 2147483647
TEXT
}

limits_of_materials() {
    wrong 'kg/m^3' <<'TEXT'
kg/m^3, yield: 3 m | 4:69: materials.nylon.yield: '3 m' is a length, a pressure is expected
kg/m^3, yield: | 4:62: materials.nylon.yield: has no value, a pressure is expected
kg/m^3, yield: -1 MPa | 4:69: material 'nylon': yield is -1000000 Pa, must be >= 0
kg/m^3, yield: [1] | 4:62: materials.nylon.yield: is a list, a pressure is expected
kg/m^3, strain-limit: 3 mm | 4:76: materials.nylon.strain-limit: '3 mm' is a length, a plain number is expected
kg/m^3, strain-limit: | 4:62: materials.nylon.strain-limit: has no value, a plain number is expected
kg/m^3, strain-limit: -0.1 | 4:76: material 'nylon': strain-limit is -0.1, must be >= 0
kg/m^3, strength: 3 N | 4:62: materials.nylon.strength: unknown key in material
TEXT
}

limits_of_sections() {
    wrong '1 kg/m}' <<'TEXT' || return 1
1 kg/m, strength: 3 m} | 7:106: rods.cable.section.stiffness.strength: '3 m' is a length, a force is expected
1 kg/m, strength: } | 7:96: rods.cable.section.stiffness.strength: has no value, a force is expected
1 kg/m, strength: -1 N} | 7:106: rod 'cable': strength is -1 N, must be >= 0
1 kg/m, strain-limit: 3 mm} | 7:110: rods.cable.section.stiffness.strain-limit: '3 mm' is a length, a plain number is expected
1 kg/m, strain-limit: } | 7:96: rods.cable.section.stiffness.strain-limit: has no value, a plain number is expected
1 kg/m, strain-limit: -1} | 7:110: rod 'cable': strain-limit is -1, must be >= 0
1 kg/m, yield: 1 MPa} | 7:96: rods.cable.section.stiffness.yield: unknown key in section stiffness
TEXT
    wrong '{radius: 1 mm}' <<'TEXT' || return 1
{radius: 1 mm, strength: 3 N} | 6:43: rods.wire.section.circle.strength: unknown key in section circle
{radius: 1 mm, yield: 3 MPa} | 6:43: rods.wire.section.circle.yield: unknown key in section circle
TEXT
    wrong 'ball: {' <<'TEXT'
ball: {strain-limit: 3, | 11:10: bodies.ball.strain-limit: unknown key in body
TEXT
}

names_of_the_library() {
    wrong 'kg/m^3' <<'TEXT' || return 1
kg/m^3, from: | 4:62: materials.nylon.from: has no value, the name of a material of the library is expected
kg/m^3, from: stel | 4:68: materials.nylon.from: the library has no material 'stel'; did you mean steel, steel-s235, steel-s275; `lithe materials` lists all
kg/m^3, from: mild-steel | 4:68: materials.nylon.from: the library has no material 'mild-steel'; did you mean
kg/m^3, from: model-power-cable | 4:68: materials.nylon.from: 'model-power-cable' is no material: it is for section: {stiffness: {from: model-power-cable}} of a rod
kg/m^3, from: zzzzzz | 4:68: materials.nylon.from: the library has no material 'zzzzzz'; `lithe materials` lists all
kg/m^3, from: [steel] | 4:62: materials.nylon.from: is a list, the name of a material of the library is expected
TEXT
    wrong '1 kg/m}' <<'TEXT' || return 1
1 kg/m, from: steel} | 7:102: rods.cable.section.stiffness.from: 'steel' is a material: materials: {NAME: {from: steel}}
1 kg/m, from: model-power} | 7:102: rods.cable.section.stiffness.from: the library has no rope, cable or hose 'model-power'; did you mean model-power-cable; `lithe materials` lists all
1 kg/m, from: } | 7:96: rods.cable.section.stiffness.from: has no value, the name of a rope, cable or hose of the library is expected
TEXT
    wrong '5 cm}}, material: nylon}' <<'TEXT'
5 cm}}, material: {from: stel}} | 11:73: bodies.ball.material.from: the library has no material 'stel'; did you mean steel, steel-s235, steel-s275; `lithe materials` lists all
5 cm}}, material: {from: }} | 11:67: bodies.ball.material.from: has no value, the name of a material of the library is expected
5 cm}}, material: {}} | 11:56: bodies.ball.material: the name of a material, or {from: NAME} alone, is expected
5 cm}}, material: {from: steel, young: 3 Pa}} | 11:56: bodies.ball.material: the name of a material, or {from: NAME} alone, is expected
5 cm}}, material: stel} | 11:66: bodies.ball.material: no material named 'stel'; known: nylon. The library has steel, steel-s235, steel-s275 (`lithe materials` lists all): material: {from: steel}
5 cm}}, material: nilon} | 11:66: bodies.ball.material: no material named 'nilon'; did you mean nylon?
5 cm}}, material: steel} | 11:66: bodies.ball.material: the scene has no material 'steel', the library has: add materials: {steel: {from: steel}}
5 cm}}, material: } | 11:56: bodies.ball.material: has no value, the name of a material is expected
TEXT
}

meshes_by_size() {
    wrong 'resolution: 5 cm' <<'TEXT' || return 1
resolution: 5 s | 9:97: solids.block.mesh.box.resolution: '5 s' is a time, a length is expected
resolution: | 9:85: solids.block.mesh.box.resolution: has no value, a length is expected
resolution: -1 cm | 9:97: solid 'block': resolution is -0.01 m, must be > 0
resolution: 0 | 9:97: solid 'block': resolution is 0 or missing: give resolution (a length) or divisions (cells along x, y and z)
resolution: 5 cm, divisions: [2,2,2] | 9:97: solid 'block': give resolution or divisions, not both
resolution: 1 um | 9:97: solid 'block': resolution makes about 1e+15 nodes, the max is 10000000
divisions: [2,2] | 9:85: solids.block.mesh.box.divisions: has 2 values, 3 are expected
divisions: [0,2,2] | 9:85: solid 'block': divisions are 0 along x, must be a whole number >= 1
TEXT
    wrong 'at: [0, 3, 0]' <<'TEXT'
quadratic: maybe | 9:39: solids.block.quadratic: 'maybe' is not known here; known: false, true, auto
quadratic: | 9:28: solids.block.quadratic: has no value, a word is expected
quadratic: 3 m | 9:39: solids.block.quadratic: '3 m' is not known here; known: false, true, auto
TEXT
}

walls_of_revolutions() {
    wrong 'sphere: {radius: 5 cm}' <<'TEXT' || return 1
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], thickness: 3 s} | 11:92: bodies.ball.shape.revolution.thickness: '3 s' is a time, a length is expected
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], thickness: } | 11:81: bodies.ball.shape.revolution.thickness: has no value, a length is expected
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], thickness: -1 mm} | 11:92: body 'ball': thickness is -0.001 m, must be >= 0
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], thickness: 3 m} | 11:44: body 'ball': thickness is 3 m, too much at outline[1]
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], rounding: 3 s} | 11:91: bodies.ball.shape.revolution.rounding: '3 s' is a time, a length is expected
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], rounding: -1 mm} | 11:91: body 'ball': rounding is -0.001 m, must be >= 0
revolution: {outline: [[0, 5 cm], [10 cm, 6 cm]], rounding: 3 m} | 11:44: body 'ball': rounding is 3 m: at outline[0] there is room for 0.0552493781 m
sphere: {radius: 5 cm, thickness: 1 mm} | 11:54: bodies.ball.shape.sphere.thickness: unknown key in body shape sphere
TEXT
}

the_scene_itself_is_good() {
    "$LITHE" check good.yaml >text.log 2>&1 && ! grep -q 'lithe:' text.log || { cat text.log && return 1; }
}

need_command
for test in the_scene_itself_is_good the_budget_of_work limits_of_materials limits_of_sections names_of_the_library meshes_by_size \
    walls_of_revolutions; do
    claim "$test" "$test"
done
finish
