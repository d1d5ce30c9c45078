// SPDX-License-Identifier: Apache-2.0
// record/body_columns.c - shapes of bodies as constants of a recording, and fixed poses

#include "record/body_columns.h"

#include "base/memory.h"
#include "base/status.h"
#include "geom/geom_keys.h"
#include "record/quantity.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_CAPACITY = 512 };

// One shape while its columns are added.
typedef struct Adding {
    const LitheModel *model;
    LitheLayout *layout;
    const char *body;
    int32_t shape;
} Adding;

static LitheStatus add(const Adding *to, const char *what, const char *unit, const char *axes,
                       LitheColumnKind kind, int32_t rank, const int64_t *dims,
                       const double *values, LitheError *error) {
    char path[PATH_CAPACITY];
    snprintf(path, sizeof path, "bodies/%s/shapes/%d/%s", to->body, to->shape, what);
    return lithe_layout_add_constant(to->layout, path, unit, axes, kind, rank, dims, values, error);
}

// --- triangles -----------------------------------------------------------------------------------

static LitheStatus add_triangles(const Adding *to, const Vec3 *points, int32_t point_count,
                                 const int32_t *triangles, int32_t triangle_count,
                                 LitheError *error) {
    LitheContext *context = to->model->context;
    const int64_t point_dims[2] = {point_count, 3}, triangle_dims[2] = {triangle_count, 3};
    double *x = lithe_alloc_array(context, 3 * (int64_t)point_count, sizeof(double));
    double *corners = lithe_alloc_array(context, 3 * (int64_t)triangle_count, sizeof(double));
    LitheStatus status = LITHE_OK;
    if (!x || !corners)
        status = lithe_fail_memory(error, "the triangles of a shape");
    for (int32_t i = 0; status == LITHE_OK && i < point_count; i++)
        v3_store(points[i], x + 3 * i);
    for (int32_t i = 0; status == LITHE_OK && i < 3 * triangle_count; i++)
        corners[i] = triangles[i];
    if (status == LITHE_OK)
        status = add(to, "points", "m", "point xyz", LITHE_COLUMN_REAL, 2, point_dims, x, error);
    if (status == LITHE_OK)
        status = add(to, "triangles", "1", "triangle corner", LITHE_COLUMN_INTEGER, 2,
                     triangle_dims, corners, error);
    lithe_free(context, x);
    lithe_free(context, corners);
    return status;
}

// Faces of a hull as fans of triangles.
static LitheStatus add_hull(const Adding *to, const LitheHull *hull, LitheError *error) {
    LitheContext *context = to->model->context;
    int32_t count = 0;
    for (int32_t f = 0; f < hull->face_count; f++)
        count += hull->face_start[f + 1] - hull->face_start[f] - 2;
    int32_t *triangles = lithe_alloc_array(context, 3 * (int64_t)count, sizeof *triangles);
    if (!triangles)
        return lithe_fail_memory(error, "the triangles of a shape");
    int32_t at = 0;
    for (int32_t f = 0; f < hull->face_count; f++)
        for (int32_t k = hull->face_start[f] + 1; k + 1 < hull->face_start[f + 1]; k++) {
            triangles[at++] = hull->face_points[hull->face_start[f]];
            triangles[at++] = hull->face_points[k];
            triangles[at++] = hull->face_points[k + 1];
        }
    LitheStatus status =
        add_triangles(to, hull->points, hull->point_count, triangles, count, error);
    lithe_free(context, triangles);
    return status;
}

static LitheStatus add_outline(const Adding *to, const LitheGeom *geom, LitheError *error) {
    LitheContext *context = to->model->context;
    const int64_t dims[2] = {geom->profile_count, 2};
    double *pairs = lithe_alloc_array(context, 2 * (int64_t)geom->profile_count, sizeof(double));
    if (!pairs)
        return lithe_fail_memory(error, "the outline of a shape");
    for (int32_t i = 0; i < geom->profile_count; i++) {
        pairs[2 * i] = geom->profile_z[i];
        pairs[2 * i + 1] = geom->profile_r[i];
    }
    LitheStatus status =
        add(to, "outline", "m", "corner zr", LITHE_COLUMN_REAL, 2, dims, pairs, error);
    lithe_free(context, pairs);
    return status;
}

