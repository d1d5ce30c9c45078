// SPDX-License-Identifier: Apache-2.0
// geom/hollow.c - hollow solids of revolution: their section, the triangles that stand for them
//
// The section with a half plane through the axis is a closed line of straight pieces and arcs,
// counter-clockwise with r to the right and z up. A wall has the outline on one side and on its
// other side the lines at the distance t to the left, which meet at
//    x_i + t (n_0 + n_1)/(1 + n_0 . n_1)                                                 (30)
// with n_0 and n_1 the normals of the pieces before and after the corner x_i. A corner of radius
// R that turns by the angle a begins and ends at the distance R tan(a/2) from it; its other side
// has the radius R - t where it turns left, at least 0, and R + t where it turns right.

#include "geom/hollow.h"

#include "base/memory.h"
#include "base/status.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDES = 64, MAX_POINTS = 5000 };

// lengths below this part of the size are 0
#define NOTHING 1e-9

typedef struct Corner {
    double x[2];     // r and z [m]
    double rounding; // [m]
    double tangent;  // from the corner to the ends of its arc [m]
    double bulge;    // angle by which the line turns, > 0: left
    int32_t point;   // of the outline
} Corner;

typedef struct Loop {
    Corner *corners;
    int32_t count;
    double size; // [m]
} Loop;

static double cross2(const double a[2], const double b[2]) {
    return a[0] * b[1] - a[1] * b[0];
}

static double dot2(const double a[2], const double b[2]) {
    return a[0] * b[0] + a[1] * b[1];
}

// unit direction from p to q; false: they are the same
static bool direction(const double p[2], const double q[2], double out[2]) {
    double d[2] = {q[0] - p[0], q[1] - p[1]}, length = hypot(d[0], d[1]);
    out[0] = length > 0 ? d[0] / length : 0;
    out[1] = length > 0 ? d[1] / length : 0;
    return length > 0;
}

static bool increases(const LitheGeomDef *def) {
    for (int32_t i = 1; i < def->profile_count; i++)
        if (!(def->profile_z[i] > def->profile_z[i - 1]))
            return false;
    return true;
}

bool lithe_hollow_is(const LitheGeomDef *def) {
    if (def->kind != LITHE_GEOM_REVOLUTION || !def->profile_z || !def->profile_r ||
        def->profile_count < 2)
        return false;
    int32_t n = def->profile_count - 1;
    const double *z = def->profile_z, *r = def->profile_r;
    bool closed = n > 2 && z[0] == z[n] && r[0] == r[n];
    bool solid = n > 1 && r[0] == 0 && r[n] == 0 && !increases(def);
    return def->thickness != 0 || def->rounding != 0 || closed || solid;
}

// --- corners -------------------------------------------------------------------------------------

static void add_corner(Loop *loop, double r, double z, double rounding, int32_t point) {
    loop->corners[loop->count++] =
        (Corner){.x = {r > NOTHING * loop->size ? r : 0, z}, .rounding = rounding, .point = point};
}

static bool is_on_axis(const Loop *loop, int32_t i) {
    return loop->corners[i].x[0] == 0;
}

// the corner of the other side of the wall (30), or its end
static bool other_side(const LitheGeomDef *def, int32_t i, double size, double out[2],
                       double *rounding) {
    int32_t n = def->profile_count - 1;
    const double *z = def->profile_z, *r = def->profile_r;
    double x[2] = {r[i], z[i]}, e[2][2], t = def->thickness;
    for (int k = 0; k < 2; k++) {
        int32_t from = i - 1 + k;
        from = from < 0 ? 0 : from == n ? n - 1 : from;
        const double p[2] = {r[from], z[from]}, q[2] = {r[from + 1], z[from + 1]};
        direction(p, q, e[k]);
    }
    double turn = cross2(e[0], e[1]), along = 1 + dot2(e[0], e[1]);
    if (along < NOTHING)
        return false;
    for (int k = 0; k < 2; k++) {
        double n0 = k == 0 ? -e[0][1] : e[0][0], n1 = k == 0 ? -e[1][1] : e[1][0];
        out[k] = x[k] + t * (n0 + n1) / along;
    }
    if ((i == 0 || i == n) && r[i] <= NOTHING * size) { // where the other side meets the axis
        const double *d = e[0];
        if (fabs(d[0]) < NOTHING)
            return false;
        double s = -out[0] / d[0];
        out[0] = 0;
        out[1] += s * d[1];
    }
    bool inner = i > 0 && i < n && def->rounding > 0 && turn != 0;
    *rounding = !inner ? 0 : turn > 0 ? fmax(0, def->rounding - t) : def->rounding + t;
    return out[0] >= 0;
}

