// SPDX-License-Identifier: Apache-2.0
// record/frame.c - the table of recorded quantities: add a row, and it can be recorded

#include "record/frame.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/status.h"
#include "body/rod.h"
#include "data/model.h"
#include "record/body_columns.h"
#include "record/frame_asked.h"
#include "record/rod_columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum Quantity {
    TIME,
    // of a rod
    POSITION,
    TWIST,
    TENSION,
    CURVATURE,
    DIRECTOR,
    MOMENT,
    TORQUE,
    VELOCITY,
    SPEED,
    ROD_CONTACT,
    // of a drive
    DRIVE_FORCE,
    DRIVE_TORQUE,
    DRIVE_POSITION,
    // of a rigid body that moves
    POSE,
    // of any rigid body
    BODY_CONTACT,
    // of a constraint
    TIE_FORCE,
    TIE_TORQUE,
    TIE_POSITION,
    TIE_ACTIVE,
    TIE_BROKEN,
    // of a joint
    JOINT_POSITION,
    JOINT_VELOCITY,
    JOINT_EFFORT,
    // of everything
    KINETIC,
    ELASTIC,
    GRAVITY,
    DISSIPATED,
    WORK,
    FRICTION,
    CONTACT,
    CONSTRAINTS,
    CONTACT_FIRST,
    CONTACT_COUNT,
    NEWTON_ITERATIONS,
    LINE_SEARCH_CUTS,
    HESSIANS_CORRECTED,
    BODIES_UNCONVERGED,
    RESIDUAL,
    WORST_ROD,
    CONTACTS,
    PASSES,
    SOLVE_ITERATIONS,
    SOLVE_UNCONVERGED,
    FRICTION_UNSETTLED,
    SOLVE_RESIDUAL,
    BACKWARD_ERROR,
    CONSTRAINTS_BROKEN,
    PAIRS_UNSERVED,
    STEP,
    LIMIT,
    REJECTED,
    STEP_ERROR,
    CONTACT_ERROR,
    QUANTITY_COUNT,
} Quantity;

typedef enum Owner { OF_ALL, OF_ROD, OF_DRIVE, OF_BODY, OF_JOINT, OF_CONSTRAINT } Owner;

