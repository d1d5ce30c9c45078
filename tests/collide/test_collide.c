// SPDX-License-Identifier: Apache-2.0
// tests/collide/test_collide.c - contacts of a state: which, where, under which id

#include "base/memory.h"
#include "collide/crowd.h"
#include "geom/segment.h"

static const CrowdDef usual = {.seed = 1,
                               .rods = 8,
                               .edges = 60,
                               .edge = 0.02,
                               .radius = 0.006,
                               .side = 0.3,
                               .bodies = 7,
                               .closed = true};

static bool is_rod(const LitheContactSide *side, int32_t index) {
    return side->thing.kind == LITHE_THING_ROD && side->thing.number == index + 1;
}

static bool is_body(const LitheContactSide *side, int32_t index) {
    return side->thing.kind == LITHE_THING_BODY && side->thing.number == index + 1;
}

static bool same(const LitheContact *a, const LitheContact *b) {
    return a->id == b->id && a->gap == b->gap &&
           memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->a.part == b->a.part &&
           a->b.part == b->b.part && a->a.s == b->a.s && a->b.s == b->b.s &&
           a->stiffness == b->stiffness;
}

TEST(contacts_are_sorted_by_id_each_once_with_unit_normals_and_points_between) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    CHECK(lithe_find_contacts(c.model, c.state, 0.002, c.contacts, NULL) == LITHE_OK);
    int32_t n = lithe_contact_count(c.contacts);
    const LitheContact *all = lithe_contact_data(c.contacts);
    CHECK(n > 50);
    for (int32_t i = 0; i < n; i++) {
        CHECK(i == 0 || all[i - 1].id < all[i].id);
        CHECK_NEAR(v3_norm(all[i].normal), 1, 1e-12);
        CHECK(all[i].gap <= 0.002);
        CHECK(all[i].a.thing.number > 0 && all[i].b.thing.number > 0);
        CHECK_NEAR(all[i].stiffness, 0.5e5, 1e-6);
        CHECK_NEAR(all[i].friction, 0.5, 1e-12);
        CHECK_NEAR(all[i].dissipation, 10, 1e-12);
    }
    crowd_close(&c);
}

// the nearest contact of each pair of edges has the gap of the closest points, and every pair of
// edges closer than the margin has one
TEST(every_pair_of_edges_within_the_margin_has_a_contact_with_its_distance) {
    CrowdDef def = usual;
    def.bodies = 0;
    Crowd c;
    FATAL(crowd_open(&def, &c));
    double margin = 0.003;
    CHECK(lithe_find_contacts(c.model, c.state, margin, c.contacts, NULL) == LITHE_OK);
    const LitheContact *all = lithe_contact_data(c.contacts);
    int32_t checked = 0;
    for (int32_t r = 0; r < c.model->rod_count; r++)
        for (int32_t u = r + 1; u < c.model->rod_count; u++) {
            const LitheRod *a = &c.model->rods[r], *b = &c.model->rods[u];
            double min = INFINITY, found = INFINITY;
            for (int32_t i = 0; i < a->edge_count; i++)
                for (int32_t j = 0; j < b->edge_count; j++) {
                    LithePose pose;
                    LitheGeom x = lithe_edge_shape(c.model, c.state, r, i, &pose);
                    LitheGeom y = lithe_edge_shape(c.model, c.state, u, j, &pose);
                    LitheSegmentPair p =
                        lithe_segment_closest(x.end[0], x.end[1], y.end[0], y.end[1]);
                    double gap = p.distance - 2 * def.radius;
                    min = fmin(min, gap);
                    // a contact with about this gap, or a smaller one, is close to this place
                    bool there = gap > margin - 1e-12;
                    Vec3 at = v3_mix(x.end[0], x.end[1], p.s);
                    for (int32_t k = 0; k < lithe_contact_count(c.contacts) && !there; k++)
                        there = is_rod(&all[k].a, r) && is_rod(&all[k].b, u) &&
                                all[k].gap <= gap + 1e-3 * def.edge &&
                                v3_distance(all[k].point, at) < 4 * def.edge;
                    CHECK(there);
                    checked += gap <= margin;
                }
            for (int32_t k = 0; k < lithe_contact_count(c.contacts); k++)
                if (is_rod(&all[k].a, r) && is_rod(&all[k].b, u))
                    found = fmin(found, all[k].gap);
            if (min < margin)
                CHECK_NEAR(found, min, 1.1e-3 * def.edge);
            else
                CHECK(found == INFINITY);
        }
    CHECK(checked > 20);
    crowd_close(&c);
}