static LitheStatus add_wall(const LitheGeomDef *def, Loop *loop, LitheError *error) {
    int32_t n = def->profile_count;
    for (int32_t i = 0; i < n; i++)
        add_corner(loop, def->profile_r[i], def->profile_z[i],
                   i > 0 && i + 1 < n ? def->rounding : 0, i);
    for (int32_t i = n - 1; i >= 0; i--) {
        double x[2], rounding;
        if (!other_side(def, i, loop->size, x, &rounding))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "thickness is %.9g m, too much at outline[%d]: the other side of the "
                              "wall crosses the axis or turns back there",
                              def->thickness, i);
        add_corner(loop, x[0], x[1], rounding, i);
    }
    return LITHE_OK;
}

static LitheStatus add_section(const LitheGeomDef *def, Loop *loop, LitheError *error) {
    int32_t n = def->profile_count, last = n - 1;
    const double *z = def->profile_z, *r = def->profile_r;
    bool closed = z[0] == z[last] && r[0] == r[last];
    if (!closed && !increases(def) && !(r[0] == 0 && r[last] == 0))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "outline begins at (%.9g, %.9g) m and ends at (%.9g, %.9g) m: without "
                          "thickness it must end where it begins, or begin and end at radius 0",
                          z[0], r[0], z[last], r[last]);
    if (!closed && r[0] > 0)
        add_corner(loop, 0, z[0], 0, 0);
    for (int32_t i = 0; i < n - closed; i++)
        add_corner(loop, r[i], z[i], r[i] > 0 ? def->rounding : 0, i);
    if (!closed && r[last] > 0)
        add_corner(loop, 0, z[last], 0, last);
    double area = 0;
    for (int32_t i = 0; i < loop->count; i++)
        area += cross2(loop->corners[i].x, loop->corners[(i + 1) % loop->count].x);
    for (int32_t i = 0; i < loop->count / 2 && area < 0; i++) {
        Corner swap = loop->corners[i];
        loop->corners[i] = loop->corners[loop->count - 1 - i];
        loop->corners[loop->count - 1 - i] = swap;
    }
    return LITHE_OK;
}

// angles and tangents of all corners; refuses corners that coincide, and roundings without room
static LitheStatus measure(const LitheGeomDef *def, Loop *loop, LitheError *error) {
    int32_t n = loop->count;
    for (int32_t i = 0; i < n; i++) {
        Corner *c = &loop->corners[i];
        const Corner *before = &loop->corners[(i + n - 1) % n],
                     *after = &loop->corners[(i + 1) % n];
        double d[2], e[2];
        bool apart = direction(before->x, c->x, d) && direction(c->x, after->x, e) &&
                     hypot(after->x[0] - c->x[0], after->x[1] - c->x[1]) > NOTHING * loop->size;
        if (!apart)
            return lithe_fail(error, LITHE_BAD_INPUT, "outline[%d] and outline[%d] coincide",
                              c->point, after->point);
        if (dot2(d, e) < NOTHING - 1)
            return lithe_fail(error, LITHE_BAD_INPUT, "outline turns back on itself at outline[%d]",
                              c->point);
        c->bulge = atan2(cross2(d, e), dot2(d, e));
        c->rounding = is_on_axis(loop, i) ? 0 : c->rounding;
        c->tangent = c->rounding * tan(0.5 * fabs(c->bulge));
    }
    for (int32_t i = 0; i < n; i++) {
        const Corner *a = &loop->corners[i], *b = &loop->corners[(i + 1) % n];
        double length = hypot(b->x[0] - a->x[0], b->x[1] - a->x[1]), need = a->tangent + b->tangent;
        char where[64];
        if (a->point == b->point) // one of them is on the axis
            snprintf(where, sizeof where, "at outline[%d]", a->point);
        else
            snprintf(where, sizeof where, "between outline[%d] and outline[%d]", a->point,
                     b->point);
        if (need > length * (1 + NOTHING))
            return lithe_fail(error, LITHE_BAD_INPUT,
                              "rounding is %.9g m: %s there is room for %.9g m", def->rounding,
                              where, def->rounding * length / need);
    }
    return LITHE_OK;
}

