#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_compare.sh - one scene under several contact models: table, files, refusals
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# the middle of a rod is pushed down on a rod that crosses below it; the surfaces touch after 1 mm,
# so afterwards the push is a bending force of both
cat >cross.yaml <<'TEXT'
lithe: 1
title: A rod is pressed on another one
time: {step: 2 ms, end: 0.6 s}
gravity: none
materials:
  rubber: {young: 1 MPa, poisson: 0.5, density: 1000 kg/m^3, friction: 0.3, damping: {mass: 20 1/s}, contact: {stiffness: 1e5 N/m}}
rods:
  lower: {material: rubber, section: {circle: {radius: 2 mm}}, shape: {line: {from: [-5 cm, 1 mm, 0], to: [5 cm, 1 mm, 0]}}, nodes: 20, clamped: both}
  upper: {material: rubber, section: {circle: {radius: 2 mm}}, shape: {line: {from: [1 mm, -5 cm, 5 mm], to: [1 mm, 5 cm, 5 mm]}}, nodes: 20}
drives:
  left: {on: upper.start, direction: [0, 0, -1], speed: 1 cm/s}
  right: {on: upper.end, direction: [0, 0, -1], speed: 1 cm/s}
record: {every: 10 ms}
TEXT

the_models_agree_where_nothing_but_the_contact_carries_a_load() {
    expect 0 'What differs between the models' "$LITHE" compare cross.yaml || return 1
    python3 - <<'PY'
import json
rows = [json.loads(line) for line in open("cross.compare/compare.json")]
assert [r["model"] for r in rows] == ["convex", "imc", "spt", "lcp"], rows
lcp = rows.pop()
assert not lcp["served"] and "not rod" in lcp["reason"], lcp
assert all(r["served"] and r["complete"] and r["reason"] is None for r in rows), rows
assert all(r["force"] == "left.force" and r["unit"] == "N" for r in rows), rows
assert rows[0]["difference_rms"] == 0 == rows[0]["drift"], rows[0]
for r in rows:
    # the force at the end is that of two bent rods under any contact model
    assert abs(r["force_end"] / rows[0]["force_end"] - 1) < 0.03, (r["model"], r["force_end"])
    assert r["force_end"] > 0 and r["difference_rms"] < 0.05 and r["drift"] < 1e-3, r
    assert r["solver_mean"] > 0 and r["wall_seconds"] > 0 and r["busy_seconds"] > 0, r
    assert r["max_penetration"] < 1e-4 and r["solve_unconverged"] == 0, r
# imc keeps a gap between surfaces, with convex they overlap
assert rows[1]["gap_mean"] > 2e-6 > 0 > rows[0]["gap_mean"], rows
PY
}

the_folder_has_the_report_the_curves_and_the_plots() {
    local name
    for name in report.txt compare.json curves.csv force.svg gap.svg convex.h5 imc.h5 spt.h5; do
        [[ -s cross.compare/$name ]] || { echo "no $name" && return 1; }
    done
    python3 -c 'import xml.dom.minidom as m
for n in "force", "gap": m.parse(f"cross.compare/{n}.svg")' || return 1
    grep -q '>imc<' cross.compare/force.svg && grep -q 'surfaces touch' cross.compare/gap.svg || return 1
    grep -q 'deepest overlap' cross.compare/report.txt || return 1
    python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("cross.compare/curves.csv")))
assert len(rows) == 3 * 61 and rows[61]["model"] == "imc" and float(rows[61]["time [s]"]) == 0, rows[61]
assert rows[0]["nearest gap [m]"] == "" and float(rows[60]["nearest gap [m]"]) < 0, rows[60]
PY
}

a_comparison_measures_what_the_recordings_hold() {
    "$LITHE" export cross.compare/imc.h5 imc.csv -q left.force -q energy.friction || return 1
    python3 - <<'PY'
import csv, json
rows = list(csv.DictReader(open("imc.csv")))
printed = [json.loads(line) for line in open("cross.compare/compare.json")][1]
assert float(rows[-1]["left.force [N]"]) == printed["force_end"], printed
assert float(rows[-1]["energy.friction [J]"]) == printed["energy_friction"], printed
PY
}

models_come_in_the_requested_order_and_the_first_is_the_reference() {
    "$LITHE" compare cross.yaml --models imc,convex --until 0.1s --json --out here/ >two.json || return 1
    [[ -s here/report.txt && ! -e here/spt.h5 && $(wc -l <two.json) == 2 ]] || return 1
    cmp two.json here/compare.json || return 1
    python3 -c 'import json
a, b = [json.loads(line) for line in open("two.json")]
assert a["model"] == a["reference"] == b["reference"] == "imc" and b["model"] == "convex", a
assert abs(a["sim_seconds"] - 0.1) < 1e-12, a'
}

