# SPDX-License-Identifier: Apache-2.0
"""What a simulation returns: reports, sums, energies, frames, distances, modes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Report:
    """Report of the last step. Numerical outcomes are data, not errors."""

    newton_iterations: int  #: max over the units
    line_search_cuts: int  #: halvings of Newton steps, all units
    hessians_corrected: int  #: factorisations repeated with projected stencils
    bodies_unconverged: int  #: units that stopped at the iteration limit
    residual: float  #: largest final residual, relative
    worst_rod: int  #: number of the rod with that residual, from 1; 0: none
    joints_at_limit: int  #: joints at a limit of position, speed or effort
    contacts: int  #: contacts in the coupled solve, with and without force
    passes: int  #: linearisations of the coupled solve; 0: no couplings
    solve_iterations: int  #: its Newton iterations, all passes
    solve_unconverged: bool  #: it stopped above its tolerance
    friction_unsettled: bool  #: normal impulses, or the direction of friction, still changed
    solve_residual: float  #: its final momentum residual, relative
    backward_error: float  #: max over its linear solves
    constraints_broken: int  #: number of breaks in this step
    pieces: int  #: number of substeps; 1: the step was not cut
    step: float  #: its length [s]
    #: what limited its length: "largest" (the largest one, or a fixed one without cuts), "error",
    #: "contact", "effort", "crossing", "solve" or "event"
    limit: str
    rejected: int  #: attempts repeated with half the length
    error: float  #: adaptive: estimate of its error over the tolerance
    contact_error: float  #: adaptive: the same for gaps of contacts
    deepest: float  #: largest overlap of a contact at the start of the step [m]
    crossings_avoided: int  #: attempts rejected: a rod would have passed through something
    held: int  #: substeps with near-rigid contacts, to prevent a crossing
    softened: int  #: substeps solved only with more strongly regularised couplings
    pairs_unserved: int  #: close pairs of shapes whose contact is not supported
    poses_missed: int  #: pose drives whose joints cannot reach the path
    pose_distance: float  #: largest distance from the path, over all pose drives [m]
    pose_angle: float  #: largest angle from the path [rad]
    active: int  #: contacts with a force; `contacts` includes those without
    stiffened: int  #: contacts that acted with more than the stiffness of their materials
    worst: str  #: name of the thing with the largest residual (of a robot its first body), or ""
    euler: int  #: tr-bdf2: pieces made by backward Euler
    calmed: int  #: tr-bdf2: pieces whose velocities were reduced because the energy rose
    energy_gained: int  #: tr-bdf2: pieces after which overlaps hold energy from nothing
    halted: int  #: tr-bdf2: pieces without motion, because any motion would gain energy
    load_time: float  #: static steps: the time whose loads act at its end [s]
    #: static steps: directions in which the energy falls, 0 is stable; -1: not counted
    unstable: int
    slip: float  #: static steps: the largest slip of a contact with friction and force [m]
    slip_fraction: float  #: the same over the smaller half thickness of the two things
    stored: float  #: energy in the springs of contacts (contact model convex) [J]
    #: contact model imc with friction `paper`: the friction that does not oppose the sliding, over
    #: the bounds of friction
    friction_astray: float
    inverted: int  #: elements of solids that are turned inside out at the end of the step
    contacts_dropped: int  #: lcp: contacts whose normals depend on others
    contacts_returned: int  #: lcp: dropped contacts that came back, since they were violated
    normals_condition: float  #: lcp: condition number of the normals that are kept
    fall_backs: int  #: lcp: solves in which Lemke's method followed
    weakened: int  #: lcp: 1: overlaps not pushed apart, 2: and no friction; else 0

    @property
    def pairs_unsupported(self) -> int:
        """Alias of `pairs_unserved`."""
        return self.pairs_unserved


@dataclass(frozen=True)
class Totals:
    """Sums over all steps of a simulation, by the names of `lithe run --json`."""

    scheme: str  #: "backward-euler", ..
    step: float  #: of the scene, the largest one if steps adapt [s]
    steps: int
    steps_unconverged: int  #: steps in which a unit stopped at the iteration limit
    solve_unconverged: int  #: steps in which the coupled solve stopped above its tolerance
    friction_unsettled: int  #: steps in which normal impulses still changed at its end
    steps_cut: int  #: steps divided into pieces
    steps_rejected: int  #: attempts repeated with half the length
    step_shortest: float  #: [s]
    step_longest: float  #: [s]
    newton_mean: float  #: Newton iterations per step
    contacts_mean: float  #: contacts in the coupled solve, per step
    contacts_max: int  #: max of a step
    contacts_stiffened: int  #: max of a step: acted with more than their stiffness
    max_penetration: float  #: largest overlap of a contact at the start of a step [m]
    crossings_avoided: int  #: attempts rejected: a rod would have passed through something
    pieces_held: int  #: pieces in which contacts were too soft for the speed and stopped it
    pieces_softened: int  #: pieces solved only with more strongly regularised couplings
    constraints_broken: int
    pairs_unsupported: int  #: max of a step: pairs of shapes that pass through each other
    hessians_corrected: int  #: factorisations repeated with projected stencils
    steps_guarded: int  #: tr-bdf2: steps with one of the following
    steps_calmed: int  #: tr-bdf2: velocities were reduced because the energy rose
    steps_by_euler: int  #: tr-bdf2: made by backward Euler, at least in part
    steps_gained: int  #: tr-bdf2: overlaps held energy from nothing
    energy_gain: float  #: largest energy from nothing, over the largest energy before


@dataclass(frozen=True)
class Energy:
    """Energies [J]. All except the first three are sums since the start."""

    kinetic: float
    elastic: float
    gravity: float  #: zero at the origin
    dissipated: float  #: by damping of rods and joints, and by drag
    work: float  #: by drives, holds and forces
    friction: float  #: dissipated by friction of contacts and dry friction of joints
    contact: float  #: absorbed by normal forces of contacts: stored or dissipated
    constraints: float  #: absorbed by constraints and limits of joints: stored or dissipated

    @property
    def total(self) -> float:
        """kinetic + elastic + gravity."""
        return self.kinetic + self.elastic + self.gravity


@dataclass(frozen=True, slots=True)
class Frame:
    """A frame of a run."""

    index: int  #: of this run, from 0
    time: float  #: simulated [s]
    step: int  #: steps since the start of the simulation


class Nearest(NamedTuple):
    """The nearest places of two things."""

    distance: float  #: m; negative: the depth of the overlap
    on_a: NDArray[np.float64]  #: on the surface of a [m]
    on_b: NDArray[np.float64]  #: on the surface of b [m]


class RayHit(NamedTuple):
    """First hit of a ray."""

    distance: float  #: from its origin [m]
    point: NDArray[np.float64]  #: m
    normal: NDArray[np.float64]  #: unit, outward
    thing: str  #: name of the rod or body


class Modes(NamedTuple):
    """Modes of small vibration; see `Simulation.modes`."""

    #: [count] rad/s, ascending; 0: a rigid motion; negative: unstable, minus its rate of growth
    omega: NDArray[np.float64]
    #: [count, velocities] displacements in the order of the velocities of the state, of unit
    #: modal mass
    shapes: NDArray[np.float64]

    @property
    def frequency(self) -> NDArray[np.float64]:
        """[count] Hz; NaN of rigid and unstable modes."""
        return np.where(self.omega > 0, self.omega / (2 * math.pi), np.nan)


class Linearisation(NamedTuple):
    """A step as dx' = a dx + b du; see `Simulation.linearise`."""

    #: [2n, 2n] by displacements, then velocities, in the order of the velocities of the state
    a: NDArray[np.float64]
    #: [2n, actuators] by the targets of the actuators
    b: NDArray[np.float64]
    #: columns, of both, in which contacts open, close, stick or slide at the state itself
    changed: int
