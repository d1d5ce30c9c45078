// SPDX-License-Identifier: Apache-2.0
// run/input.c - inputs of a user between the steps of a run

#include "run/input.h"

#include "body/tree_body.h"
#include "data/thing.h"
#include "run/session.h"

#include "base/status.h"
#include "data/model.h"
#include "data/state.h"
#include "lithe/control.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

// frequency [rad/s] and damping ratio of the spring: a lifted object hangs 2.5 cm below the target
#define PULL_RATE 20.0
#define PULL_DAMPING 0.7
// a pull on a rod acts on this fraction of its nodes on either side
#define PULL_FRACTION 0.02

// --- kinds of objects that can be pulled ---------------------------------------------------------

static void pull_points(LitheSession *session);
static void pull_body(LitheSession *session);

// One row per kind of things that can be pulled.
static const struct Grabbable {
    LitheInputKind kind;
    LitheThingKind thing;
    const char *point; // name of its points; NULL: it is pulled at a point of its frame
    void (*pull)(LitheSession *session); // before each step
} grabbables[] = {
    {LITHE_INPUT_GRAB_NODE, LITHE_THING_ROD, "node", pull_points},
    {LITHE_INPUT_GRAB_BODY, LITHE_THING_BODY, NULL, pull_body},
    {LITHE_INPUT_GRAB_PARTICLE, LITHE_THING_PARTICLES, "particle", pull_points},
};
enum { GRABBABLES = sizeof grabbables / sizeof *grabbables };

// NULL: the input grabs nothing.
static const struct Grabbable *grabbable_of(int32_t kind) {
    for (int k = 0; k < GRABBABLES; k++)
        if ((int32_t)grabbables[k].kind == kind)
            return &grabbables[k];
    return NULL;
}

LitheStatus lithe_input_grab(const LitheModel *model, const char *thing, int32_t part,
                             const double at[3], const double to[3], LitheInput *input,
                             LitheError *error) {
    LitheThing found = lithe_thing_find(model, thing);
    int32_t points = found.number > 0 ? lithe_thing_point_count(model, found) : 0;
    for (int k = 0; found.number > 0 && k < GRABBABLES; k++) {
        if (grabbables[k].thing != found.kind)
            continue;
        if (points > 0 && part < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "grab: needs 'part', the number of a %s of '%.60s'",
                              grabbables[k].point, thing);
        *input = (LitheInput){
            .kind = grabbables[k].kind, .index = found.number - 1, .node = points > 0 ? part : 0};
        memcpy(input->numbers, at, 3 * sizeof *at);
        memcpy(input->numbers + 3, to, 3 * sizeof *to);
        return LITHE_OK;
    }
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "grab: no rod, body or set of particles is named "
                      "'%.60s'",
                      thing);
}

// --- checks --------------------------------------------------------------------------------------

static int32_t count_of(const LitheModel *model, LitheInputKind kind) {
    switch (kind) {
    case LITHE_INPUT_GRAB_NODE:
    case LITHE_INPUT_GRAB_BODY:
    case LITHE_INPUT_GRAB_PARTICLE:
        return lithe_things_of_kind(model, grabbable_of(kind)->thing);
    case LITHE_INPUT_DRIVE:
        return model->drive_count;
    case LITHE_INPUT_ACTUATOR:
    case LITHE_INPUT_TARGET:
        return lithe_actuator_count(model);
    case LITHE_INPUT_HAND:
        return lithe_pose_drive_count(model);
    case LITHE_INPUT_CONSTRAINT:
        return model->constraint_count;
    case LITHE_INPUT_MOVE:
    case LITHE_INPUT_RELEASE:
        return 1;
    }
    return 0;
}

static LitheStatus check_grab(const LitheModel *model, const struct Grabbable *grabbable,
                              const LitheInput *input, LitheError *error) {
    LitheThing thing = {grabbable->thing, input->index + 1};
    const char *name = lithe_thing_name(model, thing);
    int32_t points = lithe_thing_point_count(model, thing);
    if (lithe_thing_site(model, thing, 0, 0, v3(0, 0, 0)).unit < 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "body '%s' is fixed: it cannot be moved", name);
    if (points > 0 && (input->node < 0 || input->node >= points))
        return lithe_fail(error, LITHE_BAD_INPUT, "%s '%s' has %ss 0 to %d, not %d",
                          lithe_thing_word(thing.kind), name, grabbable->point, (int)points - 1,
                          (int)input->node);
    return LITHE_OK;
}

