// SPDX-License-Identifier: Apache-2.0
// record/export_vtk.c - VTK XML poly data, arrays as base64 of a byte count and the numbers
//
// Rods are lines, surfaces triangles, balls vertices with a radius, bodies the triangles of their
// shapes. Points come in this order. A quantity that a thing does not have is NaN on its points.
// The arrays rod and body, and if needed surface and balls, have the index of the object that a
// point belongs to, or -1.

#include "record/export.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "math/quat.h"
#include "record/contact_read.h"
#include "record/disk.h"
#include "record/drawable.h"
#include "record/export_vtu.h"
#include "record/shape_triangles.h"
#include "record/text.h"
#include "record/vtk_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

// One point array: a quantity of the objects that are drawn through points.
typedef struct Field {
    char name[64];
    int32_t width; // components
} Field;

// One body: its points in the body frame, from `first` on.
typedef struct Body {
    int64_t first, count; // points
} Body;

typedef struct Export {
    LitheRecording *recording;
    int32_t drawable_count; // rods, surfaces, sets of balls
    int64_t point_count;    // of everything
    int64_t drawn_count;    // of rods, surfaces and balls, which come first
    int64_t link_count;     // points along all lines: closed rods repeat their first
    int64_t *vertices;      // [vertex_count] point of each ball
    int64_t *vertex_ends;   // [vertex_count] offsets as VTK stores them
    int64_t vertex_count;
    Field *fields;
    int32_t field_count, field_capacity;
    double *points;         // [point_count][3]
    double *values;         // [point_count][3] the quantity that is being written
    int64_t *links;         // [link_count] points along the lines, rod by rod
    int64_t *ends;          // [rod_count] end of each rod in `links`
    Body *bodies;           // [body_count]
    double *local;          // [point_count - drawn_count][3], in the frames of the bodies
    double *outward;        // [point_count][3] normals there; 0 on rods and balls
    int64_t *corners;       // [3*triangle_count] points of the triangles
    int64_t *triangle_ends; // [triangle_count] end of each triangle in `corners`
    int64_t triangle_count;
    int32_t local_capacity, outward_capacity, corner_capacity; // in numbers
    char *pvd;                                                 // path of the list
    char *folder;                                              // path of the folder of frames
    const char *dir;                                           // its last part
} Export;

// --- contents ------------------------------------------------------------------------------------

static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static LitheStatus add_field(Export *export, const LitheColumn *column, LitheError *error) {
    const char *name = last_part(column->path);
    for (int32_t i = 0; i < export->field_count; i++)
        if (strcmp(export->fields[i].name, name) == 0)
            return LITHE_OK;
    if (!LITHE_RESERVE(export->recording->context, export->fields, export->field_capacity,
                       export->field_count + 1))
        return lithe_fail_memory(error, "the list of arrays");
    Field *field = &export->fields[export->field_count++];
    snprintf(field->name, sizeof field->name, "%s", name);
    field->width = column->rank == 2 ? (int32_t)column->dims[1] : 1;
    return LITHE_OK;
}

// Whether a column has values on points or edges of an object, other than positions.
static bool is_field(const LitheRecording *recording, const LitheColumn *column) {
    bool drawn = false;
    for (int32_t i = 0; !drawn && i < lithe_drawable_count(recording); i++) {
        const char *folder = lithe_drawable(recording, i).folder;
        size_t length = strlen(folder);
        drawn = strncmp(column->path, folder, length) == 0 && column->path[length] == '/';
    }
    return drawn && column->offset >= 0 && column->rank >= 1 &&
           strcmp(last_part(column->path), "position") != 0 &&
           strlen(last_part(column->path)) < sizeof((Field *)0)->name &&
           (column->rank == 1 || column->dims[1] <= 3);
}

static LitheStatus list_fields(Export *export, LitheError *error) {
    const LitheLayout *layout = &export->recording->layout;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < layout->column_count; i++) {
        const LitheColumn *column = &layout->columns[i];
        if (is_field(export->recording, column))
            status = add_field(export, column, error);
    }
    return status;
}

