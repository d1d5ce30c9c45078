# SPDX-License-Identifier: Apache-2.0
"""Plans from Python: the solution, and the problem for other solvers."""

from __future__ import annotations

import os
import pickle
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

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


def test_quantities_of_another_problem_are_refused() -> None:
    problem, same = lithe.Problem(short()), lithe.Problem(short())
    scene = short()
    scene.set("plan.directions", 6)
    hand = lithe.HandProblem(lithe.load(SCENES / "plan-hand.yaml"))
    for other in (lithe.Problem(scene).now["friction"], hand.now["normal"], hand.now.tip("left")):
        with pytest.raises(lithe.BadInput, match="a quantity of another problem"):
            problem.minimise(problem.now["normal"] + other[0])
    with pytest.raises(lithe.BadInput, match="a quantity of another problem"):
        hand.constrain(problem.now["efforts"], low=-1)
    problem.minimise(same.now["normal"])  # the variables are the same ones
    for limit in (-1, np.nan):
        with pytest.raises(lithe.BadInput, match="max_time is .* s, must be >= 0"):
            problem.solve(max_time=limit)
        with pytest.raises(lithe.BadInput, match="max_time is .* s, must be >= 0"):
            hand.solve(max_time=limit)


def test_a_limit_of_time_returns_what_there_is() -> None:
    with pytest.warns(RuntimeWarning, match="the plan did not converge: stopped at the limit"):
        plan = lithe.plan(lithe.load(SCENES / "plan-x.yaml"), max_time=0.01)
    assert not plan.converged and plan.x.size == 100 * 49


@pytest.fixture
def alarm() -> Iterator[Callable[[Callable[[int, FrameType | None], object]], None]]:
    """Sends SIGINT to a handler after 0.2 s of processor time of the caller: however busy the machine
    is, the solver has begun by then, and a plan of 400 steps is not complete."""
    before = signal.getsignal(signal.SIGINT)
    main = time.pthread_getcpuclockid(threading.get_ident())
    over = threading.Event()

    def send(at: float) -> None:
        while time.clock_gettime(main) < at:
            if over.wait(0.005):
                return
        os.kill(os.getpid(), signal.SIGINT)

    thread: list[threading.Thread] = []

    def begin(handler: Callable[[int, FrameType | None], object]) -> None:
        signal.signal(signal.SIGINT, handler)
        thread.append(threading.Thread(target=send, args=(time.clock_gettime(main) + 0.2,)))
        thread[0].start()

    yield begin
    over.set()
    for sender in thread:
        sender.join()
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("name", ["plan-x.yaml", "plan-hand.yaml"])
def test_ctrl_c_returns_the_best_plan(
    name: str, alarm: Callable[[Callable[[int, FrameType | None], object]], None]
) -> None:
    scene = lithe.load(SCENES / name)
    scene.set("plan.steps", 400)
    problem = lithe.HandProblem(scene) if "hand" in name else lithe.Problem(scene)
    alarm(signal.default_int_handler)
    with pytest.warns(RuntimeWarning, match="the plan did not converge: stopped on request"):
        plan = problem.solve()
    assert not plan.converged and np.all(np.isfinite(plan.x)) and np.any(plan.x != 0)


def test_another_handler_of_ctrl_c_raises(
    alarm: Callable[[Callable[[int, FrameType | None], object]], None],
) -> None:
    def handler(number: int, frame: FrameType | None) -> None:
        raise OSError("the handler")

    scene = lithe.load(SCENES / "plan-x.yaml")
    scene.set("plan.steps", 400)
    problem = lithe.Problem(scene)
    alarm(handler)
    with pytest.raises(OSError, match="the handler"):
        problem.solve()


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


def short_hand(*more: str, folder: Path | None = None) -> lithe.Scene:
    """The hand with half as many steps, and bodies more."""
    path = SCENES / "plan-hand.yaml"
    if folder is not None:
        text = "\n".join(["lithe: 1", f"include: {path}", "bodies:", *more])
        path = folder / "hand.yaml"
        path.write_text(text)
    scene = lithe.load(path)
    scene.set("plan.steps", 25)
    return scene


