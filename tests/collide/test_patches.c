// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_patches.c - contact by pressure fields in whole scenes: forces at rest, the
// friction torque of a spun disc, merging, what is refused

#include "collide/collide.h"
#include "collide/patch.h"
#include "lithe/lithe.h"

#include "data/model.h"
#include "patch_world.h"

static const double PI = M_PI, G = 9.80665;

#define MATERIALS \
    "lithe: 1\ntime: {step: 1 ms, end: 1 s}\ngravity: none\nmaterials:\n" \
    "  soft: {young: 1 MPa, density: 1000, friction: 0.5," \
    " contact: {patches: {modulus: 100 kPa}}}\n" \
    "  hard: {young: 1 GPa, density: 1000, friction: 0.5}\n"

typedef struct Sum {
    LitheVec3 force, moment; // on b, about the origin
    double area, stiffness, energy;
    int32_t count;
} Sum;

static Sum sum_of(World *w) {
    Sum sum = {0};
    if (!CHECK(lithe_find_contacts(w->model, w->state, 0, w->contacts, &w->error) == LITHE_OK))
        printf("  %s\n", w->error.text);
    sum.count = lithe_contact_count(w->contacts);
    for (int32_t i = 0; i < sum.count; i++) {
        const LitheContact *c = &lithe_contact_data(w->contacts)[i];
        LitheVec3 f = v3_scale(c->force, c->normal);
        CHECK(c->force >= 0 && c->stiffness >= 0 && c->area > 0 && c->gap <= 0);
        sum.force = v3_add(sum.force, f);
        sum.moment = v3_add(sum.moment, v3_cross(c->point, f));
        sum.area += c->area;
        sum.energy += 0.5 * c->force * -c->gap;
        sum.stiffness += c->stiffness;
    }
    return sum;
}

static double ball_force(double modulus, double r, double depth) {
    double z = 1 - depth / r;
    return modulus * r * r * PI * (1 - z * z - 2.0 / 3 * (1 - z * z * z));
}

TEST(a_ball_on_a_plane_a_box_and_a_ball_has_the_exact_force) {
    const char *under[] = {"half-space: {}", "box: {size: [1, 1, 0.2]}"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS "bodies:\n  floor: {fixed: true, material: hard, at: [0, 0, %g],"
                           " shape: {%s}}\n"
                           "  ball: {at: [0.01, 0.02, 45 mm], material: soft,"
                           " shape: {sphere: {radius: 50 mm}}}\n",
                 i == 0 ? 0.0 : -0.1, under[i]);
        FATAL(make(text, &w) == LITHE_OK);
        Sum sum = sum_of(&w);
        double sign = sum.force.z > 0 ? 1 : -1;
        CHECK_NEAR(sign * sum.force.z / ball_force(1e5, 0.05, 0.005), 1, 0.003);
        CHECK_NEAR(hypot(sum.force.x, sum.force.y) / sum.force.z, 0, 1e-9);
        CHECK_NEAR(sign * sum.moment.x / fabs(sum.force.z), 0.02, 1e-4);
        CHECK_NEAR(sum.area / (PI * (0.05 * 0.05 - 0.045 * 0.045)), 1, 0.01);
        // (PF14) with 1 - z = 0.1: the work of the force
        CHECK_NEAR(sum.energy / (PI * 1e5 * 1.25e-4 * (1e-3 / 3 - 1e-4 / 6)), 1, 0.005);
        CHECK(w.model->time.scheme == LITHE_SCHEME_TR_BDF2);
        end(&w);
    }
    // two equal balls share the depth
    World w;
    FATAL(make(MATERIALS "bodies:\n  a: {material: soft, shape: {sphere: {radius: 50 mm}}}\n"
                         "  b: {at: [0, 0, 90 mm], material: soft,"
                         " shape: {sphere: {radius: 50 mm}}}\n",
               &w) == LITHE_OK);
    Sum sum = sum_of(&w);
    CHECK_NEAR(sum.force.z / ball_force(1e5, 0.05, 0.005), 1, 0.01);
    end(&w);
}

