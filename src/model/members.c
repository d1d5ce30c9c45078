// SPDX-License-Identifier: Apache-2.0
// model/members.c - the vertices that a place of a scene selects: one, or those of a set

#include "base/memory.h"
#include "base/status.h"
#include "geom/region.h"
#include "model/compile.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// path of the place of an object in the scene file: "holds.wall.on"
static void place_path(const char *kind, const char *name, char path[256]) {
    bool cavity = strcmp(kind, "cavity") == 0;
    snprintf(path, 256, "%s%s.%s.on", cavity ? "cavitie" : kind, "s", name);
}

static bool add(LitheContext *context, LitheMembers *members, int32_t vertex) {
    if (!LITHE_RESERVE(context, members->list, members->capacity, (int64_t)members->count + 1))
        return false;
    members->list[members->count++] = vertex;
    return true;
}

static const char *word_of(const LitheMembers *members) {
    return members->thing.kind == LITHE_THING_PARTICLES ? "particle" : "node";
}

static LitheStatus fail_vertex(const LitheScene *scene, const char *kind, const char *name,
                               int32_t vertex, const LitheMembers *members, LitheError *error) {
    const char *of = lithe_thing_def_name(scene, members->thing), *word = word_of(members);
    bool rod = members->thing.kind == LITHE_THING_ROD;
    char path[256];
    place_path(kind, name, path);
    return lithe_scene_fail(scene, error, path,
                            "%s '%s': %s %d does not exist, %s'%s' has %ss 0 to %d", kind, name,
                            word, vertex, rod ? "rod " : "", of, word, members->count_of - 1);
}

// the nodes of a group of the mesh of a solid
static LitheStatus find_group(const LitheScene *scene, const LithePlace *place, const char *kind,
                              const char *name, LitheMembers *members, LitheError *error) {
    char path[256], known[300] = "";
    if (place->group[0] == '\0') { // the whole solid
        for (int32_t i = 0; i < members->count_of; i++)
            if (!add(scene->context, members, i))
                return lithe_fail_memory(error, "the nodes of a solid");
        return LITHE_OK;
    }
    for (int32_t i = 0; i < members->group_count; i++) {
        const LitheTetSet *group = &members->groups[i];
        if (strcmp(group->name, place->group) != 0) {
            size_t length = strlen(known);
            snprintf(known + length, sizeof known - length, "%s%s", length ? ", " : "",
                     group->name);
            continue;
        }
        for (int32_t k = 0; k < group->count; k++)
            if (!add(scene->context, members, group->nodes[k]))
                return lithe_fail_memory(error, "the members of a group");
        if (members->count > 0)
            return LITHE_OK;
    }
    place_path(kind, name, path);
    return lithe_scene_fail(scene, error, path,
                            "%s '%s': solid '%s' has no group '%s' with nodes; it has %s", kind,
                            name, lithe_thing_def_name(scene, members->thing), place->group,
                            known[0] ? known : "no groups");
}

// the node nearest to a fraction of the length along the points
static int32_t nearest(const LitheMembers *members, double fraction) {
    double at = 0, length = 0, min = INFINITY;
    int32_t n = members->count_of, edges = members->closed ? n : n - 1, best = 0;
    for (int32_t i = 0; i < edges; i++)
        length += members->lengths[i];
    for (int32_t i = 0; i < n; i++) {
        double miss = fabs(at - fraction * length);
        if (miss < min * (1 - 1e-12)) {
            min = miss;
            best = i;
        }
        if (i < edges)
            at += members->lengths[i];
    }
    return best;
}

// the members of a set; an edge is given by its first vertex
static LitheStatus find_set(const LitheScene *scene, const LitheSetDef *set, const char *kind,
                            const char *name, LitheMembers *members, LitheError *error) {
    bool edges = set->what == LITHE_SET_EDGES;
    int32_t n = members->count_of, count = edges && !members->closed ? n - 1 : n;
    bool good = true;
    unsigned char *seen = lithe_alloc_array(scene->context, count, 1); // each member counts once
    if (!seen)
        return lithe_fail_memory(error, "the members of a set");
    for (int32_t i = 0; i < set->count; i++) {
        int32_t member = set->list[i] < 0 ? set->list[i] + count : set->list[i];
        if (member < 0 || member >= count) {
            lithe_free(scene->context, seen);
            return fail_vertex(scene, kind, name, set->list[i], members, error);
        }
        good = good && (seen[member] || add(scene->context, members, member));
        seen[member] = 1;
    }
    lithe_free(scene->context, seen);
    for (int32_t i = 0; set->region.kind != LITHE_REGION_LIST && i < count; i++) {
        bool in = lithe_region_has(&set->region, members->points[i]) &&
                  (!edges || lithe_region_has(&set->region, members->points[(i + 1) % n]));
        good = good && (!in || add(scene->context, members, i));
    }
    if (!good)
        return lithe_fail_memory(error, "the members of a set");
    if (members->count > 0)
        return LITHE_OK;
    char path[256], region[200];
    lithe_region_text(&set->region, region, sizeof region);
    LitheVec3 low = members->points[0], high = low;
    for (int32_t i = 1; i < n; i++) {
        LitheVec3 x = members->points[i];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    snprintf(path, sizeof path, "sets.%s", set->name);
    return lithe_scene_fail(scene, error, path,
                            "set '%s': nothing of '%s' lies in its region, and %s '%s' acts on it; "
                            "it extends from (%.4g, %.4g, %.4g) m to (%.4g, %.4g, %.4g) m, the "
                            "region is %s",
                            set->name, lithe_thing_def_name(scene, members->thing), kind, name,
                            low.x, low.y, low.z, high.x, high.y, high.z, region);
}

LitheStatus lithe_members_find(const LitheScene *scene, const LithePlace *place, const char *kind,
                               const char *name, LitheMembers *members, LitheError *error) {
    members->count = 0;
    members->edges = false;
    const LitheSetDef *set =
        place->kind == LITHE_PLACE_SET ? &scene->sets[place->set.number - 1] : NULL;
    LitheThing on = set ? set->of : place->thing;
    if (on.kind != members->thing.kind || on.number != members->thing.number)
        return LITHE_OK;
    if (set) {
        members->edges = set->what == LITHE_SET_EDGES;
        return find_set(scene, set, kind, name, members, error);
    }
    if (place->kind == LITHE_PLACE_GROUP)
        return find_group(scene, place, kind, name, members, error);
    int32_t vertex = place->kind == LITHE_PLACE_FRACTION ? nearest(members, place->fraction)
                     : place->node >= 0                  ? place->node
                                                         : place->node + members->count_of;
    if (vertex < 0 || vertex >= members->count_of)
        return fail_vertex(scene, kind, name, place->node, members, error);
    return add(scene->context, members, vertex) ? LITHE_OK
                                                : lithe_fail_memory(error, "the members of a set");
}

void lithe_members_free(LitheContext *context, LitheMembers *members) {
    lithe_free(context, members->list);
    members->list = NULL;
    members->count = members->capacity = 0;
}

LitheStatus lithe_members_clash(const LitheScene *scene, const LitheMembers *members,
                                const char *kind, const char *name, int32_t vertex,
                                LitheError *error) {
    char path[256];
    place_path(kind, name, path);
    return lithe_scene_fail(
        scene, error, path, "%s '%s': %s %d of '%s' is already held or driven by another object",
        kind, name, word_of(members), vertex, lithe_thing_def_name(scene, members->thing));
}