TEST(single_contacts_are_at_most_one_per_pair_of_edges_and_the_deepest) {
    CrowdDef def = usual;
    def.bodies = 0;
    Crowd c;
    FATAL(crowd_open(&def, &c));
    LitheCollideOptions options = {.single = true};
    CHECK(lithe_collide(c.model, c.state, &options, c.contacts, NULL) == LITHE_OK);
    const LitheContact *all = lithe_contact_data(c.contacts);
    int32_t overlaps = 0;
    for (int32_t r = 0; r < c.model->rod_count; r++)
        for (int32_t u = r + 1; u < c.model->rod_count; u++)
            for (int32_t i = 0; i < c.model->rods[r].edge_count; i++)
                for (int32_t j = 0; j < c.model->rods[u].edge_count; j++) {
                    LithePose pose;
                    LitheGeom x = lithe_edge_shape(c.model, c.state, r, i, &pose);
                    LitheGeom y = lithe_edge_shape(c.model, c.state, u, j, &pose);
                    LitheSegmentPair p =
                        lithe_segment_closest(x.end[0], x.end[1], y.end[0], y.end[1]);
                    int32_t own = 0, near = 0;
                    for (int32_t k = 0; k < lithe_contact_count(c.contacts); k++) {
                        bool rods = is_rod(&all[k].a, r) && is_rod(&all[k].b, u);
                        bool deepest = fabs(all[k].gap - p.distance + 2 * def.radius) < 1e-9;
                        bool edges = rods && all[k].a.part == i && all[k].b.part == j;
                        own += edges;
                        CHECK(!edges || deepest);
                        // at a node the contact may have the id of the neighbouring edge
                        near += rods && deepest && abs(all[k].a.part - i) % 58 <= 1 &&
                                abs(all[k].b.part - j) % 58 <= 1;
                    }
                    bool overlap = p.distance < 2 * def.radius - 1e-9;
                    CHECK(own <= 1 && (!overlap || near >= 1));
                    overlaps += overlap;
                }
    CHECK(overlaps > 20);
    crowd_close(&c);
}

TEST(contacts_have_the_same_bits_for_every_bundle_size_and_after_other_searches) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    LitheContacts *other = lithe_contacts_create(c.context);
    LitheCollideOptions options = {.margin = 0.002, .step = 1e-3};
    CHECK(lithe_collide(c.model, c.state, &options, c.contacts, NULL) == LITHE_OK);
    for (int32_t bundle = 1; bundle < 200; bundle = 3 * bundle + 1) {
        options.bundle = bundle;
        CHECK(lithe_collide(c.model, c.state, &options, other, NULL) == LITHE_OK);
        FATAL(other->count == c.contacts->count && other->count > 0);
        for (int32_t i = 0; i < other->count; i++)
            CHECK(same(&other->contacts[i], &c.contacts->contacts[i]));
    }
    lithe_contacts_destroy(other);
    crowd_close(&c);
}