def test_costs_and_constraints_of_a_hand() -> None:
    free = lithe.plan_hand(short_hand())
    assert np.abs(free["efforts"]).max() > 0.2
    problem = lithe.HandProblem(short_hand())
    now, before = problem.now, problem.before
    problem.constrain(now["efforts"], low=-0.16, high=0.16, name="torque")
    problem.constrain(now.tip("right")[1], low=0.085, name="height")
    problem.constrain(now["speeds"], low=0, high=0, steps=-1, name="rest")
    limit = np.linspace(2, 0.5, 25)
    problem.constrain(problem.data(limit) - now["normal"][0], low=0, name="push")
    problem.minimise(1e-3 * (now["normal"] - before["normal"])[:2] ** 2)
    problem.minimise(1e-2 * now.tip_velocity("left") ** 2, name="hurry")
    plan = problem.solve()
    assert plan.converged and plan.products <= 1.02e-6 and plan.residual <= 1e-8
    assert plan.place < 5e-3 and plan.angle < np.deg2rad(2)
    assert np.abs(plan["efforts"]).max() <= 0.16 + 1e-8
    assert np.abs(plan["speeds"][-1]).max() < 1e-8 < np.abs(plan["speeds"]).max()
    assert (plan["normal"][:, 0] <= limit + 1e-8).all()
    # the height by the angles of both joints: links of 16 and 14 cm below 28 cm
    first = plan["angles"][:, 2]
    second = first + plan["angles"][:, 3]
    height = 0.28 - 0.16 * np.cos(first) - 0.14 * np.cos(second)
    assert height.min() > 0.085 - 1e-8
    other = free["angles"][:, 2] + free["angles"][:, 3]
    assert (0.28 - 0.16 * np.cos(free["angles"][:, 2]) - 0.14 * np.cos(other)).min() < 0.075
    assert plan["friction"].shape == (25, 6)


def test_the_problem_of_a_hand_for_other_solvers() -> None:
    """A plan satisfies it, its cost is that of the plan; derivatives are exact (Taylor)."""
    problem = lithe.HandProblem(short_hand())
    plain = problem.nlp()
    assert plain.n == 25 * 54 and plain.m == 25 * (26 + 44)
    problem.constrain(problem.now["efforts"], low=-0.2, high=0.2, name="torque")
    problem.minimise(1e-2 * problem.now.tip_velocity("left") ** 2)
    nlp, plan = problem.nlp(), problem.solve()
    assert nlp.n == plain.n and nlp.m == plain.m + 25 * 8 and plan.converged
    g = nlp.g(plan.x)
    assert (g >= nlp.low - 1e-6).all() and (g <= nlp.high + 1e-6).all()
    assert (plan.x >= nlp.lower).all() and (plan.x <= nlp.upper).all()
    assert nlp.f(plan.x) == pytest.approx(plan.cost, rel=1e-9)
    assert plain.f(plan.x) < nlp.f(plan.x)
    nlp.relax(1e-2)
    x = plan.x + 1e-2 * np.sin(0.7 * np.arange(nlp.n))
    d, y = 0.1 * np.cos(2.1 * np.arange(nlp.n)), np.sin(1.3 * np.arange(nlp.m))
    turned = np.zeros(nlp.n)
    np.add.at(turned, nlp.jacobian_column, nlp.jacobian(x) * y[nlp.jacobian_row])
    entries = nlp.hessian(x, y) * d[nlp.hessian_row] * d[nlp.hessian_column]
    first = (nlp.gradient(x) + turned) @ d
    second = entries @ np.where(nlp.hessian_row == nlp.hessian_column, 1, 2)

    def miss(t: float) -> float:
        value = nlp.f(x + t * d) + y @ nlp.g(x + t * d)
        return float(abs(value - nlp.f(x) - y @ nlp.g(x) - t * first - t * t / 2 * second))

    order = np.log2(miss(4e-3) / miss(2e-3))
    assert 2.9 < order < 3.1, order
    with pytest.raises(lithe.BadInput, match="epsilon is 0"):
        nlp.relax(0)


