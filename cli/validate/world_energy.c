// SPDX-License-Identifier: Apache-2.0
// cli/validate/world_energy.c - energies and momenta of a world, independent of the library
//
// Written again from docs/theory/rods.md and rigid.md; no code of src/law or src/body is used. From
// the model come parameters (masses, stiffnesses, places of ties); from the state positions,
// velocities and directors, as they are recorded. The energy of overlaps is k/2 depth^2 over the
// contacts that the collision detection finds in the state: their number and stiffness are the
// library's, the sum is not. So is the turn of a welded end of a rod.

#include "cli/validate/worlds.h"

#include "body/constraint.h"
#include "data/model.h"
#include "data/state.h"
#include "math/quat.h"
#include "math/spatial.h"

#include <stdlib.h>

static Pose pose_of_body(const LitheModel *model, const LitheState *state, int32_t body) {
    double p[7];
    lithe_body_pose(model, state, (LitheBodyId){body + 1}, p);
    return (Pose){{p[3], p[4], p[5], p[6]}, v3_load(p)};
}

static void add_mass(WorldSums *sums, Vec3 gravity, double m, Vec3 x, Vec3 v) {
    Vec3 angular = v3_scale(m, v3_cross(x, v));
    sums->kinetic += 0.5 * m * v3_dot(v, v);
    sums->gravity -= m * v3_dot(gravity, x);
    sums->momentum = v3_axpy(m, v, sums->momentum);
    sums->angular = v3_add(sums->angular, angular);
    sums->momentum_scale += m * v3_norm(v);
    sums->angular_scale += m * v3_norm(x) * v3_norm(v);
}

// --- rods ----------------------------------------------------------------------------------------

typedef struct Section {
    double EA, EI1, EI2, GJ;
} Section;

// curvatures and twist of a node from the tangents and directors of its edges
static Vec3 strains(Vec3 e, Vec3 f, Vec3 me, Vec3 mf) {
    Vec3 t = v3_unit(e), u = v3_unit(f), axis = v3_cross(t, u);
    double cosine = v3_dot(t, u), sine = v3_norm(axis);
    // the turning angle is distributed evenly: 2 tan(angle/2)
    double bend = 2 * sine / (1 + cosine);
    Vec3 kb = sine > 0 ? v3_scale(bend / sine, axis) : axis;
    Vec3 ne = v3_cross(t, me), nf = v3_cross(u, mf);
    // the director of e, rotated by the smallest rotation that takes t to u
    Vec3 carried = q4_rotate(q4_between(t, u), me);
    double twist = atan2(v3_dot(u, v3_cross(carried, mf)), v3_dot(carried, mf));
    return v3(0.5 * v3_dot(v3_add(ne, nf), kb), -0.5 * v3_dot(v3_add(me, mf), kb), twist);
}

static double whole_turns(double angle, double near) {
    return angle + 2 * M_PI * round((near - angle) / (2 * M_PI));
}

// `twist` [node_count] is that of the library [rad/m]: it counts whole turns, directors do not
static double rod_stored(const LitheRod *rod, const double *q, const double *m1,
                         const double *natural, const double *twist) {
    double sum = 0;
    int32_t n = rod->node_count;
    for (int32_t i = 0; i < rod->edge_count; i++) {
        double l = rod->built_length[i] * rod->rest_stretch[i];
        double length = v3_distance(v3_load(q + 4 * i), v3_load(q + 4 * ((i + 1) % n)));
        sum += 0.5 * rod->EA * (length - l) * (length - l) / l;
    }
    for (int32_t i = rod->closed ? 0 : 1; i < (rod->closed ? n : n - 1); i++) {
        int32_t before = (i + n - 1) % n, next = (i + 1) % n;
        Vec3 x = v3_load(q + 4 * i);
        Vec3 e = v3_sub(x, v3_load(q + 4 * before)), f = v3_sub(v3_load(q + 4 * next), x);
        Vec3 k = strains(e, f, v3_load(m1 + 3 * before), v3_load(m1 + 3 * i));
        double l = 0.5 * (rod->built_length[before] * rod->rest_stretch[before] +
                          rod->built_length[i] * rod->rest_stretch[i]);
        double a = k.x - natural[3 * i], b = k.y - natural[3 * i + 1];
        double c = whole_turns(k.z, l * twist[i]) - natural[3 * i + 2];
        // (H2): a node next to a welded end has a part of the compliance of that end
        double first =
            i == 1 ? rod->weld_shift[0] * rod->built_length[0] * rod->rest_stretch[0] : 0;
        double last =
            i == n - 2 ? rod->weld_shift[1] * rod->built_length[i] * rod->rest_stretch[i] : 0;
        sum += 0.5 * (rod->EI1 * a * a + rod->EI2 * b * b + rod->GJ * c * c) / (l + first + last);
    }
    return sum;
}