static void make_lines(Export *export) {
    int64_t point = 0, link = 0;
    for (int32_t r = 0; r < export->recording->tube_count; r++) {
        const LitheRecordingTube *rod = &export->recording->tubes[r];
        for (int32_t i = 0; i < rod->node_count; i++)
            export->links[link++] = point + i;
        if (rod->closed)
            export->links[link++] = point;
        export->ends[r] = link;
        point += rod->node_count;
    }
}

// Each ball is one vertex.
static LitheStatus make_vertices(Export *export, LitheError *error) {
    const LitheRecording *recording = export->recording;
    for (int32_t i = 0; i < recording->balls_count; i++)
        export->vertex_count += recording->balls[i].count;
    export->vertices = lithe_alloc_array(recording->context, export->vertex_count, sizeof(int64_t));
    export->vertex_ends =
        lithe_alloc_array(recording->context, export->vertex_count, sizeof(int64_t));
    if (!export->vertices || !export->vertex_ends)
        return lithe_fail_memory(error, "arrays for ParaView");
    // balls are the last drawables
    for (int64_t i = 0; i < export->vertex_count; i++) {
        export->vertices[i] = export->drawn_count - export->vertex_count + i;
        export->vertex_ends[i] = i + 1;
    }
    return LITHE_OK;
}

// --- triangles -----------------------------------------------------------------------------------

static LitheStatus add_triangles(Export *export, const LitheShapeColumns *shape,
                                 const LitheTriangles *t, LitheError *error) {
    LitheContext *context = export->recording->context;
    int64_t first = export->point_count, at = 3 * (first - export->drawn_count);
    if (!LITHE_RESERVE(context, export->local, export->local_capacity, at + 3 * t->point_count) ||
        !LITHE_RESERVE(context, export->outward, export->outward_capacity,
                       at + 3 * t->point_count) ||
        !LITHE_RESERVE(context, export->corners, export->corner_capacity,
                       3 * (export->triangle_count + t->triangle_count)))
        return lithe_fail_memory(error, "the triangles of bodies");
    Quat q = {shape->place[3], shape->place[4], shape->place[5], shape->place[6]};
    for (int64_t i = 0; i < 3 * (int64_t)t->point_count; i += 3) {
        Vec3 x = q4_rotate(q, v3_load(t->points + i));
        v3_store(v3_add(v3_load(shape->place), x), export->local + at + i);
        v3_store(q4_rotate(q, v3_load(t->normals + i)), export->outward + at + i);
    }
    for (int64_t i = 0; i < 3 * (int64_t)t->triangle_count; i++)
        export->corners[3 * export->triangle_count + i] = first + t->corners[i];
    export->triangle_count += t->triangle_count;
    export->point_count += t->point_count;
    return LITHE_OK;
}

static LitheStatus add_surfaces(Export *export, LitheError *error) {
    int64_t first = 0;
    for (int32_t i = 0; i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(export->recording, i);
        if (of.drawn == LITHE_DRAWN_SURFACE) {
            const LitheRecordingSurface *surface = &export->recording->surfaces[of.index];
            int64_t corners = 3 * (int64_t)surface->triangle_count;
            if (!LITHE_RESERVE(export->recording->context, export->corners, export->corner_capacity,
                               3 * export->triangle_count + corners))
                return lithe_fail_memory(error, "the triangles of surfaces");
            for (int64_t k = 0; k < corners; k++)
                export->corners[3 * export->triangle_count + k] = first + surface->triangles[k];
            export->triangle_count += surface->triangle_count;
        }
        first += of.point_count;
    }
    return LITHE_OK;
}