// (PF7) the stiffness is the derivative of the force
TEST(what_is_beyond_a_half_space_touches_at_points_and_is_pushed_back) {
    // no surface cuts its field; a thing that is fast enough gets there in a step
    static const char *things[] = {
        "bodies:\n  puck: {at: [0, 0, -0.1], rotate: [0.3, 0.2, 0], material: soft,"
        " shape: {cylinder: {radius: 50 mm, length: 40 mm}}}\n",
        "solids:\n  block: {at: [0, 0, -0.3], material: flesh,"
        " mesh: {box: {size: [0.1, 0.1, 0.1], divisions: [3, 3, 3]}}}\nbodies:\n"};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS "  flesh: {young: 1 MPa, poisson: 0.4, density: 1000, contact: {patches:"
                           " {modulus: 100 kPa}}}\n%s"
                           "  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n",
                 things[i]);
        if (!CHECK(make(text, &w) == LITHE_OK))
            printf("  %s\n", w.error.text);
        else
            CHECK(lithe_find_contacts(w.model, w.state, 0, w.contacts, &w.error) == LITHE_OK);
        int32_t count = w.model ? lithe_contact_count(w.contacts) : 0;
        CHECK(count > 0);
        for (int32_t k = 0; k < count; k++) {
            const LitheContact *c = &lithe_contact_data(w.contacts)[k];
            CHECK(c->gap < -0.05 && fabs(c->normal.z) > 0.99);
        }
        end(&w);
    }
}

TEST(stiffness_is_the_change_of_force_per_approach) {
    double force[2], stiffness = 0;
    for (int i = 0; i < 2; i++) {
        char text[2048];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: "
                           "{}}}\n  block: {at: [0, 0, %.9g mm], material: soft,"
                           " shape: {box: {size: [0.1, 0.2, 0.3]}}}\n",
                 145 - 0.001 * i);
        FATAL(make(text, &w) == LITHE_OK);
        Sum sum = sum_of(&w);
        force[i] = fabs(sum.force.z);
        stiffness = sum.stiffness;
        end(&w);
    }
    // the rim, which the plane enters or leaves, is of second order in the depth
    CHECK_NEAR((force[1] - force[0]) / 1e-6 / stiffness, 1, 0.01);
}

// A rod of 24 mm on a floor: the exact force per length, along all its edges alike.
static double lying_force(double depth) {
    double z = 1 - depth, a = sqrt(1 - z * z);
    return 2 * a - (a + z * z * asinh(a / z));
}

TEST(a_round_rod_presses_as_the_exact_integral) {
    double depths[] = {0.1, 0.02}, limit[] = {0.01, 0.03};
    for (int i = 0; i < 2; i++)
        for (int turn = 0; turn < 3; turn++) {
            char text[2048];
            World w;
            double r = 0.012, length = 0.4;
            snprintf(text, sizeof text,
                     MATERIALS "bodies:\n  floor: {fixed: true, material: hard, shape: "
                               "{half-space: {}}}\n"
                               "rods:\n  rope: {material: soft, section: {circle: {radius: 12 "
                               "mm}}, nodes: 11, "
                               "shape: {line: {from: [0, 0, %.9g], to: [0.4, 0, %.9g]}}}\n",
                     r * (1 - depths[i]), r * (1 - depths[i]));
            FATAL(make(text, &w) == LITHE_OK);
            CHECK_TEXT(warnings,
                       "time.scheme auto is backward-euler with contact patches and rods");
            // turned about its axis
            const LitheRod *rod = &w.model->rods[0];
            for (int32_t e = 0; e < rod->node_count; e++)
                w.state->q[rod->dof_at + 4 * e + 3] = 0.06 * turn;
            Sum sum = sum_of(&w);
            // the ends take away a wedge of the depth each
            double exact = 1e5 * r * lying_force(depths[i]) * length;
            CHECK_NEAR(fabs(sum.force.z) / exact, 1, limit[i] + 0.6 * depths[i] * r / length * 2);
            end(&w);
        }
}

