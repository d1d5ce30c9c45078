# SPDX-License-Identifier: Apache-2.0
"""Rigid worlds in Lithe and MuJoCo, side by side in one run. python bench/peers.py [CASE ...]

Each case is one MJCF model, made below, which both programs read. Both make the same number of
steps of the same length from the same state; a time is the least processor time of a window of
steps over repeats that alternate between the programs. Lithe runs with its own settings, and with
settings like those of MuJoCo: one stage and one linearisation per step (implicitfast has one),
contacts of faces at their corners, no certificate. Needs build/liblithe.so (tools/build) and
`pip install mujoco`; nothing else of the project uses MuJoCo. None of the times is a test.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import platform
import re
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent

# --- models ---------------------------------------------------------------------------------------


def model(name: str, world: str, defaults: str = "") -> str:
    return (f'<mujoco model="{name}"><compiler angle="degree"/>'
            f"<default>{defaults}</default><worldbody>{world}</worldbody></mujoco>")


def arm() -> str:
    """Seven hinges in turn about z and y, links of 25 cm, which hang from a bent pose."""
    inner = ""
    for k in reversed(range(7)):
        axis = "0 0 1" if k % 2 == 0 else "0 1 0"
        place = "0 0 0" if k == 0 else "0 0 0.25"
        inner = (f'<body name="link{k}" pos="{place}" euler="0 {8 * k} 0">'
                 f'<joint name="joint{k}" axis="{axis}" damping="0.5" armature="0.01"/>'
                 f'<geom type="capsule" fromto="0 0 0 0 0 0.25" size="{0.05 - 0.004 * k:.3f}" '
                 f'contype="0" conaffinity="0"/>{inner}</body>')
    return model("arm", inner)


def boxes() -> str:
    """A hundred boxes of 10 cm, each at rest on the floor by its four lower corners."""
    world = '<geom name="floor" type="plane" size="0 0 1"/>'
    for k in range(100):
        x, y = 0.2 * (k % 10), 0.2 * (k // 10)
        world += (f'<body name="box{k}" pos="{x:.1f} {y:.1f} 0.05"><freejoint/>'
                  '<geom type="box" size="0.05 0.05 0.05"/></body>')
    return model("boxes", world, '<geom friction="0.5"/>')


def humanoid() -> str:
    """Trunk, head, arms and legs of capsules, 21 hinges and a free joint, dropped on the floor."""

    def hinge(name: str, axis: str, low: float, high: float) -> str:
        return f'<joint name="{name}" axis="{axis}" range="{low} {high}"/>'

    def rod(name: str, end: str, size: float) -> str:
        return f'<geom name="{name}" type="capsule" fromto="0 0 0 {end}" size="{size}"/>'

    def leg(side: str, y: float, sign: int) -> str:
        return (f'<body name="{side}_thigh" pos="0 {y} -0.06">'
                + hinge(f"{side}_hip_x", f"{sign} 0 0", -30, 10)
                + hinge(f"{side}_hip_z", f"0 0 {sign}", -60, 35)
                + hinge(f"{side}_hip_y", "0 1 0", -120, 20)
                + rod(f"{side}_thigh", "0 0 -0.38", 0.06)
                + f'<body name="{side}_shin" pos="0 0 -0.42">'
                + hinge(f"{side}_knee", "0 -1 0", -150, 2)
                + rod(f"{side}_shin", "0 0 -0.34", 0.05)
                + f'<body name="{side}_foot" pos="0 0 -0.4">'
                + hinge(f"{side}_ankle_y", "0 1 0", -50, 50)
                + hinge(f"{side}_ankle_x", "1 0 0", -40, 40)
                + f'<geom name="{side}_toe" type="capsule" fromto="-0.07 0 0 0.16 0 0" size="0.035"/>'
                + "</body></body></body>")

    def side_arm(side: str, y: float, sign: int) -> str:
        return (f'<body name="{side}_upper" pos="0 {y} 0.06">'
                + hinge(f"{side}_shoulder_1", f"2 {sign} {sign}", -85, 60)
                + hinge(f"{side}_shoulder_2", f"0 {-sign} {sign}", -85, 60)
                + rod(f"{side}_upper", f"0.14 {0.14 * sign} -0.14", 0.04)
                + f'<body name="{side}_fore" pos="0.16 {0.16 * sign} -0.16">'
                + hinge(f"{side}_elbow", f"0 {-sign} {-sign}", -90, 50)
                + rod(f"{side}_fore", f"0.15 {-0.15 * sign} 0.15", 0.031)
                + f'<geom name="{side}_hand" type="sphere" size="0.04" '
                + f'pos="0.18 {-0.18 * sign} 0.18"/></body></body>')

    excluded = [("trunk", "waist"), ("waist", "pelvis"), ("trunk", "pelvis")]
    for side in ("left", "right"):
        excluded += [("trunk", f"{side}_upper"), ("pelvis", f"{side}_thigh"),
                     ("waist", f"{side}_thigh"), (f"{side}_thigh", f"{side}_shin"),
                     (f"{side}_shin", f"{side}_foot"), (f"{side}_upper", f"{side}_fore")]
    world = (
        '<geom name="floor" type="plane" size="0 0 1"/>'
        '<body name="trunk" pos="0 0 1.35"><freejoint name="root"/>'
        '<geom name="chest" type="capsule" fromto="0 -0.08 0 0 0.08 0" size="0.08"/>'
        '<geom name="head" type="sphere" pos="0 0 0.2" size="0.09"/>'
        '<body name="waist" pos="0 0 -0.17">'
        + hinge("abdomen_z", "0 0 1", -45, 45) + hinge("abdomen_y", "0 1 0", -75, 30)
        + '<geom name="waist" type="capsule" fromto="0 -0.06 0 0 0.06 0" size="0.07"/>'
        '<body name="pelvis" pos="0 0 -0.15">' + hinge("abdomen_x", "1 0 0", -35, 35)
        + '<geom name="seat" type="capsule" fromto="0 -0.07 0 0 0.07 0" size="0.09"/>'
        + leg("left", 0.1, -1) + leg("right", -0.1, 1) + "</body></body>"
        + side_arm("left", 0.17, 1) + side_arm("right", -0.17, -1) + "</body>")
    text = model("humanoid", world,
                 '<geom friction="0.7" density="1000"/><joint damping="2" armature="0.01"/>')
    pairs = "".join(f'<exclude body1="{a}" body2="{b}"/>' for a, b in excluded)
    return text.replace("</mujoco>", f"<contact>{pairs}</contact></mujoco>")


def rings() -> str:
    """Thirty rings of 12 capsules, alternately turned by 90 degrees, hang from the first one."""
    count, parts, radius, size = 30, 12, 0.03, 0.005
    world = ""
    for k in range(count):
        points = [(radius * math.cos(2 * math.pi * i / parts),
                   radius * math.sin(2 * math.pi * i / parts)) for i in range(parts + 1)]
        geoms = "".join(
            f'<geom type="capsule" size="{size}" fromto="{a[0]:.6f} 0 {a[1]:.6f} '
            f'{b[0]:.6f} 0 {b[1]:.6f}"/>' for a, b in zip(points, points[1:]))
        free = "<freejoint/>" if k > 0 else ""
        world += (f'<body name="ring{k}" pos="0 0 {-k * (2 * radius - 2 * size - 1e-4):.6f}" '
                  f'euler="0 0 {90 * (k % 2)}">{free}{geoms}</body>')
    return model("rings", world, '<geom friction="0.4" density="2000"/>')


@dataclass
class Case:
    text: Callable[[], str]
    step: float
    before: int  # steps before the timed window
    window: int
    options: dict[str, list[str]]  # name: integrator and cone of MuJoCo
    touches: bool = True


CASES = {
    "arm": Case(arm, 1e-3, 200, 1000, {"implicitfast": ["implicitfast", "pyramidal"]}, False),
    "boxes": Case(boxes, 1e-3, 300, 50, {"implicitfast, elliptic": ["implicitfast", "elliptic"],
                                         "default (Euler, pyramidal)": ["Euler", "pyramidal"]}),
    "humanoid": Case(humanoid, 2e-3, 400, 200,
                     {"implicitfast, elliptic": ["implicitfast", "elliptic"],
                      "default (Euler, pyramidal)": ["Euler", "pyramidal"]}),
    "rings": Case(rings, 1e-3, 300, 50, {"implicitfast, elliptic": ["implicitfast", "elliptic"],
                                         "default (Euler, pyramidal)": ["Euler", "pyramidal"]}),
}

SCENE = """lithe: 1
time: {{step: {step}, end: 1000 s, scheme: {scheme}}}
contact: {{enabled: {touches}{settings}}}
materials:
  stuff: {{young: 1 MPa, density: 1000 kg/m^3, friction: 0.5, contact: {{stiffness: 1e5 N/m, dissipation: 5 s/m}}}}