static const struct {
    const char *name; // last part of the path; of OF_ALL the whole path
    const char *unit; // drives: of straight ones; twist drives turn. Joints: see joint_unit
    const char *axes;
    Owner owner;
    bool always;
    bool integer;
} quantities[QUANTITY_COUNT] = {
    [TIME] = {"time", "s", "time", OF_ALL, true, false},
    [POSITION] = {"position", "m", "time node xyz", OF_ROD, true, false},
    [TWIST] = {"twist", "rad", "time edge", OF_ROD, true, false},
    [TENSION] = {"tension", "N", "time edge", OF_ROD, true, false},
    [CURVATURE] = {"curvature", "1/m", "time node m1m2", OF_ROD, true, false},
    [DIRECTOR] = {"director", "1", "time edge xyz", OF_ROD, true, false},
    [MOMENT] = {"moment", "N m", "time node m1m2", OF_ROD, false, false},
    [TORQUE] = {"torque", "N m", "time node", OF_ROD, false, false},
    [VELOCITY] = {"velocity", "m/s", "time node xyz", OF_ROD, false, false},
    [SPEED] = {"speed", "m/s", "time node", OF_ROD, false, false},
    [ROD_CONTACT] = {"contact", "N", "time xyz", OF_ROD, true, false},
    [DRIVE_FORCE] = {"force", "N", "time", OF_DRIVE, true, false},
    [DRIVE_TORQUE] = {"torque", "N m", "time", OF_DRIVE, true, false},
    [DRIVE_POSITION] = {"position", "m", "time", OF_DRIVE, true, false},
    [POSE] = {"pose", "m, 1", "time pose", OF_BODY, true, false},
    [BODY_CONTACT] = {"contact", "N", "time xyz", OF_BODY, true, false},
    [TIE_FORCE] = {"force", "N", "time xyz", OF_CONSTRAINT, true, false},
    [TIE_TORQUE] = {"torque", "N m", "time xyz", OF_CONSTRAINT, true, false},
    [TIE_POSITION] = {"position", "m", "time xyz", OF_CONSTRAINT, true, false},
    [TIE_ACTIVE] = {"active", "1", "time", OF_CONSTRAINT, true, true},
    [TIE_BROKEN] = {"broken", "1", "time", OF_CONSTRAINT, true, true},
    [JOINT_POSITION] = {"position", "rad", "time", OF_JOINT, true, false},
    [JOINT_VELOCITY] = {"velocity", "rad/s", "time", OF_JOINT, true, false},
    [JOINT_EFFORT] = {"effort", "N m", "time", OF_JOINT, true, false},
    [KINETIC] = {"energy/kinetic", "J", "time", OF_ALL, true, false},
    [ELASTIC] = {"energy/elastic", "J", "time", OF_ALL, true, false},
    [GRAVITY] = {"energy/gravity", "J", "time", OF_ALL, true, false},
    [DISSIPATED] = {"energy/dissipated", "J", "time", OF_ALL, true, false},
    [WORK] = {"energy/work", "J", "time", OF_ALL, true, false},
    [FRICTION] = {"energy/friction", "J", "time", OF_ALL, true, false},
    [CONTACT] = {"energy/contact", "J", "time", OF_ALL, true, false},
    [CONSTRAINTS] = {"energy/constraints", "J", "time", OF_ALL, true, false},
    [CONTACT_FIRST] = {"contacts/first", "1", "time", OF_ALL, true, true},
    [CONTACT_COUNT] = {"contacts/count", "1", "time", OF_ALL, true, true},
    [NEWTON_ITERATIONS] = {"report/newton_iterations", "1", "time", OF_ALL, true, true},
    [LINE_SEARCH_CUTS] = {"report/line_search_cuts", "1", "time", OF_ALL, true, true},
    [HESSIANS_CORRECTED] = {"report/hessians_corrected", "1", "time", OF_ALL, true, true},
    [BODIES_UNCONVERGED] = {"report/bodies_unconverged", "1", "time", OF_ALL, true, true},
    [RESIDUAL] = {"report/residual", "1", "time", OF_ALL, true, false},
    [WORST_ROD] = {"report/worst_rod", "1", "time", OF_ALL, true, true},
    [CONTACTS] = {"report/contacts", "1", "time", OF_ALL, true, true},
    [PASSES] = {"report/passes", "1", "time", OF_ALL, true, true},
    [SOLVE_ITERATIONS] = {"report/solve_iterations", "1", "time", OF_ALL, true, true},
    [SOLVE_UNCONVERGED] = {"report/solve_unconverged", "1", "time", OF_ALL, true, true},
    [FRICTION_UNSETTLED] = {"report/friction_unsettled", "1", "time", OF_ALL, true, true},
    [SOLVE_RESIDUAL] = {"report/solve_residual", "1", "time", OF_ALL, true, false},
    [BACKWARD_ERROR] = {"report/backward_error", "1", "time", OF_ALL, true, false},
    [CONSTRAINTS_BROKEN] = {"report/constraints_broken", "1", "time", OF_ALL, true, true},
    [PAIRS_UNSERVED] = {"report/pairs_unserved", "1", "time", OF_ALL, true, true},
    [STEP] = {"report/step", "s", "time", OF_ALL, true, false},
    [LIMIT] = {"report/limit", "1", "time", OF_ALL, true, true},
    [REJECTED] = {"report/rejected", "1", "time", OF_ALL, true, true},
    [STEP_ERROR] = {"report/error", "1", "time", OF_ALL, true, false},
    [CONTACT_ERROR] = {"report/contact_error", "1", "time", OF_ALL, true, false},
};

enum { PATH_ROOM = 512 };

// --- the list of columns -------------------------------------------------------------------------

static LitheJointKind joint_kind(const LitheModel *model, int32_t index) {
    const LitheRigidJoint *joint = &model->joints[index];
    return model->trees[joint->tree].rigid.links[joint->link].kind;
}

// what slides, what turns, a quaternion, and joints that do several at once
static const char *joint_unit(LitheJointKind kind, Quantity quantity) {
    static const char *const units[][3] = {
        {"rad", "rad/s", "N m"},
        {"m", "m/s", "N"},
        {"1", "rad/s", "N m"},
        {"m, rad", "m/s, rad/s", "N, N m"},
        {"m, 1", "m/s, rad/s", "N, N m"},
    };
    static const int row[] = {
        [LITHE_JOINT_PRISMATIC] = 1,
        [LITHE_JOINT_BALL] = 2,
        [LITHE_JOINT_PLANAR] = 3,
        [LITHE_JOINT_FREE] = 4,
    };
    return units[row[kind]][quantity - JOINT_POSITION];
}

