# SPDX-License-Identifier: Apache-2.0
"""Plans from Python: the solution, and the problem for other solvers."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import SCENES

import lithe


def short() -> lithe.Scene:
    """20 degrees in five steps."""
    scene = lithe.load(SCENES / "plan-x.yaml")
    scene.set("plan.steps", 5)
    scene.set("plan.duration", "0.4 s")
    scene.set("plan.directions", 4)
    scene.set("plan.target", "{axis: [1, 0, 0], angle: 20 deg}")
    return scene


def test_a_plan_turns_the_ball_and_satisfies_its_problem() -> None:
    scene = short()
    plan = lithe.plan(scene)
    assert plan.converged and plan.products <= 1.02e-6 and plan.residual <= 1e-8
    assert plan.error < 1e-4 and plan.touching > 0
    assert not plan.levels[0]["dynamic"] and plan.levels[-1]["dynamic"]
    assert plan["efforts"].shape == (5, 9) and (plan["normal"] > 1e-3).sum() == plan.touching
    assert np.allclose(np.linalg.norm(plan["quaternion"], axis=1), 1, atol=1e-9)
    # nearly the target: mirrored in y and z by the base of the arm
    assert np.allclose(plan["quaternion"][-1, :2], np.cos(np.deg2rad([10, 80])), atol=1e-2)
    assert np.allclose(plan.time, 0.08 * np.arange(1, 6))

    nlp = lithe.Problem(scene).nlp()
    g = nlp.g(plan.x)
    assert nlp.n == plan.x.size and nlp.m == g.size == nlp.low.size
    assert (g >= nlp.low - 1e-8).all() and (g <= nlp.high + 1e-8).all()
    assert (plan.x >= nlp.lower).all() and (plan.x <= nlp.upper).all()
    assert nlp.f(plan.x) == pytest.approx(plan.levels[-1]["cost"], rel=1e-9)


def test_derivatives_of_the_problem_equal_differences() -> None:
    nlp = lithe.Problem(short()).nlp()
    nlp.relax(1e-2)
    x = nlp.start + 1e-3 * np.sin(0.7 * np.arange(nlp.n))
    d = np.cos(2.1 * np.arange(nlp.n))
    y = np.sin(1.3 * np.arange(nlp.m))
    h = 1e-6
    jacobian, hessian = np.zeros((nlp.m, nlp.n)), np.zeros((nlp.n, nlp.n))
    np.add.at(jacobian, (nlp.jacobian_row, nlp.jacobian_column), nlp.jacobian(x))
    np.add.at(hessian, (nlp.hessian_row, nlp.hessian_column), nlp.hessian(x, y))
    assert (nlp.hessian_row >= nlp.hessian_column).all()
    hessian += np.tril(hessian, -1).T

    def slope(at: np.ndarray) -> np.ndarray:
        rows = np.zeros((nlp.m, nlp.n))
        np.add.at(rows, (nlp.jacobian_row, nlp.jacobian_column), nlp.jacobian(at))
        gradient: np.ndarray = nlp.gradient(at) + rows.T @ y
        return gradient

    assert nlp.gradient(x) @ d == pytest.approx(
        (nlp.f(x + h * d) - nlp.f(x - h * d)) / (2 * h), rel=1e-6
    )
    exact, differences = jacobian @ d, (nlp.g(x + h * d) - nlp.g(x - h * d)) / (2 * h)
    assert np.allclose(exact, differences, rtol=1e-4, atol=1e-5)
    exact, differences = hessian @ d, (slope(x + h * d) - slope(x - h * d)) / (2 * h)
    assert np.abs(exact - differences).max() < 1e-4 * np.abs(exact).max()


def test_bad_plans_are_refused() -> None:
    scene = short()
    scene.set("plan.disk", "ball")
    with pytest.raises(lithe.BadInput, match="no disk of an arm"):
        lithe.plan(scene)
    with pytest.raises(lithe.BadInput, match="has no plan"):
        lithe.plan(lithe.load(SCENES / "pendulum.yaml"))
    nlp = lithe.Problem(short()).nlp()
    with pytest.raises(ValueError, match="must have 215 numbers"):
        nlp.f(np.zeros(3))
    with pytest.raises(lithe.BadInput, match="must be > 0"):
        nlp.relax(0)
    with pytest.raises(KeyError, match="known: lengths"):
        lithe.plan(short())["torque"]


def test_a_limit_of_time_returns_what_there_is() -> None:
    with pytest.warns(RuntimeWarning, match="the plan did not converge: stopped at the limit"):
        plan = lithe.plan(lithe.load(SCENES / "plan-x.yaml"), max_time=0.01)
    assert not plan.converged and plan.x.size == 100 * 49


def test_two_fingers_turn_a_box() -> None:
    scene = lithe.load(SCENES / "plan-hand.yaml")
    scene.set("plan.steps", 25)
    plan = lithe.plan_hand(scene)
    assert plan.converged and plan.place < 5e-3 and plan.angle < np.deg2rad(2)
    assert plan.products <= 1.02e-6 and plan.residual <= 1e-8
    assert plan["box"].shape == (25, 3) and plan["normal"].shape == (25, 6)
    assert abs(plan["box"][-1, 2] + np.pi / 2) < np.deg2rad(2)
    assert np.allclose(plan["normal"][-1].sum(), 0.2 * 9.81, atol=1)
    assert np.allclose(plan.time, 0.08 * np.arange(1, 26))
    with pytest.raises(KeyError, match="known: angles"):
        plan["lengths"]
    with pytest.raises(lithe.BadInput, match="lithe.plan_hand"):
        lithe.plan(scene)
    with pytest.raises(lithe.BadInput, match="no plan of a hand"):
        lithe.plan_hand(lithe.load(SCENES / "pendulum.yaml"))
