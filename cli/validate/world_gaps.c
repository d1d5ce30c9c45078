// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_gaps.c - overlaps, errors of ties and errors of joints of a world
//
// Round things are segments with a radius: spheres and particles have length 0. Their distances
// come from a plain minimisation over both segments, not from src/geom.

#include "cli/validate/worlds.h"

#include "data/model.h"
#include "data/state.h"
#include "data/thing.h"
#include "math/spatial.h"

typedef struct Round {
    Vec3 a, b;
    double radius;
    int32_t thing; // number
    int32_t part;
} Round;

enum { ROUNDS = 512 };

static double clamp(double x) {
    return fmin(1, fmax(0, x));
}

// Distance of two segments: alternating projections from both ends of the first one; the distance
// is convex in both parameters.
static double apart(const Round *x, const Round *y) {
    Vec3 u = v3_sub(x->b, x->a), w = v3_sub(y->b, y->a);
    double uu = v3_dot(u, u), ww = v3_dot(w, w), best = INFINITY;
    for (int from = 0; from < 2; from++) {
        double s = from, t = 0;
        for (int k = 0; k < 60; k++) {
            Vec3 p = v3_axpy(s, u, x->a);
            t = ww > 0 ? clamp(v3_dot(v3_sub(p, y->a), w) / ww) : 0;
            Vec3 q = v3_axpy(t, w, y->a);
            s = uu > 0 ? clamp(v3_dot(v3_sub(q, x->a), u) / uu) : 0;
        }
        best = fmin(best, v3_distance(v3_axpy(s, u, x->a), v3_axpy(t, w, y->a)));
    }
    return best;
}

static int32_t gather_rods(const LitheModel *model, const LitheState *state, Round *out) {
    int32_t count = 0;
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        const double *q = state->q + rod->dof_at;
        if (rod->section.kind != LITHE_SECTION_CIRCLE)
            continue;
        for (int32_t i = 0; i < rod->edge_count && count < ROUNDS; i++)
            out[count++] =
                (Round){v3_load(q + 4 * i), v3_load(q + 4 * ((i + 1) % rod->node_count)),
                        rod->section.radius,
                        lithe_thing_number(model, lithe_thing_rod((LitheRodId){r + 1})), i};
    }
    return count;
}

static int32_t gather(const LitheModel *model, const LitheState *state, Round *out) {
    int32_t count = gather_rods(model, state, out);
    for (int32_t g = 0; g < model->geom_count && count < ROUNDS; g++) {
        const LitheModelGeom *geom = &model->geoms[g];
        double p[7];
        LitheBodyId id = {geom->body + 1};
        if (geom->geom.kind != LITHE_GEOM_SPHERE && geom->geom.kind != LITHE_GEOM_CAPSULE)
            continue;
        lithe_body_pose(model, state, id, p);
        Quat q = {p[3], p[4], p[5], p[6]};
        Vec3 middle = v3_add(v3_load(p), q4_rotate(q, geom->local.at));
        Vec3 half = v3(0, 0, 0);
        if (geom->geom.kind == LITHE_GEOM_CAPSULE)
            half = q4_rotate(q4_mul(q, geom->local.q),
                             v3_scale(0.5, v3_sub(geom->geom.end[1], geom->geom.end[0])));
        out[count++] = (Round){v3_sub(middle, half), v3_add(middle, half), geom->geom.radius,
                               lithe_thing_number(model, lithe_thing_body(id)), g};
    }
    for (int32_t s = 0; s < model->particles_count; s++) {
        LitheParticlesId id = {s + 1};
        const double *x = lithe_particles_position(model, state, id);
        for (int32_t i = 0; i < lithe_particles_size(model, id) && count < ROUNDS; i++)
            out[count++] = (Round){v3_load(x + 3 * i), v3_load(x + 3 * i),
                                   lithe_particles_radius(model, id)[i],
                                   lithe_thing_number(model, lithe_thing_particles(id)), i};
    }
    return count;
}

// Things that are tied or jointed are not checked against each other, as they may overlap, nor is a
// rod against itself.
static bool may_meet(const LitheModel *model, const Round *x, const Round *y) {
    uint64_t pair = lithe_thing_pair(x->thing, y->thing);
    if (x->thing == y->thing && x->thing < model->rod_count)
        return false;
    for (int32_t i = 0; i < model->ignored_count; i++)
        if (model->ignored[i] == pair)
            return false;
    for (int32_t i = 0; i < model->tie_zone_count; i++)
        if (model->tie_zones[i].things == pair)
            return false;
    return true;
}

