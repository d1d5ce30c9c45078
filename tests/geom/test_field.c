// SPDX-License-Identifier: Apache-2.0
// tests/geom/test_field.c - pressure fields of shapes pressed into a rigid half-space, against the
// exact integral of the field

#include "base/memory.h"
#include "geom/field.h"
#include "shapes.h"

#include "test.h"

static const double PI = M_PI;

static LithePressureField *field_of(LitheContext *context, LitheGeomDef def, int32_t sectors) {
    LitheGeom geom;
    LithePressureField *field = NULL;
    if (!CHECK(lithe_geom_compile(context, &def, &geom, NULL) == LITHE_OK))
        return NULL;
    CHECK(lithe_field_create(context, &geom, 1, sectors, &field, NULL) == LITHE_OK);
    lithe_geom_destroy(&geom);
    return field;
}

// force, moment about the origin and stiffness of the field turned by q, above the plane z = level
typedef struct Press {
    double force, stiffness;
    Vec3 moment;
    int32_t polygons;
} Press;

static Press press(const LithePressureField *f, Quat q, double level) {
    Press out = {0};
    LithePose pose = place_make(v3(0, 0, 0), q);
    Vec3 up = place_direction_back(&pose, v3(0, 0, 1));
    for (int32_t i = 0; i < f->tet_count; i++) {
        LithePolygon p;
        if (!lithe_clip_plane(&f->ready[i], up, level, &p))
            continue;
        out.force += p.area * p.pressure;
        out.stiffness += p.area * p.stiffness;
        out.polygons++;
        Vec3 points[3];
        lithe_polygon_points(&p, points);
        for (int k = 0; k < 3; k++) {
            double pressure = p.pressure + v3_dot(p.slope, v3_sub(points[k], p.centre));
            out.moment =
                v3_axpy(p.area / 3 * pressure,
                        v3_cross(place_direction(&pose, points[k]), v3(0, 0, 1)), out.moment);
        }
    }
    return out;
}

static double ball_force(double depth) {
    double z = 1 - depth, a2 = 1 - z * z;
    return PI * (a2 - 2.0 / 3 * (1 - z * z * z));
}

// largest relative error over orientations
static double worst_ball(LitheContext *context, int32_t sectors, double depth, int count) {
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_SPHERE;
    def.radius = 1;
    LithePressureField *f = field_of(context, def, sectors);
    TestRandom r = {11};
    double worst = 0, exact = ball_force(depth);
    for (int i = 0; f && i < count; i++)
        worst = fmax(worst, fabs(press(f, random_turn(&r), depth - 1).force / exact - 1));
    lithe_field_destroy(f);
    return worst;
}

TEST(a_ball_presses_as_the_exact_integral) {
    LitheContext *context = lithe_context_create(NULL);
    double coarse = worst_ball(context, LITHE_SECTORS, 0.1, 100),
           shallow = worst_ball(context, LITHE_SECTORS, 0.02, 100);
    double fine = worst_ball(context, 4 * LITHE_SECTORS, 0.1, 10),
           fine_shallow = worst_ball(context, 4 * LITHE_SECTORS, 0.02, 10);
    CHECK_NEAR(coarse, 0, 0.01);
    CHECK_NEAR(shallow, 0, 0.05);
    CHECK_NEAR(fine, 0, 0.002);
    CHECK_NEAR(fine_shallow, 0, 0.005);
    CHECK(fine < coarse / 8);
    if (getenv("LITHE_TABLE"))
        printf("  ball: 0.1: %.4f %.4f, 0.02: %.4f %.4f\n", coarse, fine, shallow, fine_shallow);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// a cylinder of radius 1 that lies on its side; its field depends on the radius alone
static double lying_force(double depth) {
    double z = 1 - depth, a = sqrt(1 - z * z);
    // integral of 1 - sqrt(z^2 + x^2) over -a .. a
    return 2 * a - (a + z * z * asinh(a / z));
}

static double worst_lying(LitheContext *context, LitheGeomDef def, int32_t sectors, double depth,
                          double length, double ends) {
    LithePressureField *f = field_of(context, def, sectors);
    double worst = 0, exact = length * lying_force(depth) + ends;
    for (int i = 0; f && i < 50; i++) {
        Quat turn = q4_exp(v3(0, 0, 0.013 * i)), lie = q4_exp(v3(0.5 * PI, 0, 0));
        worst = fmax(worst, fabs(press(f, q4_mul(lie, turn), depth - 1).force / exact - 1));
    }
    lithe_field_destroy(f);
    return worst;
}

TEST(a_capsule_presses_as_the_exact_integral_on_its_side) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_CAPSULE;
    def.radius = 1;
    def.length = 4;
    double depth[] = {0.1, 0.02}, limit[2][2] = {{0.01, 0.003}, {0.05, 0.005}};
    for (int d = 0; d < 2; d++)
        for (int s = 0; s < 2; s++) {
            double off = worst_lying(context, def, s ? 4 * LITHE_SECTORS : LITHE_SECTORS, depth[d],
                                     4, ball_force(depth[d]));
            CHECK_NEAR(off, 0, limit[d][s]);
            if (getenv("LITHE_TABLE"))
                printf("  capsule %g, %d sectors: %.4f\n", depth[d],
                       s ? 4 * LITHE_SECTORS : LITHE_SECTORS, off);
        }
    // on its tip it is a ball
    LithePressureField *f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    CHECK_NEAR(press(f, q4_identity(), 0.1 - 3).force / ball_force(0.1), 1, 0.02);
    lithe_field_destroy(f);
    lithe_context_destroy(context);
}

