#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_sweep.sh - studies: the table, failed rows, stops and kills, bad study files
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# a hanging rope: half of the clamped edge is in the wall, 19.5 edges are its 1 m, and the edge below
# carries 18.5 of them
cat >rope.yaml <<'TEXT'
lithe: 1
parameters: {r: 2 mm, seed: 0, count: 21}
time: {step: 10 ms, end: 100 ms, scheme: static}
materials:
  nylon: {young: 18 MPa, poisson: 0.4, density: 1000 kg/m^3}
rods:
  rope: {material: nylon, section: {circle: {radius: r}}, shape: {line: {to: [0, 0, -1 m]}}, nodes: count, clamped: start}
record: {every: 10 ms}
TEXT

cat >weight.yaml <<'TEXT'
lithe: 1
name: Weight of a rope
scene: rope.yaml
vary:
  parameters.r: {from: 1 mm, to: 6 mm, count: 6}
measure:
  load: rope.tension[1]
  tip: {of: rope.end.position.z, take: mean, from: 50 ms}
  steps: total.steps
TEXT

# a swing that is long enough to be stopped in the middle
cat >swing-scene.yaml <<'TEXT'
lithe: 1
parameters: {young: 1 MPa}
time: {step: 1 ms, end: 4 s}
materials:
  rubber: {young: young, poisson: 0.4, density: 1000 kg/m^3}
rods:
  rope: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1 m, 0, 0]}}, nodes: 61, clamped: start}
record: {every: 20 ms}
TEXT
sed -i "s/end: 4 s/end: $(count 4 1) s/" swing-scene.yaml
cat >swing.yaml <<'TEXT'
lithe: 1
scene: swing-scene.yaml
vary:
  parameters.young: [0.5 MPa, 1 MPa, 2 MPa, 4 MPa]
measure: {lowest: {of: rope.end.position.z, take: min}}
keep: recordings
TEXT

the_table_has_the_known_loads_in_order() {
    expect 0 '6 of 6 rows done, 0 failed: weight.out/table.csv, weight.out/table.h5' \
        "$LITHE" sweep weight.yaml || return 1
    python3 - <<'PY'
import csv, math
rows = list(csv.DictReader(open("weight.out/table.csv")))
assert [r["row"] for r in rows] == list("123456"), rows
assert [r["parameters.r [m]"] for r in rows] == ["0.001", "0.002", "0.003", "0.004", "0.005", "0.006"]
loads = [float(r["load [N]"]) for r in rows]
assert all(a < b for a, b in zip(loads, loads[1:])), loads
for row, load in zip(rows, loads):
    known = 1000 * math.pi * float(row["parameters.r [m]"]) ** 2 * 9.81 * 18.5 / 19.5
    assert abs(load / known - 1) < 1e-6, (load, known)
    assert row["status"] == "done" and row["reason"] == "" and float(row["tip [m]"]) < -1
    assert float(row["steps"]) > 0 and row["steps"] == rows[0]["steps"], row
PY
}