static double depth_in_ground(const LitheModel *model, const LitheState *state, const Round *x) {
    double worst = 0;
    for (int32_t g = 0; g < model->geom_count; g++) {
        if (model->geoms[g].geom.kind != LITHE_GEOM_HALF_SPACE)
            continue;
        double p[7];
        LitheBodyId id = {model->geoms[g].body + 1};
        Round ground = {.thing = lithe_thing_number(model, lithe_thing_body(id))};
        lithe_body_pose(model, state, id, p);
        Vec3 up = q4_rotate((Quat){p[3], p[4], p[5], p[6]}, v3(0, 0, 1));
        double low =
            fmin(v3_dot(up, v3_sub(x->a, v3_load(p))), v3_dot(up, v3_sub(x->b, v3_load(p))));
        if (may_meet(model, x, &ground))
            worst = fmax(worst, (x->radius - low) / x->radius);
    }
    return worst;
}

double lithe_world_depth(const WorldCheck *check, const LitheState *state) {
    static Round all[ROUNDS];
    const LitheModel *model = check->model;
    int32_t count = gather(model, state, all);
    double worst = 0;
    for (int32_t i = 0; i < count; i++) {
        worst = fmax(worst, depth_in_ground(model, state, &all[i]));
        for (int32_t k = i + 1; k < count; k++) {
            const Round *x = &all[i], *y = &all[k];
            double reach = x->radius + y->radius;
            double far = 0.5 * (v3_distance(x->a, x->b) + v3_distance(y->a, y->b)) + reach;
            if (v3_distance(v3_mix(x->a, x->b, 0.5), v3_mix(y->a, y->b, 0.5)) > far ||
                !may_meet(model, x, y))
                continue;
            worst = fmax(worst, (reach - apart(x, y)) / fmin(x->radius, y->radius));
        }
    }
    return worst;
}

// --- ties ----------------------------------------------------------------------------------------

double lithe_world_tie_error(const WorldCheck *check, const LitheState *state) {
    double worst = 0;
    for (int32_t i = 0; i < check->model->constraint_count && i < WORLD_TIES; i++) {
        Vec3 turn;
        if (!(check->model->constraints[i].stiffness > 0))
            worst = fmax(worst, lithe_world_tie_off(check, state, i, &turn));
    }
    return worst;
}

// --- joints --------------------------------------------------------------------------------------

// the joint frames of parent and child in the world
static bool joint_frames(const LitheModel *model, const LitheState *state, int32_t j, Pose *parent,
                         Pose *child) {
    const LitheTree *tree = &model->trees[model->joints[j].tree];
    const LitheRigidLink *link = &tree->rigid.links[model->joints[j].link];
    *child = pose_identity();
    bool found_child = false, found_parent = link->parent < 0;
    *parent = link->parent_frame;
    for (int32_t b = 0; b < model->body_count; b++) {
        const LitheRigidBody *body = &model->bodies[b];
        double p[7];
        if (body->unit != tree->unit)
            continue;
        lithe_body_pose(model, state, (LitheBodyId){b + 1}, p);
        Pose pose = {{p[3], p[4], p[5], p[6]}, v3_load(p)};
        if (body->offset)
            pose = pose_mul(pose, pose_inverse(body->frame));
        if (body->element == model->joints[j].link && !found_child) {
            *child = pose_mul(pose, link->child_frame);
            found_child = true;
        }
        if (body->element == link->parent && !found_parent) {
            *parent = pose_mul(pose, link->parent_frame);
            found_parent = true;
        }
    }
    return found_child && found_parent;
}

double lithe_world_joint_error(const WorldCheck *check, const LitheState *state) {
    const LitheModel *model = check->model;
    double worst = 0;
    for (int32_t j = 0; j < model->joint_count; j++) {
        Pose a, b;
        if (model->joints[j].tree < 0 || !joint_frames(model, state, j, &a, &b))
            continue;
        const LitheRigidLink *link =
            &model->trees[model->joints[j].tree].rigid.links[model->joints[j].link];
        Pose now = pose_mul(pose_inverse(a), b);
        Vec3 x = now.at, axis = q4_rotate(now.rotation, v3(0, 0, 1)), turn = q4_log(now.rotation);
        double tilt = hypot(axis.x, axis.y) * v3_norm(link->child_frame.at), off = 0;
        switch (link->kind) {
        case LITHE_JOINT_WELD:
            off = v3_norm(x) + v3_norm(turn) * v3_norm(link->child_frame.at);
            break;
        case LITHE_JOINT_REVOLUTE:
            off = v3_norm(x) + tilt;
            break;
        case LITHE_JOINT_PRISMATIC:
            off = hypot(x.x, x.y) + v3_norm(turn) * v3_norm(link->child_frame.at);
            break;
        case LITHE_JOINT_SCREW:
            off = hypot(x.x, x.y) + tilt;
            break;
        case LITHE_JOINT_BALL:
            off = v3_norm(x);
            break;
        case LITHE_JOINT_PLANAR:
            off = fabs(x.z) + tilt;
            break;
        default:
            break;
        }
        worst = fmax(worst, off);
    }
    return worst;
}
