# SPDX-License-Identifier: Apache-2.0
"""The viewer in the browser, for a simulation that a program steps."""

from __future__ import annotations

import html
import webbrowser
from types import TracebackType

from .recording import page_file
from .simulation import Simulation


class View:
    """Pages in the browser that show a simulation; `lithe.view` makes one."""

    def __init__(self, sim: Simulation, url: str, embed: bool = False) -> None:
        self._sim: Simulation | None = sim
        self._embed = embed
        #: Address of the page; everyone with the address can watch.
        self.url = url

    def close(self) -> None:
        """Closes the pages; the simulation continues without them."""
        if self._sim is not None:
            self._sim._core.unview()
            self._sim = None

    def __enter__(self) -> View:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _repr_html_(self) -> str | None:
        if not self._embed:
            return None
        if self._sim is None:
            return "<div>This view is closed.</div>"
        style = "width: 100%; height: 520px; border: 0"
        return f'<iframe src="{html.escape(self.url, quote=True)}" style="{style}"></iframe>'

    def __repr__(self) -> str:
        return f"<lithe.View at {self.url}>"


def view(
    sim: Simulation,
    *,
    open: bool = True,
    wait: bool = True,
    speed: float = 1.0,
    port: int = 0,
    address: str | None = None,
    embed: bool = False,
) -> View:
    """Shows a simulation in the browser: all steps from now on are visible there.

    open: open the page; else its address is `url` of the result.
    wait: the next step waits until a page is connected.
    speed: max ratio to real time; 0: as fast as possible.
    port: to listen at; 0: 8127, or a free one.
    address: to listen at; default: 127.0.0.1, which only this machine can reach.
    embed: the result, as the last line of a cell, shows the page inside a notebook on this machine;
        the cells after it step the simulation. No window of the browser is opened.
    """
    page = page_file("index.html").parent
    url = sim._core.view(str(page), address, port, float(speed), not wait, embed)
    if open and not embed:
        webbrowser.open(url)
    return View(sim, url, embed)
