#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/view/test_stream.sh - the viewer's server, with a browser and with hostile clients
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
mkdir page secret
echo '<title>page</title>' >page/index.html
echo 'let x = 1' >page/app.js
echo 'password' >secret/file
ln -s ../secret/file page/link.js

cat >rope.yaml <<'YAML'
lithe: 1
title: A rope falls on a box
time: {step: 1 ms, end: 60 s}
materials: {nylon: {young: 10 MPa, density: 1000 kg/m^3, friction: 0.3}}
rods:
  rope: {material: nylon, section: {circle: {radius: 3 mm}}, nodes: 21,
         shape: {line: {from: [-0.2, 0, 0.2], to: [0.2, 0, 0.2]}}}
bodies:
  floor: {fixed: true, shapes: [{half-space: {}}]}
  crate: {material: nylon, at: [0, 0, 0.05], shapes: [{box: {size: [0.1, 0.1, 0.1]}}]}
record: {every: 10 ms}
YAML

# python with the client of the stream
client() {
    ROOT=$root PYTHONPATH=$root/tests/view PYTHONDONTWRITEBYTECODE=1 timeout 500 python3 -c "
from stream import *
$(cat)"
}

a_page_gets_a_greeting_then_frames_of_the_size_it_tells() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "a.h5"], "page") as c:
    s = Stream(c.port, c.token, origin=f"http://127.0.0.1:{c.port}")
    scene = s.receive()["scene"]
    assert scene["mode"] == "live" and scene["title"] == "A rope falls on a box"
    assert [b["name"] for b in scene["bodies"] if not b["moves"]] == ["floor"]
    assert scene["version"] == 2 and scene["tubes"][0]["points"] == 21 and scene["end"] == 60
    before = -1
    for _ in range(10):
        frame = s.frame()
        number, flags, moment, contacts = head(frame)
        assert len(frame) == 32 + 4 * words(scene) + 48 * contacts
        assert number > before and abs(moment - number * 1e-3) < 1e-9
        before = number
    # the crate stands on the floor under gravity
    assert contacts > 0
    names = [thing["name"] for thing in scene["things"]]
    assert all(scene[thing["list"]][thing["index"]]["name"] == thing["name"] for thing in scene["things"])
    row = struct.unpack("<8f4I", frame[-48:])
    assert {names[row[8]], names[row[9]]} == {"floor", "crate"}, row
PY
}

pause_step_speed_and_reset_do_what_they_say() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "b.h5"], "page") as c:
    s = Stream(c.port, c.token)
    s.frame()
    s.send({"do": "pause"})
    held = s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["paused"])["step"]
    s.send({"do": "step", "count": 7})
    after = s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["paused"]
                    and m["step"] != held)
    assert after["step"] == held + 7, (held, after)
    s.send({"do": "reset"})
    frame = s.until(lambda m: isinstance(m, bytes) and head(m)[1] & 4)
    assert head(frame)[0] == 0 and head(frame)[1] & 1 and resets(frame) == 1
    s.send({"do": "speed", "value": 0})
    s.send({"do": "play"})
    fast = s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["step"] > 200)
    assert fast["speed"] == 0 and not fast["paused"]
    for wrong, why in [({"do": "fly"}, "unknown message"), ({"do": "speed", "value": -1}, "value is -1"),
                       ({"do": "frames", "from": 0, "to": 1}, "without a request")]:
        s.send(wrong)
        assert why in s.text("error")["text"], wrong
PY
}

a_run_that_was_reset_ends_with_the_bytes_of_one_that_was_not() {
    "$LITHE" run rope.yaml --until 0.1s --out plain.h5 --quiet || return 1
    client <<'PY' && cmp plain.h5 again.h5
with Command(["run", "rope.yaml", "--view", "--until", "0.1s", "--speed", "0", "--out", "again.h5"],
             "page") as c:
    s = Stream(c.port, c.token)
    ended = lambda m: isinstance(m, dict) and m["is"] == "status" and m["ended"]
    s.until(ended)
    s.send({"do": "reset"})
    s.until(lambda m: isinstance(m, bytes) and head(m)[1] & 4)
    s.send({"do": "pause"})
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["paused"])
    s.send({"do": "play"})
    s.until(ended)
    s.close()
    assert c.process.wait(PATIENCE) == 0
PY
}

