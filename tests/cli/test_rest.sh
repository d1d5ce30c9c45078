#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_rest.sh - how deep things rest: check, warnings of a run, contacts of a summary
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >heavy.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.4 s}
materials:
  steel: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3}
bodies:
  floor: {fixed: true, material: steel, shape: {half-space: {}}}
  ball: {material: steel, shape: {sphere: {radius: 25 cm}}, at: [0, 0, 0.2501]}
rods:
  bar: {material: steel, section: {circle: {radius: 1 cm}}, shape: {line: {from: [1, 0, 0.0101], to: [2, 0, 0.0101]}}, nodes: 11}
TEXT

check_prints_how_deep_things_rest_and_warns_where_that_is_not_small() {
    local text part
    text=$("$LITHE" check heavy.yaml 2>&1) || return 1
    for part in "'ball' would sink by 183.5 nm if it lay on 'floor' (1 contact of 2.75e+10 N/m)" "'bar' " "(11 contacts of"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    [[ $text != *warning* ]] || { echo "$text" && return 1; }
    text=$("$LITHE" check heavy.yaml --set materials.steel.contact.stiffness=1e5 2>&1 >/dev/null) || return 1
    [[ $text == *"warning: 'ball' would sink by 100.8 mm if it lay on 'floor', 20 % of its thickness (small is below 1 %)"* ]] ||
        { echo "$text" && return 1; }
}

# one ball in an empty world has nothing to lie on; two have each other
check_names_only_pairs_that_exist() {
    grep -v 'floor\|rods\|bar' heavy.yaml >alone.yaml
    sed 's/^  ball\(.*\)0.2501/  ball\10.2501]}\n  twin\11/' alone.yaml >two.yaml
    ! "$LITHE" check alone.yaml | grep 'would sink' &&
        expect 0 "'ball' would sink by " "$LITHE" check two.yaml && expect 0 " if it lay on 'twin' (1 contact" "$LITHE" check two.yaml
}

a_run_warns_of_an_overlap_that_is_not_small() {
    local text
    text=$("$LITHE" run heavy.yaml -o a.h5 2>&1 >/dev/null) && [[ -z $text ]] || { echo "$text" && return 1; }
    text=$("$LITHE" run heavy.yaml -o b.h5 --set materials.steel.contact.stiffness=1e5 2>&1 >/dev/null) || return 1
    [[ $text == *"'floor' and 'ball' overlap by "*"% of the smaller half thickness (small is below 20 %)"* ||
        $text == *"'ball' and 'floor' overlap by "*"% of the smaller half thickness (small is below 20 %)"* ]] ||
        { echo "$text" && return 1; }
    [[ $(grep -c "overlap by" <<<"$text") == 1 ]] || { echo "$text" && return 1; }
}

a_summary_names_what_it_counts() {
    local text part
    text=$("$LITHE" run heavy.yaml -o c.h5) || return 1
    for part in "those within reach included" "energy drift " " of the largest energy: "; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
    [[ $text != *"Newton 0.00"* && $text != *waiting* ]] || { echo "$text" && return 1; }
}

# nothing that rests with the automatic stiffness of a soft material is reported: block, ball, rod,
# welded bodies and particles, on a floor without or with a stiffness of its own
check_accepts_the_automatic_stiffness_of_soft_materials() {
    cat >foam.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.4 s}
materials:
  foam: {young: 10 kPa, poisson: 0.3, density: 100 kg/m^3}
  steel: {young: 200 GPa, poisson: 0.3, density: 7850 kg/m^3, contact: {stiffness: 1e7 N/m}}
bodies:
  floor: {fixed: true, material: foam, shape: {half-space: {}}}
  block: {material: foam, shape: {box: {size: [1, 1, 0.5]}}, at: [0, 0, 0.25]}
  ball: {material: foam, shape: {sphere: {radius: 25 cm}}, at: [2, 0, 0.25]}
  foot: {material: foam, shape: {box: {size: [0.5, 0.5, 0.5]}}, at: [4, 0, 0.25]}
  load: {material: foam, shape: {box: {size: [0.5, 0.5, 2]}}, at: [4, 0, 1.5]}
