# SPDX-License-Identifier: Apache-2.0
"""Complementarity problems of steps, and their solutions beside those of other programs.

Siconos (Debian: python3-siconos) takes part where it is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from conftest import SCENES
from numpy.typing import NDArray

import lithe
import lithe.lcp

Array = NDArray[np.float64]
STRIDE = 6  # of a contact: the normal impulse, four directions of friction, the sliding speed


def violation(A: Array, b: Array, z: Array) -> float:
    """Largest |min(z, w)|, by NumPy."""
    return float(np.abs(np.minimum(z, A @ z + b)).max())


def problems(disks: int = 3, every: int = 40) -> Iterator[lithe.lcp.Problem]:
    """Those of an arm that sinks onto an inclined box; all contacts have friction."""
    scene = lithe.load(SCENES / "soft-arm-slope.yaml")
    sim = scene.set("parameters.disks", disks).simulate()
    for step in range(1, 1201):
        sim.step()
        found = lithe.lcp.problem(sim) if step % every == 0 else None
        if found is not None:
            yield found


def scaled(A: Array, b: Array) -> tuple[Array, Array, Array]:
    """Ruiz' scaling, which other programs do not do by themselves: A, b and factors of z."""
    rows, columns = np.ones(len(b)), np.ones(len(b))
    for _ in range(10):
        now = rows[:, None] * A * columns
        for factors, axis in ((rows, 1), (columns, 0)):
            norms = np.sqrt((now**2).sum(axis))
            factors /= np.sqrt(np.where(norms > 0, norms, 1))
    return rows[:, None] * A * columns, rows * b, columns


def test_a_small_problem_has_the_solution_by_hand() -> None:
    # z = (4/3, 7/3) solves A z = -b, and is positive
    for method in lithe.lcp.METHODS:
        found = lithe.lcp.solve([[2, 1], [1, 2]], [-5, -6], method)
        assert found.outcome == "solved" and found.residual < 1e-9
        np.testing.assert_allclose(found.z, [4 / 3, 7 / 3], atol=1e-8)


def test_a_problem_without_a_solution_is_a_ray() -> None:
    # w1 + w2 = -2 for all z
    found = lithe.lcp.solve([[1, -1], [-1, 1]], [-1, -1])
    assert found.outcome == "ray" and found.fell_back
    assert lithe.lcp.solve([[1, -1], [-1, 1]], [-1, -1], "lemke").outcome == "ray"


def test_wrong_problems_are_refused() -> None:
    with pytest.raises(lithe.BadInput, match=r"A is \(1, 2\) and b \(2,\)"):
        lithe.lcp.solve([[1, 2]], [1, 2])
    with pytest.raises(lithe.BadInput, match="not finite"):
        lithe.lcp.solve([[np.nan]], [1])
    with pytest.raises(lithe.BadInput, match="method is 'pgs', must be one of newton, lemke"):
        lithe.lcp.solve([[1]], [1], "pgs")
    with pytest.raises(lithe.BadInput, match=r"start is \(2,\), must be \[1\]"):
        lithe.lcp.solve([[1]], [1], start=[0, 0])


def test_a_step_without_lcp_has_no_problem() -> None:
    sim = lithe.load(SCENES / "soft-arm-slope.yaml").simulate()
    assert lithe.lcp.problem(sim) is None  # no step yet
    sim.step()
    assert lithe.lcp.problem(sim) is None  # nothing touches
    other = lithe.load(SCENES / "soft-arm.yaml").simulate()  # contact model convex
    other.advance(until=0.5)
    assert len(other.contacts) > 0 and lithe.lcp.problem(other) is None


def test_problems_of_an_arm_are_solved_by_both_methods_with_equal_normal_velocities() -> None:
    count = 0
    for problem in problems():
        found = [lithe.lcp.solve(problem.A, problem.b, method) for method in lithe.lcp.METHODS]
        assert all(one.outcome == "solved" and one.residual < 1e-7 for one in found)
        w = [(problem.A @ one.z + problem.b)[::STRIDE] for one in found]
        np.testing.assert_allclose(w[0], w[1], atol=1e-7)
        count += 1
    assert count >= 15


def agree(solve: Callable[[Array, Array], Array | None]) -> tuple[int, int]:
    """Problems, and how many the other program solves; there the normal velocities must agree."""
    count = solved = 0
    for problem in problems(disks=6):
        A, b, columns = scaled(problem.A, problem.b)
        y = solve(A, b)
        count += 1
        if y is None or violation(A, b, y) > 1e-9:
            continue
        solved += 1
        own = lithe.lcp.solve(problem.A, problem.b)
        assert own.outcome == "solved"
        w = problem.A @ (columns * y) + problem.b
        ours = problem.A @ own.z + problem.b
        np.testing.assert_allclose(w[::STRIDE], ours[::STRIDE], atol=1e-7)
    print(f"{solved} of {count} problems are solved by the other program")
    return count, solved


def test_siconos_agrees_where_it_solves() -> None:
    numerics = pytest.importorskip("siconos.numerics", reason="Siconos is not installed")

    def lemke(A: Array, b: Array) -> Array | None:
        z, w = np.zeros(len(b)), np.zeros(len(b))
        options = numerics.SolverOptions(numerics.SICONOS_LCP_LEMKE)
        info = numerics.linearComplementarity_driver(numerics.LCP(A, b), z, w, options)
        return z if info == 0 else None

    count, solved = agree(lemke)
    assert count >= 15 and solved >= 0.5 * count


def test_the_report_of_each_step_is_recorded(tmp_path: Path) -> None:
    scene = lithe.load(SCENES / "soft-arm-slope.yaml").set("record.every", "1 ms")
    sim = scene.simulate()
    names = ["contacts", "contacts_dropped", "contacts_returned", "normals_condition", "fall_backs",
             "weakened", "solve_iterations", "solve_residual"]
    seen = []
    for _ in sim.run(until=0.8, every=0, record=tmp_path / "arm.h5"):
        seen.append([getattr(sim.report, name) for name in names])
    recording = lithe.open(tmp_path / "arm.h5")
    stored = np.stack([np.ravel(recording[f"report.{name}"]) for name in names], axis=1)
    np.testing.assert_allclose(stored[-len(seen):], np.array(seen, float), rtol=1e-6)
    # contacts beyond the rank of the normals are dropped, and nothing had to be weakened
    assert stored[:, 1].max() >= 1 and stored[:, 3].max() > 1 and stored[:, 5].max() == 0
    assert stored[:, 7].max() <= 1e-7
