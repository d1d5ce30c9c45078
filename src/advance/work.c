// SPDX-License-Identifier: Apache-2.0
// advance/work.c - work arrays of a simulation: create and destroy

#include "advance/mixing.h"
#include "advance/reach.h"
#include "assemble/assemble.h"
#include "base/memory.h"
#include "body/tree_body.h"
#include "data/system.h"
#include "solve/contact_model.h"

#include <math.h>

// Limit of iterations times couplings of a search for an equilibrium: a minute or two. A pile of
// thousands of things that has to fall first needs more; time steps do that in less.
#define SEARCH_LIMIT 3e7

// One block for the scratch of all units: the scratch of many short rods then lies in few large
// pages.
static bool lay_units(LitheWork *work) {
    const LitheModel *model = work->model;
    int64_t total = 0, taken = 0;
    for (int32_t i = 0; i < model->unit_count; i++)
        total += lithe_unit_ops(model, i)->layout(model, i, work, NULL);
    work->block = lithe_alloc_array(work->context, total, sizeof(double));
    if (!work->block)
        return false;
    for (int32_t i = 0; i < model->unit_count; i++)
        taken += lithe_unit_ops(model, i)->layout(model, i, work, work->block + taken);
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (ops->open && !ops->open(model, i, work))
            return false;
    }
    return true;
}

static void close_units(LitheWork *work) {
    const LitheModel *model = work->model;
    for (int32_t i = 0; work->block && i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        if (ops->close)
            ops->close(model, i, work);
    }
}

// a room per thread, as large as the largest unit needs
static bool open_rooms(LitheWork *work) {
    const LitheModel *model = work->model;
    LitheRooms *rooms = &work->rooms;
    for (int32_t i = 0; i < model->unit_count; i++) {
        const LitheUnitOps *ops = lithe_unit_ops(model, i);
        int64_t size = ops->lend ? ops->lend(model, i, work, NULL) : 0;
        rooms->size = size > rooms->size ? size : rooms->size;
    }
    int32_t threads = lithe_pool_size(work->pool);
    rooms->count = threads < model->unit_count ? threads : model->unit_count;
    rooms->block = lithe_alloc_array(work->context, rooms->count * rooms->size, sizeof(double));
    rooms->taken = lithe_alloc_array(work->context, rooms->count, sizeof *rooms->taken);
    for (int32_t i = 0; rooms->block && i < model->unit_count; i++)
        lithe_room_lend(model, i, work, 0);
    return rooms->block && rooms->taken;
}

// allocates contacts, the memory of the certificate, and couplings
static bool open_couplings(LitheWork *work) {
    const LitheContactSolver *solver = lithe_contact_solver(work->model);
    work->contacts = lithe_contacts_create(work->context);
    work->sweep = lithe_contacts_create(work->context);
    work->displacements = lithe_alloc_array(work->context, work->model->v_count, sizeof(double));
    work->moved = lithe_alloc_array(work->context, work->model->geom_count, sizeof(double));
    work->system = lithe_alloc(work->context, sizeof *work->system);
    if (work->contacts)
        work->contacts->meter = &work->meter;
    if (work->sweep)
        work->sweep->meter = &work->meter;
    if (work->system) {
        work->system->context = work->context;
        work->system->meter = &work->meter;
        work->system->pool = work->pool;
        work->system->stages = &work->stages;
    }
    work->contact_count = solver->contact_count;
    work->contact_force = solver->contact_force;
    return work->contacts && work->system && work->sweep && work->displacements && work->moved &&
           lithe_placed_create(work->model, work->context, &work->placed[0]) &&
           lithe_placed_create(work->model, work->context, &work->placed[1]) &&
           (!solver->create || solver->create(work));
}

static bool open_stages(LitheWork *work) {
    const LitheModel *model = work->model;
    LitheStageWork *stage = &work->stage;
    if (model->time.scheme != LITHE_SCHEME_TR_BDF2)
        return true;
    stage->a = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->start = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->velocity = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->first = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->by = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->carry = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->damping = lithe_alloc_array(work->context, model->v_count, sizeof(double));
    stage->power = lithe_alloc_array(work->context, model->unit_count, sizeof(double));
    stage->sums = lithe_alloc_array(work->context, 2 * (int64_t)model->unit_count, sizeof(double));
    stage->energies =
        lithe_alloc_array(work->context, 3 * (int64_t)model->unit_count, sizeof(double));
    return stage->energies && stage->start && stage->first && stage->a && stage->velocity &&
           stage->by && stage->carry && stage->damping && stage->power && stage->sums;
}

