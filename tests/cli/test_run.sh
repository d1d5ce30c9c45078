#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_run.sh - runs: JSON, equal bits, stops and resumes, disks that fail, exports
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >rope.yaml <<'TEXT'
lithe: 1
title: Two ropes "swing"
time: {step: 1 ms, end: 60 ms}
materials:
  nylon: {young: 18 MPa, poisson: 0.4, density: 1000 kg/m^3, damping: {mass: 1 1/s}}
rods:
  rope: {material: nylon, section: {circle: {radius: 2 mm}}, shape: {line: {to: [1 m, 0, 0]}}, nodes: 31, clamped: start}
  lace: {material: nylon, section: {circle: {radius: 1 mm}}, shape: {line: {from: [0, 1 m, 0], to: [1 m, 1 m, 0]}}, nodes: 41}
holds:
  left: {on: lace.start}
drives:
  pull: {on: lace.end, direction: [0, 0, 1], speed: 0.2 m/s}
record: {every: 5 ms, also: [rope.speed]}
TEXT

# json FIELD FILE: one field of an object; fails when it is not JSON
json() {
    python3 -c 'import json, sys
print(json.dumps(json.load(open(sys.argv[2]))[sys.argv[1]]))' "$1" "$2"
}

hash_of() { "$LITHE" run rope.yaml --json --out "hash.h5" "$@" >hash.json && json hash hash.json; }

json_is_one_object_with_the_promised_fields() {
    local field
    "$LITHE" run rope.yaml --json >run.json || return 1
    python3 -m json.tool run.json >/dev/null && [[ $(wc -l <run.json) == 1 ]] || return 1
    for field in sim_seconds wall_seconds rate steps dofs newton_mean energy_drift contacts_mean \
        contacts_max solver_mean passes_mean constraints_broken pairs_unserved \
        steps_cut max_penetration crossings_avoided \
        peak_memory_bytes hash out; do
        [[ $(json "$field" run.json) != null ]] || { echo "$field is null" && return 1; }
    done
    [[ $(json steps run.json) == 60 && $(json out run.json) == '"rope.h5"' && -s rope.h5 ]]
}

quiet_says_nothing() { [[ -z $("$LITHE" run rope.yaml --quiet --out q.h5 2>&1) ]]; }

