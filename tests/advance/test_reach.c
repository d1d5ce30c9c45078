// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_reach.c - constraints that cannot be met stop the run before they make energy

#include "advance/load_step.h"
#include "advance/world.h"

#include <string.h>

#define MASS "mass: 0.9, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0]"
#define SLIDER \
    "bodies: {b: {" MASS ", at: [5 cm, 0, 15 cm]}}\n" \
    "joints: {j: {kind: prismatic, child: b, axis: [1, 0, 0]}}\n"
#define HINGE \
    "bodies: {b: {" MASS ", at: [0.2, 0, 0]}}\n" \
    "joints: {j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0]}}\n"
#define TWO_SLIDERS(limits) \
    "bodies:\n  b: {" MASS ", at: [0.2, 0, 0]}\n  d: {" MASS ", at: [0.2, 0.3, 0]}\n" \
    "joints:\n  j: {kind: prismatic, child: b, axis: [1, 0, 0]" limits "}\n" \
    "  k: {kind: prismatic, child: d, axis: [1, 0, 0]}\n"
#define DRIVEN(joint, way) \
    "actuators: {a: {joint: " joint ", kind: prescribed, target: {table: [[0 s, 0], [1 s, " way \
    "]], kind: smooth}}"
#define SOFT "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
#define ROD \
    SOFT "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, 0, " \
         "0]}}, nodes: 11}}\n"
#define STAGES "step: 5 ms"
#define EULER "step: 5 ms, scheme: backward-euler"
#define MIDPOINT "step: 5 ms, scheme: midpoint"
#define SHORT "step: 1 ms, scheme: midpoint"
#define STATIC "step: 5 ms, scheme: static"
#define REST "step: 5 ms, start: equilibrium"

// Schemes, steps and contact models.
static const char *const times[] = {
    STAGES,
    EULER,
    MIDPOINT,
    "step: 5 ms, scheme: symplectic-euler",
    "step: 1 ms",
    SHORT,
    "step: {adaptive: {min: 1e-6, max: 0.005}}",
    "step: {adaptive: {min: 1e-6, max: 0.005}}, scheme: midpoint",
    STATIC,
    REST,
    "step: 5 ms}\ncontact: {friction-law: sap",
    "step: 5 ms}\ncontact: {model: lcp",
    "step: 5 ms, scheme: semi-implicit-euler}\ncontact: {model: lcp",
    "step: 5 ms, scheme: rk23}\ncontact: {model: lcp",
};
#define TIMES (sizeof times / sizeof *times)

// A scene that cannot be met, and what the message says of it.
typedef struct Case {
    const char *things, *says;
    // all times; lcp has no such things; not in statics; the energies of longer steps are wrong by
    // percents where the shape becomes singular
    enum { ANY, NOT_LCP, MOVING, FINE } of;
} Case;

