// SPDX-License-Identifier: Apache-2.0
// scene/solid_mesh.c - meshes of soft solids: copies, files, limits

#include "scene/solid_mesh.h"

#include "base/log.h"
#include "base/memory.h"
#include "geom/mesh_file.h"
#include "geom/tet_file.h"
#include "scene/copy.h"
#include "scene/objects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// --- copies --------------------------------------------------------------------------------------

static bool copy_integers(LitheContext *context, int32_t count, const int32_t **array) {
    const void *own = NULL;
    bool ok = lithe_copy_array(context, *array, count, sizeof **array, &own);
    *array = own;
    return ok;
}

// an array of texts, with a text each; wrong (negative) counts copy nothing
static bool copy_texts(LitheContext *context, int32_t *count, const char *const **texts) {
    const char *const *from = *texts;
    *texts = NULL;
    if (!from || *count <= 0)
        return true;
    const char **own = lithe_alloc_array(context, *count, sizeof *own);
    bool ok = own != NULL;
    for (int32_t i = 0; own && i < *count; i++) {
        own[i] = lithe_alloc_text(context, from[i] ? from[i] : "");
        ok = ok && own[i];
    }
    *count = own ? *count : 0;
    *texts = own;
    return ok;
}

bool lithe_copy_solid_mesh(LitheContext *context, LitheSolidMeshDef *mesh) {
    const void *nodes = NULL;
    bool ok = lithe_copy_text(context, &mesh->path);
    ok =
        lithe_copy_array(context, mesh->nodes, mesh->node_count, sizeof *mesh->nodes, &nodes) && ok;
    mesh->nodes = nodes;
    ok = copy_integers(context, mesh->element_numbers, &mesh->elements) && ok;
    ok = copy_integers(context, mesh->group_size_count, &mesh->group_sizes) && ok;
    ok = copy_integers(context, mesh->group_node_count, &mesh->group_nodes) && ok;
    return copy_texts(context, &mesh->group_count, &mesh->groups) && ok;
}

void lithe_release_solid_mesh(LitheContext *context, LitheSolidMeshDef *mesh) {
    lithe_free_const(context, mesh->path);
    lithe_free_const(context, mesh->nodes);
    lithe_free_const(context, mesh->elements);
    lithe_free_const(context, mesh->group_sizes);
    lithe_free_const(context, mesh->group_nodes);
    for (int32_t i = 0; mesh->groups && i < mesh->group_count; i++)
        lithe_free_const(context, mesh->groups[i]);
    lithe_free_const(context, mesh->groups);
}

// --- files ---------------------------------------------------------------------------------------

/// Copies the sets of a mesh into the lists of a def.
static bool take_groups(LitheContext *context, const LitheTetMesh *from, LitheSolidMeshDef *out) {
    int64_t total = 0;
    for (int32_t s = 0; s < from->set_count; s++)
        total += from->sets[s].count;
    const char **names = lithe_alloc_array(context, from->set_count, sizeof *names);
    int32_t *sizes = lithe_alloc_array(context, from->set_count, sizeof *sizes);
    int32_t *nodes = total <= INT32_MAX ? lithe_alloc_array(context, total, sizeof *nodes) : NULL;
    out->groups = names;
    out->group_sizes = sizes;
    out->group_nodes = nodes;
    if (!names || !sizes || !nodes)
        return false;
    out->group_count = out->group_size_count = from->set_count;
    for (int32_t s = 0; s < from->set_count; s++) {
        names[s] = lithe_alloc_text(context, from->sets[s].name);
        sizes[s] = from->sets[s].count;
        memcpy(nodes + out->group_node_count, from->sets[s].nodes,
               (size_t)sizes[s] * sizeof *nodes);
        out->group_node_count += sizes[s];
        if (!names[s])
            return false;
    }
    return true;
}

static LitheStatus read_tetrahedra(LitheContext *context, const LitheSolidMeshDef *mesh,
                                   LitheSolidMeshDef *out, LitheError *error) {
    LitheTetMesh file = {0};
    LitheTetFileInfo info = {0};
    LitheStatus status = lithe_tet_file_read(context, mesh->path, &file, &info, error);
    if (status != LITHE_OK)
        return status;
    if (info.unused_count > 0)
        lithe_log(context, LITHE_LOG_INFO,
                  "%s: %d nodes belong to no tetrahedron and are left out; the first is node %lld",
                  mesh->path, (int)info.unused_count, (long long)info.unused);
    out->kind = LITHE_SOLID_MESH_TETRAHEDRA;
    out->nodes_per_element = file.nodes_per_element;
    out->node_count = file.node_count;
    out->element_numbers = file.element_count * file.nodes_per_element;
    bool ok = take_groups(context, &file, out);
    // nodes and elements change owners
    out->nodes = file.nodes;
    out->elements = file.elements;
    file.nodes = NULL;
    file.elements = NULL;
    lithe_tet_mesh_destroy(context, &file);
    return ok ? LITHE_OK : lithe_fail_memory(error, "the mesh of a solid");
}

