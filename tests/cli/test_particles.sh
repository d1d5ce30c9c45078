#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_particles.sh - particles at the command: the report of check
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >grains.yaml <<'TEXT'
lithe: 1
gravity: [0, 0, -10 m/s^2]
time: {step: 1 ms, end: 10 ms}
materials:
  sand: {young: 50 MPa, density: 1000 kg/m^3, contact: {stiffness: 2e4 N/m}}
rods:
  rope: {material: sand, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, 1, 1], to: [1, 1, 1]}}, nodes: 5}
particles:
  grains: {material: sand, mass: 1 g, radius: 5 mm, positions: [[0, 0, 5 mm], [0, 0, 1], [1, 0, 1]]}
  shot: {radii: [1 mm, 20 mm], masses: [1 g, 3 g], positions: [[0, 5, 1], [1, 5, 1]]}
bodies:
  floor: {fixed: true, material: sand, shape: {half-space: {}}}
  ball: {material: sand, shape: {sphere: {radius: 5 cm}}, at: [5, 0, 1]}
holds:
  one: {on: "grains[1]", hold: [x, z]}
TEXT

says() {
    local text part
    text=$("$LITHE" check "$@" 2>&1) || { echo "$text" && return 1; }
    for part in "${parts[@]}"; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
}

# m g/k = 1 g 10 m/s^2/(10 kN/m) = 1 um; sqrt(2 5 mm/g) = 31.62 ms
check_reports_particles() {
    local parts=("particles 'grains'" "0.001 kg each, 0.003 kg together" "9, 2 held"
        "1e+04 N/m with its own material" "1 um deep under its own weight" "31.62 ms, 31.6 steps"
        "1 mm to 20 mm" "0.001 to 0.003 kg, 0.004 kg together")
    says grains.yaml && [[ $("$LITHE" check grains.yaml | grep -c 'no rotation') == 1 ]]
}

# rod of 5 nodes: 19; a free body: 6; five particles: 15, two directions of which are held
check_counts_degrees_of_freedom_and_mass_of_every_kind() {
    local parts=("degrees of freedom: 38 free, 2 held or driven" "mass of all that moves: 0.6091 kg")
    says grains.yaml
}

check_says_which_step_and_stiffness_would_suit_particles() {
    local parts=("a stiffness of 200 N/m or more" "a step of 6.325 ms or less")
    says grains.yaml --set materials.sand.contact.stiffness=100 --set time.step=20ms
}

check_names_particles_that_overlap_at_the_start() {
    local parts
    sed 's/\[0, 0, 1\], \[1, 0, 1\]/[0, 0, 13 mm], [0, 9 mm, 4 mm]/' grains.yaml >near.yaml
    parts=("'grains' overlaps itself at the start by 2 mm, 40 % of its half thickness, at 2 places"
        "'floor' and 'grains' overlap at the start by 1 mm, 20 % of the smaller half thickness")
    says near.yaml || return 1
    ! "$LITHE" check grains.yaml 2>&1 | grep overlap
}

# 2 mm of a radius of 5 mm, and of a plate of 10 mm
check_and_run_measure_an_overlap_alike() {
    local text command
    sed 's/\[0, 0, 1\], \[1, 0, 1\]/[0, 0, 13 mm], [1, 0, 1]/' grains.yaml >near.yaml
    sed 's/ball: .*/plate: {fixed: true, shape: {box: {size: [1, 1, 10 mm]}}, at: [0, 0, -3 mm]}/' \
        grains.yaml >plate.yaml
    for command in "check near" "run near" "check plate" "run plate"; do
        text=$("$LITHE" ${command% *} "${command#* }.yaml" 2>&1) || { echo "$text" && return 1; }
        [[ $text == *"40 % of "*"half thickness"* ]] || { echo "$command: $text" && return 1; }
    done
}

# 1 mg on a radius of 1 mm, 30 g on 20 mm: 0.3 N/(50 N/m) = 6 mm, which is 30 % of 20 mm
check_compares_the_depth_of_each_particle_with_its_own_radius() {
    local parts=("6 mm deep under its own weight (the heaviest)" "14.14 ms, 14.1 steps (the smallest)"
        "some rest as deep as 15 % of their thickness: a stiffness of 1.5e+03 N/m or more")
    sed 's/shot: {radii: \(.*\), masses: [^]]*\]/shot: {material: sand, radii: \1, masses: [1 mg, 30 g]/' \
        grains.yaml >mixed.yaml
    says mixed.yaml --set materials.sand.contact.stiffness=100
}

check_counts_places_from_the_start() {
    local parts=("particle 2 of 'grains'" "rod 'rope' at node 3")
    cat grains.yaml - >tied.yaml <<'TEXT'
constraints:
  tie: {kind: attach, a: "grains[-1]", b: "rope[-2]"}
TEXT
    says tied.yaml
}

claim check_reports_particles check_reports_particles
claim check_counts_degrees_of_freedom_and_mass_of_every_kind \
    check_counts_degrees_of_freedom_and_mass_of_every_kind
claim check_says_which_step_and_stiffness_would_suit_particles \
    check_says_which_step_and_stiffness_would_suit_particles
claim check_and_run_measure_an_overlap_alike check_and_run_measure_an_overlap_alike
claim check_compares_the_depth_of_each_particle_with_its_own_radius \
    check_compares_the_depth_of_each_particle_with_its_own_radius
claim check_counts_places_from_the_start check_counts_places_from_the_start
claim check_names_particles_that_overlap_at_the_start check_names_particles_that_overlap_at_the_start
finish