joints: {glue: {kind: weld, parent: foot, child: load}}
rods:
  bar: {material: foam, section: {circle: {radius: 5 cm}}, shape: {line: {from: [6, 0, 0.05], to: [8, 0, 0.05]}}, nodes: 21}
particles:
  beans: {material: foam, radius: 2 cm, positions: [[0, 4, 0.02], [1, 4, 0.02]]}
TEXT
    local text floor
    for floor in foam steel; do
        text=$("$LITHE" check foam.yaml --set bodies.floor.material=$floor 2>&1) || { echo "$text" && return 1; }
        [[ $text == *"'block' "*"'ball' "*"'foot' "* && $text != *warning* && $text != *note:* ]] || { echo "$text" && return 1; }
    done
    # a soft floor stays as soft as it is
    text=$("$LITHE" check foam.yaml --set bodies.floor.material=steel --set materials.steel.contact.stiffness=300 2>&1)
    [[ $text == *"(1 contact of 300 N/m)"* && $text == *"warning: 'ball' would sink"* ]] || { echo "$text" && return 1; }
}

check_notes_faces_that_touch_at_their_corners_only() {
    cat >face.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.4 s}
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000 kg/m^3}}
bodies:
  floor: {fixed: true, material: m, shape: {cylinder: {radius: 2, length: 0.5}}, at: [0, 0, -0.25]}
  top: {material: m, shape: {revolution: {outline: [[-0.025, 0.1], [0.025, 0.1]]}}, at: [0, 0, 0.025]}
TEXT
    expect 0 "flat faces of 'top' touch 'floor' at their corners only" "$LITHE" check face.yaml || return 1
    sed -i 's/{cylinder: .*/{box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]}/' face.yaml
    "$LITHE" check face.yaml | grep 'at their corners only' && return 1
    sed -i 's/shape: {box: .*/shape: {half-space: {}}}/' face.yaml
    "$LITHE" check face.yaml | grep 'at their corners only' && return 1
    expect 0 "flat faces of 'top' touch 'floor' at their corners only" "$LITHE" check face.yaml --set contact.faces=corners
    local way text
    for way in friction-law=sap friction-law=similar model=lcp; do
        expect 0 "the load of a face or line of 'top' is not" "$LITHE" check face.yaml --set contact.$way || return 1
    done
    "$LITHE" check face.yaml | grep 'is not even' && return 1
    # a run warns where it happens
    sed -i 's/^materials: {m: {/&friction: 0.3, /; s/^  top: {/&spin: [0, 0, 20], /; s/end: 0.4 s/end: 20 ms/' face.yaml
    for way in friction-law=sap model=lcp; do
        text=$("$LITHE" run face.yaml -q --force --set contact.$way 2>&1)
        [[ $text == *"'floor' and 'top' turn on each other"* ]] || { echo "$way: $text" && return 1; }
    done
    text=$("$LITHE" run face.yaml -q --force 2>&1)
    [[ $text != *'turn on each other'* ]] || { echo "$text" && return 1; }
}

# it keeps its height, but not what vibrates in it
a_soft_cube_whose_vibrations_are_lost_is_warned_of() {
    cat >drop.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.3 s}
materials: {soft: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3, friction: 0.3}}
bodies: {floor: {fixed: true, shape: {half-space: {}}, material: soft}}
solids: {cube: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], resolution: 25 mm}}, at: [0, 0, 0.15]}}
TEXT
    local text
    text=$("$LITHE" run drop.yaml -q --force 2>&1)
    [[ $text == *"steps of 0.001 s do not resolve vibrations of solids, which lose their energy; steps of 0.0005 s keep more"* ]] || { echo "$text" && return 1; }
}

# 10 N on 0.01 m^2 of two layers of 0.5 mm with 0.1 MPa
check_prints_how_deep_a_solid_lies_on_a_solid() {
    cat >solids.yaml <<'TEXT'
lithe: 1
gravity: [0, 0, -10 m/s^2]
materials: {soft: {young: 0.1 MPa, poisson: 0, density: 1000}}
solids:
  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}}
  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [1, 1, 1]}}, at: [0, 0, 0.2]}
