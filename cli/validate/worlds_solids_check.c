// SPDX-License-Identifier: Apache-2.0
// cli/validate/worlds_solids_check.c - what passes through solids and plates, by positions alone
//
// A point of another thing that is in a tetrahedron of a solid has a place in the rest shape of the
// solid. Contacts are compliant: points may enter and leave again on their side. A point that
// leaves through a face that looks the other way than the one it entered through, and was deep in
// between, passed. Between the two states of a substep points and nodes move along lines, which are
// sampled. Nothing of src/geom and src/collide is used.

#include "cli/validate/worlds_solids.h"

#include "cli/validate/validate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// samples of a substep
enum { SAMPLES = 8 };
// a point that was less deep than this fraction of half the extent did not pass
#define SHALLOW 0.5
// faces look the other way if the cosine of their normals is below this
#define OTHER_WAY (-0.5)

static Vec3 point_at(const double *from, const double *to, int64_t at, double t) {
    return v3_mix(v3_load(from + at), v3_load(to + at), t);
}

// --- the surface of a solid ----------------------------------------------------------------------

static bool same_face(const int32_t *a, const int32_t *b) {
    int found = 0;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            found += a[i] == b[k];
    return found == 3;
}

// the faces of one element alone, with their normals outwards
static bool find_surface(SolidShape *s) {
    static const int32_t corner[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
    const LitheTetMesh *mesh = s->mesh;
    int32_t width = mesh->nodes_per_element, count = 4 * mesh->element_count;
    s->face = calloc((size_t)count * 3 + 1, sizeof *s->face);
    s->node = calloc((size_t)mesh->node_count + 1, sizeof *s->node);
    bool *seen = calloc((size_t)mesh->node_count + 1, sizeof *seen);
    for (int32_t i = 0; s->face && s->node && seen && i < count; i++) {
        int32_t *face = s->face + 3 * s->faces;
        const int32_t *e = mesh->elements + (int64_t)(i / 4) * width;
        bool twice = false;
        for (int k = 0; k < 3; k++)
            face[k] = e[corner[i % 4][k]];
        for (int32_t j = 0; j < count && !twice; j++) {
            const int32_t *o = mesh->elements + (int64_t)(j / 4) * width;
            const int32_t other[3] = {o[corner[j % 4][0]], o[corner[j % 4][1]],
                                      o[corner[j % 4][2]]};
            twice = j != i && same_face(face, other);
        }
        s->faces += !twice;
        for (int k = 0; k < 3 && !twice; k++)
            if (!seen[face[k]]) {
                seen[face[k]] = true;
                s->node[s->nodes++] = face[k];
            }
    }
    bool ok = s->face && s->node && seen;
    free(seen);
    return ok;
}

static Vec3 nearest_on(Vec3 a, Vec3 b, Vec3 c, Vec3 p) {
    // barycentric coordinates in the plane, or the nearest point of an edge
    Vec3 n = v3_cross(v3_sub(b, a), v3_sub(c, a)), best = a;
    const Vec3 x[3] = {a, b, c};
    double nn = v3_dot(n, n), least = INFINITY;
    bool inside = nn > 0;
    for (int k = 0; k < 3; k++) {
        Vec3 e = v3_sub(x[(k + 1) % 3], x[k]), d = v3_sub(p, x[k]);
        double s = fmin(1, fmax(0, v3_dot(d, e) / v3_dot(e, e)));
        Vec3 on = v3_axpy(s, e, x[k]);
        inside = inside && v3_dot(v3_cross(e, d), n) >= 0;
        if (v3_distance(on, p) < least) {
            least = v3_distance(on, p);
            best = on;
        }
    }
    return inside ? v3_axpy(-v3_dot(v3_sub(p, a), n) / nn, n, p) : best;
}

// distance of a place from the surface, at rest, and the normal of the nearest face
static double depth_at(const SolidShape *s, Vec3 place, Vec3 *normal) {
    double least = INFINITY;
    for (int32_t f = 0; f < s->faces; f++) {
        const int32_t *node = s->face + 3 * f;
        Vec3 a = s->mesh->nodes[node[0]], b = s->mesh->nodes[node[1]], c = s->mesh->nodes[node[2]];
        double distance = v3_distance(nearest_on(a, b, c, place), place);
        if (distance >= least)
            continue;
        least = distance;
        *normal = v3_unit(v3_cross(v3_sub(b, a), v3_sub(c, a)));
    }
    return least;
}

// --- begin and end -------------------------------------------------------------------------------

static void add_point(SolidCheck *c, int32_t owner, int64_t at) {
    c->owner[c->point_count] = owner;
    c->at[c->point_count++] = at;
}

static void add_points(SolidCheck *c, const LitheModel *model) {
    for (int32_t k = 0; k < c->solid_count; k++)
        for (int32_t i = 0; i < c->solids[k].nodes; i++)
            add_point(c, k,
                      model->units[c->solids[k].unit].q_at + 3 * (int64_t)c->solids[k].node[i]);
    for (int32_t r = 0; r < model->rod_count; r++)
        for (int32_t i = 0; i < model->rods[r].node_count; i++)
            add_point(c, -1, model->rods[r].dof_at + 4 * (int64_t)i);
    for (int32_t p = 0; p < model->particles_count; p++)
        for (int32_t i = 0; i < model->particles[p].count; i++)
            add_point(c, -1, model->units[model->particles[p].unit].q_at + 3 * (int64_t)i);
}

static bool add_solid(SolidCheck *c, const LitheSolid *solid) {
    SolidShape *s = &c->solids[c->solid_count++];
    *s = (SolidShape){.unit = solid->unit, .mesh = &solid->mesh};
    Vec3 low = s->mesh->nodes[0], high = low;
    for (int32_t i = 1; i < s->mesh->node_count; i++) {
        Vec3 x = s->mesh->nodes[i];
        low = v3(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
        high = v3(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
    }
    Vec3 size = v3_sub(high, low);
    s->extent = fmin(size.x, fmin(size.y, size.z));
    return find_surface(s);
}

bool lithe_solid_check_begin(SolidCheck *c, const LitheModel *model) {
    *c = (SolidCheck){.model = model};
    bool ok = (c->solids = calloc((size_t)model->solid_count + 1, sizeof *c->solids)) != NULL;
    int64_t count = 1;
    for (int32_t k = 0; ok && k < model->solid_count; k++) {
        ok = add_solid(c, &model->solids[k]);
        count += c->solids[k].nodes;
    }
    for (int32_t r = 0; r < model->rod_count; r++)
        count += model->rods[r].node_count;
    for (int32_t p = 0; p < model->particles_count; p++)
        count += model->particles[p].count;
    c->owner = calloc((size_t)count, sizeof *c->owner);
    c->at = calloc((size_t)count, sizeof *c->at);
    c->side = calloc((size_t)(count * (model->geom_count + 1)), 1);
    for (int32_t k = 0; ok && k < c->solid_count; k++)
        ok = (c->solids[k].visit = calloc((size_t)count, sizeof(SolidVisit))) != NULL;
    ok = ok && c->owner && c->at && c->side;
    if (ok)
        add_points(c, model);
    return ok;
}

void lithe_solid_check_end(SolidCheck *c) {
    for (int32_t k = 0; c->solids && k < c->solid_count; k++) {
        free(c->solids[k].face);
        free(c->solids[k].node);
        free(c->solids[k].visit);
    }
    free(c->solids);
    free(c->owner);
    free(c->at);
    free(c->side);
}

// --- solids --------------------------------------------------------------------------------------

// the solid between two states of a substep
typedef struct Moving {
    const SolidShape *s;
    const double *from, *to; // q
    int64_t q_at;
    Vec3 low, high; // of both
} Moving;

static Moving moving_of(const SolidCheck *c, const SolidShape *s, const LitheState *before,
                        const LitheState *after) {
    Moving m = {s, before->q, after->q, c->model->units[s->unit].q_at, v3(0, 0, 0), v3(0, 0, 0)};
    m.low = v3(INFINITY, INFINITY, INFINITY);
    m.high = v3_neg(m.low);
    for (int32_t i = 0; i < 2 * s->nodes; i++) {
        Vec3 x = v3_load((i % 2 ? m.to : m.from) + m.q_at + 3 * (int64_t)s->node[i / 2]);
        m.low = v3(fmin(m.low.x, x.x), fmin(m.low.y, x.y), fmin(m.low.z, x.z));
        m.high = v3(fmax(m.high.x, x.x), fmax(m.high.y, x.y), fmax(m.high.z, x.z));
    }
    return m;
}

static bool is_near(const Moving *m, Vec3 a, Vec3 b) {
    return fmin(a.x, b.x) < m->high.x && fmax(a.x, b.x) > m->low.x && fmin(a.y, b.y) < m->high.y &&
           fmax(a.y, b.y) > m->low.y && fmin(a.z, b.z) < m->high.z && fmax(a.z, b.z) > m->low.z;
}

// whether the point is in an element at the time t, and its place at rest
static bool find_place(const Moving *m, Vec3 p, double t, Vec3 *place) {
    const LitheTetMesh *mesh = m->s->mesh;
    for (int32_t e = 0; e < mesh->element_count; e++) {
        const int32_t *node = mesh->elements + (int64_t)e * mesh->nodes_per_element;
        Vec3 x[4];
        for (int k = 0; k < 4; k++)
            x[k] = point_at(m->from, m->to, m->q_at + 3 * (int64_t)node[k], t);
        Vec3 a = v3_sub(x[1], x[0]), b = v3_sub(x[2], x[0]), c = v3_sub(x[3], x[0]),
             d = v3_sub(p, x[0]);
        double volume = v3_dot(a, v3_cross(b, c));
        double u = v3_dot(d, v3_cross(b, c)) / volume, v = v3_dot(a, v3_cross(d, c)) / volume,
               w = v3_dot(a, v3_cross(b, d)) / volume;
        if (!(u > 0 && v > 0 && w > 0 && u + v + w < 1))
            continue;
        const Vec3 *r = mesh->nodes;
        *place = v3_scale(1 - u - v - w, r[node[0]]);
        *place = v3_axpy(u, r[node[1]], *place);
        *place = v3_axpy(v, r[node[2]], *place);
        *place = v3_axpy(w, r[node[3]], *place);
        return true;
    }
    return false;
}

// The point is inside at `place`, or outside, at one moment. `last` is its last place inside.
static void visit(SolidCheck *c, int32_t k, int32_t point, bool inside, Vec3 place, Vec3 *last) {
    SolidShape *s = &c->solids[k];
    SolidVisit *v = &s->visit[point];
    Vec3 in, out;
    if (inside) {
        Vec3 normal;
        if (!v->inside)
            *v = (SolidVisit){.inside = true, .entered = place};
        v->depth = fmax(v->depth, depth_at(s, place, &normal));
        c->deepest = fmax(c->deepest, 2 * v->depth / s->extent);
        *last = place;
    } else if (v->inside) {
        v->inside = false;
        if (v->depth < 0.5 * SHALLOW * s->extent)
            return;
        depth_at(s, v->entered, &in);
        depth_at(s, *last, &out);
        if (v3_dot(in, out) > OTHER_WAY)
            return;
        if (c->passages++ == 0)
            snprintf(c->first, sizeof c->first, "point %d of solid %d (-1: none) through solid %d",
                     (int)point, (int)c->owner[point], (int)k);
    }
}

static void check_solid(SolidCheck *c, int32_t k, const LitheState *before,
                        const LitheState *after) {
    const SolidShape *s = &c->solids[k];
    Moving m = moving_of(c, s, before, after);
    for (int32_t i = 0; i < c->point_count; i++) {
        Vec3 a = v3_load(before->q + c->at[i]), b = v3_load(after->q + c->at[i]), place, last;
        if (c->owner[i] == k || (!is_near(&m, a, b) && !s->visit[i].inside))
            continue;
        bool was = s->visit[i].inside;
        last = s->visit[i].entered;
        if (was && !find_place(&m, a, 0, &last))
            last = s->visit[i].entered;
        bool is = find_place(&m, b, 1, &place);
        // nothing to see between where the point stays inside, or moves little outside
        bool still = v3_distance(a, b) < 0.02 * s->extent;
        for (int n = 1; n < SAMPLES && was == is && !was && !still; n++) {
            Vec3 there;
            double t = (double)n / SAMPLES;
            bool in = find_place(&m, v3_mix(a, b, t), t, &there);
            visit(c, k, i, in, there, &last);
        }
        visit(c, k, i, is, place, &last);
    }
}

// --- plates --------------------------------------------------------------------------------------

// on which side of a box a point is, across its smallest extent; 0: beside it or in it
static int8_t side_of(const LitheModelGeom *geom, const double *pose, Vec3 p) {
    Quat q = q4_conj((Quat){pose[3], pose[4], pose[5], pose[6]});
    Vec3 x = q4_rotate(q, v3_sub(p, v3_load(pose))), half = geom->geom.half;
    if (fabs(x.x) > half.x || fabs(x.y) > half.y)
        return 0;
    return x.z > half.z ? 1 : x.z < -half.z ? -1 : 2;
}

static void check_plates(SolidCheck *c, const LitheState *after) {
    for (int32_t g = 0; g < c->model->geom_count; g++) {
        const LitheModelGeom *geom = &c->model->geoms[g];
        double pose[7];
        bool floor = geom->geom.kind == LITHE_GEOM_HALF_SPACE;
        if (!floor && geom->geom.kind != LITHE_GEOM_BOX)
            continue;
        lithe_body_pose(c->model, after, (LitheBodyId){geom->body + 1}, pose);
        for (int32_t i = 0; i < c->point_count; i++) {
            Vec3 p = v3_load(after->q + c->at[i]);
            int8_t *kept = &c->side[(int64_t)g * c->point_count + i];
            int8_t side = floor ? 0 : side_of(geom, pose, p);
            // in the plate the last side counts
            if (side == 2)
                continue;
            bool through = (side != 0 && *kept == -side) || (floor && p.z - pose[2] < -0.01);
            *kept = side;
            if (through && c->passages++ == 0)
                snprintf(c->first, sizeof c->first, "point %d of solid %d (-1: none) through a %s",
                         (int)i, (int)c->owner[i], floor ? "floor" : "plate");
        }
    }
}

void lithe_solid_check_step(const LitheState *before, const LitheState *after, void *check) {
    SolidCheck *c = check;
    for (int32_t k = 0; k < c->solid_count; k++)
        check_solid(c, k, before, after);
    check_plates(c, after);
}
