#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_reactions.sh - forces of holds, constraints and contacts in tables and plots
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1

cat >beam.yaml <<'TEXT'
lithe: 1
time: {scheme: static, step: 1 s, end: 1 s}
materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}
rods:
  beam: {material: m, nodes: 21, shape: {line: {to: [1, 0, 0]}}, section: {rectangle: {width: 1 cm, height: 2.5 cm}}, clamped: start}
  arm: {material: m, nodes: 21, shape: {line: {from: [0, 1, 0], to: [1, 1, 0]}}, section: {rectangle: {width: 1 cm, height: 2.5 cm}}}
drives: {hand: {on: arm.start, kind: clamp}}
holds: {stop: {on: beam.end, hold: y}}
constraints: {pin: {kind: attach, a: world, b: arm.end}}
record: {also: [stop.force, holds.stop.torque]}
TEXT

# components of vectors, and their magnitudes with a head that says so
tables_have_components_and_magnitudes() {
    "$LITHE" run beam.yaml -q --out beam.h5 && "$LITHE" export beam.h5 beam.csv || return 1
    python3 - <<'PYTHON'
import csv
last = list(csv.DictReader(open("beam.csv")))[-1]
weight = 0.25 * 9.81
get = lambda name: float(last[name])
assert abs(get("holds.beam/start.force.z [N]") - weight) < 1e-6 * weight
assert abs(get("|holds.beam/start.force| [N]") - weight) < 1e-6 * weight
assert abs(get("holds.beam/start.torque.y [N m]") + weight / 2) < 1e-3 * weight
assert abs(get("holds.beam/start.point.x [m]")) < 1e-9
assert "|holds.beam/start.point| [m]" not in last and "holds.stop.force [N]" not in last
# a beam that is clamped at one end and supported at the other: 5/8 and 3/8
assert abs(get("hand.force-vector.z [N]") - 0.625 * weight) < 2e-3 * weight
assert abs(get("hand.force [N]") - get("|hand.force-vector| [N]")) < 1e-9
assert abs(get("hand.torque-vector.y [N m]") + weight / 8) < 4e-3 * weight
assert abs(get("constraints.pin.force.z [N]") - 0.375 * weight) < 2e-3 * weight
assert abs(get("|constraints.pin.force| [N]") - 0.375 * weight) < 2e-3 * weight
PYTHON
}

plots_know_holds_by_short_and_full_names() {
    [[ -f beam.h5 ]] || "$LITHE" run beam.yaml -q --out beam.h5 || return 1
    "$LITHE" plot beam.h5 holds.beam/start.force.z beam/start.force stop.torque hand.force-vector.z -o a.svg &&
        grep -q "|holds.beam/start.force|\||beam/start.force|" a.svg || return 1
    ! "$LITHE" run beam.yaml -q --out b.h5 --set 'record.also=[holds.stup.force]' 2>text || return 1
    grep -q "did you mean 'stop'" text || { cat text && return 1; }
}

# the scale of arrows stands in the corner; nothing else in the scene has forces
pictures_and_pages_have_arrows_of_holds() {
    "$LITHE" run beam.yaml -q --out held.h5 --set constraints.pin.active=false &&
        "$LITHE" export held.h5 held.svg --forces || return 1
    grep -q "constraint" held.svg || { echo "no arrows" && return 1; }
    # a page of its own: builds with sanitizers have none
    mkdir -p page && echo '<title>page</title>' >page/index.html &&
        echo '<script id="lithe-run" type="text/plain">LITHE_RUN_DATA</script>' >page/standalone.html &&
        "$LITHE" export held.h5 held.html --page page || return 1
    PYTHONPATH="$root/tests/view" python3 - <<'PYTHON'
import re
from packed import parts, unpack
scene, frames = unpack(re.search(r'type="text/plain">([^<]*)<', open("held.html").read())[1])
assert [tie["name"] for tie in scene["constraints"]] == ["pin", "beam/start", "stop", "hand"], scene["constraints"]
series = [one["name"] if isinstance(one, dict) else one for one in scene["series"]]
assert "holds.beam/start.force" in series and "constraints.pin.force" in series, series
where = {name: (first, last) for name, first, last, _ in parts(scene)}
weight = 0.25 * 9.81
for name in ("beam/start", "hand"):
    words = [x for key, (i, j) in where.items() if key.startswith(name + " ") for x in frames[-1][0][i:j]]
    assert words[0] == 1 and abs(words[6] - weight) < 0.4 * weight, (name, words)
PYTHON
}

# the joint at the root of an arm, in a table and as an arrow
a_base_of_an_arm_has_its_reaction() {
    cat >arm.yaml <<'TEXT'
lithe: 1
time: {scheme: static, step: 1 s, end: 1 s}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
arms: {trunk: {at: [0, 0, 1], lengths: [15 cm], masses: [0.4 kg], radii: [4 cm], stiffness: 300 N/m, damping: 20 N s/m, disk-radius: 4 cm, material: m}}
record: {also: [trunk/section-1.force, trunk/section-1.torque, trunk/section-1.point]}
TEXT
    "$LITHE" run arm.yaml -q --out arm.h5 && "$LITHE" export arm.h5 arm.csv -q trunk/section-1.force.z &&
        "$LITHE" export arm.h5 arm.svg --forces && grep -q constraint arm.svg || return 1
    tail -n 1 arm.csv | awk -F, '{ f = $2 - 0.4 * 9.81; if (f > 1e-6 || f < -1e-6) { print $2; exit 1 } }'
}