TEXT
    expect 0 "'high' would sink by 10 um if it lay flat on 'low' (0.01 m^2 of 1e+08 N/m^3)" "$LITHE" check solids.yaml
}

# a law with a cone opens a gap within a step, and what begins to slide hops; lagged has none
what_begins_to_slide_under_a_law_with_a_cone_is_warned_of() {
    cat >slide.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 20 ms, scheme: backward-euler}
contact: {friction-law: sap}
materials: {m: {young: 1 GPa, density: 1000, friction: 0.3}}
bodies:
  floor: {fixed: true, material: m, shape: {half-space: {}}}
  top: {material: m, shape: {box: {size: [0.4, 0.02, 0.02]}}, at: [0, 0, 0.01], velocity: [3, 0, 0]}
TEXT
    local law
    for law in sap similar; do
        expect 0 'keeps them apart by up to 0.000825 m, 8 % of the smaller half thickness, and lifts what begins to slide by up to 0.825 m/s' \
            "$LITHE" run slide.yaml -q --set contact.friction-law=$law || return 1
    done
    local out
    out=$("$LITHE" run slide.yaml -q --set contact.friction-law=lagged 2>&1) && [[ -z $out ]]
}

# each pair is warned of, and the end names the deepest one
a_run_warns_of_every_pair_that_overlaps() {
    cat >soft.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.6 s}
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000 kg/m^3, contact: {stiffness: 1 kN/m}}}
bodies:
  floor: {fixed: true, material: m, shape: {half-space: {}}}
  low: {material: m, shape: {sphere: {radius: 5 cm}}, at: [0, 0, 6 cm]}
  high: {material: m, shape: {sphere: {radius: 5 cm}}, at: [1, 0, 1]}
  plate: {material: m, shape: {box: {size: [10 cm, 10 cm, 1 cm]}}, at: [2, 0, 50 cm]}
TEXT
    local out
    out=$("$LITHE" run soft.yaml -q -o soft.h5 2>&1) || { echo "$out" && return 1; }
    for one in high plate; do
        [[ $out == *"'floor' and '$one' overlap by "* || $out == *"'$one' and 'floor' overlap by "* ]] || { echo "$one: $out" && return 1; }
    done
    [[ $out =~ [0-9]+" pairs of things overlapped by more than 20 % of the smaller half thickness; the deepest overlap was that of " ]] || { echo "$out" && return 1; }
}

# a ball of 0.27 kg sinks into a soft floor by 47 % of its radius as it falls onto it
a_contact_that_is_too_soft_is_named_with_the_factor_that_helps() {
    local out
    cat >soft.yaml <<'TEXT'
lithe: 1
parameters: {k: 1e3 N/m}
time: {step: 1 ms, end: 0.3 s, scheme: backward-euler}
materials:
  m: {young: 10 MPa, poisson: 0.4, density: 8000 kg/m^3, contact: {stiffness: k, dissipation: 1 s/m}}
bodies:
  floor: {fixed: true, material: m, shape: {half-space: {}}}
  ball: {material: m, shape: {sphere: {radius: 2 cm}}, at: [0, 0, 2.1 cm]}
TEXT
    expect 0 '47 %, at 0.072 s: with 2.4 (a load) to 5.6 times (an impact) the contact stiffness it would be small' \
        "$LITHE" run soft.yaml -o soft.h5 || return 1
    out=$("$LITHE" run soft.yaml -o stiff.h5 --set parameters.k='5600 N/m' 2>&1) && [[ $out != *overlap\ by* ]]
}

for test in what_begins_to_slide_under_a_law_with_a_cone_is_warned_of a_run_warns_of_every_pair_that_overlaps a_soft_cube_whose_vibrations_are_lost_is_warned_of check_prints_how_deep_a_solid_lies_on_a_solid check_notes_faces_that_touch_at_their_corners_only check_accepts_the_automatic_stiffness_of_soft_materials check_prints_how_deep_things_rest_and_warns_where_that_is_not_small \
    check_names_only_pairs_that_exist a_run_warns_of_an_overlap_that_is_not_small a_summary_names_what_it_counts \
    a_contact_that_is_too_soft_is_named_with_the_factor_that_helps; do
    claim "$test" "$test"
done
finish
