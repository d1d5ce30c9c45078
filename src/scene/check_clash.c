// SPDX-License-Identifier: Apache-2.0
// scene/check_clash.c - names used twice, and degrees of freedom held or driven twice

#include "scene/check.h"

#include "base/memory.h"
#include "base/status.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- names ---------------------------------------------------------------------------------------

// locale-free: scene files mean the same everywhere
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_name_letter(char c) {
    return is_letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool lithe_name_is_good(const char *name) {
    if (!is_letter(*name))
        return false;
    size_t i = 0;
    while (is_name_letter(name[i]))
        i++;
    return name[i] == '\0' && i <= LITHE_NAME_LENGTH;
}

bool lithe_parted_name_is_good(const char *name) {
    if (!is_letter(*name))
        return false;
    size_t i = 0;
    while (is_name_letter(name[i]) || (name[i] == '/' && is_name_letter(name[i + 1])))
        i++;
    return name[i] == '\0' && i <= LITHE_NAME_LENGTH;
}

typedef struct Named {
    const char *name;
    int32_t group; // names must differ within one
    int32_t kind;  // row of `kinds`
    int32_t index;
} Named;

static const char *const kinds[][2] = {
    {"material", "materials"},
    {"rod", "rods"},
    {"hold", "holds"},
    {"drive", "drives"},
    {"force", "forces"},
    {"natural drive", "natural-drives"},
    {"body", "bodies"},
    {"joint", "joints"},
    {"actuator", "actuators"},
    {"pose drive", "pose-drives"},
    {"constraint", "constraints"},
    {"control", "controls"},
};
enum {
    MATERIAL_KIND,
    ROD_KIND,
    DRIVE_KIND = 3,
    BODY_KIND = 6,
    JOINT_KIND,
    ACTUATOR_KIND,
    POSE_DRIVE_KIND,
    CONSTRAINT_KIND,
    CONTROL_KIND
};

static int named_order(const void *a, const void *b) {
    const Named *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    int order = strcmp(x->name, y->name);
    if (order)
        return order;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void add_named(LitheCheck *check, Named *all, int32_t *count, int32_t kind, int32_t index,
                      const char *name) {
    lithe_check_aim(check, kinds[kind][0], kinds[kind][1], name, index);
    bool parted = kind != MATERIAL_KIND;
    if (!name)
        lithe_check_fail(check, "", "has no name");
    else if (!(parted ? lithe_parted_name_is_good : lithe_name_is_good)(name))
        lithe_check_fail(check, "",
                         "a name has letters, digits, - and _ (at most %d) and begins with a "
                         "letter%s",
                         LITHE_NAME_LENGTH, parted ? LITHE_PARTED_NAME : "");
    else if (kind == BODY_KIND && strcmp(name, "world") == 0)
        lithe_check_fail(check, "", "the name is taken already by the world");
    // rods, drives and bodies share their names: recordings say "rope.tension" and "pull.force"
    int32_t group = kind == DRIVE_KIND || kind == BODY_KIND ? ROD_KIND : kind;
    all[(*count)++] = (Named){name ? name : "", group, kind, index};
}

// The thing of this name in a group, or NULL; `all` is sorted.
static const Named *find_named(const Named *all, int32_t count, int32_t group, const char *name) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        int order = all[middle].group - group;
        if (order == 0)
            order = strcmp(all[middle].name, name);
        if (order == 0)
            return &all[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// Whether recordings know something of this name.
static bool has_name(const Named *all, int32_t count, const char *name) {
    static const int32_t groups[] = {ROD_KIND, JOINT_KIND, ACTUATOR_KIND, POSE_DRIVE_KIND};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
        if (find_named(all, count, groups[i], name))
            return true;
    return false;
}

// Ignored pairs are of two different bodies or rods.
static void check_ignored(LitheCheck *check, const Named *all, int32_t count) {
    snprintf(check->label, sizeof check->label, "ignore");
    snprintf(check->path, sizeof check->path, "ignore");
    check->prefix = "";
    for (int32_t i = 0; i < check->scene->ignored_pair_count; i++) {
        const char *names[2] = {check->scene->ignored_pairs[i].a, check->scene->ignored_pairs[i].b};
        for (int k = 0; k < 2; k++) {
            const Named *found = names[k] ? find_named(all, count, ROD_KIND, names[k]) : NULL;
            if (!found || found->kind == DRIVE_KIND)
                lithe_check_fail(check, "", "pair %d: '%.120s' names no body or rod of the scene",
                                 i + 1, names[k] ? names[k] : "");
        }
        if (check->status == LITHE_OK && strcmp(names[0], names[1]) == 0)
            lithe_check_fail(check, "", "pair %d: '%.120s' is named twice", i + 1, names[0]);
    }
}

// "rope.moment": a rod, drive, body, joint or actuator, a dot, a word; `all` is sorted
static void check_record(LitheCheck *check, const Named *all, int32_t count) {
    const LitheRecordDef *record = &check->scene->record;
    snprintf(check->label, sizeof check->label, "record");
    snprintf(check->path, sizeof check->path, "record");
    for (int32_t i = 0; i < record->also_count && check->status == LITHE_OK; i++) {
        const char *text = record->also[i];
        const char *dot = strchr(text, '.');
        char name[LITHE_NAME_LENGTH + 1];
        if (!dot || dot - text > LITHE_NAME_LENGTH || !lithe_name_is_good(dot + 1)) {
            lithe_check_fail(check, "also", "also: '%.120s' is not NAME.QUANTITY, like rope.moment",
                             text);
            return;
        }
        snprintf(name, sizeof name, "%.*s", (int)(dot - text), text);
        bool found = has_name(all, count, name);
        if (!found)
            lithe_check_fail(check, "also",
                             "also: '%.120s' names no rod, drive, body or joint of the scene",
                             text);
    }
}

void lithe_check_names(LitheCheck *check) {
    const LitheScene *s = check->scene;
    int64_t most = (int64_t)s->material_count + s->rod_count + s->hold_count + s->drive_count +
                   s->force_count + s->natural_drive_count + s->body_count + s->joint_count +
                   s->actuator_count + s->pose_drive_count + s->constraint_count + s->control_count;
    if (check->status != LITHE_OK)
        return;
    Named *all = lithe_alloc_array(s->context, most, sizeof *all);
    if (!all) {
        check->status = lithe_fail_memory(check->error, "a list of names");
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < s->material_count; i++)
        add_named(check, all, &count, 0, i, s->materials[i].name);
    for (int32_t i = 0; i < s->rod_count; i++)
        add_named(check, all, &count, 1, i, s->rods[i].name);
    for (int32_t i = 0; i < s->hold_count; i++)
        add_named(check, all, &count, 2, i, s->holds[i].name);
    for (int32_t i = 0; i < s->drive_count; i++)
        add_named(check, all, &count, 3, i, s->drives[i].name);
    for (int32_t i = 0; i < s->force_count; i++)
        add_named(check, all, &count, 4, i, s->forces[i].name);
    for (int32_t i = 0; i < s->natural_drive_count; i++)
        add_named(check, all, &count, 5, i, s->natural_drives[i].name);
    for (int32_t i = 0; i < s->body_count; i++)
        add_named(check, all, &count, BODY_KIND, i, s->bodies[i].name);
    for (int32_t i = 0; i < s->joint_count; i++)
        add_named(check, all, &count, JOINT_KIND, i, s->joints[i].name);
    for (int32_t i = 0; i < s->actuator_count; i++)
        add_named(check, all, &count, ACTUATOR_KIND, i, s->actuators[i].name);
    for (int32_t i = 0; i < s->pose_drive_count; i++)
        add_named(check, all, &count, POSE_DRIVE_KIND, i, s->pose_drives[i].name);
    for (int32_t i = 0; i < s->constraint_count; i++)
        add_named(check, all, &count, CONSTRAINT_KIND, i, s->constraints[i].name);
    for (int32_t i = 0; i < s->control_count; i++)
        add_named(check, all, &count, CONTROL_KIND, i, s->controls[i].name);

    // equal names are neighbours now
    qsort(all, (size_t)count, sizeof *all, named_order);
    for (int32_t i = 1; i < count; i++) {
        const Named *a = &all[i - 1], *b = &all[i];
        if (a->group != b->group || strcmp(a->name, b->name) != 0)
            continue;
        lithe_check_aim(check, kinds[b->kind][0], kinds[b->kind][1], b->name, b->index);
        lithe_check_fail(check, "", "the name is taken already by %s %d", kinds[a->kind][0],
                         a->index + 1);
    }
    check_record(check, all, count);
    check_ignored(check, all, count);
    lithe_free(s->context, all);
}

// --- degrees of freedom --------------------------------------------------------------------------

// One node's worth of what a hold, a drive or a clamped end takes for itself.
typedef struct Claim {
    int32_t rod;
    int32_t node;
    uint32_t bits;  // LITHE_HOLD_X .. LITHE_HOLD_TWIST (of the edge that leaves the node)
    int32_t kind;   // row of `kinds`; a clamped end belongs to its rod
    int32_t index;  // in its section
    bool is_spring; // pulls only: clashes with what is held, not with other springs
} Claim;

static int claim_order(const void *a, const void *b) {
    const Claim *x = a, *y = b;
    if (x->rod != y->rod)
        return x->rod < y->rod ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->is_spring != y->is_spring)
        return x->is_spring ? 1 : -1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

// The node of a place; -1 when it is not known before the rod is built.
static int32_t place_node(const LitheScene *scene, const LithePlace *place) {
    const LitheRodDef *rod = &scene->rods[place->rod.number - 1];
    int32_t nodes = lithe_rod_def_node_count(rod);
    if (nodes < 0)
        return -1;
    if (place->kind == LITHE_PLACE_NODE)
        return place->node < 0 ? place->node + nodes : place->node;
    if (rod->nodes == 0)
        return place->fraction == 0 ? 0 : place->fraction == 1 ? nodes - 1 : -1;
    int32_t edges = nodes - !lithe_rod_def_closed(rod);
    return (int32_t)lround(place->fraction * edges) % nodes;
}

// Splits a claim on a place into nodes: a clamp takes both nodes of the edge, twist sits on an
// edge.
static void add_claims(const LitheScene *scene, Claim *claims, int32_t *count,
                       const LithePlace *place, Claim claim) {
    int32_t node = place_node(scene, place);
    if (node < 0)
        return;
    const LitheRodDef *rod = &scene->rods[place->rod.number - 1];
    int32_t nodes = lithe_rod_def_node_count(rod);
    int32_t edge = node == nodes - 1 && !lithe_rod_def_closed(rod) ? node - 1 : node;
    uint32_t bits = claim.bits;
    claim.rod = place->rod.number;
    uint32_t edge_bits = bits & LITHE_HOLD_TWIST;
    if (bits & LITHE_HOLD_CLAMP) {
        claim.node = (edge + 1) % nodes;
        claim.bits = LITHE_HOLD_POSITION;
        claims[(*count)++] = claim;
        edge_bits = LITHE_HOLD_POSITION | LITHE_HOLD_TWIST;
    } else if (bits & LITHE_HOLD_POSITION) {
        claim.node = node;
        claim.bits = bits & LITHE_HOLD_POSITION;
        claims[(*count)++] = claim;
    }
    if (edge_bits) {
        claim.node = edge;
        claim.bits = edge_bits;
        claims[(*count)++] = claim;
    }
}

static const char *claim_name(const LitheScene *scene, const Claim *claim) {
    switch (claim->kind) {
    case 1:
        return scene->rods[claim->index].name;
    case 2:
        return scene->holds[claim->index].name;
    default:
        return scene->drives[claim->index].name;
    }
}

static void fail_clash(LitheCheck *check, const Claim *first, const Claim *second) {
    const char *what = first->bits & second->bits & LITHE_HOLD_POSITION ? "position" : "twist";
    char first_label[160];
    snprintf(first_label, sizeof first_label, "%s '%s'%s", kinds[first->kind][0],
             claim_name(check->scene, first), first->kind == 1 ? " (clamped)" : "");
    lithe_check_aim(check, kinds[second->kind][0], kinds[second->kind][1],
                    claim_name(check->scene, second), second->index);
    if (second->kind == 1)
        lithe_check_fail(check, "clamped", "its two clamps share node %d", second->node);
    else
        lithe_check_fail(check, "on", "%s of node %d of rod '%s' is taken already by %s", what,
                         second->node, check->scene->rods[second->rod - 1].name, first_label);
}

static void compare_claims(LitheCheck *check, const Claim *claims, int32_t count) {
    int32_t group = 0; // first claim on the same node
    for (int32_t i = 0; i < count && check->status == LITHE_OK; i++) {
        if (claims[i].rod != claims[group].rod || claims[i].node != claims[group].node)
            group = i;
        // at most four claims that hold can stand side by side, so this stays short
        for (int32_t k = group; k < i && !claims[k].is_spring; k++) {
            uint32_t shared = claims[k].bits & claims[i].bits;
            bool all_held = shared == claims[i].bits;
            if (claims[i].is_spring ? all_held : shared != 0) {
                fail_clash(check, &claims[k], &claims[i]);
                break;
            }
        }
    }
}

void lithe_check_clashes(LitheCheck *check) {
    const LitheScene *s = check->scene;
    int64_t most = 2 * (2 * (int64_t)s->rod_count + s->hold_count + s->drive_count);
    Claim *claims = lithe_alloc_array(s->context, most + s->hold_count, sizeof *claims);
    if (!claims) {
        check->status = lithe_fail_memory(check->error, "a list of what is held");
        return;
    }
    int32_t count = 0;
    for (int32_t i = 0; i < s->rod_count; i++) {
        LithePlace place = {.rod = {i + 1}, .node = 0};
        Claim claim = {.bits = LITHE_HOLD_CLAMP, .kind = 1, .index = i};
        if (s->rods[i].clamp_start)
            add_claims(s, claims, &count, &place, claim);
        place.node = -1;
        if (s->rods[i].clamp_end)
            add_claims(s, claims, &count, &place, claim);
    }
    for (int32_t i = 0; i < s->hold_count; i++)
        add_claims(s, claims, &count, &s->holds[i].place,
                   (Claim){.bits = s->holds[i].bits, .kind = 2, .index = i});
    for (int32_t i = 0; i < s->drive_count; i++) {
        static const uint32_t bits[] = {LITHE_HOLD_POSITION, LITHE_HOLD_TWIST, LITHE_HOLD_CLAMP};
        const LitheDriveDef *d = &s->drives[i];
        add_claims(
            s, claims, &count, &d->place,
            (Claim){.bits = bits[d->kind], .kind = 3, .index = i, .is_spring = d->stiffness > 0});
    }
    qsort(claims, (size_t)count, sizeof *claims, claim_order);
    compare_claims(check, claims, count);
    lithe_free(s->context, claims);
}
