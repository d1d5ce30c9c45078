#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_solids.sh - soft solids at the command: bad meshes and materials, warnings of check
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# scene SOLID [MORE]: a scene with the solid 'it', whose keys are SOLID
scene() {
    cat >scene.yaml <<TEXT
lithe: 1
gravity: none
time: {step: 10 ms, end: 1 s, scheme: backward-euler}
materials: {m: {young: 1 MPa, poisson: ${poisson:-0.3}, density: 1000}}
solids:
  it: {material: m, $1}
${2:-}
TEXT
}

# mesh NODES ELEMENTS
mesh() {
    scene "mesh: {tetrahedra: {nodes: [$1], elements: [$2]}}" "${3:-}"
}

# says CODE PART..: check ends with the code, and its output has all parts
says() {
    local text code=0 want=$1 part
    shift
    text=$("$LITHE" check scene.yaml 2>&1) || code=$?
    [[ $code == "$want" ]] || { echo "code $code: $text" && return 1; }
    for part in "$@"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
}

one="[0,0,0],[1,0,0],[0,1,0],[0,0,1]"

# --- elements ------------------------------------------------------------------------------------

inverted_elements_are_refused_with_number_and_place() {
    mesh "$one,[1,1,1]" "0,1,2,3, 1,2,3,4, 1,3,2,4"
    says 2 "scene.yaml:6:" "solid 'it'" "1 of 3 elements are inverted" "the first is element 2 (nodes 1, 3, 2, 4) at (1, 0, 0) m"
}

flat_elements_are_refused_with_number_and_place() {
    mesh "$one,[1,1,0]" "0,1,2,3, 0,1,2,4"
    says 2 "solid 'it'" "1 of 2 elements are flat; the first is element 1 (nodes 0, 1, 2, 4) at ("
}

elements_with_a_node_twice_are_refused_with_their_number() {
    mesh "$one" "0,1,2,2"
    says 2 "solid 'it'" "element 0 has node 2 twice"
}

a_mesh_without_elements_is_refused() {
    mesh "$one" ""
    says 2 "scene.yaml:6:" "elements has 0 numbers, must be 4 for each of at least one"
}

nodes_at_the_same_place_are_refused_unless_they_are_intended() {
    local nodes="$one,[0,0,0],[-1,0,0],[0,1,0],[0,0,1]" elements="0,1,2,3, 4,6,5,7"
    mesh "$nodes" "$elements"
    says 2 "scene.yaml:6:" "solid 'it'" "3 pairs of nodes are at the same place" \
        "the nodes 0 and 4 at (0, 0, 0) m" || return 1
    mesh "$nodes" "$elements" "allow-unusual: true"
    says 0 "warning: solid 'it': its mesh: 3 pairs of nodes are at the same place"
}

parts_without_a_common_node_are_warned_of() {
    mesh "$one,[5,0,0],[4,0,0],[5,1,0],[5,0,1]" "0,1,2,3, 4,6,5,7"
    says 0 "warning: solid 'it': its mesh: it has 2 parts that share no node"
}

a_mirrored_mesh_is_turned_round_with_a_note() {
    mesh "$one" "0,2,1,3"
    says 0 "solid 'it': its mesh: all elements are mirrored: they were turned round"
}

a_mesh_in_millimetres_is_warned_of() {
    mesh "[0,0,0],[100,0,0],[0,100,0],[0,0,100]" "0,1,2,3"
    says 0 "100 m x 100 m x 100 m large: if the file is in millimetres, write scale: 0.001"
}

# --- surfaces to be filled -----------------------------------------------------------------------

cube="v 0 0 0
v 1 0 0
v 1 1 0
v 0 1 0
v 0 0 1
v 1 0 1
v 1 1 1
v 0 1 1
f 4 3 2 1
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8"

# surface TEXT RESOLUTION
surface() {
    echo "$1" >a.obj
    scene "surface: a.obj, resolution: $2"
}

a_closed_surface_is_filled() {
    surface "$cube" 0.2
    says 0 "solid 'it'"
}

holes_of_a_surface_are_refused_with_number_and_place() {
    surface "${cube%f 4 1 5 8}" 0.2
    says 2 "scene.yaml:6:" "solid 'it'" "it has holes: 4 edges belong to one triangle only" " at ("
}

edges_of_three_triangles_are_refused_with_number_and_place() {
    surface "$cube
v 2 2 2
f 1 2 9" 0.2
    says 2 "solid 'it'" "triangle 12: its edge from point" "at (0, 0, 0) m"
}

