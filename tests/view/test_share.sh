#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/view/test_share.sh - exported files have the content of the recording
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
"$LITHE" run heap.yaml --out heap.h5 --quiet && "$LITHE" run heap.yaml --until 5ms --out two.h5 --quiet ||
    exit 1

# python with the client of the stream and an unpacker
client() {
    PYTHONPATH=$root/tests/view PYTHONDONTWRITEBYTECODE=1 timeout 500 python3 -c "
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
    sent = s.receive()["scene"]
    for key in ("times", "things", "tubes", "surfaces", "balls", "bodies", "fields", "series", "constraints"):
        assert scene[key] == sent[key], key
    s.send({"do": "frames", "from": 0, "to": len(sent["times"]) - 1})
    replay = [s.frame() for _ in sent["times"]]
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

a_glb_file_is_valid_and_moves_as_the_recording_does() {
    "$LITHE" export heap.h5 heap.glb || return 1
    client <<'PY'
from gltf import *
g = Glb("heap.glb")
# z up has become y up
root = g.json["nodes"][g.json["scenes"][0]["nodes"][0]]
assert [round(x, 6) for x in turned(root["rotation"], [0, 0, 1])] == [0, 1, 0]
with Command(["view", "heap.h5"], "page") as c:
    s = Stream(c.port, c.token)
    scene = s.receive()["scene"]
    last = len(scene["times"]) - 1
    s.send({"do": "frames", "from": last, "to": last})
    frame = s.frame()
numbers = struct.unpack(f"<{words(scene)}f", frame[32:32 + 4 * words(scene)])
at = 0
for rod in scene["tubes"]:
    joints = g.json["skins"][g.json["nodes"][g.node(rod["name"], "skin")]["skin"]]["joints"]
    assert len(joints) == rod["points"]
    for i, joint in enumerate(joints):
        found = g.track(joint, "translation")[last]
        assert all(abs(a - b) < 1e-6 for a, b in zip(found, numbers[at + 3 * i:at + 3 * i + 3]))
        # z of a joint runs along the rod
        along = turned(g.track(joint, "rotation")[last], [0, 0, 1])
        a, b = max(i - 1, 0), min(i + 1, rod["points"] - 1)
        chord = [numbers[at + 3 * b + k] - numbers[at + 3 * a + k] for k in range(3)]
        assert sum(x * y for x, y in zip(along, chord)) > 0.999 * math.hypot(*chord)
    # the skin at rest is the surface: a point of it lies a radius from its node
    mesh = g.json["meshes"][g.json["nodes"][g.node(rod["name"], "skin")]["mesh"]]["primitives"][0]
    point = g.values(mesh["attributes"]["POSITION"])[0]
    start = g.track(joints[0], "translation")[0]
    assert abs(math.dist(point, start) - math.hypot(rod["size"][0], 0 if rod["section"] == "circle"
                                                    else rod["size"][1]) / 2) < 1e-6
    at += 3 * rod["points"] + 3 * rod["edges"] + len(rod["fields"]) * rod["points"]
for body in scene["bodies"]:
    if body["moves"]:
        found = g.track(g.node(body["name"], "children"), "translation")[last]
        assert all(abs(a - b) < 1e-6 for a, b in zip(found, numbers[at:at + 3])), body["name"]
        at += 7
assert not any(n.get("name") == "floor" for n in g.json["nodes"])
PY
}

a_video_hands_every_frame_to_ffmpeg() {
    mkdir -p bin && printf '#!/bin/bash\nprintf "%%s " "$@" >arguments; cat >"${@: -1}"\n' >bin/ffmpeg &&
        chmod +x bin/ffmpeg || return 1
    PATH=$scratch/bin:$PATH "$LITHE" export two.h5 two.mp4 --size 32x20 --rate 25 || return 1
    [[ $(stat -c %s two.mp4) == $((2 * 32 * 20 * 4)) && $(<arguments) == *"-s 32x20 -r 25 "* ]] ||
        { stat -c %s two.mp4 && cat arguments && return 1; }
    # the camera is fixed: the sky in the corner is the same in all frames
    cmp -n 16 two.mp4 two.mp4 0 $((32 * 20 * 4))
}

without_ffmpeg_or_when_it_fails_there_is_a_message_and_no_file() {
    mkdir -p broken && printf '#!/bin/bash\nhead -c 100 >"${@: -1}"; exit 1\n' >broken/ffmpeg &&
        chmod +x broken/ffmpeg || return 1
    PATH=$scratch/nowhere expect 2 "videos need the program ffmpeg" "$LITHE" export two.h5 no.mp4 &&
        PATH=$scratch/broken:$PATH expect 2 "no.mp4: ffmpeg" "$LITHE" export two.h5 no.mp4 \
            --size 32x20 && [[ ! -e no.mp4 ]] &&
        expect 2 "must be even" "$LITHE" export two.h5 no.mp4 --size 65x40 &&
        expect 2 "shows all frames" "$LITHE" export two.h5 no.mp4 --frame 3
}

a_video_that_is_stopped_leaves_the_old_one_as_it_was() {
    local stop code
    # an ffmpeg that stops its caller as soon as it has received part of a picture
    mkdir -p slow && cat >slow/ffmpeg <<'SH' && chmod +x slow/ffmpeg || return 1
#!/bin/bash
head -c 100 >"${@: -1}"
kill -s "$STOP" "$PPID"
cat >>"${@: -1}"
SH
    for stop in TERM $(count INT ""); do
        echo old >old.mp4
        code=0
        STOP=$stop PATH=$scratch/slow:$PATH "$LITHE" export heap.h5 old.mp4 --size 96x60 \
            2>message || code=$?
        [[ $code != 0 && $(<old.mp4) == old && $(<message) == *"old.mp4: stopped"* ]] ||
            { echo "$stop: code $code" && cat message && return 1; }
    done
    [[ -z $(find . -name '.*.mp4') ]]
}

a_recording_of_a_stopped_run_is_distinguished_from_a_missing_one() {
    touch stopped.h5.journal
    expect 2 'stopped.h5: not there yet' "$LITHE" export stopped.h5 stopped.csv &&
        expect 2 'lithe resume' "$LITHE" view stopped.h5 --page page &&
        expect 2 'lithe recover' "$LITHE" run heap.yaml --inputs stopped.h5 --out again.h5 &&
        expect 2 'gone.h5: cannot read' "$LITHE" export gone.h5 gone.csv
}

a_scene_that_has_not_run_is_drawn_at_its_start_and_nothing_else() {
    cat >start.yaml <<'YAML'
lithe: 1
time: {step: 1 ms, end: 1 s}
materials: {rubber: {young: 5 MPa, poisson: 0.45, density: 1100 kg/m^3}}
rods:
  rope: {material: rubber, section: {circle: {radius: 1 cm}}, shape: {line: {to: [1, 0, 0]}}, nodes: 11, clamped: start}
YAML
    expect 0 '' "$LITHE" export start.yaml held.svg && sed 's/, clamped: start//' start.yaml >loose.yaml &&
        expect 0 '' "$LITHE" export loose.yaml loose.svg || return 1
    # two held nodes are two dots of the colour of holds
    local held loose
    held=$(grep -c '#2b2e36' held.svg) loose=$(grep -c '#2b2e36' loose.svg)
    ((held > loose)) || { echo "$held $loose" && return 1; }
    expect 2 'start.csv: a scene that has not run' "$LITHE" export start.yaml start.csv &&
        expect 2 '--frame is for recordings' "$LITHE" export start.yaml start.png --frame 3
}

for test in a_single_file_unpacks_to_the_frames_of_a_replay \
    a_page_without_a_place_for_the_data_is_refused \
    a_glb_file_is_valid_and_moves_as_the_recording_does \
    a_video_hands_every_frame_to_ffmpeg \
    a_video_that_is_stopped_leaves_the_old_one_as_it_was \
    a_recording_of_a_stopped_run_is_distinguished_from_a_missing_one \
    a_scene_that_has_not_run_is_drawn_at_its_start_and_nothing_else \
    without_ffmpeg_or_when_it_fails_there_is_a_message_and_no_file; do
    claim "$test" "$test"
done
finish