no_recording_of_a_good_row_stays_unless_requested() {
    [[ -z $(ls weight.out/runs) ]] || { ls weight.out/runs && return 1; }
    sed 's/^name.*/keep: recordings/' weight.yaml >kept.yaml
    "$LITHE" sweep kept.yaml -q && [[ $(ls kept.out/runs/*.h5 | wc -l) == 6 ]]
}

the_number_of_jobs_changes_no_byte() {
    "$LITHE" sweep weight.yaml -q --jobs 1 --out one &&
        "$LITHE" sweep weight.yaml -q --jobs 3 --out three &&
        cmp one/table.csv three/table.csv && cmp one/table.h5 three/table.h5
}

list_shows_rows_and_runs_nothing() {
    local text
    text=$("$LITHE" sweep --list weight.yaml --out listed) || return 1
    [[ $(wc -l <<<"$text") == 6 && $text == *"   2  parameters.r=0.002 m"* && ! -e listed ]]
}

a_finished_study_is_not_run_again() {
    local before
    before=$(sha256sum weight.out/journal weight.out/table.csv weight.out/table.h5)
    expect 0 '6 finished earlier' "$LITHE" sweep weight.yaml &&
        [[ $(sha256sum weight.out/journal weight.out/table.csv weight.out/table.h5) == "$before" ]]
}

json_is_one_object() {
    "$LITHE" sweep weight.yaml --json >end.json || return 1
    python3 -c 'import json; o = json.load(open("end.json"))
assert o["rows"] == o["done"] == 6 and o["failed"] == o["not_run"] == 0, o
assert o["csv"] == "weight.out/table.csv"' && [[ $(wc -l <end.json) == 1 ]]
}

# grids, values side by side, seeds: which rows there are
the_last_axis_runs_fastest() {
    cat >grid.yaml <<'TEXT'
lithe: 1
scene: rope.yaml
set: {time.end: 20 ms}
seeds: [7, 3]
together:
  parameters.count: [11, 21]
  rods.rope.section: [{circle: {radius: 1 mm}}, {rectangle: {width: 2 mm, height: "r"}}]
vary:
  parameters.r: {from: 1 mm, to: 2.1 mm, step: 0.5 mm}
measure: {load: {of: rope.tension.max, at: 15 ms}}
TEXT
    "$LITHE" sweep grid.yaml -q || return 1
    python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("grid.out/table.csv")))
assert len(rows) == 12, rows
assert [r["parameters.r [m]"] for r in rows] == ["0.001"] * 4 + ["0.0015"] * 4 + ["0.002"] * 4
assert [r["parameters.count"] for r in rows] == ["11", "11", "21", "21"] * 3
assert [r["parameters.seed"] for r in rows] == ["7", "3"] * 6
assert rows[2]["rods.rope.section"] == '{"rectangle": {"width": 2 mm, "height": "r"}}', rows[2]
assert all(r["status"] == "done" for r in rows), rows
# the mass of a rectangle of 2 mm by r is proportional to r, that of a circle of 1 mm is constant
loads = [float(r["load [N]"]) for r in rows]
assert loads[0] == loads[1] == loads[4] and abs(loads[10] / loads[2] - 2) < 1e-9, loads
PY
}

logarithmic_values_have_even_ratios() {
    cat >log.yaml <<'TEXT'
lithe: 1
scene: rope.yaml
vary: {materials.nylon.young: {log: [1 MPa, 100 MPa], count: 3}}
measure: {load: "rope.tension[1]"}
TEXT
    [[ $("$LITHE" sweep --list log.yaml) == "   1  materials.nylon.young=1000000 Pa
   2  materials.nylon.young=10000000 Pa
   3  materials.nylon.young=100000000 Pa" ]]
}

a_failed_row_is_recorded_with_its_reason() {
    cat >fails.yaml <<'TEXT'
lithe: 1
scene: rope.yaml
vary: {parameters.r: [1 mm, -2 mm, 3 mm]}
measure: {load: "rope.tension[1]"}
TEXT
    expect 1 'lithe: row 2 failed: ' "$LITHE" sweep fails.yaml || return 1
    python3 - <<'PY' || return 1
import csv
rows = list(csv.DictReader(open("fails.out/table.csv")))
assert [r["status"] for r in rows] == ["done", "failed", "done"], rows
assert rows[1]["load [N]"] == "" and "radius" in rows[1]["reason"], rows[1]
assert "must be > 0" in rows[1]["reason"], rows[1]
PY
    # reported again, run again only on request
    expect 1 '3 finished earlier' "$LITHE" sweep fails.yaml &&
        expect 1 '2 finished earlier' "$LITHE" sweep fails.yaml --retry
}

steps_that_did_not_converge_are_counted() {
    cat >hasty.yaml <<'TEXT'
lithe: 1
scene: swing-scene.yaml
until: 100 ms
set: {time.max-unconverged: 0}
vary: {time.max-iterations: [1, 50]}
measure: {tip: rope.end.position.z}
TEXT
    expect 0 'lithe: warning: 1 rows have steps that did not converge' "$LITHE" sweep hasty.yaml ||
        return 1
    python3 - <<'PY'
import csv
rows = list(csv.DictReader(open("hasty.out/table.csv")))
assert int(rows[0]["steps_unconverged"]) > 0 and rows[1]["steps_unconverged"] == "0", rows
PY
}

# begins a sweep of the swing, and waits until the row runs or has ended: its number in pid
files_of_others_are_kept() {
    local name
    for name in table.csv table.h5 times.csv; do
        rm -rf foreign && mkdir foreign && echo mine >"foreign/$name"
        expect 2 "foreign/$name: exists and is not of a study: move it away, or give another folder with --out" \
            "$LITHE" sweep weight.yaml -o foreign || return 1
        [[ $(<"foreign/$name") == mine && $(ls foreign) == "$name" ]] || return 1
    done
    # other files do not matter, and those of a study are replaced
    rm -rf foreign && mkdir foreign && echo mine >foreign/notes.txt
    "$LITHE" sweep weight.yaml -o foreign -q && "$LITHE" sweep weight.yaml -o foreign -q --restart && [[ $(<foreign/notes.txt) == mine ]]
}

begin_swing() {
    local row=$1 i
    shift
    rm -rf swing.out
    "$LITHE" sweep swing.yaml "$@" >swing.txt 2>&1 &
    pid=$!
    for i in {1..6000}; do
        [[ -s swing.out/runs/$row.h5.journal || -s swing.out/runs/$row.h5 ]] && break
        sleep 0.02
    done
}

# run_of ROW: the process that runs this row, as its lock tells it
run_of() {
    sed -n 's/^process \([0-9]*\) .*/\1/p' "swing.out/runs/$1.h5.lock" 2>/dev/null
}

# the run of the second row is killed; on a busy machine it may end before that: then again
a_killed_run_is_only_its_row() {
    local pid victim try code=0
    for try in {1..10}; do
        begin_swing 0002 --jobs 1
        victim=$(run_of 0002)
        [[ -n $victim ]] && kill -KILL "$victim"
        code=0
        wait "$pid" || code=$?
        [[ $code == 0 ]] || break
    done
    [[ $code == 1 ]] || { echo "try $try: exit code $code" && cat swing.txt && return 1; }
    grep -q '^2,.*,failed,.*killed' swing.out/table.csv && grep -q '^4,.*,done,' swing.out/table.csv
}

# the whole table, for the tests of stops
swings() {
    [[ -e swing-whole/table.csv ]] || "$LITHE" sweep swing.yaml -q --out swing-whole
}

# ends PID...: none of the processes is left; a zombie, which nobody may wait for, has ended
ends() {
    local pid i state
    for pid; do
        for i in {1..6000}; do
            state=$(sed 's/.*) \(.\) .*/\1/' "/proc/$pid/stat" 2>/dev/null)
            [[ -z $state || $state == [ZX] ]] && continue 2
            sleep 0.02
        done
        echo "process $pid still runs" && return 1
    done
}

# stopped SIGNAL CODE: a sweep of two at a time gets the signal while its second pair is running; on
# a busy machine it may end before that: then again
stopped() {
    local signal=$1 code=$2 pid got=0 try runs
    for try in {1..10}; do
        begin_swing 0003 --jobs 2
        mapfile -t runs < <(run_of 0003; run_of 0004) # each of them may have ended
        kill -"$signal" "$pid" 2>/dev/null
        got=0
        wait "$pid" 2>/dev/null || got=$?
        [[ $got == 0 || ${#runs[@]} == 0 ]] || break
    done
    [[ $got == "$code" ]] || { echo "try $try: exit code $got" && cat swing.txt && return 1; }
    [[ ${#runs[@]} -gt 0 ]] && ends "${runs[@]}"
}

continues_to_the_same_bytes() {
    swings || return 1
    expect 0 'finished earlier' "$LITHE" sweep swing.yaml || return 1
    cmp swing.out/table.csv swing-whole/table.csv && cmp swing.out/table.h5 swing-whole/table.h5 &&
        cmp swing.out/runs/0003.h5 swing-whole/runs/0003.h5 &&
        cmp swing.out/runs/0004.h5 swing-whole/runs/0004.h5
}

after_a_kill_it_goes_on_to_the_same_bytes() {
    stopped KILL 137 && [[ ! -e swing.out/table.csv ]] && continues_to_the_same_bytes
}

ctrl_c_stops_and_it_goes_on_to_the_same_bytes() {
    stopped INT 3 && grep -q 'the same command continues' swing.txt &&
        grep -q ',not run,' swing.out/table.csv && continues_to_the_same_bytes
}

# a run of a sweep that was killed ends a moment after it: the next sweep waits for that
a_run_that_is_still_ending_is_waited_for() {
    cp -r one ending && truncate -s -3 ending/journal || return 1
    (
        flock 9
        echo 'process 1 on this machine' >&9
        touch holds
        sleep 1
    ) 9>ending/runs/0006.h5.lock &
    local holder=$! i
    for i in {1..6000}; do
        [[ -e holds ]] && break
        sleep 0.02
    done
    expect 0 '6 of 6 rows done, 0 failed' "$LITHE" sweep weight.yaml --jobs 1 --out ending
    local code=$?
    wait "$holder"
    return "$code"
}

# the end of the journal is cut off or damaged: that row is run again, the others are not
a_damaged_journal_loses_only_its_last_row() {
    cp -r one torn && truncate -s -3 torn/journal &&
        expect 0 '5 finished earlier' "$LITHE" sweep weight.yaml --jobs 1 --out torn || return 1
    cmp torn/journal one/journal && cmp torn/table.csv one/table.csv
}

a_changed_study_or_scene_is_refused_until_restart() {
    sed 's/count: 6/count: 3/' weight.yaml >changed.yaml && cp rope.yaml changed-rope.yaml &&
        sed -i 's/rope.yaml/changed-rope.yaml/' changed.yaml &&
        "$LITHE" sweep changed.yaml -q || return 1
    sed -i 's/density: 1000/density: 2000/' changed-rope.yaml
    expect 2 'changed-rope.yaml, or a file that it names, has changed since' \
        "$LITHE" sweep changed.yaml || return 1
    sed -i 's/count: 3/count: 2/' changed.yaml
    expect 2 'changed.yaml has changed since' "$LITHE" sweep changed.yaml &&
        expect 0 '2 of 2 rows done' "$LITHE" sweep changed.yaml --restart &&
        [[ $(wc -l <changed.out/table.csv) == 3 ]]
}

two_sweeps_do_not_share_a_folder() {
    (
        flock 9
        expect 2 'another sweep is running' "$LITHE" sweep weight.yaml
    ) 9>>weight.out/journal
}

# bad MESSAGE SED: the study changed by sed is refused with this message
bad() {
    sed "$2" weight.yaml >bad.yaml
    expect 2 "$1" "$LITHE" sweep bad.yaml --out bad.out && [[ ! -e bad.out ]]
}

bad_studies_are_refused_with_their_place() {
    bad "bad.yaml:4:1: vry: unknown key in a study; did you mean vary?" 's/^vary/vry/' &&
        bad "bad.yaml: 'scene', the file to run, is missing" '/^scene/d' &&
        bad "bad.yaml: 'lithe: 1'" '/^lithe/d' &&
        bad 'bad.yaml:1:8: lithe: version' 's/lithe: 1/lithe: 2/' &&
        bad 'nowhere.yaml: cannot read' 's/rope.yaml/nowhere.yaml/' &&
        bad "bad.yaml:5:3: parameters.q: no parameter named 'q'" 's/parameters.r/parameters.q/' &&
        bad "bad.yaml:5:3: parametrs.r: parametrs: unknown key" 's/parameters.r/parametrs.r/' &&
        bad 'bad.yaml:5:47: count is' 's/count: 6/count: 1/' &&
        bad 'bad.yaml:5:34: parameters.r: is a time, but the range begins with a length' \
            's/6 mm/6 ms/' &&
        bad 'parameters.r: a range is' 's/, count: 6//' &&
        bad 'a list of values or a range is expected' 's/{from.*/3 mm/' &&
        bad 'the list has no values' 's/{from.*/[]/' &&
        bad "bad.yaml:7:9: measure.load.of: no quantity 'rope.tensoin[1]': did you mean 'rope.tension" \
            's/tension/tensoin/' &&
        bad "selects 2 series, must select one: rope.tension.max, rope.tension.mean" 's/\[1\]//' &&
        bad 'index is 99' 's/\[1\]/[99]/' &&
        bad "bad.yaml:9:10: measure.steps: 'total.stepz' is no sum over a run" 's/total.steps/total.stepz/' &&
        bad "bad.yaml:8:40: measure.tip.take is 'meen'; did you mean mean?" 's/take: mean/take: meen/' &&
        bad 'a length, a time is expected' 's/50 ms/50 mm/' &&
        bad 'varies nothing' '/^vary/d; /parameters/d' &&
        bad 'measures nothing' '/^measure/,$d' &&
        bad 'not YAML' 's/^vary:/vary: {/'
}

wrong_options_exit_with_2() {
    expect 2 'no study is given' "$LITHE" sweep && expect 2 'unexpected argument' "$LITHE" sweep a.yaml b.yaml &&
        expect 2 'must be a whole number from 1' "$LITHE" sweep a.yaml --jobs 0 &&
        expect 2 'lithe: gone.yaml: cannot read' "$LITHE" sweep gone.yaml &&
        expect 2 'rope.yaml: is a scene, not a study: a study names its scene (scene: rope.yaml)' "$LITHE" sweep rope.yaml
}

a_folder_that_cannot_be_made_is_reported() {
    expect 2 'cannot create this folder' "$LITHE" sweep weight.yaml --out rope.yaml/x &&
        expect 2 'lithe: rope.yaml' "$LITHE" sweep weight.yaml --out rope.yaml
}

claim the_table_has_the_known_loads_in_order the_table_has_the_known_loads_in_order
claim no_recording_of_a_good_row_stays_unless_requested no_recording_of_a_good_row_stays_unless_requested
claim the_number_of_jobs_changes_no_byte the_number_of_jobs_changes_no_byte
claim list_shows_rows_and_runs_nothing list_shows_rows_and_runs_nothing
claim a_finished_study_is_not_run_again a_finished_study_is_not_run_again
claim json_is_one_object json_is_one_object
claim the_last_axis_runs_fastest the_last_axis_runs_fastest
claim logarithmic_values_have_even_ratios logarithmic_values_have_even_ratios
claim a_failed_row_is_recorded_with_its_reason a_failed_row_is_recorded_with_its_reason
claim steps_that_did_not_converge_are_counted steps_that_did_not_converge_are_counted
claim a_killed_run_is_only_its_row a_killed_run_is_only_its_row
study after_a_kill_it_goes_on_to_the_same_bytes after_a_kill_it_goes_on_to_the_same_bytes
study ctrl_c_stops_and_it_goes_on_to_the_same_bytes ctrl_c_stops_and_it_goes_on_to_the_same_bytes
claim a_run_that_is_still_ending_is_waited_for a_run_that_is_still_ending_is_waited_for
claim a_damaged_journal_loses_only_its_last_row a_damaged_journal_loses_only_its_last_row
claim a_changed_study_or_scene_is_refused_until_restart a_changed_study_or_scene_is_refused_until_restart
claim two_sweeps_do_not_share_a_folder two_sweeps_do_not_share_a_folder
claim bad_studies_are_refused_with_their_place bad_studies_are_refused_with_their_place
claim wrong_options_exit_with_2 wrong_options_exit_with_2
claim a_folder_that_cannot_be_made_is_reported a_folder_that_cannot_be_made_is_reported
claim files_of_others_are_kept files_of_others_are_kept
finish
