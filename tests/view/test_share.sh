#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/view/test_share.sh - what is exported to be shared holds what was recorded
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
mkdir page
echo '<title>page</title>' >page/index.html
echo '<script id="lithe-run" type="text/plain">LITHE_RUN_DATA</script><p>100 %</p>' >page/standalone.html

cat >heap.yaml <<'YAML'
lithe: 1
title: A rope and a ribbon fall on a crate
time: {step: 1 ms, end: 0.3 s}
materials: {nylon: {young: 10 MPa, density: 1000 kg/m^3, friction: 0.3}}
rods:
  rope: {material: nylon, section: {circle: {radius: 3 mm}}, nodes: 31,
         shape: {line: {from: [-0.2, 0, 0.2], to: [0.2, 0, 0.2]}}}
  ribbon: {material: nylon, section: {rectangle: {width: 10 mm, height: 2 mm}}, nodes: 21,
           shape: {line: {from: [0, -0.2, 0.15], to: [0, 0.2, 0.15]}}}
bodies:
  floor: {fixed: true, shapes: [{half-space: {}}]}
  crate: {material: nylon, at: [0.01, 0, 0.06], shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
  ball: {material: nylon, at: [0.2, 0.2, 0.1], shapes: [{sphere: {radius: 2 cm}}]}
constraints:
  tie: {kind: attach, a: rope.start, b: crate}
record: {every: 5 ms}
YAML
"$LITHE" run heap.yaml --out heap.h5 --quiet || exit 1

# python with the client of the stream and an unpacker
client() {
    PYTHONPATH=$root/tests/view PYTHONDONTWRITEBYTECODE=1 timeout 120 python3 -c "
from stream import *
from packed import *
$(cat)"
}

a_single_file_unpacks_to_the_frames_of_a_replay() {
    "$LITHE" export heap.h5 heap.html --page page || return 1
    client <<'PY'
text = open("heap.html").read()
assert text.endswith("</script><p>100 %</p>\n") and "LITHE_RUN_DATA" not in text
scene, frames = unpack(re.search(r'type="text/plain">([^<]*)<', text)[1])
assert scene["mode"] == "file" and scene["title"] == "A rope and a ribbon fall on a crate"
with Command(["view", "heap.h5"], "page") as c:
    s = Stream(c.port, c.token)
    told = s.receive()["scene"]
    for key in ("times", "rods", "bodies", "fields", "series", "constraints"):
        assert scene[key] == told[key], key
    s.send({"do": "frames", "from": 0, "to": len(told["times"]) - 1})
    replay = [s.frame() for _ in told["times"]]
assert len(frames) == len(replay) == 61
count = words(scene)
sent = [struct.unpack(f"<{count}f", f[32:32 + 4 * count]) for f in replay]
for kind, first, last, share in parts(scene):
    values = [x for f in sent for x in f[first:last]]
    size = 1 if share > 1e-4 else max(values) - min(values)
    error = max(abs(a - b) for f, g in zip(sent, frames) for a, b in zip(f[first:last], g[0][first:last]))
    assert error <= share * size + 1e-6 * max(map(abs, values)), (kind, error, size)
touching = 0
for f, g in zip(replay, frames):
    contacts = [struct.unpack("<8f4I", f[i:i + 48]) for i in range(32 + 4 * count, len(f), 48)]
    assert [list(c[8:]) for c in contacts] == [c[8:] for c in g[1]]
    for a, b in zip(contacts, g[1]):
        assert all(abs(x - y) < 1e-4 for x, y in zip(a[:3], b[:3]))
    touching += len(contacts)
assert touching > 20, touching
PY
}

a_page_without_a_place_for_the_data_is_refused() {
    mkdir -p other && echo nothing >other/standalone.html
    expect 2 "must hold LITHE_RUN_DATA once" "$LITHE" export heap.h5 x.html --page other &&
        expect 2 "cannot read" "$LITHE" export heap.h5 x.html --page nowhere && [[ ! -e x.html ]]
}

for test in a_single_file_unpacks_to_the_frames_of_a_replay \
    a_page_without_a_place_for_the_data_is_refused; do
    claim "$test" "$test"
done
finish
