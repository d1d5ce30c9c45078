// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_patch_motion.c - patches of things that slide, roll and tilt: force and moment
// are those of the field, smooth, and the same on both sides

#include "body/unit.h"
#include "collide/patch.h"
#include "lithe/lithe.h"

#include "data/model.h"
#include "patch_world.h"

#define MATERIALS \
    "lithe: 1\ntime: {step: 1 ms, end: 1 s}\ngravity: none\nmaterials:\n" \
    "  soft: {young: 1 MPa, density: 1000, friction: 0.5," \
    " contact: {patches: {modulus: 100 kPa}}}\n" \
    "  hard: {young: 1 GPa, density: 1000, friction: 0.5}\n"

static bool made(const char *text, World *w) {
    bool ok = make(text, w) == LITHE_OK;
    if (!CHECK(ok))
        printf("  %s\n", w->error.text);
    return ok;
}

typedef struct Sum {
    Vec3 force, moment; // on b, about the origin
    double tilt;        // stiffness against tilting about y: sum of k x^2
} Sum;

static Sum sum_of(World *w) {
    Sum sum = {0};
    CHECK(lithe_find_contacts(w->model, w->state, 0, w->contacts, NULL) == LITHE_OK);
    for (int32_t i = 0; i < lithe_contact_count(w->contacts); i++) {
        const LitheContact *c = &lithe_contact_data(w->contacts)[i];
        Vec3 f = v3_scale(c->force, c->normal);
        sum.force = v3_add(sum.force, f);
        sum.moment = v3_add(sum.moment, v3_cross(c->point, f));
        sum.tilt += c->stiffness * c->point.x * c->point.x;
    }
    return sum;
}

// --- sliding and rolling -------------------------------------------------------------------------

// force over a motion s = 0 .. 1
typedef void MoveFn(World *w, double s);

typedef struct Ripple {
    double ripple; // (largest - smallest)/mean of the force along z
    double jump;   // largest change from sample to sample over the mean
} Ripple;

static Ripple ripple_of(World *w, MoveFn *move, int samples) {
    double low = INFINITY, high = 0, mean = 0, jump = 0, last = 0;
    for (int i = 0; i <= samples; i++) {
        move(w, (double)i / samples);
        double f = fabs(sum_of(w).force.z);
        low = fmin(low, f);
        high = fmax(high, f);
        mean += f / (samples + 1);
        if (i > 0)
            jump = fmax(jump, fabs(f - last));
        last = f;
    }
    return (Ripple){(high - low) / mean, jump / mean};
}

// ripple within 2 %, and changes that fall with the distance of the samples
static void check_smooth(World *w, MoveFn *move, double limit) {
    Ripple coarse = ripple_of(w, move, 64), fine = ripple_of(w, move, 512);
    if (!CHECK(fine.ripple < limit) || !CHECK(fine.jump < 0.3 * coarse.jump + 1e-6))
        printf("  ripple %.4g, jumps %.3g at 64, %.3g at 512 samples\n", fine.ripple, coarse.jump,
               fine.jump);
    if (getenv("LITHE_TABLE"))
        printf("  ripple %.4g, jumps %.3g at 64, %.3g at 512 samples\n", fine.ripple, coarse.jump,
               fine.jump);
}

static double *place_of(World *w) {
    return w->state->q + w->model->trees[0].q_at;
}

static void slide(World *w, double s) {
    place_of(w)[0] = -0.03 + 0.06 * s;
    place_of(w)[1] = 0.01 * s;
}

TEST(a_ball_that_slides_over_soft_and_hard_boxes_feels_no_mesh) {
    const char *under[] = {"soft", "hard"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS
                 "bodies:\n"
                 "  floor: {fixed: true, material: %s, at: [0, 0, -0.1],"
                 " shape: {box: {size: [0.5, 0.5, 0.2]}}}\n"
                 "  ball: {at: [0, 0, 45 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n",
                 under[i]);
        if (made(text, &w))
            check_smooth(&w, slide, 0.02);
        end(&w);
    }
}

static void roll_ball(World *w, double s) {
    double a = 0.5 * 1.6 * s, *q = place_of(w);
    q[3] = cos(a);
    q[4] = 0.6 * sin(a);
    q[5] = 0.8 * sin(a);
    q[6] = 0;
}

