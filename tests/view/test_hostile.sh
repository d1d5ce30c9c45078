#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# tests/view/test_hostile.sh - random and malformed requests against the running server of the viewer
# shellcheck disable=SC2317 # the tests are called by name
# shellcheck source=tests/test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../test.sh"
cd "$scratch" || exit 1
mkdir page secret
echo '<title>page</title>' >page/index.html
echo 'password' >secret/file

cat >rope.yaml <<'YAML'
lithe: 1
title: A rope falls
time: {step: 1 ms, end: 600 s}
materials: {nylon: {young: 10 MPa, density: 1000 kg/m^3}}
rods:
  rope: {material: nylon, section: {circle: {radius: 3 mm}}, nodes: 11, shape: {line: {to: [0.4, 0, 0]}}}
holds: {end: {on: rope.start}}
YAML

client() {
    PYTHONPATH=$root/tests/view PYTHONDONTWRITEBYTECODE=1 timeout 500 python3 -c "
import random
from stream import *

def open_files(c):
    return len(os.listdir(f'/proc/{c.process.pid}/fd'))

def settles(c, files):
    # connections are closed by their threads, with a short delay
    end = time.monotonic() + PATIENCE
    while open_files(c) > files and time.monotonic() < end:
        time.sleep(0.05)
    return open_files(c) <= files

def throw(port, data, half):
    # sends all or a part of it, then reads the answer
    answer = b''
    with socket.create_connection(('127.0.0.1', port), PATIENCE) as s:
        try:
            s.sendall(data)
            if half:
                return None
            s.shutdown(socket.SHUT_WR)
            while piece := s.recv(65536):
                answer += piece
        except OSError:
            pass
    return answer
$(cat)"
}

malformed_requests_are_answered_or_dropped_and_leave_nothing_behind() {
    client <<'PY'
dice = random.Random(20260101)
pieces = [b"GET", b"HEAD", b"POST", b"OPTIONS", b"PRI", b"\x16\x03\x01", b" ", b"/", b"//", b"/..", b"/%2e%2e",
          b"/secret/file", b"/../secret/file", b"/stream", b"?token=", b"HTTP/1.1", b"HTTP/9.9", b"HTTP/1.0",
          b"\r\n", b"\n", b"\r", b"\r\n\r\n", b"Host: 127.0.0.1", b"Host:", b": x", b"Content-Length: -1",
          b"Content-Length: 99999999999999999999", b"Transfer-Encoding: chunked", b"Upgrade: websocket",
          b"Connection: Upgrade", b"Sec-WebSocket-Key: AAAA", b"Sec-WebSocket-Version: 99", b"Range: bytes=-9-",
          b"Expect: 100-continue", b"\x00", b"%00", b"%", b"\xff\xfe", b"A" * 300, b"A" * 9000, b"ffffffff\r\n"]
with Command(["run", "rope.yaml", "--view", "--no-wait", "--out", "a.h5"], "page") as c:
    assert request(c.port, "/")[0] == 200
    files = open_files(c) + 1
    good = f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{c.port}\r\nConnection: close\r\n\r\n".encode()
    answered = 0
    for k in range(400):
        kind = dice.randrange(3)
        if kind == 0:  # noise
            data = dice.randbytes(dice.randrange(1, 3000))
        elif kind == 1:  # words of the language in any order
            data = b"".join(dice.choice(pieces) for _ in range(dice.randrange(1, 40)))
        else:  # a good request with a few bytes changed, lost or twice
            data = bytearray(good)
            for _ in range(dice.randrange(1, 6)):
                at = dice.randrange(len(data))
                change = dice.randrange(3)
                if change == 0:
                    data[at] = dice.randrange(256)
                elif change == 1:
                    del data[at:at + dice.randrange(1, 9)]
                else:
                    data[at:at] = data[at:at + dice.randrange(1, 40)]
            data = bytes(data)
        answer = throw(c.port, data, half=dice.random() < 0.2)
        if answer:
            assert answer.startswith(b"HTTP/1.1 "), (data, answer[:80])
            code = int(answer[9:12])
            assert code == 200 or 400 <= code < 600 or code == 101, (data, answer[:80])
            assert b"password" not in answer, data
            answered += 1
    assert answered > 50, answered
    assert request(c.port, "/")[0] == 200
    assert settles(c, files), (open_files(c), files)
    code, _ = c.finish()
    assert code == 3, (code, c.lines)  # stopped; all memory came back
PY
}