static LitheStatus read_surface(LitheContext *context, const LitheSolidMeshDef *mesh,
                                LitheSolidMeshDef *out, LitheError *error) {
    LitheMeshFile file = {0};
    LitheStatus status = lithe_mesh_file_read(context, mesh->path, &file, error);
    if (status != LITHE_OK)
        return status;
    out->nodes = file.points;
    out->node_count = file.point_count;
    out->elements = file.triangles;
    out->element_numbers = 3 * file.triangle_count;
    return LITHE_OK;
}

LitheStatus lithe_solid_mesh_read(LitheContext *context, const LitheSolidMeshDef *mesh,
                                  LitheSolidMeshDef *out, LitheError *error) {
    LitheSolidMeshDef own = {
        .kind = mesh->kind, .resolution = mesh->resolution, .scale = 1, .nodes_per_element = 4};
    LitheStatus status = mesh->kind == LITHE_SOLID_MESH_FILE
                             ? read_tetrahedra(context, mesh, &own, error)
                             : read_surface(context, mesh, &own, error);
    if (status != LITHE_OK) {
        lithe_release_solid_mesh(context, &own);
        return status;
    }
    LitheVec3 *nodes = (LitheVec3 *)own.nodes;
    for (int32_t i = 0; i < own.node_count; i++)
        nodes[i] = v3_scale(mesh->scale, nodes[i]);
    *out = own;
    return LITHE_OK;
}

// --- sizes ---------------------------------------------------------------------------------------

// thickness of the wall of a hollow body or of an arch; infinite for others [m]
static double wall_of(const LitheSolidMeshDef *m) {
    switch (m->kind) {
    case LITHE_SOLID_MESH_TUBE:
    case LITHE_SOLID_MESH_HOLLOW_SPHERE:
        return m->radius - m->inner;
    case LITHE_SOLID_MESH_ARCH:
    case LITHE_SOLID_MESH_BELLOWS:
    case LITHE_SOLID_MESH_FINGER:
        return m->thickness;
    default:
        return INFINITY;
    }
}

// Nothing is said of its elements but a size. Curved sides of a wall thinner than that would cross.
static bool is_by_size(const LitheSolidDef *def) {
    const LitheSolidMeshDef *m = &def->mesh;
    bool simple = m->kind >= LITHE_SOLID_MESH_CYLINDER && m->kind <= LITHE_SOLID_MESH_FINGER;
    bool box = m->kind == LITHE_SOLID_MESH_BOX && m->resolution > 0;
    return def->quadratic == LITHE_SOLID_BY_SIZE && (simple || box) &&
           wall_of(m) >= (1 - 1e-9) * m->resolution;
}

bool lithe_solid_is_quadratic(const LitheSolidDef *def) {
    return def->quadratic == LITHE_SOLID_QUADRATIC || is_by_size(def);
}

double lithe_solid_mesh_edge(const LitheSolidDef *def) {
    const LitheSolidMeshDef *m = &def->mesh;
    if (!is_by_size(def))
        return m->resolution;
    bool box = m->kind == LITHE_SOLID_MESH_BOX || m->kind == LITHE_SOLID_MESH_FINGER;
    double most = box                                ? fmax(m->size.x, fmax(m->size.y, m->size.z))
                  : m->kind == LITHE_SOLID_MESH_ARCH ? m->span
                                                     : m->radius;
    return fmax(m->resolution, fmin(2 * m->resolution, most));
}

// --- limits --------------------------------------------------------------------------------------

