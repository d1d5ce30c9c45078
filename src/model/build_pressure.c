// SPDX-License-Identifier: Apache-2.0
// model/build_pressure.c - pressures and cavities of solids: their faces, rims and volumes

#include "model/build_solid.h"

#include "base/memory.h"
#include "base/status.h"
#include "law/pressure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- faces ---------------------------------------------------------------------------------------

LitheStatus lithe_faces_select(LitheContext *context, const LitheTetSurface *surface,
                               const unsigned char *marked, int32_t **faces, int32_t *count,
                               LitheError *error) {
    int32_t width = surface->nodes_per_triangle;
    *faces = lithe_alloc_array(context, (int64_t)surface->triangle_count * width, sizeof **faces);
    if (!*faces)
        return lithe_fail_memory(error, "faces of a solid");
    for (int32_t i = 0; i < surface->triangle_count; i++) {
        const int32_t *face = surface->triangles + (int64_t)i * width;
        int32_t in = 0;
        while (in < width && marked[face[in]])
            in++;
        if (in < width)
            continue;
        memcpy(*faces + (int64_t)width * (*count)++, face, (size_t)width * sizeof *face);
    }
    return LITHE_OK;
}

// --- the rim -------------------------------------------------------------------------------------

// An edge of a face: its corners in ascending order, its midpoint or -1.
typedef struct Edge {
    int32_t low, high, middle;
} Edge;

static int by_corners(const void *a, const void *b) {
    const Edge *s = a, *t = b;
    if (s->low != t->low)
        return s->low < t->low ? -1 : 1;
    return s->high < t->high ? -1 : s->high > t->high;
}

// sorts the edges that belong to one face only to the front; returns their number, -1 when out of
// memory
static int64_t find_rim(LitheContext *context, const LithePressure *own, Edge **out) {
    int64_t count = 3 * (int64_t)own->face_count, rim = 0;
    Edge *edges = *out = lithe_alloc_array(context, count, sizeof *edges);
    if (!edges)
        return -1;
    for (int64_t i = 0; i < count; i++) {
        const int32_t *face = own->faces + i / 3 * own->face_nodes;
        int32_t a = face[i % 3], b = face[(i + 1) % 3];
        edges[i] =
            (Edge){a < b ? a : b, a < b ? b : a, own->face_nodes == 6 ? face[3 + i % 3] : -1};
    }
    qsort(edges, (size_t)count, sizeof *edges, by_corners);
    for (int64_t i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && by_corners(&edges[i], &edges[next]) == 0;)
            next++;
        if (next == i + 1)
            edges[rim++] = edges[i];
    }
    return rim;
}

static bool is_held(const LitheSolid *solid, int32_t node) {
    const unsigned char *held = solid->held + 3 * (int64_t)node;
    return node < 0 || (held[0] && held[1] && held[2]);
}

LitheStatus lithe_pressures_find_open(LitheContext *context, LitheSolid *solid, LitheError *error) {
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        LithePressure *own = &solid->pressures[k];
        Edge *edges;
        int64_t rim = find_rim(context, own, &edges);
        if (rim < 0)
            return lithe_fail_memory(error, "the rim of a pressure");
        own->closed = rim == 0;
        for (int64_t i = 0; i < rim; i++)
            own->open |= !is_held(solid, edges[i].low) || !is_held(solid, edges[i].high) ||
                         !is_held(solid, edges[i].middle);
        lithe_free(context, edges);
    }
    return LITHE_OK;
}

// --- cavities ------------------------------------------------------------------------------------

static double volume_of(const LitheSolid *solid, const LithePressure *own) {
    double volume = 0;
    Vec3 about = solid->mesh.nodes[own->faces[0]];
    for (int32_t i = 0; i < own->face_count; i++) {
        Vec3 x[LITHE_FACE_NODES];
        LitheFaceTerms terms;
        for (int32_t a = 0; a < own->face_nodes; a++)
            x[a] = v3_sub(solid->mesh.nodes[own->faces[(int64_t)i * own->face_nodes + a]], about);
        lithe_face_terms(own->face_nodes, x, false, &terms);
        volume -= terms.volume; // the faces point into the cavity
    }
    return volume;
}