TEST(contacts_do_not_depend_on_the_order_in_which_rods_were_added) {
    CrowdDef def = usual;
    Crowd a, b;
    FATAL(crowd_open(&def, &a));
    def.reversed = true;
    FATAL(crowd_open(&def, &b));
    CHECK(lithe_find_contacts(a.model, a.state, 0.002, a.contacts, NULL) == LITHE_OK);
    CHECK(lithe_find_contacts(b.model, b.state, 0.002, b.contacts, NULL) == LITHE_OK);
    CHECK(a.contacts->count == b.contacts->count);
    for (int32_t i = 0; i < a.contacts->count; i++) {
        const LitheContact *x = &a.contacts->contacts[i];
        double nearest = INFINITY;
        for (int32_t k = 0; k < b.contacts->count; k++) {
            const LitheContact *y = &b.contacts->contacts[k];
            if (fabs(x->gap - y->gap) < 1e-12)
                nearest = fmin(nearest, v3_distance(x->point, y->point));
        }
        CHECK(nearest < 1e-12);
    }
    crowd_close(&a);
    crowd_close(&b);
}

TEST(ids_stay_over_a_small_motion) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    LitheContacts *later = lithe_contacts_create(c.context);
    CHECK(lithe_find_contacts(c.model, c.state, 0.002, c.contacts, NULL) == LITHE_OK);
    TestRandom r = {5};
    for (int64_t i = 0; i < c.model->v_count; i++)
        c.state->q[i] += test_random(&r, -1e-9, 1e-9);
    CHECK(lithe_find_contacts(c.model, c.state, 0.002, later, NULL) == LITHE_OK);
    int32_t kept = 0;
    for (int32_t i = 0, j = 0; i < c.contacts->count; i++) {
        while (j < later->count && later->contacts[j].id < c.contacts->contacts[i].id)
            j++;
        bool stays = j < later->count && later->contacts[j].id == c.contacts->contacts[i].id;
        kept += stays;
        if (stays) {
            CHECK_NEAR(later->contacts[j].gap, c.contacts->contacts[i].gap, 2e-8);
            CHECK(v3_distance(later->contacts[j].point, c.contacts->contacts[i].point) < 1e-6);
        }
    }
    CHECK(kept >= c.contacts->count - 1 && c.contacts->count > 50);
    lithe_contacts_destroy(later);
    crowd_close(&c);
}

// --- one rod -------------------------------------------------------------------------------------

static bool open_rod(const LitheRodDef *def, Crowd *c) {
    *c = (Crowd){.context = lithe_context_create(NULL)};
    c->scene = lithe_scene_create(c->context);
    c->contacts = lithe_contacts_create(c->context);
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.name = "rubber";
    LitheRodDef rod = *def;
    rod.name = "rod";
    rod.material = lithe_scene_add_material(c->scene, &rubber);
    lithe_scene_add_rod(c->scene, &rod);
    // thousands of edges within one thickness: millions of pairs whose boxes overlap
    LitheContactDef contact = lithe_contact_def_default();
    contact.max_pairs = 20000000;
    lithe_scene_set_contact(c->scene, &contact);
    LitheError error = {0};
    bool made = lithe_compile(c->scene, &c->model, &c->state, &error) == LITHE_OK;
    if (!made) {
        printf("  %s\n", error.text);
        crowd_close(c);
    }
    return made;
}

LONG_TEST(a_rod_that_does_not_meet_itself_has_no_contacts_at_any_resolution_or_margin) {
    for (int32_t nodes = 5; nodes <= 5000; nodes *= 10)
        for (int kind = 0; kind < 3; kind++)
            for (int wide = 0; wide < 2; wide++) {
                LitheRodDef rod = lithe_rod_def_default();
                rod.section.radius = 0.01;
                rod.nodes = nodes + 20 * (kind > 0);
                rod.shape.kind = kind == 0   ? LITHE_SHAPE_LINE
                                 : kind == 1 ? LITHE_SHAPE_ARC
                                             : LITHE_SHAPE_RING;
                // bent nearly as tightly as its thickness allows
                rod.shape.radius = kind > 0 ? 0.021 : 0;
                rod.shape.angle = kind == 1 ? 2.5 : 0;
                if (kind > 0)
                    rod.shape.from = rod.shape.to = (LitheVec3){0, 0, 0};
                Crowd c;
                FATAL(open_rod(&rod, &c));
                double margin = wide ? 0.015 : 1e-4;
                CHECK(lithe_find_contacts(c.model, c.state, margin, c.contacts, NULL) == LITHE_OK);
                CHECK(c.contacts->count == 0);
                crowd_close(&c);
            }
}

