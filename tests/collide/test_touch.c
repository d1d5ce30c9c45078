// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_touch.c - what may touch what, and contacts of bars and of meshes

#include "collide/crowd.h"

typedef struct Scene {
    Crowd c;
    LitheMaterialId material;
} Scene;

static void scene_open(Scene *s) {
    s->c = (Crowd){.context = lithe_context_create(NULL)};
    s->c.scene = lithe_scene_create(s->c.context);
    s->c.contacts = lithe_contacts_create(s->c.context);
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    s->material = lithe_scene_add_material(s->c.scene, &rubber);
}

static bool scene_build(Scene *s) {
    LitheError error = {0};
    bool made = lithe_compile(s->c.scene, &s->c.model, &s->c.state, &error) == LITHE_OK;
    if (!made)
        printf("  %s\n", error.text);
    return CHECK(made);
}

static LitheBodyId add_body(Scene *s, const char *name, LitheGeomDef geom, Vec3 at) {
    LitheBodyDef body = lithe_body_def_default();
    geom.material = s->material;
    body.name = name;
    body.at = at;
    body.geoms = &geom;
    body.geom_count = 1;
    return lithe_scene_add_body(s->c.scene, &body);
}

static LitheGeomDef ball(double radius) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.radius = radius;
    return geom;
}

static LitheGeomDef block(Vec3 size) {
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_BOX;
    geom.radius = 0;
    geom.size = size;
    return geom;
}

/// A straight rod of 11 edges with its middle at `middle`.
static LitheRodDef line(Scene *s, const char *name, Vec3 middle, Vec3 half) {
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = name;
    rod.material = s->material;
    rod.nodes = 12;
    rod.shape.from = v3_sub(middle, half);
    rod.shape.to = v3_add(middle, half);
    return rod;
}

static LitheRodDef bar(Scene *s, const char *name, Vec3 middle, Vec3 half, double width,
                       double height) {
    LitheRodDef rod = line(s, name, middle, half);
    rod.section =
        (LitheSectionDef){.kind = LITHE_SECTION_RECTANGLE, .width = width, .height = height};
    return rod;
}

/// Rotates all bars: width horizontal, height along z.
static void lay_flat(Scene *s) {
    for (int32_t r = 0; r < s->c.model->rod_count; r++) {
        const LitheRod *rod = &s->c.model->rods[r];
        const double *q = s->c.state->q + rod->dof_at;
        Vec3 t = v3_unit(v3_sub(v3_load(q + 4), v3_load(q)));
        for (int32_t i = 0; i < rod->edge_count; i++)
            v3_store(v3_cross(v3(0, 0, 1), t), s->c.state->own + rod->d1_at + 3 * i);
    }
}

static int32_t find(Scene *s, double margin) {
    CHECK(lithe_find_contacts(s->c.model, s->c.state, margin, s->c.contacts, NULL) == LITHE_OK);
    CHECK(s->c.contacts->unsupported == 0);
    return s->c.contacts->count;
}

/// All contacts have this gap and a normal along z of this sign, and have different ids.
static void check_level(const Scene *s, double gap, double sign) {
    const LitheContact *all = s->c.contacts->contacts;
    for (int32_t i = 0; i < s->c.contacts->count; i++) {
        CHECK_NEAR(all[i].gap, gap, 1e-9);
        CHECK_NEAR(sign * all[i].normal.z, 1, 1e-9);
        CHECK(i == 0 || all[i - 1].id < all[i].id);
    }
}

/// Contacts at x, y.
static int count_at(const Scene *s, double x, double y) {
    int count = 0;
    for (int32_t i = 0; i < s->c.contacts->count; i++) {
        Vec3 p = s->c.contacts->contacts[i].point;
        count += hypot(p.x - x, p.y - y) < 1e-9;
    }
    return count;
}

// --- joints --------------------------------------------------------------------------------------