static int32_t joint_numbers(const LitheModel *model, int32_t index, Quantity quantity) {
    LitheJointSize size = lithe_joint_size(model, (LitheJointId){index + 1});
    return quantity == JOINT_POSITION ? size.positions : size.velocities;
}

static const char *unit_of(const LitheModel *model, Quantity quantity, int32_t index) {
    if (quantities[quantity].owner == OF_JOINT)
        return joint_unit(joint_kind(model, index), quantity);
    bool turns =
        quantities[quantity].owner == OF_DRIVE && model->drives[index].kind == LITHE_DRIVE_TWIST;
    if (turns && quantity == DRIVE_FORCE)
        return "N m";
    if (turns && quantity == DRIVE_POSITION)
        return "rad";
    return quantities[quantity].unit;
}

// where nothing can touch, there is no column of it
static bool of_contact(Quantity quantity) {
    return quantity == ROD_CONTACT || quantity == BODY_CONTACT || quantity == CONTACT_FIRST ||
           quantity == CONTACT_COUNT;
}

static LitheFrameWay way_of(const LitheModel *model, Quantity quantity, int32_t index) {
    switch (quantity) {
    case DRIVE_FORCE:
    case DRIVE_TORQUE:
    case TIE_FORCE:
    case TIE_TORQUE:
    case JOINT_EFFORT:
    case ROD_CONTACT:
    case BODY_CONTACT:
        return LITHE_WAY_STEP;
    case CONTACT_FIRST:
        return LITHE_WAY_FIRST;
    case DIRECTOR:
        return LITHE_WAY_UNIT;
    case POSE:
        return LITHE_WAY_TURN;
    case JOINT_POSITION:
        return joint_kind(model, index) == LITHE_JOINT_BALL ||
                       joint_kind(model, index) == LITHE_JOINT_FREE
                   ? LITHE_WAY_TURN
                   : LITHE_WAY_LINEAR;
    default:
        return quantities[quantity].integer || (quantity >= NEWTON_ITERATIONS) ? LITHE_WAY_STEP
                                                                               : LITHE_WAY_LINEAR;
    }
}

static LitheStatus add_part(const LitheModel *model, Quantity quantity, int32_t index,
                            LitheLayout *layout, LitheFrameMap *map, LitheError *error) {
    const char *axes = quantities[quantity].axes, *name = quantities[quantity].name;
    char path[PATH_ROOM];
    int64_t dims[2] = {1, 1};
    int32_t rank = 0;
    if (of_contact(quantity) && !lithe_contact_rows_wanted(model))
        return LITHE_OK;
    switch (quantities[quantity].owner) {
    case OF_ALL:
        snprintf(path, sizeof path, "%s", name);
        break;
    case OF_ROD:
        snprintf(path, sizeof path, "rods/%s/%s", model->rods[index].name, name);
        if (strstr(axes, "edge"))
            dims[rank++] = model->rods[index].edge_count;
        if (strstr(axes, "node"))
            dims[rank++] = model->rods[index].node_count;
        if (strstr(axes, "xyz"))
            dims[rank++] = 3;
        if (strstr(axes, "m1m2"))
            dims[rank++] = 2;
        break;
    case OF_DRIVE:
        snprintf(path, sizeof path, "drives/%s/%s", model->drives[index].name, name);
        break;
    case OF_BODY:
        // a body that never moves has its pose among the constants
        if (quantity == POSE && model->bodies[index].unit < 0)
            return LITHE_OK;
        snprintf(path, sizeof path, "bodies/%s/%s", model->bodies[index].name, name);
        dims[rank++] = quantity == POSE ? 7 : 3;
        break;
    case OF_CONSTRAINT:
        snprintf(path, sizeof path, "constraints/%s/%s", model->constraints[index].name, name);
        if (strstr(axes, "xyz"))
            dims[rank++] = 3;
        break;
    case OF_JOINT:
        snprintf(path, sizeof path, "joints/%s/%s", model->joints[index].name, name);
        if (joint_numbers(model, index, quantity) == 0)
            return LITHE_OK;
        if (joint_numbers(model, index, quantity) > 1) {
            dims[rank++] = joint_numbers(model, index, quantity);
            axes = "time number";
        }
        break;
    }
    // asking twice for the same is no mistake
    if (lithe_layout_find(layout, path))
        return LITHE_OK;
    if (!LITHE_RESERVE(map->context, map->parts, map->part_capacity, map->part_count + 1))
        return lithe_fail_memory(error, "the list of recorded quantities");
    map->parts[map->part_count++] = (LitheFramePart){.quantity = quantity,
                                                     .index = index,
                                                     .offset = layout->frame_size,
                                                     .size = dims[0] * dims[1],
                                                     .way = way_of(model, quantity, index)};
    return lithe_layout_add(layout, path, unit_of(model, quantity, index), axes,
                            quantities[quantity].integer ? LITHE_COLUMN_INTEGER : LITHE_COLUMN_REAL,
                            rank, dims, error);
}