// between its slanted ends, the depth of a long cylinder is that of its side
TEST(a_cylinder_presses_as_the_exact_integral_on_its_side) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_CYLINDER;
    def.radius = 1;
    double depth[] = {0.1, 0.02}, limit[2][2] = {{0.02, 0.005}, {0.05, 0.005}};
    for (int d = 0; d < 2; d++)
        for (int s = 0; s < 2; s++) {
            double worst = 0;
            for (int i = 0; i < 50; i++) {
                // the difference of two lengths has no ends
                double force[2];
                for (int l = 0; l < 2; l++) {
                    def.length = l ? 6 : 4;
                    LithePressureField *f =
                        field_of(context, def, s ? 4 * LITHE_SECTORS : LITHE_SECTORS);
                    Quat turn = q4_exp(v3(0, 0, 0.013 * i));
                    Quat lie = q4_exp(v3(0.5 * PI, 0, 0));
                    force[l] = press(f, q4_mul(lie, turn), depth[d] - 1).force;
                    lithe_field_destroy(f);
                }
                worst = fmax(worst, fabs(0.5 * (force[1] - force[0]) / lying_force(depth[d]) - 1));
            }
            CHECK_NEAR(worst, 0, limit[d][s]);
            if (getenv("LITHE_TABLE"))
                printf("  cylinder %g, %d sectors: %.4f\n", depth[d],
                       s ? 4 * LITHE_SECTORS : LITHE_SECTORS, worst);
        }
    lithe_context_destroy(context);
}

// on its base the field of a cylinder is the depth of the base, except near the rim
TEST(a_standing_cylinder_and_a_box_press_as_exact_frustums) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_CYLINDER;
    def.radius = 1;
    def.length = 4;
    LithePressureField *f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    // depth t: pressure t up to r = 1 - t, then 1 - r
    double t = 0.1, inner = 1 - t;
    double exact = PI * inner * inner * t + PI * (1 - inner * inner) -
                   2.0 / 3 * PI * (1 - inner * inner * inner);
    CHECK_NEAR(press(f, q4_identity(), t - 2).force / exact, 1, 0.003);
    lithe_field_destroy(f);

    def.kind = LITHE_GEOM_BOX;
    def.size = v3(2, 4, 6);
    f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    CHECK_NEAR(lithe_field_volume(f), 48, 1e-12);
    // flat at depth t: t over (2 - 2t)(4 - 2t), and four sides that fall to 0
    double a = 2, b = 4, mean = 0.5 * t;
    double flat =
        t * (a - 2 * t) * (b - 2 * t) + mean * 2 * t * (a - 2 * t + b - 2 * t) + 4 * t * t * t / 3;
    Press p = press(f, q4_identity(), t - 3);
    CHECK_NEAR(p.force, flat, 1e-12);
    CHECK_NEAR(v3_norm(p.moment), 0, 1e-12);
    // its stiffness leaves out the rim, whose slope is along the plane
    CHECK_NEAR(p.stiffness, (a - 2 * t) * (b - 2 * t), 1e-12);
    lithe_field_destroy(f);
    lithe_context_destroy(context);
}

