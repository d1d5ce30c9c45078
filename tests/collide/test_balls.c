// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_balls.c - contacts of particles: with shapes, rods and each other

#include "collide/crowd.h"
#include "data/thing.h"

#include <stdlib.h>

enum { MAX = 1000 };

// --- worlds --------------------------------------------------------------------------------------

typedef struct Balls {
    Crowd c;
    LitheMaterialId material;
} Balls;

static void open_balls(Balls *b) {
    *b = (Balls){.c = {.context = lithe_context_create(NULL)}};
    b->c.scene = lithe_scene_create(b->c.context);
    b->c.contacts = lithe_contacts_create(b->c.context);
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    rubber.torsional_friction = rubber.rolling_friction = 1e-3;
    b->material = lithe_scene_add_material(b->c.scene, &rubber);
}

static void add_set(Balls *b, const char *name, const Vec3 *at, int32_t count, double radius) {
    LitheParticlesDef def = lithe_particles_def_default();
    def.name = name;
    def.material = b->material;
    def.positions = at;
    def.count = count;
    def.radius = radius;
    lithe_scene_add_particles(b->c.scene, &def);
}

static void add_shape(Balls *b, const char *name, LitheGeomDef geom, Vec3 at, Quat rotation) {
    LitheBodyDef body = lithe_body_def_default();
    body.name = name;
    body.at = at;
    body.rotation = rotation;
    body.fixed = true;
    geom.material = b->material;
    body.geoms = &geom;
    body.geom_count = 1;
    lithe_scene_add_body(b->c.scene, &body);
}

static bool build(Balls *b) {
    LitheError error = {0};
    bool made = lithe_compile(b->c.scene, &b->c.model, &b->c.state, &error) == LITHE_OK;
    if (!made) {
        printf("  %s\n", error.text);
        crowd_close(&b->c);
    }
    return made;
}

static double *centre(const Balls *b, int32_t set, int32_t index) {
    return b->c.state->q + b->c.model->units[b->c.model->particles[set].unit].q_at +
           3 * (int64_t)index;
}

static int32_t find(Balls *b, double margin) {
    LitheError error = {0};
    if (lithe_find_contacts(b->c.model, b->c.state, margin, b->c.contacts, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        return -1;
    }
    return b->c.contacts->count;
}

static LitheGeomDef geom_of(LitheGeomKind kind) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = kind;
    geom.radius = 0;
    return geom;
}

// --- shapes --------------------------------------------------------------------------------------

static const Vec3 cube_points[8] = {{-0.1, -0.1, -0.1}, {0.1, -0.1, -0.1}, {0.1, 0.1, -0.1},
                                    {-0.1, 0.1, -0.1},  {-0.1, -0.1, 0.1}, {0.1, -0.1, 0.1},
                                    {0.1, 0.1, 0.1},    {-0.1, 0.1, 0.1}};
static const int32_t cube_triangles[36] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                           1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
static const double flat_heights[9] = {0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05};
static const double barrel_z[3] = {-0.2, 0, 0.2}, barrel_r[3] = {0.1, 0.1, 0.1};

static LitheGeomDef shape_of(LitheGeomKind kind) {
    LitheGeomDef geom = geom_of(kind);
    geom.points = cube_points;
    geom.point_count = 8;
    switch (kind) {
    case LITHE_GEOM_SPHERE:
        geom.radius = 0.1;
        break;
    case LITHE_GEOM_CAPSULE:
    case LITHE_GEOM_CYLINDER:
        geom.radius = 0.1;
        geom.length = 0.4;
        break;
    case LITHE_GEOM_BOX:
        geom.size = v3(0.2, 0.2, 0.2);
        break;
    case LITHE_GEOM_ELLIPSOID:
        geom.size = v3(0.2, 0.4, 0.6);
        break;
    case LITHE_GEOM_TRIANGLE_MESH:
        geom.triangles = cube_triangles;
        geom.triangle_count = 12;
        break;
    case LITHE_GEOM_HEIGHTFIELD:
        geom.heights = flat_heights;
        geom.rows = geom.columns = 3;
        geom.size = v3(1, 1, 0);
        break;
    case LITHE_GEOM_REVOLUTION:
        geom.profile_z = barrel_z;
        geom.profile_r = barrel_r;
        geom.profile_count = 3;
        break;
    default:
        break;
    }
    if (kind != LITHE_GEOM_CONVEX_MESH && kind != LITHE_GEOM_TRIANGLE_MESH) {
        geom.points = NULL;
        geom.point_count = 0;
    }
    return geom;
}