TEST(a_ball_that_rolls_feels_no_sectors) {
    World w;
    if (made(MATERIALS
             "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
             "  ball: {at: [0, 0, 45 mm], material: soft, shape: {sphere: {radius: 50 mm}}}\n",
             &w))
        check_smooth(&w, roll_ball, 0.02);
    end(&w);
}

static void twist_rod(World *w, double s) {
    const LitheRod *rod = &w->model->rods[0];
    for (int32_t e = 0; e < rod->node_count; e++)
        w->state->q[rod->dof_at + 4 * e + 3] = 0.4 * s;
}

TEST(a_round_rod_that_rolls_feels_no_sectors) {
    World w;
    if (made(MATERIALS
             "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
             "rods:\n  rope: {material: soft, section: {circle: {radius: 10 mm}}, nodes: 5,"
             " shape: {line: {from: [0, 0, 9 mm], to: [0.2, 0, 9 mm]}}}\n",
             &w))
        check_smooth(&w, twist_rod, 0.02);
    end(&w);
}

// along its axis by 1.3 edges, over a bar across it
static void draw_rod(World *w, double s) {
    const LitheRod *rod = &w->model->rods[0];
    for (int32_t i = 0; i < rod->node_count; i++)
        w->state->q[rod->dof_at + 4 * i] = 0.02 * (i - 5) + 0.026 * s;
}

TEST(a_rod_drawn_over_a_bar_feels_no_segments) {
    const char *bars[] = {"soft", "hard"};
    for (int i = 0; i < 2; i++) {
        char text[1024];
        World w;
        snprintf(text, sizeof text,
                 MATERIALS
                 "bodies:\n  bar: {fixed: true, material: %s,"
                 " rotate: {axis: [1, 0, 0], angle: 90 deg},"
                 " shape: {cylinder: {radius: 10 mm, length: 0.1}}}\n"
                 "rods:\n  rope: {material: soft, section: {circle: {radius: 10 mm}}, nodes: 11,"
                 " shape: {line: {from: [-0.1, 0, 19 mm], to: [0.1, 0, 19 mm]}}}\n",
                 bars[i]);
        if (made(text, &w))
            check_smooth(&w, draw_rod, 0.02);
        end(&w);
    }
}

// --- moment and tilt -----------------------------------------------------------------------------

// A box of half sizes h, turned by `tilt` about the y axis, which lies z below its centre: force
// and moment of the plane z = 0 by midpoint sums of the exact field, distance to the surface over
// the largest.
static void box_sums(const double h[3], double z, double tilt, double *force, double *moment) {
    enum { N = 600 };
    double c = cos(tilt), s = sin(tilt), reach = 1.2 * h[0], most = fmin(h[0], fmin(h[1], h[2]));
    double da = 2 * reach / N * 2 * h[1] / N;
    *force = *moment = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double x = -reach + 2 * reach * (i + 0.5) / N, y = -h[1] + 2 * h[1] * (j + 0.5) / N;
            // in the frame of the box
            double u = c * x, v = s * x - z;
            double depth = fmin(fmin(h[0] - fabs(u), h[1] - fabs(y)), h[2] - fabs(v));
            if (depth <= 0)
                continue;
            *force += 1e5 * depth / most * da;
            *moment += 1e5 * depth / most * x * da;
        }
}

