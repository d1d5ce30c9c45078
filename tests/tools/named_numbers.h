// SPDX-License-Identifier: Apache-2.0
// tests/tools/named_numbers.h - the numbers of a world by name, whatever the layout of its state
//
// Positions, velocities, frames, forces of contacts and constraints, energies and the report of the
// last step, read by the public interface: builds that store a state in other places compare. What
// a step starts from (lithe_named_pack) is the only part that knows the ranges of the state.

#ifndef LITHE_TEST_NAMED_NUMBERS_H
#define LITHE_TEST_NAMED_NUMBERS_H

#include "lithe/lithe.h"

#include "data/state.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct NamedGroup {
    char name[96]; // of a thing and its quantity
    int64_t at, count;
} NamedGroup;

/// Numbers in groups; memory only grows.
typedef struct NamedNumbers {
    double *values;
    int64_t count, capacity;
    NamedGroup *groups;
    int64_t group_count, group_capacity;
} NamedNumbers;

static inline void *named_grow(void *memory, int64_t *capacity, int64_t count, size_t size) {
    if (count <= *capacity)
        return memory;
    *capacity = 2 * count;
    memory = realloc(memory, (size_t)*capacity * size);
    if (!memory)
        abort();
    return memory;
}

/// A group of `count` numbers, whose place is returned; it is valid until the next group.
static inline double *named_group(NamedNumbers *n, const char *thing, const char *what,
                                  int64_t count) {
    n->groups = named_grow(n->groups, &n->group_capacity, n->group_count + 1, sizeof(NamedGroup));
    n->values = named_grow(n->values, &n->capacity, n->count + count, sizeof(double));
    NamedGroup *group = &n->groups[n->group_count++];
    snprintf(group->name, sizeof group->name, "%s%s%s", thing, *thing ? "." : "", what);
    group->at = n->count;
    group->count = count;
    n->count += count;
    return n->values + group->at;
}

static inline void named_put(NamedNumbers *n, const char *thing, const char *what,
                             const double *values, int64_t count) {
    memcpy(named_group(n, thing, what, count), values, (size_t)count * sizeof(double));
}

static inline void named_put_vec(NamedNumbers *n, const char *thing, const char *what,
                                 LitheVec3 v) {
    named_put(n, thing, what, (const double[]){v.x, v.y, v.z}, 3);
}

static inline void named_rods(NamedNumbers *n, const LitheModel *m, const LitheState *s) {
    for (int32_t i = 1; i <= lithe_rod_count(m); i++) {
        LitheRodId rod = {i};
        const char *name = lithe_rod_name(m, rod);
        int64_t nodes = lithe_rod_node_count(m, rod), edges = lithe_rod_edge_count(m, rod);
        named_put(n, name, "position", lithe_rod_q(m, s, rod), 4 * nodes);
        named_put(n, name, "velocity", lithe_rod_v(m, s, rod), 4 * nodes);
        lithe_rod_directors(m, s, rod, named_group(n, name, "directors", 3 * edges));
        lithe_rod_tension(m, s, rod, named_group(n, name, "tension", edges));
        lithe_rod_moment(m, s, rod, named_group(n, name, "moment", 2 * nodes));
        lithe_rod_torque(m, s, rod, named_group(n, name, "torque", nodes));
    }
}

static inline void named_rigid(NamedNumbers *n, const LitheModel *m, const LitheState *s,
                               const LitheWork *w) {
    for (int32_t i = 1; i <= lithe_body_count(m); i++) {
        LitheBodyId body = {i};
        lithe_body_pose(m, s, body, named_group(n, lithe_body_name(m, body), "pose", 7));
        lithe_body_velocity(m, s, body, named_group(n, lithe_body_name(m, body), "velocity", 6));
    }
    for (int32_t i = 1; i <= lithe_joint_count(m); i++) {
        LitheJointId joint = {i};
        const char *name = lithe_joint_name(m, joint);
        LitheJointSize size = lithe_joint_size(m, joint);
        named_put(n, name, "position", lithe_joint_position(m, s, joint), size.positions);
        named_put(n, name, "velocity", lithe_joint_velocity(m, s, joint), size.velocities);
        named_put(n, name, "effort", lithe_joint_effort(m, s, joint), size.velocities);
        named_put(n, name, "limit-effort", lithe_joint_limit_effort(m, w, joint), size.velocities);
    }
}