// a point x in the frame of the shape, and its distance from the surface
typedef struct Case {
    LitheGeomKind kind;
    Vec3 x;
    double distance;
    Vec3 normal;
} Case;

#define R2 0.70710678118654752440
#define R3 0.57735026918962576451

static const Case cases[] = {
    {LITHE_GEOM_HALF_SPACE, {0.3, 0.2, 0.01}, 0.01, {0, 0, 1}},
    {LITHE_GEOM_HALF_SPACE, {0.3, 0.2, -0.004}, -0.004, {0, 0, 1}},
    {LITHE_GEOM_SPHERE, {0, 0.11, 0}, 0.01, {0, 1, 0}},
    {LITHE_GEOM_SPHERE, {0, 0, -0.09}, -0.01, {0, 0, -1}},
    {LITHE_GEOM_CAPSULE, {0, 0.11, 0.1}, 0.01, {0, 1, 0}},
    {LITHE_GEOM_CAPSULE, {0, 0.11 * R2, 0.2 + 0.11 * R2}, 0.01, {0, R2, R2}},
    {LITHE_GEOM_BOX, {0.02, -0.11, 0.03}, 0.01, {0, -1, 0}},
    {LITHE_GEOM_BOX, {0.1 + 0.01 * R2, 0.1 + 0.01 * R2, 0.03}, 0.01, {R2, R2, 0}},
    {LITHE_GEOM_BOX, {0.1 + 0.01 * R3, 0.1 + 0.01 * R3, -0.1 - 0.01 * R3}, 0.01, {R3, R3, -R3}},
    {LITHE_GEOM_BOX, {0.02, 0.095, 0.03}, -0.005, {0, 1, 0}},
    {LITHE_GEOM_CYLINDER, {0.11, 0, 0.1}, 0.01, {1, 0, 0}},
    {LITHE_GEOM_CYLINDER, {0.05, 0, 0.21}, 0.01, {0, 0, 1}},
    {LITHE_GEOM_CYLINDER, {0.1 + 0.01 * R2, 0, -0.2 - 0.01 * R2}, 0.01, {R2, 0, -R2}},
    {LITHE_GEOM_ELLIPSOID, {0.11, 0, 0}, 0.01, {1, 0, 0}},
    {LITHE_GEOM_ELLIPSOID, {0, 0, 0.31}, 0.01, {0, 0, 1}},
    {LITHE_GEOM_CONVEX_MESH, {0.02, -0.11, 0.03}, 0.01, {0, -1, 0}},
    {LITHE_GEOM_CONVEX_MESH, {0.1 + 0.01 * R2, 0.1 + 0.01 * R2, 0.03}, 0.01, {R2, R2, 0}},
    {LITHE_GEOM_TRIANGLE_MESH, {0.02, -0.11, 0.03}, 0.01, {0, -1, 0}},
    {LITHE_GEOM_TRIANGLE_MESH, {0.02, -0.095, 0.03}, -0.005, {0, -1, 0}},
    {LITHE_GEOM_TRIANGLE_MESH, {0.1 + 0.01 * R2, 0.1 + 0.01 * R2, 0.03}, 0.01, {R2, R2, 0}},
    {LITHE_GEOM_TRIANGLE_MESH,
     {0.1 + 0.01 * R3, 0.1 + 0.01 * R3, -0.1 - 0.01 * R3},
     0.01,
     {R3, R3, -R3}},
    {LITHE_GEOM_HEIGHTFIELD, {0.13, 0.22, 0.06}, 0.01, {0, 0, 1}},
    {LITHE_GEOM_HEIGHTFIELD, {0.13, 0.22, 0.046}, -0.004, {0, 0, 1}},
    {LITHE_GEOM_REVOLUTION, {0, 0.11, 0.1}, 0.01, {0, 1, 0}},
    {LITHE_GEOM_REVOLUTION, {0, 0.095, 0.1}, -0.005, {0, 1, 0}},
    {LITHE_GEOM_REVOLUTION, {0.03, 0.04, 0.21}, 0.01, {0, 0, 1}},
    {LITHE_GEOM_REVOLUTION,
     {0.6 * (0.1 + 0.01 * R2), 0.8 * (0.1 + 0.01 * R2), 0.2 + 0.01 * R2},
     0.01,
     {0.6 * R2, 0.8 * R2, R2}},
};

