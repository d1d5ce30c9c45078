// SPDX-License-Identifier: Apache-2.0
// record/world_quantities.c - recorded quantities of the whole model: time, energies, counts,
// report

#include "data/model.h"
#include "record/quantity.h"

static void read_time(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    (void)part;
    *out = lithe_state_time(from->state);
}

static void read_load_time(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    (void)part;
    *out = lithe_state_load_time(from->state);
}

static int64_t is_static(const LitheModel *model, int32_t index) {
    (void)index;
    return model->time.scheme == LITHE_SCHEME_STATIC;
}

static int64_t is_lcp(const LitheModel *model, int32_t index) {
    (void)index;
    return model->contact.model == LITHE_CONTACT_LCP;
}

static void read_first(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    (void)part;
    *out = (double)from->first_row;
}

static void read_count(const LitheReadFrom *from, const LitheFramePart *part, double *out) {
    (void)part;
    *out = from->contacts->count;
}

#define OF_CONTACTS(path, how, reader) \
    { \
        .name = (path), .unit = "1", .axes = "time", .always = true, .integer = true, \
        .of_contact = true, .interpolation = (how), .read = (reader) \
    }
#define ENERGY(field) \
    { \
        .name = "energy/" #field, .unit = "J", .axes = "time", .always = true, \
        LITHE_MEMBER(LITHE_IN_ENERGY, LitheEnergy, field) \
    }
#define REPORT_AS(word, measure, whole, field) \
    { \
        .name = "report/" word, .unit = (measure), .axes = "time", .always = true, \
        .integer = (whole), .interpolation = LITHE_INTERPOLATE_STEP, \
        LITHE_MEMBER(LITHE_IN_REPORT, LitheReport, field) \
    }
#define COUNT(field) REPORT_AS(#field, "1", true, field)
#define RATIO(field) REPORT_AS(#field, "1", false, field)

// of the contact model lcp alone
#define OF_LCP(field, whole) \
    { \
        .name = "report/" #field, .unit = "1", .axes = "time number", .always = true, \
        .integer = (whole), .interpolation = LITHE_INTERPOLATE_STEP, .numbers = is_lcp, \
        LITHE_MEMBER(LITHE_IN_REPORT, LitheReport, field) \
    }

static const LitheQuantity quantities[] = {
    {.name = "time", .unit = "s", .axes = "time", .always = true, .read = read_time},
    {.name = "static/load_time",
     .unit = "s",
     .axes = "time number",
     .always = true,
     .read = read_load_time,
     .numbers = is_static},
    {.name = "static/unstable",
     .unit = "1",
     .axes = "time number",
     .always = true,
     .integer = true,
     .interpolation = LITHE_INTERPOLATE_STEP,
     .numbers = is_static,
     LITHE_MEMBER(LITHE_IN_REPORT, LitheReport, unstable)},
    ENERGY(kinetic),
    ENERGY(elastic),
    ENERGY(gravity),
    ENERGY(dissipated),
    ENERGY(work),
    ENERGY(friction),
    ENERGY(contact),
    ENERGY(constraints),
    OF_CONTACTS("contacts/first", LITHE_INTERPOLATE_FIRST, read_first),
    OF_CONTACTS("contacts/count", LITHE_INTERPOLATE_STEP, read_count),
    COUNT(newton_iterations),
    COUNT(line_search_cuts),
    COUNT(hessians_corrected),
    COUNT(bodies_unconverged),
    RATIO(residual),
    REPORT_AS("worst_rod", "1", true, worst_rod.number),
    COUNT(contacts),
    COUNT(passes),
    COUNT(solve_iterations),
    COUNT(solve_unconverged),
    COUNT(friction_unsettled),
    RATIO(solve_residual),
    RATIO(backward_error),
    COUNT(constraints_broken),
    COUNT(pairs_unserved),
    REPORT_AS("step", "s", false, step),
    COUNT(limit),
    COUNT(rejected),
    RATIO(error),
    RATIO(contact_error),
    OF_LCP(contacts_dropped, true),
    OF_LCP(contacts_returned, true),
    OF_LCP(normals_condition, false),
    OF_LCP(fall_backs, true),
    OF_LCP(weakened, true),
    {.name = NULL},
};

static int32_t count(const LitheModel *model) {
    (void)model;
    return 1;
}

const LitheOwner lithe_world_owner = {.word = "scene", .quantities = quantities, .count = count};
