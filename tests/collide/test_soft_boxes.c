// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_soft_boxes.c - boxes on soft surfaces, with their sides inside of triangles

#include "test.h"

#include "advance/world.h"

#include <math.h>

#define TOP 0.05    // height of the block [m]
#define SIDE 0.05   // of the slab, which is square [m]
#define HALF 5e-3   // half its height [m]
#define MASS 0.2    // of it [kg]
#define GRAVITY 10. // m/s^2

// A slab of 5 cm on a soft block of 10 cm whose upper face has 2 n^2 triangles.
static World slab_on_block(int n, double friction, const char *laid, double x, double y, double z,
                           double turn) {
    return world_of(
        "lithe: 1\ngravity: [0, 0, -10 m/s^2]\n"
        "time: {step: 5 ms, end: 10 s, scheme: backward-euler}\n"
        "materials:\n"
        "  soft: {young: 0.1 MPa, poisson: 0.3, density: 1000, friction: %.17g, damping: "
        "{stiffness: "
        "10 ms}}\n"
        "  hard: {young: 1 GPa, poisson: 0.3, density: 2000, friction: 0.5}\n"
        "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.05], divisions: [%d, %d, "
        "2]}}, at: [0, 0, 2.5 cm]}}\n"
        "holds: {low: {on: block.z-min}}\n"
        "bodies: {slab: {material: hard, %s shape: {box: {size: [5 cm, 5 cm, 1 cm]}}, at: [%.17g, "
        "%.17g, %.17g], rotate: [0, 0, %.17g]}}\n",
        friction, n, n, laid, x, y, z, turn);
}

#define FREE "mass: 0.2 kg, inertia: [5e-5, 5e-5, 8e-5, 0, 0, 0],"
#define FIXED "fixed: true,"

typedef struct Press {
    double force, mx, my; // per stiffness and area; moments about the middle of the slab
    int32_t count;
} Press;

// The press of a slab that overlaps a block at rest everywhere by `overlap`, summed over contacts.
static Press press_of(int n, double x, double y, double turn, double overlap) {
    World w = slab_on_block(n, 0.5, FIXED, x, y, TOP + HALF - overlap, turn);
    LitheContacts *found = lithe_contacts_create(w.context);
    LitheError error;
    Press press = {0};
    if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK)) {
        press.count = lithe_contact_count(found);
        for (int32_t i = 0; i < press.count; i++) {
            const LitheContact *c = &lithe_contact_data(found)[i];
            double f = -c->stiffness * c->gap * fabs(c->normal.z);
            press.force += f;
            press.mx += f * (c->point.x - x);
            press.my += f * (c->point.y - y);
            CHECK(c->normal.z < -0.999 && fabs(c->gap + overlap) < 1e-9 * SIDE);
        }
    }
    lithe_contacts_destroy(found);
    world_end(&w);
    return press;
}

// (SC27): the contacts integrate the pressure over the slab, wherever its sides cut the triangles
TEST(the_press_of_a_slab_does_not_depend_on_where_its_sides_cut_the_triangles) {
    const double overlap = 1e-5;
    Press whole = press_of(1, 0, 0, 0, overlap);
    TestRandom r = {7};
    double worst = 0, turned = 0;
    CHECK(whole.force > 0);
    for (int trial = 0; trial < (TEST_SANITIZED ? 10 : 60); trial++) {
        Press press = press_of(1 + trial % 7, test_random(&r, -0.01, 0.01),
                               test_random(&r, -0.01, 0.01), test_random(&r, -3.2, 3.2), overlap);
        worst = fmax(worst, fabs(press.force / whole.force - 1));
        turned = fmax(turned, hypot(press.mx, press.my) / (whole.force * SIDE));
    }
    printf("  60 places on 2 to 98 triangles: force within %.2g, lever arm %.2g of the side\n",
           worst, turned);
    CHECK(worst < 1e-5 && turned < 1e-5);
}

// Sum of the forces up, deepest overlap, and the number of contacts with a force.
static void read_contacts(const World *w, double *force, double *deepest, int32_t *active) {
    *force = *deepest = 0;
    *active = 0;
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++) {
        LitheContactForce c = lithe_work_contact(w->work, i);
        *force += fabs(c.force.z);
        *deepest = fmax(*deepest, -c.contact.gap);
        *active += c.normal > 1e-9;
    }
}

LONG_TEST(a_slab_whose_sides_cut_soft_triangles_rests_with_steady_contacts) {
    static const struct {
        int n;
        double turn;
    } cases[] = {{2, 0.35}, {3, 0}, {3, 0.35}, {6, 0.35}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        World w =
            slab_on_block(cases[k].n, 0.5, FREE, 3e-3, 4e-3, TOP + HALF + 5e-4, cases[k].turn);
        double first = 0, swing = 0, change = 0, force, deepest;
        int32_t count = 0, changed = 0, active;
        bool ok = w.ok && world_step(&w, 260);
        for (int i = 0; ok && i < 20; i++) {
            ok = world_step(&w, 1);
            read_contacts(&w, &force, &deepest, &active);
            if (i == 0) {
                first = deepest;
                count = active;
            }
            changed += active != count;
            swing = fmax(swing, fabs(force / (MASS * GRAVITY) - 1));
            change = fmax(change, fabs(deepest - first) / first);
        }
        printf("  %d x %d cells, turned %.2f: %d contacts, overlap %.3g mm, it changes by %.1g; "
               "force within %.1g of the weight\n",
               cases[k].n, cases[k].n, cases[k].turn, count, 1e3 * first, change, swing);
        CHECK(ok && first > 0 && count >= 4 && changed == 0);
        CHECK(swing < 1e-6 && change < 1e-3);
        world_end(&w);
    }
}