TEST(a_ball_has_one_contact_with_a_shape_of_any_kind_at_the_exact_gap_and_normal) {
    Quat rotation = q4_unit((Quat){1, 0.4, -0.7, 0.2});
    Vec3 at = v3(0.3, -0.2, 0.9);
    bool seen[LITHE_GEOM_REVOLUTION + 1] = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int k = 0; k < 2; k++) {
            const Case *x = &cases[i];
            // apart from the surface by 5 mm, then 2 mm into it
            double gap = k == 0 ? 5e-3 : -2e-3, radius = x->distance - gap;
            if (!(radius > 0))
                continue;
            Balls b;
            open_balls(&b);
            add_shape(&b, "shape", shape_of(x->kind), at, rotation);
            Vec3 c = v3_add(at, q4_rotate(rotation, x->x)), n = q4_rotate(rotation, x->normal);
            add_set(&b, "grain", &c, 1, radius);
            FATAL(build(&b));
            FATAL(find(&b, 6e-3) == 1);
            const LitheContact *contact = b.c.contacts->contacts;
            CHECK_NEAR(contact->gap, gap, 1e-12);
            CHECK(v3_distance(contact->normal, n) < 1e-9);
            Vec3 middle = v3_axpy(-radius - 0.5 * gap, n, c);
            CHECK(v3_distance(contact->point, middle) < 1e-10);
            CHECK(contact->a.thing.kind == LITHE_THING_BODY);
            CHECK(contact->b.thing.kind == LITHE_THING_PARTICLES && contact->b.part == 0);
            CHECK(contact->torsional == 0 && contact->rolling == 0);
            CHECK(find(&b, 0.999 * fmax(gap, 0)) == (gap < 0));
            seen[x->kind] = true;
            crowd_close(&b.c);
        }
    for (int kind = 0; kind <= LITHE_GEOM_REVOLUTION; kind++)
        CHECK(seen[kind]);
}

TEST(a_ball_in_a_groove_of_a_mesh_or_of_a_spool_touches_both_sides) {
    // a valley z = |y| along x, and a spool
    static const Vec3 points[6] = {{-1, -1, 1}, {1, -1, 1}, {-1, 0, 0},
                                   {1, 0, 0},   {-1, 1, 1}, {1, 1, 1}};
    static const int32_t triangles[12] = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4};
    static const double z[4] = {-0.12, -0.02, 0.02, 0.12}, r[4] = {0.3, 0.1, 0.1, 0.3};
    for (int k = 0; k < 2; k++) {
        LitheGeomDef geom = geom_of(k == 0 ? LITHE_GEOM_TRIANGLE_MESH : LITHE_GEOM_REVOLUTION);
        double radius = 0.05;
        // 1 mm from both sides
        Vec3 x = v3(0.1, 0, (radius + 1e-3) / R2);
        if (k == 0) {
            geom.points = points;
            geom.point_count = 6;
            geom.triangles = triangles;
            geom.triangle_count = 4;
        } else {
            geom.profile_z = z;
            geom.profile_r = r;
            geom.profile_count = 4;
            // flanks r = 0.1 + 2 (|z| - 0.02): distance of (rho, 0) is (rho - 0.06)/sqrt 5
            x = v3(sqrt(5) * (radius + 1e-3) + 0.06, 0, 0);
        }
        Balls b;
        open_balls(&b);
        add_shape(&b, "shape", geom, v3(0, 0, 0), q4_identity());
        add_set(&b, "grain", &x, 1, radius);
        FATAL(build(&b));
        FATAL(find(&b, 2e-3) == 2);
        for (int i = 0; i < 2; i++)
            CHECK_NEAR(b.c.contacts->contacts[i].gap, 1e-3, 1e-12);
        Vec3 n = b.c.contacts->contacts[0].normal, m = b.c.contacts->contacts[1].normal;
        CHECK_NEAR(v3_dot(n, m), k == 0 ? 0 : 1.0 / 5 - 4.0 / 5, 1e-9);
        CHECK(b.c.contacts->contacts[0].id != b.c.contacts->contacts[1].id);
        // nearer to one side: both contacts are still found
        centre(&b, 0, 0)[k == 0 ? 1 : 2] += 5e-4;
        CHECK(find(&b, 2e-3) == 2);
        crowd_close(&b.c);
    }
}