// --- one shape -----------------------------------------------------------------------------------

// How a shape looks: both columns only where they are not the defaults.
static LitheStatus add_look(const Adding *to, LitheVec3 colour, bool visual, LitheError *error) {
    const double rgb[3] = {colour.x, colour.y, colour.z}, yes = 1;
    const int64_t three[1] = {3};
    LitheStatus status = LITHE_OK;
    if (!(colour.x < 0))
        status = add(to, "colour", "1", "rgb", LITHE_COLUMN_REAL, 1, three, rgb, error);
    if (status == LITHE_OK && visual)
        status = add(to, "visual", "1", "", LITHE_COLUMN_INTEGER, 0, NULL, &yes, error);
    return status;
}

// Kind, place and size; a half-space has no size.
static LitheStatus add_frame(const Adding *to, const LitheGeom *geom, const LithePose *local,
                             LitheError *error) {
    char path[PATH_CAPACITY];
    snprintf(path, sizeof path, "bodies/%s/shapes/%d/kind", to->body, to->shape);
    LitheStatus status =
        lithe_layout_add_text(to->layout, path, lithe_geom_keys[geom->kind], error);
    const double place[7] = {local->at.x, local->at.y, local->at.z, local->q.w,
                             local->q.x,  local->q.y,  local->q.z};
    const int64_t seven[1] = {7}, three[1] = {3};
    if (status == LITHE_OK)
        status = add(to, "place", "m, 1", "pose", LITHE_COLUMN_REAL, 1, seven, place, error);
    if (status != LITHE_OK || geom->kind == LITHE_GEOM_HALF_SPACE)
        return status;

    // edges of the bounding box; simple shapes are centred in it
    double size[3];
    v3_store(v3_sub(geom->high, geom->low), size);
    return add(to, "size", "m", "xyz", LITHE_COLUMN_REAL, 1, three, size, error);
}

static LitheStatus add_shape(const Adding *to, const LitheGeom *geom, const LithePose *local,
                             LitheError *error) {
    LitheStatus status = add_frame(to, geom, local, error);
    if (status != LITHE_OK)
        return status;
    if (geom->hull)
        return add_hull(to, geom->hull, error);
    if (geom->mesh)
        return add_triangles(to, geom->mesh->points, geom->mesh->point_count, geom->mesh->triangles,
                             geom->mesh->triangle_count, error);
    if (geom->kind == LITHE_GEOM_REVOLUTION)
        return add_outline(to, geom, error);
    return LITHE_OK;
}

// --- all bodies ----------------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

// the name that is the first `length` letters of `name`; NULL: there is none
static const char *find_name(const char *const *sorted, int32_t count, const char *name,
                             size_t length) {
    int32_t low = 0, high = count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2, order = strncmp(sorted[middle], name, length);
        if (order == 0 && sorted[middle][length] == '\0')
            return sorted[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle; // a longer name comes after the one that is searched
    }
    return NULL;
}

// A body 'arm' and a link 'pose' of a robot 'arm' would need a dataset and a group with the same
// path. Sorts the names.
static LitheStatus check_names(const char **names, int32_t count, const char *const *words,
                               const char *what, LitheError *error) {
    qsort(names, (size_t)count, sizeof *names, by_name);
    for (int32_t i = 0; i < count; i++)
        for (const char *cut = strchr(names[i], '/'); cut; cut = strchr(cut + 1, '/'))
            for (const char *const *word = words; *word; word++) {
                if (strcspn(cut + 1, "/") != strlen(*word) ||
                    strncmp(cut + 1, *word, strlen(*word)) != 0)
                    continue;
                const char *owner = find_name(names, count, names[i], (size_t)(cut - names[i]));
                if (owner)
                    return lithe_fail(error, LITHE_BAD_INPUT,
                                      "%s '%s': its path in a recording is that of '%s' of the %s "
                                      "'%s'; rename one of them",
                                      what, names[i], *word, what, owner);
            }
    return LITHE_OK;
}