// Half-spaces are infinite and omitted. Files for analysis have the shapes that touch; visual
// shapes only where a body has no others.
static LitheStatus add_body(Export *export, int32_t body, LitheError *error) {
    LitheStatus status = LITHE_OK;
    export->bodies[body].first = export->point_count;
    for (int32_t k = 0; status == LITHE_OK && k < export->recording->bodies[body].shape_count;
         k++) {
        const LitheRecordingBody *all = &export->recording->bodies[body];
        if (all->visual_count < all->shape_count &&
            lithe_recording_visual(export->recording, body, k))
            continue;
        LitheShapeColumns shape;
        LitheTriangles t = {.context = export->recording->context};
        status = lithe_shape_columns(export->recording, body, k, &shape, error);
        if (status == LITHE_OK)
            status = lithe_shape_triangles(&shape, &t, error);
        if (status == LITHE_OK)
            status = add_triangles(export, &shape, &t, error);
        lithe_triangles_release(&t);
    }
    export->bodies[body].count = export->point_count - export->bodies[body].first;
    return status;
}

static LitheStatus add_bodies(Export *export, LitheError *error) {
    LitheContext *context = export->recording->context;
    int32_t count = export->recording->body_count;
    export->bodies = lithe_alloc_array(context, count, sizeof *export->bodies);
    LitheStatus status =
        export->bodies ? LITHE_OK : lithe_fail_memory(error, "the triangles of bodies");
    for (int32_t b = 0; status == LITHE_OK && b < count; b++)
        status = add_body(export, b, error);
    if (status != LITHE_OK)
        return status;
    export->triangle_ends = lithe_alloc_array(context, export->triangle_count, sizeof(int64_t));
    if (!export->triangle_ends)
        return lithe_fail_memory(error, "the triangles of bodies");
    for (int64_t i = 0; i < export->triangle_count; i++)
        export->triangle_ends[i] = 3 * (i + 1);
    return LITHE_OK;
}

// Normals of surfaces, from the points of a frame.
static void find_normals(Export *export) {
    int64_t first = 0;
    memset(export->values, 0, (size_t) export->drawn_count * 3 * sizeof(double));
    for (int32_t i = 0; i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(export->recording, i);
        if (of.drawn == LITHE_DRAWN_SURFACE) {
            const LitheRecordingSurface *surface = &export->recording->surfaces[of.index];
            lithe_surface_normals(export->points + 3 * first, of.point_count, surface->triangles,
                                  surface->triangle_count, export->values + 3 * first);
        }
        first += of.point_count;
    }
}

// Points and normals of all bodies in their poses of a frame.
static LitheStatus place_bodies(Export *export, int64_t frame, LitheError *error) {
    LitheStatus status = LITHE_OK;
    for (int32_t b = 0; b < export->recording->body_count; b++) {
        double pose[7];
        status = lithe_recording_body_pose(export->recording, b, frame, pose, error);
        if (status != LITHE_OK)
            return status;
        Quat q = {pose[3], pose[4], pose[5], pose[6]};
        const Body *body = &export->bodies[b];
        for (int64_t i = body->first; i < body->first + body->count; i++) {
            int64_t from = 3 * (i - export->drawn_count);
            Vec3 x = q4_rotate(q, v3_load(export->local + from));
            v3_store(v3_add(v3_load(pose), x), export->points + 3 * i);
            v3_store(q4_rotate(q, v3_load(export->outward + from)), export->values + 3 * i);
        }
    }
    return LITHE_OK;
}

// "a/knot.pvd" -> folder "a/knot_frames"
static LitheStatus name_files(Export *export, const char *path, LitheError *error) {
    LitheContext *context = export->recording->context;
    size_t length = strlen(path);
    if (length > 4 && strcmp(path + length - 4, ".pvd") == 0)
        length -= 4;
    export->pvd = lithe_alloc_text(context, path);
    export->folder = lithe_alloc(context, length + 16);
    if (!export->pvd || !export->folder)
        return lithe_fail_memory(error, "the names of files");
    snprintf(export->folder, length + 16, "%.*s_frames", (int)length, path);
    export->dir = last_part(export->folder);
    if (mkdir(export->folder, 0777) != 0 && errno != EEXIST)
        return lithe_disk_fail(error, export->folder, "create the folder", errno);
    return LITHE_OK;
}

