#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_patches.sh - contact patches in plots, tables, pictures and files for ParaView
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

# a block of 0.48 kg on 100 x 80 mm
cat >block.yaml <<'TEXT'
lithe: 1
time: {step: 2 ms, end: 200 ms}
materials:
  soft: {young: 1 MPa, density: 1000 kg/m^3, friction: 0.5, contact: {patches: {modulus: 100 kPa}}}
  hard: {young: 1 GPa, density: 1000 kg/m^3, friction: 0.5}
bodies:
  floor: {fixed: true, material: hard, shape: {half-space: {}}}
  block: {material: soft, shape: {box: {size: [100 mm, 80 mm, 60 mm]}}, at: [10 mm, 20 mm, 29.8 mm]}
record: {every: 50 ms}
TEXT
"$LITHE" run block.yaml --out block.h5 --quiet
sed 's/, contact: {patches: {modulus: 100 kPa}}//' block.yaml >points.yaml
"$LITHE" run points.yaml --out points.h5 --quiet

# last row of a table of one quantity
last() {
    "$LITHE" export "$1" last.csv --quantity "$2" >/dev/null && tail -n 1 last.csv | cut -d, -f2-
}

near() { # value, wanted, relative tolerance
    awk -v x="$1" -v y="$2" -v e="$3" 'BEGIN { exit !(x - y <= e * (y < 0 ? -y : y) && y - x <= e * (y < 0 ? -y : y)) }' ||
        { echo "$1, not $2"; return 1; }
}

force_centre_torque_and_area_of_a_pair_are_series() {
    near "$(last block.h5 floor+block.force.z)" 4.7072 0.01 &&
        near "$(last block.h5 block+floor.force.z)" -4.7072 0.01 &&
        near "$(last block.h5 block+floor.force)" 4.7072 0.01 &&
        near "$(last block.h5 floor+block.area)" 0.008 0.02 &&
        near "$(last block.h5 floor+block.centre.x)" 0.01 0.01 &&
        near "$(last block.h5 floor+block.centre.y)" 0.02 0.01 || return 1
    awk -v t="$(last block.h5 floor+block.torque)" 'BEGIN { exit !(t < 1e-6) }' || return 1
    "$LITHE" plot block.h5 floor+block.centre -o a.svg && grep -q '>floor+block.centre.z<' a.svg || return 1
    # points have no area, but a force
    near "$(last points.h5 floor+block.force.z)" 4.7072 0.01 && [[ $(last points.h5 floor+block.area) == 0 ]]
}

wrong_names_of_pairs_are_refused() {
    expect 2 "no quantity 'floor+block.forc': of two things that touch there are A+B.force, " \
        "$LITHE" plot block.h5 floor+block.forc -o a.svg &&
        expect 2 "no quantity 'floor+block.area.x': of two things" "$LITHE" plot block.h5 floor+block.area.x -o a.svg &&
        expect 2 "no quantity 'floor+blok.force'" "$LITHE" plot block.h5 floor+blok.force -o a.svg
}

pictures_show_patches_by_their_pressure() {
    "$LITHE" export block.h5 a.svg --patches && grep -q '>pressure \[Pa\]</text>' a.svg || return 1
    "$LITHE" export block.h5 a.png --patches --size 200x150 && "$LITHE" export block.h5 b.png --size 200x150 &&
        ! cmp -s a.png b.png || return 1
    expect 2 '--patches has colours of its own: leave out --colour' \
        "$LITHE" export block.h5 a.png --patches --colour speed &&
        expect 2 'points.h5: has no contact patches: its materials have no contact.patches.modulus' \
            "$LITHE" export points.h5 a.png --patches
}

paraview_gets_polygons_with_pressure() {
    "$LITHE" export block.h5 block.pvd && "$LITHE" export points.h5 points.pvd || return 1
    [[ $(grep -c 'part="1" file="block_frames/.*-patches.vtp"' block.pvd) == 5 ]] || { cat block.pvd; return 1; }
    grep -q 'NumberOfPolys="1"' block_frames/000004-patches.vtp &&
        grep -q 'Name="pressure"' block_frames/000004-patches.vtp && ! grep -q patches points.pvd
}