threads_and_dropped_work_change_no_bit() {
    local one
    one=$(hash_of --threads 1) && [[ $one == \"????????????????\" ]] &&
        [[ $(hash_of --threads 2) == "$one" ]] && [[ $(hash_of --drop-work) == "$one" ]] &&
        [[ $(hash_of --threads 2 --drop-work) == "$one" ]]
}

until_and_set_change_the_run() {
    local one
    one=$(hash_of)
    [[ $(hash_of --until 30ms) != "$one" ]] && [[ $(json steps hash.json) == 30 ]] &&
        [[ $(hash_of --set rods.rope.section.circle.radius=3mm) != "$one" ]]
}

# a long run gets the signal after a moment
stopped_by_a_signal_it_resumes_to_the_same_bits() {
    local signal=$1 end pid code=0 i
    rm -f long.h5*
    local long=(run rope.yaml --set record.every=20ms --json)
    "$LITHE" "${long[@]}" --out long.h5 --until 100s >stop.json 2>stop.txt &
    pid=$!
    for i in {1..6000}; do
        [[ -e long.h5.journal && $(stat -c %s long.h5.journal) -gt 200000 ]] && break
        sleep 0.02
    done
    # twice, as the program timeout does: the second one must not end the saving
    kill -"$signal" "$pid"
    kill -"$signal" "$pid" 2>/dev/null
    wait "$pid" || code=$?
    [[ $code == 3 && ! -e long.h5 ]] || { echo "exit code $code" && cat stop.txt && return 1; }
    grep -q 'continue with: lithe resume long.h5' stop.txt || { cat stop.txt && return 1; }
    python3 -m json.tool stop.json >/dev/null || return 1

    # some frames further, against a run that was not stopped
    end=$(python3 -c 'import json; print(round(json.load(open("stop.json"))["sim_seconds"] + 0.1, 3), "s")')
    "$LITHE" "${long[@]}" --out whole.h5 --until "$end" >whole.json &&
        "$LITHE" resume long.h5 --until "$end" --json >resume.json || return 1
    [[ $(json hash resume.json) == "$(json hash whole.json)" && -s long.h5 && ! -e long.h5.journal ]]
}

ctrl_c_saves_and_resume_completes_with_the_same_bits() {
    # more nodes: the signals arrive before much is simulated
    local code=0 rope cable
    rope=$(count 601 121) cable=$(count 401 81)
    sed -i "s/nodes: 31/nodes: $rope/; s/nodes: 41/nodes: $cable/" rope.yaml
    stopped_by_a_signal_it_resumes_to_the_same_bits INT &&
        stopped_by_a_signal_it_resumes_to_the_same_bits TERM || code=1
    sed -i "s/nodes: $rope/nodes: 31/; s/nodes: $cable/nodes: 41/" rope.yaml
    return "$code"
}

a_kill_loses_at_most_a_frame() {
    local pid i
    rm -f killed.h5*
    "$LITHE" run rope.yaml --until 1000s --out killed.h5 -q &
    pid=$!
    for i in {1..6000}; do
        [[ -e killed.h5.journal && $(stat -c %s killed.h5.journal) -gt 20000 ]] && break
        sleep 0.02
    done
    kill -KILL "$pid"
    wait "$pid" 2>/dev/null
    expect 0 'frames' "$LITHE" recover killed.h5 && [[ -s killed.h5 && -e killed.h5.journal ]] &&
        expect 0 '' "$LITHE" export killed.h5 killed.csv && [[ $(wc -l <killed.csv) -gt 2 ]]
}

resume_of_a_complete_run_says_so() {
    "$LITHE" run rope.yaml -q --out done.h5 && expect 0 'already complete' "$LITHE" resume done.h5
}

an_unwritable_output_is_refused_before_the_run() {
    expect 2 'lithe: nowhere/x.h5' "$LITHE" run rope.yaml --out nowhere/x.h5 &&
        expect 2 'lithe: /dev/null' "$LITHE" run rope.yaml --out /dev/null &&
        expect 2 'lithe: /proc/x.h5' "$LITHE" run rope.yaml --out /proc/x.h5
}

# limited COMMAND...: with files of at most 64 kB, as on a full disk
limited() { (ulimit -f 64 && "$@"); }

a_full_disk_stops_the_run_and_keeps_the_older_file() {
    local before code=0 whole
    "$LITHE" run rope.yaml -q --out full.h5 || return 1
    before=$(sha256sum full.h5)
    limited "$LITHE" run rope.yaml --set record.every=0 --until 0.3s --out full.h5 >full.txt 2>&1 ||
        code=$?
    [[ $code == 3 ]] && grep -q '^lithe: full.h5' full.txt || { cat full.txt && return 1; }
    [[ $(sha256sum full.h5) == "$before" ]] || { echo "the older file changed" && return 1; }
    whole=$("$LITHE" run rope.yaml --set record.every=0 --until 0.3s --out whole.h5 --json)
    "$LITHE" resume full.h5 --json >full.json || return 1
    [[ $whole == *"$(json hash full.json)"* ]] && cmp full.h5 whole.h5
}

a_full_disk_leaves_no_half_exports() {
    "$LITHE" run rope.yaml -q --out big.h5 --set record.every=0 --until 0.3s || return 1
    expect 2 'lithe: ' limited "$LITHE" export big.h5 big.csv && [[ ! -e big.csv ]] &&
        ! compgen -G 'big.csv*.tmp' >/dev/null
}

a_full_disk_is_reported() {
    mkdir -p disk
    if ! mount -t tmpfs -o size=100k tmpfs disk 2>/dev/null; then
        echo 'skipped: cannot mount'
        return 0
    fi
    local code=0
    expect 3 'No space left' "$LITHE" run rope.yaml --set record.every=0 --until 1s --out disk/a.h5 ||
        code=1
    [[ ! -e disk/a.h5 ]] || code=1
    umount disk
    return "$code"
}

exports_and_plots_are_what_they_say() {
    "$LITHE" run rope.yaml -q --out e.h5 || return 1
    "$LITHE" export e.h5 e.csv && [[ $(head -c 4 e.csv) == time && $(wc -l <e.csv) == 14 ]] &&
        "$LITHE" export e.h5 e.pvd && grep -q VTKFile e.pvd && [[ -d e_frames ]] &&
        "$LITHE" export e.h5 e.png --frame 0 --size 120x80 --colour tension --camera 20,10 &&
        [[ $(head -c 4 e.png | tail -c 3) == PNG ]] &&
        "$LITHE" export e.h5 e.svg --frame 0.03s && python3 -c '
import sys, xml.dom.minidom as m
for name in sys.argv[1:]: m.parse(name)' e.svg e.pvd &&
        "$LITHE" plot e.h5 rope.tension lace.tension.max -o t.svg && grep -q '<svg' t.svg &&
        "$LITHE" plot e.h5 rope.tension rope.speed pull.force -o u.svg && [[ $(grep -c clipPath u.svg) == 2 ]] &&
        "$LITHE" plot e.h5 rope.tension rope.curvature --at 10ms --at 50ms -o a.svg &&
        grep -q 'distance along the rod' a.svg && grep -q 'rope.tension, t = 0.05 s' a.svg &&
        "$LITHE" plot e.h5 rope.tension -o t.png && head -c 4 t.png | grep -q PNG &&
        "$LITHE" plot e.h5 rope.tension -o t.pdf && head -c 5 t.pdf | grep -q %PDF &&
        "$LITHE" plot e.h5 --list | grep -q '^pull.force$'
}

# the values along a rod at moments are those of the recording
a_table_along_a_rod_has_its_nodes_and_edges() {
    "$LITHE" export e.h5 along.csv --quantity rope.tension --quantity rope.curvature --at 10ms --at 50ms || return 1
    "$LITHE" export e.h5 most.csv --quantity rope.tension.max || return 1
    python3 - <<'TEXT' || return 1
import csv
rows = list(csv.DictReader(open("along.csv")))
names = list(rows[0])
assert names[:2] == ["rope.tension.distance at 0.01 s [m]", "rope.tension at 0.01 s [N]"], names
assert "rope.curvature.distance at 0.05 s [m]" in names and "rope.curvature.m1 at 0.05 s [1/m]" in names, names
column = lambda name: [float(row[name]) for row in rows if row[name]]
tension, nodes = column("rope.tension at 0.05 s [N]"), column("rope.curvature.distance at 0.05 s [m]")
middles = column("rope.tension.distance at 0.05 s [m]")
assert len(nodes) == len(tension) + 1 == len(rows), (len(nodes), len(tension), len(rows))
assert all(a < b < c for a, b, c in zip(nodes, middles, nodes[1:]))
most = {round(float(row["time [s]"]), 9): float(row["rope.tension.max [N]"]) for row in csv.DictReader(open("most.csv"))}
assert max(tension) == most[0.05], (max(tension), most)
TEXT
    expect 2 'no rod named' "$LITHE" export e.h5 x.csv --quantity energy.kinetic --at 10ms &&
        expect 2 'with a --quantity along a rod' "$LITHE" export e.h5 x.csv --at 10ms &&
        expect 2 'at is for .csv' "$LITHE" export e.h5 x.png --at 10ms && [[ ! -e x.csv && ! -e x.png ]]
}

exports_refuse_what_is_not_there() {
    expect 2 'there are frames 0 to 12' "$LITHE" export e.h5 x.png --frame 99 &&
        expect 2 'a time is expected' "$LITHE" export e.h5 x.png --frame 3kg &&
        expect 2 "did you mean 'tension'" "$LITHE" export e.h5 x.png --colour tensoin &&
        expect 2 'tension' "$LITHE" plot e.h5 rope.tensoin -o x.svg &&
        expect 2 'plots are written as .svg, .png or .pdf' "$LITHE" plot e.h5 rope.tension -o x.jpg &&
        expect 2 'no rod named' "$LITHE" plot e.h5 energy.kinetic --at 10ms -o x.svg &&
        expect 2 "places follow the thing: 'rope.start.tension'" "$LITHE" plot e.h5 rope.tension.start -o x.svg &&
        expect 2 "'lace.speed.max' was not recorded; 'record: {also: [lace.speed]}' in the scene" "$LITHE" plot e.h5 lace.speed.max -o x.svg &&
        expect 2 'e.h5: the time is 7 s, the recording has 0 to 0.06 s' "$LITHE" export e.h5 x.png --frame 7s &&
        expect 2 'e.h5: the time is 7 s, the recording has 0 to 0.06 s' "$LITHE" plot e.h5 rope.tension --at 7s -o x.svg &&
        expect 2 'e.h5: the time is 7 s' "$LITHE" export e.h5 x.csv -q rope.tension --at 7s &&
        [[ ! -e x.png && ! -e x.svg ]]
}

check_reports_the_scales() {
    local text
    text=$("$LITHE" check rope.yaml) || return 1
    for part in "rod 'rope'" 'slowest bending period' 'explicit step limit' 'EA' 'GJ' \
        'edge length over radius' 'sag at equilibrium' 'free,'; do
        [[ $text == *"$part"* ]] || { echo "no '$part' in $text" && return 1; }
    done
}

# half an edge lies inside each clamp, and the period is that of the theory, 2 pi L^2/1.8751^2/sqrt(EI/m')
check_counts_the_length_outside_of_clamps() {
    local text
    cat >held.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 1 s}
materials: {m: {young: 1 GPa, poisson: 0.3, density: 1000 kg/m^3}}
rods:
  r: {material: m, section: {circle: {radius: 3 mm}}, shape: {line: {to: [60 cm, 0, 0]}}, nodes: 61}
holds: {h: {on: r.start, hold: clamp}}
TEXT
    text=$("$LITHE" check held.yaml) || return 1
    [[ $text == *'600 mm, 0.01696 kg; 5.042 mm more inside the clamp'* && $text == *'bending period     428.9 ms'* ]] ||
        { echo "$text" && return 1; }
}

# sqrt(EI/T) = sqrt(r^2/4/strain) = 5.69 mm at a stretch of 3.1 % as built
check_warns_of_edges_longer_than_the_bending_layer() {
    local text
    text=$("$LITHE" check "$root/scenes/belt.yaml" --set rods.belt.nodes=160 2>/dev/null) || return 1
    [[ $text == *'bending layer              5.686 mm'* && $text != *'longer than the bending layer'* ]] ||
        { echo "$text" && return 1; }
    text=$("$LITHE" check "$root/scenes/belt.yaml" --set rods.belt.nodes=121 2>/dev/null) || return 1
    [[ $text == *'edges are longer than the bending layer'*'154 nodes resolve it'* ]] || { echo "$text" && return 1; }
}

the_summary_says_where_the_time_went() {
    "$LITHE" run rope.yaml --until 20ms --out t.h5 | grep -qE '^  time +[a-z_]+ [0-9]+ %'
}

# a cable of 11 m over 10 m hangs 2.003 m below its ends (catenary), wherever it was built
check_says_how_deep_a_cable_hangs() {
    cat >cable.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 1 s}
materials: {steel: {young: 200 GPa, density: 7850 kg/m^3}}
rods:
  cable: {material: steel, section: {circle: {radius: 1 mm}}, shape: {catenary: {from: [0, 0, 0], to: [10 m, 0, 0], length: 11 m}}, nodes: 61}
holds: {a: {on: cable.start}, b: {on: cable.end}}
TEXT
    expect 0 'm below the shape as built, 2.00' "$LITHE" check cable.yaml
}

