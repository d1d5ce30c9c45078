# SPDX-License-Identifier: Apache-2.0
"""What notebooks show: a player in a frame, or a picture where there is no page."""

from __future__ import annotations

import base64
import html
import tempfile
from pathlib import Path

from . import _core
from .recording import Recording

# a larger page makes a notebook slow: a picture is shown instead
_PAGE_BYTES = 20_000_000


def _png(rec: Recording) -> bytes:
    with tempfile.TemporaryDirectory(prefix="lithe-") as folder:
        path = Path(folder) / "picture.png"
        rec.export(path, size=(960, 600))
        return path.read_bytes()


def player(rec: Recording, caption: str) -> str:
    """HTML that plays a recording; of one frame, a scene to turn around."""
    below = f"<div>{html.escape(caption)}</div>"
    if len(rec) == 0:
        return below
    try:
        page = rec.to_html()
    except _core.NotSupported:
        page = ""
    if page and len(page) <= _PAGE_BYTES:
        inside = html.escape(page, quote=True)
        style = "width: 100%; height: 480px; border: 0"
        return f'<iframe srcdoc="{inside}" style="{style}"></iframe>{below}'
    data = base64.b64encode(_png(rec)).decode("ascii")
    style = "max-width: 100%; width: 640px"
    return f'<img src="data:image/png;base64,{data}" style="{style}" alt=""/>{below}'
