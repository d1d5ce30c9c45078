// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_reach.c - constraints that cannot be met stop the run before they make energy

#include "advance/world.h"

// A case: a scene that cannot be met, and what the message says of it.
typedef struct Case {
    const char *time, *things, *says;
} Case;

#define SLIDER \
    "bodies: {b: {mass: 0.9, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [5 cm, 0, 15 cm]}}\n" \
    "joints: {j: {kind: prismatic, child: b, axis: [1, 0, 0]}}\n"
#define HINGE \
    "bodies: {b: {mass: 0.9, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.2, 0, 0]}}\n" \
    "joints: {j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0]}}\n"
#define SOFT "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
#define MIDPOINT "step: 5 ms, scheme: midpoint"
#define EULER "step: 5 ms, scheme: backward-euler"
#define SYMPLECTIC "step: 5 ms, scheme: symplectic-euler"
#define STAGES "step: 5 ms"
#define FINE "step: 1 ms, scheme: midpoint"
#define ADAPTIVE "step: {adaptive: {min: 1e-6, max: 0.005}}"

static const char SLIDES[] =
    SLIDER "constraints: {c: {kind: distance, a: b, b: world, length: 12 cm}}\n";
static const char WINDS[] = SLIDER "constraints: {c: {kind: tendon, a: b, b: world, "
                                   "shortening: {table: [[0 s, 0], [0.2 s, 3 cm]]}}}\n";

static const Case cases[] = {
    {MIDPOINT, SLIDES, "0.12 m, and the least that can be reached is 0.15 m"},
    {EULER, SLIDES, "0.12 m, and the least that can be reached is 0.15 m"},
    {SYMPLECTIC, SLIDES, "0.12 m, and the least that can be reached is 0.15 m"},
    {STAGES, SLIDES, "0.12 m, and the least that can be reached is 0.15 m"},
    {ADAPTIVE, SLIDES, "0.12 m, and the least that can be reached is 0.15 m"},
    {MIDPOINT, WINDS, "the least that can be reached is 0.15 m"},
    {EULER, WINDS, "the least that can be reached is 0.15 m"},
    {SYMPLECTIC, WINDS, "the least that can be reached is 0.15 m"},
    {STAGES, WINDS, "the least that can be reached is 0.15 m"},
    {ADAPTIVE, WINDS, "the least that can be reached is 0.15 m"},
    {"step: 5 ms}\ncontact: {model: lcp", SLIDES, "the least that can be reached is 0.15 m"},
    // a strut that is longer than a hinge allows
    {STAGES,
     HINGE "constraints: {c: {kind: strut, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.75}}\n",
     "a length of 0.75 m, and the greatest that can be reached is 0.7 m"},
    // a rope that is too short
    {MIDPOINT,
     HINGE "constraints: {c: {kind: rope, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.25}}\n",
     "a length of 0.25 m, and the least that can be reached is 0.3 m"},
    // an attachment beside the slider
    {STAGES,
     SLIDER "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0.1, "
            "0.15]}}}\n",
     "can come no nearer to each other than 0.1 m"},
    // a weld to a body that is turned about another axis than that of the hinge
    {EULER,
     "bodies:\n  b: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0]}\n"
     "  p: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], rotate: {axis: [1, 0, 0], angle: 0.5}}\n"
     "joints:\n  j: {kind: revolute, child: b, axis: [0, 0, 1]}\n  k: {kind: weld, child: p}\n"
     "constraints: {c: {kind: weld, as-built: false, a: b, b: p}}\n",
     "can turn no nearer to each other than 0.5 rad"},
    // a hinge that its limit keeps from the place
    {MIDPOINT,
     "bodies: {b: {mass: 0.9, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.2, 0, 0]}}\n"
     "joints: {j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0], limits: [-0.5, "
     "0.5]}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0, 0, -0.2]}}}\n",
     "can come no nearer to each other than 0.20407"}, // 0.4 sin((pi/2 - 0.5)/2)
    // the held end of a rod, and a place away from it
    {STAGES,
     SOFT
     "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, 0, 0]}}, "
     "nodes: 11}}\nholds: {h: {on: r.start}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: r.start, b: {on: world, at: [0, 0, "
     "0.1]}}}\n",
     "can come no nearer to each other than 0.1 m"},
    // two held ends of rods
    {MIDPOINT,
     SOFT
     "rods:\n  r: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, 0, 0]}}, "
     "nodes: 11}\n  s: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {from: [0, "
     "0, "
     "1], to: [1, 0, 1]}}, nodes: 11}\nholds: {h: {on: r.start}, k: {on: s.start}}\n"
     "constraints: {c: {kind: distance, length: 0.7, a: r.start, b: s.start}}\n",
     "a length of 0.7 m, and the least that can be reached is 1 m"},
    // particles that move along a line each
    {SYMPLECTIC,
     SOFT "particles: {p: {material: m, radius: 1 cm, positions: [[0.1, 0, 0], [-0.1, 0.3, 0]]}}\n"
          "holds:\n  h: {on: \"p[0]\", hold: [y, z]}\n  k: {on: \"p[1]\", hold: [y, z]}\n"
          "constraints: {c: {kind: distance, length: 0.25, a: \"p[0]\", b: \"p[1]\"}}\n",
     "a length of 0.25 m, and the least that can be reached is 0.3 m"},
    // a soft block whose held face is pulled away
    {EULER,
     SOFT
     "solids: {s: {material: m, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, 2, 2]}}}}\n"
     "sets: {base: {of: s, plane: {point: [0, 0, -0.05], normal: [0, 0, 1], thickness: 1 mm}}}\n"
     "holds: {h: {on: base}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: {on: s, at: [0.05, 0.05, -0.05]}, "
     "b: {on: world, at: [0.05, 0.05, -0.1]}}}\n",
     "can come no nearer to each other than 0.05 m"},
    // an arm whose joints are prescribed
    {STAGES,
     HINGE
     "actuators: {a: {joint: j, kind: prescribed, target: 0}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [0.2, 0, 0.1]}}}\n",
     "can come no nearer to each other than 0.1 m"},
    // two links that a third, which is driven away, pulls straight and further
    {FINE,
     "bodies:\n  b: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.2, 0, 0]}\n"
     "  d: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.4, 0.1, 0]}\n"
     "  s: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.4, 0.2, 0]}\n"
     "joints:\n  j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 0, 1]}\n"
     "  k: {kind: revolute, parent: b, child: d, at: [0.4, 0, 0], axis: [0, 0, 1]}\n"
     "  l: {kind: prismatic, child: s, axis: [0, 1, 0]}\n"
     "actuators: {a: {joint: l, kind: prescribed, target: {table: [[0 s, 0], [1 s, 0.6]], kind: "
     "smooth}}}\n"
     "constraints: {c: {kind: attach, a: {on: d, at: [0, 0.1, 0]}, b: s}}\n",
     "constraint 'c' cannot be met"},
};