static void add_rods(WorldCheck *check, const LitheState *state, WorldSums *sums) {
    const LitheModel *model = check->model;
    int64_t at = 0;
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        const double *q = state->q + rod->dof_at, *v = state->v + rod->dof_at;
        double *m1 = calloc(3 * (size_t)rod->edge_count, sizeof *m1);
        if (!m1)
            abort();
        for (int32_t i = 0; i < rod->node_count; i++) {
            add_mass(sums, model->gravity, rod->mass[4 * i], v3_load(q + 4 * i),
                     v3_load(v + 4 * i));
            if (i == rod->edge_count)
                continue;
            double spin = rod->mass[4 * i + 3] * v[4 * i + 3];
            Vec3 t =
                v3_unit(v3_sub(v3_load(q + 4 * ((i + 1) % rod->node_count)), v3_load(q + 4 * i)));
            sums->kinetic += 0.5 * spin * v[4 * i + 3];
            sums->angular = v3_axpy(spin, t, sums->angular);
        }
        lithe_rod_directors(model, state, (LitheRodId){r + 1}, m1);
        lithe_rod_twist(model, state, (LitheRodId){r + 1}, check->twist);
        sums->stored += rod_stored(rod, q, m1, check->start.natural + 3 * at, check->twist);
        at += rod->node_count;
        free(m1);
    }
}

// natural curvature and twist: zero for naturally straight rods, else those of the initial state
static void keep_natural(WorldCheck *check, const LitheState *state) {
    const LitheModel *model = check->model;
    int64_t at = 0;
    for (int32_t r = 0; r < model->rod_count; r++) {
        const LitheRod *rod = &model->rods[r];
        const double *q = state->q + rod->dof_at;
        int32_t n = rod->node_count;
        double *m1 = calloc(3 * (size_t)rod->edge_count, sizeof *m1), curved = 0;
        if (!m1)
            abort();
        lithe_rod_directors(model, state, (LitheRodId){r + 1}, m1);
        for (int32_t i = 0; i < 2 * n; i++)
            curved += fabs(rod->rest_curvature[i]);
        for (int32_t i = rod->closed ? 0 : 1; i < (rod->closed ? n : n - 1); i++) {
            int32_t before = (i + n - 1) % n, next = (i + 1) % n;
            Vec3 x = v3_load(q + 4 * i), e = v3_sub(x, v3_load(q + 4 * before));
            Vec3 f = v3_sub(v3_load(q + 4 * next), x);
            Vec3 k = strains(e, f, v3_load(m1 + 3 * before), v3_load(m1 + 3 * i));
            double *natural = check->start.natural + 3 * (at + i);
            natural[0] = curved > 0 ? k.x : 0;
            natural[1] = curved > 0 ? k.y : 0;
            natural[2] = curved > 0 || rod->closed ? k.z : 0;
        }
        at += n;
        free(m1);
    }
}

// --- bodies, particles ---------------------------------------------------------------------------

// a link from the pose and velocity of a body that it carries
static void add_link(const LitheModel *model, const LitheState *state, int32_t body,
                     const LitheRigidLink *link, WorldSums *sums) {
    double velocity[6];
    lithe_body_velocity(model, state, (LitheBodyId){body + 1}, velocity);
    Pose pose = pose_of_body(model, state, body);
    if (model->bodies[body].offset)
        pose = pose_mul(pose, pose_inverse(model->bodies[body].frame));
    Vec3 origin = pose_of_body(model, state, body).at;
    Vec3 v = v3_load(velocity), w = v3_load(velocity + 3);
    Vec3 x = v3_add(pose.at, q4_rotate(pose.rotation, link->centre));
    Vec3 u = v3_add(v, v3_cross(w, v3_sub(x, origin)));
    Vec3 local = q4_rotate(q4_conj(pose.rotation), w);
    Vec3 spin = q4_rotate(pose.rotation, m3_apply(link->inertia, local));
    add_mass(sums, model->gravity, link->mass, x, u);
    sums->kinetic += 0.5 * v3_dot(w, spin);
    sums->angular = v3_add(sums->angular, spin);
    sums->angular_scale += v3_norm(spin);
}