TEST(a_ball_slides_from_triangle_to_triangle_without_a_jump_in_the_gap) {
    enum { N = 9 };
    double heights[N * N];
    TestRandom random = {5};
    for (int i = 0; i < N * N; i++)
        heights[i] = test_random(&random, 0, 0.05);
    for (int field = 0; field < 2; field++) {
        LitheGeomDef geom = shape_of(field ? LITHE_GEOM_HEIGHTFIELD : LITHE_GEOM_TRIANGLE_MESH);
        if (field) {
            geom.heights = heights;
            geom.rows = geom.columns = N;
        }
        Balls b;
        open_balls(&b);
        add_shape(&b, "ground", geom, v3(0, 0, 0), q4_identity());
        Vec3 x = v3(0, 0, 0);
        add_set(&b, "grain", &x, 1, 0.03);
        FATAL(build(&b));
        double last = NAN;
        int32_t found = 0;
        // over the field; round the cube, past its edges
        for (int i = 0; i < 4000; i++) {
            double angle = 2 * M_PI * i / 4000, step = 2e-4;
            Vec3 to = field ? v3(-0.4 + step * i, -0.37 + 0.9 * step * i, 0.057)
                            : v3(0.14 * cos(angle), 0.14 * sin(angle), 0.03);
            v3_store(to, centre(&b, 0, 0));
            int32_t count = find(&b, 0.02);
            double min = INFINITY;
            for (int32_t k = 0; k < count; k++)
                min = fmin(min, b.c.contacts->contacts[k].gap);
            found += count > 0;
            // the gap changes by no more than the displacement
            if (i > 0 && min < 0.0195 && last < 0.0195)
                CHECK(fabs(min - last) < 1.4 * 2.3e-4);
            CHECK(count > 0 || i == 0 || last > 0.0195);
            last = count > 0 ? min : INFINITY;
        }
        CHECK(found > 2000);
        crowd_close(&b.c);
    }
}

// --- rods ----------------------------------------------------------------------------------------

static void add_rod(Balls *b, bool bar) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = b->material;
    rod.nodes = 11;
    rod.shape.to = v3(1, 0, 0);
    rod.section.radius = 0.01;
    if (bar) {
        rod.section.kind = LITHE_SECTION_RECTANGLE;
        rod.section.width = 0.02;
        rod.section.height = 0.04;
    }
    lithe_scene_add_rod(b->c.scene, &rod);
}