surfaces_that_cross_themselves_are_refused_with_number_and_place() {
    local second
    second=$(sed -n '1,8s/^v \(.\)/v \1.5/p' <<<"$cube" &&
        echo "f 12 11 10 9
f 13 14 15 16
f 9 10 14 13
f 10 11 15 14
f 11 12 16 15
f 12 9 13 16")
    surface "$cube
$second" 0.2
    says 2 "solid 'it'" "pairs of triangles cross each other, the first are the triangles" " at ("
}

a_resolution_above_the_size_of_the_body_is_refused() {
    surface "$cube" 1.5
    says 2 "solid 'it'" "resolution is 1.5 m, above the size of the body (1 m x 1 m x 1 m)"
}

# --- material, sets, motion ----------------------------------------------------------------------

box="mesh: {box: {size: [1, 1, 1], divisions: [1, 1, 1]}}"

poisson_ratios_of_a_half_are_refused() {
    local poisson=0.5
    scene "$box"
    says 2 "scene.yaml:6:" "solid 'it': material 'm' has poisson 0.5, must be < 0.5 for a solid (0.5 is the default)"
}

a_mistake_in_a_material_is_not_followed_by_one_of_its_solid() {
    scene "$box"
    sed -i 's/density: 1000/density: 1000, frictoin: 0.5/' scene.yaml
    local text
    text=$("$LITHE" check scene.yaml 2>&1)
    [[ $text == *"scene.yaml:4:"*"frictoin: unknown key"* && $text != *poisson* ]] || { echo "$text" && return 1; }
}

locking_of_plain_linear_tetrahedra_is_warned_of() {
    local poisson=0.495
    scene "$box, volume: plain"
    says 0 "warning" "'it'" "Poisson's ratio 0.495, above 0.49" "it locks" || return 1
    scene "$box, volume: plain, law: mooney-rivlin, c1: 0.3 MPa, c2: 0.2 MPa, bulk: 1400 MPa"
    says 0 "Poisson's ratio 0.499643, above 0.49" || return 1
    scene "$box" # with auto the volume is a mean
    ! "$LITHE" check scene.yaml 2>&1 | grep "it locks"
}

a_set_without_nodes_names_its_box() {
    scene "$box" "sets: {s: {of: it, box: {from: [5, 5, 5], to: [6, 6, 6]}}}
holds: {h: {on: s}}"
    says 2 "scene.yaml:7:" "set 's': nothing of 'it' lies in its region" \
        "it extends from (-0.5, -0.5, -0.5) m to (0.5, 0.5, 0.5) m" \
        "the region is the box from (5, 5, 5) m to (6, 6, 6) m"
}

# omega^2 h = 100 10 ms = 1/s; 1 - 1/sqrt(1 + 2) after 1 s
spin_that_backward_euler_takes_is_printed_and_warned_of() {
    scene "$box, law: neo-hookean, spin: [0, 0, 10 rad/s]"
    says 0 "a free solid loses         100 % of its spin per second" \
        "warning: backward Euler takes up to 42 % of its spin until the end" || return 1
    scene "$box, law: neo-hookean, spin: [0, 0, 1 rad/s]"
    says 0 "a free solid loses         1 % of its spin per second" || return 1
    ! "$LITHE" check scene.yaml | grep "backward Euler takes" || return 1
    scene "$box, law: corotated-lagged, spin: [0, 0, 10 rad/s]"
    ! "$LITHE" check scene.yaml | grep "of its spin"
}

# --- what is recorded ----------------------------------------------------------------------------

recordings_are_coloured_by_values_of_nodes_and_exported() {
    local colour
    scene "$box, velocity: [1, 0, 0], spin: [0, 0, 1]" \
        "record: {also: [it.von-mises, it.equivalent-strain, it.speed, it.strain]}"
    "$LITHE" run scene.yaml -q --until 50ms -o it.h5 --force || return 1
    for colour in von-mises equivalent-strain speed displacement; do
        "$LITHE" export it.h5 a.png --size 64x64 --colour "$colour" | grep -q "^$colour: " || return 1
    done
    "$LITHE" export it.h5 a.pvd && grep -q "tetra\|vtu" a.pvd && "$LITHE" export it.h5 a.glb || return 1
    [[ $(head -c 4 a.glb) == glTF ]] || return 1
    expect 2 "cannot colour by 'strain', which belongs to elements" \
        "$LITHE" export it.h5 a.png --size 64x64 --colour strain
}

# --- the error of the mesh -----------------------------------------------------------------------

twisted() {
    cat >scene.yaml <<YAML
lithe: 1
time: {step: 0.5 s, end: 0.5 s, scheme: static}
gravity: none
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
solids: {bar: {material: m, quadratic: $1, mesh: {cylinder: {radius: 2 cm, length: 10 cm, resolution: $2}}}}
holds: {foot: {on: bar.z-min}}
drives: {head: {on: bar.z-max, kind: clamp, axis: [0, 0, 1], turn: {table: [[0 s, 0], [0.5 s, $3]]}}}
record: {also: [bar.mesh-error]}
YAML
}

a_mesh_that_is_too_coarse_is_warned_of_by_a_run_with_what_helps() {
    twisted false "1 cm" "0.05 rad"
    "$LITHE" run scene.yaml --force -o it.h5 >out 2>err || return 1
    grep -q "solid 'bar' is too stiff by about [34][0-9] %.*linear.*0.5 s.*small is below 2 %.*quadratic: true" err || return 1
    grep -q "mesh error *solid 'bar' too stiff by about [34][0-9] % (estimated)" out || return 1
    "$LITHE" run scene.yaml --force -q --json | grep -q '"mesh_error": 0.[23][0-9]*' || return 1
    "$LITHE" plot it.h5 "bar.mesh-error[3]" -o a.svg || return 1
    ! grep -q "too soft" err out || return 1
    "$LITHE" run scene.yaml --force -q --json | grep -q '"mesh_error_stiff": true' || return 1
    twisted true "2 cm" "0.05 rad"
    "$LITHE" run scene.yaml --force -o it.h5 >out 2>err || return 1
    ! grep -q "too stiff" err && grep -q "mesh error .*: small" out
}

a_mesh_that_is_touched_at_its_nodes_is_not_called_too_stiff_alone() {
    cat >scene.yaml <<YAML
lithe: 1
gravity: none
time: {step: 1 s, end: 1 s, scheme: static}
materials:
  m: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0}
  hard: {young: 1000 GPa, density: 1000, friction: 0}
solids: {ball: {material: m, mesh: {half-sphere: {radius: 10 cm, resolution: 25 mm}}, at: [0, 0, 10 cm], rotate: {axis: [1, 0, 0], angle: 180 deg}}}
bodies: {floor: {fixed: true, material: hard, shape: {half-space: {}}}}
drives: {press: {on: ball.base, kind: clamp, direction: [0, 0, -1], motion: {table: [[0 s, 0], [1 s, 1 cm]]}}}
YAML
    "$LITHE" run scene.yaml --force -o it.h5 >out 2>err || return 1
    grep -q "solid 'ball' is too stiff by about 2[0-9] %, or too soft by as much (it touches at 5 places), because" err || return 1
    grep -q "mesh error *solid 'ball' too stiff by about 2[0-9] %, or too soft by as much (estimated)" out || return 1
    "$LITHE" run scene.yaml --force -q --json | grep -q '"mesh_error_stiff": false' || return 1
}