TEST(a_tilted_box_has_the_moment_and_tilt_stiffness_of_its_field) {
    const double h[3] = {0.05, 0.08, 0.04}, depth = 0.004;
    double tilts[] = {0, 0.01, 0.03, 0.1}, force, moment, low, high, unused;
    World w;
    if (made(MATERIALS "contact: {merge-patches: false}\n"
                       "bodies:\n  floor: {fixed: true, material: hard, shape: {half-space: {}}}\n"
                       "  box: {at: [0, 0, 36 mm], material: soft, shape: {box: {size: [0.1, 0.16, "
                       "0.08]}}}\n",
             &w))
        for (int i = 0; i < 4; i++) {
            double *q = place_of(&w), z = h[2] - depth;
            q[0] = z * sin(tilts[i]);
            q[2] = z * cos(tilts[i]);
            q[3] = cos(0.5 * tilts[i]);
            q[5] = sin(0.5 * tilts[i]);
            Sum sum = sum_of(&w);
            double sign = sum.force.z > 0 ? 1 : -1;
            box_sums(h, z, tilts[i], &force, &moment);
            box_sums(h, z, tilts[i] + 1e-3, &unused, &high);
            box_sums(h, z, tilts[i] - 1e-3, &unused, &low);
            CHECK_NEAR(sign * sum.force.z / force, 1, 0.01);
            // the moment about y of a force along z is -x F
            if (i > 0)
                CHECK_NEAR(-sign * sum.moment.y / moment, 1, 0.02);
            else
                CHECK_NEAR(sum.moment.y, 0, 1e-9 * force);
            CHECK_NEAR(sum.tilt / ((high - low) / 2e-3), 1, 0.02);
            if (getenv("LITHE_TABLE"))
                printf("  tilt %g: force %.4f moment %.4f stiffness %.4f\n", tilts[i],
                       sign * sum.force.z / force, -sign * sum.moment.y / moment,
                       sum.tilt / ((high - low) / 2e-3));
        }
    end(&w);
}

// --- action and reaction -------------------------------------------------------------------------

static Vec3 momentum_of(const World *w) {
    Vec3 p = {0, 0, 0};
    for (int i = 1; i <= 2; i++) {
        LitheBodyId body = {i};
        const double mass[] = {1000 * 4.0 / 3 * 3.14159265358979 * 0.05 * 0.05 * 0.05, 4};
        double v[6];
        lithe_body_velocity(w->model, w->state, body, v);
        p = v3_axpy(mass[i - 1], v3_load(v), p);
    }
    return p;
}

TEST(two_soft_bodies_push_each_other_with_opposite_forces) {
    World w;
    if (made(MATERIALS
             "bodies:\n  ball: {at: [0, 0, 45 mm], material: soft, velocity: [0.1, 0.02, -0.3],"
             " shape: {sphere: {radius: 50 mm}}}\n"
             "  box: {at: [3 mm, 0, -50 mm], material: soft,"
             " shape: {box: {size: [0.2, 0.2, 0.1]}}}\n",
             &w)) {
        LitheWork *work = lithe_work_create(w.model, 1);
        Vec3 before = momentum_of(&w);
        double largest = 0;
        for (int k = 0; k < 20; k++) {
            CHECK(lithe_step(w.model, w.state, work, NULL, NULL) == LITHE_OK);
            largest = fmax(largest, 1e-3 * fabs(sum_of(&w).force.z));
        }
        CHECK(largest > 1e-4);
        CHECK_NEAR(v3_norm(v3_sub(momentum_of(&w), before)), 0, 1e-12 * v3_norm(before));
        lithe_work_destroy(work);
    }
    end(&w);
}

// --- two segments on a ball ----------------------------------------------------------------------

// A bent rod of `nodes` nodes with its middle on top of a ball: two straight halves.
static Sum press_on_ball(const char *patches, int nodes, int32_t *count) {
    char text[1024];
    World w;
    Sum sum = {0};
    snprintf(text, sizeof text,
             MATERIALS
             "contact: {patches: %s}\n"
             "bodies:\n  ball: {fixed: true, material: hard, shape: {sphere: {radius: 30 mm}}}\n"
             "rods:\n  rope: {material: soft, section: {circle: {radius: 5 mm}}, nodes: %d,"
             " shape: {polyline: {points: [[-40 mm, 0, 20 mm], [0, 0, 34 mm], [40 mm, 0, 20 "
             "mm]]}}}\n",
             patches, nodes);
    if (made(text, &w)) {
        sum = sum_of(&w);
        *count = lithe_contact_count(w.contacts);
    }
    end(&w);
    return sum;
}

