// SPDX-License-Identifier: Apache-2.0
// advance/report.c - the report of a step from those of its parts, as a table of members
//
// A member without a row is that of the last part.

#include "advance/report.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>

typedef enum Kind { INTEGER, FLAG, NUMBER } Kind;

// what becomes of a member: that of the last part, the sum, the largest; KEEP: that of the whole,
// which is not one of parts
typedef enum Add { LAST, SUM, MAX, KEEP } Add;

typedef struct Row {
    size_t at;
    Kind kind;
    Add add[LITHE_PARTS_COUNT]; // in stages, substeps, loads
} Row;

#define AT(member) offsetof(LitheReport, member)

static const Row rows[] = {
    {AT(newton_iterations), INTEGER, {SUM, SUM, SUM}},
    {AT(line_search_cuts), INTEGER, {SUM, SUM, SUM}},
    {AT(hessians_corrected), INTEGER, {SUM, SUM, SUM}},
    {AT(passes), INTEGER, {SUM, SUM, SUM}},
    {AT(solve_iterations), INTEGER, {SUM, SUM, SUM}},
    {AT(bodies_unconverged), INTEGER, {SUM, SUM, LAST}},
    {AT(constraints_broken), INTEGER, {LAST, SUM, SUM}},
    {AT(held), INTEGER, {LAST, SUM, LAST}},
    {AT(softened), INTEGER, {LAST, SUM, LAST}},
    {AT(euler), INTEGER, {LAST, SUM, LAST}},
    {AT(calmed), INTEGER, {LAST, SUM, LAST}},
    {AT(energy_gained), INTEGER, {LAST, SUM, LAST}},
    {AT(halted), INTEGER, {LAST, SUM, LAST}},
    {AT(fall_backs), INTEGER, {LAST, SUM, LAST}},
    {AT(contacts_returned), INTEGER, {LAST, SUM, LAST}},
    {AT(contacts_dropped), INTEGER, {LAST, MAX, LAST}},
    {AT(weakened), INTEGER, {LAST, MAX, LAST}},
    {AT(joints_at_limit), INTEGER, {LAST, MAX, LAST}},
    {AT(contacts), INTEGER, {LAST, MAX, LAST}},
    {AT(active), INTEGER, {LAST, MAX, LAST}},
    {AT(stiffened), INTEGER, {LAST, MAX, LAST}},
    {AT(pairs_unsupported), INTEGER, {LAST, MAX, LAST}},
    {AT(solve_unconverged), FLAG, {MAX, MAX, LAST}},
    {AT(friction_unsettled), FLAG, {MAX, MAX, LAST}},
    {AT(residual), NUMBER, {MAX, MAX, LAST}},
    {AT(solve_residual), NUMBER, {MAX, MAX, LAST}},
    {AT(backward_error), NUMBER, {MAX, MAX, LAST}},
    {AT(friction_astray), NUMBER, {LAST, MAX, LAST}},
    {AT(normals_condition), NUMBER, {LAST, MAX, LAST}},
    {AT(deepest), NUMBER, {LAST, MAX, LAST}},
    {AT(deepest_fraction), NUMBER, {LAST, MAX, LAST}},
    // of attempts, which are counted in the whole
    {AT(crossings_avoided), INTEGER, {LAST, KEEP, LAST}},
    {AT(guarded), INTEGER, {LAST, KEEP, LAST}},
    {AT(rejected), INTEGER, {LAST, KEEP, KEEP}},
    {AT(limit), INTEGER, {LAST, KEEP, LAST}},
    {AT(pieces), INTEGER, {LAST, KEEP, KEEP}},
};

_Static_assert(sizeof(LitheStepLimit) == sizeof(int32_t), "an enumeration is an integer");

static void add_integer(int32_t *sum, int32_t part, Add add) {
    if (add == SUM)
        *sum += part;
    else if (add == LAST || (add == MAX && part > *sum))
        *sum = part;
}

static void add_flag(bool *sum, bool part, Add add) {
    if (add == LAST || (add == MAX && part))
        *sum = part;
}

static void add_number(double *sum, double part, Add add) {
    if (add != KEEP)
        *sum = add == MAX ? fmax(*sum, part) : part;
}

void lithe_report_add(LitheReport *sum, const LitheReport *part, LitheReportParts parts) {
    LitheReport whole = *part;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        Add add = row->add[parts];
        char *to = (char *)&whole + row->at, *old = (char *)sum + row->at;
        const char *of = (const char *)part + row->at;
        if (row->kind == INTEGER) {
            *(int32_t *)to = *(int32_t *)old;
            add_integer((int32_t *)to, *(const int32_t *)of, add);
        } else if (row->kind == FLAG) {
            *(bool *)to = *(bool *)old;
            add_flag((bool *)to, *(const bool *)of, add);
        } else {
            *(double *)to = *(double *)old;
            add_number((double *)to, *(const double *)of, add);
        }
    }
    bool slips = parts == LITHE_PARTS_LOADS && sum->slip_fraction > part->slip_fraction;
    if (slips) {
        whole.slip = sum->slip;
        whole.slip_fraction = sum->slip_fraction;
        whole.slip_a = sum->slip_a;
        whole.slip_b = sum->slip_b;
    }
    whole.pieces += parts != LITHE_PARTS_STAGES;
    *sum = whole;
}