static LitheStatus make_loop(LitheContext *context, const LitheGeomDef *def, Loop *loop,
                             LitheError *error) {
    int32_t n = def->profile_count;
    *loop = (Loop){0};
    if (n > MAX_POINTS)
        return lithe_fail(error, LITHE_BAD_INPUT, "outline has %d points, must have at most %d", n,
                          MAX_POINTS);
    for (int32_t i = 0; i < n; i++)
        loop->size =
            fmax(loop->size, fmax(def->profile_r[i], fabs(def->profile_z[i] - def->profile_z[0])));
    for (int32_t i = 1; i < n; i++)
        if (hypot(def->profile_r[i] - def->profile_r[i - 1],
                  def->profile_z[i] - def->profile_z[i - 1]) <= NOTHING * loop->size)
            return lithe_fail(error, LITHE_BAD_INPUT, "outline[%d] and outline[%d] coincide", i - 1,
                              i);
    loop->corners = lithe_alloc_array(context, 2 * (int64_t)n + 2, sizeof *loop->corners);
    if (!loop->corners)
        return lithe_fail_memory(error, "a solid of revolution");
    LitheStatus status =
        def->thickness > 0 ? add_wall(def, loop, error) : add_section(def, loop, error);
    return status == LITHE_OK ? measure(def, loop, error) : status;
}

// --- pieces --------------------------------------------------------------------------------------

static void add_line(LitheHollow *h, const double p[2], const double q[2], double size) {
    if ((p[0] > 0 || q[0] > 0) && hypot(q[0] - p[0], q[1] - p[1]) > NOTHING * size)
        h->pieces[h->count++] = (LitheHollowPiece){.p = {p[0], p[1]}, .q = {q[0], q[1]}};
}

// the end of the arc of a corner towards another corner
static void arc_end(const Corner *c, const Corner *to, double size, double out[2]) {
    double d[2];
    direction(c->x, to->x, d);
    for (int k = 0; k < 2; k++)
        out[k] = c->x[k] + c->tangent * d[k];
    if (out[0] <= NOTHING * size)
        out[0] = 0;
}

static void add_arc(LitheHollow *h, const Corner *before, const Corner *c, const Corner *after,
                    double size) {
    LitheHollowPiece arc = {.radius = c->rounding, .turn = c->bulge};
    double d[2], side = c->bulge > 0 ? 1 : -1;
    arc_end(c, before, size, arc.p);
    arc_end(c, after, size, arc.q);
    direction(before->x, c->x, d);
    arc.c[0] = arc.p[0] - side * c->rounding * d[1];
    arc.c[1] = arc.p[1] + side * c->rounding * d[0];
    arc.from = atan2(arc.p[1] - arc.c[1], arc.p[0] - arc.c[0]);
    h->pieces[h->count++] = arc;
}

static LitheStatus make_pieces(LitheContext *context, const Loop *loop, LitheHollow *h,
                               LitheError *error) {
    int32_t n = loop->count;
    h->pieces = lithe_alloc_array(context, 2 * (int64_t)n, sizeof *h->pieces);
    if (!h->pieces)
        return lithe_fail_memory(error, "a solid of revolution");
    for (int32_t i = 0; i < n; i++) {
        const Corner *before = &loop->corners[(i + n - 1) % n], *c = &loop->corners[i];
        const Corner *after = &loop->corners[(i + 1) % n];
        double p[2], q[2];
        if (c->tangent > 0)
            add_arc(h, before, c, after, loop->size);
        arc_end(c, after, loop->size, p);
        arc_end(after, c, loop->size, q);
        add_line(h, p, q, loop->size);
    }
    return LITHE_OK;
}

static int32_t steps_of(const LitheHollowPiece *piece) {
    return piece->radius > 0 ? (int32_t)ceil(fabs(piece->turn) * SIDES / (2 * M_PI) - 1e-6) : 1;
}

// a point of a piece, s from 0 to 1
static void point_of(const LitheHollowPiece *piece, double s, double out[2]) {
    if (s <= 0 || s >= 1) {
        memcpy(out, s <= 0 ? piece->p : piece->q, 2 * sizeof *out);
        return;
    }
    double angle = piece->from + s * piece->turn;
    out[0] = piece->c[0] + piece->radius * cos(angle);
    out[1] = piece->c[1] + piece->radius * sin(angle);
}

// --- a section that crosses itself ---------------------------------------------------------------

// the section as points, [count + 1] with the first one again for a closed one; `gap`: no piece
// leads on from this point
typedef struct Section {
    double (*x)[2];
    bool *gap, *arc;
    int32_t count;
} Section;