TEST(two_segments_on_a_ball_press_as_many_do) {
    int32_t count = 0, points = 0, many = 0;
    Sum two = press_on_ball("auto", 3, &count), twenty = press_on_ball("auto", 21, &many);
    double up = fabs(two.force.z);
    CHECK(up > 0.01);
    CHECK_NEAR(two.force.z / twenty.force.z, 1, 0.02);
    // halves alike: no force along the rod or across it, and no moment
    CHECK_NEAR(hypot(two.force.x, two.force.y) / up, 0, 0.02);
    CHECK_NEAR(fabs(two.moment.y) / up, 0, 1e-4);
    // contacts at points have no area to share, one place per segment
    press_on_ball("off", 3, &points);
    CHECK(points >= 1 && points <= 3 && count > points && many > count);
    if (getenv("LITHE_TABLE"))
        printf("  force %.4g and %.4g N, contacts %d, %d, at points %d\n", up, fabs(twenty.force.z),
               (int)count, (int)many, (int)points);
}

// --- mitred joints -------------------------------------------------------------------------------

// force and moment about the origin of the forces on nodes and of the torque about the tangent that
// a force f at a contact of the rod makes
static void apply(const World *w, const LitheContact *c, Vec3 f, Vec3 *force, Vec3 *moment) {
    const LitheRod *rod = &w->model->rods[0];
    const double *q = w->state->q + rod->dof_at;
    LitheSite site = {.unit = rod->unit, .element = c->a.part, .s = {c->a.s}, .point = c->point};
    Vec3 none = {0, 0, 0};
    int32_t nodes[3];
    double blocks[12];
    int32_t count = lithe_unit_ops(w->model, rod->unit)
                        ->site(w->model, w->state, NULL, &site, 1, &f, &none, nodes, blocks);
    for (int32_t k = 0; k < count; k++) {
        Vec3 x = v3_load(q + 4 * nodes[k]), g = v3_load(blocks + 4 * k);
        *force = v3_add(*force, g);
        *moment = v3_add(*moment, v3_cross(x, g));
        if (nodes[k] < rod->edge_count) {
            Vec3 t = v3_unit(v3_sub(v3_load(q + 4 * (nodes[k] + 1)), x));
            *moment = v3_axpy(blocks[4 * k + 3], t, *moment);
        }
    }
}

TEST(points_beyond_the_end_of_a_mitred_edge_keep_force_and_moment) {
    // a flat rod bent by 60 degrees; a ball presses on the outer side of its corner
    World w;
    FATAL(
        made(MATERIALS
             "contact: {merge-patches: false}\n"
             "rods:\n  band: {material: soft, section: {rectangle: {width: 20 mm, height: 8 mm}}, "
             "director: [0, 1, 0], natural: {from: shape}, shape: {polyline: {points: [[-50 mm, 0, "
             "-28.87 mm], [0, 0, 0], [50 mm, 0, -28.87 mm]]}}}\n"
             "bodies:\n  ball: {material: hard, at: [0, 2 mm, 23 mm], shape: {sphere: {radius: 20 "
             "mm}}}\n",
             &w));
    CHECK(lithe_find_contacts(w.model, w.state, 0, w.contacts, NULL) == LITHE_OK);
    const double *q = w.state->q + w.model->rods[0].dof_at;
    int32_t beyond = 0;
    double most = 0, worst = 0;
    for (int32_t i = 0; i < lithe_contact_count(w.contacts); i++) {
        const LitheContact *c = &lithe_contact_data(w.contacts)[i];
        Vec3 x = v3_load(q + 4 * c->a.part), e = v3_sub(v3_load(q + 4 * (c->a.part + 1)), x);
        double s = v3_dot(v3_sub(c->point, x), e) / v3_dot(e, e);
        double out = fmax(s - 1, -s) * v3_norm(e);
        beyond += out > 1e-4;
        most = fmax(most, out);
        Vec3 f = v3_scale(-c->force, c->normal), force = {0, 0, 0}, moment = {0, 0, 0};
        apply(&w, c, f, &force, &moment);
        worst = fmax(worst, v3_distance(force, f) / v3_norm(f));
        worst = fmax(worst, v3_distance(moment, v3_cross(c->point, f)) / (0.02 * v3_norm(f)));
    }
    printf("  %d points beyond their edge, by up to %.2f mm; largest error %.1e\n", (int)beyond,
           1e3 * most, worst);
    CHECK(beyond > 20 && most > 1e-3);
    CHECK(worst < 1e-12);
    end(&w);
}
