// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_spin.c - bodies that spin on a flat face stop as the pressure on all of it
// says

#include "advance/world.h"

#include <math.h>
#include <string.h>

#define G 9.81
#define MU 0.3
#define SPIN 20.0 // rad/s at the start

// time at which a body that spins about z comes to rest, interpolated between two steps [s]
static double stop_time_by(const char *faces, const char *shape, double half_height,
                           const char *floor) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 0.5 ms, end: 10 s}\n"
                       "contact: {faces: %s}\n"
                       "materials: {steel: {young: 1 GPa, density: 1000, friction: %g,\n"
                       "  contact: {stiffness: 1e6}}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: steel, %s}\n"
                       "  top: {material: steel, shape: {%s}, at: [0, 0, %.17g],\n"
                       "    angular-velocity: [0, 0, %g]}\n",
                       faces, MU, floor, shape, half_height, SPIN);
    double before = SPIN, time = NAN;
    for (int i = 0; w.ok && i < 4000 && isnan(time); i++) {
        double v[6];
        world_step(&w, 1);
        lithe_body_velocity(w.model, w.state, lithe_body_find(w.model, "top"), v);
        if (v[5] < 1e-3 * SPIN)
            time = lithe_state_time(w.state) - 0.5e-3 * (1 - before / (before - v[5]));
        before = v[5];
    }
    world_end(&w);
    return time;
}

static double stop_time(const char *shape, double half_height, const char *floor) {
    return stop_time_by("whole", shape, half_height, floor);
}

// mean distance from the centre of a rectangle of half sides a and b
static double mean_radius(double a, double b) {
    double sum = 0;
    enum { N = 400 };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += hypot(a * (i + 0.5) / N, b * (j + 0.5) / N);
    return sum / N / N;
}

static const char *const plane = "shape: {half-space: {}}";
static const char *const slab = "shape: {box: {size: [2, 2, 0.5]}}, at: [0, 0, -0.25]";

LONG_TEST(a_disc_that_spins_on_its_face_stops_when_the_integral_says) {
    double r = 0.1, want = 0.75 * r * SPIN / (MU * G); // m r^2/2 SPIN = 2/3 mu m g r t
    const char *const floors[] = {plane, slab};
    for (int k = 0; k < 2; k++) {
        double got = stop_time("cylinder: {radius: 0.1, length: 0.05}", 0.025, floors[k]);
        printf("  disc: stops after %.4f s, wanted %.4f s\n", got, want);
        CHECK(fabs(got / want - 1) < 0.02);
    }
}

LONG_TEST(boxes_that_spin_on_their_faces_stop_when_the_integral_says) {
    const double sides[][2] = {{0.1, 0.1}, {0.1, 0.2}, {0.1, 0.3}};
    const char *const floors[] = {plane, slab};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            double a = sides[i][0], b = sides[i][1];
            char shape[100];
            snprintf(shape, sizeof shape, "box: {size: [%g, %g, 0.04]}", 2 * a, 2 * b);
            double want = (a * a + b * b) / 3 * SPIN / (MU * G * mean_radius(a, b));
            double got = stop_time(shape, 0.02, floors[k]);
            printf("  box of %g x %g: stops after %.4f s, wanted %.4f s\n", a, b, got, want);
            CHECK(fabs(got / want - 1) < 0.02);
        }
}

// A box of half sides a and b on contacts of k each at its corners, pushed by a torque about x
// [N m]: the angle to which it turns [rad], the number of contacts and the force of all of them
// [N].
static double rock(const char *faces, double a, double b, double k, double torque, int32_t *count,
                   double *force) {
    World w = world_of("lithe: 1\n"
                       "time: {step: 2 ms, end: 10 s}\n"
                       "contact: {faces: %s}\n"
                       "materials: {steel: {young: 1 GPa, density: 1000, friction: 0,\n"
                       "  contact: {stiffness: %g, dissipation: 20}}}\n"
                       "bodies:\n"
                       "  floor: {fixed: true, material: steel, shape: {half-space: {}}}\n"
                       "  top: {material: steel, shape: {box: {size: [%g, %g, 0.04]}},\n"
                       "    at: [0, 0, 0.0199]}\n",
                       faces, 2 * k, 2 * a, 2 * b);
    double *push =
        w.ok ? lithe_body_force_writable(w.model, w.state, lithe_body_find(w.model, "top")) : NULL;
    double pose[7] = {0};
    *count = 0;
    *force = 0;
    CHECK(push);
    if (push) {
        push[3] = torque;
        world_step(&w, 3000);
        lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "top"), pose);
        *count = lithe_work_contact_count(w.work);
        for (int32_t i = 0; i < *count; i++)
            *force += lithe_work_contact(w.work, i).normal;
    }
    world_end(&w);
    return 2 * asin(pose[4]);
}

// Rocking: a box on contacts of total stiffness K turns about x under a torque T by T/(K b^2/3).
TEST(a_box_rocks_on_its_face_as_on_an_even_bed_of_springs) {
    double a = 0.1, b = 0.2, k = 1e5, torque = 0.5, force;
    int32_t count;
    double got = rock("whole", a, b, k, torque, &count, &force);
    double want = torque / (4 * k * b * b / 3);
    printf("  turns by %.4g rad, wanted %.4g\n", got, want);
    CHECK(fabs(got / want - 1) < 0.02);
    CHECK(count == 8);
}