TEST(constraints_that_cannot_be_met_stop_before_they_make_energy) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        World w = world_of("lithe: 1\ntime: {end: 1 s, %s}\ngravity: none\n%s", cases[i].time,
                           cases[i].things);
        LitheError error = {0};
        LitheStatus status = LITHE_OK;
        double took = 0, gave = 0, largest = 0; // by constraints, without motions of their own [J]
        for (int k = 0; k < 1000 && w.ok && status == LITHE_OK; k++) {
            status = lithe_step(w.model, w.state, w.work, &w.report, &error);
            LitheEnergy e = lithe_energy(w.model, w.state);
            took = fmax(took, e.constraints);
            gave = fmax(gave, took - e.constraints);
            largest = fmax(largest, fmax(e.kinetic, fabs(e.work)));
        }
        bool stopped = CHECK(status == LITHE_CANNOT_GO_ON) &
                       CHECK_TEXT(error.text, "constraint 'c'") &
                       CHECK_TEXT(error.text, cases[i].says);
        if (w.ok && !(stopped & CHECK(gave <= 1e-3 * largest)))
            printf("  case %zu: %s: %g J of %g J at %g s: %s\n", i, cases[i].time, gave, largest,
                   lithe_state_time(w.state), error.text);
        world_end(&w);
    }
}

// The same things pulled to where they can go.
static const Case reachable[] = {
    {"", SLIDER "constraints: {c: {kind: distance, a: b, b: world, length: 15.2 cm}}\n", ""},
    {"",
     SLIDER "constraints: {c: {kind: attach, as-built: false, a: b, b: {on: world, at: [-0.3, 0, "
            "0.15]}}}\n",
     ""},
    {"",
     HINGE "constraints: {c: {kind: rope, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.35}}\n",
     ""},
    {"",
     HINGE "constraints: {c: {kind: strut, a: b, b: {on: world, at: [0, 0, 0.5]}, length: 0.65}}\n",
     ""},
    {"",
     SOFT
     "rods: {r: {material: m, section: {circle: {radius: 5 mm}}, shape: {line: {to: [1, 0, 0]}}, "
     "nodes: 11}}\nholds: {h: {on: r.start}}\n"
     "constraints: {c: {kind: attach, as-built: false, a: r.end, b: {on: world, at: [1.1, 0, "
     "0]}}}\n",
     ""},
};

LONG_TEST(constraints_that_can_be_met_pull_as_before) {
    static const char *const times[] = {STAGES, EULER, MIDPOINT};
    for (size_t i = 0; i < sizeof reachable / sizeof *reachable; i++)
        for (int k = 0; k < 3; k++) {
            World w = world_of("lithe: 1\ntime: {end: 1 s, %s}\ngravity: none\n%s", times[k],
                               reachable[i].things);
            if (!world_step(&w, 30))
                printf("  case %zu, %s\n", i, times[k]);
            world_end(&w);
        }
}