# with --smooth a force is the mean over three frames of the force without it
smoothing_takes_means_of_frames() {
    "$LITHE" compare cross.yaml --models convex --until 0.3s -q --out raw &&
        "$LITHE" compare cross.yaml --models convex --until 0.3s -q --smooth 20ms --out mean || return 1
    python3 - <<'PY'
import csv
raw, mean = ([float(r["left.force [N]"]) for r in csv.DictReader(open(f + "/curves.csv"))]
             for f in ("raw", "mean"))
for i in range(1, len(raw) - 1):
    want = sum(raw[i - 1:i + 2]) / 3
    assert abs(mean[i] - want) <= 1e-12 * abs(want), (i, mean[i], want)
assert mean[0] == (raw[0] + raw[1]) / 2
PY
}

another_force_can_be_compared() {
    expect 0 'force: lower.tension.max' "$LITHE" compare cross.yaml --models convex,imc --until 20ms \
        --force lower.tension.max --out tension
}

# with a body only convex supports it; the others are named with the reason
sed 's/^gravity: none/&\nbodies: {crate: {material: rubber, shape: {sphere: {radius: 1 cm}}, at: [1 m, 0, 0]}}/' \
    cross.yaml >body.yaml

# a block that slides on a floor and is slowed down by friction
scenes_without_rods_are_compared_under_convex_and_lcp() {
    cat >block.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.1 s}
materials: {wood: {young: 1 GPa, density: 500 kg/m^3, friction: 0.5}}
bodies:
  floor: {shape: {half-space: {}}, material: wood, fixed: true}
  block: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}, at: [0, 0, 0.05], velocity: [1, 0, 0]}
record: {every: 10 ms}
TEXT
    expect 0 'value: energy.kinetic' "$LITHE" compare block.yaml || return 1
    [[ -e block.compare/convex.h5 && -e block.compare/lcp.h5 && ! -e block.compare/imc.h5 ]] || return 1
    grep -q 'contacts are rigid' block.compare/report.txt || return 1
    python3 -c 'import json
convex, imc, spt, lcp = [json.loads(line) for line in open("block.compare/compare.json")]
assert [r["served"] for r in (convex, imc, spt, lcp)] == [True, False, False, True]
# both slow down at mu g: the speed falls from 1 to 0.5 m/s, to the order of a step
energy = 0.5 * 2 * (1 - 0.5 * 9.81 * 0.1)**2
for r in (convex, lcp):
    assert abs(r["force_end"] - energy) < 0.03 * energy, (r["force_end"], energy)
# they are at the same place to the order of a step
assert 0 < lcp["drift"] < 2e-3, lcp'
}

a_scheme_that_only_lcp_has_leaves_lcp_alone() {
    cat >own.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 10 ms, scheme: semi-implicit-euler}
contact: {model: lcp}
materials: {wood: {young: 1 GPa, density: 500 kg/m^3}}
bodies:
  block: {material: wood, shape: {box: {size: [0.2, 0.2, 0.1]}}}
TEXT
    expect 0 'convex does not support this scene: it does not support time.scheme semi-implicit-euler' \
        "$LITHE" compare own.yaml || return 1
    [[ -e own.compare/lcp.h5 && ! -e own.compare/convex.h5 ]] || return 1
    # nothing of that comparison stays beside the next one
    expect 0 'energy.kinetic' "$LITHE" compare own.yaml --set time.scheme=auto --models convex || return 1
    [[ -e own.compare/convex.h5 && ! -e own.compare/lcp.h5 ]]
}

a_model_that_does_not_support_the_scene_is_named_and_not_run() {
    expect 0 "imc does not support this scene: it supports rods only, not body 'crate'" \
        "$LITHE" compare body.yaml --until 20ms || return 1
    [[ -e body.compare/convex.h5 && ! -e body.compare/imc.h5 && ! -e body.compare/spt.h5 ]] || return 1
    expect 0 'only convex supports this scene' "$LITHE" compare body.yaml --until 20ms || return 1
    expect 0 'needs time.scheme backward-euler' "$LITHE" compare cross.yaml --until 20ms \
        --set time.scheme=midpoint --out midpoint || return 1
    python3 -c 'import json
rows = [json.loads(line) for line in open("body.compare/compare.json")]
assert [r["served"] for r in rows] == [True, False, False, False], rows
assert "crate" in rows[1]["reason"] and "force_end" not in rows[1], rows[1]'
}