TEST(a_ball_touches_a_round_rod_once_at_a_node_beside_an_edge_and_past_the_end) {
    const double at[] = {0.3, 0.34, 1.006, 0.7 - 1e-12};
    const int32_t edges[] = {-1, 3, 9, -1};
    for (int k = 0; k < 4; k++) {
        Balls b;
        open_balls(&b);
        add_rod(&b, false);
        Vec3 x = v3(at[k], 0, at[k] > 1 ? 0.008 : 0.02);
        add_set(&b, "grain", &x, 1, 0.005);
        FATAL(build(&b));
        FATAL(find(&b, 0.006) == 1);
        const LitheContact *c = b.c.contacts->contacts;
        double distance = at[k] > 1 ? hypot(0.006, 0.008) : 0.02;
        CHECK_NEAR(c->gap, distance - 0.015, 1e-12);
        Vec3 n = at[k] > 1 ? v3(0.6, 0, 0.8) : v3(0, 0, 1);
        CHECK(v3_distance(c->normal, n) < 1e-9);
        CHECK(c->a.thing.kind == LITHE_THING_ROD && c->b.thing.kind == LITHE_THING_PARTICLES);
        CHECK_NEAR(0.1 * (c->a.part + c->a.s), fmin(at[k], 1), 1e-9);
        CHECK(edges[k] < 0 || c->a.part == edges[k]);
        CHECK(edges[k] >= 0 || c->a.s == 0 || c->a.s == 1);
        crowd_close(&b.c);
    }
}

TEST(a_ball_touches_the_face_of_a_rod_of_rectangular_section) {
    Balls b;
    open_balls(&b);
    add_rod(&b, true);
    Vec3 x = v3(0.34, 0, 0);
    add_set(&b, "grain", &x, 1, 0.005);
    FATAL(build(&b));
    // along the two directors the distance is reduced by half the width and half the height
    LithePose pose;
    lithe_edge_shape(b.c.model, b.c.state, 0, 3, &pose);
    for (int k = 0; k < 2; k++) {
        Vec3 n = m3_column(pose.r, k);
        v3_store(v3_axpy((k == 0 ? 0.01 : 0.02) + 0.005 + 1e-3, n, x), centre(&b, 0, 0));
        FATAL(find(&b, 2e-3) == 1);
        const LitheContact *c = b.c.contacts->contacts;
        CHECK_NEAR(c->gap, 1e-3, 1e-12);
        CHECK(v3_distance(c->normal, n) < 1e-9);
        CHECK(c->a.part == 3);
        CHECK_NEAR(c->a.s, 0.4, 1e-9);
    }
    crowd_close(&b.c);
}

// --- crowds --------------------------------------------------------------------------------------

static bool open_heap(Balls *b, int32_t count, double side, bool touch_own) {
    Vec3 *at = malloc((size_t)count * sizeof *at);
    double *radii = malloc((size_t)count * sizeof *radii);
    TestRandom random = {11};
    open_balls(b);
    add_rod(b, false);
    add_shape(b, "floor", shape_of(LITHE_GEOM_HALF_SPACE), v3(0, 0, 0), q4_identity());
    add_shape(b, "box", shape_of(LITHE_GEOM_BOX), v3(0.5 * side, 0.5 * side, 0), q4_identity());
    for (int set = 0; set < 2; set++) {
        LitheParticlesDef def = lithe_particles_def_default();
        for (int32_t i = 0; i < count; i++) {
            at[i] = v3(test_random(&random, 0, side), test_random(&random, 0, side),
                       test_random(&random, 0, side));
            radii[i] = test_random(&random, 0.004, 0.02);
        }
        def.name = set == 0 ? "sand" : "gravel";
        def.material = b->material;
        def.positions = at;
        def.radii = radii;
        def.count = count / 2;
        def.self_contact = set == 0 || touch_own;
        lithe_scene_add_particles(b->c.scene, &def);
    }
    free(at);
    free(radii);
    return build(b);
}

