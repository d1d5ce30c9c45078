# SPDX-License-Identifier: Apache-2.0
"""The script `lithe` of the Python package: becomes the command that lies in the package.

It is beside the package, not inside: importing the package would load NumPy first.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec


def main() -> None:
    """Replaces this process by the command, with the same arguments."""
    spec = find_spec("lithe")
    places = list(spec.submodule_search_locations or []) if spec is not None else []
    for folder in places:
        program = os.path.join(folder, "lithe")
        if os.path.isfile(program):
            os.execv(program, ["lithe", *sys.argv[1:]])
    sys.exit("lithe: this installation of the Python package has no command: tried " + ", ".join(places))
