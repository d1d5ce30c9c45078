#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_bench.sh - every kind of benchmark case runs and reports its figures
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# fields CASE KNOWN..: the object of a case has all promised fields, KNOWN ones are numbers
fields() {
    python3 - "$@" <<'PY'
import json, sys
case, known = sys.argv[1], sys.argv[2:]
lines = open("out.json").read().splitlines()
assert len(lines) == 1, lines
got = json.loads(lines[0])
promised = """case dofs step sim_seconds wall_seconds rate contacts_mean contacts_max newton_mean
    solver_mean threads nodes unit_ns cost_units newton_units factor_units stages
    peak_memory_bytes pairs""".split()
stages = "collide free assemble factor line_search certify advance record".split()
assert got["case"] == case, got["case"]
for name in promised:
    assert name in got, name
for name in stages:
    assert name in got["stages"], name
for name in known:
    place = got["stages"] if name in stages else got
    assert isinstance(place[name], (int, float)), (name, place[name])
PY
}

# runs CASE STEPS KNOWN..
runs() {
    local name=$1 steps=$2
    shift 2
    "$LITHE" bench "$name" --steps "$steps" --json >out.json &&
        fields "$name" dofs wall_seconds threads nodes unit_ns cost_units peak_memory_bytes "$@"
}

a_rod_reports_its_costs() {
    runs rod-100 1 step sim_seconds rate newton_mean newton_units factor_units free advance &&
        grep -q '"dofs": 399,.*"contacts_mean": null,.*"pairs": null' out.json
}

parts_of_a_step_tell_their_costs() {
    runs collide-100 1 contacts_max pairs collide &&
        runs patch 1 tets polygons polygon_seconds edge_seconds edge_units &&
        runs block-rod 1 contacts_max factor_units factor &&
        runs shell-140 1 factor_units analyse_seconds factor_seconds refactor_seconds solve_seconds &&
        runs chain-30 3 newton_mean solver_mean factor_units factor
}

spots_in_contact_tell_the_cost_of_each() {
    runs spots-25 3 contacts_mean pairs factor_units factor_spot_units factor_blocks collide free \
        assemble factor line_search certify advance &&
        grep -q '"contacts_max": 25,' out.json && grep -q '"nodes": 502,' out.json &&
        runs tangle 2 contacts_mean factor_units factor
}

repeated_runs_tell_the_least_time_of_each_step() {
    "$LITHE" bench A1-convex --steps 40 --repeat 3 --json >out.json &&
        fields A1-convex rate rate_median rate_of_least_laps repeats &&
        python3 - <<'PY'
import json
got = json.load(open("out.json"))
assert got["repeats"] == 3 and got["steps"] == 40, got
assert 0 < got["rate_median"] <= got["rate"] <= got["rate_of_least_laps"], got
PY
}

a_wrong_number_of_repeats_is_refused() {
    ! "$LITHE" bench A1 --repeat 0 2>err.txt && grep -q -- "--repeat" err.txt
}

a_knot_reports_the_cost_of_an_iteration() {
    runs imc-1 2 contacts_mean solver_mean newton_units factor_units iteration_seconds assemble \
        factor line_search &&
        grep -q '"nodes": 301,' out.json
}

elements_of_a_solid_tell_their_costs() {
    runs solid-assembly 1 elements neo_seconds projected_units lagged_seconds plain_seconds &&
        grep -q '"nodes": 24389,' out.json
}

a_soft_cube_tells_the_memory_of_its_run() {
    runs solid-27 1 factor_bytes stored_bytes solver_bytes solver_over_stored peak_memory_bytes &&
        grep -q '"nodes": 19683,' out.json
}

whole_scenes_tell_their_stages() {
    local scene
    for scene in F2 F6-10; do
        runs "$scene" 4 step sim_seconds rate contacts_mean newton_mean solver_mean pairs collide \
            free assemble factor line_search certify advance record || return 1
    done
    grep -q '"dofs": 800,' out.json && grep -q '"steps": 4,' out.json
}

a_benchmark_leaves_no_files() {
    local left
    mkdir -p temporary &&
        TMPDIR=$PWD/temporary "$LITHE" bench F6-10 --steps 2 --json >out.json || return 1
    left=$(ls temporary)
    [[ -z $left ]] || { echo "left: $left" && return 1; }
}

a_chain_of_rings_takes_at_most_4500_bytes_per_node() {
    local peak nodes
    "$LITHE" bench F6-100 --steps 60 --json >out.json || return 1
    peak=$(sed -n 's/.*"peak_memory_bytes": \([0-9]*\).*/\1/p' out.json)
    nodes=$(sed -n 's/.*"nodes": \([0-9]*\).*/\1/p' out.json)
    grep -q '"contacts_max": 396,' out.json && ((peak <= 4500 * nodes)) ||
        { echo "$peak bytes for $nodes nodes" && return 1; }
}

# the linker may put anything before them: the unit was 271 to 330 ns on one machine
code_and_data_of_the_unit_begin_lines_and_pages() {
    nm "$LITHE" >symbols && python3 - <<'PY'
at = {}
for line in open("symbols"):
    words = line.split()
    if len(words) == 3 and words[2].startswith("unit_"):
        at[words[2].split(".")[0]] = int(words[0], 16)
for name, size in ("unit_factor", 64), ("unit_solve", 64), ("unit_system", 4096):
    assert name in at, (name, "not found: in another function, or under another name")
    assert at[name] % size == 0, (name, hex(at[name]), size)
PY
}

people_get_a_table() {
    expect 0 'collide' "$LITHE" bench F6-10 --steps 2 &&
        expect 0 'F6-1000' "$LITHE" bench --list &&
        expect 0 'chain-300' "$LITHE" bench chain --steps 2 &&
        expect 2 "R3, a ring on a flexible catenary, is not in this version" "$LITHE" bench R3 &&
        expect 2 "F1, a rope round a post, is not in this version as a benchmark, but as lithe validate capstan_patches" \
            "$LITHE" bench F1 &&
        expect 2 "did you mean 'F6-10'" "$LITHE" bench F6-11
}

for test in a_rod_reports_its_costs parts_of_a_step_tell_their_costs \
    spots_in_contact_tell_the_cost_of_each a_knot_reports_the_cost_of_an_iteration \
    elements_of_a_solid_tell_their_costs a_soft_cube_tells_the_memory_of_its_run \
    whole_scenes_tell_their_stages a_benchmark_leaves_no_files \
    a_chain_of_rings_takes_at_most_4500_bytes_per_node code_and_data_of_the_unit_begin_lines_and_pages \
    repeated_runs_tell_the_least_time_of_each_step a_wrong_number_of_repeats_is_refused \
    people_get_a_table; do
    claim "$test" "$test"
done
finish