TEST(a_thousand_random_balls_have_the_contacts_that_all_pairs_of_them_give) {
    for (int own = 0; own < 2; own++) {
        Balls b;
        FATAL(open_heap(&b, MAX, 0.4, own));
        double margin = 1e-3;
        FATAL(find(&b, margin) > 0);
        const LitheModel *model = b.c.model;
        int32_t expected = 0, found = 0, k = 0;
        for (int32_t i = 0; i < MAX; i++)
            for (int32_t j = i + 1; j < MAX; j++) {
                const LitheParticles *p = &model->particles[i / (MAX / 2)];
                const LitheParticles *q = &model->particles[j / (MAX / 2)];
                int32_t a = i % (MAX / 2), c = j % (MAX / 2);
                double gap = v3_distance(v3_load(centre(&b, i / (MAX / 2), a)),
                                         v3_load(centre(&b, j / (MAX / 2), c))) -
                             p->radius[a] - q->radius[c];
                if (gap > margin || (p == q && !p->self_contact))
                    continue;
                expected++;
                // contacts are sorted by id: those of two balls by their numbers
                const LitheContact *x = b.c.contacts->contacts;
                while (k < b.c.contacts->count && x[k].a.thing.kind != LITHE_THING_PARTICLES)
                    k++;
                if (k == b.c.contacts->count)
                    continue;
                bool same = x[k].a.thing.number == i / (MAX / 2) + 1 && x[k].a.part == a &&
                            x[k].b.thing.number == j / (MAX / 2) + 1 && x[k].b.part == c &&
                            fabs(x[k].gap - gap) < 1e-12;
                CHECK(same);
                found += same;
                k++;
            }
        printf("  %d contacts, %d of two balls\n", b.c.contacts->count, expected);
        CHECK(found == expected && k == b.c.contacts->count && expected > 300);
        crowd_close(&b.c);
    }
}

static bool same(const LitheContacts *x, const LitheContacts *y) {
    bool equal = x->count == y->count;
    for (int32_t i = 0; equal && i < x->count; i++) {
        const LitheContact *a = &x->contacts[i], *b = &y->contacts[i];
        equal = a->id == b->id && a->gap == b->gap && a->a.part == b->a.part &&
                a->b.part == b->b.part && memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
                memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 &&
                x->parts[i].part[0] == y->parts[i].part[0] &&
                x->parts[i].part[1] == y->parts[i].part[1];
    }
    return equal;
}

TEST(contacts_of_balls_have_the_same_bits_on_one_and_two_threads_and_in_bundles_of_any_size) {
    Balls b;
    FATAL(open_heap(&b, MAX, 0.3, true));
    double *v = b.c.state->v + b.c.model->units[b.c.model->particles[0].unit].v_at;
    TestRandom random = {3};
    for (int64_t i = 0; i < 3 * MAX / 2; i++)
        v[i] = test_random(&random, -1, 1);
    LitheContacts *other = lithe_contacts_create(b.c.context);
    LithePool *pool = lithe_pool_create(b.c.context, 2);
    LitheCollideOptions options = {.margin = 5e-3, .step = 1e-3, .glide = 1};
    FATAL(pool && lithe_collide(b.c.model, b.c.state, &options, b.c.contacts, NULL) == LITHE_OK);
    CHECK(b.c.contacts->pair_count > 2048); // enough for several ranges
    options.pool = pool;
    FATAL(lithe_collide(b.c.model, b.c.state, &options, other, NULL) == LITHE_OK);
    CHECK(same(b.c.contacts, other));
    for (int32_t size = 1; size < 40; size += 6) {
        options.bundle = size;
        FATAL(lithe_collide(b.c.model, b.c.state, &options, other, NULL) == LITHE_OK);
        CHECK(same(b.c.contacts, other));
    }
    lithe_pool_destroy(pool);
    lithe_contacts_destroy(other);
    crowd_close(&b.c);
}

TEST(ids_and_sites_of_contacts_name_the_places_that_touch_and_stay_while_they_do) {
    Balls b;
    FATAL(open_heap(&b, 400, 0.25, true));
    LitheContacts *later = lithe_contacts_create(b.c.context);
    int32_t count = find(&b, 1e-3), kept = 0;
    FATAL(count > 100);
    for (int32_t i = 0; i < count; i++) {
        const LitheContact *x = &b.c.contacts->contacts[i];
        const LitheContactParts *parts = &b.c.contacts->parts[i];
        CHECK(i == 0 || b.c.contacts->contacts[i - 1].id < x->id);
        CHECK(parts->part[0] < parts->part[1]);
        const LitheContactSide *sides[2] = {&x->a, &x->b};
        for (int k = 0; k < 2; k++) {
            LitheSite site = lithe_thing_site(b.c.model, sides[k]->thing, sides[k]->part,
                                              sides[k]->s, v3(0, 0, 0));
            CHECK(site.unit == parts->site[k].unit && site.element == parts->site[k].element &&
                  site.s[0] == parts->site[k].s[0]);
        }
    }
    // everything is shifted a little, with the floor and the box: no contact appears or disappears
    for (int64_t i = 0; i < 200; i++)
        for (int set = 0; set < 2; set++)
            centre(&b, set, (int32_t)i)[0] += 1e-9;
    FATAL(lithe_find_contacts(b.c.model, b.c.state, 1e-3, later, NULL) == LITHE_OK);
    for (int32_t i = 0, j = 0; i < count; i++) {
        while (j < later->count && later->contacts[j].id < b.c.contacts->contacts[i].id)
            j++;
        kept += j < later->count && later->contacts[j].id == b.c.contacts->contacts[i].id;
    }
    CHECK(kept >= count - 1);
    lithe_contacts_destroy(later);
    crowd_close(&b.c);
}