// relative depth in an ellipse with the half-axes a > b: 1 on the medial segment, 0 on the rim,
// linear along rays from its ends and, between them, towards the ends of the smaller axis
static double ellipse_depth(double a, double b, double x, double z) {
    double m = a - b * b / a;
    x = fabs(x), z = fabs(z);
    if (x <= m * (1 - z / b))
        return 1 - z / b;
    // (m + t (x - m), t z) on the rim
    double dx = x - m, p = dx * dx / (a * a) + z * z / (b * b), q = m * dx / (a * a);
    double t = (-q + sqrt(q * q + p * (1 - m * m / (a * a)))) / p;
    return t > 1 ? 1 - 1 / t : 0;
}

// force per length and modulus on a floor below the centre at `height`, the section turned by
// `turn`
static double ellipse_force(double a, double b, double height, double turn) {
    enum { N = 20000 };
    double sum = 0, width = 2.2 * a / N;
    for (int i = 0; i < N; i++) {
        double u = (i + 0.5) * width - 1.1 * a, c = cos(turn), s = sin(turn);
        double x = c * u - s * height, z = -s * u - c * height;
        if (x * x / (a * a) + z * z / (b * b) < 1)
            sum += ellipse_depth(a, b, x, z) * width;
    }
    return sum;
}

TEST(an_elliptic_rod_presses_as_an_ellipse) {
    double a = 0.012, b = 0.006, length = 0.4;
    for (int turn = 0; turn < 4; turn++) {
        char text[2048];
        World w;
        double angle = turn * PI / 6;
        double half = hypot(b * cos(angle), a * sin(angle)), height = half - 0.2 * b;
        snprintf(text, sizeof text,
                 MATERIALS "bodies:\n  floor: {fixed: true, material: hard, shape: "
                           "{half-space: {}}}\n"
                           "rods:\n  rope: {material: soft, section: {ellipse: {width: 24 mm, "
                           "height: 12 mm}}, nodes: 11, director: [0, 1, 0], "
                           "shape: {line: {from: [0, 0, %.9g], to: [0.4, 0, %.9g]}}}\n",
                 height, height);
        if (!CHECK(make(text, &w) == LITHE_OK))
            printf("  %s\n", w.error.text);
        const LitheRod *rod = &w.model->rods[0];
        for (int32_t e = 0; e < rod->edge_count; e++)
            w.state->q[rod->dof_at + 4 * e + 3] = angle;
        Sum sum = sum_of(&w);
        double exact = 1e5 * ellipse_force(a, b, height, angle) * length;
        CHECK_NEAR(fabs(sum.force.z) / exact, 1, 0.02);
        CHECK(!strstr(warnings, "elliptic"));
        end(&w);
    }
}

TEST(an_elliptic_rod_that_touches_as_a_circle_is_reported) {
    World w;
    FATAL(make(MATERIALS
               "contact: {model: imc}\n"
               "rods:\n  flat: {material: hard, section: {ellipse: {width: 20 mm, height: "
               "4 mm}}, nodes: 5, shape: {line: {from: [0, 0, 1], to: [0.4, 0, 1]}}}\n",
               &w) == LITHE_OK);
    CHECK_TEXT(warnings, "rod 'flat': its elliptic section touches as a circle with its "
                         "larger half-axis of 0.01 m, too thick by 0.008 m");
    end(&w);
}

// --- two segments on a ball ----------------------------------------------------------------------

// the figure of the filaments paper: two segments of a filament bend over a ball
static void bend_over_ball(const char *contact, const char *material, World *w) {
    char text[2048];
    snprintf(text, sizeof text,
             MATERIALS "contact: {%s}\n"
                       "bodies:\n  ball: {material: hard, shape: {sphere: {radius: 30 mm}}}\n"
                       "rods:\n  filament: {material: %s, section: {circle: {radius: 6 mm}}, "
                       "natural: {from: shape}, shape: {polyline: {points: [[-40 mm, 0, 25 mm],"
                       " [0, 0, 37 mm], [40 mm, 0, 25 mm]]}}}\n",
             contact, material);
    if (!CHECK(make(text, w) == LITHE_OK))
        printf("  %s\n", w->error.text);
}

