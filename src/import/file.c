// SPDX-License-Identifier: Apache-2.0
// import/file.c - files of a robot: only those inside its folder, each mesh read once

#define _GNU_SOURCE // realpath

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "geom/mesh_file_parts.h"
#include "import/import.h"
#include "scene/input.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --- paths ---------------------------------------------------------------------------------------

/// Whether the real path `path` lies below the real path `folder`.
static bool is_below(const char *path, const char *folder) {
    size_t length = strlen(folder);
    if (length > 0 && folder[length - 1] == '/') // the root of the file system
        length--;
    return strncmp(path, folder, length) == 0 && path[length] == '/';
}

/// Joins two parts of a path; false when the result is too long for the system.
static bool join(char *out, const char *folder, const char *rest) {
    int length = snprintf(out, PATH_MAX, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, rest);
    return length > 0 && length < PATH_MAX;
}

static LitheStatus keep_path(LitheImport *import, const char *real, const char **path) {
    *path = lithe_xml_keep_text(&import->xml, real);
    return *path ? LITHE_OK : lithe_import_fail_memory(import);
}

LitheStatus lithe_import_resolve(LitheImport *import, const LitheXmlNode *node, const char *base,
                                 const char *named, const char **path) {
    char joined[PATH_MAX], real[PATH_MAX];
    if (!import->folder)
        return lithe_import_fail(import, node, "<%s>: a robot given as text cannot refer to files",
                                 node->name);
    if (!*named)
        return lithe_import_fail(import, node, "<%s>: the name of the file is empty", node->name);
    if (strstr(named, "://"))
        return lithe_import_fail(import, node,
                                 "<%s>: '%.200s': only plain paths and package:// are supported",
                                 node->name, named);
    if (named[0] == '/' ? strlen(named) >= PATH_MAX : !join(joined, base, named))
        return lithe_import_fail(import, node, "<%s>: the path '%.60s...' is too long", node->name,
                                 named);
    if (!realpath(named[0] == '/' ? named : joined, real))
        return lithe_import_fail(import, node, "<%s>: cannot read '%.200s': %s", node->name, named,
                                 strerror(errno));
    if (!is_below(real, import->folder))
        return lithe_import_fail(import, node,
                                 "<%s>: '%.200s' is outside the robot's folder %.200s: refused",
                                 node->name, named, import->folder);
    return keep_path(import, real, path);
}

LitheStatus lithe_import_resolve_package(LitheImport *import, const LitheXmlNode *node,
                                         const char *named, const char **path) {
    char folder[PATH_MAX], package[PATH_MAX], joined[PATH_MAX], real[PATH_MAX], home[PATH_MAX];
    const char *rest = named + strlen("package://");
    size_t width = strcspn(rest, "/");
    if (!import->folder)
        return lithe_import_fail(import, node, "<%s>: a robot given as text cannot refer to files",
                                 node->name);
    if (width == 0 || !rest[width] || strncmp(rest, ".", width) == 0 ||
        strncmp(rest, "..", width) == 0 || strlen(rest) >= 1000)
        return lithe_import_fail(import, node, "<%s>: '%.200s' is not package://NAME/PATH",
                                 node->name, named);
    snprintf(package, sizeof package, "%.*s", (int)width, rest);
    snprintf(folder, sizeof folder, "%s", import->folder);
    for (;;) {
        if (join(joined, folder, rest) && realpath(joined, real) && join(joined, folder, package) &&
            realpath(joined, home)) {
            if (is_below(real, home))
                return keep_path(import, real, path);
            return lithe_import_fail(import, node, "<%s>: '%.200s' is outside %.200s: refused",
                                     node->name, named, home);
        }
        // the parent folder, until the root
        char *slash = strrchr(folder, '/');
        if (!slash || !slash[1])
            break;
        slash[slash == folder] = 0;
    }
    return lithe_import_fail(import, node,
                             "<%s>: '%.200s' was not found in the robot's folder or in one of its "
                             "parent folders",
                             node->name, named);
}

// --- bytes ---------------------------------------------------------------------------------------

LitheStatus lithe_import_read_file(LitheContext *context, const char *path, char **bytes,
                                   size_t *length, LitheError *error) {
    const LitheFileLimit limit = {LITHE_XML_BYTES, LITHE_BAD_INPUT, "the bytes of a robot"};
    return lithe_file_read(context, path, &limit, bytes, length, error);
}

// --- meshes --------------------------------------------------------------------------------------

