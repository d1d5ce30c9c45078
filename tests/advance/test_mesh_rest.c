// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_mesh_rest.c - bodies whose shapes are meshes rest on, hang on and slide over
// meshes

#include "math/quat.h"
#include "world.h"

#include <string.h>

// --- meshes --------------------------------------------------------------------------------------

enum { MAX_POINTS = 2000, MAX_TRIANGLES = 4000 };

typedef struct Mesh {
    Vec3 points[MAX_POINTS];
    int32_t triangles[3 * MAX_TRIANGLES];
    int32_t point_count, triangle_count;
} Mesh;

static void add_triangle(Mesh *m, int32_t a, int32_t b, int32_t c) {
    int32_t *t = m->triangles + 3 * m->triangle_count++;
    t[0] = a, t[1] = b, t[2] = c;
}

static void make_box(Mesh *m, Vec3 half) {
    static const int32_t triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                          1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
    for (int i = 0; i < 8; i++) {
        int k = i % 4;
        m->points[i] = v3(k == 1 || k == 2 ? half.x : -half.x, k >= 2 ? half.y : -half.y,
                          i < 4 ? -half.z : half.z);
    }
    memcpy(m->triangles, triangles, sizeof triangles);
    m->point_count = 8;
    m->triangle_count = 12;
}

// around z
static void make_torus(Mesh *m, double large, double small, int around, int across) {
    *m = (Mesh){.point_count = around * across};
    for (int i = 0; i < around; i++)
        for (int j = 0; j < across; j++) {
            double a = 2 * M_PI * i / around, b = 2 * M_PI * j / across;
            double rho = large + small * cos(b);
            m->points[i * across + j] = v3(rho * cos(a), rho * sin(a), small * sin(b));
            int p = i * across + j, q = (i + 1) % around * across + j;
            int r = (i + 1) % around * across + (j + 1) % across, s = i * across + (j + 1) % across;
            add_triangle(m, p, q, r);
            add_triangle(m, p, r, s);
        }
}

// A profile of rings [rings][2] (radius, z) around z, from the lower to the upper pole if z rises
// on the outside; the poles are its first and last entries. Bumps modulate the radius.
static void make_turned(Mesh *m, const double (*profile)[2], int rings, int around, double bumps) {
    *m = (Mesh){.point_count = (rings - 2) * around + 2};
    int32_t low = m->point_count - 2, high = m->point_count - 1;
    m->points[low] = v3(0, 0, profile[0][1]);
    m->points[high] = v3(0, 0, profile[rings - 1][1]);
    for (int i = 1; i + 1 < rings; i++)
        for (int j = 0; j < around; j++) {
            double a = 2 * M_PI * j / around;
            double rho = profile[i][0] * (1 + bumps * sin(5 * a) * sin(3.0 * i));
            m->points[(i - 1) * around + j] = v3(rho * cos(a), rho * sin(a), profile[i][1]);
        }
    for (int j = 0; j < around; j++) {
        int k = (j + 1) % around, top = (rings - 3) * around;
        add_triangle(m, low, k, j);
        add_triangle(m, high, top + j, top + k);
        for (int i = 0; i + 3 < rings; i++) {
            int p = i * around;
            add_triangle(m, p + j, p + k, p + around + k);
            add_triangle(m, p + j, p + around + k, p + around + j);
        }
    }
}

// a cup, open to +z, of the wall `thick`
static void make_bowl(Mesh *m, double radius, double thick, int around) {
    enum { HALF = 12 };
    double profile[2 * HALF + 2][2];
    for (int i = 0; i <= HALF; i++) {
        double a = i * 1.1 / HALF; // from the pole to the rim
        profile[i][0] = (radius + thick) * sin(a), profile[i][1] = -(radius + thick) * cos(a);
        int k = 2 * HALF + 1 - i;
        profile[k][0] = radius * sin(a), profile[k][1] = -radius * cos(a);
    }
    make_turned(m, profile, 2 * HALF + 2, around, 0);
}