TEST(single_contacts_are_one_per_flat_edge_and_shape_and_the_deepest) {
    World w;
    FATAL(make(MATERIALS "contact: {patches: off}\n"
                         "bodies:\n  roller: {material: hard, rotate: {axis: [1, 0, 0], angle: -90 "
                         "deg}, shape: {cylinder: {radius: 30 mm, length: 80 mm}}}\n"
                         "rods:\n  band: {material: soft, section: {rectangle: {width: 20 mm, "
                         "height: 2 mm}}, director: [0, 1, 0], natural: {from: shape}, shape: "
                         "{polyline: {points: [[-20 mm, 0, 24 mm], [-5 mm, 0, 30.1 mm], [5 mm, 0, "
                         "30.4 mm], [20 mm, 0, 24 mm]]}}}\n",
               &w) == LITHE_OK);
    double deepest[3] = {0};
    int32_t all[3] = {0}, one[3] = {0};
    for (int pass = 0; pass < 2; pass++) {
        LitheCollideOptions options = {.single = pass == 1};
        CHECK(lithe_collide(w.model, w.state, &options, w.contacts, NULL) == LITHE_OK);
        for (int32_t k = 0; k < lithe_contact_count(w.contacts); k++) {
            const LitheContact *c = &lithe_contact_data(w.contacts)[k];
            int32_t edge = c->a.thing.kind == LITHE_THING_ROD ? c->a.part : c->b.part;
            if (pass == 0)
                deepest[edge] = fmin(deepest[edge], c->gap);
            else
                CHECK(c->gap == deepest[edge]);
            (pass == 0 ? all : one)[edge]++;
        }
    }
    for (int i = 0; i < 3; i++)
        CHECK(all[i] >= 2 && one[i] == 1);
    end(&w);
}

TEST(two_segments_on_a_ball_touch_at_two_points_or_over_two_areas) {
    World w;
    bend_over_ball("patches: off, single: true", "soft", &w);
    CHECK(lithe_find_contacts(w.model, w.state, 0, w.contacts, NULL) == LITHE_OK);
    CHECK(lithe_contact_count(w.contacts) == 2);
    for (int i = 0; i < lithe_contact_count(w.contacts); i++) {
        const LitheContact *c = &lithe_contact_data(w.contacts)[i];
        CHECK(c->area == 0 && c->gap < 0 && c->a.part == i);
    }
    end(&w);
    bend_over_ball("merge-patches: false", "soft", &w);
    Sum sum = sum_of(&w);
    // an area on each segment; as the scene is, symmetric about x = 0 and y = 0
    double most = 0, along[2] = {0, 0};
    for (int32_t i = 0; i < sum.count; i++) {
        const LitheContact *c = &lithe_contact_data(w.contacts)[i];
        most = fmax(most, fabs(v3_norm(c->point) - 0.03));
        along[c->point.x > 0] += c->force;
    }
    CHECK(sum.count > 60 && sum.area > 5e-5);
    CHECK(most < 1e-4); // on the sphere, within the sagitta of its triangles
    CHECK_NEAR(along[0] / along[1], 1, 0.02);
    CHECK_NEAR(hypot(sum.force.x, sum.force.y) / fabs(sum.force.z), 0, 0.01);
    // forces of a frictionless ball act through its centre
    CHECK_NEAR(v3_norm(sum.moment) / (fabs(sum.force.z) * 0.03), 0, 0.01);
    printf("  %d points, %.1f mm^2, %.3f N\n", (int)sum.count, 1e6 * sum.area, -sum.force.z);
    end(&w);
}

// --- merging -------------------------------------------------------------------------------------