// a cavity must be closed, around a hollow and not around the solid
static LitheStatus check_cavity(const LitheScene *scene, const LitheCavityDef *def,
                                const LitheSolid *solid, LithePressure *own, LitheError *error) {
    char path[256];
    Edge *edges;
    snprintf(path, sizeof path, "cavities.%s.on", def->name);
    int64_t rim = find_rim(scene->context, own, &edges);
    if (rim < 0)
        return lithe_fail_memory(error, "the rim of a cavity");
    Edge first = rim > 0 ? edges[0] : (Edge){0};
    lithe_free(scene->context, edges);
    if (rim > 0) {
        Vec3 a = solid->mesh.nodes[first.low], b = solid->mesh.nodes[first.high];
        return lithe_scene_fail(
            scene, error, path,
            "cavity '%s': its %d faces of solid '%s' are not closed: %lld edges belong to one face "
            "only, the first from node %d at (%.4g, %.4g, %.4g) m to node %d at (%.4g, %.4g, %.4g) "
            "m",
            def->name, own->face_count, solid->name, (long long)rim, first.low, a.x, a.y, a.z,
            first.high, b.x, b.y, b.z);
    }
    own->volume = volume_of(solid, own);
    if (!(own->volume > 0))
        return lithe_scene_fail(scene, error, path,
                                "cavity '%s': its faces enclose solid '%s' itself, %.4g m^3, and "
                                "no hollow of it: name the inner surface",
                                def->name, solid->name, -own->volume);
    return LITHE_OK;
}

// --- all of a solid ------------------------------------------------------------------------------

// What the pressures of a solid are made from.
typedef struct Maker {
    const LitheScene *scene;
    LitheMembers *members;
    LitheTetSurface surface;
    unsigned char *marked; // [node_count]
    LitheSolid *solid;
    LitheError *error;
} Maker;

// a pressure on the faces of the members
static LitheStatus add(Maker *m, const char *kind, const char *name,
                       const LitheProfileDef *profile) {
    LitheContext *context = m->scene->context;
    LitheSolid *solid = m->solid;
    LithePressure *own = &solid->pressures[solid->pressure_count++];
    own->name = lithe_alloc_text(context, name);
    if (!own->name || !lithe_profile_copy(context, profile, &own->profile))
        return lithe_fail_memory(m->error, "a pressure");
    memset(m->marked, 0, (size_t)solid->mesh.node_count);
    for (int32_t i = 0; i < m->members->count; i++)
        m->marked[m->members->list[i]] = 1;
    own->face_nodes = m->surface.nodes_per_triangle;
    LitheStatus status = lithe_faces_select(context, &m->surface, m->marked, &own->faces,
                                            &own->face_count, m->error);
    if (status != LITHE_OK || own->face_count > 0)
        return status;
    char path[256];
    snprintf(path, sizeof path, "%s.%s.on", strcmp(kind, "cavity") ? "pressures" : "cavities",
             name);
    return lithe_scene_fail(m->scene, m->error, path,
                            "%s '%s': no face of the surface of solid '%s' has all its nodes among "
                            "the %d of this place",
                            kind, name, solid->name, m->members->count);
}

// a hollow has one pressure: with the nodes of a cavity marked, its faces are in no other cavity
static LitheStatus check_shared(const Maker *m, const LitheCavityDef *def) {
    for (int32_t k = 0; k + 1 < m->solid->pressure_count; k++) {
        const LithePressure *other = &m->solid->pressures[k];
        for (int32_t i = 0; other->cavity && i < other->face_count; i++) {
            const int32_t *face = other->faces + (int64_t)i * other->face_nodes;
            int32_t inside = 0;
            while (inside < other->face_nodes && m->marked[face[inside]])
                inside++;
            if (inside < other->face_nodes)
                continue;
            char path[256];
            Vec3 at = m->solid->mesh.nodes[face[0]];
            snprintf(path, sizeof path, "cavities.%s.on", def->name);
            return lithe_scene_fail(m->scene, m->error, path,
                                    "cavity '%s': it shares a face at (%.4g, %.4g, %.4g) m with "
                                    "cavity '%s', and a hollow has one pressure",
                                    def->name, at.x, at.y, at.z, other->name);
        }
    }
    return LITHE_OK;
}

static LitheStatus add_cavity(Maker *m, const LitheCavityDef *def) {
    const LitheProfileDef *g = &def->gas;
    bool gas = g->count > 0 || g->value != 0 || g->rate != 0 || g->amplitude != 0;
    LitheStatus status = add(m, "cavity", def->name, gas ? &def->gas : &def->pressure);
    if (status == LITHE_OK)
        status = check_shared(m, def);
    if (status != LITHE_OK)
        return status;
    LithePressure *own = &m->solid->pressures[m->solid->pressure_count - 1];
    own->cavity = true;
    own->gas = gas;
    own->outside = def->outside;
    own->exponent = def->exponent;
    return check_cavity(m->scene, def, m->solid, own, m->error);
}

