// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_wedges.c - sharp edges of two soft solids that cross

#include "test.h"

#include "advance/world.h"
#include "data/model.h"
#include "data/state.h"

#include <math.h>

#define RIDGE (0.1 / M_SQRT2) // height of the upper edge of a cube that stands on its edge [m]

// Two cubes on their edges, one across the other, made thin: wedges with this half angle. The upper
// one is lower by `overlap`.
static World crossed(int cells, double half_angle, double overlap, double turn) {
    World w = world_of(
        "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
        "materials: {soft: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
        "solids:\n"
        "  low: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, %d]}}, "
        "rotate: [45 deg, 0, 0]}\n"
        "  high: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, %d, %d]}}, "
        "rotate: [45 deg, 0, 0], at: [0, 0, %.17g]}\n",
        cells, cells, cells, cells, cells, cells, 2 * RIDGE - overlap);
    for (int32_t i = 0; w.ok && i < 2; i++) {
        const LitheSolid *solid = &w.model->solids[i];
        double *x = w.state->q + w.model->units[solid->unit].q_at;
        for (int32_t k = 0; k < solid->mesh.node_count; k++) {
            double along = x[3 * k] + 3e-3, across = x[3 * k + 1] * tan(half_angle);
            double angle = i * (0.5 * M_PI + turn);
            x[3 * k] = along * cos(angle) - across * sin(angle);
            x[3 * k + 1] = along * sin(angle) + across * cos(angle);
        }
    }
    return w;
}

// Their contacts are at the crossing, along z, and as deep as the wedges overlap there.
TEST(sharp_wedges_that_cross_touch_with_their_overlap) {
    static const double angles[] = {45, 35, 30, 25, 20};
    for (size_t k = 0; k < sizeof angles / sizeof *angles; k++) {
        double least = INFINITY, most = 0, aside = 0;
        for (int trial = 0; trial < (TEST_SANITIZED ? 6 : 48); trial++) {
            double overlap = 1e-4 * (1 + trial % 16), turn = 0.2 * (trial % 3 - 1);
            World w = crossed(1 + trial % 2, angles[k] * M_PI / 180, overlap, turn);
            LitheContacts *found = lithe_contacts_create(w.context);
            LitheError error;
            double z = 0, side = 0;
            CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK);
            for (int32_t i = 0; i < lithe_contact_count(found); i++) {
                const LitheContact *c = &lithe_contact_data(found)[i];
                double force = -c->stiffness * fmin(c->gap, 0);
                z += force * c->normal.z;
                side += force * hypot(c->normal.x, c->normal.y);
            }
            least = fmin(least, z / overlap);
            most = fmax(most, z / overlap);
            aside = fmax(aside, z > 0 ? side / z : INFINITY);
            lithe_contacts_destroy(found);
            world_end(&w);
        }
        printf("  half angle %g: %.3g to %.3g N/m, %.3g of it sideways\n", angles[k], least, most,
               aside);
        CHECK(least > 0);
        CHECK(aside < 0.2);
    }
}