static LitheStatus add_always(const LitheModel *model, LitheLayout *layout, LitheFrameMap *map,
                              LitheError *error) {
    LitheStatus status = LITHE_OK;
    const int32_t counts[] = {[OF_ALL] = 1,
                              [OF_ROD] = model->rod_count,
                              [OF_DRIVE] = model->drive_count,
                              [OF_BODY] = model->body_count,
                              [OF_JOINT] = model->joint_count,
                              [OF_CONSTRAINT] = model->constraint_count};
    for (Owner owner = OF_ALL; owner <= OF_CONSTRAINT; owner++)
        for (int32_t i = 0; i < counts[owner]; i++)
            for (int q = 0; status == LITHE_OK && q < QUANTITY_COUNT; q++)
                if (quantities[q].owner == owner && quantities[q].always)
                    status = add_part(model, (Quantity)q, i, layout, map, error);
    return status;
}

// --- what the scene asks for besides (record/frame_asked.c)
// ---------------------------------------

_Static_assert((int)QUANTITY_COUNT <= (int)LITHE_FRAME_NAMES, "room for all names");

int32_t lithe_frame_names(bool of_rod, const char *names[LITHE_FRAME_NAMES]) {
    int32_t count = 0;
    for (int q = 0; q < QUANTITY_COUNT; q++)
        if (quantities[q].owner == (of_rod ? OF_ROD : OF_DRIVE))
            names[count++] = quantities[q].name;
    return count;
}

LitheStatus lithe_frame_add(const LitheModel *model, bool of_rod, int32_t index, const char *name,
                            LitheLayout *layout, LitheFrameMap *map, LitheError *error) {
    int q = 0;
    while (q < QUANTITY_COUNT && (quantities[q].owner != (of_rod ? OF_ROD : OF_DRIVE) ||
                                  strcmp(quantities[q].name, name) != 0))
        q++;
    LITHE_ASSERT(q < QUANTITY_COUNT);
    return add_part(model, (Quantity)q, index, layout, map, error);
}

// --- what does not change ------------------------------------------------------------------------

// whether place b, as the scene has it, is on something that moves
static bool moves_b(const LitheConstraint *constraint) {
    return (constraint->swapped ? constraint->a : constraint->b).unit >= 0;
}

static LitheStatus add_sides(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    char path[PATH_ROOM];
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < model->constraint_count; i++) {
        snprintf(path, sizeof path, "constraints/%s/side", model->constraints[i].name);
        status =
            lithe_layout_add_text(layout, path, moves_b(&model->constraints[i]) ? "b" : "a", error);
    }
    return status;
}

LitheStatus lithe_frame_layout(const LitheModel *model, const LitheRecordDef *record,
                               LitheLayout *layout, LitheFrameMap *map, LitheError *error) {
    map->contacts.context = map->context;
    LitheStatus status = add_always(model, layout, map, error);
    if (status == LITHE_OK && lithe_contact_rows_wanted(model))
        status = lithe_contact_rows_begin(model, layout, &map->contacts, error);
    for (int32_t i = 0; status == LITHE_OK && i < record->also_count; i++)
        status = lithe_frame_asked(model, record->also[i], layout, map, error);
    if (status == LITHE_OK)
        status = lithe_rod_columns(model, layout, error);
    if (status == LITHE_OK)
        status = add_sides(model, layout, error);
    return status == LITHE_OK ? lithe_body_columns(model, layout, error) : status;
}