static void check_box(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    static const char axes[] = "xyz";
    const double size[3] = {mesh->size.x, mesh->size.y, mesh->size.z};
    const double cells[3] = {mesh->divisions.x, mesh->divisions.y, mesh->divisions.z};
    bool by_size = mesh->resolution != 0;
    double nodes = 1;
    if (by_size && v3_norm(mesh->divisions) > 0)
        lithe_check_fail(check, "resolution", "give resolution or divisions, not both");
    else if (!by_size && v3_norm(mesh->divisions) == 0)
        lithe_check_fail(
            check, "resolution",
            "resolution is 0 or missing: give resolution (a length) or divisions (cells "
            "along x, y and z)");
    if (by_size)
        lithe_check_number(check, "resolution", mesh->resolution, "m", LITHE_POSITIVE);
    for (int c = 0; c < 3 && check->status == LITHE_OK; c++) {
        if (!(size[c] > 0) || !isfinite(size[c]))
            lithe_check_fail(check, "size", "size is %.9g m along %c, must be > 0", size[c],
                             axes[c]);
        else if (by_size)
            nodes *= fmax(1, size[c] / mesh->resolution);
        else if (!(cells[c] >= 1) || cells[c] != floor(cells[c]))
            lithe_check_fail(check, "divisions",
                             "divisions are %.9g along %c, must be a whole number >= 1", cells[c],
                             axes[c]);
        if (!by_size)
            nodes *= cells[c] + 1;
    }
    if (nodes > LITHE_MAX_SOLID_NODES)
        lithe_check_fail(
            check, by_size ? "resolution" : "divisions", "%s %.9g nodes, the max is %d",
            by_size ? "resolution makes about" : "divisions make", nodes, LITHE_MAX_SOLID_NODES);
}

static void check_round(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    lithe_check_number(check, "radius", mesh->radius, "m", LITHE_POSITIVE);
    if (mesh->kind == LITHE_SOLID_MESH_CYLINDER || mesh->kind == LITHE_SOLID_MESH_TUBE)
        lithe_check_number(check, "length", mesh->length, "m", LITHE_POSITIVE);
    if (mesh->kind == LITHE_SOLID_MESH_TUBE || mesh->kind == LITHE_SOLID_MESH_HOLLOW_SPHERE)
        lithe_check_number(check, "inner", mesh->inner, "m", LITHE_POSITIVE);
}

static void check_arch(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    lithe_check_number(check, "span", mesh->span, "m", LITHE_POSITIVE);
    lithe_check_number(check, "thickness", mesh->thickness, "m", LITHE_POSITIVE);
    lithe_check_number(check, "depth", mesh->depth, "m", LITHE_POSITIVE);
    lithe_check_number(check, "angle", mesh->angle, "rad", LITHE_POSITIVE);
    if (mesh->stones < 1 || mesh->stones > 1000)
        lithe_check_fail(check, "stones", "stones are %d, must be 1 to 1000", mesh->stones);
    if (mesh->stone < 0 || mesh->stone > mesh->stones)
        lithe_check_fail(check, "stone", "stone is %d, must be 0 to %d", mesh->stone, mesh->stones);
}

static void check_bellows(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    lithe_check_number(check, "radius", mesh->radius, "m", LITHE_POSITIVE);
    lithe_check_number(check, "inner", mesh->inner, "m", LITHE_POSITIVE);
    lithe_check_number(check, "length", mesh->length, "m", LITHE_POSITIVE);
    lithe_check_number(check, "thickness", mesh->thickness, "m", LITHE_POSITIVE);
    lithe_check_number(check, "ends", mesh->depth, "m", LITHE_POSITIVE);
    if (mesh->folds < 1 || mesh->folds > 1000)
        lithe_check_fail(check, "folds", "folds are %d, must be 1 to 1000", mesh->folds);
}

static void check_finger(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    const double size[] = {mesh->size.x, mesh->size.y, mesh->size.z};
    for (int k = 0; k < 3; k++)
        lithe_check_number(check, "size", size[k], "m", LITHE_POSITIVE);
    lithe_check_number(check, "wall", mesh->thickness, "m", LITHE_POSITIVE);
    lithe_check_number(check, "floor", mesh->depth, "m", LITHE_POSITIVE);
    lithe_check_number(check, "channel", mesh->channel, "m", LITHE_POSITIVE);
    lithe_check_number(check, "gap", mesh->gap, "m", LITHE_NOT_NEGATIVE);
    if (mesh->chambers < 1 || mesh->chambers > 1000)
        lithe_check_fail(check, "chambers", "chambers are %d, must be 1 to 1000", mesh->chambers);
}

static void check_indices(LitheCheck *check, const char *key, const int32_t *list, int32_t count,
                          int32_t nodes) {
    for (int32_t i = 0; i < count && check->status == LITHE_OK; i++)
        if (list[i] < 0 || list[i] >= nodes)
            lithe_check_fail(check, key, "%s has node %d at place %d, must be 0 to %d", key,
                             list[i], i, nodes - 1);
}

