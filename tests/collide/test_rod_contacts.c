// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_rod_contacts.c - a rod along faces and edges of shapes, straight or slightly
// bent

#include "advance/world.h"

// five nodes along y, 1 cm apart, that sag by `bend` per node from the middle; with its contacts
static int32_t contacts_of(const char *shape, double x, double z, double bend, double *nearest) {
    World w =
        world_of("lithe: 1\n"
                 "materials: {m: {young: 1 GPa, density: 1000}}\n"
                 "bodies:\n"
                 "  block: {fixed: true, material: m, shape: %s}\n"
                 "rods:\n"
                 "  rod: {material: m, section: {circle: {radius: 8 mm}}, nodes: 5,\n"
                 "        shape: {polyline: {points: [[%.17g, -0.02, %.17g], [%.17g, -0.01, "
                 "%.17g], [%.17g, 0, %.17g], [%.17g, 0.01, %.17g], [%.17g, 0.02, %.17g]]}}}\n",
                 shape, x, z - 4 * bend, x, z - bend, x, z, x, z - bend, x, z - 4 * bend);
    LitheContacts *contacts = lithe_contacts_create(w.context);
    LitheError error;
    CHECK(w.ok && lithe_find_contacts(w.model, w.state, 1e-3, contacts, &error) == LITHE_OK);
    int32_t count = lithe_contact_count(contacts);
    *nearest = INFINITY;
    for (int32_t i = 0; i < count; i++)
        for (int32_t j = 0; j < i; j++) {
            const LitheContact *all = lithe_contact_data(contacts);
            *nearest = fmin(*nearest, fabs(all[i].point.y - all[j].point.y));
        }
    lithe_contacts_destroy(contacts);
    world_end(&w);
    return count;
}

static const double bends[] = {0, 1e-9, 1e-7, 1e-5, -1e-5};

TEST(a_rod_on_a_floor_or_a_face_touches_it_once_per_node) {
    for (int i = 0; i < 5; i++) {
        double nearest;
        CHECK(contacts_of("{half-space: {}}", 0, 0.008, bends[i], &nearest) == 5);
        CHECK(nearest > 9e-3);
        CHECK(contacts_of("{box: {size: [0.1, 0.1, 0.1]}}", 0, 0.058, bends[i], &nearest) == 5);
        CHECK(nearest > 9e-3);
    }
}

TEST(a_rod_along_the_edge_of_a_box_touches_it_all_along) {
    // above the edge, and 2 mm beside it, where the face still seems to be in front; its ends stick
    // out by 5 mm: three nodes, and both ends of the edge
    static const char *const box = "{box: {size: [0.1, 0.03, 0.1]}}";
    double aside = sqrt(0.008 * 0.008 - 0.002 * 0.002);
    for (int i = 0; i < 5; i++) {
        double nearest;
        CHECK(contacts_of(box, 0.05 + 0.008 * sqrt(0.5), 0.05 + 0.008 * sqrt(0.5), bends[i],
                          &nearest) == 5);
        CHECK(nearest > 4e-3);
        CHECK(contacts_of(box, 0.052, 0.05 + aside, bends[i], &nearest) == 5);
        CHECK(nearest > 4e-3);
    }
}
