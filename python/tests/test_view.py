# SPDX-License-Identifier: Apache-2.0
"""The viewer of a simulation that a program steps."""

from __future__ import annotations

import base64
import gc
import http.client
import json
import os
import signal
import socket
import struct
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from conftest import SCENES, interruptible, rope

import lithe
from lithe import _core

PAGE = Path(lithe.__file__).parent / "viewer" / "index.html"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="built without node: no page")


def load(url: str) -> http.client.HTTPResponse:
    """The answer of a server of this machine: no proxy of the environment is in between."""
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    answer: http.client.HTTPResponse = direct.open(url.split("#")[0], timeout=100)
    return answer


class Page:
    """The stream of a page."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        token = parts.fragment.removeprefix("token=")
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=100)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /stream?token={token} HTTP/1.1\r\nHost: {parts.netloc}\r\n"
            f"Origin: http://{parts.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        self.file = self.socket.makefile("rb")
        assert b"101" in self.file.readline()
        while self.file.readline().strip():
            pass

    def messages(self) -> Iterator[tuple[int, bytes]]:
        """Opcode (1 text, 2 binary) and content."""
        while True:
            head = self.file.read(2)
            if len(head) < 2:
                return
            size = head[1] & 127
            if size == 126:
                (size,) = struct.unpack(">H", self.file.read(2))
            elif size == 127:
                (size,) = struct.unpack(">Q", self.file.read(8))
            yield head[0] & 15, self.file.read(size)

    def close(self) -> None:
        self.file.close()
        self.socket.close()


def test_only_an_embedded_page_may_be_shown_in_a_notebook() -> None:
    sim = rope().simulate()
    with lithe.view(sim, open=False, wait=False) as window:
        answer = load(window.url)
        assert "frame-ancestors 'self'" in answer.headers["Content-Security-Policy"]
        assert window._repr_html_() is None
    with lithe.view(sim, embed=True, wait=False) as window:
        answer = load(window.url)
        policy = answer.headers["Content-Security-Policy"]
        assert "frame-ancestors http://localhost:* http://127.0.0.1:*" in policy
        shown = window._repr_html_()
        assert shown is not None and f'<iframe src="{window.url}"' in shown
    closed = window._repr_html_()
    assert closed is not None and "closed" in closed


def test_a_page_is_served_and_gets_frames_of_every_step() -> None:
    sim = rope().simulate()
    with lithe.view(sim, open=False, speed=0) as window:
        assert b"<html" in load(window.url).read()
        page = Page(window.url)
        # the first step waits for the page, which is connected now
        thread = threading.Thread(target=lambda: sim.advance(0.05))
        thread.start()
        hello, frames = None, 0
        for kind, content in page.messages():
            if kind == 1 and json.loads(content).get("is") == "hello":
                hello = json.loads(content)
            frames += kind == 2
            if hello is not None and frames >= 1:
                break
        thread.join(100)
        assert hello is not None and "rope" in json.dumps(hello)
        assert sim.time == pytest.approx(0.05)
        page.close()
    # it continues without pages, and can be viewed again
    sim.step()
    lithe.view(sim, open=False, wait=False).close()


def test_a_viewer_changes_nothing_and_leaves_nothing() -> None:
    gc.collect()
    before = _core.memory_bytes()
    seen, alone = rope().simulate(), rope().simulate()
    window = lithe.view(seen, open=False, wait=False, speed=0)
    with pytest.raises(RuntimeError, match="already has a viewer"):
        lithe.view(seen, open=False)
    seen.advance()
    alone.advance()
    assert seen.hash == alone.hash
    window.close()
    window.close()
    with pytest.raises(ValueError, match="port"):
        lithe.view(seen, open=False, port=-1)
    lithe.view(seen, open=False)  # closed with its simulation
    del seen, alone
    gc.collect()
    assert _core.memory_bytes() == before


def test_control_c_ends_the_wait_for_a_page() -> None:
    program = f"""
import lithe
sim = lithe.load({str(SCENES / "pendulum.yaml")!r}).simulate()
with lithe.view(sim, open=False) as window:
    try:
        print("ready", flush=True)
        sim.step()
    except KeyboardInterrupt:
        print("stopped", sim.steps, flush=True)
"""
    process = interruptible(program)
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "stopped 0\n"
    assert process.wait(100) == 0