# force of half a ball with two elements along its radius over that of fine meshes, less 1; a block that
# lies flat has no waves that are shorter than its elements
an_estimate_knows_contacts_that_are_narrower_than_an_element() {
    local row share
    for row in "6 28" "8 24" "10 15" "12 10" "14 7"; do
        sed "s/\[1 s, 1 cm\]/[1 s, ${row% *} mm]/" scene.yaml >ball.yaml
        share=$("$LITHE" run ball.yaml --force -q --json | grep -o '"mesh_error": [0-9.]*' | cut -d' ' -f2)
        awk -v share="$share" -v row="$row" 'BEGIN { split(row, a, " "); much = 100 * share / (1 - share); print row, much; exit !(much > a[2] / 2 && much < a[2] * 2) }' || return 1
    done
    cat >flat.yaml <<YAML
lithe: 1
time: {step: 1 s, end: 1 s, scheme: static}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000, friction: 0.3}}
solids: {b: {material: m, quadratic: true, at: [0, 0, 0.05], mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [1, 1, 1]}}}}
bodies: {floor: {fixed: true, shape: {half-space: {}}}}
YAML
    "$LITHE" run flat.yaml --force -q --json | grep -q '"mesh_error": 0.04'
}

a_mean_volume_may_be_too_soft() {
    twisted false "1 cm" "0.05 rad"
    sed -i 's/quadratic: false/quadratic: false, volume: mean/' scene.yaml
    "$LITHE" run scene.yaml --force -o it.h5 >out 2>err || return 1
    grep -q "too stiff by .*, or too soft by as much (its elements share their volume), because" err
}