static LitheStatus begin(Export *export, const char *path, LitheError *error) {
    LitheRecording *recording = export->recording;
    LitheContext *context = recording->context;
    export->drawable_count = lithe_drawable_count(recording);
    for (int32_t i = 0; i < export->drawable_count; i++)
        export->drawn_count += lithe_drawable(recording, i).point_count;
    for (int32_t r = 0; r < recording->tube_count; r++)
        export->link_count += recording->tubes[r].node_count + recording->tubes[r].closed;
    export->point_count = export->drawn_count;
    LitheStatus status = list_fields(export, error);
    if (status == LITHE_OK)
        status = make_vertices(export, error);
    if (status == LITHE_OK)
        status = add_surfaces(export, error);
    if (status == LITHE_OK)
        status = add_bodies(export, error);
    if (status != LITHE_OK)
        return status;
    if (export->point_count == 0)
        return lithe_fail(error, LITHE_NOT_SUPPORTED,
                          "%s: has no rods, surfaces or particles, and no bodies with a bounded "
                          "shape: nothing to export for ParaView",
                          recording->path);
    export->points = lithe_alloc_array(context, 3 * export->point_count, sizeof(double));
    export->values = lithe_alloc_array(context, 3 * export->point_count, sizeof(double));
    export->links = lithe_alloc_array(context, export->link_count, sizeof(int64_t));
    export->ends = lithe_alloc_array(context, recording->tube_count, sizeof(int64_t));
    if (!export->points || !export->values || !export->links || !export->ends)
        return lithe_fail_memory(error, "arrays for ParaView");
    make_lines(export);
    return name_files(export, path, error);
}

static void end(Export *export) {
    LitheContext *context = export->recording->context;
    lithe_free(context, export->fields);
    lithe_free(context, export->points);
    lithe_free(context, export->values);
    lithe_free(context, export->links);
    lithe_free(context, export->vertices);
    lithe_free(context, export->vertex_ends);
    lithe_free(context, export->ends);
    lithe_free(context, export->bodies);
    lithe_free(context, export->local);
    lithe_free(context, export->outward);
    lithe_free(context, export->corners);
    lithe_free(context, export->triangle_ends);
    lithe_free(context, export->pvd);
    lithe_free(context, export->folder);
}

// --- one frame -----------------------------------------------------------------------------------

// One quantity at all points of a frame; NaN where an object does not have it, and on bodies.
static LitheStatus gather(Export *export, const char *name, int32_t width, int64_t frame,
                          double *out, LitheError *error) {
    LitheRecording *recording = export->recording;
    LitheStatus status = LITHE_OK;
    for (int64_t i = width * export->drawn_count; i < width * export->point_count; i++)
        out[i] = NAN;
    for (int32_t i = 0; status == LITHE_OK && i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(recording, i);
        status = lithe_drawable_read(recording, &of, name, width, frame, out, error);
        out += (int64_t)of.point_count * width;
    }
    return status;
}

// The owner of a point: the index of the thing within its kind, -1 on points of other kinds.
static void put_owners(Export *export, const char *name, LitheDrawn kind, FILE *file) {
    const LitheRecording *recording = export->recording;
    double *at = export->values;
    for (int32_t i = 0; i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(recording, i);
        for (int32_t k = 0; k < of.point_count; k++)
            *at++ = of.drawn == kind ? of.index : -1;
    }
    for (int32_t b = 0; b < recording->body_count; b++)
        for (int64_t k = 0; k < export->bodies[b].count; k++)
            *at++ = kind == LITHE_DRAWN_BODY ? b : -1;
    lithe_vtk_put_array(file, "Float64", name, 1, "", export->values, export->point_count);
}