static void make_bumpy(Mesh *m, double radius, int around, double bumps) {
    enum { RINGS = 16 };
    double profile[RINGS + 1][2];
    for (int i = 0; i <= RINGS; i++) {
        double a = M_PI * i / RINGS;
        profile[i][0] = radius * sin(a), profile[i][1] = -radius * cos(a);
    }
    make_turned(m, profile, RINGS + 1, around, bumps);
}

// --- worlds --------------------------------------------------------------------------------------

typedef struct Maker {
    World w;
    LitheMaterialId material;
} Maker;

static Maker begin(double step) {
    Maker m = {.w = {.context = lithe_context_create(NULL)}};
    m.w.scene = lithe_scene_create(m.w.context);
    LitheMaterialDef def = lithe_material_def_default();
    def.name = "m";
    def.young = 1e7;
    def.density = 1000;
    def.contact_stiffness = 2e4;
    def.friction = 0.3;
    def.contact_dissipation = 0.5;
    m.material = lithe_scene_add_material(m.w.scene, &def);
    LitheTimeDef time = lithe_time_def_default();
    time.scheme = LITHE_SCHEME_BACKWARD_EULER; // damps what rings, so that things come to rest
    time.step = step;
    time.end = 100;
    lithe_scene_set_time(m.w.scene, &time);
    return m;
}

static void add(Maker *m, const char *name, LitheGeomDef geom, Vec3 at, Quat q, bool fixed) {
    LitheBodyDef body = lithe_body_def_default();
    geom.material = m->material;
    body.name = name;
    body.at = at;
    body.rotation = q;
    body.fixed = fixed;
    body.geoms = &geom;
    body.geom_count = 1;
    lithe_scene_add_body(m->w.scene, &body);
}

static LitheGeomDef mesh_geom(const Mesh *mesh) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_TRIANGLE_MESH;
    geom.radius = 0;
    geom.points = mesh->points;
    geom.point_count = mesh->point_count;
    geom.triangles = mesh->triangles;
    geom.triangle_count = mesh->triangle_count;
    return geom;
}

static LitheGeomDef box_geom(Vec3 half) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_BOX;
    geom.radius = 0;
    geom.size = v3_scale(2, half);
    return geom;
}

static World made(Maker *m, int32_t workers) {
    LitheError error;
    m->w.ok = lithe_compile(m->w.scene, &m->w.model, &m->w.state, &error) == LITHE_OK;
    if (!CHECK(m->w.ok))
        printf("  %s\n", error.text);
    m->w.work = m->w.ok ? lithe_work_create(m->w.model, workers) : NULL;
    return m->w;
}

// force of all contacts on the body on side b of them
static Vec3 contact_force(const World *w) {
    Vec3 sum = {0, 0, 0};
    for (int32_t i = 0; i < lithe_work_contact_count(w->work); i++)
        sum = v3_add(sum, lithe_work_contact(w->work, i).force);
    return sum;
}

// --- tests ---------------------------------------------------------------------------------------

LONG_TEST(a_box_of_triangles_rests_on_a_box_of_triangles_as_a_box_on_a_box) {
    Vec3 half[2] = {{0.1, 0.1, 0.05}, {0.06, 0.04, 0.03}};
    Mesh meshes[2];
    for (int k = 0; k < 4; k++) {
        Vec3 upper = k % 2 ? half[0] : half[1]; // smaller, and of the same face
        double depth[2], force[2], tilt[2];
        for (int mesh = 0; mesh < 2; mesh++) {
            Maker m = begin(1e-3);
            make_box(&meshes[0], half[0]);
            make_box(&meshes[1], upper);
            Vec3 at = v3(k < 2 ? 0 : 0.03, k < 2 ? 0 : 0.02, half[0].z + upper.z + 1e-3);
            add(&m, "low", mesh ? mesh_geom(&meshes[0]) : box_geom(half[0]), v3(0, 0, 0),
                q4_identity(), true);
            add(&m, "high", mesh ? mesh_geom(&meshes[1]) : box_geom(upper), at, q4_identity(),
                false);
            World w = made(&m, 1);
            world_step(&w, 1000);
            CHECK(w.unconverged == 0 && w.report.crossings_avoided == 0);
            double pose[7];
            lithe_body_pose(w.model, w.state, lithe_body_find(w.model, "high"), pose);
            depth[mesh] = pose[2];
            tilt[mesh] = hypot(pose[4], pose[5]);
            force[mesh] = contact_force(&w).z;
            world_end(&w);
        }
        // Beyond the edge of the lower one the upper one tilts: boxes more than meshes, whose
        // contacts are at the corners of the face and have three times the rocking stiffness.
        CHECK_NEAR(depth[1], depth[0], k < 2 ? 1e-9 : 2e-4);
        CHECK_NEAR(force[1], force[0], (k < 2 ? 1e-4 : 2e-3) * fabs(force[0]));
        CHECK(k < 2 ? fabs(tilt[1] - tilt[0]) < 1e-9 : tilt[1] <= tilt[0] + 1e-5);
    }
}

