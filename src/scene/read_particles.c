// SPDX-License-Identifier: Apache-2.0
// scene/read_particles.c - sets of particles in scene files: one of four keys gives the positions

#include "scene/entries.h"

#include "base/memory.h"
#include "geom/curve_parts.h"
#include "geom/region.h"

#include <math.h>
#include <string.h>

// a file must give the radius
void lithe_particles_defaults(void *entry) {
    LitheParticlesEntry *particles = entry;
    *particles = (LitheParticlesEntry){.def = lithe_particles_def_default()};
    particles->def.radius = 0;
}

// Those of all sets so far. A set is counted once: there may be a million.
static int64_t count_all(LitheReader *reader) {
    const LitheScene *scene = reader->scene;
    while (reader->counted_sets < scene->particle_set_count)
        reader->particle_count += scene->particles[reader->counted_sets++].count;
    return reader->particle_count;
}

// The limits of `fill` bound the loops that follow.
static bool check_fill(LitheReader *reader, const LitheTreeNode *node, LitheParticlesEntry *entry) {
    LitheFillDef *fill = &entry->fill;
    const LitheTreeNode *box = lithe_tree_find(node, "box");
    const LitheTreeNode *cylinder = lithe_tree_find(node, "cylinder");
    char text[200];
    if (!box == !cylinder)
        return lithe_read_fail(reader, node, "%s cylinder, one is expected",
                               box ? "has box and" : "has neither box nor");
    fill->region.kind = box ? LITHE_REGION_BOX : LITHE_REGION_CYLINDER;
    if (lithe_region_wrong(&fill->region, text, sizeof text))
        return lithe_read_fail(reader, box ? box : cylinder, "%s: %s", box ? "box" : "cylinder",
                               text);
    double radius = entry->def.radius;
    if (entry->def.radii)
        return lithe_read_fail(reader, node, "needs one radius for all, but radii are given");
    if (!(radius > 0) || !isfinite(radius))
        return lithe_read_fail(reader, node, "needs a radius, which is %.9g m, must be > 0",
                               radius);
    if (!lithe_tree_find(node, "spacing"))
        fill->spacing = LITHE_FILL_SPACING * radius;
    if (!(fill->spacing >= 2 * radius) || !isfinite(fill->spacing))
        return lithe_read_fail(reader, node, "spacing is %.9g m, must be >= 2 radius, %.9g m",
                               fill->spacing, 2 * radius);
    if (!(fill->jitter >= 0 && fill->jitter <= 1))
        return lithe_read_fail(reader, node, "jitter is %.9g, must be from 0 to 1", fill->jitter);
    if (lithe_tree_find(node, "count") && fill->count < 1)
        return lithe_read_fail(reader, node, "count is %d, must be >= 1", fill->count);
    return true;
}

static bool too_many(LitheReader *reader, const LitheTreeNode *node, const char *more,
                     int64_t count) {
    return lithe_read_fail(reader, node, "makes %s%lld particles in the scene, the max is %d", more,
                           (long long)count, LITHE_MOST_PARTICLES);
}

static bool read_fill(LitheReader *reader, const LitheTreeNode *node, LitheParticlesEntry *entry) {
    if (!check_fill(reader, node, entry))
        return false;
    const LitheFillDef *def = &entry->fill;
    int64_t before = count_all(reader);
    int32_t left = (int32_t)(LITHE_MOST_PARTICLES - before);
    LitheFill fill = {
        def->region, entry->def.radius, def->spacing, def->jitter, (uint64_t)(int64_t)def->seed,
        left + 1};
    if (def->count > 0 && def->count < fill.max)
        fill.max = def->count;
    // counted first, so that no more than the limit is allocated
    int32_t count = lithe_fill(&fill, NULL);
    if (count < 0)
        return lithe_read_fail(reader, node,
                               "the lattice has more than 1e8 sites around this region; make the "
                               "region smaller or the spacing larger");
    if (count == 0)
        return lithe_read_fail(reader, node,
                               "no particle fits: the region has no room for a ball of radius "
                               "%.9g m",
                               fill.radius);
    if (count > left)
        return too_many(reader, node, "more than ", LITHE_MOST_PARTICLES);
    LitheVec3 *positions = lithe_read_push(reader, count, sizeof *positions);
    if (!positions)
        return false;
    entry->def.count = lithe_fill(&fill, positions);
    entry->def.positions = positions;
    return true;
}

static bool read_points(LitheReader *reader, LitheParticlesEntry *entry) {
    LitheVec3 *points = NULL;
    int32_t count = 0;
    reader->status =
        lithe_curve_read(reader->tree->context, entry->path, &points, &count, reader->error);
    if (reader->status != LITHE_OK)
        return false;
    LitheVec3 *own = lithe_read_note_input(reader, entry->path)
                         ? lithe_read_push(reader, count, sizeof *own)
                         : NULL;
    if (own)
        memcpy(own, points, (size_t)count * sizeof *own);
    lithe_free(reader->tree->context, points);
    entry->def.positions = own;
    entry->def.count = count;
    return own != NULL;
}

static bool check_length(LitheReader *reader, const LitheTreeNode *node, const char *key,
                         int32_t have, int32_t wanted) {
    return have == 0 || have == wanted ||
           lithe_read_fail(reader, lithe_tree_find(node, key),
                           "%s has %d values, but there are %d particles", key, have, wanted);
}

// Exactly one of four keys gives the positions.
bool lithe_finish_particles(LitheReader *reader, const LitheTreeNode *node, void *of) {
    static const char *const keys[] = {"at", "positions", "file", "fill"};
    LitheParticlesEntry *entry = of;
    const LitheTreeNode *given = NULL;
    for (int i = 0; i < 4; i++) {
        const LitheTreeNode *child = lithe_tree_find(node, keys[i]);
        if (child && given)
            return lithe_read_fail(reader, child, "%s and %s are both given, one is expected",
                                   given->key, child->key);
        given = child ? child : given;
    }
    if (!given)
        return lithe_read_fail(reader, node, "one of at, positions, file and fill is expected");
    const LitheTreeNode *mass = lithe_tree_find(node, "mass");
    if (mass && !(entry->def.mass > 0)) // 0 requests the density of the material
        return lithe_read_fail(reader, mass, "mass is %.9g kg, must be > 0", entry->def.mass);
    if (!lithe_tree_find(node, "radius") && !lithe_tree_find(node, "diameter") && !entry->def.radii)
        return lithe_read_fail(reader, node, "radius is missing");
    size_t length = lithe_read_enter(reader, given->key);
    if ((strcmp(given->key, "fill") == 0 && !read_fill(reader, given, entry)) ||
        (strcmp(given->key, "file") == 0 && !read_points(reader, entry)))
        return false;
    if (strcmp(given->key, "at") == 0) {
        entry->def.positions = &entry->at;
        entry->def.count = 1;
    }
    int64_t together = count_all(reader) + entry->def.count;
    if (together > LITHE_MOST_PARTICLES)
        return too_many(reader, given, "", together);
    lithe_read_leave(reader, length);
    return check_length(reader, node, "radii", entry->radii_count, entry->def.count) &&
           check_length(reader, node, "masses", entry->masses_count, entry->def.count);
}

void lithe_write_particles(LitheWriter *w, const LitheTable *table, void *entry,
                           const void *defaults) {
    LitheParticlesEntry *own = entry;
    own->radii_count = own->masses_count = own->def.count;
    lithe_write_object(w, own->def.name, table, own, defaults);
}