TEST(a_ball_that_arrives_within_the_step_is_found) {
    Balls b;
    open_balls(&b);
    Vec3 x[2] = {{0, 0, 0.1}, {0, 0, 0.3}};
    add_set(&b, "grain", x, 2, 0.01);
    add_shape(&b, "floor", shape_of(LITHE_GEOM_HALF_SPACE), v3(0, 0, 0), q4_identity());
    FATAL(build(&b));
    double *v = b.c.state->v + b.c.model->units[b.c.model->particles[0].unit].v_at;
    v[2] = -95;
    LitheCollideOptions options = {.margin = 0, .step = 1e-3};
    FATAL(lithe_collide(b.c.model, b.c.state, &options, b.c.contacts, NULL) == LITHE_OK);
    CHECK(b.c.contacts->count == 1 && b.c.contacts->contacts[0].b.part == 0);
    v[2] = -85;
    FATAL(lithe_collide(b.c.model, b.c.state, &options, b.c.contacts, NULL) == LITHE_OK);
    CHECK(b.c.contacts->count == 0);
    crowd_close(&b.c);
}

TEST(distances_and_rays_know_particles) {
    Balls b;
    open_balls(&b);
    Vec3 x[3] = {{0, 0, 0.1}, {0.5, 0, 0.3}, {0.52, 0, 0.05}};
    add_set(&b, "grain", x, 3, 0.01);
    add_rod(&b, false);
    add_shape(&b, "floor", shape_of(LITHE_GEOM_HALF_SPACE), v3(0, 0, -1), q4_identity());
    FATAL(build(&b));
    LitheNearestPlaces near;
    LitheError error = {0};
    FATAL(lithe_find_distance(b.c.model, b.c.state, "grain", "rope", &near, &error) == LITHE_OK);
    CHECK_NEAR(near.distance, 0.05 - 0.02, 1e-12);
    CHECK(near.a.thing.kind == LITHE_THING_PARTICLES && near.a.part == 2);
    CHECK(near.b.thing.kind == LITHE_THING_ROD && near.b.part == 5);
    CHECK_NEAR(near.b.s, 0.2, 1e-9);
    LitheRayCast cast;
    FATAL(lithe_cast_ray(b.c.model, b.c.state, v3(0.5, 0, 2), v3(0, 0, -1), 9, &cast, &error) ==
          LITHE_OK);
    CHECK(cast.hit && cast.what.thing.kind == LITHE_THING_PARTICLES && cast.what.part == 1);
    CHECK_NEAR(cast.distance, 2 - 0.31, 1e-12);
    CHECK_NEAR(cast.normal.z, 1, 1e-12);
    crowd_close(&b.c);
}

TEST(a_particle_at_a_place_that_is_not_finite_is_named) {
    Balls b;
    open_balls(&b);
    Vec3 x[2] = {{0, 0, 0}, {1, 0, 0}};
    add_set(&b, "grain", x, 2, 0.01);
    FATAL(build(&b));
    centre(&b, 0, 1)[2] = NAN;
    LitheError error = {0};
    CHECK(lithe_find_contacts(b.c.model, b.c.state, 0, b.c.contacts, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "particle 1 of 'grain'");
    crowd_close(&b.c);
}