TEST(a_ribbon_has_no_contacts_with_itself_at_any_resolution) {
    for (int32_t nodes = 5; nodes <= 500; nodes *= 10) {
        LitheRodDef rod = lithe_rod_def_default();
        rod.section =
            (LitheSectionDef){.kind = LITHE_SECTION_RECTANGLE, .width = 0.03, .height = 0.002};
        rod.nodes = nodes;
        Crowd c;
        FATAL(open_rod(&rod, &c));
        CHECK(lithe_find_contacts(c.model, c.state, 0.005, c.contacts, NULL) == LITHE_OK);
        CHECK(c.contacts->count == 0);
        crowd_close(&c);
    }
}

TEST(turns_of_a_coil_touch_each_other_and_not_when_self_contact_is_off) {
    for (int on = 0; on < 2; on++) {
        LitheRodDef rod = lithe_rod_def_default();
        rod.section.radius = 0.005;
        rod.nodes = 301;
        rod.shape.kind = LITHE_SHAPE_HELIX;
        rod.shape.from = rod.shape.to = (LitheVec3){0, 0, 0};
        rod.shape.radius = 0.03;
        rod.shape.pitch = 0.0098;
        rod.shape.turns = 4;
        rod.self_contact = on;
        Crowd c;
        FATAL(open_rod(&rod, &c));
        CHECK(lithe_find_contacts(c.model, c.state, 1e-3, c.contacts, NULL) == LITHE_OK);
        CHECK(on ? c.contacts->count > 150 : c.contacts->count == 0);
        for (int32_t i = 0; i < c.contacts->count; i++)
            CHECK(fabs(c.contacts->contacts[i].normal.z) > 0.9);
        crowd_close(&c);
    }
}

// Nodes A to E, 2 mm thick: the rod turns back by nearly half a circle at C, and the edge from C to
// D comes near B. Towards C the edges B C and C D, which are neighbours, are nearer to each other.
TEST(a_rod_that_folds_back_at_a_node_touches_itself_beside_the_fold) {
    for (int turned = 0; turned < 2; turned++)
        for (double near = 1e-5; near < 2e-3; near *= 10) {
            const double x[5][3] = {{-0.003, 0.004, 0},
                                    {0, 0, 0},
                                    {0.004, 0, 0},
                                    {-0.004, 0, 2 * near},
                                    {-0.007, -0.004, 2 * near}};
            LitheRodDef rod = lithe_rod_def_default();
            rod.section.radius = 0.001;
            rod.nodes = 5;
            Crowd c;
            FATAL(open_rod(&rod, &c));
            for (int k = 0; k < 5; k++)
                memcpy(c.state->q + c.model->rods[0].dof_at + 4 * k, x[turned ? 4 - k : k],
                       sizeof x[k]);
            CHECK(lithe_find_contacts(c.model, c.state, 1e-4, c.contacts, NULL) == LITHE_OK);
            const LitheContact *all = lithe_contact_data(c.contacts);
            double min = INFINITY;
            for (int32_t k = 0; k < lithe_contact_count(c.contacts); k++)
                min = fmin(min, all[k].gap);
            CHECK_NEAR(min, near * cos(atan(near / 0.004)) - 0.002, 1e-9);
            crowd_close(&c);
        }
}