TEST(merged_points_keep_force_moment_tilt_stiffness_and_friction_torque) {
    TestRandom r = {17};
    for (int trial = 0; trial < 100; trial++) {
        enum { COUNT = 300 };
        bool rings = trial % 2;
        LithePatchPoint p[COUNT], q[COUNT];
        int32_t group[2 * COUNT];
        LitheVec3 n = v3(0, 0, 1);
        double tilt_x = test_random(&r, -6, 6);
        for (int i = 0; i < COUNT; i++) {
            double x = test_random(&r, -0.03, 0.03), y = test_random(&r, -0.1, 0.1);
            p[i] = (LithePatchPoint){.at = v3(x, y, 0.5), .normal = n, .area = 1e-4};
            p[i].force = 1 + tilt_x * y;
            p[i].stiffness = 1000;
        }
        memcpy(q, p, sizeof p);
        int32_t left = lithe_patch_merge(q, COUNT, rings, group);
        CHECK(rings ? left == 10 : left == 4 || left == 5);
        double sums[2][6] = {{0}};
        double cx = 0, cy = 0, k = 0;
        for (int i = 0; i < COUNT; i++) {
            k += p[i].stiffness;
            cx += p[i].stiffness * p[i].at.x;
            cy += p[i].stiffness * p[i].at.y;
        }
        cx /= k, cy /= k;
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < (s ? left : COUNT); i++) {
                const LithePatchPoint *one = s ? &q[i] : &p[i];
                double x = one->at.x - cx, y = one->at.y - cy;
                CHECK(one->force >= 0 && one->stiffness >= 0);
                sums[s][0] += one->force;
                sums[s][1] += one->force * y;
                sums[s][2] += one->stiffness;
                sums[s][3] += one->stiffness * y * y;
                sums[s][4] += one->stiffness * x * x;
                // (PF39) of two bodies without what the slant of the force adds
                bool even = rings && s == 0;
                sums[s][5] += (even ? 1 + tilt_x * cy : one->force) * hypot(x, y);
                if (rings && s == 1) // what is pressed flat stays flat
                    CHECK_NEAR(1000 * one->force / one->stiffness, 1 + tilt_x * one->at.y, 1e-9);
            }
        for (int k2 = 0; k2 < 6; k2++)
            CHECK_NEAR(sums[1][k2], sums[0][k2], 1e-9 * (fabs(sums[0][k2]) + 1e-3 * sums[0][0]));
    }
}

// sums of the points that act: a point without force does not
typedef struct Acts {
    double force, stiffness, tilt[2], torque, area;
} Acts;

static Acts acts_of(const LithePatchPoint *p, int32_t count) {
    Acts sum = {0};
    for (int32_t i = 0; i < count; i++) {
        double x = p[i].at.x, y = p[i].at.y;
        if (!(p[i].force > 0))
            continue;
        sum.force += p[i].force;
        sum.stiffness += p[i].stiffness;
        sum.tilt[0] += p[i].stiffness * y * y;
        sum.tilt[1] += p[i].stiffness * x * x;
        sum.torque += p[i].force * hypot(x, y);
        sum.area += p[i].area;
    }
    return sum;
}

// points in pairs about the origin: a line, a strip, and a rim with more force than the middle
TEST(merged_lines_strips_and_rims_keep_their_whole_stiffness) {
    for (int kind = 0; kind < 3; kind++) {
        enum { COUNT = 400 };
        LithePatchPoint p[COUNT], q[COUNT];
        int32_t group[2 * COUNT];
        TestRandom r = {3};
        for (int i = 0; i < COUNT; i++) {
            double x = i % 2 ? -p[i - 1].at.x : test_random(&r, -0.1, 0.1);
            double width[] = {0, 0.005, 0.1};
            double y = i % 2 ? -p[i - 1].at.y : test_random(&r, -width[kind], width[kind]);
            p[i] = (LithePatchPoint){
                .at = v3(x, y, 0), .normal = v3(0, 0, 1), .area = 1e-4, .stiffness = 1000};
            p[i].force = kind == 2 ? 1e-3 + 1e4 * pow(hypot(x, y), 4) : 1;
        }
        memcpy(q, p, sizeof p);
        int32_t left = lithe_patch_merge(q, COUNT, false, group);
        CHECK(left == 3 + kind);
        Acts all = acts_of(p, COUNT), few = acts_of(q, left);
        CHECK_NEAR(few.force / all.force, 1, 1e-12);
        CHECK_NEAR(few.stiffness / all.stiffness, 1, 1e-12);
        CHECK_NEAR(few.tilt[0], all.tilt[0], 1e-12 * all.tilt[1]);
        CHECK_NEAR(few.tilt[1] / all.tilt[1], 1, 1e-12);
        CHECK_NEAR(few.torque / all.torque, 1, 1e-12);
        CHECK_NEAR(few.area / all.area, 1, 1e-12);
        // no point has stiffness without force
        for (int32_t i = 0; i < left; i++)
            CHECK(q[i].force > 0.02 * all.force * q[i].stiffness / all.stiffness);
    }
}

