#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_sweep_tasks.sh - studies that several processes share: mpirun, array jobs; samples
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

cat >rope.yaml <<'TEXT'
lithe: 1
parameters: {r: 2 mm, young: 18 MPa}
time: {step: 10 ms, end: 20 ms, scheme: static}
materials:
  nylon: {young: young, poisson: 0.4, density: 1000 kg/m^3}
rods:
  rope: {material: nylon, section: {circle: {radius: r}}, shape: {line: {to: [0, 0, -1 m]}}, nodes: 11, clamped: start}
record: {every: 10 ms}
TEXT
# 64 rows
cat >many.yaml <<TEXT
lithe: 1
scene: rope.yaml
vary:
  parameters.young: {log: [10 MPa, 100 MPa], count: $(count 32 4)}
  parameters.r: [1 mm, 2 mm]
measure: {load: "rope.tension[1]", tip: rope.end.position.z}
TEXT
rows=$(count 64 8)

# runs long enough to be killed in the middle
sed -e "s/end: 20 ms, scheme: static/end: $(count 1.2 0.3) s/; s/step: 10 ms/step: 1 ms/; s/nodes: 11/nodes: 41/" rope.yaml >swing-scene.yaml
cat >swing.yaml <<'TEXT'
lithe: 1
scene: swing-scene.yaml
vary: {parameters.young: {log: [10 MPa, 100 MPa], count: 8}}
measure: {lowest: {of: rope.end.position.z, take: min}}
TEXT
# runs that only a signal ends
sed -e 's/end: [0-9.]* s,*/end: 100000 s/' swing-scene.yaml >endless-scene.yaml
sed -e 's/swing-scene/endless-scene/' swing.yaml >endless.yaml

# one process: the table that all others must write to the byte
alone() {
    [[ -e alone/table.csv ]] || "$LITHE" sweep many.yaml -q --jobs 1 --out alone
}
swing_alone() {
    [[ -e swing-alone/table.csv ]] || "$LITHE" sweep swing.yaml -q --out swing-alone
}
# as_alone FOLDER [REFERENCE]
as_alone() {
    cmp "$1/table.csv" "${2-alone}/table.csv" && cmp "$1/table.h5" "${2-alone}/table.h5"
}
# every row was run once: lines of the journals of all processes
ran_once() {
    local done
    done=$(cat "$1"/journal* | awk '$2 == "done" { print $1 }')
    [[ $(sort <<<"$done" | uniq -d) == "" && $(wc -l <<<"$done") == "$2" ]] ||
        { tail -n 99 "$1"/journal* && return 1; }
}
# ./ranks -n 4 COMMAND: the ranks of mpirun; containers of tests have no other user than root.
# ./as_rank I N COMMAND: rank I of N without a launcher, by what Open MPI tells it.
# Both are programs that become the command: a signal to them reaches it.
cat >ranks <<'TEXT'
#!/bin/sh
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_plm_rsh_agent=
exec mpirun --oversubscribe "$@"
TEXT
cat >as_rank <<'TEXT'
#!/bin/sh
export OMPI_COMM_WORLD_RANK="$1" OMPI_COMM_WORLD_SIZE="$2"
shift 2
exec "$@"
TEXT
chmod +x ranks as_rank

# wait_for_a_run FOLDER: until a row of the sweep there runs, or all have ended
wait_for_a_run() {
    local i
    for i in {1..6000}; do
        [[ -n $(find "$1/runs" -name '*.journal' -size +0 2>/dev/null) || -e $1/table.csv ]] && return
        sleep 0.02
    done
}

# --- the same table ---

two_at_a_time_give_the_same_table() {
    alone && "$LITHE" sweep many.yaml -q --jobs 2 --out two && as_alone two &&
        ran_once two "$rows" && [[ $(wc -l <two/times.csv) == $((rows + 1)) && $(head -n 1 two/times.csv) == row,seconds,resumed,host,task ]]
}