# so fast that imc would have to cut the step, which is not allowed here
a_model_that_cannot_go_on_is_compared_as_far_as_it_got() {
    expect 3 'lithe: imc: rod' "$LITHE" compare cross.yaml --models convex,imc --until 4ms --out fast \
        --set drives.left.speed=100m/s --set drives.right.speed=100m/s --set contact.most-cuts=0 \
        --set time.step=0.2ms --set record.every=0.2ms || return 1
    grep -q 'imc stopped early: rod' fast/report.txt || return 1
    python3 -c 'import json
convex, imc = [json.loads(line) for line in open("fast/compare.json")]
assert convex["complete"] and abs(convex["sim_seconds"] - 4e-3) < 1e-12, convex
assert imc["served"] and not imc["complete"] and 0 < imc["sim_seconds"] < 2e-3, imc
assert "pass through each other" in imc["reason"] and imc["drift"] is None, imc
assert imc["difference_rms"] < 1e-6, imc # they differ only after contact'
}

nothing_is_left_of_an_earlier_comparison() {
    "$LITHE" compare cross.yaml --until 20ms -q --out again &&
        "$LITHE" compare cross.yaml --until 20ms -q --out again --models convex &&
        [[ -e again/convex.h5 && ! -e again/imc.h5 && ! -e again/spt.h5 ]]
}

bad_input_is_refused_before_anything_runs() {
    printf 'lithe: 1\ntime: {step: 1 ms, end: 1 s}\n' >none.yaml
    expect 2 "no contact model named 'imk': did you mean 'imc'?" \
        "$LITHE" compare cross.yaml --models convex,imk &&
        expect 2 'names imc twice' "$LITHE" compare cross.yaml --models imc,convex,imc &&
        expect 2 'there are convex, imc, spt and lcp' "$LITHE" compare cross.yaml --models barrier &&
        expect 2 'has an empty name' "$LITHE" compare cross.yaml --models imc, &&
        expect 2 'lithe: gone.yaml: cannot read' "$LITHE" compare gone.yaml &&
        expect 2 'none.yaml: has no rods' "$LITHE" compare none.yaml &&
        expect 2 "spt does not support this scene: it supports rods only, not body 'crate'" \
            "$LITHE" compare body.yaml --models spt,imc &&
        expect 2 "no quantity 'left.farce': did you mean 'left.force'" \
            "$LITHE" compare cross.yaml --force left.farce &&
        expect 2 'one is expected' "$LITHE" compare cross.yaml --force lower.tension &&
        expect 2 '--models says which' "$LITHE" compare cross.yaml --set contact.model=imc &&
        expect 2 'nodes is 1, must be >= 4' "$LITHE" compare cross.yaml --set rods.lower.nodes=1 &&
        expect 2 'no scene is given' "$LITHE" compare &&
        expect 2 'cannot create this folder' "$LITHE" compare cross.yaml --out cross.yaml/x || return 1
    [[ ! -e none.compare && ! -e gone.compare ]]
}

ctrl_c_stops_with_the_state_saved() {
    local pid code=0 i
    "$LITHE" compare cross.yaml --until 1000s --set record.every=1s --out long >stopped.txt 2>&1 &
    pid=$!
    for i in {1..6000}; do
        [[ -s long/convex.h5.journal ]] && break
        sleep 0.02
    done
    kill -INT "$pid"
    wait "$pid" || code=$?
    [[ $code == 3 ]] && grep -q 'lithe resume long/convex.h5' stopped.txt || { echo "$code" && cat stopped.txt && return 1; }
}

claim the_models_agree_where_nothing_but_the_contact_carries_a_load \
    the_models_agree_where_nothing_but_the_contact_carries_a_load
claim the_folder_has_the_report_the_curves_and_the_plots the_folder_has_the_report_the_curves_and_the_plots
claim a_comparison_measures_what_the_recordings_hold a_comparison_measures_what_the_recordings_hold
claim models_come_in_the_requested_order_and_the_first_is_the_reference \
    models_come_in_the_requested_order_and_the_first_is_the_reference
claim smoothing_takes_means_of_frames smoothing_takes_means_of_frames
claim another_force_can_be_compared another_force_can_be_compared
claim scenes_without_rods_are_compared_under_convex_and_lcp scenes_without_rods_are_compared_under_convex_and_lcp
claim a_scheme_that_only_lcp_has_leaves_lcp_alone a_scheme_that_only_lcp_has_leaves_lcp_alone
claim a_model_that_does_not_support_the_scene_is_named_and_not_run \
    a_model_that_does_not_support_the_scene_is_named_and_not_run
claim a_model_that_cannot_go_on_is_compared_as_far_as_it_got \
    a_model_that_cannot_go_on_is_compared_as_far_as_it_got
claim nothing_is_left_of_an_earlier_comparison nothing_is_left_of_an_earlier_comparison
claim bad_input_is_refused_before_anything_runs bad_input_is_refused_before_anything_runs
claim ctrl_c_stops_with_the_state_saved ctrl_c_stops_with_the_state_saved
finish