frames_of_a_replay_come_by_number_and_hold_what_was_recorded() {
    client <<'PY'
import subprocess
with Command(["view", "plain.h5"], "page") as c:
    s = Stream(c.port, c.token)
    scene = s.receive()["scene"]
    times = scene["times"]
    assert scene["mode"] == "replay" and len(times) == 11 and abs(times[-1] - 0.1) < 1e-9
    s.send({"do": "frames", "from": 2, "to": 10, "every": 4})
    assert [head(s.frame())[0] for _ in range(3)] == [2, 6, 10]
    s.send({"do": "frames", "from": 7, "to": 7})
    frame = s.frame()
    assert head(frame)[0] == 7 and abs(head(frame)[2] - times[7]) < 1e-12
    # the first node of the rope, against the table of the same recording
    subprocess.run([os.environ["LITHE"], "export", "plain.h5", "plain.csv", "--quantity",
                    "rope.start.position"], check=True)
    row = [float(x) for x in open("plain.csv").read().split("\n")[8].split(",")]
    found = struct.unpack("<3f", frame[32:44])
    assert all(abs(a - b) < 1e-6 for a, b in zip(row[1:], found)), (row, found)
    s.send({"do": "frames", "from": 0, "to": 11})
    assert "after the last" in s.text("error")["text"]
    s.send({"do": "play"})
    assert "recording" in s.text("error")["text"]
    c.process.terminate()
    assert c.process.wait(PATIENCE) == 0
PY
}

foreign_hosts_origins_and_tokens_are_refused() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "c.h5"], "page") as c:
    own = f"http://127.0.0.1:{c.port}"
    for arguments in [dict(token=None), dict(token=""), dict(token="0" * 32), dict(token=c.token[:-1]),
                      dict(token=c.token, origin="http://evil.example"),
                      dict(token=c.token, origin="null"),
                      dict(token=c.token, origin=f"https://127.0.0.1:{c.port}"),
                      dict(token=c.token, origin="http://127.0.0.1:1"),
                      dict(token=c.token, origin=own, host="evil.example"),
                      dict(token=c.token, origin="http://evil.example:80", host="evil.example:80"),
                      dict(token=c.token, host="10.0.0.1")]:
        try:
            Stream(c.port, **arguments)
            raise SystemExit(f"accepted {arguments}")
        except Refused as e:
            assert e.args[0] == 403, (e, arguments)
    for host in ["evil.example", "127.0.0.1.evil.example", "localhost.evil.example", "127.0.0.1:x", ""]:
        code = request(c.port, "/", host=host or " ")[0]
        assert code in (400, 403), (host, code)
    assert request(c.port, "/", host="localhost:99")[0] == 200
    Stream(c.port, c.token, origin=own).close()
PY
}

the_default_port_is_used_or_reported_to_be_in_use() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "p.h5"], "page") as first, \
        Command(["run", "rope.yaml", "--view", "--out", "q.h5"], "page") as second:
    # another program may have had it and ended in between
    assert first.port != second.port
    for c in (first, second):
        reported = "Port 8127 is in use: a free port is used instead.\n" in c.lines
        assert reported == (c.port != 8127), c.lines
PY
}

only_the_files_of_the_page_can_be_had() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "d.h5"], "page") as c:
    status, top, body = request(c.port, "/app.js")
    assert status == 200 and body == b"let x = 1\n" and "text/javascript" in top
    assert "frame-ancestors 'self'" in top and "nosniff" in top
    assert f"connect-src 'self' data: blob: ws://127.0.0.1:{c.port}\r\n" in top + "\r\n"
    assert request(c.port, "/", method="HEAD")[2] == b""
    for path in ["/../secret/file", "/%2e%2e/secret/file", "/..%2fsecret/file", "//etc/passwd",
                 "/....//secret/file", "/link.js", "/page/../../secret/file", "/nothing", "/..\\secret\\file"]:
        status, _, body = request(c.port, path)
        assert status in (400, 404) and b"password" not in body, (path, status, body)
    assert request(c.port, "/app.js%00/../secret/file")[2] != b"password\n"
    for path in ["http://evil.example/", "*", f"http://127.0.0.1:{c.port}/"]:
        assert request(c.port, path)[0] in (0, 200, 400, 403, 404), path
    assert request(c.port, "/", method="POST")[0] == 405
    assert request(c.port, "/", method="DELETE")[0] == 405
    assert request(c.port, "/stream")[0] == 403
    assert request(c.port, f"/stream?token={c.token}")[0] == 426
    assert request(c.port, "/" + "a" * 20000)[0] in (400, 413, 414)
PY
}