// Without friction it slides on, over nodes and edges, by more than a cell while it is observed.
LONG_TEST(a_slab_slides_over_soft_triangles_without_a_jolt) {
    World w = slab_on_block(6, 0, "velocity: [8 cm/s, 0, 0]," FREE, -1.8e-2, 4e-3,
                            TOP + HALF - 2.2e-4, 0.35);
    double force, deepest, before = 0, swing = 0, jump = 0, least = INFINITY, most = 0;
    int32_t active;
    bool ok = w.ok && world_step(&w, 30);
    double start = ok ? body_at(&w, "slab").x : 0;
    for (int i = 0; ok && i < 80; i++) {
        ok = world_step(&w, 1);
        read_contacts(&w, &force, &deepest, &active);
        double now = force / (MASS * GRAVITY);
        swing = fmax(swing, fabs(now - 1));
        jump = i > 0 ? fmax(jump, fabs(now - before)) : 0;
        least = fmin(least, deepest);
        most = fmax(most, deepest);
        before = now;
    }
    double way = ok ? body_at(&w, "slab").x - start : 0;
    printf("  force within %.2g of the weight, from step to step %.2g; overlap %.3g to %.3g mm, "
           "on a way of %.3g cm\n",
           swing, jump, 1e3 * least, 1e3 * most, 1e2 * way);
    CHECK(ok && way > 0.1 / 6 && swing < 0.05 && jump < 0.05 && most < 5e-5);
    world_end(&w);
}

// (SC29): the side of a box, and that of a block that stands on the box beside it, overlap by far
// over a strip that is as low as the overlap of the edge of the block
TEST(a_block_on_its_edge_near_the_side_of_a_box_does_not_touch_that_side) {
    for (int degrees = 47; degrees < 85; degrees += 2) {
        double turn = degrees * M_PI / 180, depth = 1e-4;
        // its lowest edge is 2 cm from the side of the box, and its lower face is towards this side
        double x = -0.02 - 0.05 * (cos(turn) - sin(turn)),
               z = 0.05 * (cos(turn) + sin(turn)) - depth;
        World w = world_of(
            "lithe: 1\ngravity: none\n"
            "time: {step: 1 ms, end: 1 s, scheme: backward-euler}\n"
            "materials: {soft: {young: 0.1 MPa, poisson: 0.3, density: 1000}}\n"
            "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [4, "
            "4, 4]}}, at: [%.17g, 0, %.17g], rotate: [0, %.17g, 0]}}\n"
            "bodies: {box: {material: soft, fixed: true, shape: {box: {size: [0.3, 0.3, 0.3]}}, "
            "at: [-0.15, 0, -0.15]}}\n",
            x, z, turn);
        LitheContacts *found = lithe_contacts_create(w.context);
        LitheError error;
        double deepest = 0;
        if (w.ok && CHECK(lithe_find_contacts(w.model, w.state, 0, found, &error) == LITHE_OK)) {
            CHECK(lithe_contact_count(found) > 0);
            for (int32_t i = 0; i < lithe_contact_count(found); i++)
                deepest = fmax(deepest, -lithe_contact_data(found)[i].gap);
        }
        if (!CHECK(fabs(deepest - depth) < 1e-3 * depth))
            printf("  turned by %d degrees: %.3g mm\n", degrees, 1e3 * deepest);
        lithe_contacts_destroy(found);
        world_end(&w);
    }
}

TEST(an_overlap_of_a_solid_is_compared_with_its_thickness_whatever_its_mesh) {
    for (int n = 1; n <= 8; n *= 2) {
        World w = world_of(
            "lithe: 1\ngravity: none\n"
            "time: {step: 1e-6 s, end: 1 s, scheme: backward-euler}\n"
            "materials: {soft: {young: 0.1 MPa, poisson: 0.3, density: 1000}}\n"
            "solids: {block: {material: soft, mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [%d, "
            "%d, %d]}}, at: [0, 0, 0.049]}}\n"
            "bodies: {box: {material: soft, fixed: true, shape: {box: {size: [0.3, 0.3, 0.3]}}, "
            "at: [0, 0, -0.15]}}\n",
            n, n, n);
        bool ok = world_step(&w, 1);
        CHECK(ok && fabs(w.report.deepest - 1e-3) < 1e-6);
        if (!CHECK(ok && fabs(w.report.deepest_fraction - 0.02) < 1e-4))
            printf("  %d cells: %.3g\n", n, w.report.deepest_fraction);
        world_end(&w);
    }
}
