// SPDX-License-Identifier: Apache-2.0
// tests/collide/crowd.h - random rods in a box, with bodies among them

#ifndef LITHE_TEST_CROWD_H
#define LITHE_TEST_CROWD_H

#include "collide/collide.h"
#include "data/state.h"
#include "lithe/lithe.h"

#include "test.h"

typedef struct Crowd {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheContacts *contacts;
} Crowd;

typedef struct CrowdDef {
    uint64_t seed;
    int32_t rods, edges;
    double edge, radius, side; // m
    int32_t bodies;            // shapes of several kinds, some fixed, and a plane
    bool closed;               // every other rod
    bool reversed;             // rods added last to first, under the same names
    bool masked;               // second shapes of bodies touch only each other
} CrowdDef;

static inline Vec3 crowd_unit(TestRandom *r) {
    for (;;) {
        Vec3 v = v3(test_random(r, -1, 1), test_random(r, -1, 1), test_random(r, -1, 1));
        if (v3_norm(v) > 0.1 && v3_norm(v) < 1)
            return v3_unit(v);
    }
}

/// Nodes [count] of equal edges: an open walk that turns a little at each node and bounces off the
/// walls, or a closed loop.
static inline void crowd_curve(TestRandom *r, int32_t count, double edge, double side, bool closed,
                               double *q) {
    Vec3 x = v3(test_random(r, 0, side), test_random(r, 0, side), test_random(r, 0, side));
    Vec3 t = crowd_unit(r), n = v3_any_normal(t), b = v3_cross(t, n);
    double radius = 0.5 * edge / sin(M_PI / count), wave = test_random(r, -0.4, 0.4);
    for (int32_t i = 0; i < count; i++) {
        double angle = 2 * M_PI * i / count;
        Vec3 at = x;
        if (closed) {
            at = v3_axpy(radius * cos(angle), t, v3_axpy(radius * sin(angle), n, x));
            at = v3_axpy(wave * radius * sin(3 * angle), b, at);
        }
        v3_store(at, q + 4 * (int64_t)i);
        double p[3], d[3];
        v3_store(x, p);
        v3_store(v3_unit(v3_axpy(0.25, crowd_unit(r), t)), d);
        for (int k = 0; k < 3; k++)
            if ((p[k] < 0 && d[k] < 0) || (p[k] > side && d[k] > 0))
                d[k] = -d[k];
        t = v3_load(d);
        x = closed ? x : v3_axpy(edge, t, x);
    }
}

static inline void crowd_bodies(const CrowdDef *def, LitheScene *scene, LitheMaterialId material) {
    TestRandom r = {def->seed + 77};
    static const LitheGeomKind kinds[] = {LITHE_GEOM_SPHERE, LITHE_GEOM_CAPSULE, LITHE_GEOM_BOX,
                                          LITHE_GEOM_CYLINDER, LITHE_GEOM_ELLIPSOID};
    for (int32_t i = 0; i < def->bodies; i++) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        LitheGeomDef geom[2] = {lithe_geom_def_default(), lithe_geom_def_default()};
        LitheBodyDef body = lithe_body_def_default();
        double size = def->side / 4;
        for (int k = 0; k < 2; k++) {
            geom[k].kind = i == 0 ? LITHE_GEOM_HALF_SPACE : kinds[(i + k) % 5];
            if (i > 0) {
                bool sized = geom[k].kind == LITHE_GEOM_BOX || geom[k].kind == LITHE_GEOM_ELLIPSOID;
                geom[k].radius = sized ? 0 : size / 4;
                geom[k].length =
                    geom[k].kind == LITHE_GEOM_CAPSULE || geom[k].kind == LITHE_GEOM_CYLINDER
                        ? size / 2
                        : 0;
                geom[k].size = sized ? v3(size, size / 2, size / 3) : v3(0, 0, 0);
            } else {
                geom[k].radius = 0;
            }
            geom[k].at = k == 0 ? v3(0, 0, 0) : v3(size / 2, 0, 0);
            geom[k].material = material;
            if (def->masked && k == 1)
                geom[k].group = geom[k].mask = 2;
        }
        body.name = name;
        body.fixed = i % 3 == 0;
        body.at = v3(test_random(&r, 0, def->side), test_random(&r, 0, def->side),
                     i == 0 ? 0.1 * def->side : test_random(&r, 0, def->side));
        body.rotation = q4_unit((Quat){1, test_random(&r, -1, 1), test_random(&r, -1, 1), 0});
        body.geoms = geom;
        body.geom_count = i == 0 ? 1 : 2;
        lithe_scene_add_body(scene, &body);
    }
}

static inline void crowd_close(Crowd *c) {
    lithe_contacts_destroy(c->contacts);
    lithe_state_destroy(c->state);
    lithe_model_destroy(c->model);
    lithe_scene_destroy(c->scene);
    lithe_context_destroy(c->context);
}

static inline bool crowd_open(const CrowdDef *def, Crowd *c) {
    *c = (Crowd){.context = lithe_context_create(NULL)};
    c->scene = lithe_scene_create(c->context);
    c->contacts = lithe_contacts_create(c->context);
    LitheMaterialDef rubber = lithe_material_def_default();
    rubber.contact_stiffness = 1e5;
    rubber.name = "rubber";
    LitheMaterialId material = lithe_scene_add_material(c->scene, &rubber);
    for (int32_t k = 0; k < def->rods; k++) {
        int32_t i = def->reversed ? def->rods - 1 - k : k;
        char name[32];
        snprintf(name, sizeof name, "rod%d", i);
        LitheRodDef rod = lithe_rod_def_default();
        rod.name = name;
        rod.material = material;
        rod.section.radius = def->radius;
        bool closed = def->closed && i % 2 == 1;
        rod.nodes = closed ? def->edges : def->edges + 1;
        rod.shape.to = v3(def->edge * def->edges, 0, 0);
        if (closed) {
            rod.shape.kind = LITHE_SHAPE_RING;
            rod.shape.radius = 0.2;
        }
        lithe_scene_add_rod(c->scene, &rod);
    }
    crowd_bodies(def, c->scene, material);
    LitheError error = {0};
    if (lithe_compile(c->scene, &c->model, &c->state, &error) != LITHE_OK) {
        printf("  %s\n", error.text);
        crowd_close(c);
        return false;
    }
    for (int32_t k = 0; k < def->rods; k++) {
        int32_t i = def->reversed ? def->rods - 1 - k : k;
        const LitheRod *rod = &c->model->rods[k];
        TestRandom r = {def->seed + 1000 * (uint64_t)i};
        crowd_curve(&r, rod->node_count, def->edge, def->side, rod->closed,
                    c->state->q + rod->dof_at);
        for (int32_t j = 0; j < rod->node_count; j++)
            v3_store(v3_scale(0.5, crowd_unit(&r)), c->state->v + rod->dof_at + 4 * (int64_t)j);
    }
    return true;
}

#endif