# a clamped beam without gravity: omega = 1.8751^2 sqrt(EI/(m L^4))
modes_of_a_scene_where_nothing_moves_are_refused() {
    printf 'lithe: 1\nbodies: {ball: {fixed: true, shape: {sphere: {radius: 1 cm}}}}\n' >ball.yaml
    expect 2 'ball.yaml: has nothing that moves' "$LITHE" modes ball.yaml
}

# a mass on a hinge with a spring: omega^2 = k/I
modes_of_a_joint_are_those_of_its_spring_and_a_free_body_is_rigid() {
    cat >spring.yaml <<'TEXT'
lithe: 1
gravity: none
materials: {wood: {young: 10 GPa, density: 1000 kg/m^3}}
bodies: {arm: {material: wood, at: [0, 0, 0], shape: {box: {size: [1, 10 cm, 10 cm]}}}}
joints: {hinge: {kind: revolute, child: arm, at: [0, 0, 0], axis: [0, 1, 0], stiffness: 10 N m/rad}}
TEXT
    "$LITHE" modes spring.yaml --json >modes.json || return 1
    python3 -c 'import json, math
mode = json.loads(open("modes.json").readline())
assert abs(mode["omega"] - math.sqrt(10 / (10 * (1 + 0.01) / 12))) < 1e-6, mode
assert mode["moves"] == "arm" and mode["kind"] == "stable", mode' || return 1
    sed -i '/^joints/d' spring.yaml
    "$LITHE" modes spring.yaml --at start >modes.txt && [[ $(grep -c rigid modes.txt) == 6 ]]
}