static LitheStatus make_section(LitheContext *context, const LitheHollow *h, Section *s,
                                LitheError *error) {
    int64_t most = 0;
    for (int32_t i = 0; i < h->count; i++)
        most += steps_of(&h->pieces[i]) + 1;
    s->x = lithe_alloc_array(context, most, sizeof *s->x);
    s->gap = lithe_alloc_array(context, most, sizeof *s->gap);
    s->arc = lithe_alloc_array(context, most, sizeof *s->arc);
    if (!s->x || !s->gap || !s->arc)
        return lithe_fail_memory(error, "a solid of revolution");
    for (int32_t i = 0; i < h->count; i++) {
        const LitheHollowPiece *piece = &h->pieces[i], *next = &h->pieces[(i + 1) % h->count];
        int32_t steps = steps_of(piece);
        for (int32_t k = 0; k < steps; k++) {
            s->arc[s->count] = piece->radius > 0;
            s->gap[s->count] = false;
            point_of(piece, (double)k / steps, s->x[s->count++]);
        }
        double away = hypot(next->p[0] - piece->q[0], next->p[1] - piece->q[1]);
        if (piece->q[0] == 0 && next->p[0] == 0 && away > 0) {
            s->arc[s->count] = false;
            s->gap[s->count] = true;
            memcpy(s->x[s->count++], piece->q, sizeof piece->q);
        }
    }
    return LITHE_OK;
}

static void destroy_section(LitheContext *context, Section *s) {
    lithe_free(context, s->x);
    lithe_free(context, s->gap);
    lithe_free(context, s->arc);
}

static double side_of(const double p[2], const double q[2], const double x[2]) {
    return (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0]);
}

static bool do_cross(const Section *s, int32_t i, int32_t j) {
    const double *a = s->x[i], *b = s->x[(i + 1) % s->count];
    const double *c = s->x[j], *d = s->x[(j + 1) % s->count];
    for (int k = 0; k < 2; k++)
        if (fmax(a[k], b[k]) < fmin(c[k], d[k]) || fmax(c[k], d[k]) < fmin(a[k], b[k]))
            return false;
    return side_of(a, b, c) * side_of(a, b, d) <= 0 && side_of(c, d, a) * side_of(c, d, b) <= 0;
}

static LitheStatus check_section(const Section *s, LitheError *error) {
    double area = 0;
    for (int32_t i = 0; i < s->count; i++)
        area += cross2(s->x[i], s->x[(i + 1) % s->count]);
    for (int32_t i = 0; i < s->count; i++)
        for (int32_t j = i + 2; j < s->count; j++)
            if (!(i == 0 && j == s->count - 1) && do_cross(s, i, j))
                return lithe_fail(error, LITHE_BAD_INPUT,
                                  "outline: its section crosses or touches itself near z = %.6g m, "
                                  "radius %.6g m: a smaller thickness or rounding may help",
                                  s->x[i][1], s->x[i][0]);
    return area > 0 ? LITHE_OK
                    : lithe_fail(error, LITHE_BAD_INPUT, "outline: its section has no area");
}

// --- hull ----------------------------------------------------------------------------------------

// The corners of the section with the largest radii, from the lowest to the highest: what is left
// of a walk along it without turns to the right.
static LitheStatus make_hull(LitheContext *context, const Section *s, double size, LitheHollow *h,
                             LitheError *error) {
    int32_t low = 0, high = 0, n = s->count, count = 0, before = -1;
    h->hull_z = lithe_alloc_array(context, n, sizeof *h->hull_z);
    h->hull_r = lithe_alloc_array(context, n, sizeof *h->hull_r);
    h->hull_edge = lithe_alloc_array(context, n, sizeof *h->hull_edge);
    if (!h->hull_z || !h->hull_r || !h->hull_edge)
        return lithe_fail_memory(error, "a solid of revolution");
    for (int32_t i = 1; i < n; i++) {
        const double *x = s->x[i], *l = s->x[low], *u = s->x[high];
        low = x[1] < l[1] || (x[1] == l[1] && x[0] > l[0]) ? i : low;
        high = x[1] > u[1] || (x[1] == u[1] && x[0] > u[0]) ? i : high;
    }
    for (int32_t i = low;; i = (i + 1) % n) {
        const double *x = s->x[i];
        while (count > 1) {
            double p[2] = {h->hull_r[count - 2], h->hull_z[count - 2]};
            double q[2] = {h->hull_r[count - 1], h->hull_z[count - 1]};
            if (side_of(p, q, x) > -NOTHING * size * size)
                break;
            count--;
        }
        if (count == 0 || x[1] > h->hull_z[count - 1]) {
            bool next = count > 0 && h->hull_z[count - 1] == s->x[before][1] &&
                        h->hull_r[count - 1] == s->x[before][0];
            if (count > 0)
                h->hull_edge[count - 1] = !next            ? LITHE_HULL_BRIDGE
                                          : s->arc[before] ? LITHE_HULL_ARC
                                                           : LITHE_HULL_LINE;
            h->hull_r[count] = x[0];
            h->hull_z[count++] = x[1];
        }
        before = i;
        if (i == high)
            break;
    }
    h->hull_count = count;
    return LITHE_OK;
}

