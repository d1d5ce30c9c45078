#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_deep_rods.sh - soft rods that sink in: the end of a run says what to write, and with
# that they do not
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

# twisted and slackened until it winds round itself
cat >plectoneme.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 3 s, scheme: backward-euler}
gravity: none
materials: {rubber: {young: 1 MPa, poisson: 0.5, density: 1100, friction: 0, damping: {mass: 5}, strain-limit: 1}}
rods: {r: {material: rubber, section: {circle: {radius: 3 mm}}, nodes: 81, shape: {line: {to: [0.4, 0, 0]}}}}
drives:
  a: {on: r.start, kind: clamp, axis: [1, 0, 0], turn: {table: [[0 s, 0], [2 s, 16 turns]]}}
  b: {on: r.end, kind: clamp, direction: [-1, 0, 0], motion: {table: [[0.5 s, 0], [2.5 s, 0.3]]}}
TEXT

# its end is pressed on a table with 20 N
cat >arm.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 1 s}
materials:
  silicone: {young: 0.2 MPa, poisson: 0.49, density: 1100, friction: 0.5, damping: {mass: 2}, strain-limit: 1}
  wood: {young: 10 GPa, density: 600, friction: 0.5}
rods: {arm: {material: silicone, section: {circle: {radius: 10 mm}}, nodes: 11, shape: {line: {from: [0, 0, 0.03], to: [0.3, 0, 0.03]}}, clamped: start}}
bodies: {table: {fixed: true, material: wood, shape: {half-space: {}}}}
forces: {f: {on: arm.end, force: [0, 0, -20], profile: {table: [[0 s, 0], [0.7 s, 1]]}}}
TEXT

# pulled over a ball
cat >strip.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 1 s}
gravity: none
materials:
  rubber: {young: 1 MPa, poisson: 0.5, density: 1100, friction: 0.3, damping: {mass: 5}, strain-limit: 1}
  china: {young: 50 GPa, density: 2500, friction: 0.3}
rods: {strip: {material: rubber, section: {rectangle: {width: 20 mm, height: 2 mm}}, nodes: 41, shape: {line: {from: [-0.15, 0, 0.0412], to: [0.15, 0, 0.0412]}}}}
bodies: {cup: {fixed: true, material: china, shape: {sphere: {radius: 0.04}}}}
drives:
  a: {on: strip.start, direction: [0.2, 0, -1], motion: {table: [[0 s, 0], [0.8 s, 0.12]]}}
  b: {on: strip.end, direction: [-0.2, 0, -1], motion: {table: [[0 s, 0], [0.8 s, 0.12]]}}
TEXT

# stretched by a tenth round two pulleys
cat >belt.yaml <<'TEXT'
lithe: 1
parameters: {a: 3 cm, b: 6 cm, c: 30 cm, r: 1 mm, A: 1.004*(a+r), B: 1.004*(b+r)}
time: {step: 1 ms, end: 0.2 s}
gravity: none
materials:
  rubber: {young: 5 MPa, poisson: 0.49, density: 1100, friction: 0.5, damping: {mass: 5}}
  steel: {young: 200 GPa, density: 7800, friction: 0.5}
bodies:
  small: {fixed: true, material: steel, shape: {cylinder: {radius: a, length: 4 cm}}, rotate: [90 deg, 0, 0]}
  large: {fixed: true, material: steel, shape: {cylinder: {radius: b, length: 4 cm}}, rotate: [90 deg, 0, 0], at: [c, 0, B - A]}
rods:
  belt:
    material: rubber
    section: {rectangle: {width: 20 mm, height: 2 mm}}
    shape:
      path:
        closed: true
        pieces:
          - {straight: c}
          - {turn: 180 deg + 2*atan((B - A)/c), radius: B}
          - {straight: c}
          - {turn: 180 deg - 2*atan((B - A)/c), radius: A}
        rotate: [90 deg, 0, 0]
        at: [0, 0, -A]
    director: [0, 1, 0]
    natural: {stretch: 0.9}
    nodes: 160
TEXT

# the deepest overlap of a summary [m], and the steps that did not converge
deepest_of() {
    awk '/^ +deepest overlap/ {print $3}' <<<"$1"
}
lost_of() {
    awk '/^  steps / {for (i = 2; i < NF; i++) if ($i == "not") {print $(i - 1); exit}}' <<<"$1"
}

# NAME HALF-THICKNESS: by more than a fifth of it without the line, by less than a tenth with it
the_line_helps() {
    local name=$1 half=$2 out line before after lost
    out=$("$LITHE" run "$name.yaml" -o "$name.h5" 2>&1) || { echo "$out" && return 1; }
    before=$(deepest_of "$out")
    lost=$(lost_of "$out")
    line=$(grep -o 'material-pairs: {stiff: {a: [a-z]*, b: [a-z]*, stiffness: [^}]* N/m}}' <<<"$out") || { echo "$out" && return 1; }
    { cat "$name.yaml" && echo "$line"; } >"$name-stiff.yaml"
    out=$("$LITHE" run "$name-stiff.yaml" -o "$name-stiff.h5" 2>&1) || { echo "$out" && return 1; }
    after=$(deepest_of "$out")
    echo "  $name: $before m, with $line $after m; ${lost:-0} and $(lost_of "$out") steps not converged"
    [[ $out != *'overlap by'* ]] || { echo "$out" && return 1; }
    awk -v a="$after" -v b="$before" -v h="$half" -v l="$(lost_of "$out")" -v k="${lost:-0}" \
        'BEGIN {exit !(b > 0.2 * h && a < 0.1 * h && l + 0 <= k + 0)}'
}

need_command
claim 'the line that a run prints helps: arm 0.01' the_line_helps arm 0.01
for test in 'plectoneme 0.003' 'strip 0.001' 'belt 0.001'; do
    # shellcheck disable=SC2086 # two words
    study "the line that a run prints helps: $test" the_line_helps $test
done
finish