static inline void named_points(NamedNumbers *n, const LitheModel *m, const LitheState *s) {
    for (int32_t i = 1; i <= lithe_particles_count(m); i++) {
        LitheParticlesId set = {i};
        const char *name = lithe_particles_name(m, set);
        int64_t count = 3 * (int64_t)lithe_particles_size(m, set);
        named_put(n, name, "position", lithe_particles_position(m, s, set), count);
        named_put(n, name, "velocity", lithe_particles_velocity(m, s, set), count);
    }
    for (int32_t i = 1; i <= lithe_solid_count(m); i++) {
        LitheSolidId solid = {i};
        const char *name = lithe_solid_name(m, solid);
        int64_t count = 3 * (int64_t)lithe_solid_node_count(m, solid);
        named_put(n, name, "position", lithe_solid_position(m, s, solid), count);
        named_put(n, name, "velocity", lithe_solid_velocity(m, s, solid), count);
    }
    for (int32_t i = 1; i <= lithe_cavity_count(m); i++) {
        LitheCavityId cavity = {i};
        double values[] = {lithe_cavity_pressure(m, s, cavity), lithe_cavity_volume(m, s, cavity)};
        named_put(n, lithe_cavity_name(m, cavity), "pressure-volume", values, 2);
    }
}

static inline void named_ties(NamedNumbers *n, const LitheModel *m, const LitheState *s) {
    for (int32_t i = 1; i <= lithe_drive_count(m); i++) {
        LitheDriveId drive = {i};
        double values[] = {lithe_drive_force(m, s, drive), lithe_drive_torque(m, s, drive),
                           lithe_drive_position(m, s, drive)};
        named_put(n, lithe_drive_name(m, drive), "force-torque-position", values, 3);
    }
    for (int32_t i = 1; i <= lithe_constraint_count(m); i++) {
        LitheConstraintId tie = {i};
        const char *name = lithe_constraint_name(m, tie);
        double status[] = {lithe_constraint_active(m, s, tie), lithe_constraint_broken(m, s, tie)};
        double tendon[] = {lithe_tendon_length(m, s, tie), lithe_tendon_tension(m, s, tie),
                           lithe_tendon_work(m, s, tie)};
        named_put(n, name, "active-broken", status, 2);
        named_put_vec(n, name, "force", lithe_constraint_force(m, s, tie));
        named_put_vec(n, name, "torque", lithe_constraint_torque(m, s, tie));
        named_put(n, name, "tendon", tendon, 3);
    }
}

// in the order of the work, which no number of threads may change
static inline void named_contacts(NamedNumbers *n, const LitheWork *w) {
    int32_t count = lithe_work_contact_count(w);
    double *force = named_group(n, "contacts", "force", 3 * (int64_t)count);
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce f = lithe_work_contact(w, i);
        force[3 * i] = f.force.x, force[3 * i + 1] = f.force.y, force[3 * i + 2] = f.force.z;
    }
    double *other = named_group(n, "contacts", "normal-slip", 2 * (int64_t)count);
    for (int32_t i = 0; i < count; i++) {
        LitheContactForce f = lithe_work_contact(w, i);
        other[2 * i] = f.normal, other[2 * i + 1] = f.slip;
    }
}

// numbers of a report that are no times of a clock and no things
#define NAMED_REPORT(ROW) \
    ROW(newton_iterations) \
    ROW(line_search_cuts) \
    ROW(hessians_corrected) \
    ROW(bodies_unconverged) \
    ROW(residual) \
    ROW(joints_at_limit) \
    ROW(contacts) \
    ROW(passes) \
    ROW(solve_iterations) \
    ROW(solve_unconverged) \
    ROW(friction_unsettled) \
    ROW(solve_residual) \
    ROW(constraints_broken) \
    ROW(pieces) \
    ROW(step) \
    ROW(limit) \
    ROW(rejected) \
    ROW(error) \
    ROW(contact_error) \
    ROW(deepest) \
    ROW(deepest_fraction) \
    ROW(crossings_avoided) \
    ROW(active) \
    ROW(stiffened) \
    ROW(held) \
    ROW(softened) \
    ROW(euler) \
    ROW(calmed) \
    ROW(energy_gained) \
    ROW(halted) \
    ROW(pairs_unsupported) \
    ROW(stored) \
    ROW(guarded) \
    ROW(poses_missed) \
    ROW(load_time) \
    ROW(slip) \
    ROW(unstable) \
    ROW(inverted) \
    ROW(contacts_dropped) \
    ROW(contacts_returned) \
    ROW(fall_backs) \
    ROW(weakened)