def test_terms_of_a_hand_that_cannot_be() -> None:
    problem = lithe.HandProblem(short_hand())
    with pytest.raises(KeyError, match="known: angles"):
        problem.now["lengths"]
    with pytest.raises(lithe.BadInput, match="'middle' is no finger; known: left, right"):
        problem.now.tip("middle")
    with pytest.raises(lithe.BadInput, match="at the end of a step"):
        problem.before.tip("left")
    problem.constrain(problem.now.tip("left")[1], low=1, name="far too high")
    with pytest.warns(RuntimeWarning, match="largest violation: constraint 'far too high'"):
        problem.solve()


def distances_from_post(plan: lithe.HandPlan, at: tuple[float, float], radius: float) -> list[float]:
    """Least distances of both tips (12 mm) and of the box (10 cm) from a sphere, exactly."""
    least = []
    for finger, base in enumerate((-0.1, 0.1)):
        first = plan["angles"][:, 2 * finger]
        second = first + plan["angles"][:, 2 * finger + 1]
        x = base + 0.16 * np.sin(first) + 0.14 * np.sin(second)
        z = 0.28 - 0.16 * np.cos(first) - 0.14 * np.cos(second)
        least.append(float(np.hypot(x - at[0], z - at[1]).min() - 0.012 - radius))
    x, z, angle = plan["box"].T
    c, s = np.cos(angle), np.sin(angle)
    own = np.abs([c * (at[0] - x) + s * (at[1] - z), c * (at[1] - z) - s * (at[0] - x)]) - 0.05
    outside = np.hypot(*np.maximum(own, 0))
    least.append(float((outside + np.minimum(own.max(axis=0), 0)).min() - radius))
    return least


def test_a_hand_keeps_away_from_an_obstacle(tmp_path: Path) -> None:
    post = (
        "  post: {fixed: true, at: [-1 cm, 0, 15 cm], "
        "shapes: [{sphere: {radius: 12 mm}, material: rubber%s}]}"
    )
    at, radius = (-0.01, 0.15), 0.012
    free = lithe.plan_hand(short_hand())
    entered = distances_from_post(free, at, radius)
    assert entered[1] < -5e-3 and entered[2] < -1e-3
    plan = lithe.plan_hand(short_hand(post % "", folder=tmp_path))
    assert plan.converged and plan.place < 5e-3 and plan.angle < np.deg2rad(2)
    kept = distances_from_post(plan, at, radius)
    assert min(kept) >= 0 and kept[2] < 1e-3
    wide = short_hand(post % "", folder=tmp_path)
    wide.set("plan.clearance", "1 mm")
    assert min(distances_from_post(lithe.plan_hand(wide), at, radius)) >= 1e-3
    # a sphere that nothing of the hand can touch is no obstacle
    other = lithe.plan_hand(short_hand(post % ", mask: none", folder=tmp_path))
    assert np.array_equal(other.x, free.x)
    with pytest.raises(lithe.BadInput, match="the box from 'post' is short by .* at the start"):
        lithe.plan_hand(short_hand(post.replace("15 cm", "11 cm") % "", folder=tmp_path))
    with pytest.raises(lithe.BadInput, match="body 'post' cannot be planned"):
        lithe.plan_hand(short_hand(post.replace("fixed: true", "fixed: false") % "", folder=tmp_path))


def between_disks() -> lithe.Scene:
    """The ball lies between two disks, which turn it by 10 degrees about the axis of the arm."""
    scene = lithe.load(SCENES / "plan-body.yaml")
    scene.set("bodies.ball.at", "[0, -0.087, -0.24375]")
    scene.set("joints.centre.at", "[0, -0.087, -0.24375]")
    scene.set("plan.disk", "[trunk/2-2, trunk/2-3]")
    scene.set("plan.steps", 8)
    scene.set("plan.duration", "0.32 s")
    scene.set("plan.target", "{axis: [0, 0, 1], angle: 10 deg}")
    return scene