four_ranks_give_the_same_table() {
    alone && ./ranks -n 4 "$LITHE" sweep many.yaml --out four >four.txt 2>&1 || { cat four.txt && return 1; }
    as_alone four && ran_once four "$rows" && grep -q "$rows of $rows rows done, 0 failed" four.txt &&
        grep -q 'ETA' four.txt
}

# rows are handed out as ranks ask for them: the others run those of a rank that is held up
a_rank_that_is_held_up_leaves_its_rows_to_others() {
    local first try code
    swing_alone || return 1
    # on a busy machine the first may end before it is held up: then again
    for try in {1..10}; do
        rm -rf held
        ./as_rank 0 2 "$LITHE" sweep swing.yaml -q --out held &
        first=$!
        wait_for_a_run held
        kill -STOP $first
        ./as_rank 1 2 "$LITHE" sweep swing.yaml -q --out held
        code=$?
        kill -CONT $first
        wait $first || code=1
        [[ $code == 0 ]] || return 1
        grep -q ',1$' held/times.csv && break
    done
    as_alone held swing-alone && ran_once held 8 && grep -q ',0$' held/times.csv && grep -q ',1$' held/times.csv
}

ranks_share_rows_and_the_last_writes_the_table() {
    local pids=() rank
    alone || return 1
    for rank in 0 1 2; do
        ./as_rank $rank 3 "$LITHE" sweep many.yaml -q --out three &
        pids+=($!)
    done
    wait "${pids[@]}" && as_alone three && ran_once three "$rows"
}

tasks_of_an_array_job_give_the_same_table() {
    alone && "$LITHE" sweep many.yaml --slurm --tasks 3 --out "array's" >job.txt &&
        grep -q "$rows rows for 3 tasks: sbatch array's/job.sh" job.txt &&
        grep -q '^#SBATCH --array=0-2$' "array's/job.sh" || return 1
    local task pids=()
    for task in 0 1 2; do
        SLURM_ARRAY_TASK_ID=$task bash "array's/job.sh" >task$task.txt 2>&1 &
        pids+=($!)
    done
    wait "${pids[@]}" || { cat task?.txt && return 1; }
    as_alone "array's" && ran_once "array's" "$rows"
}

# --- kills ---

# after the second finished row of a sweep by three ranks one of them is killed
a_killed_rank_repeats_no_finished_row() {
    local pids=() rank i victim
    swing_alone || return 1
    for rank in 0 1 2; do
        ./as_rank $rank 3 "$LITHE" sweep swing.yaml -q --out lost &
        pids+=($!)
    done
    for i in {1..6000}; do
        [[ $(cat lost/times.csv 2>/dev/null | wc -l) -ge 3 ]] && break
        sleep 0.02
    done
    victim=${pids[1]}
    kill -KILL "$victim" 2>/dev/null
    # a launcher ends the others as well
    kill -TERM "${pids[0]}" "${pids[2]}" 2>/dev/null
    wait "${pids[@]}" 2>/dev/null
    for rank in 0 1 2; do
        ./as_rank $rank 3 "$LITHE" sweep swing.yaml -q --out lost &
        pids[rank]=$!
    done
    wait "${pids[@]}" && as_alone lost swing-alone && ran_once lost 8
}

# a rank of the sweep in FOLDER: the parent of a run, which the lock of its output names
rank_in() {
    local lock run rank
    for lock in "$1"/runs/*.lock; do
        run=$(sed -n 's/^process \([0-9]*\) .*/\1/p' "$lock" 2>/dev/null)
        rank=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/${run:-none}/status" 2>/dev/null)
        if grep -aq 'swing.yaml' "/proc/${rank:-none}/cmdline" 2>/dev/null; then
            echo "$rank"
            return
        fi
    done
}

