# SPDX-License-Identifier: Apache-2.0
# tests/view/stream.py - a small client of the viewer's stream, using only the standard library
import base64
import json
import os
import re
import socket
import struct
import subprocess
import sys
import time


# s; how long an answer may take: a busy machine is slow, and a wrong answer comes soon
PATIENCE = 100


class Refused(Exception):
    """The server answered with another code than 101."""


def request(port, head, host=None, method="GET"):
    """Code, head and body of the answer to a plain request; code 0: none came."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as s:
        host = host or f"127.0.0.1:{port}"
        s.sendall(f"{method} {head} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        data = b""
        while piece := s.recv(65536):
            data += piece
    if not data:
        return 0, "", b""
    top, _, body = data.partition(b"\r\n\r\n")
    return int(top.split()[1]), top.decode("latin-1"), body


class Stream:
    """A WebSocket to /stream; frames are bytes, texts are dictionaries."""

    def __init__(self, port, token, origin=None, host=None):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.data = b""
        key = base64.b64encode(os.urandom(16)).decode()
        query = f"?token={token}" if token is not None else ""
        lines = [f"GET /stream{query} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}",
                 "Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}",
                 "Sec-WebSocket-Version: 13"]
        if origin:
            lines.append(f"Origin: {origin}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.data:
            piece = self.socket.recv(4096)
            if not piece:
                raise Refused("nothing")
            self.data += piece
        head, _, self.data = self.data.partition(b"\r\n\r\n")
        code = int(head.split()[1])
        if code != 101:
            self.socket.close()
            raise Refused(code)

    def close(self):
        self.socket.close()

    def _take(self, count):
        while len(self.data) < count:
            piece = self.socket.recv(1 << 16)
            if not piece:
                raise EOFError
            self.data += piece
        out, self.data = self.data[:count], self.data[count:]
        return out

    def receive(self):
        """The next text or frame; pings are answered."""
        while True:
            first, second = self._take(2)
            length = second & 127
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            payload = self._take(length)
            opcode = first & 15
            if opcode == 1:
                return json.loads(payload)
            if opcode == 2:
                return payload
            if opcode == 8:
                raise EOFError
            if opcode == 9:
                self._send(10, payload)

    def _send(self, opcode, payload):
        mask = os.urandom(4)
        length = len(payload)
        head = bytes([128 | opcode])
        if length < 126:
            head += bytes([128 | length])
        elif length < 65536:
            head += bytes([128 | 126]) + struct.pack(">H", length)
        else:
            head += bytes([128 | 127]) + struct.pack(">Q", length)
        body = bytes(b ^ mask[i % 4] for i, b in enumerate(payload))
        self.socket.sendall(head + mask + body)

    def send(self, message):
        self._send(1, (message if isinstance(message, str) else json.dumps(message)).encode())

    def until(self, wanted, seconds=PATIENCE):
        """Receives until wanted(message) holds, and returns that message."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            message = self.receive()
            if wanted(message):
                return message
        raise TimeoutError("the expected message did not arrive")

    def pause(self):
        """Pauses the run; the number of its step."""
        self.send({"do": "pause"})
        return self.until(lambda m: isinstance(m, dict) and m["is"] == "status" and m["paused"])["step"]

    def steps_until(self, wanted, limit=5000):
        """Takes steps of a paused run until wanted(frame) holds, whatever the speed of the machine."""
        step = self.pause()
        for _ in range(0, limit, 20):
            step += 20
            self.send({"do": "step", "count": 20})
            frame = self.until(lambda m: isinstance(m, bytes) and head(m)[0] >= step)
            assert head(frame)[0] == step and not head(frame)[1] & 2, (step, head(frame))
            if wanted(frame):
                return frame
        raise AssertionError(f"not within {limit} steps")

    def frame(self):
        return self.until(lambda m: isinstance(m, bytes))

    def text(self, kind):
        return self.until(lambda m: isinstance(m, dict) and m["is"] == kind)


def head(frame):
    """Number, flags, time and count of contacts; checks magic and size."""
    magic, size, number, flags = struct.unpack("<4sIII", frame[:16])
    assert magic == b"LVF1" and size == len(frame), (magic, size, len(frame))
    moment, contacts, _ = struct.unpack("<dII", frame[16:32])
    return number, flags, moment, contacts


def resets(frame):
    return struct.unpack("<I", frame[28:32])[0]


def words(scene):
    """Words of the fixed part of a frame, from the description alone."""
    drawn = scene["tubes"] + scene["surfaces"] + scene["balls"]
    return (sum(d["points"] * (3 + len(d["fields"])) + 3 * d.get("edges", 0) for d in drawn)
            + 7 * sum(b["moves"] for b in scene["bodies"]) + 7 * len(scene["constraints"])
            + len(scene["series"]))


class Command:
    """A lithe command that serves: `with Command([...]) as c: Stream(c.port, c.token)`."""

    def __init__(self, arguments, page, before=()):
        words = [*before, os.environ["LITHE"], *arguments, "--no-open", "--page", page]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.lines = []
        for line in self.process.stderr:
            self.lines.append(line)
            found = re.search(r"http://[\d.]+:(\d+)/#token=([0-9a-f]+)", line)
            if found:
                self.port, self.token = int(found[1]), found[2]
                return
        raise RuntimeError("".join(self.lines))

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        code, out = self.finish()
        if kind:
            print(f"the command ended with {code}:", out, *self.lines, file=sys.stderr)

    def finish(self, seconds=PATIENCE):
        """Ends it if it still runs; its exit code and what it printed."""
        if self.process.poll() is None:
            self.process.terminate()
        out, err = self.process.communicate(timeout=seconds)
        self.lines.append(err)
        return self.process.returncode, out