static LitheStatus add_all(Maker *m) {
    const LitheScene *scene = m->scene;
    LitheStatus status = LITHE_OK;
    for (int32_t k = 0; status == LITHE_OK && k < scene->pressure_count; k++) {
        const LithePressureDef *def = &scene->pressures[k];
        status =
            lithe_members_find(scene, &def->place, "pressure", def->name, m->members, m->error);
        if (status == LITHE_OK && m->members->count > 0)
            status = add(m, "pressure", def->name, &def->pressure);
    }
    for (int32_t k = 0; status == LITHE_OK && k < scene->cavity_count; k++) {
        const LitheCavityDef *def = &scene->cavities[k];
        status = lithe_members_find(scene, &def->place, "cavity", def->name, m->members, m->error);
        if (status == LITHE_OK && m->members->count > 0)
            status = add_cavity(m, def);
    }
    return status;
}

LitheStatus lithe_build_pressures(const LitheScene *scene, LitheMembers *members, LitheSolid *solid,
                                  LitheError *error) {
    LitheContext *context = scene->context;
    int32_t most = scene->pressure_count + scene->cavity_count;
    if (most == 0)
        return LITHE_OK;
    Maker m = {.scene = scene, .members = members, .solid = solid, .error = error};
    LitheStatus status = lithe_tet_mesh_surface(context, &solid->mesh, &m.surface, error);
    m.marked = lithe_alloc_array(context, solid->mesh.node_count, 1);
    solid->pressures = lithe_alloc_array(context, most, sizeof *solid->pressures);
    if (status == LITHE_OK && (!m.marked || !solid->pressures))
        status = lithe_fail_memory(error, "the pressures");
    if (status == LITHE_OK)
        status = add_all(&m);
    lithe_free(context, m.marked);
    lithe_tet_surface_destroy(context, &m.surface);
    return status;
}

// --- in the matrix -------------------------------------------------------------------------------

LitheStatus lithe_pressures_find_entries(LitheContext *context, LitheSolid *solid,
                                         LitheError *error) {
    for (int32_t k = 0; k < solid->pressure_count; k++) {
        LithePressure *own = &solid->pressures[k];
        int32_t width = own->face_nodes, each = width * (width - 1) / 2;
        own->entries =
            lithe_alloc_array(context, (int64_t)own->face_count * each, sizeof *own->entries);
        if (!own->entries)
            return lithe_fail_memory(error, "the matrix of a pressure");
        int32_t *entry = own->entries;
        for (int32_t i = 0; i < own->face_count; i++) {
            const int32_t *node = own->faces + (int64_t)i * width;
            for (int32_t a = 0; a < width; a++)
                for (int32_t b = 0; b < a; b++) {
                    int32_t row = node[a] > node[b] ? node[a] : node[b];
                    *entry++ = lithe_block_find(solid->pattern, row, node[a] + node[b] - row);
                }
        }
    }
    return LITHE_OK;
}

void lithe_pressures_free(LitheContext *context, LitheSolid *solid) {
    for (int32_t i = 0; i < solid->pressure_count; i++) {
        LithePressure *own = &solid->pressures[i];
        lithe_profile_free(context, &own->profile);
        void *blocks[] = {own->name, own->faces, own->entries};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
            lithe_free(context, blocks[k]);
    }
    lithe_free(context, solid->pressures);
}

LitheStatus lithe_build_cavities(const LitheScene *scene, LitheModel *model, LitheError *error) {
    model->cavities = lithe_alloc_array(scene->context, scene->cavity_count, sizeof(LitheCavity));
    if (!model->cavities)
        return lithe_fail_memory(error, "the cavities");
    for (; model->cavity_count < scene->cavity_count; model->cavity_count++) {
        const char *name = scene->cavities[model->cavity_count].name;
        for (int32_t s = 0; s < model->solid_count; s++)
            for (int32_t k = 0; k < model->solids[s].pressure_count; k++) {
                const LithePressure *own = &model->solids[s].pressures[k];
                if (own->cavity && strcmp(own->name, name) == 0)
                    model->cavities[model->cavity_count] = (LitheCavity){s, k};
            }
    }
    return LITHE_OK;
}