mpirun_with_a_killed_rank_ends_and_continues() {
    local pid i victim code try
    swing_alone || return 1
    # on a busy machine it may have ended before the kill: then again
    for try in {1..10}; do
        rm -rf killed
        ./ranks -n 3 "$LITHE" sweep swing.yaml --out killed >killed.txt 2>&1 &
        pid=$! victim=
        for i in {1..6000}; do
            [[ $(cat killed/times.csv 2>/dev/null | wc -l) -ge 3 ]] && victim=$(rank_in killed)
            [[ -n $victim || -e killed/table.csv ]] && break
            sleep 0.02
        done
        [[ -n $victim ]] && kill -KILL "$victim"
        code=0
        wait "$pid" || code=$?
        [[ $code == 0 ]] || break
    done
    [[ $code != 0 ]] || { cat killed.txt && return 1; }
    ./ranks -n 3 "$LITHE" sweep swing.yaml -q --out killed || return 1
    as_alone killed swing-alone && ran_once killed 8
}

a_task_takes_over_the_row_of_a_killed_one() {
    swing_alone || return 1
    ./as_rank 0 2 "$LITHE" sweep swing.yaml -q --out over &
    local first=$!
    wait_for_a_run over
    kill -KILL $first
    wait $first 2>/dev/null
    ./as_rank 1 2 "$LITHE" sweep swing.yaml -q --out over && as_alone over swing-alone
}

one_process_continues_what_tasks_began() {
    swing_alone || return 1
    ./as_rank 0 2 "$LITHE" sweep swing.yaml -q --out mixed &
    local first=$! i
    for i in {1..6000}; do
        [[ $(cat mixed/times.csv 2>/dev/null | wc -l) -ge 3 ]] && break
        sleep 0.02
    done
    kill -TERM $first
    wait $first 2>/dev/null
    expect 0 'finished earlier' "$LITHE" sweep swing.yaml --out mixed && as_alone mixed swing-alone &&
        ran_once mixed 8 && [[ -z $(ls mixed/journal.* 2>/dev/null) ]]
}

# --- messages ---

two_sweeps_in_a_folder_are_refused() {
    "$LITHE" sweep endless.yaml -q --jobs 1 --out busy &
    local first=$! i
    for i in {1..6000}; do
        [[ -s busy/runs/0001.h5.journal ]] && break
        sleep 0.02
    done
    expect 2 'busy/claims: another sweep is running in this folder' "$LITHE" sweep endless.yaml --out busy &&
        expect 2 'another sweep is running' ./as_rank 0 2 "$LITHE" sweep endless.yaml --out busy
    local code=$?
    kill -TERM $first
    wait $first
    return $code
}

wrong_executors_are_explained() {
    expect 2 'this is rank 7 of 2: ranks are 0 to 1' env PMI_RANK=7 PMI_SIZE=2 "$LITHE" sweep many.yaml || return 1
    expect 2 "--executor is 'dusk', must be auto, local, mpi or slurm" "$LITHE" sweep many.yaml --executor dusk &&
        expect 2 'no launcher of MPI started this process' env -u OMPI_COMM_WORLD_RANK -u PMI_RANK -u SLURM_PROCID \
            "$LITHE" sweep many.yaml --executor mpi &&
        expect 2 'SLURM_ARRAY_TASK_ID is not set' env -u SLURM_ARRAY_TASK_ID "$LITHE" sweep many.yaml --executor slurm &&
        expect 2 'SLURM_ARRAY_TASK_ID is not a whole number' env SLURM_ARRAY_TASK_ID=x "$LITHE" sweep many.yaml \
            --executor slurm &&
        expect 2 '--restart is for one process' ./as_rank 0 2 "$LITHE" sweep many.yaml --restart &&
        expect 2 '--tasks is for --slurm' "$LITHE" sweep many.yaml --tasks 3
}

a_full_disk_is_reported_and_the_study_continues() {
    mkdir -p disk
    if ! mount -t tmpfs -o size=64k tmpfs disk 2>/dev/null; then
        echo "skipped: no right to mount"
        return 0
    fi
    alone
    head -c 40k /dev/zero >disk/filler
    local output code=0 same=0
    output=$("$LITHE" sweep many.yaml --out disk/out 2>&1) || code=$?
    rm disk/filler
    mount -o remount,size=4m disk
    "$LITHE" sweep many.yaml -q --retry --out disk/out && as_alone disk/out || same=1
    umount disk
    [[ $code != 0 && $output == *"No space left on device"* && $same == 0 ]] || { echo "$code $same $output" && return 1; }
}