static const Case cases[] = {
    // a slider that comes no nearer
    {SLIDER "constraints: {c: {kind: distance, a: b, b: world, length: 12 cm}}\n",
     "0.12 m, and the least that can be reached is 0.15 m", ANY},
    // the same, switched on later
    {SLIDER "constraints: {c: {kind: distance, a: b, b: world, length: 12 cm, switch: {table: [[0 "
            "s, 0], [50 ms, 1]], kind: hold}}}\n",
     "0.12 m, and the least that can be reached is 0.15 m", ANY},
    // a screw
    {"bodies: {b: {" MASS ", at: [0.2, 0, 0]}}\n"
     "joints: {j: {kind: screw, pitch: 0.01, child: b, at: [0, 0, 0], axis: [0, 0, 1]}}\n"
     "constraints: {c: {kind: distance, length: 0.1, a: b, b: world}}\n",
     "0.1 m, and the least that can be reached is 0.2 m", ANY},
    // winches
    {SLIDER "constraints: {c: {kind: tendon, a: b, b: world, shortening: {table: [[0 s, 0], [0.2 "
            "s, 3 cm]]}}}\n",
     "the least that can be reached is 0.15 m", NOT_LCP},
    {SLIDER "constraints: {c: {kind: tendon, a: b, via: [{on: world, at: [5 cm, 0, 0]}, {on: "
            "world, at: [-5 cm, 0, 0]}], b: b, shortening: {table: [[0 s, 0], [0.2 s, 6 cm]]}}}\n",
     "the least that can be reached is 0.41", NOT_LCP},
    {SLIDER "constraints: {c: {kind: tendon, a: b, b: world, length: 0.1}}\n",
     "0.1 m, and the least that can be reached is 0.15 m", NOT_LCP},
    // a strut that is longer than a hinge allows
    {HINGE "constraints: {c: {kind: strut, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.75}}\n",
     "a length of 0.75 m, and the greatest that can be reached is 0.7 m", ANY},
    // a rope that is too short
    {HINGE "constraints: {c: {kind: rope, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.25}}\n",
     "a length of 0.25 m, and the least that can be reached is 0.3 m", ANY},
    {"bodies: {b: {" MASS ", at: [0.2, 0, 0.2]}}\n"
     "joints: {j: {kind: planar, child: b, axis: [0, 0, 1]}}\n"
     "constraints: {c: {kind: rope, length: 0.15, a: b, b: world}}\n",
     "a length of 0.15 m, and the least that can be reached is 0.2 m", ANY},
    // an attachment beside the slider, and one beside the sphere of a ball joint
    {SLIDER "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0.1, "
            "0.15]}}}\n",
     "can come no nearer to each other than 0.1 m", ANY},
    {"bodies: {b: {" MASS ", at: [0.2, 0, 0]}}\n"
     "joints: {j: {kind: ball, child: b, at: [0, 0, 0]}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0.4, 0, 0.3]}}}\n",
     "can come no nearer to each other than 0.3 m", ANY},
    // a weld to a body that is turned about another axis than that of the hinge
    {"bodies:\n  b: {" MASS "}\n  p: {" MASS ", rotate: {axis: [1, 0, 0], angle: 0.5}}\n"
     "joints:\n  j: {kind: revolute, child: b, axis: [0, 0, 1]}\n  k: {kind: weld, child: p}\n"
     "constraints: {c: {kind: weld, as-built: false, a: b, b: p}}\n",
     "can turn no nearer to each other than 0.5 rad", ANY},
    // welds and attachments to two places
    {"bodies: {b: {" MASS "}}\n"
     "constraints:\n  c: {kind: weld, as-built: false, a: b, b: world}\n"
     "  e: {kind: weld, as-built: false, a: b, b: {on: world, at: [0, 0, 0.3]}}\n",
     "can come no nearer to each other than 0.3 m", ANY},
    {"bodies: {b: {" MASS "}}\n"
     "constraints:\n  c: {kind: weld, as-built: false, a: b, b: world}\n"
     "  e: {kind: weld, as-built: false, a: b, b: {on: world, rotate: {axis: [0, 0, 1], angle: "
     "1}}}\n",
     "can turn no nearer to each other than 1 rad", ANY},
    {"bodies: {b: {" MASS "}}\n"
     "constraints:\n  c: {kind: attach, as-built: false, a: b, b: world}\n"
     "  e: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0, 0.3]}}\n",
     "can come no nearer to each other than 0.3 m", ANY},
    // three struts that make no triangle
    {"bodies:\n  a: {" MASS "}\n  b: {" MASS ", at: [1, 0, 0]}\n  d: {" MASS ", at: [0.5, 0.6, "
     "0]}\n"
     "constraints:\n  c: {kind: distance, a: a, b: b, length: 1}\n"
     "  c2: {kind: distance, a: b, b: d, length: 0.3}\n"
     "  c3: {kind: distance, a: a, b: d, length: 0.3}\n",
     "can be reached is", ANY},
    // a loop of joints that is too short to close
    {"bodies:\n  b: {" MASS ", at: [0.1, 0, 0]}\n  d: {" MASS ", at: [0.9, 0, 0]}\n"
     "joints:\n  j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  k: {kind: revolute, child: d, at: [1, 0, 0], axis: [0, 0, 1]}\n"
     "constraints: {c: {kind: attach, as-built: false, a: {on: b, at: [0.1, 0, 0]}, b: {on: d, at: "
     "[-0.1, 0, 0]}}}\n",
     "can come no nearer to each other than 0.6 m", ANY},
    // a hinge that its limit keeps from the place
    {"bodies: {b: {" MASS ", at: [0.2, 0, 0]}}\n"
     "joints: {j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0], limits: [-0.5, "
     "0.5]}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0, -0.2]}}}\n",
     "can come no nearer to each other than 0.20407", ANY}, // 0.4 sin((pi/2 - 0.5)/2)
    // prescribed joints: a place away from one, two that pull a strut apart, one that pulls another
    // thing beyond the limit of its slider
    {HINGE
     "actuators: {a: {joint: j, kind: prescribed, target: 0}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0.2, 0, 0.1]}}}\n",
     "can come no nearer to each other than 0.1 m", ANY},
    {TWO_SLIDERS("") DRIVEN("j", "0.5") ", p: {joint: k, kind: prescribed, target: 0}}\n"
                                        "constraints: {c: {kind: distance, a: b, b: d}}\n",
     "a length of 0.3 m, and the least that can be reached is 0.3", ANY},
    {TWO_SLIDERS(", limits: [-0.1, 0.1]")
         DRIVEN("k", "1") "}\n"
                          "constraints: {c: {kind: weld, a: b, b: d}}\n",
     "its places can come no nearer to each other than", MOVING},
    {TWO_SLIDERS(", limits: [-0.1, 0.1]")
         DRIVEN("k", "1") "}\n"
                          "constraints: {c: {kind: rope, a: b, b: d, length: 0.35}}\n",
     "a length of 0.35 m, and the least that can be reached is 0.3", MOVING},
    // two links that a third, which is driven away, pulls straight and further
    {"bodies:\n  b: {" MASS ", at: [0.2, 0, 0]}\n  d: {" MASS ", at: [0.4, 0.1, 0]}\n"
     "  s: {" MASS ", at: [0.4, 0.2, 0]}\n"
     "joints:\n  j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  k: {kind: revolute, parent: b, child: d, at: [0.4, 0, 0], axis: [0, 0, 1]}\n"
     "  l: {kind: prismatic, child: s, axis: [0, 1, 0]}\n" DRIVEN(
         "l", "0.6") "}\n"
                     "constraints: {c: {kind: attach, a: {on: d, at: [0, 0.1, 0]}, b: s}}\n",
     "its places can come no nearer to each other than", FINE},
    // the held end of a rod and a place away from it; a driven end and a rope; two held ends
    {ROD "holds: {h: {on: r.start}}\n"
         "constraints: {c: {kind: attach, as-built: false, a: r.start, b: {on: world, at: [0, 0, "
         "0.1]}}}\n",
     "can come no nearer to each other than 0.1 m", NOT_LCP},
    {ROD "holds: {h: {on: r.end}}\n"
         "drives: {d: {on: r.start, direction: [0, 0, 1], speed: 1}}\n"
         "constraints: {c: {kind: rope, length: 0.02, a: r.start, b: world}}\n",
     "a length of 0.02 m, and the least that can be reached is 0.0", NOT_LCP},
    {SOFT
     "rods:\n  r: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, 0, 0]}}, "
     "nodes: 11}\n  s: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, "
     "0, 1], to: [1, 0, 1]}}, nodes: 11}\nholds: {h: {on: r.start}, k: {on: s.start}}\n"
     "constraints: {c: {kind: distance, length: 0.7, a: r.start, b: s.start}}\n",
     "a length of 0.7 m, and the least that can be reached is 1 m", NOT_LCP},
    // the end of a rod attached to two places
    {ROD "constraints:\n  c: {kind: attach, as-built: false, a: r.end, b: {on: world, at: [1, 0, "
         "0]}}\n"
         "  e: {kind: attach, as-built: false, a: r.end, b: {on: world, at: [1, 0, 0.1]}}\n",
     "can come no nearer to each other than 0.1 m", NOT_LCP},
    // particles that move along a line each
    {SOFT "particles: {p: {material: m, radius: 1 cm, positions: [[0.1, 0, 0], [-0.1, 0.3, 0]]}}\n"
          "holds:\n  h: {on: \"p[0]\", hold: [y, z]}\n  k: {on: \"p[1]\", hold: [y, z]}\n"
          "constraints: {c: {kind: distance, length: 0.25, a: \"p[0]\", b: \"p[1]\"}}\n",
     "a length of 0.25 m, and the least that can be reached is 0.3 m", NOT_LCP},
    // a soft block whose held face is pulled away
    {SOFT
     "solids: {s: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}}}\n"
     "sets: {base: {of: s, plane: {point: [0, 0, -0.05], normal: [0, 0, 1], thickness: 1 mm}}}\n"
     "holds: {h: {on: base}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: {on: s, at: [0.05, 0.05, -0.05]}, "
     "b: {on: world, at: [0.05, 0.05, -0.1]}}}\n",
     "can come no nearer to each other than 0.05 m", NOT_LCP},
};

