// SPDX-License-Identifier: Apache-2.0
// run/input.c - what a user does to a run between its steps

#include "run/input.h"

#include "body/tree_body.h"

#include "base/status.h"
#include "data/model.h"
#include "data/state.h"
#include "lithe/control.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

// rad/s and share of the critical damping: a thing hangs 2.5 cm below the hand that holds it up
#define PULL_RATE 20.0
#define PULL_DAMPING 0.7
// a pull on a rod takes hold of this share of its nodes to either side
#define PULL_SHARE 0.02

// --- what can be grabbed -------------------------------------------------------------------------

static int32_t find_rod(const LitheModel *model, const char *name) {
    return lithe_rod_find(model, name).number - 1;
}

static int32_t find_body(const LitheModel *model, const char *name) {
    return lithe_body_find(model, name).number - 1;
}

static int32_t find_particles(const LitheModel *model, const char *name) {
    return lithe_particles_find(model, name).number - 1;
}

static int32_t count_rods(const LitheModel *model) {
    return model->rod_count;
}

static int32_t count_bodies(const LitheModel *model) {
    return model->body_count;
}

static LitheStatus check_node(const LitheModel *model, const LitheInput *input, LitheError *error) {
    const LitheRod *rod = &model->rods[input->index];
    if (input->node < 0 || input->node >= rod->node_count)
        return lithe_fail(error, LITHE_BAD_INPUT, "rod '%s' has nodes 0 to %d, not %d", rod->name,
                          (int)rod->node_count - 1, (int)input->node);
    return LITHE_OK;
}

static LitheStatus check_particle(const LitheModel *model, const LitheInput *input,
                                  LitheError *error) {
    LitheParticlesId set = {input->index + 1};
    int32_t size = lithe_particles_size(model, set);
    if (input->node < 0 || input->node >= size)
        return lithe_fail(error, LITHE_BAD_INPUT, "particles '%s' are numbered 0 to %d, not %d",
                          lithe_particles_name(model, set), (int)size - 1, (int)input->node);
    return LITHE_OK;
}

static LitheStatus check_body(const LitheModel *model, const LitheInput *input, LitheError *error) {
    if (model->bodies[input->index].unit < 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "body '%s' is fixed: nothing moves it",
                          model->bodies[input->index].name);
    return LITHE_OK;
}

static void pull_rod(LitheSession *session);
static void pull_body(LitheSession *session);
static void pull_particle(LitheSession *session);

// Add a row, and things of its kind can be pulled on.
static const struct Grabbable {
    LitheInputKind kind;
    const char *part; // what its parts are; NULL: it is held at a place in its frame
    int32_t (*find)(const LitheModel *model, const char *name); // its index; -1: none
    int32_t (*count)(const LitheModel *model);
    LitheStatus (*check)(const LitheModel *model, const LitheInput *input, LitheError *error);
    void (*pull)(LitheSession *session); // before each step
} grabbables[] = {
    {LITHE_INPUT_GRAB_NODE, "node", find_rod, count_rods, check_node, pull_rod},
    {LITHE_INPUT_GRAB_BODY, NULL, find_body, count_bodies, check_body, pull_body},
    {LITHE_INPUT_GRAB_PARTICLE, "particle", find_particles, lithe_particles_count, check_particle,
     pull_particle},
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
    for (int k = 0; k < GRABBABLES; k++) {
        int32_t index = grabbables[k].find(model, thing);
        if (index < 0)
            continue;
        const char *parts = grabbables[k].part;
        if (parts && part < 0)
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "grab: needs 'part', the number of a %s of '%.60s'", parts, thing);
        *input = (LitheInput){.kind = grabbables[k].kind, .index = index, .node = parts ? part : 0};
        memcpy(input->numbers, at, 3 * sizeof *at);
        memcpy(input->numbers + 3, to, 3 * sizeof *to);
        return LITHE_OK;
    }
    return lithe_fail(error, LITHE_BAD_INPUT,
                      "grab: there is no such thing: no rod, body or set of particles is named "
                      "'%.60s'",
                      thing);
}

// --- checks --------------------------------------------------------------------------------------