# --- samples ---

sampled() {
    cat >sampled.yaml <<TEXT
lithe: 1
scene: rope.yaml
sample:
  method: $1
  count: 16
  seed: $2
  of:
    parameters.r: {from: 1 mm, to: 3 mm}
    parameters.young: {log: [10 MPa, 1000 MPa]}
measure: {load: "rope.tension[1]"}
TEXT
    "$LITHE" sweep sampled.yaml --list
}

samples_are_seeded_and_fill_their_ranges() {
    local method
    for method in random latin sobol; do
        sampled $method 7 >a.txt && sampled $method 7 >b.txt && sampled $method 8 >c.txt || return 1
        cmp a.txt b.txt && ! cmp -s a.txt c.txt || { echo "$method" && return 1; }
        python3 - "$method" <<'PY' || return 1
import math, re, sys
points = [(float(a) * 1e3, float(b)) for a, b in re.findall(r"r=(\S+) m .*young=(\S+) Pa", open("a.txt").read())]
assert len(points) == 16, points
shares = [((a - 1) / 2, math.log10(b / 1e7) / 2) for a, b in points]
assert all(0 <= u < 1 and 0 <= v < 1 for u, v in shares), shares
if sys.argv[1] != "random":
    # one point in each sixteenth of every coordinate
    for k in (0, 1):
        assert sorted(int(16 * s[k]) for s in shares) == list(range(16)), shares
if sys.argv[1] == "sobol":
    assert len({(int(4 * u), int(4 * v)) for u, v in shares}) == 16, shares
PY
    done
}

bad_samples_are_refused() {
    sampled sobol 1 >/dev/null
    bad() {
        sed "$2" sampled.yaml >bad.yaml
        expect 2 "$1" "$LITHE" sweep bad.yaml --list
    }
    bad "sample.method is 'sobool'; did you mean sobol?" 's/sobol/sobool/' &&
        bad "bad.yaml:3:1: sample: 'count' is missing" '/count/d' &&
        bad 'sample.count is' 's/count: 16/count: 0/' &&
        bad 'parameters.r: {from, to}, {log: [first, last]} or a list is expected' 's/{from: 1 mm, to: 3 mm}/3 mm/' &&
        bad 'is a time, but the range begins with a length' 's/to: 3 mm/to: 3 ms/' &&
        bad "parameters.q: no parameter named 'q'" 's/parameters.r:/parameters.q:/'
}

study two_at_a_time_give_the_same_table two_at_a_time_give_the_same_table
if command -v mpirun >/dev/null; then
    study four_ranks_give_the_same_table four_ranks_give_the_same_table
    study mpirun_with_a_killed_rank_ends_and_continues mpirun_with_a_killed_rank_ends_and_continues
else
    echo "skipped: mpirun (Debian: openmpi-bin) is not installed"
fi
claim ranks_share_rows_and_the_last_writes_the_table ranks_share_rows_and_the_last_writes_the_table
study tasks_of_an_array_job_give_the_same_table tasks_of_an_array_job_give_the_same_table
study a_rank_that_is_held_up_leaves_its_rows_to_others a_rank_that_is_held_up_leaves_its_rows_to_others
claim a_killed_rank_repeats_no_finished_row a_killed_rank_repeats_no_finished_row
study a_task_takes_over_the_row_of_a_killed_one a_task_takes_over_the_row_of_a_killed_one
study one_process_continues_what_tasks_began one_process_continues_what_tasks_began
claim two_sweeps_in_a_folder_are_refused two_sweeps_in_a_folder_are_refused
claim wrong_executors_are_explained wrong_executors_are_explained
claim a_full_disk_is_reported_and_the_study_continues a_full_disk_is_reported_and_the_study_continues
claim samples_are_seeded_and_fill_their_ranges samples_are_seeded_and_fill_their_ranges
claim bad_samples_are_refused bad_samples_are_refused
finish