// Two straight arms that meet at a corner: next to it they are nearer than a thickness, and the rod
// was built so.
TEST(a_rod_with_a_sharp_corner_does_not_touch_itself_there) {
    static const double edges[] = {0.0011, 0.0015, 0.0021, 0.004};
    for (int k = 0; k < 4; k++)
        for (double degrees = 25; degrees < 90; degrees += 10) {
            enum { ARM = 8 };
            LitheRodDef rod = lithe_rod_def_default();
            rod.section.radius = 0.001;
            rod.nodes = 2 * ARM + 1;
            Crowd c;
            FATAL(open_rod(&rod, &c));
            for (int i = 0; i <= 2 * ARM; i++) {
                double s = edges[k] * abs(i - ARM), angle = i < ARM ? 0 : degrees * M_PI / 180;
                const double x[3] = {s * cos(angle), s * sin(angle), 0};
                memcpy(c.state->q + c.model->rods[0].dof_at + 4 * i, x, sizeof x);
            }
            CHECK(lithe_find_contacts(c.model, c.state, 1e-4, c.contacts, NULL) == LITHE_OK);
            CHECK(lithe_contact_count(c.contacts) == 0);
            crowd_close(&c);
        }
}

// --- rigid bodies --------------------------------------------------------------------------------

// a rod along x over the plane z = 0, and a box and a capsule on it
static bool open_table(Crowd *c, double height, bool ignore) {
    *c = (Crowd){.context = lithe_context_create(NULL)};
    c->scene = lithe_scene_create(c->context);
    c->contacts = lithe_contacts_create(c->context);
    LitheMaterialDef m = lithe_material_def_default();
    m.name = "soft";
    m.contact_stiffness = 1e4;
    m.contact_dissipation = 0.1;
    m.friction = 0.2;
    m.torsional_friction = 2e-3;
    m.rolling_friction = 1e-3;
    LitheMaterialId soft = lithe_scene_add_material(c->scene, &m);
    m.name = "hard";
    m.contact_stiffness = 3e4;
    m.contact_dissipation = 0.5;
    m.friction = 0.6;
    m.torsional_friction = 6e-3;
    m.rolling_friction = 0;
    LitheMaterialId hard = lithe_scene_add_material(c->scene, &m);
    LitheRodDef rod = lithe_rod_def_default();
    rod.name = "rope";
    rod.material = soft;
    rod.nodes = 11;
    rod.shape.at = v3(0, 0, 0.005 + height);
    lithe_scene_add_rod(c->scene, &rod);
    LitheGeomDef geom = lithe_geom_def_default();
    geom.material = hard;
    geom.kind = LITHE_GEOM_HALF_SPACE;
    geom.radius = 0;
    LitheBodyDef body = lithe_body_def_default();
    body.geoms = &geom;
    body.geom_count = 1;
    body.name = "ground";
    body.fixed = true;
    lithe_scene_add_body(c->scene, &body);
    body.fixed = false;
    geom.kind = LITHE_GEOM_BOX;
    geom.size = v3(0.2, 0.2, 0.2);
    body.name = "box";
    body.at = v3(0, 1, 0.1 + height);
    lithe_scene_add_body(c->scene, &body);
    geom.kind = LITHE_GEOM_CAPSULE;
    geom.size = v3(0, 0, 0);
    geom.radius = 0.1;
    geom.length = 0.4;
    geom.rotation = (Quat){sqrt(0.5), 0, sqrt(0.5), 0};
    body.name = "pill";
    body.at = v3(0, -1, 0.1 + height);
    lithe_scene_add_body(c->scene, &body);
    if (ignore)
        lithe_scene_ignore_pair(c->scene, "ground", "rope");
    LitheError error = {0};
    bool made = lithe_compile(c->scene, &c->model, &c->state, &error) == LITHE_OK;
    if (!made) {
        printf("  %s\n", error.text);
        crowd_close(c);
    }
    return made;
}

static int count_of(const Crowd *c, LitheRodId rod, LitheBodyId body) {
    int count = 0;
    for (int32_t i = 0; i < c->contacts->count; i++) {
        const LitheContact *x = &c->contacts->contacts[i];
        count += (rod.number > 0 && is_rod(&x->a, rod.number - 1)) ||
                 (body.number > 0 &&
                  (is_body(&x->a, body.number - 1) || is_body(&x->b, body.number - 1)));
    }
    return count;
}