static void add_bodies(const LitheModel *model, const LitheState *state, WorldSums *sums) {
    for (int32_t t = 0; t < model->tree_count; t++) {
        const LitheTree *tree = &model->trees[t];
        for (int32_t k = 0; k < tree->rigid.link_count; k++)
            for (int32_t b = 0; b < model->body_count; b++)
                if (model->bodies[b].unit == tree->unit && model->bodies[b].element == k) {
                    add_link(model, state, b, &tree->rigid.links[k], sums);
                    break;
                }
    }
    for (int32_t j = 0; j < model->joint_count; j++) {
        LitheJointId id = {j + 1};
        const LitheRigidJoint *joint = &model->joints[j];
        const LitheRigidLink *link = &model->trees[joint->tree].rigid.links[joint->link];
        if (joint->tree < 0 || !(link->stiffness > 0))
            continue;
        const double *q = lithe_joint_position(model, state, id);
        LitheJointSize size = lithe_joint_size(model, id);
        double stretch = 0;
        if (size.positions == 4)
            stretch = v3_norm(q4_log((Quat){q[0], q[1], q[2], q[3]}));
        else if (size.positions == 1)
            stretch = q[0] - link->rest;
        else
            stretch = hypot(hypot(q[0], q[1]), q[2]);
        sums->stored += 0.5 * link->stiffness * stretch * stretch;
    }
}

static void add_particles(const LitheModel *model, const LitheState *state, WorldSums *sums) {
    for (int32_t s = 0; s < model->particles_count; s++) {
        LitheParticlesId id = {s + 1};
        const double *x = lithe_particles_position(model, state, id);
        const double *v = lithe_particles_velocity(model, state, id);
        const double *m = lithe_particles_mass(model, id);
        for (int32_t i = 0; i < lithe_particles_size(model, id); i++)
            add_mass(sums, model->gravity, m[i], v3_load(x + 3 * i), v3_load(v + 3 * i));
    }
}

// --- contacts and ties ---------------------------------------------------------------------------

// Half the thickness of a rod or a body; 0 for others.
static double half_of(const LitheModel *model, LitheThing thing) {
    int32_t i = thing.number - 1, unit = -1;
    if (thing.kind == LITHE_THING_ROD)
        unit = model->rods[i].unit;
    if (thing.kind == LITHE_THING_BODY)
        unit = model->bodies[i].unit;
    return unit >= 0 ? model->units[unit].thickness : 0;
}

// Energy of an overlap: a linear spring that stiffens at depths beyond room/2, (Z5) of
// docs/theory/collision.md; integrated by Simpson's rule.
static double overlap_energy(const LitheModel *model, const LitheContact *c) {
    double d = -c->gap, room = half_of(model, c->a.thing) + half_of(model, c->b.thing);
    bool plain = c->a.thing.kind == LITHE_THING_PARTICLES ||
                 c->b.thing.kind == LITHE_THING_PARTICLES || room == 0;
    if (plain || d <= 0.5 * room)
        return 0.5 * c->stiffness * d * d;
    enum { PARTS = 64 };
    double from = 0.5 * room, to = fmin(d, 0.963 * room), sum = 0.125 * room * room;
    for (int k = 0; k <= PARTS; k++) {
        double x = (from + (to - from) * k / PARTS) / room, left = 2 * (1 - x);
        double weight = k == 0 || k == PARTS ? 1 : k % 2 ? 4 : 2;
        sum += weight * (to - from) / (3 * PARTS) * x * room / (left * left);
    }
    return c->stiffness * sum;
}

double lithe_world_overlaps(const LitheModel *model, const LitheState *state,
                            LitheContacts *contacts) {
    LitheError error;
    double sum = 0;
    if (lithe_find_contacts(model, state, 0, contacts, &error) != LITHE_OK)
        return 0;
    const LitheContact *contact = lithe_contact_data(contacts);
    for (int32_t i = 0; i < lithe_contact_count(contacts); i++)
        if (contact[i].gap < 0)
            sum += overlap_energy(model, &contact[i]);
    return sum;
}

static Pose tie_side(const double p[7]) {
    return (Pose){{p[3], p[4], p[5], p[6]}, v3_load(p)};
}

// error of the distance, or of the position of one side in the frame of the other [m]
double lithe_world_tie_off(const WorldCheck *check, const LitheState *state, int32_t i,
                           Vec3 *turn) {
    const LitheConstraint *tie = &check->model->constraints[i];
    double pa[7], pb[7];
    lithe_constraint_places(check->model, state, (LitheConstraintId){i + 1}, pa, pb);
    Pose a = tie_side(pa), b = tie_side(pb), first = check->start.tie[i];
    Pose now = pose_mul(pose_inverse(a), b);
    double apart = v3_distance(a.at, b.at);
    double l = tie->length > 0 ? tie->length : check->start.length[i];
    // rotation of b relative to a since the start, in the axes of a
    *turn = q4_log(q4_mul(now.rotation, q4_conj(first.rotation)));
    if (tie->places == LITHE_KEEPS_DISTANCE)
        return fmax(tie->upper ? apart - l : 0, tie->lower ? l - apart : 0);
    if (tie->places != LITHE_KEEPS_OFFSET) // random worlds have no tendons
        return 0;
    // the offset is kept in the frame of a, or of b if the sides are exchanged
    return tie->swapped ? v3_distance(pose_inverse(now).at, pose_inverse(first).at)
                        : v3_distance(now.at, first.at);
}

