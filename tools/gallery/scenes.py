# SPDX-License-Identifier: Apache-2.0
"""tools/gallery/scenes.py - content of the site about each scene, read from the tree.

Title and head comment come from the scene, pictures and options of their commands from
docs/gallery/README.md and docs/pictures, numbers from the tables of docs/validation.md.
"""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from pathlib import Path

from markdown import cells, table_rows

# which cases of `lithe validate` measure the laws in a scene, and where to read more
CASES: dict[str, tuple[str, ...]] = {
    "arch": ("masonry_arch",),
    "arm": ("double_pendulum",),
    "arm-pose": ("double_pendulum",),
    "arm-rope": ("double_pendulum", "rope_pendulum"),
    "balloon": ("solid_sphere", "solid_tube"),
    "beads": ("bead_on_rod", "bead_catenary"),
    "bellows": ("solid_tube", "fem_cantilever"),
    "cantilever": ("rod_cantilever_freq", "rod_heavy_cantilever"),
    "catenary": ("rod_catenary",),
    "chain-mail": ("no_tunnelling",),
    "chain-of-rings": ("chain_of_rings", "adaptive_rings"),
    "cord": ("rod_energy",),
    "crowned-pulley": ("crowned_pulley", "capstan_patches"),
    "curl": ("rod_rollup",),
    "demo": ("knot_tightening",),
    "double-pendulum": ("double_pendulum",),
    "fibre-finger": ("solid_tube", "fem_cantilever"),
    "entangling-gripper": ("entangling_gripper", "entangling_gripper_quick"),
    "finger": ("fem_patch", "fem_cantilever"),
    "flexor": ("fem_patch", "fem_cantilever"),
    "funnel": ("funnel", "particle_incline"),
    "gripper": ("soft_gripper",),
    "hand": ("soft_hand",),
    "helix-spring": ("rod_energy", "free_rod_momentum"),
    "incline": ("incline_threshold", "slide_stop"),
    "jelly": ("fem_patch", "solid_spin"),
    "jelly-stairs": ("fem_patch", "solid_spin"),
    "knot": ("knot_tightening", "adaptive_knot"),
    "lace": ("pinched_lace",),
    "shoelace": ("shoelace",),
    "soft-pads": ("soft_pads",),
    "logs": ("rolling_incline", "momentum_conservation"),
    "net": ("particle_collision", "particle_incline"),
    "overhand-knot": ("rod_cantilever_freq", "rod_energy"),
    "pendulum": ("rope_pendulum", "rod_energy"),
    "pinch": ("pinch_hold",),
    "plan-body": ("ball_turn",),
    "plan-hand": ("box_turn",),
    "plan-x": ("ball_turn",),
    "plan-y": ("ball_turn",),
    "plan-z": ("ball_turn",),
    "play-arm": ("double_pendulum", "rope_pendulum"),
    "play-soft-arm": ("pcc_kinematics", "pcc_static_pressure"),
    "press": ("rubber_cylinder_press",),
    "ribbon": ("rod_helical_buckling", "rod_postbuckle_pinned"),
    "ring-on-peg": ("solid_incline", "fem_patch"),
    "rope-coiling": ("rod_heavy_cantilever", "crossed_rods"),
    "soft-arm": ("pcc_kinematics", "pcc_static_pressure"),
    "soft-arm-ball": ("pcc_kinematics", "pcc_static_pressure"),
    "soft-arm-clip": ("pcc_kinematics", "pcc_static_pressure"),
    "soft-arm-post": ("pcc_kinematics", "pcc_static_pressure"),
    "soft-arm-slope": ("A1", "A3"),
    "soft-arm-spheres": ("A2", "lcp_problems"),
    "soft-arm-wedge": ("A1", "lcp_problems"),
    "soft-arm-wrist": ("pcc_kinematics", "pcc_static_pressure"),
    "squeezed-ball": ("fem_patch", "crossed_rods"),
    "suture": ("fem_patch", "solid_rest"),
    "tied-block": ("fem_patch", "crossed_rods"),
    "tumbling": ("dzhanibekov",),
    "twisted-column": ("fem_uniaxial_large", "fem_patch"),
    "twisted-ring": ("rod_michell_ring",),
}
MORE: dict[str, tuple[tuple[str, str], ...]] = {
    "belt": (("docs/theory/capstan.md", "3. Thickness"),),
    "capstan": (("docs/theory/capstan.md", "3. Thickness"),),
    "demo": (("docs/validation.md", "Knots"),),
    "double-pendulum": (("docs/validation.md", "Rigid bodies"),),
    "funnel": (("docs/validation.md", "Particles"),),
    "incline": (("docs/validation.md", "Friction"),),
    "knot": (("docs/validation.md", "Knots"),),
    "knot-capsules": (("docs/validation.md", "A chain of capsules compared with a rod"),),
    "knot-imc": (("docs/validation.md", "Knots pulled slowly, under smooth contact"),),
    "pendulum": (("docs/validation.md", "Energy"),),
    "pinch": (("docs/validation.md", "Friction"),),
    "rope-over-bar": (("docs/theory/capstan.md", "3. Thickness"),),
    "start": (("docs/validation.md", "Friction"),),
    "tumbling": (("docs/validation.md", "Rigid bodies"),),
}