malformed_frames_of_a_websocket_close_it_or_are_reported_and_the_run_goes_on() {
    client <<'PY'
dice = random.Random(20260102)
messages = ['{"do":"pause"}', '{"do":"step","count":3}', '{"do":"speed","value":1e999}', '{"do":"grab","rod":0}',
            '{"do":"grab","rod":0,"node":99,"to":[0,0,0]}', '{"do":"grab","body":-1,"at":[],"to":[]}',
            '{"do":"move","to":[1,2]}', '{"do":"key","key":"\\ud800","down":true}', '{"do":"axis","axis":9}',
            '{"do":"frames","from":-1,"to":1}', '[' * 500, '{"do":"play"', '{}', '{"do":null}', '"do"']
with Command(["run", "rope.yaml", "--view", "--no-wait", "--out", "b.h5"], "page") as c:
    assert request(c.port, "/")[0] == 200
    files = open_files(c) + 1
    for k in range(120):
        s = Stream(c.port, c.token)
        s.socket.settimeout(10)
        try:
            for _ in range(dice.randrange(1, 6)):
                kind = dice.randrange(5)
                if kind == 0:  # noise
                    s.socket.sendall(dice.randbytes(dice.randrange(1, 200)))
                elif kind == 1:  # any opcode and flags, length and mask; perhaps not all of it
                    length = dice.choice([0, 1, 125, 126, 127, 1 << 16, 1 << 31, (1 << 64) - 1])
                    top = bytes([dice.randrange(256)])
                    mask = dice.choice([0, 128])
                    if length < 126:
                        top += bytes([mask | length])
                    elif length < 65536:
                        top += bytes([mask | 126]) + struct.pack(">H", length)
                    else:
                        top += bytes([mask | 127]) + struct.pack(">Q", length)
                    s.socket.sendall(top + dice.randbytes(4 + min(length, dice.randrange(300))))
                elif kind == 2:  # texts that parse and texts that do not
                    s.send(dice.choice(messages))
                elif kind == 3:  # pings, pongs, pieces of nothing
                    s._send(dice.choice([0, 3, 9, 10, 11]), dice.randbytes(dice.randrange(130)))
                else:  # bytes changed
                    text = bytearray(dice.choice(messages).encode())
                    text[dice.randrange(len(text))] = dice.randrange(256)
                    s._send(1, bytes(text))
            if dice.random() < 0.5:
                s._send(8, b"")
                s.socket.shutdown(socket.SHUT_WR)
                while s.socket.recv(1 << 16):
                    pass
        except (OSError, EOFError):
            pass
        s.close()
    assert settles(c, files), (open_files(c), files)
    # a new client is served: greeting, frames, requests
    s = Stream(c.port, c.token)
    assert s.receive()["is"] == "hello"
    s.send({"do": "speed", "value": 1})
    s.send({"do": "play"})
    first = head(s.frame())[0]
    assert s.until(lambda m: isinstance(m, bytes) and head(m)[0] > first)
    s.close()
    code, _ = c.finish()
    assert code == 3, (code, c.lines)  # stopped; all memory came back
PY
}

silent_connections_do_not_keep_a_page_away() {
    client <<'PY'
def is_open(s):
    s.setblocking(False)
    try:
        return s.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False

with Command(["run", "rope.yaml", "--view", "--no-wait", "--out", "c.h5"], "page") as c:
    assert request(c.port, "/")[0] == 200
    files = open_files(c) + 1
    page = Stream(c.port, c.token)
    silent, begin = [], time.monotonic()
    for k in range(200):
        silent.append(socket.create_connection(("127.0.0.1", c.port), PATIENCE))
        if k % 2:
            silent[-1].sendall(b"GET / HTTP/1.1\r\nHost:")
    # while some of them still wait, a new page is served, and the one that is there goes on
    assert request(c.port, "/")[0] == 200
    # each thread of the server that takes a connection drops the oldest, a moment later
    while (left := sum(is_open(s) for s in silent)) > 40 and time.monotonic() - begin < PATIENCE:
        time.sleep(0.01)
    # those that wait are dropped after 10 s
    assert left <= 40 and (left > 0 or time.monotonic() - begin > 9), left
    assert page.receive()["is"] == "hello"
    late = Stream(c.port, c.token)
    assert late.receive()["is"] == "hello"
    for s in silent + [page, late]:
        s.close()
    assert settles(c, files), (open_files(c), files)
    code, _ = c.finish()
    assert code == 3, (code, c.lines)
PY
}

requests_with_two_hosts_are_refused() {
    client <<'PY'
with Command(["run", "rope.yaml", "--view", "--no-wait", "--out", "d.h5"], "page") as c:
    own, other = f"Host: 127.0.0.1:{c.port}\r\n", "Host: example.com\r\n"
    for hosts in own + other, other + own, own + own, own + "hOST: example.com\r\n":
        answer = throw(c.port, f"GET / HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n".encode(), False)
        assert answer.startswith(b"HTTP/1.1 400 "), (hosts, answer[:80])
    origins = f"Origin: http://127.0.0.1:{c.port}\r\nOrigin: http://example.com\r\n"
    answer = throw(c.port, f"GET / HTTP/1.1\r\n{own}{origins}Connection: close\r\n\r\n".encode(), False)
    assert answer.startswith(b"HTTP/1.1 400 "), answer[:80]
    assert request(c.port, "/")[0] == 200
    code, _ = c.finish()
    assert code == 3, (code, c.lines)
PY
}

for test in malformed_requests_are_answered_or_dropped_and_leave_nothing_behind \
    malformed_frames_of_a_websocket_close_it_or_are_reported_and_the_run_goes_on \
    silent_connections_do_not_keep_a_page_away requests_with_two_hosts_are_refused; do
    claim "$test" "$test"
done
finish