modes_of_a_beam_are_those_of_the_theory() {
    "$LITHE" modes rope.yaml --rod rope --count 3 --json --set gravity=none >modes.json || return 1
    python3 - <<'PY'
import json, math
modes = [json.loads(line) for line in open("modes.json")]
r, L = 2e-3, 1
EI, m = 18e6 * math.pi * r**4 / 4, 1000 * math.pi * r**2
want = 1.8751041**2 * math.sqrt(EI / (m * L**4))
got = modes[0]["omega"]
assert abs(got / want - 1) < 0.001, (got, want)
assert modes[0]["kind"] == "bending" and modes[0]["bending"] > 0.999, modes[0]
assert abs(modes[0]["period"] * got - 2 * math.pi) < 1e-9
PY
}

for test in json_is_one_object_with_the_promised_fields quiet_says_nothing \
    threads_and_dropped_work_change_no_bit until_and_set_change_the_run \
    ctrl_c_saves_and_resume_completes_with_the_same_bits a_kill_loses_at_most_a_frame \
    resume_of_a_complete_run_says_so an_unwritable_output_is_refused_before_the_run \
    a_full_disk_stops_the_run_and_keeps_the_older_file a_full_disk_leaves_no_half_exports \
    a_full_disk_is_reported exports_and_plots_are_what_they_say a_table_along_a_rod_has_its_nodes_and_edges \
    exports_refuse_what_is_not_there check_reports_the_scales check_says_how_deep_a_cable_hangs \
    check_counts_the_length_outside_of_clamps check_warns_of_edges_longer_than_the_bending_layer the_summary_says_where_the_time_went \
    modes_of_a_beam_are_those_of_the_theory modes_of_a_scene_where_nothing_moves_are_refused \
    modes_of_a_joint_are_those_of_its_spring_and_a_free_body_is_rigid; do
    claim "$test" "$test"
done
finish