static void close_stages(LitheWork *work) {
    LitheStageWork *stage = &work->stage;
    lithe_free(work->context, stage->a);
    lithe_free(work->context, stage->start);
    lithe_free(work->context, stage->velocity);
    lithe_free(work->context, stage->first);
    lithe_free(work->context, stage->by);
    lithe_free(work->context, stage->carry);
    lithe_free(work->context, stage->damping);
    lithe_free(work->context, stage->power);
    lithe_free(work->context, stage->sums);
    lithe_free(work->context, stage->energies);
    lithe_free(work->context, stage->touches);
}

static void close_couplings(LitheWork *work) {
    const LitheContactSolver *solver = lithe_contact_solver(work->model);
    if (solver->destroy)
        solver->destroy(work);
    lithe_contacts_destroy(work->contacts);
    lithe_contacts_destroy(work->sweep);
    lithe_free(work->context, work->displacements);
    lithe_free(work->context, work->moved);
    lithe_free(work->context, work->placed[0].q);
    lithe_free(work->context, work->placed[0].links);
    lithe_free(work->context, work->placed[1].q);
    lithe_free(work->context, work->placed[1].links);
    lithe_free(work->context, work->skins.inner);
    lithe_free(work->context, work->skins.kept);
    lithe_free(work->context, work->skins.placed);
    lithe_free(work->context, work->skins.carried);
    lithe_free(work->context, work->skins.bounds);
    for (int k = 0; k < 2; k++)
        lithe_free(work->context, work->skins.boxes[k]);
    if (work->system)
        lithe_system_release(work->system);
    lithe_free(work->context, work->system);
}

LitheWork *lithe_work_create(const LitheModel *model, int32_t threads) {
    LitheWork *work = lithe_alloc(model->context, sizeof *work);
    if (!work)
        return NULL;
    work->context = model->context;
    work->model = model;
    work->outcome.strayed = INFINITY;
    work->meter.search_limit = SEARCH_LIMIT;
    work->units = lithe_alloc_array(model->context, model->unit_count, sizeof *work->units);
    work->before = lithe_state_create(model);
    if (model->time.scheme == LITHE_SCHEME_STATIC)
        work->load = lithe_state_create(model);
    if (threads > 1)
        work->pool = lithe_pool_create(model->context, threads);
    work->mixing = lithe_alloc(model->context, sizeof *work->mixing);
    work->reactions = lithe_alloc_array(
        model->context, (int64_t)model->hold_count + model->drive_count, sizeof *work->reactions);
    bool ok = (work->load || model->time.scheme != LITHE_SCHEME_STATIC) && work->units &&
              work->before && work->mixing && work->reactions && (threads <= 1 || work->pool);
    ok = ok && open_couplings(work) && open_stages(work) && lay_units(work) && open_rooms(work);
    if (ok)
        return work;
    lithe_work_destroy(work);
    return NULL;
}

bool lithe_work_keep_start(LitheWork *work, const LitheState *state) {
    if (!work->start)
        work->start = lithe_state_create(work->model);
    if (work->start)
        lithe_state_set(work->start, lithe_state_data(state));
    return work->start != NULL;
}

void lithe_work_destroy(LitheWork *work) {
    if (!work)
        return;
    lithe_work_destroy(work->stability);
    lithe_reach_destroy(work->reach);
    close_couplings(work);
    close_stages(work);
    close_units(work);
    lithe_pool_destroy(work->pool);
    lithe_state_destroy(work->start);
    lithe_state_destroy(work->before);
    lithe_state_destroy(work->load);
    lithe_state_destroy(work->seen);
    lithe_state_destroy(work->middle);
    if (work->mixing)
        lithe_mixing_end(work->context, work->mixing);
    lithe_free(work->context, work->mixing);
    lithe_free(work->context, work->reactions);
    lithe_free(work->context, work->block);
    lithe_free(work->context, work->rooms.block);
    lithe_free(work->context, work->rooms.taken);
    lithe_free(work->context, work->units);
    lithe_free(work->context, work);
}