TEST(bodies_tied_by_a_joint_do_not_touch_and_those_one_joint_further_do) {
    for (int tied = 0; tied < 2; tied++)
        for (int kind = LITHE_JOINT_WELD; kind <= LITHE_JOINT_FREE; kind++) {
            Scene s;
            scene_open(&s);
            // a row of balls, all within reach of each other
            LitheBodyId body[3];
            const char *const names[3] = {"upper", "lower", "hand"};
            for (int i = 0; i < 3; i++)
                body[i] = add_body(&s, names[i], ball(0.1), v3(0.05 * i, 0, 0));
            for (int i = 0; i < 2 && tied; i++) {
                LitheJointDef joint = lithe_joint_def_default();
                joint.name = i ? "wrist" : "elbow";
                joint.kind = (LitheJointKind)kind;
                joint.parent = body[i];
                joint.child = body[i + 1];
                joint.parent_at = v3(0.05, 0, 0);
                joint.pitch = kind == LITHE_JOINT_SCREW ? 0.1 : 0;
                lithe_scene_add_joint(s.c.scene, &joint);
            }
            if (scene_build(&s)) {
                CHECK(find(&s, 0) == (tied ? 1 : 3));
                const LitheContact *x = s.c.contacts->contacts;
                if (tied)
                    CHECK(x->a.thing.number + x->b.thing.number == 1 + 3);
                CHECK_NEAR(x[tied ? 0 : 1].gap, 0.1 - 0.2, 1e-12);
            }
            crowd_close(&s.c);
        }
}

// --- groups --------------------------------------------------------------------------------------

static const uint32_t GROUPS[][4] = {
    // group and mask of one, group and mask of the other
    {1, ~0u, 1, ~0u}, {1, 1, 2, ~0u}, {2, 1, 1, 2}, {1, 2, 2, 2}, {3, 4, 4, 1},   {1, 0, 1, ~0u},
    {4, 6, 2, 4},     {8, 8, 8, 8},   {5, 2, 2, 8}, {5, 2, 2, 4}, {0, ~0u, 1, 1},
};

TEST(two_things_touch_only_where_each_is_in_a_group_that_the_other_touches) {
    int touching = 0;
    for (size_t k = 0; k < sizeof GROUPS / sizeof *GROUPS; k++)
        for (int pair = 0; pair < 3; pair++) {
            const uint32_t *g = GROUPS[k];
            bool want = (g[0] & g[3]) && (g[2] & g[1]);
            Scene s;
            scene_open(&s);
            // rod on rod, rod on body, body on body: the first below
            LitheRodDef low = line(&s, "low", v3(0, 0, 0), v3(0.5, 0, 0));
            LitheRodDef high = line(&s, "high", v3(0, 0, 0.009), v3(0, 0.5, 0));
            LitheGeomDef under = ball(0.005), over = ball(0.005);
            low.group = under.group = g[0];
            low.mask = under.mask = g[1];
            high.group = over.group = g[2];
            high.mask = over.mask = g[3];
            if (pair < 2)
                lithe_scene_add_rod(s.c.scene, &low);
            else
                add_body(&s, "under", under, v3(0, 0, 0));
            if (pair < 1)
                lithe_scene_add_rod(s.c.scene, &high);
            else
                add_body(&s, "over", over, v3(0, 0, 0.009));
            if (scene_build(&s)) {
                CHECK(find(&s, 0) == (want ? 1 : 0));
                check_level(&s, -0.001, 1);
            }
            touching += want;
            crowd_close(&s.c);
        }
    CHECK(touching == 3 * 6);
}

TEST(a_rod_whose_mask_leaves_out_its_own_group_does_not_touch_itself) {
    for (int own = 0; own < 2; own++) {
        Scene s;
        scene_open(&s);
        LitheRodDef rod = line(&s, "coil", v3(0, 0, 0), v3(0, 0, 0));
        rod.shape.kind = LITHE_SHAPE_HELIX;
        rod.nodes = 201;
        rod.shape.radius = 0.03;
        rod.shape.pitch = 0.0098;
        rod.shape.turns = 4;
        rod.group = 2;
        rod.mask = own ? 3 : 1;
        lithe_scene_add_rod(s.c.scene, &rod);
        if (scene_build(&s))
            CHECK(own ? find(&s, 1e-3) > 100 : find(&s, 1e-3) == 0);
        crowd_close(&s.c);
    }
}

// --- bars ----------------------------------------------------------------------------------------

static const double GAPS[] = {2e-4, -2e-4};