LONG_TEST(links_of_triangles_hang_in_each_other) {
    double large = 0.05, small = 0.01, gap = 2e-3;
    Mesh torus;
    make_torus(&torus, large, small, 24, 12);
    Maker m = begin(1e-3);
    Quat turn[2] = {q4_exp(v3(0.5 * M_PI, 0, 0)), q4_exp(v3(0, 0.5 * M_PI, 0))};
    const char *names[3] = {"first", "second", "third"};
    double drop = 2 * large - 2 * small - gap;
    for (int k = 0; k < 3; k++)
        add(&m, names[k], mesh_geom(&torus), v3(0, 0, -k * drop), turn[k % 2], k == 0);
    World w = made(&m, 1);
    double start = stored(&w), settled = 0, off = 0;
    for (int i = 0; i < 1000 && w.ok; i++) {
        world_step(&w, 1);
        settled = i == 300 ? stored(&w) : settled;
        off = i > 300 ? fmax(off, fabs(stored(&w) - settled)) : 0;
    }
    double z[2] = {body_at(&w, "second").z, body_at(&w, "third").z};
    printf("  links at %.5f and %.5f m, %.2g m/s, energy within %.2g of %.2g J\n", z[0], z[1],
           vector_length(body_speed(&w, "third")), off, start - settled);
    CHECK(off < 1e-3 * (start - settled));
    // a polygon of 12 corners is thinner than the circle by up to r (1 - cos(pi/12)) on either side
    CHECK_NEAR(z[0], -2 * large + 2 * small, 1e-3);
    CHECK_NEAR(z[1] - z[0], -2 * large + 2 * small, 1e-3);
    CHECK(vector_length(body_speed(&w, "third")) < 1e-2);
    CHECK(w.report.contacts >= 2);
    world_end(&w);
}

LONG_TEST(a_bumpy_ball_of_triangles_settles_in_a_bowl_of_triangles) {
    Mesh bowl, ball;
    make_bowl(&bowl, 0.1, 0.01, 24);
    make_bumpy(&ball, 0.03, 16, 0.03);
    Maker m = begin(1e-3);
    add(&m, "bowl", mesh_geom(&bowl), v3(0, 0, 0), q4_identity(), true);
    add(&m, "ball", mesh_geom(&ball), v3(0.02, 0.01, -0.055), q4_exp(v3(0.3, 0.2, 0.1)), false);
    World w = made(&m, 1);
    double weight = lithe_energy(w.model, w.state).gravity / body_at(&w, "ball").z;
    // energy of the ball and of its contacts: the largest value in each quarter of a second
    double highest[8], force = 0;
    for (int i = 0; i < 2000 && w.ok; i++) {
        double *now = &highest[i / 250];
        world_step(&w, 1);
        *now = i % 250 == 0 ? stored(&w) : fmax(*now, stored(&w));
        force += i < 1000 ? 0 : 1e-3 * contact_force(&w).z;
    }
    for (int k = 1; k < 8; k++)
        CHECK(highest[k] <= highest[k - 1]);
    printf("  at %.4f %.4f %.4f m, %.2g m/s, %d contacts, mean force of the last second %.4g of "
           "%.4g N, energy from %.4g to %.4g J\n",
           body_at(&w, "ball").x, body_at(&w, "ball").y, body_at(&w, "ball").z,
           vector_length(body_speed(&w, "ball")), w.report.contacts, force, weight, highest[0],
           highest[7]);
    CHECK(body_at(&w, "ball").z > -0.075 && body_at(&w, "ball").z < -0.06);
    CHECK_NEAR(force, weight, 0.03 * weight);
    CHECK(vector_length(body_speed(&w, "ball")) < 0.2);
    world_end(&w);
}