static LitheStatus check_all_names(const LitheModel *model, LitheError *error) {
    static const char *const of_body[] = {"pose", "shapes", "material", NULL};
    static const char *const of_joint[] = {"position", "velocity", "effort", NULL};
    int32_t max = model->body_count > model->joint_count ? model->body_count : model->joint_count;
    const char **names = lithe_alloc_array(model->context, max, sizeof *names);
    if (!names)
        return lithe_fail_memory(error, "names");
    for (int32_t i = 0; i < model->body_count; i++)
        names[i] = model->bodies[i].name;
    LitheStatus status = check_names(names, model->body_count, of_body, "body", error);
    for (int32_t i = 0; i < model->joint_count; i++)
        names[i] = model->joints[i].name;
    if (status == LITHE_OK)
        status = check_names(names, model->joint_count, of_joint, "joint", error);
    lithe_free(model->context, names);
    return status;
}

static LitheStatus add_fixed(const LitheRigidBody *body, LitheLayout *layout, LitheError *error) {
    char path[PATH_CAPACITY];
    const int64_t seven[1] = {7};
    Quat q = q4_unit(body->frame.rotation);
    const double pose[7] = {
        body->frame.at.x, body->frame.at.y, body->frame.at.z, q.w, q.x, q.y, q.z};
    snprintf(path, sizeof path, "bodies/%s/pose", body->name);
    return lithe_layout_add_constant(layout, path, "m, 1", "pose", LITHE_COLUMN_REAL, 1, seven,
                                     pose, error);
}

// The material of all shapes of a body, the first of which is `first`; -1: they have several, or
// none.
static int32_t material_of(const LitheModel *model, int32_t first) {
    const LitheModelGeom *geoms = model->geoms;
    for (int32_t k = first; k < model->geom_count && geoms[k].body == geoms[first].body; k++)
        if (geoms[k].material != geoms[first].material)
            return -1;
    return geoms[first].material;
}

// Visual shapes are numbered after the shapes of their body that touch.
static LitheStatus add_visuals(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = LITHE_OK;
    Adding to = {.model = model, .layout = layout};
    int32_t geom = 0;
    for (int32_t k = 0; status == LITHE_OK && k < model->visual_count; k++) {
        const LitheModelVisual *visual = &model->visuals[k];
        bool first = k == 0 || visual->body != model->visuals[k - 1].body;
        to.shape = first ? 0 : to.shape + 1;
        for (; geom < model->geom_count && model->geoms[geom].body <= visual->body; geom++)
            to.shape += model->geoms[geom].body == visual->body;
        to.body = model->bodies[visual->body].name;
        status = add_shape(&to, &visual->geom, &visual->local, error);
        if (status == LITHE_OK && visual->points)
            status = add_triangles(&to, visual->points, visual->point_count, visual->triangles,
                                   visual->triangle_count, error);
        if (status == LITHE_OK)
            status = add_look(&to, visual->colour, true, error);
    }
    return status;
}

LitheStatus lithe_body_columns(const LitheModel *model, LitheLayout *layout, LitheError *error) {
    LitheStatus status = check_all_names(model, error);
    for (int32_t i = 0; status == LITHE_OK && i < model->body_count; i++)
        if (model->bodies[i].unit < 0)
            status = add_fixed(&model->bodies[i], layout, error);
    Adding to = {.model = model, .layout = layout};
    for (int32_t k = 0; status == LITHE_OK && k < model->geom_count; k++) {
        bool first = k == 0 || model->geoms[k].body != model->geoms[k - 1].body;
        to.shape = first ? 0 : to.shape + 1;
        to.body = model->bodies[model->geoms[k].body].name;
        status = add_shape(&to, &model->geoms[k].geom, &model->geoms[k].local, error);
        if (status == LITHE_OK)
            status = add_look(&to, model->geoms[k].colour, false, error);
        if (status == LITHE_OK && first)
            status = lithe_layout_add_material(model, layout, "bodies", to.body,
                                               material_of(model, k), error);
    }
    return status == LITHE_OK ? add_visuals(model, layout, error) : status;
}