an_error_without_strain_is_not_known() {
    twisted false "2 cm" 0
    "$LITHE" run scene.yaml --force -q --json >out 2>err || return 1
    grep -q '"mesh_error": null' out && grep -q '"mesh_error_solid": null' out
}

# torsion, bending, column, Hertz, press and the modes of a plate: within 3 %, or estimated
meshes_of_which_the_size_is_said_are_right_or_their_error_is_estimated() {
    "$LITHE" validate solid_sizes_quick --out report >said.txt || { cat said.txt && return 1; }
}

nodes_outside_of_the_radius_are_reported() {
    cat >scene.yaml <<YAML
lithe: 1
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
solids: {ball: {material: m, quadratic: false, mesh: {sphere: {radius: 10 cm, resolution: 25 mm}}}}
YAML
    "$LITHE" check scene.yaml >out 2>&1 || return 1
    grep -q "solid 'ball': its mesh has 100 % of the volume of the body, and its surface is off by up to 1.2 % of the radius" out || return 1
    "$LITHE" check scene.yaml --set solids.ball.quadratic=true --set solids.ball.mesh.sphere.resolution=50mm >out 2>&1 || return 1
    ! grep "off by up to" out
}

claim nodes_outside_of_the_radius_are_reported nodes_outside_of_the_radius_are_reported
study meshes_of_which_the_size_is_said_are_right_or_their_error_is_estimated meshes_of_which_the_size_is_said_are_right_or_their_error_is_estimated
claim inverted_elements_are_refused_with_number_and_place inverted_elements_are_refused_with_number_and_place
claim flat_elements_are_refused_with_number_and_place flat_elements_are_refused_with_number_and_place
claim elements_with_a_node_twice_are_refused_with_their_number elements_with_a_node_twice_are_refused_with_their_number
claim a_mesh_without_elements_is_refused a_mesh_without_elements_is_refused
claim nodes_at_the_same_place_are_refused_unless_they_are_intended nodes_at_the_same_place_are_refused_unless_they_are_intended
claim parts_without_a_common_node_are_warned_of parts_without_a_common_node_are_warned_of
claim a_mirrored_mesh_is_turned_round_with_a_note a_mirrored_mesh_is_turned_round_with_a_note
claim a_mesh_in_millimetres_is_warned_of a_mesh_in_millimetres_is_warned_of
claim a_closed_surface_is_filled a_closed_surface_is_filled
claim holes_of_a_surface_are_refused_with_number_and_place holes_of_a_surface_are_refused_with_number_and_place
claim edges_of_three_triangles_are_refused_with_number_and_place edges_of_three_triangles_are_refused_with_number_and_place
claim surfaces_that_cross_themselves_are_refused_with_number_and_place surfaces_that_cross_themselves_are_refused_with_number_and_place
claim a_resolution_above_the_size_of_the_body_is_refused a_resolution_above_the_size_of_the_body_is_refused
claim poisson_ratios_of_a_half_are_refused poisson_ratios_of_a_half_are_refused
claim locking_of_plain_linear_tetrahedra_is_warned_of locking_of_plain_linear_tetrahedra_is_warned_of
claim a_set_without_nodes_names_its_box a_set_without_nodes_names_its_box
claim spin_that_backward_euler_takes_is_printed_and_warned_of spin_that_backward_euler_takes_is_printed_and_warned_of
claim recordings_are_coloured_by_values_of_nodes_and_exported recordings_are_coloured_by_values_of_nodes_and_exported
claim a_mesh_that_is_too_coarse_is_warned_of_by_a_run_with_what_helps a_mesh_that_is_too_coarse_is_warned_of_by_a_run_with_what_helps
claim a_mesh_that_is_touched_at_its_nodes_is_not_called_too_stiff_alone a_mesh_that_is_touched_at_its_nodes_is_not_called_too_stiff_alone
claim an_estimate_knows_contacts_that_are_narrower_than_an_element an_estimate_knows_contacts_that_are_narrower_than_an_element
claim a_mean_volume_may_be_too_soft a_mean_volume_may_be_too_soft
claim an_error_without_strain_is_not_known an_error_without_strain_is_not_known
finish