TEST(an_edge_on_a_floor_has_the_same_stiffness_merged_and_unmerged) {
    Sum sums[2];
    for (int i = 0; i < 2; i++) {
        char text[2048];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS "contact: {merge-patches: %s}\n"
                           "bodies:\n  floor: {fixed: true, material: hard, shape: "
                           "{half-space: {}}}\n"
                           "rods:\n  rope: {material: soft, section: {circle: {radius: 12 mm}}, "
                           "nodes: 4, shape: {line: {from: [0, 0, 11 mm], to: [0.3, 0, 11 mm]}}}\n",
                 i == 0 ? "false" : "true");
        FATAL(make(text, &w) == LITHE_OK);
        sums[i] = sum_of(&w);
        end(&w);
    }
    CHECK(sums[1].count < sums[0].count / 4);
    CHECK_NEAR(sums[1].force.z / sums[0].force.z, 1, 1e-9);
    CHECK_NEAR(sums[1].moment.y / sums[0].moment.y, 1, 1e-9);
    CHECK_NEAR(sums[1].stiffness / sums[0].stiffness, 1, 1e-9);
    // points without pressure are merged, but do not act by themselves
    CHECK_NEAR(sums[1].area / sums[0].area, 1, 1e-4);
}

// spins a disc that is pressed on a plane: (2/3) mu N R
static double spin_torque(const char *shape, const char *merge, double *count) {
    char text[2048];
    World w;
    snprintf(text, sizeof text,
             "lithe: 1\ntime: {step: 1 ms, end: 1 s}\ncontact: {merge-patches: %s}\nmaterials:\n"
             "  soft: {young: 1 MPa, density: 1000, friction: 0.5,"
             " contact: {patches: {modulus: 100 kPa, dissipation: 10 s/m}}}\n"
             "  hard: {young: 1 GPa, density: 1000, friction: 0.5}\n"
             "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
             "  disc: {at: [0, 0, 19.9 mm], material: soft, angular-velocity: [0, 0, 30],"
             " shape: {%s}}\n",
             merge, shape);
    if (!CHECK(make(text, &w) == LITHE_OK)) {
        printf("  %s\n", w.error.text);
        end(&w);
        return 0;
    }
    LitheWork *work = lithe_work_create(w.model, 1);
    double before = 0, after = 0, contacts = 0;
    for (int i = 0; i < 150; i++) {
        LitheReport report;
        if (!CHECK(lithe_step(w.model, w.state, work, &report, &w.error) == LITHE_OK))
            break;
        double spin = w.state->v[w.model->trees[0].v_at + 5];
        if (i == 49)
            before = spin;
        after = spin;
        contacts = report.contacts;
    }
    *count = contacts;
    double mass = 1000 * PI * 0.05 * 0.05 * 0.04, inertia = 0.5 * mass * 0.05 * 0.05;
    lithe_work_destroy(work);
    end(&w);
    return inertia * (before - after) / 0.1 / (2.0 / 3 * 0.5 * mass * G * 0.05);
}

LONG_TEST(a_spun_disc_has_the_friction_torque_of_a_uniform_pressure) {
    static const char *shapes[] = {"cylinder: {radius: 50 mm, length: 40 mm}",
                                   "revolution: {outline: [[-20 mm, 50 mm], [20 mm, 50 mm]]}"};
    for (int i = 0; i < 2; i++) {
        double counts[2], merged = spin_torque(shapes[i], "true", &counts[0]);
        double all = spin_torque(shapes[i], "false", &counts[1]);
        CHECK_NEAR(merged, 1, 0.02);
        CHECK_NEAR(all, 1, 0.02);
        CHECK_NEAR(merged / all, 1, 0.005);
        CHECK(counts[0] == 10 && counts[1] > 50);
    }
}

// --- what is refused -----------------------------------------------------------------------------

static void refuses(const char *text, const char *part) {
    World w;
    CHECK(make(text, &w) != LITHE_OK);
    CHECK_TEXT(w.error.text, part);
    end(&w);
}