static void stops(const Case *it, const char *time) {
    World w = world_of("lithe: 1\ntime: {end: 1 s, %s}\ngravity: none\n%s", time, it->things);
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    double took = 0, gave = 0, largest = 0; // by constraints, without motions of their own [J]
    if (w.ok && strcmp(time, REST) == 0)
        status = lithe_start_equilibrium(w.model, w.state, w.work, &w.report, &error);
    for (int k = 0; k < 1000 && w.ok && status == LITHE_OK; k++) {
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
        LitheEnergy e = lithe_energy(w.model, w.state);
        took = fmax(took, e.constraints);
        gave = fmax(gave, took - e.constraints);
        largest = fmax(largest, fmax(e.kinetic, fabs(e.work)));
    }
    bool stopped = CHECK(status == LITHE_CANNOT_GO_ON) &
                   CHECK_TEXT(error.text, "cannot be met at t = ") &
                   CHECK_TEXT(error.text, it->says);
    if (w.ok && !(stopped & CHECK(gave <= 1e-3 * largest)))
        printf("  %s\n  %s\n  %g J of %g J at %g s: %s\n", time, it->things, gave, largest,
               lithe_state_time(w.state), error.text);
    world_end(&w);
}

LONG_TEST(constraints_that_cannot_be_met_stop_before_they_make_energy) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < TIMES; k++) {
            bool still = strcmp(times[k], STATIC) == 0, lcp = strstr(times[k], "lcp") != NULL;
            bool fine = strcmp(times[k], SHORT) == 0;
            if (!(cases[i].of == NOT_LCP && lcp) && !(cases[i].of == MOVING && still) &&
                !(cases[i].of == FINE && !fine))
                stops(&cases[i], times[k]);
        }
}