void lithe_frame_map_release(LitheFrameMap *map) {
    lithe_contact_rows_release(&map->contacts);
    lithe_free(map->context, map->parts);
    *map = (LitheFrameMap){.context = map->context};
}

// --- one frame -----------------------------------------------------------------------------------

// Where a walk along the rod is to put it; false: what a rod has in its state.
static bool ask_of_rod(Quantity quantity, double *out, LitheRodReading *reading) {
    double **place = quantity == TENSION     ? &reading->tension
                     : quantity == CURVATURE ? &reading->curvature
                     : quantity == DIRECTOR  ? &reading->director
                     : quantity == MOMENT    ? &reading->moment
                     : quantity == TORQUE    ? &reading->torque
                                             : NULL;
    if (place)
        *place = out;
    return place;
}

static void fill_rod(const LitheModel *model, const LitheState *state, Quantity quantity,
                     int32_t index, double *out) {
    LitheRodId rod = {index + 1};
    int32_t nodes = model->rods[index].node_count, edges = model->rods[index].edge_count;
    const double *q = lithe_rod_q(model, state, rod), *v = lithe_rod_v(model, state, rod);
    switch (quantity) {
    case POSITION:
    case VELOCITY:
        for (int32_t i = 0; i < nodes; i++)
            memcpy(out + 3 * i, (quantity == POSITION ? q : v) + 4 * i, 3 * sizeof(double));
        break;
    case SPEED:
        for (int32_t i = 0; i < nodes; i++)
            out[i] = sqrt(v[4 * i] * v[4 * i] + v[4 * i + 1] * v[4 * i + 1] +
                          v[4 * i + 2] * v[4 * i + 2]);
        break;
    case TWIST:
        for (int32_t i = 0; i < edges; i++)
            out[i] = q[4 * i + 3];
        break;
    default:
        LITHE_ASSERT(!"a quantity of a rod");
    }
}

static bool is_of_rod(const LitheFramePart *part) {
    return quantities[part->quantity].owner == OF_ROD;
}

// All parts of rods; parts of one rod that stand side by side take one walk along it. Returns the
// elastic energy of all rods: each has parts, the first ones in the order of the rods.
static double fill_rods(const LitheFrameSource *source, const LitheFrameMap *map, double *frame) {
    const LitheModel *model = source->model;
    double elastic = 0;
    int32_t walked = 0;
    for (int32_t i = 0; i < map->part_count;) {
        int32_t rod = map->parts[i].index;
        LitheRodReading reading = {0};
        if (!is_of_rod(&map->parts[i])) {
            i++;
            continue;
        }
        for (; i < map->part_count && is_of_rod(&map->parts[i]) && map->parts[i].index == rod;
             i++) {
            Quantity quantity = (Quantity)map->parts[i].quantity;
            double *out = frame + map->parts[i].offset;
            if (quantity == ROD_CONTACT)
                memcpy(out, map->contacts.on + 3 * (int64_t)rod, 3 * sizeof(double));
            else if (!ask_of_rod(quantity, out, &reading))
                fill_rod(model, source->state, quantity, rod, out);
        }
        double own = lithe_rod_read(&model->rods[rod], source->state, &reading);
        elastic += rod == walked ? own : 0;
        walked += rod == walked;
    }
    return elastic;
}

static double of_drive(const LitheModel *model, const LitheState *state, Quantity quantity,
                       int32_t index) {
    LitheDriveId drive = {index + 1};
    if (quantity == DRIVE_FORCE)
        return lithe_drive_force(model, state, drive);
    if (quantity == DRIVE_TORQUE)
        return lithe_drive_torque(model, state, drive);
    return lithe_drive_position(model, state, drive);
}

static void fill_joint(const LitheModel *model, const LitheState *state, Quantity quantity,
                       int32_t index, double *out) {
    LitheJointId joint = {index + 1};
    const double *from = quantity == JOINT_POSITION   ? lithe_joint_position(model, state, joint)
                         : quantity == JOINT_VELOCITY ? lithe_joint_velocity(model, state, joint)
                                                      : lithe_joint_effort(model, state, joint);
    memcpy(out, from, (size_t)joint_numbers(model, index, quantity) * sizeof(double));
}