static int32_t count_of(const LitheModel *model, LitheInputKind kind) {
    switch (kind) {
    case LITHE_INPUT_GRAB_NODE:
    case LITHE_INPUT_GRAB_BODY:
    case LITHE_INPUT_GRAB_PARTICLE:
        return grabbable_of(kind)->count(model);
    case LITHE_INPUT_DRIVE:
        return model->drive_count;
    case LITHE_INPUT_ACTUATOR:
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

static LitheStatus check(const LitheModel *model, const LitheInput *input, LitheError *error) {
    for (int k = 0; k < 6; k++)
        if (!isfinite(input->numbers[k]))
            return lithe_fail(error, LITHE_BAD_INPUT, "an input with a number that is not finite");
    if (input->index < 0 || input->index >= count_of(model, input->kind))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "an input of kind %d names number %d, of which there are %d",
                          (int)input->kind, (int)input->index, (int)count_of(model, input->kind));
    const struct Grabbable *grabbable = grabbable_of(input->kind);
    return grabbable ? grabbable->check(model, input, error) : LITHE_OK;
}

// --- taking effect -------------------------------------------------------------------------------

static void let_go(LitheSession *session) {
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
    let_go(session);
    session->grab =
        (LitheGrab){.on = true, .kind = input->kind, .index = input->index, .node = input->node};
    memcpy(session->grab.at, input->numbers, sizeof session->grab.at);
    memcpy(session->grab.to, input->numbers + 3, sizeof session->grab.to);
}

// A hand goes on from where it is to be now.
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
        // of one by velocity the target is the speed itself
        command = lithe_actuator_command(model, state, actuator);
        if (is_by_velocity(model, input->index))
            command = (LitheCommand){.value = input->numbers[0]};
        else
            command.rate = input->numbers[0];
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
    // first to the journal: what is not kept must not happen
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
        let_go(session);
        return LITHE_OK;
    default:
        return steer(session, input, error);
    }
}

// --- the pull ------------------------------------------------------------------------------------

// (spring); `all` is the mass of the whole thing, `mass` what the grabbed point brings with it
static Vec3 pull(Vec3 to, Vec3 x, Vec3 v, double all, double mass, double h) {
    double k = all * PULL_RATE * PULL_RATE, c = 2 * PULL_DAMPING * all * PULL_RATE;
    double soften = 1 / (1 + (h * c + h * h * k) / mass);
    Vec3 way = v3_axpy(-h, v, v3_sub(to, x));
    return v3_scale(soften, v3_axpy(-c, v, v3_scale(k, way)));
}

// On some nodes about the grabbed one, by their mass: a single node would bring too little with it.
static void pull_rod(LitheSession *session) {
    const LitheRod *rod = &session->model->rods[session->grab.index];
    LitheRodId id = {session->grab.index + 1};
    double *force = lithe_rod_force_writable(session->model, session->state, id);
    const double *q = lithe_rod_q(session->model, session->state, id);
    const double *v = lithe_rod_v(session->model, session->state, id);
    int32_t node = session->grab.node, nodes = rod->node_count;
    int32_t wide = 1 + (int32_t)(PULL_SHARE * nodes);
    int32_t first = node > wide ? node - wide : 0;
    int32_t last = node + wide < nodes ? node + wide : nodes - 1;
    double all = 0, some = 0;
    Vec3 moves = {0, 0, 0};
    for (int32_t i = 0; i < nodes; i++)
        all += rod->mass[4 * i];
    for (int32_t i = first; i <= last; i++) {
        some += rod->mass[4 * i];
        moves = v3_axpy(rod->mass[4 * i], v3_load(v + 4 * i), moves);
    }
    Vec3 f = pull(v3_load(session->grab.to), v3_load(q + 4 * node), v3_scale(1 / some, moves), all,
                  some, session->step);
    for (int32_t i = first; i <= last; i++)
        v3_store(v3_scale(rod->mass[4 * i] / some, f), force + 3 * i);
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

    // off its centre a body gives way by turning, too: about its axis of least inertia at worst
    double all = 0;
    for (int32_t i = 0; i < tree->link_count; i++)
        all += tree->links[i].mass;
    const double(*m)[3] = link->inertia.m;
    double trace = m[0][0] + m[1][1] + m[2][2];
    double least = fmin(m[0][0], fmin(m[1][1], m[2][2]));
    double off = v3_distance(v3_load(session->grab.at), link->centre);
    least = fmax(least, 1e-3 * trace);
    double mass =
        link->mass > 0 && least > 0 ? 1 / (1 / link->mass + off * off / least) : 1e-3 * all;
    Vec3 f =
        pull(v3_load(session->grab.to), v3_add(v3_load(pose), arm), v, all, mass, session->step);
    double *wrench = lithe_body_force_writable(model, session->state, id);
    v3_store(f, wrench);
    v3_store(v3_cross(arm, f), wrench + 3);
}

// Each particle is a thing of its own: the others of its set are not pulled along.
static void pull_particle(LitheSession *session) {
    const LitheModel *model = session->model;
    LitheParticlesId set = {session->grab.index + 1};
    int64_t at = 3 * (int64_t)session->grab.node;
    double mass = lithe_particles_mass(model, set)[session->grab.node];
    Vec3 x = v3_load(lithe_particles_position(model, session->state, set) + at);
    Vec3 v = v3_load(lithe_particles_velocity(model, session->state, set) + at);
    v3_store(pull(v3_load(session->grab.to), x, v, mass, mass, session->step),
             lithe_particles_force_writable(model, session->state, set) + at);
}

void lithe_input_pull(LitheSession *session) {
    if (session->grab.on)
        grabbable_of(session->grab.kind)->pull(session);
}