cat >stack.yaml <<'TEXT'
lithe: 1
time: {step: 1 ms, end: 0.6 s}
materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000 kg/m^3}}
bodies:
  floor: {shape: {half-space: {}}, fixed: true}
  below: {material: m, shape: {box: {size: [10 cm, 10 cm, 2 cm]}}, at: [0, 0, 1 cm]}
  above: {material: m, shape: {box: {size: [10 cm, 10 cm, 8 cm]}}, at: [0, 0, 6 cm]}
record: {every: 0.2 s, also: [below.contact-load]}
TEXT

# forces from both sides cancel, their sum does not; times are those that the scene requests
what_is_squeezed_has_a_load() {
    "$LITHE" run stack.yaml -q --out stack.h5 && "$LITHE" export stack.h5 stack.csv || return 1
    [[ $(cut -d, -f1 stack.csv | tr '\n' ' ') == "time [s] 0 0.2 0.4 0.6 " ]] || { cut -d, -f1 stack.csv && return 1; }
    python3 - <<'PYTHON'
import csv
last = list(csv.DictReader(open("stack.csv")))[-1]
load, force = float(last["below.contact-load [N]"]), float(last["|below.contact| [N]"])
assert abs(force - 0.2 * 9.81) < 0.01 and abs(load - 1.8 * 9.81) < 0.05, (load, force)
PYTHON
}

# a run that stops and goes on has the same reactions, bit for bit
reactions_go_on_after_a_resume() {
    sed 's/scheme: static, step: 1 s, end: 1 s/step: 1 ms, end: 1 s/; s/record: {/record: {every: 2 ms, /' beam.yaml >swing.yaml
    goes_on swing.yaml -q holds.beam/start.force -q holds.beam/start.torque.y -q hand.torque-vector.y \
        -q stop.force.y -q constraints.pin.force.z -q beam.tension.max || return 1
    awk -F, 'NR > 3 && $2 == 0 { exit 1 }' whole.csv
}

# a portal with sharp corners as one rod warns of them, of three welded rods it does not
sharp_corners_are_warned_of() {
    local rod='section: {circle: {radius: 1 cm}}, material: m'
    local head='lithe: 1
time: {scheme: static, step: 1 s, end: 1 s}
materials: {m: {young: 10 GPa, poisson: 0.3, density: 1000 kg/m^3}}'
    cat >corner.yaml <<TEXT
$head
rods: {frame: {$rod, nodes: 23, clamped: both, natural: {from: shape}, shape: {polyline: {points: [[0, 0, 0], [0, 0, 0.42], [0.4, 0, 0.42], [0.4, 0, 0]]}}}}
TEXT
    cat >welded.yaml <<TEXT
$head
gravity: none
rods:
  left: {$rod, nodes: 21, clamped: start, shape: {line: {to: [0, 0, 0.42]}}}
  top: {$rod, nodes: 21, shape: {line: {from: [0, 0, 0.42], to: [0.4, 0, 0.42]}}}
  right: {$rod, nodes: 21, clamped: end, shape: {line: {from: [0.4, 0, 0.42], to: [0.4, 0, 0]}}}
constraints: {a: {kind: weld, a: left.end, b: top.start}, b: {kind: weld, a: top.end, b: right.start}}
forces: {push: {on: left.end, force: [0.2, 0, 0]}}
TEXT
    "$LITHE" run corner.yaml -q 2>text || return 1
    grep -q "rod 'frame': its natural shape turns by up to .* degrees at a node .* too stiff in bending: up to .* % of the flexibility" text ||
        { cat text && return 1; }
    "$LITHE" run welded.yaml -q 2>text && [[ ! -s text ]] && "$LITHE" export welded.h5 welded.csv -q holds.left/start.torque.y || return 1
    # P h/2 (3 k + 1)/(6 k + 1), k = h/l
    tail -n 1 welded.csv | awk -F, '{ k = 1.05; f = -$2/(0.042 * (3 * k + 1)/(6 * k + 1)) - 1; if (f > 4e-3 || f < -4e-3) { print f; exit 1 } }'
}

claim reactions_go_on_after_a_resume reactions_go_on_after_a_resume
claim sharp_corners_are_warned_of sharp_corners_are_warned_of
claim tables_have_components_and_magnitudes tables_have_components_and_magnitudes
claim plots_know_holds_by_short_and_full_names plots_know_holds_by_short_and_full_names
claim pictures_and_pages_have_arrows_of_holds pictures_and_pages_have_arrows_of_holds
claim a_base_of_an_arm_has_its_reaction a_base_of_an_arm_has_its_reaction
claim what_is_squeezed_has_a_load what_is_squeezed_has_a_load
finish