# a U: no point inside of it sees its whole surface
what_has_no_pressure_field_is_reported_by_name_and_refused_on_request() {
    local points='[-3 cm, -3 cm, -1 cm], [3 cm, -3 cm, -1 cm], [3 cm, 3 cm, -1 cm], [2 cm, 3 cm, -1 cm], [2 cm, -2 cm, -1 cm], [-2 cm, -2 cm, -1 cm], [-2 cm, 3 cm, -1 cm], [-3 cm, 3 cm, -1 cm], [-3 cm, -3 cm, 1 cm], [3 cm, -3 cm, 1 cm], [3 cm, 3 cm, 1 cm], [2 cm, 3 cm, 1 cm], [2 cm, -2 cm, 1 cm], [-2 cm, -2 cm, 1 cm], [-2 cm, 3 cm, 1 cm], [-3 cm, 3 cm, 1 cm]'
    local triangles='[8, 9, 12], [8, 12, 13], [0, 4, 1], [0, 5, 4], [9, 10, 11], [9, 11, 12], [1, 3, 2], [1, 4, 3], [8, 13, 14], [8, 14, 15], [0, 6, 5], [0, 7, 6], [0, 1, 9], [0, 9, 8], [1, 2, 10], [1, 10, 9], [2, 3, 11], [2, 11, 10], [3, 4, 12], [3, 12, 11], [4, 5, 13], [4, 13, 12], [5, 6, 14], [5, 14, 13], [6, 7, 15], [6, 15, 14], [7, 0, 8], [7, 8, 15]'
    sed "s|{box: {size: .*}}, at|{mesh: {points: [$points], triangles: [$triangles]}}, at|" block.yaml >u.yaml
    expect 0 "warning: body 'block' has no point inside that sees its whole surface" \
        "$LITHE" run u.yaml --until 2ms --out u.h5 &&
        expect 2 "contact.patches is on, but body 'block' has no point inside that sees its whole surface" \
            "$LITHE" run u.yaml --set contact.patches=on --until 2ms --out on.h5
}

# sections of neighbouring edges intersect
edges_folded_at_the_start_are_reported() {
    cat >bent.yaml <<'TEXT'
lithe: 1
time: {step: 2 ms, end: 2 ms}
gravity: none
materials:
  soft: {young: 1 MPa, density: 1000 kg/m^3, contact: {patches: {modulus: 100 kPa}}}
  hard: {young: 1 GPa, density: 1000 kg/m^3}
bodies:
  floor: {fixed: true, material: hard, shape: {half-space: {}}}
rods:
  hook:
    material: soft
    section: {circle: {radius: 20 mm}}
    natural: {from: shape}
    self-contact: false
    shape: {polyline: {points: [[0, 0, 18 mm], [60 mm, 0, 18 mm], [70 mm, 8 mm, 18 mm], [60 mm, 16 mm, 18 mm], [0, 16 mm, 18 mm]]}}
TEXT
    expect 0 "edge 1 of rod 'hook' and 1 more in patches bends with a radius of 0.008 m and twists by" \
        "$LITHE" run bent.yaml --out bent.h5 &&
        expect 0 'too much for its section, which reaches 0.0201 m from the axis' "$LITHE" run bent.yaml --out bent.h5
}

# check says how deep a body sinks into its pressure field; a run has that depth
check_says_the_depth_at_rest_on_a_pressure_field() {
    local name depth z shape height modulus turned floor
    for name in box sphere cylinder capsule stiff bed; do
        height=0.02 modulus='10 MPa' turned=0 floor='material: floor, shape: {half-space: {}}'
        case $name in
        box) shape='box: {size: [10 cm, 10 cm, 4 cm]}' ;;
        sphere) shape='sphere: {radius: 5 cm}' height=0.05 ;;
        cylinder) shape='cylinder: {radius: 5 cm, length: 20 cm}' height=0.05 turned=90 ;;
        capsule) shape='capsule: {radius: 5 cm, length: 5 cm}' height=0.05 turned=90 ;;
        stiff) shape='capsule: {radius: 5 cm, length: 20 cm}' height=0.05 turned=90 modulus='1 GPa' ;;
        bed) shape='cylinder: {radius: 5 cm, length: 20 cm}' height=0.05 turned=90
            floor='material: m, shape: {box: {size: [1, 1, 0.1]}}, at: [0, 0, -0.05]' ;;
        esac
        cat >rest.yaml <<YAML
