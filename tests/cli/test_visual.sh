#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/cli/test_visual.sh - what robots look like: visual shapes and colours in check, pictures and glb
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
need_command

# an open pyramid, whose faces do not agree about their outside
cat >horn.obj <<'TEXT'
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
v 0 0 3
f 1 2 5
f 3 2 5
f 3 4 5
f 4 1 5
TEXT

cat >robot.urdf <<'TEXT'
<robot name="r">
  <material name="sky"><color rgba="0.1 0.5 0.9 1"/></material>
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><box size="0.4 0.4 0.1"/></geometry><material name="sky"/></visual>
    <collision><geometry><box size="0.5 0.5 0.2"/></geometry></collision>
  </link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual>
      <geometry><mesh filename="horn.obj" scale="0.1 0.1 0.1"/></geometry>
      <material name="fire"><color rgba="0.9 0.2 0.1 1"/></material>
    </visual>
    <collision><origin xyz="0 0 0.15"/><geometry><cylinder radius="0.15" length="0.3"/></geometry></collision>
  </link>
  <link name="tool">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <visual><geometry><mesh filename="gone.stl"/></geometry></visual>
    <collision><geometry><sphere radius="0.08"/></geometry></collision>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 0.05"/><axis xyz="0 0 1"/>
  </joint>
  <joint name="wrist" type="continuous">
    <parent link="arm"/><child link="tool"/><origin xyz="0 0 0.35"/><axis xyz="0 0 1"/>
  </joint>
</robot>
TEXT

cat >scene.yaml <<'TEXT'
lithe: 1
time: {step: 2 ms, end: 20 ms}
robots: {r: {path: robot.urdf}}
bodies: {floor: {shape: {half-space: {}}, fixed: true, at: [0, 0, -0.1]}}
record: {every: 10 ms}
TEXT

check_counts_visuals_and_names_what_is_missing() {
    local text
    text=$("$LITHE" check scene.yaml 2>&1)
    grep -q 'visual  *1 shape, only drawn' <<<"$text" &&
        grep -q "robot.urdf:.*visual of link 'tool': .*gone.stl.*the collision shape is drawn instead" <<<"$text" ||
        { echo "$text"; return 1; }
}

run_and_export_of_a_scene_print_the_notes_unless_quiet() {
    local note="note: robot.urdf:18: visual of link 'tool': <mesh>: cannot read 'gone.stl'" quiet
    expect 0 "$note" "$LITHE" run scene.yaml --out n.h5 && expect 0 "$note" "$LITHE" export scene.yaml n.png || return 1
    quiet=$("$LITHE" run scene.yaml --out n.h5 --quiet 2>&1)
    [[ $quiet != *"$note"* ]] || { echo "$quiet"; return 1; }
    # of many notes the first five
    sed 's|<link name="tool">|&<a/><b/><c/><d/><e/><f/><g/>|' robot.urdf >more.urdf
    sed 's|robot.urdf|more.urdf|' scene.yaml >more.yaml
    expect 0 'note: 3 more notes on the files of robots: see lithe check' "$LITHE" run more.yaml --out n.h5
}

# how many pixels of a PPM-like dump have one hue: a PNG is read by python3
pixels() {
    python3 - "$1" "$2" <<'CODE'
import struct, sys, zlib
data = open(sys.argv[1], "rb").read()
at, raw = 8, b""
while at < len(data):
    size, kind = struct.unpack(">I4s", data[at:at + 8])
    if kind == b"IHDR":
        width, height, depth, colour = struct.unpack(">IIBB", data[at + 8:at + 18])
    if kind == b"IDAT":
        raw += data[at + 8:at + 8 + size]
    at += size + 12
step = 4 if colour == 6 else 3
raw, rows, before = zlib.decompress(raw), [], bytearray(step * width)
for y in range(height):
    line = bytearray(raw[y * (step * width + 1) + 1:(y + 1) * (step * width + 1)])
    kind = raw[y * (step * width + 1)]
    for i in range(len(line)):
        a, b, c = (line[i - step] if i >= step else 0), before[i], (before[i - step] if i >= step else 0)
        p = a + b - c
        nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
        line[i] = (line[i] + (0, a, b, (a + b) // 2, nearest)[kind]) % 256
    rows.append(line)
    before = line
count = 0
for line in rows:
    for x in range(width):
        r, g, b = line[step * x:step * x + 3]
        count += (r > 1.7 * b and r > 1.7 * g) if sys.argv[2] == "red" else (b > 1.5 * r)
print(count)
CODE
}

pictures_draw_visual_shapes_in_their_colours() {
    "$LITHE" run scene.yaml --out a.h5 --quiet && "$LITHE" export a.h5 a.png --size 240x160 || return 1
    local red blue
    red=$(pixels a.png red) blue=$(pixels a.png blue)
    ((red > 500 && blue > 500)) || { echo "red $red, blue $blue"; return 1; }
}

glb_has_a_material_for_each_colour() {
    "$LITHE" export a.h5 a.glb && python3 - <<'CODE'
import json, struct
data = open("a.glb", "rb").read()
size, = struct.unpack("<I", data[12:16])
scene = json.loads(data[20:20 + size])
colours = [m["pbrMetallicRoughness"]["baseColorFactor"][:3] for m in scene["materials"]]
# sRGB 0.9 is 0.787 in linear light
assert any(abs(c[2] - 0.787) < 0.01 and c[0] < 0.02 for c in colours), colours
assert any(abs(c[0] - 0.787) < 0.01 and c[2] < 0.02 for c in colours), colours
assert len(scene["meshes"]) == 3, len(scene["meshes"])
CODE
}

claim check_counts_visuals_and_names_what_is_missing check_counts_visuals_and_names_what_is_missing
claim run_and_export_of_a_scene_print_the_notes_unless_quiet run_and_export_of_a_scene_print_the_notes_unless_quiet
claim pictures_draw_visual_shapes_in_their_colours pictures_draw_visual_shapes_in_their_colours
claim glb_has_a_material_for_each_colour glb_has_a_material_for_each_colour
finish