messages_that_are_too_long_or_no_json_close_the_connection() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--out", "e.h5"], "page") as c:
    for wrong in ["{" * 10, "[]", "", "\x00", '{"do":"play"', "x" * 5000, " " * 4090 + '{"do":"play"}',
                  "y" * 300000]:
        s = Stream(c.port, c.token)
        try:
            s.send(wrong)  # the server may close before all of it is sent
            while True:
                s.receive()
        except (EOFError, ConnectionError):
            pass
    # also binary messages and fragments
    for opcode in (2, 0):
        s = Stream(c.port, c.token)
        try:
            s._send(opcode, b'{"do":"play"}')
            while True:
                s.receive()
        except (EOFError, ConnectionError):
            pass
    assert head(Stream(c.port, c.token).frame())
PY
}

fifty_pages_that_vanish_leave_nothing_behind() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--speed", "0", "--out", "f.h5"], "page") as c:
    first = Stream(c.port, c.token)
    first.frame()
    def is_socket(file):
        try:
            return os.readlink(file).startswith("socket:")
        except FileNotFoundError:  # closed in the meantime
            return False
    def count():  # sockets and threads; the run opens and closes other files
        own = f"/proc/{c.process.pid}"
        return (sum(is_socket(f"{own}/fd/{file}") for file in os.listdir(own + "/fd")),
                len(os.listdir(own + "/task")))
    before = count()
    many = [Stream(c.port, c.token) for _ in range(50)]
    assert first.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["viewers"] == 51)
    for i, s in enumerate(many):
        if i % 2:
            s.frame()
        s.close()
    left = 20
    while left > 0:
        try:
            Stream(c.port, c.token).close()
            left -= 1
        except Refused as e:  # it has not noticed yet that the others went
            assert e.args[0] == 503
            first.receive()
    first.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["viewers"] == 1)
    end = time.monotonic() + PATIENCE
    while count() != before and time.monotonic() < end:
        first.receive()
    assert count() == before, (before, count())
    first.close()
    # the command itself checks that all its memory is freed
    code, _ = c.finish()
    assert code == 3, (code, c.lines)
PY
}

a_page_that_reads_nothing_holds_up_neither_the_run_nor_its_end() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--speed", "0", "--until", "2s", "--out", "g.h5"],
             "page") as c:
    idle = [Stream(c.port, c.token) for _ in range(3)]
    s = Stream(c.port, c.token)
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["ended"])
    for i in idle:
        i.close()
    s.close()
    assert c.process.wait(PATIENCE) == 0
PY
}

a_taken_port_and_a_missing_page_are_reported() {
    client <<'PY'
import subprocess
with Command(["run", "rope.yaml", "--view", "--out", "h.h5"], "page") as c:
    run = lambda *a: subprocess.run([os.environ["LITHE"], *a], capture_output=True, text=True)
    taken = run("view", "plain.h5", "--page", "page", "--port", str(c.port))
    assert taken.returncode == 2 and f"port {c.port}: cannot listen" in taken.stderr, taken
    none = run("view", "plain.h5", "--page", "secret")
    assert none.returncode == 2 and "index.html" in none.stderr, none
    wrong = run("view", "plain.h5", "--page", "page", "--address", "here")
    assert wrong.returncode == 2 and "must be a number" in wrong.stderr, wrong
    alone = run("run", "rope.yaml", "--port", "80")
    assert alone.returncode == 2 and "are for --view" in alone.stderr, alone
PY
}

other_addresses_only_come_with_a_warning() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--address", "0.0.0.0", "--out", "i.h5"], "page") as c:
    assert any("reached from other machines" in line for line in c.lines), c.lines
    assert request(c.port, "/", host="10.1.2.3:80")[0] == 200
    assert request(c.port, "/", host="evil.example")[0] == 403
PY
}