@dataclass
class Picture:
    file: str  # in docs/pictures
    caption: str = ""


@dataclass
class Scene:
    name: str
    title: str
    comment: list[str]
    text: str
    options: str = ""  # of the command that made its picture
    pictures: list[Picture] = field(default_factory=list)


def captions(root: Path) -> dict[str, str]:
    """Texts of the pages beside each picture."""
    found: dict[str, str] = {}
    for page in sorted((root / "docs").rglob("*.md")):
        for alt, name in re.findall(r"!\[([^\]]*)\]\([^)]*pictures/([^)]+)\)", page.read_text()):
            found.setdefault(name, alt)
    return found


def read(path: Path) -> Scene:
    text = path.read_text()
    head = re.match(r"((?:#.*\n)*)", text)
    assert head
    title = re.search(r"^title: (.*)$", text, re.M)
    comment = [line.lstrip("# ") for line in head[1].splitlines()]
    return Scene(path.stem, title[1] if title else path.stem, comment, text)


def all_scenes(root: Path) -> list[Scene]:
    """Every scene with its pictures: those of the gallery first and in its order."""
    scenes = {path.stem: read(path) for path in sorted((root / "scenes").glob("*.yaml"))}
    pictures = {path.name for path in (root / "docs/pictures").iterdir()}
    order: list[str] = []
    lines = (root / "docs/gallery/README.md").read_text().split("\n")
    for line in lines:
        row = cells(line)
        image = re.match(r"!\[([^\]]*)\]\(\.\./pictures/([^)]+)\)", row[0])
        if not line.startswith("|") or not image:
            continue
        named = re.match(r"\*\*\[([\w-]+)\]", row[1])
        if named and named[1] in scenes:
            order.append(named[1])
        if not order:
            continue
        scene = scenes[order[-1]]
        options = re.search(r"`([^`]*)`\s*$", row[1])
        if named and options:
            scene.options = options[1]
        scene.pictures.append(Picture(image[2], image[1]))
    said = captions(root)
    for name, scene in scenes.items():
        seen = {picture.file for picture in scene.pictures}
        for file in sorted(pictures - seen):
            stem = file.rsplit(".", 1)[0]
            owners = [n for n in scenes if stem == n or stem.startswith(n + "-")]
            owner = max(owners, key=len, default="")
            if owner == name:
                scene.pictures.append(Picture(file, said.get(file, "")))
    return [scenes[name] for name in dict.fromkeys(order)] + [
        scene for name, scene in scenes.items() if name not in order
    ]


def commands(line: str) -> str:
    """Text of a comment as HTML; commands and their options become code."""
    line = re.sub(r"`([^` ]+)`", r"<code>\1</code>", html.escape(line, quote=False))
    out: list[str] = []
    run: list[str] = []
    words = line.split(" ")

    def close() -> None:
        if run:
            text = " ".join(run)
            bare = text.rstrip(".,;:)")
            out.append(f"<code>{bare}</code>{text[len(bare):]}")
            run.clear()

    for at, word in enumerate(words):
        last = words[at - 1] if at else ""
        begins = word == "lithe" and at + 1 < len(words) and words[at + 1] in VERBS
        if begins or (word.lstrip("(").startswith("--") and not run):
            close()
            if word.startswith("("):
                out.append("(" + commands(word[1:]))
                continue
            run.append(word)
        elif run and (last == "lithe" or re.match(r"--?\w", last) or re.search(r"^-|[./=]\w", word)):
            run.append(word)
        else:
            close()
            out.append(word)
            continue
        if re.search(r"[.,;:)]$", word):
            close()
    close()
    return " ".join(out)


VERBS = ("check", "export", "modes", "plan", "plot", "run", "view")


def case_rows(root: Path, wanted: tuple[str, ...]) -> tuple[list[str], list[list[str]]]:
    """Rows of the table of cases in docs/validation.md; an unknown case is an error."""
    lines = (root / "docs/validation.md").read_text().split("\n")
    first = "| case | what is done | reference |"
    at = next(i for i, line in enumerate(lines) if line.startswith(first))
    head, rows, _ = table_rows(lines, at)
    found = {row[0].split("`")[1]: row for row in rows}
    for name in wanted:
        if name not in found:
            raise SystemExit(f"docs/validation.md has no case {name}, which a scene wants to show")
    return head, [found[name] for name in wanted]


def section_tables(root: Path, page: str, heading: str) -> list[str]:
    """The tables of a section of a page, as Markdown."""
    text = (root / page).read_text()
    match = re.search(rf"^(#+) {re.escape(heading)}\n(.*?)(?=^#|\Z)", text, re.M | re.S)
    if not match:
        raise SystemExit(f"{page} has no section '{heading}', which a scene wants to show")
    return re.findall(r"(?:^\|.*\n)+", match[2], re.M)