def test_two_disks_touch_at_a_time() -> None:
    plan = lithe.plan(between_disks())
    assert plan.converged and plan.products <= 1.02e-6 and plan.residual <= 1e-8
    assert plan.disks == ("trunk/2-2", "trunk/2-3") and plan.together > 3
    assert plan["normal"].shape == plan["gap"].shape == (8, 2)
    assert plan["slip"].shape == (8, 2, 2) and plan["friction"].shape == (8, 2, 4)
    touching = plan["normal"] > 1e-3
    assert touching.any(axis=1).sum() == plan.touching
    assert touching.all(axis=1).sum() == plan.together
    assert (plan["normal"] * plan["gap"]).max() <= plan.products
    # friction stays in the cone of each disk
    assert (plan["friction"].sum(axis=2) <= 0.6 * plan["normal"] + 1e-6).all()


def test_terms_have_the_contacts_of_all_disks() -> None:
    problem = lithe.Problem(between_disks())
    normal = problem.now["normal"]
    assert normal.shape == (2,) and problem.now["friction"].shape == (2, 4)
    problem.constrain(normal, high=0.12, name="gentle")
    plan = problem.solve()
    assert plan.converged and plan["normal"].max() <= 0.12 + 1e-6
    assert (plan["normal"] > 0.01).any(axis=0).all()


def user_problem() -> lithe.Problem:
    """Costs and constraints of all kinds of quantities."""
    problem = lithe.Problem(short())
    now, before = problem.now, problem.before
    tip = now.position("trunk/tip")
    problem.minimise((now["efforts"] - before["efforts"]) ** 2, name="jerk")
    problem.minimise(np.sqrt(now["spin"] @ now["spin"] + 0.1) / (1 + now["gap"]))
    problem.minimise(np.sin(tip[1]) * now["friction"][0], weight=np.arange(5.0))
    problem.constrain(tip[2] * now.velocity("trunk/2-3")[0], low=-1, high=1)
    problem.constrain(now.axis("trunk/3-2") @ now["quaternion"][1:], high=2.0, steps=slice(1, 4))
    problem.constrain(np.cos(now["lengths"][0]) - problem.data(np.linspace(0.9, 1, 5)), low=0, high=0,
                      steps=-1)
    turn = now.angular_velocity("trunk/1-2")
    problem.constrain((1 + turn @ turn) ** -1.5 * now["efforts"][3], low=-1e6)
    return problem


def test_derivatives_of_costs_and_constraints_are_exact() -> None:
    """The Lagrangian differs from its Taylor polynomial of second order by the third power."""
    plain, problem = lithe.Problem(short()).nlp(), user_problem()
    nlp = problem.nlp()
    # stand-ins of one equation; rows: 2 of bounds, 1, 1 equation, 1
    assert nlp.n == plain.n + 5 and nlp.m == plain.m + 5 * 5
    nlp.relax(1e-2)
    x = nlp.start + 1e-2 * np.sin(0.7 * np.arange(nlp.n))
    d = 0.1 * np.cos(2.1 * np.arange(nlp.n))
    y = np.sin(1.3 * np.arange(nlp.m))
    rows = np.zeros((nlp.m, nlp.n))
    np.add.at(rows, (nlp.jacobian_row, nlp.jacobian_column), nlp.jacobian(x))
    hessian = np.zeros((nlp.n, nlp.n))
    np.add.at(hessian, (nlp.hessian_row, nlp.hessian_column), nlp.hessian(x, y))
    hessian += np.tril(hessian, -1).T
    first = (nlp.gradient(x) + rows.T @ y) @ d
    second = d @ hessian @ d

    def miss(t: float) -> float:
        value = nlp.f(x + t * d) + y @ nlp.g(x + t * d)
        return float(abs(value - nlp.f(x) - y @ nlp.g(x) - t * first - t * t / 2 * second))

    order = np.log2(miss(4e-3) / miss(2e-3))
    assert 2.9 < order < 3.1, order
    # a cost and a constraint in numbers
    assert nlp.f(x) != pytest.approx(plain_cost(plain, nlp, x), rel=1e-3)