static inline void named_report(NamedNumbers *n, const LitheReport *report) {
#define ROW(member) *named_group(n, "report", #member, 1) = (double)report->member;
    NAMED_REPORT(ROW)
#undef ROW
}

/// All numbers after a step, or at the start.
static inline void named_read(NamedNumbers *n, const LitheModel *m, const LitheState *s,
                              const LitheWork *w, const LitheReport *report) {
    n->count = n->group_count = 0;
    double clock[] = {lithe_state_time(s), lithe_state_load_time(s)};
    named_put(n, "", "time", clock, 2);
    named_rods(n, m, s);
    named_rigid(n, m, s, w);
    named_points(n, m, s);
    named_ties(n, m, s);
    if (lithe_state_step(s) > 0)
        named_contacts(n, w);
    LitheEnergy e = lithe_energy(m, s);
    named_put(n, "energy", "of-things", (const double[]){e.kinetic, e.elastic, e.gravity}, 3);
    named_put(n, "energy", "sums",
              (const double[]){e.dissipated, e.work, e.friction, e.contact, e.constraints}, 5);
    named_report(n, report);
}

/// Name of the number `i`, with its place in its group.
static inline void named_name(const NamedNumbers *n, int64_t i, char *out, size_t size) {
    for (int64_t g = 0; g < n->group_count; g++)
        if (i >= n->groups[g].at && i < n->groups[g].at + n->groups[g].count)
            snprintf(out, size, "%s[%lld]", n->groups[g].name, (long long)(i - n->groups[g].at));
}

// --- what a step starts from ---------------------------------------------------------------------

/// The ranges of a state that a step needs, without what only saves iterations or belongs to one
/// scheme (memory of contacts, of the energy guard, of the control of steps): builds that keep
/// those elsewhere start alike.
#define NAMED_RANGES(ROW) \
    ROW(clock, q) \
    ROW(q, v) \
    ROW(v, own) \
    ROW(own, pushes) \
    ROW(pushes, sums) \
    ROW(sums, drives) \
    ROW(drives, constraints) \
    ROW(constraints, took) \
    ROW(took, commands) \
    ROW(commands, poses) \
    ROW(poses, potential_contact)

static inline void named_pack(NamedNumbers *n, const LitheState *s) {
    n->count = n->group_count = 0;
#define ROW(range, next) named_put(n, "state", #range, s->range, s->next - s->range);
    NAMED_RANGES(ROW)
#undef ROW
}

/// Puts packed numbers into a fresh state. False where a range has another size.
static inline bool named_unpack(const NamedNumbers *n, LitheState *s) {
    int64_t at = 0;
#define ROW(range, next) \
    if (at >= n->group_count || n->groups[at].count != s->next - s->range) \
        return false; \
    memcpy(s->range, n->values + n->groups[at].at, (size_t)n->groups[at].count * sizeof(double)); \
    at++;
    NAMED_RANGES(ROW)
#undef ROW
    return true;
}

// --- files ---------------------------------------------------------------------------------------

static inline bool named_write(const NamedNumbers *n, FILE *file) {
    int64_t head[] = {n->count, n->group_count};
    return fwrite(head, sizeof head, 1, file) == 1 &&
           fwrite(n->groups, sizeof *n->groups, (size_t)n->group_count, file) ==
               (size_t)n->group_count &&
           fwrite(n->values, sizeof(double), (size_t)n->count, file) == (size_t)n->count;
}

/// False at the end of the file.
static inline bool named_next(NamedNumbers *n, FILE *file) {
    int64_t head[2];
    if (fread(head, sizeof head, 1, file) != 1)
        return false;
    n->count = head[0], n->group_count = head[1];
    n->groups = named_grow(n->groups, &n->group_capacity, n->group_count, sizeof(NamedGroup));
    n->values = named_grow(n->values, &n->capacity, n->count, sizeof(double));
    return fread(n->groups, sizeof *n->groups, (size_t)n->group_count, file) ==
               (size_t)n->group_count &&
           fread(n->values, sizeof(double), (size_t)n->count, file) == (size_t)n->count;
}

#endif