static void fill_constraint(const LitheModel *model, const LitheState *state, Quantity quantity,
                            int32_t index, double *out) {
    LitheConstraintId id = {index + 1};
    double a[7], b[7];
    if (quantity == TIE_FORCE)
        v3_store(lithe_constraint_force(model, state, id), out);
    else if (quantity == TIE_TORQUE)
        v3_store(lithe_constraint_torque(model, state, id), out);
    else if (quantity == TIE_POSITION) {
        lithe_constraint_places(model, state, id, a, b);
        memcpy(out, moves_b(&model->constraints[index]) ? b : a, 3 * sizeof(double));
    } else
        *out = quantity == TIE_ACTIVE ? lithe_constraint_active(model, state, id)
                                      : lithe_constraint_broken(model, state, id);
}

static double of_report(const LitheReport *report, Quantity quantity) {
    switch (quantity) {
    case NEWTON_ITERATIONS:
        return report->newton_iterations;
    case LINE_SEARCH_CUTS:
        return report->line_search_cuts;
    case HESSIANS_CORRECTED:
        return report->hessians_corrected;
    case BODIES_UNCONVERGED:
        return report->bodies_unconverged;
    case RESIDUAL:
        return report->residual;
    case WORST_ROD:
        return report->worst_rod.number;
    case CONTACTS:
        return report->contacts;
    case PASSES:
        return report->passes;
    case SOLVE_ITERATIONS:
        return report->solve_iterations;
    case SOLVE_UNCONVERGED:
        return report->solve_unconverged;
    case FRICTION_UNSETTLED:
        return report->friction_unsettled;
    case SOLVE_RESIDUAL:
        return report->solve_residual;
    case BACKWARD_ERROR:
        return report->backward_error;
    case CONSTRAINTS_BROKEN:
        return report->constraints_broken;
    case PAIRS_UNSERVED:
        return report->pairs_unserved;
    case STEP:
        return report->step;
    case LIMIT:
        return report->limit;
    case REJECTED:
        return report->rejected;
    case STEP_ERROR:
        return report->error;
    case CONTACT_ERROR:
        return report->contact_error;
    default:
        LITHE_ASSERT(!"a quantity of everything");
        return NAN;
    }
}

static double of_all(const LitheFrameSource *source, const LitheEnergy *energy,
                     const LitheFrameMap *map, Quantity quantity) {
    switch (quantity) {
    case TIME:
        return lithe_state_time(source->state);
    case KINETIC:
        return energy->kinetic;
    case ELASTIC:
        return energy->elastic;
    case GRAVITY:
        return energy->gravity;
    case DISSIPATED:
        return energy->dissipated;
    case WORK:
        return energy->work;
    case FRICTION:
        return energy->friction;
    case CONTACT:
        return energy->contact;
    case CONSTRAINTS:
        return energy->constraints;
    case CONTACT_FIRST:
        return (double)source->first_row;
    case CONTACT_COUNT:
        return map->contacts.count;
    default:
        return of_report(source->report, quantity);
    }
}

LitheStatus lithe_frame_fill(const LitheFrameSource *source, LitheFrameMap *map, double *frame,
                             LitheEnergy *energy, LitheError *error) {
    const LitheModel *model = source->model;
    const LitheState *state = source->state;
    const double *on = map->contacts.on;
    LitheStatus status = LITHE_OK;
    if (on && !source->rows_kept)
        status = lithe_contact_rows_fill(model, source->work, &map->contacts, error);
    if (status != LITHE_OK)
        return status;
    *energy = lithe_energy_with(model, state, fill_rods(source, map, frame));
    for (int32_t i = 0; i < map->part_count; i++) {
        const LitheFramePart *part = &map->parts[i];
        Quantity quantity = (Quantity)part->quantity;
        double *out = frame + part->offset;
        switch (quantities[quantity].owner) {
        case OF_ALL:
            *out = of_all(source, energy, map, quantity);
            break;
        case OF_ROD:
            break; // filled already
        case OF_BODY:
            if (quantity == BODY_CONTACT)
                memcpy(out, on + 3 * ((int64_t)model->rod_count + part->index), 3 * sizeof(double));
            else
                lithe_body_pose(model, state, (LitheBodyId){part->index + 1}, out);
            break;
        case OF_JOINT:
            fill_joint(model, state, quantity, part->index, out);
            break;
        case OF_DRIVE:
            *out = of_drive(model, state, quantity, part->index);
            break;
        case OF_CONSTRAINT:
            fill_constraint(model, state, quantity, part->index, out);
            break;
        }
    }
    return LITHE_OK;
}