static void check_lists(LitheCheck *check, const LitheSolidMeshDef *mesh, const char *key,
                        int per) {
    if (mesh->node_count < 4 || !mesh->nodes || mesh->node_count > LITHE_MAX_SOLID_NODES)
        lithe_check_fail(check, per == 3 ? "points" : "nodes", "%d nodes, must be 4 to %d",
                         mesh->nodes ? mesh->node_count : 0, LITHE_MAX_SOLID_NODES);
    else if (mesh->element_numbers < per || mesh->element_numbers % per || !mesh->elements)
        lithe_check_fail(check, key, "%s has %d numbers, must be %d for each of at least one", key,
                         mesh->elements ? mesh->element_numbers : 0, per);
    for (int32_t i = 0; i < mesh->node_count && check->status == LITHE_OK; i++)
        if (!v3_finite(mesh->nodes[i]))
            lithe_check_fail(check, per == 3 ? "points" : "nodes", "node %d is not finite", i);
    if (check->status == LITHE_OK)
        check_indices(check, key, mesh->elements, mesh->element_numbers, mesh->node_count);
}

static void check_groups(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    int64_t sum = 0;
    if (mesh->group_size_count != mesh->group_count)
        lithe_check_fail(check, "group-sizes",
                         "group-sizes has %d numbers, but there are %d groups",
                         mesh->group_size_count, mesh->group_count);
    for (int32_t i = 0; i < mesh->group_size_count && check->status == LITHE_OK; i++) {
        if (mesh->group_sizes[i] < 0)
            lithe_check_fail(check, "group-sizes", "group %d has %d nodes, must be >= 0", i,
                             mesh->group_sizes[i]);
        sum += mesh->group_sizes[i];
        for (int32_t k = 0; k < i && check->status == LITHE_OK; k++)
            if (strcmp(mesh->groups[i], mesh->groups[k]) == 0)
                lithe_check_fail(check, "groups", "groups %d and %d are both named '%s'", k, i,
                                 mesh->groups[i]);
    }
    if (check->status == LITHE_OK && sum != mesh->group_node_count)
        lithe_check_fail(check, "group-nodes",
                         "group-nodes has %d numbers, group-sizes sum to %lld",
                         mesh->group_node_count, (long long)sum);
    if (check->status == LITHE_OK)
        check_indices(check, "group-nodes", mesh->group_nodes, mesh->group_node_count,
                      mesh->node_count);
}

static void check_tetrahedra(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    if (mesh->nodes_per_element != 4 && mesh->nodes_per_element != 10)
        lithe_check_fail(check, "per-element", "per-element is %d, must be 4 or 10",
                         mesh->nodes_per_element);
    if (check->status == LITHE_OK)
        check_lists(check, mesh, "elements", mesh->nodes_per_element);
    if (check->status == LITHE_OK)
        check_groups(check, mesh);
}

static void check_surface(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    lithe_check_number(check, "scale", mesh->scale, "", LITHE_POSITIVE);
    if (check->status == LITHE_OK && !mesh->path)
        check_lists(check, mesh, "triangles", 3);
}

static void check_file(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    lithe_check_number(check, "scale", mesh->scale, "", LITHE_POSITIVE);
    if (!mesh->path || !*mesh->path)
        lithe_check_fail(check, "path", "path is missing");
}

void lithe_check_solid_mesh(LitheCheck *check, const LitheSolidMeshDef *mesh) {
    static const struct {
        const char *prefix;
        void (*check)(LitheCheck *, const LitheSolidMeshDef *);
        bool resolved;
    } kinds[LITHE_SOLID_MESH_KINDS] = {
        [LITHE_SOLID_MESH_BOX] = {"mesh.box.", check_box, false},
        [LITHE_SOLID_MESH_CYLINDER] = {"mesh.cylinder.", check_round, true},
        [LITHE_SOLID_MESH_TUBE] = {"mesh.tube.", check_round, true},
        [LITHE_SOLID_MESH_SPHERE] = {"mesh.sphere.", check_round, true},
        [LITHE_SOLID_MESH_HALF_SPHERE] = {"mesh.half-sphere.", check_round, true},
        [LITHE_SOLID_MESH_HOLLOW_SPHERE] = {"mesh.hollow-sphere.", check_round, true},
        [LITHE_SOLID_MESH_ARCH] = {"mesh.arch.", check_arch, true},
        [LITHE_SOLID_MESH_BELLOWS] = {"mesh.bellows.", check_bellows, true},
        [LITHE_SOLID_MESH_FINGER] = {"mesh.finger.", check_finger, true},
        [LITHE_SOLID_MESH_FILE] = {"mesh.file.", check_file, false},
        [LITHE_SOLID_MESH_SURFACE] = {"mesh.surface.", check_surface, true},
        [LITHE_SOLID_MESH_TETRAHEDRA] = {"mesh.tetrahedra.", check_tetrahedra, false},
    };
    check->prefix = kinds[mesh->kind].prefix;
    if (kinds[mesh->kind].resolved)
        lithe_check_number(check, "resolution", mesh->resolution, "m", LITHE_POSITIVE);
    kinds[mesh->kind].check(check, mesh);
    check->prefix = "";
}