what_a_user_pulls_on_follows_and_the_same_pulls_give_the_same_run() {
    client <<'PY' || return 1
# slow until the pulls are done: they come between steps that the client requests
with Command(["run", "rope.yaml", "--view", "--speed", "0.01", "--until", "5s", "--out", "pulled.h5"],
             "page") as c:
    s = Stream(c.port, c.token)
    scene = s.receive()["scene"]
    crate = [b["name"] for b in scene["bodies"]].index("crate")
    height = [i for i, x in enumerate(scene["series"]) if x["name"] == "crate.position.z"][0]
    at = 32 + 4 * (words(scene) - len(scene["series"]) + height)
    z = lambda frame: struct.unpack("<f", frame[at:at + 4])[0]
    s.send({"do": "grab", "thing": "crate", "at": [0, 0.02, 0.05], "to": [0, 0, 0.5]})
    s.steps_until(lambda m: z(m) > 0.3)
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["grabbed"])
    s.send({"do": "move", "to": [0.1, 0, 0.6]})
    s.steps_until(lambda m: z(m) > 0.45)
    s.send({"do": "release"})
    s.steps_until(lambda m: z(m) < 0.3)
    # the middle of the rope: the whole rope follows
    rope = lambda frame: struct.unpack("<f", frame[40:44])[0]
    s.send({"do": "grab", "rod": 0, "node": 10, "to": [0, 0, 0.6]})
    s.steps_until(lambda m: rope(m) > 0.3)
    # the same by name, higher
    s.send({"do": "grab", "thing": "rope", "part": 10, "to": [0, 0, 0.9]})
    s.steps_until(lambda m: rope(m) > 0.6)
    for wrong, why in [({"do": "grab", "body": 9, "at": [0, 0, 0], "to": [0, 0, 0]}, "no such thing"),
                       ({"do": "grab", "rod": 0, "node": 21, "to": [0, 0, 0]}, "0 to 20, not 21"),
                       ({"do": "grab", "thing": "rope", "part": 21, "to": [0, 0, 0]}, "0 to 20, not 21"),
                       ({"do": "grab", "thing": "rope", "to": [0, 0, 0]}, "needs 'part', the number of a node"),
                       ({"do": "grab", "thing": "floor", "at": [0, 0, 0], "to": [0, 0, 0]}, "is fixed"),
                       ({"do": "grab", "thing": "rpoe", "part": 0, "to": [0, 0, 0]}, "named 'rpoe'"),
                       ({"do": "grab", "body": 1 - crate, "at": [0, 0, 0], "to": [0, 0, 0]}, "is fixed")]:
        s.send(wrong)
        assert why in s.text("error")["text"], wrong
    s.send({"do": "speed", "value": 0})
    s.send({"do": "play"})
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["ended"])
    s.close()
    assert c.process.wait(PATIENCE) == 0
PY
    "$LITHE" run rope.yaml --until 5s --out same.h5 --inputs pulled.h5 --quiet &&
        cmp pulled.h5 same.h5 &&
        "$LITHE" run rope.yaml --until 0.1s --out still.h5 --inputs plain.h5 --quiet &&
        cmp plain.h5 still.h5 && expect 2 "cannot read" "$LITHE" run rope.yaml --inputs none.h5
}

a_particle_is_pulled_on_by_the_name_of_its_set() {
    cat >shot.yaml <<'YAML'
lithe: 1
time: {step: 1 ms, end: 2 s}
particles: {shot: {mass: 10 g, radius: 1 cm, positions: [[0, 0, 0], [1, 0, 0]]}}
record: {every: 10 ms}
YAML
    client <<'PY' || return 1
with Command(["run", "shot.yaml", "--view", "--speed", "0.01", "--out", "held.h5"], "page") as c:
    s = Stream(c.port, c.token)
    scene = s.receive()["scene"]
    height = [x["name"] for x in scene["series"]].index("energy.gravity")
    at = 32 + 4 * (words(scene) - len(scene["series"]) + height)
    gravity = lambda frame: struct.unpack("<f", frame[at:at + 4])[0]
    s.send({"do": "grab", "thing": "shot", "part": 1, "to": [1, 0, 0.5]})
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["grabbed"])
    s.send({"do": "grab", "thing": "shot", "part": 2, "to": [1, 0, 0.5]})
    assert "'shot' has particles 0 to 1, not 2" in s.text("error")["text"]
    s.send({"do": "speed", "value": 0})
    last = s.until(lambda m: isinstance(m, bytes) and head(m)[1] & 2)
    # one has fallen for 2 s, the other hangs near where it is held
    assert 0.9 < gravity(last) / (-0.01 * 9.80665 * 0.5 * 9.80665 * 4) < 1.02, gravity(last)
    s.close()
    assert c.process.wait(PATIENCE) == 0
PY
    "$LITHE" run shot.yaml --out again.h5 --inputs held.h5 --quiet && cmp held.h5 again.h5
}

