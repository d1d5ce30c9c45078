#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_plot_table.sh - tables of studies as curves, marks and maps; wrong columns and files
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

mkdir strip.out
cat >strip.out/table.csv <<'TEXT'
row,parameters.young [Pa],parameters.thickness [m],sag [m],count,status,reason
1,1000000,0.002,-0.19,3,done,
2,1000000,0.003,-0.18,4,done,
3,4000000,0.002,-0.17,5,done,
4,4000000,0.003,-0.16,6,done,
5,16000000,0.003,-0.12,8,done,
6,16000000,0.002,-0.15,7,done,
7,64000000,0.002,,,failed,"stopped, it said ""no"""
TEXT

# columns of marks: their number is that of the rows that are done
curves_have_units_a_legend_and_rows_in_order() {
    expect 0 '1 of 7 rows failed and are left out' \
        "$LITHE" plot strip.out sag count --over young --by thickness -o a.svg || return 1
    local want
    for want in 'parameters.young \[Pa\]' 'sag \[m\]' '>count<' 'parameters.thickness = 0.002 m' \
        'parameters.thickness = 0.003 m'; do
        grep -q "$want" a.svg || { echo "no $want"; return 1; }
    done
    # x never goes back along a line, though row 6 comes after row 5
    python3 - <<'CODE'
import re
lines = [[float(x) for x in re.findall(r"[ML]([\d.]+) ", d)]
         for d in re.findall(r'<path fill="none" [^>]*d="([^"]+)"', open("a.svg").read())]
assert len(lines) == 4 and all(len(line) == 3 and line == sorted(line) for line in lines), lines
CODE
}

# six cells in six colours, and the scale beside them
a_map_has_a_cell_for_each_pair() {
    "$LITHE" plot strip.out/table.csv sag --over young --by thickness --heat -o a.svg || return 1
    local cells
    cells=$(grep -o '<rect x="[^>]*fill="#[0-9a-f]\{6\}"' a.svg | wc -l)
    [[ $cells == 38 ]] || { echo "$cells rectangles"; return 1; }
    # the first and the last colour of the map are the ends of the values
    [[ $(grep -c 'fill="#2d2469"' a.svg) == 1 && $(grep -c 'fill="#faeb8f"' a.svg) == 1 ]] || { grep rect a.svg; return 1; }
    grep -q '>-0.19<' a.svg && grep -q '>-0.12<' a.svg && "$LITHE" plot strip.out sag --over young --by thickness --heat -o a.png
}

# the same curves from both files of a study, wherever they are; one row fails
hdf5_tables_are_drawn_as_their_csv() {
    cat >spring.yaml <<'TEXT'
lithe: 1
parameters: {length: 1 m}
time: {step: 5 ms, end: 20 ms}
materials: {rubber: {young: 1 MPa, density: 1000 kg/m^3}}
rods:
  strip: {material: rubber, section: {circle: {radius: 5 mm}}, shape: {line: {to: [length, 0, 0]}}, nodes: 6, clamped: start}
record: {every: 10 ms}
TEXT
    cat >spring-study.yaml <<'TEXT'
lithe: 1
scene: spring.yaml
vary: {parameters.length: [0.5 m, 1 m, 2 m, 0 m], rods.strip.nodes: [4, 6]}
measure: {sag: strip.end.position.z}
TEXT
    "$LITHE" sweep spring-study.yaml -q -o spring.out >log 2>&1
    cp spring.out/table.h5 elsewhere.h5 &&
        expect 0 '2 of 8 rows failed and are left out' "$LITHE" plot elsewhere.h5 sag --over length --by nodes -o h5.svg &&
        "$LITHE" plot spring.out sag --over length --by nodes -o csv.svg && cmp h5.svg csv.svg &&
        expect 2 "no column 'sga', did you mean 'sag'?" "$LITHE" plot elsewhere.h5 sga --over length &&
        head -c 3000 elsewhere.h5 >cut.h5 && ! "$LITHE" plot cut.h5 sag --over length 2>/dev/null
}

wrong_columns_get_a_hint_and_wrong_tables_their_line() {
    awk 'BEGIN { print "a,b,c"; for (i = 0; i < 600; i++) print i "," i ",1" }' >sample.csv
    printf 'a,b\n1,2\n3\n' >short.csv
    printf 'a,b\n1,2,3\n' >long.csv
    printf 'a,flag\n1,true\n2,false\n' >flags.csv
    : >empty.csv
    "$LITHE" plot flags.csv a --over a --by flag --scatter -o flags.svg && grep -q 'flag = 1' flags.svg || return 1
    expect 2 "no column 'sga', did you mean 'sag'? There are row, parameters.young" "$LITHE" plot strip.out sga --over young &&
        expect 2 "no column 'yuong', did you mean 'young'?" "$LITHE" plot strip.out sag --over yuong &&
        expect 2 "column 'status' has no number" "$LITHE" plot strip.out status --over young &&
        expect 2 "--over is given twice, 'a' and 'b'" "$LITHE" plot strip.out sag --over a --over b &&
        expect 2 "--by is given twice, 'a' and 'b'" "$LITHE" plot strip.out sag --over a --by a --by b &&
        expect 2 'give --over COLUMN' "$LITHE" plot strip.out sag &&
        expect 2 '--heat needs one column, --over and --by' "$LITHE" plot strip.out sag --over young --heat &&
        expect 2 '--by, --scatter and --heat are for tables' "$LITHE" plot a.h5 sag --scatter &&
        expect 2 'would have 600 by 600 cells' "$LITHE" plot sample.csv c --over a --by b --heat &&
        expect 2 '600 values, at most 24 curves' "$LITHE" plot sample.csv c --over a --by b &&
        expect 2 'short.csv:3: fewer cells than the header has columns' "$LITHE" plot short.csv a --over b &&
        expect 2 'long.csv:2: more cells than the header has columns' "$LITHE" plot long.csv a --over b &&
        expect 2 'empty.csv:1: no table' "$LITHE" plot empty.csv a --over b &&
        expect 2 'gone.csv: cannot read' "$LITHE" plot gone.csv a --over b
}

claim curves_have_units_a_legend_and_rows_in_order curves_have_units_a_legend_and_rows_in_order
claim a_map_has_a_cell_for_each_pair a_map_has_a_cell_for_each_pair
claim hdf5_tables_are_drawn_as_their_csv hdf5_tables_are_drawn_as_their_csv
claim wrong_columns_get_a_hint_and_wrong_tables_their_line wrong_columns_get_a_hint_and_wrong_tables_their_line
finish