// --- solids of revolution ------------------------------------------------------------------------

static LitheGeomDef revolution(const double *z, const double *r, int32_t count) {
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_REVOLUTION;
    def.profile_z = (double *)z;
    def.profile_r = (double *)r;
    def.profile_count = count;
    return def;
}

// the same field as that of the cylinder, flat and long; points on the outline change nothing
TEST(a_cylinder_presses_alike_as_a_solid_of_revolution) {
    LitheContext *context = lithe_context_create(NULL);
    const double half[] = {0.1, 2};
    for (int i = 0; i < 2; i++) {
        const double z[] = {-half[i], 0.3 * half[i], half[i]}, r[] = {1, 1, 1};
        LitheGeomDef def = lithe_geom_def_default();
        def.kind = LITHE_GEOM_CYLINDER;
        def.radius = 1;
        def.length = 2 * half[i];
        LithePressureField *a = field_of(context, def, LITHE_SECTORS);
        LithePressureField *b = field_of(context, revolution(z, r, 3), LITHE_SECTORS);
        FATAL(a && b);
        const double tilt[] = {0, 0.02, 0.7, 0.5 * PI};
        for (int k = 0; k < 4; k++) {
            Quat q = q4_exp(v3(tilt[k], 0, 0));
            double level = 0.02 - half[i] * cos(tilt[k]) - sin(tilt[k]);
            Press x = press(a, q, level), y = press(b, q, level);
            CHECK_NEAR(y.force / x.force, 1, 1e-9);
            CHECK_NEAR(y.stiffness / x.stiffness, 1, 1e-9);
            CHECK_NEAR(v3_distance(x.moment, y.moment) / x.force, 0, 1e-9);
        }
        lithe_field_destroy(a);
        lithe_field_destroy(b);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// a ball as an outline of 64 edges, and a cone on its base
TEST(balls_and_cones_press_as_the_exact_integral_as_solids_of_revolution) {
    enum { EDGES = 64 };
    LitheContext *context = lithe_context_create(NULL);
    double z[EDGES + 1], r[EDGES + 1];
    for (int i = 0; i <= EDGES; i++) {
        double angle = PI * i / EDGES;
        z[i] = -cos(angle);
        r[i] = i % EDGES == 0 ? 0 : sin(angle);
    }
    LithePressureField *f = field_of(context, revolution(z, r, EDGES + 1), 128);
    FATAL(f);
    for (int k = 0; k < 5; k++) {
        Quat q = q4_exp(v3(0.4 * k, 0, 0));
        CHECK_NEAR(press(f, q, 0.1 - 1).force / ball_force(0.1), 1, 0.01);
    }
    lithe_field_destroy(f);
    // radius 1 and height 1: the largest distance is that of the inscribed ball, 1/(1 + sqrt 2)
    const double cone_z[] = {0, 1}, cone_r[] = {1, 0};
    f = field_of(context, revolution(cone_z, cone_r, 2), 128);
    FATAL(f);
    double t = 0.02, deepest = 1 / (1 + sqrt(2)), inner = 1 - t - t * sqrt(2), sum = 0;
    enum { N = 20000 };
    for (int i = 0; i < N; i++) {
        double x = (i + 0.5) / N * (1 - t), side = (1 - t - x) / sqrt(2);
        sum += 2 * PI * x * fmin(t, side) * (1 - t) / N;
    }
    CHECK(inner > 0);
    CHECK_NEAR(press(f, q4_identity(), t).force * deepest / sum, 1, 1e-3);
    lithe_field_destroy(f);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// a spool: flat ends press evenly over their area, and nothing inside is without pressure
TEST(a_spool_presses_with_its_flat_ends) {
    LitheContext *context = lithe_context_create(NULL);
    const double z[] = {-1, -0.6, -0.4, 0.4, 0.6, 1}, r[] = {1, 1, 0.5, 0.5, 1, 1};
    LithePressureField *f = field_of(context, revolution(z, r, 6), LITHE_SECTORS);
    FATAL(f);
    double t = 0.05, inner = 1 - t, deepest = 0;
    for (int32_t i = 0; i < f->point_count; i++)
        deepest = fmax(deepest, f->depths[i]);
    CHECK_NEAR(deepest, 1, 1e-12);
    Press p = press(f, q4_identity(), t - 1);
    CHECK(p.stiffness > 0 && p.force > 0);
    double flat = PI * inner * inner;
    CHECK_NEAR(p.force / p.stiffness / t, 1 + (1 - inner * inner) / (2 * inner * inner), 0.03);
    CHECK_NEAR(p.stiffness / press(f, q4_identity(), 0.5 * t - 1).stiffness,
               flat / (PI * (1 - 0.5 * t) * (1 - 0.5 * t)), 0.03);
    CHECK_NEAR(v3_norm(p.moment) / p.force, 0, 1e-9);
    lithe_field_destroy(f);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// --- tubes, plates with a hole, tori -------------------------------------------------------------

// their surfaces are meshes, which no point sees as a whole
TEST(tubes_plates_and_tori_press_as_the_exact_integral) {
    LitheContext *context = lithe_context_create(NULL);
    const double t = 0.02;
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_TUBE;
    def.radius = 1;
    def.hole = 0.6;
    def.length = 0.5;
    LithePressureField *f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    CHECK_NEAR(lithe_field_volume(f) / (PI * 0.64 * 0.5), 1, 1e-9);
    // flat between 0.6 + t and 1 - t, where t is the depth, and two rims that fall to 0
    double deepest = 0.2, sum = 0;
    enum { N = 20000 };
    for (int i = 0; i < N; i++) {
        double x = 0.6 + 0.4 * (i + 0.5) / N;
        sum += 2 * PI * x * fmin(t, fmin(x - 0.6, 1 - x)) * 0.4 / N;
    }
    Press p = press(f, q4_identity(), t - 0.25);
    CHECK_NEAR(p.force * deepest / sum, 1, 3e-3); // 64 sides
    CHECK_NEAR(v3_norm(p.moment) / p.force, 0, 1e-9);
    lithe_field_destroy(f);

    def.kind = LITHE_GEOM_PLATE;
    def.size = v3(2, 3, 0.2);
    def.hole = 0.5;
    f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    CHECK_NEAR(lithe_field_volume(f) / (0.2 * (6 - PI * 0.25)), 1, 1e-3);
    p = press(f, q4_identity(), t - 0.1);
    double outer = (2 - 2 * t) * (3 - 2 * t), inner = PI * (0.5 + t) * (0.5 + t);
    CHECK_NEAR(p.stiffness * 0.1 / (outer - inner), 1, 5e-3);
    CHECK_NEAR(v3_norm(p.moment) / p.force, 0, 1e-3);
    lithe_field_destroy(f);

    def.kind = LITHE_GEOM_TORUS;
    def.radius = 5;
    def.section_radius = 1;
    f = field_of(context, def, LITHE_SECTORS);
    FATAL(f);
    CHECK_NEAR(lithe_field_volume(f) / (2 * PI * PI * 5), 1, 2e-3);
    CHECK_NEAR(press(f, q4_identity(), 0.1 - 1).force / (2 * PI * 5 * lying_force(0.1)), 1, 0.02);
    lithe_field_destroy(f);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// --- any orientation -----------------------------------------------------------------------------

// relative depth of the exact field, in the frame of the shape; negative outside
static double exact_depth(LitheGeomKind kind, Vec3 x) {
    double r = hypot(x.x, x.y);
    if (kind == LITHE_GEOM_BOX) // of half sizes 1, 1.4 and 1.2
        return fmin(1 - fabs(x.x), fmin(1.4 - fabs(x.y), 1.2 - fabs(x.z)));
    if (kind == LITHE_GEOM_CYLINDER) // of radius 1 and length 3
        return fmin(1 - r, 1.5 - fabs(x.z));
    return 1 - hypot(r, fmax(fabs(x.z) - 1.5, 0)); // a capsule of the same sizes
}

// Force on the plane at the height `level` by midpoint sums over the exact field. Two searches
// narrow the rectangle of the sums.
static double exact_force(LitheGeomKind kind, Quat q, double level) {
    enum { N = 300 };
    LithePose pose = place_make(v3(0, 0, 0), q);
    double low[2] = {-3, -3}, high[2] = {3, 3}, sum = 0;
    for (int pass = 0; pass < 3; pass++) {
        double step[2] = {(high[0] - low[0]) / N, (high[1] - low[1]) / N};
        double least[2] = {3, 3}, most[2] = {-3, -3};
        sum = 0;
        for (int i = 0; i < N * N; i++) {
            double x[2] = {low[0] + step[0] * (i % N + 0.5), low[1] + step[1] * (i / N + 0.5)};
            double p = exact_depth(kind, place_direction_back(&pose, v3(x[0], x[1], level)));
            if (p <= 0)
                continue;
            sum += p * step[0] * step[1];
            for (int k = 0; k < 2; k++) {
                least[k] = fmin(least[k], x[k] - 4 * step[k]);
                most[k] = fmax(most[k], x[k] + 4 * step[k]);
            }
        }
        memcpy(low, least, sizeof low);
        memcpy(high, most, sizeof high);
    }
    return sum;
}

// how far the exact shape reaches below its centre
static double lowest(LitheGeomKind kind, Quat q) {
    LithePose pose = place_make(v3(0, 0, 0), q);
    Vec3 up = place_direction_back(&pose, v3(0, 0, 1));
    if (kind == LITHE_GEOM_BOX)
        return fabs(up.x) + 1.4 * fabs(up.y) + 1.2 * fabs(up.z);
    return 1.5 * fabs(up.z) + (kind == LITHE_GEOM_CYLINDER ? hypot(up.x, up.y) : 1);
}

LONG_TEST(shapes_press_as_the_exact_integral_in_any_orientation) {
    const struct {
        LitheGeomKind kind;
        const char *name;
        double limit[2][2]; // by depth and sectors
    } rows[] = {{LITHE_GEOM_BOX, "box", {{5e-3, 5e-3}, {5e-3, 5e-3}}},
                {LITHE_GEOM_CAPSULE, "capsule", {{0.02, 0.005}, {0.05, 0.005}}},
                {LITHE_GEOM_CYLINDER, "cylinder", {{0.02, 0.005}, {0.05, 0.005}}}};
    const double depth[] = {0.1, 0.02}, tilt[] = {0.05, 0.3, 0.8, 1.3, 1.55};
    LitheContext *context = lithe_context_create(NULL);
    for (int k = 0; k < 3; k++)
        for (int s = 0; s < 2; s++) {
            LitheGeomDef def = lithe_geom_def_default();
            def.kind = rows[k].kind;
            def.radius = 1;
            def.length = 3;
            def.size = v3(2, 2.8, 2.4);
            LithePressureField *f = field_of(context, def, (s ? 4 : 1) * LITHE_SECTORS);
            FATAL(f);
            for (int d = 0; d < 2; d++)
                for (int i = 0; i < 5; i++) {
                    Quat turn = q4_exp(v3(0, 0, 0.37 + i)), lean = q4_exp(v3(tilt[i], 0, 0));
                    Quat q = q4_mul(lean, turn);
                    double level = depth[d] - lowest(def.kind, q);
                    double off = press(f, q, level).force / exact_force(def.kind, q, level) - 1;
                    CHECK_NEAR(off, 0, rows[k].limit[d][s]);
                    if (getenv("LITHE_TABLE"))
                        printf("  %s, tilt %g, depth %g, %d sectors: %.4f\n", rows[k].name, tilt[i],
                               depth[d], (s ? 4 : 1) * LITHE_SECTORS, off);
                }
            lithe_field_destroy(f);
        }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(fields_have_the_true_volume) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = lithe_geom_def_default();
    def.radius = 0.7;
    def.length = 3;
    def.size = v3(1, 2, 3);
    double z[4] = {-1, 0, 0.5, 2}, r[4] = {0.5, 1, 0.8, 0.3}, revolved = 0;
    def.profile_z = z;
    def.profile_r = r;
    def.profile_count = 4;
    for (int i = 0; i < 3; i++)
        revolved +=
            PI / 3 * (z[i + 1] - z[i]) * (r[i] * r[i] + r[i] * r[i + 1] + r[i + 1] * r[i + 1]);
    struct {
        LitheGeomKind kind;
        double volume;
    } cases[] = {{LITHE_GEOM_SPHERE, 4.0 / 3 * PI * 0.343},
                 {LITHE_GEOM_ELLIPSOID, PI},
                 {LITHE_GEOM_BOX, 6},
                 {LITHE_GEOM_CYLINDER, 3 * PI * 0.49},
                 {LITHE_GEOM_CAPSULE, 3 * PI * 0.49 + 4.0 / 3 * PI * 0.343},
                 {LITHE_GEOM_REVOLUTION, revolved}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        def.kind = cases[i].kind;
        LithePressureField *f = field_of(context, def, LITHE_SECTORS);
        FATAL(f);
        CHECK_NEAR(lithe_field_volume(f) / cases[i].volume, 1, 1e-9);
        // no pressure on the surface, and triangles that enclose the same volume
        double enclosed = 0;
        for (int32_t k = 0; k < f->triangle_count; k++) {
            const int32_t *t = f->triangles + 3 * k;
            enclosed += v3_dot(f->points[t[0]], v3_cross(f->points[t[1]], f->points[t[2]])) / 6;
            CHECK(f->depths[t[0]] == 0 && f->depths[t[1]] == 0 && f->depths[t[2]] == 0);
        }
        CHECK_NEAR(enclosed / cases[i].volume, 1, 1e-9);
        lithe_field_destroy(f);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(meshes_have_a_field_if_a_point_sees_all_of_them) {
    LitheContext *context = lithe_context_create(NULL);
    Shape *s = calloc(1, sizeof *s);
    s->def = lithe_geom_def_default();
    s->def.kind = LITHE_GEOM_TRIANGLE_MESH;
    torus(s, 12, 8, 1, 0.3);
    LitheGeom geom;
    LithePressureField *f = NULL;
    LitheError error = {0};
    FATAL(lithe_geom_compile(context, &s->def, &geom, NULL) == LITHE_OK);
    CHECK(lithe_field_create(context, &geom, 1e5, LITHE_SECTORS, &f, &error) ==
          LITHE_NOT_SUPPORTED);
    CHECK(f == NULL);
    CHECK_TEXT(error.text, "has no point inside that sees its whole surface");
    // as a rigid one it needs no inside
    CHECK(lithe_field_create(context, &geom, 0, LITHE_SECTORS, &f, &error) == LITHE_OK);
    lithe_field_destroy(f);
    lithe_geom_destroy(&geom);
    free(s);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(creation_survives_failed_allocations) {
    LitheContext *context = lithe_context_create(NULL);
    LitheGeomDef def = lithe_geom_def_default();
    def.kind = LITHE_GEOM_CYLINDER;
    def.radius = 1;
    def.length = 1;
    LitheGeom geom;
    FATAL(lithe_geom_compile(context, &def, &geom, NULL) == LITHE_OK);
    LitheStatus status = LITHE_NO_MEMORY;
    for (int64_t n = 1; n < 1000 && status != LITHE_OK; n++) {
        LithePressureField *f = NULL;
        lithe_context_fail_at(context, n);
        status = lithe_field_create(context, &geom, 1, LITHE_SECTORS, &f, NULL);
        lithe_context_fail_at(context, 0);
        CHECK((f != NULL) == (status == LITHE_OK));
        lithe_field_destroy(f);
    }
    CHECK(status == LITHE_OK);
    lithe_geom_destroy(&geom);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

// sections of rods: area of the true section, all triangles of one orientation
TEST(sections_have_the_true_area) {
    LitheContext *context = lithe_context_create(NULL);
    double sizes[4][2] = {{2, 2}, {3, 1}, {1, 4}, {2, 1.9}};
    for (int i = 0; i < 8; i++) {
        double w = sizes[i % 4][0], h = sizes[i % 4][1], area = 0;
        LitheSectionMesh m;
        LitheStatus status = i < 4 ? lithe_section_mesh_ellipse(context, w, h, LITHE_SECTORS, &m)
                                   : lithe_section_mesh_rectangle(context, w, h, &m);
        FATAL(status == LITHE_OK);
        for (int32_t t = 0; t < m.triangle_count; t++) {
            const double *a = m.at[m.triangles[t][0]], *b = m.at[m.triangles[t][1]];
            const double *c = m.at[m.triangles[t][2]];
            area += 0.5 * fabs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
        }
        CHECK_NEAR(area, i < 4 ? 0.25 * PI * w * h : w * h, 1e-12);
        lithe_section_mesh_destroy(context, &m);
    }
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