def plain_cost(plain: lithe.Nlp, nlp: lithe.Nlp, x: np.ndarray) -> float:
    """The cost without those of the user, at the same variables."""
    own = x.reshape(5, -1)[:, : plain.n // 5].ravel()
    return plain.f(own)


def test_positions_are_those_of_the_simulation() -> None:
    scene = short()
    problem = lithe.Problem(scene)
    for disk in ("trunk/1-1", "trunk/2-3", "trunk/tip"):
        problem.constrain(problem.now.position(disk), low=-10)
        problem.constrain(problem.now.axis(disk), low=-10)
    nlp = problem.nlp()
    lengths = 0.06 + 0.02 * np.sin(np.arange(9))
    x = nlp.start.copy()
    x[:9] = lengths
    found = nlp.g(x).reshape(5, -1)[0, -18:].reshape(3, 2, 3) - 10
    scene.set("arms.trunk.start", f"[{', '.join(map(str, lengths))}]")
    sim = scene.simulate() if hasattr(scene, "simulate") else lithe.Simulation(scene)
    for (at, axis), disk in zip(found, ("trunk/1-1", "trunk/2-3", "trunk/tip"), strict=True):
        assert np.allclose(at, sim.bodies[disk].position, atol=1e-12)
        w, u = sim.bodies[disk].rotation[0], sim.bodies[disk].rotation[1:]
        z = np.array([0.0, 0.0, 1.0])
        turned = z + 2 * np.cross(u, np.cross(u, z) + w * z)
        assert np.allclose(axis, turned, atol=1e-12)


def test_constraints_of_the_user_hold() -> None:
    free = lithe.plan(short())
    problem = lithe.Problem(short())
    now = problem.now
    top = 0.7 * np.abs(free["efforts"][:, 3:6]).max()
    problem.constrain(now["efforts"][3:6], low=-top, high=top, name="middle section")
    problem.constrain(now["lengths"][0] - now["lengths"][1], low=0, high=0, name="same length")
    plan = problem.solve()
    assert plan.converged and plan.residual <= 1e-8
    assert np.abs(plan["efforts"][:, 3:6]).max() <= top + 1e-8 < np.abs(free["efforts"][:, 3:6]).max()
    assert np.abs(plan["lengths"][:, 0] - plan["lengths"][:, 1]).max() <= 1e-8
    # a cost moves the solution
    slow = lithe.Problem(short())
    slow.minimise(slow.now["speeds"] ** 2, weight=100, name="speeds")
    gentle = slow.solve()
    assert gentle.converged
    assert (gentle["speeds"] ** 2).sum() < 0.9 * (free["speeds"] ** 2).sum()


def test_a_constraint_of_the_last_step_holds_there_only() -> None:
    free = lithe.plan(short())
    problem = lithe.Problem(short())
    tip = problem.now.position("trunk/tip")
    goal = -0.64
    problem.constrain(tip[2], low=goal, high=goal, steps=-1, name="height")
    plan = problem.solve()
    assert plan.converged
    last = lithe.Problem(short())
    last.constrain(last.now.position("trunk/tip")[2], low=-10)
    n = free.x.size

    def heights(of: lithe.Plan) -> np.ndarray:
        own = of.x.reshape(5, -1)[:, : n // 5].ravel()
        return last.nlp().g(own).reshape(5, -1)[:, -1] - 10

    assert abs(heights(plan)[-1] - goal) <= 1e-8
    assert abs(heights(plan)[0] - goal) > 1e-4 and abs(heights(free)[-1] - goal) > 1e-4


def test_what_cannot_hold_is_named() -> None:
    problem = lithe.Problem(short())
    problem.constrain(problem.now["gap"], high=-1.0, name="inside")
    with pytest.warns(RuntimeWarning, match=r"constraint 'inside', by 1.*, in step \d of 5"):
        assert not problem.solve(max_time=20).converged


def test_bad_expressions_are_refused() -> None:
    problem = lithe.Problem(short())
    now = problem.now
    with pytest.raises(lithe.BadInput, match="'trunk/9-9' is no disk of the arm; known: trunk/1-1"):
        now.position("trunk/9-9")
    with pytest.raises(lithe.BadInput, match="known at the end of a step"):
        problem.before.position("trunk/tip")
    with pytest.raises(KeyError, match="known: lengths"):
        now["torque"]
    with pytest.raises(lithe.BadInput, match="'c' has neither low nor high"):
        problem.constrain(now["gap"], name="c")
    with pytest.raises(lithe.BadInput, match="'c' is from 1.0 to 0.0, must be in order"):
        problem.constrain(now["gap"], low=1, high=0, name="c")
    with pytest.raises(lithe.BadInput, match="holds in none of the 5 steps"):
        problem.constrain(now["gap"], low=1, steps=[], name="c")
    with pytest.raises(lithe.BadInput, match="power is 0.3"):
        now["gap"] ** 0.3
    with pytest.raises(lithe.BadInput, match="nan is in an expression, must be finite"):
        now["gap"] * float("nan")
    with pytest.raises(lithe.BadInput, match="must have 5 rows"):
        problem.data([1.0, 2.0])
    with pytest.raises(lithe.BadInput, match="must be a number or 5 numbers"):
        problem.minimise(now["gap"], weight=[1.0, 2.0])
    with pytest.raises(TypeError, match="an expression has no value"):
        bool(now["gap"] > 0)


def test_later_changes_of_the_scene_are_not_in_a_problem() -> None:
    scene = short()
    problem = lithe.Problem(scene)
    problem.constrain(problem.now["efforts"], low=-70, high=70)
    scene.set("plan.steps", 7).set("plan.directions", 6)
    plan = problem.solve()
    assert plan["efforts"].shape == (5, 9) and plan["friction"].shape == (5, 4)
    assert np.allclose(plan.time, 0.08 * np.arange(1, 6))
    hand = lithe.load(SCENES / "plan-hand.yaml").set("plan.steps", 10)
    other = lithe.HandProblem(hand)
    hand.set("plan.steps", 5)
    assert other.solve()["box"].shape == (10, 3) and other.time.shape == (10,)


def test_plans_in_threads_are_those_of_one_thread() -> None:
    scenes = [short(), short().set("plan.target", "{axis: [1, 0, 0], angle: 15 deg}")]
    alone = [lithe.plan(scene).x for scene in scenes]
    found: dict[int, list[np.ndarray]] = {0: [], 1: []}

    def solve(i: int) -> None:
        for _ in range(2):
            found[i].append(lithe.plan(scenes[i]).x)

    threads = [threading.Thread(target=solve, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in (0, 1):
        assert len(found[i]) == 2 and all(np.array_equal(x, alone[i]) for x in found[i])


def test_problems_are_pickled_with_their_terms() -> None:
    problem = user_problem()
    again = pickle.loads(pickle.dumps(problem))
    x = problem.nlp().start + 0.01
    nlp, other = problem.nlp(), again.nlp()
    assert (nlp.m, nlp.f(x)) == (other.m, other.f(x)) and (nlp.g(x) == other.g(x)).all()
    # terms that come later are those of one problem, also with expressions of the other
    again.minimise(problem.now["normal"] ** 2)
    assert again.nlp().f(x) > nlp.f(x) and problem.nlp().f(x) == nlp.f(x)

    nlp.relax(0.5, dynamic=False)
    nlp.start[:] = x
    loose = pickle.loads(pickle.dumps(nlp))
    assert (loose.start == x).all() and (loose.g(x) == nlp.g(x)).all()
    assert not (loose.g(x) == other.g(x)).all()

    hand = lithe.HandProblem(short_hand())
    hand.constrain(hand.now["efforts"], low=-0.16, high=0.16)
    copy = pickle.loads(pickle.dumps(hand)).nlp()
    assert copy.m == hand.nlp().m > lithe.HandProblem(short_hand()).nlp().m
    assert (pickle.loads(pickle.dumps(copy)).g(copy.start) == copy.g(copy.start)).all()