static LitheStatus check(const LitheModel *model, const LitheInput *input, LitheError *error) {
    for (int k = 0; k < 6; k++)
        if (!isfinite(input->numbers[k]))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "an input contains a number that is not finite");
    if (input->index < 0 || input->index >= count_of(model, input->kind))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "an input of kind %d refers to object %d, but there are %d",
                          (int)input->kind, (int)input->index, (int)count_of(model, input->kind));
    const struct Grabbable *grabbable = grabbable_of(input->kind);
    return grabbable ? check_grab(model, grabbable, input, error) : LITHE_OK;
}

// --- applying inputs -----------------------------------------------------------------------------

static void release_pulls(LitheSession *session) {
    memset(session->state->pushes, 0, 3 * (size_t)session->model->point_count * sizeof(double));
    for (int32_t i = 0; i < session->model->body_count; i++) {
        double *wrench =
            lithe_body_force_writable(session->model, session->state, (LitheBodyId){i + 1});
        if (wrench)
            memset(wrench, 0, 6 * sizeof *wrench);
    }
    session->grab = (LitheGrab){0};
}

static void grab(LitheSession *session, const LitheInput *input) {
    release_pulls(session);
    session->grab =
        (LitheGrab){.on = true, .kind = input->kind, .index = input->index, .node = input->node};
    memcpy(session->grab.at, input->numbers, sizeof session->grab.at);
    memcpy(session->grab.to, input->numbers + 3, sizeof session->grab.to);
}

// A pose drive continues from its current target.
static LitheStatus move_hand(LitheSession *session, const LitheInput *input, LitheError *error) {
    LithePoseDriveId hand = {input->index + 1};
    double pose[7];
    lithe_pose_drive_target(session->model, session->state, hand, pose);
    return lithe_state_set_pose_drive(session->model, session->state, hand, pose, input->numbers,
                                      error);
}

static bool is_by_velocity(const LitheModel *model, int32_t actuator) {
    const LitheTreePart *part = &model->actuators[actuator];
    return model->trees[part->tree].actuators[part->index].drive.kind == LITHE_ACTUATOR_VELOCITY;
}

static LitheStatus steer(LitheSession *session, const LitheInput *input, LitheError *error) {
    const LitheModel *model = session->model;
    LitheState *state = session->state;
    LitheDriveId drive = {input->index + 1};
    LitheActuatorId actuator = {input->index + 1};
    LitheCommand command;
    switch (input->kind) {
    case LITHE_INPUT_DRIVE:
        command = lithe_drive_command(model, state, drive);
        command.rate = input->numbers[0];
        return lithe_state_set_drive(model, state, drive, command, error);
    case LITHE_INPUT_ACTUATOR:
        // for a velocity actuator the target is the speed itself
        command = lithe_actuator_command(model, state, actuator);
        if (is_by_velocity(model, input->index))
            command = (LitheCommand){.value = input->numbers[0]};
        else
            command.rate = input->numbers[0];
        return lithe_state_set_actuator(model, state, actuator, command, error);
    case LITHE_INPUT_TARGET:
        command = (LitheCommand){.value = input->numbers[0]};
        return lithe_state_set_actuator(model, state, actuator, command, error);
    case LITHE_INPUT_HAND:
        return move_hand(session, input, error);
    default:
        lithe_state_set_constraint(model, state, (LitheConstraintId){input->index + 1},
                                   input->numbers[0] != 0);
        return LITHE_OK;
    }
}

LitheStatus lithe_input_apply(LitheSession *session, const LitheInput *input, LitheError *error) {
    LitheStatus status = check(session->model, input, error);
    if (status != LITHE_OK)
        return status;
    // it is recorded in the journal first: an input that is not recorded must have no effect
    double row[LITHE_INPUT_SIZE] = {(double)lithe_state_step(session->state), input->kind,
                                    input->index, input->node};
    memcpy(row + 4, input->numbers, sizeof input->numbers);
    if (session->out)
        status = lithe_journal_append_input(&session->journal, row, error);
    if (status != LITHE_OK)
        return status;
    switch (input->kind) {
    case LITHE_INPUT_GRAB_NODE:
    case LITHE_INPUT_GRAB_BODY:
    case LITHE_INPUT_GRAB_PARTICLE:
        grab(session, input);
        return LITHE_OK;
    case LITHE_INPUT_MOVE:
        memcpy(session->grab.to, input->numbers + 3, sizeof session->grab.to);
        return LITHE_OK;
    case LITHE_INPUT_RELEASE:
        release_pulls(session);
        return LITHE_OK;
    default:
        return steer(session, input, error);
    }
}