// With contacts at corners only, all of the stiffness and of the friction is at the distance of the
// corners: T/(K b^2), and the square stops sooner by mean radius/radius of the corners.
TEST(a_box_on_its_corners_has_half_the_contacts_and_too_much_hold) {
    double a = 0.1, b = 0.2, k = 1e5, torque = 0.5, force, weight = 1000 * 4 * a * b * 0.04 * G;
    int32_t count;
    double got = rock("corners", a, b, k, torque, &count, &force);
    double want = torque / (4 * k * b * b);
    printf("  %d contacts carry %.6g of %.6g N; turns by %.4g rad, wanted %.4g\n", (int)count,
           force, weight, got, want);
    CHECK(count == 4);
    CHECK(fabs(force / weight - 1) < 1e-4);
    CHECK(fabs(got / want - 1) < 0.02);
    const char *const floors[] = {plane, slab};
    for (int i = 0; i < 2; i++) {
        double stop = stop_time_by("corners", "box: {size: [0.2, 0.2, 0.04]}", 0.02, floors[i]);
        double ideal = 2 * a * a / 3 * SPIN / (MU * G * a * sqrt(2));
        printf("  stops after %.4f s, wanted %.4f s\n", stop, ideal);
        CHECK(fabs(stop / ideal - 1) < 0.02);
    }
    CHECK(fabs(a * sqrt(2) / mean_radius(a, a) - 1.85) < 0.01);
}

// --- the same faces of other shapes --------------------------------------------------------------

// corners of a prism of n sides around a circle of radius 0.1, 0.05 high, as text
static void prism(int n, char *out, size_t size) {
    size_t used = 0;
    for (int k = 0; k < 2 * n; k++) {
        double angle = 2 * M_PI * (k % n) / n;
        used += (size_t)snprintf(out + used, size - used, "%s[%.17g, %.17g, %g]", k > 0 ? ", " : "",
                                 0.1 * cos(angle), 0.1 * sin(angle), k < n ? -0.025 : 0.025);
    }
}

// triangles of that prism, outwards
static void prism_triangles(int n, char *out, size_t size) {
    size_t used = 0;
    for (int k = 0; k < n; k++) {
        int next = (k + 1) % n;
        used += (size_t)snprintf(out + used, size - used, "%s[%d, %d, %d], [%d, %d, %d]",
                                 k > 0 ? ", " : "", k, next, n + next, k, n + next, n + k);
        if (k > 0 && k < n - 1)
            used += (size_t)snprintf(out + used, size - used, ", [0, %d, %d], [%d, %d, %d]", next,
                                     k, n, n + k, n + next);
    }
}

// time after which a prism stops: mean of r^2 times SPIN over mu g times the mean of r, r the
// distance from the centre of its polygon
static double prism_time(int n) {
    // over one triangle of the centre and a side of half length t, at the distance d
    double half = M_PI / n, d = 0.1 * cos(half), t = 0.1 * sin(half);
    double first = d / 3 * (t * hypot(t, d) + d * d * asinh(t / d)), area = d * t;
    double second = d / 6 * (3 * d * d * t + t * t * t);
    return second / area * SPIN / (MU * G * first / area);
}

LONG_TEST(prisms_as_hulls_and_meshes_stop_when_the_integral_says) {
    static char points[20000], triangles[20000], shape[45000];
    const int sides[] = {3, 4, 6, 12};
    for (int i = 0; i < 4; i++) {
        double want = prism_time(sides[i]);
        prism(sides[i], points, sizeof points);
        snprintf(shape, sizeof shape, "convex: {points: [%s]}", points);
        double hull = stop_time(shape, 0.025, plane);
        prism_triangles(sides[i], triangles, sizeof triangles);
        snprintf(shape, sizeof shape, "mesh: {points: [%s], triangles: [%s]}", points, triangles);
        double mesh = stop_time(shape, 0.025, plane);
        printf("  %d sides: hull %.4f s, mesh %.4f s, wanted %.4f s\n", sides[i], hull, mesh, want);
        CHECK(fabs(hull / want - 1) < 0.02);
        CHECK(fabs(mesh / want - 1) < 0.02);
    }
}

LONG_TEST(a_solid_of_revolution_stops_on_its_end_face_when_the_integral_says) {
    double want = 0.75 * 0.1 * SPIN / (MU * G);
    double got = stop_time("revolution: {outline: [[-0.025, 0.1], [0.01, 0.1], [0.025, 0.1]]}",
                           0.025, plane);
    double upside = stop_time("revolution: {outline: [[-0.025, 0.1], [0.01, 0.1], [0.025, 0.1]]}, "
                              "rotate: {axis: [1, 0, 0], angle: 180 deg}",
                              0.025, plane);
    printf("  revolution: stops after %.4f s, upside down %.4f s, wanted %.4f s\n", got, upside,
           want);
    CHECK(fabs(got / want - 1) < 0.02);
    CHECK(fabs(upside / want - 1) < 0.02);
}