static void put_constants(Export *export, FILE *file) {
    const LitheRecording *recording = export->recording;
    double *at = export->values;
    for (int32_t i = 0; i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(recording, i);
        for (int32_t k = 0; k < of.point_count; k++)
            *at++ = lithe_drawable_radius(recording, &of, k);
    }
    for (int64_t k = export->drawn_count; k < export->point_count; k++)
        *at++ = 0;
    lithe_vtk_put_array(file, "Float64", "radius", 1, "", export->values, export->point_count);
    put_owners(export, "rod", LITHE_DRAWN_TUBE, file);
    put_owners(export, "body", LITHE_DRAWN_BODY, file);
    if (recording->surface_count > 0)
        put_owners(export, "surface", LITHE_DRAWN_SURFACE, file);
    if (recording->balls_count > 0)
        put_owners(export, "balls", LITHE_DRAWN_BALLS, file);
}

static void put_cells(FILE *file, const char *kind, const int64_t *points, int64_t point_count,
                      const int64_t *ends, int64_t count) {
    fprintf(file, "<%s>\n", kind);
    lithe_vtk_put_array(file, "Int64", "connectivity", 1, "", points, point_count);
    lithe_vtk_put_array(file, "Int64", "offsets", 1, "", ends, count);
    fprintf(file, "</%s>\n", kind);
}

static LitheStatus put_frame(Export *export, int64_t frame, FILE *file, LitheError *error) {
    lithe_vtk_put_head(file, "PolyData");
    fprintf(file,
            "<PolyData>\n<Piece NumberOfPoints=\"%lld\" NumberOfVerts=\"%lld\" "
            "NumberOfLines=\"%d\" NumberOfStrips=\"0\" NumberOfPolys=\"%lld\">\n<Points>\n",
            (long long)export->point_count, (long long)export->vertex_count,
            export->recording->tube_count, (long long)export->triangle_count);
    LitheStatus status = gather(export, "position", 3, frame, export->points, error);
    if (status == LITHE_OK) {
        find_normals(export);
        status = place_bodies(export, frame, error);
    }
    if (status != LITHE_OK)
        return status;
    lithe_vtk_put_array(file, "Float64", "Points", 3, "", export->points, 3 * export->point_count);
    fprintf(file, "</Points>\n");
    if (export->vertex_count > 0)
        put_cells(file, "Verts", export->vertices, export->vertex_count, export->vertex_ends,
                  export->vertex_count);
    put_cells(file, "Lines", export->links, export->link_count, export->ends,
              export->recording->tube_count);
    put_cells(file, "Polys", export->corners, 3 * export->triangle_count, export->triangle_ends,
              export->triangle_count);
    fprintf(file, "<PointData Normals=\"normal\">\n");
    lithe_vtk_put_array(file, "Float64", "normal", 3, "", export->values, 3 * export->point_count);
    put_constants(export, file);
    for (int32_t i = 0; i < export->field_count; i++) {
        const Field *field = &export->fields[i];
        status = gather(export, field->name, field->width, frame, export->values, error);
        if (status != LITHE_OK)
            return status;
        lithe_vtk_put_array(file, "Float64", field->name, field->width, "", export->values,
                            field->width * export->point_count);
    }
    fprintf(file, "</PointData>\n</Piece>\n</PolyData>\n</VTKFile>\n");
    return LITHE_OK;
}

static LitheStatus write_frame(Export *export, int64_t frame, LitheError *error) {
    LitheContext *context = export->recording->context;
    char name[32];
    snprintf(name, sizeof name, "/%06lld.vtp", (long long)frame);
    char *path = lithe_disk_beside(context, export->folder, name);
    LitheFileReplace replace = {0};
    LitheStatus status = path ? lithe_file_replace_begin(context, path, &replace, error)
                              : lithe_fail_memory(error, "the name of a file");
    if (status == LITHE_OK) {
        status = put_frame(export, frame, replace.file, error);
        if (status == LITHE_OK)
            status = lithe_file_replace_commit(&replace, error);
        else
            lithe_file_replace_abort(&replace);
    }
    lithe_free(context, path);
    return status;
}