keys_move_hands_and_switch_constraints_and_are_recorded() {
    client <<'PY' || return 1
scene_file = os.environ["ROOT"] + "/scenes/play-arm.yaml"
with Command(["run", scene_file, "--view", "--speed", "0.01", "--until", "2s", "--out", "keys.h5"],
             "page") as c:
    s = Stream(c.port, c.token)
    scene = s.receive()["scene"]
    assert {k["key"] for k in scene["controls"]["keys"]} >= {"w", "ArrowUp", " "}, scene["controls"]
    assert scene["controls"]["axes"][0]["axis"] == 0
    moving = [b["name"] for b in scene["bodies"] if b["moves"]]
    before = sum((3 + len(tube["fields"])) * tube["points"] + 3 * tube["edges"]
                 for tube in scene["tubes"])
    at = 32 + 4 * (before + 7 * moving.index("arm/hand"))
    x = lambda frame: struct.unpack("<3f", frame[at:at + 12])
    start = x(s.frame())
    s.send({"do": "key", "key": "w", "down": True})
    s.steps_until(lambda m: x(m)[2] > start[2] + 0.03)
    s.send({"do": "key", "key": "w", "down": False})
    s.send({"do": "axis", "axis": 0, "value": 0.5})
    s.steps_until(lambda m: x(m)[1] < start[1] - 0.02)
    s.send({"do": "axis", "axis": 0, "value": 0})
    s.send({"do": "key", "key": "z", "down": True})
    s.send({"do": "key", "key": " ", "down": True})
    s.send({"do": "key", "key": " ", "down": False})
    grip = 32 + 4 * (before + 7 * len(moving))
    s.steps_until(lambda m: struct.unpack("<f", m[grip:grip + 4])[0] == 0)
    s.send({"do": "speed", "value": 0})
    s.send({"do": "play"})
    s.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["ended"])
    s.close()
    assert c.process.wait(PATIENCE) == 0
PY
    "$LITHE" run "$root/scenes/play-arm.yaml" --until 2s --out keys2.h5 --inputs keys.h5 --quiet &&
        cmp keys.h5 keys2.h5
}

wrong_controls_are_reported_with_their_place() {
    local line want
    while IFS='|' read -r line want; do
        {
            cat rope.yaml
            echo "drives: {pull: {on: rope.start, direction: [1, 0, 0], speed: 0}}"
            echo "controls:"
            echo "  go: $line"
        } >wrong.yaml
        expect 2 "$want" "$LITHE" check wrong.yaml || return 1
        expect 2 "wrong.yaml:" "$LITHE" check wrong.yaml || return 1
    done <<'TEXT'
{drive: pull, speed: 1 m/s}|control 'go': needs a key or an axis
{key: a, axis: 0, drive: pull, speed: 1 m/s}|has a key and an axis
{key: a}|has none of drive, actuator, hand and constraint
{key: a, drive: pull, hand: pull, speed: 1 m/s}|has several of
{key: a, drive: pul, speed: 1 m/s}|did you mean pull
{key: a, drive: pull}|translates: it needs speed
{key: a, drive: pull, spin: 1 rad/s}|translates: it needs speed
{key: a, hand: none, move: [1, 0, 0]}|hand: nothing is named 'none'
{axis: 99, drive: pull, speed: 1 m/s}|axis is 99, must be from 0 to 15
{key: a, drive: pull, sped: 1 m/s}|did you mean speed
{key: a, drive: pull, speed: 1 m}|is a length
TEXT
}

for test in a_page_gets_a_greeting_then_frames_of_the_size_it_tells \
    pause_step_speed_and_reset_do_what_they_say \
    a_run_that_was_reset_ends_with_the_bytes_of_one_that_was_not \
    frames_of_a_replay_come_by_number_and_hold_what_was_recorded \
    a_particle_is_pulled_on_by_the_name_of_its_set \
    keys_move_hands_and_switch_constraints_and_are_recorded \
    wrong_controls_are_reported_with_their_place \
    foreign_hosts_origins_and_tokens_are_refused \
    the_default_port_is_used_or_reported_to_be_in_use \
    only_the_files_of_the_page_can_be_had \
    messages_that_are_too_long_or_no_json_close_the_connection \
    fifty_pages_that_vanish_leave_nothing_behind \
    a_page_that_reads_nothing_holds_up_neither_the_run_nor_its_end \
    a_taken_port_and_a_missing_page_are_reported \
    other_addresses_only_come_with_a_warning; do
    claim "$test" "$test"
done
study what_a_user_pulls_on_follows_and_the_same_pulls_give_the_same_run \
    what_a_user_pulls_on_follows_and_the_same_pulls_give_the_same_run
finish