TEST(crossed_bars_touch_at_the_four_corners_of_their_overlap) {
    for (int k = 0; k < 2; k++) {
        Scene s;
        scene_open(&s);
        LitheRodDef low = bar(&s, "low", v3(0, 0, 0), v3(0.5, 0, 0), 0.03, 0.004);
        LitheRodDef high = bar(&s, "high", v3(0, 0, 0.005 + GAPS[k]), v3(0, 0.5, 0), 0.02, 0.006);
        lithe_scene_add_rod(s.c.scene, &low);
        lithe_scene_add_rod(s.c.scene, &high);
        if (scene_build(&s)) {
            lay_flat(&s);
            CHECK(find(&s, 5e-4) == 4);
            check_level(&s, GAPS[k], 1);
            for (int x = -1; x <= 1; x += 2)
                for (int y = -1; y <= 1; y += 2)
                    CHECK(count_at(&s, 0.01 * x, 0.015 * y) == 1);
            CHECK_NEAR(s.c.contacts->contacts[0].point.z, 0.002 + 0.5 * GAPS[k], 1e-12);
        }
        crowd_close(&s.c);
    }
}

TEST(a_bar_stands_on_the_ground_on_the_corners_of_all_its_edges) {
    for (int k = 0; k < 2; k++) {
        Scene s;
        scene_open(&s);
        LitheRodDef rod = bar(&s, "bar", v3(0, 0, 0.002 + GAPS[k]), v3(0.55, 0, 0), 0.03, 0.004);
        lithe_scene_add_rod(s.c.scene, &rod);
        LitheGeomDef ground = ball(0);
        ground.kind = LITHE_GEOM_HALF_SPACE;
        LitheBodyDef body = lithe_body_def_default();
        body.name = "ground";
        body.geoms = &ground;
        body.geom_count = 1;
        body.fixed = true;
        ground.material = s.material;
        lithe_scene_add_body(s.c.scene, &body);
        if (scene_build(&s)) {
            lay_flat(&s);
            CHECK(find(&s, 5e-4) == 4 * 11);
            check_level(&s, GAPS[k], -1);
            // both edges that meet at a node have its two corners
            for (int i = 0; i <= 11; i++)
                for (int y = -1; y <= 1; y += 2)
                    CHECK(count_at(&s, -0.55 + 0.1 * i, 0.015 * y) == (i % 11 ? 2 : 1));
        }
        crowd_close(&s.c);
    }
}

TEST(a_round_rod_across_a_bar_touches_along_its_width_and_a_ball_at_a_point) {
    for (int k = 0; k < 2; k++) {
        Scene s;
        scene_open(&s);
        LitheRodDef flat = bar(&s, "flat", v3(0, 0, 0), v3(0.5, 0, 0), 0.03, 0.004);
        LitheRodDef round = line(&s, "round", v3(0, 0, 0.007 + GAPS[k]), v3(0, 0.5, 0));
        lithe_scene_add_rod(s.c.scene, &flat);
        lithe_scene_add_rod(s.c.scene, &round);
        add_body(&s, "ball", ball(0.02), v3(0.2, 0.004, 0.022 + GAPS[k]));
        if (scene_build(&s)) {
            lay_flat(&s);
            CHECK(find(&s, 5e-4) == 3);
            check_level(&s, GAPS[k], 1);
            CHECK(count_at(&s, 0, 0.015) == 1 && count_at(&s, 0, -0.015) == 1);
            CHECK(count_at(&s, 0.2, 0.004) == 1);
        }
        crowd_close(&s.c);
    }
}

// --- meshes --------------------------------------------------------------------------------------