// one file of tetrahedra per solid and frame
static LitheStatus write_elements(Export *export, int64_t frame, LitheError *error) {
    LitheContext *context = export->recording->context;
    LitheStatus status = LITHE_OK;
    for (int32_t i = 0; status == LITHE_OK && i < export->drawable_count; i++) {
        const LitheDrawable of = lithe_drawable(export->recording, i);
        char name[48];
        if (!lithe_vtu_elements(export->recording, &of))
            continue;
        snprintf(name, sizeof name, "/%06lld-%d.vtu", (long long)frame, of.index);
        char *path = lithe_disk_beside(context, export->folder, name);
        status = path ? lithe_vtu_write(export->recording, &of, frame, path, error)
                      : lithe_fail_memory(error, "the name of a file");
        lithe_free(context, path);
    }
    return status;
}

static LitheStatus write_patches(Export *export, int64_t frame, LitheError *error) {
    LitheContext *context = export->recording->context;
    char name[48];
    snprintf(name, sizeof name, "/%06lld-patches.vtp", (long long)frame);
    char *path = lithe_disk_beside(context, export->folder, name);
    LitheStatus status = path ? lithe_vtk_write_patches(export->recording, frame, path, error)
                              : lithe_fail_memory(error, "the name of a file");
    lithe_free(context, path);
    return status;
}

// --- the list of frames --------------------------------------------------------------------------

// Names of files may have characters that XML must escape.
static void put_escaped(FILE *file, const char *text) {
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '"')
            fputs("&quot;", file);
        else
            fputc(*text, file);
    }
}

// up to the name of the folder
static void put_entry(const Export *export, FILE *file, int64_t frame, int32_t part) {
    fprintf(file, "<DataSet timestep=\"");
    lithe_text_number(file, export->recording->times[frame]);
    fprintf(file, "\" part=\"%d\" file=\"", part);
    put_escaped(file, export->dir);
}

static LitheStatus write_list(Export *export, LitheError *error) {
    LitheFileReplace replace = {0};
    LitheStatus status =
        lithe_file_replace_begin(export->recording->context, export->pvd, &replace, error);
    if (status != LITHE_OK)
        return status;
    fprintf(replace.file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
                          "<Collection>\n");
    for (int64_t i = 0; i < export->recording->frame_count; i++) {
        put_entry(export, replace.file, i, 0);
        fprintf(replace.file, "/%06lld.vtp\"/>\n", (long long)i);
        int32_t part = 1;
        for (int32_t k = 0; k < export->drawable_count; k++) {
            const LitheDrawable of = lithe_drawable(export->recording, k);
            if (!lithe_vtu_elements(export->recording, &of))
                continue;
            put_entry(export, replace.file, i, part++);
            fprintf(replace.file, "/%06lld-%d.vtu\"/>\n", (long long)i, of.index);
        }
        if (lithe_recording_has_patches(export->recording)) {
            put_entry(export, replace.file, i, part);
            fprintf(replace.file, "/%06lld-patches.vtp\"/>\n", (long long)i);
        }
    }
    fprintf(replace.file, "</Collection>\n</VTKFile>\n");
    return lithe_file_replace_commit(&replace, error);
}

LitheStatus lithe_export_vtk(LitheRecording *recording, const char *path, LitheError *error) {
    Export export = {.recording = recording};
    LitheStatus status = lithe_recording_check_output(recording, path, error);
    if (status == LITHE_OK)
        status = begin(&export, path, error);
    for (int64_t i = 0; status == LITHE_OK && i < recording->frame_count; i++)
        status = write_frame(&export, i, error);
    for (int64_t i = 0; status == LITHE_OK && i < recording->frame_count; i++)
        status = write_elements(&export, i, error);
    bool patches = lithe_recording_has_patches(recording);
    for (int64_t i = 0; status == LITHE_OK && patches && i < recording->frame_count; i++)
        status = write_patches(&export, i, error);
    if (status == LITHE_OK)
        status = write_list(&export, error);
    end(&export);
    return status;
}
