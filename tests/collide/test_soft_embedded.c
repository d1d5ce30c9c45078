// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_embedded.c - rods that are tied inside of a soft solid do not touch its
// surface from inside, however it turns and hits

#include "test.h"

#include "advance/world.h"
#include "data/work.h"

#include <math.h>

#define RADIUS 2e-3

static const char scene[] =
    "lithe: 1\ntime: {step: 1 ms, end: 1 s, max-work: 3000}\n"
    "materials:\n"
    "  foam: {young: 30 kPa, poisson: 0.3, density: 300, friction: 0.5, damping: {stiffness: 2 "
    "ms}}\n"
    "  wire: {young: 10 MPa, poisson: 0.3, density: 900, friction: 0.3}\n"
    "  floor: {young: 1 GPa, poisson: 0.3, density: 1000, friction: 0.5}\n"
    "solids:\n"
    "  block: {material: foam, quadratic: %s, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [2, "
    "2, "
    "2]}}, at: [0, 0, 10 cm], spin: %s, velocity: [0, 0, -3]}\n"
    "rods:\n"
    "  rod: {material: wire, section: {circle: {radius: 2 mm}}, nodes: %d, velocity: [0, 0, -3],\n"
    "    shape: {line: {from: [%g mm, 3 mm, 95 mm], to: [%g mm, 3 mm, 95 mm]}}}\n"
    "bodies: {floor: {fixed: true, material: floor, shape: {half-space: {}}}}\n"
    "constraints: {tie: {kind: attach, a: 'rod[%d]', b: block}}\n";

// largest overlap of the rod with the block in 0.12 s [m]
static double deepest(const char *quadratic, const char *spin, int nodes, double from, double to,
                      int tied) {
    World w = world_of(scene, quadratic, spin, nodes, from, to, tied);
    double most = 0;
    for (int k = 0; k < 120 && w.ok; k++) {
        CHECK(world_step(&w, 1));
        for (int32_t i = 0; i < lithe_work_contact_count(w.work); i++) {
            LitheContact c = lithe_work_contact(w.work, i).contact;
            bool rod = c.a.thing.kind == LITHE_THING_ROD || c.b.thing.kind == LITHE_THING_ROD;
            bool solid = c.a.thing.kind == LITHE_THING_SOLID || c.b.thing.kind == LITHE_THING_SOLID;
            most = rod && solid ? fmax(most, -c.gap) : most;
        }
    }
    world_end(&w);
    return most;
}

// the edge of the tie leaves the block itself, or further ones do
LONG_TEST(a_rod_that_is_tied_inside_never_touches_its_solid_from_inside) {
    static const struct {
        int nodes;
        double from, to;
        int tied;
    } rods[] = {{2, 0, 90, 0}, {4, -70, 70, 2}, {3, 0, 70, 1}, {3, -20, 80, 0}};
    static const char *const spins[] = {"[0, 0, 0]", "[20, 15, 10]"};
    for (int k = 0; k < 16; k++) {
        const char *quadratic = k / 8 ? "false" : "true", *spin = spins[k / 4 % 2];
        double depth = deepest(quadratic, spin, rods[k % 4].nodes, rods[k % 4].from, rods[k % 4].to,
                               rods[k % 4].tied);
        if (!CHECK(depth < RADIUS))
            printf("  quadratic %s, spin %s, from %g to %g mm: %.3g mm\n", quadratic, spin,
                   rods[k % 4].from, rods[k % 4].to, 1e3 * depth);
    }
}