bool lithe_import_mesh_known(const char *path) {
    return lithe_mesh_file_known(path) || lithe_mesh_file_ends_in(path, ".dae");
}

LitheStatus lithe_import_keep_mesh(LitheImport *import, const LitheImportMesh *mesh) {
    if (!LITHE_RESERVE(import->context, import->meshes, import->mesh_capacity,
                       (int64_t)import->mesh_count + 1)) {
        LitheMeshFile data = mesh->data;
        lithe_mesh_file_free(import->context, &data);
        return lithe_import_fail_memory(import);
    }
    import->meshes[import->mesh_count++] = *mesh;
    return LITHE_OK;
}

static const LitheImportMesh *find_mesh(const LitheImport *import, const char *path, bool whole,
                                        int32_t part) {
    for (int32_t i = 0; i < import->mesh_count; i++) {
        const LitheImportMesh *mesh = &import->meshes[i];
        if (mesh->whole == whole && mesh->part == part && strcmp(mesh->path, path) == 0)
            return mesh;
    }
    return NULL;
}

static LitheStatus load_mesh(LitheImport *import, const LitheXmlNode *node, const char *path,
                             bool whole) {
    if (!lithe_scene_add_input(import->scene, path))
        return lithe_import_fail_memory(import);
    if (lithe_mesh_file_ends_in(path, ".dae"))
        return lithe_import_dae(import, node, path, whole);
    LitheImportMesh mesh = {.path = path, .colour = {-1, -1, -1}, .whole = whole};
    LitheError inner = {0};
    LitheStatus status = lithe_mesh_file_read(import->context, path, &mesh.data, &inner);
    if (status == LITHE_NO_MEMORY)
        return lithe_import_fail_memory(import);
    if (status)
        return lithe_fail_at(import->error, status, node->file, node->line, 0, "<%s>: %.800s",
                             node->name, inner.text);
    return lithe_import_keep_mesh(import, &mesh);
}

LitheStatus lithe_import_mesh(LitheImport *import, const LitheXmlNode *node, const char *path,
                              Vec3 scale, int32_t part, LitheGeomDef *geom, bool *more) {
    if (scale.x == 0 || scale.y == 0 || scale.z == 0)
        return lithe_import_fail(import, node, "<%s>: scale is %g %g %g, must not be 0", node->name,
                                 scale.x, scale.y, scale.z);
    // files without parts are the same either way
    bool whole = !geom->visual || !lithe_mesh_file_ends_in(path, ".dae");
    LitheStatus status =
        find_mesh(import, path, whole, 0) ? LITHE_OK : load_mesh(import, node, path, whole);
    if (status)
        return status;
    *more = find_mesh(import, path, whole, part + 1) != NULL;
    const LitheImportMesh *found = find_mesh(import, path, whole, part);
    const LitheMeshFile *mesh = &found->data;
    if (geom->visual && found->colour.x >= 0)
        geom->colour = found->colour;
    import->point_total += mesh->point_count + mesh->triangle_count;
    if (import->point_total > LITHE_IMPORT_POINTS)
        return lithe_import_fail(import, node,
                                 "<%s>: the meshes of this robot have more than %d points and "
                                 "triangles together",
                                 node->name, LITHE_IMPORT_POINTS);
    Vec3 *points = lithe_xml_keep(&import->xml, mesh->point_count, sizeof *points);
    int32_t *triangles =
        lithe_xml_keep(&import->xml, 3 * (int64_t)mesh->triangle_count, sizeof *triangles);
    if (!points || !triangles)
        return lithe_import_fail_memory(import);
    for (int32_t i = 0; i < mesh->point_count; i++) {
        Vec3 p = mesh->points[i];
        points[i] = v3(scale.x * p.x, scale.y * p.y, scale.z * p.z);
    }
    // mirroring reverses the orientation of a triangle
    bool mirrored = (scale.x < 0) != ((scale.y < 0) != (scale.z < 0));
    for (int32_t i = 0; i < mesh->triangle_count; i++) {
        const int32_t *from = mesh->triangles + 3 * (size_t)i;
        int32_t *to = triangles + 3 * (size_t)i;
        to[0] = from[0];
        to[1] = from[mirrored ? 2 : 1];
        to[2] = from[mirrored ? 1 : 2];
    }
    geom->points = points;
    geom->point_count = mesh->point_count;
    geom->triangles = triangles;
    geom->triangle_count = mesh->triangle_count;
    return LITHE_OK;
}