robots:
  it: {{path: {path}, material: stuff}}
"""

# label: scheme and further settings of contact of Lithe
LITHE = {
    "like MuJoCo": ["backward-euler", ", passes: 1, faces: corners, certify: false"],
    "backward-euler": ["backward-euler", ""],
    "tr-bdf2 (default)": ["tr-bdf2", ""],
}

# --- the programs ---------------------------------------------------------------------------------


def text_size() -> int:
    """Room of LitheError.text: the library writes to all of it."""
    header = (ROOT / "include" / "lithe" / "base.h").read_text()
    return int(re.search(r"char text\[(\d+)\];", header)[1])


class Error(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int), ("line", ctypes.c_int32), ("column", ctypes.c_int32),
                ("text", ctypes.c_char * text_size())]


class Lithe:
    """A scene in build/liblithe.so, stepped from the state after `before` steps."""

    library: ctypes.CDLL

    @staticmethod
    def open() -> str:
        """Loads the library; its version."""
        c = Lithe.library = ctypes.CDLL(str(ROOT / "build" / "liblithe.so"))
        for name in ("context_create", "work_create", "state_copy", "state_data"):
            getattr(c, f"lithe_{name}").restype = ctypes.c_void_p
        c.lithe_version.restype = ctypes.c_char_p
        return c.lithe_version().decode()

    def __init__(self, scene: Path, before: int) -> None:
        c = Lithe.library
        self.error = Error()
        self.model, self.state = ctypes.c_void_p(), ctypes.c_void_p()
        made = ctypes.c_void_p()
        context = ctypes.c_void_p(c.lithe_context_create(None))
        self.check(c.lithe_scene_load(context, str(scene).encode(), None, 0, ctypes.byref(made),
                                      ctypes.byref(self.error)))
        self.check(c.lithe_compile(made, ctypes.byref(self.model), ctypes.byref(self.state),
                                   ctypes.byref(self.error)))
        self.work = ctypes.c_void_p(c.lithe_work_create(self.model, 1))
        self.steps(before)
        self.start = ctypes.c_void_p(c.lithe_state_copy(self.state))

    def check(self, status: int) -> None:
        if status:
            sys.exit(f"Lithe: {self.error.text.decode()}")

    def steps(self, count: int) -> None:
        step, arguments = Lithe.library.lithe_step, (self.model, self.state, self.work)
        for _ in range(count):
            self.check(step(*arguments, None, ctypes.byref(self.error)))

    def window(self, count: int) -> float:
        c = Lithe.library
        c.lithe_state_set(self.state, ctypes.c_void_p(c.lithe_state_data(self.start)))
        begin = time.process_time()
        self.steps(count)
        return (time.process_time() - begin) / count

    def contacts(self) -> int:
        return Lithe.library.lithe_work_contact_count(self.work)


class Mujoco:
    def __init__(self, text: str, case: Case, integrator: str, cone: str) -> None:
        import mujoco

        self.mujoco = mujoco
        self.model = mujoco.MjModel.from_xml_string(text)
        self.model.opt.timestep = case.step
        self.model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
        self.model.opt.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
        self.data = mujoco.MjData(self.model)
        self.start = mujoco.MjData(self.model)
        mujoco.mj_step(self.model, self.data, case.before)
        mujoco.mj_copyData(self.start, self.model, self.data)

    def window(self, count: int) -> float:
        self.mujoco.mj_copyData(self.data, self.model, self.start)
        begin = time.process_time()
        self.mujoco.mj_step(self.model, self.data, count)
        return (time.process_time() - begin) / count

    def contacts(self) -> int:
        return int(self.data.ncon)


# --- the table ------------------------------------------------------------------------------------


def compare(name: str, case: Case, repeats: int, folder: Path) -> None:
    text = case.text()
    path = folder / f"{name}.xml"
    path.write_text(text)
    programs: dict[str, Lithe | Mujoco] = {}
    for label, (scheme, settings) in LITHE.items():
        scene = folder / f"{name}-{label.split()[0]}.yaml"
        scene.write_text(SCENE.format(step=case.step, scheme=scheme, path=path.name,
                                      touches=str(case.touches).lower(), settings=settings))
        programs[f"Lithe, {label}"] = Lithe(scene, case.before)
    for label, (integrator, cone) in case.options.items():
        programs[f"MuJoCo, {label}"] = Mujoco(text, case, integrator, cone)
    best = dict.fromkeys(programs, math.inf)
    for _ in range(repeats):
        for label, program in programs.items():
            best[label] = min(best[label], program.window(case.window))
    peers = [best[label] for label in programs if label.startswith("MuJoCo")]
    print(f"\n{name}: {case.text.__doc__}\nsteps of {1e3 * case.step:g} ms, {case.window} of them "
          f"after {case.before}, best of {repeats}")
    head = "  ".join(f"over {label[8:]}" for label in programs if label.startswith("MuJoCo"))
    print(f"  {'':38}{'step [us]':>10}{'contacts':>10}   {head}")
    for label, program in programs.items():
        ratios = "  ".join(f"{best[label] / peer:.2f}" for peer in peers)
        print(f"  {label:38}{1e6 * best[label]:10.1f}{program.contacts():10d}   {ratios}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--keep", type=Path, help="write models and scenes into this folder")
    arguments = parser.parse_args()
    if arguments.repeats < 1:
        parser.error(f"--repeats is {arguments.repeats}, must be at least 1")
    for name in arguments.cases:
        if name not in CASES:
            parser.error(f"no case '{name}'; there are {', '.join(CASES)}")
    if not (ROOT / "build" / "liblithe.so").exists():
        sys.exit("bench/peers.py: no build/liblithe.so: run tools/build first")
    try:
        import mujoco
    except ImportError:
        print("bench/peers.py: skipped: the module mujoco is not installed (pip install mujoco)")
        return
    with tempfile.TemporaryDirectory() as scratch:
        folder = arguments.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        option = mujoco.MjModel.from_xml_string("<mujoco/>").opt
        print(f"Lithe {Lithe.open()}, contacts of 1e5 N/m, default tolerances (1e-6 of the momenta)\n"
              f"  like MuJoCo: {LITHE['like MuJoCo'][0]}{LITHE['like MuJoCo'][1]}\n"
              f"MuJoCo {mujoco.__version__}, default contacts, solver "
              f"{mujoco.mjtSolver(option.solver).name}, tolerance {option.tolerance:g}, at most "
              f"{option.iterations} iterations\nPython {platform.python_version()}, "
              f"{platform.machine()}, one thread, processor time")
        for name in arguments.cases or CASES:
            compare(name, CASES[name], arguments.repeats, folder)


if __name__ == "__main__":
    main()