// --- the pull ------------------------------------------------------------------------------------

// force of the spring; `all` is the mass of the object, `mass` the effective mass of the pulled
// point
static Vec3 pull(Vec3 to, Vec3 x, Vec3 v, double all, double mass, double h) {
    double k = all * PULL_RATE * PULL_RATE, c = 2 * PULL_DAMPING * all * PULL_RATE;
    double soften = 1 / (1 + (h * c + h * h * k) / mass);
    Vec3 way = v3_axpy(-h, v, v3_sub(to, x));
    return v3_scale(soften, v3_axpy(-c, v, v3_scale(k, way)));
}

// Distributes the pull over points around the grabbed one, by their mass: a single node of a rod
// has too little mass. Particles are independent: only the grabbed one of a set is pulled.
static void pull_points(LitheSession *session) {
    LitheThing thing = {grabbable_of(session->grab.kind)->thing, session->grab.index + 1};
    LitheThingPoints p = lithe_thing_points(session->model, session->state, thing);
    int32_t node = session->grab.node, wide = p.joined ? 1 + (int32_t)(PULL_FRACTION * p.count) : 0;
    int32_t first = node > wide ? node - wide : 0;
    int32_t last = node + wide < p.count ? node + wide : p.count - 1;
    double all = 0, some = 0;
    Vec3 moves = {0, 0, 0};
    for (int32_t i = p.joined ? 0 : node; i < (p.joined ? p.count : node + 1); i++)
        all += p.mass[p.mass_stride * (int64_t)i];
    for (int32_t i = first; i <= last; i++) {
        double m = p.mass[p.mass_stride * (int64_t)i];
        some += m;
        moves = v3_axpy(m, v3_load(p.v + p.stride * (int64_t)i), moves);
    }
    Vec3 f = pull(v3_load(session->grab.to), v3_load(p.x + p.stride * (int64_t)node),
                  v3_scale(1 / some, moves), all, some, session->step);
    for (int32_t i = first; i <= last; i++)
        v3_store(v3_scale(p.mass[p.mass_stride * (int64_t)i] / some, f), p.force + 3 * (int64_t)i);
}

static void pull_body(LitheSession *session) {
    const LitheModel *model = session->model;
    const LitheRigidBody *body = &model->bodies[session->grab.index];
    const LitheRigidTree *tree = &lithe_body_tree(model, session->grab.index)->rigid;
    const LitheRigidLink *link = &tree->links[body->element];
    LitheBodyId id = {session->grab.index + 1};
    double pose[7], velocity[6];
    lithe_body_pose(model, session->state, id, pose);
    lithe_body_velocity(model, session->state, id, velocity);
    Quat turn = {pose[3], pose[4], pose[5], pose[6]};
    Vec3 arm = q4_rotate(turn, v3_load(session->grab.at));
    Vec3 v = v3_add(v3_load(velocity), v3_cross(v3_load(velocity + 3), arm));

    // a body that is pulled off its centre also rotates, at worst about its axis of smallest
    // inertia
    double all = 0;
    for (int32_t i = 0; i < tree->link_count; i++)
        all += tree->links[i].mass + tree->links[i].line_mass;
    const double(*m)[3] = link->inertia.m;
    double trace = m[0][0] + m[1][1] + m[2][2];
    double min = fmin(m[0][0], fmin(m[1][1], m[2][2]));
    double off = v3_distance(v3_load(session->grab.at), link->centre);
    min = fmax(min, 1e-3 * trace);
    double mass = link->mass > 0 && min > 0 ? 1 / (1 / link->mass + off * off / min) : 1e-3 * all;
    Vec3 f =
        pull(v3_load(session->grab.to), v3_add(v3_load(pose), arm), v, all, mass, session->step);
    double *wrench = lithe_body_force_writable(model, session->state, id);
    v3_store(f, wrench);
    v3_store(v3_cross(arm, f), wrench + 3);
}

void lithe_input_pull(LitheSession *session) {
    if (session->grab.on)
        grabbable_of(session->grab.kind)->pull(session);
}