TEST(a_box_has_eight_contacts_on_the_ground_a_capsule_four_and_a_rod_one_per_node) {
    double heights[] = {1e-3, -1e-3};
    for (int k = 0; k < 2; k++) {
        Crowd c;
        FATAL(open_table(&c, heights[k], false));
        CHECK(lithe_find_contacts(c.model, c.state, 2e-3, c.contacts, NULL) == LITHE_OK);
        CHECK(count_of(&c, (LitheRodId){0}, lithe_body_find(c.model, "box")) == 8);
        CHECK(count_of(&c, (LitheRodId){0}, lithe_body_find(c.model, "pill")) == 4);
        CHECK(count_of(&c, lithe_rod_find(c.model, "rope"), (LitheBodyId){0}) == 11);
        CHECK(c.contacts->count == 23 && c.contacts->unsupported == 0);
        for (int32_t i = 0; i < c.contacts->count; i++) {
            const LitheContact *x = &c.contacts->contacts[i];
            CHECK_NEAR(x->gap, heights[k], 1e-12);
            CHECK_NEAR(fabs(x->normal.z), 1, 1e-12);
            CHECK_NEAR(x->point.z, 0.5 * heights[k], 1e-12);
            if (x->a.thing.kind != LITHE_THING_ROD)
                continue;
            // from rod to ground; k = 1e4 3e4/4e4, d = (3e4 0.1 + 1e4 0.5)/4e4, mu = 2 0.12/0.8
            CHECK_NEAR(x->normal.z, -1, 1e-12);
            CHECK_NEAR(x->stiffness, 7500, 1e-9);
            CHECK_NEAR(x->dissipation, 0.2, 1e-12);
            CHECK_NEAR(x->friction, 0.3, 1e-12);
            CHECK_NEAR(x->torsional, 3e-3, 1e-15);
            CHECK(x->rolling == 0);
        }
        CHECK(lithe_find_contacts(c.model, c.state, 0, c.contacts, NULL) == LITHE_OK);
        CHECK(c.contacts->count == (heights[k] < 0 ? 23 : 0));
        crowd_close(&c);
    }
}

TEST(what_falls_fast_has_contacts_ahead_of_the_ground) {
    Crowd c;
    FATAL(open_table(&c, 0.1, false));
    for (int32_t i = 0; i < 11; i++)
        c.state->v[4 * i + 2] = -11;
    for (int32_t k = 0; k < 2; k++)
        c.state->v[c.model->trees[k].v_at + 5] = c.state->v[c.model->trees[k].v_at + 2] = -11;
    LitheCollideOptions options = {.margin = 1e-3, .step = 5e-3};
    CHECK(lithe_collide(c.model, c.state, &options, c.contacts, NULL) == LITHE_OK);
    CHECK(count_of(&c, lithe_rod_find(c.model, "rope"), (LitheBodyId){0}) == 0);
    options.step = 1e-2;
    CHECK(lithe_collide(c.model, c.state, &options, c.contacts, NULL) == LITHE_OK);
    CHECK(count_of(&c, lithe_rod_find(c.model, "rope"), (LitheBodyId){0}) == 11);
    CHECK(count_of(&c, (LitheRodId){0}, lithe_body_find(c.model, "box")) == 8);
    CHECK(count_of(&c, (LitheRodId){0}, lithe_body_find(c.model, "pill")) == 4);
    crowd_close(&c);
}

TEST(ignored_pairs_and_groups_that_do_not_touch_have_no_contacts) {
    Crowd c;
    FATAL(open_table(&c, -1e-3, true));
    CHECK(lithe_find_contacts(c.model, c.state, 2e-3, c.contacts, NULL) == LITHE_OK);
    CHECK(c.contacts->count == 12);
    c.model->geoms[1].touch.group = 2;
    c.model->geoms[0].touch.mask = 1;
    CHECK(lithe_find_contacts(c.model, c.state, 2e-3, c.contacts, NULL) == LITHE_OK);
    CHECK(c.contacts->count == 4);
    crowd_close(&c);
}

// --- queries -------------------------------------------------------------------------------------