#define SOFT_WITH(patches) \
    "lithe: 1\ntime: {step: 1 ms, end: 1 s}\nmaterials:\n" \
    "  soft: {young: 1 MPa, density: 1000, contact: {patches: {" patches "}}}\n" \
    "bodies:\n  a: {material: soft, shape: {sphere: {radius: 50 mm}}}\n"

TEST(wrong_values_are_refused_by_name) {
    refuses(SOFT_WITH("modulus: 0"), "contact.patches.modulus is 0 Pa");
    refuses(SOFT_WITH("modulus: -1 Pa"), "contact.patches.modulus is -1 Pa");
    refuses(SOFT_WITH("modulus: 1 kPa, dissipation: -1"), "contact.patches.dissipation is -1");
    refuses(SOFT_WITH("modulus: 1 kPa, sectors: 3"), "contact.patches.sectors is 3");
    refuses(MATERIALS
            "contact: {patches: on}\n"
            "bodies:\n  a: {material: soft, shape: {sphere: {radius: 50 mm}}}\n"
            "particles:\n  sand: {material: hard, radius: 1 mm, positions: [[0, 0, 1]]}\n",
            "particles 'sand' have no pressure field");
    refuses("lithe: 1\ntime: {step: 1 ms, end: 1 s}\ncontact: {patches: on}\nmaterials:\n"
            "  hard: {young: 1 GPa, density: 1000}\n"
            "bodies:\n  a: {material: hard, shape: {sphere: {radius: 50 mm}}}\n",
            "no material has contact.patches.modulus");
    refuses("lithe: 1\ntime: {step: 1 ms, end: 1 s, scheme: midpoint}\nmaterials:\n"
            "  soft: {young: 1 MPa, density: 1000, contact: {patches: {modulus: 1 kPa}}}\n"
            "bodies:\n  a: {material: soft, shape: {sphere: {radius: 50 mm}}}\n",
            "needs time.scheme backward-euler, tr-bdf2 or auto, not midpoint");
}

TEST(two_rigid_bodies_are_reported_where_patches_are_on) {
    World w;
    const char *text = MATERIALS
        "contact: {patches: on}\n"
        "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
        "  ball: {at: [0, 0, 49 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n"
        "  stone: {at: [1, 0, 49 mm], material: hard, shape: {sphere: {radius: 50 mm}}}\n";
    FATAL(make(text, &w) == LITHE_OK);
    CHECK_TEXT(warnings, "contact.patches is on, but bodies 'floor' and 'stone' are both rigid: "
                         "they touch at points");
    end(&w);
}

TEST(a_material_with_patches_is_reported_where_the_model_has_none) {
    World w;
    const char *things =
        "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
        "  ball: {at: [0, 0, 49 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n";
    char text[1024];
    for (int off = 0; off < 2; off++) {
        snprintf(text, sizeof text, MATERIALS "contact: {model: lcp%s}\n%s",
                 off ? ", patches: off" : "", things);
        FATAL(make(text, &w) == LITHE_OK);
        const char *found = strstr(warnings, "material 'soft' has contact.patches.modulus, but "
                                             "contact.model lcp has no patches");
        CHECK((found != NULL) == !off);
        end(&w);
    }
}

TEST(a_half_space_with_a_modulus_is_reported) {
    World w;
    FATAL(make(MATERIALS
               "bodies:\n  floor: {fixed: true, material: soft, shape: {half-space: {}}}\n"
               "  ball: {at: [0, 0, 49 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n",
               &w) == LITHE_OK);
    CHECK_TEXT(warnings, "body 'floor': its half-space is rigid in patches");
    end(&w);
}

TEST(patches_off_has_contacts_at_points) {
    World w;
    FATAL(make(MATERIALS
               "contact: {patches: off}\n"
               "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
               "  ball: {at: [0, 0, 49 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n",
               &w) == LITHE_OK);
    CHECK(!w.model->patches);
    CHECK(lithe_find_contacts(w.model, w.state, 0, w.contacts, NULL) == LITHE_OK);
    CHECK(lithe_contact_count(w.contacts) == 1);
    CHECK(lithe_contact_data(w.contacts)[0].area == 0);
    end(&w);
}
