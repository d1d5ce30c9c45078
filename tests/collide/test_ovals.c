// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_ovals.c - rods of elliptic section touch at points as ellipses
//
// The rods have the half-axes A along their director and B across it; turned by an angle about
// their axis they reach half = sqrt((B cos)^2 + (A sin)^2) down.

#include "advance/world.h"

#include "data/model.h"
#include "data/state.h"
#include "geom/distance.h"
#include "geom/oval.h"
#include "geom/ray.h"

static const double A = 0.012, B = 0.005;

static double half_height(double angle) {
    return hypot(B * cos(angle), A * sin(angle));
}

// distance of the ellipse at height z from the origin, by search
static double ball_distance(double angle, double z) {
    double nearest = INFINITY;
    for (int i = 0; i < 200000; i++) {
        double t = 2 * M_PI * i / 200000, x = A * cos(t), y = B * sin(t);
        double across = x * cos(angle) - y * sin(angle), up = x * sin(angle) + y * cos(angle);
        nearest = fmin(nearest, hypot(across, z + up));
    }
    return nearest;
}

static void turn(const World *w, int32_t index, double angle) {
    const LitheRod *rod = &w->model->rods[index];
    for (int32_t e = 0; e < rod->edge_count; e++)
        w->state->q[rod->dof_at + 4 * e + 3] = angle;
}

// the smallest gap of all contacts; INFINITY: none
static double smallest_gap(const World *w, int32_t *count) {
    LitheContacts *contacts = lithe_contacts_create(w->context);
    LitheError error;
    double gap = INFINITY;
    CHECK(lithe_find_contacts(w->model, w->state, 2e-3, contacts, &error) == LITHE_OK);
    *count = lithe_contact_count(contacts);
    for (int32_t i = 0; i < *count; i++)
        gap = fmin(gap, lithe_contact_data(contacts)[i].gap);
    lithe_contacts_destroy(contacts);
    return gap;
}

#define ROD \
    "{material: m, section: {ellipse: {width: 24 mm, height: 10 mm}}, nodes: 5, director: %s, " \
    "shape: {line: {from: [%.17g, %.17g, %.17g], to: [%.17g, %.17g, %.17g]}}}\n"
#define HEAD "lithe: 1\nmaterials: {m: {young: 1 GPa, density: 1000}}\n"

TEST(an_elliptic_rod_has_its_height_over_shapes_at_any_roll) {
    static const struct {
        const char *shape;
        double top;
    } shapes[] = {{"{half-space: {}}", 0},
                  {"{box: {size: [1, 1, 0.1]}}", 0.05},
                  {"{sphere: {radius: 3 cm}}", 0.03},
                  {"{capsule: {radius: 2 cm, length: 1 m}}", 0.02},
                  {"{cylinder: {radius: 2 cm, length: 1 m}}", 0.02}};
    for (int k = 0; k < 5; k++)
        for (int i = 0; i <= 8; i++)
            for (int sign = -1; sign <= 1; sign += 2) {
                double angle = i * M_PI / 8, gap = sign * 2e-4;
                double z = shapes[k].top + half_height(angle) + gap;
                // capsule and cylinder lie along y, the rod along x
                const char *lies = k > 2 ? "rotate: {axis: [1, 0, 0], angle: 90 deg}, " : "";
                World w = world_of(HEAD "bodies:\n  block: {fixed: true, material: m, %sshape: "
                                        "%s}\nrods:\n  rod: " ROD,
                                   lies, shapes[k].shape, "[0, 1, 0]", -0.2, 0.0, z, 0.2, 0.0, z);
                int32_t count;
                turn(&w, 0, angle);
                double found = smallest_gap(&w, &count);
                if (k == 2) // the nearest point of a tilted ellipse lies beside the axis
                    gap = ball_distance(angle, z) - shapes[k].top;
                CHECK_NEAR(found, gap, 1e-9);
                CHECK(count >= (k < 2 ? 5 : 1));
                world_end(&w);
            }
}

TEST(crossed_elliptic_rods_are_apart_by_their_half_heights) {
    for (int i = 0; i <= 6; i++)
        for (int j = 0; j <= 6; j++) {
            double a = i * M_PI / 6, b = j * M_PI / 6, gap = (i + j) % 2 ? 3e-4 : -3e-4;
            double z = half_height(a) + half_height(b) + gap;
            World w = world_of(HEAD "rods:\n  low: " ROD "  high: " ROD, "[0, 1, 0]", -0.15, 0.0,
                               0.0, 0.25, 0.01, 0.0, "[1, 0, 0]", 0.0, -0.15, z, 0.005, 0.25, z);
            int32_t count;
            turn(&w, 0, a);
            turn(&w, 1, b);
            CHECK_NEAR(smallest_gap(&w, &count), gap, 1e-7);
            CHECK(count == 1);
            world_end(&w);
        }
}