// a cube of edge 2 h as triangles, counter-clockwise from outside
static LitheGeomDef cube_mesh(double h, Vec3 points[8]) {
    static const int32_t triangles[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                                          2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    for (int i = 0; i < 8; i++)
        points[i] = v3(i & 1 ? h : -h, i & 2 ? h : -h, i & 4 ? h : -h);
    LitheGeomDef geom = lithe_geom_def_default();
    geom.kind = LITHE_GEOM_TRIANGLE_MESH;
    geom.radius = 0;
    geom.points = points;
    geom.point_count = 8;
    geom.triangles = triangles;
    geom.triangle_count = 12;
    return geom;
}

// a rod, a ball or a box on a cube, which is a mesh or a box
static bool open_cube(Scene *s, bool mesh, int what, double gap) {
    Vec3 points[8];
    scene_open(s);
    if (what == 0) {
        LitheRodDef rod = line(s, "rod", v3(0, 0.013, 0.105 + gap), v3(0.3, 0.02, 0));
        lithe_scene_add_rod(s->c.scene, &rod);
    }
    add_body(s, "cube", mesh ? cube_mesh(0.1, points) : block(v3(0.2, 0.2, 0.2)), v3(0, 0, 0));
    if (what == 1)
        add_body(s, "ball", ball(0.03), v3(0.021, 0.034, 0.13 + gap));
    if (what == 2)
        add_body(s, "box", block(v3(0.1, 0.06, 0.04)), v3(0.021, 0.034, 0.12 + gap));
    return scene_build(s);
}

TEST(a_cube_of_triangles_is_touched_by_rods_balls_and_boxes_as_a_box_is) {
    for (int what = 0; what < 3; what++)
        for (int k = 0; k < 2; k++) {
            Scene mesh, box;
            bool made = open_cube(&mesh, true, what, GAPS[k]);
            made &= open_cube(&box, false, what, GAPS[k]);
            if (made) {
                int32_t n = find(&mesh, 5e-4), m = find(&box, 5e-4);
                // where two faces meet, convex shapes also have contacts within
                CHECK(m > 0 && (what == 2 ? n == 4 && m == 8 : n >= m));
                if (what == 1)
                    CHECK(n == 1 && m == 1);
                // from the first named thing to the other: rods come before bodies
                check_level(&mesh, GAPS[k], what == 0 ? -1 : 1);
                check_level(&box, GAPS[k], what == 0 ? -1 : 1);
                // the mesh has contacts wherever the box has
                int32_t shared = 0;
                for (int32_t i = 0; i < m; i++) {
                    Vec3 p = box.c.contacts->contacts[i].point;
                    shared += count_at(&mesh, p.x, p.y) >= 1;
                }
                CHECK(shared == (what == 2 ? 4 : m));
            }
            crowd_close(&mesh.c);
            crowd_close(&box.c);
        }
}

TEST(a_rod_that_bends_over_the_edge_of_a_mesh_touches_its_edge) {
    Scene s;
    Vec3 points[8];
    scene_open(&s);
    // 45 degrees, perpendicular to the edge x = z = 0.1, at a distance of the radius and 1e-4
    double off = (0.005 + 1e-4) * sqrt(0.5);
    LitheRodDef rod = line(&s, "rod", v3(0.1 + off, 0.01, 0.1 + off), v3(0.3, 0, -0.3));
    lithe_scene_add_rod(s.c.scene, &rod);
    add_body(&s, "cube", cube_mesh(0.1, points), v3(0, 0, 0));
    if (scene_build(&s)) {
        CHECK(find(&s, 5e-4) == 1);
        const LitheContact *x = s.c.contacts->contacts;
        CHECK_NEAR(x->gap, 1e-4, 1e-9);
        CHECK_NEAR(x->normal.x, -sqrt(0.5), 1e-6);
        CHECK_NEAR(x->normal.z, -sqrt(0.5), 1e-6);
        CHECK_NEAR(x->point.y, 0.01, 1e-9);
        CHECK(x->a.part == 5 && fabs(x->a.s - 0.5) < 1e-6);
    }
    crowd_close(&s.c);
}

TEST(two_closed_meshes_touch_and_an_open_one_and_a_mesh_are_reported_as_unsupported) {
    for (int open = 0; open < 2; open++) {
        Scene s;
        Vec3 points[8];
        scene_open(&s);
        LitheGeomDef low = cube_mesh(0.1, points);
        low.triangle_count -= open;
        LitheBodyDef body = lithe_body_def_default();
        low.material = s.material;
        body.name = "low";
        body.fixed = true;
        body.geoms = &low;
        body.geom_count = 1;
        lithe_scene_add_body(s.c.scene, &body);
        add_body(&s, "high", cube_mesh(0.1, points), v3(0, 0, 0.199));
        if (scene_build(&s)) {
            CHECK(lithe_find_contacts(s.c.model, s.c.state, 0, s.c.contacts, NULL) == LITHE_OK);
            CHECK(lithe_contact_count(s.c.contacts) == (open ? 0 : 4));
            CHECK(lithe_contact_unserved(s.c.contacts) == open);
        }
        if (!open)
            check_level(&s, -0.001, 1);
        crowd_close(&s.c);
    }
}
