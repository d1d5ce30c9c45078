#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_pictures.sh - pictures at the command: floors, marks of a start, colours; plots over a
# quantity; notes on corners of rods and on names to record
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

cat >rope.yaml <<'TEXT'
lithe: 1
time: {step: 5 ms, end: 100 ms}
materials: {nylon: {young: 2 GPa, poisson: 0.4, density: 1100 kg/m^3}}
rods:
  rope: {material: nylon, section: {circle: {radius: 5 mm}}, shape: {line: {to: [0.3, 0, 0]}}, nodes: 11, clamped: start}
bodies:
  ball: {material: nylon, shape: {sphere: {radius: 3 cm}}, at: [0.15, 0, 0.5]}
record: {every: 20 ms}
TEXT
sed 's|^bodies:|&\n  floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.5]}|' rope.yaml >floor.yaml
sed 's|0.15, 0, 0.5|0.15, 0, 0.02|' rope.yaml >overlap.yaml
"$LITHE" run rope.yaml --out rope.h5 --quiet

# the lines of the floor are a group of strokes
a_floor_is_drawn_only_where_the_scene_has_one() {
    "$LITHE" export rope.yaml rope.svg && "$LITHE" export floor.yaml floor.svg || return 1
    grep -q '^<g stroke=' floor.svg && ! grep -q '^<g stroke=' rope.svg || { grep '^<g' rope.svg floor.svg; return 1; }
}

the_picture_of_a_start_comes_with_its_legend() {
    expect 0 'drawn: 2 held nodes (black dots), axes of 1 body (x red, y green, z blue)' \
        "$LITHE" export rope.yaml a.svg &&
        expect 0 "'rope' and 'ball' overlap at the start by 15 mm" "$LITHE" export overlap.yaml a.svg &&
        expect 0 '2 held nodes (white dots), 1 overlap (red dot)' "$LITHE" export overlap.yaml a.svg --dark
}

# a constraint at the place of the ball joint has its dot there, too; a weld is not drawn
joints_are_drawn_where_they_are() {
    cat >joints.yaml <<'TEXT'
lithe: 1
materials: {wood: {young: 10 GPa, poisson: 0.3, density: 600 kg/m^3}}
bodies:
  bar: {material: wood, shape: {box: {size: [40 cm, 4 cm, 4 cm]}}}
  door: {material: wood, shape: {box: {size: [30 cm, 2 cm, 40 cm]}}}
  drawer: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}}
  plinth: {material: wood, shape: {box: {size: [10 cm, 10 cm, 10 cm]}}}
joints:
  socket: {kind: ball, child: bar, parent-at: [0, 0, 1], child-at: [20 cm, 0, 0]}
  hinge: {kind: revolute, child: door, parent-at: [1, 0, 1], child-at: [15 cm, 0, 0], position: 30 deg}
  slide: {kind: prismatic, child: drawer, at: [0, 1, 1], axis: [1, 0, 0], position: 10 cm}
  foot: {kind: weld, child: plinth, at: [1, 1, 0]}
constraints:
  pin: {kind: attach, a: {on: bar, at: [20 cm, 0, 0]}, b: {on: world, at: [0, 0, 1]}}
TEXT
    expect 0 '1 constraint (blue dot), 3 joints (violet: ' "$LITHE" export joints.yaml joints.svg || return 1
    local violet blue
    violet=$(grep -o '<circle [^>]* fill="#852499"' joints.svg)
    blue=$(grep -o '<circle [^>]* fill="#2940b8"' joints.svg)
    [[ $(wc -l <<<"$violet") == 2 && $(head -n 1 <<<"${violet/852499/2940b8}") == "$blue" ]] ||
        { echo "$violet, $blue" && return 1; }
    # two arrows each of the hinge and the slide
    [[ $(grep -c '<path [^>]*Z" fill="#852499"' joints.svg) == 4 ]] || { grep 852499 joints.svg && return 1; }
}