// nearest point by search over the surface, for the closed form
TEST(the_distance_of_a_point_to_an_elliptic_segment_is_the_smallest_of_all) {
    TestRandom r = {5};
    Vec3 half = v3(A, B, 0.02);
    LitheCore core = {.kind = LITHE_CORE_OVAL, .half = half};
    for (int i = 0; i < 200; i++) {
        Vec3 x = v3(test_random(&r, -0.03, 0.03), test_random(&r, -0.02, 0.02),
                    test_random(&r, -0.04, 0.04));
        LitheNearest near;
        lithe_core_nearest(&core, x, &near);
        double side = INFINITY; // to the ellipse in the plane across
        for (int k = 0; k < 20000; k++) {
            double t = 2 * M_PI * k / 20000;
            side = fmin(side, hypot(x.x - A * cos(t), x.y - B * sin(t)));
        }
        bool within = x.x * x.x / (A * A) + x.y * x.y / (B * B) < 1;
        double beyond = fabs(x.z) - half.z;
        double distance = within ? fmax(-side, beyond) : beyond > 0 ? hypot(side, beyond) : side;
        CHECK_NEAR(near.distance, distance, 1e-8);
        CHECK_NEAR(v3_norm(near.normal), 1, 1e-12);
        CHECK_NEAR(v3_dot(v3_sub(x, near.point), near.normal), near.distance, 1e-12);
    }
}

// a rod on a rough floor, turned by 1 rad
static World rocking(double h, double damping) {
    double z = half_height(1);
    World w = world_of("lithe: 1\nmaterials: {m: {young: 1 GPa, density: 1000, friction: 2, "
                       "damping: {mass: %.17g}, "
                       "contact: {stiffness: 1e5 N/m, dissipation: 0 s/m}}}\n"
                       "time: {step: %.17g, scheme: backward-euler}\n"
                       "bodies:\n  floor: {fixed: true, material: m, shape: {half-space: {}}}\n"
                       "rods:\n  rod: " ROD,
                       damping, h, "[0, 1, 0]", 0.0, 0.0, z, 0.2, 0.0, z);
    turn(&w, 0, 1);
    return w;
}

// kinetic energy and that of gravity, above the flat position [J]
static double energy_of(const World *w) {
    LitheEnergy e = lithe_energy(w->model, w->state);
    return e.kinetic + e.gravity - M_PI * A * B * 0.2 * 1000 * 9.81 * B;
}

// It rolls without sliding: with the contact at x beside the axis and half below it, gravity has
// the torque m g x about the contact, and the inertia about it is I + m (x^2 + half^2).
TEST(an_elliptic_rod_on_edge_rolls_as_statics_say) {
    double x = (A * A - B * B) * sin(1) * cos(1) / half_height(1);
    double inertia = (A * A + B * B) / 4 + x * x + half_height(1) * half_height(1);
    World w = rocking(1e-4, 0);
    world_step(&w, 100);
    double ratio = w.state->v[w.model->rods[0].dof_at + 3] / (-9.81 * x / inertia * 0.01);
    printf("  %.4f of the rate by statics\n", ratio);
    CHECK_NEAR(ratio, 1, 0.03);
    CHECK(w.unconverged == 0);
    world_end(&w);
}

LONG_TEST(a_rocking_elliptic_rod_keeps_its_energy_to_first_order_in_the_step) {
    double error[2];
    for (int k = 0; k < 2; k++) {
        double h = k ? 1e-4 : 4e-4;
        World w = rocking(h, 0);
        world_step(&w, (int64_t)(0.02 / h)); // after it has settled on its springs
        double before = energy_of(&w);
        world_step(&w, (int64_t)(0.4 / h));
        error[k] = fabs(energy_of(&w) / before - 1);
        CHECK(w.unconverged == 0);
        world_end(&w);
    }
    printf("  energy changes by %.3g, in steps of a quarter by %.3g\n", error[0], error[1]);
    CHECK(error[1] < 0.02 && error[1] < 0.5 * error[0]);
}