// A rigid floor stops a body that is pulled into it: no step has a solution.
TEST(a_constraint_behind_a_rigid_contact_is_named_where_its_step_fails) {
    World w = world_of(
        "lithe: 1\n"
        "time: {step: 0.5 ms, end: 0.1 s}\n"
        "contact: {model: lcp, lcp: {regularise: false, fall-back: false}}\n"
        "materials: {m: {young: 1 MPa, density: 1000, friction: 0.5}}\n"
        "bodies:\n"
        "  floor: {shape: {half-space: {}}, fixed: true, material: m}\n"
        "  b: {shape: {box: {size: [0.1, 0.1, 0.1]}}, material: m, at: [0.2, 0, 0.3]}\n"
        "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0, 0]}}}\n");
    LitheError error = {0};
    LitheStatus status = LITHE_OK;
    for (int k = 0; k < 200 && w.ok && status == LITHE_OK; k++)
        status = lithe_step(w.model, w.state, w.work, &w.report, &error);
    CHECK(status == LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, "constraint 'c' is ");
    CHECK_TEXT(error.text, " m from what it requires then: does a contact, a limit");
    world_end(&w);
}

// The same things pulled to where they can go.
static const char *const reachable[] = {
    SLIDER "constraints: {c: {kind: distance, a: b, b: world, length: 15.2 cm}}\n",
    SLIDER "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [-0.3, 0, "
           "0.15]}}}\n",
    HINGE "constraints: {c: {kind: rope, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.35}}\n",
    HINGE "constraints: {c: {kind: strut, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.65}}\n",
    ROD "holds: {h: {on: r.start}}\n"
        "constraints: {c: {kind: attach, as-built: false, a: r.end, b: {on: world, at: [1.1, 0, "
        "0]}}}\n",
    TWO_SLIDERS(", limits: [-0.1, 0.1]")
        DRIVEN("k", "0.1") "}\n"
                           "constraints: {c: {kind: rope, a: b, b: d, length: 0.302}}\n",
};

LONG_TEST(constraints_that_can_be_met_pull_as_before) {
    static const char *const some[] = {STAGES, EULER, MIDPOINT};
    for (size_t i = 0; i < sizeof reachable / sizeof *reachable; i++)
        for (int k = 0; k < 3; k++) {
            World w = world_of("lithe: 1\ntime: {end: 1 s, %s}\ngravity: none\n%s", some[k],
                               reachable[i]);
            if (!world_step(&w, 50))
                printf("  case %zu, %s\n", i, some[k]);
            world_end(&w);
        }
}
