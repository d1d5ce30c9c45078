# SPDX-License-Identifier: Apache-2.0
"""Lithe: a simulator of ropes, cables, knots, rods and robots in contact.

    import lithe

    sim = lithe.load("knot.yaml").simulate()
    for frame in sim.run(until=0.7):
        print(frame.time, sim.rods["rope"].tension.max(), len(sim.contacts))

`lithe.run("knot.yaml")` simulates a whole scene and returns its recording. Names are those of the scene files and the C library; units are SI and radians, and a quantity may
be a text with a unit ("2 mm"). Messages of the library go to the logger "lithe"; warnings
are Python warnings.
"""

from . import arms as arms  # not in __all__: `import *` gives names of the scene format
from . import sampling as sampling
from ._core import (
    BadInput,
    CannotGoOn,
    Error,
    FileError,
    Interrupted,
    NotSupported,
)
from ._core import version as __version__
from .contacts import Contact, Contacts
from .expression import Expression
from .library import LibraryEntry, LibraryValue, materials
from .numbers import UnknownName
from .parallel import Rollout, rollout
from .parts import (
    Actuator,
    Arm,
    Body,
    Cavity,
    Constraint,
    Drive,
    Fibre,
    Force,
    Hold,
    Joint,
    Material,
    MaterialPair,
    Particles,
    PoseDrive,
    Pressure,
    Robot,
    Rod,
    Solid,
    Swell,
)
from .plan import HandPlan, HandProblem, HandQuantities, Nlp, Plan, Problem, Quantities, plan, plan_hand
from .recording import Recording
from .recording import open as open  # not in __all__: `import *` keeps Python's own
from .results import Energy, Frame, Report, Totals
from .scene import Scene, load, loads
from .simulation import Simulation, run
from .state import State
from .table import Table, table
from .view import View, view

__all__ = [
    "Actuator",
    "Arm",
    "BadInput",
    "Body",
    "CannotGoOn",
    "Cavity",
    "Constraint",
    "Contact",
    "Contacts",
    "Drive",
    "Energy",
    "Error",
    "Expression",
    "FileError",
    "Fibre",
    "Force",
    "Frame",
    "HandPlan",
    "HandProblem",
    "HandQuantities",
    "Hold",
    "Interrupted",
    "Joint",
    "LibraryEntry",
    "LibraryValue",
    "Material",
    "MaterialPair",
    "Nlp",
    "NotSupported",
    "Particles",
    "Plan",
    "PoseDrive",
    "Pressure",
    "Problem",
    "Quantities",
    "Recording",
    "Report",
    "Robot",
    "Rod",
    "Rollout",
    "Scene",
    "Simulation",
    "Solid",
    "State",
    "Swell",
    "Table",
    "Totals",
    "UnknownName",
    "View",
    "__version__",
    "load",
    "loads",
    "materials",
    "plan",
    "plan_hand",
    "rollout",
    "run",
    "table",
    "view",
]