// a bumpy ball that falls into a bowl, both turned and moved; gravity along the turned -z
static World tumbling(Vec3 at, Quat q, int32_t workers) {
    Mesh bowl, ball;
    make_bowl(&bowl, 0.1, 0.01, 16);
    make_bumpy(&ball, 0.03, 12, 0.05);
    Maker m = begin(1e-3);
    lithe_scene_set_gravity(m.w.scene, q4_rotate(q, v3(0, 0, -9.81)));
    add(&m, "bowl", mesh_geom(&bowl), at, q, true);
    add(&m, "ball", mesh_geom(&ball), v3_add(at, q4_rotate(q, v3(0.03, 0.01, -0.05))),
        q4_unit(q4_mul(q, q4_exp(v3(0.3, 0.2, 0.1)))), false);
    return made(&m, workers);
}

TEST(contacts_of_meshes_do_not_depend_on_where_the_world_is) {
    Vec3 at = v3(0.5, -0.3, 0.2);
    Quat q = q4_unit((Quat){0.4, -0.5, 0.6, 0.3});
    World w = tumbling(v3(0, 0, 0), q4_identity(), 1), moved = tumbling(at, q, 1);
    for (int i = 0; i < 120 && w.ok && moved.ok; i++) {
        world_step(&w, 1);
        world_step(&moved, 1);
        CHECK(w.report.contacts == moved.report.contacts);
    }
    Vec3 x = v3_add(at, q4_rotate(q, body_at(&w, "ball")));
    printf("  off by %.2g m\n", v3_distance(x, body_at(&moved, "ball")));
    CHECK(w.report.contacts > 0);
    CHECK(v3_distance(x, body_at(&moved, "ball")) < 1e-7);
    world_end(&w);
    world_end(&moved);
}

TEST(contacts_of_meshes_have_the_same_bits_on_two_threads) {
    World w = tumbling(v3(0, 0, 0), q4_identity(), 1),
          two = tumbling(v3(0, 0, 0), q4_identity(), 2);
    for (int i = 0; i < 100 && w.ok && two.ok; i++) {
        world_step(&w, 1);
        world_step(&two, 1);
        FATAL(lithe_state_hash(w.state) == lithe_state_hash(two.state));
    }
    world_end(&w);
    world_end(&two);
}

TEST(a_box_of_triangles_rests_on_a_heightfield_as_on_a_half_space) {
    double heights[36] = {0}, z[2];
    Vec3 half = v3(0.06, 0.04, 0.03);
    Mesh box;
    make_box(&box, half);
    for (int k = 0; k < 2; k++) {
        Maker m = begin(1e-3);
        LitheGeomDef floor = lithe_geom_def_default();
        floor.kind = k ? LITHE_GEOM_HEIGHTFIELD : LITHE_GEOM_HALF_SPACE;
        floor.radius = 0;
        if (k) {
            floor.heights = heights;
            floor.rows = floor.columns = 6;
            floor.size = v3(0.5, 0.5, 0);
        }
        add(&m, "floor", floor, v3(0, 0, 0), q4_identity(), true);
        add(&m, "box", mesh_geom(&box), v3(0.013, 0.021, half.z + 1e-3), q4_exp(v3(0, 0, 0.3)),
            false);
        World w = made(&m, 1);
        world_step(&w, 600);
        z[k] = body_at(&w, "box").z;
        // on the half-space also inside its face
        CHECK(w.unconverged == 0 && w.report.contacts == (k ? 4 : 8));
        world_end(&w);
    }
    CHECK_NEAR(z[1], z[0], 1e-8);
}