// the half edge at a welded end of a rod bends and twists: (H2)
static double weld_energy(const LitheModel *model, const LitheState *state, int32_t i) {
    const LitheConstraint *weld = &model->constraints[i];
    LitheWeldEnd end;
    if (!lithe_weld_end(model, state, i, &end))
        return 0;
    Pose a = lithe_constraint_place(model, state, &weld->a);
    Pose b = lithe_constraint_place(model, state, &weld->b);
    Vec3 turn =
        q4_rotate(q4_conj(lithe_weld_axes(weld, b)), lithe_constraint_turn(model, state, i, a, b));
    return 0.5 * (end.stiffness[0] * turn.x * turn.x + end.stiffness[1] * turn.y * turn.y +
                  end.stiffness[2] * turn.z * turn.z);
}

static void add_ties(const WorldCheck *check, const LitheState *state, WorldSums *sums) {
    for (int32_t i = 0; i < check->model->constraint_count && i < WORLD_TIES; i++) {
        const LitheConstraint *tie = &check->model->constraints[i];
        Vec3 turn;
        double off = lithe_world_tie_off(check, state, i, &turn);
        if (tie->frames == LITHE_ALIGNS_FRAME)
            sums->ties += 0.5 * (tie->bend_stiffness * (turn.x * turn.x + turn.y * turn.y) +
                                 tie->twist_stiffness * turn.z * turn.z);
        else
            sums->ties += 0.5 * tie->stiffness * off * off;
        sums->ties += weld_energy(check->model, state, i);
    }
    sums->stored += sums->ties;
}

// --- all of it -----------------------------------------------------------------------------------

WorldSums lithe_world_sums(WorldCheck *check, const LitheState *state) {
    WorldSums sums = {0};
    add_rods(check, state, &sums);
    add_bodies(check->model, state, &sums);
    add_particles(check->model, state, &sums);
    sums.contact = lithe_world_overlaps(check->model, state, check->contacts);
    sums.stored += sums.contact;
    add_ties(check, state, &sums);
    return sums;
}

// whether nothing outside of the world acts on it
static bool is_free(const LitheModel *model) {
    bool free_world = v3_norm(model->gravity) == 0;
    for (int32_t r = 0; r < model->rod_count; r++)
        for (int32_t i = 0; i < 4 * model->rods[r].node_count - (model->rods[r].closed ? 0 : 1);
             i++)
            free_world = free_world && !model->rods[r].held[i];
    for (int32_t b = 0; b < model->body_count; b++)
        free_world = free_world && model->bodies[b].unit >= 0;
    for (int32_t t = 0; t < model->tree_count; t++)
        for (int32_t k = 0; k < model->trees[t].rigid.link_count; k++) {
            const LitheRigidLink *link = &model->trees[t].rigid.links[k];
            free_world = free_world && (link->parent >= 0 || link->kind == LITHE_JOINT_FREE);
        }
    for (int32_t i = 0; i < model->constraint_count; i++)
        free_world = free_world && model->constraints[i].a.site.unit >= 0 &&
                     model->constraints[i].b.site.unit >= 0;
    return free_world;
}

bool lithe_world_check_begin(WorldCheck *check, const LitheModel *model, const LitheState *state) {
    size_t nodes = 1;
    for (int32_t r = 0; r < model->rod_count; r++)
        nodes += (size_t)model->rods[r].node_count;
    *check = (WorldCheck){.model = model};
    check->contacts = lithe_contacts_create(model->context);
    check->start.natural = calloc(3 * nodes, sizeof(double));
    check->twist = calloc(nodes, sizeof(double));
    if (!check->contacts || !check->start.natural || !check->twist)
        return false;
    keep_natural(check, state);
    for (int32_t i = 0; i < model->constraint_count && i < WORLD_TIES; i++) {
        double a[7], b[7];
        lithe_constraint_places(model, state, (LitheConstraintId){i + 1}, a, b);
        check->start.tie[i] = pose_mul(pose_inverse(tie_side(a)), tie_side(b));
        check->start.length[i] = v3_distance(v3_load(a), v3_load(b));
    }
    check->start.free = is_free(model);
    return true;
}

void lithe_world_check_end(WorldCheck *check) {
    lithe_contacts_destroy(check->contacts);
    free(check->start.natural);
    free(check->twist);
}