lithe: 1
time: {step: 1 ms, end: 0.5 s, scheme: backward-euler}
materials: {m: {young: 10 MPa, density: 1000 kg/m^3, contact: {dissipation: 10, patches: {modulus: $modulus}}}, floor: {young: 1 GPa, density: 1000 kg/m^3}}
bodies:
  floor: {fixed: true, $floor}
  it: {material: m, shape: {$shape}, at: [0, 0, $height], rotate: [0, $turned deg, 0]}
YAML
        depth=$("$LITHE" check rest.yaml 2>/dev/null | sed -n 's/.* would sink by \([^ ]*\) \([num]*m\) .*/\1 \2/p' |
            awk '{ print $1 * ($2 == "mm" ? 1e-3 : $2 == "um" ? 1e-6 : $2 == "nm" ? 1e-9 : 1) }')
        "$LITHE" run rest.yaml --quiet --force --out rest.h5 || return 1
        "$LITHE" export rest.h5 rest.csv --quantity it.position.z || return 1
        z=$(tail -1 rest.csv | cut -d, -f2)
        awk -v name="$name" -v d="$depth" -v h="$height" -v z="$z" 'BEGIN { got = h - z
            printf "  %s: check says %g m, the run %g m\n", name, d, got
            exit !(d > 0 && got > 0.95 * d && got < 1.05 * d) }' || return 1
    done
}

# (PF41): m g/L = pi R^2 1000 kg/m^3 g; a modulus that is soft enough is the border
what_lies_on_corners_of_its_sectors_is_reported() {
    local modulus
    for modulus in '1 GPa' '4.6e5 Pa' '4.4e5 Pa'; do
        cat >corners.yaml <<YAML
lithe: 1
time: {step: 1 ms, end: 1 ms}
materials: {m: {young: 1 GPa, density: 1000 kg/m^3, contact: {patches: {modulus: $modulus}}}}
rods: {line: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [0.3, 0, 0]}}, nodes: 11}}
bodies:
  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -5 mm]}
  ring: {material: m, shape: {torus: {radius: 5 cm, section: 1 cm}}, at: [0, 0.3, 1 cm]}
YAML
        "$LITHE" check corners.yaml >/dev/null 2>"out.${modulus%% *}" || return 1
    done
    grep -q "rod 'line': .* 9.4e-08 m deep .* 32 sectors that are 1.6e-05 m high: .* 4.5e+05 Pa" out.1 &&
        grep -q "body 'ring': .* 9.9e-07 m deep .* 32 sectors that are 3.2e-05 m high: .* 5.4e+06 Pa" out.1 &&
        grep -q "rod 'line': under its weight" out.4.6e5 && ! grep -q "rod 'line': under its weight" out.4.4e5
}

claim what_has_no_pressure_field_is_reported_by_name_and_refused_on_request \
    what_has_no_pressure_field_is_reported_by_name_and_refused_on_request
claim edges_folded_at_the_start_are_reported edges_folded_at_the_start_are_reported
claim force_centre_torque_and_area_of_a_pair_are_series force_centre_torque_and_area_of_a_pair_are_series
claim wrong_names_of_pairs_are_refused wrong_names_of_pairs_are_refused
claim pictures_show_patches_by_their_pressure pictures_show_patches_by_their_pressure
claim paraview_gets_polygons_with_pressure paraview_gets_polygons_with_pressure
claim what_lies_on_corners_of_its_sectors_is_reported what_lies_on_corners_of_its_sectors_is_reported
claim check_says_the_depth_at_rest_on_a_pressure_field check_says_the_depth_at_rest_on_a_pressure_field
finish