TEST(distances_and_rays_find_what_is_where) {
    Crowd c;
    FATAL(open_table(&c, 0.01, false));
    LitheNearestPlaces near;
    LitheError error = {0};
    CHECK(lithe_find_distance(c.model, c.state, "rope", "ground", &near, &error) == LITHE_OK);
    CHECK_NEAR(near.distance, 0.01, 1e-12);
    CHECK(lithe_find_distance(c.model, c.state, "box", "rope", &near, &error) == LITHE_OK);
    // from the edge of the box at y = 0.9, z = 0.01 to the rod at z = 0.015
    CHECK_NEAR(near.distance, 0.9 - 0.005, 1e-9);
    CHECK(is_body(&near.a, 1) && is_rod(&near.b, 0));
    CHECK(lithe_find_distance(c.model, c.state, "rope", "rope", &near, &error) == LITHE_BAD_INPUT);
    CHECK(lithe_find_distance(c.model, c.state, "rope", "no", &near, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "'no'");
    LitheRayCast cast;
    CHECK(lithe_cast_ray(c.model, c.state, v3(0.52, 0, 1), v3(0, 0, -2), 5, &cast, &error) ==
          LITHE_OK);
    CHECK(cast.hit && is_rod(&cast.what, 0) && cast.what.part == 5);
    CHECK_NEAR(cast.what.s, 0.2, 1e-9);
    CHECK_NEAR(cast.distance, 1 - 0.02, 1e-12);
    CHECK(lithe_cast_ray(c.model, c.state, v3(0.5, 0.5, 1), v3(0, 0, -2), 5, &cast, &error) ==
          LITHE_OK);
    CHECK(cast.hit && is_body(&cast.what, 0));
    CHECK_NEAR(cast.normal.z, 1, 1e-12);
    CHECK(lithe_cast_ray(c.model, c.state, v3(0, 0.5, 1), v3(0, 0, 1), 5, &cast, &error) ==
          LITHE_OK);
    CHECK(!cast.hit);
    crowd_close(&c);
}

// --- memory and bad input ------------------------------------------------------------------------

TEST(a_warm_search_allocates_nothing) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    CHECK(lithe_find_contacts(c.model, c.state, 0.002, c.contacts, NULL) == LITHE_OK);
    int64_t before = lithe_context_alloc_count(c.context);
    for (int i = 0; i < 3; i++)
        CHECK(lithe_find_contacts(c.model, c.state, 0.002, c.contacts, NULL) == LITHE_OK);
    CHECK(lithe_context_alloc_count(c.context) == before);
    crowd_close(&c);
}

TEST(a_search_without_memory_leaves_the_contacts_as_they_were) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    int64_t n = 1;
    for (; n < 1000; n++) {
        LitheContacts *contacts = lithe_contacts_create(c.context);
        LitheError error = {0};
        lithe_context_fail_at(c.context, n);
        LitheStatus status = lithe_find_contacts(c.model, c.state, 0.002, contacts, &error);
        lithe_context_fail_at(c.context, 0);
        if (status != LITHE_OK)
            CHECK(status == LITHE_NO_MEMORY && contacts->count == 0);
        // and it can be used again
        CHECK(lithe_find_contacts(c.model, c.state, 0.002, contacts, NULL) == LITHE_OK);
        CHECK(contacts->count > 50);
        lithe_contacts_destroy(contacts);
        if (status == LITHE_OK)
            break;
    }
    CHECK(n > 10 && n < 1000);
    crowd_close(&c);
}

TEST(a_bad_margin_and_a_position_that_is_not_finite_are_refused) {
    Crowd c;
    FATAL(crowd_open(&usual, &c));
    LitheError error = {0};
    CHECK(lithe_find_contacts(c.model, c.state, -1, c.contacts, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "margin is -1 m");
    c.state->q[c.model->rods[2].dof_at + 5] = NAN;
    CHECK(lithe_find_contacts(c.model, c.state, 0, c.contacts, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "rod 'rod2'");
    crowd_close(&c);
}