// --- triangles -----------------------------------------------------------------------------------

static LitheStatus make_mesh(LitheContext *context, const Section *s, LitheMesh **out,
                             LitheError *error) {
    int32_t n = s->count, point_count = 0, triangle_count = 0;
    // of a regular polygon that has the area of a circle with radius 1
    double scale = sqrt(2 * M_PI / (SIDES * sin(2 * M_PI / SIDES)));
    int64_t cells = (int64_t)n * SIDES;
    if (cells > INT32_MAX / 6)
        return lithe_fail(error, LITHE_BAD_INPUT, "outline has too many corners: %d", n);
    Vec3 *points = lithe_alloc_array(context, cells, sizeof *points);
    int32_t *triangles = lithe_alloc_array(context, 6 * cells, sizeof *triangles);
    int32_t *first = lithe_alloc_array(context, n, sizeof *first);
    bool ok = points && triangles && first;
    for (int32_t k = 0; k < n && ok; k++) {
        first[k] = point_count;
        for (int i = 0; i < (s->x[k][0] > 0 ? SIDES : 1); i++) {
            double angle = 2 * M_PI * i / SIDES, r = scale * s->x[k][0];
            points[point_count++] = v3(r * cos(angle), r * sin(angle), s->x[k][1]);
        }
    }
    for (int32_t k = 0; k < n && ok; k++) {
        int32_t up = (k + 1) % n, p = first[k], q = first[up];
        for (int32_t i = 0; i < SIDES && !s->gap[k]; i++) {
            int32_t j = (i + 1) % SIDES;
            bool below = s->x[k][0] > 0, above = s->x[up][0] > 0;
            const int32_t corners[2][3] = {{p + i, p + j, above ? q + j : q},
                                           {below ? p + i : p, q + j, q + i}};
            for (int t = 0; t < 2; t++)
                if (t == 0 ? below : above)
                    memcpy(&triangles[3 * triangle_count++], corners[t], sizeof corners[t]);
        }
    }
    LitheStatus status =
        ok ? lithe_mesh_create(context, points, point_count, triangles, triangle_count, out, error)
           : lithe_fail_memory(error, "a solid of revolution");
    lithe_free(context, first);
    lithe_free(context, triangles);
    lithe_free(context, points);
    return status;
}

// --- entry ---------------------------------------------------------------------------------------

static LitheStatus make(LitheContext *context, const LitheGeomDef *def, LitheHollow *h,
                        LitheMesh **mesh, LitheError *error) {
    Loop loop = {0};
    Section section = {0};
    LitheStatus status = make_loop(context, def, &loop, error);
    if (status == LITHE_OK)
        status = make_pieces(context, &loop, h, error);
    if (status == LITHE_OK)
        status = make_section(context, h, &section, error);
    if (status == LITHE_OK)
        status = check_section(&section, error);
    if (status == LITHE_OK && mesh)
        status = make_hull(context, &section, loop.size, h, error);
    if (status == LITHE_OK && mesh)
        status = make_mesh(context, &section, mesh, error);
    destroy_section(context, &section);
    lithe_free(context, loop.corners);
    return status;
}

void lithe_hollow_destroy(LitheContext *context, LitheHollow *hollow) {
    if (!hollow)
        return;
    lithe_free(context, hollow->pieces);
    lithe_free(context, hollow->hull_z);
    lithe_free(context, hollow->hull_r);
    lithe_free(context, hollow->hull_edge);
    lithe_free(context, hollow);
}

LitheStatus lithe_hollow_check(LitheContext *context, const LitheGeomDef *def, LitheError *error) {
    LitheHollow h = {0};
    LitheStatus status = make(context, def, &h, NULL, error);
    lithe_free(context, h.pieces);
    return status;
}

LitheStatus lithe_hollow_build(LitheContext *context, const LitheGeomDef *def, LitheGeom *geom,
                               LitheError *error) {
    geom->hollow = lithe_alloc_array(context, 1, sizeof *geom->hollow);
    if (!geom->hollow)
        return lithe_fail_memory(error, "a solid of revolution");
    *geom->hollow = (LitheHollow){0};
    geom->kind = LITHE_GEOM_TRIANGLE_MESH;
    geom->exact = LITHE_GEOM_REVOLUTION;
    LitheStatus status = make(context, def, geom->hollow, &geom->mesh, error);
    if (status != LITHE_OK) {
        lithe_hollow_destroy(context, geom->hollow);
        geom->hollow = NULL;
    }
    return status;
}