# the end of the rope has moved farthest: the printed range is its way
colours_by_displacement_reach_the_way_of_the_end() {
    "$LITHE" export rope.h5 end.csv --quantity rope.end.position || return 1
    local want got
    want=$(awk -F, 'NR == 2 { x = $2; y = $3; z = $4 }
        END { printf "%.4g", sqrt(($2 - x) ^ 2 + ($3 - y) ^ 2 + ($4 - z) ^ 2) }' end.csv)
    got=$("$LITHE" export rope.h5 a.png --size 64x64 --colour displacement)
    [[ $got == "displacement: dark violet 0 to pale yellow $want m" ]] || { echo "$got, not $want"; return 1; }
    expect 0 'displacement: dark violet 0 to pale yellow 1 m; the values are 0 to' \
        "$LITHE" export rope.h5 a.png --size 64x64 --colour displacement --range 0:1 &&
        expect 2 "cannot colour by 'displacment', did you mean 'displacement'? Rods have displacement, " \
            "$LITHE" export rope.h5 a.png --size 64x64 --colour displacment &&
        expect 2 "--range is that of the colours of a quantity: give --colour, too" \
            "$LITHE" export rope.h5 a.png --size 64x64 --range 0:1
}

a_quantity_is_plotted_over_another_with_both_units() {
    "$LITHE" plot rope.h5 rope.start.tension --over rope.end.position.z -o a.svg || return 1
    grep -q 'rope.end.position.z \[m\]' a.svg && grep -q 'tension \[N\]' a.svg && ! grep -q 'time \[s\]' a.svg || return 1
    expect 2 "--over is 'rope.end.position', which has 3 numbers per frame, must have one, such as 'rope.end.position.x'" \
        "$LITHE" plot rope.h5 rope.start.tension --over rope.end.position -o a.svg &&
        expect 2 "no quantity 'rope.positon': did you mean 'rope.position'" \
            "$LITHE" plot rope.h5 rope.start.tension --over rope.positon -o a.svg &&
        expect 2 'one horizontal axis is possible' "$LITHE" plot rope.h5 rope.tension --over energy.work --at 0.05s
}

a_misspelt_name_to_record_gets_a_hint() {
    sed 's|^record: .*|record: {also: [roep.moment]}|' rope.yaml >wrong.yaml
    expect 2 "'roep.moment' is not the name of a " "$LITHE" check wrong.yaml &&
        expect 2 "of the scene, did you mean 'rope'?" "$LITHE" check wrong.yaml
}

# two corners of 90 degrees, which equal edges cut a little; with natural: shape they are meant, and a bend of 45 degrees is none
check_notes_kinks_of_naturally_straight_rods() {
    local shape='shape: {polyline: {points: [[0, 0, 0], [0.3, 0, 0], [0.3, 0.3, 0], [0.6, 0.3, 0]]}}'
    sed "s|shape: {line: {to: .0.3, 0, 0.}}|$shape|; s|nodes: 11|nodes: 31|" rope.yaml >kink.yaml
    expect 0 'note: kinks of up to 78.7 degrees at 2 nodes (node 20), where the rod is naturally straight: it springs open' \
        "$LITHE" check kink.yaml || return 1
    sed 's|nodes: 31|&, natural: shape|' kink.yaml >shape.yaml
    sed 's|0.3, 0.3, 0\], \[0.6, 0.3, 0|0.5, 0.2, 0], [0.8, 0.5, 0|' kink.yaml >bend.yaml
    ! "$LITHE" check shape.yaml | grep kink && ! "$LITHE" check bend.yaml | grep kink
}

what_a_logarithmic_axis_and_a_camera_cannot_show_is_reported() {
    # the end of the rope falls: no height is positive
    expect 0 'of rope.end.position.z are not positive: --log leaves them out' \
        "$LITHE" plot rope.h5 rope.end.position.z --log -o log.svg &&
        expect 2 'its elevation must be between -89.9 and 89.9 degrees' \
            "$LITHE" export rope.h5 a.png --camera 0,90
}

# ends of the range are within the bar, so ticks are round numbers inside of it
a_picture_in_colours_has_a_scale_with_its_unit() {
    "$LITHE" export rope.h5 bar.svg --colour tension --range -1:3 >/dev/null &&
        "$LITHE" export rope.h5 plain.svg || return 1
    grep -q '>tension \[N\]</text>' bar.svg && ! grep -q '<text' plain.svg || return 1
    [[ $(grep -o '>[-0-9.]*</text>' bar.svg | tr -d '></text' | tr '\n' ' ') == '-1 0 1 2 3 ' ]] ||
        { grep -o '<text.*' bar.svg && return 1; }
    # and in pixels
    "$LITHE" export rope.h5 bar.png --colour tension --range -1:3 --size 600x400 >/dev/null &&
        "$LITHE" export rope.h5 flat.png --size 600x400 && ! cmp -s bar.png flat.png
}

claim a_picture_in_colours_has_a_scale_with_its_unit a_picture_in_colours_has_a_scale_with_its_unit
claim what_a_logarithmic_axis_and_a_camera_cannot_show_is_reported what_a_logarithmic_axis_and_a_camera_cannot_show_is_reported
claim check_notes_kinks_of_naturally_straight_rods check_notes_kinks_of_naturally_straight_rods
claim a_misspelt_name_to_record_gets_a_hint a_misspelt_name_to_record_gets_a_hint
claim a_floor_is_drawn_only_where_the_scene_has_one a_floor_is_drawn_only_where_the_scene_has_one
claim joints_are_drawn_where_they_are joints_are_drawn_where_they_are
claim the_picture_of_a_start_comes_with_its_legend the_picture_of_a_start_comes_with_its_legend
claim colours_by_displacement_reach_the_way_of_the_end colours_by_displacement_reach_the_way_of_the_end
claim a_quantity_is_plotted_over_another_with_both_units a_quantity_is_plotted_over_another_with_both_units
finish