TEST(an_elliptic_rod_comes_to_rest_on_its_flat_side) {
    World w = rocking(1e-3, 10);
    world_step(&w, 3000);
    const LitheRod *rod = &w.model->rods[0];
    for (int32_t e = 0; e < rod->edge_count; e++)
        CHECK_NEAR(w.state->q[rod->dof_at + 4 * e + 3], 0, 1e-3);
    // its weight of 0.37 N presses it in by a micron
    for (int32_t i = 0; i < rod->node_count; i++)
        CHECK_NEAR(w.state->q[rod->dof_at + 4 * i + 2], B, 5e-6);
    world_end(&w);
}

TEST(an_elliptic_segment_with_equal_axes_is_a_cylinder) {
    TestRandom r = {9};
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef round = {.kind = LITHE_GEOM_CYLINDER, .radius = 0.3, .length = 1};
    LitheGeomDef others[] = {{.kind = LITHE_GEOM_BOX, .size = {0.5, 0.7, 0.9}},
                             {.kind = LITHE_GEOM_CAPSULE, .radius = 0.2, .length = 0.8},
                             {.kind = LITHE_GEOM_CYLINDER, .radius = 0.4, .length = 0.6},
                             {.kind = LITHE_GEOM_SPHERE, .radius = 0.3}};
    LitheGeom cylinder, other;
    LitheError error;
    int overlaps = 0;
    FATAL(lithe_geom_compile(context, &round, &cylinder, &error) == LITHE_OK);
    for (int i = 0; i < 400; i++) {
        LithePose pose, at;
        FATAL(lithe_geom_compile(context, &others[i % 4], &other, &error) == LITHE_OK);
        LitheGeom oval =
            lithe_geom_oval(v3(0, 0, -0.5), v3(0, 0, 0.5), v3(1, 0, 0), 0.6, 0.6, &pose);
        Vec3 axis = v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1));
        at = place_make(v3(test_random(&r, -1, 1), test_random(&r, -1, 1), test_random(&r, -1, 1)),
                        q4_axis_angle(v3_unit(axis), test_random(&r, 0, 3)));
        LitheClosest a, b;
        lithe_geom_distance(&oval, &pose, &other, &at, &a);
        lithe_geom_distance(&cylinder, &pose, &other, &at, &b);
        CHECK_NEAR(a.distance, b.distance, 1e-6);
        overlaps += b.distance < 0;
        // bounds contain it
        Vec3 low, high, far = v3_add(pose.at, lithe_geom_support(&oval, axis));
        lithe_geom_bounds(&oval, &pose, NULL, &low, &high);
        CHECK(far.x >= low.x - 1e-12 && far.x <= high.x + 1e-12 && far.z <= high.z + 1e-12);
        lithe_geom_destroy(&other);
    }
    CHECK(overlaps > 50 && overlaps < 350);
    lithe_geom_destroy(&cylinder);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(rays_meet_an_elliptic_segment_on_its_surface) {
    TestRandom r = {3};
    LithePose pose;
    LitheGeom oval =
        lithe_geom_oval(v3(0, 0, -0.02), v3(0, 0, 0.02), v3(1, 0, 0), 2 * A, 2 * B, &pose);
    LitheCore core = {.kind = LITHE_CORE_OVAL, .half = oval.half};
    int met = 0;
    for (int i = 0; i < 300; i++) {
        Vec3 o = v3_scale(0.1, v3_unit(v3(test_random(&r, -1, 1), test_random(&r, -1, 1),
                                          test_random(&r, -1, 1))));
        Vec3 to = v3(test_random(&r, -0.02, 0.02), test_random(&r, -0.01, 0.01),
                     test_random(&r, -0.03, 0.03));
        Vec3 d = v3_unit(v3_sub(to, o));
        LitheRayHit hit;
        LitheNearest near;
        if (!lithe_geom_ray(&oval, &pose, o, d, 1, &hit)) {
            lithe_core_nearest(&core, to, &near);
            CHECK(near.distance > -1e-12); // a ray to a point inside meets it
            continue;
        }
        lithe_core_nearest(&core, hit.point, &near);
        CHECK_NEAR(near.distance, 0, 1e-12);
        CHECK(v3_dot(hit.normal, d) < 0);
        if (fabs(hit.point.z) < 0.0199)
            CHECK_NEAR(v3_dot(hit.normal, near.normal), 1, 1e-9);
        met++;
    }
    CHECK(met > 100);
}
